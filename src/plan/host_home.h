/* host_home.h -- says whether a directory holds what people keep in a home, so
 * that it is never shown as the prefix of an interpreter. */
#ifndef CUPEL_PLAN_HOST_HOME_H
#define CUPEL_PLAN_HOST_HOME_H

#define HOST_PASSWD "/etc/passwd"

/* host_home_refusal -- why prefix, a real path, may not be shown: it is or
 * contains a home, a directory in which a user's programs keep data, or
 * something that only a home has.  What the environment says is one way among
 * others to know that; it is not there in a cron job, or names another place.
 *
 * @passwd	HOST_PASSWD, or a file of the same form.  Accounts that only a
 *		directory service knows are not in it: getpwuid(3) would load
 *		its modules into this program and wait for its servers.  They
 *		are known by HOME and by what lies in the directory.
 *
 * Returns NULL when nothing speaks against it. */
const char *host_home_refusal(const char *prefix, const char *passwd);

#endif
