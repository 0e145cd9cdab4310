/* plan_host_rustup.c -- rustup's names are followed to the toolchain that it would
 * take, or to none; and the repository names only what the caller has. */
#include "runtime_world.h"

#if defined(__aarch64__)
#define TRIPLE "aarch64-unknown-linux-gnu"
#else
#define TRIPLE "x86_64-unknown-linux-gnu"
#endif

/* Longer than a name may be. */
#define LONG                                                                   \
	"01234567890123456789012345678901234567890123456789012345678901234567" \
	"89"

static void text_put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	ok(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	(void)close(fd);
}

static void toolchain_make(const char *name)
{
	char path[64];

	(void)snprintf(path, sizeof path, "rustup/toolchains/%s", name);
	prefix_make(path);
	program_make(at("rustup/toolchains/%s/bin/cargo", name));
}

/* cargo as it is found from the directory of rustup's names. */
static bool takes(const char *toolchain)
{
	const char *want = at("rustup/toolchains/%s/bin/cargo", toolchain);

	return look(NULL, "cargo", at("cargo/bin")) == 0 &&
	       host.programs_len == 1 && host.runtime_len == 1 &&
	       host.programs[0].origin == PROGRAM_SHIM &&
	       strcmp(host.programs[0].taken, want) == 0 &&
	       strcmp(host.programs[0].found, at("cargo/bin/cargo")) == 0;
}

static bool refuses(const char *what)
{
	return look(NULL, "cargo", at("cargo/bin")) == -ENOENT &&
	       host.runtime_len == 0 && strstr(err.what, what) != NULL &&
	       strstr(err.what, "--runtime ") != NULL;
}

static void world_make(void)
{
	dir_make(at("cargo"), 0755);
	dir_make(at("cargo/bin"), 0755);
	program_make(at("cargo/bin/rustup"));
	ok_int(symlink("rustup", at("cargo/bin/cargo")), 0);
	dir_make(at("rustup"), 0755);
	dir_make(at("rustup/toolchains"), 0755);
	toolchain_make("stable-" TRIPLE);
	toolchain_make("nightly-" TRIPLE);
	toolchain_make("1.70.0-" TRIPLE);
	toolchain_make("mine");
	dir_make(at("work"), 0755);
	dir_make(at("work/repo"), 0755);
	text_put(at("rustup/settings.toml"),
		 "version = \"12\"\n"
		 "default_toolchain = \"stable-" TRIPLE "\"\n\n[overrides]\n");
	ok_int(setenv("RUSTUP_HOME", at("rustup"), 1), 0);
	(void)unsetenv("RUSTUP_TOOLCHAIN");
}

static void a_name_of_rustup_is_a_toolchain_s(void)
{
	world_make();
	ok(takes("stable-" TRIPLE));
	/* PATH inside has the toolchain, where rustc is, too */
	ok(host.path != NULL &&
	   strstr(host.path, at("rustup/toolchains/stable-" TRIPLE "/bin")) ==
		   host.path);
	/* a hard link, as older releases make them */
	ok_int(unlink(at("cargo/bin/cargo")), 0);
	ok_int(link(at("cargo/bin/rustup"), at("cargo/bin/cargo")), 0);
	ok(takes("stable-" TRIPLE));
	/* rustup itself, and a cargo of its own, are what they are */
	ok_int(look(NULL, "rustup", at("cargo/bin")), -ENOENT);
	ok(strstr(err.what, "is rustup,") == NULL);
	ok_int(unlink(at("cargo/bin/cargo")), 0);
	program_make(at("cargo/bin/cargo"));
	ok_int(look(NULL, "cargo", at("cargo/bin")), -ENOENT);
	ok(strstr(err.what, "is rustup,") == NULL);
	ok_int(unlink(at("cargo/bin/cargo")), 0);
	ok_int(symlink("rustup", at("cargo/bin/cargo")), 0);
}

static void the_nearest_choice_counts(void)
{
	char settings[2 * PATH_MAX];

	repo_is("work/repo");
	text_put(at("work/rust-toolchain"), "nightly\n");
	ok(takes("nightly-" TRIPLE));
	text_put(
		at("work/repo/rust-toolchain.toml"),
		"# of this project\n[toolchain]\ncomponents = [ \"rustfmt\" ]\n"
		"channel = '1.70.0' # not newer\n");
	ok(takes("1.70.0-" TRIPLE));
	/* the older name comes first, with a word or with tables */
	text_put(at("work/repo/rust-toolchain"), "stable\n");
	ok(takes("stable-" TRIPLE));
	text_put(at("work/repo/rust-toolchain"),
		 "[ toolchain ]\n  \"channel\"=\"nightly\"\n");
	ok(takes("nightly-" TRIPLE));
	/* the caller's own word for the directory */
	(void)snprintf(settings, sizeof settings,
		       "default_toolchain = \"stable-" TRIPLE
		       "\"\n[overrides]\n"
		       "\"%s\" = \"1.70.0\"\n\"%s\" = \"mine\"\n[other]\n",
		       at("work"), at("work/repo"));
	text_put(at("rustup/settings.toml"), settings);
	ok(takes("mine"));
	ok_int(setenv("RUSTUP_TOOLCHAIN", "1.70.0", 1), 0);
	ok(takes("1.70.0-" TRIPLE));
	ok_int(unsetenv("RUSTUP_TOOLCHAIN"), 0);
	/* a file that only says what else is wanted */
	text_put(at("rustup/settings.toml"),
		 "default_toolchain = \"stable-" TRIPLE "\"\n");
	ok_int(unlink(at("work/repo/rust-toolchain")), 0);
	text_put(at("work/repo/rust-toolchain.toml"),
		 "[toolchain]\ncomponents = []\n[other]\nx = \"1.70.0\"\n");
	ok(takes("stable-" TRIPLE));
	ok_int(unlink(at("work/repo/rust-toolchain.toml")), 0);
	ok_int(unlink(at("work/rust-toolchain")), 0);
	repo = NULL;
}

static void another_toolchain_is_never_taken_silently(void)
{
	static const char *const unclear[] = {
		"[toolchain]\npath = \"/opt/evil\"\n",
		"toolchain.channel = \"nightly\"\n",
		"toolchain = { channel = \"nightly\" }\n",
		"[toolchain]\nchannel = \"\"\"\nnightly\"\"\"\n",
		"[toolchain]\nchannel = \"../../evil\"\n",
		"[toolchain]\nchannel = \"/opt/evil\"\n",
		"[toolchain]\nchannel = \"nightly\n",
		"[toolchain]\nchannel = nightly\n",
		"[toolchain]\nchannel =",
		"[toolchain]\nchannel = \"" LONG "\"\n",
		"../../evil\n",
		".\n",
		"\n",
	};
	char large[8192];

	prefix_make("evil");
	repo_is("work/repo");
	for (size_t i = 0; i < sizeof unclear / sizeof *unclear; i++) {
		text_put(at("work/repo/rust-toolchain"), unclear[i]);
		ok(refuses("rust-toolchain chooses the toolchain in a form"));
	}
	memset(large, '\n', sizeof large - 1);
	large[0] = '[';
	large[sizeof large - 1] = '\0';
	text_put(at("work/repo/rust-toolchain"), large);
	ok(refuses("rust-toolchain chooses the toolchain in a form"));
	text_put(at("work/repo/rust-toolchain"), "1.2.3\n");
	ok(refuses("the toolchain '1.2.3' (rust-toolchain) is not installed"));
	/* a link is not read, and a fifo is not waited for */
	ok_int(unlink(at("work/repo/rust-toolchain")), 0);
	text_put(at("word"), "nightly");
	ok_int(symlink("../../word", at("work/repo/rust-toolchain")), 0);
	ok(takes("stable-" TRIPLE));
	ok_int(unlink(at("work/repo/rust-toolchain")), 0);
	ok_int(mkfifo(at("work/repo/rust-toolchain"), 0644), 0);
	ok(takes("stable-" TRIPLE));
	ok_int(unlink(at("work/repo/rust-toolchain")), 0);
	repo = NULL;
	/* what the caller says is taken no otherwise */
	ok_int(setenv("RUSTUP_TOOLCHAIN", "/opt/evil", 1), 0);
	ok(refuses("RUSTUP_TOOLCHAIN chooses the toolchain in a form"));
	ok_int(unsetenv("RUSTUP_TOOLCHAIN"), 0);
	text_put(at("rustup/settings.toml"), "version = \"12\"\n");
	ok(refuses("settings.toml names no default toolchain"));
	text_put(at("rustup/settings.toml"),
		 "[overrides]\ndefault_toolchain = \"mine\"\n");
	ok(refuses("settings.toml names no default toolchain"));
}

/* A workspace may keep rustup's directory for a cache.  Then its author writes the
 * toolchains, and a link in it shows nothing of the host. */
static void toolchains_in_the_repository_are_its_author_s(void)
{
	char settings[20000] = "default_toolchain = \"mine\"\n#";

	prefix_make("evil");
	program_make(at("evil/bin/cargo"));
	repo_is("work");
	dir_make(at("work/rustup"), 0755);
	dir_make(at("work/rustup/toolchains"), 0755);
	ok_int(symlink(at("evil"), at("work/rustup/toolchains/mine")), 0);
	text_put(at("work/rustup/settings.toml"),
		 "default_toolchain = \"mine\"\n");
	ok_int(setenv("RUSTUP_HOME", at("work/rustup"), 1), 0);
	ok(refuses("leads out of the repository"));
	ok_int(unlink(at("work/rustup/toolchains/mine")), 0);
	ok(refuses("the toolchain 'mine' (settings.toml) is not installed"));
	ok_int(setenv("RUSTUP_HOME", at("rustup"), 1), 0);
	repo = NULL;
	/* overrides behind what is read might choose otherwise */
	memset(settings + strlen(settings), '#',
	       sizeof settings - 1 - strlen(settings));
	text_put(at("rustup/settings.toml"), settings);
	ok(refuses("settings.toml chooses the toolchain in a form"));
}

static void toolchains_of_others_are_none(void)
{
	text_put(at("rustup/settings.toml"), "default_toolchain = \"mine\"\n");
	ok(takes("mine"));
	ok_int(chmod(at("rustup"), 0777), 0);
	ok(refuses("whose toolchains are not found"));
	ok_int(chmod(at("rustup"), 0755), 0);
	ok_int(chmod(at("rustup/toolchains/mine"), 0777), 0);
	ok_int(look(NULL, "cargo", at("cargo/bin")), -ENOENT);
	ok_int(chmod(at("rustup/toolchains/mine"), 0755), 0);
	ok_int(setenv("RUSTUP_HOME", "rustup", 1), 0);
	ok(refuses("whose toolchains are not found"));
	ok_int(unsetenv("RUSTUP_HOME"), 0);
	ok(refuses("whose toolchains are not found"));
	ok_int(setenv("RUSTUP_HOME", at("rustup"), 1), 0);
	/* --runtime decides */
	ok_int(look(at("rustup/toolchains/nightly-" TRIPLE), "cargo",
		    at("cargo/bin")),
	       0);
	ok(host.programs_len == 1 &&
	   host.programs[0].origin == PROGRAM_RUNTIME);
}

int main(void)
{
	return world_run((struct tap_case[]){
		CASE(a_name_of_rustup_is_a_toolchain_s),
		CASE(the_nearest_choice_counts),
		CASE(another_toolchain_is_never_taken_silently),
		CASE(toolchains_in_the_repository_are_its_author_s),
		CASE(toolchains_of_others_are_none),
		TAP_END,
	});
}
