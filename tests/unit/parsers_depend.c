/* parsers_depend.c -- the probe dependencies: what each file declares and pins. */
#include <stdlib.h>

#include "parsers/depend/depend.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static void declared(const char *o, const char *want)
{
	ok_json(o, "/slice/dependencies/ANY", want);
}

static void pinned(const char *o, const char *want)
{
	ok_json(o, "/slice/packages/ANY", want);
}

static void pyproject_declares_in_every_table(void)
{
	char *o =
		PROBE(F("pyproject.toml",
			"[build-system]\nrequires=['flit_core >=3,<4']\n"
			"[project]\nname='x'\n"
			"dependencies=['Flask_Login[a,b] >=1 ; os_name==\"x\"',"
			"'two (==2.0)',"
			"'far @ https://u:p@h.example/far.zip',"
			"'near @ file:///near']\n"
			"[project.optional-dependencies]\nt=['opt']\n"
			"[dependency-groups]\ndev=['grp',"
			"{include-group='t'}]\n"
			"[tool.poetry.dependencies]\npython='^3'\nPo='^1'\n"
			"git={git='https://h.example/g.git',rev='a'}\n"
			"[tool.poetry.group.t.dependencies]\npg='*'\n"
			"[tool.uv]\ndev-dependencies=['uvd']\n"
			"[tool.uv.sources]\ntwo={path='../two'}\n"));

	declared(o, "{\"name\":\"Flask_Login\",\"constraint\":\">=1\","
		    "\"kind\":\"runtime\",\"resolved\":null,"
		    "\"ecosystem\":\"pypi\",\"purl\":\"pkg:pypi/flask-login\","
		    "\"origin\":\"registry\",\"role\":\"own\","
		    "\"source\":\"pyproject.toml\"}");
	declared(o, "{\"name\":\"two\",\"constraint\":\"==2.0\","
		    "\"origin\":\"path\",\"purl\":null}");
	declared(o, "{\"name\":\"far\",\"origin\":\"url\","
		    "\"url\":\"https://h.example/far.zip\","
		    "\"constraint\":\"https://h.example/far.zip\"}");
	declared(o, "{\"name\":\"near\",\"origin\":\"path\",\"purl\":null}");
	declared(o, "{\"name\":\"flit_core\",\"kind\":\"build\"}");
	declared(o, "{\"name\":\"opt\",\"kind\":\"optional\"}");
	declared(o, "{\"name\":\"grp\",\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"Po\",\"constraint\":\"^1\"}");
	declared(o, "{\"name\":\"git\",\"origin\":\"git\",\"purl\":"
		    "\"pkg:pypi/git?vcs_url=git%2Bhttps://h.example/g.git\"}");
	declared(o, "{\"name\":\"pg\",\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"uvd\",\"kind\":\"dev\"}");
	ok_no_json(o, "{\"name\":\"python\"}");
	ok(strstr(o, "u:p@") == NULL);
	free(o);
}

static void requirements_are_read_as_pip_reads_them(void)
{
	char *o = PROBE(
		F("requirements-dev.txt",
		  "# comment\n-r other.txt\n--index-url https://x.example\n"
		  "one==1.0  # why\n"
		  "two[x]>=2,<3;python_version<'4'\n"
		  "three==3.0 \\\n    --hash=sha256:aa \\\n    "
		  "--hash=sha256:b\n"
		  "four==4.*\nfive\n"
		  "-e git+https://h.example/six.git@v1#egg=six&x=y\n"
		  "https://h.example/seven.whl\n./eight\n"),
		F("docs/requirements/base.in", "nine\n"),
		F("setup.cfg", "[options]\ninstall_requires =\n  ten>=1\n"
			       "  # no\n  eleven\nzip_safe = no\n"
			       "[options.extras_require]\nx = twelve; a=='b'\n"
			       "[other]\ninstall_requires = thirteen\n"));

	declared(o, "{\"name\":\"one\",\"constraint\":\"==1.0\","
		    "\"resolved\":\"1.0\",\"purl\":\"pkg:pypi/one@1.0\"}");
	declared(o, "{\"name\":\"two\",\"constraint\":\">=2,<3\","
		    "\"resolved\":null}");
	declared(o, "{\"name\":\"three\",\"constraint\":\"==3.0\"}");
	declared(o, "{\"name\":\"four\",\"resolved\":null}");
	declared(o, "{\"name\":\"five\",\"constraint\":null}");
	declared(o, "{\"name\":\"six\",\"origin\":\"git\"}");
	declared(o, "{\"name\":\"nine\"}");
	declared(o, "{\"name\":\"ten\",\"constraint\":\">=1\","
		    "\"source\":\"setup.cfg\"}");
	declared(o, "{\"name\":\"eleven\"}");
	declared(o, "{\"name\":\"twelve\",\"kind\":\"optional\"}");
	ok_no_json(o, "{\"name\":\"thirteen\"}");
	ok_no_json(o, "{\"name\":\"other.txt\"}");
	pinned(o, "{\"name\":\"one\",\"version\":\"1.0\","
		  "\"source\":\"requirements-dev.txt\"}");
	ok_no_json(o, "{\"name\":\"five\",\"version\":null}");
	free(o);
}

static void python_locks_pin(void)
{
	char *o = PROBE(
		F("a/pyproject.toml", "[project]\ndependencies=['Foo.Bar>1']"),
		F("a/uv.lock",
		  "version=1\n[[package]]\nname='foo-bar'\nversion='1.2'\n"
		  "source={registry='https://pypi.example/simple'}\n"
		  "dependencies=[{name='baz',marker='x'}]\n"
		  "[[package]]\nname='me'\nversion='0'\nsource={editable='.'}\n"
		  "[[package]]\nname='g'\nversion='1'\n"
		  "source={git='https://h.example/g?rev=1#abc'}\n"),
		F("b/poetry.lock",
		  "[[package]]\nname='p'\nversion='2'\n"
		  "[package.dependencies]\nq='>=1'\nr={version='1'}\n"),
		F("c/Pipfile", "[packages]\nS='*'\n[dev-packages]\nt='==1'\n"),
		F("c/Pipfile.lock",
		  "{\"default\":{\"s\":{\"version\":\"==3.1\"}},"
		  "\"develop\":{\"t\":{\"version\":\"==1\"}}}"));

	declared(o, "{\"name\":\"Foo.Bar\",\"resolved\":\"1.2\"}");
	pinned(o, "{\"name\":\"foo-bar\",\"version\":\"1.2\","
		  "\"purl\":\"pkg:pypi/foo-bar@1.2\","
		  "\"requires\":[\"baz\"]}");
	pinned(o, "{\"name\":\"me\",\"origin\":\"path\",\"purl\":null}");
	pinned(o, "{\"name\":\"g\",\"origin\":\"git\"}");
	pinned(o, "{\"name\":\"p\",\"requires\":[\"q\",\"r\"]}");
	declared(o,
		 "{\"name\":\"S\",\"resolved\":\"3.1\",\"kind\":\"runtime\"}");
	declared(o, "{\"name\":\"t\",\"resolved\":\"1\",\"kind\":\"dev\"}");
	free(o);
}

static void go_requires_and_replaces(void)
{
	char *o = PROBE(
		F("go.mod",
		  "module m.example/x // me\n\ngo 1.21\n\n"
		  "require github.com/A/One v1.0.0\n"
		  "require (\n\tgithub.com/b/two v2.0.0+incompatible // "
		  "indirect\n"
		  "\tgithub.com/c/three v0.0.0\n\tgithub.com/d/four v1.0.0\n)\n"
		  "replace github.com/c/three => ../three\n"
		  "replace (\n\tgithub.com/d/four v1.0.0 => "
		  "github.com/e/five v5.0.0\n)\n"
		  "exclude github.com/z/z v1.0.0\n"),
		F("go.sum", "github.com/A/One v1.0.0 h1:x=\n"
			    "github.com/A/One v1.0.0/go.mod h1:y=\n"));

	declared(o, "{\"name\":\"github.com/A/One\",\"resolved\":\"v1.0.0\","
		    "\"purl\":\"pkg:golang/github.com/a/one@v1.0.0\"}");
	declared(o, "{\"name\":\"github.com/b/two\",\"kind\":\"indirect\","
		    "\"purl\":\"pkg:golang/github.com/b/two@v2.0.0"
		    "%2Bincompatible\"}");
	declared(o, "{\"name\":\"github.com/c/three\",\"origin\":\"path\","
		    "\"resolved\":null,\"purl\":null}");
	declared(o, "{\"name\":\"github.com/e/five\",\"resolved\":\"v5.0.0\"}");
	ok_no_json(o, "{\"name\":\"github.com/z/z\"}");
	ok_json(o, "/slice/files/ANY", "{\"format\":\"go.sum\",\"hashes\":1}");
	ok_json(o, "/slice/primary", "\"golang\"");
	free(o);
}

static void cargo_tables_and_its_lock(void)
{
	char *o = PROBE(
		F("Cargo.toml",
		  "[package]\nname='x'\n[dependencies]\nserde='1'\n"
		  "ren={package='real',version='2',optional=true}\n"
		  "loc={path='loc'}\nw={workspace=true}\n"
		  "[target.'cfg(unix)'.dev-dependencies]\nnix='0.1'\n"
		  "[workspace]\nmembers=['examples/*']\n"
		  "[workspace.dependencies]\nw='3'\n"),
		F("examples/a/Cargo.toml", "[dependencies]\nserde='1'\n"),
		F("test/b/Cargo.toml", "[dependencies]\nserde='0.9'\n"),
		F("Cargo.lock",
		  "version = 3\n[[package]]\nname='serde'\nversion='1.0.9'\n"
		  "source='registry+https://github.com/rust-lang/crates.io-"
		  "index'\ndependencies=['a 1.0.0','b 2 (registry+x)','c']\n"
		  "[[package]]\nname='x'\nversion='0.1.0'\n"
		  "[[package]]\nname='nix'\nversion='0.1.1'\nsource='registry+"
		  "x'\n"
		  "[[package]]\nname='nix'\nversion='0.2.0'\nsource='registry+"
		  "x'\n"
		  "[[package]]\nname='g'\nversion='1.0.0'\n"
		  "source='git+https://h.example/g#abc'\n"));

	declared(o, "{\"name\":\"serde\",\"constraint\":\"1\","
		    "\"resolved\":\"1.0.9\",\"role\":\"own\","
		    "\"purl\":\"pkg:cargo/serde@1.0.9\","
		    "\"source\":\"Cargo.toml\"}");
	declared(o, "{\"name\":\"real\",\"kind\":\"optional\"}");
	declared(o, "{\"name\":\"loc\",\"origin\":\"path\"}");
	/* two versions, and it is not known which of them */
	declared(o, "{\"name\":\"nix\",\"kind\":\"dev\",\"resolved\":null}");
	declared(o, "{\"source\":\"examples/a/Cargo.toml\",\"role\":\"own\","
		    "\"role_reason\":\"Cargo.toml\"}");
	declared(o, "{\"source\":\"test/b/Cargo.toml\",\"role\":\"fixture\","
		    "\"role_reason\":\"directory test\"}");
	pinned(o, "{\"name\":\"serde\",\"requires\":[\"a 1.0.0\",\"b 2\","
		  "\"c\"]}");
	pinned(o, "{\"name\":\"x\",\"origin\":\"path\",\"purl\":null}");
	pinned(o, "{\"name\":\"g\",\"origin\":\"git\",\"purl\":"
		  "\"pkg:cargo/g@1.0.0?vcs_url=git%2Bhttps://h.example/g"
		  "%23abc\"}");
	/* that of the fixture is not counted */
	ok_json(o, "/slice/ecosystems/0",
		"{\"name\":\"cargo\",\"manifests\":2,\"lockfiles\":1,"
		"\"dependencies\":7,\"packages\":5}");
	free(o);
}

static void poms_and_version_catalogues(void)
{
	char *o = PROBE(
		F("pom.xml",
		  "<?xml version='1.0'?><project xmlns='u'><parent>"
		  "<version>7</version></parent><groupId>g.me</groupId>"
		  "<version>9</version>"
		  "<properties><a.v>1.${b}</a.v><b>2</b></properties>"
		  "<modules><module>tests/m</module></modules>"
		  "<dependencies><dependency><groupId> org.a </groupId>"
		  "<artifactId>b</artifactId><version>${a.v}</version>"
		  "<exclusions><exclusion><artifactId>no</artifactId>"
		  "</exclusion></exclusions></dependency>"
		  "<dependency><groupId>${project.groupId}</groupId>"
		  "<artifactId>c</artifactId><version>${project.version}"
		  "</version><scope>test</scope></dependency>"
		  "<dependency><groupId>h</groupId><artifactId>d</artifactId>"
		  "<version>${no}</version></dependency></dependencies>"
		  "<dependencyManagement><dependencies><dependency>"
		  "<groupId>m</groupId><artifactId>e</artifactId>"
		  "</dependency></dependencies></dependencyManagement>"
		  "</project>"),
		F("tests/m/pom.xml",
		  "<project><parent><version>${v}</version></parent>"
		  "<artifactId>m</artifactId><properties><v>7</v></properties>"
		  "</project>"),
		F("gradle/libs.versions.toml",
		  "[versions]\nk='1.9'\nr={strictly='2.0'}\n[libraries]\n"
		  "a={module='org.k:a',version.ref='k'}\n"
		  "b={group='org.k',name='b',version={ref='r'}}\n"
		  "c='org.k:c:3'\nd={module='org.k:d'}\n"
		  "[plugins]\np={id='x.y',version='4'}\nq='z:5'\n"));

	declared(o, "{\"name\":\"org.a:b\",\"constraint\":\"1.2\","
		    "\"purl\":\"pkg:maven/org.a/b\"}");
	declared(o, "{\"name\":\"g.me:c\",\"constraint\":\"9\","
		    "\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"h:d\",\"constraint\":\"${no}\"}");
	declared(o, "{\"name\":\"m:e\",\"kind\":\"managed\"}");
	ok_json(o, "/slice/files/ANY",
		"{\"source\":\"pom.xml\",\"version\":\"9\"}");
	ok_json(o, "/slice/files/ANY",
		"{\"source\":\"tests/m/pom.xml\",\"name\":\"m\","
		"\"version\":\"7\",\"role\":\"own\","
		"\"role_reason\":\"pom.xml\"}");
	declared(o, "{\"name\":\"org.k:a\",\"constraint\":\"1.9\"}");
	declared(o, "{\"name\":\"org.k:b\",\"constraint\":\"2.0\"}");
	declared(o, "{\"name\":\"org.k:c\",\"constraint\":\"3\"}");
	declared(o, "{\"name\":\"org.k:d\",\"constraint\":null}");
	declared(o, "{\"name\":\"x.y:x.y.gradle.plugin\","
		    "\"constraint\":\"4\",\"kind\":\"plugin\"}");
	declared(o, "{\"name\":\"z:z.gradle.plugin\",\"constraint\":\"5\"}");
	free(o);
}

static void a_pom_with_a_document_type_is_refused(void)
{
	char *o = PROBE(F("pom.xml", "<!DOCTYPE p [<!ENTITY e 'x'>]>"
				     "<project>&e;</project>"));

	ok_json(o, "/errors/ANY", "{\"code\":\"doctype\"}");
	ok_json(o, "/slice/files/0", "{\"unread\":true}");
	free(o);
}

static void gems_and_composer(void)
{
	char *o = PROBE(
		F("Gemfile.lock",
		  "GIT\n  remote: https://h.example/g.git\n  revision: abc\n"
		  "  specs:\n    gg (0.1)\n\nGEM\n"
		  "  remote: https://h.example/\n  specs:\n"
		  "    rack (3.0.1)\n    rails (7.0.4)\n      rack (~> 3)\n"
		  "    ffi (1.15-x86_64-linux)\n\nPLATFORMS\n  ruby\n\n"
		  "DEPENDENCIES\n  rails (~> 7.0)\n  gg!\n\n"
		  "BUNDLED WITH\n   2.3\n"),
		F("composer.json",
		  "{\"require\":{\"php\":\">=8\",\"ext-json\":\"*\","
		  "\"Vendor/Pack\":\"^1\"},\"require-dev\":{\"v/t\":\"2\"}}"),
		F("composer.lock",
		  "{\"packages\":[{\"name\":\"vendor/"
		  "pack\",\"version\":\"1.4\","
		  "\"require\":{\"php\":\"8\",\"v/u\":\"1\"}}],"
		  "\"packages-dev\":[{\"name\":\"v/t\",\"version\":\"2\"}]}"));

	declared(o, "{\"name\":\"rails\",\"constraint\":\"~> 7.0\","
		    "\"resolved\":\"7.0.4\",\"purl\":\"pkg:gem/rails@7.0.4\"}");
	declared(o, "{\"name\":\"gg\",\"resolved\":\"0.1\"}");
	pinned(o, "{\"name\":\"rails\",\"requires\":[\"rack\"]}");
	pinned(o, "{\"name\":\"ffi\",\"version\":\"1.15\"}");
	pinned(o, "{\"name\":\"gg\",\"origin\":\"git\"}");
	declared(o, "{\"name\":\"Vendor/Pack\",\"resolved\":\"1.4\",\"purl\":"
		    "\"pkg:composer/vendor/pack@1.4\"}");
	declared(o, "{\"name\":\"v/t\",\"kind\":\"dev\"}");
	pinned(o, "{\"name\":\"vendor/pack\",\"requires\":[\"v/u\"]}");
	ok_no_json(o, "{\"name\":\"php\"}");
	free(o);
}

static void npm_is_read_as_node_manifest_reads_it(void)
{
	char *o = PROBE(
		F("package.json",
		  "{\"name\":\"r\",\"workspaces\":[\"examples/*\"],"
		  "\"dependencies\":{\"@S/a\":\"^1\",\"b\":\"npm:c@2\","
		  "\"g\":\"github:x/y\",\"f\":\"file:./f\"},"
		  "\"devDependencies\":{\"d\":\"*\"}}"),
		F("examples/w/package.json",
		  "{\"name\":\"w\",\"dependencies\":{\"d\":\"1\"}}"),
		F("test/fixtures/x/package.json", "{\"name\":"),
		F("package-lock.json",
		  "{\"lockfileVersion\":3,\"packages\":{\"\":{},"
		  "\"node_modules/@S/a\":{\"version\":\"1.2.3\"},"
		  "\"node_modules/d\":{\"version\":\"1.0.0\"},"
		  "\"node_modules/b\":{\"name\":\"c\",\"version\":\"2.0.0\"},"
		  "\"node_modules/b/node_modules/d\":{\"version\":\"9.0.0\"},"
		  "\"node_modules/g\":{\"version\":"
		  "\"git+ssh://git@h.example/x/y.git#abc\"}}}"));

	declared(o, "{\"name\":\"@S/a\",\"resolved\":\"1.2.3\","
		    "\"purl\":\"pkg:npm/%40s/a@1.2.3\"}");
	declared(o, "{\"name\":\"c\",\"constraint\":\"2\","
		    "\"resolved\":\"2.0.0\"}");
	declared(o, "{\"name\":\"g\",\"origin\":\"git\"}");
	declared(o, "{\"name\":\"f\",\"origin\":\"path\",\"purl\":null}");
	/* the one at the top of two */
	declared(o, "{\"name\":\"d\",\"kind\":\"dev\","
		    "\"resolved\":\"1.0.0\"}");
	declared(o, "{\"name\":\"d\",\"resolved\":\"1.0.0\",\"role\":\"own\","
		    "\"role_reason\":\"package.json\"}");
	pinned(o, "{\"name\":\"g\",\"version\":\"abc\",\"origin\":\"git\"}");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"d\",\"version\":\"9.0.0\"}");
	free(o);
}

static void a_python_project_with_a_web_page_is_python(void)
{
	char *o =
		PROBE(F("pyproject.toml", "[project]\ndependencies=['a','b']"),
		      F("ui/package.json",
			"{\"dependencies\":{\"a\":\"1\",\"b\":\"1\","
			"\"c\":\"1\",\"d\":\"1\"}}"),
		      F("ui/yarn.lock", "# yarn lockfile v1\n"));

	ok_json(o, "/slice/primary", "\"pypi\"");
	free(o);
}

static void a_broken_fixture_is_no_doubt(void)
{
	char *o = PROBE(F("pyproject.toml", "[project]\ndependencies=['a']"),
			F("tests/x/pyproject.toml", "[bad"));
	char *own = PROBE(F("pyproject.toml", "[bad"));

	ok_json(o, "/confidence", "\"high\"");
	ok_json(o, "/warnings/ANY", "{\"code\":\"not_own_unread\"}");
	ok_json(own, "/confidence", "\"low\"");
	ok_json(own, "/errors/ANY", "{\"code\":\"toml_syntax\"}");
	free(o);
	free(own);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(pyproject_declares_in_every_table),
		CASE(requirements_are_read_as_pip_reads_them),
		CASE(python_locks_pin),
		CASE(go_requires_and_replaces),
		CASE(cargo_tables_and_its_lock),
		CASE(poms_and_version_catalogues),
		CASE(a_pom_with_a_document_type_is_refused),
		CASE(gems_and_composer),
		CASE(npm_is_read_as_node_manifest_reads_it),
		CASE(a_python_project_with_a_web_page_is_python),
		CASE(a_broken_fixture_is_no_doubt),
		TAP_END,
	});
}
