/* plural.h -- the end of a noun after a number: "1 file", "0 files", "2 files". */
#ifndef CUPEL_BASE_PLURAL_H
#define CUPEL_BASE_PLURAL_H

/* plural_s -- "" for 1, otherwise "s". */
static inline const char *plural_s(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

/* plural_y -- "y" for 1, otherwise "ies": a property, two properties. */
static inline const char *plural_y(unsigned long long n)
{
	return n == 1 ? "y" : "ies";
}

#endif
