"""Calls every verb of scrim with files that are not what they should be.

    wrong_files.py SCRIM FOLDER [all]

Each line of CASES is a command. {f} is a place that takes a file, {o} one that a file is written to, {i} stands for
standard input. Every such place gets every wrong file: missing, empty, endless, binary, a folder, names that are too
long, and files of other verbs. A command without a place is run as it is, in every format.

Verbs, subcommands and options with a file are read from the program's own lists and help: one without a case is
reported. Without "all" a part is run: every case, and each kind of file in many of them.

Writes a line for each call that went wrong, and then how many calls there were. A call is right if it ends within the
limits of time and memory, by a documented status, with at most one line of error, and leaves every file as it was.
"""

import hashlib
import os
import re
import resource
import subprocess
import sys

SCRIM, FOLDER = os.path.abspath(sys.argv[1]), sys.argv[2]
ALL = sys.argv[3:] == ["all"]
IS_SANITIZED = "/asan/" in SCRIM
SECONDS = 120 if IS_SANITIZED else 20
MEMORY = 3 << 29  # 1.5 GiB
PARTS = 199  # besides, a call in so many is made without "all"
QUERY = "SELECT sex, COUNT(*) AS n GROUP BY sex"
ASK = ["p", QUERY, "--epsilon", "1/1000"]
POINT = ["--at", "40,38"]
FORMATS = [["--json"], ["--format", "csv"], ["--format", "jsonl"], ["--format", "table"]]

# Verb or verb and subcommand: what follows it. A dict is a command that takes no --format.
CASES = {
    "init": [{"--quiet": ["--vault", "{o}"]}, {"": ["--quiet", "--vault", "{o}", "--witness", "{o}"]},
             {"": ["--moved", "--vault", "{f}", "--quiet"]}],
    "dataset add": [
        {"": ["x", "--policy", "{f}", "--quiet"]}, {"": ["x", "--policy", "-", "--quiet", "{i}"]},
        {"": ["x", "--csv", "{f}", "--unit", "id", "--rows-per-unit", "1", "--column", "age=int[0,120]",
              "--budget", "epsilon=1", "--quiet"]},
        {"": ["x", "--sqlite", "{f}", "--table", "t", "--unit", "id", "--rows-per-unit", "1", "--column", "age=int[0,120]",
              "--budget", "epsilon=1", "--quiet"]},
        {"": ["x", "--parquet", "{f}", "--unit", "id", "--rows-per-unit", "1", "--column", "age=int[0,120]",
              "--budget", "epsilon=1", "--quiet"]},
        {"": ["x", "--csv", "p.csv", "--unit", "id", "--rows-per-unit", "1", "--column", "sex=text", "--keys", "sex=@{f}",
              "--budget", "epsilon=1", "--quiet"]},
        {"": ["x", "--vault", "{f}", "--csv", "p.csv", "--unit", "id", "--rows-per-unit", "1", "--column", "sex=text",
              "--budget", "epsilon=1", "--quiet"]}],
    "dataset set": [{"": ["p", "--csv", "{f}", "--quiet"]}, {"": ["p", "--keys", "sex=@{f}", "--quiet"]}],
    "dataset update": [{"": ["p2", "--csv", "{f}", "--quiet"]}, {"": ["p2", "--sqlite", "{f}", "--quiet"]}],
    "dataset join": [{"": ["p", "{f}", "--on", "sex", "--quiet"]}],
    "dataset list": [["--vault", "{f}"], []],
    "dataset show": [["p", "--vault", "{f}"], ["p"]],
    "dataset history": [["p", "--vault", "{f}"], ["p"]],
    "dataset check": [["p", "--vault", "{f}"], ["p"]],
    "dataset mock": [{"": ["p", "--rows", "5", "--out", "{o}"]}, {"": ["p", "--rows", "5", "--vault", "{f}"]}],
    "dataset remove": [{"": ["absent", "--vault", "{f}"]}],
    "explain": [ASK + ["--vault", "{f}"], ["p", "--file", "{f}", "--epsilon", "1/1000"], ASK + ["--svg", "{o}"], ASK],
    "query": [ASK + ["--vault", "{f}"], ["p", "--file", "{f}", "--epsilon", "1/1000"],
              ["p", "--file", "-", "--epsilon", "1/1000", "{i}"], ASK + ["--svg", "{o}"], ASK + ["--html", "{o}"], ASK + ["--out", "{o}"],
              ASK],
    "shell": [{"": ["p", "--quiet", "--epsilon", "1/1000", "{i}"]}, {"": ["p", "--quiet", "--vault", "{f}"]}],
    "suggest": [["p", "--columns", "age", "--epsilon", "1/100", "--vault", "{f}"],
                ["p", "--columns", "age", "--epsilon", "1/100"]],
    "synth": [["p", "--epsilon", "1", "--delta", "1e-7", "--rows", "9", "--vault", "{f}"],
              ["p", "--epsilon", "1", "--delta", "1e-7", "--rows", "9", "--out", "{o}"],
              ["p", "--method", "mwem", "--queries", "{f}", "--epsilon", "1/100", "--rows", "9"],
              ["p", "--epsilon", "1", "--delta", "1e-7", "--rows", "9"]],
    "synth report": [["2", "--epsilon", "1/10", "--svg", "{o}"], ["2", "--epsilon", "1/10", "--html", "{o}"],
                     ["2", "--vault", "{f}"], ["2", "--epsilon", "1/10"], ["2", "--verbose"], ["2", "--out", "{o}"], ["1"],
                     ["4", "--epsilon", "1/10"], ["4"]],
    "synth check": [["2", "--vault", "{f}"], ["2"], ["2", "--svg", "{o}"]],
    "body fit": [["p", "--columns", "age,hours", "--epsilon", "1", "--directions", "8", "--out", "{o}"],
                 ["p", "--columns", "age,hours", "--epsilon", "1", "--directions", "8", "--vault", "{f}"],
                 ["p", "--columns", "age,hours", "--epsilon", "1", "--directions", "8"]],
    "body center": [["{f}"], ["body.json"], ["body.json", "--method", "steiner"],
                    ["p", "--columns", "age,hours", "--epsilon", "1/10"]],
    "body show": [["{f}"], ["body.json"], ["body.json", "--key", "{f}"], ["body.json", "--vault", "{f}"]],
    "body exact": [{"": ["{f}", "--public", "--columns", "age=0..99,hours=0..99", "--vault", "{f}"]},
                   {"": ["points.csv", "--public", "--columns", "age=0..99,hours=0..99", "--out", "{o}"]}],
    "body project": [["{f}"] + POINT, ["body.json", "--csv", "{f}"], ["body.json"] + POINT],
    "body support": [["{f}"] + POINT, ["body.json", "--csv", "{f}"], ["body.json"] + POINT],
    "body depth": [["{f}"] + POINT, ["body.json", "{f}"] + POINT, ["body.json", "--csv", "{f}"], ["body.json"] + POINT],
    "body outliers": [["{f}"] + POINT, ["body.json", "--csv", "{f}"], ["body.json"] + POINT],
    "body sample": [["{f}", "-n", "3"], ["body.json", "-n", "3", "--out", "{o}"], ["body.json", "-n", "3"]],
    "body minimise": [["{f}", "age"], ["body.json", "(age - 40)^2"]],
    "body compare": [["{f}", "body.json"], ["body.json", "{f}"], ["body.json", "body.json"]],
    "body plot": [{"": ["{f}"]}, {"": ["body.json", "--svg", "{o}"]}, {"": ["body.json"]}],
    "body admissible": [["--q", "0.9", "--directions", "8", "--epsilon", "1", "--delta", "1e-6"]],
    "replay": [["1", "--vault", "{f}"], ["1"], ["2", "--out", "{o}"], ["2"], ["3"], ["3", "--out", "{o}"], ["4"], ["5"], ["6"],
               ["7"], ["999"]],
    "report all": [["--vault", "{f}"], {"": ["--html", "{o}"]}],
    "report": [["1", "--vault", "{f}"], {"": ["1", "--html", "{o}"]}, {"": ["1", "--yaml", "{o}"]}]
    + [[str(n)] for n in range(1, 8)] + [{"": [str(n), "--html", "{o}"]} for n in range(2, 8)],
    "report verify": [["{f}"], ["-", "{i}"], ["label.json", "--key", "{f}"], ["{f}", "--key", "key"], ["label.json"],
                      ["label.html"], ["label.json", "--vault", "{f}"]],
    "report compare": [["1", "5"], ["1", "1", "--vault", "{f}"]],
    "budget": [["--vault", "{f}"], [], ["p"]],
    "ledger": [["--vault", "{f}"], [], ["p"]],
    "ledger history": [["--vault", "{f}"], [], ["p"]],
    "ledger verify": [["--vault", "{f}"], []],
    "ledger export": [["--vault", "{f}"], []],
    "ledger key": [["--vault", "{f}"], []],
    "series create": [{"": ["s2", "p", QUERY, "--epsilon", "1/1000", "--count", "3", "--vault", "{f}"]}],
    "series release": [["s", "--vault", "{f}"], ["s"]],
    "series show": [["s", "--vault", "{f}"], ["s", "--svg", "{o}"], ["s"]],
    "run": [["laplace", "sensitivity=1", "epsilon=1", "neighbours=add-remove", "{i}"],
            ["exponential", "sensitivity=1", "epsilon=1", "neighbours=add-remove", "{i}"],
            ["stlap", "epsilon=1", "q=8", "neighbours=add-remove", "{i}"],
            ["laplace", "sensitivity=1", "epsilon=1/1000", "neighbours=add-remove", "--charge", "p", "{i}"],
            ["laplace", "sensitivity=1", "epsilon=1/1000", "neighbours=add-remove", "--charge", "p", "--vault", "{f}"]],
    "audit": [["laplace", "epsilon=1", "--svg", "{o}"], ["laplace", "epsilon=1"]],
    "compose": [["laplace epsilon=1 x3", "--delta", "1e-6", "--svg", "{o}"], ["laplace epsilon=1 x3", "--delta", "1e-6"]],
    "calibrate": [["laplace", "epsilon=1", "--svg", "{o}"], ["laplace", "epsilon=1"]],
    "distance": [["tv", "{f}", "places"], ["tv", "places", "{f}"], ["wasserstein", "places", "places", "--metric", "{f}"],
                 ["wasserstein", "{f}", "places"], ["hausdorff", "places", "{f}"], ["drop", "{f}", "places"],
                 ["move", "places", "{f}"], ["drop-move", "{f}", "{f}", "--eta", "1"], ["tv", "-", "places", "{i}"],
                 ["theta", "{f}"], ["wasserstein", "places", "places"]],
    "local plan": [["q", "--users", "1000", "--domain", "9", "--epsilon", "1", "--out", "{o}"],
                   ["q", "--users", "1000", "--domain", "9", "--epsilon", "1", "--svg", "{o}"],
                   ["q", "--users", "1000", "--domain", "9", "--epsilon", "1"]],
    "local encode": [{"": ["--config", "{f}", "{i}"]}, {"": ["--config", "config", "--names", "{f}"]},
                     {"": ["--config", "config", "{i}"]}],
    "local collect": [{"": ["--config", "{f}", "reports"]}, {"": ["--config", "config", "{f}"]},
                      {"": ["--config", "config", "-", "{i}"]}],
    "local decode": [["--config", "{f}", "sums"], ["--config", "config", "{f}"], ["--config", "-", "sums", "{i}"],
                     ["--config", "config", "--names", "{f}", "sums"], ["--config", "texts", "{f}", "--names", "p.csv"],
                     ["--config", "config", "--joint", "{f}", "reports", "reports"],
                     ["--config", "config", "--joint", "config", "{f}", "reports"],
                     ["--config", "config", "--joint", "config", "--joint-names", "{f}", "reports", "reports"],
                     ["--config", "config", "--joint", "config", "reports", "reports"],
                     ["--config", "config", "sums"], ["--config", "config", "sums", "--covariance"],
                     ["--config", "config", "sums", "--post", "em"]],
    "local amplify": [["--users", "1000", "--epsilon", "1", "--delta", "1e-6", "--svg", "{o}"],
                      ["--users", "1000", "--epsilon", "1", "--delta", "1e-6"]],
    "local simulate": [["--config", "{f}", "--users", "9"], ["--config", "config", "--users", "9", "--svg", "{o}"],
                       ["--config", "config", "--users", "9"]],
    "microdata plan": [["--policy", "{f}", "--levels", "sex", "--epsilon", "1"], ["--cells", "9", "--epsilon", "1"],
                       ["p", "--levels", "sex", "--epsilon", "1"], ["p", "--levels", "sex", "--epsilon", "1", "--vault", "{f}"]],
    "microdata release": [["p", "--levels", "sex", "--epsilon", "1", "--measurements", "{o}"],
                          ["p", "--levels", "sex", "--epsilon", "1", "--records", "{o}"],
                          ["p", "--levels", "sex", "--epsilon", "1", "--out", "{o}"],
                          ["p", "--levels", "sex", "--epsilon", "1", "--vault", "{f}"],
                          ["p", "--levels", "sex", "--epsilon", "1"]],
    "microdata show": [["7", "--svg", "{o}"], ["7", "--out", "{o}"], ["7", "--vault", "{f}"], ["7"], ["1"], ["2"], ["3"]],
    "microdata fit": [["{f}"], ["-", "{i}"], ["noisy.csv"]],
    "microdata check": [["{f}"], ["counts.csv", "--key", "{f}"], ["counts.csv", "{f}"], ["counts.csv"]],
    "sample": [["discrete-laplace", "scale=1", "-n", "3"]],
    "errata": [[], ["12"]],
    "experiment": [["erratum", "12"], ["suppression", "--epsilon", "1", "--delta", "1e-6"], ["pricing", "--svg", "{o}"],
                   ["linear-queries", "queries=9", "bins=8", "people=99", "epsilon=1"]],
    "attack": [["difference", "--svg", "{o}"], ["difference"], [], ["link", "{f}", "--public", "--columns", "a", "--sensitive", "b"],
               ["reconstruct", "places", "--public", "--vault", "{f}"]],
    "list": [["verbs"], ["papers"], ["papers", "003"], ["mechanisms"], ["distributions"], []],
    "demo": [],  # tests/cli/demo.sh: it takes no file, and seconds
    "help": [{"": []}, {"": ["query"]}, {"": ["body", "fit"]}],
}
# Verbs and subcommands that open a vault, as their help says; they spare the sources of its datasets.
VAULTS = set()
# These write each line of standard input at once: it may be endless.
STREAMS = {"local encode"}
# Words of a synopsis that are no subcommands of their own.
NO_SUBCOMMANDS = {"list": {"mechanisms", "distributions", "verbs", "papers"}, "calibrate": {"poisson"}}


def run(arguments, stdin=b"", limited=True):
    environment = {"PATH": os.environ["PATH"], "HOME": FOLDER, "LC_ALL": "C", "SCRIM_VAULT": "vault",
                   "XDG_STATE_HOME": FOLDER + "/state", "ASAN_OPTIONS": "hard_rss_limit_mb=2048:exitcode=99:detect_leaks=1",
                   "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99"}

    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limited and not IS_SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    how = dict(cwd=FOLDER, env=environment, preexec_fn=limit, timeout=SECONDS, capture_output=True)
    if isinstance(stdin, bytes):
        return subprocess.run([SCRIM] + arguments, input=stdin, **how)
    with open(stdin, "rb") as given:
        return subprocess.run([SCRIM] + arguments, stdin=given, **how)


def made(*arguments, stdin=b"", to=None):
    done = run(list(arguments), stdin, limited=False)
    if done.returncode != 0:
        sys.exit(f"not made: {arguments}: {done.returncode}: {done.stderr.decode()}")
    if to is not None:
        write(to, done.stdout)


def write(name, content):
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def make_files():
    write("p.csv", "id,age,hours,sex\n" + "".join(f"{i},{i % 80},{i * 7 % 60},{'FM'[i % 2]}\n" for i in range(200)))
    write("policy", "csv=p.csv\nunit=id\nrows-per-unit=1\ncolumn=age=int[0,120]\ncolumn=hours=int[0,99]\ncolumn=sex=text\n"
          "keys=sex=F,M\nbudget=epsilon=100000,delta=1/10\n")
    write("queries", "sex=F\nsex=M\n")
    write("places", "0,1\n1,2\n2,3\n")
    write("points.csv", "age,hours\n1,2\n")
    write("config", "scrim-local/1 question=q protocol=randomised-response values=4 a=3 b=1\n")
    made("init", "--quiet")
    made("dataset", "add", "p", "--policy", "policy", "--quiet")
    made("dataset", "add", "p2", "--policy", "policy", "--same-unit", "id", "--population", "other", "--quiet")
    made("query", *ASK, "--quiet")  # release 1
    made("synth", "p", "--epsilon", "1", "--delta", "1e-7", "--rows", "9", "--quiet")  # 2
    made("body", "fit", "p", "--columns", "age,hours", "--epsilon", "1", "--directions", "8", "--out", "body.json", "--quiet")  # 3
    made("synth", "p", "--method", "mwem", "--queries", "queries", "--epsilon", "1", "--rows", "9", "--quiet")  # 4
    made("query", "p", "SELECT COUNT(*) AS n, AVG(age)", "--epsilon", "1", "--quiet")  # 5
    made("run", "laplace", "sensitivity=1", "epsilon=1", "neighbours=add-remove", "--charge", "p", "--quiet", stdin=b"1\n")  # 6
    made("microdata", "release", "p", "--levels", "sex", "--epsilon", "1", "--measurements", "noisy.csv", "--format", "csv",
         "--quiet", to="counts.csv")  # 7
    made("series", "create", "s", "p", QUERY, "--epsilon", "1/10", "--count", "3", "--quiet")
    made("report", "1", "--json", to="label.json")
    made("report", "1", "--html", "label.html")
    made("ledger", "key", "--quiet", to="key")
    made("local", "encode", "--config", "config", stdin=b"0\n1\n2\n3\n0\n", to="reports")
    made("local", "collect", "--config", "config", "reports", to="sums")
    made("local", "plan", "t", "--users", "1000", "--unknown", "--epsilon", "1", "--out", "texts")
    made("compose", "laplace epsilon=1 x3", "--delta", "1e-6", "--svg", "curve.svg", "--quiet")
    write("empty", "")
    write("lines", "\n" * 5000)
    write("commas", "," * 5000 + "\n")
    write("long", "a" * (1 << 20))
    write("quotes", "\"" * 999)
    write("braces", "[" * 100000)
    write("minus", "-1,-1\n" * 9)
    block, blocks = b"scrim", []
    for _ in range(1024):
        block = hashlib.sha256(block).digest()
        blocks.append(block)
    write("binary", b"".join(blocks))
    write("cut", open(os.path.join(FOLDER, "vault"), "rb").read()[:5000])
    for name in ("body.json", "label.json"):
        text = open(os.path.join(FOLDER, name), "rb").read()
        write("half-" + name, text[:len(text) // 2])
    os.mkdir(os.path.join(FOLDER, "folder"))


def sources():
    files = sorted(name for name in os.listdir(FOLDER) if os.path.isfile(os.path.join(FOLDER, name)))
    return ["missing", "folder", "/dev/zero", "/dev/null", "n" * 300, "n/" * 3000, "p.csv/x", "", ":memory:", "file:p.csv",
            "-"] + files


TARGETS = ["missing/x", "folder", "/dev/full", "n" * 300, "n/" * 3000, "p.csv/x", "", "vault", ":memory:", "file:new",
           "new"]


def known():
    """The verbs, subcommands and file options that the program itself names."""
    rows = run(["list", "verbs", "--format", "csv"]).stdout.decode().splitlines()[1:]
    for name in [row.split(",")[0] for row in rows]:
        page = run(["help", name]).stdout.decode()
        subs = set()
        synopsis = re.search(r"usage: scrim \S+ ?(.*)", page).group(1)
        for part in re.split(r" \| ", synopsis):
            first = part.strip(" []").split(" ")[0].strip("[]")
            if re.fullmatch(r"[a-z-]+(\|[a-z-]+)*", first):
                subs |= set(first.split("|"))
            elif "|" in part.split("--")[0]:
                subs |= {w for w in re.findall(r"(?<![-\w])[a-z]+(?=[|\s])", part.split("--")[0]) if f"|{w}" in part or f"{w}|" in part}
        subs |= set(re.findall(rf"^  scrim {name} ([a-z]+)", page, re.M))
        if "shows one of them" in page:
            subs |= set(re.findall(r"^  ([a-z][a-z-]*) ", page, re.M))
        subs = {sub for sub in subs if sub[0] != "-"} - NO_SUBCOMMANDS.get(name, set())
        pages = {"": page} | {sub: run(["help", name, sub]).stdout.decode() for sub in subs}
        options = {(name, option) for text in pages.values() for option in re.findall(r"(--[a-z-]+) (?:FILE|DIR)\b", text)}
        VAULTS.update(f"{name} {sub}".strip() for sub, text in pages.items() if "--vault FILE" in text)
        yield name, subs, options


def check_known(report):
    used = {}
    for key, lists in CASES.items():
        verb = key.split(" ")[0]
        for case in lists:
            words = next(iter(case.values())) if isinstance(case, dict) else case
            used.setdefault(verb, set()).update(a for a, b in zip(words, words[1:]) if b in ("{f}", "{o}"))
    count = 0
    for name, subs, options in known():
        count += 1
        if name not in CASES and not any(key.startswith(name + " ") for key in CASES):
            report(f"the verb {name} has no case")
        for sub in subs:
            if f"{name} {sub}" not in CASES:
                report(f"the subcommand {name} {sub} has no case")
        for _, option in options:
            if option not in used.get(name, set()):
                report(f"the option {option} of {name} has no case")
    if count < 25:
        report(f"the program has {count} verbs")


def calls():
    for key, lists in CASES.items():
        for number, case in enumerate(lists):
            formats = [[]] if isinstance(case, dict) else FORMATS
            words = next(iter(case.values())) if isinstance(case, dict) else case
            targets = TARGETS + (["p.csv"] if key in VAULTS else [])
            kinds = targets if "{o}" in words else sources() if "{f}" in words or "{i}" in words else [None]
            for k, kind in enumerate(kinds):
                if kind == "/dev/zero" and key in STREAMS and "{i}" in words:
                    continue
                for f, form in enumerate(formats):
                    yield key, number, k, kind, key.split(" ") + words + form, f, len(kinds)


def chosen():
    """A part: the first call of every case, and others that are spread over kinds and formats."""
    for at, (key, number, k, kind, words, f, count) in enumerate(calls()):
        turn = sum(map(ord, key)) + 5 * number
        forms = 4 if not isinstance(CASES[key][number], dict) else 1
        is_one = k == turn % count and f == turn % forms
        if ALL or is_one or at % PARTS == 0:
            yield kind, words


def state_of(names):
    return {name: (lambda s: (s.st_size, s.st_mtime_ns))(os.stat(os.path.join(FOLDER, name))) for name in names}


def check_call(kind, words, report):
    stdin = b""
    if "{i}" in words:
        path = os.path.join(FOLDER, kind) if kind not in ("", "-") else "/dev/null"
        stdin = path if os.path.isfile(path) or path in ("/dev/zero", "/dev/null") else b"\0\n1\n"
    given = [w.replace("{f}", kind or "").replace("{o}", kind or "") for w in words if w != "{i}"]
    shown = " ".join(w if len(w) < 60 else w[:20] + "..." for w in given)
    try:
        done = run(given, stdin)
    except subprocess.TimeoutExpired:
        report(f"{shown}: longer than {SECONDS} s")
        return
    errors = done.stderr.decode(errors="replace")
    lines = [line for line in errors.splitlines() if re.match(r"scrim( [a-z]+)?: ", line)]
    if done.returncode not in range(8) or "Sanitizer" in errors or "runtime error" in errors:
        report(f"{shown}: status {done.returncode}: {errors[:2000]}")
    elif done.returncode == 1 and kind != "/dev/full":
        report(f"{shown}: called an internal failure: {errors[:300]}")
    elif done.returncode != 0 and len(lines) != 1:
        report(f"{shown}: status {done.returncode} with {len(lines)} lines of error: {errors[:300]}")
    elif done.returncode not in (0, 7) and done.stdout:
        report(f"{shown}: status {done.returncode} and output: {done.stdout[:80]!r}")
    elif done.returncode == 0 and words[-1] == "--json" and not done.stdout.lstrip().startswith((b"{", b"[")) and done.stdout:
        report(f"{shown}: not JSON: {done.stdout[:80]!r}")
    if "{o}" in words and done.returncode not in (0, 7):
        leftover = [name for name in (kind, "new", "file:new") if name and "/" not in name
                    and os.path.isfile(os.path.join(FOLDER, name)) and name not in KEPT and name != "vault"]
        if leftover:
            report(f"{shown}: status {done.returncode}, but left {leftover}")
    for name in ("new", "file:new", ":memory:", "-"):
        if os.path.isfile(os.path.join(FOLDER, name)):
            os.unlink(os.path.join(FOLDER, name))


make_files()
KEPT = [name for name in os.listdir(FOLDER) if os.path.isfile(os.path.join(FOLDER, name)) and name != "vault"]
wrong = []
check_known(wrong.append)
before, count = state_of(KEPT), 0
for wrong_file, command in chosen():
    count += 1
    check_call(wrong_file, command, wrong.append)
    after = state_of([name for name in KEPT if os.path.exists(os.path.join(FOLDER, name))])
    if after != before:
        changed = [name for name in before if after.get(name) != before[name]]
        wrong.append(f"{' '.join(command)} with {wrong_file!r} changed {changed}")
        before = after
        KEPT = list(after)
for text in wrong:
    print("wrong\t" + text.replace("\n", " | "))
print(f"calls\t{count}")
