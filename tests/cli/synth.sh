#!/bin/sh
# scrim synth: rows in every format, what is charged, that rows of a release are free, that ledger, replay and report know
# it, and what is refused.
# shellcheck disable=SC2317 # functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

awk 'BEGIN {
    print "who,age,sex,city,day,word"
    for (i = 0; i < 4000; i++)
        printf "p%d,%d,%s,%s,2020-%02d-01,w%d\n", i, 20 + i % 50, i % 2 ? "f" : "m", i % 4 ? "Ulm" : "Bonn", 1 + i % 12, i
}' >people.csv
"$scrim" init --quiet
add() { "$scrim" dataset add "$@" --quiet 2>/dev/null; }
add people --csv people.csv --unit who --rows-per-unit 1 --column 'age=int[0,99]' --column sex=text --keys sex=f,m \
    --column city=text --keys city=Bonn,Ulm --missing city=Ulm --column 'day=date[2020-01-01,2020-12-31]' \
    --budget epsilon=100,delta=1e-3
add words --csv people.csv --unit row --column word=text --column 'age=int[0,99]' --budget epsilon=100,delta=1e-3
add visits --csv people.csv --unit city --max-groups 3 --max-rows 2 --column sex=text --keys sex=f,m --budget epsilon=1
add poor --csv people.csv --unit row --column 'age=int[0,99]' --budget epsilon=0.1,delta=1e-9
synth() { "$scrim" synth people --epsilon 10 --delta 1e-6 --cut age=10 "$@"; }
left() { "$scrim" budget people --quiet --format csv | sed 1d | head -n 1; }
# column NUMBER FILE: its values, each once.
column() { sed 1d "$2" | cut -d, -f"$1" | sort -u | paste -sd' ' -; }

before=$(left)
ran 0 'a dry run' synth --dry-run
check 'a dry run: columns' test "$(head -n 1 out)" = column,categories,cut,null
check 'a dry run: bins' grep -q -x 'age,11,0:10:10,yes' out
check 'a dry run: keys and no NULL' grep -q -x 'city,2,,no' out
err_has 'nothing was charged (--dry-run)'
err_has 'each count of one column is within'
ran 0 'a dry run as JSON' synth --dry-run --json
check 'a dry run as JSON: the cost' grep -q '"cost": {"neighbours": "add-remove", "epsilon": "10", "delta": "0.000001"' out
ran 0 'a dry run of several rows' "$scrim" synth visits --method mwem --epsilon 1 --dry-run
err_has 'bounds      3 different rows per unit, each at most 2 times; further rows are left'
err_says 'how many units had some is not measured'
check 'a dry run: nothing is charged' test "$before" = "$(left)"

ran 0 'rows' synth
cp out first
err_has 'drawn from the model; none is copied from the data'
check 'rows: nothing is said of several of a person' sh -c '! grep -q "by itself" err'
err_has 'charged     epsilon 10, delta 1e-6 to people, version 1'
check 'rows: their names' test "$(head -n 1 first)" = who,age,sex,city,day
check 'rows: about as many' test "$(wc -l <first)" -gt 3800
check 'rows: numbered from 1 on' test "$(sed -n 2p first | cut -d, -f1)" = 1
check 'rows: cities' test "$(column 4 first)" = 'Bonn Ulm'
check 'rows: a quarter of Bonn' sh -c 'n=$(grep -c ,Bonn, first) && test "$n" -gt 900 -a "$n" -lt 1100'
check 'rows: dates' sh -c "sed 1d first | cut -d, -f5 | grep -q -v -E '^(2020-[01][0-9]-[0-3][0-9]|)$' && exit 1 || exit 0"
check 'rows: no NULL where the data have none' sh -c '! grep -q -e ,, -e ,\$ first'
spent=$(left)
check 'rows: they cost' test "$before" != "$spent"
ran 0 'the same again' synth
check 'the same again: the same rows' cmp first out
err_has ', earlier; nothing now'
if [ -e /dev/full ]; then
    ran 1 'a full disk' sh -c "'$scrim' synth people --epsilon 10 --delta 1e-6 --cut age=10 >/dev/full"
    err_has 'is charged and recorded'
fi
ran 0 'other rows' synth --rows 50 --given sex=f --out few.csv
check 'other rows: nothing on standard output' test ! -s out
check 'other rows: as many as asked for' test "$(wc -l <few.csv)" = 51
check 'other rows: those alone' test "$(column 3 few.csv)" = f
ran 0 'replay' "$scrim" replay 1
check 'replay: the same rows' cmp first out
for file in scrim.vault scrim.vault-journal people.csv ./people.csv; do
    cksum people.csv >sum
    ran 2 "rows onto $file" "$scrim" synth people --epsilon 3 --delta 1e-6 --out "$file"
    err_has "--out: '$file' is "
    check "rows onto $file: the data stay" sh -c 'cksum people.csv | cmp - sum'
    check "rows onto $file: nothing is charged" test "$spent" = "$(left)"
done
ran 0 'replay of few' "$scrim" replay 1 --rows 50 --given sex=f --quiet
check 'replay of few: the same rows' cmp few.csv out
err_is ''
ran 0 'two values' "$scrim" replay 1 --rows 40 --given age=25 --given age=42 --quiet
check 'two values: their bins' sh -c "sed 1d out | cut -d, -f2 | grep -v -q '^[24][0-9]$' && exit 1 || exit 0"
ran 0 'JSON' "$scrim" replay 1 --rows 2 --json --quiet
check 'JSON: rows' sh -c 'test "$(grep -c "^{\"who\": [12], \"age\": [0-9]*, \"sex\": \"[fm]\"" out)" = 2'
check 'JSON: cost and release' grep -q '"release": 1, "scrim-label": "' out
check 'nothing more was charged' test "$spent" = "$(left)"

ran 0 'ledger' "$scrim" ledger people
check 'ledger: the question' grep -q 'synth method=mst epsilon=10 delta=0.000001 rho=[0-9./]* : ""age"" cut 0:10:10, ""sex"", ""city"", ""day"" cut' out
ran 0 'ledger verify' "$scrim" ledger verify
ran 0 'report' "$scrim" report 1 --format csv
check 'report: the cost' grep -q '^cost.epsilon,10$' out
check 'report: the kind' grep -q '^release.kind,synthetic$' out
ran 0 'a page' "$scrim" report 1 --html label.html
ran 0 'report verify' "$scrim" report verify label.html

ran 0 'a report of the rows' "$scrim" synth report 1 --svg rows.svg --html rows.html
check 'a report: names' test "$(head -n 1 out)" = columns,ways,variation_low,variation_high,basis,model_variation
check 'a report: a column' grep -q -x 'city,1,0\.[0-9]*,0\.0[0-9]*,measured,0\.[0-9]*' out
check 'a report: pairs of a tree' test "$(grep -c ',2,.*,measured,' out)" = 3
check 'a report: other pairs have a bound' test "$(grep -c ',2,.*,selection,' out)" = 3
check 'a report: three columns' test "$(grep -c ',3,,,model,' out)" = 4
err_has '4 not measured, model only'
err_has 'nothing was charged'
check 'a report: a drawing' grep -q '</svg>' rows.svg
check 'a report: a page' sh -c 'grep -q "</svg>" rows.html && grep -q "not measured, model only" rows.html'
ran 0 'a report as a table' "$scrim" synth report 1 --format table --quiet
check 'a report as a table: what was measured' sh -c 'grep -q measured out && ! grep -q model out'
ran 0 'a whole report' "$scrim" synth report 1 --format table --verbose --confidence 0.9
check 'a whole report: all' grep -q ' only ' out
err_has 'confidence  0.9, of all intervals together'
ran 2 'a report at no confidence' "$scrim" synth report 1 --confidence 1
err_has 'confidence must be above 0'
ran 2 'a report of no release' "$scrim" synth report 99

ran 0 'a charged report' "$scrim" synth report 1 --epsilon 1
err_has 'compared    mean total variation of 6 tables 0.0'
err_has 'by value    age 0.'
check 'a charged report: which single values' sh -c 'tr -s " \n" " " <err | grep -q "age has 100 values in 10 bins (--cut age=0:10:10), which are compared; its single values are compared below"'
err_has 'charged     epsilon 1 for these numbers, as release 2'
check 'a charged report: it costs' test "$spent" != "$(left)"
spent=$(left)
sed -n '/^compared/,/^charged/{/^charged/!p}' err >compared
ran 0 'a charged report again' "$scrim" synth report 1 --epsilon 1.0
err_has 'charged     epsilon 1 for these numbers, earlier, as release 2; nothing now'
check 'a charged report again: the same number' sh -c "sed -n '/^compared/,/^charged/{/^charged/!p}' err | cmp - compared"
check 'a charged report again: it is free' test "$spent" = "$(left)"
ran 0 'a charged report of other rows' "$scrim" synth report 1 --epsilon 1 --rows 500
err_has 'charged     epsilon 1 for these numbers, as release 3'
ran 0 'a charged report: the ledger has what was compared' "$scrim" ledger people --format csv
check 'a charged report: its line' grep -q 'compare release=1 rows=500 : laplace sensitivity=18 epsilon=1 ' out
ran 0 'a charged report as JSON' "$scrim" synth report 1 --epsilon 1 --json --quiet
check 'a charged report as JSON: single values' grep -q '"single_values": \[{"column": "age", "variation": 0\.[0-9]*, "low": 0\.[0-9]*, "high": [01]\.[0-9]*}' out
ran 0 'a charged report: replay' "$scrim" replay 2
ran 0 'a charged report: its label' "$scrim" report 2 --html compared.html
check 'a charged report: its label says what was compared' grep -q 'compare release=1 rows=' compared.html
ran 0 'a charged report: its label holds' "$scrim" report verify compared.html
ran 0 'a charged report: the ledger' "$scrim" ledger verify
ran 4 'a charged report: too much' "$scrim" synth report 1 --epsilon 1000
ran 2 'a charged check' "$scrim" synth check 1 --epsilon 1

ran 0 'check' "$scrim" synth check 1
check 'check: marked' test "$(grep -v -c '^SENSITIVE,' out)" = 1
check 'check: within the interval' sh -c "'$scrim' synth report 1 --quiet | sed -n 's/^city,1,\([0-9.]*\),\([0-9.]*\),.*/\1 \2/p' |
    { read -r low high; awk -F, -v l=\"\$low\" -v h=\"\$high\" '\$2 == \"city\" && \$4 >= l && \$4 <= h { ok = 1 } END { exit !ok }' out; }"
err_has 'SENSITIVE: 1 column: mean total variation'
ran 2 'check without a page' "$scrim" synth check 1 --html x.html

awk 'BEGIN {
    for (c = 1; c <= 30; c++) printf "%sc%d", (c > 1 ? "," : ""), c
    print ""
    for (i = 0; i < 500; i++) { for (c = 1; c <= 30; c++) printf "%s%d", (c > 1 ? "," : ""), (i + i % c) % 2; print "" }
}' >wide.csv
# shellcheck disable=SC2046 # one word for each column
add wide --csv wide.csv --unit row $(awk 'BEGIN { for (c = 1; c <= 30; c++) print "--column c" c "=int[0,1]" }') --budget epsilon=100,delta=1e-3
ran 0 'thirty columns' "$scrim" synth wide --epsilon 50 --delta 1e-6 --rows 100 --quiet
check 'thirty columns: all of them' test "$(head -n 1 out | tr ',' '\n' | wc -l)" = 30
check 'thirty columns: each half' awk -F, 'NR > 1 { s += $1 } END { exit !(s > 35 && s < 65) }' out

ran 0 'aim' synth --method aim --rows 10
check 'aim: rows' test "$(wc -l <out)" = 11
ran 0 'mwem, pure' "$scrim" synth people --columns sex,city --method mwem --epsilon 1 --rows 100
check 'mwem: rows' test "$(wc -l <out)" = 101
err_has 'charged     epsilon 1 to people'
ran 0 'mwem of three columns' "$scrim" synth people --columns age,sex,city --cut age=50 --method mwem --epsilon 1 --ways 3 --rows 9 --quiet
ran 0 'mwem of three columns: its question' "$scrim" ledger people --format csv
check 'mwem of three columns: tables of three' grep -q 'synth method=mwem ways=3 epsilon=1' out
ran 0 'mwem of three columns: a dry run' "$scrim" synth people --columns age,sex,city --cut age=50 --method mwem --epsilon 1 --ways 3 --dry-run
err_has 'each count of 3 columns together is within'
ran 2 'tables of too many columns' "$scrim" synth people --columns sex,city --method mwem --epsilon 1 --ways 3
err_has 'tables of these columns have at most 2 columns'
ran 2 'tables of mst' synth --ways 2
err_has 'only mwem takes the number of columns of its tables'
cat >asked <<'END'
# lines that say nothing

sex=f, age=0..49
city=Bonn|Ulm, sex=m
  age=50.., day=2020-07-01..
END
asked() { "$scrim" synth people --columns age,sex,city,day --cut age=50 --cut day=2020-01-01,2020-07-01 --method mwem --epsilon 5 "$@"; }
spent=$(left)
ran 0 'queries: a dry run' asked --queries asked --dry-run
err_has 'all 3 queries are measured'
ran 0 'queries: a dry run as JSON' asked --queries asked --dry-run --json
check 'queries: a dry run as JSON: how many' grep -q '"queries": 3, "measured_queries": 3' out
check 'queries: a dry run: nothing is charged' test "$spent" = "$(left)"
ran 0 'queries' asked --queries asked
cp out first_asked
err_has 'measured    3 of 3 queries by mwem'
check 'queries: they cost' test "$spent" != "$(left)"
spent=$(left)
id=$(sed -n 's/^release  *\([0-9]*\),.*/\1/p' err)
printf 'age=50..99, day=2020-07-01..2020-12-31\r\nsex=m, city=Ulm|Bonn\nage=..49,sex=f' >other_words
ran 0 'queries in other words' asked --queries other_words
check 'queries in other words: the same rows' cmp first_asked out
check 'queries in other words: free' test "$spent" = "$(left)"
ran 0 'queries: a report' "$scrim" synth report "$id" --html asked.html --svg asked.svg
check 'queries: a report: names' test "$(head -n 1 out)" = query,rows,share,difference_low,difference_high,basis
check 'queries: a report: one' grep -q '^"age=0..49, sex=f",[0-9]*,0\.[0-9]*,0\.[0-9]*,0\.[0-9]*,measured$' out
check 'queries: a report: all' test "$(grep -c ',measured$' out)" = 3
check 'queries: a page' sh -c "grep -q 'age=0..49, sex=f' asked.html && grep -q 'difference of shares' asked.html"
err_has 'queries     3 measured: shares in data and rows differ by at most 0.'
# Three tenths are women below 50: even numbers, with an age of 20 + i % 50.
check 'queries: the share is near' awk -F, '/^"age=0..49, sex=f"/ { exit !($4 > 0.25 && $4 < 0.35) }' out
ran 0 'queries: their label' "$scrim" report "$id" --format csv
check 'queries: their label has them' grep -q 'query age=0..49, sex=f query age=50..99, day=' out
ran 0 'queries: the ledger' "$scrim" ledger verify
ran 0 'other queries' sh -c "echo sex=f | '$scrim' synth people --columns age,sex,city,day --cut age=50 --cut day=2020-01-01,2020-07-01 --method mwem --epsilon 5 --queries - --rows 5"
check 'other queries: they cost' test "$spent" != "$(left)"
spent=$(left)
printf '\n# bins\nage=0..30\n' >cut_bin
ran 2 'a query that cuts a bin' asked --queries cut_bin
err_has "line 3: '0..30' cuts the bin 0 to 49 of 'age'; ask for whole bins"
ran 2 'queries and ways' asked --queries asked --ways 2
ran 2 'queries of mst' synth --queries asked
err_has 'only mwem and smalldb take queries'
ran 2 'two files of queries' asked --queries asked --queries asked
ran 6 'no file of queries' asked --queries nowhere
check 'queries that are refused: nothing is charged' test "$spent" = "$(left)"
ran 0 'queries of smalldb' sh -c "echo city=Bonn | '$scrim' synth people --columns city --method smalldb --epsilon 1 --queries -"
ran 0 'mwem with a value' "$scrim" synth people --columns sex,city --method mwem --epsilon 1 --given sex=f --rows 50 --quiet
check 'mwem with a value: that alone' test "$(column 2 out)" = f
ran 0 'mwem, impossible rows' "$scrim" synth people --columns sex,city --method mwem --epsilon 1 --never city=Bonn,sex=m --quiet
check 'mwem, impossible rows: none' sh -c '! grep -q ,m,Bonn out && grep -q ,f,Bonn out'
ran 0 'smalldb' "$scrim" synth people --columns sex,city --method smalldb --epsilon 1
err_has 'selected    a table of'
check 'smalldb: a quarter of Bonn' awk -F, 'NR > 1 { n++; b += $3 == "Bonn" } END { exit !(b > 0.2 * n && b < 0.3 * n) }' out
ran 0 'smalldb, more rows' "$scrim" synth people --columns sex,city --method smalldb --epsilon 1 --rows 1000 --given city=Ulm --quiet
check 'smalldb, more rows: as many' test "$(wc -l <out)" = 1001
ran 2 'smalldb with delta' "$scrim" synth people --columns sex,city --method smalldb --epsilon 1 --delta 1e-6
err_has 'leave delta and rho out'
ran 2 'smalldb with too much' "$scrim" synth people --method smalldb --epsilon 1
err_has 'smalldb takes at most 256 possible rows'
ran 0 'rho' "$scrim" synth people --columns sex,city --rho 0.05 --delta 1e-6 --rows 3
err_has 'cost        epsilon 1.471595, delta 1e-6'
ran 2 'rho and epsilon' "$scrim" synth people --columns sex,city --rho 0.05 --epsilon 1 --delta 1e-6
err_has 'give epsilon or rho, not both'
ran 2 'rho without delta' "$scrim" synth people --columns sex,city --rho 0.05
ran 0 'impossible rows' synth --never city=Bonn,sex=m --rows 500 --quiet
check 'impossible rows: none' sh -c "! grep -q ',m,Bonn,' out"

ran 0 'a refinement' "$scrim" synth people --refine 1 --epsilon 10 --delta 1e-6 --out refined.csv
err_has 'refines     release 1, whose cost was charged then'
check 'a refinement: the same columns' test "$(head -n 1 refined.csv)" = who,age,sex,city,day
ran 2 'a refinement with columns' "$scrim" synth people --refine 1 --epsilon 10 --delta 1e-6 --columns sex
err_has 'leave them out'
ran 2 'a refinement of no release' "$scrim" synth people --refine x --epsilon 10 --delta 1e-6

spent=$(left)
ran 2 'text without keys' "$scrim" synth words --epsilon 1 --delta 1e-6
err_has "'word' is text without public keys"
err_has 'or select them privately: --private-keys COLUMN'
ran 2 'no delta' "$scrim" synth people --epsilon 1
err_has 'mst needs a delta above 0'
ran 2 'no epsilon' "$scrim" synth people --delta 1e-6
err_has 'epsilon is missing'
ran 2 'a method that is none' synth --method xyz
err_has "unknown method 'xyz'; use mst, aim, mwem or smalldb"
ran 0 'edges' "$scrim" synth people --epsilon 1 --delta 1e-6 --cut age=30,60 --dry-run --quiet
cp out edges
ran 0 'edges from the first on' "$scrim" synth people --epsilon 1 --delta 1e-6 --cut age=0,30,60 --dry-run --quiet
check 'edges from the first on: the same' cmp edges out
ran 2 'edges that fall' "$scrim" synth people --epsilon 1 --delta 1e-6 --cut age=30,0
ran 2 'a cut that is none' "$scrim" synth people --epsilon 1 --delta 1e-6 --cut sex=3
err_has "'sex' cannot be cut"
ran 2 'a cut of days' "$scrim" synth people --epsilon 1 --delta 1e-6 --cut day=month
err_has 'within its declared range; WIDTH is a number of days'
ran 2 'a column that is none' synth --columns ages
err_has "unknown column 'ages'; did you mean 'age'?"
ran 2 'a cut of a column that is none' synth --cut cty=3
err_has "unknown column 'cty'; did you mean 'city'?"
ran 2 'a combination of one column' synth --never sex=m
err_has 'a combination must name two columns or more'
ran 2 'a value that is none' synth --given sex=x
err_has "'x' is not a value of 'sex'"
ran 2 'rows that are none' synth --rows 0
err_has "--rows must be a whole number from 1 to 1000000000, not '0'"
ran 2 'a report of no rows' "$scrim" synth report 1 --rows 0
err_has '--rows must be a whole number from 1 to'
ran 2 'no dataset' "$scrim" synth --epsilon 1
err_has 'name one dataset'
ran 4 'too much' "$scrim" synth poor --epsilon 1 --delta 1e-9
"$scrim" query people 'SELECT COUNT(*)' --epsilon 0.01 --quiet >/dev/null
last=$("$scrim" ledger people --format csv --quiet | sed 1d | cut -d, -f1 | sort -n | tail -n 1)
ran 2 'rows of a query' "$scrim" replay "$last" --rows 3
err_has "--rows is for a release of 'scrim synth'"
ran 0 'impossible combinations' "$scrim" synth people --epsilon 1 --delta 1e-6 --never sex=f,city=Ulm --never city=Bonn,sex=m --rows 9
cp out never
ran 0 'impossible combinations in another order' "$scrim" synth people --epsilon 1 --delta 1e-6 --never sex=m,city=Bonn \
    --never city=Ulm,sex=f --never sex=m,city=Bonn --rows 9
check 'impossible combinations in another order: the same rows' cmp never out
err_has ', earlier; nothing now'
ran 0 'check' "$scrim" synth check 1
check 'check: every line is marked' sh -c '! sed 1d out | grep -v -q ^SENSITIVE,'
# Rows from standard input are others each time.
"$scrim" dataset add piped --csv - --unit who --rows-per-unit 1 --column sex=text --keys sex=f,m --column 'age=int[0,99]' \
    --budget epsilon=9,delta=1e-3 --quiet <people.csv 2>/dev/null
piped() { "$scrim" "$@" <people.csv; }
for turn in 1 2; do
    ran 0 "piped rows $turn" piped synth piped --columns sex --epsilon 1 --delta 1e-6
    err_has 'charged     epsilon 1, delta 1e-6 to piped'
done
last=$("$scrim" ledger --format csv --quiet | tail -n 1 | cut -d, -f1)
for turn in 1 2; do
    ran 0 "a charged report of piped rows $turn" piped synth report "$last" --epsilon 1
    err_has 'charged     epsilon 1 for this number alone'
    ran 0 "a body of piped rows $turn" piped body fit piped --columns age --epsilon 1
    err_has 'charged     epsilon 1 to piped'
done
ran 2 'a tree of synthetic records' "$scrim" microdata show 1
err_has 'the release is not a tree of counts'
"$scrim" dataset set people --null none --quiet
ran 3 'check of another version' "$scrim" synth check 1
err_says 'the dataset has another version by now; make synthetic records of it, and compare those'
check 'check of another version: nothing is shown' test ! -s out
spent=$(left)
ran 3 'a charged report of another version' "$scrim" synth report 1 --epsilon 0.5
err_says 'the dataset has another version by now; make synthetic records of it, and compare those'
ran 2 'a refinement of another version' "$scrim" synth people --epsilon 1 --delta 1e-6 --refine 1
err_has 'a release can be refined from the same version of the same dataset only'
ran 2 'a refinement of another dataset' "$scrim" synth words --epsilon 1 --delta 1e-6 --refine 1
err_has 'a release can be refined from the same version of the same dataset only'
check 'another version: nothing is charged' test "$spent" = "$(left)"

# A reader that is late, so that writing takes longer than a second without any work.
if command -v script >/dev/null; then
    late="'$scrim' replay 1 --rows 50000 | { sleep 1.2; wc -l; }"
    script -q -e -c "$late" /dev/null </dev/null 2>&1 | tr '\r' '\n' >shown
    check 'rows on their way: how far it is' grep -q ' of 50 k rows written, ' shown
    check 'rows on their way: all of them' grep -q 50001 shown
    script -q -e -c "'$scrim' replay 1 --rows 50000 --quiet | { sleep 1.2; wc -l; }" /dev/null </dev/null >shown 2>&1
    check 'rows on their way: not if quiet' sh -c '! grep -q written shown'
    TERM=dumb script -q -e -c "$late" /dev/null </dev/null >shown 2>&1
    check 'rows on their way: not where no line can be taken away again' sh -c 'grep -q 50001 shown && ! grep -q written shown'
fi
# ---- bins are named, and the owner sees how far single values are ----
awk 'BEGIN { print "id,income,age"; for (i = 0; i < 3000; i++) print i "," (i % 5) * 1000 "," i % 200 }' >incomes.csv
"$scrim" dataset add incomes --csv incomes.csv --unit id --rows-per-unit 1 --column 'income=int[0,4999]' --column 'age=int[0,255]' \
    --budget epsilon=100,delta=0.01 --quiet 2>/dev/null
ran 0 'incomes in 16 bins, ages one by one' "$scrim" synth incomes --epsilon 2 --delta 1e-6 --rows 3000
cp out drawn.csv
err_has 'rows were kept'
release=$("$scrim" ledger --quiet --format csv | tail -n 1 | cut -d , -f 1)
flat() { tr -s '\n ' ' ' <err >flat; }
ran 0 'a report names its bins' "$scrim" synth report "$release" --rows 3000
flat
check 'and says that values inside were not measured' grep -q \
    'income has 5000 values in 16 bins (--cut income=0:313:16), which are compared; values inside a bin were not measured, and are drawn evenly: over single values the total variation is between 0\.[0-9]* and 1;' flat
check 'a column of 256 values has none' sh -c '! grep -q "age has" flat'
ran 0 'the owner compares single values' "$scrim" synth check "$release" --rows 3000
flat
check 'the distance of bins is small' awk -F , '$2 == "income" { exit !($4 < 0.05) }' out
# The same number from both files, by another program.
single=$(awk -F , 'FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "income") at = i; file++; next }
    { n[file]++; count[file "," $at]++; seen[$at] = 1 }
    END { for (v in seen) { d = count["1," v] / n[1] - count["2," v] / n[2]; sum += d < 0 ? -d : d } printf "%.4f", sum / 2 }' \
    incomes.csv drawn.csv)
check 'that of single values is not, and is what the files have' grep -q "over single values the total variation is $single" flat
check 'it is large' test "${single%%.*}${single#*.}" -gt 9000

ran 0 'several rows of a person' "$scrim" synth visits --method mwem --epsilon 1/2
err_says 'each is a unit by itself, as rows of one unit are not kept together'
finish
