#!/bin/sh
# Each mechanism by run and by audit: a release whose noise nobody will see, one from a seed,
# values that are none, and the claim. Every mechanism has a line here.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
seeded=$O/scrim-test
input=$work/input
: >"$work/covered"

fed() {
    "$@" <"$input"
}
no_canary() {
    ! grep -q CANARY "$work/out" "$work/err"
}

# quiet_on LINE CELL: with this in place of each value the same words on standard error.
quiet_on() {
    sed "s/.*/$2/" "$work/values" >"$input"
    # shellcheck disable=SC2086 # words
    ran 0 "$1: $2: quiet" fed "$seeded" run $1 --seed 3
    check "$1: $2: the same words" cmp "$work/err" "$work/words"
    check "$1: $2: no canary" no_canary
}

# release LINE VALUES ANSWER: the line leaves no noise to be seen, so the answer is known.
release() {
    mechanism=${1%% *}
    again=no
    ! grep -q -x -e "$mechanism" "$work/covered" || again=yes
    echo "$mechanism" >>"$work/covered"
    # shellcheck disable=SC2059 # a format on purpose
    printf -- "$2" >"$input"
    # shellcheck disable=SC2086 # words
    ran 0 "$1" fed "$scrim" run $1 --quiet
    out_is "$3"
    err_is ''
    # What follows is once for each mechanism, and with LONG=yes for each line.
    [ "$again${LONG-}" != yes ] || return 0
    # shellcheck disable=SC2086
    ran 0 "$1: JSON" fed "$scrim" run $1 --json
    cp "$work/out" "$work/json.$(wc -l <"$work/covered").$mechanism"
    # shellcheck disable=SC2086
    fed "$seeded" run $1 --seed 3 >"$work/first" 2>"$work/words"
    # As many values, none of them a number, and then all of them huge. One reader reads for all mechanisms:
    # every spelling for one mechanism of each family, and with LONG=yes for all.
    cp "$input" "$work/values"
    cells=CANARY
    case ${LONG-}:$mechanism in
    yes:* | :laplace | :exponential | :bucket-histogram | :quantile | :randomised-response | :sparse-vector | :stlap)
        cells='NaN 1e300 "" " CANARY "1,5"'
        # shellcheck disable=SC2086
        fed "$seeded" run $1 --seed 3 >"$work/second" 2>/dev/null
        check "$1: a seed repeats it" cmp "$work/first" "$work/second"
        ;;
    esac
    for cell in $cells; do
        [ "$cell" != '""' ] || cell=
        quiet_on "$1" "$cell"
    done
}

# audit LINE: the claim holds.
audit() {
    # shellcheck disable=SC2086 # words
    ran 0 "audit $1" "$scrim" audit $1 --points 5 --json
    out_has '"verdict": "holds"'
    err_is ''
}

# refused LINE MESSAGE: status 2, in one line that names the parameter and what it may be. Both verbs read a line by the
# same code: one after the other takes its turn, and with LONG=yes each.
verbs=run
refused() {
    case ${LONG-}:$verbs in
    yes:*) verbs='run audit' ;;
    *:run) verbs=audit ;;
    *) verbs=run ;;
    esac
    for verb in $verbs; do
        [ "$verb" = run ] && neighbours=neighbours=replace || neighbours=
        # shellcheck disable=SC2086 # words
        ran 2 "$verb $1" "$scrim" $verb $1 $neighbours
        out_is ''
        err_lines 1
        err_has "scrim $verb: "
        err_has "$2"
    done
}

# ---- noise ----
release 'laplace sensitivity=1 epsilon=1000 whole=yes neighbours=replace' '5\n-7\n' 'value,value_low,value_high
5,5,5
-7,-7,-7'
release 'laplace sensitivity=1 scale=0.001 lower=0 upper=10 whole=yes neighbours=add-remove' '5\n-7\n' 'value,value_low,value_high
5,5,5
0,0,0'
release 'gaussian sensitivity=1 sigma=0.01 neighbours=add-remove' '5\n' 'value,value_low,value_high
5,5,5'
release 'gaussian sensitivity=1 rho=5000 size=2 whole=yes neighbours=replace' '5\n-7\n' 'value,value_low,value_high
5,5,5
-7,-7,-7'
release 'truncated-laplace sensitivity=1 epsilon=1000 bound=3 whole=yes neighbours=replace' '5\n-7\n' 'value,value_low,value_high
5,2,8
-7,-10,-4'
release 'range sensitivity=1 epsilon=1000 width=3 whole=yes neighbours=replace' '5\n-7\n' 'value,value_low,value_high
5,2,8
-7,-10,-4'
release 'threshold-truncated epsilon=1000 delta=1e-3 neighbours=add-remove' '5\n0\n' 'answer,value,value_low,value_high
above,5,4,6
below,,,'
audit 'threshold-truncated epsilon=1 delta=1e-3'
release 'threshold-weighted epsilon=1000 delta=1e-3 grid=1/4 whole=yes neighbours=add-remove' '5.5\n0\n' 'answer,value,value_low,value_high
above,5.5,5.5,5.5
below,,,'
audit 'threshold-weighted epsilon=2 delta=1e-2 grid=1/2 max-groups=2'
refused 'threshold-weighted epsilon=1 delta=0 grid=1/2' 'delta'
ran 2 'weights under replace' "$scrim" run threshold-weighted epsilon=1 delta=1e-3 grid=1/2 neighbours=replace
err_is 'scrim run: neighbours: weights are for add-remove; threshold-gaussian is for replace as well'
refused 'threshold-truncated epsilon=1 delta=0' 'delta'
release 'interval-counts epsilon=1000 cells=4 circle=yes neighbours=add-remove' '10\n-10\n80\nx\n' 'value
2
0
0
1'
audit 'interval-counts epsilon=1 cells=3 upper=3'
release 'interval-counts epsilon=1000 cells=2 upper=1 dimensions=2 neighbours=add-remove' '0.3,0.9\n0.9,0.9\n0.9,x\n' 'value
0
1
0
1'
refused 'interval-counts epsilon=1 cells=3 upper=3 circle=yes' 'circle=yes'
release 'point-first epsilon=1000 neighbours=add-remove' '5\n0\nx\n' 'value,value_low,value_high
5,5,5
0,0,0
0,0,0'
audit 'point-first epsilon=1 max-rows=2'
refused 'point-first epsilon=1 delta=1e-6' 'delta'
release 'sum-first epsilon=1000 neighbours=replace' '5\n0\n7\n' 'value,value_low,value_high
5,5,5
0,0,0
7,7,7'
audit 'sum-first epsilon=1 delta=1e-6 max-rows=3'
refused 'sum-first epsilon=1 rho=1 delta=1e-6' 'rho'
release 'hierarchy fan-outs=2,2 epsilon=1000 neighbours=add-remove' '5\n0\n7\n1\n' 'value,value_low,value_high
5,5,5
0,0,0
7,7,7
1,1,1'
audit 'hierarchy fan-outs=2 epsilon=1 delta=1e-3'
refused 'hierarchy fan-outs=2 epsilon=1 shares=1/2,1/3' 'shares'
release 'item-sets epsilon=1000 delta=1e-3 length=3 items=2 size=2 neighbours=add-remove' '7,9,\n9,7,x\n9,0,0\n' 'items,value,value_low,value_high
7,2,2,2
9,3,3,3
7+9,2,2,2'
audit 'item-sets epsilon=9 delta=1e-3 length=3 items=2 size=2'
refused 'item-sets epsilon=1 delta=1e-3 length=16 items=16 size=3' 'more than 256 sets'
refused 'item-sets epsilon=1 delta=1e-3 length=9 items=2 size=2 noise=gaussian max-rows=2' 'max-rows'
release 'frequent-sets epsilon=1000 delta=1e-3 length=4 items=3 size=3 frequent=2 neighbours=add-remove' '7,9,8\n9,7,x,8\n9,8,7,1000000\n9,0,0\n' 'items,value,value_low,value_high
7,2,2,2
8,3,3,3
9,4,4,4
7+8,3,3,3
7+9,3,3,3
8+9,3,3,3
7+8+9,3,3,3'
audit 'frequent-sets epsilon=20 delta=1e-3 length=2 items=2 size=2 frequent=5'
refused 'frequent-sets epsilon=1 delta=1e-3 length=9 items=4 size=7 frequent=9' 'an integer from 1 to 6'
refused 'frequent-sets epsilon=1 delta=1e-3 length=9 items=4 size=2' 'frequent is missing'
release 'stabilise sensitivity=1 epsilon=1000 delta=1e-3 whole=yes neighbours=add-remove' '5\n0\n' 'value
1
0'
audit 'stabilise epsilon=1 delta=1e-3 sensitivity=3'
refused 'stabilise sensitivity=2 epsilon=1 delta=1e-3 largest=2' 'max-groups'
refused 'threshold-laplace epsilon=1 delta=1e-3 max-groups=2 max-total=2' 'max-total'
audit 'threshold-laplace epsilon=1 delta=1e-3 max-rows=2'
audit 'range epsilon=1 width=20'
release 'robust-laplace rho=1 epsilon=1000 theta=1/10 neighbours=replace' '5\n' 'value,value_low,value_high
5,5,5'
audit 'robust-laplace rho=3 epsilon=1 theta=1/10'
audit 'robust-laplace rho=3 epsilon=1'
release 'robust rho=1 epsilon=1000 of laplace sensitivity=1 epsilon=1000 neighbours=replace' '5\n' 'value,value_low,value_high
5,5,5'
release 'robust rho=1 epsilon=1000 of stlap epsilon=1000 q=4 neighbours=add-remove' '900\n2\n' 'value,value_low,value_high
898,898,902
0,0,4'
release 'robust rho=1 epsilon=1000 of quantile p=1/2 epsilon=20 lower=0 upper=9 neighbours=add-remove' '3\n3\n3\n3\n3\n3\n' 'value
3'
release 'robust rho=1 epsilon=1000 of threshold-laplace epsilon=1000 delta=1e-3 whole=yes neighbours=add-remove' '5\n0\n' 'answer,value,value_low,value_high
above,5,5,5
below,,,'
release 'robust rho=1 epsilon=1000 of counter steps=3 sensitivity=1 epsilon=1000 neighbours=add-remove' '1\n0\n2\n' 'value,value_low,value_high
1,1,1
1,1,1
3,3,3'
audit 'robust rho=0.3 epsilon=1 of laplace epsilon=1'
audit 'robust rho=1 epsilon=1 of quantile p=1/2 epsilon=1 lower=0 upper=3'
audit 'robust rho=2 epsilon=1 theta=1/10 of gaussian epsilon=1 delta=1e-3'
ran 0 'robust: composes as what it wraps, with no lower bound' "$scrim" compose 'robust rho=100 epsilon=1/10 of laplace epsilon=1 x3' \
    --delta 1e-2
err_has 'the true epsilon is at most 2.97408 at delta 1e-2; no lower bound'
ran 0 'steps compose too' "$scrim" compose 'stabilise epsilon=1 delta=1e-3 then laplace epsilon=1 x3' --delta 1e-2
err_has 'the true epsilon is at most 5.98967 at delta 1e-2; no lower bound'
ran 2 'robust of a counter: what to audit' "$scrim" audit robust rho=1 epsilon=1 of counter steps=4 epsilon=1
err_is "scrim audit: the answers of 'counter' have no exact distribution to add noise to; audit 'counter' alone, whose cost the noise does not change"
ran 2 'robust of nothing' "$scrim" audit robust rho=1 epsilon=1
err_has "robust: name the mechanism to wrap"
ran 2 'robust of a choice' "$scrim" audit robust rho=1 epsilon=1 of exponential epsilon=1
err_has 'exponential cannot be wrapped: its answer is not a fixed list of numbers'
printf '5\n' >"$input"
ran 0 'robust: the note' fed "$scrim" run robust rho=0.3 epsilon=1 of truncated-laplace sensitivity=1/8 epsilon=1 bound=8 grid=1/8 \
    neighbours=replace
err_has 'accuracy    each value is within 1.125 of the truth with probability 0.95'
err_has 'robustness  two inputs of the noise whose distributions are within 0.3'
release 'randomised-query places=7,7 masses=1,1 sizes=1,1 epsilon=1 neighbours=replace' '1\n' 'value,value_low,value_high
7,7,7'
audit 'randomised-query places=0,50,1,90 masses=9/10,1/10,9/10,1/10 sizes=2,2 epsilon=1 theta=1/10'
ran 2 'randomised-query of half a law' "$scrim" audit randomised-query places=0,1 masses=1,1/2 sizes=1,1 epsilon=1
err_has 'the masses of each law must add up to exactly 1'
release 'counter steps=3 sensitivity=1 epsilon=1000 neighbours=add-remove' '5\nx\n7\n' 'value,value_low,value_high
5,5,5
5,5,5
12,12,12'
audit 'sparse-vector epsilon=1 count=5 numeric=yes'
release 'guess-and-check epsilon=1000 sensitivity=1 threshold=5 count=2 guesses=10,20 neighbours=replace' '12\n50\n13\n-30\n99\n' 'answer,value,value_low,value_high
below,,,
above,50,50,50
below,,,
above,-30,-30,-30
halted,,,'
audit 'guess-and-check epsilon=1 threshold=3 count=1 guesses=7 queries=2'
refused 'guess-and-check epsilon=1 sensitivity=1 threshold=5 count=2' 'guesses'
refused 'guess-and-check epsilon=1 sensitivity=1 threshold=5 count=2 guesses=1/2' 'guesses'
audit 'counter steps=9 epsilon=1'
audit 'counter steps=2 rho=1'
refused 'counter sensitivity=1 epsilon=1' 'steps'
refused 'counter steps=4 sensitivity=1' 'epsilon'
refused 'counter steps=4 sensitivity=1 delta=0.1' 'delta'
release 'linear-queries bins=3 coefficients=1,1,0,0,1/2,1 grid=1/2 epsilon=1000 neighbours=add-remove' '5\nx\n7\n' 'value,value_low,value_high
5,5,5
7,7,7'
audit 'linear-queries bins=3 workload=prefix epsilon=1'
audit 'linear-queries bins=2 coefficients=1,1/2 grid=1/2 rho=1'
refused 'linear-queries coefficients=1,1 epsilon=1' 'bins'
refused 'linear-queries bins=2 coefficients=1,2 epsilon=1' 'coefficients'
refused 'linear-queries bins=2 coefficients=1,1,1 epsilon=1' 'coefficients'
release 'marginals tables=2,1 epsilon=1000 neighbours=replace' '5\n7\n12\n' 'value,value_low,value_high
5,5,5
7,7,7
12,12,12'
audit 'marginals tables=2,3 max-rows=2 epsilon=1'
audit 'marginals tables=2,2 rho=16 neighbours=replace'
refused 'marginals epsilon=1' 'tables'
release 'smalldb epsilon=1000 bins=3 workload=prefix rows=4 neighbours=add-remove' '100\n200\n100\n' 'value
1
2
1'
audit 'smalldb epsilon=1 bins=3 workload=prefix rows=2'
audit 'smalldb epsilon=1 bins=2 coefficients=1,0 alpha=1/2 neighbours=replace'
refused 'smalldb epsilon=1 bins=3 workload=prefix' 'rows'
refused 'smalldb epsilon=1 bins=200 workload=prefix rows=9' 'rows'
release 'mwem epsilon=1000 bins=2 coefficients=1,0 total=400 rounds=8 neighbours=replace' '100\n300\n' 'value
100
300'
audit 'mwem epsilon=1 bins=2 coefficients=1,0,0,1 total=2 rounds=2'
audit 'mwem epsilon=1 bins=3 workload=prefix total=1 rounds=1 neighbours=replace'
refused 'mwem epsilon=1 bins=3 workload=prefix rounds=3' 'total'
refused 'mwem epsilon=1 bins=3 workload=prefix total=9 rounds=99' 'rounds'
release 'online-weights epsilon=1000 bins=2 coefficients=1,0,0,1,1,0 total=400 threshold=40 updates=1 neighbours=replace' '100\n300\n' 'value
100
1
205
2
195
2'
audit 'online-weights epsilon=1 bins=2 coefficients=1,0,0,1 total=1 threshold=1 updates=1'
refused 'online-weights epsilon=1 bins=2 workload=each total=4 threshold=1' 'updates'
refused 'marginals tables=2,1/2 epsilon=1' 'tables'
audit 'range epsilon=1/2 sensitivity=3 delta=1e-3'
audit 'laplace epsilon=1/3'
audit 'laplace scale=2 sensitivity=3 lower=0 upper=20'
audit 'gaussian epsilon=1 delta=1e-6'
audit 'gaussian rho=1/2'
audit 'truncated-laplace epsilon=1 bound=20'
audit 'truncated-laplace epsilon=1 delta=1e-6'
refused 'laplace sensitivity=-1 epsilon=1' 'sensitivity must be a rational above 0'
refused 'gaussian sensitivity=1 sigma=0' 'sigma'
refused 'gaussian sensitivity=1 epsilon=1 delta=1' 'delta'
refused 'gaussian sensitivity=1 epsilon=1' 'delta'
refused 'range sensitivity=5 epsilon=1 width=4' 'width must be at least the sensitivity'
refused 'range sensitivity=1 epsilon=1' 'width'
refused 'robust-laplace rho=0 epsilon=1' 'rho'
refused 'robust-laplace rho=1 epsilon=1 theta=1' 'theta'
refused 'truncated-laplace sensitivity=1 epsilon=1' 'bound'
refused 'truncated-laplace sensitivity=1 epsilon=1 bound=0' 'bound'

# ---- selection ----
for chooser in exponential permute-and-flip one-sided-noisy-max noisy-max; do
    release "$chooser sensitivity=1 epsilon=1000 neighbours=replace" '3\n10\n-4\n' 'index
1'
    audit "$chooser epsilon=1 candidates=2"
    audit "$chooser epsilon=1/2 monotone=yes candidates=2"
    refused "$chooser sensitivity=1 epsilon=0" 'epsilon'
    refused "$chooser sensitivity=1 epsilon=1 monotone=perhaps" 'monotone'
done
release 'base2-exponential sensitivity=1 epsilon=1000 lower=0 upper=20 neighbours=replace' '3\n10\n-4\n' 'index
1'
audit 'base2-exponential epsilon=4 lower=0 upper=5'
refused 'base2-exponential sensitivity=1 epsilon=1' 'lower'
release 'top-k sensitivity=1 epsilon=1000 k=2 neighbours=replace' '3\n10\n-4\n' 'index
1
0'
audit 'top-k epsilon=1 k=2'
refused 'top-k sensitivity=1 epsilon=1 k=0' 'k'
refused 'top-k sensitivity=1 epsilon=1' 'k'
printf 'Ada,3\n"Bo, Ltd",10\n' >"$input"
ran 0 'the winner has a name' fed "$scrim" run permute-and-flip sensitivity=1 epsilon=1000 neighbours=replace --labels --quiet
out_is 'index,label
1,"Bo, Ltd"'

# ---- rows in buckets ----
# With a large epsilon the noise is the middle of -2..0: each bucket loses one.
rows='0.5\n0.51\n0.55\n0.19\n0.05\n'
release 'bucket-histogram epsilon=1000 q=2 upper=1 beta=0.1 neighbours=add-remove' "$rows" 'centre,value,value_low,value_high
0.1,1,1,3
0.5,2,2,4'
release 'bucket-histogram epsilon=1000 q=2 upper=1 beta=0.1 neighbours=add-remove mode=dense' "$rows" 'centre,value,value_low,value_high
0.1,1,1,3
0.5,2,2,4'
audit 'bucket-histogram epsilon=1 q=8 upper=1 beta=0.1'
audit 'bucket-histogram epsilon=1 delta=1e-3 upper=1 beta=1/4 dimensions=2 neighbours=replace'
refused 'bucket-histogram epsilon=1 q=8 upper=0 beta=0.1' 'upper'
refused 'bucket-histogram epsilon=1 q=8 upper=1 beta=0' 'beta'
refused 'bucket-histogram epsilon=1 upper=1 beta=0.1' 'q'

# ---- quantiles, of rows ----
# A thousand times the number 7: but for rows at the ends of the range, no rank is off.
rows=$(yes 7 | head -1000 | tr '\n' ' ' | sed 's/ /\\n/g')
release 'quantile p=1/2 epsilon=20 lower=0 upper=100 neighbours=replace' "$rows" 'p,value
0.5,7'
release 'quantile p=1/4,1/2 epsilon=20 lower=0 upper=100 neighbours=add-remove' "$rows" 'p,value
0.25,7
0.5,7'
audit 'quantile p=1/2 epsilon=1 lower=0 upper=5'
audit 'quantile p=1/4,1/2 epsilon=1 lower=0 upper=3'
refused 'quantile p=1 epsilon=1 lower=0 upper=5' 'p'
refused 'quantile p=1/2 epsilon=1 lower=5 upper=5' 'lower'
refused 'quantile p=1/2 epsilon=1' 'lower'
# How many rows there are is private where they may be added and removed: none, one or many are
# told with the same words, and a line is one row whatever it holds (A55).
median='quantile p=1/2 epsilon=1 lower=0 upper=100 neighbours=add-remove'
printf '5\n6\n7\n' >"$input"
# shellcheck disable=SC2086 # words
fed "$seeded" run $median --seed 3 >"$work/shown" 2>"$work/words"
for rows in '' '5\n' '5\n6\n' '1,5\n' '1,2,3,4,5,6,7\n' '\n' '\n\n\n' 'CANARY\n5\n' '"\n5\n' '5'; do
    # shellcheck disable=SC2059 # a format on purpose
    printf -- "$rows" >"$input"
    # shellcheck disable=SC2086 # words
    ran 0 "rows of '$rows'" fed "$seeded" run $median --seed 3
    check "rows of '$rows': the same words" cmp "$work/err" "$work/words"
    out_lines 2
    check "rows of '$rows': no canary" no_canary
done
printf 'age\n' >"$input"
# shellcheck disable=SC2086 # words
ran 0 'a header without rows' fed "$seeded" run $median --seed 3 --header
check 'a header without rows: the same words' cmp "$work/err" "$work/words"
out_has 'age'
: >"$input"
# shellcheck disable=SC2086 # words
ran 6 'no header' fed "$scrim" run $median --header
err_is 'scrim run: standard input is empty; --header says that it begins with a line of names'
# shellcheck disable=SC2086 # words
ran 2 'labels of rows' fed "$scrim" run $median --labels
err_is 'scrim run: quantile reads rows, which are private; --labels is for values with public names'
printf 'age,sex\n1,2\n' >"$input"
# shellcheck disable=SC2086 # words
ran 6 'a header of two columns' fed "$scrim" run $median --header
err_has 'the header names 2 columns; rows have one'

yes 7 | head -1000 >"$input"
ran 0 'quantiles in JSON' fed "$scrim" run quantile p=1/3,1/2 epsilon=20 lower=0 upper=100 neighbours=replace --json
out_has '{"p": "1/3", "value": {"value": 7}},'
out_has '{"p": "0.5", "value": {"value": 7}}'
ran 0 'quantiles in a table' fed "$scrim" run quantile p=1/3,1/2 epsilon=20 lower=0 upper=100 neighbours=replace max-rows=2 --format table
out_has '| 1/3 |     7 |'
out_has '| 0.5 |     7 |'
err_has 'quantile p=1/3,0.5 epsilon=20 lower=0 upper=100 max-rows=2'
check 'quantiles: a whole number of rows' grep -q 'off by more than [0-9]* rows with' "$work/err"

# ---- local ----
release 'randomised-response epsilon=50 neighbours=local' '1\n0\n' 'value
1
0'
release 'randomised-response epsilon=50 values=5 neighbours=local' '4\n0\n' 'value
4
0'
# At epsilon 50 nobody lies: 3 of 4 say 1.
printf '1\n1\n0\n1\n' >"$input"
ran 0 'frequencies in JSON' fed "$scrim" run randomised-response epsilon=50 neighbours=local --json
out_has '"frequencies": [{"value": 0, "frequency": {"value": "0.25", "low": "0.222833", "high": "0.277166"}}, {"value": 1, "frequency": {"value": "0.75", "low": "0.722834", "high": "0.777167"}}], "cost"'
ran 0 'frequencies in a table' fed "$scrim" run randomised-response epsilon=50 neighbours=local --format table
out_has '| 0     | 0.25      | 0.222833      | 0.277166       |'
out_has '| 1     | 0.75      | 0.722834      | 0.777167       |'
err_says 'is within 0.027166 of the truth with probability 0.95'
ran 0 'no more than two frequencies can differ by' fed "$scrim" run randomised-response epsilon=1/10 neighbours=local
err_says 'clamped to 0 to 1, is within 1 of the truth'
ran 0 'too many frequencies for a list' fed "$scrim" run randomised-response epsilon=50 values=33 neighbours=local --json
check 'too many frequencies for a list: none' sh -c "! grep -q frequencies '$work/out'"
audit 'randomised-response epsilon=1'
audit 'randomised-response keep=1/2 values=3'
ran 2 'randomised-response: keep 1' "$scrim" audit randomised-response keep=1
err_has 'keep'

# reports LINE NUMBERS: two devices, and so many numbers in all. No epsilon that a device takes leaves
# its report without noise.
reports() {
    mechanism=${1%% *}
    echo "$mechanism" >>"$work/covered"
    printf '1\n0\n' >"$input"
    cp "$input" "$work/values"
    # shellcheck disable=SC2086 # words
    fed "$seeded" run $1 --seed 3 >"$work/first" 2>"$work/words"
    # shellcheck disable=SC2086
    ran 0 "$1" fed "$seeded" run $1 --seed 3
    check "$1: a seed repeats it" cmp "$work/first" "$work/out"
    check "$1: $2 numbers" test "$(wc -l <"$work/out")" -eq $(($2 + 1))
    quiet_on "$1" CANARY
    audit "${1% neighbours=local}"
}
reports 'projective-geometry epsilon=2 values=7 neighbours=local' 2
reports 'subset-selection epsilon=1 values=5 neighbours=local' 2
reports 'symmetric-unary epsilon=1 values=4 neighbours=local' 2
reports 'optimised-unary epsilon=1 values=4 neighbours=local' 2
reports 'local-hashing epsilon=1 values=9 neighbours=local' 2
reports 'text-hashing epsilon=1 text=4 neighbours=local' 6
reports 'prefix epsilon=1 text=3 neighbours=local' 6
reports 'hadamard epsilon=1 values=7 neighbours=local' 2
reports 'bit-flip epsilon=1 values=5 chosen=2 neighbours=local' 2
reports 'repeated-unary epsilon=2 values=3 reports=2 neighbours=local' 4
reports 'rappor epsilon=2 values=2 p=1/2 q=3/4 reports=3 neighbours=local' 6
reports 'square-wave epsilon=1 values=8 neighbours=local' 2
reports 'one-bit-mean epsilon=1 values=100 neighbours=local' 2
reports 'rounded-bit-mean epsilon=1 values=100 flip=1/8 neighbours=local' 2
reports 'laplace-mean epsilon=2 values=5 width=4 neighbours=local' 2
reports 'condensed-geometric epsilon=2 values=5 neighbours=local' 2
reports 'condensed-exponential epsilon=2 values=5 neighbours=local' 2
printf '5\n' >"$input"
ran 0 'a report of 19125 bytes' fed "$scrim" run bit-flip epsilon=1 values=65536 chosen=9000 neighbours=local --quiet
out_lines 4783
refused 'projective-geometry epsilon=9 values=7' 'epsilon'
refused 'subset-selection epsilon=1 values=100000' 'fewer values'

# ---- sparse vector ----
release 'above-threshold sensitivity=1 epsilon=1000 threshold=10 neighbours=replace' '5\n20\n30\n' 'answer,value
below,
above,
halted,'
release 'sparse-vector sensitivity=1 epsilon=1000 threshold=10 count=3 neighbours=replace' '5\n20\n8\n30\n' 'answer,value
below,
above,
below,
above,'
release 'sparse-vector sensitivity=1 epsilon=1000 threshold=10 count=2 numeric=yes neighbours=replace' '5\n20\n8\n30\n9\n' 'answer,value,value_low,value_high
below,,,
above,20,20,20
below,,,
above,30,30,30
halted,,,'
release 'generalised-sparse-vector sensitivity=1 threshold=10 threshold-scale=0.001 query-scale=0.001 neighbours=replace' \
    '5\n20\n' 'answer,value
below,
above,
halted,'
release 'stagewise-sparse-vector sensitivity=1 threshold=10 threshold-scale=0.001 query-scale=0.001 count=2 stage=1 neighbours=replace' \
    '5\n20\n30\n' 'answer,value
below,
above,
above,
halted,'
audit 'above-threshold epsilon=1 queries=3'
[ "${LONG-}" != yes ] || audit 'above-threshold epsilon=1 queries=4'
audit 'sparse-vector epsilon=4 count=2 queries=2'
audit 'generalised-sparse-vector threshold-scale=1 query-scale=2 queries=2'
audit 'stagewise-sparse-vector threshold-scale=1 query-scale=2 count=2 stage=1 queries=3'
refused 'above-threshold sensitivity=1 epsilon=1 threshold=1.5' 'threshold'
refused 'sparse-vector sensitivity=1 epsilon=1 threshold=0 count=0' 'count'
refused 'sparse-vector sensitivity=1 epsilon=1 threshold=0 count=1 form=c' 'form'

# ---- groups from data ----
# At epsilon 1000 one unit is enough but for a chance of delta, and two are always.
release 'partition-selection epsilon=1000 delta=1/2 max-groups=2 neighbours=add-remove' '0\n900\n0\n40\n' 'value
0
1
0
1'
printf 'Ada,900\n"Bo, Ltd",0\n' >"$input"
ran 0 'groups have names' fed "$scrim" run partition-selection epsilon=1 delta=1e-5 neighbours=replace --labels
out_is 'label,value
Ada,1'
# No format and no plot names a group that was not kept.
printf 'Ada,900\nCANARY,0\nBo,800\n' >"$input"
keeps='epsilon=1 sensitivity=1 threshold=20 whole=yes neighbours=add-remove'
for line in 'partition-selection epsilon=1 delta=1e-5 neighbours=add-remove' \
    'threshold-laplace epsilon=1 delta=1e-5 neighbours=add-remove' \
    'threshold-truncated epsilon=1 delta=1e-5 neighbours=add-remove' \
    'threshold-gaussian epsilon=1 delta=1e-5 neighbours=add-remove' \
    'threshold-weighted epsilon=1 delta=1e-5 grid=1 whole=yes neighbours=add-remove' \
    'robust rho=1 epsilon=1 of threshold-laplace epsilon=1 delta=1e-5 neighbours=add-remove' \
    "stabilise $keeps" \
    "stabilise $keeps then laplace sensitivity=1 epsilon=1 whole=yes" \
    "stabilise $keeps then partition-selection epsilon=1 delta=1e-5" \
    "stabilise $keeps then sparse-vector sensitivity=1 epsilon=1 threshold=100 count=2"; do
    for format in csv json jsonl table; do
        # shellcheck disable=SC2086 # words
        ran 0 "kept groups of $line as $format" fed "$scrim" run $line --labels --plot --format $format
        check "kept groups of $line as $format: they alone" no_canary
        check "kept groups of $line as $format: both" \
            sh -c "grep -q Ada '$work/out' && grep -q Bo '$work/out'"
    done
done
printf 'Ada,900\n"Bo, Ltd",0\n' >"$input"
ran 0 'groups have names' fed "$scrim" run partition-selection epsilon=1 delta=1e-5 neighbours=replace --labels
err_has 'accuracy    a group of 27 units or more is kept with probability 0.95'
err_has 'not covered smaller groups, which may be left out'
audit 'partition-selection epsilon=1 delta=1e-5'
audit 'partition-selection epsilon=2 delta=1e-3 max-groups=3'
refused 'partition-selection epsilon=1' 'delta'
refused 'partition-selection epsilon=1 delta=0' 'delta'
refused 'partition-selection epsilon=1 delta=1e-5 max-groups=0' 'max-groups'
refused 'partition-selection epsilon=1e-9 delta=1e-12' '4194304 units'
# At epsilon 1000 there is no noise, and the threshold is 2: a group of one unit is not shown.
release 'threshold-laplace epsilon=1000 delta=1e-5 neighbours=add-remove' '0\n900\n1\n2\n' 'answer,value,value_low,value_high
below,,,
above,900,900,900
below,,,
above,2,2,2'
printf '900\n0\n' >"$input"
ran 0 'counts have a radius' fed "$scrim" run threshold-laplace epsilon=1 delta=1e-5 neighbours=add-remove
err_says 'accuracy    a group of 15 units or more is kept with probability 0.95; each value is within 3 of the truth'
audit 'threshold-laplace epsilon=1 delta=1e-5'
audit 'threshold-laplace epsilon=2 delta=1e-3 max-groups=3'
refused 'threshold-laplace epsilon=1' 'delta'
refused 'threshold-laplace epsilon=1 delta=1' 'delta'
# The same of Gaussian noise, whose variance is then 1/64.
release 'threshold-gaussian epsilon=1000 delta=1e-5 neighbours=add-remove' '0\n900\n1\n2\n' 'answer,value,value_low,value_high
below,,,
above,900,900,900
below,,,
above,2,2,2'
printf '900\n0\n' >"$input"
ran 0 'Gaussian counts have a radius' fed "$scrim" run threshold-gaussian epsilon=1 delta=1e-5 neighbours=add-remove
err_says 'accuracy    a group of 24 units or more is kept with probability 0.95; each value is within 7 of the truth'
audit 'threshold-gaussian epsilon=1 delta=1e-5'
audit 'threshold-gaussian epsilon=2 delta=1e-3 max-groups=3'
refused 'threshold-gaussian epsilon=1' 'delta'
refused 'threshold-gaussian epsilon=1 delta=1' 'delta'

# ---- histograms that only lose ----
# At epsilon 1000 an even q loses half of it, always.
release 'stlap epsilon=1000 q=4 neighbours=add-remove' '0\n900\n2\n3\n' 'value,value_low,value_high
0,0,4
898,898,902
0,0,4
1,1,5'
printf '900\n0\n' >"$input"
ran 0 'stlap by its delta' fed "$scrim" run stlap epsilon=1 delta=2^-20 neighbours=add-remove
err_has 'accuracy    no value is above the truth, and none more than 27 below it'
ran 0 'stlap from a table' fed "$scrim" run stlap epsilon=1 q=27 sampler=table mode=sparse neighbours=replace
audit 'stlap epsilon=1 q=27'
audit 'stlap epsilon=1 q=27 sampler=table'
audit 'stlap epsilon=2 delta=1e-3 group=3'
audit 'stlap epsilon=1 q=20 neighbours=replace'
refused 'stlap epsilon=1' 'q'
refused 'stlap epsilon=1 q=0' 'q'
refused 'stlap epsilon=1 q=3 group=4' 'too small'
refused 'stlap epsilon=2^-31 delta=1e-30' '2147483647'
ran 0 'four losses reach the accountants' "$scrim" compose 'stlap epsilon=1 q=27 x10' --delta 1e-4
err_has 'the true epsilon lies between 9.90008 and 9.90009'
release 'rounded-stlap epsilon=1000 q=4 neighbours=add-remove' '0\n900\n2\n3\n' 'value,value_low,value_high
0,0,4
898,898,902
0,0,4
1,1,5'
audit 'rounded-stlap q=4'
audit 'rounded-stlap q=6 epsilon=1/3'
ran 2 'rounded-stlap of no square' "$scrim" audit rounded-stlap q=6
err_has 'use q=4 or q=9, or give epsilon'
ran 2 'rounded-stlap under replace' "$scrim" audit rounded-stlap q=4 neighbours=replace
err_has 'neighbours must be add-remove'
release 'private-size-stlap size-epsilon=500 size-delta=0.1 bar-epsilon=500 bar-delta=0.1 tau=1/1000 neighbours=add-remove' \
    '0\n900\n' 'label,value
size,899
1,0
2,899'
audit 'private-size-stlap size-epsilon=1 size-delta=0.1 bar-epsilon=1 bar-delta=0.1 tau=1/4'
ran 2 'private-size-stlap without tau' "$scrim" audit private-size-stlap size-epsilon=1 size-delta=0.1 bar-epsilon=1 \
    bar-delta=0.1
err_has 'tau'
release 'emptiness epsilon=1000 certain=3 neighbours=add-remove' '0\n1\n2\n900\n' 'value
0
0
1
1'
audit 'emptiness epsilon=1 certain=12'
audit 'emptiness epsilon=1 certain=12 neighbours=replace'
refused 'emptiness epsilon=1 certain=1' 'certain'

release 'laplace-share sensitivity=1 epsilon=1000 shares=3 neighbours=add-remove' '5\n' 'value,value_low,value_high
5,5,5'
audit 'laplace-share sensitivity=1 epsilon=1 shares=3 neighbours=replace'
release 'gaussian-share sensitivity=1 sigma=1/1000 neighbours=add-remove' '5\n' 'value,value_low,value_high
5,5,5'
audit 'gaussian-share sensitivity=1 sigma=3 neighbours=replace'
# Forty rows at one place: any other has a chance below e^-100.
place=$(yes '4\n' | head -n 40 | tr -d '\n')
release 'body q=1/2 epsilon=20 lower=0 upper=8 directions=axes neighbours=add-remove' "$place" 'index
4
4'
audit 'body q=1/2 epsilon=1 lower=0 upper=2 directions=axes records=2'
refused 'body q=1/2 epsilon=21 lower=0 upper=8 directions=axes' 'epsilon'
release 'depth-median epsilon=20 expected=40 lower=0 upper=8 neighbours=add-remove' "$place" 'value
4'
audit 'depth-median epsilon=1 expected=3 lower=0 upper=2 records=3'
release 'body-depth epsilon=1000 centre=4 lower=0 upper=8 neighbours=add-remove' "$place" 'value,value_low,value_high
40,40,40'
audit 'body-depth epsilon=1 centre=2 lower=0 upper=4 records=3'
# No epsilon that it takes leaves this one without noise.
echo body-extension >>"$work/covered"
line='body-extension q=1/2 epsilon=20 lower=0 upper=8 spacing=2 reach=3 neighbours=replace'
# shellcheck disable=SC2059 # a format on purpose
printf -- "$place" >"$input"
cp "$input" "$work/values"
# shellcheck disable=SC2086 # words
ran 0 "$line" fed "$seeded" run $line --seed 3
cp "$work/err" "$work/words"
# shellcheck disable=SC2016 # for awk
check "$line: a value that it can have" awk -F , 'NR == 2 { ok = $1 >= -6 && $1 <= 14 && $2 < $1 && $1 < $3 } END { exit !(ok && NR == 2) }' "$work/out"
quiet_on "$line" CANARY
audit 'body-extension q=1/2 epsilon=1/2 lower=0 upper=3 spacing=1 reach=1 records=3 neighbours=replace'

# ---- all of them ----
if command -v python3 >/dev/null 2>&1; then
    check 'JSON has its members' python3 -c '
import json, sys
assert len(sys.argv) > 30
for name in sys.argv[1:]:
    whole = json.load(open(name))
    assert {"measurement", "rows", "cost", "certificate", "release"} <= set(whole), name
    assert whole["measurement"].split()[0] == name.split(".")[-1], name
    assert whole["cost"].get("epsilon") or whole["cost"].get("rho"), name' "$work"/json.*
fi
for mechanism in $("$scrim" list mechanisms --format csv | sed '1d; s/,.*//'); do
    check "$mechanism is run" grep -q -x -e "$mechanism" "$work/covered"
    [ "${LONG-}" = yes ] || case $verbs in run) verbs=audit ;; *) verbs=run ;; esac
    for verb in $verbs; do
        ran 2 "$verb $mechanism of nothing" "$scrim" "$verb" "$mechanism"
        err_lines 1
        ran 2 "$verb $mechanism fish=1" "$scrim" "$verb" "$mechanism" fish=1
        err_has "unknown parameter 'fish'"
    done
done
finish
