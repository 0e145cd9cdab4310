# lists.awk -- tests/tests.list as a fragment of Makefile.am, on stdout
# usage: awk -f tests/lists.awk tests/tests.list    from the top of the tree
#
# How a line is written is said at the head of tests.list.  A line that cannot
# be right (a word that means nothing, a file that is not there, a test twice)
# ends this with status 1, and with it the build's configuration.  A test of a part is
# built on demand (EXTRA_PROGRAMS) and is not in TESTS.
BEGIN {
	# what a program is linked with
	linked["yaml"] = "libparsers.a $(linked_core) $(YAML_LIBS)"
	linked["expat"] = "libparsers.a $(linked_core) $(EXPAT_LIBS) $(YAML_LIBS)"
	linked["refused"] = "libparsers.a $(linked_core) $(REFUSED_LIBS)"
	linked["libyaml"] = "$(linked_core) $(YAML_LIBS)"
	linked["testing"] = "$(linked_testing)"
	linked["cli"] = "$(linked_cli)"
	linked["crypto"] = "$(linked_core) $(CRYPTO_LIBS)"
	linked["alone"] = ""
	linked["relay"] = "librelay.a"
	linked["witness"] = "$(linked_core) $(WITNESS_LIBS)"
	# what its preprocessor is told beside that
	told["yaml"] = told["libyaml"] = " $(YAML_CFLAGS)"
	told["crypto"] = " $(CRYPTO_CFLAGS)"
	told["testing"] = " -DCUPEL_TEST_HOOKS"
	# what its linker is told
	ordered["refused"] = "$(REFUSED_WRAP)"
	# where it is built and run only
	only["plain"] = "PLAIN_BUILD"
	only["witness"] = "WITNESSES"
	only["crypto"] = "WORKER"
	# what each program of a kind is made of beside its own file
	always["fuzz"] = " tests/fuzz/replay.c"
	print "# Made of tests/tests.list by tests/lists.awk."
}

function fail(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text >"/dev/stderr"
	failed = 1
	exit 1
}

# want FILE -- the words of a line name only what is there
function want(file,  line) {
	if ((getline line <file) < 0)
		fail(file " is not there")
	close(file)
	return file
}

/^(#|$)/ { next }

{
	if (split($1, part, "/") != 2)
		fail($1 ": a test is KIND/NAME")
	if (seen[$1]++)
		fail($1 " is here twice")
	is_script = $1 ~ /\.t$/
	file = "tests/" $1
	sources = want(file (is_script ? "" : ".c")) always[part[1]]
	link = "$(linked_core)"
	flags = orders = conditions = later = ""
	for (i = 2; i <= NF; i++) {
		if ($i ~ /^\$\(|\.[ch]$/) {
			sources = sources " " ($i ~ /^\$/ ? $i : \
				want($i ~ /\// ? $i : "tests/" part[1] "/" $i))
			continue
		}
		if ($i ~ /^part=[a-z]+$/) {
			later = substr($i, 6)
			continue
		}
		if (!($i in linked) && !($i in only))
			fail($i ": no word of a line of this list")
		if ($i in linked)
			link = linked[$i]
		flags = flags told[$i]
		if ($i in ordered)
			orders = orders " " ordered[$i]
		if ($i in only)
			conditions = conditions " " only[$i]
		if ($i == "witness")
			witness[file] = 1
	}
	if (is_script && $0 !~ /^[^ \t]+([ \t]+plain)?([ \t]+part=[a-z]+)?$/)
		fail($1 ": a script has no words but plain and part=NAME")

	print ""
	if (is_script)
		print "EXTRA_DIST += " file
	count = split(conditions, condition)
	for (i = 1; i <= count; i++)
		print "if " condition[i]
	if (is_script)
		print_test(file, later)
	else
		print_program(file ".t", later)
	for (i = 1; i <= count; i++)
		print "endif"
}

function print_test(test, later) {
	if (later != "")
		print "later_tests += " later ":" test
	else
		print "TESTS += " test
}

function print_program(program, later,  name) {
	name = program
	gsub(/[^A-Za-z0-9]/, "_", name)
	print (later != "" ? "EXTRA" : "check") "_PROGRAMS += " program
	print_test(program, later)
	print name "_SOURCES = " sources " tests/tap.h"
	print name "_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests" flags
	print name "_LDADD = " link
	print name "_LINK = $(plain_link)" orders " -o $@"
	if (file in witness)
		print name "_CFLAGS = $(CUPEL_CFLAGS) $(WITNESS_CFLAGS)"
}

END { exit failed }
