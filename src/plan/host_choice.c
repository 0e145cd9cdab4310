/* host_choice.c -- see host_choice.h. */
#include "plan/host_choice.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

bool choice_read(const char *dir, const char *name, char *ret, size_t room)
{
	char path[PATH_MAX];
	struct stat st;
	ssize_t n;

	if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, name) >=
	    sizeof path)
		return false;
	owned_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW |
					     O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	n = pread(fd, ret, room - 1, 0);
	if (n <= 0)
		return false;
	ret[n] = '\0';
	return true;
}

bool choice_is_word(const char *word)
{
	size_t n = strlen(word);

	if (n == 0 || n >= CHOICE_WORD || word[0] == '.' || word[0] == '-')
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)word[i]) &&
		    strchr(".+_-", word[i]) == NULL)
			return false;
	return true;
}
