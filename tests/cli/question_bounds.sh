#!/bin/sh
# Contribution bounds of a question: as options, in its text, as the owner's defaults, and fixed by the owner.
# shellcheck disable=SC2317 # functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

# 2,000 customers with 1 to 40 orders in three regions: 41,000 rows.
awk 'BEGIN {
    print "customer,region,amount"
    for (i = 0; i < 2000; i++)
        for (j = 0; j <= i % 40; j++)
            printf "c%d,%s,%d\n", i, (i + j) % 3 ? (j % 2 ? "north" : "south") : "west", 1 + j % 9
}' >orders.csv
columns='--unit customer --column region=text --keys region=north,south,west --column amount=int[0,10]
    --budget epsilon=1000,delta=0.1 --quiet'
"$scrim" init --quiet
# shellcheck disable=SC2086 # words
add() { "$scrim" dataset add "$1" --csv orders.csv $columns --no-check "$2" "$3" "$4" "$5" 2>/dev/null; }
add shop --max-groups 20 --max-rows 3
"$scrim" dataset add total --csv orders.csv --unit customer --column region=text --keys region=north,south,west \
    --column 'amount=int[0,10]' --budget epsilon=1000,delta=0.1 --max-total-rows 50 --quiet --no-check 2>/dev/null

all() { awk -F , 'NR > 1 { sum += $2 } END { printf "%d", sum }' out; }
within() { check "$1: $(all) is about $2" test "$(($(all) - $2))" -lt 400 -a "$(($2 - $(all)))" -lt 400; }

ran 0 'the bounds of the owner cut rows' "$scrim" query shop 'SELECT region, COUNT(*) AS n GROUP BY region' --epsilon 10 --format csv
check 'a third of the rows is there' test "$(all)" -lt 18000
err_has '3 rows per customer in each of 4 groups; about '
ran 0 'a total of the question keeps all' "$scrim" query shop 'SELECT region, COUNT(*) AS n GROUP BY region' --epsilon 10 \
    --max-total-rows 40 --format csv
within 'with a total of 40' 41000
err_has 'bounds      40 rows per customer; about '
cp out first
ran 0 'a total in the text is the same question' "$scrim" query shop "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 10,
    max_rows_contributed = 40) region, COUNT(*) AS n GROUP BY region" --format csv
err_has 'nothing was charged'
check 'the answer is the same' cmp -s out first
number=$(grep -o 'release [0-9]*' err | head -n 1 | tr -dc 0-9)
ran 0 'it is replayed' "$scrim" replay "$number" --format csv
check 'replay gives the same bytes' cmp -s out first
ran 0 'the label has the bounds' "$scrim" report "$number" --json
check 'the total is in the label' grep -q '"max-total-rows": *"\{0,1\}40' out
ran 0 'the label verifies' sh -c "'$scrim' report '$number' --html label.html --quiet && '$scrim' report verify label.html"
ran 0 'plan and result have it in JSON' "$scrim" explain shop 'SELECT region, COUNT(*) AS n GROUP BY region' --epsilon 10 \
    --max-total-rows 40 --json
out_has '"max_total_rows": 40'
ran 0 'the result' "$scrim" replay "$number" --json
out_has '"max_total_rows": 40'
ran 0 'groups and rows of the question' "$scrim" explain shop 'SELECT region, COUNT(*) AS n GROUP BY region' --epsilon 1 \
    --max-groups 2 --max-rows 7
check 'explain names them' grep -q '7 rows per customer in each of 2 groups' out
out_says '5 % of the cost counts how many customers the bounds cut (--cut-share)'
ran 0 'a total by person' "$scrim" explain shop 'SELECT SUM(amount) AS s' --epsilon 1 --max-total amount=25
check 'explain names the clamp' grep -q 'clamped to 0 to 25' out
ran 0 'the default of the owner is a total' "$scrim" query total 'SELECT region, COUNT(*) AS n GROUP BY region' --epsilon 10 --format csv
within 'with the owner'"'"'s total' 41000
ran 0 'the owner sees it' "$scrim" dataset show total --format csv
check 'dataset show has the total' grep -q '^max-total-rows,50$' out
check 'and no other bound' sh -c '! grep -q "^max-rows\|^max-groups" out'

# Of 2,000 customers with 1 to 40 orders half have more than 20: 10,500 rows of 1,000 customers are left out.
ran 0 'people whose rows are left out' "$scrim" query total 'SELECT COUNT(*) AS n' --epsilon 100 --max-total-rows 20 --format csv
err_has 'of customers ['
err_says 'had rows left out'
check 'about half' grep -q 'about \(49\|50\)\.[0-9]* % of customers' err
check 'the caution is the first one' sh -c 'grep "^caution" err | head -n 1 | grep -q "of all rows or more"'
check 'it does not say again how many people' sh -c '! grep -A 2 "^caution" err | grep -q "of customers"'
left=$(tr -d '\n' <err | sed 's/  */ /g; s/.*at least \([0-9]*\) rows.*/\1/')
check "at least $left rows are fewer than there were" test "$left" -gt 500 -a "$left" -le 10500
ran 0 'the same in JSON' "$scrim" query total 'SELECT COUNT(*) AS n' --epsilon 100 --max-total-rows 20 --json
check 'JSON has shares and rows' grep -q '"cut": {"units_percent": {"value": [0-9.]*, "low": [0-9.]*, "high": [0-9.]*}, "rows": {"low": [0-9]*, "high": [0-9]*}, "rows_percent": {' out
number=$(sed -n 's/.*"release": \([0-9]*\)}$/\1/p' out)
ran 0 'the label says it' "$scrim" report "$number" --json
check 'first among its limitations' grep -q '"limitations": \["up to [0-9.]* % of customers had rows left out' out
ran 0 'the label of the count verifies' sh -c "'$scrim' report '$number' --html cut.html --quiet && '$scrim' report verify cut.html"
ran 0 'explain shows the price' "$scrim" explain total 'SELECT COUNT(*) AS n' --epsilon 1 --verbose
check 'a twentieth' grep -q 'people cut.* 5.0 %' out
ran 0 'nobody is counted' "$scrim" query total 'SELECT COUNT(*) AS n' --epsilon 100 --max-total-rows 20 --cut-share 0 --json
check 'and nothing is said' sh -c '! grep -q "cut\|had rows left out" out'
ran 2 'no such share' "$scrim" explain total 'SELECT COUNT(*) AS n' --epsilon 1 --cut-share 1

ran 0 'a series keeps the bounds of its text' "$scrim" series create weekly total "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS
    (max_rows_contributed = 2) region, COUNT(*) AS n GROUP BY region" --epsilon 10 --count 2
ran 0 'its release uses them' "$scrim" series release weekly --format csv
check 'two rows of each customer are there' test "$(all)" -gt 3500 -a "$(all)" -lt 4200
err_has 'bounds      2 rows per customer; about '
ran 0 'a series with an option' "$scrim" series create other total 'SELECT COUNT(*) AS n' --epsilon 10 --count 2 --max-total-rows 3
ran 0 'a series with a total by person' "$scrim" series create money total 'SELECT SUM(amount) AS s' --epsilon 10 --count 2 \
    --max-total amount=25
ran 0 'its release uses it' "$scrim" series release money --format csv
# Customers of the i-th kind have 1 to 9 in turn for each of i + 1 orders, in all at most 25: 50 times the sum of min(25, ..).
check 'each customer has at most 25' test "$(awk -F , 'NR == 2 { print int($1) }' out)" -lt 50000
err_has 'their total clamped to'
ran 0 'microdata with bounds' "$scrim" microdata release total --levels region --epsilon 10 --max-total-rows 3 --format csv
err_has '3 rows per customer'

# Synthetic records and bodies. 2,000 customers with 1 to 40 orders: 3 of each are 5,850 rows, 40 all 41,000.
rows_of() { grep -o 'about [0-9]* rows' err | tr -dc 0-9; }
near() { check "$1: $2 is about $3" test "$2" -gt "$(($3 - 500))" -a "$2" -lt "$(($3 + 500))"; }
ran 0 "synthetic records with the owner's total" "$scrim" synth total --columns region,amount --epsilon 10 --delta 1e-6 --rows 5
near 'rows were kept' "$(rows_of)" 41000
ran 0 'synthetic records with a total' "$scrim" synth total --columns region,amount --epsilon 10 --delta 1e-6 --rows 5 --max-total-rows 3
near 'three rows of each' "$(rows_of)" 5850
err_has 'bounds      3 rows per customer; further rows were left out'
err_says 'how many customers had some is not measured, as all of the cost goes into what is shown'
number=$(grep -o 'release *[0-9]*' err | head -n 1 | tr -dc 0-9)
ran 0 'its label' "$scrim" report "$number" --json
check 'has the total of the question' grep -q '"max-total-rows": 3,' out
ran 0 'the owner compares with rows of the same bounds' "$scrim" synth check "$number" --rows 5000
ran 0 'a refinement has the bounds of its release' "$scrim" synth total --refine "$number" --epsilon 5 --delta 1e-6 --rows 5
err_has 'bounds      3 rows per customer; further rows were left out'
ran 2 'and takes no others' "$scrim" synth total --refine "$number" --epsilon 5 --delta 1e-6 --max-total-rows 9
err_has 'leave them out'
ran 0 'different rows of a unit' "$scrim" synth total --columns region,amount --epsilon 10 --delta 1e-6 --rows 5 --max-groups 2 --max-rows 1
err_has 'bounds      2 rows per customer; further rows were left out'
near 'two different rows of each' "$(rows_of)" 3950
ran 0 'a body with a bound' "$scrim" body fit total --columns amount --epsilon 10 --max-total-rows 2 --out body.json
err_has 'bounds      2 rows per privacy unit; further rows were left out'
ran 0 'another bound is another question' "$scrim" body fit total --columns amount --epsilon 10 --max-total-rows 7 --dry-run
err_has '7 rows per customer'
err_has 'nothing was charged'
ran 2 'a body has no groups' "$scrim" body fit total --columns amount --epsilon 10 --max-rows 2

ran 2 'a bound of 0' "$scrim" query shop 'SELECT COUNT(*) AS n' --epsilon 1 --max-total-rows 0
err_has 'must be a whole number from 1'
ran 2 'NULL in the text' "$scrim" query shop 'SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_rows_contributed = NULL) COUNT(*) AS n' --epsilon 1
err_has 'max_rows_contributed must be a whole number from 1'
printf 'SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_rows_contributed = 9) COUNT(*) AS n; SELECT COUNT(DISTINCT customer) AS p' >batch.sql
ran 0 'a batch of two bounds' "$scrim" query shop --file batch.sql --epsilon 1
err_has '9 rows per customer'
sed -n 's/^release *\([0-9]*\),.*/\1/p' err >number
cp out first
ran 0 'a batch of two bounds again' "$scrim" query shop --file batch.sql --epsilon 1
check 'a batch of two bounds again: free' cmp -s out first
ran 0 'a batch of two bounds: replay' "$scrim" replay "$(cat number)"
check 'a batch of two bounds: replay, the same' cmp -s out first
ran 0 'a batch of two bounds: its label' "$scrim" report "$(cat number)"
out_has '9 rows per customer'
printf 'SELECT COUNT(DISTINCT customer) AS q; SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_rows_contributed = 9) COUNT(*) AS m' >batch.sql
ran 0 'a batch of two bounds in other words' "$scrim" query shop --file batch.sql --epsilon 1
check 'a batch of two bounds in other words: free' sh -c '! grep -q ^charged err && head -n 1 out | grep -q "^q,"'
printf 'SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_rows_contributed = 8) COUNT(*) AS n; SELECT COUNT(DISTINCT customer) AS p' >batch.sql
ran 0 'a batch of other bounds' "$scrim" query shop --file batch.sql --epsilon 1
err_has 'charged     epsilon 1'
ran 2 'an option in place of a value' "$scrim" dataset set shop --fixed-bounds --no-check
err_is 'scrim dataset: --fixed-bounds needs a value, and the option --no-check follows it'
ran 0 'the owner fixes the bounds' "$scrim" dataset set shop --fixed-bounds yes --no-check
ran 3 'no question may choose others' "$scrim" explain shop 'SELECT COUNT(*) AS n' --epsilon 1 --max-rows 9
err_has 'the owner has fixed the contribution bounds'
ran 3 'nor synthetic records' "$scrim" synth shop --columns region --epsilon 1 --delta 1e-6 --max-total-rows 9
err_has 'the owner has fixed the contribution bounds'
ran 3 'nor a body' "$scrim" body fit shop --columns amount --epsilon 1 --max-total-rows 9
ran 0 'the defaults still serve' "$scrim" explain shop 'SELECT COUNT(*) AS n' --epsilon 1
ran 0 'the owner allows it again' "$scrim" dataset set shop --fixed-bounds none --max-groups none --max-rows none --max-total-rows 9 --no-check
ran 0 'and declares a total' "$scrim" explain shop 'SELECT COUNT(*) AS n' --epsilon 1
check 'explain names the new total' grep -q '9 rows per customer' out
# What is missing is said at once, and where the price belongs.
ran 0 'keys that nobody has listed' "$scrim" dataset add lone --csv orders.csv --unit customer --column region=text --column 'amount=int[0,10]' \
    --max-total-rows 9 --budget epsilon=9,delta=0.1 --no-check --quiet
ran 2 'private keys with a total alone' "$scrim" explain lone 'SELECT region, COUNT(*) AS n GROUP BY region' --epsilon 1
err_has 'give the most groups of one unit and a delta, e.g. 1e-7: --max-groups N --delta D'
ran 0 'both are enough' "$scrim" explain lone 'SELECT region, COUNT(*) AS n GROUP BY region' --epsilon 1 --max-groups 3 --delta 1e-6
ran 2 'OPTIONS at the end' "$scrim" query lone 'SELECT COUNT(*) AS n OPTIONS (epsilon = 1)'
err_has 'cost and bounds stand once, behind the first SELECT'
# In a batch a caution names its query, and says once what to do.
printf 'SELECT COUNT(*) AS n; SELECT SUM(amount) AS s, MEDIAN(amount) AS m; SELECT MEDIAN(amount) AS m' >cut.sql
ran 0 'a batch whose rows are cut' "$scrim" query lone --file cut.sql --epsilon 8 --max-total-rows 2
check 'cautions of a batch: its queries are named' sh -c 'grep "^caution     quer" err | grep -o "[1-3][,:]" | sort | tr -d "\n,:" | grep -q -x 123'
check 'cautions of a batch: totals of two queries alone' sh -c 'grep "totals may be too low" err | grep -o "[123]" | tr -d "\n" | grep -q -x 12'
err_says 'the answer is about the other rows'
# A better answer that is there already is named before a worse one is paid for; half the bounds have less noise.
sum='SELECT SUM(amount) AS s'
ran 0 'a good answer' "$scrim" query total "$sum" --epsilon 3 --quiet
ran 0 'a worse plan' "$scrim" explain total "$sum" --epsilon 1
check 'a worse plan: the better answer is free' sh -c 'tr -s " \n" " " <out | grep -q "earlier release [0-9]* answers this with epsilon 3 (± [0-9]*): free with --epsilon 3"'
check 'a worse plan: half the bounds' sh -c 'tr -s " \n" " " <out | grep -q "or max-total-rows 25: s ± [0-9]*, with more rows left out"'
ran 2 'no epsilon' "$scrim" query total "$sum"
err_has 'missing --epsilon E or --target-error X; release'
err_has 'free with --epsilon 3'
ran 0 'a worse answer' "$scrim" query total "$sum" --epsilon 2
err_has 'answers this with epsilon 3'
ran 0 'the good one again' "$scrim" query total "SELECT SUM(amount) AS t" --epsilon 3
check 'the good one again: nothing is better' sh -c '! grep -q "^earlier" err'
ran 0 'few rows for the bounds' "$scrim" explain total 'SELECT COUNT(*) AS n' --epsilon 0.01
check 'few rows for the bounds: the cause is named' sh -c 'tr -s " \n" " " <out | grep -q "with 1000 rows the error .* use fewer rows per customer (max-total-rows is 50), or expect more rows if there are more"'
ran 0 'a dataset on standard input' "$scrim" dataset add piped --csv - --unit customer --max-total-rows 9 --column 'amount=int[0,9]' --budget epsilon=9 --no-check --quiet
printf 'customer,amount\na,1\n' >piped.csv
status=0
"$scrim" query piped 'SELECT COUNT(*) AS n' --epsilon 1 --bounds auto <piped.csv >out 2>err || status=$?
check 'its bounds are not found, since it is read once' test "$status" -eq 2
err_has 'bounds cannot be found for standard input'
check 'nothing was charged' sh -c "\"$scrim\" ledger --format csv | grep -c piped | grep -q -x 0"
finish
