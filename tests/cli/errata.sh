#!/bin/sh
# scrim errata: the list, one of them in every format, and every refusal; scrim experiment erratum is the same.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim

# refused NAME MESSAGE ARGUMENT...: status 2, and the message in one line.
refused() {
    label=$1 message=$2
    shift 2
    ran 2 "$label" "$scrim" "$@"
    out_is ''
    err_lines 1
    err_has "scrim $1: $message"
}

# ---- the list ----
ran 0 'the list' "$scrim" errata
err_is ''
out_has 'number,document,place,subject,kind,statement,where,runs'
out_has '11,000,"Lemma 3/5, Mechanism 4",delta of Mechanism 4 is six times smaller,loose,Mechanism 4 has delta = (4/sqrt q) e^(-sqrt(q)/2).,"bucket-histogram, rounded-stlap",yes'
check 'the list: all 164, and a heading' test "$(wc -l <"$work/out")" -eq 165
check 'the list: numbers in order' sh -c "sed 1d '$work/out' | cut -d , -f 1 | cmp - - <<END
\$(seq 164)
END"
ran 0 'one document' "$scrim" errata --document 004
check 'one document: its errata' test "$(wc -l <"$work/out")" -eq 21
ran 0 'one kind of one document' "$scrim" errata --document 001 --kind loose
out_is 'number,document,place,subject,kind,statement,where,runs
24,001,Remark 3,"accuracy t/n^(1/4), not t/n^(1/2)",loose,The accuracy is t/n^(1/4).,stlap,yes'
ran 0 'no such one' "$scrim" errata --document 004 --kind unreadable --json
out_is '{"rows": [
]}'
cp "$work/out" "$work/list"
ran 0 'a table' "$scrim" errata --format table
out_has 'Algorithm 1 ...'
out_has 'a condition on the private size'
check 'a table: 80 columns' sh -c "! LC_ALL=C.UTF-8 grep -q '.\{81\}' '$work/out'"
check 'a table: one line each' test "$(wc -l <"$work/out")" -eq 168
ran 0 'the list as an experiment' "$scrim" experiment erratum --document 004 --kind unreadable --json
check 'the list as an experiment: the same' cmp "$work/out" "$work/list"

# ---- one of them ----
ran 0 'one of them' "$scrim" errata 11 --format table
err_is ''
out_has 'erratum     11, loose: delta of Mechanism 4 is six times smaller'
out_has 'document    000: Extending the Foundations of Differential Privacy: Robustness'
out_has 'where       bucket-histogram, rounded-stlap'
out_has '0.13533528323661269'
out_has '0.022227494350478423'
cp "$work/out" "$work/eleven"
ran 0 'one of them, by its letter' "$scrim" errata E11 --format table
check 'one of them, by its letter: the same' cmp "$work/out" "$work/eleven"
ran 0 'one of them, as CSV' "$scrim" errata 11
out_has 'part,what,formula,value'
out_has 'place,,,"Lemma 3/5, Mechanism 4"'
out_has 'input,width of the noise,q = 16,16'
out_has 'step,epsilon,eps = 1/sqrt(q),0.25'
out_has 'claimed,delta,4/sqrt(q)*exp(-sqrt(q)/2),0.13533528323661269'
ran 0 'one that does not run' "$scrim" errata 8 --format table
out_has 'runs        no: its text is all there is; nothing is computed here'
ran 0 'one that does not run, as JSON' "$scrim" errata 8 --json
out_has '"runs": false, "rows": ['
if command -v python3 >/dev/null 2>&1; then
    for format in json jsonl csv; do
        "$scrim" errata 12 --format $format >"$work/$format"
    done
    check 'CSV, JSON and JSON lines agree' python3 -c '
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
whole = json.load(open(sys.argv[2]))
lines = [json.loads(line) for line in open(sys.argv[3])]
assert rows == lines and whole["number"] == 12 and whole["runs"]
facts = [row for row in rows if row["part"] in whole]
assert [row["value"] for row in facts] == [whole[row["part"]] for row in facts] and len(facts) == 10
assert rows[len(facts):] == whole["rows"]
assert whole["rows"][-1]["part"] == "true" and whole["rows"][-1]["value"].startswith("0.00153068269849")' \
        "$work/csv" "$work/json" "$work/jsonl"
    # Each runs, and says what is claimed and what is true.
    check 'all that run' python3 -c '
import json, subprocess, sys
errata = json.loads(subprocess.check_output([sys.argv[1], "errata", "--json"]))["rows"]
for row in errata:
    if row["runs"] == "yes":
        shown = json.loads(subprocess.check_output([sys.argv[1], "errata", str(row["number"]), "--json"]))
        parts = [line["part"] for line in shown["rows"]]
        assert "claimed" in parts and "true" in parts and "input" in parts, row
        assert all(line["value"] and line["what"] for line in shown["rows"]), row' "$scrim"
else
    skip 'CSV, JSON and JSON lines agree' 'python3 is not installed'
    skip 'all that run' 'python3 is not installed'
fi

# ---- by place and by words ----
ran 0 'by its place' "$scrim" errata Theorem 6.4 --format table
out_has 'erratum     72, gap: composition for every epsilon'
ran 0 'by its place, shorter' "$scrim" errata thm 6.4 --document 002 --format table
out_has 'erratum     72, gap: composition for every epsilon'
ran 0 'by words of the title' "$scrim" errata composition --format csv
check 'by words of the title: several' test "$(wc -l <"$work/out")" -gt 2

# ---- refusals ----
ran 0 'by a name of papers' "$scrim" errata svt --format csv
out_has '72,002,Theorem 6.4,composition for every epsilon,gap,'
ran 0 'by a mechanism in words' "$scrim" errata exponential mechanism --format csv
out_has '59,002,"Theorem 4.5, proof",a sign in the proof of utility,typo,'
ran 0 'a document by its number' "$scrim" errata 002 --format csv
check 'a document by its number: its own' test "$(grep -c '^[0-9]*,002,' "$work/out")" -gt 20
ran 0 'a place of a document' "$scrim" errata 002 Theorem 6.4 --format csv
out_has 'document,,,002'
ran 0 'an equation' "$scrim" errata 000 '(14)' --format table
out_has 'erratum     8, typo: composition has beta1 for beta2'
ran 0 'an equation of a statement with several' "$scrim" errata 001 '(24)' --format csv
out_has '12,001,'
out_has '15,001,'
refused 'an equation without' "no erratum is about Equation (1) of document 000; \"scrim list papers 000 'Equation (1)'\" shows what runs it" errata 000 '(1)'
refused 'a statement without' "no erratum is about Lemma 4 of document 004; \"scrim list papers 004 'Lemma 4'\" shows what runs it" errata 004 Lemma 4
refused 'no such word' "there is no erratum 'nonsense'; 'scrim errata' lists them" errata nonsense
refused 'no such place' "there is no erratum 'Theorem 99.9'; 'scrim errata' lists them" errata Theorem 99.9
refused 'no such place in the document' "there is no erratum 'Theorem 6.4'" errata Theorem 6.4 --document 003
refused 'no such number' "there is no erratum '165'; 'scrim errata' lists them" errata 165
refused 'a number too long' "there is no erratum '99999999999999999999'" errata 99999999999999999999
refused 'two numbers' "one erratum at a time; leave '2' out" errata 1 2
refused 'no such document' "unknown document '005'; use 000, 001, 002, 003 or 004" errata --document 005
refused 'no such kind' "unknown kind 'wrong'; use false, loose, gap" errata --kind wrong
refused 'a filter and a number' "--document and --kind are for the list; leave them or '3' out" errata 3 --kind false
refused 'an option of another experiment' 'unexpected argument --only' experiment erratum --only 1
refused 'an option of the errata' 'unexpected argument --kind' experiment flexible-accuracy --kind gap
refused 'no such experiment' "unknown subcommand 'errata'; did you mean 'erratum'?" experiment errata
refused 'two numbers of an experiment' "one erratum at a time; leave '2' out" experiment erratum 1 2


# Places of errata name several statements at once: each is found, and no other.
for found in '001 Theorem 4,12 18' '001 Claim 5,25' '000 Lemma 3,11' '002 thm 6.6,74 75' '004 Lemma 5,152 154'; do
    # shellcheck disable=SC2086 # words
    ran 0 "${found%,*}: its errata" "$scrim" errata ${found%,*} --json
    check "${found%,*}: these" test "$(grep -o '"number": [0-9]*' "$work/out" | tr -dc '0-9\n' | tr '\n' ' ')" = "${found#*,} "
done
finish
