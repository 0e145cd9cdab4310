/* language_primary.c -- decides which language is the primary one.  See
 * language.h.
 *
 * Files alone say too little: editors keep hundreds of queries in Scheme and
 * are written in Rust.  A manifest says which language the packages are in, so
 * the languages that manifests at the root name come first. */
#include <string.h>

#include "base/glob.h"
#include "parsers/common/text_piece.h"
#include "parsers/languages/language.h"

/* A language that is named wins if the other has at most that many times as many
 * files.  Where a manifest is often there for tools alone, it is less. */
#define TIMES       8U
#define TIMES_TOOLS 2U

static const struct {
	const char *pattern; /* a file at the root */
	const char *languages;
	size_t times;
	bool is_mixed; /* tests may be in another one of these languages */
} manifests[] = {
	{ "Cargo.toml", "Rust", TIMES, false },
	{ "{go.mod,go.work}", "Go", TIMES, false },
	{ "{pyproject.toml,setup.py,setup.cfg}", "Python Cython", TIMES,
	  false },
	{ "pom.xml", "Java Kotlin Scala Groovy Clojure", TIMES, true },
	{ "{build,settings}.gradle{,.kts}", "Java Kotlin Scala Groovy", TIMES,
	  true },
	{ "build.sbt", "Scala Java", TIMES, false },
	{ "*.gemspec", "Ruby", TIMES, false },
	{ "{Gemfile,gems.rb}", "Ruby", TIMES_TOOLS, false },
	{ "composer.json", "PHP Hack", TIMES, false },
	{ "{CMakeLists.txt,meson.build,configure.ac,configure.in}",
	  "C C++ Objective-C Objective-C++ CUDA Fortran Vala", TIMES, false },
	{ "{Makefile,GNUmakefile,makefile,configure}", "C C++ Fortran",
	  TIMES_TOOLS, false },
	{ "mix.exs", "Elixir Erlang", TIMES, false },
	{ "rebar.config", "Erlang", TIMES, false },
	{ "{*.cabal,cabal.project,stack.yaml}", "Haskell", TIMES, false },
	{ "dune-project", "OCaml Reason", TIMES, false },
	{ "*.{sln,slnx,csproj,fsproj,vbproj}", "C# F#", TIMES, false },
	{ "pubspec.yaml", "Dart", TIMES, false },
	{ "Package.swift", "Swift Objective-C", TIMES_TOOLS, false },
	{ "build.zig.zon", "Zig", TIMES_TOOLS, false },
	{ "dub.{json,sdl}", "D", TIMES, false },
	{ "shard.yml", "Crystal", TIMES, false },
	{ "*.nimble", "Nim", TIMES, false },
	{ "{Makefile.PL,Build.PL,dist.ini}", "Perl", TIMES, false },
	{ "*.rockspec", "Lua", TIMES, false },
	{ "{project.clj,deps.edn}", "Clojure", TIMES, false },
	{ "Project.toml", "Julia", TIMES, false },
	{ "gleam.toml", "Gleam", TIMES, false },
	{ "elm.json", "Elm", TIMES, false },
	{ "package.json", "JavaScript TypeScript CoffeeScript", TIMES_TOOLS,
	  true },
};

struct named {
	const struct parse_input *manifest;
	size_t times;
	bool is_mixed;
};

/* Give the languages of the row their manifest, unless they have one that
 * counts as much. */
static void row_take(const struct language_table *t, size_t row,
		     const struct parse_input *in, struct named *named)
{
	for (size_t i = 0; i < t->languages_len; i++)
		if (named[i].times < manifests[row].times &&
		    text_in(t->languages[i].name, manifests[row].languages))
			named[i] = (struct named){ in, manifests[row].times,
						   manifests[row].is_mixed };
}

static void manifests_find(const struct language_table *t,
			   const struct parse_inputs *in, struct named *named)
{
	for (size_t i = 0; i < in->len; i++) {
		const struct parse_input *one = &in->items[i];

		if (memchr(one->name, '/', one->name_len) != NULL)
			continue;
		for (size_t k = 0; k < sizeof manifests / sizeof *manifests;
		     k++)
			if (glob_match(manifests[k].pattern,
				       strlen(manifests[k].pattern), one->name,
				       one->name_len))
				row_take(t, k, one, named);
	}
}

/* The programming language with most files, or LANGUAGES_MAX.
 *
 * @named	only of these; NULL: of all */
static size_t most_find(const struct language_table *t,
			const struct language_count *counts,
			const struct named *named)
{
	size_t best = LANGUAGES_MAX;

	for (size_t i = 0; i < t->languages_len; i++) {
		const struct language *l = &t->languages[i];

		if (counts[i].files == 0 || !text_is(l->kind, "programming") ||
		    (named != NULL && named[i].manifest == NULL))
			continue;
		if (best == LANGUAGES_MAX ||
		    counts[i].files > counts[best].files ||
		    (counts[i].files == counts[best].files &&
		     text_order(l->name, t->languages[best].name) < 0))
			best = i;
	}
	return best;
}

/* Of the languages that one manifest names, the one with most files that are
 * neither tests nor declarations. */
static size_t program_find(const struct language_table *t,
			   const struct language_count *counts,
			   const struct named *named, size_t best)
{
	const struct parse_input *manifest = named[best].manifest;

	for (size_t i = 0; i < t->languages_len; i++)
		if (named[i].manifest == manifest && named[i].is_mixed &&
		    counts[i].program > counts[best].program)
			best = i;
	return best;
}

struct language_primary language_primary_find(
	const struct language_table *t, const struct parse_inputs *in,
	const struct language_count *counts)
{
	struct named named[LANGUAGES_MAX] = { 0 };
	size_t most = most_find(t, counts, NULL), best;

	if (most == LANGUAGES_MAX)
		return (struct language_primary){ NULL, NULL };
	manifests_find(t, in, named);
	best = most_find(t, counts, named);
	if (best != LANGUAGES_MAX &&
	    counts[most].files <= counts[best].files * named[best].times)
		most = best;
	most = program_find(t, counts, named, most);
	return (struct language_primary){ &t->languages[most],
					  named[most].manifest };
}
