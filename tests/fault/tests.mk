# tests/fault: what each of its programs is made of
fault_sources = tests/fault/walk.c tests/fault/walk.h tests/fault/trace.c \
	tests/fault/trace.h tests/fault/vessel.c tests/fault/vessel.h \
	tests/live/procs.c tests/live/procs.h
