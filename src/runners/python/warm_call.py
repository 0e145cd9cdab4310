"""warm_call.py -- the call program as a template (template.py)."""
from call import run
from template import become

TEXTS = {5: b"def f():\n    return 1\n",
         6: b'{"path":"rehearsal.py","function":"f","first_line":1,'
            b'"alarm_s":10}',
         0: b'0\n{"arguments":[]}'}

if __name__ == "__main__":
    run(lambda steps, ends: become(steps, ends, TEXTS))
