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
check 'a dry run: the people of each quantity' test "$(sed -n 's/^| \([a-z ]*[a-z]\)  *| \([0-9]*\) .*/\1 \2/p' out)" = 'groups 19
rows 30
largest total of amount 162
value of amount 440'
out_has 'forecast    unknown: give the number of people that you expect with --expect N'
check 'a dry run: it is short' test "$(wc -l <out)" -lt 25
check 'a dry run: nothing is charged' test "$before" = "$(left)"
ran 0 'a dry run with people' suggest --columns amount --by shop --epsilon 40 --dry-run --format table --expect 200
check 'a dry run with people: enough for totals' grep -q 'largest total of amount .* yes' out
check 'a dry run with people: not for values' grep -q 'value of amount .* no ' out
check 'a dry run with people: an epsilon' sh -c 'tr -s " \n" " " <out | grep -q "200 people are too few for bounds by value of amount; --epsilon 100 is enough for all"'
ran 0 'a dry run with enough people' suggest --columns amount --by shop --epsilon 100 --dry-run --format table --expect 200
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
check 'CSV: bounds first' test "$(head -n 1 out)" = bound,column,low,high
check 'CSV: then quantiles' grep -q -x quantity,column,quantile,value,value_low,value_high,people,used out
check 'CSV: groups' grep -q -x 'groups,,0.9,2,2,2,[0-9]*,yes' out
check 'CSV: rows of the fullest group' grep -q -x 'rows,,0.5,1,1,1,[0-9]*,yes' out
check 'CSV: max-rows' grep -q -E '^max-rows,,,(5|10|20)$' out
check 'CSV: clamp' grep -q '^clamp,amount,0,' out
check 'CSV: dates have values alone' sh -c 'grep -q "^value,day,0.5,2020-" out && ! grep -q "total,day" out'
err_has 'scrim dataset set orders --max-groups '
err_has -- '--bounds-from suggest'
err_has 'CLAMP(amount, 0, '
err_has 'is applied by itself'
check 'CSV: how many people' sh -c 'tr -s " \n" " " <err | grep -q -E "people there are about (29|30)[0-9][0-9], by the released counts"'
check 'CSV: NULL is a key' sh -c 'tr -s " \n" " " <err | grep -q "number of public keys, with NULL if a key may be NULL"'
err_has 'public ranges'
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
check 'JSON: the charge' grep -q '"charged": {"unit": "epsilon", "amount": "40"' out
ran 0 'JSON lines' suggest --columns amount,day --by shop --epsilon 40 --format jsonl --quiet
check 'JSON lines: a bound' grep -q '^{"bound": "max-groups"' out
ran 0 'a table' suggest --columns amount,day --by shop --epsilon 40 --format table --quiet
check 'a table: bounds' grep -q 'max-total' out
ran 0 'a table of few people' suggest --columns amount,day --by shop --epsilon 2 --format table
check 'a table of few people: used quantiles alone' sh -c 'grep -q "| rows .*| 0.5 " out && ! grep -q "| 0.99 " out'
check 'a table of few people: no word on how' sh -c '! grep -q "^basis" err'
ran 0 'a whole table of few people' suggest --columns amount,day --by shop --epsilon 2 --format table --verbose
check 'a whole table of few people: every quantile' sh -c 'grep -q "| 0.99 .*| no " out && grep -q "^basis" err'

rows_of() { sed -n 's/^max-rows,,,//p' "$1"; }
before=$(left)
ran 0 'a small epsilon of questions' suggest --columns amount,day --by shop --epsilon 40 --question-epsilon 0.0001
check 'a small epsilon of questions: smaller bounds' test "$(rows_of out)" -lt "$(rows_of first)"
check 'a small epsilon of questions: it is named' sh -c 'tr -s " \n" " " <err | grep -q "of one count or sum at epsilon 0.0001; "'
check 'a small epsilon of questions: free' test "$before" = "$(left)"
ran 2 'an epsilon of questions that is none' suggest --columns amount --epsilon 40 --question-epsilon 0
err_has "question-epsilon"
ran 2 'an epsilon of questions that is no number' suggest --columns amount --epsilon 40 --question-epsilon x

ran 0 'replay' "$scrim" replay 1 --quiet
check 'replay: its quantiles' grep -q groups_0.5 out
ran 0 'ledger' "$scrim" ledger orders --quiet --format csv
check 'ledger: a release' grep -q 'LADDER' out
ran 0 'ledger as a table' sh -c "'$scrim' ledger orders --quiet --format table"
out_has 'suggest amount, day'
check 'ledger as a table: not the queries' sh -c '! grep -q QUANTILE out'
ran 0 'report' "$scrim" report 1
check 'report: the questions' grep -q 'ANY_VALUE' out
ran 0 'verify' "$scrim" ledger verify --quiet

ran 0 'a dry run tells the cost beside rows' suggest --columns amount --epsilon 0.5 --dry-run --format csv
err_has 'cost        epsilon 0.5, delta 0'
err_has 'nothing was charged (--dry-run)'
ran 0 'too few people' suggest --columns amount --by shop --epsilon 0.2
check 'too few people: it says so' sh -c 'tr -s " \n" " " <err | grep -q "caution rows: too few people, about [0-9]* are needed; no bound follows from it"'
# A bound of totals needs more than the median: the dry run and the charged run name the same number of people.
for epsilon in 0.2 1; do
    ran 0 "the people for totals at epsilon $epsilon, a dry run" suggest --columns amount --by shop --epsilon $epsilon --dry-run --format table
    people=$(sed -n 's/^| largest total of amount  *| \([0-9]*\) .*/\1/p' out)
    ran 0 "the people for totals at epsilon $epsilon" suggest --columns amount --by shop --epsilon $epsilon --format table
    # shellcheck disable=SC2016 # for the inner shell
    check "the people for totals at epsilon $epsilon: as many" sh -c 'tr -s " \n" " " <err | grep -q "caution largest total of amount: [a-z ,]*[ ;a-z]* about $1 are needed"' sh "$people"
done
check 'the median alone gives no total' sh -c 'tr -s " \n" " " <err | grep -q "total of amount: only the median has enough people, and it alone gives no bound"'
awk 'BEGIN { print "u,b"; for (i = 0; i < 500; i++) printf "u%d,%d\n", i, i % 9 }' >small.csv
"$scrim" dataset add small --csv small.csv --unit u --max-groups 1 --max-rows 1 --budget epsilon=100 --quiet --column 'b=int[0,9]' 2>/dev/null
ran 0 'no bound' "$scrim" suggest small --columns b --epsilon 0.5
check 'no bound: CSV keeps its names' test "$(head -n 1 out)" = bound,column,low,high
check 'no bound: it comes first' sh -c 'head -n 1 err | grep -q "caution     no bound: "'
ran 0 'no bound, as a table' "$scrim" suggest small --columns b --epsilon 0.5 --format table
check 'no bound, as a table: it comes first' sh -c 'head -n 1 out | grep -q "^no bound: about [0-9]* people, and [0-9]* are needed at epsilon 0.5; --epsilon [125]0* should be enough"'
check 'no bound, as a table: no empty table' sh -c '! grep -q "bound .*column .*low" out'
enough=$(sed -n '1s/.*--epsilon \([0-9.]*\) should.*/\1/p' out)
ran 0 'an epsilon that is enough' "$scrim" suggest small --columns b --epsilon "${enough:-0.1}" --quiet
check 'an epsilon that is enough: a bound' grep -q '^max-rows,,,' out
ran 2 'an epsilon that is too small' suggest --columns amount --epsilon 0.000000001
err_has 'is too small for these quantiles; use a larger epsilon or fewer columns'
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
# The median is known, and nothing of what lies beyond it: it bounds nothing.
awk 'BEGIN { print "u,b"; for (i = 0; i < 1000; i++) printf "u%d,%d.5\n", i, i * 7919 % 1000 * 1000000 - 500000000 }' >wide.csv
"$scrim" dataset add wide --csv wide.csv --unit u --max-groups 1 --max-rows 1 --budget epsilon=100 --quiet \
    --column 'b=decimal[-1000000000,1000000000]/0.000001' 2>/dev/null
ran 0 'a median alone' "$scrim" suggest wide --columns b --epsilon 30 --quiet
check 'a median alone is shown' grep -q '^value,b,0.5,.*,yes' out
check 'a median alone bounds nothing' sh -c '! grep -q "^clamp\|^max-total" out'
ran 0 'help' "$scrim" help suggest
check 'help: an example' grep -q 'scrim suggest orders' out
finish
