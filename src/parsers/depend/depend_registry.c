/* depend_registry.c -- where packages are taken from, as files say it for all
 * packages or for some: registries, mirrors, indexes, patches and replacements.
 *
 * What cannot be told from an address is told as it is written, because a gate
 * compares these texts and a change must not hide in one.
 * Source: the documentation of uv, Cargo, npm, Yarn, Bun, Gradle and Maven, on
 * their files of settings. */
#include <string.h>

#include "base/grow.h"
#include "parsers/depend/depend.h"
#include "parsers/toml/toml.h"

#define SAME_FILE_MAX 64U /* of one file that are compared with a new one */
#define DEEP_MAX      12U /* tables in tables */

/* Keys whose text is a place, also if it is no address. */
static const char place_keys[] =
	"url index index-url extra-index-url default-index find-links registry "
	"registry-index default directory local-registry git path paths "
	"replace-with proxy branch tag rev";

static void lost_note(struct depend *d, const struct depend_file *f)
{
	if (!d->has_lost_registry)
		report_note(
			&d->report->errors, "truncated", f->in, -1,
			"no room for more registries; the rest is left out");
	d->has_lost_registry = true;
}

/* bytes NULL: there is one, and it is not told which. */
static void registry_put(struct depend *d, struct depend_file *f,
			 struct json_text text)
{
	if (d->registries_len >= d->registries_end ||
	    !array_grow((void **)&d->registries, d->registries_len,
			&d->registries_room, sizeof *d->registries)) {
		lost_note(d, f);
		return;
	}
	d->registries[d->registries_len++] =
		(struct depend_registry){ f, text };
}

void depend_registry_add(struct depend *d, struct depend_file *f,
			 struct json_text text)
{
	size_t from = d->registries_len > SAME_FILE_MAX
			      ? d->registries_len - SAME_FILE_MAX
			      : 0;

	if (text.len == 0)
		return;
	for (; from < d->registries_len; from++)
		if (d->registries[from].file == f &&
		    text_order(d->registries[from].text, text) == 0)
			return;
	if (text.len > DEPEND_CONSTRAINT_MAX)
		lost_note(d, f);
	else
		registry_put(d, f, depend_keep(d, text));
}

/* Take the places in v, which is the value of key. */
static void value_take(struct depend *d, struct depend_file *f,
		       struct json_text key, const struct json_value *v,
		       unsigned deep)
{
	if (deep > DEEP_MAX) {
		lost_note(d, f);
		return;
	}
	if (v->type == JSON_STRING &&
	    (text_has(v->u.string, ":/") || text_in(key, place_keys)))
		depend_registry_add(d, f, v->u.string);
	for (size_t i = 0; v->type == JSON_ARRAY && i < v->u.array.len; i++)
		value_take(d, f, key, &v->u.array.items[i], deep + 1);
	for (size_t i = 0; v->type == JSON_OBJECT && i < v->u.object.len; i++)
		value_take(d, f, v->u.object.members[i].name,
			   &v->u.object.members[i].value, deep + 1);
}

void depend_registries_take(struct depend *d, struct depend_file *f,
			    const struct json_value *v, const char *key)
{
	const struct json_value *member = json_find(v, key);

	if (member != NULL)
		value_take(d, f, (struct json_text){ key, strlen(key) }, member,
			   0);
}

/* scheme://host of an address, which is what a lockfile's registries are told
 * by; everything of a text that has none. */
void depend_registry_host_add(struct depend *d, struct depend_file *f,
			      struct json_text text)
{
	const char *at =
		text.len > 0 ? memmem(text.bytes, text.len, "://", 3) : NULL;
	size_t n = at != NULL ? (size_t)(at - text.bytes) + 3 : 0;

	if (at != NULL)
		text.len = n + text_length_before(text_from(text, n), "/\\?#");
	depend_registry_add(d, f, text);
}

/* --- files of settings ---------------------------------------------------------- */

int depend_settings_toml_read(struct depend *d, struct depend_file *f)
{
	struct arena arena = { 0 };
	struct json_value tree;
	int e = toml_read(f->in, &arena, DEPEND_TREE_BYTES, &tree, d->report);

	if (e == 0)
		value_take(d, f, TEXT(""), &tree, 0);
	arena_done(&arena);
	return e;
}

/* Names of settings that hold passwords. */
static const char *const passwords[] = { "_auth", "_authToken", "_password",
					 "npmAuthToken", "npmAuthIdent" };

/* Whether a registry or an address is in t, or is written so that it may be. */
static bool has_address(struct json_text t)
{
	return text_has(t, "egistr") || text_has(t, ":/") ||
	       text_has(t, "\\") || text_has(t, "!!");
}

/* Settings that name a program or say whether one runs, or by whose word a server is
 * believed.  Source: docs.npmjs.com "config"; yarnpkg.com "Settings"; pnpm.io
 * "Settings". */
static const char program_keys[] =
	"script-shell scriptShell shell node-options nodeOptions git editor "
	"viewer "
	"browser init-module init.module onload-script node-gyp nodeGyp python "
	"prefix node-version nodeVersion use-node-version useNodeVersion "
	"ignore-scripts ignoreScripts enableScripts unsafe-perm yarn-path "
	"yarnPath "
	"yarn-offline-mirror plugins path spec "
	"pnpmfile global-pnpmfile globalPnpmfile ignore-pnpmfile "
	"ignorePnpmfile "
	"configDependencies onlyBuiltDependencies neverBuiltDependencies "
	"onlyBuiltDependenciesFile dangerouslyAllowAllBuilds allowBuilds "
	"strict-ssl strictSsl enableStrictSsl ca cafile caFilePath "
	"httpsCaFilePath unsafeHttpWhitelist checksumBehavior "
	"verify-store-integrity "
	"verifyStoreIntegrity enableImmutableInstalls packageExtensions "
	"patchedDependencies override overrides injectEnvironmentFiles bin "
	"cache-folder cacheFolder globalFolder modules-dir store-dir";

/* "KEY=x", "KEY x" of Yarn 1, "KEY: x" or "- KEY: x". */
static bool has_program_key(struct json_text line)
{
	struct json_text key;

	if (text_begins(line, "- "))
		line = text_trim(text_from(line, 2));
	if (text_begins(line, "--"))
		line = text_from(line, 2);
	key = text_first(line, text_length_before(line, "=: \t[{"));
	return key.len > 0 && text_in(text_unquote(key), program_keys);
}

/* The same for a whole line, which may also name a proxy or another file of
 * settings, a program, or be put together from variables. */
static bool is_place(struct json_text line)
{
	return has_address(line) || text_has(line, "roxy") ||
	       text_has(line, "config") || text_has(line, "${") ||
	       has_program_key(line);
}

/* "NAME=x", "//host/:NAME=x" or "NAME: x", with a password's name and no other
 * key: of "{NAME: x, registry: y}" the rest counts. */
static bool is_password(struct json_text line)
{
	const char *at = memmem(line.bytes, line.len, ": ", 2);
	struct json_text value, key = text_cut(line, '=', &value);

	if (at != NULL && (size_t)(at - line.bytes) < key.len)
		key.len = (size_t)(at - line.bytes);
	if (has_address(text_from(line, key.len)))
		return false;
	key = text_trim(key);
	if (text_length_before(key, "{[,? \t") < key.len)
		return false;
	key = text_unquote(key);
	for (size_t i = 0; i < sizeof passwords / sizeof *passwords; i++)
		if ((at != NULL || value.bytes != NULL) &&
		    text_ends(key, passwords[i]))
			return true;
	return false;
}

/* npm reads the file that these keys name, and no reader takes it. */
static void other_file_check(struct depend *d, const struct depend_file *f,
			     struct json_text line, size_t offset)
{
	if (text_has(line, "userconfig") || text_has(line, "globalconfig"))
		report_note(&d->report->errors, "include_unread", f->in,
			    (int64_t)offset,
			    "it names another file of settings, which is not "
			    "read");
}

/* .npmrc, .yarnrc, .yarnrc.yml and pnpm-workspace.yaml: a line is told whole if it
 * has a registry or an address, says what runs, or is written so that it may have one.  If it
 * has a password, too, it is only told that there is one. */
int depend_settings_lines_read(struct depend *d, struct depend_file *f)
{
	struct depend_lines l = depend_lines_of(f->in, false);
	struct json_text line;
	size_t at;

	while (depend_line_next(&l, &line, &at)) {
		line = text_trim(line);
		if (line.len == 0 || text_begins(line, "#") ||
		    text_begins(line, ";") || is_password(line))
			continue;
		if (!is_place(line))
			continue;
		other_file_check(d, f, line, at);
		for (size_t i = 0; i < sizeof passwords / sizeof *passwords;
		     i++)
			if (text_has(line, passwords[i]))
				line.len = 0;
		if (line.len > 0)
			depend_registry_add(d, f, line);
		else
			registry_put(d, f, (struct json_text){ NULL, 0 });
	}
	return 0;
}

/* gradle-wrapper.properties and maven-wrapper.properties: a build tool is fetched
 * from a directory, and its version stands in the name behind that. */
int depend_wrapper_read(struct depend *d, struct depend_file *f)
{
	struct depend_lines l = depend_lines_of(f->in, false);
	struct json_text line;
	const char *slash;
	size_t at;

	while (depend_line_next(&l, &line, &at)) {
		line = text_trim(line);
		if (text_begins(line, "#") || text_begins(line, "!") ||
		    (!text_has(line, "Url") && !text_has(line, "//") &&
		     !text_has(line, "\\")))
			continue;
		slash = memrchr(line.bytes, '/', line.len);
		if (slash != NULL)
			line.len = (size_t)(slash - line.bytes);
		depend_registry_add(d, f, line);
	}
	return 0;
}

/* .mvn/maven.config has arguments: "-s file", "-Drepo=https://...". */
int depend_maven_config_read(struct depend *d, struct depend_file *f)
{
	struct depend_lines l = depend_lines_of(f->in, false);
	struct json_text line;
	size_t at;

	while (depend_line_next(&l, &line, &at)) {
		line = text_trim(line);
		if (!text_begins(line, "#"))
			depend_registry_add(d, f, line);
	}
	return 0;
}
