/* boundary_schema.c -- the keywords of draft 2020-12, each by its verdicts. */
#include "schema_rows.h"

static void knows_the_types(void)
{
	static const struct row rows[] = {
		{ "true", "1", VALID, 0 },
		{ "false", "1", INVALID, 0 },
		{ "{}", "[{}]", VALID, 0 },
		{ "{'type':'integer'}", "1", VALID, 0 },
		{ NULL, "1.0", VALID, 0 },
		{ NULL, "1e400", VALID, 0 },
		{ NULL, "1.5", INVALID, 0 },
		{ NULL, "'1'", INVALID, 0 },
		{ "{'type':'number'}", "1", VALID, 0 },
		{ NULL, "null", INVALID, 0 },
		{ "{'type':['null','object']}", "null", VALID, 0 },
		{ NULL, "{}", VALID, 0 },
		{ NULL, "[]", INVALID, 0 },
		{ "{'type':'boolean'}", "false", VALID, 0 },
		{ NULL, "0", INVALID, 0 },
		{ "{'const':{'a':[1,2]}}", "{'a':[1.0,2e0]}", VALID, 0 },
		{ NULL, "{'a':[2,1]}", INVALID, 0 },
		{ "{'const':false}", "0", INVALID, 0 },
		{ "{'enum':[[0],null,'a']}", "[0.0]", VALID, 0 },
		{ NULL, "[false]", INVALID, 0 },
		{ "{'const':'a\\u0000b'}", "'a'", INVALID, 0 },
		{ "{'enum':[]}", "1", INVALID, 0 },
	};

	HOLD(rows, NULL);
}

static void counts_exactly(void)
{
	static const struct row rows[] = {
		{ "{'multipleOf':0.01}", "4.35", VALID, 0 },
		{ NULL, "4.351", INVALID, 0 },
		{ NULL, "0", VALID, 0 },
		{ "{'multipleOf':0.0001}", "0.0075", VALID, 0 },
		{ NULL, "0.00751", INVALID, 0 },
		{ "{'multipleOf':0.123456789}", "1e308", INVALID, 0 },
		{ "{'multipleOf':1e-8}", "12391239123", VALID, 0 },
		{ NULL, "1e400000000", VALID, 0 },
		{ NULL, "1e-400000000", INVALID, 0 },
		{ "{'multipleOf':12345678901234567890123}",
		  "24691357802469135780246", VALID, 0 },
		{ NULL, "24691357802469135780247", INVALID, 0 },
		{ "{'multipleOf':1024}", "1e10", VALID, 0 },
		{ NULL, "1e9", INVALID, 0 },
		{ "{'maximum':18446744073709551615}", "18446744073709551615",
		  VALID, 0 },
		{ NULL, "18446744073709551615.1", INVALID, 0 },
		{ "{'exclusiveMaximum':3.0}", "3", INVALID, 0 },
		{ NULL, "2.9999999999999999999999", VALID, 0 },
		{ "{'minimum':-2}", "-2.0", VALID, 0 },
		{ NULL, "-2.0001", INVALID, 0 },
		{ NULL, "-1e99999999999999999999", INVALID, 0 },
		{ "{'exclusiveMinimum':0}", "0.0", INVALID, 0 },
		{ NULL, "1e-99999", VALID, 0 },
		{ "{'maximum':1}", "1e9999999999999999999", INVALID, 0 },
		{ NULL, "1e-9999999999999999999", VALID, 0 },
		{ "{'minimum':1e-9999999999999999999}", "1", VALID, 0 },
		{ NULL, "'x'", VALID, 0 },
		{ "{'maxLength':2.0}", "'\\ud83d\\udca9\\u00e9'", VALID, 0 },
		{ NULL, "'abc'", INVALID, 0 },
		{ "{'minLength':2}", "'\\ud83d\\udca9'", INVALID, 0 },
		{ "{'maxLength':1e30}", "'abc'", VALID, 0 },
		{ "{'minItems':1e30}", "[1]", INVALID, 0 },
	};

	HOLD(rows, NULL);
}

static void holds_arrays(void)
{
	static const struct row rows[] = {
		{ "{'prefixItems':[{'type':'string'}],'items':{'const':1}}",
		  "['a',1,1]", VALID, 0 },
		{ NULL, "['a',1,2]", INVALID, 0 },
		{ NULL, "[1]", INVALID, 0 },
		{ NULL, "[]", VALID, 0 },
		{ "{'items':false}", "[]", VALID, 0 },
		{ NULL, "[1]", INVALID, 0 },
		{ "{'contains':{'minimum':5}}", "[1,6]", VALID, 0 },
		{ NULL, "[1]", INVALID, 0 },
		{ NULL, "[]", INVALID, 0 },
		{ "{'contains':{'const':1},'minContains':2,'maxContains':3}",
		  "[1,2,1]", VALID, 0 },
		{ NULL, "[1,2]", INVALID, 0 },
		{ NULL, "[1,1,1,1]", INVALID, 0 },
		{ "{'contains':false,'minContains':0}", "[1]", VALID, 0 },
		{ "{'minContains':2,'maxContains':0}", "[1]", VALID, 0 },
		{ "{'uniqueItems':true}", "[1,true,[1],{'a':1},'1']", VALID,
		  0 },
		{ NULL, "[1,2,1.00]", INVALID, 0 },
		{ NULL, "[{'a':1,'b':2},{'b':2,'a':1}]", INVALID, 0 },
		{ NULL, "[[0],[false]]", VALID, 0 },
		{ NULL, "['a',0,'b',0e5]", INVALID, 0 },
		{ "{'uniqueItems':false}", "[1,1]", VALID, 0 },
		{ "{'maxItems':1,'minItems':1}", "[1]", VALID, 0 },
		{ NULL, "[]", INVALID, 0 },
		{ NULL, "[1,2]", INVALID, 0 },
		{ NULL, "'ab'", VALID, 0 },
	};

	HOLD(rows, NULL);
}

static void holds_objects(void)
{
	static const struct row rows[] = {
		{ "{'properties':{'a':{'type':'integer'}},"
		  "'patternProperties':{'^x':{'type':'string'}},"
		  "'additionalProperties':{'type':'null'}}",
		  "{'a':1,'xy':'s','z':null}", VALID, 0 },
		{ NULL, "{'a':'1'}", INVALID, 0 },
		{ NULL, "{'xy':1}", INVALID, 0 },
		{ NULL, "{'z':0}", INVALID, 0 },
		{ "{'properties':{'__proto__':{'type':'number'}}}",
		  "{'__proto__':'x'}", INVALID, 0 },
		{ "{'required':['a','b\\u0000c']}", "{'a':1,'b\\u0000c':2}",
		  VALID, 0 },
		{ NULL, "{'a':1,'b':2}", INVALID, 0 },
		{ "{'dependentRequired':{'a':['b']}}", "{'b':1}", VALID, 0 },
		{ NULL, "{'a':1}", INVALID, 0 },
		{ "{'dependentSchemas':{'a':{'required':['b']},'c':false}}",
		  "{'a':1,'b':1}", VALID, 0 },
		{ NULL, "{'a':1}", INVALID, 0 },
		{ NULL, "{'c':1}", INVALID, 0 },
		{ "{'propertyNames':{'maxLength':2}}", "{'ab':1}", VALID, 0 },
		{ NULL, "{'abc':1}", INVALID, 0 },
		{ "{'minProperties':1,'maxProperties':2}", "{'a':1}", VALID,
		  0 },
		{ NULL, "{}", INVALID, 0 },
		{ NULL, "{'a':1,'b':1,'c':1}", INVALID, 0 },
		{ "{'patternProperties':{'a*':{'type':'integer'},"
		  "'aaa*':{'maximum':20}}}",
		  "{'aaaa':31}", INVALID, 0 },
		{ NULL, "{'a':21,'aaaa':18}", VALID, 0 },
	};

	HOLD(rows, NULL);
}

static void combines(void)
{
	static const struct row rows[] = {
		{ "{'allOf':[{'minimum':1},{'maximum':3}]}", "2", VALID, 0 },
		{ NULL, "4", INVALID, 0 },
		{ "{'anyOf':[{'minimum':5},{'type':'string'}]}", "'a'", VALID,
		  0 },
		{ NULL, "1", INVALID, 0 },
		{ "{'oneOf':[{'minimum':2},{'maximum':4}]}", "1", VALID, 0 },
		{ NULL, "3", INVALID, 0 },
		{ "{'not':{'type':'string'}}", "1", VALID, 0 },
		{ NULL, "'a'", INVALID, 0 },
		{ "{'if':{'minimum':10},'then':{'multipleOf':5},"
		  "'else':{'const':1}}",
		  "15", VALID, 0 },
		{ NULL, "11", INVALID, 0 },
		{ NULL, "1", VALID, 0 },
		{ NULL, "2", INVALID, 0 },
		{ "{'then':false,'else':false}", "1", VALID, 0 },
		{ "{'format':'ipv4'}", "'no'", VALID, 0 },
		{ "{'contentMediaType':'application/json'}", "'{'", VALID, 0 },
		{ "{'$comment':'x','unknown':false,'definitions':{'a':5}}", "1",
		  VALID, 0 },
	};

	HOLD(rows, NULL);
}

static void knows_what_was_evaluated(void)
{
	static const struct row rows[] = {
		{ "{'properties':{'a':{}},'allOf':[{'properties':{'b':{}}}],"
		  "'unevaluatedProperties':false}",
		  "{'a':1,'b':1}", VALID, 0 },
		{ NULL, "{'a':1,'c':1}", INVALID, 0 },
		{ "{'anyOf':[{'properties':{'a':{'const':1}},'required':['a']},"
		  "{'properties':{'b':{'const':1}},'required':['b']}],"
		  "'unevaluatedProperties':false}",
		  "{'a':1,'b':1}", VALID, 0 },
		{ NULL, "{'a':1,'b':2}", INVALID, 0 },
		{ "{'not':{'not':{'properties':{'a':{}}}},"
		  "'unevaluatedProperties':false}",
		  "{'a':1}", INVALID, 0 },
		{ "{'if':{'properties':{'a':{'const':1}},'required':['a']},"
		  "'then':{'properties':{'b':{}}},"
		  "'else':{'properties':{'c':{}}},"
		  "'unevaluatedProperties':false}",
		  "{'a':1,'b':0}", VALID, 0 },
		{ NULL, "{'a':2,'c':0}", INVALID, 0 },
		{ NULL, "{'c':0}", VALID, 0 },
		{ "{'allOf':[{'properties':{'a':true},"
		  "'unevaluatedProperties':false},{'properties':{'b':{}}}]}",
		  "{'a':1,'b':1}", INVALID, 0 },
		{ "{'allOf':[{'unevaluatedProperties':true}],"
		  "'unevaluatedProperties':false}",
		  "{'x':1}", VALID, 0 },
		{ "{'dependentSchemas':{'a':{'properties':{'b':{}}}},"
		  "'properties':{'a':{}},'unevaluatedProperties':false}",
		  "{'a':1,'b':1}", VALID, 0 },
		{ NULL, "{'b':1}", INVALID, 0 },
		{ "{'$ref':'#/$defs/x','unevaluatedProperties':false,"
		  "'$defs':{'x':{'patternProperties':{'^p':{}}}}}",
		  "{'p1':1}", VALID, 0 },
		{ NULL, "{'q1':1}", INVALID, 0 },
		{ "{'prefixItems':[{}],'allOf':[{'prefixItems':[{},{}]}],"
		  "'unevaluatedItems':false}",
		  "[1,2]", VALID, 0 },
		{ NULL, "[1,2,3]", INVALID, 0 },
		{ "{'contains':{'const':1},'unevaluatedItems':{'const':2}}",
		  "[1,2,1]", VALID, 0 },
		{ NULL, "[1,3]", INVALID, 0 },
		{ "{'allOf':[{'items':{}}],'unevaluatedItems':false}", "[1,2]",
		  VALID, 0 },
		{ "{'unevaluatedItems':{'type':'null'}}", "[null]", VALID, 0 },
		{ NULL, "[0]", INVALID, 0 },
		{ "{'properties':{'a':{'items':{}}},'unevaluatedItems':false}",
		  "[1]", INVALID, 0 },
		{ "{'unevaluatedProperties':false,'properties':{'a':"
		  "{'properties':{'c':{}}}}}",
		  "{'c':1}", INVALID, 0 },
	};

	HOLD(rows, NULL);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(knows_the_types), CASE(counts_exactly), CASE(holds_arrays),
		CASE(holds_objects), CASE(combines),
		CASE(knows_what_was_evaluated), TAP_END });
}
