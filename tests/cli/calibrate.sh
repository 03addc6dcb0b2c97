#!/bin/sh
# scrim calibrate: what is found, its formats, its picture and every refusal.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim

# refused STATUS NAME MESSAGE ARGUMENT...: the status, and the message in one line.
refused() {
    want=$1 label=$2 message=$3
    shift 3
    ran "$want" "$label" "$scrim" calibrate "$@"
    out_is ''
    err_lines 1
    err_has "scrim calibrate: $message"
}

# ---- for a cost ----
ran 0 'pure releases divide' "$scrim" calibrate laplace --epsilon 1 --count 100
out_lines 2
out_has 'measurement,parameter,value,next,count,epsilon_each,delta_each,rho_each,epsilon,delta,rho,'
out_has 'laplace sensitivity=1 scale=100 neighbours=add-remove,scale,100,99.9999,100,0.01,0,0.00005,1,0,0.005,'
err_has 'in words    with scale=100 100 releases cost together epsilon 1, delta 0, rho'
ran 0 'epsilon in the line' "$scrim" calibrate laplace epsilon=1/2 sensitivity=3 --json
out_has '"measurement": "laplace sensitivity=3 scale=6 neighbours=add-remove"'
out_has '"cost": {"neighbours": "add-remove", "epsilon": "0.5", "delta": "0", "rho": "0.125"}'
out_has '"exact": true'
err_is ''
ran 0 'a table' "$scrim" calibrate gaussian --epsilon 1 --delta 1e-6 --format table
out_has 'calibrated  gaussian sensitivity=1 sigma=4.23078 neighbours=add-remove'
out_has 'sigma       4.23078; 4.23077 was tried, too, and misses the target'
out_has 'accuracy    each value is within 8 of the truth with probability 0.95'
out_has 'in words    with sigma=4.23078 one release costs epsilon 1, delta 1e-6'
err_is ''
ran 0 'quiet' "$scrim" calibrate exponential --epsilon 1 --count 4 --quiet
out_has ',epsilon,0.25,0.250001,4,'
err_is ''
ran 0 'on samples' "$scrim" calibrate poisson rate=0.1 laplace --epsilon 1 --count 10 --format table
out_has 'calibrated  poisson rate=0.1 laplace sensitivity=1 scale=1.39146'
out_has 'accuracy    each value is within 4 of the truth with probability 0.95 (of its'
# What is found runs as it is.
"$scrim" calibrate laplace sensitivity=2 neighbours=replace --epsilon 1/4 --quiet | sed '1d; s/,.*//' >"$work/line"
# shellcheck disable=SC2046 # words
ran 0 'what is found runs' sh -c "echo 5 | '$scrim' run $(cat "$work/line") --quiet"
out_lines 2
# ---- for an error ----
ran 0 'an error' "$scrim" calibrate laplace --target-error 10 --count 10 --format table
out_has 'scale       3.51681; 3.51682 was tried, too, and misses the target'
out_has 'together    10 releases cost epsilon 2.84349, delta 0'
out_has 'accuracy    each value is within 10 of the truth with probability 0.95'
ran 0 'an error in steps' "$scrim" calibrate laplace grid=0.01 --target-error 2.5 --confidence 0.99 --json
out_has '"radius": "2.5"'
out_has '"confidence": "0.99"'
ran 0 'scores' "$scrim" calibrate exponential --values 10 --target-error 20 --json
out_has '"form": "pac"'
ran 0 'scores, of the audit' "$scrim" calibrate exponential candidates=10 --target-error 20 --json
check 'scores, of the audit: no part of a release' sh -c "! grep -q candidates '$work/out'"
ran 0 'people' "$scrim" calibrate randomised-response --values 1e5 --target-error 0.01 --json
out_has '"form": "frequency"'

# ---- a histogram in buckets ----
ran 0 'buckets: alpha' "$scrim" calibrate bucket-histogram epsilon=1 delta=1e-6 upper=1 beta=0.1 elements=1000
out_is 'measurement,epsilon,delta,alpha,beta,q,buckets,elements
bucket-histogram epsilon=1 q=27 upper=1 beta=0.1 neighbours=add-remove,1,7.14401e-7,0.135,0.1,27,5,1000'
ran 0 'buckets: delta' "$scrim" calibrate bucket-histogram --epsilon 0.1 alpha=0.1 upper=1 beta=1/8 elements=10000 \
    neighbours=replace --format table
out_has '| 0.1     | 9.66823e-5 | 0.1   | 0.125 | 250 | 4       | 10000    |'
ran 0 'buckets: epsilon' "$scrim" calibrate bucket-histogram delta=1e-6 alpha=0.1 upper=1 beta=1/8 elements=10000
out_has ',0.0852797,1e-6,0.1,0.125,250,4,10000'
ran 0 'buckets: beta' "$scrim" calibrate bucket-histogram epsilon=0.1 --delta 1e-6 alpha=0.1 upper=1 elements=10000 --json
out_has '"beta": "0.125", "q": 217, "buckets": "4"'
ran 0 'buckets: the plan runs' sh -c "echo 0.5 | '$scrim' run bucket-histogram epsilon=1 alpha=0.135 elements=1000 upper=1 \
    beta=0.1 neighbours=add-remove"
err_has 'none more than q = 27 below it'
refused 2 'buckets: two of four' 'give three of epsilon, delta, alpha and beta' bucket-histogram epsilon=1 delta=1e-6 upper=1 elements=9
refused 2 'buckets: no end' 'give upper, the end of the range' bucket-histogram epsilon=1 delta=1e-6 beta=1 elements=9
refused 2 'buckets: too small an alpha' 'that epsilon and delta may lose' bucket-histogram epsilon=0.1 delta=1e-6 alpha=0.1 \
    upper=1 elements=100
refused 2 'buckets: twice' 'epsilon is given twice' bucket-histogram epsilon=1 --epsilon 1 delta=1e-6 upper=1 beta=1 elements=9
refused 2 'buckets: another option' 'a plan by elements takes no --count' bucket-histogram elements=9 --count 2

# ---- formats agree ----
if command -v python3 >/dev/null 2>&1; then
    "$scrim" calibrate laplace --epsilon 1 --delta 1e-6 --count 20 --json >"$work/json"
    "$scrim" calibrate laplace --epsilon 1 --delta 1e-6 --count 20 --format csv --quiet >"$work/csv"
    check 'CSV and JSON agree' python3 -c '
import csv, json, sys
from fractions import Fraction
row, = csv.DictReader(open(sys.argv[1], newline=""))
whole = json.load(open(sys.argv[2]))
for name in "measurement", "parameter", "value", "next", "accountant":
    assert row[name] == whole[name], name
for name in "epsilon", "delta", "rho":
    assert row[name] == whole["cost"][name] and row[name + "_each"] == whole["each"][name]
assert int(row["count"]) == whole["count"] == 20
assert float(row["epsilon_lower"]) == whole["lower"] <= Fraction(row["epsilon"]) <= 1
assert float(row["delta_upper"]) == whole["delta"] <= 1e-6
assert row["error"] == whole["certificate"]["radius"]
assert 0 < Fraction(row["value"]) - Fraction(row["next"]) < Fraction(row["value"]) / 10**5' \
        "$work/csv" "$work/json"
else
    skip 'CSV and JSON agree' 'python3 is not installed'
fi

# ---- how large a key must be ----
ran 0 'sizes' "$scrim" calibrate threshold-laplace epsilon=1 delta=1e-6 max-groups=3 --size --values 1e9
out_lines 7
out_has 'mechanism,half,likely,certain,threshold,delta,new_groups,noise,added'
out_has 'threshold-laplace,45,52,,45,7.46134318456679'
out_has 'partition-selection,40,47,80,,1.000000000000000'
out_has 'threshold-truncated,41,48,81,41,'
out_has 'threshold-gaussian,38,50,,38,'
out_has 'any, at least",14,16,28,,,,,'
out_has 'public keys,,,,70,,,,'
err_has 'in words    threshold-laplace publishes a key of 45 units half the time'
ran 0 'sizes: by options' env LC_ALL=C "$scrim" calibrate threshold-laplace --epsilon 1 --delta 1e-6 max-groups=3 --size --format table
out_has 'asked       threshold-laplace epsilon=1 delta=0.000001 max-groups=3'
out_has 'sizes       the units that a group must have to be kept so often'
out_has '| threshold-gaussian  | 38   | 50   |        | 9.9773e-7 | 1.8846e-6    |'
out_has '| any, at least       | 14   | 16   | 28     |           |              |'
out_has 'needs 14 for it'
err_is ''
ran 0 'sizes: another probability' "$scrim" calibrate partition-selection epsilon=1 delta=1e-5 --size --confidence 0.9 --json --values 1e6
out_has '"confidence": "0.9", "rows": [{"mechanism": "partition-selection", "half": 12, "likely": 13, "certain": 23'
out_has '"least": {"half": 12, "likely": 13, "certain": 23}'
out_has '"universe": {"keys": "1000000"'
err_is ''
ran 0 'sizes: no universe' "$scrim" calibrate stabilise --epsilon 1 --delta 1e-6 --size --format jsonl --quiet
out_lines 1
out_has '"rows": [{"mechanism": "stabilise", "half": 15, "likely": 17, "certain": null, "threshold": 15'
out_has '"universe": null'
err_is ''
refused 2 'sizes: not on groups' 'laplace is not on groups; partition-selection,' laplace epsilon=1 --size
refused 2 'sizes: no delta' 'threshold-laplace: give delta or threshold, exactly one of them' threshold-laplace epsilon=1 --size
refused 2 'sizes: no noise to look for' '--size does not search for noise; leave --count out' \
    threshold-laplace epsilon=1 delta=1e-6 --size --count 3
refused 2 'sizes: no picture' '--size does not search for noise; leave --plot out' threshold-laplace epsilon=1 delta=1e-6 --size --plot
refused 2 'sizes: twice' "epsilon" threshold-laplace epsilon=1 delta=1e-6 --epsilon 1 --size
refused 2 'sizes: confidence 1' 'confidence must be above 0 and below 1' threshold-laplace epsilon=1 delta=1e-6 --size --confidence 1
for options in '' --json '--format table'; do
    ran 1 "sizes: a full disk $options" \
        sh -c "'$scrim' calibrate threshold-laplace epsilon=1 delta=1e-6 --size $options >/dev/full"
    err_is 'scrim calibrate: cannot write standard output: No space left on device'
done

# ---- the picture ----
ran 0 'a picture beside the row' "$scrim" calibrate laplace --epsilon 1 --plot
out_has 'measurement,'
err_has 'laplace sensitivity=1 scale=1 neighbours=add-remove'
check 'a picture: ASCII' sh -c "! grep -q '[^ -~]' '$work/err'"
check 'a picture: 80 columns' sh -c "! grep -q '.\{81\}' '$work/err'"
ran 0 'a drawing' "$scrim" calibrate gaussian --target-error 10 --delta 1e-6 --svg "$work/a.svg" --quiet
err_is ''
check 'a drawing: it is one' grep -q '^<svg ' "$work/a.svg"
check 'a drawing needs no other file' sh -c "! grep -q -e '<script' -e 'href' -e '@import' -e 'url(' '$work/a.svg'"
refused 2 'nothing to draw' 'no curve to draw: give --delta for an epsilon, or --values for an error' \
    exponential --epsilon 1 --plot
refused 2 'a drawing nowhere' "--svg: cannot write '$work/nowhere/a.svg': No such file or directory" \
    laplace --epsilon 1 --svg "$work/nowhere/a.svg"

# ---- refusals ----
refused 2 'no mechanism' 'name a mechanism'
refused 2 'a misspelt mechanism' "unknown mechanism 'laplcae'; did you mean 'laplace'?" laplcae --epsilon 1
refused 2 'nothing is wanted' 'missing target: give epsilon (and delta), or target-error' laplace
refused 2 'too much is wanted' 'give epsilon or target-error, not both' laplace --epsilon 1 --target-error 1
refused 2 'what is looked for is given' 'scale: leave it out; the result gives scale' laplace scale=1 --epsilon 1
refused 2 'no delta' 'delta is missing: gaussian is not pure; give one above 0' gaussian --epsilon 1
refused 2 'epsilon 0' 'epsilon must be above 0' laplace --epsilon 0
refused 2 'delta 1' 'delta must be at least 0 and less than 1' laplace --epsilon 1 --delta 1
refused 2 'an error of 0' 'target-error must be above 0, in the unit of the input' laplace --target-error 0
refused 2 'no number' "epsilon: 'x' is not an exact number" laplace --epsilon x
refused 2 'confidence 1' 'confidence must be above 0 and below 1' laplace --target-error 1 --confidence 1
refused 2 'count 0' '--count must be a whole number from 1 to 1099511627776' laplace --epsilon 1 --count 0
refused 2 'too many' '--count must be a whole number from 1 to 1099511627776' laplace --epsilon 1 --count 1e13
refused 2 'values 0' '--values must be a whole number from 1 to 1.1e18' exponential --target-error 1 --values 0
refused 2 'how many scores' 'missing values: the error depends on the number of scores' exponential --target-error 1
refused 2 'an unknown parameter' "unknown parameter 'sigma2'" laplace sigma2=1 --epsilon 1
refused 2 'several noises' 'generalised-sparse-vector: its noise does not depend on a single parameter' generalised-sparse-vector --epsilon 1
refused 2 'too little' 'epsilon: no scale from 2^-60 to 2^60 brings laplace within 1e-300' laplace --epsilon 1e-300
refused 2 'an option of another verb' 'unexpected argument --labels' laplace --epsilon 1 --labels
refused 2 'a misspelt option' 'unknown option --epsilno; did you mean --epsilon?' laplace --epsilno 1

# ---- mechanisms whose releases have a delta ----
ran 0 'a range' "$scrim" calibrate range --epsilon 1 --delta 1e-6
out_has 'range sensitivity=1 epsilon=1 delta=0.000001 neighbours=add-remove,epsilon,1,1.00001,1,1,0.000001,'
ran 0 'a range of several releases' "$scrim" calibrate range --epsilon 1 --delta 1e-6 --count 10
out_has 'range sensitivity=1 epsilon=0.1 delta=0.0000001 '
ran 0 'truncated noise' "$scrim" calibrate truncated-laplace --epsilon 1 --delta 1e-6
out_has 'truncated-laplace sensitivity=1 scale=1 delta=0.000001 '
# Both constraints: no mechanism shows smaller groups than partition selection.
ran 0 'the least size' "$scrim" calibrate partition-selection epsilon=0.05 delta=1e-19 --size
out_has '"any, at least",802,848,1604,'

# ---- several values at once ----
ran 0 'of each value' "$scrim" calibrate laplace --target-error 20 --values 1000 --format table
out_has 'values at once are within 68 with the same probability'
ran 0 'of all values at once' "$scrim" calibrate laplace --target-error 20 --at-once --values 1000 --format table
out_has 'values at once are within 20 with the same probability'
ran 0 'of all values at once, as CSV' "$scrim" calibrate laplace --target-error 20 --at-once --values 1000
out_has ',0.95,6,20'
ran 0 'of one value' "$scrim" calibrate laplace --target-error 20 --at-once
out_has ',0.95,20,'
ran 0 'of all values of the continuous form' "$scrim" calibrate continuous-laplace --target-error 20 --at-once --values 1000 --json
out_has '"radius_all": "19.9999383607"'

# ---- where it goes ----
for options in '' --json '--format jsonl' '--format table'; do
    ran 1 "a full disk $options" sh -c "'$scrim' calibrate laplace --epsilon 1 $options >/dev/full"
    err_is 'scrim calibrate: cannot write standard output: No space left on device'
done

# ---- on a terminal ----
on_terminal() {
    script -q -e -c "$1" /dev/null
}
if command -v script >/dev/null 2>&1; then
    ran 0 'on a terminal' on_terminal "$scrim calibrate laplace --epsilon 1 --plot"
    out_has 'calibrated  laplace'
    out_has "$(printf '\033[38;5;39m')"
    ran 0 'without colour' on_terminal "NO_COLOR=1 $scrim calibrate laplace --epsilon 1 --plot"
    check 'without colour: none' sh -c "! grep -q '$(printf '\033')' '$work/out'"
    long='calibrate truncated-laplace --epsilon 1 --delta 1e-6 --count 1e6'
    # It gives up after about a second of processor time, by counted work. A pause makes it last longer than the
    # second after which progress is shown, on any machine.
    ran 2 'progress' on_terminal "$scrim $long >/dev/null & p=\$!; sleep 0.2; kill -STOP \$p; sleep 1; kill -CONT \$p; wait \$p"
    out_has ' candidates, '
    ran 2 'progress, quiet' on_terminal "$scrim $long --quiet >/dev/null"
    check 'progress, quiet: none' sh -c "! grep -q candidates '$work/out'"
else
    skip 'on a terminal' 'script is not installed'
fi
ran 0 'sizes: one unit' "$O/scrim" calibrate partition-selection epsilon=1 delta=0.6 --size --format table
out_has 'publishes a key of 1 unit half'
finish
