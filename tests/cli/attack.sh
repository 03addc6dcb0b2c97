#!/bin/sh
# scrim attack: every attack, in every format; what it refuses.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
seeded=$O/scrim-test

# cell TABLE ROW NAME: a value of the last CSV.
# shellcheck disable=SC2016 # for awk
cell() {
    awk -F , -v table="$1" -v row="$2" -v name="$3" \
        '$1 == table && $2 == row && $3 == name { print $4 }' "$work/out"
}
# is_below A B
# shellcheck disable=SC2317 # check calls it
is_below() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a + 0 < b + 0) }'
}

# ---- the list ----
ran 0 'the list' "$scrim" attack
err_is ''
out_has 'name,summary,source'
kinds=$("$scrim" attack --format csv | sed '1d; s/,.*//')
"$scrim" help attack >"$work/help"
for kind in $kinds; do
    check "help names $kind" grep -q "^  $kind " "$work/help"
    check "scrim-attack(1) names $kind" grep -q "^.It Cm $kind" docs/man/scrim-attack.1
    check "bash completes $kind" grep -q "attack,.*[ ']$kind" completion/scrim.bash
    check "zsh completes $kind" grep -q "attack:(.*$kind" completion/_scrim
done

# ---- reconstruct ----
ran 0 'reconstruct' "$scrim" attack reconstruct
err_is ''
out_has 'table,row,name,value'
check 'reconstruct: one block' test "$(cell statistics 5 blocks)" = 1
check 'reconstruct: the first of seven' test "$(cell block 1 age)" = 8
check 'reconstruct: the last of seven' test "$(cell block 7 age) $(cell block 7 sex) $(cell block 7 status)" = '84 male married'
check 'reconstruct: all bits of exact sums' test "$(cell noise 1 recovered_percent)" = 100.0
check 'reconstruct: 95 % below the threshold' is_below 95 "$(cell noise 4 recovered_percent)"
check 'reconstruct: under 60 % at epsilon 1' is_below "$(cell releases 2 recovered_percent)" 60
check 'reconstruct: the bound at epsilon 1' test "$(cell releases 2 bound_percent)" = 73.1

# ---- the others: without privacy, and through scrim ----
ran 0 'difference' "$scrim" attack difference
check 'difference: all bits' test "$(cell unprotected 1 right_percent) $(cell unprotected 4 right_percent)" = '100.0 100.0'
check 'difference: not at epsilon 1' is_below "$(cell scrim 3 right_percent)" 74
check 'difference: its bound' test "$(cell scrim 3 bound_percent)" = 73.1
ran 0 'average' "$scrim" attack average
check 'average: the truth' is_below 73 "$(cell fresh 11 truth_percent)"
check 'average: a thousand replays tell nothing new' is_below "$(cell scrim 1 truth_percent)" 20
check 'average: the ledger refuses' test "$(cell scrim 3 answers)" = 10
ran 0 'float' "$scrim" attack float
check 'float: low bits' is_below 75 "$(cell answers 3 right_percent)"
check 'float: ours have none' test "$(cell answers 4 certain_percent)" = 0.0
check 'float: within the bound' is_below "$(cell answers 4 right_percent)" 60
ran 0 'membership' "$scrim" attack membership
check 'membership: all of them' is_below 99 "$(cell power 8 right_percent)"
check 'membership: not at epsilon 1' is_below "$(cell power 2 right_percent)" 61

ran 0 'audit' "$scrim" attack audit
check 'audit: refusals tell all' test "$(cell counts 2 recovered_percent)" = 100.0
check 'audit: not through scrim' is_below "$(cell scrim 3 recovered_percent)" 65

ran 0 'link' "$scrim" attack link --columns age,sex,race,native_country
check 'link: unique rows' test "$(cell unique 4 columns) $(cell unique 1 unique_rows)" = '4 2'
check 'link: viewers are named' is_below 90 "$(cell ratings 6 right_percent)"
check 'link: not through scrim' is_below "$(cell scrim 2 right_percent)" 83
ran 2 'link: an unknown column' "$scrim" attack link --columns age,sx
err_has "scrim attack: unknown column 'sx'; available: person_id, age, workclass, "
ran 2 'columns of simulated people' "$scrim" attack float --columns age
err_is "scrim attack: the attack 'float' makes its own people; it takes no table and no columns"

ran 0 'k-anonymity' "$scrim" attack k-anonymity --columns age,sex,race,education
check 'k-anonymity: the lattice of twelve patients' test "$(cell patients 10 k) $(cell patients 10 minimal)" = '4 k=4'
check 'k-anonymity: two tables tell what one does not' is_below "$(cell composition 1 certain_by_one_percent)" "$(cell composition 1 certain_by_two_percent)"
check 'k-anonymity: the bound of two releases' test "$(cell scrim 2 bound_of_two)" = 73.1
check 'k-anonymity: within it' is_below "$(cell scrim 2 two_releases_percent)" 83

ran 0 'swap' "$scrim" attack swap
check 'swap: nobody is swapped, all claims are right' test "$(cell swapping 1 right_percent)" = 100.0
check 'swap: 90 % stay right at 10 %' is_below 85 "$(cell swapping 4 right_percent)"
check 'swap: not through scrim' is_below "$(cell scrim 1 right_percent)" 79

# ---- a public file of one's own ----
printf 'age,town,job\n30,A,cook\n31,A,cook\n30,B,nurse\n40,B,nurse\n40,B,cook\n40,A,nurse\n' >"$work/own.csv"
ran 0 'own: link' "$scrim" attack link "$work/own.csv" --public --columns age,town --sensitive job --vault "$work/none.vault"
check 'own: unique rows' test "$(cell unique 1 unique_rows) $(cell unique 2 unique_rows)" = '1 4'
ran 0 'own: k-anonymity' "$scrim" attack k-anonymity "$work/own.csv" --public --columns age,town --sensitive job --vault "$work/none.vault"
check 'own: as it is' test "$(cell rows 1 k) $(cell rows 1 classes) $(cell rows 1 l) $(cell rows 1 unique_rows)" = '1 5 1 4'
printf 'sex,status,count,median,mean\n,,4,36.5,36.0\nF,,2,30,30.0\n,married,2,45.5,45.5\nF,married,1,,40.0\n' >"$work/published.csv"
ran 0 'own: reconstruct' "$scrim" attack reconstruct "$work/published.csv" --public --vault "$work/none.vault"
check 'own: one list is left' test "$(cell statistics 4 lists)" = 1
check 'own: its people' test "$(cell people 1 age) $(cell people 1 sex) $(cell people 4 age) $(cell people 4 status)" = '20 F 51 married'
ran 2 'own: without its columns' "$scrim" attack link "$work/own.csv" --public --vault "$work/none.vault"
err_has 'name the columns that an attacker may know of a person'
ran 3 'own: not said to be public' "$scrim" attack link "$work/own.csv"
err_has 'or add --public if it is a file that everybody may see'
ran 2 'own: another attack' "$scrim" attack float "$work/own.csv" --public --vault "$work/none.vault"
err_has "the attack 'float' makes its own people"
ran 2 'own: no file' "$scrim" attack link --public
err_has '--public needs one file'
ran 6 'own: a missing file' "$scrim" attack link "$work/missing.csv" --public --vault "$work/none.vault"
printf 'x\n1\n' >"$work/wrong.csv"
ran 6 'own: no published table' "$scrim" attack reconstruct "$work/wrong.csv" --public --vault "$work/none.vault"
# A dataset, a link to it and a copy of it are refused; a file that differs in a byte is not.
ran 0 'own: a vault' "$scrim" init --vault "$work/own.vault" --no-witness --quiet
cp "$work/own.csv" "$work/copy.csv"
ln -s own.csv "$work/link.csv"
sed 's/31/32/' "$work/own.csv" >"$work/other.csv"
ran 0 'own: a dataset' "$scrim" dataset add jobs --vault "$work/own.vault" --csv "$work/own.csv" --unit row --column 'age=int[0,99]' --budget epsilon=1 --quiet
for file in own copy link; do
    ran 3 "own: the dataset is refused: $file" "$scrim" attack link "$work/$file.csv" --public --columns age --sensitive job --vault "$work/own.vault"
    out_is ''
    err_has "has the data of the dataset jobs, which is protected; for its owner there is 'scrim dataset check jobs --risk'"
done
ran 0 'own: another file is not' "$scrim" attack link "$work/other.csv" --public --columns age --sensitive job --vault "$work/own.vault"
printf 'x' >"$work/bad.vault"
ran 3 'own: a vault that cannot be read' "$scrim" attack link "$work/other.csv" --public --columns age --sensitive job --vault "$work/bad.vault"
err_has 'cannot be read, so that nobody can tell whether the file is a dataset'

# ---- formats and charts, from a seed ----
ran 0 'a table' "$seeded" attack difference --format table --plot --svg "$work/chart.svg" --seed 7
out_has 'learnt      The bit of each person, with certainty'
out_has '| rounded to 5 and padded | 10      | 100.0         |'
out_has 'the same two counts through scrim (1,000 guesses, sampling error 3.1)'
out_has 'epsilon of each count'
check 'a table: 80 columns' sh -c "! grep -q '.\{81\}' '$work/out'"
if command -v xmllint >/dev/null 2>&1; then
    ran 0 'the drawing is well formed' xmllint --noout "$work/chart.svg"
else
    skip 'the drawing is well formed' 'xmllint is not installed'
fi
for format in csv json jsonl; do
    "$seeded" attack swap --seed 7 --format $format >"$work/$format" 2>"$work/err"
done
if [ $have_python = yes ]; then
    check 'CSV, JSON and JSON lines agree' python3 -c '
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
whole = json.load(open(sys.argv[2]))
lines = [json.loads(line) for line in open(sys.argv[3])]
assert whole["not_private"] and all(line.pop("not_private") for line in lines)
cells = [("facts", 1, name, whole[name]) for name in ("attack", "target", "learnt", "cost", "stopped", "source")]
for table in whole["tables"]:
    for number, row in enumerate(table["rows"], 1):
        cells += [(table["table"], number, name, value) for name, value in row.items()]
assert cells == [(line["table"], line["row"], line["name"], line["value"]) for line in lines]
assert [(t, str(r), n) for t, r, n, v in cells] == [(row["table"], row["row"], row["name"]) for row in rows]
for cell, row in zip(cells, rows):
    assert str(cell[3]) == row["value"] or float(cell[3]) == float(row["value"])' \
        "$work/csv" "$work/json" "$work/jsonl"
else
    skip 'CSV, JSON and JSON lines agree' 'python3 is not installed'
fi

cp "$work/csv" "$work/seven"
ran 0 'the same seed' "$seeded" attack swap --seed 7 --format csv
check 'the same seed: the same findings' cmp "$work/out" "$work/seven"
ran 0 'another seed' "$seeded" attack swap --seed 8 --format csv
check 'another seed: other findings' sh -c "! cmp -s '$work/out' '$work/seven'"

# ---- refusals ----
# The program beside another table of that name: copied, linked, and the table a link to the data.
mkdir -p "$work/there/bin" "$work/there/share/scrim/data"
there=$work/there/share/scrim/data/adult.csv
cp "$scrim" "$work/there/bin/scrim"
ln "$work/there/bin/scrim" "$work/there/bin/linked"
cp data/adult.csv "$there"
ran 0 'a copy beside the public table' "$work/there/bin/scrim" attack link --columns age
sed '2s/39/40/' data/adult.csv >"$there"
for program in scrim linked; do
    for kind in link k-anonymity; do
        ran 3 "$program: $kind of another table" "$work/there/bin/$program" attack "$kind" --columns age,sex,race,education
        err_is 'scrim attack: the public table does not have the expected SHA-256; use the original file'
        out_is ''
    done
done
printf 'age,occupation\n1,secret\n' >"$work/protected.csv"
ln -sf "$work/protected.csv" "$there"
ran 3 'a link to protected data' "$work/there/bin/linked" attack link --columns age
err_is 'scrim attack: the public table does not have the expected SHA-256; use the original file'
ran 2 'another attack' "$scrim" attack reconstrukt
err_is "scrim attack: unknown attack 'reconstrukt'; did you mean 'reconstruct'?"
ran 3 'a dataset' "$scrim" attack reconstruct purchases
err_is "scrim attack: attacks run on simulated or public data, never on a dataset; leave 'purchases' out, or add --public if it is a file that everybody may see"
ran 2 'a vault' "$scrim" attack reconstruct --vault x
err_has 'attacks open no vault but with --public, to refuse its datasets'
ran 2 'no seed in the program' "$scrim" attack reconstruct --seed 7
err_has 'unknown option --seed'
ran 2 'no place for a drawing' "$scrim" attack reconstruct --svg "$work/nowhere/x.svg"
err_has '--svg'
finish
