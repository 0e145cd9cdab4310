/* pattern_property.c -- \p{...}: the properties that ECMA-262 names, as PCRE2
 * writes them.  Source: ECMA-262, tables 69 to 71 of its 2024 edition. */
#include <string.h>

#include "boundary/pattern_private.h"

/* General categories: PCRE2's name, then every name that ECMA-262 allows. */
static const char *const categories[][4] = {
	{ "L", "L", "Letter" },
	{ "L&", "LC", "Cased_Letter" },
	{ "Lu", "Lu", "Uppercase_Letter" },
	{ "Ll", "Ll", "Lowercase_Letter" },
	{ "Lt", "Lt", "Titlecase_Letter" },
	{ "Lm", "Lm", "Modifier_Letter" },
	{ "Lo", "Lo", "Other_Letter" },
	{ "M", "M", "Mark", "Combining_Mark" },
	{ "Mn", "Mn", "Nonspacing_Mark" },
	{ "Mc", "Mc", "Spacing_Mark" },
	{ "Me", "Me", "Enclosing_Mark" },
	{ "N", "N", "Number" },
	{ "Nd", "Nd", "Decimal_Number", "digit" },
	{ "Nl", "Nl", "Letter_Number" },
	{ "No", "No", "Other_Number" },
	{ "P", "P", "Punctuation", "punct" },
	{ "Pc", "Pc", "Connector_Punctuation" },
	{ "Pd", "Pd", "Dash_Punctuation" },
	{ "Ps", "Ps", "Open_Punctuation" },
	{ "Pe", "Pe", "Close_Punctuation" },
	{ "Pi", "Pi", "Initial_Punctuation" },
	{ "Pf", "Pf", "Final_Punctuation" },
	{ "Po", "Po", "Other_Punctuation" },
	{ "S", "S", "Symbol" },
	{ "Sm", "Sm", "Math_Symbol" },
	{ "Sc", "Sc", "Currency_Symbol" },
	{ "Sk", "Sk", "Modifier_Symbol" },
	{ "So", "So", "Other_Symbol" },
	{ "Z", "Z", "Separator" },
	{ "Zs", "Zs", "Space_Separator" },
	{ "Zl", "Zl", "Line_Separator" },
	{ "Zp", "Zp", "Paragraph_Separator" },
	{ "C", "C", "Other" },
	{ "Cc", "Cc", "Control", "cntrl" },
	{ "Cf", "Cf", "Format" },
	{ "Cs", "Cs", "Surrogate" },
	{ "Co", "Co", "Private_Use" },
	{ "Cn", "Cn", "Unassigned" },
};

/* Properties that are true or false of a character. */
static const char *const binaries[] = {
	"ASCII",
	"ASCII_Hex_Digit",
	"AHex",
	"Alphabetic",
	"Alpha",
	"Bidi_Control",
	"Bidi_C",
	"Bidi_Mirrored",
	"Bidi_M",
	"Case_Ignorable",
	"CI",
	"Cased",
	"Changes_When_Casefolded",
	"CWCF",
	"Changes_When_Casemapped",
	"CWCM",
	"Changes_When_Lowercased",
	"CWL",
	"Changes_When_Titlecased",
	"CWT",
	"Changes_When_Uppercased",
	"CWU",
	"Dash",
	"Default_Ignorable_Code_Point",
	"DI",
	"Deprecated",
	"Dep",
	"Diacritic",
	"Dia",
	"Emoji",
	"Emoji_Component",
	"EComp",
	"Emoji_Modifier",
	"EMod",
	"Emoji_Modifier_Base",
	"EBase",
	"Emoji_Presentation",
	"EPres",
	"Extended_Pictographic",
	"ExtPict",
	"Extender",
	"Ext",
	"Grapheme_Base",
	"Gr_Base",
	"Grapheme_Extend",
	"Gr_Ext",
	"Hex_Digit",
	"Hex",
	"IDS_Binary_Operator",
	"IDSB",
	"IDS_Trinary_Operator",
	"IDST",
	"ID_Continue",
	"IDC",
	"ID_Start",
	"IDS",
	"Ideographic",
	"Ideo",
	"Join_Control",
	"Join_C",
	"Logical_Order_Exception",
	"LOE",
	"Lowercase",
	"Lower",
	"Math",
	"Noncharacter_Code_Point",
	"NChar",
	"Pattern_Syntax",
	"Pat_Syn",
	"Pattern_White_Space",
	"Pat_WS",
	"Quotation_Mark",
	"QMark",
	"Radical",
	"Regional_Indicator",
	"RI",
	"Sentence_Terminal",
	"STerm",
	"Soft_Dotted",
	"SD",
	"Terminal_Punctuation",
	"Term",
	"Unified_Ideograph",
	"UIdeo",
	"Uppercase",
	"Upper",
	"Variation_Selector",
	"VS",
	"White_Space",
	"space",
	"XID_Continue",
	"XIDC",
	"XID_Start",
	"XIDS",
};

struct word {
	const char *at;
	size_t len;
};

static bool word_is(struct word w, const char *text)
{
	return text != NULL && strlen(text) == w.len &&
	       memcmp(w.at, text, w.len) == 0;
}

static struct word read_word(struct ecma *e)
{
	struct word w = { e->text + e->at, 0 };

	for (;; e->at++, w.len++) {
		int c = ecma_peek(e, 0);

		if (!((c | 0x20) >= 'a' && (c | 0x20) <= 'z') &&
		    !(c >= '0' && c <= '9') && c != '_')
			return w;
	}
}

static const char *category_find(struct word w)
{
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		for (size_t k = 1; k < 4; k++)
			if (word_is(w, categories[i][k]))
				return categories[i][0];
	return NULL;
}

static bool is_binary(struct word w)
{
	for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
		if (word_is(w, binaries[i]))
			return true;
	return false;
}

static bool put_alone(struct ecma *e, struct word w, char p, struct buf *set)
{
	const char *category = category_find(w);

	if (category != NULL) {
		buf_format(set, "\\%c{%s}", p, category);
	} else if (word_is(w, "Any")) {
		if (p == 'p')
			buf_text(set, "\\x{0}-\\x{10ffff}");
	} else if (word_is(w, "Assigned")) {
		buf_format(set, "\\%c{Cn}", p == 'p' ? 'P' : 'p');
	} else if (is_binary(w)) {
		buf_format(set, "\\%c{%.*s}", p, (int)w.len, w.at);
	} else {
		return ecma_fail(e, "a property that ECMA-262 knows");
	}
	return true;
}

static bool put_pair(struct ecma *e, struct word name, struct word value,
		     char p, struct buf *set)
{
	const char *category = category_find(value);
	const char *kind = NULL;

	if (word_is(name, "General_Category") || word_is(name, "gc")) {
		if (category == NULL)
			return ecma_fail(e, "a general category");
		buf_format(set, "\\%c{%s}", p, category);
		return true;
	}
	if (word_is(name, "Script") || word_is(name, "sc"))
		kind = "sc";
	if (word_is(name, "Script_Extensions") || word_is(name, "scx"))
		kind = "scx";
	if (kind == NULL || value.len == 0)
		return ecma_fail(e, "a property that ECMA-262 knows");
	buf_format(set, "\\%c{%s:%.*s}", p, kind, (int)value.len, value.at);
	return true;
}

bool ecma_property(struct ecma *e, bool negated, struct buf *set)
{
	struct word name;
	struct word value = { 0 };
	bool pair;
	char p = negated ? 'P' : 'p';

	if (ecma_peek(e, 0) != '{')
		return ecma_fail(e, "\\p{...}");
	e->at++;
	name = read_word(e);
	pair = ecma_peek(e, 0) == '=';
	if (pair) {
		e->at++;
		value = read_word(e);
	}
	if (ecma_peek(e, 0) != '}')
		return ecma_fail(e, "\\p{...}");
	e->at++;
	return pair ? put_pair(e, name, value, p, set)
		    : put_alone(e, name, p, set);
}
