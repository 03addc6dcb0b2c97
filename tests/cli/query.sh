#!/bin/sh
# The analyst's side: explain and query with every option, every format and every status; what is
# free, what is charged and what is refused.
# shellcheck disable=SC2016,SC2317 # programs of awk and sh; functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
root=$(pwd)
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

awk 'BEGIN {
    print "id,age,income,sex,city,day"
    for (i = 0; i < 3000; i++)
        printf "p%d,%d,%.2f,%s,city %d,2020-%02d-01\n", i, i % 100, i * 3.37, i % 3 ? "Male" : "Female",
            i % 5, i % 12 + 1
}' >people.csv
columns='--unit id --rows-per-unit 1 --column age=int[0,120] --column income=decimal[0,20000] --column sex=text
    --column city=text --column day=date[2020-01-01,2020-12-31] --keys sex=Female,Male,Other'
"$scrim" init --quiet
# shellcheck disable=SC2086 # words
"$scrim" dataset add people --csv people.csv $columns --budget epsilon=100,delta=0.1 --cap epsilon=40 --quiet 2>/dev/null
"$scrim" dataset add poor --csv people.csv --unit id --rows-per-unit 1 --column 'age=int[0,120]' --budget epsilon=0.1 --quiet 2>/dev/null

# refused STATUS NAME MESSAGE ARGUMENT...: the status, the message in one line, nothing charged since
# the last mark.
refused() {
    want=$1 label=$2 message=$3
    shift 3
    ran "$want" "$label" "$@"
    out_is ''
    err_has "$message"
    check "$label: the reason is one line" test "$(grep -c '^scrim ' err)" -eq 1
    name=$label
    unmoved
}
mark() { before=$("$scrim" ledger export 2>/dev/null | tail -n 1); }
unmoved() { check "$name: nothing was charged" test "$before" = "$("$scrim" ledger export 2>/dev/null | tail -n 1)"; }
left() { "$scrim" budget "${1:-people}" --format csv --quiet | awk -F , 'NR == 2 { print $6 }'; }
ask() { "$scrim" query people "$@"; }
explain() { "$scrim" explain people "$@"; }
# is_free NAME QUERY OPTION..., costs NAME QUERY OPTION...: asked, and (not) charged.
is_free() {
    label=$1
    shift
    mark
    ran 0 "A32 $label" ask "$@"
    unmoved
    err_has 'nothing was charged'
}
# is_view NAME QUERY OPTION...: free, since it measures the same.
is_view() {
    is_free "$@"
    err_has "another view of release $release;"
}
costs() {
    label=$1
    shift
    mark
    ran 0 "A32 $label" ask "$@"
    check "A32 $label: it is charged" test "$before" != "$("$scrim" ledger export | tail -n 1)"
    check "A32 $label: and not said to be free" sh -c '! grep -q "nothing was charged" err'
}

# ---- the shapes of an answer ----
by_sex='SELECT sex, COUNT(*) AS n, AVG(age) AS a GROUP BY sex'
ran 0 'CSV' ask "$by_sex" --epsilon 1
out_lines 5
check 'CSV: the names' grep -q -x 'sex,n,n_low,n_high,a,a_low,a_high' out
check 'CSV: the keys, in order, also the empty one' test "$(sed 1d out | cut -d , -f 1 | tr '\n' ' ')" = 'Female Male Other  '
check 'CSV: numbers in their intervals' awk -F , '/ale/ && !($3 <= $2 && $2 <= $4 && $6 <= $5 && $5 <= $7) { exit 1 }' out
check 'CSV: near the truth' awk -F , '$1 == "Male" && ($2 < 1900 || $2 > 2100 || $5 < 45 || $5 > 54) { exit 1 }' out
release=$(sed -n 's/^release *\([0-9]*\),.*/\1/p' err)
name='the note of an answer'
err_has 'charged     epsilon 1 to people (add-remove); left: epsilon 99, delta 0.1'
err_has "release     $release, shown again by 'scrim replay $release', its label by 'scrim report $release'"
check 'the note of an answer: nothing twice' sh -c '! grep -q -e "^cost " -e "^label " -e "^left " err'
err_has 'confidence 0.95; covers the noise only'
err_says 'rows whose sex is not a listed key are ignored'
cp out first.csv
ran 0 'JSON' ask "$by_sex" --epsilon 1 --json --quiet
err_is ''
parsed 'JSON: its shape' '
assert [r["sex"] for r in a["rows"]] == ["Female", "Male", "Other", None]
assert all(set(r) == {"sex", "n", "a"} and set(r["n"]) == {"value", "low", "high"} for r in a["rows"])
assert a["cost"]["epsilon"] == "1" and a["cost"]["neighbours"] == "add-remove"
assert a["release"] == '"$release"' and a["repeated"] is True and a["version"] == 1 and a["dataset"] == "people"'
parsed 'JSON: the numbers of CSV' '
import csv
for r, s in zip(a["rows"], csv.DictReader(open("first.csv"))):
    assert str(r["n"]["value"]) == s["n"] and r["a"]["value"] == float(s["a"]) and r["a"]["high"] == float(s["a_high"])'
ran 0 'JSON lines' ask "$by_sex" --epsilon 1 --format jsonl --quiet
out_lines 4
if [ $have_python = yes ]; then
    check 'JSON lines: each is JSON' python3 -m json.tool --json-lines out
fi
ran 0 'a table' ask "$by_sex" --epsilon 1 --format table --quiet
check 'a table: without UTF-8' grep -q '^| *Female *| [0-9 ]*\[' out
ran 0 'a table in 40 columns' env COLUMNS=40 "$scrim" query people "$by_sex" --epsilon 1 --format table --quiet
check 'a table in 40 columns: no control characters' sh -c '! LC_ALL=C grep -q "[[:cntrl:]]" out'
ran 0 'a plot' ask "$by_sex" --epsilon 1 --plot --quiet
check 'a plot: the answer stays what it is' cmp out first.csv
err_has 'Other'
ran 0 'columns of dates and numbers' ask 'SELECT MONTH(day) AS m, MEDIAN(day) AS d GROUP BY MONTH(day)' --epsilon 5 --json --quiet
parsed 'columns of dates and numbers: their types' '
assert [r["m"] for r in a["rows"]] == list(range(1, 13)) + [None], a # by size
assert all(r["d"]["low"] <= r["d"]["value"] <= r["d"]["high"] and len(r["d"]["value"]) == 10 for r in a["rows"])'
ran 0 'keys of a declared range: every one, and no delta is spent' ask 'SELECT age, COUNT(*) AS n GROUP BY age' --epsilon 1 --delta 1e-6 --format csv
check 'keys of a range: in order, NULL last' test "$(sed 1d out | cut -d , -f 1 | tr '\n' ' ')" = "$(seq -s ' ' 0 120)  "
err_has 'charged     epsilon 1 to people (add-remove)'
err_has 'the first and the last key of a declared range also hold all'
ran 0 'keys of a declared range: explain says which' explain 'SELECT day, COUNT(*) AS n GROUP BY day' --epsilon 1 --format table
out_has 'public: 366 keys and NULL, all shown even if empty'
out_has 'day: every value of its declared range, 2020-01-01 to 2020-12-31;'
ran 0 'weeks of years: a caution' ask 'SELECT YEAR(day) AS y, WEEK(day) AS w, COUNT(*) AS n GROUP BY y, w' --epsilon 1 --format csv
err_says "caution     w: a week at the turn of a year has the number of the other year: 2027-01-01 is in week 53; GROUP BY DATE_TRUNC('week', d) instead"
ran 0 'months of years' explain 'SELECT YEAR(day) AS y, MONTH(day) AS m, COUNT(*) AS n GROUP BY y, m' --epsilon 1 --format table
check 'months of years: those that there are' grep -q 'public: 12 keys and NULL, all shown' out
check 'months of years: no caution' sh -c '! grep -q combined out'
# Of a long range the keys are not looked through: each year has each month, also outside of it.
for range in 2019-07-01,2020-06-30 1800-07-01,2020-06-30 1800-01-01,2020-12-31; do
    "$scrim" dataset add "days${range%%,*}${range##*,}" --unit id --rows-per-unit 1 --column "day=date[$range]" --missing day=2020-03-01 --population people --quiet 2>/dev/null
    ran 0 "months of years $range" "$scrim" explain "days${range%%,*}${range##*,}" 'SELECT YEAR(day) AS y, MONTH(day) AS m, COUNT(*) AS n GROUP BY y, m' --epsilon 1 --format table
    check "months of years $range: a caution only where months lie outside" test "$(tr -s ' \n' ' ' <out | grep -c 'm: each year is combined with each month, also outside the declared range; GROUP BY DATE_TRUNC(.month., d) instead')" = "$([ "$range" != 1800-07-01,2020-06-30 ]; echo $?)"
done
ran 0 'months: a group each' ask "SELECT DATE_TRUNC('month', day) AS m, COUNT(*) AS n GROUP BY m" --epsilon 1 --format csv
check 'months: their first days' test "$(sed 1d out | cut -d , -f 1 | head -n 12 | sort | tr '\n' ' ')" = "$(for m in 01 02 03 04 05 06 07 08 09 10 11 12; do printf '2020-%s-01 ' $m; done)"
check 'months: no caution' sh -c '! grep -q caution err'
unlisted="caution     'woman' is not one of the listed keys of sex; check its spelling and case"
ran 0 'a literal on no list: a caution before paying' explain "SELECT COUNT(*) AS n WHERE sex <> 'woman'" --epsilon 1 --format table
check 'a literal on no list: in the plan' test "$(tr -s ' \n' ' ' <out | grep -cF "$(echo "$unlisted" | tr -s ' ')")" -eq 1
ran 0 'a literal on no list: a caution behind it' ask "SELECT COUNT(*) AS n WHERE sex <> 'woman'" --epsilon 1 --format csv
err_says "$unlisted"
before=$("$scrim" budget people --format csv --quiet)
for verb in explain ask; do
    ran 2 "a misspelt key: refused by $verb" $verb "SELECT COUNT(*) AS n WHERE sex = 'female' AND age > 30" --epsilon 1
    err_says "'female' is not one of the listed keys of sex; did you mean 'Female'? For rows with another text write sex LIKE 'female'"
done
check 'a misspelt key: nothing is charged' test "$before" = "$("$scrim" budget people --format csv --quiet)"
ran 0 'computed texts' ask "SELECT LOWER(sex) || '.' s, COUNT(*) n WHERE city LIKE 'city _' AND LOWER(sex) <> 'male' GROUP BY 1" --epsilon 1 --format csv
check 'computed texts: the image of the list' sh -c "cut -d , -f 1 out | tr '\n' ' ' | grep -qx 's female. male. other. '"
check 'a literal on the list: no caution' sh -c '! grep -q caution err'
ran 0 'discovered keys' ask 'SELECT city, COUNT(*) AS n GROUP BY city ORDER BY n DESC LIMIT 3' --epsilon 2 --delta 1e-6 --format csv
out_lines 4
check 'discovered keys: as ordered' sh -c 'sed 1d out | cut -d , -f 2 | sort -c -n -r'
err_has 'charged     epsilon 2, delta 1e-6 to people'
ran 0 'a range that always holds' ask 'SELECT COUNT(*) WITH RANGE AS n' --epsilon 1 --delta 1e-6
err_has 'intervals of WITH RANGE hold with certainty'
err_has 'interval    always holds'
check 'a range that always holds: and no less' sh -c '! grep -q "with probability" err'
err_has 'charged     epsilon 1, delta 1e-6 to people'
check 'a range that always holds: an epsilon of 1 is no reason for caution' sh -c "! grep -q caution '$work/err'"
check 'a range that always holds: it does' awk -F , 'NR == 2 && !($2 <= 3000 && 3000 <= $3) { exit 1 }' out
# Text functions of keys in HAVING see what is released.
ran 0 'text functions in HAVING' ask "SELECT sex, COUNT(*) AS n GROUP BY sex HAVING LOWER(sex) LIKE 'f%' AND LENGTH(sex) > 3" --epsilon 1 --format csv
out_lines 2
check 'text functions in HAVING: the one that matches' grep -q '^Female,' out
ran 0 'a condition on listed keys: every row has a group' ask "SELECT CASE WHEN sex = 'Male' THEN 'm' ELSE 'other' END AS k, COUNT(*) AS n GROUP BY 1" --epsilon 1 --format csv
check 'a condition on listed keys: nothing is left out' sh -c '! grep -q "listed key" err'
# Arithmetic on aggregates: free, and the interval says what it is.
shares='SELECT sex, COUNT(*) AS n, SUM(age) / COUNT(*) AS mean, 100 * COUNT(*) FILTER (WHERE age > 40) / COUNT(*) AS share GROUP BY sex HAVING share > -1000 ORDER BY share DESC'
ran 0 'arithmetic on aggregates' ask "$shares" --epsilon 1 --json
err_has 'charged     epsilon 1 to people'
check 'arithmetic on aggregates: no word of a missing limit, since all have one' sh -c '! grep -q "has no limit" err'
parsed 'arithmetic on aggregates: values, intervals and order, with noise alone last' '
wide = [r["share"]["high"] - r["share"]["low"] >= 100 for r in a["rows"]]
assert wide == sorted(wide) and wide.count(False) >= 2, a
shares = [r["share"]["value"] for r in a["rows"] if r["share"]["high"] - r["share"]["low"] < 100]
assert shares == sorted(shares, reverse=True), a
assert all(r[k]["low"] <= r[k]["value"] <= r[k]["high"] for r in a["rows"] for k in ("mean", "share")), a'
ran 0 'arithmetic on aggregates, explained' explain "$shares" --epsilon 1 --json
parsed 'arithmetic on aggregates, explained: range and error' '
share = a["statements"][0]["columns"][3]
assert share["low"] == "0" and share["high"] == "100" and float(share["error"]) > 0, share'
ran 0 'arithmetic on aggregates for an error' explain 'SELECT COUNT(*) FILTER (WHERE age > 40) / COUNT(*) AS share' --target-error 0.02 --json
parsed 'arithmetic on aggregates for an error: it is met' '
assert float(a["statements"][0]["columns"][0]["error"]) <= 0.02 and float(a["cost"]["epsilon"]) > 0, a'
ran 0 'an open interval' ask 'SELECT COUNT(*) / (SUM(age) - 50 * COUNT(age)) AS wild' --epsilon 0.001 --confidence 0.999999999 --json --quiet
parsed 'an open interval: it has no ends' '
assert a["rows"][0]["wild"]["open"] is True and a["rows"][0]["wild"]["low"] is None, a'
ran 3 'a column beside an aggregate' ask 'SELECT COUNT(*) / age' --epsilon 1
err_has 'age is a value of a single row'
# A terminal: the table, its colours, and their absence.
if command -v script >/dev/null 2>&1; then
    at_terminal() { script -q -e -c "$1" /dev/null; }
    again="'$scrim' query people '$by_sex' --epsilon 1"
    ran 0 'on a terminal' at_terminal "$again"
    check 'on a terminal: a table' grep -q '| *Female *|' out
    ran 0 'a plot on a terminal' at_terminal "$again --plot --quiet"
    check 'a plot on a terminal: in place of the table' sh -c '! grep -q "Female *|" out'
    ran 0 'NO_COLOR' at_terminal "NO_COLOR=1 $again --plot --quiet"
    check 'NO_COLOR: no colour' sh -c '! grep -q "$(printf "\033")" out'
    ran 0 'a narrow terminal' at_terminal "stty cols 44; $again --quiet"
    check 'a narrow terminal: within it' awk '{ sub(/\r$/, "") } length > 44 { exit 1 }' out
    ran 2 'at a terminal: a mistake' at_terminal "'$scrim' query people 'SELECT agee' --epsilon 1"
else
    skip 'on a terminal' 'script is not installed'
fi

# ---- options ----
ran 0 '--confidence' ask "$by_sex" --epsilon 1 --confidence 0.5 --json
parsed '--confidence: narrower' '
import csv
for r, s in zip(a["rows"], csv.DictReader(open("first.csv"))):
    assert str(r["n"]["value"]) == s["n"]
    assert s["sex"] in ("Other", "") or int(s["n_low"]) < r["n"]["low"] <= r["n"]["high"] < int(s["n_high"])
assert a["confidence"] == "0.5" and a["repeated"]'
# 4 groups with NULL: 1 - (1 - 0.95^(1/4)) / 2, upwards.
ran 0 'several numbers at once' explain 'SELECT sex, COUNT(*) AS n, AVG(age) AS a GROUP BY sex' --epsilon 1 --json
parsed 'several numbers at once: of each' '
s = a["statements"][0]
assert s["numbers"] == 8 and s["confidence_each"] == "0.99363", s'
ran 0 'several numbers at once, for people' explain 'SELECT sex, COUNT(*) AS n, AVG(age) AS a GROUP BY sex' --epsilon 1 --format table
out_has 'at once     all 8 intervals hold together with probability 0.95 if each has'
ran 0 'one number' explain 'SELECT COUNT(*) AS n' --epsilon 1 --format table
check 'one number: not at once' sh -c "! grep -q '^at once' '$work/out'"
ran 0 '--target-error' explain 'SELECT COUNT(*) AS n' --target-error 10 --format csv
check '--target-error: reached' awk -F , 'NR == 2 && $6 > 10 { exit 1 }' out
ran 0 '--target-error asked' ask 'SELECT COUNT(*) AS n' --target-error 10 --format csv
check '--target-error asked: reached' awk -F , 'NR == 2 && $3 - $1 > 10 { exit 1 }' out
ran 0 '--target-error of other confidence' explain 'SELECT COUNT(*) AS n' --target-error 10 --confidence 0.99 --json
parsed '--target-error of other confidence: dearer' 'assert float(a["cost"]["epsilon"]) > 0.4'
ran 0 '--expect' explain 'SELECT AVG(age) AS a' --epsilon 1 --expect 1e6 --format csv
few=$(explain 'SELECT AVG(age) AS a' --epsilon 1 --expect 100 --format csv | awk -F , 'NR == 2 { print $6 }')
check '--expect: more rows, a smaller error' awk -F , -v few="$few" 'NR == 2 && $6 * 100 > few { exit 1 }' out
wide=$(explain 'SELECT STDDEV(age) AS s' --epsilon 1 --format csv | awk -F , 'NR == 2 { print $6 }')
ran 0 '--expect a mean and a deviation' explain 'SELECT STDDEV(age) AS s' --epsilon 1 --expect 1000,age=49.5:28.9 --format csv
check '--expect: a mean near the centre, a smaller error' awk -F , -v wide="$wide" 'NR == 2 && $6 * 2 > wide { exit 1 }' out
ran 0 '--expect is said' explain 'SELECT STDDEV(age) AS s' --epsilon 1 --expect age=49.5:28.9
out_has 'age=49.5:28.9'
ran 0 '--target-error of a deviation' explain 'SELECT STDDEV(age) AS s' --target-error 1 --expect 3000,age=49.5:28.9 --json
epsilon=$(sed -n 's/.*"cost": {"neighbours": "add-remove", "epsilon": "\([0-9.]*\)", "delta": "0".*"cost_of_2".*/\1/p' out)
ran 0 '--target-error of a deviation: found' explain 'SELECT STDDEV(age) AS s' --epsilon "$epsilon" --expect 3000,age=49.5:28.9 --format csv
check '--target-error of a deviation: reached' awk -F , 'NR == 2 && $6 > 1 { exit 1 }' out
ran 0 '--target-error of a deviation: less' explain 'SELECT STDDEV(age) AS s' --epsilon "$(awk -v e="$epsilon" 'BEGIN { print e - 0.001 }')" --expect 3000,age=49.5:28.9 --format csv
check '--target-error of a deviation: not with less' awk -F , 'NR == 2 && $6 <= 1 { exit 1 }' out
ran 0 'explain --plot --quiet' explain 'SELECT AVG(age) AS a' --target-error 0.5 --plot --format csv --quiet
check 'explain --plot --quiet: no drawing' sh -c "! grep -q predicted err"
ran 0 'explain --plot' explain 'SELECT AVG(age) AS a' --target-error 0.5 --plot --svg curve.svg --format csv
err_has 'predicted'
err_has 'wanted: 0.5'
out_has 'a,AVG,0,120,'
check 'explain --svg: a drawing' python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("curve.svg")'
mark
refused 2 'explain --svg where there is no folder' '--svg' explain 'SELECT AVG(age) AS a' --epsilon 1 --svg nowhere/curve.svg
ran 0 'a delta that is too large' explain 'SELECT AVG(age) AS a' --epsilon 1 --delta 0.001 --mechanism gaussian
out_has 'caution     delta 0.001 is not below 1 divided by the 1000 expected'
ran 0 'a delta that is small' explain 'SELECT AVG(age) AS a' --epsilon 1 --delta 0.000999 --mechanism gaussian
check 'a delta that is small: no caution' sh -c '! grep -q caution out'
ran 0 'explain of a count' explain 'SELECT COUNT(*)' --epsilon 1 --format table
check 'explain of a count: ten lines' test "$(wc -l <out)" -le 10
ran 0 '--mechanism gaussian' explain "$by_sex" --epsilon 1 --delta 1e-6 --mechanism gaussian --verbose
out_has 'gaussian'
ran 0 '--mechanism laplace' explain "$by_sex" --epsilon 1 --delta 1e-6 --mechanism laplace
check '--mechanism laplace: no gaussian' sh -c '! grep -q gaussian out'
ran 0 'explain shows a repeated question' explain "$by_sex" --epsilon 1
check 'explain shows a repeated question: by its release' grep -q "release $release" out
for format in csv json jsonl table; do
    mark
    ran 0 "explain as $format" explain "$by_sex" --epsilon 0.25 --format $format --quiet
    unmoved
    err_is ''
    check "explain as $format: it is something" test -s out
done
by_city='SELECT city, COUNT(*) AS n GROUP BY city'
ran 0 'explain compares selections' explain 'SELECT city, SUM(age) AS s GROUP BY city' --epsilon 1 --delta 1e-6 --json
parsed 'explain compares selections: four ways at one cost, the smallest group is taken' '
ways = a["statements"][0]["selections"]
assert [w["measurement"].split()[0] for w in ways] == ["partition-selection", "threshold-truncated", "threshold-laplace", "threshold-gaussian"]
assert all(w["cost"] == ways[0]["cost"] and w["cost"]["epsilon"] == "0.5" and not w["shows_units"] for w in ways)
taken, = [w for w in ways if w["chosen"]]
assert taken["half"] == min(w["half"] for w in ways) and taken["reason"]
assert a["statements"][0]["parts"][0]["measurement"] == taken["measurement"]'
ran 0 'explain compares selections that show units' explain 'SELECT city, COUNT(DISTINCT id) AS n GROUP BY city' --epsilon 1 --delta 1e-6 --json
parsed 'explain compares selections that show units: a draw is paid for where there is one' '
ways = a["statements"][0]["selections"]
shown, drawn = [w for w in ways if w["shows_units"]], [w for w in ways if not w["shows_units"]]
assert len(shown) == 3 and len(drawn) == 1
assert all(w["cost"]["epsilon"] == "1" and "units" not in w for w in shown)
assert drawn[0]["cost"]["epsilon"] == drawn[0]["units_cost"]["epsilon"] == "0.5" and drawn[0]["units"].startswith("laplace ")
taken, = [w for w in ways if w["chosen"]]
assert taken["half"] == min(w["half"] for w in ways) < drawn[0]["half"]'
ran 0 'one draw for COUNT(*) too, where one row of a person counts' explain "$by_city" --epsilon 1 --delta 1e-6 --json
parsed 'one draw for COUNT(*) too, where one row of a person counts: all of the cost' '
part, = a["statements"][0]["parts"]
assert part["share"] == "1" and part["measurement"].startswith("threshold-truncated epsilon=1 "), part'
ran 0 'explain compares selections in words' explain 'SELECT city, COUNT(DISTINCT id) AS n GROUP BY city' --epsilon 1 --delta 1e-6 --verbose
out_has 'chosen      threshold-truncated: keeps the smallest groups, and its counts are'
out_has '| partition-selection,'
out_has 'units for a'
check 'explain compares selections in words: one draw for both, with its deviation' grep -q '^| keys and n *| 100.0 % .* | 1\.36 *|$' out
ran 0 'explain folds a query' env COLUMNS=80 "$scrim" explain people 'SELECT city, COUNT(DISTINCT id) AS a_name_that_is_long, AVG(age) AS another_name GROUP BY city' --epsilon 1 --delta 1e-6
check 'explain folds a query: to 80 columns' sh -c '! grep -q "^query.\{76\}" out'
ran 0 'a label knows other selections' ask "$by_city" --epsilon 1 --delta 1e-6 --quiet
ran 0 'a label knows other selections: of the same cost' "$scrim" report "$("$scrim" ledger --format csv --quiet | tail -n 1 | cut -d , -f 1)"
out_has '.kept-half-others partition-selection '
ran 0 'explain compares hard ranges' explain 'SELECT COUNT(*) WITH RANGE AS n' --epsilon 0.001 --delta 1e-6 --json
parsed 'explain compares hard ranges: the narrower one' '
import re
part, = a["statements"][0]["parts"]
own, other = map(int, re.match(r"within (\d+) steps always, or no range with probability 0.00\d+; (\d+) by truncated-laplace$", part["range"]).groups())
assert part["measurement"].startswith("range ") and own < other, part
assert int(a["statements"][0]["columns"][0]["error"]) >= own'
ran 0 'explain compares hard ranges that are alike' explain 'SELECT COUNT(*) WITH RANGE AS n' --epsilon 1 --delta 1e-6 --verbose
out_has 'truncated-laplace'
out_has 'error       half of the interval, which always holds, assuming'
check 'explain compares hard ranges that are alike: not at a confidence' sh -c '! grep -q "at confidence" out'
ran 0 'explain what does not fit' explain 'SELECT COUNT(*) WITH RANGE' --epsilon 1 --delta 0.2 --json
parsed 'explain what does not fit: says so' 'assert a["charge"]["fits"] is False'
ran 0 'explain knows groups of people' explain "$by_sex" --epsilon 0.25 --json
parsed 'explain knows groups of people: A37' 'assert a["cost_of_2"]["epsilon"] == "0.5" and a["cost_of_4"]["epsilon"] == "1"'

# ---- a batch ----
printf 'SELECT COUNT(*) AS n; -- one; of\n\nSELECT sex, AVG(age) AS a\nGROUP BY sex;;\n' >batch.sql
charges=$("$scrim" budget people --format csv --quiet | awk -F , 'NR == 2 { print $7 }')
ran 0 'a batch' ask --file batch.sql --epsilon 1 --json
parsed 'a batch: its statements' '
assert [len(s["rows"]) for s in a["statements"]] == [1, 4] and a["cost"]["epsilon"] == "1"'
check 'a batch: one charge' test "$("$scrim" budget people --format csv --quiet | awk -F , 'NR == 2 { print $7 }')" -eq $((charges + 1))
batch=$(sed -n 's/^release *\([0-9]*\),.*/\1/p' err)
is_free 'the same batch from standard input' --file batch.sql --epsilon 1 --format csv
cp out batch.csv
out_lines 8
mark
ran 0 'a batch from standard input' sh -c "'$scrim' query people --file - --epsilon 1 --format csv --quiet <batch.sql"
unmoved
check 'a batch from standard input: the same' cmp out batch.csv
ran 0 'a batch as tables' ask --file batch.sql --epsilon 1 --format table --quiet
check 'a batch as tables: each below its statement' test "$(grep '^query' out)" = 'query 1     SELECT COUNT(*) AS n
query 2     SELECT sex, AVG(age) AS a GROUP BY sex'
ran 0 'a batch as JSON lines' ask --file batch.sql --epsilon 1 --format jsonl --quiet
check 'a batch as JSON lines: numbered' test "$(cut -c 1-15 out | tr '\n' ' ')" = '{"statement": 1 {"statement": 2 {"statement": 2 {"statement": 2 {"statement": 2 '
printf 'SELECT COUNT(*);\nSELECT agee;' >bad.sql
mark
refused 2 'a batch with a mistake' 'no column agee' ask --file bad.sql --epsilon 1
err_has 'query 2:'
refused 2 'an empty batch' '--file contains no query' ask --file /dev/null --epsilon 1
printf 'SELECT COUNT(*)\0;' >nul.sql
refused 2 'a NUL in a batch' '--file contains a NUL byte' ask --file nul.sql --epsilon 1
awk 'BEGIN { for (i = 0; i < 65; i++) print "SELECT COUNT(*) AS n" i ";" }' >many.sql
refused 2 'too many queries' 'split it into two files' ask --file many.sql --epsilon 1
refused 2 'a query and a file' 'not both' ask "$by_sex" --file batch.sql --epsilon 1
ran 6 'no such file of queries' ask --file nowhere.sql --epsilon 1
err_lines 1

# ---- a batch is declared in advance: charged jointly ----
awk 'BEGIN { for (i = 0; i < 40; i++) print "SELECT COUNT(*) AS n WHERE age > " i ";" }' >joint.sql
joint='--file joint.sql --epsilon 1 --delta 1e-6 --mechanism laplace'
before_joint=$(left)
# shellcheck disable=SC2086 # words
ran 0 'explain a joint charge' explain $joint
err_is ''
check 'explain a joint charge: both numbers' grep -q '^cost  *epsilon 1\b' out
check 'explain a joint charge: what is charged' grep -q '^charged  *epsilon 0\.627097, delta 1e-6: the joint cost of all parts' out
# shellcheck disable=SC2086
ran 0 'explain a joint charge as JSON' explain $joint --json
parsed 'explain a joint charge as JSON: both numbers' '
assert a["cost"]["epsilon"] == "1" and a["charge"]["amount"] == "0.627097" and a["charge"]["delta"] == "0.000001"
assert a["charge"]["joint"] is True'
# shellcheck disable=SC2086
ran 0 'a joint charge' ask $joint --json
err_has 'charged     epsilon 0.627097, delta 1e-6 jointly to people'
parsed 'a joint charge: both numbers' '
assert a["cost"]["epsilon"] == "1" and a["charged"]["amount"] == "0.627097" and a["charged"]["joint"] is True'
joint_release=$(sed -n 's/^release *\([0-9]*\),.*/\1/p' err)
check 'a joint charge: what is left' test "$(echo "$before_joint $(left)" | awk '{ printf "%.6f", $1 - $2 }')" = 0.627097
# shellcheck disable=SC2086
is_free 'the same joint batch' $joint --format csv
ran 0 'the label of a joint charge' "$scrim" report "$joint_release"
check 'the label of a joint charge: both numbers' grep -q 'epsilon 0\.627[0-9]*, delta 1e-0*6: the joint cost of all mechanisms' out
ran 0 'the label of a joint charge as a file' "$scrim" report "$joint_release" --json
cp out joint.json
ran 0 'the label of a joint charge: recomputed' "$scrim" report verify joint.json
ran 0 'a ledger with a joint charge' "$scrim" ledger verify
check 'a ledger with a joint charge: kept with its parts' test "$("$scrim" ledger export | grep -c '"text": "joint .*arithmetic 1.*part 1 laplace .*question')" -eq 1

ran 0 'charges as they stand' "$scrim" budget people --json
parsed 'charges as they stand: beside what is spent' '
p = [p for p in a["populations"] if p["population"] == "people"][0]
spent = [float(eval(r["spent"])) for r in a["rows"] if r["unit"] == "epsilon" and r["analyst"] is None][0]
assert p["standing"]["note"] == "bookkeeping, not a guarantee" and 0 < float(p["standing"]["epsilon"]) <= spent + 1e-4'
ran 0 'charges as they stand: for people' "$scrim" budget people --format csv
err_says 'bookkeeping, not a guarantee'

# ---- its page ----
ran 0 'a page beside the answer' ask "$by_sex" --epsilon 1 --html page.html --quiet
out_has 'sex,'
ran 0 'the page is a label that holds' "$scrim" report verify page.html
ran 0 'a drawing beside the answer' ask "$by_sex" --epsilon 1 --svg answer.svg --quiet
check 'a drawing beside the answer: of every number' test "$(grep -c '<circle class="dot"' answer.svg)" -ge 3
check 'a drawing beside the answer: well formed' python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("answer.svg")'
ran 0 'a delta that is too large, asked' ask 'SELECT AVG(age) AS a' --epsilon 1 --delta 0.001 --mechanism gaussian --json
large=$(sed -n 's/.*"release": \([0-9]*\).*/\1/p' out | head -n 1)
ran 0 'a delta that is too large: its label' "$scrim" report "$large"
check 'a delta that is too large: said in its label' grep -q 'caution *delta is not below 1' out
ran 0 'a delta that is too large: a page of it' "$scrim" report "$large" --html large.html
check 'a delta that is too large: its page' grep -q 'delta is not below 1 divided by the 1000 rows' large.html
ran 0 'a delta that is too large: the label holds' "$scrim" report verify large.html
mark
refused 2 'a drawing where there is no folder' '--svg' ask "SELECT COUNT(*) AS page" --epsilon 1 --svg nowhere/answer.svg
refused 2 'a page where there is no folder' '--html' ask "SELECT COUNT(*) AS page" --epsilon 1 --html nowhere/page.html

# ---- asked again (A32) ----
is_free 'the same words' "$by_sex" --epsilon 1
check 'A32 the same words: the same answer' cmp out first.csv
is_free 'other blanks and small letters' 'select  sex ,count( * ) as n,
    avg(age) as a group  by sex;' --epsilon 1.0
check 'A32 other blanks: the same answer' cmp out first.csv
is_free 'an epsilon spelt otherwise' "$by_sex" --epsilon 4/4
is_free 'another confidence' "$by_sex" --epsilon 1 --confidence 0.9
is_free 'another format' "$by_sex" --epsilon 1 --json
is_view 'another alias' 'SELECT sex, COUNT(*) AS m, AVG(age) AS a GROUP BY sex' --epsilon 1
is_view 'AND TRUE' 'SELECT sex, COUNT(*) AS n, AVG(age) AS a WHERE TRUE GROUP BY sex' --epsilon 1
is_view 'another order of columns' 'SELECT COUNT(*) AS n, sex, AVG(age) AS a GROUP BY sex' --epsilon 1
is_view 'FROM said' 'SELECT sex, COUNT(*) AS n, AVG(age) AS a FROM people GROUP BY sex' --epsilon 1
costs 'another epsilon' "$by_sex" --epsilon 0.5
costs 'another mechanism' "$by_sex" --epsilon 1 --mechanism laplace
is_free 'another guess' "$by_sex" --epsilon 1 --expect 10
is_view 'sorted, cut and computed' \
    'SELECT AVG(age) * 2 AS twice, sex, COUNT(*) AS n GROUP BY sex HAVING n > 0 ORDER BY twice LIMIT 1' --epsilon 1
ran 0 'A32 explain names the release' "$scrim" explain people --epsilon 1 \
    'SELECT sex, AVG(age) AS a, COUNT(*) AS m GROUP BY sex ORDER BY m'
check 'A32 explain: answered by it' sh -c "tr -s ' \\n' ' ' <out | grep -q 'answered by release $release: asking is free'"
ran 0 'A32 a view in JSON' ask 'SELECT COUNT(*) AS m, sex, AVG(age) AS a GROUP BY sex' --epsilon 1 --json
check 'A32 a view in JSON: says so' grep -q '"view": true' out
costs 'another filter' 'SELECT sex, COUNT(*) AS n, AVG(age) AS a WHERE age > 1 GROUP BY sex' --epsilon 1

# ---- replay ----
# replayed NAME QUERY OPTION...: in each format the replay has the bytes of the answer.
replayed() {
    label=$1
    shift
    for format in csv json jsonl table; do
        ask "$@" --format $format >shown 2>note
        number=$(sed -n 's/^release *\([0-9]*\),.*/\1/p' note)
        sed 's/"repeated": true/"repeated": false/' shown >as_first
        ran 0 "replay of $label as $format" "$scrim" replay "$number" --format $format --quiet
        check "replay of $label as $format: the same bytes" cmp out as_first
        check "replay of $label as $format: it is something" test -s as_first
    done
}
ask 'SELECT COUNT(*) AS k' --epsilon 0.5 --json --quiet >shown
ran 0 'replay of an answer as it was first shown' "$scrim" replay "$("$scrim" ledger --quiet --format csv | tail -n 1 | cut -d , -f 1)" --json --quiet
check 'replay of an answer as it was first shown: the same bytes' cmp out shown
replayed 'keys' "$by_sex" --epsilon 1
replayed 'another confidence' "$by_sex" --epsilon 1 # shown at 0.9 in between
replayed 'discovered keys' 'SELECT city, COUNT(*) AS n GROUP BY city' --epsilon 2.5 --delta 1e-6
replayed 'quantiles' 'SELECT MEDIAN(age), QUANTILE(income, 0.9)' --epsilon 2
replayed 'a batch' --file batch.sql --epsilon 1
ran 0 'replay at another confidence' "$scrim" replay "$release" --confidence 0.5 --json
parsed 'replay at another confidence: says so' 'assert a["confidence"] == "0.5"'
ran 2 'replay at no confidence' "$scrim" replay "$release" --confidence 2

# ---- the officer sees them ----
ran 0 'ledger' "$scrim" ledger --format csv
check 'ledger: the question is there' grep -q "^$release,.*,people,1,epsilon,1,0,released," out
ran 0 'ledger as JSON' "$scrim" ledger --json
parsed 'ledger as JSON: the question' '
r = [x for x in a["rows"] if x["release"] == '"$release"'][0]
assert "GROUP BY sex" in r["measurement"], r'
ran 0 'ledger export' "$scrim" ledger export
check 'ledger export: has the question' grep -q 'query epsilon=1 .*GROUP BY sex' out
cp out export.jsonl
"$scrim" ledger key >export.key
mkdir elsewhere
ran 7 'ledger verify of an export' env -C elsewhere -u SCRIM_VAULT "$scrim" ledger verify ../export.jsonl
err_says "not checked: whose key signed the export, $(cat export.key); give the one that the owner publishes with --key"
check 'ledger verify of an export: it need not hold' grep -q '^,,,,false,"not checked: whose key' out
ran 0 'ledger verify of an export, with its vault' "$scrim" ledger verify export.jsonl
err_is ''
ran 0 'ledger verify of an export by the key' "$scrim" ledger verify export.jsonl --key export.key
err_is ''
check 'ledger verify of an export: its head' sh -c 'tail -n 1 export.jsonl | grep -q "$(sed -n "2s/^[0-9]*,[0-9]*,[0-9]*,\([0-9a-f]*\),true,$/\1/p" out)"'
# forged NAME SED: every change of an export is found.
forged() {
    sed "$2" export.jsonl >forged.jsonl
    check "an export with $1: is another one" sh -c '! cmp -s export.jsonl forged.jsonl'
    ran 7 "an export with $1" "$scrim" ledger verify forged.jsonl
    err_lines 1
    ran 7 "an export with $1, without the vault" env -C elsewhere -u SCRIM_VAULT "$scrim" ledger verify ../forged.jsonl
}
forged 'a smaller charge' '0,/ 1 0\\nquery epsilon=1/s// 0.5 0\\nquery epsilon=1/'
forged 'another answer' '/"answer": /s/\("answer": "[^0-9]*[0-9]*\)[0-9]/\19/'
forged 'no answer' 's/, "answer": .*/}/'
forged 'a line left out' 7d
forged 'another hash' '9s/"hash": "0/"hash": "1/;t;9s/"hash": "./"hash": "0/'
forged 'no head' '$d'
forged 'a head of its own' '$s/0"}$/1"}/;t;$s/."}$/0"}/'
forged 'a signature that is changed' '$s/"signature": "0/"signature": "1/;t;$s/"signature": "./"signature": "0/'
# An export that was cut behind an entry, with a last line that fits.
# ended SIGNED: the first 12 entries and their head.
ended() {
    sed -n '1,13p' export.jsonl
    sed -n '13s/^{"entry": 12, \("hash": "[0-9a-f]*"\),.*/{"head": 12, \1'"$1"'}/p' export.jsonl
}
signed=$(sed -n '$s/.*\(, "key": .*\)}$/\1/p' export.jsonl)
ended "$signed" >cut.jsonl
ran 7 'a cut export with the signature of the whole one' "$scrim" ledger verify cut.jsonl
err_has 'the signature of its head is wrong'
ended '' >cut.jsonl
ran 7 'a cut export without a signature' env -C elsewhere -u SCRIM_VAULT "$scrim" ledger verify ../cut.jsonl
err_has 'the export is not signed, so entries at its end may be missing'
ran 7 'a cut export without a signature, by the key' "$scrim" ledger verify cut.jsonl --key export.key
ran 0 'a cut export, with its vault' "$scrim" ledger verify cut.jsonl
check 'a cut export, with its vault: how many entries it lacks' grep -q -E '^vault       has [0-9]+ entries more by now$' err
# A head that was noted.
noted=$(sed -n '13s/.*"hash": "\([0-9a-f]*\)".*/\1/p' export.jsonl)
last=$(tail -n 1 export.jsonl | sed 's/.*"hash": "\([0-9a-f]*\)".*/\1/')
ran 0 'a cut export whose head was noted' env -C elsewhere -u SCRIM_VAULT "$scrim" ledger verify ../cut.jsonl --head "$noted"
ran 7 'a cut export that lacks the noted head' "$scrim" ledger verify cut.jsonl --head "$last"
err_has 'it does not contain the noted head'
ran 0 'an export that goes on from a noted head' "$scrim" ledger verify export.jsonl --head "$noted"
check 'an export that goes on from a noted head: by how many' grep -q -E '^head        the noted one, and [0-9]+ entries since$' err
ran 0 'a ledger that goes on from a noted head' "$scrim" ledger verify --head "$noted"
ran 7 'a ledger without the noted head' "$scrim" ledger verify --head "$(printf '%064d' 1)"
ran 2 'a head that is none' "$scrim" ledger verify --head abc
err_is "scrim ledger: --head: a head has 64 hexadecimal digits, and 'abc' does not; 'scrim ledger verify' shows it"
ran 2 'a head for an export' "$scrim" ledger export --head "$noted"
ran 2 'a key for the ledger' "$scrim" ledger verify --key export.key
# Another key, by openssl alone, as docs/ledger-format.md has it.
if command -v openssl >/dev/null 2>&1 && command -v basenc >/dev/null 2>&1; then
    sed -n '/^## Exported/,/^## /s/^    //p' "$root/docs/ledger-format.md" | grep -v '^{"' >check_head.sh
    cp export.key key
    ran 0 'openssl verifies the head of an export' sh -e check_head.sh
    openssl genpkey -algorithm ed25519 -out other.pem 2>/dev/null
    openssl pkey -in other.pem -pubout -outform DER 2>/dev/null | tail -c 32 | basenc --base16 -w 0 | tr A-F a-f >other.key
    printf 'scrim-head 1\nentries 12\nhead %s\n' "$noted" >content
    openssl pkeyutl -sign -inkey other.pem -rawin -in content -out other.signature
    ended ", \"key\": \"$(cat other.key)\", \"signature\": \"$(basenc --base16 -w 0 other.signature | tr A-F a-f)\"" >cut.jsonl
    ran 7 'a cut export that another key has signed' env -C elsewhere -u SCRIM_VAULT "$scrim" ledger verify ../cut.jsonl
    err_has 'its head is signed by another key than that of the ledger'
    ran 7 'an export, by another key' "$scrim" ledger verify export.jsonl --key other.key
    err_has 'the export is signed by another key'
else
    skip 'openssl verifies the head of an export' 'openssl or basenc is not installed'
fi
# An export of another ledger.
"$scrim" init --vault swapped.vault --no-witness --quiet
"$scrim" ledger export --vault swapped.vault >swapped.jsonl
ran 7 'an export of another ledger, by the key' "$scrim" ledger verify swapped.jsonl --key export.key
ran 7 'an export of another ledger, with a vault that is named' "$scrim" ledger verify swapped.jsonl --vault "${SCRIM_VAULT-scrim.vault}"
err_has 'the vault has another ledger than the export'
ran 7 'an export of another ledger' "$scrim" ledger verify swapped.jsonl
err_says 'the vault here has another ledger'
ran 6 'no export' "$scrim" ledger verify people.csv
err_has "line 1 is not one of an exported ledger; 'scrim ledger export' writes one"
ran 6 'no file' "$scrim" ledger verify nowhere.jsonl
ran 0 'ledger verify' "$scrim" ledger verify
check 'the batch is one entry' test "$("$scrim" ledger --format csv | grep -c "^$batch,")" -eq 1

# ---- what is refused ----
mark
refused 2 'no such dataset' "unknown dataset 'peple'; did you mean 'people'?" "$scrim" query peple "$by_sex" --epsilon 1
refused 2 'no such option' 'unknown option --epsilonn; did you mean --epsilon?' ask "$by_sex" --epsilonn 1
refused 2 'an option of others' '--seed' ask "$by_sex" --epsilon 1 --seed 1
refused 2 'no such column' 'no column agee; did you mean age?' ask 'SELECT AVG(agee)' --epsilon 1
err_is 'SELECT AVG(agee)
           ^^^^
scrim query: no column agee; did you mean age?'
refused 2 'a place in many lines' 'no column agee' ask 'SELECT COUNT(*)
  WHERE agee > 3' --epsilon 1
err_is '  WHERE agee > 3
        ^^^^
scrim query: no column agee; did you mean age?'
refused 2 'a place in a long line' 'no column agee' ask "SELECT COUNT(*) WHERE $(awk 'BEGIN { for (i = 0; i < 300; i++) printf "age > %d AND ", i }') agee > 3" --epsilon 1
check 'a place in a long line: fits 80 columns' awk 'length > 80 { exit 1 }' err
refused 2 'control characters in a query' 'scrim query: ' ask "SELECT $(printf '\033]0;x\007')" --epsilon 1
check 'control characters in a query: are not shown' sh -c '! tr -d "\n" <err | LC_ALL=C grep -q "[[:cntrl:]]"'
refused 2 'no epsilon' 'missing --epsilon E' ask "$by_sex"
refused 2 'an epsilon and a target' 'give one of them' ask "$by_sex" --epsilon 1 --target-error 1
for epsilon in 0 -1 nan inf 1e400 0x1 '' 1,5 ' 1' 1e; do
    refused 2 "epsilon '$epsilon'" 'scrim query: ' ask "$by_sex" --epsilon "$epsilon"
done
for delta in 1 -1e-9 nan 2 ''; do
    refused 2 "delta '$delta'" 'scrim query: ' ask "$by_sex" --epsilon 1 --delta "$delta"
done
for confidence in 0 1 1.5 x; do
    refused 2 "confidence '$confidence'" 'scrim query: confidence' ask "$by_sex" --epsilon 1 --confidence $confidence
done
for expect in 0 -1 x "1000," 1000,age 1000,age=x 1000,age=121 age=60:61 age=60:0 sex=1 agee=1 age=1,age=1; do
    refused 2 "expect '$expect'" 'scrim query: expect' ask "$by_sex" --epsilon 1 --expect "$expect"
done
refused 2 'target-error 0' 'scrim query: target-error' ask "$by_sex" --target-error 0
refused 2 'a mechanism that is none' "did you mean 'laplace'?" ask "$by_sex" --epsilon 1 --mechanism laplce
refused 2 'a format that is none' 'xml' ask "$by_sex" --epsilon 1 --format xml
refused 2 'keys without a delta' 'needs a delta, e.g. 1e-7 (or the owner lists the keys); add --delta D' ask 'SELECT city, COUNT(*) GROUP BY city' --epsilon 1
refused 2 'a range without a delta' 'needs a delta; add --delta D' ask 'SELECT COUNT(*) WITH RANGE' --epsilon 1
refused 2 'gaussian without a delta' 'needs a delta; add --delta D' ask "$by_sex" --epsilon 1 --mechanism gaussian
refused 2 'no query' 'put the query in quotes' ask --epsilon 1
refused 2 'two queries' 'put the query in quotes' ask SELECT 'COUNT(*)' --epsilon 1
refused 2 'no dataset' 'name a dataset and a query' "$scrim" query --epsilon 1
refused 2 'an empty query' 'scrim query: ' ask '' --epsilon 1
refused 3 'single rows' 'single rows are never released' ask 'SELECT age' --epsilon 1
refused 2 'a query and no dataset' 'name a dataset before the query' "$scrim" query 'SELECT COUNT(*)' --epsilon 1
ran 0 'explain what is above the cap' explain "$by_sex" --epsilon 41
out_has 'cap         one query may cost at most epsilon 40: the query would be'
check 'explain what is above the cap: 80 columns' sh -c "! grep -q '.\{81\}' '$work/out'"
ran 0 'explain what is at the cap' explain "$by_sex" --epsilon 40
check 'explain what is at the cap: no word of it' sh -c "! grep -q '^cap' '$work/out'"
refused 3 'above the cap' 'one query may cost at most epsilon 40' ask "$by_sex" --epsilon 41
refused 3 'above the cap by a target' 'one query may cost at most epsilon 40' ask 'SELECT SUM(income)' --target-error 100
refused 4 'more than is left' 'nothing was charged; accept a larger error (a smaller --epsilon)' "$scrim" query poor 'SELECT COUNT(*)' --epsilon 1
refused 4 'more than is left by a target' 'accept a larger --target-error' "$scrim" query poor 'SELECT COUNT(*)' --target-error 2
refused 4 'more delta than is left' 'use a smaller --delta, ask for columns that need none' ask 'SELECT COUNT(*) WITH RANGE' --epsilon 1 --delta 0.2
refused 5 'no vault' 'there is no vault' "$scrim" query people "$by_sex" --epsilon 1 --vault nowhere
refused 5 'no vault to explain by' 'there is no vault' "$scrim" explain people "$by_sex" --epsilon 1 --vault nowhere
check 'no vault: none was made' test ! -e nowhere
# shellcheck disable=SC2086 # words
"$scrim" dataset add sourceless $columns --population people --quiet 2>/dev/null
mark
refused 2 'no source' 'scrim query: the policy names no source' "$scrim" query sourceless "$by_sex" --epsilon 1

# ---- the version of the contents ----
cp -p people.csv kept.csv
touch -d '2001-01-01' people.csv
refused 6 'a file that was touched' 'scrim query: ' ask 'SELECT COUNT(*) AS touched' --epsilon 1
is_free 'what was answered needs no file' "$by_sex" --epsilon 1
mv kept.csv people.csv
ran 0 'the file as it was' ask 'SELECT COUNT(*) AS again' --epsilon 0.1 --quiet
head -n 100 people.csv >shorter
mark
cp -p people.csv kept.csv
cat shorter >people.csv
refused 6 'a file that was replaced' 'scrim query: ' ask 'SELECT COUNT(*) AS replaced' --epsilon 1
rm people.csv
refused 6 'a file that is gone' 'scrim query: ' ask 'SELECT COUNT(*) AS gone' --epsilon 1
mkdir people.csv
refused 6 'a folder in its place' 'scrim query: ' ask 'SELECT COUNT(*) AS folder' --epsilon 1
rmdir people.csv
mkfifo people.csv
refused 6 'a pipe in its place' 'scrim query: ' timeout 10 "$scrim" query people 'SELECT COUNT(*) AS pipe' --epsilon 1
rm people.csv
cp shorter people.csv
"$scrim" dataset update people --quiet
costs 'the same words about a new version' "$by_sex" --epsilon 1
err_has 'charged     epsilon 1 to people (add-remove)'
sed 's/age/agee/' kept.csv >people.csv
"$scrim" dataset update people --quiet 2>/dev/null
mark
refused 6 'a header without a column' 'scrim query: ' ask 'SELECT AVG(age) AS headless' --epsilon 1
: >people.csv
"$scrim" dataset update people --quiet 2>/dev/null
mark
refused 6 'A55 no header at all' 'scrim query: ' ask 'SELECT COUNT(*) AS empty' --epsilon 1
cp kept.csv people.csv
"$scrim" dataset update people --quiet

# ---- a file whose time alone has changed ----
printf 'u,x\na,1\nb,2\n' >touched.csv
"$scrim" dataset add touched --csv touched.csv --unit u --rows-per-unit 1 --column 'x=int[0,9]' --budget epsilon=4 --quiet
ran 0 'before a touch' "$scrim" query touched 'SELECT COUNT(*) AS n' --epsilon 1 --quiet
cp -p touched.csv former.csv
touch -d 2001-01-01 touched.csv
ran 6 'after a touch' "$scrim" query touched 'SELECT SUM(x) AS s' --epsilon 1
err_says "it has changed since it was declared; its owner can declare the new contents with 'scrim dataset update'; earlier questions are then charged again"
cp -p former.csv touched.csv
ran 0 'with its former time' "$scrim" query touched 'SELECT SUM(x) AS s' --epsilon 1 --quiet
touch -d 2001-01-01 touched.csv
ran 0 'with a new version' "$scrim" dataset update touched
err_has "answers to version 1 are no longer repeated free of charge; 'scrim replay' still shows them"
ran 0 'with a new version: charged again' "$scrim" query touched 'SELECT COUNT(*) AS n' --epsilon 1
err_has 'charged     epsilon 1 to touched (add-remove)'

# ---- standard input as the source ----
# shellcheck disable=SC2086 # words
"$scrim" dataset add stream --csv - $columns --budget epsilon=10 --quiet
stream() { "$scrim" query stream 'SELECT COUNT(*) AS n' --epsilon 2 "$@" <kept.csv; }
ran 0 'standard input' stream
check 'standard input: it was read' awk -F , 'NR == 2 && ($1 < 2900 || $1 > 3100) { exit 1 }' out
ran 0 'standard input again' stream
check 'standard input again: is charged again' test "$(left stream)" = 6
ran 2 'standard input for both' stream --file -
check 'standard input for both: nothing was charged' test "$(left stream)" = 6

# ---- a quantum hides the time (A53) ----
# shellcheck disable=SC2086 # words
"$scrim" dataset add slow --csv kept.csv $columns --budget epsilon=10 --max-size 1MiB --quantum 0.3 --quiet
ran 0 'A53 a quantum is shown' "$scrim" dataset show slow --format csv
out_has 'quantum,0.3'
ran 0 'A53 explain says so' "$scrim" explain slow "$by_sex" --epsilon 1
out_has 'answered at a multiple of 0.3 s'
ran 0 'A53 explain says so in JSON' "$scrim" explain slow "$by_sex" --epsilon 1 --json
out_has '"quantum": "0.3"'
start=$(date +%s%N)
ran 0 'A53 a question waits for it' "$scrim" query slow "$by_sex" --epsilon 1 --quiet
check 'A53 a question waits for it: not before' test $((($(date +%s%N) - start) / 1000000)) -ge 300
ran 0 'A53 a quantum taken away' "$scrim" dataset set slow --quantum none --quiet
ran 0 'A53 a quantum taken away: it is gone' "$scrim" dataset show slow --format csv
out_has 'version,1'
check 'A53 a quantum taken away: indeed' sh -c '! grep -q quantum out'
ran 0 'A53 a quantum taken away: the same question' "$scrim" query slow "$by_sex" --epsilon 1 --quiet
check 'A53 a quantum taken away: is charged once' test "$(left slow)" = 9
ran 0 'A53 a cap' "$scrim" dataset set slow --cap epsilon=0.5
err_is 'changed dataset slow (version 1), budget "slow"
cap         one query to slow costs epsilon 0.5 at most'
ran 3 'A53 a cap: holds' "$scrim" query slow 'SELECT COUNT(*)' --epsilon 1 --quiet
ran 0 'A53 other terms: the ledger holds' "$scrim" ledger verify --quiet
"$scrim" ledger export >terms.jsonl
check 'A53 other terms: so does its export' sh "$root/tests/vault/check_export.sh" terms.jsonl
for quantum in 0 -1 3601 x ''; do
    ran 2 "A53 no quantum: '$quantum'" "$scrim" dataset set slow --quantum "$quantum"
    err_has '--quantum'
done

# ---- explain opens no data (THREATS 3.3) ----
rm people.csv
for trap_ in none fifo folder; do
    case $trap_ in
    fifo) mkfifo people.csv ;;
    folder) rm people.csv && mkdir people.csv ;;
    esac
    mark
    ran 0 "explain where the source is $trap_" timeout 10 "$scrim" explain people "$by_sex" --epsilon 0.3
    unmoved
    refused 6 "query where the source is $trap_" 'scrim query: ' timeout 10 "$scrim" query people "$by_sex" --epsilon 0.3
done
rmdir people.csv
cp kept.csv people.csv
"$scrim" dataset update people --quiet
opened() { grep -F -e "$1" trace | grep -v ENOENT; }
# The program lets no other process read its memory, so that names of files are shown to root alone.
if [ "$(id -u)" -eq 0 ] && command -v strace >/dev/null 2>&1 && strace -o trace true 2>/dev/null; then
    # Instruments that look for leaks cannot while they are watched.
    export ASAN_OPTIONS=detect_leaks=0
    ran 0 'explain, watched' strace -f -o trace "$scrim" explain people "$by_sex" --epsilon 0.3
    check 'explain, watched: the vault was opened' opened scrim.vault
    check 'explain, watched: the data were not named to the system' sh -c '! grep -q people.csv trace'
    ran 0 'query, watched' strace -f -o trace "$scrim" query people "$by_sex" --epsilon 0.3
    check 'query, watched: the data were' opened people.csv
    unset ASAN_OPTIONS
else
    skip 'explain, watched' 'this is not root, or strace is not installed or may not trace'
fi

# ---- noise alone: shown as what it is to people, as it was drawn to programs ----
numbers=$(awk 'BEGIN { for (i = 0; i < 40; i++) printf "%s%d", i ? "," : "", i }')
"$scrim" dataset add empty --csv people.csv --unit id --rows-per-unit 1 --column 'age=int[0,120]' --column city=text \
    --keys "city=$numbers" --budget epsilon=9 --quiet 2>/dev/null
noise='SELECT city, COUNT(*) AS n, AVG(age) AS a, SUM(age) / COUNT(*) AS q GROUP BY city'
ran 0 'groups without rows' "$scrim" query empty "$noise" --epsilon 0.1 --format csv
cp out drawn
check 'some counts are below 0, others not' awk -F , 'NR > 1 { $2 < 0 ? below++ : above++ } END { exit !(below && above) }' drawn
check 'their intervals reach to them' awk -F , 'NR > 1 && $2 < 0 && $3 != $2 { exit 1 }' drawn
ran 0 'groups without rows, as a table' "$scrim" query empty "$noise" --epsilon 0.1 --format table
# Noise exceeds its interval now and then: of 82 cells about 4 look as if they had rows.
check 'means and quotients of no rows are no usable values' test "$(grep -o 'no usable value' out | wc -l)" -ge 41
tr -s '\n ' ' ' <err >flat
check 'it says what about 0 means' grep -q 'about 0: noise took the number beyond 0; CSV and JSON have it as it was drawn' flat
check 'and what no usable value is' grep -q 'no usable value: the noise leaves everything possible; a larger epsilon or fewer groups help' flat
ran 0 'nothing odd' ask 'SELECT COUNT(*) AS n, AVG(age) AS plain' --epsilon 1 --format table
check 'nothing odd: no words about it' sh -c '! grep -q -e "about 0:" -e "no usable value:" err'

# Alone, so that no cell is broken into lines. A count whose whole interval is below 0 tells nothing.
ran 0 'counts of no rows' "$scrim" query empty 'SELECT city, COUNT(*) AS n GROUP BY city' --epsilon 0.1 --format csv
cp out drawn
ran 0 'counts of no rows, as a table' "$scrim" query empty 'SELECT city, COUNT(*) AS n GROUP BY city' --epsilon 0.1 --format table
check 'each count below 0 is about 0, between 0 and its end' test "$(grep -c -e 'about 0  *\[ *0, *[0-9]*\]' -e 'no usable value  *│' -e 'no usable value  *|' out)" -eq \
    "$(awk -F , 'NR > 1 && $2 < 0' drawn | wc -l)"

# ---- readers who go away, disks that are full (A68) ----
released() { "$scrim" ledger --quiet --format csv | sed 1d | wc -l; }
last() { "$scrim" ledger --quiet --format csv | tail -n 1 | cut -d , -f 1; }
before=$(released)
ran 0 'a pipe into head' sh -c "'$scrim' query people 'SELECT COUNT(*) AS head' --epsilon 0.1 --quiet | head -n 1"
out_is 'head,head_low,head_high'
check 'a pipe into head: charged once' test "$(released)" -eq $((before + 1))
mkfifo unread
# shellcheck disable=SC2094 # that is the trick
exec 4<>unread 5>unread 4<&-
got=0
ask 'SELECT COUNT(*) AS unread' --epsilon 0.1 >&5 2>words || got=$?
exec 5>&-
check 'nobody reads: 141' test $got -eq 141
check 'nobody reads: the last words name the release' grep -q -x \
    "scrim query: release $(last) is charged; 'scrim replay $(last)' shows it again, free of charge" words
ran 0 'nobody reads: it can be replayed' "$scrim" replay "$(last)" --quiet
out_lines 2
ran 1 'a full disk' sh -c "'$scrim' query people 'SELECT COUNT(*) AS full' --epsilon 0.11 >/dev/full"
err_has "is charged"
ran 0 'a full disk: it can be replayed' "$scrim" replay "$(last)" --quiet
check 'a full disk: the answer is there' grep -q full_low out
ran 0 'the ledger holds after all' "$scrim" ledger verify --quiet
finish
