# CUPEL_DEV_FLAGS -- language, warnings, and --enable-sanitize[=asan|tsan|fuzz].
# Sets CUPEL_CFLAGS and CUPEL_SAN; never touches the user's CFLAGS.
AC_DEFUN([CUPEL_DEV_FLAGS], [
  CUPEL_CFLAGS="-std=gnu17 -D_GNU_SOURCE -fvisibility=hidden"
  CUPEL_CFLAGS="$CUPEL_CFLAGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow"
  CUPEL_CFLAGS="$CUPEL_CFLAGS -Wstrict-prototypes -Wmissing-prototypes -Wvla"
  CUPEL_CFLAGS="$CUPEL_CFLAGS -Wno-gnu-zero-variadic-macro-arguments"
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [fail on warnings])])
  AS_IF([test "x$enable_werror" = xyes], [CUPEL_CFLAGS="$CUPEL_CFLAGS -Werror"])
  AC_ARG_ENABLE([sanitize],
    [AS_HELP_STRING([--enable-sanitize=KIND], [asan (with ubsan), tsan or fuzz (clang)])])
  AS_CASE([$enable_sanitize],
    [yes|asan], [CUPEL_SAN="-fsanitize=address,undefined"],
    [tsan],     [CUPEL_SAN="-fsanitize=thread"],
    [fuzz],     [CUPEL_SAN="-fsanitize=fuzzer-no-link,address,undefined"],
    [CUPEL_SAN=""])
  AS_IF([test -n "$CUPEL_SAN"],
    [CUPEL_SAN="$CUPEL_SAN -fno-sanitize-recover=all -fno-omit-frame-pointer"])
  AM_CONDITIONAL([PLAIN_BUILD], [test -z "$CUPEL_SAN"])
  AC_SUBST([CUPEL_CFLAGS]) AC_SUBST([CUPEL_SAN])
])
