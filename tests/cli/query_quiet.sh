#!/bin/sh
# THREATS A35, A54, A55, A56, A60, A66: whatever stands in the body of a file, under the same noise
# nothing differs in what is seen but the numbers; and what is refused is refused before data are.
# shellcheck disable=SC2016,SC2317 # programs of awk and sh; functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
root=$(pwd)
scrim=$(cd "$O" && pwd)/scrim
seeded=$(cd "$O" && pwd)/scrim-test
cd "$work" || exit 1

# ---- bodies of files: the family of one table, its neighbours, and hostile ones ----
header='id,age,income,sex,city'
mkdir bodies
rows() {
    awk -v from="$1" -v to="$2" 'BEGIN {
        for (i = from; i < to; i++)
            printf "p%d,%d,%.2f,%s,c%d\n", i, i % 100, i % 900, i % 2 ? "Male" : "Female", i % 3
    }'
}
body() { { printf '%s\n' "$header" && cat; } >"bodies/$1"; }
rows 0 300 | body table
rows 1 300 | body without_the_first
rows 0 299 | body without_the_last
{ rows 0 300 && echo 'victim,9,9,Female,c0'; } | body with_one_more
{ rows 0 300 && echo 'victim,9,9,Other,elsewhere'; } | body with_another_key
{ echo 'victim,x,y,z,' && rows 0 300; } | body text_in_the_first_row
{ rows 0 300 && echo 'victim,x,y,z,'; } | body text_in_the_last_row
body header_only </dev/null
printf '%s' "$header" >bodies/header_without_an_end
printf '\n\n\n' | body blank_lines
printf 'p1,1,1,Male,c\000c\n\000\000\000\n,,,,\n' | body nul
{ printf 'victim,"\n' && rows 0 300; } | body lone_quote
{ printf 'victim,1,"1,Male,c1\n' && rows 0 300 && printf '"'; } | body quotes_far_apart
printf 'p1,1e400,-1e400,Male,c1\np2,1e-400,1e308,Male,c1\n' | body powers
printf 'p1,NaN,nan,Male,c1\np2,inf,-inf,Female,c1\np3,NULL,,,\n' | body nan
printf 'p1,0x10,1_000,Male,c\np2, 7 ,+3,Female,c\np3,"1,5",-0.0,Male,c\n' | body spellings
{ printf 'p1,1,1,Male,' && awk 'BEGIN { for (i = 0; i < 100000; i++) printf "long" }' && echo; } | body long_field
{ printf 'p1,' && awk 'BEGIN { for (i = 0; i < 5000; i++) printf "9" }' && echo ',1,Male,c'; } | body long_number
printf 'p1,1,1,Ma\377le,\376\n\303,1,1,\355\240\200,c\n' | body no_utf8
{ rows 0 50 && rows 0 50 && rows 0 50; } | body rows_again
rows 0 300 | sed 's/$/\r/' | body returns
rows 0 300 | awk '{ printf "%s%s", $0, NR % 2 ? "\r\n" : "\n" }' | body some_returns
printf 'p1\np2,1\np3,1,1,Male,c,extra,more\n,,,,,,,,,,\n' | body ragged
printf ',1,1,Male,c\n ,1,1,Male,c\nNULL,1,1,Male,c\n' | body units_without_a_name
rows 0 300 | sed 's/^p[0-9]*/p/' | body one_unit
printf 'p1,99999999999999999999999,-99999999999999,=1+1,@x' | body formulas

# ---- what is seen of each ----
public='SELECT sex, COUNT(*) AS n, AVG(age) AS a, SUM(income) AS s GROUP BY sex'
cat >batch.sql <<'END'
SELECT COUNT(*) AS n, VAR(age) AS v;
SELECT sex, MEDIAN(age) AS m, QUANTILE(income, 0.9) AS q GROUP BY sex;
SELECT BUCKET(age, 40) AS b, COUNT(DISTINCT id) AS u WHERE city = 'c1' GROUP BY BUCKET(age, 40);
SELECT SUM(CASE WHEN city = 'c1' THEN income ELSE 0 END) AS s WHERE income > 10 OR city = 'c2'
END
# shown NAME COMMAND...: the status in words, both streams.
in_words() { echo "$1" | sed 's/^0$/done/; s/^4$/budget/; s/^[1-9][0-9]*$/another/'; }
shown() {
    got=0
    label=$1
    shift
    "$@" >stdout 2>stderr </dev/null || got=$?
    { echo "== $label: $(in_words "$got")" && cat stdout && echo '--' && cat stderr; } >>seen
}
# One vault for each body, as it was made: the numbers of releases start anew. A number is an N; its
# decimals stay.
"$seeded" init --no-witness --quiet 2>/dev/null
cp scrim.vault first.vault
look() {
    rm -f scrim.vault-* table.csv seen
    cat first.vault >scrim.vault # the same file: a copy of a vault is refused
    cp "bodies/$1" table.csv
    "$seeded" dataset add people --csv table.csv --unit id --rows-per-unit 1 --column 'age=int[0,120]' \
        --column 'income=decimal[0,1000]' --column sex=text --column city=text --keys sex=Female,Male \
        --budget epsilon=100,delta=0.1 --quiet 2>/dev/null
    shown csv "$seeded" query people "$public" --epsilon 1 --seed 5
    shown batch "$seeded" query people --file batch.sql --epsilon 2 --seed 7 --json
    shown hard "$seeded" query people 'SELECT COUNT(*) WITH RANGE AS n' --epsilon 1 --delta 1e-6 --seed 8 --format jsonl
    shown more "$seeded" query people "$public" --epsilon 99
    shown budget "$seeded" budget people --format csv --quiet
    # Discovered keys are released; how they are shown is not: the header, the talk.
    got=0
    "$seeded" query people 'SELECT city, COUNT(*) AS n GROUP BY city' --epsilon 1 --delta 1e-6 --seed 9 >stdout 2>stderr || got=$?
    { echo "== keys: $(in_words "$got")" && head -n 1 stdout && cat stderr; } >>seen
    sed 's/[0-9]/9/g; s/-\{0,1\}99*\(\.9*\)\{0,1\}/N\1/g' seen >"$2"
    mv seen "$2.raw"
}
look table expected
name='what is seen of a table'
check 'what is seen of a table: answers' grep -q -x 'Female,N,N,N,N\.9*,N\.9*,N\.9*,N,N,N' expected
check 'what is seen of a table: answers and a refusal' sh -c \
    'grep "^== " expected.raw | tr "\n" " " | grep -q "csv: done == batch: done == hard: done == more: budget == budget: done == keys: done "'
look table again
check 'the same seed: the same bytes' cmp expected.raw again.raw
for body in bodies/*; do
    case ${body##*/} in table) continue ;; esac
    look "${body##*/}" other
    check "A54 A56 ${body##*/}: nothing differs but numbers" diff expected other
done
look header_only other
check 'A55 an empty table has answers of its own' sh -c '! cmp -s expected.raw other.raw'
: >nothing.csv
ran 6 'A55 no header at all' "$seeded" dataset add nothing --csv nothing.csv --unit id --rows-per-unit 1 --column 'age=int[0,9]' --budget epsilon=1

# ---- queries that are refused, by the verb (A66): before the vault is charged or data are opened ----
# Why each of them is refused is tested in the library; how the verb refuses is the same for all of
# them: every eighth, with LONG=yes each.
every=8
[ "${LONG-}" != yes ] || every=1
"$scrim" init --vault real.vault --quiet
# The file is there when it is declared, and never after.
echo 'person_id,age,income,weight,day,born,married,sex,city,home town,big,small' >gone.csv
"$scrim" dataset add adult --vault real.vault --csv gone.csv --unit person_id --rows-per-unit 1 --column 'age=int[0,120]' \
    --column 'income=decimal[-1000,100000]' --column 'weight=decimal[0,200]/2^-3' \
    --column 'day=date[2020-01-01,2020-12-31]' --column 'born=date[1900-01-01,2025-12-31]' --column married=bool \
    --column sex=text --keys sex=Female,Male --column city=text --column 'home town=text' \
    --column 'big=int[-4611686018427387904,4611686018427387904]' --column 'small=decimal[0,1]/1e-9' \
    --budget epsilon=100,delta=0.1 --quiet 2>/dev/null
rm gone.csv
before=$("$scrim" ledger export --vault real.vault | tail -n 1)
listed=0 asked=0 wrong=0
while IFS= read -r query; do
    IFS= read -r verdict || break
    IFS= read -r _ || :
    listed=$((listed + 1))
    [ $((listed % every)) -eq 0 ] || continue
    asked=$((asked + 1))
    want=$((${verdict%% *} / 10)) got=0
    "$scrim" query adult "$query" --epsilon 1 --delta 1e-9 --vault real.vault >stdout 2>stderr || got=$?
    if [ $got -ne $want ] || [ -s stdout ] || [ "$(wc -l <stderr)" -ne 3 ] ||
        ! sed -n 3p stderr | grep -q '^scrim query: '; then
        wrong=$((wrong + 1))
        echo "# $query: $got, not $want: $(cat stdout stderr)"
    fi
done <"$root/tests/query/refusals.txt"
check "A66 $asked queries are refused, each with its place and a reason" test "$wrong" -eq 0
check 'A66 there are many' test "$listed" -gt 150
check 'A66 nothing was charged' test "$before" = "$("$scrim" ledger export --vault real.vault | tail -n 1)"
ran 6 'A66 what is allowed would have opened the data' "$scrim" query adult 'SELECT COUNT(*)' --epsilon 1 --vault real.vault

# ---- names (A63) ----
printf 'id,a"b;DROP TABLE entries;--,%s\np1,3,1\n' 'größe' >odd.csv
odd() { "$scrim" query odd "$1" --epsilon 900 --vault real.vault --quiet --json; }
for dataset in 'a"b' "a'; DROP TABLE entries" 'a b' '' '../x' "$(printf 'a\nb')" 'größe'; do
    ran 2 "A63 a dataset '$dataset'" "$scrim" dataset add --vault real.vault --csv odd.csv --unit id --rows-per-unit 1 --budget epsilon=1 -- "$dataset"
    ran 2 "A63 a question to '$dataset'" "$scrim" query --vault real.vault --epsilon 1 -- "$dataset" 'SELECT COUNT(*)'
    err_lines 1
done
sed -i '1s/.*/id,"a""b;DROP TABLE entries;--",größe/' odd.csv
ran 0 'A63 columns with quotes' "$scrim" dataset add odd --vault real.vault --csv odd.csv --unit id --rows-per-unit 1 \
    --column 'a"b;DROP TABLE entries;--=int[0,9]' --column 'größe=int[0,9]' --budget epsilon=1000 --quiet
ran 0 'A63 a question about them' odd 'SELECT SUM("a""b;DROP TABLE entries;--") AS s, SUM("größe") AS "x"";y"'
check 'A63 a question about them: as JSON' grep -q -F '"s": {"value": 3, ' out
check 'A63 a question about them: an alias' grep -q -F '"x\";y": {"value": 1, ' out
ran 2 'A63 a name that is not quoted' odd 'SELECT SUM(a"b;DROP TABLE entries;--)'
ran 0 'A63 the vault is whole' "$scrim" ledger verify --vault real.vault --quiet
finish
