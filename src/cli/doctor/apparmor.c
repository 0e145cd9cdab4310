/* apparmor.c -- the AppArmor profile for one installed program. */
#include <string.h>

#include "base/buf.h"
#include "cli/doctor/doctor.h"

/* There are two stages.  The first may make user namespaces and has
 * capabilities in them: it is for the program and for its init, which runs from
 * a memory file.  Programs that init executes are stacked with the second
 * stage, which has no capability and no user namespace.  no_new_privs allows only stacking,
 * and stacking can only take rights away. */
static const char head[] =
	"# cupel: user namespaces for the launcher, not for what it runs.\n"
	"abi <abi/4.0>,\n"
	"include <tunables/global>\n\n";

static const char body[] =
	" flags=(attach_disconnected,mediate_deleted) {\n"
	"  userns,\n"
	"  capability,\n"
	"  file rwlkm /{**,},\n"
	"  network,\n"
	"  unix,\n"
	"  ptrace,\n"
	"  signal,\n"
	"  mount,\n"
	"  remount,\n"
	"  umount,\n"
	"  pivot_root,\n"
	"  # init, from a memory file, is the launcher still\n"
	"  file ix /mem**,\n"
	"  # anything else is a command\n"
	"  file px /[^m]** -> cupel//&cupel-inside,\n"
	"  file px /m[^e]** -> cupel//&cupel-inside,\n"
	"  file px /me[^m]** -> cupel//&cupel-inside,\n"
	"  include if exists <local/cupel>\n"
	"}\n\n";

static const char inside[] =
	"profile cupel-inside flags=(attach_disconnected,mediate_deleted) {\n"
	"  audit deny capability,\n"
	"  audit deny userns,\n"
	"  file rwlkm /{**,},\n"
	"  file pix /** -> &cupel-inside,\n"
	"  network,\n"
	"  unix,\n"
	"  ptrace,\n"
	"  signal,\n"
	"}\n";

/* Write a path as AppArmor reads it: quoted, with globbing characters
 * escaped. */
static void add_path(const char *path, struct buf *out)
{
	buf_char(out, '"');
	for (const char *c = path; *c != '\0'; c++) {
		if (strchr("\\\"*?[]{}^@", *c) != NULL)
			buf_char(out, '\\');
		buf_char(out, *c);
	}
	buf_char(out, '"');
}

void apparmor_write(const char *path, struct buf *out)
{
	buf_text(out, head);
	buf_text(out, "profile cupel ");
	add_path(path, out);
	buf_text(out, body);
	buf_text(out, inside);
}
