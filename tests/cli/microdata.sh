#!/bin/sh
# scrim microdata: plans of tables that add up.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim

ran 0 'a plan' "$scrim" microdata plan --cells 1000000 --epsilon 1 --delta 1e-6 --format table
out_has 'sum-first'
out_has 'within: sum-first always, point-first with probability 0.95'
out_has 'impossible: a private table with a sum error of 2.7992 (sum-first) and a cell error below 1.9'
out_has 'there is no third option'
err_is ''
ran 0 'a plan as CSV' "$scrim" microdata plan --cells 10 --epsilon 1
out_has 'mechanism,cell_error,sum_error,cell_radius,all_radius,sum_radius,other_lower,measurement'
out_has ',point-first epsilon=1 neighbours=add-remove'
ran 0 'a plan as JSON' "$scrim" microdata plan --cells 10 --rho 1/2 --neighbours replace --rows-per-unit 3 --json
check 'JSON has both sides' python3 -c '
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
assert [row["mechanism"] for row in rows] == ["point-first", "sum-first"]
assert float(rows[0]["cell_error"]) < float(rows[1]["cell_error"])
assert float(rows[0]["sum_error"]) > float(rows[1]["sum_error"])
assert rows[1]["measurement"] == "sum-first rho=0.5 max-rows=3 neighbours=replace"
' "$work/out"
ran 0 'a drawing' "$scrim" microdata plan --cells 1e6 --epsilon 1 --plot --svg "$work/plan.svg"
check 'the drawing is an SVG' grep -q '</svg>' "$work/plan.svg"
check 'it has the bound' grep -q 'impossible below, beside its sum</text>' "$work/plan.svg"

ran 2 'no subcommand' "$scrim" microdata
err_is "scrim microdata: missing subcommand; 'scrim help microdata' lists them"
ran 2 'a subcommand that is none' "$scrim" microdata plam
err_is "scrim microdata: unknown subcommand 'plam'; did you mean 'plan'?"
ran 0 'plan: a drawing' "$scrim" microdata plan --cells 10 --epsilon 1 --plot
check 'plan: a drawing on standard error' test -s "$work/err"
cp "$work/out" "$work/with_drawing"
ran 0 'plan: quiet' "$scrim" microdata plan --cells 10 --epsilon 1 --plot --quiet
err_is ''
check 'plan: quiet: the same table' cmp "$work/out" "$work/with_drawing"
ran 2 'no cells' "$scrim" microdata plan --epsilon 1
err_is 'scrim microdata: missing --cells N, the number of cells of the table; or name a dataset and --levels'
ran 2 'no cost' "$scrim" microdata plan --cells 10
err_is 'scrim microdata: give --epsilon E, or --rho R instead'
ran 2 'both costs' "$scrim" microdata plan --cells 10 --epsilon 1 --rho 1
err_is 'scrim microdata: give --epsilon E, or --rho R instead'
ran 2 'no cell at all' "$scrim" microdata plan --cells 0 --epsilon 1
err_is 'scrim microdata: cells must be a whole number from 1 to 134217728'
ran 2 'another relation' "$scrim" microdata plan --cells 10 --epsilon 1 --neighbours local
err_is "scrim microdata: unknown neighbours 'local'; use add-remove or replace"
ran 2 'a word too many' "$scrim" microdata plan again --cells 10 --epsilon 1
err_is 'scrim microdata: missing --levels; give columns, the coarsest first, as in --levels country,education,sex'
ran 2 'an epsilon that is none' "$scrim" microdata plan --cells 10 --epsilon 0
finish
