/* ids.c -- the ids that --host-uid names. */
#include <errno.h>
#include <string.h>

#include "spec/number.h"
#include "spec/put.h"

#define ID_NOBODY 65534               /* owns whatever has no owner here */
#define ID_MOST   (UINT32_MAX - 1ULL) /* the last number means "no change" */

/* Why a vessel cannot have this id, or NULL. */
static const char *id_refusal(uint64_t id)
{
	if (id == 0)
		return "0 is root";
	if (id == ID_NOBODY)
		return "65534 is nobody, the id of many services, and each of "
		       "them could signal and trace the command";
	return id > ID_MOST ? "the highest id is 4294967294" : NULL;
}

int spec_read_ids(const char *text, uint32_t *ret_uid, uint32_t *ret_gid,
		  struct cupel_error *err)
{
	const char *colon = strchr(text, ':');
	size_t n = colon != NULL ? (size_t)(colon - text) : strlen(text);
	char first[NUMBER_TEXT] = "";
	const char *why = NULL;
	uint64_t uid = 0;
	uint64_t gid = 0;
	int r = n < sizeof first ? 0 : -EINVAL;

	if (r == 0) {
		memcpy(first, text, n);
		r = number_read_count(first, &uid);
	}
	gid = uid;
	if (r == 0 && colon != NULL)
		r = number_read_count(colon + 1, &gid);
	if (r < 0)
		return spec_refuse(
			err, EINVAL,
			"--host-uid: expected UID or UID:GID, found '%.200s'",
			text);
	why = id_refusal(uid);
	if (why == NULL)
		why = id_refusal(gid);
	if (why != NULL)
		return spec_refuse(err, ERANGE, "--host-uid: '%.200s': %s",
				   text, why);
	*ret_uid = (uint32_t)uid;
	*ret_gid = (uint32_t)gid;
	return 0;
}
