#!/bin/sh
# scrim distance: every kind, places of every sort, the formats and every refusal.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
root=$(pwd)
cd "$work" || exit 1

# apart KIND A B EXACT [OPTION...]: the exact number of a distance.
apart() {
    kind=$1 a=$2 b=$3 exact=$4
    shift 4
    ran 0 "$kind $a $b $*" "$scrim" distance "$kind" "$a" "$b" "$@"
    check "$kind $a $b $*: $exact" test "$(sed -n 2p out | cut -d , -f 2)" = "$exact"
    err_is ''
}

# refused STATUS MESSAGE ARGUMENT...: the message in one line, and nothing on standard output.
refused() {
    status=$1 message=$2
    shift 2
    ran "$status" "$*" "$scrim" distance "$@"
    out_is ''
    err_lines 1
    err_has "scrim distance: $message"
}

# ---- kinds ----
printf '0\n7,2\n' >p
printf '# the other one\n\n 1 , 2 \r\n7\r\n' >q
apart tv p q 2/3
apart wasserstein p q 6
apart wasserstein p q 1 --loss 1/3
apart wasserstein p q 6 --loss 33333333/100000000
apart wasserstein p q 0 --loss 2/3
apart wasserstein p q 7/3 --average
apart wasserstein p q 1/3 --average --loss 1/3
apart w2 p q 'sqrt(37/3)'
apart hausdorff p q 1
apart l1 p q 4
apart l2 p q 'sqrt(6)'
printf '0\n5\n10\n' >three
printf '0\n10\n' >ends
apart hausdorff three ends 5
apart drop three ends 1/3
apart drop ends three inf
apart move p q 6
apart move three ends inf
apart drop-move three ends 1/3
printf '1\n11\n' >moved
apart drop-move three moved 4/3
apart drop-move three moved 13/30 --eta 0.1
apart drop-move three moved 1/3 --eta 0
apart drop-move ends three inf
: >empty
apart drop empty empty 0
apart drop three empty 1
apart move empty empty 0
apart drop-move three empty 1
# Numbers are exact, in whatever form; probabilities are numbers that add up.
printf '0.1,1/3\n1e-1,1/6\n1/5,0.5\n' >law
printf '2^-2,1\n' >point
apart wasserstein law point 0.15
apart wasserstein law point 0.1 --average

# ---- places ----
printf '0,0\n1,1,3\n' >c
printf '0,1,2\n2,2,2\n' >d
apart wasserstein c d 2 --dimensions 2
apart wasserstein c d 1 --dimensions 2 --norm max
apart wasserstein c d 'sqrt(2)' --dimensions 2 --norm 2
apart wasserstein c d 1.5 --dimensions 2 --average
apart w2 c d 'sqrt(1.5)' --dimensions 2
apart hausdorff c d 2 --dimensions 2
apart tv c d 1 --dimensions 2
printf 'n,e,1\ne,s,1\ns,w,1\nw,n,1\nn,s,2\ne,w,2\n' >ring
printf 'n\ne\n' >near
printf 's,2\n' >far
apart wasserstein near far 2 --metric ring
apart wasserstein near far 1 --metric ring --loss 1/2
apart wasserstein near far 1.5 --metric ring --average
printf 'a,b,1\nb,a,5\n' >slope
printf 'a\n' >a
printf 'b\n' >b
apart wasserstein a b 1 --metric slope
apart wasserstein b a 5 --metric slope
printf 'a,c,1\nb,c,1\n' >gap
apart wasserstein a b inf --metric gap
apart wasserstein a b inf --metric gap --average
apart wasserstein a b 0 --metric gap --loss 1

# ---- formats ----
ran 0 'CSV' "$scrim" distance tv p q
out_is 'kind,exact,decimal
tv,2/3,0.666666666666667'
ran 0 'a table' "$scrim" distance wasserstein p q --average --loss 0 --format table
out_is 'wasserstein, average, loss 0  7/3  = 2.33333333333334, rounded up'
ran 0 'a table of a short number' "$scrim" distance move p q --format table
out_is 'move  6'
ran 0 'JSON' "$scrim" distance drop-move three moved --eta 0.1 --json
out_is '{"kind": "drop-move", "value": 0.433333333333334, "exact": "13/30", "eta": "0.1"}'
ran 0 'JSON lines' "$scrim" distance wasserstein p q --average --format jsonl
out_is '{"kind": "wasserstein", "value": 2.33333333333334, "exact": "7/3", "average": true}'
ran 0 'infinite in JSON' "$scrim" distance drop ends three --json
out_is '{"kind": "drop", "value": "inf", "exact": "inf"}'
ran 0 'standard input' sh -c "printf '1\n' | '$scrim' distance move - p --json"
out_has '"inf"'

# ---- refusals ----
refused 2 "name a distance and two files, as in 'scrim distance wasserstein before.csv after.csv'" tv p
refused 2 "name a distance and two files" tv p q p
refused 2 "unknown distance 'wassertein'; did you mean 'wasserstein'?" wassertein p q
refused 2 "unknown distance 'renyi'; 'scrim distance divergence' computes it, with others" renyi p q
refused 2 "unknown distance 'earth'; use tv, l1, l2, wasserstein, w2, hausdorff, drop, move or drop-move" earth p q
refused 2 'tv takes neither loss nor average; only wasserstein does' tv p q --loss 0.1
refused 2 'move takes neither loss nor average; only wasserstein does' move p q --average
refused 2 'wasserstein has no eta; only drop-move has one' wasserstein p q --eta 1
refused 2 'loss: give a number from 0 to 1' wasserstein p q --loss 1.01
refused 2 "loss: '-0.1' is not a number of at least 0" wasserstein p q --loss=-0.1
refused 2 "eta: 'x' is not a number of at least 0" drop-move p q --eta x
refused 2 '--dimensions must be from 1 to 8' tv p q --dimensions 9
refused 2 '--dimensions must be from 1 to 8' tv p q --dimensions 0
refused 2 'norm: use 1, 2 or max' hausdorff p q --norm 3
refused 2 'tv takes no norm' tv p q --norm 2
refused 2 'norm 2 has no average here' wasserstein c d --dimensions 2 --norm 2 --average
refused 2 'places are named by a metric or are numbers with a norm, not both' wasserstein a b --metric ring --norm max
refused 2 'only one of the files can be standard input' tv - -
# A word that is wrong is told before a file is looked at.
refused 2 'loss: give a number from 0 to 1' wasserstein nowhere q --loss 2
refused 6 "'nowhere' cannot be read: " tv p nowhere
printf '1,2,3\n' >long
refused 6 "'long', line 1: write PLACE or PLACE,COUNT" tv p long
refused 6 "'p', line 1: 2 numbers are expected" tv p q --dimensions 2
printf '1\n\nx\n' >word
refused 6 "'word', line 3: 'x' is not a number; write 1, 0.1 or 1/3" tv p word
printf '1,-1\n' >below
refused 6 "'below', line 1: a count must be at least 0" tv p below
printf '1,1/2\n2,1/3\n' >short
refused 6 'masses that are not whole are probabilities, and both sides must add up to the same' tv p short
refused 6 "'short', line 1: drop counts elements: give whole numbers" drop p short
refused 6 'tv is not defined for an empty side; give at least one place in each' tv p empty
refused 6 'hausdorff is not defined for an empty side' hausdorff empty p
refused 6 "'a', line 1: 'a' is not among those of the metric" tv near a --metric ring
printf 'a,b\n' >lame
refused 6 "'lame', line 1: write FROM,TO,LENGTH" tv a b --metric lame
printf 'a,b,-1\n' >lame
refused 6 "'lame', line 1: a distance must be at least 0" tv a b --metric lame
printf 'a,a,1\n' >lame
refused 6 "'lame', line 1: the distance from a place to itself must be 0" tv a a --metric lame
refused 6 "'empty', line 1: write FROM,TO,LENGTH" tv a b --metric empty
printf '1\0002\n' >zero
refused 6 "'zero' is not text" tv p zero
printf '1e30\n' >wide
refused 2 'a number is more than 2305843009213693952 steps of the common length from 0; use fewer digits' tv p wide
printf '1,1e30\n' >heavy
refused 2 'a number is more than 4611686018427387904 steps of the common length from 0; use fewer digits' tv p heavy
seq 1 1500 | sed 's/$/,0/' >plane
seq 1 1500 | sed 's/$/,1/' >above
refused 2 'there are more than 1048576 pairs of places; so many can be compared only in one dimension' wasserstein plane above --dimensions 2
refused 2 'unknown option --width' tv p q --width 3
ran 0 'help' "$scrim" distance --help
out_has 'It uses no vault'

# ---- as many as there are ----
seq 1 20000 >many
seq 1001 21000 >"more"
apart wasserstein many more 1000
apart wasserstein many more 1 --loss 0.0499999
apart wasserstein many more 0 --loss 0.05
apart tv many more 0.05

# ---- divergences ----
printf 'yes,9/10\nno,1/10\n' >p
printf 'yes,1\nno,9\n' >counts
printf 'no,0.9\nyes,0.1\n' >q
# row NAME EXACT BACK: of the table that was written last.
row() {
    check "divergence: $1" grep -q -E "^$1,$2,[0-9.]+,$3,[0-9.]+\$" out
}
ran 0 'divergence' "$scrim" distance divergence p q --order 2,3 --delta 1/20 --epsilon 'ln(3)' --group 3
row 'tv,' 0.8 0.8
row 'renyi,order 2' 'ln\(73/9\)' 'ln\(73/9\)'
row 'renyi,order 3' 'ln\(5905/81\)/2' 'ln\(5905/81\)/2'
row 'max,' 'ln\(9\)' 'ln\(9\)'
row 'hockey-stick,epsilon ln\(3\)' 0.6 0.6
row 'approximate-max,delta 1/20' 'ln\(8.5\)' 'ln\(8.5\)'
row 'group-max,group 3' '3 ln\(9\)' '3 ln\(9\)'
check 'divergence: kl' grep -q '^kl,,,1.75777966186898,,1.75777966186898$' out
check 'divergence: a bound of each order' test "$(grep -c '^renyi-bound' out)" -eq 2
ran 0 'divergence, as a table' "$scrim" distance divergence p q --format table
check 'divergence, as a table: both directions' grep -q 'ln(9) = 2.1973 .* ln(9) = 2.1973' out
ran 0 'divergence, JSON' "$scrim" distance divergence p q --json
check 'divergence, JSON: a number' grep -q '"max", "at": "", "exact": "ln(9)", "value": 2.19722457733622' out
printf 'a\n' >one
printf 'b\n' >other
ran 0 'divergence of disjoint laws' "$scrim" distance divergence one other
check 'divergence of disjoint laws: infinite' grep -q '^kl,,inf,inf,inf,inf$' out
refused 2 'divergence does not take --loss' divergence p q --loss 1
refused 2 'tv does not take --order' tv p q --order 2
refused 2 '--order takes 1 to 32 numbers' divergence p q --order 2,,3
refused 2 'delta must be a number from 0 to 1' divergence p q --delta 2
refused 2 'the masses of each side must add up to exactly 1' divergence p counts
printf 'yes,-1\n' >minus
refused 6 "'minus', line 1: a mass cannot be below 0" divergence p minus

# ---- theta-sensitivity ----
printf '{"laws": {"f": [["0", "9/10"], ["50", "1/10"]],\n "g": [[1, 0.9], [90, 0.1]]},\n "neighbours": [["f", "g"]]}\n' >laws.json
ran 0 'theta-sensitivity' "$scrim" distance theta-sensitivity laws.json
out_is 'theta,sensitivity,first,second
0,40,f,g
0.1,1,f,g
1,0,f,g'
ran 0 'theta-sensitivity at one theta' "$scrim" distance theta-sensitivity laws.json --loss 0.0999 --json
out_has '{"theta": "0", "sensitivity": "40", "first": "f", "second": "g"}'
printf '{"laws": {"a": [[0,1]], "b": [["1/2",1]], "c": [[3,1],[4,2],[9,1]]}}' >laws.json
ran 0 'theta-sensitivity of all pairs' "$scrim" distance theta-sensitivity laws.json
out_is 'theta,sensitivity,first,second
0,9,a,c
0.25,4,a,c
0.75,3,a,c
1,0,a,c'
refused 2 'name one file' theta-sensitivity laws.json laws.json
refused 2 'theta-sensitivity does not take --norm' theta-sensitivity laws.json --norm 2
refused 2 'theta' theta-sensitivity laws.json --loss 2
refused 6 "'nowhere' cannot be read" theta-sensitivity nowhere
printf '{"laws": {"a": [[0,1]],\n"b": [[1/2]]}}' >laws.json
refused 6 'laws.json: line 2: expected a place and its mass, as in [50, "1/10"]' theta-sensitivity laws.json
printf '{"laws": {"a": [[0,1]]}}' >laws.json
refused 6 'laws.json: give at least two laws, or neighbours' theta-sensitivity laws.json
printf '{"laws": {"a": [[0,1]]}, "neighbours": [["a","x"]]}' >laws.json
refused 6 "laws.json: line 1: unknown law 'x'" theta-sensitivity laws.json
printf '[1]' >laws.json
refused 6 'laws.json: line 1: expected {"laws"' theta-sensitivity laws.json
printf '{"laws": {"a": [[0,1]], "b": [[0,"1/2"]]}}' >laws.json
refused 6 'masses that are not whole are probabilities' theta-sensitivity laws.json
cd "$root" || exit 1
finish
