/* parsers_deployment.c -- deployment over charts, kustomizations, manifests. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("deployment", deployment_run,                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })
#define FINE "{\"confidence\":\"high\",\"errors\":[],\"warnings\":[]}"

static void a_chart_of_version_2(void)
{
	char *o = PROBE(
		F("c/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.10\n"
				  "appVersion: \"2.0\"\ntype: application\n"
				  "dependencies:\n"
				  "  - name: redis\n    version: ^17\n"
				  "    repository: https://charts.example/x\n"
				  "    condition: redis.enabled\n"
				  "  - name: own\n    version: 1.0.0\n"
				  "    repository: file://../own\n"),
		N("c/templates/NOTES.txt"),
		F("c/templates/deployment.yaml",
		  "{{- if .Values.x }}\napiVersion: v1\nkind: Pod\n{{ end }}"),
		F("c/values.yaml", "{}"), F("c/values-prod.yaml", "{}"),
		F("c/ci/values.yaml", "image: not/taken\n"));

	ok_json(o, "", FINE);
	ok_json(o, "/slice/styles", "[\"helm\"]");
	ok_json(o, "/slice/charts/ANY",
		"{\"path\":\"c\",\"name\":\"shop\",\"version\":\"1.10\","
		"\"app_version\":\"2.0\",\"api_version\":\"v2\","
		"\"type\":\"application\","
		"\"dependencies\":[{\"name\":\"redis\",\"version\":\"^17\","
		"\"repository\":\"https://charts.example/x\",\"alias\":null,"
		"\"condition\":\"redis.enabled\","
		"\"source\":\"c/Chart.yaml\"},{\"name\":\"own\","
		"\"version\":\"1.0.0\",\"repository\":\"file://../own\"}]}");
	ok_json(o, "/slice/charts/ANY",
		"{\"values_files\":[\"c/values-prod.yaml\","
		"\"c/values.yaml\"],\"values_files_count\":2,"
		"\"templates\":[\"c/templates/NOTES.txt\","
		"\"c/templates/deployment.yaml\"],\"templates_count\":2,"
		"\"source\":\"c/Chart.yaml\"}");
	ok_json(o, "/slice/manifests", "[]");
	ok_json(o, "/slice/images", "[]");
	free(o);
}

static void a_chart_of_version_1(void)
{
	char *o = PROBE(F("Chart.yaml", "name: old\nversion: 0.1.0\n"),
			F("requirements.yaml",
			  "dependencies:\n- {name: pg, version: 1, "
			  "repository: '@stable', alias: db}\n"
			  "- {name: far, repository: 'file://../x'}\n"),
			F("templates/a.yaml", "{{ broken"),
			F("charts/sub/Chart.yaml", "name: sub\n"),
			F("charts/sub/templates/b.yaml", "{{ broken"));

	ok_json(o, "", "{\"confidence\":\"high\",\"errors\":[]}");
	ok_json(o, "/slice/charts/ANY",
		"{\"path\":\".\",\"name\":\"old\",\"version\":\"0.1.0\","
		"\"app_version\":null,\"api_version\":null}");
	ok_json(o, "/slice/charts/ANY/dependencies/ANY",
		"{\"name\":\"pg\",\"version\":\"1\","
		"\"repository\":\"@stable\",\"alias\":\"db\","
		"\"condition\":null,\"source\":\"requirements.yaml\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"outside_repository\","
		"\"source\":\"requirements.yaml\"}");
	ok_json(o, "/slice/charts/ANY/templates", "[\"templates/a.yaml\"]");
	ok_json(o, "/slice/charts/ANY",
		"{\"path\":\"charts/sub\",\"name\":\"sub\"}");
	ok_json(o, "/slice/charts/ANY/templates",
		"[\"charts/sub/templates/b.yaml\"]");
	free(o);
}

static void images_of_values(void)
{
	char *o = PROBE(
		F("c/Chart.yaml", "name: c\n"),
		F("c/values.yaml",
		  "image:\n  registry: r.io\n  repository: a/b\n  tag: 1.10\n"
		  "  digest: sha256:00\n"
		  "web: {image: {repository: web, tag: \"\"}}\n"
		  "jobs:\n  - sidecarImage: side:2\n"
		  "old: {image: redis, imageTag: 3.2, tag: }\n"
		  "named: {image: {name: busy, tag: 9}}\n"
		  "init_image: ini@sha256:11\n"
		  "db: {repository: pg, pullPolicy: Always}\n"
		  "git: {repository: https://example.org/x.git, tag: v1}\n"
		  "chart: {repository: no/image}\n"
		  "buildImage: true\nimagePullPolicy: Always\n"
		  "pilgrimage: no\nport: r.io:5000/x\n"
		  "lone: {image: 'r.io:5000/x', tag: 7}\n"
		  "in: {image: {image: in/c, registry: k.io, tag: v1, digest: "
		  "'sha256:33'}}\nimages: {repository: 1.r.io, tag: "
		  "latest}\n"));

	ok_json(o, "", FINE);
	ok_json(o, "/slice/images/0",
		"{\"reference\":\"busy:9\",\"from\":\"values\","
		"\"source\":\"c/values.yaml\"}");
	ok_json(o, "/slice/images/1/reference", "\"ini@sha256:11\"");
	ok_json(o, "/slice/images/ANY/reference", "\"pg\"");
	ok_json(o, "/slice/images/ANY/reference",
		"\"r.io/a/b:1.10@sha256:00\"");
	ok_json(o, "/slice/images/ANY/reference", "\"r.io:5000/x:7\"");
	ok_json(o, "/slice/images/ANY/reference", "\"redis:3.2\"");
	ok_json(o, "/slice/images/ANY/reference", "\"side:2\"");
	ok_json(o, "/slice/images/ANY",
		"{\"reference\":\"web\",\"from\":\"values\","
		"\"source\":\"c/values.yaml\"}");
	ok_json(o, "/slice/images/ANY/reference", "\"k.io/in/c:v1@sha256:33\"");
	ok_lacks(o, "1.r.io");
	ok_lacks(o, "example.org");
	ok_lacks(o, "no/image");
	ok_no_json(o, "\"true\"");
	ok_no_json(o, "\"no\"");
	ok_lacks(o, "Always");
	free(o);
}

static void what_it_deploys_is_told(const char *o)
{
	ok_json(o, "/slice/kustomizations/ANY/helm_charts/ANY",
		"{\"name\":\"redis\",\"repository\":\"https://c.example\","
		"\"version\":\"17.0.1\"}");
	ok_json(o, "/slice/images/ANY",
		"{\"reference\":\"r.io/web:1.10\",\"from\":\"kustomization\"}");
	ok_json(o, "/slice/images/ANY/reference", "\"db@sha256:22\"");
	ok_json(o, "/slice/overlays/ANY",
		"{\"depth\":1,\"reaches\":[\"base/kustomization.yaml\","
		"\"base/d.yaml\",\"comp/Kustomization\"],"
		"\"source\":\"over/prod/kustomization.yml\"}");
	ok_json(o, "/slice/manifests/ANY",
		"{\"kinds\":[\"Deployment\"],\"documents\":1,"
		"\"role\":\"manifest\",\"source\":\"base/d.yaml\"}");
	ok_json(o, "/slice/manifests/ANY",
		"{\"role\":\"patch\",\"source\":\"over/prod/merge.yaml\"}");
	/* What a patch leaves out means nothing. */
	ok_json(o, "/slice/security_contexts", "[]");
	ok_lacks(o, "hunter2");
}

static void a_kustomization_with_everything(void)
{
	char *o = PROBE(
		F("base/kustomization.yaml", "resources: [d.yaml]\n"),
		F("base/d.yaml", "apiVersion: apps/v1\nkind: Deployment\n"
				 "metadata: {name: web}\n"),
		F("over/prod/kustomization.yml",
		  "apiVersion: kustomize.config.k8s.io/v1beta1\n"
		  "kind: Kustomization\n"
		  "namespace: prod\nnamePrefix: p-\nnameSuffix: -s\n"
		  "resources: [../../base]\n"
		  "components: [../../comp]\n"
		  "patches:\n- path: patch.yaml\n"
		  "  target: {kind: Deployment, name: web}\n"
		  "- patch: |-\n    - op: remove\n      path: /spec\n"
		  "patchesStrategicMerge: [merge.yaml]\n"
		  "images:\n- {name: web, newName: r.io/web, newTag: 1.10}\n"
		  "- {name: db, digest: 'sha256:22'}\n"
		  "helmCharts:\n- {name: redis, repo: 'https://c.example', "
		  "version: 17.0.1}\n"
		  "secretGenerator:\n- name: s\n  literals: [p=hunter2]\n"),
		F("over/prod/patch.yaml",
		  "apiVersion: apps/v1\nkind: Deployment\nmetadata: "
		  "{name: web}\nspec: {template: {spec: {containers: "
		  "[{name: c, image: i}]}}}\n"),
		F("over/prod/merge.yaml", "apiVersion: v1\nkind: Service\n"),
		F("comp/Kustomization", "kind: Component\n"));

	ok_json(o, "", FINE);
	ok_json(o, "/slice/styles", "[\"kustomize\",\"manifests\"]");
	ok_json(o, "/slice/kustomizations/ANY",
		"{\"path\":\"over/prod\",\"kind\":\"Kustomization\","
		"\"namespace\":\"prod\",\"name_prefix\":\"p-\","
		"\"name_suffix\":\"-s\",\"resources\":[\"../../base\"],"
		"\"bases\":[],\"components\":[\"../../comp\"]}");
	ok_json(o, "/slice/kustomizations/ANY/patches/0",
		"{\"path\":\"patch.yaml\",\"inline\":false,"
		"\"target_kind\":\"Deployment\",\"target_name\":\"web\","
		"\"source\":\"over/prod/kustomization.yml\"}");
	ok_json(o, "/slice/kustomizations/ANY/patches/1",
		"{\"path\":null,\"inline\":true}");
	ok_json(o, "/slice/kustomizations/ANY/images/ANY",
		"{\"name\":\"web\",\"new_name\":\"r.io/web\","
		"\"new_tag\":\"1.10\",\"digest\":null}");
	what_it_deploys_is_told(o);
	free(o);
}

static void what_points_outside_is_a_warning(void)
{
	static const char *const refs[] = {
		"..",
		"../../a",
		"x/../../..",
		"/etc/kubernetes",
		"https://github.com/a/b//c?ref=v1",
		"git@github.com:a/b",
		"github.com/a/b",
		"ssh://x/y",
		"a/../../../k",
	};

	for (size_t i = 0; i < sizeof refs / sizeof *refs; i++) {
		char text[160];
		char *o;

		(void)snprintf(text, sizeof text, "resources:\n- '%s'\n",
			       refs[i]);
		o = PROBE(F("kustomization.yaml", text));
		ok_json(o, "/warnings/ANY",
			"{\"code\":\"outside_repository\","
			"\"source\":\"kustomization.yaml\",\"offset\":13}");
		ok_json(o, "/confidence", "\"high\"");
		ok_has(o, refs[i]);
		ok_lacks(o, "not_found");
		free(o);
	}
}

static void what_stays_inside_is_none(void)
{
	char *o = PROBE(F("a/b/kustomization.yaml",
			  "resources: ['../../a/./b/../x.yaml', "
			  "'../..//a/x.yaml', ../../github.com/k]\n"
			  "crds: [../../nowhere.json]\n"),
			F("a/x.yaml", ""),
			F("github.com/k/kustomization.yaml", "{}"));

	ok_json(o, "", FINE);
	ok_json(o, "/slice/overlays/ANY",
		"{\"depth\":1,\"reaches\":[\"a/x.yaml\","
		"\"github.com/k/kustomization.yaml\"]}");
	free(o);
	o = PROBE(F("kustomization.yaml",
		    "resources: [gone.yaml, \"a\\0b\", '', 'b\\x']\n"));
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"not_found\",\"source\":\"kustomization.yaml\","
		"\"offset\":12}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"bad_path\",\"source\":\"kustomization.yaml\","
		"\"offset\":23}");
	free(o);
}

static void overlays_are_bounded(void)
{
	char names[60][64], deep[60][64], wide[4096] = "resources:\n";
	struct probe_file files[61] = { 0 };
	char *o;

	for (size_t i = 0; i < 8; i++) {
		(void)snprintf(names[i], sizeof *names,
			       "d%zu/kustomization.yaml", i);
		(void)snprintf(deep[i], sizeof *deep, "bases: [../d%zu]\n",
			       i + 1);
		files[i] = (struct probe_file)F(names[i], deep[i]);
	}
	files[7].text = "{}";
	o = probe_files("deployment", deployment_run, files);
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"overlay_depth\","
		"\"source\":\"d5/kustomization.yaml\"}");
	ok_json(o, "/slice/overlays/ANY",
		"{\"depth\":5,\"reaches\":[\"d1/kustomization.yaml\","
		"\"d2/kustomization.yaml\",\"d3/kustomization.yaml\","
		"\"d4/kustomization.yaml\",\"d5/kustomization.yaml\"],"
		"\"source\":\"d0/kustomization.yaml\"}");
	free(o);
	for (size_t i = 0; i < 52; i++) {
		(void)snprintf(names[i], sizeof *names, "f%02zu.yaml", i);
		(void)snprintf(wide + strlen(wide), 64, "- %s\n", names[i]);
		files[i] = (struct probe_file)F(names[i], "");
	}
	files[52] = (struct probe_file)F("kustomization.yaml", wide);
	o = probe_files("deployment", deployment_run, files);
	ok_json(o, "/warnings/ANY/code", "\"overlay_files\"");
	ok_json(o, "/slice/overlays/ANY/reaches/49", "\"f49.yaml\"");
	ok_int(json_count(o, "/slice/overlays/ANY/reaches/50", "\"\""), 0);
	free(o);
}

static void circles_are_cut(void)
{
	char *o = PROBE(F("a/kustomization.yaml", "resources: [../b]\n"),
			F("b/kustomization.yaml", "resources: [../a, .]\n"));

	ok_json(o, "/warnings/ANY",
		"{\"code\":\"circular\",\"source\":\"b/kustomization.yaml\","
		"\"offset\":12}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"circular\",\"source\":\"b/kustomization.yaml\","
		"\"offset\":18}");
	ok_json(o, "/slice/overlays/ANY",
		"{\"depth\":1,\"reaches\":[\"b/kustomization.yaml\"],"
		"\"source\":\"a/kustomization.yaml\"}");
	ok_json(o, "/slice/overlays/ANY",
		"{\"depth\":1,\"reaches\":[\"a/kustomization.yaml\"],"
		"\"source\":\"b/kustomization.yaml\"}");
	free(o);
}

static void templates_without_a_chart_are_manifests(void)
{
	char *o = PROBE(F("k8s/templates/a.yaml",
			  "apiVersion: v1\nkind: Pod\nspec: {containers: "
			  "[{image: twice}, {image: twice}]}\n"),
			F("chart/Chart.yaml", "name: c\n"),
			F("chart/crds/b.yaml", "apiVersion: "
					       "apiextensions.k8s.io/v1\nkind: "
					       "CustomResourceDefinition\n"));

	ok_json(o, "", FINE);
	ok_json(o, "/slice/manifests/ANY/kinds", "[\"Pod\"]");
	ok_json(o, "/slice/manifests/ANY/kinds",
		"[\"CustomResourceDefinition\"]");
	ok_json(o, "/slice/images",
		"[{\"reference\":\"twice\",\"from\":\"manifest\","
		"\"source\":\"k8s/templates/a.yaml\"}]");
	free(o);
}

static void a_bad_file_is_named_and_the_rest_goes_on(void)
{
	char *o =
		PROBE(F("a/Chart.yaml", "- no\n- mapping\n"),
		      F("b/kustomization.yaml", "text"),
		      F("c.yaml", "apiVersion: v1\nkind: Pod\nx: [\n"),
		      F("d.yaml", "apiVersion: v1\nkind: Pod\nx: {{ y }} z\n"),
		      F("e.yaml", "apiVersion: v1\nkind: Service\n"));

	ok_json(o, "/confidence", "\"low\"");
	ok_json(o, "/errors/ANY",
		"{\"code\":\"not_a_mapping\",\"source\":\"a/Chart.yaml\"}");
	ok_json(o, "/errors/ANY",
		"{\"code\":\"not_a_mapping\","
		"\"source\":\"b/kustomization.yaml\"}");
	ok_json(o, "/errors/ANY",
		"{\"code\":\"yaml_syntax\",\"source\":\"c.yaml\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"templated\",\"source\":\"d.yaml\"}");
	ok_json(o, "/slice/manifests/ANY/kinds", "[\"Service\"]");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_chart_of_version_2),
		CASE(a_chart_of_version_1),
		CASE(images_of_values),
		CASE(a_kustomization_with_everything),
		CASE(what_points_outside_is_a_warning),
		CASE(what_stays_inside_is_none),
		CASE(overlays_are_bounded),
		CASE(circles_are_cut),
		CASE(templates_without_a_chart_are_manifests),
		CASE(a_bad_file_is_named_and_the_rest_goes_on),
		TAP_END,
	});
}
