# src/plan: what will be done, decided as plain data
core_sources += \
	src/plan/filter.h \
	src/plan/host.h \
	src/plan/plan.h \
	src/plan/wall.c src/plan/wall.h
