#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Other people's programs: compiles, runs and judges each row of programs.txt, and prints the table.

    nogpu/tests/programs.py PEERS [-j JOBS] [-t SECONDS] [-m] [-o LOGS] [NAME...]

PEERS holds the git work trees of the three collections. Nothing is written there: programs are compiled
where they lie and run in a copy of their folder. A program passes if it compiles unmodified, ends with
exit code 0 within the processor time of -t, says what its row expects, and does not say that it failed.
-m writes programs.md. Names choose programs by a part of their title; with -m other rows stay as they are.
Exit code 1: a program failed whose row gives no reason."""
import argparse
import concurrent.futures
import datetime
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
NOGPU = os.path.dirname(HERE)
MARKDOWN = os.path.join(NOGPU, "programs.md")
COLLECTIONS = {
    "cuda": ("NVIDIA+cuda-samples", "cuda-samples", "nvcc", "-I{top}/Common", "Samples/"),
    "rocm": ("ROCm+rocm-examples", "rocm-examples", "hipcc", "-std=c++17 -I{top}/Common", ""),
    "rodinia": ("yuhc+gpu-rodinia", "Rodinia", "nvcc", "", "cuda/"),
}
# What programs say when they have failed; "0 failed" and "no errors" are not that.
FAILED = re.compile(r"(?<![:\w])(?:test failed|failed!|verification failed|result = fail|results? (?:is|are) wrong|"
                    r"incorrect results|mismatch at|validation failed|fail\b(?!ed))", re.I)
WAIVED = 2  # cuda-samples' EXIT_WAIVED: the device cannot do this


class Row:
    """One program of programs.txt."""

    def __init__(self, name, fields):
        self.collection, _, self.sources, self.options, self.command, self.expected, self.reason = fields
        folder, _, program = name.partition("//")
        self.name, self.folder = name.replace("//", "/"), COLLECTIONS[self.collection][4] + folder
        self.sources = self.sources.replace("{program}", program)


def rows_of(text):
    """Its first comment says what a line has; fields at its end may be missing."""
    for line in re.sub(r"^#.*\n|\n +", lambda end: "" if end[0][0] == "#" else " ", text, flags=re.M).splitlines():
        fields = [" ".join(field.split()) for field in line.split("::")]
        if not 2 <= len(fields) <= 7 or fields[0] not in COLLECTIONS:
            sys.exit(f"programs.txt: at most seven fields, and one of {', '.join(COLLECTIONS)} first: {line}")
        yield from (Row(name, fields + [""] * (7 - len(fields))) for name in fields[1].split())


def limited(seconds):
    """For a child: so much processor time, no core files, no input."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.setsid()
    return limit


def shell(command, folder, seconds, environment, log):
    """Exit code and output of a command; None if it was too slow. A busy machine gets eight times as long on the clock."""
    with subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limited(seconds)) as child:
        try:
            output = child.communicate(timeout=8 * seconds)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            output = child.communicate()[0].decode(errors="replace")
            child.returncode = -24
    log.write(f"$ cd {folder}; {command}\n{output}\nexit code {child.returncode}\n")
    return (None if child.returncode in (-24, 152, -9, 137) else child.returncode), output


def first_error(output):
    """The line of a compiler, a linker or a program that says most."""
    for pattern in (r"fatal error: .*", r"error: .*", r"undefined reference.*", r"nogpu: .*", r".*(?:error|fail|not ).*"):
        found = re.search(pattern, output, re.I)
        if found:
            return re.sub(r"\S*/", "", found.group(0)).strip()[:110]
    lines = output.strip().splitlines()
    return lines[-1][:110] if lines else "no output"


def judge(row, peers, seconds, logs):
    """(result, reason) of one program."""
    tree, _, driver, common, _ = COLLECTIONS[row.collection]
    top = os.path.join(peers, tree)
    source = os.path.join(top, row.folder)
    sources = row.sources or " ".join(sorted(f for f in os.listdir(source) if f.endswith((".c", ".cpp", ".cu", ".hip"))))
    name = re.sub(r"\W+", "_", f"{row.collection}/{row.name}")
    if row.sources == "-":
        return "cannot", row.reason
    with tempfile.TemporaryDirectory() as work, open(os.path.join(logs, name), "w", encoding="utf-8") as log:
        program = os.path.join(work, "bin", os.path.basename(row.name))
        os.mkdir(os.path.dirname(program))
        environment = dict(os.environ, PROGRAM=program, LC_ALL="C")
        options = f"{common} {row.options}".format(top=top)
        code, output = shell(f"{NOGPU}/bin/{driver} -O2 -o {program} {sources} {options}", source,
                             max(300, seconds), environment, log)
        if code != 0:
            return ("cannot", row.reason) if row.reason else ("fails", "compile: " + first_error(output))
        here = os.path.join(work, "tree", row.folder)  # as deep as in its collection: programs open ../../data
        shutil.copytree(source, here)
        subprocess.run(["chmod", "-R", "u+w", here], check=False)
        os.symlink(os.path.join(top, "Common"), os.path.join(work, "tree", "Common"))
        code, output = shell(row.command if "$PROGRAM" in row.command else f'"$PROGRAM" {row.command}', here,
                             seconds, environment, log)
        if code is None:
            result = "fails", f"more than {seconds} s of processor time"
        elif code == WAIVED and row.collection == "cuda" and re.search("waiv", output, re.I):
            result = "waived", first_error(output)
        elif code != 0:
            result = "fails", f"exit code {code}: {first_error(output)}"
        elif FAILED.search(output):
            result = "fails", "says: " + FAILED.search(output).group(0)
        elif not re.search(row.expected, output):
            result = "fails", f"does not say '{row.expected}'"
        else:
            return "passes", ""
        return ("cannot", row.reason) if row.reason else result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers")
    parser.add_argument("names", nargs="*")
    parser.add_argument("-j", type=int, default=2, dest="jobs")
    parser.add_argument("-t", type=int, default=120, dest="seconds")
    parser.add_argument("-m", action="store_true", dest="markdown")
    parser.add_argument("-o", default=None, dest="logs")
    options = parser.parse_intermixed_args()
    with open(os.path.join(HERE, "programs.txt"), encoding="utf-8") as table:
        rows = sorted(rows_of(table.read()), key=lambda row: (list(COLLECTIONS).index(row.collection), row.name))
    chosen = [row for row in rows if not options.names or any(name in title(row) for name in options.names)]
    if not chosen:
        parser.error("no program has one of these in its title: " + " ".join(options.names))
    logs = options.logs or tempfile.mkdtemp(prefix="programs.")
    os.makedirs(logs, exist_ok=True)
    results = earlier() if options.names and options.markdown else {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row, result in zip(chosen, pool.map(lambda row: show(row, options, logs), chosen)):
            results[title(row)] = result
    lines = report([(row, results[title(row)]) for row in rows if title(row) in results], options.peers, options.seconds)
    if options.markdown:
        with open(MARKDOWN, "w", encoding="utf-8") as document:
            document.write(lines)
    print(lines.split("\n\n")[1])
    return any(results[title(row)][0] in ("fails", "waived") for row in chosen)


def title(row):
    return f"{COLLECTIONS[row.collection][1]} {row.name}"


def cell_of(text):
    """Neither the end of a cell nor a tag."""
    return text.replace("|", "/").replace("<", r"\<")


def earlier():
    """What programs.md says already: with names, the other rows stay as they were measured."""
    with open(MARKDOWN, encoding="utf-8") as document:
        text = document.read()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
    results = {name: (result, reason.replace(r"\<", "<")) for name, result, reason in cells[1:]}
    for collection, names in re.findall(r"^Of (\S+) pass: (.*?)\.$", text, re.M | re.S):
        results.update({f"{collection} {name}": ("passes", "") for name in re.split(r",\s+", names)})
    return results


def show(row, options, logs):
    result, reason = judge(row, options.peers, options.seconds, logs)
    print(f"{result:7} {title(row)}: {reason}", flush=True)
    return result, reason


def report(results, peers, seconds):
    counts = {}
    for _, (result, reason) in results:
        kind = {"passes": "pass", "fails": "fail"}.get(result, result)
        kind = kind if kind != "cannot" else "cannot: " + reason.split(":")[0]
        counts[kind] = counts.get(kind, 0) + 1
    commits = []
    for tree, name, *_ in COLLECTIONS.values():
        commit = subprocess.run(["git", "-C", os.path.join(peers, tree), "log", "-1", "--format=%h"],
                                capture_output=True, text=True, check=False).stdout.strip()
        commits.append(f"{name} {commit or 'of no commit'}")
    total = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items(), key=lambda item: -item[1]))
    paragraphs = [f"{len(results)} programs: {total}.",
                  f"Compiled unmodified and run on {datetime.date.today():%d %B %Y} by `nogpu/tests/programs.py PEERS -m -t "
                  f"{seconds}`, on 2 cores of a VM: {', '.join(commits)}. A program passes if it compiles, ends with exit code 0 "
                  "within so much processor time, and does not say that it failed; `tests/programs.txt` has the arguments and "
                  "inputs. Rodinia's data are not in its repository: inputs here are small and made up."]
    for _, collection, *_ in COLLECTIONS.values():
        names = [row.name for row, (result, _) in results if result == "passes" and title(row).startswith(collection + " ")]
        paragraphs += [f"Of {collection} pass: {', '.join(names)}."] if names else []
    lines = ["# Other people's programs", ""]
    for paragraph in paragraphs:
        lines += [textwrap.fill(paragraph, 120, break_long_words=False, break_on_hyphens=False), ""]
    lines += ["| program | result | reason |", "|---|---|---|"]
    lines += [f"| {title(row)} | {result} | {cell_of(reason)} |" for row, (result, reason) in results
              if result != "passes"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
