# hooked.awk -- the C files of the library that are another text with the tests' hooks:
# they name CUPEL_TEST_HOOKS, or include a header that does, or one that includes such
# a header.  As a variable of Makefile.am, on stdout.
# usage: awk -f tests/hooked.awk $(find src -name '*.[ch]' | sort)    from the top
#
# libcore_testing.a is made of these and nothing else; all other objects of the library
# are the same in both.  tests/lint/hooks compares the list with what was linked.
FNR == 1 { files[++count] = FILENAME }

/^# *include "/ {
	split($0, part, "\"")
	included[FILENAME] = included[FILENAME] " src/" part[2]
}

/CUPEL_TEST_HOOKS/ { hooked[FILENAME] = 1 }

# Programs of their own, which are compiled with the hooks as a whole or not at all.
function is_elsewhere(file) {
	return file ~ /^src\/(cli|parsers|tracer|worker)\// ||
		file ~ /^src\/launch\/native\/(init|sync)\// ||
		file ~ /^src\/relay\// && file !~ /relay_image/
}

END {
	do {
		grew = 0
		for (i = 1; i <= count; i++) {
			if (hooked[files[i]])
				continue
			n = split(included[files[i]], header, " ")
			for (k = 1; k <= n; k++)
				if (hooked[header[k]])
					grew = hooked[files[i]] = 1
		}
	} while (grew)
	printf "hooked_sources ="
	for (i = 1; i <= count; i++)
		if (hooked[files[i]] && files[i] ~ /\.c$/ && !is_elsewhere(files[i]))
			printf " \\\n\t%s", files[i]
	print ""
}
