#!/bin/sh
# scrim audit: reports, their formats, drawings and every refusal. Claims that do not hold are
# in audit_writer_test.c, since no installed mechanism has one.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim

# refused STATUS NAME MESSAGE ARGUMENT...: the status, and the message in one line.
refused() {
    want=$1 label=$2 message=$3
    shift 3
    ran "$want" "$label" "$scrim" audit "$@"
    out_is ''
    err_lines 1
    err_has "scrim audit: $message"
}

# ---- reports ----
ran 0 'CSV' "$scrim" audit laplace epsilon=1 --points 3
out_has 'quantity,at,lower,upper,claimed,verdict,pair'
out_has 'delta,0,0.462117157260009'
out_has 'delta,1.25,0,'
out_has 'charged,1,0,'
out_has 'renyi,2,0.735325664055519'
err_lines 2
err_says 'verdict     the claim holds and is tight: the privacy loss reaches 1'
# The exact law of two geometrics: delta at 0 is tanh(1/2).
# shellcheck disable=SC2016 # for awk
check 'CSV: tanh(1/2)' awk -F , '$1 == "delta" && $2 == "0" {
    t = (exp(1) - 1) / (exp(1) + 1); found = $3 <= t + 1e-15 && $4 >= t - 1e-15 && $4 - $3 < 1e-15 }
    END { exit !found }' "$work/out"
ran 0 'quiet' "$scrim" audit laplace epsilon=1 --quiet
err_is ''
check 'as many points as usual' test "$(grep -c '^delta,' "$work/out")" -eq 41
ran 0 'many points' "$scrim" audit laplace epsilon=1 --points 200 --quiet
check 'many points: all' test "$(grep -c '^delta,' "$work/out")" -eq 200
ran 0 'what is left out' "$scrim" audit laplace epsilon=1 --json
out_has '"measurement": "laplace sensitivity=1 epsilon=1 neighbours=add-remove"'
out_has '"verdict": "holds"'
err_is ''
ran 0 'a table' "$scrim" audit laplace epsilon=1 --format table
out_has 'claim       epsilon 1, delta 0, rho 0.5; neighbours add-remove'
out_has 'worst pair  x: 0 | y: 1'
out_has '| delta       | 0       | 0.46211  | 0.46212    | 0.46212  | holds'
out_has 'verdict     the claim holds'
err_is ''
check 'a table: 80 columns' sh -c "! grep '|' '$work/out' | grep -v 'x:' | grep -q '.\{81\}'"
# One word for a row, in every format.
for line in 'laplace epsilon=1/3' 'gaussian rho=1/2' 'gaussian epsilon=1 delta=1e-6' 'permute-and-flip epsilon=1'; do
    # shellcheck disable=SC2086 # words
    "$scrim" audit $line --points 5 --quiet | sed 1d | cut -d , -f 6 >"$work/csv"
    # shellcheck disable=SC2086
    "$scrim" audit $line --points 5 --format table |
        awk -F '|' '/^[|]/ && !/verdict/ { gsub(/ /, "", $7); print $7 }' >"$work/table"
    # shellcheck disable=SC2086
    "$scrim" audit $line --points 5 --format jsonl --quiet |
        sed 's/.*"verdict": "\([a-z]*\)".*/\1/' >"$work/jsonl"
    check "$line: the words of the table are those of CSV" cmp "$work/table" "$work/csv"
    check "$line: and those of JSON" cmp "$work/jsonl" "$work/csv"
    check "$line: one of four words" sh -c "! grep -q -v -x -e holds -e watched '$work/csv'"
done
ran 0 'nothing is claimed' "$scrim" audit gaussian rho=1/2 --format table
out_has '| loss        |          | 8.8068    | 8.8069    | nothing   | watched |'
out_has '| Renyi order | 2        | 1         | inf       | 1         | watched |'
ran 0 'long fractions are rounded up' "$scrim" audit laplace epsilon=1/3 --format table
out_has '| charged     | 0.33334  | 0  '
out_has 'at          rounded up; CSV and JSON are exact'
ran 0 'and exact in JSON' "$scrim" audit laplace epsilon=1/3 --json
out_has '{"quantity": "charged", "at": "1/3",'
ran 0 'what attains the claim is named' "$scrim" audit gaussian rho=1/2
err_says 'verdict     the claim holds and is tight: delta at epsilon 0 reaches 0.3989423; claimed is 0.3989423, on'
if command -v python3 >/dev/null 2>&1; then
    "$scrim" audit laplace epsilon=1/2 --json >"$work/json"
    "$scrim" audit laplace epsilon=1/2 --format jsonl --quiet >"$work/jsonl"
    "$scrim" audit laplace epsilon=1/2 --format csv --quiet >"$work/csv"
    check 'CSV, JSON and JSON lines agree' python3 -c '
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
whole = json.load(open(sys.argv[2]))
lines = [json.loads(line) for line in open(sys.argv[3])]
assert whole["rows"] == lines and len(rows) == len(lines) > 41
assert whole["cost"] == {"neighbours": "add-remove", "epsilon": "0.5", "delta": "0", "rho": "0.125"}
assert whole["pairs"] >= 1 and whole["outcomes"] >= 10
for row, line in zip(rows, lines):
    assert row["quantity"] == line["quantity"] and row["at"] == line.get("at", "")
    assert row["verdict"] == line["verdict"] and row["pair"] == line["pair"]
    assert float(row["lower"]) == line["lower"] <= float(row["upper"]) == float(line["upper"])
    assert line["claimed"] is None or float(row["claimed"]) == line["claimed"]' \
        "$work/csv" "$work/json" "$work/jsonl"
else
    skip 'CSV, JSON and JSON lines agree' 'python3 is not installed'
fi

# ---- losses of outcomes ----
ran 0 'the loss at an outcome' "$scrim" audit laplace epsilon=1 --at 2
out_is 'outcome,x,y,loss,reached
2,0.0625407563662817,0.17000340156854793,-1,1'
err_has 'pair        x: 0 | y: 1'
ran 0 'all losses' "$scrim" audit randomised-response epsilon=1 neighbours=local --losses --quiet
out_is 'outcome,x,y,loss,reached
0,0.7310585786300048,0.2689414213699951,1,0.7310585786300048
1,0.2689414213699951,0.7310585786300048,-1,1'
err_is ''
ran 0 'losses in a table' "$scrim" audit laplace epsilon=1 --losses --format table
out_has '| -43 and 43 more | 0.73106 | 0.26895 | 1    | 0.73106            |'
ran 0 'many losses in a table' "$scrim" audit gaussian sigma=20 --losses --format table
out_has 'some of them shown; CSV and JSON have all'
ran 0 'losses in JSON' "$scrim" audit stlap epsilon=1 q=4 --losses --json
out_has '"unlisted": 0,'
out_has '"loss": "inf"'
ran 0 'losses as a plot' "$scrim" audit gaussian rho=1/2 --losses --plot
err_has 'privacy loss on x'
ran 0 'losses as a drawing' "$scrim" audit gaussian rho=1/2 --losses --svg "$work/loss.svg" --quiet
check 'losses as a drawing: one line' test "$(grep -c '<polyline' "$work/loss.svg")" -eq 1
refused 2 'an outcome that is not listed' "no listed outcome is '7.5'; one is '-43'" laplace epsilon=1 --at 7.5
refused 2 'no losses of a sample' '--losses is about the exact curve' laplace epsilon=1 --sample 1000 --losses

# ---- drawings ----
ran 0 'a plot beside the report' "$scrim" audit laplace epsilon=1 --plot
out_has 'quantity,at,'
err_has 'delta  * exact  o claimed  @ both'
err_has '1e-1 |'
check 'a plot beside the report: ASCII' sh -c "! grep -q '[^ -~]' '$work/err'"
check 'a plot beside the report: 80 columns' sh -c "! grep -q '.\{81\}' '$work/err'"
ran 0 'a plot in UTF-8' env LC_ALL=C.UTF-8 "$scrim" audit laplace epsilon=1 --plot
err_has '◉'
ran 0 'a drawing' "$scrim" audit laplace epsilon=1 --svg "$work/a.svg" --quiet
err_is ''
out_has 'quantity,at,'
check 'a drawing: it is one' grep -q '^<svg ' "$work/a.svg"
check 'a drawing: nothing else is left' test "$(find "$work" -name 'a.svg*' | wc -l)" -eq 1
check 'a drawing needs no other file' sh -c "! grep -q -e '<script' -e 'href' -e '@import' -e 'url(' '$work/a.svg'"
if command -v python3 >/dev/null 2>&1; then
    check 'a drawing is well formed' python3 -c '
import sys, xml.dom.minidom
drawing = xml.dom.minidom.parse(sys.argv[1]).documentElement
assert drawing.tagName == "svg" and len(drawing.getElementsByTagName("polyline")) == 2
for line in drawing.getElementsByTagName("polyline"):
    points = [tuple(map(float, p.split(","))) for p in line.getAttribute("points").split()]
    assert len(points) == 41 and all(0 <= x <= 720 and 0 <= y <= 470 for x, y in points)
    assert points == sorted(points)' "$work/a.svg"
else
    skip 'a drawing is well formed' 'python3 is not installed'
fi
cp "$work/a.svg" "$work/first.svg"
ran 0 'a drawing again' "$scrim" audit laplace epsilon=1 --svg "$work/a.svg" --quiet
check 'a drawing again: the same' cmp "$work/a.svg" "$work/first.svg"
ran 0 'a drawing to a pipe' sh -c "'$scrim' audit laplace epsilon=1 --svg /dev/stderr --quiet"
check 'a drawing to a pipe: the same' cmp "$work/err" "$work/first.svg"

# ---- by drawing ----
ran 0 'a sample' "$scrim" audit laplace epsilon=1 --sample 1000
out_lines 2
out_has 'quantity,at,lower,upper,claimed,verdict,pair'
check 'a sample: one row' grep -q '^sampled,1,0[.0-9e-]*,,0,undecided,x: ' "$work/out"
err_is 'verdict     no violation was found, which proves nothing; without --sample
            the audit is exact'
ran 0 'a sample, quiet' "$scrim" audit laplace epsilon=1 --sample 1e3 --quiet
err_is ''
ran 0 'a sample in a table' "$scrim" audit gaussian rho=1/2 --sample 1000 --confidence 0.9999999 --format table
out_has 'drawn       1000 answers on each input of 3 pairs of neighbours'
out_has 'with a confidence of 0.9999999'
out_has 'claimed     0.39895'
err_is ''
ran 0 'a sample in JSON' "$scrim" audit randomised-response epsilon=1 values=3 --sample 1000 --json
out_has '"measurement": "randomised-response epsilon=1 values=3 neighbours=local"'
out_has '"draws": 1000, "confidence": "0.999999999", "event": "'
out_has '{"quantity": "sampled", "at": "'
for draws in 999 0 x 67108865 -1; do
    refused 2 "$draws draws" '--sample must be a whole number from 1000 to 67108864' laplace epsilon=1 --sample "$draws"
done
refused 2 'confidence 1' 'confidence must be above 0 and below 1' laplace epsilon=1 --sample 1000 --confidence 1
refused 2 'no use for a confidence' '--confidence needs --sample' laplace epsilon=1 --confidence 0.9
refused 2 'no curve of a sample' '--points is about the exact curve' laplace epsilon=1 --sample 1000 --points 3
refused 2 'no plot of a sample' '--plot is about the exact curve' laplace epsilon=1 --sample 1000 --plot
refused 2 'no drawing of a sample' '--svg is about the exact curve' laplace epsilon=1 --sample 1000 --svg "$work/b.svg"
refused 2 'what only the audit takes' "--sample draws releases: unknown parameter 'candidates'" \
    exponential epsilon=1 candidates=3 --sample 1000
# From a seed, in the test build, the same answers are drawn.
ran 0 'a seed' "$O/scrim-test" audit laplace epsilon=1/2 --sample 1000 --confidence 1/2 --json --seed 3
cp "$work/out" "$work/first"
out_has '"confidence": "0.5"'
ran 0 'the same seed' "$O/scrim-test" audit laplace epsilon=1/2 --sample 1000 --confidence 1/2 --json --seed 3
check 'the same seed: the same bound' cmp "$work/out" "$work/first"

# ---- refusals ----
refused 2 'no mechanism' 'name a mechanism'
refused 2 'a misspelt mechanism' "unknown mechanism 'laplcae'; did you mean 'laplace'?" laplcae
refused 2 'no epsilon' 'laplace: give epsilon or scale, exactly one of them' laplace
refused 2 'epsilon 0' 'epsilon: 0 is not allowed; epsilon must be a rational above 0' laplace epsilon=0
refused 2 'an unknown parameter' "unknown parameter 'sigma'" laplace epsilon=1 sigma=1
refused 2 'no points' '--points must be a whole number from 2 to 4096' laplace epsilon=1 --points 1
refused 2 'too many points' '--points must be a whole number from 2 to 4096' laplace epsilon=1 --points 4097
refused 2 'an unknown format' '--format must be table, csv, json or jsonl' laplace epsilon=1 --format xml
refused 2 'an option of another verb' 'unexpected argument --labels' laplace epsilon=1 --labels
refused 2 'a misspelt option' 'unknown option --sgv; did you mean --svg?' laplace epsilon=1 --sgv x
refused 2 'a drawing nowhere' "--svg: cannot write '$work/nowhere/a.svg': No such file or directory" \
    laplace epsilon=1 --svg "$work/nowhere/a.svg"
refused 2 'a drawing over a folder' "--svg: cannot write '$work': Is a directory" laplace epsilon=1 --svg "$work"
ran 1 'a drawing on a full disk' "$scrim" audit laplace epsilon=1 --svg /dev/full
err_is "scrim audit: --svg: cannot write '/dev/full': No space left on device"
refused 2 '--seed' 'unknown option --seed;' laplace epsilon=1 --seed 1

# ---- where it goes ----
for options in '' --json '--format jsonl' '--format table'; do
    ran 1 "a full disk $options" sh -c "'$scrim' audit laplace epsilon=1 $options >/dev/full"
    err_is 'scrim audit: cannot write standard output: No space left on device'
done
status_of_pipe() {
    { sh -c "$1"; echo $? >"$work/status"; } 2>"$work/err" | head -1 >"$work/out"
    cat "$work/status"
}
check 'a reader who leaves: 141' test \
    "$(status_of_pipe "exec '$scrim' audit laplace epsilon=1 --points 4096")" -eq 141
name='a reader who leaves'
err_is ''

# ---- on a terminal ----
on_terminal() {
    script -q -e -c "$1" /dev/null
}
if command -v script >/dev/null 2>&1; then
    ran 0 'on a terminal' on_terminal "$scrim audit laplace epsilon=1 --plot"
    out_has 'audited     laplace'
    out_has 'exact'
    out_has "$(printf '\033[38;5;39m')"
    ran 0 'without colour' on_terminal "NO_COLOR=1 $scrim audit laplace epsilon=1 --plot"
    check 'without colour: none' sh -c "! grep -q '$(printf '\033')' '$work/out'"
else
    skip 'on a terminal' 'script is not installed'
fi
finish
