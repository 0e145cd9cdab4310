/* signal_write.c -- see signal_write.h. */
#include "jobs/gate/kinds/signal_write.h"

#include "base/buf.h"
#include "base/jsonw.h"

static void details_write(const struct gate_signal *s, struct jsonw *w)
{
	owned_buf struct buf text = { 0 };

	json_write(s->details, &text);
	w->out->failed |= buf_has_failed(&text);
	jsonw_raw(w, "details", text.bytes != NULL ? text.bytes : "null",
		  text.len);
}

static void provenance_write(const struct gate_signal *s, struct jsonw *w)
{
	jsonw_object(w, "provenance");
	jsonw_array(w, "run_ids");
	for (size_t i = 0; i < s->run_ids_len; i++)
		jsonw_text(w, NULL, s->run_ids[i]);
	jsonw_end_array(w);
	jsonw_text_or_null(w, "spec_hash", s->spec_hash);
	jsonw_array(w, "files");
	for (size_t i = 0; i < s->files_len; i++) {
		jsonw_object(w, NULL);
		jsonw_text(w, "path", s->files[i]->path);
		jsonw_text(w, "blake3", s->files[i]->hash);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_end_object(w);
}

void signal_write(const struct gate_signal *s, const char *key, struct jsonw *w)
{
	jsonw_object(w, key);
	jsonw_text(w, "kind", s->kind);
	jsonw_bool(w, "passed", s->passed);
	details_write(s, w);
	provenance_write(s, w);
	jsonw_text(w, "at", s->at);
	jsonw_end_object(w);
}
