/* toml.c -- see toml.h. */
#include "parsers/toml/toml.h"

#include <errno.h>
#include <string.h>

#include "base/utf8.h"
#include "parsers/toml/toml_lex.h"

bool toml_fail(struct toml *t, const char *code, size_t at, const char *message)
{
	if (!t->has_failed)
		report_note(&t->report->errors, code, t->in,
			    (int64_t)(at + (t->in->len - t->len)), message);
	t->has_failed = true;
	return false;
}

int toml_peek(const struct toml *t)
{
	return t->at < t->len ? (unsigned char)t->bytes[t->at] : -1;
}

void toml_blanks_pass(struct toml *t)
{
	while (toml_peek(t) == ' ' || toml_peek(t) == '\t')
		t->at++;
}

static bool is_taken(struct toml *t, char c)
{
	if (toml_peek(t) != c)
		return false;
	t->at++;
	return true;
}

static bool expect(struct toml *t, char c, const char *message)
{
	toml_blanks_pass(t);
	return is_taken(t, c) || toml_fail(t, "toml_syntax", t->at, message);
}

/* Skip a comment up to the end of its line, which stays. */
static bool comment_pass(struct toml *t)
{
	if (toml_peek(t) != '#')
		return true;
	for (; t->at < t->len && t->bytes[t->at] != '\n'; t->at++) {
		unsigned char c = (unsigned char)t->bytes[t->at];
		bool is_end = c == '\r' && t->at + 1 < t->len &&
			      t->bytes[t->at + 1] == '\n';

		if (is_end)
			break;
		if ((c < ' ' && c != '\t') || c == 127)
			return toml_fail(t, "toml_syntax", t->at,
					 "a control character in a comment");
	}
	return true;
}

static bool is_newline_taken(struct toml *t)
{
	if (is_taken(t, '\n'))
		return true;
	if (t->len - t->at < 2 || memcmp(t->bytes + t->at, "\r\n", 2) != 0)
		return false;
	t->at += 2;
	return true;
}

/* Skip the rest of a line, which may only be a comment. */
static bool line_end(struct toml *t)
{
	toml_blanks_pass(t);
	if (!comment_pass(t))
		return false;
	return t->at == t->len || is_newline_taken(t) ||
	       toml_fail(t, "toml_syntax", t->at,
			 "expected the end of the line");
}

/* Skip what may stand between the items of an array. */
static bool gaps_pass(struct toml *t)
{
	do {
		toml_blanks_pass(t);
		if (!comment_pass(t))
			return false;
	} while (is_newline_taken(t));
	return true;
}

static bool value_read(struct toml *t, struct toml_node *n);

/* Read [1, 2,] into n. */
static bool array_read(struct toml *t, struct toml_node *n)
{
	struct toml_node *item;

	n->kind = TOML_ARRAY;
	t->at++;
	for (;;) {
		if (!gaps_pass(t))
			return false;
		if (is_taken(t, ']'))
			return true;
		item = toml_item_add(t, n, TOML_SCALAR, t->at);
		if (item == NULL || !value_read(t, item) || !gaps_pass(t))
			return false;
		if (!is_taken(t, ',') && toml_peek(t) != ']')
			return toml_fail(t, "toml_syntax", t->at,
					 "expected ',' or ']'");
	}
}

/* The table that a dotted key adds to: a dotted key made it, or it is made
 * now. */
static struct toml_node *dotted_open(struct toml *t, struct toml_node *table,
				     struct json_text name, size_t at)
{
	struct toml_node *n = toml_member_find(table, name);

	if (n == NULL) {
		n = toml_member_add(t, table, name, TOML_TABLE, at);
		if (n != NULL)
			n->is_dotted = true;
		return n;
	}
	if (n->kind == TOML_TABLE && n->is_dotted)
		return n;
	(void)toml_fail(t, "duplicate_name", at,
			"a dotted key adds to a value that exists already");
	return NULL;
}

/* Read "a.b = value" into table. */
static bool member_read(struct toml *t, struct toml_node *table)
{
	struct json_text name;
	struct toml_node *n;
	size_t at;

	for (;;) {
		toml_blanks_pass(t);
		at = t->at;
		if (!toml_key_read(t, &name))
			return false;
		toml_blanks_pass(t);
		if (!is_taken(t, '.'))
			break;
		table = dotted_open(t, table, name, at);
		if (table == NULL)
			return false;
	}
	if (!expect(t, '=', "expected '='"))
		return false;
	n = toml_member_add(t, table, name, TOML_SCALAR, at);
	toml_blanks_pass(t);
	return n != NULL && value_read(t, n);
}

/* Read { a = 1, b = 2 } into n. */
static bool inline_read(struct toml *t, struct toml_node *n)
{
	n->kind = TOML_INLINE;
	t->at++;
	toml_blanks_pass(t);
	if (is_taken(t, '}'))
		return true;
	for (;;) {
		if (!member_read(t, n))
			return false;
		toml_blanks_pass(t);
		if (is_taken(t, '}'))
			return true;
		if (!expect(t, ',', "expected ',' or '}'"))
			return false;
	}
}

/* The recursion is as deep as nodes may be nested (toml_node_new). */
static bool value_read(struct toml *t, struct toml_node *n)
{
	n->offset = t->at;
	switch (toml_peek(t)) {
	case '"':
	case '\'':
		n->scalar.type = JSON_STRING;
		return toml_string_read(t, &n->scalar.u.string);
	case '[':
		return array_read(t, n);
	case '{':
		return inline_read(t, n);
	default:
		return toml_scalar_read(t, &n->scalar);
	}
}

/* Enter a table on the path of a header. */
static struct toml_node *header_enter(struct toml *t, struct toml_node *table,
				      struct json_text name, size_t at)
{
	struct toml_node *n = toml_member_find(table, name);

	if (n == NULL)
		return toml_member_add(t, table, name, TOML_TABLE, at);
	if (n->kind == TOML_TABLE)
		return n;
	if (n->kind == TOML_TABLES)
		return n->last;
	(void)toml_fail(t, "duplicate_name", at, "the value is not a table");
	return NULL;
}

static struct toml_node *table_open(struct toml *t, struct toml_node *table,
				    struct json_text name, size_t at)
{
	struct toml_node *n = toml_member_find(table, name);

	if (n == NULL)
		n = toml_member_add(t, table, name, TOML_TABLE, at);
	else if (n->kind != TOML_TABLE || n->is_defined || n->is_dotted) {
		(void)toml_fail(t, "duplicate_name", at,
				"the table exists already");
		n = NULL;
	}
	if (n != NULL)
		n->is_defined = true;
	return n;
}

static struct toml_node *tables_open(struct toml *t, struct toml_node *table,
				     struct json_text name, size_t at)
{
	struct toml_node *n = toml_member_find(table, name);

	if (n == NULL)
		n = toml_member_add(t, table, name, TOML_TABLES, at);
	else if (n->kind != TOML_TABLES) {
		(void)toml_fail(t, "duplicate_name", at,
				"the value exists already, and is not an array "
				"of tables");
		n = NULL;
	}
	if (n == NULL)
		return NULL;
	n = toml_item_add(t, n, TOML_TABLE, at);
	if (n != NULL)
		n->is_defined = true;
	return n;
}

/* "[a.b]" or "[[a.b]]": open the table that the following lines fill. */
static struct toml_node *header_read(struct toml *t, struct toml_node *root)
{
	struct toml_node *table = root;
	struct json_text name;
	bool is_many;
	size_t at;

	t->at++;
	is_many = is_taken(t, '[');
	for (;;) {
		toml_blanks_pass(t);
		at = t->at;
		if (!toml_key_read(t, &name))
			return NULL;
		toml_blanks_pass(t);
		if (!is_taken(t, '.'))
			break;
		table = header_enter(t, table, name, at);
		if (table == NULL)
			return NULL;
	}
	if (!expect(t, ']', "expected ']'"))
		return NULL;
	if (is_many && !is_taken(t, ']')) {
		(void)toml_fail(t, "toml_syntax", t->at, "expected ']]'");
		return NULL;
	}
	return is_many ? tables_open(t, table, name, at)
		       : table_open(t, table, name, at);
}

static bool document_read(struct toml *t, struct toml_node *root)
{
	struct toml_node *table = root;

	while (t->at < t->len) {
		toml_blanks_pass(t);
		if (toml_peek(t) == '[') {
			table = header_read(t, root);
			if (table == NULL)
				return false;
		} else if (t->at < t->len &&
			   strchr("#\r\n", t->bytes[t->at]) == NULL &&
			   !member_read(t, table)) {
			return false;
		}
		if (!line_end(t))
			return false;
	}
	return true;
}

static size_t bad_utf8_find(const char *bytes, size_t n)
{
	size_t at = 0, len;

	while (at < n && (len = utf8_read(bytes + at, n - at, NULL)) > 0)
		at += len;
	return at;
}

int toml_read(const struct parse_input *in, struct arena *arena,
	      size_t memory_bytes, struct json_value *ret,
	      struct parse_report *r)
{
	const size_t skip = input_bom_note(in, r);
	struct toml t = { .in = in,
			  .report = r,
			  .bytes = in->bytes + skip,
			  .len = in->len - skip,
			  .arena = arena,
			  .before = arena->used,
			  .memory_bytes = memory_bytes };
	const size_t bad = bad_utf8_find(t.bytes, t.len);
	struct toml_node *root;
	struct json_value v;

	if (bad < t.len) {
		(void)toml_fail(&t, "bad_utf8", bad, "not UTF-8");
		return -EINVAL;
	}
	root = toml_node_new(&t, TOML_TABLE, 0, 0);
	if (root == NULL || !document_read(&t, root) ||
	    !toml_tree_convert(&t, root, &v))
		return -EINVAL;
	*ret = v;
	return 0;
}
