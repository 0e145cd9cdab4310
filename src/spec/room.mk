# src/spec: what the caller asks for
core_sources += \
	src/spec/args.c \
	src/spec/canonical.c src/spec/canonical.h \
	src/spec/check.c \
	src/spec/completion.c src/spec/completion.h \
	src/spec/completion_bash.c src/spec/completion_fish.c \
	src/spec/completion_zsh.c \
	src/spec/data.h \
	src/spec/document.c src/spec/document.h \
	src/spec/egress.c src/spec/egress.h src/spec/egress_check.c \
	src/spec/env_name.c src/spec/env_name.h \
	src/spec/field.c src/spec/field.h \
	src/spec/help.c src/spec/help.h \
	src/spec/ids.c \
	src/spec/inside.c src/spec/inside.h \
	src/spec/number.c src/spec/number.h \
	src/spec/line.c src/spec/line.h \
	src/spec/phases.c src/spec/phases.h \
	src/spec/profile.c src/spec/profile.h \
	src/spec/profile_write.c \
	src/spec/put.c src/spec/put.h src/spec/put_list.c \
	src/spec/reason.c src/spec/reason.h \
	src/spec/report.c src/spec/report.h \
	src/spec/schemas.c src/spec/schemas.h \
	src/spec/spec.h
