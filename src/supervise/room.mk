# src/supervise: watch one vessel from outside
core_sources += \
	src/supervise/act.c \
	src/supervise/asked.c \
	src/supervise/artifact.c src/supervise/artifact.h \
	src/supervise/artifact_place.c src/supervise/artifact_place.h \
	src/supervise/artifact_write.c src/supervise/artifact_write.h \
	src/supervise/cgroup.c src/supervise/cgroup.h \
	src/supervise/clock.h \
	src/supervise/control.c src/supervise/control.h \
	src/supervise/egress_book.c src/supervise/egress_book.h \
	src/supervise/egress.c src/supervise/egress.h \
	src/supervise/egress_record.c \
	src/supervise/end.c \
	src/supervise/feed.c src/supervise/feed.h \
	src/supervise/keep.c src/supervise/keep.h src/supervise/keep_tree.c \
	src/supervise/keep_wait.c \
	src/supervise/launch_run.c \
	src/supervise/loop.c \
	src/supervise/locks.c src/supervise/locks.h \
	src/supervise/met.c src/supervise/met.h \
	src/supervise/old_files.c src/supervise/old_files.h \
	src/supervise/outcome.h \
	src/supervise/phase.c src/supervise/phase.h \
	src/supervise/procfs.c src/supervise/procfs.h \
	src/supervise/reading.c \
	src/supervise/run.h \
	src/supervise/sockets.c src/supervise/sockets.h \
	src/supervise/start.c \
	src/supervise/stream.c src/supervise/stream.h \
	src/supervise/supervise.h \
	src/supervise/template.c src/supervise/template.h \
	src/supervise/trace.c src/supervise/trace.h \
	src/supervise/trace_record.c \
	src/supervise/trace_log.c src/supervise/trace_log.h \
	src/supervise/walls.c \
	src/supervise/watch.c src/supervise/watch.h
