#!/bin/sh
# scrim experiment: rows, their formats, drawings and every refusal.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
seeded=$O/scrim-test

# refused NAME MESSAGE ARGUMENT...: status 2, and the message in one line.
refused() {
    label=$1 message=$2
    shift 2
    ran 2 "$label" "$scrim" experiment "$@"
    out_is ''
    err_lines 1
    err_has "scrim experiment: $message"
}

# ---- suppression: Figure 1 and section 6 of 004 ----
ran 0 'Figure 1 in a new folder' "$scrim" experiment suppression --svg "$work/new/" --epsilon 0.1
check 'Figure 1 in a new folder: a drawing' test -s "$work/new/suppression.svg"
check 'no chance is above 1' sh -c "! grep -q '1\.00000000' '$work/out'"
ran 0 'Figure 1' "$scrim" experiment suppression --svg "$work"
err_is "wrote $work/suppression.svg"
out_has 'epsilon,delta,gamma_1,gamma_0.1,gamma_0.01,threshold,least,range_formula,range,no_range,'
check 'Figure 1: three epsilons, sixteen deltas' test "$(wc -l <"$work/out")" -eq 49
# shellcheck disable=SC2016 # for awk
check 'Figure 1: the strongest setting' awk -F , '$1 == 0.05 && $2 == "1e-19" {
    seen = int($3) == 1750 && int($4) == 963 && int($5) == 884 && $6 == 863 && $7 == 802 && int($8) == 1289 && $9 == 802 }
    END { exit !seen }' "$work/out"
# shellcheck disable=SC2016 # for awk
check 'Figure 1: no formula is below what is enough' awk -F , 'NR > 1 && ($3 < $6 || $4 < $6 || $5 < $6 || $8 < $9) { bad = 1 } END { exit bad }' "$work/out"
check 'Figure 1: a drawing' grep -q '<title>Thresholds for counts' "$work/suppression.svg"
check 'Figure 1: three panels' test "$(grep -c 'font-weight="bold">epsilon' "$work/suppression.svg")" -eq 3
ran 0 'Figure 1 in a terminal' env LC_ALL=C "$scrim" experiment suppression --epsilon 0.1 --plot --format table
check 'Figure 1: its key and axes' sh -c "grep -q 'enough' '$work/out' && grep -q 'gamma 1' '$work/out' && grep -q '1 / delta' '$work/out'"
ran 0 'Figure 1 beside rows' "$scrim" experiment suppression --plot --format csv
check 'Figure 1: three panels on standard error' test "$(grep -c '1 / delta' "$work/err")" -eq 3
check 'Figure 1: rows alone on standard output' test "$(wc -l <"$work/out")" -eq 49
ran 0 'a trillion zeros' "$scrim" experiment suppression --epsilon 0.1 --delta 1e-6 --values 1e12 --json
out_has '"zeros_threshold": 316'
ran 0 'one row, for people' "$scrim" experiment suppression --epsilon 0.05 --delta 1e-19 --format table
out_has ' 963.49 '
out_has ' 863 '
refused 'suppression of data' "this experiment uses no data; leave 'file' out" suppression file
refused 'an epsilon that is none' 'epsilon' suppression --epsilon 0
refused 'a confidence that is none' 'confidence must be above 0 and below 1' suppression --confidence 1
refused 'values that are none' 'values must be an integer from 1 to 9.2e18' suppression --values 1.5
# ---- linear-queries: what is enough, and what nobody can beat ----
ran 0 'bounds of linear queries' "$scrim" experiment linear-queries queries=64 bins=64 people=1000 epsilon=0.1
out_has 'bound,kind,error,source'
out_has 'packing,limit,21,'
ran 0 'bounds for people' "$scrim" experiment linear-queries queries=64 bins=64 people=1000 epsilon=0.1 delta=1e-6 --format table
out_has 'gaussian'
refused 'bounds of no question' 'queries' linear-queries
refused 'bounds of nobody' 'people' linear-queries queries=1 bins=2 people=0 epsilon=1
refused 'bounds with a drawing' 'unexpected argument --svg' linear-queries --svg x
refused 'an option of another' 'unexpected argument --only' suppression --only 1

# ---- pricing: the survey's sale ----
ran 0 'the sale in a new folder' "$scrim" experiment pricing --svg "$work/sale"
check 'the sale in a new folder: a drawing' test -s "$work/sale/pricing.svg"
ran 0 'the sale' "$scrim" experiment pricing --svg "$work"
out_has 'buyers,price,revenue,chance,best,expected,loss_bound,loss,nothing'
check 'the sale: eleven prices, four crowds' test "$(wc -l <"$work/out")" -eq 45
check 'the sale: A, B and C' grep -q '^3,1.01,2.02,' "$work/out"
check 'the sale: one step too far' grep -q '^3,3.02,0,' "$work/out"
check 'the sale: a drawing' grep -q '<title>A price for buyers' "$work/pricing.svg"
ran 0 'the sale for people' "$scrim" experiment pricing --epsilon 0.1 --format table
out_has 'nobody pays with probability'
refused 'a sale of data' "'file' is not a parameter; write key=value" pricing file
ran 0 'a sale of one'"'"'s own' "$scrim" experiment pricing prices=2,5,7 valuations=2.5,5 --epsilon 2 --confidence 0.9
check 'a sale of one'"'"'s own: three prices, four crowds' test "$(wc -l <"$work/out")" -eq 13
check 'a sale of one'"'"'s own: its revenue' grep -q '^2,5,5,0.50222' "$work/out"
ran 0 'a sale of one'"'"'s own for people' "$scrim" experiment pricing prices=2,5,7 valuations=2.5,5 --format table
out_has 'buyers of 2'
refused 'a sale at no price' 'prices: give at least two, and one above 0' pricing prices=0
refused 'a sale for nothing' 'epsilon' pricing --epsilon 0
refused 'a sale with a delta' 'unexpected argument --delta' pricing --delta 0.1

# ---- calculators beside the survey's statements ----
ran 0 'tail bounds' "$scrim" experiment tail-bounds terms=100 mean=1/100 deviation=1/100
out_has 'bound,side,deviation,probability,source'
check 'tail bounds: the truth of erratum 39' grep -q '^exact,above,0.01,0.0793732022521' "$work/out"
ran 0 'tail bounds for people' "$scrim" experiment tail-bounds terms=100 mean=0.9 probability=0.01 --format table
out_has 'how far the mean deviates'
ran 0 'tail bounds of a width' "$scrim" experiment tail-bounds terms=10 mean=1 width=100 deviation=50 --json
out_has '"bound": "chernoff-multiplicative", "side": "above", "source"'
refused 'tail bounds of nothing' 'give either deviation=R or probability=R' tail-bounds terms=9 mean=1/2
refused 'tail bounds of a word' "unknown parameter 'n'" tail-bounds n=9
ran 0 'central beside local' "$scrim" experiment central-local epsilon=1 --svg "$work/trust"
out_has 'people,central,local,times,central_formula,local_formula'
out_lines 8
check 'central beside local: a count within 3' grep -q '^10000,0.0003[0-9]*,' "$work/out"
check 'central beside local: a drawing' grep -q '<title>The error of a fraction' "$work/trust/central-local.svg"
ran 0 'central beside local, drawn' "$scrim" experiment central-local epsilon=1 --plot --format table
out_has 'local'
refused 'central beside local at no cost' 'epsilon is missing' central-local
ran 0 'truncation' "$scrim" experiment truncation size=2 keep=3 lengths=5:3,2:4 gamma=0.1,1
out_has 'gamma,beta,kept,scale,sets_before,sets_after'
check 'truncation: beta of gamma 0.1' grep -q '^0.1,0.97[23]' "$work/out"
refused 'truncation of nothing' 'lengths: write LENGTH:COUNT' truncation size=2 keep=3 lengths=x
ran 0 'private labels' "$scrim" experiment private-labels --runs 1
out_has 'labels_from,epsilon,delta,labels,right_percent,student_percent'
out_lines 5
check 'private labels: at most 10 are shown' awk -F, '/sparse/ { good = $4 > 5 && $4 <= 10 && $3 <= 1e-6 && $3 > 0 } END { exit !good }' "$work/out"
refused 'private labels without a run' '--runs must be at least 1' private-labels --runs 0

# ---- extension: all tables of a tiny universe ----
ran 0 'extension' "$scrim" experiment extension
out_has 'tables,typical,changed,epsilon,loss,typical_loss,typical_error,error'
check 'extension: no typical table changes, and epsilon holds' awk -F, 'NR == 2 { good = $1 == 495 && $2 > 0 && $3 == 0 && $4 == 1 && $5 <= 1 && $6 <= 0.5 } END { exit !good }' "$work/out"
refused 'an extension that is not tiny' 'rows: there are too many tables' extension rows=8

# ---- body-routes: why route C of a floating body is not offered ----
ran 0 'two routes' "$scrim" experiment body-routes --runs 1
out_has 'units,plain,route_b,route_c,route_c_answers,sigma'
check 'two routes: of 20,000 and 100,000 rows both answer, and B errs less' awk -F, '
    NR > 1 && $1 >= 20000 { rows++; good += $5 == 1 && $3 < 0.1 && $4 < 3 } END { exit !(rows == 2 && good == 2) }' "$work/out"
refused 'two routes of data' "experiments generate their data; leave 'file' out" body-routes file
refused 'no runs of routes' 'runs must be from 1 to 1000' body-routes --runs 0

# ---- rows ----
ran 0 'CSV' "$scrim" experiment flexible-accuracy --sets 2 --runs 2
err_is ''
out_has 'experiment,statistic,epsilon,mechanism,runs,raw_mean,raw_standard_error,raw_quantile,raw_expected,raw_best,'
check 'CSV: six experiments, six epsilons, seven mechanisms' test "$(wc -l <"$work/out")" -eq 253
# At epsilon 2 no bar of 540 can be lowered below 500: q is 15.
check 'CSV: stlap is exact where it must be' grep -q '^4,max_500,2,stlap,4,0,0,0,0,yes,0,0,0,0,yes$' "$work/out"
# The expected errors are those of the specification, whatever was drawn.
# expected EXPERIMENT EPSILON MECHANISM COLUMN WANT
# shellcheck disable=SC2016 # for awk
expected() {
    awk -F , -v e="$1" -v p="$2" -v m="$3" -v c="$4" -v want="$5" '
        $1 == e && $3 == p && $4 == m { seen = $c }
        END { exit !(seen != "" && seen >= want * (1 - 1e-12) && seen <= want * (1 + 1e-12)) }' "$work/out"
}
check 'expected: 2 at 1, stlap, raw' expected 2 1 stlap 9 49.9990891494324
check 'expected: 4 at 0.5, stlap, raw' expected 4 0.5 stlap 9 0.000207448489450236
check 'expected: 4 at 0.5, stability, flexible' expected 4 0.5 stability 14 4.99888619075670
check 'expected: 6 at 0.1, stlap, raw' expected 6 0.1 stlap 9 14.7526158106918
check 'expected: 6 at 0.1, stlap, flexible' expected 6 0.1 stlap 14 0.0887158300680103
check 'expected: 6 at 1, ptr, flexible' expected 6 1 ptr 14 11.6666595745443
check 'expected: none of choosing' test "$(awk -F , '$4 == "choosing" && $9 $14 == ""' "$work/out" | wc -l)" -eq 36
# What the page about them shows is what the program finds, where nothing of it is drawn.
# shellcheck disable=SC2016 # for awk
fixed_rows() {
    awk -F , '$1 % 2 == 0 { printf "%s %s %s %s %.10f %.10f\n", $1, $2, $3, $4, $9, $14 }' "$1"
}
fixed_rows "$work/out" >"$work/found"
fixed_rows docs/figures/flexible-accuracy.csv >"$work/told"
check 'the page has these expected errors' cmp "$work/found" "$work/told"
for number in 1 2 3 4 5 6; do
    check "the page shows drawing $number" grep -q "(figures/flexible-accuracy-$number.svg)" docs/flexible-accuracy.md
    check "drawing $number is there" grep -q "<title>Experiment $number: " "docs/figures/flexible-accuracy-$number.svg"
done
ran 0 'one of them' "$scrim" experiment flexible-accuracy --only 5 --sets 1 --runs 1 --quiet
check 'one of them: that one' sh -c "cut -d , -f 1 '$work/out' | sed 1d | sort -u | grep -q -x 5"
check 'one of them: its rows' test "$(wc -l <"$work/out")" -eq 43

refused 'what --only leaves out' '--noisy is about experiment 6, and --only leaves that out' flexible-accuracy --noisy --only 2
ran 0 'what --only does not leave out' "$scrim" experiment flexible-accuracy --noisy --only 6 --sets 1 --runs 1 --quiet

# ---- a seed, in the test build alone ----
ran 0 'a seed' "$seeded" experiment flexible-accuracy --sets 2 --runs 2 --seed 7
cp "$work/out" "$work/seven"
ran 0 'the same seed' "$seeded" experiment flexible-accuracy --sets 2 --runs 2 --seed 7
check 'the same seed: the same rows' cmp "$work/out" "$work/seven"
ran 0 'another seed' "$seeded" experiment flexible-accuracy --sets 2 --runs 2 --seed 8
check 'another seed: other rows' sh -c "! cmp -s '$work/out' '$work/seven'"
ran 2 'no seed in the program' "$scrim" experiment flexible-accuracy --seed 7
err_has 'scrim experiment: unknown option --seed'

# ---- formats ----
ran 0 'a table' "$scrim" experiment flexible-accuracy --only 4 --sets 2 --runs 5 --format table
err_is ''
out_has 'experiment  4: max_500 of 50 bars of 540, 50 bars of 490'
out_has '| epsilon | mechanism   | raw error % '
out_has '| 2       | stlap       | 0.0000* (0.0000) '
out_has 'raw         stlap is '
out_has 'flexible    stlap is '
out_has 'legend      mean in percent of the number of bars'
check 'a table: 80 columns' sh -c "! grep -q '.\{81\}' '$work/out'"
if command -v python3 >/dev/null 2>&1; then
    for format in json jsonl csv; do
        "$seeded" experiment flexible-accuracy --sets 2 --runs 3 --seed 3 --format $format >"$work/$format" 2>"$work/err"
    done
    check 'CSV, JSON and JSON lines agree' python3 -c '
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
whole = json.load(open(sys.argv[2]))
lines = [json.loads(line) for line in open(sys.argv[3])]
assert whole["not_private"] and all(line.pop("not_private") for line in lines)
assert whole["rows"] == lines and len(rows) == len(lines) == 252
assert whole["delta"] == "2^-20" and whole["gamma"] == "0.05" and whole["name"] == "flexible-accuracy"
assert [d["experiment"] for d in whole["data"]] == [1, 2, 3, 4, 5, 6]
assert [len(d["heights"]) for d in whole["data"]] == [100, 100, 100, 100, 30, 300]
assert whole["data"][3]["value"] == 50 and whole["data"][3]["allowance"] == 257
assert sum(whole["data"][1]["heights"]) == 50050
for row, line in zip(rows, lines):
    assert int(row["experiment"]) == line["experiment"] and int(row["runs"]) == line["runs"] == 6
    for name in "statistic", "epsilon", "mechanism":
        assert row[name] == line[name]
    for name in "raw", "flexible":
        told = line[name]
        assert float(row[name + "_mean"]) == told["mean"] and float(row[name + "_standard_error"]) == told["standard_error"]
        assert float(row[name + "_quantile"]) == told["quantile"]
        assert (row[name + "_best"] == "yes") == told["best"]
        assert (told["expected"] is None) == (line["mechanism"] == "choosing") == (row[name + "_expected"] == "")' \
        "$work/csv" "$work/json" "$work/jsonl"
else
    skip 'CSV, JSON and JSON lines agree' 'python3 is not installed'
fi

# ---- drawings ----
ran 0 'drawings' "$scrim" experiment flexible-accuracy --sets 1 --runs 1 --svg "$work/drawings" --quiet
err_is ''
check 'drawings: six, and nothing else' test "$(find "$work/drawings" -type f | wc -l)" -eq 6
for number in 1 2 3 4 5 6; do
    check "drawing $number: about it" grep -q "<title>Experiment $number: " "$work/drawings/flexible-accuracy-$number.svg"
done
if command -v xmllint >/dev/null 2>&1; then
    ran 0 'drawings: well formed' xmllint --noout "$work"/drawings/*.svg
else
    skip 'drawings: well formed' 'xmllint is not installed'
fi
ran 0 'a noisy sixth' "$scrim" experiment flexible-accuracy --only 6 --noisy --sets 1 --runs 1 --svg "$work/drawings"
check 'a noisy sixth: says so' grep -q 'Poisson bars about' "$work/drawings/flexible-accuracy-6.svg"

# ---- the histogram of the first draft: the table of the specification ----
ran 0 'rounded-stlap' "$scrim" experiment rounded-stlap
err_is ''
out_is 'q,epsilon,delta_source,delta,delta_stlap,lost_none,lost_one
4,0.5,0.735758882342885,0.188770334399073,0.124754788695105,0.0826480883355601,0.242385907285054
9,1/3,0.297506880197907,0.0568132904882969,0.0460604659036048,0.0260448893054136,0.0671169723075103
16,0.25,0.135335283236613,0.0222274943504785,0.0190918457368491,0.0104200410048921,0.0251870508387963
25,0.2,0.0656679988991191,0.00989952504951954,0.00888187626931859,0.00470248043259536,0.0109406671874904'
ran 0 'rounded-stlap: of the same shape' "$scrim" experiment rounded-stlap 5 --epsilon 1/3 --json
out_has '"epsilon": "1/3", "delta": 0.152044487471091'
ran 0 'rounded-stlap: a table' "$scrim" experiment rounded-stlap 16 --format table
out_has '| 16 | 0.25    | 0.13534      | 0.022228 | 0.019092    | 0.010421  | 0.025188 |'
refused 'rounded-stlap: no square' 'rounded-stlap: 1/sqrt(q) is not a fraction; use q=4 or q=9, or give epsilon' rounded-stlap 5
refused 'rounded-stlap: an option of another' 'unexpected argument --only' rounded-stlap --only 1

# ---- flexible accuracy of several stages ----
ran 0 'composition' "$scrim" experiment composition alpha=0.05 beta=0.1 metric=move apply growth=2 metric=absolute \
    'then' alpha=0.1 beta=3 gamma=0.05
out_is 'stage,alpha,dropped,beta,gamma,distortion,eta,metric,case
first,0.05,,0.1,0,drop,,move,worst
apply,0.05,,0.2,0,drop,,absolute,worst
then,0.145,,3.2,0.05,drop,,absolute,worst'
ran 0 'composition: counts, and no bound' "$scrim" experiment composition dropped=27 beta=1/4 metric=move \
    apply growth=unbounded metric=absolute --json
out_has '"stage": "apply", "dropped": "27", "beta": "unbounded"'
ran 0 'composition: moves, on average' "$scrim" experiment composition alpha=1 distortion=drop-move eta=2 case=average \
    'then' beta=1/2 eta=2 growth=3
out_has 'then,1,,0.5,0,drop-move,2,absolute,average'
ran 0 'composition: moves become distortion' "$scrim" experiment composition alpha=0.05 beta=0.1 metric=move \
    distort eta=2 metric=labels
out_has 'distort,0.25,,0,0,drop-move,2,labels,worst'
refused 'distort: no eta' 'distort needs eta, the price of moving by 1' composition metric=move distort
refused 'distort: no moves' 'beta must be how far elements move' composition beta=1 distort eta=1
refused 'distort: a beta' 'distort takes no beta; leave it out' composition metric=move distort eta=1 beta=1

# ---- sensitivities of a table ----
cat >"$work/table.json" <<'END'
{"inputs": {"a": [[0, 2], [10, 1], [10.1, 1]], "b": [[0, 2], [10, 2]], "c": [[0, 2]]},
 "function": {"a": 0, "b": 10, "c": 0},
 "mechanism": {"a": [[0, 1]], "b": [[10, "9/10"], [4, "1/10"]], "c": [[0, 1]]}}
END
ran 0 'sensitivity' "$scrim" experiment sensitivity "$work/table.json"
out_is 'sensitivity,from,value,input,other
distortion,0,0,a,0
distortion,4,inf,a,4
error,0,6,b,b
error,0.1,10,a,b'
ran 0 'sensitivity: at a gamma' "$scrim" experiment sensitivity "$work/table.json" gamma=1/10
out_has 'error,0,0,a,a'
ran 0 'sensitivity: at a distortion' "$scrim" experiment sensitivity "$work/table.json" alpha=1/2 --json
out_has '{"sensitivity": "error", "from": "0", "value": "4", "input": "b", "other": "b"}'
echo '{"function": {"a": "p", "b": "q"}, "outputs": {"p": [[0, 2]], "q": [[0, 1]]}, "inputs": {"a": [[1, 2]], "b": [[1, 1]]}}' \
    >"$work/bijection.json"
ran 0 'sensitivity: of a bijection' "$scrim" experiment sensitivity "$work/bijection.json"
out_has 'distortion,0.5,0.5,a,q'
refused 'sensitivity: no file' 'name a file with a function' sensitivity
refused 'sensitivity: another key' "'beta=1' is not allowed here" sensitivity "$work/table.json" beta=1
for bad in '{}' '{"function": {"a": 1, "a": 2}}' '{"function": {"a": 1}, "inputs": ["a", "b"]}' \
    '{"function": {"a": 1}, "metric": [["a", "z", 1]]}' '{"function": {"a": x}, "output_metric": "absolute"}' \
    '{"function": {"a": 1}, "mechanism": {"b": [[1, 1]]}}' '{"function": {"a": 1}} x'; do
    printf '%s' "$bad" >"$work/bad.json"
    ran 6 "sensitivity: $bad" "$scrim" experiment sensitivity "$work/bad.json"
    err_lines 1
done

# ---- is the set empty? ----
ran 0 'emptiness' "$scrim" experiment emptiness certain=3 --epsilon 1
out_has '1,0.333333,0.211941557617085,0.246759804472173'
out_has '3,1,1,1'
ran 0 'emptiness: a drawing' "$scrim" experiment emptiness --svg "$work/drawings" --quiet
out_lines 102
out_has '50,0.5,0.5,0.5'
check 'emptiness: it is there' grep -q 'Is the set empty' "$work/drawings/emptiness.svg"
ran 0 'emptiness: in the terminal' "$scrim" experiment emptiness certain=10 --plot
err_has 'epsilon 1/10, certain from 10 on'
refused 'emptiness: one element' 'certain must be an integer from 2 to 2000' emptiness certain=1
refused 'emptiness: no number' 'certain must be an integer from 2 to 2000' emptiness certain=9x

ran 0 'own epsilons, linear axes' "$scrim" experiment flexible-accuracy --only 4 --sets 2 --runs 2 --epsilon 0.3,1 \
    --svg "$work/drawings" --linear --quiet
out_lines 15
out_has '4,max_500,0.3,stlap,4,'
check 'linear axes: a sentence' grep -q 'looks* like 0 here' "$work/drawings/flexible-accuracy-4.svg"
refused 'epsilons: their order' 'epsilon: numbers must be above 0, in ascending order' flexible-accuracy --epsilon 1,1
refused 'epsilons: too large' 'epsilon: at most 3' flexible-accuracy --epsilon 1,4
refused 'epsilons: no number' "epsilon: 'x' is not a number" flexible-accuracy --epsilon x
refused 'linear: no drawing' '--linear is about the axes of drawings; add --svg DIR' flexible-accuracy --linear

ran 0 'evaluate' "$scrim" experiment evaluate input=10 reachable=8,9,10 gamma=0.05 laplace epsilon=1
out_is 'mechanism,gamma,beta
laplace sensitivity=1 epsilon=1 neighbours=add-remove,0.05,2'
ran 0 'evaluate: only what is true is reachable' "$scrim" experiment evaluate input=10 gamma=0.05 laplace epsilon=1 --json
out_has '"beta": "3"'
# A grid ten times as fine: the same noise in tenths, and numbers in the unit that was given.
ran 0 'evaluate: decimals' "$scrim" experiment evaluate input=12.5 gamma=0.05 laplace epsilon=1 grid=1/10
out_has 'grid=0.1 neighbours=add-remove,0.05,3'
ran 0 'evaluate: one of them is reachable' "$scrim" experiment evaluate input=12.5 reachable=12.3,12.5,12.9 gamma=0.05 laplace epsilon=1 grid=1/10
out_has 'grid=0.1 neighbours=add-remove,0.05,2.7'
ran 0 'evaluate: noise has no bound' "$scrim" experiment evaluate input=10 laplace epsilon=1
out_has 'neighbours=add-remove,0,inf'
# 2q/(1 - q^2) at q = 1/e.
ran 0 'evaluate: and a mean' "$scrim" experiment evaluate input=10 case=average laplace epsilon=1
out_has 'neighbours=add-remove,0,0.850918129'
refused 'composition: no statement' 'give a statement, as in' composition
refused 'composition: a stage' "unknown stage 'foo'; use apply, distort or then" composition alpha=0 foo
refused 'composition: a key' "'zeta=1' is not allowed here" composition zeta=1
refused 'composition: twice' 'beta is given twice; give it once' composition beta=1 beta=1
refused 'composition: both alphas' 'alpha is a fraction' composition alpha=0 dropped=1
refused 'composition: a case' "case must be worst or average, not 'best'" composition case=best
refused 'composition: growth of the first' 'the first statement takes no growth' composition growth=2
refused 'composition: apply has no gamma' 'apply takes no gamma; leave it out' composition beta=1 apply gamma=1
refused 'composition: gamma' 'gamma' composition gamma=2
refused 'composition: another metric' 'the second stage takes sup' composition beta=1 apply from=sup
refused 'composition: cases' 'one statement is about the worst case' composition beta=1 'then' case=average
refused 'evaluate: no input' 'give input as 1 to 4096 numbers, as in input=8,9,10' evaluate laplace epsilon=1
refused 'evaluate: no number between commas' 'give input as 1 to 4096 numbers, as in input=8,9,10' evaluate input=1,,2 laplace epsilon=1
refused 'evaluate: no number' "input: 'x' is not a number" evaluate input=1,x laplace epsilon=1
refused 'evaluate: between two steps' "input: '12.55' is not a whole number of steps of 0.1" evaluate input=12.55 laplace epsilon=1 grid=1/10
refused 'evaluate: no mechanism' 'name a mechanism' evaluate input=1

# ---- refusals ----
refused 'no experiment' "missing subcommand; 'scrim help experiment' lists them"
refused 'another experiment' "unknown subcommand 'alchemy'; 'scrim help experiment' lists them" alchemy
refused 'a file' "experiments generate their data; leave 'adult.csv' out" flexible-accuracy adult.csv
refused 'a vault' 'unexpected argument --vault' flexible-accuracy --vault x
refused 'the seventh' "--only must be 1 to 6, not '7'" flexible-accuracy --only 7
refused 'the none' '--only must be at least 1' flexible-accuracy --only 0
refused 'no runs' '--runs must be at least 1' flexible-accuracy --runs 0
refused 'too many runs' '--runs must be a whole number from 0 to 1000000' flexible-accuracy --runs 1000001
refused 'no sets' '--sets must be at least 1' flexible-accuracy --sets 0
refused 'no folder for the folder' '--svg: cannot write' flexible-accuracy --svg "$work/nowhere/drawings"
refused 'a file for a folder' '--svg: cannot write' flexible-accuracy --svg "$work/out"
refused 'a folder without a name' '--svg: cannot write' flexible-accuracy --svg ''
refused 'wrong numbers make no folder' 'delta' suppression --delta 2 --svg "$work/never"
check 'wrong numbers make no folder: none is there' test ! -e "$work/never"
refused 'a format' "--format must be table, csv, json or jsonl, not 'xml'" flexible-accuracy --format xml
finish
