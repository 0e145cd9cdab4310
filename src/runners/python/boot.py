"""boot.py -- the loader: modules out of the one text that a program is.

A program is this file, then its modules, each behind a line "#%module NAME";
the first of them is run.  The others are imported from it, and from each
other, by their plain names.

They are no modules of the interpreter's: they are compiled with a copy of the
builtins of their own, whose __import__ knows them, and sys.modules does not.
So code under test, which runs in the same process, can neither import nor
replace one, and what it does to the real builtins does not reach them.
"""


def start(text, builtins):
    """Run the first module of text.

    builtins: the copy that all of them get; changed here."""
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
