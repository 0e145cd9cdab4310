/* parsers_deploy_run.c -- deployment: what runs, and harmful files. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("deployment", deployment_run,                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })
#define FINE "{\"confidence\":\"high\",\"errors\":[],\"warnings\":[]}"

#define POD                                                                    \
	"containers: [{name: c, image: 'i:1', env: [{name: P, value: pw}],"    \
	"command: [run, --pass=pw], livenessProbe: {httpGet: {path: /h, port:" \
	" 80}}, readinessProbe: {tcpSocket: {port: web}}, startupProbe: "      \
	"{exec: {command: [sh, pw]}}, securityContext: {runAsUser: 0010, "     \
	"capabilities: {drop: [ALL, X], add: []}, seccompProfile: {type: R}}}" \
	"]"

static void every_workload_has_its_pod(void)
{
	static const struct {
		const char *kind, *head, *tail;
	} rows[] = {
		{ "Deployment", "spec: {template: {spec: {", "}}}" },
		{ "StatefulSet", "spec: {template: {spec: {", "}}}" },
		{ "DaemonSet", "spec: {template: {spec: {", "}}}" },
		{ "ReplicaSet", "spec: {template: {spec: {", "}}}" },
		{ "Job", "spec: {template: {spec: {", "}}}" },
		{ "Rollout", "spec: {template: {spec: {", "}}}" },
		{ "CronJob", "spec: {jobTemplate: {spec: {template: {spec: {",
		  "}}}}}" },
		{ "Pod", "spec: {", "}" },
		{ "PodTemplate", "template: {spec: {", "}}" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[2048], want[256];
		char *o;

		(void)snprintf(text, sizeof text,
			       "apiVersion: x.io/v1\nkind: %s\nmetadata: "
			       "{name: w, namespace: n}\n%s%s%s\n",
			       rows[i].kind, rows[i].head, POD, rows[i].tail);
		o = PROBE(F("k.yml", text));
		ok_json(o, "", FINE);
		(void)snprintf(want, sizeof want,
			       "{\"kind\":\"%s\",\"name\":\"w\",\"namespace\":"
			       "\"n\",\"api_version\":\"x.io/v1\",\"source\":"
			       "\"k.yml\"}",
			       rows[i].kind);
		ok_has(o, want);
		(void)snprintf(
			want, sizeof want,
			"{\"type\":\"liveness\",\"kind\":\"http\","
			"\"container\":\"c\",\"path\":\"/h\",\"port\":\"80\","
			"\"workload_kind\":\"%s\",\"workload\":\"w\"",
			rows[i].kind);
		ok_has(o, want);
		ok_json(o, "/slice/images",
			"[{\"reference\":\"i:1\",\"from\":\"manifest\","
			"\"source\":\"k.yml\"}]");
		free(o);
	}
}

static void probes_and_security_contexts(void)
{
	char *o = PROBE(
		F("k.yaml",
		  "apiVersion: v1\nkind: Pod\nmetadata: {name: w}\n"
		  "spec: {hostNetwork: true, securityContext: {fsGroup: 1, "
		  "sysctls: [{name: a, value: b}]}, initContainers: "
		  "[{name: i, image: init, livenessProbe: {grpc: {port: "
		  "9}}}], " POD "}\n"));

	ok_json(o, "/slice/probes/ANY",
		"{\"type\":\"liveness\",\"kind\":\"grpc\","
		"\"container\":\"i\",\"path\":null,\"port\":\"9\"}");
	ok_json(o, "/slice/probes/ANY",
		"{\"type\":\"readiness\",\"kind\":\"tcp\","
		"\"container\":\"c\",\"path\":null,\"port\":\"web\"}");
	ok_json(o, "/slice/probes/ANY",
		"{\"type\":\"startup\",\"kind\":\"exec\",\"container\":\"c\","
		"\"path\":null,\"port\":null}");
	ok_json(o, "/slice/security_contexts/ANY",
		"{\"level\":\"pod\",\"container\":null,\"present\":true,"
		"\"settings\":[{\"name\":\"fsGroup\",\"value\":\"1\"},"
		"{\"name\":\"sysctls.name\",\"value\":\"a\"},"
		"{\"name\":\"sysctls.value\",\"value\":\"b\"},"
		"{\"name\":\"hostNetwork\",\"value\":\"true\"}],"
		"\"workload_kind\":\"Pod\",\"workload\":\"w\"}");
	ok_json(o, "/slice/security_contexts/ANY",
		"{\"level\":\"container\",\"container\":\"i\","
		"\"present\":false,\"settings\":[]}");
	ok_json(o, "/slice/security_contexts/ANY",
		"{\"level\":\"container\",\"container\":\"c\","
		"\"present\":true,\"settings\":[{\"name\":\"runAsUser\","
		"\"value\":\"0010\"},{\"name\":\"capabilities.drop\","
		"\"value\":\"ALL\"},{\"name\":\"capabilities.drop\","
		"\"value\":\"X\"},{\"name\":\"seccompProfile.type\","
		"\"value\":\"R\"}]}");
	ok_lacks(o, "pw");
	free(o);
	o = PROBE(F("deep.yaml",
		    "apiVersion: v1\nkind: Pod\nspec: {containers: [{name: c, "
		    "securityContext: {a: {b: {c: {d: 1, e: {f: 2}}}}}}]}\n"));
	ok_json(o, "/slice/security_contexts/ANY/settings",
		"[{\"name\":\"a.b.c.d\",\"value\":\"1\"}]");
	free(o);
}

static void what_is_a_manifest(void)
{
	static const char *const not [] = {
		"apiVersion: v1\n",
		"kind: Pod\n",
		"apiVersion: skaffold/v4\nkind: Config\n",
		"apiVersion: backstage.io/v1alpha1\nkind: Component\n",
		"apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n",
		"apiVersion: 1.0\nkind: x\n",
		"apiVersion: version\nkind: x\n",
		"apiVersion: /v1\nkind: x\n",
		"apiVersion: {v1: x}\nkind: x\n",
		"apiVersion: v1\nkind: [Pod]\n",
		"# apiVersion: v1\n# kind: Pod\n",
	};

	for (size_t i = 0; i < sizeof not / sizeof *not ; i++) {
		char *o = PROBE(F("a.yaml", not [i]));

		ok_json(o, "", FINE);
		ok_json(o, "/slice/styles", "[]");
		ok_json(o, "/slice", "{\"manifests\":[],\"objects\":[]}");
		free(o);
	}
}

static void documents_and_lists_are_unfolded(void)
{
	char *o = PROBE(F(
		"all.yaml",
		"apiVersion: v1\nkind: Service\nmetadata: {name: s}\n---\n---\n"
		"# nothing\n---\nfoo: bar\n---\n"
		"apiVersion: apps/v1\nkind: Deployment\n---\n"
		"apiVersion: v1\nkind: List\nitems:\n"
		"- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: m}\n"
		"- {apiVersion: v1, kind: Service}\n---\n"
		"apiVersion: v1\nkind: PodList\nitems:\n"
		"- {metadata: {name: p}, spec: {containers: "
		"[{image: listed}]}}\n"));

	ok_json(o, "/slice/manifests/ANY",
		"{\"kinds\":[\"ConfigMap\",\"Deployment\",\"Pod\","
		"\"Service\"],\"documents\":5,\"role\":\"manifest\","
		"\"source\":\"all.yaml\"}");
	ok_json(o, "/slice/objects/ANY", "{\"kind\":\"Pod\",\"name\":\"p\"}");
	ok_json(o, "/slice/images/ANY/reference", "\"listed\"");
	free(o);
}

static void a_secret_stays_one(void)
{
	char *o = PROBE(F("s.yaml",
			  "apiVersion: v1\nkind: Secret\nmetadata:\n"
			  "  name: db\n  annotations: {x: aHVudGVyMg==}\n"
			  "type: Opaque\ndata: {p: aHVudGVyMg==}\n"
			  "stringData: {q: hunter2}\n"
			  "spec: {template: {spec: {containers: "
			  "[{image: hunter2}]}}}\n---\n"
			  "apiVersion: v1\nkind: SecretList\nitems:\n"
			  "- {metadata: {name: two}, data: {p: hunter2}, spec: "
			  "{template: {spec: {containers: [{image: hunter2}]}}"
			  "}}\n"));

	ok_json(o, "/slice/objects/ANY",
		"{\"kind\":\"Secret\",\"name\":\"db\",\"namespace\":null,"
		"\"api_version\":\"v1\",\"source\":\"s.yaml\"}");
	ok_json(o, "/slice/objects/ANY",
		"{\"kind\":\"Secret\",\"name\":\"two\"}");
	ok_lacks(o, "hunter2");
	ok_lacks(o, "aHVudGVy");
	ok_lacks(o, "Opaque");
	free(o);
}

static void compose_files(void)
{
	char *o = PROBE(
		F("compose.yaml",
		  "name: shop\nservices:\n  web:\n    image: r.io/web:1\n"
		  "    build: {context: ., dockerfile: D, target: t, "
		  "args: {P: pw}}\n"
		  "    environment: [P=pw]\n"
		  "    ports: ['8080:80', 22:22, {target: 53, published: 54, "
		  "protocol: udp, host_ip: 127.0.0.1}]\n"
		  "    healthcheck: {test: [CMD, pw]}\n"
		  "  db: {image: 'pg:${V:-1}', healthcheck: {disable: true}}\n"
		  "  bad: {build: ../up}\n"
		  "  var: {build: '${UP}/../..'}\n"
		  "include: [../../other.yaml]\n"),
		F("x/docker-compose.override.yml",
		  "old: {build: app, image: x}\n"),
		F("y/docker-compose.yml",
		  "version: '3'\nx-base: {image: no/service}\n"),
		F("z/compose-pod.yaml", "apiVersion: v1\nkind: Pod\n"));

	ok_json(o, "/slice/styles", "[\"manifests\",\"compose\"]");
	ok_json(o, "/slice/compose_files",
		"[{\"name\":\"shop\",\"version\":null,\"services\":4,"
		"\"source\":\"compose.yaml\"},{\"name\":null,"
		"\"version\":null,\"services\":1,"
		"\"source\":\"x/docker-compose.override.yml\"}]");
	ok_json(o, "/slice/compose_services/ANY",
		"{\"name\":\"web\",\"image\":\"r.io/web:1\","
		"\"build\":{\"context\":\".\",\"dockerfile\":\"D\","
		"\"target\":\"t\",\"source\":\"compose.yaml\"},"
		"\"ports\":[\"8080:80\",\"22:22\",\"127.0.0.1:54:53/udp\"],"
		"\"healthcheck\":\"declared\",\"source\":\"compose.yaml\"}");
	ok_json(o, "/slice/compose_services/ANY",
		"{\"name\":\"db\",\"image\":\"pg:${V:-1}\",\"build\":null,"
		"\"ports\":[],\"healthcheck\":\"disabled\"}");
	ok_json(o, "/slice/compose_services/ANY/build",
		"{\"context\":\"app\",\"dockerfile\":null}");
	ok_json(o, "/slice/images/ANY",
		"{\"reference\":\"pg:${V:-1}\",\"from\":\"compose\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"outside_repository\","
		"\"source\":\"compose.yaml\"}");
	/* The only build, and the include; the variable is unknown. */
	ok_int(json_count(o, "/warnings/ANY/code", "\"outside_repository\""),
	       2);
	ok_json(o, "/slice/manifests/ANY/kinds", "[\"Pod\"]");
	ok_lacks(o, "no/service");
	ok_lacks(o, "pw");
	free(o);
}

static void dockerfiles_by_stage(void)
{
	char *o = PROBE(
		F("Dockerfile",
		  "# syntax=docker/dockerfile:1\nARG V=1\n"
		  "FROM --platform=$P node:${V} \\\n  # a comment within\n\n"
		  "  As Build\r\n"
		  "RUN <<EOF cat\nFROM not:this\nUSER nobody\nEOF\n"
		  "RUN echo 1 <<2 && cat <<-\"END\" > x\nFROM nor:this\n\tEND\n"
		  "expose 80 443/tcp\nUSER node:node\n"
		  "FROM build AS test\nHEALTHCHECK NONE\n"
		  "FROM scratch\n"
		  "COPY --chown=1:1 --from=build /a /b\nCOPY --from=0 /a /b\n"
		  "COPY --from=tools:2 /c /d\n"
		  "HEALTHCHECK --interval=5s CMD curl -u user:pw x\n"));

	ok_json(o, "", FINE);
	ok_json(o, "/slice/styles", "[\"docker\"]");
	ok_json(o, "/slice/dockerfiles/ANY/stages",
		"[{\"name\":\"Build\",\"image\":\"node:1\","
		"\"image_written\":\"node:${V}\",\"from_stage\":false,"
		"\"user\":\"node:node\",\"exposes\":[\"80\",\"443/tcp\"],"
		"\"healthcheck\":null,\"source\":\"Dockerfile\"},"
		"{\"name\":\"test\",\"image\":\"build\",\"from_stage\":true,"
		"\"user\":null,\"exposes\":[],\"healthcheck\":\"disabled\","
		"\"source\":\"Dockerfile\"},{\"name\":null,"
		"\"image\":\"scratch\",\"from_stage\":false,\"user\":null,"
		"\"exposes\":[],\"healthcheck\":\"declared\"}]");
	ok_json(o, "/slice",
		"{\"images\":[{\"reference\":\"node:1\","
		"\"written\":\"node:${V}\",\"from\":\"dockerfile\","
		"\"source\":\"Dockerfile\"},{\"reference\":\"tools:2\","
		"\"from\":\"dockerfile\",\"source\":\"Dockerfile\"}],"
		"\"probes\":[]}");
	ok_lacks(o, "pw");
	free(o);
	o = PROBE(F("win.Dockerfile", "# escape=`\nFROM `\n a\nUSER c:\\\n"
				      "EXPOSE 1\nRUN <<NEVER\nUSER x\n"),
		  F("empty/Dockerfile", ""), F("n/Dockerfile.md", "FROM x"));
	ok_json(o, "/slice/dockerfiles/ANY",
		"{\"stages\":[],\"source\":\"empty/Dockerfile\"}");
	ok_json(o, "/slice/dockerfiles/ANY/stages/ANY",
		"{\"image\":\"a\",\"from_stage\":false,\"user\":\"x\","
		"\"exposes\":[\"1\"]}");
	ok_lacks(o, "n/Dockerfile.md");
	free(o);
}

static void terraform_by_name_and_vendored_apart(void)
{
	char *o = PROBE(N("infra/main.tf"), N("infra/prod.tfvars"),
			N("infra/.terraform.lock.hcl"), N("x.tf.json"),
			N("vendor/m/main.tf"),
			F("third_party/k.yaml", "apiVersion: v1\nkind: Pod\n"));

	ok_json(o, "/slice/styles", "[\"terraform\"]");
	ok_json(o, "/slice/terraform",
		"[{\"kind\":\"lock\","
		"\"source\":\"infra/.terraform.lock.hcl\"},"
		"{\"kind\":\"configuration\",\"source\":\"infra/main.tf\"},"
		"{\"kind\":\"variables\",\"source\":\"infra/prod.tfvars\"},"
		"{\"kind\":\"configuration\",\"source\":\"x.tf.json\"}]");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"vendored\",\"source\":null,"
		"\"message\":\"2 files in vendored directories are left "
		"out\"}");
	free(o);
}

/* count times text, after head. */
static char *repeated(const char *head, const char *text, size_t count)
{
	struct buf out = { 0 };

	buf_text(&out, head);
	for (size_t i = 0; i < count; i++)
		buf_text(&out, text);
	ok(!buf_has_failed(&out));
	return buf_take(&out);
}

static void huge_files_are_cut_and_said_to_be(void)
{
	char *docs = repeated("",
			      "apiVersion: v1\nkind: Pod\nmetadata: {name: "
			      "some-name-of-a-pod}\nspec: {containers: "
			      "[{name: c}]}\n---\n",
			      9000);
	char *file = repeated("FROM a\n", "EXPOSE 1 2 3 4 5 6 7 8 9\n", 1000);
	char *line = repeated("FROM b\nRUN ", "0123456789abcdef", 5000);
	char *refs = repeated("resources:\n", "- ./none.yaml\n", 3000);
	char *word = repeated("FROM ", "0123456789abcdef", 300);
	char *o = PROBE(F("all.yaml", docs), F("Dockerfile", file),
			F("b/Dockerfile", line), F("c/Dockerfile", word),
			F("kustomization.yaml", refs));

	ok(strlen(o) < PARSE_SLICE_BYTES + 200000);
	ok(strlen(o) > PARSE_SLICE_BYTES / 8 * 7); /* and not cut to nothing */
	ok_json(o, "/slice/manifests/ANY/documents", "9000");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"truncated\",\"source\":null,"
		"\"message\":\"objects: there are too many items, the rest is "
		"left out\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"truncated\",\"source\":null,"
		"\"message\":\"security_contexts: there are too many items, "
		"the rest is left out\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"truncated\",\"source\":\"Dockerfile\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"line_too_long\",\"source\":\"b/Dockerfile\","
		"\"offset\":7}");
	ok_json(o, "/errors/ANY",
		"{\"code\":\"string_too_long\",\"source\":\"c/Dockerfile\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"truncated\",\"source\":\"kustomization.yaml\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"more_notes\",\"source\":null,"
		"\"message\":\"more warnings, which are not listed: 981\"}");
	ok_json(o, "/slice/images/ANY/reference", "\"b\"");
	free(docs);
	free(file);
	free(line);
	free(refs);
	free(word);
	free(o);
}

static void bombs_and_circles_end(void)
{
	char *o = PROBE(
		F("c/Chart.yaml", "name: &a [*a]\n"),
		F("c/values.yaml",
		  "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\n"
		  "c: &c [*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c]\n"
		  "e: &e [*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e]\n"
		  "g: &g [*f,*f,*f,*f,*f,*f,*f]\nh: &h [*g,*g,*g,*g,*g,*g]\n"
		  "i: [*h,*h,*h,*h,*h,*h,*h,*h,*h,*h,*h,*h]\n"),
		F("d/Dockerfile", "FROM a AS a\nFROM a AS b\nFROM b AS a\n"));

	ok_json(o, "/errors/ANY",
		"{\"code\":\"yaml_nodes\",\"source\":\"c/values.yaml\"}");
	ok_json(o, "/errors/ANY",
		"{\"code\":\"yaml_alias\",\"source\":\"c/Chart.yaml\"}");
	ok_json(o, "/slice/dockerfiles/ANY/stages/ANY",
		"{\"name\":\"b\",\"image\":\"a\",\"from_stage\":true}");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_workload_has_its_pod),
		CASE(probes_and_security_contexts),
		CASE(what_is_a_manifest),
		CASE(documents_and_lists_are_unfolded),
		CASE(a_secret_stays_one),
		CASE(compose_files),
		CASE(dockerfiles_by_stage),
		CASE(terraform_by_name_and_vendored_apart),
		CASE(huge_files_are_cut_and_said_to_be),
		CASE(bombs_and_circles_end),
		TAP_END,
	});
}
