import random
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
for seed in (0, 1, 42, -5, 2**100, 'hello', b'bytes', '', 'ü'):
    random.seed(seed); print(random.random(), random.getrandbits(5), random.getrandbits(100), random.randint(1, 100), random.random())
random.seed(7)
print(random.randrange(10), random.randrange(5, 50, 3), random.choice('abcdef'), random.sample(range(100), 5), random.sample(range(1000), 30)[:5], random.choices('abc', k=5), random.choices([1,2,3], weights=[5,1,1], k=6), random.choices('ab', cum_weights=[1,3], k=3))
l = list(range(20)); random.shuffle(l); print(l)
print(random.uniform(1, 5), random.gauss(0, 1), random.gauss(0, 1), random.normalvariate(1, 2), random.expovariate(1.5), random.triangular(0, 10, 3), random.betavariate(1, 2), random.gammavariate(2, 3), random.gammavariate(0.5, 1), random.gammavariate(1, 1), random.lognormvariate(0, 1), random.vonmisesvariate(0, 4), random.paretovariate(3), random.weibullvariate(1, 2), random.binomialvariate(10, 0.3), random.binomialvariate(100, 0.6), random.randbytes(4))
r = random.Random(5); s = r.getstate(); a = r.random(); r.setstate(s); print(a == r.random(), s[0], len(s[1]), s[2])
t(random.randrange, 0); t(random.randrange, 5, 5); t(random.randint, 5, 1); t(random.choice, []); t(random.sample, [1], 2); t(random.sample, {1}, 1); t(random.choices, [1], weights=[1,2]); t(random.choices, [1], weights=[0]); t(random.seed, []); t(random.getrandbits, -1); t(random.randrange, 1.5); t(random.randrange, 1, 10, 0)
print(random.sample(['a','b'], counts=[3,2], k=4), random.SystemRandom().random() < 1)
