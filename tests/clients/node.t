#!/bin/sh
# node.t -- the Node package: over real vessels and over programs that are not
# cupel; its types; both of its entries.
set -u
. "$SRC/tests/clients/both.sh"
package=$SRC/src/clients/node
work=$(mktemp -d /tmp/cupel-node.XXXXXX) || exit 1
trap 'rm -rf "$work"; rm -f "$counted"' EXIT

major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null)
if [ "${major:-0}" -lt 18 ]; then
	echo '1..0 # SKIP Node 18 or later is not installed'
	exit 0
fi
# What reporter it has no name for is TAP.
reporter=--test-reporter=tap
node $reporter -e 0 2>/dev/null || reporter=
mkdir "$work/node_modules"
ln -s "$package" "$work/node_modules/cupel"

has_both_entries() {
	cd "$work" && node -e 'const a = require("cupel")
	import("cupel").then((b) => {
		const names = Object.keys(a).sort().join()
		const same = Object.keys(a).every((k) => a[k] === b[k])
		console.log(names)
		process.exit(same && names === Object.keys(b).sort().join() &&
			names.includes("SandboxClient") ? 0 : 1)
	})'
}

is_declared() {
	cd "$work" && node -e 'const text = require("fs").readFileSync(
		"node_modules/cupel/index.d.ts", "utf-8")
	for (const k of Object.keys(require("cupel")))
		if (!new RegExp(`^export (class|function) ${k}\\b`, "m").test(text))
			throw new Error(`${k} is not declared`)'
}

needs_nothing() {
	! grep -nE "require\('|^import .* from '" "$package"/*.?js \
		"$package"/lib/*.cjs | grep -vE "'(node:[a-z_]+|\.[^']*)'"
}

tsc_has() {
	command -v tsc >/dev/null || { echo 'tsc is not installed'; return 77; }
	cd "$work" && tsc --noEmit --strict --target es2020 --module node16 \
		--moduleResolution node16 --lib es2020 "$@"
}

# Each line that is marked, and no other.
misuse_is_found() {
	cp "$SRC/tests/clients/node_use.mts" "$work/use.mts"
	tsc_has use.mts >"$work/said"
	[ $? != 77 ] || { cat "$work/said"; return 77; }
	sed -n 's/^use\.mts(\([0-9]*\),.*/\1/p' "$work/said" | sort -nu \
		>"$work/found"
	grep -n '// wrong$' "$work/use.mts" | sed 's/:.*//' >"$work/marked"
	cat "$work/said"
	cmp "$work/found" "$work/marked"
}

# npm of its own accord asks the network about nothing here.
is_installed() {
	command -v npm >/dev/null || { echo 'npm is not installed'; return 77; }
	cp -R "$package" "$work/package" && mkdir "$work/user" &&
		cd "$work/user" && echo '{}' >package.json &&
		HOME=$work npm install --offline --install-links --no-audit \
			--no-fund --ignore-scripts "$work/package" &&
		[ ! -L node_modules/cupel ] &&
		CUPEL=$BUILD/cupel node -e 'const c = require("cupel")
	new c.SandboxClient().execute({ command: ["echo", "1"] }).then(
		(r) => process.exit(r.stdout === "1\n" ? 0 : 1))'
}

one 'import and require give the same' has_both_entries
one 'what is exported is declared' is_declared
one 'it has no dependencies' needs_nothing
one 'tsc finds each misuse, and nothing else' misuse_is_found
one 'npm installs it without a network' is_installed
rm -rf "$work"
both 'node_runs node_many' 'node_runs node_many node_answers node_confirms node_gates' sh -c 'status=0
	for suite; do
		node $0 "$SRC/tests/clients/$suite.mjs" || status=1
	done
	exit $status' "$reporter"
finish
