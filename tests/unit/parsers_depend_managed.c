/* parsers_depend_managed.c -- what a pom.xml takes from <dependencyManagement>. */
#include <time.h>

#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

#define SIZE ((size_t)2 << 20)

#define MANAGED(...)                                                           \
	"<dependencyManagement><dependencies>" __VA_ARGS__                     \
	"</dependencies></dependencyManagement>"
#define USED(...) "<dependencies>" __VA_ARGS__ "</dependencies>"
#define ONE(name, more)                                                        \
	"<dependency><groupId>g</groupId><artifactId>" name                    \
	"</artifactId>" more "</dependency>"
#define VER(v)   "<version>" v "</version>"
#define SCOPE(s) "<scope>" s "</scope>"
#define PARENT(name, more)                                                     \
	"<parent><artifactId>" name "</artifactId>" more "</parent>"
#define NAME(name) "<artifactId>" name "</artifactId>"
#define POM(...)   "<project>" __VA_ARGS__ "</project>"

/* The dependency that one file of the repository declares without a version. */
static void means(const char *o, const char *source, const char *name,
		  const char *constraint, const char *kind)
{
	char want[256];

	(void)snprintf(want, sizeof want,
		       "{\"name\":\"g:%s\",\"source\":\"%s\","
		       "\"constraint\":%s%s%s,\"kind\":\"%s\"}",
		       name, source, constraint != NULL ? "\"" : "",
		       constraint != NULL ? constraint : "null",
		       constraint != NULL ? "\"" : "", kind);
	ok_json(o, "/slice/dependencies/ANY", want);
}

static void the_nearest_file_decides(void)
{
	char *o = PROBE(
		F("pom.xml",
		  POM(NAME("top") "<properties><v>3</v></properties>" MANAGED(
			  ONE("a", VER("1") SCOPE("test")) ONE("b", VER("2"))
				  ONE("c", VER("${v}"))
					  ONE("d", VER("4") SCOPE("provided")))
			      USED(ONE("a", "")))),
		F("x/pom.xml", POM(PARENT("top", "") NAME("x")
					   MANAGED(ONE("b", VER("22"))))),
		F("x/y/pom.xml",
		  POM(NAME("y") USED(ONE("a", "") ONE("b", "") ONE("c", "") ONE(
			  "d", VER("44")) ONE("e", "")) PARENT("x", ""))),
		F("x/z/pom.xml",
		  POM(PARENT("x", "<relativePath>../../pom.xml</relativePath>")
			      USED(ONE("a", "") ONE("b", "")))),
		F("x/w/pom.xml",
		  POM(PARENT("top", "<relativePath>./../..//</relativePath>")
			      USED(ONE("b", SCOPE("test")) ONE(
				      "a", "<optional>true</optional>")
					   ONE("d", SCOPE("compile"))))));

	means(o, "pom.xml", "a", "1", "dev");
	means(o, "x/y/pom.xml", "a", "1", "dev");
	means(o, "x/y/pom.xml", "b", "22", "runtime");
	means(o, "x/y/pom.xml", "c", "3", "runtime");
	means(o, "x/y/pom.xml", "d", "44", "build");
	means(o, "x/y/pom.xml", "e", NULL, "runtime");
	/* The file there has another name than the parent. */
	means(o, "x/z/pom.xml", "a", NULL, "runtime");
	means(o, "x/z/pom.xml", "b", NULL, "runtime");
	means(o, "x/w/pom.xml", "b", "2", "dev");
	means(o, "x/w/pom.xml", "a", "1", "optional");
	means(o, "x/w/pom.xml", "d", "4", "runtime");
	/* What is managed stays as it is. */
	means(o, "pom.xml", "a", "1", "managed");
	means(o, "x/pom.xml", "b", "22", "managed");
	free(o);
}

/* A parent that is not in the repository, or none, manages nothing. */
static void others_do_not_decide(void)
{
	char *o = PROBE(
		F("pom.xml", POM(NAME("top") MANAGED(ONE("a", VER("1"))))),
		F("x/pom.xml",
		  POM(PARENT("top", "<relativePath/>") USED(ONE("a", "")))),
		F("y/pom.xml", POM(NAME("y") USED(ONE("a", "")))),
		F("z/z/pom.xml", POM(PARENT("top", "") USED(ONE("a", "")))),
		F("w/pom.xml",
		  POM(PARENT("top",
			     "<relativePath>../../../pom.xml</relativePath>")
			      USED(ONE("a", "")))),
		F("v/build.gradle", "a\n"),
		F("v/pom.xml",
		  POM(PARENT("a", "<relativePath>build.gradle</relativePath>")
			      USED(ONE("a", "")))));

	means(o, "x/pom.xml", "a", NULL, "runtime");
	means(o, "y/pom.xml", "a", NULL, "runtime");
	means(o, "z/z/pom.xml", "a", NULL, "runtime");
	means(o, "w/pom.xml", "a", NULL, "runtime");
	means(o, "v/pom.xml", "a", NULL, "runtime");
	free(o);
}

/* Also where the parent is read last. */
static void the_order_of_files_does_not_decide(void)
{
	char *o = PROBE(
		F("a/pom.xml",
		  POM(PARENT("z", "<relativePath>../z</relativePath>")
			      MANAGED(ONE("a", VER("1"))) USED(ONE("a", "")))),
		F("z/pom.xml", POM(NAME("z") MANAGED(ONE("a", VER("2"))))));

	means(o, "a/pom.xml", "a", "1", "runtime");
	free(o);
}

/* One file says two things; what it says twice is known. */
static void two_versions_are_none(void)
{
	char *o = PROBE(
		F("pom.xml",
		  POM(NAME("top")
			      MANAGED(ONE("a", VER("1")) ONE("b", VER("1")) ONE("c", VER("1")) ONE("b", VER("1"))) "<profiles><profile>" MANAGED(
				      ONE("a", VER("2")) ONE(
					      "c",
					      VER("1") SCOPE(
						      "test"))) "</profile></"
								"profiles"
								">" USED(ONE("a", "") ONE(
									"b",
									"") ONE("c",
										"")))),
		F("x/pom.xml", POM(PARENT("top", "") MANAGED(ONE("a", VER("3")))
					   USED(ONE("a", "")))));

	means(o, "pom.xml", "a", NULL, "runtime");
	means(o, "pom.xml", "b", "1", "runtime");
	means(o, "pom.xml", "c", NULL, "runtime");
	means(o, "x/pom.xml", "a", "3", "runtime");
	free(o);
}

/* n parents above one another, of which the first manages, and perhaps is a child of
 * the last. */
static char *chain(size_t n, const char *first)
{
	struct probe_file files[20] = { 0 };
	char names[20][64] = { "pom.xml" };
	struct buf texts[20] = { 0 };
	char *o;

	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			(void)snprintf(names[i], sizeof names[i],
				       "d/%.*spom.xml", (int)(2 * i - 2),
				       "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/");
		buf_format(&texts[i],
			   "<project><artifactId>n%zu</artifactId>%s", i,
			   i > 0 ? "" : first);
		if (i > 0)
			buf_format(&texts[i],
				   "<parent><artifactId>n%zu</artifactId>"
				   "</parent>",
				   i - 1);
		buf_format(&texts[i], "%s</project>",
			   i + 1 == n ? USED(ONE("a", "")) : "");
		files[i] = (struct probe_file){ names[i], texts[i].bytes };
	}
	o = probe_files("dependencies", dependencies_run, files);
	for (size_t i = 0; i < n; i++)
		buf_done(&texts[i]);
	return o;
}

#define SEEN "{\"name\":\"g:a\",\"constraint\":\"1\",\"kind\":\"runtime\"}"

static void parents_are_followed_in_bounds(void)
{
	static const char managed[] = MANAGED(ONE("a", VER("1")));
	static const char ring[] =
		PARENT("n17", "<relativePath>d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/"
			      "pom.xml</relativePath>");
	char *o = chain(17, managed);

	ok_json(o, "/slice/dependencies/ANY", SEEN);
	free(o);
	o = chain(18, managed);
	ok_int(json_count(o, "/slice/dependencies/ANY/constraint", "\"1\""), 1);
	free(o);
	o = chain(18, ring);
	ok_json(o, "/slice/dependencies",
		"[{\"name\":\"g:a\",\"constraint\":null}]");
	free(o);
}

/* Of more than 64 of one name it is not known which is meant. */
static void same_names_are_counted(void)
{
	for (size_t n = 64; n <= 65; n++) {
		struct buf text = { 0 };
		char *o;

		buf_text(&text,
			 "<project><dependencyManagement><dependencies>");
		for (size_t i = 0; i < n; i++)
			buf_text(&text, ONE("a", VER("1")));
		buf_text(&text, "</dependencies></dependencyManagement>" USED(
					ONE("a", "")) "</project>");
		o = PROBE(F("pom.xml", text.bytes));
		ok_json(o, "/slice/dependencies/ANY",
			n == 64 ? "{\"kind\":\"runtime\",\"constraint\":\"1\"}"
				: "{\"kind\":\"runtime\",\"constraint\":null}");
		free(o);
		buf_done(&text);
	}
}

static void one_put(struct buf *text, size_t i, const char *version)
{
	buf_format(text,
		   "<dependency><groupId>g</groupId><artifactId>a%zu"
		   "</artifactId>%s</dependency>",
		   i, version);
}

static void parent_put(struct buf *text, size_t i)
{
	buf_format(text,
		   "<parent><artifactId>a%zu</artifactId><relativePath>../x/"
		   "../x/./%zu</relativePath></parent>",
		   i, i);
}

/* One name many times, many names, and many parents. */
static void large_files_take_linear_time(void)
{
	for (size_t row = 0; row < 3; row++) {
		struct buf text = { 0 };
		clock_t begun;

		buf_text(&text,
			 "<project><dependencyManagement><dependencies>");
		for (size_t i = 0; text.len < SIZE / 2 && row < 2; i++)
			one_put(&text, row == 0 ? 0 : i, VER("1"));
		buf_text(&text, "</dependencies></dependencyManagement>"
				"<dependencies>");
		for (size_t i = 0; text.len < SIZE && row < 2; i++)
			one_put(&text, row == 0 ? 0 : i, "");
		buf_text(&text, "</dependencies>");
		for (size_t i = 0; text.len < SIZE; i++)
			parent_put(&text, i);
		buf_text(&text, "</project>");
		begun = clock();
		free(PROBE(F("x/pom.xml", text.bytes)));
		tap_time(clock() - begun, PROBE_BOUND);
		buf_done(&text);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_nearest_file_decides),
		CASE(others_do_not_decide),
		CASE(the_order_of_files_does_not_decide),
		CASE(two_versions_are_none),
		CASE(parents_are_followed_in_bounds),
		CASE(same_names_are_counted),
		CASE(large_files_take_linear_time),
		TAP_END,
	});
}
