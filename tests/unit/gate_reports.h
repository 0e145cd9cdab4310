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
	/* what grype was told to ignore; no package URL, no metadata */
	{ "grype",
	  "{\"matches\":[],\"ignoredMatches\":[{\"vulnerability\":{\"id\":"
	  "\"CVE-9\",\"dataSource\":\"\",\"fix\":{\"versions\":null,"
	  "\"state\":\"\"},\"advisories\":null},\"artifact\":{\"name\":"
	  "\"Zope_Interface\",\"version\":\"5\",\"type\":\"pypi\",\"purl\":"
	  "\"\"},\"appliedIgnoreRules\":[{\"vulnerability\":\"CVE-9\"}]}],"
	  "\"descriptor\":{\"name\":\"grype\"}}",
	  ITEM("CVE-9", "pkg:pypi/zope-interface", "\"5\"", "null", "") },
	{ "grype",
	  "{\"matches\":[],\"ignoredMatches\":null,\"descriptor\":{\"name\":"
	  "\"grype\"}}",
	  "" },
	{ "grype",
	  "{\"matches\":[],\"ignoredMatches\":{},\"descriptor\":{\"name\":"
	  "\"grype\"}}",
	  NULL },
	{ "grype",
	  "{\"matches\":[],\"ignoredMatches\":[{}],\"descriptor\":{\"name\":"
	  "\"grype\"}}",
	  NULL },
	{ "grype", "{\"matches\":null,\"descriptor\":{\"name\":\"grype\"}}",
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
	/* several files; a suffix; a name as a file has it; only licences; no
	 * packages at all */
	{ "osv-scanner",
	  "{\"results\":[{\"packages\":[{\"package\":{\"name\":\"a:b\","
	  "\"version\":\"1\",\"ecosystem\":\"Maven:https://r.example\"},"
	  "\"vulnerabilities\":[{\"id\":\"GHSA-m\"}],\"groups\":[{\"ids\":["
	  "\"GHSA-m\"],\"aliases\":[\"CVE-8\",\"GHSA-m\"],"
	  "\"experimentalAnalysis\":{\"GHSA-m\":{\"called\":false}},"
	  "\"max_severity\":\"9.8\"}]},{\"package\":{\"name\":\"l\","
	  "\"version\":\"1\",\"ecosystem\":\"npm\"},\"licenses\":[\"MIT\"],"
	  "\"license_violations\":[\"MIT\"]}]},{\"packages\":[{\"package\":{"
	  "\"name\":\"Flask.X\",\"version\":\"2\",\"ecosystem\":\"PyPI\"},"
	  "\"vulnerabilities\":[{\"id\":\"PYSEC-1\"}]}]},{\"packages\":null}]}",
	  ITEM("GHSA-m", "pkg:maven/a:b", "\"1\"", "null", "") "," ITEM(
		  "PYSEC-1", "pkg:pypi/flask-x", "\"2\"", "null", "") },
	{ "osv-scanner", "{\"results\":[]}", "" },
	{ "osv-scanner", "{\"results\":null}", NULL },
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
	/* what it was told to ignore; reports from before package URLs */
	{ "trivy",
	  "{\"SchemaVersion\":2,\"Results\":[{\"Target\":\"a\",\"Type\":"
	  "\"pnpm\",\"ExperimentalModifiedFindings\":[{\"Type\":"
	  "\"vulnerability\",\"Status\":\"ignored\",\"Statement\":\"\","
	  "\"Source\":\".trivyignore\",\"Finding\":{\"VulnerabilityID\":"
	  "\"CVE-5\",\"PkgName\":\"@a/b\",\"InstalledVersion\":\"1\","
	  "\"Severity\":\"UNKNOWN\"}},{\"Type\":\"secret\",\"Finding\":{"
	  "\"RuleID\":\"x\"}}]},{\"Target\":\"b\",\"Type\":\"pip\","
	  "\"Vulnerabilities\":[{\"VulnerabilityID\":\"CVE-6\",\"PkgName\":"
	  "\"Jinja2\",\"InstalledVersion\":\"2\",\"Severity\":\"LOW\"}]},{"
	  "\"Target\":\"c\",\"Type\":\"gomod\",\"Vulnerabilities\":[{"
	  "\"VulnerabilityID\":\"CVE-7\",\"PkgName\":\"g\",\"PkgIdentifier\":{"
	  "}}]}]}",
	  ITEM("CVE-5", "pkg:npm/%40a/b", "\"1\"", "null", "") "," ITEM(
		  "CVE-6", "pkg:pypi/jinja2", "\"2\"", "\"low\"",
		  "") "," ITEM("CVE-7", "pkg:gomod/g", "null", "null", "") },
	{ "trivy",
	  "{\"SchemaVersion\":2,\"Results\":[{"
	  "\"ExperimentalModifiedFindings\":[{\"Type\":\"vulnerability\"}]}]}",
	  NULL },
	{ "trivy",
	  "{\"SchemaVersion\":2,\"Results\":[{"
	  "\"ExperimentalModifiedFindings\":[7]}]}",
	  NULL },
	{ "trivy",
	  "{\"SchemaVersion\":2,\"Results\":[{"
	  "\"ExperimentalModifiedFindings\":7}]}",
	  NULL },
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
	/* a package that is vulnerable, and nobody says by what */
	{ "npm-audit",
	  "{\"auditReportVersion\":2,\"vulnerabilities\":{\"a\":{\"via\":[]}}}",
	  NULL },
	{ "npm-audit", "{\"auditReportVersion\":2,\"vulnerabilities\":[]}",
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
	/* a group and no package URL; the first severity that is known; what was
	 * rejected, and a version that is not affected */
	{ "cyclonedx",
	  "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.6\",\"components\":"
	  "[{\"bom-ref\":\"r\",\"type\":\"library\",\"group\":\"@a\","
	  "\"name\":\"b\",\"version\":\"1\"}],\"vulnerabilities\":[{\"id\":"
	  "\"CVE-6\",\"rejected\":\"2026-01-01T00:00:00Z\",\"ratings\":[{"
	  "\"score\":1},{\"severity\":\"unknown\"},{\"severity\":\"high\"}],"
	  "\"affects\":[{\"ref\":\"r\",\"versions\":[{\"version\":\"1\","
	  "\"status\":\"unaffected\"}]}]}]}",
	  ITEM("CVE-6", "pkg:generic/%40a/b", "\"1\"", "\"high\"", "") },
	/* without an id nobody can tell whether it was there before */
	{ "cyclonedx",
	  "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.6\","
	  "\"vulnerabilities\":[{\"affects\":[{\"ref\":\"r\"}]}]}",
	  NULL },
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
