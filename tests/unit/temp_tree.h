/* temp_tree.h -- a directory for the files of one test, open as root_fd. */
#ifndef CUPEL_TESTS_TEMP_TREE_H
#define CUPEL_TESTS_TEMP_TREE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static char dir[64];
static int root_fd;

/* template: for mkdtemp(3) */
static void tree_enter(const char *template)
{
	(void)snprintf(dir, sizeof dir, "%s", template);
	ok(mkdtemp(dir) != NULL);
	root_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok(root_fd >= 0);
}

static void leave(void)
{
	char cmd[100];

	close(root_fd);
	(void)snprintf(cmd, sizeof cmd, "rm -rf '%s'", dir);
	ok_int(system(cmd), 0);
}

static void put(const char *name, const char *text)
{
	int fd = openat(root_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	ok(fd >= 0);
	ok_int((intmax_t)write(fd, text, strlen(text)), (intmax_t)strlen(text));
	close(fd);
}

#endif
