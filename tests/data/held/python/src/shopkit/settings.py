"""Settings from nested dicts, files' texts and the environment."""
import json


def port_of(config):
    return int(config["server"]["port"])  # @here port_of


def timeout_of(config):
    return config.get("server").get("timeout", 30)  # @here timeout_of


def timeout_ok(config: dict):
    return (config.get("server") or {}).get("timeout", 30)  # @here timeout_ok


def lookup(config, dotted):
    here = config
    for part in dotted.split("."):
        here = here[part]  # @here lookup
    return here


def lookup_or(config, dotted, default=None):
    here = config
    for part in dotted.split("."):
        try:
            here = here[part]  # @here lookup_or
        except (KeyError, TypeError, IndexError):
            return default
    return here


def load(text):
    return json.loads(text)  # @here load


def load_or(text, default):
    try:
        return json.loads(text)  # @here load_or
    except ValueError:
        return default


def merge_deep(base, extra):
    for key, value in extra.items():
        if isinstance(value, dict):
            merge_deep(base[key], value)  # @here merge_deep
        else:
            base[key] = value
    return base


def flag(environ, name):
    text = environ.get(name)
    return text.lower() in ("1", "yes", "on")  # @here flag


def flag_default(environ: dict[str, str], name: str):
    text = environ.get(name, "")
    return text.lower() in ("1", "yes", "on")  # @here flag_default


def level(name):
    levels = {"debug": 10, "info": 20}
    return levels[name.lower()]  # @here level


def expand(text, values):
    out = []
    for i, piece in enumerate(text.split("%")):
        out.append(piece if i % 2 == 0 else str(values[piece]))  # @here expand
    return "".join(out)


def size(text):
    units = {"k": 1024, "m": 1024 ** 2}
    return int(text[:-1]) * units[text[-1]]  # @here size


def sections(text):
    out, current = {}, None
    for line in text.splitlines():
        if line.startswith("["):
            current = line.strip("[]")
            out[current] = {}
        elif "=" in line:
            key, _, value = line.partition("=")
            out[current][key.strip()] = value.strip()  # @here sections
    return out


class Settings:
    defaults = {"colour": "auto", "width": 80}

    def __init__(self, values=None, **more):
        self.values = dict(values or {}, **more)

    def __getitem__(self, name):
        return self.values[name]  # @here __getitem__

    def get(self, name):
        return self.values.get(name, self.defaults.get(name))

    def width(self):
        return int(self.get("width"))  # @here width

    def padding(self, columns):
        return self.width() // columns  # @here padding
