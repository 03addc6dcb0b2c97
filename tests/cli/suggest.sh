#!/bin/sh
# scrim suggest: what it shows in every format, what it charges, that asking again is free, that ledger,
# replay and report know it, and what is refused.
# It takes long.
# shellcheck disable=SC2317 # functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

awk 'BEGIN {
    print "customer,shop,amount,day"
    for (i = 0; i < 3000; i++)
        for (k = 0; k < 1 + (i % 2) + 8 * (i % 10 == 0); k++)
            printf "c%d,%s,%d.50,2020-%02d-01\n", i, (i + k) % 3 ? "north" : "south", 5 + i % 30, 1 + i % 12
}' >orders.csv
"$scrim" init --quiet
"$scrim" dataset add orders --csv orders.csv --unit customer --max-groups 1 --max-rows 1 --column shop=text \
    --keys shop=north,south --column 'amount=decimal[0,1000]' --column 'day=date[2020-01-01,2020-12-31]' \
    --budget epsilon=400 --quiet 2>/dev/null
"$scrim" dataset add rows --csv orders.csv --unit row --column 'amount=decimal[0,1000]' --column shop=text \
    --budget epsilon=400 --quiet 2>/dev/null
"$scrim" dataset add poor --csv orders.csv --unit customer --max-groups 1 --max-rows 1 --column 'amount=decimal[0,1000]' \
    --budget epsilon=0.1 --quiet 2>/dev/null
suggest() { "$scrim" suggest orders "$@"; }
left() { "$scrim" budget orders --quiet --format csv | sed 1d | head -n 1; }

before=$(left)
ran 0 'a dry run' suggest --columns amount --by shop --epsilon 40 --dry-run --format table
check 'a dry run: the rungs, error and people of each quantity' sh -c 'tr -d " " <out | grep -q -x "|rows|19|[0-9]*|[0-9]*|" && tr -d " " <out | grep -q -x "|groups|3|[0-9]*|[0-9]*|"'
out_has 'forecast    unknown: give the number of people that you expect with --expect N'
check 'a dry run: it is short' test "$(wc -l <out)" -lt 25
check 'a dry run: nothing is charged' test "$before" = "$(left)"
ran 0 'a dry run with people' suggest --columns amount --by shop --epsilon 200 --dry-run --format table --expect 200
check 'a dry run with people: enough' grep -q 'largest total of amount .* yes' out
ran 0 'a dry run with few people' suggest --columns amount --by shop --epsilon 4 --dry-run --format table --expect 200
check 'a dry run with few people: not enough' grep -q 'largest total of amount .* no ' out
check 'a dry run with few people: an epsilon' sh -c 'tr -s " \n" " " <out | grep -q "bounds by rows, .* will be rough with 200 people; --epsilon [0-9]*0 is enough for all"'
ran 0 'a dry run with enough people' suggest --columns amount --by shop --epsilon 200 --dry-run --format table --expect 200
out_has 'forecast    200 people are enough for every bound'
ran 2 'people that are no number' suggest --columns amount --epsilon 40 --dry-run --format table --expect 10%
err_has "--expect '10%' is not valid here; give the number of people, such as --expect 2500"
ran 2 'people without a dry run' suggest --columns amount --epsilon 40 --expect 200
err_has '--expect is for a forecast; add --dry-run'
ran 0 'a whole dry run' suggest --columns amount --by shop --epsilon 40 --dry-run --format table --verbose
check 'a whole dry run: the questions' grep -q 'ANY_VALUE' out
check 'a whole dry run: it has no --expect' sh -c '! grep -q -e --expect out err'

ran 0 'by an expression' suggest --by "MONTH(day), shop" --epsilon 40 --dry-run --format table --verbose
check 'by an expression: as GROUP BY has it' sh -c 'tr -d "\n" <out | tr -s " " | grep -q "GROUP BY \"customer\", MONTH(day), \"shop\")"'
ran 0 'CSV' suggest --columns amount,day --by shop --epsilon 40
cp out first
check 'CSV: bounds first' test "$(head -n 1 out)" = bound,column,low,high,beyond,beyond_low,beyond_high,sure
check 'CSV: then quantiles' grep -q -x quantity,column,quantile,value,value_low,value_high,people out
check 'CSV: then rungs' grep -q -x quantity,column,rung,people,people_low,people_high,above,above_low,above_high out
check 'CSV: groups' grep -q -x 'groups,,0.9,2,2,2,[0-9]*' out
check 'CSV: rows in all' grep -q -x 'rows,,0.5,2,2,2,[0-9]*' out
check 'CSV: rows of the fullest group' grep -q -x 'rows of a group,,0.5,1,1,1,[0-9]*' out
check 'CSV: max-total-rows' grep -q -E '^max-total-rows,,,(5|10|20),' out
check 'CSV: max-rows' grep -q -E '^max-rows,,,(5|10|20),' out
check 'CSV: it is sure' sh -c '! grep -q ",no$" out'
check 'CSV: clamp' grep -q '^clamp,amount,0,' out
check 'CSV: dates have values alone' sh -c 'grep -q "^value,day,0.5,2020-" out && ! grep -q "total,day" out'
check 'CSV: people on a rung' grep -q -E '^rows,,1,[0-9]*,' out
err_has 'scrim dataset set orders --max-groups '
err_has -- '--bounds-from suggest'
err_has 'CLAMP(amount, 0, '
err_has 'scrim query ... --max-total-rows '
err_has 'is applied by itself'
check 'CSV: how many people' sh -c 'tr -s " \n" " " <err | grep -q -E "people there are about (29|30)[0-9][0-9], by the released counts"'
check 'CSV: NULL is a key' sh -c 'tr -s " \n" " " <err | grep -q "number of public keys, with NULL if a key may be NULL"'
err_has 'rungs are public'
err_has 'charged     epsilon 40 to orders'
check 'CSV: charged once' test "$before" != "$(left)"
before=$(left)
ran 0 'asked again' suggest --columns amount,day --by shop --epsilon 40
check 'asked again: the same' cmp -s first out
err_has 'nothing was charged now'
check 'asked again: free' test "$before" = "$(left)"
ran 0 'JSON' suggest --columns amount,day --by shop --epsilon 40 --json --quiet
check 'JSON: bounds' grep -q '"bounds": \[' out
check 'JSON: how many people' grep -q -E '"people": (29|30)[0-9][0-9],' out
check 'JSON: an object of a value' grep -q '"quantity": "groups", "column": "", "quantile": 0.9, "value": {"value": 2, ' out
check 'JSON: the share beyond a bound' grep -q '"bound": "max-total-rows", "column": "", "low": null, "high": [0-9]*, "beyond": {"value": 0.0' out
check 'JSON: rungs' sh -c 'grep -q "\"ladder\": \[" out && grep -q "\"rung\": 1000000, \"people\": {" out'
check 'JSON: the charge' grep -q '"charged": {"unit": "epsilon", "amount": "40"' out
ran 0 'JSON lines' suggest --columns amount,day --by shop --epsilon 40 --format jsonl --quiet
check 'JSON lines: a bound' grep -q '^{"bound": "max-groups"' out
ran 0 'a table' suggest --columns amount,day --by shop --epsilon 40 --format table --quiet
check 'a table: bounds' grep -q 'max-total' out
check 'a table: no rungs' sh -c '! grep -q people_low out && ! grep -q " above " out'
check 'a table: no word on how' sh -c '! grep -q "^basis" err'
ran 0 'a whole table' suggest --columns amount,day --by shop --epsilon 40 --format table --verbose
check 'a whole table: every rung' sh -c 'grep -q "| above " out && grep -q "^basis" err'
ran 0 'a plot' suggest --columns amount,day --by shop --epsilon 40 --plot --quiet
check 'a plot: beside CSV' sh -c 'cmp -s first out && grep -q "^largest total of amount: people" err && grep -q "1000000  *" err'
ran 0 'few people' suggest --columns amount,day --by shop --epsilon 0.02 --format table
check 'few people: a bound, and that it is rough' sh -c 'grep -q "| max-total-rows .*| no " out && tr -s " \n" " " <err | grep -q "caution rough: max-total-rows, .*; the noise hides up to [0-9]* people above a rung, more than 2 % of all"'

rows_of() { sed -n 's/^max-rows,,,\([0-9]*\),.*/\1/p' "$1"; }
before=$(left)
ran 0 'a small epsilon of questions' suggest --columns amount,day --by shop --epsilon 40 --question-epsilon 0.0001
check 'a small epsilon of questions: smaller bounds' test "$(rows_of out)" -lt "$(rows_of first)"
check 'a small epsilon of questions: it is named' sh -c 'tr -s " \n" " " <err | grep -q "of one count or sum at epsilon 0.0001; "'
check 'a small epsilon of questions: free' test "$before" = "$(left)"
ran 2 'an epsilon of questions that is none' suggest --columns amount --epsilon 40 --question-epsilon 0
err_has "question-epsilon"
ran 2 'an epsilon of questions that is no number' suggest --columns amount --epsilon 40 --question-epsilon x

ran 0 'replay' "$scrim" replay 1 --quiet
check 'replay: its rungs' grep -q largest_total,people,people_low,people_high out
ran 0 'ledger' "$scrim" ledger orders --quiet --format csv
check 'ledger: a release' grep -q 'LADDER' out
ran 0 'ledger as a table' sh -c "'$scrim' ledger orders --quiet --format table"
check 'ledger as a table: in few words' sh -c 'tr -d "| \n" <out | grep -q "suggestamount,"'
check 'ledger as a table: not the queries' sh -c '! grep -q LADDER out'
ran 0 'report' "$scrim" report 1
check 'report: the questions' grep -q 'ANY_VALUE' out
ran 0 'verify' "$scrim" ledger verify --quiet

ran 0 'a dry run tells the cost beside rows' suggest --columns amount --epsilon 0.5 --dry-run --format csv
err_has 'cost        epsilon 0.5, delta 0'
err_has 'nothing was charged (--dry-run)'
# Bounds that a query finds.
# At a small epsilon noise takes quantiles far out; but nobody has more rows in a group than rows.
for epsilon in 0.01 0.011 0.012 0.013; do
    ran 0 "noise at epsilon $epsilon" suggest --by shop --epsilon $epsilon --quiet
    check "noise at epsilon $epsilon: no more rows in a group, and no more groups, than rows" awk -F , '
        $3 >= 1 { next } $1 == "rows" { all[$3] = $4 }
        ($1 == "rows of a group" || $1 == "groups") && $4 + 0 > all[$3] + 0 { exit 1 }' out
done
ran 0 'explain says when to find bounds' "$scrim" explain orders 'SELECT shop, COUNT(*) AS n GROUP BY shop' --epsilon 4 --bounds auto --format table
check 'explain says when to find bounds: the share, and when' sh -c 'tr -s " \n" " " <out | grep -q "auto 20 % of epsilon finds how many rows of a customer are used; .* 1 row in all; worth it if more than declared are needed"'
before=$(left)
ran 0 'found bounds' "$scrim" query orders 'SELECT shop, COUNT(*) AS n GROUP BY shop' --epsilon 4 --bounds auto --format table
check 'found bounds: the ladder' grep -q '| 1000000 |' out
check 'found bounds: how many rows, and who is cut' sh -c 'tr -s " \n" " " <err | grep -q "bounds [125]0* rows* per customer; .* % of customers"'
err_has 'charged     epsilon 4 to orders'
check 'found bounds: charged' test "$before" != "$(left)"
before=$(left)
ran 0 'found bounds: its number' "$scrim" ledger --format csv
ran 0 'found bounds: the form of the registry' "$scrim" report "$(tail -n 1 "$work/out" | cut -d , -f 1)" --yaml -
out_has 'the contribution bounds were found by this release itself, with a part of its cost'
ran 0 'found bounds again' "$scrim" query orders 'SELECT shop, COUNT(*) AS n GROUP BY shop' --epsilon 4 --bounds=auto=1/5 --quiet
check 'found bounds again: free' test "$before" = "$(left)"
check 'found bounds again: all rows' sh -c 'sed -n "s/^north,\([0-9]*\),.*/\1/p" out | grep -q "^4[5-9][0-9][0-9]$"'
ran 0 'found bounds: the label' "$scrim" report "$("$scrim" ledger orders --quiet --format csv | tail -n 1 | cut -d , -f 1)"
out_has 'max-total-rows'
check 'found bounds: the label has the rho of epsilon 4, not of its parts' grep -q '^cost\.rho 8$' out
check 'found bounds: and says that it is all' grep -q '^charged  *the whole cost, before contribution bounds were found' out
ran 0 'found bounds: the label verifies' sh -c "'$scrim' report '$("$scrim" ledger orders --quiet --format csv | tail -n 1 | cut -d , -f 1)' --html label.html --quiet && '$scrim' report verify label.html"
ran 2 'bounds that are no word' "$scrim" query orders 'SELECT COUNT(*)' --epsilon 1 --bounds=best
err_has 'auto=1/5'
ran 0 'bounds of a quantile' "$scrim" query orders 'SELECT MEDIAN(amount) AS m' --epsilon 4 --bounds auto
err_has 'charged     epsilon 4 to orders'
printf 'SELECT COUNT(*) AS n; SELECT shop, SUM(amount) AS s GROUP BY shop' >batch.sql
ran 0 'bounds of a batch' "$scrim" query orders --file batch.sql --epsilon 4 --bounds auto
check 'bounds of a batch: both find a total' sh -c 'test "$(grep -c "^bounds .* rows* per customer" err)" = 2'
err_has 'charged     epsilon 4 to orders'
ran 0 'bounds of a batch: the label' "$scrim" report "$(sed -n 's/^release *\([0-9]*\),.*/\1/p' err)"
ran 0 'explain names the total that could be found' "$scrim" explain orders 'SELECT SUM(amount) AS s' --epsilon 4 --bounds auto --format table
out_says '--max-total amount=auto finds a bound of a customer'"'"'s total too'
ran 0 'explain names the total that will be found' "$scrim" explain orders 'SELECT SUM(amount) AS s' --epsilon 4 --bounds auto --max-total amount=auto --format table
out_says '20 % of epsilon finds the bound of a customer'"'"'s total of amount'
check 'and does not advise it again' sh -c '! grep -q "amount=auto" out'
ran 0 'no total of a count' "$scrim" explain orders 'SELECT COUNT(*) AS n' --epsilon 4 --bounds auto --format table
check 'no total of a count: none is named' sh -c '! grep -q -e "--max-total" out'
ran 0 'a total that is found' "$scrim" query orders 'SELECT SUM(amount) AS s' --epsilon 4 --bounds auto --max-total amount=auto
check 'a total that is found: to what it is clamped' sh -c 'tr -s " \n" " " <err | grep -q "for s, all rows per customer, their total clamped to [-0-9.]* to [1-9][0-9.]*;"'
check 'a total that is found: its ladder, and none of rows' sh -c 'grep -q "^total,people," out && ! grep -q "^rows,people," out'
before=$(left)
ran 0 'a total that is found again' "$scrim" query orders 'SELECT SUM(amount) AS s' --epsilon 4 --bounds auto --max-total amount=auto --quiet
check 'a total that is found again: free' test "$before" = "$(left)"
ran 2 'a total that is found without bounds' "$scrim" query orders 'SELECT SUM(amount) AS s' --epsilon 4 --max-total amount=auto
err_has 'a bound of a total is found together with the other bounds; add --bounds auto'
if command -v script >/dev/null 2>&1; then
    at_terminal() { script -q -e -c "$1" /dev/null; }
    asked="'$scrim' query orders 'SELECT shop, COUNT(*) AS n GROUP BY shop' --epsilon 4 --bounds auto"
    ran 0 'a ladder at a terminal' at_terminal "$asked"
    check 'a ladder at a terminal: one line for it' grep -q '^ladder  *[0-9]* released counts of customers found' out
    check 'a ladder at a terminal: no table' sh -c '! grep -q "| *customers" out'
    ran 0 'a ladder at a terminal with --all' at_terminal "PAGER=cat $asked --all"
    check 'a ladder at a terminal with --all: the table' grep -q 'customers' out
else
    skip 'a ladder at a terminal' 'script is not installed'
fi
ran 2 'a total that is found in a batch' "$scrim" query orders --file batch.sql --epsilon 4 --bounds auto --max-total amount=auto
err_has 'a bound of a total is found for one query at a time'
ran 2 'bounds where there are none' "$scrim" query orders 'SELECT AVG(n) FROM (SELECT CLAMP(COUNT(*), 1, 9) AS n GROUP BY customer)' --epsilon 1 --bounds auto
err_has 'each unit counts once, by all of its rows, so there are no bounds to find; leave them out'
ran 0 'verify with found bounds' "$scrim" ledger verify --quiet
ran 0 'where rows are units' "$scrim" suggest rows --columns amount --epsilon 40 --quiet
check 'where rows are units: values alone' sh -c 'grep -q "^value,amount,0.5," out && ! grep -q "^rows" out'
ran 2 'rows and no column' "$scrim" suggest rows --epsilon 1
err_has 'nothing to bound'
ran 2 'rows and groups' "$scrim" suggest rows --columns amount --by shop --epsilon 1
err_has 'is in one group'
ran 2 'no dataset' "$scrim" suggest --epsilon 1
err_has 'name one dataset'
ran 2 'no epsilon' suggest --columns amount
err_has 'missing --epsilon'
ran 2 'no such column' suggest --columns amont --epsilon 1
err_has "did you mean 'amount'?"
ran 2 'text' suggest --columns shop --epsilon 1
err_has 'shop has no range'
ran 4 'more than is left' "$scrim" suggest poor --columns amount --epsilon 1
ran 0 'help' "$scrim" help suggest
check 'help: an example' grep -q 'scrim suggest orders' out
finish
