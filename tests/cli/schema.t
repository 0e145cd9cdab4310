#!/bin/sh
# cupel schema: the published schemas, as files and from the command.
. "$SRC/tests/cli/lib.sh"

"$cupel" schema >"$work/names"
for s in doctor plan profile result spec validate; do
	grep -qx "$s" "$work/names"
	ok "$s is listed"
	for top in "$SRC" "$BUILD"; do
		file=$top/profiles/schemas/$s.schema.json
		[ ! -e "$file" ] || break
	done
	"$cupel" schema "$s" | cmp -s - "$file"
	ok "$s is printed as it is installed"
done
is 'names what there is not' 2 \
	"cupel: schema: no schema is called 'x'; 'cupel schema' lists them" -- \
	schema x
is 'takes one name' 2 "cupel: schema: expected one NAME, found 'b' after it" -- \
	schema a b
finish
