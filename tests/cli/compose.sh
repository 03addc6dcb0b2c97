#!/bin/sh
# scrim compose: bounds, their formats, drawings and every refusal.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim

# refused NAME MESSAGE ARGUMENT...: status 2, and the message in one line.
refused() {
    label=$1 message=$2
    shift 2
    ran 2 "$label" "$scrim" compose "$@"
    out_is ''
    err_lines 1
    err_has "scrim compose: $message"
}

# ---- bounds ----
ran 0 'CSV' "$scrim" compose 'laplace scale=10 x100; gaussian sigma=20 x50' --delta 1e-6
out_has 'accountant,lower,upper,best,use,remark'
cp "$work/out" "$work/csv"
check 'CSV: one is the best' test "$(cut -d , -f 4 "$work/out" | grep -c -x yes)" -eq 1
check 'CSV: each accountant once' sh -c "cut -d , -f 1 '$work/out' | sort | uniq -d | grep -q . && exit 1 || exit 0"
err_has 'result      the true epsilon lies between '
err_has 'meaning     a guess whether one person is in the data is right at most '
ran 0 'quiet' "$scrim" compose 'laplace scale=10 x100' --delta 1e-6 --quiet
err_is ''
# upper FILE: the smallest upper bound of a CSV.
# shellcheck disable=SC2016 # for awk
upper() {
    awk -F , '$4 == "yes" { print $3 }' "$work/out"
}
# near VALUE WANT SLACK
near() {
    awk -v x="$1" -v want="$2" -v slack="$3" 'BEGIN { exit !(x >= want - slack && x <= want + slack) }'
}
# Stated guarantees, by themselves and beside mechanisms.
ran 0 'stated' "$scrim" compose 'epsilon=1 delta=1e-6 x10; rho=0.5; renyi order=2 epsilon=1; gdp mu=1; laplace scale=9' --delta 1e-4 --quiet
check 'stated: a bound' test -n "$(upper)"
ran 0 'stated rho' "$scrim" compose 'rho=1/2' --delta 1e-5 --quiet
check 'stated rho: 4.7284' near "$(upper)" 4.7284 5e-5
ran 0 'gdp' "$scrim" compose 'gdp mu=1' --delta 1e-5 --quiet
check 'gdp: 4.3772' near "$(upper)" 4.3772 5e-5
ran 0 'group' "$scrim" compose 'gdp mu=1/4' --group 4 --delta 1e-5 --quiet
check 'group: 4.3772' near "$(upper)" 4.3772 5e-5
refused 'a guarantee without its number' "part 1: mu is missing; give mu=..." gdp --delta 1e-5
refused 'an unknown guarantee' "part 1: unknown mechanism 'mu=1'; 'scrim list mechanisms' lists them all, " mu=1 --delta 1e-5
refused 'groups of nobody' '--group must be' 'epsilon=1' --group 0 --delta 1e-5
refused 'groups in a sample' 'part 1: nothing is proved about groups in a sample' 'poisson rate=0.1 gaussian sigma=3' --group 2 --delta 1e-5
# A name costs what it draws: the discrete Gaussian is not the continuous one.
ran 0 'discrete' "$scrim" compose 'gaussian sigma=1' --delta 1e-6 --quiet
check 'discrete: 4.4996' near "$(upper)" 4.4996 5e-5
ran 0 'continuous' "$scrim" compose 'continuous-gaussian sigma=1' --delta 1e-6 --quiet
check 'continuous: 4.8866' near "$(upper)" 4.8866 5e-5
# In scale and in sensitivities.
ran 0 'scaled' "$scrim" compose 'continuous-gaussian sigma=3 sensitivity=3' --delta 1e-6 --quiet
check 'scaled: 4.8866' near "$(upper)" 4.8866 5e-5
ran 0 'delta at epsilon' "$scrim" compose 'continuous-gaussian sigma=1' --epsilon 1 --quiet
check 'delta at epsilon: as in the vectors' near "$(upper)" 0.126936737506643946 1e-9
# Several values that one unit moves together: the worst move of all. Of two releases whose second move
# follows the first loss 0.570746573137 is attained, and fixed moves have 0.564295651666.
ran 0 'a vector' "$scrim" compose 'gaussian sensitivity=2 size=4 variance=3' --epsilon 0.5 --quiet
check 'a vector: one value that moves by 2' near "$(upper)" 0.30212921738349 1e-13
ran 0 'a vector, at 2' "$scrim" compose 'gaussian sensitivity=2 size=4 variance=3' --epsilon 2 --quiet
check 'a vector, at 2: four that move by 1' near "$(upper)" 0.045184200256 1e-12
ran 0 'two vectors' "$scrim" compose 'gaussian sensitivity=3 size=4 variance=2 x2' --epsilon 3 --quiet
check 'two vectors: above what is attained' near "$(upper)" 0.571746573137 1e-3
ran 0 'a vector of which one moves' "$scrim" compose 'gaussian size=1000 sigma=1' --delta 1e-6 --quiet
check 'a vector of which one moves: as a single value' near "$(upper)" 4.4996 5e-5
ran 0 'pure, no delta' "$scrim" compose 'exponential epsilon=1/2 x3' --delta 0 --quiet
check 'pure, no delta: the sum' near "$(upper)" 1.5 1e-12
ran 0 'nothing is proved' "$scrim" compose 'gaussian sigma=1' --delta 0 --format table
out_has 'no finite epsilon is proved at delta 0: '
ran 0 'words in one line or in several' "$scrim" compose laplace scale=10 x100 --delta 1e-6 --quiet
cp "$work/out" "$work/first"
ran 0 'in one word' "$scrim" compose '  laplace   scale=10.0
    x1e2 ' --delta 0.000001 --quiet
check 'in one word: the same' cmp "$work/out" "$work/first"

# ---- formats ----
ran 0 'a table' "$scrim" compose 'laplace scale=10 x100; poisson rate=0.01 laplace scale=1 x5' --delta 1e-6 --format table
out_has 'parts       laplace sensitivity=1 scale=10 neighbours=add-remove, 100 times'
out_has '            poisson rate=0.01 laplace sensitivity=1 scale=1'
out_has '            neighbours=add-remove, 5 times'
out_has 'together    105 releases; epsilon at delta 1e-6'
out_has '| accountant '
out_has 'result      the true epsilon lies between '
out_has 'use         '
out_has 'no bound    '
err_is ''
check 'a table: 80 columns' sh -c "! grep '|' '$work/out' | grep -q '.\{81\}'"
if command -v python3 >/dev/null 2>&1; then
    parts='laplace scale=1 x100; gaussian sigma=4 x50; poisson rate=0.01 gaussian sigma=1 x1099511627776'
    "$scrim" compose 'laplace scale=10 x100; gaussian sigma=20 x50' --delta 1e-6 --json >"$work/json"
    "$scrim" compose 'laplace scale=10 x100; gaussian sigma=20 x50' --delta 1e-6 --format jsonl --quiet >"$work/jsonl"
    check 'CSV, JSON and JSON lines agree' python3 -c '
import csv, json, sys
from fractions import Fraction
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
whole = json.load(open(sys.argv[2]))
lines = [json.loads(line) for line in open(sys.argv[3])]
assert whole["rows"] == lines and len(rows) == len(lines) >= 1
assert whole["quantity"] == "epsilon" and whole["delta"] == "1e-6" and whole["releases"] == 150
assert whole["neighbours"] == "add-remove" and [p["count"] for p in whole["parts"]] == [100, 50]
best = whole["best"]
assert 0 <= best["lower"] <= best["upper"] and best["use"] in ("adaptive", "declared")
assert Fraction(best["lower_exact"]) <= Fraction(best["upper_exact"])
assert Fraction(best["upper_exact"]) == min(Fraction(r["upper_exact"]) for r in lines if r["upper"] is not None)
for row, line in zip(rows, lines):
    assert row["accountant"] == line["accountant"] and row["use"] == line["use"]
    assert row["remark"] == line["remark"] and (row["best"] == "yes") == line["best"]
    for side in "lower", "upper":
        assert row[side] == (line[side + "_exact"] or "")
        if line[side] is not None:
            assert abs(line[side] - float(row[side])) <= 1e-12 * line[side]
    if line["best"]:
        assert line["accountant"] == best["accountant"] and line["upper"] == best["upper"]' \
        "$work/csv" "$work/json" "$work/jsonl"
    "$scrim" compose "$parts" --epsilon 1/3 --accountant basic --json >"$work/json"
    check 'JSON: exact numbers are strings' python3 -c '
import json, sys
whole = json.load(open(sys.argv[1]))
assert whole["epsilon"] == "1/3" and whole["parts"][2]["rate"] == "0.01"
assert whole["parts"][2]["count"] == 2**40 and whole["releases"] == 2**40 + 150
assert len(whole["rows"]) == 1 and whole["rows"][0]["accountant"] == "basic"' "$work/json"
    "$scrim" compose 'gaussian sigma=1' --delta 0 --json >"$work/json"
    check 'JSON: null where nothing is proved' python3 -c '
import json, sys
best = json.load(open(sys.argv[1]))["best"]
assert best["upper"] is None and best["upper_exact"] is None and best["lower"] >= 0' "$work/json"
else
    skip 'CSV, JSON and JSON lines agree' 'python3 is not installed'
fi

# ---- drawings ----
ran 0 'plots beside the bounds' "$scrim" compose 'laplace scale=10 x20' --delta 1e-6 --accountant basic --plot
out_has 'accountant,lower,'
err_has 'epsilon against delta'
err_has 'epsilon against the number of releases'
err_has 'epsilon  * at most  o at least  @ both'
check 'plots: ASCII' sh -c "! grep -q '[^ -~]' '$work/err'"
check 'plots: 80 columns' sh -c "! grep -q '.\{81\}' '$work/err'"
ran 0 'plots at an epsilon' "$scrim" compose 'laplace scale=10 x20' --epsilon 1 --accountant basic --plot
err_has 'epsilon against the number of releases'
ran 0 'plots in UTF-8' env LC_ALL=C.UTF-8 "$scrim" compose 'laplace scale=10 x20' --delta 1e-6 --accountant basic --plot
err_has '└──'
ran 0 'a drawing' "$scrim" compose 'laplace scale=10 x20' --delta 1e-6 --accountant basic --svg "$work/a.svg" --quiet
err_is ''
check 'a drawing: it is one' grep -q '^<svg ' "$work/a.svg"
check 'a drawing needs no other file' sh -c "! grep -q -e '<script' -e 'href' -e '@import' -e 'url(' '$work/a.svg'"
if command -v python3 >/dev/null 2>&1; then
    check 'a drawing is well formed' python3 -c '
import sys, xml.dom.minidom
drawing = xml.dom.minidom.parse(sys.argv[1]).documentElement
assert drawing.tagName == "svg" and len(drawing.getElementsByTagName("polyline")) == 4' "$work/a.svg"
else
    skip 'a drawing is well formed' 'python3 is not installed'
fi
refused 'a drawing nowhere' '--svg' 'laplace scale=1' --delta 1e-6 --svg "$work/no/where.svg"

# ---- extremes: an answer or one line, never a number that is none ----
while read -r question line; do
    [ -n "$line" ] || continue
    name="$line $question"
    timeout 100 "$scrim" compose "$line" "$question" --quiet >"$work/out" 2>"$work/err"
    status=$?
    check "$name: status 0 or 2, not $status" test $status -eq 0 -o $status -eq 2
    check "$name: no number that is none" sh -c "! grep -q -i -e nan -e ',inf' '$work/out'"
    [ $status -eq 0 ] || check "$name: one line" test "$(wc -l <"$work/err")" -eq 1
done <<END
--delta=1e-30 laplace scale=2^-60
--epsilon=1e-300 laplace scale=2^-60
--delta=1e-30 laplace epsilon=2^-60 x1e6
--delta=0.9999999999999999 laplace epsilon=700 x1000
--epsilon=50 laplace epsilon=700 x1000
--delta=1e-30 gaussian sigma=2^-59
--epsilon=0 gaussian sigma=2^-59
--delta=0 poisson rate=2^-60 laplace epsilon=50
--epsilon=700 continuous-gaussian sigma=2^-60
--epsilon=700 laplace epsilon=2^-60 x1000
--delta=1e-30 continuous-laplace scale=1e6 x1000
--delta=1e-300 exponential epsilon=1e-9 x1000
$([ "${LONG-}" != yes ] || cat <<LONG
--epsilon=700 laplace epsilon=2^-60 x1e6
--delta=1e-30 continuous-laplace scale=1e6 x1e6
--delta=1e-30 gaussian sigma=1e6 x1e6
--delta=1e-300 poisson rate=2^-60 laplace epsilon=50
LONG
)
END

# ---- A104: no bound depends on a clock ----
# A slow machine: each call that reads the used processor time adds ten seconds to it.
if grep -q -a __asan_init "$scrim" || ! command -v "${CC:-gcc}" >"$work/null" 2>&1; then
    skip 'A104 a slow machine' 'the sanitizer takes no clock before its own, or there is no compiler'
else
    cat >"$work/clock.c" <<'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *time)
{
    static long calls;
    const int failed = (int)syscall(SYS_clock_gettime, id, time);
    if (id == CLOCK_THREAD_CPUTIME_ID || id == CLOCK_PROCESS_CPUTIME_ID)
        time->tv_sec += 10 * ++calls;
    return failed;
}
END
    "${CC:-gcc}" -shared -fPIC -o "$work/clock.so" "$work/clock.c"
    # same NAME ARGUMENT...: standard output and status with both clocks.
    same() {
        label=$1 first=0 second=0
        shift
        "$scrim" "$@" >"$work/usual" 2>&1 || first=$?
        LD_PRELOAD=$work/clock.so "$scrim" "$@" >"$work/slow" 2>&1 || second=$?
        check "A104 $label: the same status" test "$first" = "$second"
        check "A104 $label: the same answer" cmp "$work/usual" "$work/slow"
    }
    same 'compose' compose 'laplace epsilon=0.13 x50; laplace epsilon=0.21 x70; gaussian sigma=7 x30' --delta 1e-6
    [ "${LONG-}" != yes ] || same 'compose, several samples' compose 'poisson rate=0.1 laplace epsilon=1/3 x100; poisson rate=0.01 gaussian sigma=2 x300; gaussian sigma=33 x7' --delta 1e-6
    same 'calibrate' calibrate 'gaussian' --epsilon 1 --delta 1e-6 --count 10
    [ "${LONG-}" != yes ] || same 'calibrate, too much' calibrate 'continuous-gaussian' --epsilon 2^20 --delta 1e-12 --count 100
fi

# ---- refusals ----
refused 'no parts' 'name the parts, as in ' --delta 1e-6
refused 'no question' 'give --delta to compute epsilon, or --epsilon to compute delta; one of them' 'laplace scale=1'
refused 'two questions' 'give --delta to compute epsilon, or --epsilon to compute delta; not both' 'laplace scale=1' --delta 1e-6 --epsilon 1
refused 'delta 1' 'delta must be at least 0 and less than 1' 'laplace scale=1' --delta 1
refused 'no delta' 'delta: ' 'laplace scale=1' --delta tiny
refused 'a negative epsilon' 'epsilon must be at least 0' 'laplace scale=1' --epsilon -1
refused 'an empty part' 'part 2 is empty' 'laplace scale=1;' --delta 1e-6
refused 'a misspelt mechanism' "part 2: unknown mechanism 'gausian'; did you mean 'gaussian'?" 'laplace scale=1; gausian sigma=2' --delta 1e-6
refused 'a bad parameter' 'part 1: scale' 'laplace scale=0' --delta 1e-6
refused 'a bad count' "part 1: invalid count 'x0'" 'laplace scale=1 x0' --delta 1e-6
refused 'too many' 'part 1: a count is at most 1099511627776' 'laplace scale=1 x1e15' --delta 1e-6
refused 'a bad rate' 'part 1: rate' 'poisson rate=2 laplace scale=1' --delta 1e-6
refused 'relations mixed' 'part 2: its neighbours are replace' 'laplace scale=1; laplace scale=1 neighbours=replace' --delta 1e-6
refused 'a sample under replace' 'part 1: poisson sampling has no proved gain' 'poisson rate=1/2 laplace scale=1 neighbours=replace' --delta 1e-6
refused 'no such accountant' "unknown accountant 'basik'; did you mean 'basic'?" 'laplace scale=1' --delta 1e-6 --accountant basik
refused 'no such format' '--format' 'laplace scale=1' --delta 1e-6 --format xml
# ---- the meaning: by the distance, not by one epsilon ----
# Two Gaussians a deviation apart are told apart in 69.15 % of all cases.
ran 0 'a guess, of one Gaussian' "$scrim" compose 'gdp mu=1' --delta 1e-5 --format table
check 'a guess, of one Gaussian: 69.2 %' sh -c "tr -s '\n ' ' ' <'$work/out' | grep -q 'is right at most 69.2 % of the time'"
ran 0 'a guess, in JSON' "$scrim" compose 'gdp mu=1' --delta 1e-5 --json --quiet
out_has '"guess": "0.692", "meaning": "a guess whether one person is in the data is right at most 69.2 % of the time"'
ran 0 'a guess, of a rho, and beside CSV' "$scrim" compose rho=0.187642 --delta 1e-5 --format csv
err_has 'meaning     a guess whether one person is in the data is right at most 65.4 % of'
check 'of one release nothing is said of earlier answers' sh -c "! grep -q '^use ' '$work/out'"
ran 0 'a guess, of a pure epsilon' "$scrim" compose 'randomised-response epsilon=1' --delta 0 --format table
check 'a guess, of a pure epsilon: that of the epsilon' sh -c "tr -s '\n ' ' ' <'$work/out' | grep -q 'is right at most 73.2 % of the time'"
# The sum of three is three, and no last digit more.
ran 0 'stated guarantees at the sum of their deltas' "$scrim" compose 'epsilon=1 delta=1e-6 x3' --delta 3e-6 --format csv
out_has 'basic,,3,no,adaptive,'
finish
