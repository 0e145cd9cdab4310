/* boundary_schema_ref.c -- references, identifiers, dialects, and what makes a
 * schema unusable. */
#include "schema_rows.h"

#define META "https://json-schema.org/draft/2020-12/"

static const struct given given[] = {
	{ "http://h/int.json", "{'type':'integer'}" },
	{ "http://h/dir/leaf.json", "{'type':'string'}" },
	{ "http://h/defs.json",
	  "{'$defs':{'i':{'type':'integer'},'r':{'$ref':'#/$defs/i'},"
	  "'n':{'$anchor':'named','type':'null'}}}" },
	{ "http://h/other.json",
	  "{'$id':'http://h/moved/self.json','$defs':{'l':{'$ref':"
	  "'../dir/leaf.json'}},'$ref':'#/$defs/l'}" },
	{ "http://h/detached.json",
	  "{'$defs':{'foo':{'$dynamicRef':'#d'},'d':{'$dynamicAnchor':'d',"
	  "'type':'integer'}}}" },
	{ "http://h/tree.json",
	  "{'$dynamicAnchor':'node','type':'object','properties':{'data':true,"
	  "'children':{'type':'array','items':{'$dynamicRef':'#node'}}}}" },
	{ "http://h/no-validation.json",
	  "{'$schema':'" META "schema','$id':'http://h/no-validation.json',"
	  "'$vocabulary':{'" META "vocab/core':true,'" META
	  "vocab/applicator':true,'http://x/unknown':false},"
	  "'$dynamicAnchor':'meta','allOf':[{'$ref':'" META
	  "meta/applicator'},{'$ref':'" META "meta/core'}]}" },
	{ "http://h/must.json", "{'$vocabulary':{'" META
				"vocab/core':true,'http://x/unknown':true}}" },
	{ "http://h/seven.json",
	  "{'$schema':'http://json-schema.org/draft-07/schema#','type':1}" },
	{ NULL, NULL },
};

static void follows_pointers(void)
{
	static const struct row rows[] = {
		{ "{'properties':{'a':{'$ref':'#'}},"
		  "'additionalProperties':false}",
		  "{'a':{'a':0}}", VALID, 0 },
		{ NULL, "{'a':{'b':0}}", INVALID, 0 },
		{ "{'$defs':{'t~f':{'type':'integer'},'s/f':{'type':'null'},"
		  "'p%f':{'type':'string'}},'prefixItems':[{'$ref':"
		  "'#/$defs/t~0f'},{'$ref':'#/$defs/s~1f'},"
		  "{'$ref':'#/$defs/p%25f'}]}",
		  "[1,null,'a']", VALID, 0 },
		{ NULL, "['a']", INVALID, 0 },
		{ NULL, "[1,1]", INVALID, 0 },
		{ NULL, "[1,null,1]", INVALID, 0 },
		{ "{'prefixItems':[{'type':'integer'},{'$ref':"
		  "'#/prefixItems/0'}]}",
		  "[1,'a']", INVALID, 0 },
		{ "{'$ref':'#/unknown/x/0','unknown':{'x':[{'$ref':"
		  "'#/$defs/i'}]},'$defs':{'i':{'type':'integer'}}}",
		  "'a'", INVALID, 0 },
		{ NULL, "1", VALID, 0 },
		{ "{'$ref':'" META "schema'}", "{'minLength':1}", VALID, 0 },
		{ NULL, "{'minLength':-1}", INVALID, 0 },
		{ NULL, "{'properties':{'a':{'type':'sting'}}}", INVALID, 0 },
		{ "{'$defs':{'':{'$defs':{'':{'type':'number'}}}},"
		  "'$ref':'#/$defs//$defs/'}",
		  "'a'", INVALID, 0 },
		{ "{'enum':[{'$ref':'#/x'}]}", "{'$ref':'#/x'}", VALID, 0 },
		{ "{'properties':{'$ref':{'type':'string'}}}", "{'$ref':1}",
		  INVALID, 0 },
	};

	HOLD(rows, given);
}

static void resolves_identifiers(void)
{
	static const struct row rows[] = {
		{ "{'$ref':'http://h/int.json'}", "'a'", INVALID, 0 },
		{ "{'$ref':'http://h/int.json#'}", "1", VALID, 0 },
		{ "{'$ref':'http://h/defs.json#/$defs/r'}", "'a'", INVALID, 0 },
		{ "{'$ref':'http://h/defs.json#named'}", "1", INVALID, 0 },
		{ "{'$ref':'http://h/other.json'}", "1", INVALID, 0 },
		{ "{'$ref':'http://h/moved/self.json'}", "'a'", VALID, 0 },
		{ "{'$id':'http://h/','items':{'$id':'dir/','items':{'$ref':"
		  "'leaf.json'}}}",
		  "[['a']]", VALID, 0 },
		{ NULL, "[[1]]", INVALID, 0 },
		{ "{'$id':'http://x/root.json','$defs':{'A':{'$anchor':'foo'},"
		  "'B':{'$id':'other.json','$defs':{'X':{'$anchor':'foo',"
		  "'const':1}}}},'$ref':'other.json#foo'}",
		  "2", INVALID, 0 },
		{ "{'$id':'urn:uuid:deadbeef','$defs':{'b':{'$anchor':'an',"
		  "'type':'string'}},'$ref':'urn:uuid:deadbeef#an'}",
		  "1", INVALID, 0 },
		{ "{'$id':'file:///folder/file.json','$defs':{'a':{'type':"
		  "'integer'}},'allOf':[{'$ref':'#/$defs/a'}]}",
		  "'x'", INVALID, 0 },
		{ "{'$id':'http://x/a/b.json','$defs':{'d':{'$id':'/abs',"
		  "'type':'integer'}},'$ref':'/abs'}",
		  "'x'", INVALID, 0 },
		{ "{'$defs':{'fake':{'not':{'list':[{'$id':'http://x/n.json',"
		  "'type':'null'}]}},'real':{'$id':'http://x/n.json','type':"
		  "'string'}},'$ref':'http://x/n.json'}",
		  "null", INVALID, 0 },
		{ NULL, "'a'", VALID, 0 },
		{ "{'const':{'$id':'http://x/c'},'$defs':{'c':{'$id':"
		  "'http://x/c','type':'object'}},'$ref':'http://x/c'}",
		  "{'$id':'http://x/c'}", VALID, 0 },
		{ "{'$ref':'a.json','$defs':{'a':{'$id':'a.json','const':1}}}",
		  "1", VALID, 0 },
	};

	HOLD(rows, given);
}

static void follows_dynamic_references(void)
{
	static const struct row rows[] = {
		{ "{'$id':'http://x/root','$ref':'list','$defs':{'foo':"
		  "{'$dynamicAnchor':'it','type':'string'},'list':{'$id':"
		  "'list','items':{'$dynamicRef':'#it'},'$defs':{'it':"
		  "{'$dynamicAnchor':'it'}}}}}",
		  "['a']", VALID, 0 },
		{ NULL, "[1]", INVALID, 0 },
		/* a pointer does not lead through dynamic scope */
		{ "{'$id':'http://x/root','$ref':'list','$defs':{'foo':"
		  "{'$dynamicAnchor':'it','type':'string'},'list':{'$id':"
		  "'list','items':{'$dynamicRef':'#/$defs/it'},'$defs':{'it':"
		  "{'$dynamicAnchor':'it','type':'number'}}}}}",
		  "[1]", VALID, 0 },
		{ NULL, "['a']", INVALID, 0 },
		/* neither does one that first leads to an $anchor */
		{ "{'$id':'http://x/root','$ref':'list','$defs':{'foo':"
		  "{'$dynamicAnchor':'it','type':'string'},'list':{'$id':"
		  "'list','items':{'$dynamicRef':'#it'},'$defs':{'it':"
		  "{'$anchor':'it'}}}}}",
		  "[1]", VALID, 0 },
		/* an $anchor outside is ignored */
		{ "{'$id':'http://x/root','$ref':'list','$defs':{'foo':"
		  "{'$anchor':'it','type':'string'},'list':{'$id':'list',"
		  "'items':{'$dynamicRef':'#it'},'$defs':{'it':"
		  "{'$dynamicAnchor':'it'}}}}}",
		  "[1]", VALID, 0 },
		/* a scope that was left does not count */
		{ "{'$id':'http://x/main','if':{'$id':'first','$defs':{'t':"
		  "{'$dynamicAnchor':'t','type':'number'}}},'then':{'$id':"
		  "'second','$ref':'start','$defs':{'t':{'$dynamicAnchor':'t',"
		  "'type':'null'}}},'$defs':{'start':{'$id':'start',"
		  "'$dynamicRef':'inner#t'},'t':{'$id':'inner',"
		  "'$dynamicAnchor':'t','type':'string'}}}",
		  "null", VALID, 0 },
		{ NULL, "1", INVALID, 0 },
		{ NULL, "'a'", INVALID, 0 },
		{ "{'$id':'http://h/strict','$dynamicAnchor':'node','$ref':"
		  "'tree.json','unevaluatedProperties':false}",
		  "{'children':[{'data':1}]}", VALID, 0 },
		{ NULL, "{'children':[{'daat':1}]}", INVALID, 0 },
		{ "{'$ref':'http://h/detached.json#/$defs/foo'}", "1", VALID,
		  0 },
		{ NULL, "'a'", INVALID, 0 },
		/* a resource reached past an outer one is not inside it */
		{ "{'$id':'http://x/main','properties':{'b':{'$ref':'item'}},"
		  "'$defs':{'bar':{'$id':'bar','items':{'$ref':'item'},"
		  "'$defs':{'item':{'$id':'item','properties':{'c':"
		  "{'$dynamicRef':'#c'}},'$defs':{'d':{'$dynamicAnchor':'c',"
		  "'type':'integer'}}},'c':{'$dynamicAnchor':'c','type':"
		  "'string'}}}}}",
		  "{'b':{'c':42}}", VALID, 0 },
		{ NULL, "{'b':{'c':'x'}}", INVALID, 0 },
		{ "{'$dynamicRef':'#/$defs/f','$defs':{'f':false}}", "1",
		  INVALID, 0 },
	};

	HOLD(rows, given);
}

static void honours_the_dialect(void)
{
	static const struct row rows[] = {
		{ "{'$schema':'http://h/no-validation.json','properties':{'a':"
		  "{'minimum':10,'type':'oops'},'b':false}}",
		  "{'a':1}", VALID, 0 },
		{ NULL, "{'b':1}", INVALID, 0 },
		/* an embedded schema has the same dialect, unless it names
		 * another */
		{ "{'$schema':'http://h/no-validation.json','$id':'http://x/o',"
		  "'allOf':[{'$id':'n','minimum':5}]}",
		  "1", VALID, 0 },
		{ "{'$schema':'" META "schema#','minimum':10}", "1", INVALID,
		  0 },
		{ "{'$schema':'http://h/must.json'}", "1", FAULT,
		  SCHEMA_INVALID },
		{ "{'$schema':'http://h/nowhere.json'}", "1", FAULT,
		  SCHEMA_UNRESOLVED },
		{ "{'$schema':'http://json-schema.org/draft-07/schema#'}", "1",
		  FAULT, SCHEMA_INVALID },
		{ "{'$schema':'https://json-schema.org/draft/2019-09/schema'}",
		  "1", FAULT, SCHEMA_INVALID },
		{ "{'$ref':'http://h/seven.json'}", "1", FAULT,
		  SCHEMA_INVALID },
		{ "{'$id':'http://x/r','allOf':[{'$id':'n','$schema':"
		  "'http://h/no-validation.json','minimum':5},{'maximum':9}]}",
		  "1", VALID, 0 },
		{ NULL, "10", INVALID, 0 },
	};

	HOLD(rows, given);
}

static void refuses_what_cannot_be_used(void)
{
	static const struct row rows[] = {
		{ "{'$ref':'http://nowhere/x'}", "1", FAULT,
		  SCHEMA_UNRESOLVED },
		{ "{'$defs':{'a':{'$ref':'#/nope'}}}", "1", FAULT,
		  SCHEMA_UNRESOLVED },
		{ "{'$ref':'#nope'}", "1", FAULT, SCHEMA_UNRESOLVED },
		{ "{'$ref':'#/enum','enum':[1]}", "1", FAULT,
		  SCHEMA_UNRESOLVED },
		{ "{'$ref':'#/%zz'}", "1", FAULT, SCHEMA_UNRESOLVED },
		{ "{'type':'strin'}", "1", FAULT, SCHEMA_INVALID },
		{ "{'type':[]}", "1", FAULT, SCHEMA_INVALID },
		{ "{'type':['null','null']}", "1", FAULT, SCHEMA_INVALID },
		{ "{'items':[{}]}", "1", FAULT, SCHEMA_INVALID },
		{ "{'items':{'minLength':-1}}", "1", FAULT, SCHEMA_INVALID },
		{ "{'minLength':1.5}", "1", FAULT, SCHEMA_INVALID },
		{ "{'multipleOf':0}", "1", FAULT, SCHEMA_INVALID },
		{ "{'multipleOf':-1}", "1", FAULT, SCHEMA_INVALID },
		{ "{'maximum':'1'}", "1", FAULT, SCHEMA_INVALID },
		{ "{'required':['a',1]}", "1", FAULT, SCHEMA_INVALID },
		{ "{'required':['a','b','a']}", "1", FAULT, SCHEMA_INVALID },
		{ "{'allOf':[]}", "1", FAULT, SCHEMA_INVALID },
		{ "{'properties':{'a':1}}", "1", FAULT, SCHEMA_INVALID },
		{ "{'$id':'http://x/#frag'}", "1", FAULT, SCHEMA_INVALID },
		{ "{'$anchor':'1a'}", "1", FAULT, SCHEMA_INVALID },
		{ "{'$ref':1}", "1", FAULT, SCHEMA_INVALID },
		{ "{'uniqueItems':1}", "1", FAULT, SCHEMA_INVALID },
		{ "{'enum':1}", "1", FAULT, SCHEMA_INVALID },
		{ "{'dependentRequired':{'a':'b'}}", "1", FAULT,
		  SCHEMA_INVALID },
		{ "{'title':1}", "1", FAULT, SCHEMA_INVALID },
		{ "[]", "1", FAULT, SCHEMA_INVALID },
		{ "{'a':1,}", "1", FAULT, SCHEMA_MALFORMED },
		{ "{'type':'null','type':'null'}", "1", FAULT,
		  SCHEMA_MALFORMED },
		{ "{'pattern':'('}", "1", FAULT, SCHEMA_BAD_PATTERN },
		{ "{'patternProperties':{'[':{}}}", "1", FAULT,
		  SCHEMA_BAD_PATTERN },
	};

	HOLD(rows, given);
}

static void stops_where_there_is_no_end(void)
{
	static const struct row rows[] = {
		{ "{'$ref':'#'}", "1", FAULT, SCHEMA_TOO_DEEP },
		{ "{'$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':"
		  "'#/$defs/a'}},'not':{'$ref':'#/$defs/a'}}",
		  "1", FAULT, SCHEMA_TOO_DEEP },
		{ "{'pattern':'^(a+)+$'}",
		  "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'", FAULT,
		  SCHEMA_MATCH_LIMIT },
		{ NULL, "'aaa'", VALID, 0 },
		{ "{'not':{'pattern':'(a|aa)+$'}}",
		  "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'",
		  FAULT, SCHEMA_MATCH_LIMIT },
		{ "{'$defs':{'a':{'allOf':[{'$ref':'#/$defs/b'},{'$ref':"
		  "'#/$defs/b'},{'$ref':'#/$defs/b'},{'$ref':'#/$defs/b'}]},"
		  "'b':{'allOf':[{'$ref':'#/$defs/c'},{'$ref':'#/$defs/c'},"
		  "{'$ref':'#/$defs/c'},{'$ref':'#/$defs/c'}]},"
		  "'c':{'allOf':[{'$ref':'#/$defs/d'},{'$ref':'#/$defs/d'},"
		  "{'$ref':'#/$defs/d'},{'$ref':'#/$defs/d'}]},"
		  "'d':{'items':{'items':{'items':{'items':{'$ref':"
		  "'#/$defs/a'}}}}}},'$ref':'#/$defs/a'}",
		  "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]"
		  "]"
		  "]]]]]]]]]]]]]]]]]]]]]]]]",
		  FAULT, SCHEMA_TOO_COSTLY },
	};

	HOLD(rows, NULL);
}

static void says_where_and_why(void)
{
	struct schema_fault fault = { 0 };
	struct arena arena = { 0 };
	struct json_error err;
	struct json_value v;
	struct schema_report report;
	struct schema_set *set = set_make(
		"{'$id':'http://x/s','properties':{'a/b':{'items':{'type':"
		"'integer'}}},'required':['z\\u001b']}",
		NULL, &fault);
	static const char text[] = "{\"a/b\":[1,\"x\",null]}";

	(void)json_parse(text, sizeof text - 1, NULL, &arena, &v, &err);
	ok_int(schema_validate(set, &v, &arena, &report, &fault), 0);
	ok(!report.valid && report.len == 3 && report.total == 3);
	ok_has(report.violations[0].message, "lacks the property \"z?\"");
	ok_has(report.violations[1].instance, "/a~1b/1");
	ok_has(report.violations[1].schema,
	       "http://x/s#/properties/a~1b/items/type");
	ok_has(report.violations[1].message, "expected integer, found string");
	schema_set_free(set);
	arena_done(&arena);
	ok(set_make("{'$defs':{'x':{'minLength':-1}}}", NULL, &fault) == NULL);
	ok_has(fault.text, "#/$defs/x/minLength: must be a whole number");
}

static void says_one_thing_in_the_singular(void)
{
	static const struct {
		const char *schema, *text, *message;
	} rows[] = {
		{ "{'minItems':2}", "[1]", "has 1 item, at least 2 required" },
		{ "{'maxItems':1}", "[1,2]", "has 2 items, at most 1 allowed" },
		{ "{'minProperties':2}", "{\"a\":1}",
		  "has 1 property, at least" },
		{ "{'maxProperties':1}", "{\"a\":1,\"b\":1}",
		  "has 2 properties, at" },
		{ "{'minLength':2}", "\"a\"", "has 1 character, at least" },
		{ "{'maxLength':1}", "\"ab\"", "has 2 characters, at most" },
		{ "{'contains':{'const':1},'minContains':2}", "[1]",
		  "contains 1 matching item, at least 2 required" },
		{ "{'contains':{'const':1},'maxContains':1}", "[1,1]",
		  "contains 2 matching items, at most 1 allowed" },
		{ "{'enum':[1]}", "2", "is not the one value allowed" },
		{ "{'enum':[1,3]}", "2", "is not one of the 2 values allowed" },
		{ "{'anyOf':[false]}", "2", "match any of 1 schema" },
		{ "{'oneOf':[false,false]}", "2", "matches 0 of 2 schemas," },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct schema_fault fault = { 0 };
		struct schema_report report;
		struct arena arena = { 0 };
		struct json_error err;
		struct json_value v;
		struct schema_set *set = set_make(rows[i].schema, NULL, &fault);

		(void)json_parse(rows[i].text, strlen(rows[i].text), NULL,
				 &arena, &v, &err);
		ok_int(schema_validate(set, &v, &arena, &report, &fault), 0);
		ok(report.len == 1);
		ok_has(report.violations[0].message, rows[i].message);
		schema_set_free(set);
		arena_done(&arena);
	}
}

static void keeps_few_of_many_violations(void)
{
	struct schema_fault fault = { 0 };
	struct arena arena = { 0 };
	struct json_error err;
	struct json_value v;
	struct schema_report report;
	struct schema_set *set = set_make("{'items':false}", NULL, &fault);
	char text[2000];

	text[0] = '[';
	for (size_t i = 1; i < sizeof text; i++)
		text[i] = i % 2 ? '1' : ',';
	text[sizeof text - 2] = ']';
	(void)json_parse(text, sizeof text - 1, NULL, &arena, &v, &err);
	ok_int(schema_validate(set, &v, &arena, &report, &fault), 0);
	ok(report.len == SCHEMA_VIOLATIONS_MAX && report.total == 999);
	schema_set_free(set);
	arena_done(&arena);
}

static void refuses_documents_given_twice(void)
{
	struct schema_fault fault = { 0 };
	struct schema_set *set = schema_set_new();

	ok_int(schema_set_add(set, "http://x/a", "{}", 2, &fault), 0);
	ok(schema_set_add(set, "http://x/a#", "{}", 2, &fault) < 0);
	ok_int(fault.code, SCHEMA_INVALID);
	ok(schema_set_add(set, "http://x/b#c", "{}", 2, &fault) < 0);
	ok(schema_set_use(set, NULL, &fault) < 0);
	ok_int(fault.code, SCHEMA_UNRESOLVED);
	ok_int(schema_set_use(set, "http://x/a", &fault), 0);
	schema_set_free(set);
	schema_set_free(NULL);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(follows_pointers), CASE(resolves_identifiers),
		CASE(follows_dynamic_references), CASE(honours_the_dialect),
		CASE(refuses_what_cannot_be_used),
		CASE(stops_where_there_is_no_end), CASE(says_where_and_why),
		CASE(says_one_thing_in_the_singular),
		CASE(keeps_few_of_many_violations),
		CASE(refuses_documents_given_twice), TAP_END });
}
