/* runners.h -- the harnesses that run inside the vessel, embedded as text.
 *
 * Room: runners.  Data as far as C is concerned: each runner is a program in
 * the language of the code under test, handed in as a sealed memory file.
 *
 * Must:     say what happened as typed JSON on descriptor 3
 *           hold what it needs in its own variables before it imports anything
 * Must not: trust the code under test with anything that proves something
 *           open a host file, or keep a witness's output
 */
#ifndef CUPEL_RUNNERS_RUNNERS_H
#define CUPEL_RUNNERS_RUNNERS_H

#include <stddef.h>

/* Bytes up to the end; see the file of the same name. */
extern const char python_synthesise_text[], python_synthesise_text_end[];
extern const char python_call_text[], python_call_text_end[];
/* Both as templates, of which copies are made. */
extern const char python_warm_synthesis_text[],
	python_warm_synthesis_text_end[];
extern const char python_warm_call_text[], python_warm_call_text_end[];
/* The JavaScript parser is at the end of both; empty when there was none. */
extern const char node_synthesise_text[], node_synthesise_text_end[];
extern const char node_call_text[], node_call_text_end[];

#endif
