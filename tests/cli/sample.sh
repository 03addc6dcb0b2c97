#!/bin/sh
# scrim sample: formats, counts, refusals, broken pipes and full disks.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim

# refused NAME MESSAGE ARGUMENTS...: status 2, one line, nothing drawn.
refused() {
    refusal=$1 message=$2
    shift 2
    ran 2 "$refusal" "$scrim" sample "$@"
    out_is ''
    err_lines 1
    err_has "scrim sample: $message"
}

# ---- draws ----
ran 0 'one draw' "$scrim" sample discrete-laplace scale=10
out_lines 1
err_is ''
check 'one draw: an integer' grep -q -x -E -e '-?[0-9]+' "$work/out"
ran 0 'ten draws' "$scrim" sample discrete-gaussian variance=100 -n 10
out_lines 10
check 'ten draws: nothing else' sh -c "! grep -v -x -E -e '-?[0-9]+' '$work/out'"
ran 0 'no draws' "$scrim" sample uniform n=6 -n 0
out_is ''
ran 0 'a count with an exponent' "$scrim" sample uniform n=6 -n 1e4
out_lines 10000
ran 0 'more than a chunk' "$scrim" sample uniform n=6 -n 12345
out_lines 12345
ran 0 'options before the verb' "$scrim" -n 3 --quiet sample uniform n=1
out_is "0
0
0"
ran 0 'the whole line in one word' "$scrim" sample 'uniform n=1'
out_is 0
ran 0 'after two dashes' "$scrim" sample -n 2 -- bernoulli p=1
out_is "1
1"
ran 0 'a draw of more than 64 bits' "$scrim" sample uniform n=2^120 -n 100
check 'a draw of more than 64 bits: all digits' grep -q -E '^[0-9]{30,}$' "$work/out"
for line in 'uniform n=6' 'bernoulli p=1/3' 'bernoulli-exp x=1/2' 'geometric scale=3' \
    'discrete-laplace scale=1/3' 'discrete-gaussian variance=0.1' \
    'truncated-laplace scale=10 bound=20' 'clamped-laplace scale=10 bound=20' \
    'shifted-laplace epsilon=1/10 q=40' 'discrete-laplace scale=2^60'; do
    # shellcheck disable=SC2086 # words
    ran 0 "$line" "$scrim" sample $line -n 100
    out_lines 100
    err_is ''
done
"$scrim" sample discrete-laplace scale=1e6 -n 100 >"$work/first"
"$scrim" sample discrete-laplace scale=1e6 -n 100 >"$work/second"
check 'two runs differ' sh -c "! cmp -s '$work/first' '$work/second'"

# ---- formats ----
ran 0 'CSV' "$scrim" sample uniform n=1 -n 2 --format csv
out_is "value
0
0"
ran 0 'JSON' "$scrim" sample uniform n=1 -n 2 --json
out_is '{"distribution": "uniform n=1", "rows": [
{"value": 0},
{"value": 0}
]}'
ran 0 'JSON without rows' "$scrim" sample uniform n=1 -n 0 --format=json
out_is '{"distribution": "uniform n=1", "rows": [
]}'
ran 0 'JSON lines' "$scrim" sample bernoulli p=1 -n 2 --format jsonl
out_is '{"value": 1}
{"value": 1}'
ran 0 'a table' "$scrim" sample uniform n=1 -n 2 --format table
out_is "+-------+
| value |
+-------+
|     0 |
|     0 |
+-------+"
ran 0 'a table of nothing' "$scrim" sample uniform n=1 -n 0 --format table
out_lines 4
ran 0 'a table of wide draws' "$scrim" sample uniform n=2^120 -n 50 --format table
check 'a table of wide draws: a box' test \
    "$(awk '{ print length($0) }' "$work/out" | sort -u | wc -l)" -eq 1
ran 0 'binary' "$scrim" sample uniform n=1 -n 5000 --binary
check 'binary: 8 bytes a draw' test "$(wc -c <"$work/out")" -eq 40000
check 'binary: the values' test -z "$(tr -d '\000' <"$work/out")"
ran 0 'binary -1' "$scrim" sample shifted-laplace epsilon=1000000 q=2 --binary
check 'binary -1: two complement' test "$(od -An -tx8 "$work/out" | tr -d ' ')" = ffffffffffffffff
if command -v python3 >/dev/null 2>&1; then
    "$scrim" sample uniform n=2^100 -n 1000 --json >"$work/wide.json"
    check 'wide JSON parses, as strings' python3 -c '
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
assert len(rows) == 1000 and all(isinstance(r["value"], str) for r in rows)
assert all(0 <= int(r["value"]) < 2**100 for r in rows)' "$work/wide.json"
    "$scrim" sample discrete-laplace scale=2^52 -n 10000 --json >"$work/mixed.json"
    check 'JSON around 2^53: numbers below, strings above' python3 -c '
import json, sys
values = [r["value"] for r in json.load(open(sys.argv[1]))["rows"]]
assert {type(v) for v in values} == {int, str}
assert all((abs(int(v)) > 2**53) == isinstance(v, str) for v in values)' "$work/mixed.json"
    "$scrim" sample discrete-gaussian variance=10 -n 5000 --format jsonl >"$work/jsonl"
    check 'JSON lines parse' python3 -m json.tool --json-lines "$work/jsonl"
else
    skip 'JSON is parsed back' 'python3 is not installed'
fi

# ---- refusals ----
refused 'no distribution' 'name a distribution'
refused 'an unknown distribution' "unknown distribution 'normal'" normal
refused 'a misspelt distribution' "unknown distribution 'discrete-laplac'; did you mean" \
    discrete-laplac scale=1
refused 'a missing parameter' 'scale' discrete-laplace
refused 'an unknown parameter' "unknown parameter 'sigma'" discrete-laplace scale=1 sigma=2
refused 'a parameter twice' 'scale is given twice' discrete-laplace scale=1 scale=2
refused 'no equals sign' '' discrete-laplace scale
refused 'scale 0' 'scale' discrete-laplace scale=0
err_has 'a rational above 0'
refused 'scale below 0' 'scale' discrete-laplace scale=-1
refused 'scale not a number' 'scale' discrete-laplace scale=ten
refused 'scale of nothing' 'scale' discrete-laplace scale=
refused 'scale not finite' 'scale' discrete-laplace scale=inf
refused 'scale beyond the limit' 'scale' discrete-laplace scale=2^4000
refused 'division by 0' 'scale' discrete-laplace scale=1/0
refused 'variance 0' 'variance' discrete-gaussian variance=0
refused 'p above 1' 'p' bernoulli p=1.01
refused 'p below 0' 'p' bernoulli p=-1e-9
refused 'x below 0' 'x' bernoulli-exp x=-1
refused 'n not whole' 'n' uniform n=1.5
refused 'n 0' 'n' uniform n=0
refused 'bound below 0' 'bound' truncated-laplace scale=1 bound=-1
refused 'q missing' 'q' shifted-laplace epsilon=1
refused 'a count that is no number' "-n must be a whole number from 0 to 1000000000000000, not 'x'" \
    uniform n=6 -n x
refused 'a count below 0' '-n must be a whole number' uniform n=6 -n -1
refused 'a count above the limit' '-n must be a whole number' uniform n=6 -n 1000000000000001
refused 'a count without a value' '-n needs a value after it' uniform n=6 -n
refused 'an option twice' '--plot is given twice' uniform n=6 --plot --plot
refused 'a flag with a value' '--plot takes no value' uniform n=6 --plot=yes
refused 'a misspelt option' 'unknown option --binray; did you mean --binary?' uniform n=6 --binray
refused 'an unknown format' '--format must be table, csv, json or jsonl' uniform n=6 --format yaml
refused 'binary and JSON' '--binary is a format; leave --json out' \
    uniform n=6 --binary --json
refused 'binary and CSV' '--binary is a format; leave --format out' \
    uniform n=6 --binary --format csv
refused 'binary of wide draws' '--binary writes 64 bits per draw' uniform n=2^70 --binary
refused 'a newline in a parameter' '' "$(printf 'uniform\nn=x')"

# ---- no seed (A10) ----
refused '--seed' 'unknown option --seed;' uniform n=6 --seed 1
refused '--seed=' 'unknown option --seed;' uniform n=6 --seed=1
refused 'seed=1' "unknown parameter 'seed'" uniform n=6 seed=1
for run in first second; do
    SCRIM_SEED=1 SEED=1 RANDOM_SEED=1 "$scrim" sample discrete-laplace scale=1e9 -n 10 >"$work/$run"
done
check 'SCRIM_SEED changes nothing' sh -c "! cmp -s '$work/first' '$work/second'"

# ---- whoever reads, and where it goes ----
status_of_pipe() {
    { sh -c "$1"; echo $? >"$work/status"; } 2>"$work/err" | head -1 >"$work/out"
    cat "$work/status"
}
check 'a reader who leaves: 141' test \
    "$(status_of_pipe "exec '$scrim' sample uniform n=6 -n 1000000000000000")" -eq 141
name='a reader who leaves'
err_is ''
out_lines 1
check 'a reader who leaves, SIGPIPE ignored: 141' test \
    "$(status_of_pipe "trap '' PIPE; exec '$scrim' sample uniform n=6 -n 1000000000000000")" -eq 141
name='a reader who leaves, SIGPIPE ignored'
err_is ''
for options in '' --binary --json '--format csv' '--format jsonl' '--format table'; do
    ran 1 "a full disk $options" sh -c "'$scrim' sample uniform n=6 -n 1e15 $options >/dev/full"
    err_is 'scrim sample: cannot write standard output: No space left on device'
    ran 1 "a full disk, one draw $options" sh -c "'$scrim' sample uniform n=6 $options >/dev/full"
    err_lines 1
done
ran 1 'no standard output' sh -c "'$scrim' sample uniform n=6 >&-"
err_lines 1
# Twenty million draws are 160 MB as integers; the program may have 64.
limited="ulimit -v 65536 && exec '$scrim'"
if sh -c "$limited --version" >/dev/null 2>&1; then
    ran 0 'memory does not grow' sh -c "$limited sample uniform n=6 -n 2e7 >/dev/null"
else
    skip 'memory does not grow' 'this build needs much memory to start'
fi
finish
