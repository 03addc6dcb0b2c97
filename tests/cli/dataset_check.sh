#!/bin/sh
# scrim dataset check: what the owner is told of raw data, how it is marked, and that nobody else is.

place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
seeded=$(cd "$O" && pwd)/scrim-test
cd "$work" || exit 1

# ---- all is as declared ----
printf 'person_id,age,sex\n1,30,Female\n2,41,Male\n3,,Female\n' >adult.csv
ran 0 'init' "$scrim" init --quiet
ran 0 'add' "$scrim" dataset add adult --csv adult.csv --unit person_id --rows-per-unit 1 --column 'age=int[0,120]' --column sex=text \
    --missing age=0 --keys sex=Female,Male --budget epsilon=3 --quiet
ran 0 'as declared' "$scrim" dataset check adult
out_is 'mark,column,finding,count,holds,effect,first_rows
SENSITIVE,,rows,3,yes,,
SENSITIVE,,rows-counted,3,yes,,
SENSITIVE,,units,3,yes,,
SENSITIVE,,most-rows,1,yes,,
SENSITIVE,age,readable,2,yes,,
SENSITIVE,age,missing,1,yes,default,4
SENSITIVE,sex,readable,3,yes,,'
err_is 'SENSITIVE: adult, version 1, is as declared'
ran 0 'as declared, quietly' "$scrim" dataset check adult --quiet
err_is ''

# ---- and not: status 7, the rows by number, no value ----
cat >>adult.csv <<'END'
2,241,Male
4,-3,male
5,forty-two,Female
6,20.5,Female

,44,Male
7,"45,Male
8,46
9,47,Male,x
END
wrong='scrim dataset: SENSITIVE: 8 findings of adult, version 2, are not as declared; fix the file and run'
wrong="$wrong 'scrim dataset update adult', or change the policy with 'scrim dataset set adult ...'"
ran 7 'another file than that of the version' "$scrim" dataset check adult
out_has 'SENSITIVE,,source-changed,1,no,refused,'
err_lines 6
err_has 'scrim dataset: SENSITIVE: 9 findings of adult, version 1, are not as declared'
ran 0 'update' "$scrim" dataset update adult --quiet
ran 7 'not as declared' "$scrim" dataset check adult
out_is 'mark,column,finding,count,holds,effect,first_rows
SENSITIVE,,rows,11,yes,,
SENSITIVE,,rows-counted,7,yes,,
SENSITIVE,,wrong-fields,2,no,dropped,12 13
SENSITIVE,,broken-row,1,no,dropped,11
SENSITIVE,,no-unit,1,no,dropped,10
SENSITIVE,,units,6,yes,,
SENSITIVE,,most-rows,2,yes,,
SENSITIVE,,over-max-rows,1,no,bounded,
SENSITIVE,age,readable,6,yes,,
SENSITIVE,age,missing,1,yes,default,4
SENSITIVE,age,unreadable,1,no,default,7
SENSITIVE,age,below-range,1,no,clamped,6
SENSITIVE,age,above-range,1,no,clamped,5
SENSITIVE,age,rounded,1,yes,rounded,8
SENSITIVE,sex,readable,8,yes,,
SENSITIVE,sex,other-key,1,no,ungrouped,6'
err_is "SENSITIVE: 1 unit has more than one row, though rows-per-unit 1 is declared; queries ignore further rows; declare a bound: 'scrim dataset set adult --max-total-rows N'
SENSITIVE: 1 cell of age cannot be read; if a word there means missing, such as NA, declare it: 'scrim dataset set adult --null WORD'
SENSITIVE: 1 of 6 readable cells of age is below the range; if the range is wrong, declare another: 'scrim dataset set adult --column \"age=int[SMALLEST,120]\"'
SENSITIVE: 1 of 6 readable cells of age is above the range; if the range is wrong, declare another: 'scrim dataset set adult --column \"age=int[0,LARGEST]\"'
SENSITIVE: 1 cell of sex is not on its list of keys, so its row is in no group; GROUP BY LOWER(TRIM(sex)) counts it
$wrong"
ran 7 'not as declared, quietly' "$scrim" dataset check adult --quiet
err_is "$wrong"
for format in table csv json jsonl; do
    ran 7 "every line is marked: $format" "$scrim" dataset check adult --format "$format"
    check "no value is shown: $format" sh -c "! cat '$work/out' '$work/err' | grep -q -e 241 -e forty -e '-3' -e 'male'"
done
# Of CSV the names have no mark, of JSON the brackets; a table has it above.
marked() { "$scrim" dataset check adult --format "$1" 2>/dev/null | grep -c -v -e SENSITIVE; }
check 'every line is marked: csv' test "$(marked csv)" -eq 1
check 'every line is marked: jsonl' test "$(marked jsonl)" -eq 0
check 'every line is marked: json' test "$(marked json)" -eq 2
ran 7 'as JSON' "$scrim" dataset check adult --json
out_has '{"mark": "SENSITIVE", "column": "age", "finding": "above-range", "count": 1, "holds": "no", "effect": "clamped", "first_rows": "5"}'
check 'as JSON: it is JSON' sh -c "! command -v python3 >/dev/null || python3 -m json.tool <'$work/out'"
ran 7 'as a table' "$scrim" dataset check adult --format table
check 'as a table: the mark comes first' test "$(head -n 1 "$work/out")" = 'SENSITIVE: raw data, for the owner only'
check 'as a table: the mark is there once' test "$(grep -c SENSITIVE "$work/out")" -eq 1
check 'as a table: within 80 columns' sh -c "! LC_ALL=C.UTF-8 grep -E '^.{81,}' '$work/out'"

# ---- a range that most values miss, and words beside a list of them ----
printf 'who,cost,day\na,120,2025-01-02\nb,90,31.02.2025\nc,-,2025-01-03\n' >costs.csv
ran 0 'costs: add' "$scrim" dataset add costs --csv costs.csv --unit who --rows-per-unit 1 --column 'cost=int[0,20]' --null n/a \
    --column 'day=date[01.01.2024,31.12.2024]' --budget epsilon=1 --quiet
ran 7 'costs: check' "$scrim" dataset check costs
err_has "SENSITIVE: all readable cells of cost are above the range; if the range is wrong, declare another: 'scrim dataset set costs --column \"cost=int[0,LARGEST]\"'"
err_has "SENSITIVE: 1 cell of cost cannot be read; if a word there means missing, such as NA, declare it: 'scrim dataset set costs --null n/a,WORD'"
err_has "'scrim dataset set costs --column \"day=date[2024-01-01,LARGEST]\"'"
check 'costs: digits are no word' sh -c '! grep -q "of day cannot be read" "$1"' sh "$work/err"

# ---- who can be told apart ----
printf 'person_id,age,sex,job\n1,30,F,cook\n1,31,F,cook\n2,30,M,cook\n3,30,M,nurse\n4,40,F,nurse\n5,40,F,nurse\n' >town.csv
ran 0 'risk: add' "$scrim" dataset add town --csv town.csv --unit person_id --max-total-rows 2 --column 'age=int[0,120]' --column sex=text \
    --column job=text --budget epsilon=1 --quiet
ran 0 'risk' "$scrim" dataset check town --risk --columns age,sex --sensitive job
out_is 'mark,columns,unique,percent,k,classes,l,t,certain,set
SENSITIVE,1,1,20.00,1,3,1,0.5000,3,age
SENSITIVE,2,1,20.00,1,4,1,0.5000,3,"age,sex"'
err_is 'SENSITIVE: 1 of 5 people of town are unique by 2 columns; whoever knows these values finds their rows in a copy of the file'
ran 0 'risk of all columns' "$scrim" dataset check town --risk --quiet
out_has 'SENSITIVE,3,3,60.00,1,5,,,,"age,sex,job"'
err_is ''
for format in table csv json jsonl; do
    ran 0 "risk: no value is shown: $format" "$scrim" dataset check town --risk --sensitive job --format "$format"
    check "risk: no value is shown: $format" sh -c "! cat '$work/out' '$work/err' | grep -q -e cook -e nurse"
done
ran 2 'risk: an unknown column' "$scrim" dataset check town --risk --columns age,sx
err_is "scrim dataset: the dataset has no column 'sx'; 'scrim dataset show' lists the columns"
ran 2 'risk: columns of another check' "$scrim" dataset check town --columns age
err_is 'scrim dataset: --columns needs --risk'
ran 0 'bounds beside a declared total' "$scrim" dataset check town --bounds --by sex --epsilon 1 --format table
err_has " --max-total-rows none --bounds-from check'"
ran 2 'risk: two checks' "$scrim" dataset check town --risk --bounds
err_is 'scrim dataset: --bounds and --risk are two checks; ask for one'

# ---- nothing of it is kept ----
before=$("$scrim" ledger export | cksum)
ran 7 'once more' "$scrim" dataset check adult
check 'the ledger is as it was' test "$("$scrim" ledger export | cksum)" = "$before"
ran 0 'an owner without a share of the budget' "$scrim" ledger verify --quiet

# ---- a table of a database ----
if command -v sqlite3 >/dev/null 2>&1; then
    sqlite3 people.db "CREATE TABLE people (id, age); INSERT INTO people VALUES (1, 30), (2, 30.5), (NULL, 1), (3, 'x')"
    ran 0 'a database' "$scrim" dataset add people --sqlite people.db --table people --unit id --rows-per-unit 1 --column 'age=int[0,120]' \
        --budget epsilon=1 --quiet
    ran 7 'a database: not as declared' "$scrim" dataset check people
    out_is 'mark,column,finding,count,holds,effect,first_rows
SENSITIVE,,rows,4,yes,,
SENSITIVE,,rows-counted,3,yes,,
SENSITIVE,,no-unit,1,no,dropped,3
SENSITIVE,,units,3,yes,,
SENSITIVE,,most-rows,1,yes,,
SENSITIVE,age,readable,3,yes,,
SENSITIVE,age,unreadable,1,no,null,4
SENSITIVE,age,rounded,1,yes,rounded,2'
else
    skip 'a database' 'sqlite3 is not installed'
fi

# ---- a stream has no version ----
ran 0 'a stream' "$scrim" dataset add stream --csv - --unit row --column 'x=int[0,9]' --budget epsilon=1 --quiet
ran 7 'a stream: not as declared' sh -c "printf 'x\n1\n10\n' | '$scrim' dataset check stream"
out_has 'SENSITIVE,x,above-range,1,no,clamped,3'

# ---- what to do about it ----
printf 'who,paid\na,ja\na,yes\na,T\n' >paid.csv
ran 0 'words that are no bool' "$scrim" dataset add paid --csv paid.csv --unit who --rows-per-unit 1 --column paid=bool --budget epsilon=1 --quiet
ran 7 'words that are no bool, checked' "$scrim" dataset check paid
err_has 'SENSITIVE: 1 cell of paid is not bool; bool reads true, t, yes, y, 1, false, f, no, n and 0'
err_has "'scrim dataset set paid --column paid=text --keys paid=ja,nein'"
awk 'BEGIN { print "who,paid"; for (i = 0; i < 60; i++) print i "," (i == 7 ? "yess" : i % 2 ? "yes" : "no") }' >slips.csv
ran 0 'a slip in a bool column' "$scrim" dataset add slips --csv slips.csv --unit who --rows-per-unit 1 --column paid=bool --budget epsilon=1 --quiet
ran 7 'a slip in a bool column, checked' "$scrim" dataset check slips --format table
err_has "SENSITIVE: 1 cell of paid is not bool; bool reads true, t, yes, y, 1, false, f, no, n and 0; correct it in the file, then 'scrim dataset update slips'"
# shellcheck disable=SC2016 # for sh
check 'a slip: no word of text' sh -c '! grep -q "paid=text" "$1"' sh "$work/err"
out_has '| column | finding      | count | as declared | effect | lines |'
out_has '| paid   | unreadable   | 1     | no          | null   | 9     |'
ran 0 'words that are no bool: the command' "$scrim" dataset set paid --column paid=text --keys paid=ja,yes,T --quiet
ran 7 'more than one row is not as declared' "$scrim" dataset check paid --format table
out_has '| units over max-rows | 1     | no          | rest ignored |'
err_has "SENSITIVE: 1 unit has more than one row, though rows-per-unit 1 is declared; queries ignore further rows; declare a bound: 'scrim dataset set paid --max-total-rows N'"
ran 0 'a bound is declared instead' "$scrim" dataset set paid --max-total-rows 1 --quiet
ran 0 'more rows than the bound are as declared' "$scrim" dataset check paid
out_has 'SENSITIVE,,over-max-rows,1,yes,bounded,'
ran 0 'more rows than the bound are allowed' "$scrim" dataset check paid --format table
out_has '| units over max-rows | 1     | allowed     | rest ignored |'
err_is "SENSITIVE: 1 unit has more rows than the contribution bounds allow; queries work and ignore further rows; 'scrim dataset check paid --bounds' compares bounds
SENSITIVE: paid, version 3, is as declared"

# ---- refusals ----
# refused STATUS NAME MESSAGE ARGUMENT...: the status, and the message in one line.
refused() {
    want=$1 label=$2 message=$3
    shift 3
    ran "$want" "$label" "$scrim" "$@"
    out_is ''
    err_lines 1
    err_has "scrim dataset: $message"
}
ran 0 'no source' "$scrim" dataset add bare --unit row --budget epsilon=1 --quiet
refused 2 'no source: nothing to look at' 'the policy names no source' dataset check bare
refused 2 'no name' "name the dataset, as in 'scrim dataset check adult'" dataset check
refused 2 'two names' "unexpected argument 'b'" dataset check a b
refused 2 'a name that is not there' "unknown dataset 'adlut'; did you mean 'adult'?" dataset check adlut
refused 2 'an option of the policy' 'unexpected argument --unit' dataset check adult --unit row
refused 2 'an update of a column' "update takes no --column; 'scrim dataset set adult' changes the policy, also with --csv" \
    dataset update adult --csv adult.csv --column 'age=int[0,9]'
refused 2 'a format that is none' '--format must be table, csv, json or jsonl' dataset check adult --format yaml
refused 2 'a verb that is nearly it' "unknown subcommand 'chek'; did you mean 'check'?" dataset chek adult
refused 5 'no vault' "there is no vault at 'none.vault'" dataset check adult --vault none.vault
printf 'person_id,sex\n1,Male\n' >adult.csv
refused 6 'a column that is gone' "the header of the source has no column 'age'" dataset check adult
rm adult.csv
refused 6 'a file that is gone' 'the source' dataset check adult
if [ -e /dev/full ]; then
    ran 1 'a full disk' sh -c "printf 'x\n1\n' | '$scrim' dataset check stream >/dev/full"
    err_has 'cannot write standard output'
fi

# ---- keys off the list: rows that are in no group ----
printf 'who,branch\na,Central\na,CENTRAL\nb, North\nc,North \nd,South\ne,north\nf,North\n' >loans.csv
ran 0 'keys off the list' "$scrim" dataset add loans --csv loans.csv --unit who --max-groups 2 --max-rows 4 --column branch=text \
    --missing branch=North --keys branch=Central,North --budget epsilon=999 --quiet
ran 7 'keys off the list: check' "$scrim" dataset check loans
out_has 'SENSITIVE,branch,other-key,5,no,ungrouped,3 4 5 6 7'
err_has 'SENSITIVE: 5 cells of branch are not on its list of keys, so their rows are in no group; GROUP BY LOWER(TRIM(branch)) counts 4 of them'
ran 0 'keys off the list: the query that counts them' "$scrim" query loans \
    'SELECT LOWER(TRIM(branch)) AS b, COUNT(*) AS n GROUP BY b' --epsilon 400 --quiet
check 'keys off the list: the count is that' test "$(awk -F , 'NR > 1 { n += $2 } END { print n }' "$work/out")" = 6
ran 0 'keys off the list: bounds' "$scrim" dataset check loans --bounds --by branch --format table
err_has 'SENSITIVE: 5 rows have a key that is not on its list: they are in no group, and kept does not count them'
ran 0 'keys off the list: bounds by the other key' "$scrim" dataset check loans --bounds --by 'LOWER(TRIM(branch))' --format csv
err_has 'SENSITIVE: 1 row has a key that is not on its list: it is in no group, and kept does not count it'
printf 'who,branch\na,Central\nb,East\n' >loans.csv
"$scrim" dataset update loans --quiet
ran 7 'keys off the list: other words' "$scrim" dataset check loans
err_has "SENSITIVE: 1 cell of branch is not on its list of keys, so its row is in no group; correct it in the file, or list all keys anew: 'scrim dataset set loans --keys branch=KEY,KEY'"
printf 'who,branch\na,Central\nb,North\n' >loans.csv
"$scrim" dataset update loans --quiet
ran 0 'keys off the list: none' "$scrim" dataset check loans --bounds --by branch --format table
check 'keys off the list: none is said' sh -c "! grep -q 'not on its list' '$work/err'"

# ---- bounds: what each choice keeps, and what it needs ----
printf 'who,city,x\na,u,4\na,u,6\na,v,10\nb,v,1\n' >orders.csv
ran 0 'a table of several rows a person' "$scrim" dataset add orders --csv orders.csv --unit who --column city=text \
    --column 'x=int[0,10]' --max-groups 1 --max-rows 1 --budget epsilon=3 --quiet
ran 0 'bounds' "$scrim" dataset check orders --bounds
out_is 'mark,question,groups,rows,total,kept,bias,noise,error,best
SENSITIVE,COUNT(*),1,1,,0.5000,2,,,
SENSITIVE,COUNT(*),1,2,,0.7500,1,,,
SENSITIVE,COUNT(*),1,3,,1.0000,0,,,
SENSITIVE,SUM(x),1,1,,0.3651,13.3333,,,
SENSITIVE,SUM(x),1,2,,1.0000,0,,,
SENSITIVE,SUM(x),1,3,,1.0000,0,,,'
ran 0 'bounds by a key, with noise' "$scrim" dataset check orders --bounds --by city --epsilon 2
out_is 'mark,question,groups,rows,total,kept,bias,noise,error,best
SENSITIVE,COUNT(*),1,1,,0.5000,1,0.707107,1.22474,best
SENSITIVE,COUNT(*),1,2,,0.6250,0.75,1.41421,1.60078,
SENSITIVE,COUNT(*),2,1,,0.7500,0.5,1.41421,1.5,
SENSITIVE,COUNT(*),2,2,,1.0000,0,2.82843,2.82843,
SENSITIVE,SUM(x),1,1,,0.4048,6.25,7.07107,9.43729,
SENSITIVE,SUM(x),1,2,,0.5238,5,14.1421,15,
SENSITIVE,SUM(x),2,1,,0.7619,2.5,14.1421,14.3614,
SENSITIVE,SUM(x),2,2,,1.0000,0,28.2843,28.2843,
SENSITIVE,SUM(x),1,,5,0.2857,7.5,3.53553,8.29156,
SENSITIVE,SUM(x),2,,3,0.3333,7,4.24264,8.18535,best'
awk 'BEGIN { print "who,city,x"; for (i = 0; i < 4; i++) print "a,c" i ",1" }' >four.csv
ran 0 'four groups' "$scrim" dataset add four --csv four.csv --unit who --column city=text \
    --column 'x=int[0,10]' --max-groups 1 --max-rows 1 --budget epsilon=3 --quiet
ran 0 'bounds of four groups' "$scrim" dataset check four --bounds --by city
out_has 'SENSITIVE,COUNT(*),3,1,,0.7500,'
out_has 'SENSITIVE,COUNT(*),4,1,,1.0000,0'
# shellcheck disable=SC2016  # sh -c expands it
check 'bounds of four groups: none beyond' sh -c '! grep -q "COUNT(\*),5," "$1"' sh "$work/out"
ran 0 'bounds as a table' "$scrim" dataset check orders --bounds --format table
out_has 'SENSITIVE: raw data'
err_is 'kept is the part of the rows or of the sum that is used, bias what is missing of a group. Choices that keep less than half, or no more than smaller bounds, are not shown; --verbose shows all.
--epsilon E adds the noise of one question and marks the best choice
other bounds that you choose by this table depend on the data too: set them with --bounds-from check'
ran 0 'bounds as a table, without keys' "$scrim" dataset check orders --bounds --epsilon 2 --format table
err_is "best total has the smallest error for that question alone. Kept, noise and error are with max-total-rows 2, for a group of mean size: noise is the standard deviation, error the noise and the rows that are left out together.
SENSITIVE: best total for these questions: 'scrim dataset set orders --max-groups none --max-rows none --max-total-rows 2 --bounds-from check'
--by KEYS compares groups and rows for questions by these keys; --verbose shows what every bound keeps
bounds that you choose by this table depend on the data: set them with --bounds-from check"
# Of 4 rows a total of 1 keeps 2, of 2 keeps 3: noise T sqrt(2)/2 of 4. The sum 21 is clamped to 10 T a person, of 20 and 1:
# noise 10 T sqrt(2)/2.
ran 0 'typical questions' "$scrim" dataset check orders --bounds --epsilon 2
out_is 'mark,question,groups,best_total_rows,best_error,max_total_rows,kept,noise,error
SENSITIVE,COUNT(*),1,2,0.433013,2,0.750000,0.353553,0.433013
SENSITIVE,SUM(x),1,2,0.673435,2,1.000000,0.673435,0.673435'
awk 'BEGIN { print "who,city,day,paid,x"; for (i = 0; i < 40; i++) for (j = 0; j <= i % 4; j++)
    printf "%d,%s,2024-%02d-01,%s,%d\n", i, j % 2 ? "u" : "v", 1 + j, j % 2 ? "yes" : "no", j - 1 }' >keyed.csv
for neighbours in add-remove replace; do
    ran 0 'typical questions by keys' "$scrim" dataset add "$neighbours" --csv keyed.csv --unit who --column city=text --keys city=u,v \
        --missing city=u --column 'day=date[2024-01-01,2025-12-31]' --missing day=2024-01-01 --column paid=bool --missing paid=no \
        --column 'x=int[-1,3]' --max-total-rows 1 --budget epsilon=1 --neighbours "$neighbours" --no-check --quiet
    ran 0 'typical questions by keys: the table' "$scrim" dataset check "$neighbours" --bounds --epsilon 200
    out_has 'COUNT(*) by city,2,'
    out_has "\"COUNT(*) by DATE_TRUNC('month', day)\",24,"
    out_has 'SUM(x) by paid,2,'
    # 100 rows, of which 4 of a person are all; people add 40 without signs. One group of a sum under replace: 4 of width 4; two: 2 times 4 of 3.
    times=$(test "$neighbours" = replace && echo 2 || echo 1)
    check 'noise of groups' awk -F , -v times="$times" '$2 == "COUNT(*) by city" {
        is = $6 == 4 && $7 == 1 && ($8 - times * 4 * sqrt(2) / 200 * 2 / 100) ^ 2 < 1e-11 } END { exit !is }' out
    check 'noise of one sum' awk -F , -v reach="$(test "$neighbours" = replace && echo 4 || echo 3)" '$2 == "SUM(x)" {
        is = ($8 - reach * 4 * sqrt(2) / 200 / 40) ^ 2 < 1e-11 } END { exit !is }' out
    check 'noise of groups of a sum' awk -F , -v times="$times" '$2 == "SUM(x) by city" {
        is = ($8 - times * 3 * 4 * sqrt(2) / 200 / 20) ^ 2 < 1e-11 } END { exit !is }' out
done
ran 0 'bounds as a table, by a key' "$scrim" dataset check orders --bounds --by city --epsilon 2 --format table
err_is "kept is the part of the rows or of the sum that is used, bias what is missing of a group, noise its standard deviation, error both together. Choices that keep less with a larger error are not shown, nor are most choices for sums; --verbose shows all.
SENSITIVE: best for COUNT(*): 'scrim dataset set orders --max-groups 1 --max-rows 1 --bounds-from check'
SENSITIVE: with max-groups 1, as for COUNT(*), the best total for x is 5: 'scrim dataset set orders --max-total x=5 --bounds-from check'
these bounds are best for questions by city only; --by KEYS compares bounds for questions by other keys
other bounds that you choose by this table depend on the data too: set them with --bounds-from check
city may be NULL, and NULL is a group of its own"
ran 0 'bounds by a key: questions without groups' "$scrim" dataset check orders --bounds --by city --epsilon 20 --format table
err_has "SENSITIVE: best for COUNT(*): 'scrim dataset set orders --max-groups 2 --max-rows 2 --bounds-from check'
SENSITIVE: without GROUP BY --max-rows 2 keeps 75 % of these rows, since it is per group; add up the groups instead"
ran 0 'bounds: the command' "$scrim" dataset set orders --max-groups 1 --max-rows 1 --bounds-from check --missing city=u --quiet
ran 0 'bounds as a table, by a key with a default' "$scrim" dataset check orders --bounds --by city --epsilon 2 --format table
err_is "kept is the part of the rows or of the sum that is used, bias what is missing of a group, noise its standard deviation, error both together. Choices that keep less with a larger error are not shown, nor are most choices for sums; --verbose shows all.
SENSITIVE: best for COUNT(*): 'scrim dataset set orders --max-groups 1 --max-rows 1 --bounds-from check'
SENSITIVE: with max-groups 1, as for COUNT(*), the best total for x is 5: 'scrim dataset set orders --max-total x=5 --bounds-from check'
these bounds are best for questions by city only; --by KEYS compares bounds for questions by other keys
other bounds that you choose by this table depend on the data too: set them with --bounds-from check"
ran 0 'bounds: the command for totals' "$scrim" dataset set orders --max-total x=5 --bounds-from check --quiet
ran 0 'bounds with the best total declared' "$scrim" dataset check orders --bounds --by city --epsilon 2 --format table
err_is "kept is the part of the rows or of the sum that is used, bias what is missing of a group, noise its standard deviation, error both together. Choices that keep less with a larger error are not shown, nor are most choices for sums; --verbose shows all.
SENSITIVE: best for COUNT(*): 'scrim dataset set orders --max-groups 1 --max-rows 1 --bounds-from check'
these bounds are best for questions by city only; --by KEYS compares bounds for questions by other keys
other bounds that you choose by this table depend on the data too: set them with --bounds-from check"
ran 0 'a total that is declared' "$scrim" dataset set orders --max-total x=9 --quiet
ran 0 'bounds with a declared total' "$scrim" dataset check orders --bounds
out_has 'SENSITIVE,SUM(x),1,,9,0.4762,11,,,'
ran 0 'bounds with a declared total and a better one' "$scrim" dataset check orders --bounds --epsilon 2 --verbose --json
out_has '"question": "SUM(x)", "groups": 1, "rows": null, "total": "9", "kept": 0.4762'
out_has '"rows": null, "total": "10", "kept": 0.5238'
ran 0 'a total above and below' "$scrim" dataset set orders --column 'x=int[-10,10]' --max-total x=-5,9 --quiet
ran 0 'bounds with a total above and below' "$scrim" dataset check orders --bounds
out_has 'SENSITIVE,SUM(x),1,,"-5,9",0.4762,11,,,'
ran 0 'no total again' "$scrim" dataset set orders --column 'x=int[0,10]' --max-total x=none --quiet
ran 0 'bounds as a table, quietly' "$scrim" dataset check orders --bounds --by city --epsilon 2 --format table --quiet
err_is ''
# shellcheck disable=SC2016  # sh -c expands it
check 'a column that is read is not told of' sh -c '! grep -q "no cell" "$1"' sh "$work/err"
printf 'who;x;y\na;1,5;1\na;2,5;x\n' >comma.csv
ran 0 'a table with decimal commas' "$scrim" dataset add comma --csv comma.csv --separator ';' --unit who \
    --column 'x=decimal[0,10]' --column 'y=decimal[0,10]' --max-groups 1 --max-rows 1 --budget epsilon=3 --quiet
ran 0 'bounds of a column that cannot be read' "$scrim" dataset check comma --bounds
out_has 'SENSITIVE,SUM(x),1,1,,1.0000,0'
err_is 'SENSITIVE: x: no cell can be read; check its type, --decimal and --date-format'
ran 0 'the same, quietly' "$scrim" dataset check comma --bounds --quiet
err_is ''
# The table is short: a part for each question; --verbose, CSV and JSON have every choice.
ran 0 'the short table' "$scrim" dataset check orders --bounds --by city --epsilon 2 --format table --quiet
out_has '| 2      | total 3 | 0.3333 | 7    | 4.24  | 8.19  | best |'
check 'the short table: no choice that is outdone' test "$(grep -c '^| [0-9]' "$work/out")" = 6
for width in 40 50; do
    ran 0 "the short table in $width columns" env COLUMNS=$width "$scrim" dataset check orders --bounds --by city --epsilon 2 --format table
    out_has ' best |'
    check "the short table in $width columns: it fits" sh -c "! grep -q '^.\{$((width + 1))\}' '$work/out'"
done
out_has '| 2      | total 3 | 0.3333 | 8.19  | best |'
awk 'BEGIN { print "who,k"; for (i = 0; i < 2000; i++) print i % 20 "," i % 1000 }' >fine.csv
ran 0 'a table of very fine groups' "$scrim" dataset add fine --csv fine.csv --unit who --column 'k=int[0,999]' \
    --max-groups 1 --max-rows 1 --budget epsilon=3 --quiet
ran 0 'bounds where no choice is good' "$scrim" dataset check fine --bounds --by k --epsilon 0.5 --format table
err_has 'of the rows, so no choice is good. Ask by coarser groups, or with a larger epsilon.'
ran 0 'the whole table' "$scrim" dataset check orders --bounds --by city --epsilon 2 --format table --verbose --quiet
check 'the whole table: every choice' test "$(grep -c '^| [CS].*[0-9]' "$work/out")" = 10
refused 2 'all choices of none' '--verbose needs --bounds' dataset check orders --verbose
# Groups are those of questions, and no more than are public.
printf 'who,at,club\n' >visits.csv
awk 'BEGIN { for (i = 0; i < 90; i++) printf "m%d,2025-%02d-03 07:%02d:00,%s\n", i % 5, 1 + i % 12, i % 60, substr("NSE", 1 + i % 3, 1) }' >>visits.csv
ran 0 'visits' "$scrim" dataset add visits --csv visits.csv --unit who --column 'at=timestamp[2025-01-01,2026-01-01]' \
    --zone UTC --column club=text --keys club=N,S,E,W --missing club=N --max-groups 1 --max-rows 1 --budget epsilon=3 --quiet
ran 0 'bounds by month' "$scrim" dataset check visits --bounds --by 'MONTH(at)' --epsilon 1
out_has 'SENSITIVE,COUNT(*),13,2,,1.0000,0,36.7696,36.7696,'
# shellcheck disable=SC2016 # for sh
check 'bounds by month: at most 12 and NULL' sh -c '! grep -q "COUNT(\*),20," "$1"' sh "$work/out"
ran 0 'bounds by month, as a table' "$scrim" dataset check visits --bounds --by "club,DATE_TRUNC('month', at)" --epsilon 1 --format table
err_has "these bounds are best for questions by club,DATE_TRUNC('month', at) only"
err_has "DATE_TRUNC('month', at) may be NULL, and NULL is a group of its own"
ran 0 'bounds by four public keys' "$scrim" dataset check visits --bounds --by club
# shellcheck disable=SC2016 # for sh
check 'bounds by four public keys: none beyond' sh -c '! grep -q "COUNT(\*),5," "$1"' sh "$work/out"
refused 2 'bounds by the second' "at is a time, and each second of it would be a group; use an expression such as 'MONTH(at)'" \
    dataset check visits --bounds --by at
refused 2 'bounds by what is no key' "'MONTH(at' is not valid here" dataset check visits --bounds --by 'MONTH(at'
refused 2 'bounds by what is not there' "unknown column 'town'" dataset check orders --bounds --by town
refused 2 'bounds at no epsilon' 'epsilon must be positive' dataset check orders --bounds --epsilon 0
refused 2 'a key without bounds' '--by needs --bounds' dataset check orders --by city
printf 'x\n1\n' >single.csv
ran 0 'each row a unit' "$scrim" dataset add single --csv single.csv --unit row --column 'x=int[0,9]' --budget epsilon=1 --quiet
refused 2 'bounds of rows' 'each row is its own unit, which needs no bounds' dataset check single --bounds

# ---- two voices, THREATS A50: an analyst gets it by no option, also where the program lends its rights ----
lent=$(mktemp -d /tmp/scrim-lent-XXXXXX)
cp "$seeded" "$lent/program"
chmod 755 "$lent" "$work"
chmod 4755 "$lent/program"
export ASAN_OPTIONS=detect_leaks=0 # which looks into the process, and may not
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null 2>&1 &&
    ! findmnt -n -o OPTIONS -T "$lent" | grep -q nosuid; then
    echo "$work/seeded.vault" >site
    printf 'x\n1\n10\n' >some.csv
    ran 0 'a vault of the site' "$seeded" init --vault seeded.vault --quiet
    ran 0 'a dataset of the site' "$seeded" dataset add some --vault seeded.vault --csv some.csv --unit row \
        --column 'x=int[0,9]' --budget epsilon=1 --quiet
    for action in 'check some' 'check some --bounds' 'check some --quiet' 'check some --json' 'check nowhere'; do
        # shellcheck disable=SC2086 # words
        ran 3 "A50 an analyst is told nothing: $action" env -C "$lent" SCRIM_TEST_SITE="$work/site" setpriv --reuid=65534 \
            --clear-groups "$lent/program" dataset $action
        out_is ''
        err_has "only the vault's owner may run 'dataset check'"
    done
    ran 7 'its owner is told' "$seeded" dataset check some --vault seeded.vault
else
    skip 'A50 a program that is lent' 'this is not root, or programs are not lent here'
fi
rm -rf "$lent"
unset ASAN_OPTIONS

# ---- a declaration ends with the check, on the owner's terminal and nowhere else ----
printf 'id;amount\n1;10,50\n2;20,75\n3;1,25\n' >till-comma.csv
printf 'id;amount\n1;10.50\n2;20.75\n3;1.25\n' >till-point.csv
declare="--unit id --rows-per-unit 1 --separator ';' --column 'amount=decimal[0,500]' --budget epsilon=3"
if command -v script >/dev/null 2>&1; then
    # typed STATUS NAME COMMAND: on a pseudo-terminal of 200 columns.
    typed() {
        status=0
        script -q -e -E never -c "stty cols 200; $3" /dev/null </dev/null >shown 2>&1 || status=$?
        tr -d '\r' <shown | sed 's/^\(\^D\)\?[\b]*//' >out
        if [ "$status" -eq "$1" ]; then ok "$2"; else not_ok "$2" "status $status
$(cat out)"; fi
    }
    typed 0 'a comma that is not declared' "'$scrim' dataset add till --csv till-comma.csv $declare"
    out_has 'added dataset till (version 1), budget "till"'
    out_has "SENSITIVE: 3 cells of amount have a decimal comma and are NULL (lines 2 3 4); declare it: 'scrim dataset set till --decimal ,'"
    out_has 'SENSITIVE: 1 finding of till, version 1, is not as declared; correct the policy or the file before anybody pays for an answer'
    check 'it is no next step any more' sh -c '! grep -q "next: scrim dataset check" out'
    typed 0 'the remedy' "'$scrim' dataset set till --decimal ,"
    out_has 'SENSITIVE: till, version 2, is as declared'
    typed 0 'terms alone are no new version' "'$scrim' dataset set till --cap epsilon=1"
    check 'and are not checked' sh -c '! grep -q SENSITIVE out'
    cat till-point.csv >till-comma.csv
    typed 0 'new contents' "'$scrim' dataset update till"
    out_has 'SENSITIVE: 3 cells of amount have a decimal point and are NULL (lines 2 3 4); declare it: '
    typed 0 'not checked' "'$scrim' dataset update till --csv till-point.csv --no-check"
    check 'nothing SENSITIVE' sh -c '! grep -q SENSITIVE out'
    typed 0 'quietly' "'$scrim' dataset update till --csv till-comma.csv --quiet"
    check 'nothing SENSITIVE, quietly' sh -c '! grep -q SENSITIVE out'
    typed 0 'standard error is a file' "'$scrim' dataset update till --csv till-point.csv 2>told"
    check 'nothing SENSITIVE in the file' sh -c '! grep -q SENSITIVE out told'
    typed 0 'standard input is a file' "'$scrim' dataset update till --csv till-comma.csv </dev/null"
    check 'nothing SENSITIVE without a person' sh -c '! grep -q SENSITIVE out'
else
    skip 'a declaration ends with the check' 'script is not installed'
fi
# Without a terminal two files of which one is wrong look alike, byte by byte, but for their names.
for file in comma point; do
    printf 'id;amount\n1;10%s50\n' "$([ $file = comma ] && echo , || echo .)" >till-$file.csv
    sh -c "'$scrim' dataset add script-$file --csv till-$file.csv $declare" >out 2>err </dev/null
    echo $? >>out
    sed "s/$file/FILE/g" out err >$file.told
    "$scrim" dataset remove script-$file --quiet
done
check 'a script is told nothing of the data' cmp comma.told point.told

finish
