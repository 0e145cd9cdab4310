# src/plan: what will be done, decided as plain data
core_sources += \
	src/plan/build.c src/plan/build.h \
	src/plan/env.c \
	src/plan/etc.c \
	src/plan/hash.c \
	src/plan/host.c \
	src/plan/host_path.c src/plan/host_path.h \
	src/plan/host_runtime.c \
	src/plan/ids.c \
	src/plan/landlock.c \
	src/plan/limits.c \
	src/plan/steps.c \
	src/plan/views.c \
	src/plan/filter.h \
	src/plan/host.h \
	src/plan/plan.h \
	src/plan/wall.c src/plan/wall.h
