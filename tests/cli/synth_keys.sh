#!/bin/sh
# scrim synth --private-keys: what a plan says, what is charged and written, names of any bytes, what reads the keys of a
# release later, and what is refused.
# shellcheck disable=SC2016,SC2317 # dollars are for sh and awk; functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

# 2000 people: jobs of 1200, 600 and 180, and 20 who do what nobody else does; each has two rows.
awk 'BEGIN {
    print "who,sex,job,town,note"
    for (i = 0; i < 2000; i++) {
        k = i % 100
        job = k < 60 ? "clerk" : k < 90 ? "\"cook, \"\"chief\"\"\"" : k < 99 ? "a=b" : "only" i
        for (r = 0; r < 2; r++)
            printf "p%d,%s,%s,%s,x\n", i, i % 2 ? "f" : "m", job, i % 4 ? "Ulm" : "Bonn"
    }
}' >people.csv
"$scrim" init --quiet
"$scrim" dataset add people --csv people.csv --unit who --max-groups 1 --max-rows 2 --column sex=text --keys sex=f,m \
    --column job=text --column town=text --column note=text --missing note=x --budget epsilon=100,delta=1e-3 --quiet 2>/dev/null
synth() { "$scrim" synth people --columns sex,job,town --epsilon 4 --delta 1e-6 "$@"; }
keys() { synth --private-keys job --private-keys town=5 "$@"; }
left() { "$scrim" budget people --quiet --format csv | sed 1d | head -n 1; }

before=$(left)
ran 0 'a dry run' keys --dry-run
check 'a dry run: at most 64 keys and NULL' grep -q -x 'job,65,private keys,yes' out
check 'a dry run: at most 5 keys and NULL' grep -q -x 'town,6,private keys,yes' out
err_has 'selection   threshold-truncated epsilon=0.4 delta=0.00000025 max-groups=1 neighbours=add-remove, for each column'
err_has 'units for a 50 % chance to be a category'
ran 0 'a dry run as JSON' keys --dry-run --json
check 'a dry run as JSON: the selection' grep -q '"selection": "threshold-truncated .*"kept_half": [0-9]*' out
check 'a dry run: nothing is charged' test "$before" = "$(left)"

ran 0 'rows' keys
cp out first
err_has 'keys        3 of job, by partition selection; other values are NULL'
err_has 'keys        2 of town, by partition selection; other values are NULL'
err_has 'charged     epsilon 4, delta 1e-6 to people'
check 'rows: a name with quotes and a comma' grep -q ',"cook, ""chief""",Ulm$' out
check 'rows: no name of one person' sh -c '! grep -q only out'
check 'rows: clerks' sh -c 'n=$(grep -c ,clerk, first) && test "$n" -gt 2200 -a "$n" -lt 2600'
spent=$(left)
check 'rows: they cost' test "$before" != "$spent"
ran 0 'the same again, in another order' synth --private-keys town=5 --private-keys job=64
check 'the same again: the same rows' cmp first out
err_has ', earlier; nothing now'
check 'the same again: it is free' test "$spent" = "$(left)"
ran 0 'rows with a value' "$scrim" replay 1 --rows 9 --given 'job=cook, "chief"' --quiet
check 'rows with a value: it alone' test "$(sed 1d out | cut -d, -f3,4 | sort -u)" = '"cook, ""chief"""'
ran 2 'rows with a value that was not selected' "$scrim" replay 1 --given job=only99
err_has "'only99' is not a value of 'job'"
ran 0 'JSON' "$scrim" replay 1 --rows 30 --json --quiet
check 'JSON: a name' grep -q '"job": "cook, \\"chief\\""' out
check 'JSON: the whole cost, without rho' sh -c 'grep -q "\"epsilon\": \"4\", \"delta\": \"0.000001\"" out && ! grep -q "\"rho\"" out'

ran 0 'ledger' "$scrim" ledger people
check 'ledger: the question' grep -q 'selections=2 selection=threshold-truncated selection-epsilon=0.4 selection-delta=0.00000025 : ""sex"", ""job"" private 64, ""town"" private 5' out
ran 0 'a label' "$scrim" report 1 --html label.html
ran 0 'a label: it holds' "$scrim" report verify label.html
ran 0 'a label as CSV' "$scrim" report 1 --format csv
check 'a label: the selection of two columns' sh -c 'grep -q "^mechanism.2.line,threshold-truncated epsilon=0.4 " out && grep -q "^mechanism.2.copies,2$" out'
check 'a label: the whole cost' grep -q '^cost.epsilon,4$' out
ran 0 'a report' "$scrim" synth report 1
check 'a report: the column' grep -q '^job,1,.*,measured,' out
ran 0 'check' "$scrim" synth check 1
check 'check: the column is near' awk -F, '$2 == "job" && $3 == 1 && $4 < 0.05 { ok = 1 } END { exit !ok }' out
ran 0 'a charged report' "$scrim" synth report 1 --epsilon 1
ran 0 'a refinement' "$scrim" synth people --refine 1 --epsilon 4 --delta 1e-6 --out refined.csv
err_has 'keys        3 of job, by partition selection'
ran 2 'a refinement with other keys' "$scrim" synth people --refine 1 --epsilon 4 --delta 1e-6 --private-keys job
err_has 'leave them out'
ran 0 'the ledger' "$scrim" ledger verify

spent=$(left)
ran 2 'a column without keys' synth --private-keys job
err_has "'town' is text without public keys"
err_has 'or select them privately: --private-keys COLUMN'
ran 2 'public keys' keys --private-keys sex
err_has "only text without public keys has private ones; 'sex' is declared otherwise"
ran 2 'missing' "$scrim" synth people --columns sex,note --epsilon 4 --delta 1e-6 --private-keys note
err_has "'note' has a value for missing cells"
ran 2 'no delta' "$scrim" synth people --columns sex,job --method mwem --epsilon 4 --private-keys job
err_has 'private keys need a delta above 0'
ran 2 'rho' "$scrim" synth people --columns sex,job --rho 0.1 --delta 1e-6 --private-keys job
err_has 'give epsilon in place of rho'
ran 2 'smalldb' "$scrim" synth people --columns sex,job --method smalldb --epsilon 4 --private-keys job
err_has 'smalldb takes no private keys'
ran 2 'a combination' keys --never job=clerk,sex=f
err_has "'job' has private keys, which are not selected yet"
ran 2 'no number' keys --private-keys job=many
err_has "the number of keys of 'job' must be at least 1 and at most 65536"
check 'nothing was charged' test "$spent" = "$(left)"
finish
