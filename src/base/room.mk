# src/base: what every room may use; knows nothing of sandboxes
base_sources = \
	src/base/arena.c src/base/arena.h \
	src/base/blake3.c src/base/blake3.h \
	src/base/blake3_core.c src/base/blake3_core.h \
	src/base/buf.c src/base/buf.h \
	src/base/cleanup.h \
	src/base/error.c src/base/error.h \
	src/base/folder.c src/base/folder.h \
	src/base/glob.c src/base/glob.h \
	src/base/grow.h \
	src/base/hooks.h \
	src/base/jsonw.c src/base/jsonw.h \
	src/base/name.c src/base/name.h \
	src/base/near.c src/base/near.h \
	src/base/outfile.c src/base/outfile.h \
	src/base/outfile_path.c src/base/outfile_private.h \
	src/base/path_role.c src/base/path_role.h \
	src/base/plural.h \
	src/base/sha1.c src/base/sha1.h \
	src/base/utf8.c src/base/utf8.h
core_sources += $(base_sources)
