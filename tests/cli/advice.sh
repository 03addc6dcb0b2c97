#!/bin/sh
# Advice before paying: budgets side by side, relative targets, answers that would be useless. None of
# it opens data or is charged.
# shellcheck disable=SC2016,SC2317 # programs of awk and sh; functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

awk 'BEGIN {
    print "id,age,income,sex,city"
    for (i = 0; i < 300; i++)
        printf "p%d,%d,%.2f,%s,city %d\n", i, i % 100, i * 3.37, i % 3 ? "Male" : "Female", i % 5
}' >people.csv
"$scrim" init --quiet
"$scrim" dataset add people --csv people.csv --unit id --rows-per-unit 1 --column 'age=int[0,120]' \
    --column 'income=decimal[0,20000]' --column sex=text --column city=text --keys sex=Female,Male \
    --budget epsilon=10,delta=0.1 --cap epsilon=4 --quiet 2>/dev/null
explain() { "$scrim" explain people "$@"; }
ask() { "$scrim" query people "$@"; }
mark() { before=$("$scrim" ledger export 2>/dev/null | tail -n 1); }
unmoved() { check "$1: nothing was charged" test "$before" = "$("$scrim" ledger export 2>/dev/null | tail -n 1)"; }

# ---- rho, and parameters in steps, are for those who ask ----
ran 0 'explain for everybody' explain 'SELECT SUM(income)' --epsilon 1
out_has 'cost        epsilon 1, delta 0'
check 'explain for everybody: no rho, no steps' sh -c '! grep -q -e rho -e sensitivity -e steps out'
ran 0 'explain --verbose' explain 'SELECT SUM(income)' --epsilon 1 --verbose
out_has 'cost        epsilon 1, delta 0, rho 0.5'
check 'explain --verbose: parameters' sh -c "tr -s ' |\n' ' ' <out | grep -q 'laplace sensitivity=2000000 .*in steps of'"

# ---- budgets side by side ----
by_city='SELECT city, COUNT(*) AS n, AVG(age) AS a GROUP BY city'
mark
ran 0 '--compare' explain "$by_city" --compare 3,0.1,5,20 --delta 1e-6
out_has '| 0.1     | 1 %'
out_has '| 3       | 30 %'
out_has '| 5       | 50 %, above'
out_has ' 99.4 % '
out_has ' > 99.9 % '
out_has '| 20      | 200 %, above'
out_has '|         | budget  '
check '--compare: 80 columns' sh -c "! sed 's/±/+/g' '$work/out' | grep -q '.\{81\}'"
ran 0 '--compare of a sum' explain 'SELECT SUM(income) AS s' --compare 1
check '--compare of a sum: its percentage has a base' grep -q '^relative    s: to ' out
# Each row is what explain says at that epsilon.
ran 0 '--compare as CSV' explain "$by_city" --compare 3,0.1 --delta 1e-6 --format csv
out_lines 3
for epsilon in 0.1 3; do
    explain "$by_city" --epsilon $epsilon --delta 1e-6 --format csv >plan
    errors=$(awk -F , 'NR > 2 { printf ",%s", $6 }' plan)
    check "--compare as CSV: the errors at $epsilon" grep -q "^$epsilon,0\.[0-9]*,fits,[0-9]*$errors\$" out
done
ran 0 '--compare as JSON' explain "$by_city" --compare 0.1,3 --delta 1e-6 --json
parsed '--compare as JSON: an object with rows' '
assert a["dataset"] == "people" and a["left"] == "10" and a["queries"] == ["'"$by_city"'"]
assert [r["epsilon"] for r in a["rows"]] == ["0.1", "3"]
assert a["rows"][0]["left_share"] == 0.01 and a["rows"][1]["verdict"] == "fits"
assert a["rows"][0]["half"] > a["rows"][1]["half"] > 0
assert float(a["rows"][0]["n_error"]) > float(a["rows"][1]["n_error"]) > 0'
ran 0 '--compare as JSON lines' explain "$by_city" --compare 0.1,3 --delta 1e-6 --format jsonl
out_lines 2
printf 'SELECT COUNT(*) AS n; SELECT sex, COUNT(*) AS n, SUM(income) AS s GROUP BY sex' >batch.sql
ran 0 '--compare a batch' explain --file batch.sql --compare 1/3,1e-17,2 --format csv
out_is 'epsilon,left_share,verdict,1_n_error,2_n_error,2_s_error
1e-17,,impossible,,,
1/3,0.0333333,fits,27,27,540000
2,0.2,fits,4,4,90000'
ran 0 '--compare --plot' explain "$by_city" --compare 0.1,0.3,1,3 --delta 1e-6 --plot --svg compare.svg --format csv
out_lines 5
err_has '  n'
err_has '  a'
err_has 'epsilon'
check '--compare --plot: a chart for each column' test "$(grep -c 'predicted' err)" -eq 2
check '--compare --svg: a drawing' test "$(grep -c '<polyline' compare.svg)" -eq 2
ran 0 '--compare what has no error' explain 'SELECT MODE(age) AS m' --compare 1,2 --delta 1e-6 --plot
err_has 'no error to draw'
unmoved '--compare'
for list in '' '1,,2' '1,' x 0 1,2000 1e-30; do
    ran 2 "--compare '$list'" explain "$by_city" --delta 1e-6 --compare "$list"
    out_is ''
    err_lines 1
done
ran 2 '--compare too many' explain "$by_city" --delta 1e-6 --compare 1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8
err_has 'at most 16'
ran 2 '--compare and --epsilon' explain "$by_city" --delta 1e-6 --compare 1 --epsilon 1
err_has 'give one of them'
ran 2 '--compare a wrong query' explain "$by_city x" --delta 1e-6 --compare 1,2
err_has '^'
ran 2 'query has no --compare' ask "$by_city" --delta 1e-6 --compare 1
err_has 'unexpected argument --compare'
ask 'SELECT COUNT(*) AS n' --epsilon 1 --quiet >/dev/null
ran 0 '--compare knows what was asked' explain 'SELECT COUNT(*) AS n' --compare 1,2
out_has '| 1       | nothing: answered before'

# ---- a part of the value ----
mark
counted='SELECT sex, COUNT(*) AS n GROUP BY sex'
ran 0 '--target-error 5%' explain "$counted" --target-error 5% --expect 300 --json
parsed '--target-error 5%: 15 of 300' '
c = a["statements"][0]["columns"][1]
assert float(c["error"]) <= 15 and float(c["relative"]) <= 0.05, c
assert c["reference"] == "the 300 rows that are expected", c'
epsilon=$(grep -o '"amount": "[0-9.]*' out | cut -d '"' -f 4)
less=$(awk -v e="$epsilon" 'BEGIN { print e - 0.001 }')
ran 0 '--target-error 5%: the smallest epsilon' explain "$counted" --epsilon "$less" --expect 300 --format csv
check '--target-error 5%: less is not enough' awk -F , 'NR == 3 { exit !($6 > 15) }' out
ran 0 '--target-error 5% in words' explain "$counted" --target-error 5% --expect 300
out_has 'relative    n: to the 300 rows that are expected'
ran 2 '--target-error 5% without a guess' explain "$counted" --target-error 5%
err_has 'needs its size, which is private; guess the number of rows; add --expect with your guess, or use --target-error without %'
ran 2 '--target-error 5% of an unknown mean' ask 'SELECT AVG(age)' --target-error 5%
err_has 'guess it: age=MEAN; add --expect with your guess'
ran 0 '--target-error 10% of an expression' explain 'SELECT SUM(income) / COUNT(*) * 12 AS y' --target-error 10% --expect 300,income=5000
out_has 'relative    y: to 60000, what it is of the rows and values that are expected'
ran 2 '--target-error 10% of an expression without a guess' explain 'SELECT SUM(income) / COUNT(*) * 12 AS y' --target-error 10% --expect 300
err_has 'guess it: 300,income=MEAN; add --expect with your guess'
ran 2 '--target-error 5% of what has none' ask 'SELECT RANGE(age)' --target-error 5% --delta 1e-6
err_has 'give --epsilon instead'
# The epsilon that it needs is above the cap, which explain says; query is refused.
ran 0 '--target-error 0.1% above the cap' explain 'SELECT SUM(income) AS s' --target-error 0.1% --expect 300,income=5000
out_has 'cap         one query may cost at most epsilon 4'
ran 3 '--target-error 0.1% above the cap is refused' ask 'SELECT SUM(income) AS s' --target-error 0.1% --expect 300,income=5000
unmoved '--target-error in percent'
ran 0 '--target-error 20% is asked' ask "$counted" --target-error 20% --expect 150
ran 0 '--target-error 20% is asked again' ask "$counted" --target-error 20% --expect 150
err_has 'nothing was charged'

# ---- a target takes as much epsilon as somebody has allowed ----
mark
dear='SELECT COUNT(*) FILTER (WHERE age > 50) AS n'
ran 2 'a dear target is refused' ask "$dear" --target-error 1 --format csv
err_has 'an error of 1 takes epsilon 1.'
err_has 'allow it with --cap epsilon=1.'
epsilon=$(sed -n 's/.*--cap epsilon=\([0-9.]*\).*/\1/p' err)
ran 2 'a cap below it' ask "$dear" --target-error 1 --cap "epsilon=$(awk -v e="$epsilon" 'BEGIN { print e - 0.001 }')"
err_has 'nothing was charged'
ran 2 'a cap of an epsilon that is given' ask "$dear" --epsilon 2 --cap epsilon=1.5
err_has 'the query would cost epsilon 2, above --cap epsilon=1.5'
for cap in 2 rho=1 epsilon=0 epsilon=2x; do
    ran 2 "--cap $cap" ask "$dear" --epsilon 1 --cap "$cap"
    err_has '--cap must be epsilon=R'
done
if command -v script >/dev/null 2>&1; then
    typed() { printf '%s\n' "$1" | script -q -e -c "'$scrim' query people '$dear' --target-error 1" /dev/null; }
    ran 2 'a person says no' typed n
    check 'a person says no: the cost was shown' grep -q "cost        epsilon $epsilon" out
    check 'a person says no: nothing was charged' grep -q 'nothing was charged' out
    unmoved 'a target that nobody has allowed'
    ran 0 'a person says yes' typed y
    check 'a person says yes: an answer' grep -q '^charged *epsilon' out
else
    skip 'a person is asked' 'script is not installed'
    unmoved 'a target that nobody has allowed'
fi
ran 0 'a target under --cap' ask "$dear" --target-error 1 --cap "epsilon=$epsilon" --format csv
ran 0 'a cheap target' ask 'SELECT COUNT(*) FILTER (WHERE age > 70) AS n' --target-error 20 --format csv
err_has 'target      an error of 20 takes epsilon 0.'
err_says 'assuming 1000 rows per group'

# ---- answers that would tell nothing ----
mark
ran 0 'a useless answer' explain 'SELECT sex, COUNT(*) AS n, AVG(age) AS a GROUP BY sex' --epsilon 0.001
name='a useless answer'
says() { check "$name: says $1" sh -c 'tr -s " \n" " " <"$1" | grep -q -F "$2"' sh "$work/$2" "$1"; }
says 'caution n: in groups of 1000 rows the error is as large as the count itself; epsilon 0.1 brings it to a tenth; or' out
says 'caution a: in groups of 1000 rows the interval often covers the whole range; epsilon 0.05 brings it to half of that; or' out
ran 0 'a useless answer in JSON' explain 'SELECT SUM(income) AS s' --epsilon 0.001 --json
parsed 'a useless answer in JSON: with a clamp' '
assert "CLAMP(income, 0, 2000)" in a["statements"][0]["columns"][0]["caution"]'
ran 0 'no group is likely' explain "$by_city" --epsilon 0.1 --delta 1e-9 --expect 20 --json
parsed 'no group is likely: it says how many people it takes' '
s = a["statements"][0]
half = [c["half"] for c in s["selections"] if c["chosen"]][0]
assert "a group needs %d units for a 50 %% chance to be shown, and 20 rows are expected" % half in s["caution"], s'
ran 0 'a bucket is the range' explain 'SELECT MAX(income, 20001) AS m' --epsilon 1 --delta 1e-6 --json
out_has '"caution": "with 1000 rows a bucket is as wide as the range'
ran 0 'a useful answer has no caution' explain "$by_city" --epsilon 1 --delta 1e-6 --json
check 'a useful answer has no caution: none' sh -c '! grep -q caution out'
unmoved 'cautions'
ran 0 'query says so before it charges' ask "$by_city" --epsilon 0.001 --delta 1e-9
check 'query says so before it charges: in front of the cost' awk '/^caution/ && !cost { said = 1 } /^cost/ { cost = 1 } END { exit !said }' err
out_lines 1
name='an answer without a group'
says 'keys private: a group needs' err
ran 0 'query --quiet says nothing' ask "$by_city" --epsilon 0.001 --delta 1e-8 --quiet
err_is ''

# ---- what an error is relative to, and quotients of rows and people ----
ran 0 'a sum without a guess' explain 'SELECT SUM(income) AS s' --epsilon 1
out_has 'relative    s: to 1000 rows times 10000, the middle of the range'
ran 0 'a sum with a guess' explain 'SELECT SUM(income) AS s' --epsilon 1 --expect 1000,income=500
check 'a sum with a guess: no line' sh -c '! grep -q "^relative" "$1"' sh "$work/out"
"$scrim" dataset add visits --csv people.csv --unit id --max-rows 2 --max-groups 1 --column 'income=decimal[0,20000]' \
    --population people --quiet 2>/dev/null
per='SELECT SUM(income) / COUNT(DISTINCT id) AS per'
ran 0 'a quotient of rows and people' "$scrim" explain visits "$per" --epsilon 1
name='a quotient of rows and people'
says 'caution per: COUNT(DISTINCT) counts each id, and the other aggregates use at most 2 rows of it: this is not' out
ran 0 'where everybody has one row' explain "$per" --epsilon 1
check 'where everybody has one row: no caution' sh -c '! grep -q "COUNT(DISTINCT) counts" "$1"' sh "$work/out"
ran 0 'a quotient of rows' "$scrim" explain visits 'SELECT SUM(income) / COUNT(*) AS per' --epsilon 1
check 'a quotient of rows: no caution' sh -c '! grep -q "COUNT(DISTINCT) counts" "$1"' sh "$work/out"

# ---- quantiles ----
ran 0 'a quantile without a guess' explain 'SELECT MEDIAN(income) AS m' --epsilon 1
out_has ' unknown '
name='a quantile without a guess'
says 'the error of a quantile depends on how far apart the values are' out
says 'ranks m: between the quantiles' out
ran 0 'steps only where asked for' explain 'SELECT MEDIAN(income) AS m' --epsilon 1
check 'steps only where asked for: none' sh -c '! grep -q "^steps" "$1"' sh "$work/out"
ran 0 'steps' explain 'SELECT MEDIAN(income) AS m' --epsilon 1 --verbose
out_has 'steps       clamp 1, '
ran 0 'a quantile without a guess as JSON' explain 'SELECT MEDIAN(income) AS m, AVG(income) / 2 AS h, MEDIAN(income) / 2 AS q' --epsilon 1 --json
parsed 'a quantile without a guess as JSON: no error' '
m, h, q = a["statements"][0]["columns"]
assert m["error"] == "" and m["error_is_unknown"] is True and int(m["rank_error"]) > 0
assert float(h["error"]) > 0 and "error_is_unknown" not in h
assert q["error"] == "" and q["error_is_unknown"] is True and "rank_error" not in q'
ran 0 'quantiles side by side' explain 'SELECT MEDIAN(income) AS m, MEDIAN(income) / 2 AS q' --compare 1,2 --plot
out_has ' rows from its rank | unknown '
check 'quantiles side by side: a chart in ranks' grep -q 'm, rows from its rank' err
ran 0 'quantiles side by side as CSV' explain 'SELECT MEDIAN(income) AS m, MEDIAN(income) / 2 AS q' --compare 1,2 --format csv
out_has 'epsilon,left_share,verdict,m_rank_error,q_error'
ran 2 'a target of a quantile without a guess' explain 'SELECT MEDIAN(income) AS m' --target-error 50 --expect 1000,income=5000
err_has 'guess it: 1000,income=5000:DEVIATION; add --expect with your guess, or use --epsilon instead'
ran 0 'a target of a quantile with a guess' explain 'SELECT MEDIAN(income) AS m' --target-error 50 --expect 1000,income=5000:900
ran 0 'a quantile with a guess' explain 'SELECT MEDIAN(income) AS m' --epsilon 1 --expect 1000,income=5000:900 --json
check 'a quantile with a guess: in ranks, and not marked' sh -c 'grep -q "between the quantiles 0" out && ! grep -q is_unknown out'

# ---- made-up rows ----
mark
ran 0 'dataset mock' "$scrim" dataset mock people --rows 5
out_lines 6
check 'dataset mock: its header' sh -c "head -n 1 out | grep -q -x 'id,age,income,sex,city'"
mv people.csv elsewhere.csv
ran 0 'dataset mock opens no data' "$scrim" dataset mock people --rows 400 --out mock.csv
out_is ''
err_has 'made up 400 rows from the policy of people; none comes from the data'
mv elsewhere.csv people.csv
ran 0 'dataset mock of nothing' "$scrim" dataset mock people --rows 0
out_lines 1
ran 2 'dataset mock without a number' "$scrim" dataset mock people
err_has 'dataset mock people --rows 1000'
ran 2 'dataset mock of what there is not' "$scrim" dataset mock nobody --rows 1
ran 2 'dataset mock where there is no folder' "$scrim" dataset mock people --rows 1 --out nowhere/mock.csv
unmoved 'dataset mock'
# The same policy reads them: nothing is unreadable, moved or of another key.
declared='--unit id --max-groups 2 --max-rows 3 --column age=int[0,120] --column income=decimal[-5,20000]/0.001
    --column sex=text --keys sex=Female,Male --column day=date[1999-01-01,2020-12-31] --column is_old=bool
    --missing age=30 --budget epsilon=1'
formed='--separator ; --decimal , --date-format D.M.YYYY --records crlf --null NA,-,0'
for form in plain formed; do
    [ $form = plain ] && words='--records lf' || words=$formed
    if [ $form = plain ]; then
        printf 'id,age,income,sex,day,is_old\n' >seed.csv
    else
        printf 'id;age;income;sex;day;is_old\r\n' >seed.csv
    fi
    # shellcheck disable=SC2086 # words
    "$scrim" dataset add like_$form --csv seed.csv $declared $words --quiet 2>/dev/null
    ran 0 "dataset mock, $form" "$scrim" dataset mock like_$form --rows 2000 --out mock_$form.csv --quiet
    err_is ''
    # shellcheck disable=SC2086 # words
    ran 0 "dataset mock, $form: it can be added" "$scrim" dataset add again_$form --csv mock_$form.csv $declared $words --quiet
    ran 0 "dataset mock, $form: it is as declared" "$scrim" dataset check again_$form --format csv
    check "dataset mock, $form: all rows" grep -q '^SENSITIVE,,rows,2000,' out
    check "dataset mock, $form: all columns can be read" test "$(awk -F , '$3 == "readable" { n += $4 } $3 == "missing" { n += $4 } END { print n }' out)" -eq 10000
    check "dataset mock, $form: some are missing" awk -F , '$3 == "missing" && $4 > 0 { n++ } END { exit n != 4 }' out
    check "dataset mock, $form: units have several rows" awk -F , '$3 == "most-rows" { exit !($4 > 1) }' out
done

# ---- rows that the bounds leave out ----
printf 'person,club,hours\na,x,1\nb,y,2\n' >clubs.csv
"$scrim" dataset add clubs --csv clubs.csv --unit person --column club=text --keys club=x,y,z --column 'hours=int[0,9]' \
    --max-groups 2 --max-rows 4 --budget epsilon=100 --quiet
# missing WORDS QUERY: the caution that explain, query, replay and the label have; no WORDS: none.
missing() {
    for verb in explain query replay report; do
        case $verb in
        explain | query) ran 0 "$verb: $2" "$scrim" "$verb" clubs "$2" --epsilon 1 --format table ;;
        replay) ran 0 "$verb: $2" "$scrim" replay "$newest" --format table ;;
        report) ran 0 "$verb: $2" "$scrim" report "$newest" ;;
        esac
        newest=$(sed -n 's/^release  *\([0-9]*\),.*/\1/p' "$work/err")
        tr -s ' \n' ' ' <"$work/out" >words
        tr -s ' \n' ' ' <"$work/err" >>words
        if test -n "$1"; then
            # An answer that has counted people says that instead.
            check "$verb: $2: $1" grep -q "$1\|of units had rows left\|had rows left out" words
        else
            check "$verb: $2: nothing is missing" sh -c '! grep -q "totals may be far too low" words'
        fi
    done
}
missing 'max-groups 2 is for the whole query: each person counts in at most 2 of the 4 groups, so totals may be far too low; ask with a total of rows instead, such as max-total-rows' \
    'SELECT club, COUNT(*) AS n GROUP BY club'
missing 'max-rows 4 is per group: without GROUP BY each person counts with at most 4 rows in all, so totals may be far too low; ask with a total of rows instead, such as max-total-rows' \
    'SELECT COUNT(*) AS n'
missing '' 'SELECT COUNT(DISTINCT person) AS n'
missing '' 'SELECT SUM(n) AS total FROM (SELECT CLAMP(COUNT(*), 0, 9) AS n GROUP BY person)'
missing '' "SELECT club = 'x' AS is_x, COUNT(*) AS n WHERE club IS NOT NULL GROUP BY club = 'x'"

# ---- once there is an answer, its values say whether it tells something ----
awk 'BEGIN { print "x"; for (i = 0; i < 20000; i++) print i % 10 }' >many.csv
printf 'x\n1\n2\n' >few.csv
for table in many few; do
    "$scrim" dataset add $table --csv $table.csv --unit row --column 'x=int[0,9]' --budget epsilon=1 --quiet
    # At this confidence noise beyond the interval is not seen.
    ran 0 "the error of $table" "$scrim" explain $table 'SELECT COUNT(*) AS n' --epsilon 0.002 --confidence 0.999999 --format table
    says 'caution n: with 1000 rows the error is as large as the count itself' out
    ran 0 "the answer of $table" "$scrim" query $table 'SELECT COUNT(*) AS n' --epsilon 0.002 --confidence 0.999999
    cp "$work/err" "$table.said"
    ran 0 "the answer of $table, again" "$scrim" query $table 'SELECT COUNT(*) AS n' --epsilon 0.002 --confidence 0.999999
    cat "$work/err" >>"$table.said"
done
check 'an answer of many rows is not said to be useless' sh -c '! grep -q "the error is as large" many.said'
check 'an answer of few rows is, twice' test "$(tr -s ' \n' ' ' <few.said | grep -o 'the error is as large as the count itself' | wc -l)" = 2

ran 4 'a refused query shows the reason alone' "$scrim" query clubs 'SELECT club, COUNT(*) AS n GROUP BY club' --epsilon 500
check 'a refused query shows the reason alone: no caution' sh -c "head -n 1 '$work/err' | grep -q '^scrim query: insufficient budget' && ! grep -q caution '$work/err'"

# ---- the order of a top list, by released intervals alone ----
ranks() { "$scrim" query clubs "SELECT club, COUNT(*) AS n GROUP BY club ORDER BY $1" --epsilon "$2" --format csv; }
for order in 'n DESC LIMIT 3' '2 LIMIT 3' 'COUNT(*) DESC LIMIT 3'; do
    ran 0 "a top list: $order" ranks "$order" 0.01
    check "a top list: $order: its ranks are undecided" sh -c "tr -s ' \n' ' ' <'$work/err' | grep -q 'ranks the order of 2 of 2 pairs of neighbouring rows is uncertain: their intervals overlap'"
done
for order in 'club LIMIT 3' '1 LIMIT 3' 'n DESC'; do
    ran 0 "no top list: $order" ranks "$order" 0.01
    check "no top list: $order: nothing is said of ranks" sh -c "! grep -q '^ranks' '$work/err'"
done
awk 'BEGIN { print "person,club"; for (i = 0; i < 900; i++) print i "," (i % 9 == 0 ? "x" : "y") }' >far.csv
"$scrim" dataset add far --csv far.csv --unit person --column club=text --keys club=x,y --rows-per-unit 1 --budget epsilon=100 --quiet
ran 0 'a top list that is decided' "$scrim" query far "SELECT club, COUNT(*) AS n WHERE club IS NOT NULL GROUP BY club ORDER BY n DESC LIMIT 2" --epsilon 4
check 'a top list that is decided: nothing is said of ranks' sh -c "! grep -q '^ranks' '$work/err'"

finish
