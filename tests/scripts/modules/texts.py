import textwrap, string, statistics
from string import Template, Formatter
def t(f, *a, **k):
    try: print(repr(f(*a, **k)))
    except Exception as e: print(type(e).__name__, e)
s = "The quick brown fox jumped over the lazy dog -- well-known for its long-lived jumping habits. Really? Yes."
for w in (10, 20, 40, 70): print(textwrap.wrap(s, w))
print(textwrap.fill(s, 30, initial_indent='* ', subsequent_indent='  ')); print(textwrap.shorten(s, 30), textwrap.shorten(s, 10, placeholder='...')); print(textwrap.dedent("""
    hello
      world

    end
"""), textwrap.indent("a\n\nb\n", '> '), textwrap.indent("a\n\nb\n", '> ', lambda l: True)); print(textwrap.wrap('aaaaaaaaaaaaaaaaaaaaaaaa bb', 5), textwrap.wrap('aaaaaaaaaa bb', 5, break_long_words=False), textwrap.wrap('', 5), textwrap.wrap(s, 20, max_lines=2), textwrap.wrap('a\tb  c\nd', 3), textwrap.wrap("Hello there. How are you", 12, fix_sentence_endings=True)); t(textwrap.wrap, 'a', 0)
print(string.capwords('hello  world-foo bar'), string.ascii_letters, string.punctuation, repr(string.whitespace), len(string.printable))
tm = Template('$a and ${b} $$ $c'); t(tm.substitute, a=1, b=2, c=3); t(tm.substitute, a=1); t(tm.safe_substitute, a=1); t(Template('$').substitute); t(Template('a $1').substitute); t(Template('${a').safe_substitute, a=1); print(tm.get_identifiers(), tm.is_valid(), Template('$-').is_valid())
f = Formatter(); t(f.format, '{0} {1!r:>5} {x.real} {y[0]} {{}}', 1, 'a', x=3, y=[9]); t(f.format, '{} {}', 1, 2); t(f.format, '{:{w}}', 5, w=4); t(f.format, '{a}'); t(lambda: list(f.parse('a{b!r:c}d{{'))); t(f.format, '{0} {}', 1, 2)
st = statistics
for d in ([1,2,3,4], [1.5,2.5,4], [1], [2,2,3], [10**20, 1]): t(st.mean, d); t(st.median, d); t(st.stdev, d); t(st.variance, d); t(st.pstdev, d); t(st.fmean, d); t(st.mode, d); t(st.multimode, d)
t(st.mean, []); t(st.median, []); t(st.stdev, [1]); t(st.mean, ['a']); t(st.quantiles, [1,2,3,4,5]); t(st.quantiles, [1,2,3,4,5], n=10, method='inclusive'); t(st.median_low, [1,2,3,4]); t(st.median_high, [1,2,3,4]); t(st.harmonic_mean, [40, 60]); t(st.geometric_mean, [54, 24, 36]); t(st.correlation, [1,2,3], [1,2,4]); t(st.covariance, [1,2,3],[1,2,4]); t(st.linear_regression, [1,2,3],[1,2,4]); t(st.mean, [True, False]); t(st.stdev, [1.1, 2.2, 3.3, 100.7]); t(st.pvariance, [0.0, 0.25, 0.25, 1.25, 1.5, 1.75, 2.75, 3.25])
