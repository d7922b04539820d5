# SPDX-License-Identifier: MIT
"""Checks a report against SARIF 2.1.0 (OASIS): what the standard requires of the parts that nogpu writes, and that nothing
else is in them.

    sarif.py REPORT SOURCE      every result is at lines of SOURCE
"""
import json
import re
import sys

TEXT, NUMBER, FLAG = str, int, bool
MESSAGE = {"text!": TEXT}
LOCATION = {
    "id": NUMBER,
    "physicalLocation!": {"artifactLocation!": {"uri!": TEXT}, "region": {"startLine!": NUMBER, "startColumn": NUMBER}},
    "message": MESSAGE,
}
RESULT = {
    "ruleId!": TEXT,
    "ruleIndex": NUMBER,
    "level": {"none", "note", "warning", "error"},
    "message!": MESSAGE,
    "locations": [LOCATION],
    "relatedLocations": [LOCATION],
    "partialFingerprints": TEXT,
    "occurrenceCount": NUMBER,
}
DRIVER = {"name!": TEXT, "rules": [{"id!": TEXT, "shortDescription": MESSAGE}]}
RUN = {
    "tool!": {"driver!": DRIVER},
    "columnKind": {"utf16CodeUnits", "unicodeCodePoints"},
    "invocations": [{"executionSuccessful!": FLAG, "exitCode": NUMBER}],
    "results": [RESULT],
}
LOG = {"$schema": TEXT, "version!": {"2.1.0"}, "runs!": [RUN]}


def fail(where, what):
    sys.exit(f"{sys.argv[1]}: {where}: {what}")


def check(where, value, form):
    """A name with ! is required; a set has the values; a map of texts may have any names."""
    if isinstance(form, set):
        if value not in form:
            fail(where, f"{value} is none of {sorted(form)}")
    elif isinstance(form, list):
        if not isinstance(value, list):
            fail(where, "no array")
        for i, one in enumerate(value):
            check(f"{where}[{i}]", one, form[0])
    elif isinstance(form, dict):
        if not isinstance(value, dict):
            fail(where, "no object")
        for name in form:
            if name.endswith("!") and name[:-1] not in value:
                fail(where, f"lacks {name[:-1]}")
        for name, one in value.items():
            known = form.get(name, form.get(name + "!"))
            if known is None:
                fail(where, f"has {name}, which the standard or nogpu does not know")
            if name == "partialFingerprints":
                for key, text in one.items():
                    check(f"{where}.{name}.{key}", text, TEXT)
            else:
                check(f"{where}.{name}", one, known)
    elif type(value) is not form:
        fail(where, f"{value!r} is no {form.__name__}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        log = json.load(file)
    check("log", log, LOG)
    lines = sum(1 for _ in open(sys.argv[2], encoding="utf-8"))
    results = log["runs"][0]["results"]
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    if not results:
        fail("results", "none")
    for i, result in enumerate(results):
        where = f"results[{i}]"
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            fail(where, "ruleIndex is of another rule")
        if not result["locations"] and result["ruleId"] != "nogpu-output":
            fail(where, "no location")
        for place in result["locations"] + result.get("relatedLocations", []):
            physical = place["physicalLocation"]
            uri = physical["artifactLocation"]["uri"]
            if not re.fullmatch(r"(file://)?[A-Za-z0-9._~!$&'()*+,;=:@/%-]+", uri) or uri != sys.argv[2]:
                fail(where, f"the address {uri}")
            if not 1 <= physical["region"]["startLine"] <= lines or physical["region"].get("startColumn", 1) < 1:
                fail(where, "a place outside of the file")
    if len({r["id"] for r in rules}) != len(rules):
        fail("rules", "two are the same")


main()
