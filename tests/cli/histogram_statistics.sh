#!/bin/sh
# Statistics of a released histogram: what they say, what is refused before any data are read, rows of
# several values, and a replay. With a large epsilon each bucket loses one element of two at most.
# shellcheck disable=SC2317,SC2016,SC2258 # functions that ran calls; for awk or another shell; a word with a comma
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
seeded=$O/scrim-test
input=$work/input
line='bucket-histogram epsilon=1000 q=2 upper=1 beta=0.1 neighbours=add-remove'

fed() {
    "$@" <"$input"
}

printf '0.5\n0.51\n0.55\n0.19\n0.05\n0.95\n' >"$input"
# shellcheck disable=SC2086 # words
ran 0 'statistics' fed "$scrim" run $line --quiet --statistic max,range,median,mode,max-k=3,total
out_is 'statistic,value,left_out,within,statement
max,0.5,10,0.1,"at least 2 elements lie within 0.1 of it; no bucket above its own holds more than 2, and at most 4 elements lie above its bucket"
range,0.4,10,0.2,"at least 1 element lies within 0.1 of each end; no bucket outside of theirs holds more than 2, and at most 4 elements lie outside of their buckets"
median,0.5,10,0.1,"its bucket holds a rank from 2 to 6 in the data, 1 being the smallest; at least 2 elements lie within 0.1 of it"
mode,0.5,10,unbounded,"at least 2 elements lie within 0.1 of it; no bucket holds more than 4, nor more than 2 beyond what its own holds"
max-k=3,EMPTY,10,unbounded,no bucket holds more than 4 elements
total,3,10,,there are from 3 to 13 elements'
err_is ''

# The support is a set: its centres, and how far the data are from them, in their unit.
# shellcheck disable=SC2086
ran 0 'the support' fed "$scrim" run $line --quiet --statistic support
out_has 'support,0.1 0.5,10,0.1,'

# Nobody is there: an outcome, and no error.
: >"$input"
# shellcheck disable=SC2086
ran 0 'of nobody' fed "$scrim" run $line --quiet --statistic max,support,total
out_is 'statistic,value,left_out,within,statement
max,EMPTY,10,0.1,"no bucket holds more than 2 elements, and there are at most 10"
support,EMPTY,10,0.1,"no bucket holds more than 2 elements, and there are at most 10"
total,0,10,,there are from 0 to 10 elements'

# The note says what the certificate is, whatever the rows are.
# shellcheck disable=SC2086
ran 0 'note' fed "$scrim" run $line
err_says 'at most 10 elements are left out, and every other element is within 0.1 of its shown place'
err_says 'no count is above that of its bucket, and none more than q = 2 below it'
err_says 'values that are not numbers, which are left out (see --header)'

# Points of two numbers and a label: a plane between them.
printf '0.1,0.1,-1\n0.1,0.1,-1\n0.15,0.9,-1\n0.15,0.9,-1\n0.9,0.5,1\n0.9,0.5,1\n' >"$input"
points='bucket-histogram epsilon=1000 q=2 upper=1 beta=1/2 dimensions=2 norm=1 labelled=yes neighbours=add-remove'
# shellcheck disable=SC2086
ran 0 'points' fed "$scrim" run $points --quiet
out_is 'centre,value,value_low,value_high
0.25;0.25;-1,1,1,3
0.25;0.75;-1,1,1,3
0.75;0.75;+1,1,1,3'
# shellcheck disable=SC2086
ran 0 'separator' fed "$scrim" run $points --quiet --statistic separator
out_is 'statistic,value,left_out,within,statement
separator,0.5;0>=0.25,16,unbounded,"the centres shown lie at least 0.25 from the plane, each on its side; data with a margin m have given one of at least m - 0.5, and nothing is said of the angle"'
# A margin that is no short number is rounded down.
printf '0.1,0.1,-1\n0.1,0.1,-1\n0.9,0.9,1\n0.9,0.9,1\n' >"$input"
ran 0 'a long margin' fed "$scrim" run bucket-histogram epsilon=1000 q=2 upper=1 beta=1/5 dimensions=2 norm=2 labelled=yes neighbours=add-remove --quiet --statistic separator
out_has 'the centres shown lie at least 0.53033 from the plane'
printf 'x,y\n1,2\n' >"$input"
# shellcheck disable=SC2086
ran 6 'a header of another width' fed "$scrim" run $points --header
err_has 'the header names 2 columns; a row has 3 values'

# What cannot be asked is refused before the data are read.
for list in maximum '' max, quantile=2 max-k=0 separator; do
    # shellcheck disable=SC2086
    ran 2 "--statistic '$list'" "$scrim" run $line --statistic "$list"
done
# shellcheck disable=SC2086
ran 2 'max of points' "$scrim" run $points --statistic max
err_has 'max: it needs one dimension without labels'
ran 2 'statistics of numbers' "$scrim" run laplace sensitivity=1 epsilon=1 neighbours=add-remove --statistic max
err_has 'statistics need an answer of bucket-histogram'

# JSON.
printf '0.5\n0.51\n0.55\n' >"$input"
# shellcheck disable=SC2086
ran 0 'JSON' fed "$seeded" run $line --quiet --json --statistic max,min
if command -v python3 >/dev/null 2>&1; then
    check 'JSON has rows' python3 -c '
import json, sys
answer = json.load(open(sys.argv[1]))
rows = answer["rows"]
assert answer["measurement"].startswith("bucket-histogram ") and answer["cost"]["epsilon"] == "1000"
assert answer["certificate"]["form"] == "flexible" and answer["release"] is None
assert [row["statistic"] for row in rows] == ["max", "min"]
assert rows[0]["value"] == "0.5"' "$work/out"
fi

# A size in front of the counts has a name, and they keep theirs.
printf 'a,5\nb,900\n' >"$input"
ran 0 'a size' fed "$scrim" run private-size-stlap size-epsilon=1 size-delta=1e-6 bar-epsilon=1 bar-delta=1e-6 tau=0.1 neighbours=add-remove --labels
check 'a size: labels' sh -c 'test "$(cut -d, -f1 "$1" | tr "\n" " ")" = "label size a b "' _ "$work/out"
err_says 'no count is above the truth, and together they miss at most the share 0.2'
printf '5\n900\n' >"$input"
ran 0 'a size without labels' fed "$scrim" run private-size-stlap size-epsilon=1 size-delta=1e-6 bar-epsilon=1 bar-delta=1e-6 tau=0.1 neighbours=add-remove
check 'a size without labels: it is named' sh -c 'test "$(cut -d, -f1 "$1" | tr "\n" " ")" = "label size 1 2 "' _ "$work/out"

# What was released can be read otherwise later, free of charge.
seq 0 0.001 0.999 >"$input"
"$scrim" init --quiet --vault "$work/vault"
"$scrim" dataset add numbers --unit row --budget epsilon=9,delta=0.1 --vault "$work/vault" --quiet 2>/dev/null
ran 0 'bars in a vault' fed "$scrim" run bucket-histogram epsilon=2 delta=1e-6 upper=1 beta=0.1 neighbours=add-remove --charge numbers --vault "$work/vault" --statistic max,median
cp "$work/out" "$work/first"
release=$(sed -n 's/^release *\([0-9]*\),.*/\1/p' "$work/err")
ran 0 'replay --statistic' "$scrim" replay "$release" --vault "$work/vault" --statistic max,median --quiet
check 'replay --statistic: the same' cmp "$work/first" "$work/out"
ran 0 'replay --statistic: another' "$scrim" replay "$release" --vault "$work/vault" --statistic mode,total --quiet
check 'replay --statistic: its rows' sh -c 'test "$(cut -d, -f1 "$1" | tr "\n" " ")" = "statistic mode total "' _ "$work/out"
ran 2 'replay --statistic: none there is' "$scrim" replay "$release" --vault "$work/vault" --statistic most
out_is ''
finish
