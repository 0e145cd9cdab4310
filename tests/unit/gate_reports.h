/* gate_reports.h -- reports of scanners, and what is taken of them. */
#ifndef CUPEL_TESTS_GATE_REPORTS_H
#define CUPEL_TESTS_GATE_REPORTS_H

#include <stddef.h>

#define ITEM(id, package, version, severity, fixed)                            \
	"{\"id\":\"" id "\",\"package\":\"" package "\",\"version\":" version  \
	",\"severity\":" severity ",\"fixed\":[" fixed "]}"

/* A report as each tool publishes its shape, and what is taken of it; NULL: it is
 * refused. */
static const struct {
	const char *format, *report, *items;
} reports[] = {
	{ "grype",
	  "{\"matches\":[{\"vulnerability\":{\"id\":\"GHSA-x\",\"namespace\":"
	  "\"github:language:javascript\",\"severity\":\"High\",\"cvss\":[],"
	  "\"fix\":{\"versions\":[\"4.17.21\"],\"state\":\"fixed\"}},"
	  "\"relatedVulnerabilities\":[],\"matchDetails\":[],\"artifact\":{"
	  "\"name\":\"lodash\",\"version\":\"4.17.20\",\"type\":\"npm\","
	  "\"purl\":\"pkg:npm/lodash@4.17.20\"}}],\"source\":{},"
	  "\"descriptor\":{\"name\":\"grype\",\"version\":\"0.80.0\"}}",
	  ITEM("GHSA-x", "pkg:npm/lodash", "\"4.17.20\"", "\"high\"",
	       "\"4.17.21\"") },
	{ "grype", "{\"matches\":[],\"descriptor\":{\"name\":\"grype\"}}", "" },
	{ "grype", "{\"matches\":[],\"descriptor\":{\"name\":\"other\"}}",
	  NULL },
	{ "grype", "{\"descriptor\":{\"name\":\"grype\"}}", NULL },
	{ "grype", "{\"matches\":[{}],\"descriptor\":{\"name\":\"grype\"}}",
	  NULL },
	{ "grype", "{\"matches\":[],\"descriptor\":{\"name\":\"grype\"}} x",
	  NULL },
	{ "osv-scanner",
	  "{\"results\":[{\"source\":{\"path\":\"/repo/package-lock.json\","
	  "\"type\":\"lockfile\"},\"packages\":[{\"package\":{\"name\":"
	  "\"@a/b\",\"version\":\"1.0.0\",\"ecosystem\":\"npm\"},"
	  "\"vulnerabilities\":[{\"id\":\"GHSA-y\",\"aliases\":[\"CVE-1\"],"
	  "\"database_specific\":{\"severity\":\"MODERATE\"}},{\"id\":"
	  "\"GHSA-a\"}],\"groups\":[]}]}],\"experimental_config\":{}}",
	  ITEM("GHSA-a", "pkg:npm/%40a/b", "\"1.0.0\"", "null", "") "," ITEM(
		  "GHSA-y", "pkg:npm/%40a/b", "\"1.0.0\"", "\"medium\"", "") },
	{ "osv-scanner", "{\"results\":[]}", "" },
	{ "osv-scanner", "{}", NULL },
	{ "osv-scanner", "{\"results\":[{\"packages\":7}]}", NULL },
	{ "osv-scanner", "{\"results\":[7]}", NULL },
	{ "trivy",
	  "{\"SchemaVersion\":2,\"ArtifactName\":\".\",\"Results\":[{"
	  "\"Target\":\"poetry.lock\",\"Class\":\"lang-pkgs\",\"Type\":"
	  "\"poetry\",\"Vulnerabilities\":[{\"VulnerabilityID\":\"CVE-2\","
	  "\"PkgName\":\"django\",\"PkgIdentifier\":{\"PURL\":"
	  "\"pkg:pypi/django@2.0?a=b#c\"},\"InstalledVersion\":\"2.0\","
	  "\"FixedVersion\":\"2.0.1, 1.11.9\",\"Status\":\"fixed\","
	  "\"Severity\":\"CRITICAL\"}]},{\"Target\":\"x\"}]}",
	  ITEM("CVE-2", "pkg:pypi/django", "\"2.0\"", "\"critical\"",
	       "\"2.0.1\",\"1.11.9\"") },
	{ "trivy", "{\"SchemaVersion\":2}", "" },
	{ "trivy", "{\"SchemaVersion\":1,\"Results\":[]}", NULL },
	{ "trivy", "{\"SchemaVersion\":2,\"Results\":{}}", NULL },
	{ "trivy",
	  "{\"SchemaVersion\":2,\"Results\":[{\"Vulnerabilities\":[{}]}]}",
	  NULL },
	{ "npm-audit",
	  "{\"auditReportVersion\":2,\"vulnerabilities\":{\"minimist\":{"
	  "\"name\":\"minimist\",\"severity\":\"critical\",\"isDirect\":true,"
	  "\"via\":[{\"source\":1097678,\"name\":\"minimist\",\"dependency\":"
	  "\"minimist\",\"title\":\"t\",\"url\":"
	  "\"https://github.com/advisories/GHSA-xvch\",\"severity\":"
	  "\"critical\",\"range\":\"<0.2.4\"},{\"source\":12,\"severity\":"
	  "\"new\"}],\"effects\":[\"mkdirp\"],\"range\":\"<0.2.4\","
	  "\"nodes\":[],\"fixAvailable\":{\"name\":\"minimist\",\"version\":"
	  "\"1.2.8\",\"isSemVerMajor\":true}},\"mkdirp\":{\"via\":["
	  "\"minimist\"],\"fixAvailable\":true}},\"metadata\":{}}",
	  ITEM("GHSA-xvch", "pkg:npm/minimist", "null", "\"critical\"",
	       "\"1.2.8\"") "," ITEM("npm:12", "pkg:npm/minimist", "null",
				     "null", "\"1.2.8\"") },
	{ "npm-audit", "{\"auditReportVersion\":2,\"vulnerabilities\":{}}",
	  "" },
	/* what npm prints where it cannot reach the registry */
	{ "npm-audit", "{\"message\":\"m\",\"error\":{\"summary\":\"\"}}",
	  NULL },
	{ "npm-audit", "{\"auditReportVersion\":1,\"vulnerabilities\":{}}",
	  NULL },
	{ "npm-audit",
	  "{\"auditReportVersion\":2,\"vulnerabilities\":{\"a\":{}}}", NULL },
	{ "npm-audit",
	  "{\"auditReportVersion\":2,\"vulnerabilities\":{\"a\":{\"via\":[{}]}}"
	  "}",
	  NULL },
	{ "cyclonedx",
	  "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.5\",\"components\":"
	  "[{\"bom-ref\":\"r1\",\"type\":\"library\",\"name\":\"flask\","
	  "\"version\":\"0.1\",\"purl\":\"pkg:pypi/flask@0.1\"}],"
	  "\"vulnerabilities\":[{\"id\":\"CVE-3\",\"ratings\":[{\"severity\":"
	  "\"low\"}],\"affects\":[{\"ref\":\"r1\"},{\"ref\":\"urn:cdx:1\"}],"
	  "\"analysis\":{\"state\":\"not_affected\"}}]}",
	  ITEM("CVE-3", "pkg:pypi/flask", "\"0.1\"", "\"low\"",
	       "") "," ITEM("CVE-3", "urn:cdx:1", "null", "\"low\"", "") },
	{ "cyclonedx",
	  "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.4\","
	  "\"vulnerabilities\":[{\"id\":\"CVE-4\"}]}",
	  ITEM("CVE-4", "pkg:generic/unnamed", "null", "null", "") },
	/* a component of a component, and what the document is about */
	{ "cyclonedx",
	  "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.6\",\"metadata\":{"
	  "\"component\":{\"type\":\"application\",\"bom-ref\":\"r0\","
	  "\"name\":\"app\",\"version\":\"1\",\"purl\":\"pkg:npm/app@1\"}},"
	  "\"components\":[{\"type\":\"library\",\"name\":\"outer\","
	  "\"components\":[{\"type\":\"library\",\"bom-ref\":\"r2\","
	  "\"name\":\"inner\",\"version\":\"2\",\"purl\":"
	  "\"pkg:npm/inner@2\"}]}],\"vulnerabilities\":[{\"id\":\"CVE-5\","
	  "\"affects\":[{\"ref\":\"r2\"},{\"ref\":\"r0\"}]}]}",
	  ITEM("CVE-5", "pkg:npm/app", "\"1\"", "null",
	       "") "," ITEM("CVE-5", "pkg:npm/inner", "\"2\"", "null", "") },
	{ "cyclonedx",
	  "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.6\","
	  "\"vulnerabilities\":[]}",
	  "" },
	{ "cyclonedx",
	  "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.3\","
	  "\"vulnerabilities\":[]}",
	  NULL },
	{ "cyclonedx", "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.6\"}",
	  NULL },
	{ "cyclonedx", "{\"specVersion\":\"1.6\",\"vulnerabilities\":[]}",
	  NULL },
};

#endif
