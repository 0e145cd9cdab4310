#!/bin/sh
# parsers_memory_names.t -- whatever allocates for cupel-parse is wrapped: no object
# of the program, and neither libyaml nor expat, asks for memory in another way.
set -u
n=0 bad=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# What hands out memory: of the C library, of POSIX, and the compiler's checked
# forms of these.
names='(__)?(malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign'
names="$names|memalign|valloc|pvalloc|strdup|strndup|wcsdup|asprintf|vasprintf"
names="$names|getline|getdelim|open_memstream|open_wmemstream|fmemopen|fopen"
names="$names|fdopen|opendir|fdopendir|scandir|glob|regcomp|getcwd|realpath"
names="$names|brk|sbrk|mmap|mmap64|mremap|shmat|libc_malloc|libc_calloc"
names="$names|getaddrinfo|setlocale|newlocale|iconv_open|dlopen|hcreate"
names="$names|tsearch|argz_[a-z]*|obstack_[a-z]*)(_chk|_r)?"

ok() { # ok STATUS TEXT
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$work/list"
		bad=1
	fi
}

# asked FILE... -- the names among what they take from others
asked() {
	nm -u "$@" 2>/dev/null | awk '{ sub(/@.*/, "", $NF); print $NF }' |
		grep -xE "$names" | sort -u
}

archive() { # archive NAME -- where the linker finds it
	${CC:-cc} -print-file-name="$1"
}

sed -n 's/^PARSE_MEMORY_WRAP = -Wl,//p' "$SRC/src/parsers/room.mk" |
	tr , '\n' | sed 's/^--wrap=//' | sort >"$work/wrapped"
printf '%s\n' calloc malloc realloc reallocarray strdup tsearch >"$work/list"
cmp -s "$work/list" "$work/wrapped"
ok $? 'what is wrapped is known'

cd "$BUILD" || exit 1
find src -name 'cupel_parse-*.o' -o -name 'libparsers_a-*.o' >"$work/objects"
grep -v '/cupel_parse-parse_\(main\|memory\)\.o$' "$work/objects" >"$work/others"
wc -l <"$work/objects" >"$work/list"
[ "$(wc -l <"$work/objects")" -gt 150 ]
ok $? 'the objects of the program are found'

asked $(cat "$work/others") "$(archive libyaml.a)" "$(archive libexpat.a)" \
	>"$work/asked"
cp "$work/asked" "$work/list"
grep -qx malloc "$work/asked" && grep -qx calloc "$work/asked"
ok $? 'they ask for memory'
comm -23 "$work/asked" "$work/wrapped" >"$work/list"
[ ! -s "$work/list" ]
ok $? 'and only in ways that are wrapped'

# It maps the inputs, and says itself that this was refused.
asked $(grep 'parse_main\.o$' "$work/objects") | sed 's/64$//' |
	grep -vx mmap | comm -23 - "$work/wrapped" >"$work/list"
[ ! -s "$work/list" ]
ok $? 'the main file maps its inputs, too, and no more'

nm "$BUILD/src/parsers/cupel-parse" | awk '{ print $NF }' |
	sed -n 's/^__wrap_//p' | sort >"$work/list"
cmp -s "$work/list" "$work/wrapped"
ok $? 'the program has the wrappers'

# The search bites: strndup() in an object is found.
printf '#include <string.h>\nchar *f(const char *s) { return strndup(s, 3); }\n' \
	>"$work/f.c"
${CC:-cc} -O0 -fno-builtin -c -o "$work/f.o" "$work/f.c" &&
	asked "$work/f.o" | comm -23 - "$work/wrapped" >"$work/list"
grep -q strndup "$work/list"
ok $? 'one that is not wrapped is found'

echo "1..$n"
exit $bad
