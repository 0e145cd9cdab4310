"""worker_keys.py -- certificates for a server, and credentials as nsc writes them,
by openssl.

Must:     make every key new, in the directory that is given
"""
import base64
import hashlib
import json
import subprocess

ACCOUNT, OPERATOR, USER, SEED = 0, 14 << 3, 20 << 3, 18 << 3


def openssl(*words, **kw):
    return subprocess.run(("openssl",) + words, check=True,
                          capture_output=True, **kw).stdout


# --- certificates ---------------------------------------------------------------

def authority(place, name):
    """A certificate that signs others: (path of it, of its key)."""
    cert, key = "%s/%s.pem" % (place, name), "%s/%s.key" % (place, name)
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
            "/CN=" + name, "-keyout", key, "-out", cert)
    return cert, key


def certificate(place, name, by, alternative):
    """A signed certificate of a server: (path of it, of its key)."""
    cert, key = "%s/%s.pem" % (place, name), "%s/%s.key" % (place, name)
    with open(place + "/extension", "w", encoding="ascii") as f:
        f.write("subjectAltName=%s\n" % alternative)
    request = openssl("req", "-newkey", "ec", "-pkeyopt",
                      "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                      "/CN=" + name, "-keyout", key)
    openssl("x509", "-req", "-days", "2", "-CA", by[0], "-CAkey", by[1],
            "-CAcreateserial", "-extfile", place + "/extension", "-out", cert,
            input=request)
    return cert, key


# --- keys of users, and what vouches for them: an nkey and a JWT ----------------

def checksum(data):
    """CRC-16 as in XMODEM."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xffff
    return crc.to_bytes(2, "little")


def text_of(data):
    return base64.b32encode(data + checksum(data)).decode().rstrip("=")


def plain64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Key:
    """A pair of ed25519 keys."""

    def __init__(self, place, name, kind):
        self.path = "%s/%s.nk" % (place, name)
        openssl("genpkey", "-algorithm", "ed25519", "-out", self.path)
        of = ("pkey", "-in", self.path, "-outform", "DER")
        secret = openssl(*of)[-32:]
        self.name = text_of(bytes([kind]) + openssl(*of, "-pubout")[-32:])
        self.seed = text_of(bytes([SEED | kind >> 5, (kind & 31) << 3]) +
                            secret)

    def says(self, of, name, **nats):
        """A JWT about another key."""
        claims = {"iat": 1, "iss": self.name, "name": name, "sub": of.name,
                  "nats": dict(nats, version=2)}
        claims["jti"] = base64.b32encode(hashlib.sha256(json.dumps(
            claims).encode()).digest()).decode().rstrip("=")
        text = ".".join(plain64(json.dumps(part).encode()) for part in (
            {"typ": "JWT", "alg": "ed25519-nkey"}, claims))
        with open(self.path + ".text", "w", encoding="ascii") as f:
            f.write(text)
        return text + "." + plain64(openssl(
            "pkeyutl", "-sign", "-rawin", "-inkey", self.path, "-in",
            self.path + ".text"))


NO_LIMIT = {k: -1 for k in (
    "subs", "data", "payload", "imports", "exports", "conn", "leaf",
    "mem_storage", "disk_storage", "streams", "consumer")}


class Operator:
    """The operator, who vouches for one account, and the account's users."""

    def __init__(self, place):
        self.place = place
        self.key = Key(place, "operator", OPERATOR)
        self.account = Key(place, "account", ACCOUNT)
        self.system = Key(place, "system", ACCOUNT)

    def settings(self):
        """The settings of a server that trusts it."""
        text = self.key.says(self.key, "operator", type="operator",
                             system_account=self.system.name)
        accounts = [(a.name, self.key.says(
            a, "account", type="account",
            limits=dict(NO_LIMIT if a is self.account else {},
                        wildcards=True, conn=-1, subs=-1, data=-1, payload=-1)))
            for a in (self.account, self.system)]
        return "operator: %s\nresolver: MEMORY\nresolver_preload: {\n%s}\n" % (
            text, "".join("%s: %s\n" % a for a in accounts))

    def credentials(self, name, publish, subscribe):
        """The text of a credentials file for a user with these permissions."""
        user = Key(self.place, name, USER)
        text = self.account.says(
            user, name, type="user", subs=-1, data=-1, payload=-1,
            pub={"allow": publish}, sub={"allow": subscribe})
        return ("-----BEGIN NATS USER JWT-----\n%s\n"
                "------END NATS USER JWT------\n\n"
                "-----BEGIN USER NKEY SEED-----\n%s\n"
                "------END USER NKEY SEED------\n" % (text, user.seed))
