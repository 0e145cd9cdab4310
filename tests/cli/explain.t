#!/bin/sh
# cupel explain: where a fact came from, also when somebody edited the context.
. "$SRC/tests/cli/lib.sh"
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache HOME=$work
export XDG_CACHE_HOME HOME

mkdir -p repo/packages/a "repo/odd
name"
echo '{"name": "root", "workspaces": ["packages/*", "odd*"]}' >repo/package.json
printf '{"name": "a\\u001b[31m", "version": "7.10"}' \
	>repo/packages/a/package.json
echo '{"name": "odd"}' >"repo/odd
name/package.json"
"$cupel" gather --quiet repo && "$cupel" gather --quiet --format json \
	--out json repo
ok 'there is a context'

# answers NAME STATUS PATTERN -- ARGS...   stdout fits a shell pattern
answers() {
	a_name=$1 a_want=$2 a_text=$3
	shift 4
	a_got=$("$cupel" explain "$@" 2>err </dev/null)
	a_status=$?
	[ "$a_status" = "$a_want" ] && case $a_got in
	$a_text) true ;; *) false ;; esac
	ok "$a_name"
	[ "$ok_status" = 0 ] || echo "# status $a_status: $a_got"
	[ -s err ] && sed 's/^/# /' err
	return 0
}
hash=$(python3 -c 'import json, sys
print({i["blake3"] for p in json.load(open(sys.argv[1]))["probes"]
       for i in p["declared_inputs"]
       if i["relative_path"] == "packages/a/package.json"}.pop())' \
	repo/.cupel/runs/2*.json)
file='source: packages/a/package.json
blake3: '$hash'
size:   42 bytes
probe:  node_manifest, version *, schema *, confidence high
run:    2*Z-*.json, *'
find=
for i in 0 1 2; do
	"$cupel" explain "node_manifest.packages[$i].version" repo |
		grep -q '^value:  "7.10"$' && find=$i
done
[ -n "$find" ] && [ ${#hash} = 71 ]
ok 'the package is found'
answers 'value, file, hash, probe and run' 0 "value:  \"7.10\"
$file" -- "node_manifest.slice.packages[$find].version" repo
answers 'as a JSON Pointer' 0 "value:  \"7.10\"
$file" -- "/probes/node_manifest/slice/packages/$find/version" repo
answers 'from JSON' 0 'value:  "7.10"
source: packages/a/package.json
*' -- --out json "node_manifest.packages[$find].version"
answers 'what would move a terminal is escaped' 0 \
	'value:  "a\\u001b\[31m"
*' -- "node_manifest.packages[$find].name" repo
(cd repo && "$cupel" explain node_manifest.lockfiles) >out &&
	grep -q '^value:  a list of 0$' out
ok 'the current directory is the repository'
answers 'a list names the files below it' 0 '*
source: "odd\\\\x0aname/package.json"
*' -- node_manifest.packages repo
answers 'what is of no probe has no source' 0 'value:  blake3:*
run:    *' -- repo.digest repo

is 'says how far the way led' 1 \
	'cupel: explain: node_manifest.slice.packages is a list with items [0] to [2], no 9' \
	-- explain 'node_manifest.slice.packages[9].name' repo
one_line 1 "node_manifest has no 'pakages'; it has " -- \
	explain node_manifest.pakages repo
ok 'names what is there'
one_line 2 'is not a path' -- explain 'a..b' repo
ok 'refuses what is no path'
one_line 2 'expected the PATH of a fact' -- explain
ok 'asks for a path'
one_line 2 'not both' -- explain --out x a repo
ok 'takes one place'
one_line 2 "found 'c' after them" -- explain a b c
ok 'takes one repository'
one_line 2 'none/.cupel: No such file' -- explain a none
ok 'names a repository that is not there'
mkdir empty
one_line 2 "there is no repo-context.yaml and no repo-context.json" -- \
	explain --out empty a
ok 'says that there is no context'

# edited NAME STATUS STDOUT STDERR -- SED   the context, edited with sed
edited() {
	e_name=$1 e_want=$2 e_out=$3 e_err=$4
	rm -rf edit && cp -r repo/.cupel edit && rm edit/repo-context.yaml
	sed "$6" repo/.cupel/repo-context.yaml >edit/repo-context.yaml
	e_got=$(timeout 30 "$cupel" explain --out edit \
		"node_manifest.packages[$find].version" 2>err)
	e_status=$?
	[ $e_status = "$e_want" ] && case $e_got in
	$e_out) [ -z "$e_err" ] || grep -q "$e_err" err ;; *) false ;; esac
	ok "$e_name"
	[ "$ok_status" = 0 ] || { echo "# $e_status $e_got"; sed "s|^|# |" err; }
}
edited 'another value is said to be another run'\''s' 0 'value:  "2.0-evil"
*note:   the context is not the one that this run wrote*' '' -- \
	's/"7.10"/2.0-evil/'
edited 'a number is no version' 2 '' \
	'is not a context: schema_violation /probes/dependencies/slice/' -- \
	's/"7.10"/7.10/'
edited 'a field of its own' 2 '' 'is not a context: ' -- \
	's/^version: .*/&\nverdict: safe/'
edited 'a field that looks like a credential' 2 '' 'rejected' -- \
	's/^version: .*/&\napi_key: x/'
edited 'no YAML' 2 '' 'yaml_syntax at byte [0-9]*: line ' -- \
	's/^version: .*/version: [/'
edited 'a name twice' 2 '' 'duplicate_name at byte ' -- \
	's/^version: .*/&\n&/'
edited 'two documents' 2 '' 'yaml_documents' -- \
	's/^version: .*/&\n---\n&/'
edited 'an alias to nothing' 2 '' 'yaml_alias' -- \
	's/^version: .*/version: *nothing/'
edited 'a tag is not acted upon' 0 'value:  "7.10"*' '' -- \
	's/^version: /version: !!python\/object\/apply:os.system /'

rm -rf edit && mkdir edit && ln -s ../repo/.cupel/repo-context.yaml edit
one_line 2 'repo-context.yaml: symlink' -- explain --out edit repo
ok 'follows no link'
rm -rf edit && mkdir edit && mkfifo edit/repo-context.yaml
timeout 10 "$cupel" explain --out edit repo 2>err
[ $? = 2 ] && grep -q 'fifo' err
ok 'waits for no fifo'
rm -rf edit && mkdir edit && awk 'BEGIN { printf "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for (i = 1; i < 12; i++) { printf "a%d: &a%d [", i, i
	for (k = 0; k < 9; k++) printf "*a%d,", i - 1; print "]" } }' \
	>edit/repo-context.yaml
one_line 2 'yaml_nodes' -- explain --out edit repo
ok 'an alias bomb is bounded'
rm -rf edit && mkdir edit && truncate -s 1T edit/repo-context.yaml
one_line 2 'longer than 30 MiB' -- explain --out edit repo
ok 'a huge file is not read'
rm -rf edit && cp -r repo/.cupel edit && for f in edit/runs/2*.json; do
	printf x >>"$f"
done
answers 'a record that was changed is said to be' 0 '*
run:    2*.json was changed: its bytes do not match its name' -- \
	--out edit "node_manifest.packages[$find].version"
rm -rf edit && cp -r repo/.cupel edit && rm -r edit/runs
answers 'without a record there is no hash' 0 '*
run:    there is no run record' -- --out edit \
	"node_manifest.packages[$find].version"
finish
