/* class.h -- which exception, exactly, each class of flag stands for. */
#ifndef CUPEL_JOBS_CONFIRM_CLASS_H
#define CUPEL_JOBS_CONFIRM_CLASS_H

#include <stdbool.h>
#include <stddef.h>

#include "boundary/json.h"

enum language {
	LANGUAGE_PYTHON,
	LANGUAGE_JAVASCRIPT, /* and TypeScript */
	LANGUAGE_MAX_
};

/* language_name -- "python", "javascript". */
const char *language_name(enum language l);

/* How an error came out of the call. */
enum class_how {
	CLASS_THROWN,
	CLASS_REJECTION, /* a promise that nobody waits for was rejected */
};

/* What was raised, as the runner says: hostile text. */
struct class_raised {
	const char *module, *name; /* of the exception's class */
	bool is_known; /* known by its identity, not only by that name */
	struct json_text message;
	enum class_how how;
};

enum class_fit {
	CLASS_FITS,
	CLASS_OTHER_MESSAGE, /* the right exception with another message */
	CLASS_OTHER,
};

/* class_is_known -- whether that language has a class of that name, or knows a
 * narrower one. */
bool class_is_known(enum language l, const char *name);

/* class_fit -- whether what was raised is what the class stands for.  A class
 * may stand for several exceptions, or for none (infinite-loop).  A message may
 * stand for a narrower class than the flag's.
 *
 * @ret_class	the class that fits, when one does: name, or the narrower */
enum class_fit class_fit(enum language l, const char *name,
			 const struct class_raised *r, const char **ret_class);

/* class_sought -- the class to look for: name, or the narrower one if the
 * language knows no other class by that name. */
const char *class_sought(enum language l, const char *name);

/* class_name -- the i-th class of the language, NULL after the last.  Names
 * that are only wider than others are left out. */
const char *class_name(enum language l, size_t i);

#endif
