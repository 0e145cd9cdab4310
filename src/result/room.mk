# src/result: what is said of a run
core_sources += \
	src/result/egress.c src/result/happened.h src/result/trace.c \
	src/result/enforced.c src/result/enforced.h \
	src/result/json.c src/result/json.h \
	src/result/met.c src/result/met.h \
	src/result/status.c src/result/status.h \
	src/result/text.c src/result/text.h
