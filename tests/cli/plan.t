#!/bin/sh
# cupel plan: it prints what a run would do, and starts nothing.
. "$SRC/tests/cli/lib.sh"
mkdir "$work/repo" && cd "$work/repo" || exit 1

"$cupel" plan -- touch /scratch/x >../p 2>../err
ok 'prints a plan'
[ ! -s ../err ] && [ "$(wc -l <../p)" -gt 100 ]
ok 'laid out for a person'
"$cupel" plan --json -- touch /scratch/x >../q && [ "$(wc -l <../q)" = 1 ]
ok '--json is one line'
python3 -c 'import json, sys
a, b = (json.load(open(f)) for f in sys.argv[1:])
assert a == b and a["command"][0] == "touch", a' ../p ../q
ok 'both say the same'
"$cupel" schema plan >../s && "$cupel" validate --schema ../s ../q >../v ||
	{ cat ../v; false; }
ok 'valid against its schema'
"$cupel" plan -- touch /scratch/x | cmp -s - ../p
ok 'the same twice'
"$cupel" plan --json=../f -- touch /scratch/x && cmp -s ../f ../q
ok '--json=FILE writes it there'
for b in landlock rlimits; do
	"$cupel" plan --backend $b --json -- true >../l &&
		"$cupel" validate --schema ../s ../l >../v || { cat ../v; false; }
	ok "--backend $b: valid too"
	"$cupel" plan --backend $b --json -- true | cmp -s - ../l
	ok "--backend $b: the same twice"
done
"$cupel" plan --network scoped --egress 'a.example:*' --json -- true >../l 2>../e &&
	grep -q "covers only \[22,80,.*,11371\];" ../e &&
	"$cupel" validate --schema ../s ../l >../v
ok 'says what a port * stands for'
"$cupel" plan --network scoped --egress a.example:80 --json -- true 2>../e >../l &&
	! [ -s ../e ]
ok 'and nothing where a rule names its port'
one_line 2 'unknown option' -- plan --wall
ok 'refuses what run refuses'
one_line 9 '--nofile: 0 is outside' -- plan --error-rc 9 --nofile 0 -- true
ok 'with the same exit status'
finish
