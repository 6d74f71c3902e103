for s in ["1\n2","x = 1\ny = 2\n","if 1: pass\nx=1","a;b","a;b\nc","if 1:\n  a\n\nb", "1\n# c\n", "1\n\n  \n","def f():\n  pass\nx\n", "1 # c\n2", "pass\n\n\npass"]:
    try: compile(s,"f","single"); print(repr(s),"ok")
    except SyntaxError as e: print(repr(s), e.msg,e.lineno,e.offset,e.end_offset)
