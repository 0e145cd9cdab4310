"""tables.py -- tables of what a call says about the things it is given."""


def words(text):
    return frozenset(text.split())


STR_METHODS = words(
    "split strip lower upper encode startswith endswith splitlines rstrip "
    "lstrip isdigit isalpha isalnum isspace isupper islower isnumeric "
    "isdecimal isidentifier title capitalize swapcase partition rpartition "
    "rsplit rfind ljust rjust zfill center format format_map casefold "
    "translate expandtabs removeprefix removesuffix find")
BYTES_METHODS = words("decode hex")
DATE_METHODS = words("strftime isoformat isoweekday isocalendar")
DELTA_ATTRIBUTES = words("total_seconds days")
LIST_METHODS = words("append extend sort insert reverse")
DICT_METHODS = words("items keys values setdefault get")
SET_METHODS = words("add discard union intersection difference issubset "
                    "issuperset symmetric_difference")
QUEUE_METHODS = words("appendleft popleft")
FILE_METHODS = words("read readline readlines")
# The kind of value that a method returns.
RESULT = dict.fromkeys(
    words("strip lower upper rstrip lstrip title capitalize swapcase ljust "
          "rjust zfill center format casefold translate replace expandtabs "
          "decode hex read readline join removeprefix removesuffix"), "str")
RESULT.update(dict.fromkeys(words("find rfind count index rindex"), "int"))
RESULT.update(dict.fromkeys(words(
    "startswith endswith isdigit isalpha isalnum isspace isupper islower "
    "isnumeric isdecimal isidentifier issubset issuperset"), "bool"))
RESULT["encode"] = "bytes"
STR_LISTS = words("split rsplit splitlines partition rpartition readlines")

SIZED_CALLS = words("len sum max min sorted list tuple set enumerate reversed "
                    "any all zip iter map filter frozenset deque Counter "
                    "dict chain fsum mean median")
NUM_CALLS = words("abs round divmod pow float hex oct bin")
MATH = words(
    "sqrt exp log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh "
    "tanh floor ceil trunc fabs pow hypot degrees radians expm1 copysign "
    "fmod ldexp gamma lgamma acosh asinh atanh erf isnan isinf isfinite")
MATH_INT = words("factorial comb perm gcd lcm isqrt")
# The edges of the domain.  They are tried first when a call of the function is
# what may fail.
DOMAIN = {
    "sqrt": [-1], "isqrt": [-1], "log": [0, -1], "log2": [0, -1],
    "log10": [0, -1], "log1p": [-1, -2], "acos": [2, -2], "asin": [2, -2],
    "factorial": [-1], "comb": [-1], "perm": [-1], "exp": [1000],
    "expm1": [1000], "cosh": [1000], "sinh": [1000], "gamma": [0, -1, 200],
    "lgamma": [0, -1], "atanh": [1, -1], "acosh": [0], "chr": [-1, 0x110000],
}
NUMBER_TEXT = words("int float Decimal Fraction complex")
JSON_TEXT = words("json.loads loads json.JSONDecoder.decode")
DATE_TEXT = words("fromisoformat strptime fromtimestamp")
PATH_CALLS = words("open os.listdir os.stat os.open os.path.getsize "
                   "io.open os.remove os.scandir Path")
TEXT_CALLS = words("ord re.match re.search re.findall re.sub re.split "
                   "re.compile re.fullmatch os.path.join os.path.basename "
                   "os.path.splitext os.path.dirname os.path.exists "
                   "shlex.split html.escape urlparse literal_eval "
                   "ast.literal_eval unhexlify a2b_hex fromhex b64decode")
