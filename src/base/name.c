/* name.c -- see name.h. */
#include "base/name.h"

#include "base/buf.h"
#include "base/utf8.h"

void name_write(struct buf *out, const char *name, size_t n)
{
	size_t i = 0;

	while (i < n) {
		uint32_t code = 0;
		size_t len = utf8_read(name + i, n - i, &code);

		if (len == 1 && code == '\\') {
			buf_text(out, "\\\\");
		} else if (len == 0 || utf8_is_control(code)) {
			len = len > 0 ? len : 1;
			for (size_t k = 0; k < len; k++)
				buf_format(out, "\\x%02x",
					   (unsigned char)name[i + k]);
		} else {
			buf_add(out, name + i, len);
		}
		i += len;
	}
}
