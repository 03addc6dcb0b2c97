#!/bin/sh
# Every verb on a screen of 80 columns, on one of 40 and on none: no line is wider than its screen, so
# that no terminal breaks one. Commands take turns on the two screens; with LONG=yes each is on both. What programs read keeps its lines whole, on a terminal too.
# shellcheck disable=SC2016 # programs of awk
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
export LC_ALL=C.UTF-8 PAGER=
cd "$work" || exit 1

awk 'BEGIN {
    print "id,age,income,sex,city,day"
    split("東京都港区六本木 🙂,Saint-Remy-en-Bouzemont-Saint-Genest-et-Isson,Ulm", names, ",")
    for (i = 0; i < 3000; i++)
        printf "p%d,%d,%.2f,%s,%s,2020-%02d-01\n", i % 1500, i % 100, i * 3.37, i % 3 ? "Male" : "Female",
            names[i % 3 + 1], i % 12 + 1
}' >people.csv
printf '0,1/3\n1,1/3\n2,1/3\n' >before.csv
printf '0,2/7\n9,5/7\n' >after.csv
printf '3\n5\n8\n' >numbers.csv


# screen COLUMNS COMMAND: what a terminal of so many columns shows, without colours. A line of progress
# takes the place of the one before it.
screen() {
    status=0
    script -q -e -c "stty cols $1 rows 50; $2" /dev/null </dev/null >shown 2>&1 || status=$?
    tr -d '\r' <shown | sed 's/\x1b\[K/\n/g; s/\x1b\[[0-9;]*m//g' |
        sed '/^{/,/^]/d' >out # what is JSON is for programs
}
# fits STATUS ARGUMENTS: on both screens. wc has the columns of characters from the C library, and not
# from our table.
screens='80 40' turn=80
fits() {
    on=$screens
    [ "$screens" != turns ] || {
        turn=$((120 - turn)) on=$turn
    }
    for columns in $on; do
        screen "$columns" "'$scrim' $2"
        widest=$(wc -L <out)
        if [ "$status" -eq "$1" ] && [ "$widest" -le "$columns" ] && [ -s out ]; then
            ok "$columns columns: $2"
        else
            not_ok "$columns columns: $2" "status $status, $widest columns
$(cat out)"
        fi
    done
    printf '%s\n' "$2" | sed 's/ .*//' >>seen
}
# whole ARGUMENTS: for programs, so that no line of it is broken.
whole() {
    screen 40 "'$scrim' $1"
    # shellcheck disable=SC2086 # words
    "$scrim" $1 >piped 2>/dev/null </dev/null
    tr -d '\r' <shown >out
    check "for programs, on a screen of 40 columns: $1" cmp out piped
}
if ! command -v script >/dev/null 2>&1; then
    skip 'every verb on a terminal' 'script is not installed'
    finish
fi

screen 40 "'$scrim' init --vault deep/in/a/folder/that/does/not/exist/because/nobody/made/it.vault"
check 'a message on a narrow screen is broken between words' test "$(head -n 1 out)" = 'scrim init: the folder of the vault'
fits 0 'init --vault narrow-$(stty size | tr -d " ").vault'
"$scrim" init --quiet
# The end of what is typed comes before an editor of lines has the terminal, and would be lost.
before=${TERM-} TERM=dumb
export TERM
fits 2 'dataset add asked --csv people.csv'
TERM=$before
fits 0 'dataset add people-$(stty size | tr -d " ") --csv people.csv --unit id --max-rows 2 --max-groups 3 --column "age=int[0,120]" --column "income=decimal[0,20000]" --column sex=text --column city=text --column "day=date[2020-01-01,2020-12-31]" --keys sex=Female,Male,Other --population people --budget epsilon=1000,delta=0.1'
people="people-5080" # of the wide one
fits 0 'dataset list'
fits 0 "dataset show $people"
fits 0 "dataset check $people"
fits 0 "dataset check $people --bounds --by sex"
fits 0 "dataset check $people --bounds --by sex --epsilon 0.1"
fits 0 "dataset check $people --bounds --by sex,city,day --epsilon 0.1"
fits 0 "dataset set $people --max-total income=12345.67"
fits 0 "dataset check $people --bounds --epsilon 1"
fits 0 "dataset set $people --max-total income=none"
fits 0 "dataset mock $people --rows 3 --out mock.csv"
fits 2 "dataset mock $people --rows none"
fits 6 "dataset add x --csv people.csv --unit id --rows-per-unit 1 --column 'nowhere=int[0,120]' --budget epsilon=1"
fits 0 "dataset set $people --cap epsilon=500"
fits 0 "dataset history $people"
mkdir -p a/folder/with/a/long/name
cp people.csv a/folder/with/a/long/name/
"$scrim" dataset add people --csv a/folder/with/a/long/name/people.csv --unit id --rows-per-unit 1 --column 'age=int[0,120]' --budget epsilon=1,delta=1e-6 --population own --quiet
"$scrim" dataset set people --share '*=epsilon=0.5,delta=1e-7' --quiet
screen 80 "'$scrim' dataset history people"
check 'dataset history is a table on 80 columns' grep -q -E '^│ time +│ subject +│ change +│ before +│ after +│$' out
check 'dataset history: the minute' grep -q -E ' [0-2][0-9]:[0-5][0-9] ' out
screen 80 "'$scrim' dataset list"
check 'dataset list is a table on 80 columns' grep -q -E '^│ people .*│ /[^ ]*\.\.\.[^ ]*ple\.csv │$' out
[ "${LONG-}" = yes ] || screens=turns
by_city='SELECT city, COUNT(*) AS n, AVG(age) AS mean_age, SUM(income) AS total GROUP BY city'
fits 0 "explain $people '$by_city' --epsilon 20 --delta 1e-6"
# An error at each of many budgets takes its time.
fits 0 "explain $people 'SELECT COUNT(*) AS n, AVG(age) AS mean_age' --epsilon 20 --delta 1e-6 --plot"
fits 0 "query $people '$by_city' --epsilon 20 --delta 1e-6"
fits 0 "query $people '$by_city' --epsilon 20 --delta 1e-6 --plot"
fits 0 "explain $people '$by_city' --delta 1e-6 --compare 0.1,1,20 --plot"
fits 0 "suggest $people --columns age --epsilon 20"
fits 0 "suggest $people --columns age --epsilon 20 --dry-run"
fits 0 "suggest $people --columns age,income,day --by sex --epsilon 20 --question-epsilon 0.5"
fits 0 "suggest $people --columns age,income,day --by sex --epsilon 20 --dry-run"
fits 0 "suggest $people --by city --epsilon 0.1"
fits 2 "suggest $people --columns sex --epsilon 1"
fits 0 "synth $people --columns age,sex --epsilon 1 --delta 1e-7 --rows 3"
fits 0 "synth $people --columns age,sex --epsilon 1 --delta 1e-7 --dry-run"
fits 2 "synth $people --epsilon 1"
fits 0 "explain $people '$by_city' --epsilon 20 --delta 1e-6 --verbose"
fits 0 "explain $people 'SELECT MEDIAN(income), MAX(income) AS highest' --epsilon 0.01 --delta 1e-6"
fits 0 "query $people 'SELECT MAX(age) AS oldest, MEDIAN(income), QUANTILE(income, 0.9)' --epsilon 2 --delta 1e-6"
fits 2 "query $people 'SELECT sex, COUNT(*) AS n, AVG(income) AS mean_income, SUM(age) GROUP BY sx' --epsilon 2"
check 'the caret is under its place' sh -c 'grep -q "GROUP BY sx$" out && grep -q "^ *^^$" out &&
    test "$(sed -n 1p out | tr -d "\n" | wc -m)" -eq "$(sed -n 2p out | tr -d "\n" | wc -m)"'
fits 2 "query $people 'SELECT \"東京都港区六本木\" GROUP BY 東京都' --epsilon 2"
fits 3 "query $people 'SELECT COUNT(*)' --epsilon 501"
fits 0 'budget'
fits 0 'ledger'
fits 0 'ledger verify'
release=$("$scrim" ledger --format csv | sed -n '2s/,.*//p')
fits 0 "replay $release"
fits 0 "report $release"
"$scrim" report "$release" --html page.html
fits 0 'report verify page.html'
fits 0 "report compare $release $release"
fits 0 'list'
fits 0 'list mechanisms'
fits 0 'list distributions'
fits 0 'list verbs'
fits 0 'list papers'
fits 0 'list papers 002'
fits 0 'errata'
fits 0 'errata 12'
fits 0 'sample discrete-laplace scale=10 -n 1000 --plot'
fits 0 'sample discrete-laplace scale=1e15 -n 1000 --plot'
fits 0 'sample discrete-laplace scale=1e15 -n 3 --format table'
fits 0 'run laplace epsilon=1 sensitivity=1 neighbours=add-remove size=3 whole=yes --plot <numbers.csv'
fits 0 'run laplace epsilon=1 sensitivity=1 neighbours=add-remove size=3 whole=yes <numbers.csv'
fits 0 'audit laplace epsilon=1 --plot'
fits 0 'compose "laplace scale=10 x10; gaussian sigma=20 x5" --delta 1e-6 --plot'
fits 0 'calibrate gaussian --epsilon 1 --delta 1e-6'
fits 0 'calibrate laplace --epsilon 1 --plot'
fits 0 'calibrate partition-selection --size --epsilon 1 --delta 1e-6'
fits 0 'distance wasserstein before.csv after.csv --average'
fits 0 'experiment flexible-accuracy --only 4 --sets 1 --runs 2'
fits 0 'experiment suppression --epsilon 0.05 --delta 1e-19'
fits 0 'experiment linear-queries queries=64 bins=64 people=1000 epsilon=0.1'
fits 0 'experiment pricing'
fits 0 'attack'
fits 0 'attack difference --plot'
fits 2 'attack link --columns age,sx'
fits 0 "series create words $people '$by_city' --window age --count 4 --epsilon 1 --delta 1e-6 2>/dev/null; '$scrim' series show words"
fits 0 "series release words"
fits 0 'series show words --plot'
"$scrim" dataset add once --csv people.csv --unit row --column 'age=int[0,120]' --missing age=0 --column sex=text --keys sex=Female,Male,Other --missing sex=Other --budget epsilon=10 --quiet
fits 0 "microdata release once --levels 'sex,BUCKET(age, 40)' --epsilon 1 --plot"
fits 0 "microdata release $people --levels sex --epsilon 1"
fits 0 'local plan --users 1e5 --domain 100 --epsilon 1'
fits 0 'local amplify --users 1e4 --epsilon 1 --delta 1e-6'
fits 0 'microdata plan --cells 3000 --epsilon 1 --delta 1e-6'
fits 0 'body admissible --q 0.9 --directions 80 --epsilon 1 --delta 1e-6'
fits 0 'help'
screen 80 "PAGER='sed s/^/paged:/' '$scrim' help"
check 'a long help goes through the pager' grep -q '^paged:usage: scrim COMMAND' out
fits 2 'nothing-of-the-kind'
fits 0 '--version'
printf '%s\n' '\budget' >asked.txt
fits 0 'shell --epsilon 1 <asked.txt'
screens=40
fits 0 'demo'
"$scrim" list verbs --format csv | sed '1d; s/,.*//' >names
while read -r verb; do
    fits 0 "help $verb"
    check "help $verb is made for 80 columns" test "$("$scrim" help "$verb" | wc -L)" -le 80
    check "$verb was on the screens" grep -q -x "$verb" seen
done <names

# Colours are for terminals that have them, and for nobody who does not want them.
escape=$(printf '\033')
caution="query $people '$by_city' --epsilon 20 --delta 1e-6"
coloured() { # NAME ENVIRONMENT ARGUMENTS PATTERN
    screen 80 "env $2 '$scrim' $3"
    check "$1" grep -q "$4" shown
}
coloured 'a caution has colour' A=1 "$caution" "^$escape\[[0-9;]*mcaution$escape"
coloured 'heads of tables have colour' A=1 "$caution" "${escape}\[1mmean_age$escape"
coloured 'an error has colour' A=1 'query nobody x --epsilon 1' "^$escape\[[0-9;]*mscrim query:$escape"
for plain in NO_COLOR=1 TERM=dumb; do
    for arguments in "$caution" 'query nobody x --epsilon 1'; do
        screen 80 "env $plain '$scrim' $arguments"
        check "$plain: no colour" sh -c "test -s shown && ! grep -q '$escape' shown"
    done
done
sh -c "'$scrim' $caution --format table" >shown 2>&1
check 'no terminal: no colour' sh -c "grep -q '^caution' shown && ! grep -q '$escape' shown"

whole 'ledger export'
whole 'ledger key'
whole "dataset show $people --policy -"
whole "replay $release --format csv --quiet"
whole "replay $release --json --quiet"
whole "report $release --json"
whole 'list mechanisms --format csv'
finish
