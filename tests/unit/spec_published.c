/* spec_published.c -- the published schemas, compared with what the readers
 * accept, by our own validator. */
#include "published.h"

#include "base/buf.h"
#include "base/error.h"
#include "spec/profile.h"

#define TEXT_MAX 4096

static struct cupel_error err;

/* Texts are written with ' for ", so that they can be read. */
static size_t unquote(const char *text, char out[TEXT_MAX])
{
	size_t n = 0;

	for (; text[n] != '\0' && n < TEXT_MAX - 1; n++)
		out[n] = text[n] == '\'' ? '"' : text[n];
	out[n] = '\0';
	return n;
}

struct row {
	const char *text;
	int want;
};

static void hold(const char *schema, const struct row *rows, size_t len)
{
	struct schema_set *set = open_schema(schema);
	char text[TEXT_MAX];

	for (size_t i = 0; i < len; i++) {
		size_t n = unquote(rows[i].text, text);
		int got = is_valid(set, text, n, rows[i].want == 1);

		ok_int(got, rows[i].want);
		if (got != rows[i].want)
			fprintf(stderr, "# %s: %s\n", schema, text);
	}
	schema_set_free(set);
}
#define HOLD(name, rows) hold(name, rows, sizeof(rows) / sizeof *(rows))

static void every_schema_can_be_used(void)
{
	for (size_t i = 0; schema_text_at(i) != NULL; i++)
		schema_set_free(open_schema(schema_text_at(i)->name));
}

static void profiles_satisfy_their_schema(void)
{
	struct schema_set *set = open_schema("profile");

	for (size_t i = 0; profile_at(i) != NULL; i++) {
		const struct data_text *text = profile_at(i);
		struct buf out = { 0 };
		struct spec s = { 0 };

		ok_int(is_valid(set, text->bytes, text->len, true), 1);
		ok_int(spec_init(&s, &err), 0);
		ok_int(spec_apply_profile(&s, text->name, &err), 0);
		profile_write_json(&s, &out);
		ok_int(is_valid(set, out.bytes, out.len, true), 1);
		buf_done(&out);
		spec_done(&s);
	}
	schema_set_free(set);
}

static const char *const spec_texts[] = {
	"{}",
	"{'nofile':1}",
	"{'nofile':0}",
	"{'nofile':1048576}",
	"{'nofile':1048577}",
	"{'nofile':5.0}",
	"{'nofile':5.5}",
	"{'nofile':'5'}",
	"{'nofile':'unlimited'}",
	"{'nproc':'unlimited'}",
	"{'nproc':0}",
	"{'mem_bytes':1048575}",
	"{'mem_bytes':'64M'}",
	"{'mem_bytes':'64m'}",
	"{'mem_bytes':'unlimited'}",
	"{'scratch_bytes':'unlimited'}",
	"{'wall_time_s':0}",
	"{'wall_time_s':0.001}",
	"{'wall_time_s':31536000}",
	"{'wall_time_s':31536001}",
	"{'wall_time_s':'5'}",
	"{'kill_after_s':'unlimited'}",
	"{'env':{'A':'b','C':''}}",
	"{'env':['A=b']}",
	"{'env':{'A':1}}",
	"{'env':'A=b'}",
	"{'ro':['/a']}",
	"{'ro':['']}",
	"{'ro':{'/a':'/b'}}",
	"{'rlimit':{'nofile':5,'STACK':'1M','core':'unlimited'}}",
	"{'rlimit':['nofile=5']}",
	"{'rlimit':{'files':5}}",
	"{'rlimit':{'core':true}}",
	"{'rlimit':5}",
	"{'network':'loopback'}",
	"{'network':'scoped'}",
	"{'network':'scope'}",
	("{'egress':['registry.example:443','*.b.example:443/raw',"
	 "'203.0.113.0/24:5000-5010','[2001:db8::]/32:*']}"),
	"{'egress':[]}",
	"{'egress':['']}",
	"{'egress':'a.example:1'}",
	"{'egress_audit':true}",
	"{'egress_audit':'yes'}",
	"{'trace':'exec,connect'}",
	"{'trace':'all'}",
	"{'repo_mode':'rw'}",
	"{'allow_partial':true}",
	"{'allow_partial':'true'}",
	"{'backend':'oci'}",
	"{'trace_id':'0af7651916cd43dd8448eb211c80319c'}",
	"{'trace_id':'00000000000000000000000000000000'}",
	"{'trace_id':'0'}",
	"{'error_rc':0}",
	"{'error_rc':255}",
	"{'command':['a','']}",
	"{'command':[]}",
	"{'command':['a',1]}",
	"{'ref':['urn:a=f']}",
	"{'repo':''}",
	"{'repo':null}",
	"{'cpu_hard':true}",
	"{'json':true}",
	"{'spec':'x'}",
	"{'help':true}",
	"{'unknown':1}",
	"[]",
};

/* The reader accepts what the schema allows, and nothing else. */
static void reader_and_schema_agree_on_specs(void)
{
	struct schema_set *set = open_schema("spec");
	int taken = 0;

	for (size_t i = 0; i < sizeof spec_texts / sizeof *spec_texts; i++) {
		char text[TEXT_MAX];
		size_t n = unquote(spec_texts[i], text);
		struct spec s = { 0 };
		int is_read, valid;

		ok_int(spec_init(&s, &err), 0);
		is_read = spec_read_json(&s, text, n, "F", &err) == 0;
		valid = is_valid(set, text, n, false);
		ok_int(valid, is_read);
		if (valid != is_read)
			fprintf(stderr, "# %s\n", text);
		taken += is_read;
		spec_done(&s);
	}
	ok_int(taken, 27);
	schema_set_free(set);
}

static const struct row flags[] = {
	{ "{'file':'a.py','function':'f','flag_class':'div-zero',"
	  "'line':3,'witness_hints':{'x':[0]},'more':1}",
	  1 },
	{ "{'file':'a.py','function':'f','flag_class':'div-zero'}", 1 },
	{ "{'file':'a.py','flag_class':'div-zero','line':3}", 1 },
	{ "{'file':'a.py','flag_class':'div-zero','line':null}", 0 },
	{ "{'file':'a.py','flag_class':'div-zero'}", 0 },
	{ "{'file':'a.py','function':'','flag_class':'x'}", 0 },
	{ "{'file':'a','function':'f','flag_class':'x','line':0}", 0 },
};
static const struct row validated[] = {
	{ "{'valid':true,'errors':[]}", 1 },
	{ "{'valid':true}", 0 },
	{ "{'valid':false,'errors':[]}", 0 },
	{ "{'valid':false,'errors':[{'instance':'','schema':'#',"
	  "'message':'m'}]}",
	  1 },
};
static const struct row logged[] = {
	{ "{'ts':'2026-01-02T03:04:05.678Z','flag_ref':{},"
	  "'witness':[0],'status':'confirmed-bug','exit_code':1,"
	  "'signal':null,'error_class':'ZeroDivisionError',"
	  "'traceback_head':'T','duration_ms':5,"
	  "'backend':'namespaces','caps':{}}",
	  1 },
	{ "{'ts':'2026-01-02T03:04:05Z','flag_ref':{},'witness':null,"
	  "'status':'sandbox-error','exit_code':null,'signal':9,"
	  "'error_class':null,'traceback_head':null,'duration_ms':5,"
	  "'backend':null}",
	  0 }, /* no reason */
	{ "{'ts':'2026-01-02T03:04:05Z','flag_ref':{},'witness':null,"
	  "'status':'sandbox-error','reason':'cpu-cap',"
	  "'exit_code':null,'signal':9,'error_class':null,"
	  "'traceback_head':null,'duration_ms':5,'backend':null}",
	  1 },
};
static const struct row probe[] = {
	{ "{'probe':'node_manifest','version':'1.0',"
	  "'schema_version':'1.0','confidence':'high','errors':[],"
	  "'warnings':[],'prompt_injection_marker_count':0,'slice':{"
	  "'packages':[],'lockfiles':[],'native_modules':[],"
	  "'integrity_mismatch':[],'installed':[]}}",
	  1 },
	{ "{'probe':'node_manifest','version':'1.0',"
	  "'schema_version':'1.0','confidence':'high','errors':[],"
	  "'warnings':[],'prompt_injection_marker_count':0,'slice':{"
	  "'packages':[],'lockfiles':[],'native_modules':[],"
	  "'integrity_mismatch':[],'installed':[],'api_key':1}}",
	  0 },
	{ "{'probe':'ci','version':'1.0','schema_version':'1.0',"
	  "'confidence':'low','errors':[],'warnings':[],"
	  "'prompt_injection_marker_count':0,'slice':null}",
	  0 },
};
static const struct row refused[] = {
	{ "{'code':'too_deep','offset':3,'instance':null,"
	  "'schema':null,'message':'m'}",
	  1 },
	{ "{'code':'too_deep'}", 0 },
};

static void small_documents_are_told_apart(void)
{
	HOLD("review-flags", flags);
	HOLD("validate", validated);
	HOLD("run-log", logged);
	HOLD("node_manifest", probe);
	HOLD("payload-error", refused);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_schema_can_be_used),
		CASE(profiles_satisfy_their_schema),
		CASE(reader_and_schema_agree_on_specs),
		CASE(small_documents_are_told_apart),
		TAP_END,
	});
}
