# CUPEL_BABEL_PARSER -- @babel/parser (MIT), which the JavaScript runner embeds.
# Sets BABEL_PARSER to a file, or to nothing: then no JavaScript flag is looked
# at.  `./bootstrap deps` puts it into build/parser.
AC_DEFUN([CUPEL_BABEL_PARSER], [
  AC_ARG_WITH([babel-parser],
    [AS_HELP_STRING([--with-babel-parser=FILE],
      [lib/index.js of @babel/parser 7, for JavaScript flags])],
    [], [with_babel_parser=check])
  AC_MSG_CHECKING([for @babel/parser])
  BABEL_PARSER=
  AS_CASE([$with_babel_parser],
    [no], [],
    [yes|check],
    [for file in "`pwd`/parser/index.js" \
         "`cd "$srcdir" && pwd`/build/parser/index.js" \
         /usr/share/nodejs/@babel/parser/lib/index.js; do
       AS_IF([test -z "$BABEL_PARSER" && test -r "$file"],
         [BABEL_PARSER=$file])
     done],
    [BABEL_PARSER=$with_babel_parser])
  AS_IF([test -n "$BABEL_PARSER"],
    [AS_IF([grep -q tokTypes "$BABEL_PARSER"], [],
       [AC_MSG_ERROR([$BABEL_PARSER is not @babel/parser])])
     AC_MSG_RESULT([$BABEL_PARSER])],
    [AC_MSG_RESULT([no])
     AS_IF([test "x$with_babel_parser" = xyes],
       [AC_MSG_ERROR([--with-babel-parser: not found])])
     AS_IF([test "x$with_babel_parser" = xcheck],
       [AC_MSG_WARN(m4_normalize([no @babel/parser: JavaScript flags end as
         input-synthesis-failed (no-parser); ./bootstrap deps fetches it]))])])
  AC_SUBST([BABEL_PARSER])
])
