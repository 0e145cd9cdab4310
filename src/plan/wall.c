/* wall.c -- see wall.h. */
#include "plan/wall.h"

#define NAME_OF_ROW(name, key) [WALL_##name] = (key),
static const char *const names[] = { WALLS(NAME_OF_ROW) };

const char *wall_name(enum wall w)
{
	return (unsigned)w < WALL_MAX_ ? names[w] : "?";
}
