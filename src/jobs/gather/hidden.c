/* hidden.c -- see hidden.h. */
#include "jobs/gather/hidden.h"

#include <stddef.h>

bool code_is_hidden(uint32_t c)
{
	static const struct {
		uint32_t from, to;
	} ranges[] = {
		{ 0x0, 0x1f },         { 0x7f, 0xa0 },     { 0xad, 0xad },
		{ 0x61c, 0x61c },      { 0x180e, 0x180e }, { 0x200b, 0x200f },
		{ 0x2028, 0x202e },    { 0x2060, 0x206f }, { 0xd800, 0xdfff },
		{ 0xfeff, 0xfeff },    { 0xfff9, 0xffff }, { 0xe0000, 0xe0fff },
		{ 0xf0000, 0x10ffff },
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (c >= ranges[i].from && c <= ranges[i].to)
			return true;
	return (c & 0xfffe) == 0xfffe;
}
