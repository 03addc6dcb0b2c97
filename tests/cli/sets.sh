#!/bin/sh
# ROLLUP, CUBE and GROUPING SETS: asked, explained, replayed, labelled, and refused where a total does not follow.
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
SCRIM_VAULT=$work/v
export SCRIM_VAULT

# 40 customers with a row in a, b and z, which is on no list; half of them have no sex.
{
    echo customer_id,city,sex,amount
    i=1
    while [ "$i" -le 40 ]; do
        [ $((i % 2)) -eq 0 ] && s=F || s=
        printf '%s,a,%s,1\n%s,b,%s,2\n%s,z,%s,4\n' "$i" "$s" "$i" "$s" "$i" "$s"
        i=$((i + 1))
    done
} >"$work/orders.csv"
"$scrim" init --quiet --no-witness
"$scrim" dataset add orders --csv "$work/orders.csv" --unit customer_id --column city=text --column sex=text \
    --column 'amount=int[0,4]' --keys city=a,b --keys sex=F,M --missing city=a --max-total-rows 3 \
    --budget epsilon=100000,delta=0.1 --quiet 2>"$work/added"

# is NAME QUESTION ANSWER: the answer, without intervals, at so large an epsilon that noise is nothing.
is() {
    "$scrim" query orders "$2" --epsilon 900 --cut-share 0 --json 2>"$work/err" |
        python3 -c 'import json, sys
for row in json.load(sys.stdin)["rows"]:
    print(*(cell["value"] if isinstance(cell, dict) else cell for cell in row.values()))' >"$work/got"
    printf '%s\n' "$3" >"$work/want"
    check "$1" diff "$work/want" "$work/got"
}
is 'a rollup, whose totals are told from NULL' \
    'SELECT city, sex, COUNT(*) AS n, SUM(amount) AS s GROUP BY ROLLUP(city, sex)' \
    'a F 20 20 0
a M 0 0 0
a None 20 20 0
a None 40 40 1
b F 20 40 0
b M 0 0 0
b None 20 40 0
b None 40 80 1
None None 80 120 3'
is 'sets without the finest one, chosen by released numbers' \
    'SELECT city, sex, AVG(amount) AS m, GROUPING(sex) AS g GROUP BY GROUPING SETS ((city), (sex), ()) HAVING g = 1 ORDER BY m DESC LIMIT 2' \
    'b None 2.0 1 1
None None 1.5 1 3'

# Three sets with the same number, one advice.
"$scrim" explain orders 'SELECT city, sex, SUM(amount) AS s GROUP BY ROLLUP(city, sex)' --epsilon 0.01 --json |
    python3 -c 'import json, sys
said = [column["caution"] for s in json.load(sys.stdin)["statements"] for column in s["columns"] if "caution" in column]
assert len(said) == 1 and "as large as the sum" in said[0], said' && got=0 || got=1
check 'an advice for all sets is said once' test "$got" -eq 0

# At a small epsilon numbers are far off, and parts add up all the same.
"$scrim" query orders 'SELECT city, sex, COUNT(*) AS n, SUM(amount) AS s GROUP BY ROLLUP(city, sex) WITH CONSISTENT TOTALS' \
    --epsilon 0.1 --json 2>"$work/err" |
    python3 -c 'import json, sys
rows = [tuple(row.values()) for row in json.load(sys.stdin)["rows"]]
for column in (2, 3):
    for level, coarser in ((0, 1), (1, 3)):
        for total in rows:
            if total[4] == coarser:
                parts = [row for row in rows if row[4] == level and (coarser == 3 or row[0] == total[0])]
                assert len(parts) > 1 and sum(row[column]["value"] for row in parts) == total[column]["value"], total
                assert total[column]["low"] <= total[column]["value"] <= total[column]["high"]
print("they add up")' >"$work/got"
check 'consistent totals' grep -q 'they add up' "$work/got"

q='SELECT city, sex, COUNT(*) AS n GROUP BY CUBE(city, sex)'
ran 0 'explain has a plan of each set' "$scrim" explain orders "$q" --epsilon 900
out_has 'set         city, sex'
out_has 'set         all rows'
ran 0 'a table' "$scrim" query orders "$q" --epsilon 900 --format table
out_has '| (all) | (all) | 80  [80, 80] | 3        |'
cp "$work/out" "$work/first"
ran 0 'asked again it is free' "$scrim" query orders "$q" --epsilon 900 --format table
check 'and the same' cmp -s "$work/first" "$work/out"
err_has 'nothing was charged'
ran 0 'a replay' "$scrim" replay 4 --format table
check 'is the same' cmp -s "$work/first" "$work/out"
ran 0 'a label' "$scrim" report 4
out_has 'keys.2.set city'
out_has 'keys.4.set all rows'
cp "$work/out" "$work/label"
ran 0 'holds' "$scrim" report verify "$work/label"
ran 0 'its page' "$scrim" report 4 --html "$work/label.html"
check 'has the question once' test "$(grep -c 'class="question"' "$work/label.html")" -eq 1

printf 'SELECT city, COUNT(*) GROUP BY ROLLUP(city);\nSELECT COUNT(*);\n' >"$work/batch.sql"
ran 2 'not in a batch' "$scrim" query orders --file "$work/batch.sql" --epsilon 1
err_has 'beside other queries of a batch'
ran 2 'not in a series' "$scrim" series create s orders 'SELECT city, COUNT(*) GROUP BY ROLLUP(city)' --epsilon 1 --count 2
err_has 'in a series'
ran 2 'nor of people in several groups' "$scrim" query orders 'SELECT city, COUNT(DISTINCT customer_id) AS n GROUP BY ROLLUP(city)' --epsilon 1
err_has 'would count several times in a total'
ran 3 'nor of medians' "$scrim" query orders 'SELECT city, MEDIAN(amount) GROUP BY ROLLUP(city)' --epsilon 1
err_has 'does not follow from those of its parts'
finish
