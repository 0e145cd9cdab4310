"""make_repo.py -- repositories of known sizes for the gather bench.

usage: make_repo.py small|workspace|many|pnpm DIR

The same bytes each time: what differs between two runs of the bench is the
machine.
"""
import hashlib
import json
import os
import sys

LOCK_BYTES = 10 << 20
PNPM_BYTES = 50 << 20
FILES = 50000


def put(root, name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def integrity(name):
    import base64
    digest = hashlib.sha512(name.encode()).digest()
    return "sha512-" + base64.b64encode(digest).decode()


def package(name, deps, **more):
    p = {"name": name, "version": "1.0.0",
         "scripts": {"build": "tsc -p .", "test": "jest", "lint": "eslint ."},
         "dependencies": {d: "^1.0.0" for d in deps},
         "devDependencies": {"jest": "^29.0.0", "typescript": "^5.0.0"}}
    p.update(more)
    return json.dumps(p, indent=2) + "\n"


def lock(size):
    """A package-lock.json of version 3 with at least size bytes."""
    packages = {"": {"name": "root", "version": "1.0.0"}}
    n = bytes_ = 0
    while bytes_ < size:
        name = "lib-%06d" % n
        packages["node_modules/" + name] = {
            "version": "1.%d.0" % (n % 90),
            "resolved": "https://registry.example/%s/-/%s-1.tgz" % (name, name),
            "integrity": integrity(name), "license": "MIT",
            "dependencies": {"lib-%06d" % (n // 2): "^1.0.0"},
            "engines": {"node": ">=18"}}
        bytes_ += 420
        n += 1
    return json.dumps({"name": "root", "version": "1.0.0",
                       "lockfileVersion": 3, "requires": True,
                       "packages": packages}, indent=2) + "\n"


WORKFLOW = """name: ci
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: {node-version: 20}
      - run: npm ci
      - run: npm test
  image:
    needs: test
    runs-on: ubuntu-latest
    steps:
      - run: docker build -t registry.example/app:${{ github.sha }} .
"""

MANIFEST = """apiVersion: apps/v1
kind: Deployment
metadata: {name: %s}
spec:
  template:
    spec:
      containers:
        - name: app
          image: registry.example/%s:1.0
          livenessProbe: {httpGet: {path: /healthz, port: 8080}}
---
apiVersion: v1
kind: Service
metadata: {name: %s}
"""


def base(root):
    put(root, ".github/workflows/ci.yml", WORKFLOW)
    put(root, "Dockerfile", "FROM node:20\nCOPY . /app\nCMD [\"node\"]\n")
    put(root, "tsconfig.json", '{"compilerOptions": {"strict": true}}\n')
    put(root, ".nvmrc", "20\n")
    for name in ("web", "api"):
        put(root, "deploy/%s.yaml" % name, MANIFEST % (name, name, name))


def small(root):
    base(root)
    put(root, "package.json", package("root", ["express", "pino"]))
    put(root, "package-lock.json", lock(40 << 10))
    for i in range(20):
        put(root, "src/part%d.ts" % i, "export const x = %d;\n" % i)
        put(root, "test/part%d.test.ts" % i, "it('works', () => {});\n")


def workspace(root):
    base(root)
    put(root, "package.json",
        package("root", [], private=True, workspaces=["packages/*"]))
    put(root, "package-lock.json", lock(LOCK_BYTES))
    for i in range(60):
        at = "packages/p%02d" % i
        put(root, at + "/package.json",
            package("@root/p%02d" % i,
                    ["lib-%06d" % (i * 7 + k) for k in range(20)]))
        put(root, at + "/tsconfig.json", '{"extends": "../../tsconfig.json"}\n')
        for k in range(10):
            put(root, "%s/src/m%d.ts" % (at, k), "export const y = 1;\n")
            put(root, "%s/test/m%d.test.ts" % (at, k), "it('y', () => {});\n")


def many(root):
    small(root)
    have = sum(len(f) for _, _, f in os.walk(root))
    for i in range(FILES - have):
        put(root, "lib/d%02d/e%02d/file%d.%s"
            % (i % 50, i // 50 % 40, i, ("c", "h", "py", "txt")[i % 4]), "x\n")


def pnpm(root):
    put(root, "package.json", package("root", ["express"]))
    put(root, "pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n")
    out = ["lockfileVersion: '9.0'\n", "settings:\n  autoInstallPeers: true\n",
           "importers:\n  .:\n    dependencies:\n      express:\n"
           "        specifier: ^1.0.0\n        version: 1.0.0\n", "packages:\n"]
    size = n = 0
    while size < PNPM_BYTES - 4096:
        name = "lib-%07d" % n
        entry = ("  %s@1.0.%d:\n    resolution: {integrity: %s}\n"
                 "    engines: {node: '>=18'}\n    hasBin: true\n"
                 "    peerDependencies:\n      lib-%07d: ^1.0.0\n"
                 % (name, n % 90, integrity(name), n // 2))
        out.append(entry)
        size += len(entry)
        n += 1
    put(root, "pnpm-lock.yaml", "".join(out))


if __name__ == "__main__":
    {"small": small, "workspace": workspace, "many": many,
     "pnpm": pnpm}[sys.argv[1]](sys.argv[2])
