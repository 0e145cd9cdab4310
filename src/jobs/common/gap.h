/* gap.h -- which warnings of a probe say that it was not given, or did not
 * tell, all there is. */
#ifndef CUPEL_JOBS_COMMON_GAP_H
#define CUPEL_JOBS_COMMON_GAP_H

enum gap {
	GAP_NONE,
	GAP_DOUBT,  /* some of one file may not have been read: a code that is
		     * not known to be harmless */
	GAP_UNREAD, /* of one name: a link, a file that may not be read */
	GAP_CUT,    /* by a cap: nobody knows what lies behind it */
};

/* gap_of_warning -- what a warning of a probe of dependencies, of npm's
 * manifests or of continuous integration means by this code.  Every error is a
 * gap, whatever its code; what would be one in a file that is not the project's
 * own is a warning. */
enum gap gap_of_warning(const char *code);

#endif
