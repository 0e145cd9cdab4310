#!/bin/sh
# selftest -- each lint can fail: a small tree is made, then spoilt one way at
# a time, and the lint must say so by name.
set -u
lint=$SRC/tests/lint
CC=${CC:-cc}
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
n=0 bad=0
unset GIT_DIR GIT_WORK_TREE

# What is compiled is kept, since compiling takes most of the time.
fresh() { # the tree that every lint is content with
	cd "$top" || exit 1
	rm -rf t
	[ -d content ] || {
		tree_make
		mv "$top/t" "$top/content"
		cd "$top" || exit 1
	}
	cp -a content t && cd t || exit 1
}

tree_make() {
	mkdir -p "$top/t/src/base" "$top/t/src/spec" "$top/t/src/launch/native/init" \
		"$top/t/tests" "$top/t/build/src"
	cd "$top/t" || exit 1
	printf '/* a.c -- a. */\n#include "base/a.h"\n\nint a_get(void)\n{\n\treturn 1;\n}\n' \
		>src/base/a.c
	printf '#ifndef A_H\n#define A_H\nint a_get(void);\n#endif\n' >src/base/a.h
	printf '/* s.c -- s. */\n#include "base/a.h"\n\nint s_get(void);\nint s_get(void)\n{\n\treturn a_get();\n}\n' \
		>src/spec/s.c
	printf '/* i.c -- i. */\nint i_get(void);\nint i_get(void)\n{\n\treturn 2;\n}\n' \
		>src/launch/native/init/i.c
	printf '%b' '#ifdef CUPEL_TEST_HOOKS\nstruct test_hooks {\n\tint dropped;\n};\nstruct test_hooks drops = { 1 };\n#endif\n' \
		>>src/launch/native/init/i.c
	printf 'content\n' >README.md
	mkdir -p build/.libs build/tests
	for f in cupel cupel-init.bin cupel-template.bin cupel-parse.bin \
		cupel-relay.bin cupel-sync.bin cupel-tracer.bin .libs/libcupel.so; do
		echo program >build/$f
	done
	echo CUPEL_TEST_DROP >build/tests/cupel-testing
	compile
}

runner() { # a runner of one module, beside it
	mkdir -p src/runners/python
	printf 'EMBED_MODULE("one")\n' >src/runners/python.c
	printf 'import os\n\nHERE = os.sep\n' >src/runners/python/one.py
	mkdir -p src/runners/node
	printf 'EMBED_MODULE("one")\n' >src/runners/node.c
	printf "'use strict';\nmodule.exports = { one: 1 };\n" >src/runners/node/one.js
}

object() { # object C O FLAG -- unless it is there and nothing is newer
	[ -e "$2" ] && [ ! "$1" -nt "$2" ] &&
		[ -z "$(find src -name '*.h' -newer "$2")" ] && return
	mkdir -p "${2%/*}"
	$CC -O1 "$3" -Isrc -c "$1" -o "$2" || exit 1
}

compile() {
	for c in src/base/a src/spec/s; do
		object "$c.c" "build/$c.o" -ffreestanding
	done
	for c in $(find src ! -path 'src/launch/native/init/*' \
		\( -name x.c -o -name parse_main.c \)); do
		object "$c" "build/${c%.c}.o" -ffreestanding
	done
	object src/launch/native/init/i.c \
		build/src/launch/native/init/cupel_init-i.o -fno-stack-protector
}

compile_hooks() { # the programs of init and the libraries, as hooks finds them
	i=src/launch/native/init/i.c
	for p in init template; do
		$CC -g -c $i -o build/$p.o && $CC -g -r -nostdlib build/$p.o \
			-o build/cupel-$p || exit 1
		$CC -g -DCUPEL_TEST_HOOKS -c $i -o build/$p-testing.o &&
			$CC -g -r -nostdlib build/$p-testing.o \
				-o build/cupel-$p-testing || exit 1
	done
	$CC -c src/base/a.c -Isrc -o build/src/base/libcore_la-a.o || exit 1
	$CC -DCUPEL_TEST_HOOKS -c $i \
		-o build/src/launch/native/init/libcore_testing_a-i.o || exit 1
}

lint_run() {
	case $1 in
	rooms) python3 -B "$lint/rooms" "$top/t/src" "$top/t/build/src" ;;
	shape) sh "$lint/shape" "$top/t" "$top/t/build" ;;
	calls) sh "$lint/calls" "$top/t/src" ;;
	hooks) compile_hooks; sh "$lint/hooks" "$top/t" "$top/t/build" ;;
	python) sh "$lint/python" "$top/t" ;;
	contracts) python3 -B "$lint/contracts" "$top/t" ;;
	english) python3 -B "$lint/english" "$top/t" ;;
	names) python3 -B "$lint/names" "$top/t/src" "$top/t/build" ;;
	javascript) sh "$lint/javascript" "$top/t" ;;
	tracked)
		rm -rf .git
		printf 'build/\n' >.gitignore
		git init -q . >/dev/null 2>&1 && git add -A . >/dev/null 2>&1
		sh "$lint/tracked" "$top/t" ;;
	esac
}

content() { # content LINT [COMMAND] -- a clean tree, after COMMAND, passes
	n=$((n + 1))
	fresh
	eval "${2-}"
	if out=$(lint_run "$1" 2>&1); then
		echo "ok $n - $1 is content with a clean tree"
	else
		echo "not ok $n - $1 is content with a clean tree"
		echo "$out" | grep -A3 '^not ok' | sed 's/^/# /'
		bad=1
	fi
}

catches() { # catches LINT TEXT COMMAND -- spoilt by COMMAND, it says TEXT
	n=$((n + 1))
	fresh
	eval "$3"
	case $1 in # these read sources alone
	tracked | python | javascript | contracts | english) ;;
	*) compile 2>/dev/null ;;
	esac
	if out=$(lint_run "$1" 2>&1); then verdict=passed; else verdict=failed; fi
	if [ $verdict = failed ] &&
		echo "$out" | grep -A9 '^not ok' | grep -qF -e "$2"; then
		echo "ok $n - $1 catches: $2"
	else
		echo "not ok $n - $1 catches: $2"
		echo "$out" | sed 's/^/# /' | head -n 20
		bad=1
	fi
}

add() { printf '%b' "$2" >>"$1"; }
lines() { i=0; while [ $i -lt "$1" ]; do echo "$2"; i=$((i + 1)); done; }

content rooms
catches rooms 'includes spec/' \
	'add src/base/a.c "#include \"spec/s.h\"\n"; : >src/spec/s.h'
catches rooms 'calls malloc()' \
	'awk "!/^spec /" "$lint/rooms.tbl" >rooms.tbl; echo "spec | base |" >>rooms.tbl
	ROOMS_TBL=$top/t/rooms.tbl; export ROOMS_TBL
	add src/spec/s.c "void *malloc(unsigned long);\nvoid *s_new(void);\nvoid *s_new(void)\n{\n\treturn malloc(9);\n}\n"'
unset ROOMS_TBL
catches rooms 'calls fork()' \
	'add src/base/a.c "int fork(void);\nint b(void);\nint b(void)\n{\n\treturn fork();\n}\n"'
catches rooms 'calls printf()' \
	'add src/spec/s.c "int __printf_chk(int, const char *, ...);\nint b(void);\nint b(void)\n{\n\treturn __printf_chk(1, \"x\");\n}\n"'
catches rooms 'calls open()' \
	'add src/spec/s.c "int open64(const char *, int, ...);\nint b(void);\nint b(void)\n{\n\treturn open64(\"x\", 0);\n}\n"'
catches rooms 'needs memcpy' \
	'add src/launch/native/init/i.c "void *memcpy(void *, const void *, unsigned long);\nvoid b(char *, char *, unsigned long);\nvoid b(char *x, char *y, unsigned long z)\n{\n\tmemcpy(x, y, z);\n}\n"'
catches rooms 'no row in rooms.tbl' \
	'mkdir src/attic; echo "int x;" >src/attic/x.c'
catches rooms 'no object file' 'echo "int x;" >src/spec/forgotten.c'

catches rooms 'no row stands twice: spec' \
	'{ cat "$lint/rooms.tbl"; echo "spec | base | fork"; } >rooms.tbl
	ROOMS_TBL=$top/t/rooms.tbl; export ROOMS_TBL'
catches rooms 'each folder has a row: spec/attic' \
	'unset ROOMS_TBL; mkdir src/spec/attic; echo "/* x.c -- x. */" >src/spec/attic/x.c'
unset ROOMS_TBL

# Each folder with C in it: a header of another room, and a call that is not its
# own.
for d in $(cd "$SRC/src" && find . -mindepth 2 -name '*.c' |
	sed 's|^\./||; s|/[^/]*$||' | sort -u); do
	other=cli/doctor call=printf file=src/$d/x.c says="calls printf()"
	case $d in
	cli | cli/*) other=parsers/ci ;;
	launch/native/init) file=src/$d/i.c says="needs printf" ;;
	parsers/*) continue ;; # below
	esac
	if [ "$d" = cli ]; then call=fork says="calls fork()"; fi
	stray() { # stray TEXT -- a file of that folder with TEXT in it
		mkdir -p "src/$d" "src/$other"
		echo 'int other_get(void);' >"src/$other/other.h"
		echo "/* ${file##*/} -- x. */" >"$file"
		add "$file" "$1"
	}
	catches rooms "${file#src/}: includes $other/" \
		'stray "#include \"$other/other.h\"\n"'
	catches rooms "$says" \
		'stray "int $call(const char *, ...);\nint (*volatile p)(const char *, ...) = $call;\n"'
done

# Each folder of the parsers: also a name that is not its own.
for d in "$SRC"/src/parsers/*/; do
	d=${d%/} d=${d##*/}
	other=parsers/suite
	[ "$d" != suite ] || other=parsers/ci
	file=src/parsers/$d/x.c
	if [ "$d" = program ]; then file=src/parsers/program/parse_main.c; fi
	stray() { # stray TEXT -- a file of that folder with TEXT in it
		mkdir -p "src/parsers/$d" "src/$other"
		echo 'int other_get(void);' >"src/$other/other.h"
		echo "/* ${file##*/} -- x. */" >"$file"
		add "$file" "$1"
	}
	catches rooms "parsers/$d/${file##*/}: includes $other/" \
		'stray "#include \"$other/other.h\"\n"'
	catches rooms "parsers/$d/${file##*/}: calls open()" \
		'stray "int open(const char *, int, ...);\nstatic int (*volatile p)(const char *, int, ...) = open;\n"'
	catches rooms "parsers/$d/${file##*/}: exports stray_get" \
		'stray "int stray_get(void);\nint stray_get(void)\n{\n\treturn 1;\n}\n"'
done
catches rooms 'parsers/attic/x.c: no row in rooms.tbl' \
	'mkdir -p src/parsers/attic; echo "int x;" >src/parsers/attic/x.c'

# The seam of launch: the room asks launchers by their interface alone and makes
# no call, what makes vessels knows nobody who watches them, and who watches
# them knows nobody who makes them.
seam() { # seam FILE TEXT -- a file with TEXT in it, and whom it might include
	mkdir -p src/launch/native src/supervise
	echo 'int begin_get(void);' >src/launch/native/begin.h
	echo 'int run_get(void);' >src/supervise/run.h
	echo "/* ${1##*/} -- x. */" >"$1"
	add "$1" "$2"
}
catches rooms 'launch/x.c: includes launch/native/' \
	'seam src/launch/x.c "#include \"launch/native/begin.h\"\n"'
catches rooms 'launch/native/x.c: includes supervise/' \
	'seam src/launch/native/x.c "#include \"supervise/run.h\"\n"'
catches rooms 'supervise/x.c: includes launch/native/' \
	'seam src/supervise/x.c "#include \"launch/native/begin.h\"\n"'
catches rooms 'launch/x.c: calls clone()' \
	'seam src/launch/x.c "int clone(int);\nint b(void);\nint b(void)\n{\n\treturn clone(1);\n}\n"'

# Service, lib and each folder of the jobs: a header of a folder that it may not
# ask, the other way round too, and a call that nobody there may make.
while read -r d other; do
	ask() { # ask TEXT -- a file of that folder with TEXT in it
		mkdir -p "src/$d" "src/$other"
		echo 'int other_get(void);' >"src/$other/other.h"
		echo '/* x.c -- x. */' >"src/$d/x.c"
		add "src/$d/x.c" "$1"
	}
	catches rooms "$d/x.c: includes $other/" \
		'ask "#include \"$other/other.h\"\n"'
	catches rooms "$d/x.c: calls fork()" \
		'ask "int fork(void);\nstatic int (*volatile p)(void) = fork;\n"'
done <<-END
	service lib
	service jobs/common
	lib supervise
	jobs/common jobs/probe
	jobs/probe jobs/gather
	jobs/gather jobs/confirm
	jobs/gather supervise
	jobs/confirm jobs/probe
	jobs/confirm launch
END
catches rooms 'jobs/attic/x.c: no row in rooms.tbl' \
	'mkdir -p src/jobs/attic; echo "int x;" >src/jobs/attic/x.c'

user() { # what calls the exports of the clean tree
	echo 'int s_get(void); int i_get(void); int u(void); int u(void) { return s_get() + i_get(); }' \
		>tests/u.c
	$CC -c tests/u.c -o build/tests/u.o
	: >src/cupel.h
}
content names user
content names 'user; sed -i "s/a_get/cupel_a/" src/base/a.h src/base/a.c
	printf "/* s.c -- s. */\nint s_get(void);\nint s_get(void)\n{\n\treturn 1;\n}\n" >src/spec/s.c
	echo "int cupel_a(void);" >src/cupel.h; compile'
catches names 'a_get is exported by base/a.c and spec/x.c' \
	'user; printf "int a_get(void);\nint a_get(void)\n{\n\treturn 2;\n}\n" >src/spec/x.c'
catches names 'base/x.c: x_get is used by no other file' \
	'user; printf "int x_get(void);\nint x_get(void)\n{\n\treturn 2;\n}\nint x_more(void) { return x_get(); }\n" >src/base/x.c'

content shape
catches shape 'src/base/a.c: 408 lines' 'lines 401 "/* */" >>src/base/a.c'
catches shape ' lines, and tests/lint/sizes.tbl says 3' \
	'mkdir -p tests/lint; echo "src 3" >tests/lint/sizes.tbl'
catches shape 'src/base/a.c:long_one: 61 lines' \
	'{ echo "int long_one(void);"; echo "int long_one(void)"; echo "{"; lines 57 "	;"; echo "	return 1;"; echo "}"; } >>src/base/a.c'
catches shape 'src/base/a.c:wide: 7 parameters' \
	'add src/base/a.c "int wide(int, int, int, int, int, int, int (*)(int, int));\nint wide(int a, int b, int c, int d,\n\t int e, int f, int (*g)(int, int))\n{\n\treturn a;\n}\n"'
catches shape 'src/base/b.h' 'echo "int f(size_t n);" >src/base/b.h'
catches shape 'counter' \
	'add src/base/a.c "int a_next(void);\nint a_next(void)\n{\n\tstatic int counter = 3;\n\n\treturn counter++;\n}\n"'
catches shape 'src/base/a.c' 'sed -i 1d src/base/a.c'

content calls
catches calls '- nobody opens for writing past base/outfile' \
	'echo "#define W O_CREAT" >>src/base/a.c'
catches calls 'base/a.c: ' 'add src/base/a.c "int b(void)\n{\n\treturn system(0);\n}\n"'
catches calls 'no sprintf()' 'add src/spec/s.c "int b(char *s)\n{\n\treturn sprintf (s, 0);\n}\n"'

content tracked
catches tracked 'no binary file' 'printf "a\\0b" >src/base/blob'
catches tracked 'src/configure' ': >src/configure; echo x >src/configure'
catches tracked 'notes.txt' 'echo x >notes.txt'
catches tracked 'src/base/a.c' 'add src/base/a.c "/* see /work/notes */\n"'
catches tracked 'internal.corp' 'add src/base/a.c "/* https://mirror.internal.corp/x */\n"'
catches tracked 'src/spec/s.c' 'add src/spec/s.c "/* 10.1.2.3 */\n"'
catches tracked 'src/spec/s.c' 'add src/spec/s.c "/* TODO: all of it */\n"'
catches tracked 'big.txt' 'lines 60000 "0123456789" >tests/big.txt'
catches tracked 'tests/x.t is not executable' 'echo x >tests/x.t'
catches tracked 'tests/live/x.t is in no list' \
	'mkdir tests/live; echo x >tests/live/x.t; chmod +x tests/live/x.t'
catches tracked 'tests/unit/x.c is in no list' \
	'mkdir tests/unit; printf "int main(void)\n{\n}\n" >tests/unit/x.c'

content python runner
catches python 'undefined name' 'runner; add src/runners/python/one.py "print(nobody)\n"'
catches python 'imported but unused' 'runner; echo "import re" >tests/x.py'
catches python 'two is not embedded' 'runner; echo "A = 1" >src/runners/python/two.py'
catches python 'one: ' 'runner; add src/runners/python/one.py "import no_such_module\nprint(no_such_module)\n"'

content javascript runner
catches javascript 'Cannot find name' 'runner; add src/runners/node/one.js "nobody();\n"'
catches javascript 'has no exported member' \
	'runner; add src/runners/node/one.js "const { two } = require(\"./host.js\");\n"
	echo "exports.three = 3;" >src/runners/node/host.js'
catches javascript 'two is not embedded' 'runner; echo "exports.a = 1;" >src/runners/node/two.js'

pages() { # a man page with a section, and a chapter
	mkdir -p man src/docs
	printf '.TH CUPEL\\-RUN 1\n.SH EXIT STATUS\nnone\n' >man/cupel-run.1.in
	echo '# One' >src/docs/one.md
}
contract() { # contract LINE... -- comments in a header and beside it
	pages
	printf '%b\n' "$1" >>src/base/a.h
}
content contracts pages
content contracts 'contract "/* a_get -- see cupel-run(1), \"EXIT STATUS\", docs/one.md (src/docs/one.md), a.c,\n * and:\n *\n * enum a -- is B.\n * that -- is prose. */\nenum a { B };\n/* B, a_get -- both. */"'
catches contracts 'src/base/a.h:5: a_put is not declared' 'contract "/* a_put -- puts. */"'
catches contracts 'src/base/a.h:6: a_put is not declared' \
	'contract "/* a_get, a_put -- both. */\n/* a_get, a_put -- b. */\nstruct s { int a_put; };\n"'
catches contracts 'a_put is not declared' \
	'contract "/* Two.\n *\n * a_put -- by a caller alone. */\nstatic inline int a_two(void) { return a_put(); }"'
catches contracts 'other.h is not declared' 'contract "/* other.h -- it is not. */"'
catches contracts 'src/spec/s.c:9: CONTRACT' 'pages; add src/spec/s.c "/* see CONTRACT 1.2 */\n"'
catches contracts 'STYLE' 'pages; add README.md "as STYLE 14b has it\n"'
catches contracts 'DESIGN' 'pages; add src/docs/one.md "by DESIGN section 2\n"'
catches contracts 'issue 12' 'pages; add src/spec/s.c "/* as issue 12\n * asks */\n"'
catches contracts 'closing note' 'pages; add src/spec/s.c "/* the closing\n * note has it */\n"'
catches contracts 'there is no docs/two.md' 'contract "/* see\n * docs/two.md */"'
catches contracts 'src/docs, not Decision 0001' 'contract "/* Decision\n * 0001 */"'
catches contracts 'src/docs, not 0001-one.md' 'contract "/* 0001-one.md */"'
catches contracts 'there is no cupel-walk(1)' 'contract "/* cupel-walk(1) */"'
catches contracts 'cupel-run(1) has no section EXIT' 'contract "/* cupel-run(1), \"EXIT\" */"'
catches contracts 'src/base/a.h:5: cupel-run(1) has no section DEGREES OF IT' \
	'contract "/* cupel-run(1), DEGREES\n * OF IT */"'
catches contracts 'man/cupel-run.1.in:4: cupel-run(1) has no section DEGREES' \
	'pages; printf ".BR cupel\\\\-run (1),\nDEGREES\n" >>man/cupel-run.1.in'
catches contracts 'there is no gone.c' 'contract "/* as gone.c does */"'
catches contracts 'links to man/x.1.in' 'pages; add README.md "[x](man/x.1.in)\n"'

# In a message, words that have to be read twice; in a comment, fewer of them.
message() { # message TEXT -- C that prints it
	printf 'const char *a_say(void);\nconst char *a_say(void)\n{\n\treturn %s;\n}\n' \
		"$1" >>src/base/a.c
}
content english
content english 'message "\"there is no file; it is no longer here, and none of the two is\""
	mkdir -p src/worker; echo "/* what is no file is looked at, too */" >src/worker/w.c'
content english 'mkdir -p tests; printf "/* w.c */\nchar *w = \"x is no y\";\n" >tests/w.c'
catches english 'src/worker/w.c:2: is no: write' \
	'mkdir -p src/worker; printf "/* w.c */\nchar *w = \"x is no y\";\n" >src/worker/w.c'
catches english 'src/base/a.c:11: is no: write' 'message "\"%s is no file\""'
catches english 'are none of: write' 'message "\"these are \"
	       \"none of a, b\""'
catches english 'is one too many' 'message "\"one FILE, this is one too many\""'
catches english 'is wanted: write' 'message "\"a file is wanted\""'
catches english 'in each other' 'message "\"a and b lie in each other\""'
catches english 'cannot be told' 'message "\"it cannot be told\""'
catches english 'looked at' 'message "\"it is not looked at\""'
catches english 'had no room' 'message "\"two events had no room\""'
catches english 'is all it knows' 'message "\"x is all it knows\""'
catches english 'there is none: name' 'message "\"the schema: there is none\""'
catches english ', too: write' 'message "\"this one, too\""'
catches english 'to be had: write' 'add src/base/a.h "/* which is not to\n * be had */\n"'
catches english 'src/runners/python/one.py:4: to be had' \
	'runner; echo "# it is not to be had" >>src/runners/python/one.py'
page() { # page TEXT -- a man page that says so
	mkdir -p man && printf '.TH A 1\n.SH B\n%b\n' "$1" >man/a.1.in
}
content english 'page "Its network is\n.B none\nor\n.BR loopback ."'
catches english 'man/a.1.in:3: is none: write' 'page "A line without one\nis none."'
catches english 'man/a.1.in:3: . Of: begin' 'page "It is so.\nOf a file the name."'
catches english 'man/a.1.in:3: . What it has' \
	'page "It is so.\nWhat it has is\n.BR x ."'
catches english 'is told: write' 'page "A refusal\nis told."'
content english 'page "Whoever is told to end ends."'
catches english 'README.md:3: is none' 'printf "a\n\nThis is none.\n" >README.md'
content english 'add src/base/a.h "/* There is none left behind. */\n"'
catches english 'src/base/a.h:2: is none' 'printf "/* a.h */\n/* This is none. */\n" >src/base/a.h'
catches english 'behind: write' 'add src/base/a.h "/* The one behind it. */\n"'
content english 'mkdir -p src/worker; echo "/* The one behind is none. */" >src/worker/w.c'
schema() { # schema TEXT -- with that description
	mkdir -p profiles && printf '{\n"description": "%s"\n}\n' "$1" >profiles/a.schema.json
}
content english 'schema "number of files, of one folder"'
catches english 'profiles/a.schema.json:2: of: begin' 'schema "of the files"'
catches english 'src/clients/c.py:1: is no: write' \
	'mkdir -p src/clients; echo "W = \"x is no y\"" >src/clients/c.py'

content hooks
catches hooks 'what differs with the hooks' 'touch Makefile.am'
catches hooks 'no hook in cupel' 'add build/cupel "\0CUPEL_TEST_DROP\0"'
catches hooks 'no hook in libcupel.so' 'add build/.libs/libcupel.so "\0CUPEL_TEST_X\0"'
catches hooks 'no hook in cupel-parse.bin' 'rm build/cupel-parse.bin'
catches hooks 'has its hooks' 'echo >build/tests/cupel-testing'
i=src/launch/native/init/i.c
catches hooks 'in the sources of what is installed' \
	'add $i "struct order { int dropped; };\n"'
catches hooks 'in the sources of what is installed' \
	'add src/base/a.h "struct order { unsigned child_fault_call; };\n"'
catches hooks 'in the objects of what is installed' \
	'add src/base/a.c "int plan_drop(void);\nint plan_drop(void)\n{\n\treturn 0;\n}\n"'
catches hooks 'no field of a hook in cupel-init' \
	'add $i "struct order {\n\tint dropped;\n};\nstruct order order_now = { 1 };\n"'
catches hooks 'have names of hooks' 'sed -i "/TEST_HOOKS/,/endif/d" $i'
catches hooks 'has structs of hooks' 'sed -i "/TEST_HOOKS/,/endif/d" $i'
echo "1..$n"
exit $bad
