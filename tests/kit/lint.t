#!/usr/bin/env python3
"""lint.t -- the files that are shipped for CI systems and engines: they are
well-formed, and all grant the same few things, which cupel-ci(7) names."""
import ast
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

try:
    import yaml
except ImportError:
    print("1..0 # SKIP python3-yaml is not installed")
    sys.exit(0)

ACTION = ".github/actions/cupel/"
KIT = ".packaging/"
tap = lib.Tap()


def read(path):
    with open(os.path.join(lib.SRC, path), encoding="utf-8") as f:
        return f.read()


class Strict(yaml.SafeLoader):
    """YAML in which no key comes twice."""


def mapping(loader, node, deep=False):
    keys = [loader.construct_object(k, deep=deep) for k, _ in node.value]
    if len(keys) != len(set(map(str, keys))):
        raise yaml.YAMLError("a key comes twice: %s" % keys)
    return yaml.SafeLoader.construct_mapping(loader, node, deep)


Strict.add_constructor("tag:yaml.org,2002:map", mapping)


def load(path):
    try:
        tap.ok(True, "%s is YAML" % path)
        return yaml.load(read(path), Strict)
    except yaml.YAMLError as e:
        tap.ok(False, "%s is YAML" % path, e)
        return {}


def action():
    a = load(ACTION + "action.yml")
    steps = a["runs"]["steps"]
    tap.ok(set(a) == {"name", "description", "inputs", "outputs", "runs"} and
           a["runs"]["using"] == "composite", "the action is composite", a)
    bad = [s["name"] for s in steps if "${{" in s["run"] or not s["shell"]
           or "uses" in s]
    tap.equal(bad, [], "no expression in a script, no other action used")
    used = set(re.findall(r"inputs\.([a-z0-9_]+)", str(steps)))
    tap.equal(used, set(a["inputs"]), "each input is used, and is one")
    ids = {s.get("id") for s in steps}
    wanted = re.findall(r"steps\.(\w+)\.outputs\.(\w+)", str(a["outputs"]))
    told = set(re.findall(r'(?:\\n|")(\w+)=%', read(ACTION + "tell.py") +
                          read(ACTION + "tell_gate.py")))
    tap.ok(wanted and all(i in ids and o in told for i, o in wanted),
           "each output is written", (wanted, ids, told))
    for s in steps:
        script = re.fullmatch(r'sh "\$GITHUB_ACTION_PATH/(\w+\.sh)"', s["run"])
        text = read(ACTION + script.group(1)) if script else ""
        for more in re.findall(r"exec sh .*/(\w+\.sh)", text):
            text += read(ACTION + more)
        needs = set(re.findall(r"\$\{?(CUPEL_\w+)", text)) - {"CUPEL_PROC"}
        tap.equal(needs - set(s["env"]), set(), "%s: has what its script reads"
                  % s["name"])
    given = [d for d in a["inputs"].values() if not d.get("description")]
    tap.equal(given, [], "each input is described")


# What a container is granted, in the words of Kubernetes.
POD = {"seccompProfile": {"type": "Localhost", "localhostProfile": "cupel.json"},
       "appArmorProfile": {"type": "Unconfined"}}
BOX = {"procMount": "Unmasked", "allowPrivilegeEscalation": False,
       "capabilities": {"drop": ["ALL"]}}


def granted(name, spec):
    pod, box = spec["securityContext"], spec["containers"][0]["securityContext"]
    grants = ("seccompProfile", "appArmorProfile")
    tap.equal({k: pod.get(k) for k in grants}, POD, name + ": the pod's")
    keys = set(BOX) | {"privileged"}
    tap.equal({k: v for k, v in box.items() if k in keys}, BOX,
              name + ": the container's")
    both = dict(pod, **box)
    tap.ok(spec["hostUsers"] is False and both["runAsUser"] == 1000 and
           spec["automountServiceAccountToken"] is False and not
           {"hostPID", "hostNetwork", "hostIPC"} & set(spec),
           name + ": an ordinary user of its own", spec)


def pods():
    pod = load(KIT + "kubernetes/pod.yaml")
    tap.equal((pod["kind"], pod["apiVersion"]), ("Pod", "v1"), "a pod")
    granted("pod.yaml", pod["spec"])
    fleet = list(yaml.load_all(read(KIT + "kubernetes/worker.yaml"), Strict))
    granted("worker.yaml", fleet[0]["spec"]["template"]["spec"])
    toml = read(KIT + "gitlab/runner.toml")
    patch = re.search(r"patch = '''\n(.*?)'''", toml, re.S).group(1)
    granted("runner.toml", yaml.load(patch, Strict))
    try:
        import tomllib
        tomllib.loads(toml)
    except ImportError:
        pass


def gitlab():
    job = load(KIT + "gitlab/cupel.gitlab-ci.yml")[".cupel"]
    tap.ok(all(isinstance(x, str) for x in job["script"]) and
           "cat -v" in str(job["script"]),
           "GitLab's job shows no raw byte", job)
    body = "\n".join(job["script"])
    p = subprocess.run(["sh", "-n"], input=body.encode(), capture_output=True)
    tap.equal(p.returncode, 0, "its script is shell", p.stderr.decode())
    # With the real program: the end, output and status of a failing run.
    work = lib.make_dir("user")
    os.makedirs(work + "/bin")
    os.symlink(lib.binary("cupel"), work + "/bin/cupel")
    # Links that the checkout put where the job writes: none of them is followed.
    kept = lib.make_dir("user") + "/kept"
    with open(kept, "w") as f:
        f.write("kept")
    names = ("cupel-result.json", "cupel-output.txt", "cupel-doctor.txt")
    for name in names:
        os.symlink(kept, os.path.join(work, name))
    os.symlink(os.path.dirname(kept), work + "/cupel-run")
    p = subprocess.run(["sh", "-euc", body], cwd=work, capture_output=True,
                       env=lib.clean_env({
                           "PATH": work + "/bin:/usr/bin:/bin",
                           "CUPEL_PROFILE": "default", "CUPEL_RUN":
                           "printf '\\033[1mbold'; exit 9"}))
    tap.ok(p.returncode == 9 and p.stdout == b"^[[1mbold",
           "and it ends as the command did", (p.returncode, p.stdout,
                                              p.stderr[:300]))
    with open(work + "/cupel-run/result.json") as f:
        tap.equal(json.load(f)["rc"], 9, "and leaves the result")
    with open(kept) as f:
        tap.equal((f.read(), os.listdir(os.path.dirname(kept))),
                  ("kept", ["kept"]), "no link of the checkout is followed")


def gitlab_report():
    """The report that GitLab shows is ours, whatever is in the checkout."""
    job = load(KIT + "gitlab/cupel.gitlab-ci.yml")[".cupel"]
    body = "\n".join(job["script"])
    tap.equal(job["artifacts"]["reports"], {"junit": "cupel-run/junit.xml"},
              "GitLab is given a report")
    hostile = "a\x1b]&<b>\"' ]]><!-- \u202e"
    tap_text = "1..3\nok 1 - good\nnot ok 2 - %s\nok 3 # SKIP\n" % hostile
    for what, more, script, rc, names in (
            ("tests", {"CUPEL_PROFILE": "tap"}, "cat tap; exit 5", 5,
             ["good", ""]),
            ("prove, found by its word", {}, "prove .", 0, []),
            ("no tests", {}, "exit 3", 3, None),
            ("a profile that is none", {"CUPEL_PROFILE": "nosuch"}, "true", 1,
             None)):
        work = lib.make_dir("user")
        os.makedirs(work + "/bin")
        os.symlink(lib.binary("cupel"), work + "/bin/cupel")
        lib.put("user", work + "/tap", tap_text)
        lib.put("user", work + "/a.t", "use Test::More tests => 1;\nok(1);\n")
        os.makedirs(work + "/cupel-run")
        lib.put("user", work + "/cupel-run/junit.xml", "<forged/>")
        p = subprocess.run(
            ["sh", "-euc", body], cwd=work, capture_output=True,
            env=lib.clean_env(dict({"PATH": work + "/bin:/usr/bin:/bin",
                                    "CUPEL_PROFILE": "auto",
                                    "CUPEL_RUN": script}, **more)))
        path = work + "/cupel-run/junit.xml"
        tap.ok(p.returncode == rc and os.path.exists(path) ==
               (names is not None), "%s: the job's end, and its report" % what,
               (p.returncode, p.stdout, p.stderr[-600:]))
        if names is None or not os.path.exists(path):
            continue
        top = xml.etree.ElementTree.parse(path).getroot()
        cases = list(top.iter("testcase"))
        tap.ok([c.get("name") for c in cases if len(c) == 0] == names[:1] and
               {e.tag for e in top.iter()} <= {
                   "testsuites", "testsuite", "properties", "property",
                   "testcase", "failure", "skipped"},
               "%s: only what is ours stands in it" % what,
               xml.etree.ElementTree.tostring(top))


def scripts():
    names = [os.path.join(at[len(lib.SRC) + 1:], n)
             for top in (".github", ".packaging")
             for at, _, files in os.walk(os.path.join(lib.SRC, top))
             for n in files if n.endswith((".sh", ".py"))]
    tap.ok(len(names) >= 5, "scripts were found", names)
    for n in sorted(names):
        if n.endswith(".sh"):
            p = subprocess.run(["sh", "-n", os.path.join(lib.SRC, n)],
                               capture_output=True)
            tap.equal(p.returncode, 0, "%s is shell" % n, p.stderr.decode())
        else:
            ast.parse(read(n))
            tap.ok(True, "%s is Python" % n)


def engines():
    """The arguments that run.sh gives to an engine, shown by stand-ins that print
    them."""
    work = lib.make_dir("user")
    for name in ("docker", "podman"):
        lib.put("user", "%s/%s" % (work, name), '#!/bin/sh\necho "$@"\n', 0o755)
    man = read("man/cupel-ci.7.in").replace("\\-", "-")
    same = ("run --rm --user 1000:1000 --cap-drop ALL --network none "
            "--security-opt no-new-privileges --security-opt seccomp=p.json "
            "--volume %s:/repo:ro " % work)
    for name, own in (("docker", "--security-opt systempaths=unconfined "
                       "--security-opt apparmor=unconfined "),
                      ("podman", "--security-opt unmask=ALL "
                       "--security-opt label=disable ")):
        p = subprocess.run(["sh", lib.SRC + "/.packaging/container/run.sh",
                            name, "p.json", "IMAGE", "doctor"], cwd=work,
                           env=lib.clean_env({"PATH": work + ":/usr/bin:/bin"}),
                           capture_output=True)
        tap.equal(p.stdout.decode(), same + own + "IMAGE doctor\n",
                  "%s is given what is needed" % name, p.stderr.decode())
        missing = [w for w in own.split() if w not in man]
        tap.equal(missing, [], "cupel-ci(7) has %s's words" % name)
    tap.ok(re.search(r"^USER 1000", read(KIT + "container/Containerfile"), re.M)
           and not re.search("curl|wget|http", read(
               KIT + "container/Containerfile")),
           "the image is an ordinary user's, and fetches nothing")


def calls():
    """The manual page names each call that doctor --seccomp adds."""
    p = subprocess.run([lib.binary("cupel"), "doctor", "--seccomp", "-"],
                       input=b'{"defaultAction":"SCMP_ACT_ERRNO","syscalls":[]}',
                       capture_output=True)
    added = [e["names"][0] for e in json.loads(p.stdout)["syscalls"]]
    man = read("man/cupel-ci.7.in")
    shipped = os.path.join(lib.BUILD, "profiles/seccomp")
    for own in sorted(n for n in os.listdir(shipped) if n.endswith(".json")):
        p = subprocess.run([lib.binary("cupel"), "doctor", "--seccomp",
                            os.path.join(shipped, own)],
                           capture_output=True, text=True)
        tap.ok((p.returncode, p.stdout) == (2, "") and re.search(
            r"\]\.errnoRet: calls that are not done must not be", p.stderr),
            "%s, which answers calls that it does not do, is for no container"
            % own, (p.returncode, p.stdout[:200], p.stderr))
    tap.ok(len(added) == 16, "doctor --seccomp reads stdin", added)
    tap.equal([c for c in added if not re.search(r"^\.BR? %s\b" % c, man, re.M)],
              [], "cupel-ci(7) has each call")


def gitlab_gate():
    """The job as shipped, over a repository of two commits."""
    job = load(KIT + "gitlab/cupel.gitlab-ci.yml")[".cupel-gate"]
    body = "\n".join(job["script"])
    work = lib.make_dir("user")
    os.makedirs(work + "/bin")
    os.symlink(lib.binary("cupel"), work + "/bin/cupel")
    os.makedirs(work + "/repo")

    def git(*words):
        p = subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@x.example",
             *words], cwd=work + "/repo", capture_output=True, text=True)
        return p.stdout.strip()

    def commit(text):
        with open(work + "/repo/run", "w") as f:
            f.write(text + "\n")
        git("add", ".")
        git("commit", "-q", "-m", text)
        return git("rev-parse", "HEAD")

    git("init", "-q")
    base = commit("true")
    with open(work + "/gates.yaml", "w") as f:
        f.write("gates:\n  runs:\n    phases:\n"
                "      - {name: test, command: [sh, run]}\n"
                "    signals:\n      build: {phase: test}\n"
                "    required: [build]\n")
    # A gate that cannot begin leaves nothing of the change's for CI to keep.
    os.makedirs(work + "/repo/cupel-gate")
    with open(work + "/repo/cupel-gate/page.html", "w") as f:
        f.write("<h1>passed</h1>")
    p = subprocess.run(["sh", "-euc", body], cwd=work + "/repo",
                       env=lib.clean_env({
                           "PATH": work + "/bin:/usr/bin:/bin",
                           "CUPEL_GATE": "none", "TMPDIR": work,
                           "CUPEL_CATALOGUE": work + "/gates.yaml",
                           "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
                           "CI_COMMIT_SHA": base}),
                       capture_output=True, text=True)
    tap.ok(p.returncode == 2 and
           not os.path.exists(work + "/repo/cupel-gate"),
           "a page of the checkout is no artifact of a gate that failed",
           (p.returncode, p.stderr[-500:]))
    for text, want in (("echo well", 0), ("exit 3", 11)):
        env = lib.clean_env({
            "PATH": work + "/bin:/usr/bin:/bin", "CUPEL_GATE": "runs",
            "CUPEL_CATALOGUE": work + "/gates.yaml",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "TMPDIR": work,
            "CI_COMMIT_SHA": commit(text)})
        # What the checkout may have put where the artifacts go.
        os.makedirs(work + "/elsewhere", exist_ok=True)
        if want:
            os.rename(work + "/repo/cupel-gate", work + "/first")
            os.symlink(work + "/elsewhere", work + "/repo/cupel-gate")
        p = subprocess.run(["sh", "-euc", body], cwd=work + "/repo", env=env,
                           capture_output=True, text=True)
        kept = work + "/repo/cupel-gate"
        tap.ok(p.returncode == want and os.path.isdir(kept) and
               sorted(os.listdir(kept)) ==
               ["attempts.jsonl", "page.html", "result.json"] and
               os.listdir(work + "/elsewhere") == [],
               "GitLab's gate ends with %d and keeps what it showed" % want,
               (p.returncode, p.stdout, p.stderr[-1500:]))


action()
pods()
gitlab()
gitlab_report()
gitlab_gate()
scripts()
engines()
calls()
tap.done()
