#!/bin/sh
# scrim body: everything that is free once a body is released.
# shellcheck disable=SC2086 # words
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
body="$scrim body"
cd "$work" || exit 1
case $scrim in /*) ;; *) scrim=$OLDPWD/$scrim ;; esac
body="$scrim body"

# square FILE OFFSET [Q]: columns x from 0 to 10 and y from -5 to 5; each side is OFFSET / 64 of 10 from the far end.
square() {
    cat >"$1" <<EOF
{"format": "scrim-body-1", "column_count": 2, "direction_count": 5,
"dataset": "demo", "neighbours": "add-remove", "composition": "pure", "kind": "given", "label": "release 7\nepsilon 1",
"q": "${3-0.9}", "epsilon": "1", "delta": "0", "epsilon_each": "0.2",
"version": 1, "release": 7, "max_rows": 1, "units": 10000, "seed": 0,
"columns": [
  {"name": "x", "low": "0", "high": "10", "step": "1", "scale": "10"},
  {"name": "y", "low": "-5", "high": "5", "step": "1", "scale": "10"}],
"directions": [
  {"a": [1073741824, 0], "origin": "0", "step": "1/64", "cells": 64, "offset": $2},
  {"a": [-1073741824, 0], "origin": "-1", "step": "1/64", "cells": 64, "offset": $2},
  {"a": [0, 1073741824], "origin": "0", "step": "1/64", "cells": 64, "offset": $2},
  {"a": [0, -1073741824], "origin": "-1", "step": "1/64", "cells": 64, "offset": $2},
  {"a": [759250125, 759250125], "origin": "0", "step": "1/64", "cells": 91, "offset": 91}]}
EOF
}
square wide.json 48
square narrow.json 40 0.6
square empty.json 20

ran 0 'center' $body center wide.json --format csv
out_is 'method,x,y,standard_error,inside
frame,6.6847,1.6847,0,true
steiner,5,0,0,true
chebyshev,5,0,0,true'
err_has 'body of 2 columns, cut by 5 directions at q 0.9, dataset demo; free of charge'
ran 0 'center: one' $body center wide.json --method steiner --json --quiet
out_has '"method": "steiner"'
err_is ''
check 'center: JSON parses' python3 -m json.tool out
ran 2 'center: unknown' $body center wide.json --method mean
err_has 'use frame, steiner or chebyshev'

ran 0 'show' $body show wide.json --format csv
out_has 'direction,x,y,at_most,redundant'
out_has '1,0.1,0,0.75,false'
out_has '5,0.0707106781192124,0.0707106781192124,1.0683216' # 91/64 less the shift of y
err_has 'release 7'
err_has '1 of 5 half-spaces is redundant'
err_says 'each quantile is within'

ran 0 'project' $body project wide.json --at 9,-1 --at 5,0 --format csv
out_is 'x,y,distance,held_by
7.5,-1,0.15,1
5,0,0,'
ran 0 'outliers' $body outliers wide.json --at 9,-1 --at 5,0 --format csv
out_has '9,-1,true,0.15,1,1,"'"'"'+x 1.00"'
out_has '5,0,false,-0.25,0,'
err_has '1 of 2 points are outside'
printf 'name,y,x\na,-1,9\n"b",0, 5 \n\n' >points.csv
ran 0 'outliers: a file' $body outliers wide.json --csv points.csv --format csv
out_has '9,-1,true'
out_lines 3
printf 'x;y\n1;2\n' >semicolons.csv
ran 6 'outliers: other separators' $body outliers wide.json --csv semicolons.csv
err_has "must name the columns, separated by commas; it lacks 'x'"
printf 'x,y\n1,2\nNA,2\n' >gaps.csv
ran 6 'outliers: a number that is missing' $body outliers wide.json --csv gaps.csv
err_has 'line 3 of the file of points lacks a number; give one for each column, or remove the line'
ran 0 'depth' $body depth wide.json narrow.json --at 5,0 --at 7,0 --at 9,0 --format csv
out_is 'x,y,depth_low,depth_high
5,0,0.4,1
7,0,0.1,0.4
9,0,0,0.1'
err_has 'q 0.9: shares are off by at most'

ran 0 'minimise: linear' $body minimise wide.json 'x - 2*y' --format csv
out_has '2.5,2.5,-2.5,0,1'
ran 0 'minimise: quadratic' $body minimise wide.json '(x-9)^2 + (y-1)^2' --format csv
out_has '7.5,1,2.25,0,'
ran 0 'minimise: kinks' $body minimise wide.json 'abs(x - 9) + max(y, 1)' --format csv
out_has '7.5,'
ran 2 'minimise: not convex' $body minimise wide.json -- '-abs(x)'
err_has 'not convex by its form'
ran 2 'minimise: not convex, of degree 2' $body minimise wide.json 'x*y'
err_has 'the function is not convex'
ran 2 'minimise: no column' $body minimise wide.json 'z'
err_has "'z' is not a column of the body; 'scrim body show FILE' shows its columns"
ran 2 'minimise: no such function' $body minimise wide.json 'root(x)'
err_has "unknown function 'root'; use abs, max, min"
ran 2 'minimise: a bracket' $body minimise wide.json 'abs(x - 3'
err_has 'a closing bracket is missing at the end of the function'
ran 0 'minimise: a function that begins with a dash' $body minimise wide.json '-(x)' --format csv
out_has ',-7.5,0,1'
ran 0 'minimise: a sum that does' $body minimise wide.json '-x + y' --format csv
out_has '7.5,-2.5,-10,0,1'
ran 2 'minimise: a word that could be an option' $body minimise wide.json -x
err_has 'unknown option -x; --help shows the options, and -- goes before a word that begins with -'
ran 2 'minimise: no function' $body minimise wide.json
err_has 'name a file and a function'

ran 0 'compare' $body compare wide.json narrow.json --format csv
out_has 'distance_at_least,0.176776695296637'
out_has 'distance_at_most,0.176776695296637'
out_has 'quantile_distance,0.125,'
out_has 'volume_first,0.25,0'
out_has 'volume_second,0.0625,0'
check 'compare: no projections unless asked' sh -c '! grep -q projection out'
# Squares of half a side 1/4 and 1/8 about the same centre: 4/pi times the distance; and of (10, 0), half a scale away from it,
# the nearest points are 1/8 apart, where 2 sqrt((1/2 + sqrt(2)/4) sqrt(2)/8) is allowed.
ran 0 'compare: projections' $body compare wide.json narrow.json --at 10,0 --format csv
out_has 'centre_distance,0,'
out_has 'centre_distance_at_most,0.22507907903927'
out_has 'projection_distance,0.125,'
out_has 'projection_distance_at_most,0.776886987015'
ran 2 'compare: no point' $body compare wide.json narrow.json --at 10
sed 's/\[759250125, 759250125\]/[759250125, -759250125]/' narrow.json >turned.json
ran 0 'compare: other directions' $body compare wide.json turned.json --format csv
check 'compare: other directions have no quantile distance' sh -c '! grep -q quantile_distance out'
ran 0 'support' $body support wide.json --at 1,1 --at 0,-1 --format csv
out_is 'x,y,support
1,1,10
0,-1,2.5'
ran 0 'admissible: stable' $body admissible --q 0.75 --directions 80 --epsilon 1 --law stable=1 --format csv
out_has '0.75,0.0125,1,1,1.41421356237'
err_has 'for a stable distribution of this index, in its own units'
ran 2 'admissible: an index' $body admissible --q 0.75 --directions 80 --epsilon 1 --law stable=3
err_has 'the index of a stable distribution must be 1, or at least 0.5'
ran 2 'admissible: a law' $body admissible --q 0.75 --directions 80 --epsilon 1 --law levy
err_has "unknown law 'levy'; use log-concave or stable=A"
ran 2 'support: no direction' $body support wide.json
sed 's/"high": "5"/"high": "6"/' narrow.json >other.json
ran 2 'compare: other bounds' $body compare wide.json other.json
err_has 'different columns, bounds or scales'

ran 0 'sample' $body sample wide.json -n 200
out_lines 201
check 'sample: inside' awk -F, 'NR > 1 && ($1 < 2.5 || $1 > 7.5 || $2 < -2.5 || $2 > 2.5) { exit 1 }' out
ran 0 'sample: a density' $body sample wide.json -n 500 --weight '50*(x-3)^2' --quiet --out points
out_is ''
check 'sample: near its top' awk -F, 'NR > 1 { sum += $1 } END { exit !(sum / (NR - 1) > 2.9 && sum / (NR - 1) < 3.1) }' points
ran 0 'sample: langevin' $body sample wide.json -n 50 --method langevin --step 0.05 --json
check 'sample: JSON parses' python3 -m json.tool out
ran 2 'sample: none' $body sample wide.json -n 0
ran 2 'sample: a step' $body sample wide.json --step -1
ran 2 'sample: a method' $body sample wide.json --method gibbs
err_has 'use hit-and-run or langevin'
# on_terminal COMMAND: what it shows there, in $work/out.
# shellcheck disable=SC2317 # ran calls it
on_terminal() {
    script -q -e -c "$1" /dev/null
}
if command -v script >/dev/null 2>&1; then
    ran 124 'sample: progress' on_terminal "timeout 2 $body sample wide.json -n 2e7 --out /dev/null"
    out_has ' %, '
    # Progress is shown after a second, most of which is a pause here.
    ran 143 'sample: progress, quiet' on_terminal "$body sample wide.json -n 2e7 --quiet --out /dev/null & p=\$!; sleep 0.2; kill -STOP \$p; sleep 1; kill -CONT \$p; sleep 0.3; kill \$p; wait \$p"
    check 'sample: progress, quiet: none' sh -c '! grep -q % out'
else
    skip 'sample: progress' 'script is not installed'
fi

ran 0 'plot' $body plot wide.json narrow.json
out_has 'Steiner point'
ran 0 'plot: the smaller body is in front' env LC_ALL=C $body plot wide.json narrow.json --quiet
check 'plot: both are seen' sh -c 'grep -q "#.*=.*#" out && grep -q "= second body" out'
ran 0 'plot: in any order' env LC_ALL=C $body plot narrow.json wide.json --quiet
check 'plot: both are seen then' sh -c 'grep -q "=.*#.*=" out'
ran 0 'plot: four bodies' env LC_ALL=C $body plot wide.json narrow.json wide.json narrow.json --quiet
check 'plot: the last is in front, and there are no lines' sh -c 'grep -q "% fourth body" out && grep -q "%%%" out && ! grep -q half-spaces out'
long=$(printf 'long-%.0s' 1 2 3 4 5 6 7 8)
cp wide.json "$long.json"
ran 0 'plot: long names' $body plot wide.json "$long.json" narrow.json "$long.json" --svg names.svg --quiet
check 'plot: long names have room' sh -c '! grep -q "long-long-" names.svg && grep -q "q 0.9, long" names.svg && ! grep -q "thin lines" names.svg'
ran 0 'plot: by q' $body plot wide.json narrow.json --svg names.svg --quiet
check 'plot: by q alone' sh -c 'grep -q ">q 0.6<" names.svg && ! grep -q json names.svg'
ran 0 'plot: SVG' $body plot wide.json --svg body.svg
check 'plot: a drawing' grep -q '<polygon' body.svg
check 'plot: XML' python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("body.svg")'
ran 0 'plot: points' $body plot wide.json narrow.json --csv points.csv --at 20,0 --svg points.svg
check 'plot: a dot for each' test "$(grep -c '<circle' points.svg)" = 3
check 'plot: points: XML' python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("points.svg")'
ran 2 'plot: points in the terminal' $body plot wide.json --csv points.csv
err_has 'points are drawn into a file; add --svg FILE'
ran 2 'plot: columns' $body plot wide.json --columns x,z
err_has "'z' is not a column of the body"
ran 2 'plot: one column' $body plot wide.json --columns x
err_has 'a drawing has 2 to 6 columns; name those to draw: --columns COLUMN,COLUMN'

# An empty body is repaired, and says so.
ran 0 'empty' $body center empty.json --format csv
err_has 'INFLATED by 0.1885'
ran 0 'empty: minimise' $body minimise empty.json 'x' --format csv

ran 0 'admissible' $body admissible --q 0.9 --directions 80 --epsilon 1 --delta 1e-6 --target-error 0.5 --confidence 0.99 --format csv
out_has 'q,epsilon_each,inner_radius,outer_radius,reach,density,units,units_for_error'
out_has '0.9,0.041795'
ran 2 'admissible: q' $body admissible --q 0.4 --directions 80 --epsilon 1
err_has '--q must be above 0.5 and below 1'
ran 2 'admissible: no directions' $body admissible --q 0.9 --epsilon 1

# Files that are no bodies.
refused() {
    ran "$1" "refused: $2" $body center "$3"
    err_has "$4"
    out_is ''
}
printf '{}' >none.json
refused 2 'another file' none.json "'none.json': line 1 is not that of a body"
sed '$s/\[759250125, 759250125\]/[0, 0]/' wide.json >long.json
refused 2 'a direction of length 0' long.json 'direction 5 does not have length 1'
sed 's/"a": \[-1073741824, 0\]/"a": [1073741824, 0]/' wide.json >open.json
refused 2 'no bounds' open.json 'the directions do not bound a body'
refused 6 'no file' missing.json 'missing.json'
ran 2 'no subcommand' $body
err_has "'scrim help body' lists them"
ran 2 'a misspelt one' $body pojrect wide.json
err_has "did you mean 'project'?"
ran 2 'no point' $body project wide.json
err_has 'name public points'
ran 2 'a point of one number' $body project wide.json --at 5
err_has 'is not a point'
printf 'x\n1\n' >bad.csv
ran 6 'a file without a column' $body outliers wide.json --csv bad.csv
err_has "it lacks 'y'"
printf 'x,y\n1,two\n' >bad.csv
ran 6 'a cell that is no number' $body outliers wide.json --csv bad.csv
err_has 'line 2'

# ---- public points, without noise ----
printf 'y,x\n2,1\n1,3\n3,2\n' >three.csv
ran 0 'exact' $body exact three.csv --public --columns x=0..4,y=0..4 --q 0.6 --directions axes --out exact.json
err_is 'body        of 3 public points; exact and not private'
ran 0 'exact: its half-spaces' $body show exact.json --format csv
out_is 'direction,x,y,at_most,redundant
1,0.25,0,0.5,false
2,-0.25,0,-0.5,false
3,0,0.25,0.5,false
4,0,-0.25,-0.5,false'
err_has 'exact quantiles of public points, not private'
ran 3 'exact: not said to be public' $body exact three.csv --columns x=0..4
err_has "add --public if 'three.csv' is a file that everybody may see"
ran 2 'exact: no range' $body exact three.csv --public --columns x
err_has 'give each column with its range, as in age=17..90,hours=1..99'
ran 2 'exact: a range that is turned' $body exact three.csv --public --columns x=4..0
ran 6 'exact: another column' $body exact three.csv --public --columns z=0..4
err_has "it lacks 'z'"
ran 2 'exact: directions' $body exact three.csv --public --columns x=0..4,y=0..4 --directions round
finish
