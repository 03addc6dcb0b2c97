#!/bin/sh
# scrim body fit and center of a dataset: what is charged, that the same request is free, that replay and ledger know it, and
# what is refused without a charge.
# shellcheck disable=SC2317 # functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

awk 'BEGIN {
    print "who,a,b,c,word"
    for (i = 0; i < 6000; i++)
        printf "p%d,%d,%.1f,%s,w\n", i, i * 37 % 1000, (i * 101 % 2000) / 10, i % 50 ? i * 7 % 100 : ""
}' >people.csv
"$scrim" init --quiet
"$scrim" dataset add people --csv people.csv --unit who --rows-per-unit 1 --column 'a=int[0,999]' \
    --column 'b=decimal[0,200]/0.1' --column 'c=int[0,99]' --column word=text --budget epsilon=100,delta=1e-3 --quiet 2>/dev/null
fit() { "$scrim" body fit people --columns a,b --epsilon 16 "$@"; }
left() { "$scrim" budget people --quiet --format csv | sed 1d | head -n 1; }

before=$(left)
ran 0 'a dry run' fit --dry-run --format csv
out_is 'directions,count,composition,epsilon_each,rank_error
equiangular,16,pure,1,36'
err_has 'epsilon 16, delta 0; nothing was charged (--dry-run)'
err_has 'no direction misses by more than'
ran 0 'a dry run: a share' "$scrim" body fit people --columns a,b,c --epsilon 1 --dry-run --format csv --quiet
check 'a dry run: of each' grep -q '^frames,24,pure,0.0416666,' out
ran 0 'a dry run: with a delta' "$scrim" body fit people --columns a,b,c --epsilon 1 --delta 1e-6 --dry-run --json
check 'a dry run: concentrated' grep -q '"composition": "concentrated"' out
check 'a dry run: its cost' grep -q '"epsilon": "1", "delta": "0.000001"' out
# One frame where the expected units are too few for four: epsilon_each (1 - q) n/2 < 14.
usual_frames() {
    directions=$1 verb=$2
    shift 2
    ran 0 "frames: $verb $*" "$scrim" body "$verb" people --columns a,b,c --epsilon 1 "$@" --dry-run --format csv --quiet
    check "frames: $verb $*" grep -q "^frames,$directions," out
}
usual_frames 24 center
usual_frames 6 center --expected-units 1670
usual_frames 24 center --expected-units 1690
usual_frames 6 center --expected-units 760 --delta 1e-6
usual_frames 24 center --expected-units 790 --delta 1e-6
usual_frames 6 fit --expected-units 6700
usual_frames 24 fit --expected-units 6740
check 'a dry run: nothing is charged' test "$before" = "$(left)"

ran 0 'a body' fit --out body.json
check 'a body: nothing on standard output' test ! -s out
check 'a body: its file' grep -q '"format": "scrim-body-1"' body.json
check 'a body: its label' grep -q 'Each of 16 directions has epsilon 1, composed pure' body.json
err_has 'body        2 columns, 16 directions (equiangular) of epsilon 1 each, q 0.9, composed pure'
err_has 'charged     epsilon 16 to people, version 1'
spent=$(left)
check 'a body: it costs' test "$before" != "$spent"
ran 0 'a body is shown' "$scrim" body show body.json --format csv
check 'a body is shown: its cost once' test "$(grep -c 'epsilon 16' err)" = 1
check 'a body is shown: without an empty line' sh -c '! grep -q "^$" err'
ran 0 'a body of one column' "$scrim" body fit people --columns a --epsilon 1 --out one.json
err_has 'body        1 column, '
ran 0 'a body of one column: its centre' "$scrim" body center one.json
err_has 'body of 1 column, cut by 2 directions'
spent=$(left)
ran 0 'the same again' fit --q 0.90 --directions equiangular:16
check 'the same again: the same body' cmp body.json out
err_has ', earlier; nothing now'
check 'the same again: free' test "$spent" = "$(left)"
ran 0 'replay' "$scrim" replay 1
check 'replay: the same body' cmp body.json out
ran 0 'the ledger' "$scrim" ledger --format csv --quiet
check 'the ledger: it is there' grep -q 'floating-body q=' out
ran 0 'a report' "$scrim" report 1
check 'a report: what was drawn' grep -q 'a quantile at 0.9 in each of 16 public directions' out
ran 0 'its centre, free' "$scrim" body center body.json --method steiner --format csv --quiet
# shellcheck disable=SC2016 # the dollars are for awk
check 'its centre: in the middle' awk -F, 'NR == 2 { exit !($2 > 400 && $2 < 600 && $3 > 80 && $3 < 120) }' out
check 'its centre: free' test "$spent" = "$(left)"

ran 0 'a centre of the dataset' "$scrim" body center people --columns a,b,c --epsilon 12 --format csv
# shellcheck disable=SC2016 # the dollars are for awk
check 'a centre: in the middle' awk -F, '$1 == "a" { a = $2 } $1 == "b" { b = $2 } END { exit !(a > 400 && a < 600 && b > 80 && b < 120) }' out
err_has 'q 0.6'
err_has 'error       no direction misses by more than '
ran 0 'a deep point' "$scrim" body center people --columns a,b --epsilon 2 --method depth --expected-units 6000 --json
check 'a deep point: both columns' grep -q '"column": "b"' out
err_has 'point       deep among the rows from every direction'
check 'a deep point: charged' sh -c "grep -q 'charged     epsilon 2 to people' err"

printf '1,0\n-1,0\n0,1\n0,-1\n0.6,0.8\n' >own.csv
ran 0 'directions of a file' fit --directions own.csv --scales 10,1 --out own.json
check 'directions of a file: all' grep -q '"direction_count": 5' own.json
ran 0 'frames by a seed' "$scrim" body fit people --columns a,b,c --epsilon 1 --directions frames:12:7 --out frames.json
check 'frames by a seed: recorded' grep -q '"seed": 7' frames.json

spent=$(left)
ran 2 'no dataset' "$scrim" body fit --columns a --epsilon 1
err_has 'name one dataset'
ran 2 'no columns' "$scrim" body fit people --epsilon 1
err_has 'a body needs columns of numbers with their ranges: --columns COLUMN,COLUMN'
ran 2 'no epsilon' "$scrim" body fit people --columns a
err_has 'epsilon is missing; it has no default; add --epsilon E'
ran 2 'a column of text' "$scrim" body fit people --columns a,word --epsilon 1
err_has "'word' is not a column of numbers; a body has int and decimal columns"
ran 2 'a column that is misspelt' "$scrim" body fit people --columns a,bb --epsilon 1
err_has "unknown column 'bb'; did you mean 'b'?"
ran 2 'q of 1' fit --q 1
ran 2 'directions that are none' fit --directions around
ran 2 'seven directions' fit --directions 7
printf '1,0\n-1,0\n' >line.csv
ran 2 'directions that bound nothing' fit --directions line.csv
printf '1,1\n-1,0\n0,-1\n' >long.csv
ran 2 'directions that are too long' fit --directions long.csv
err_has 'does not have length 1'
ran 2 'depth of three' "$scrim" body center people --columns a,b,c --epsilon 1 --method depth --expected-units 9
ran 2 'depth without a number' "$scrim" body center people --columns a,b --epsilon 1 --method depth
err_has 'which steers accuracy and never privacy; add --expected-units N'
ran 2 'more than directions take' "$scrim" body fit people --columns a --epsilon 100
err_has 'epsilon is too large: each of 2 directions has more than a quantile takes'
ran 4 'more than there is' "$scrim" body fit people --columns a,b --epsilon 500 --directions 128
err_has 'nothing was charged; use a smaller --epsilon (larger error), or ask'
check 'refusals: nothing is charged' test "$spent" = "$(left)"

# Memory is had before the charge, by the declared size and columns; the rows here are two.
printf 'a,b\n1,2\n3,4\n' >large.csv
"$scrim" dataset add large --csv large.csv --unit row --rows-per-unit 1 --max-size 300MiB --column 'a=int[0,9]' --column 'b=int[0,9]' \
    --budget epsilon=9 --quiet 2>/dev/null
ran 1 'too little memory' sh -c "ulimit -v 3000000; '$scrim' body fit large --columns a,b --epsilon 1 --out large.json"
err_has 'out of memory for a body'
check 'too little memory: nothing is charged' sh -c "'$scrim' budget large --quiet --format csv | grep -q '[,^]9,'"
# On a terminal nobody reads pages of numbers.
if command -v script >/dev/null 2>&1; then
    script -q -e -c "'$scrim' body fit people --columns a,b --epsilon 16" /dev/null </dev/null >shown 2>&1
    check 'a terminal shows no file' sh -c '! grep -q format shown'
    command=$(sed -n "s/^body  *'\(scrim replay [0-9]* >body.json\)' writes it.*/\1/p" shown)
    check 'a terminal shows how to write it' sh -c "PATH=$(dirname "$scrim"):\$PATH; $command 2>/dev/null && grep -q scrim-body-1 body.json"
else
    skip 'a body on a terminal' 'script is not installed'
fi

finish
