"""boot.py -- the loader: it loads modules from the one text of a program.

A program is this file and then its modules, each after a line "#%module NAME".
The first module is run.  It and the others import each other by their plain
names.

The interpreter does not know these modules: they are not in sys.modules.  They
are compiled with their own copy of the builtins, whose __import__ finds them.
So code under test, which runs in the same process, can neither import nor
replace a module, and what it does to the real builtins does not affect them.
"""


def start(text, builtins):
    """Run the first module of text.

    builtins: the copy that all modules get; it is changed here."""
    import sys

    kind, ordinary = type(sys), builtins["__import__"]
    texts, made = {}, {}
    for part in text.split(b"\n#%module ")[1:]:
        name, _, body = part.partition(b"\n")
        texts[name.decode()] = body

    def load(name, known_as):
        made[name] = module = kind(known_as)
        space = module.__dict__
        space["__builtins__"] = builtins
        exec(compile(texts[name], "cupel-runner", "exec", dont_inherit=True),
             space)
        return module

    def find(name, *rest):
        if name not in texts:
            return ordinary(name, *rest)
        return made[name] if name in made else load(name, name)

    builtins["__import__"] = find
    load(next(iter(texts)), "__main__")


start(globals().pop("text"), __builtins__)
