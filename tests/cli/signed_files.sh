#!/bin/sh
# A105: bodies, synthetic rows and their reports, counts: files that carry the owner's signature, what is shown of them, and
# what a forger tries.
# shellcheck disable=SC2016,SC2094 # for sed; commands that are named, not run
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

awk 'BEGIN {
    print "who,a,b,sex"
    for (i = 0; i < 2000; i++)
        printf "p%d,%d,%d,%s\n", i, i * 37 % 1000, i * 101 % 200, i % 3 ? "Male" : "Female"
}' >people.csv
declared="--csv ../people.csv --unit who --rows-per-unit 1 --column a=int[0,999] --column b=int[0,200] --column sex=text \
    --keys sex=Female,Male --budget epsilon=100,delta=1e-3 --quiet"
mkdir own other
for owner in own other; do
    # shellcheck disable=SC2086 # words
    (cd $owner && "$scrim" init --quiet && "$scrim" dataset add people $declared 2>/dev/null)
    (cd $owner && "$scrim" ledger key >key)
done
(cd other && "$scrim" body fit people --columns a,b --epsilon 0.1 --out body.json --quiet)
cd own || exit 1
key=$(cat key)
"$scrim" body fit people --columns a,b --epsilon 16 --out body.json --quiet
"$scrim" body fit people --columns a,b --epsilon 8 --out second.json --quiet
"$scrim" microdata release people --levels sex --epsilon 1 --out counts.csv --records records.csv --measurements noisy.csv --quiet
"$scrim" microdata show 3 --json --quiet >counts.json
"$scrim" microdata show 3 --quiet >plain.csv
"$scrim" synth people --columns a,sex --epsilon 1 --delta 1e-6 --out rows.csv --rows 20 --quiet
"$scrim" synth people --columns a,sex --epsilon 1 --delta 1e-6 --out rows.json --json --rows 20 --quiet
"$scrim" replay 4 --rows 20 --json --quiet >again.json
"$scrim" synth report 4 --out report.csv --quiet
"$scrim" synth report 4 --json --quiet >report.json

check 'a file is the same whenever it is made' cmp rows.json again.json
check 'CSV has its label beside it' test -f counts.csv.label -a -f records.csv.label -a -f noisy.csv.label \
    -a -f rows.csv.label -a -f report.csv.label
check 'JSON has it inside' test ! -e rows.json.label -a ! -e body.json.label
check 'the table is that of standard output' cmp counts.csv plain.csv

ran 0 'the label is named' "$scrim" synth people --columns a,sex --epsilon 1 --delta 1e-6 --out named.csv
err_says 'signed      by named.csv.label; keep both files together'
ran 0 'the label is named: counts' "$scrim" microdata show 3 --out named.csv
err_says 'signed      by named.csv.label; keep both files together'
ran 0 'the label is named: not in JSON' "$scrim" microdata show 3 --out named.json --json
check 'the label is named: not in JSON, which holds it' sh -c "! grep -q named '$work/err'"
ran 0 'the label is named: not if quiet' "$scrim" microdata show 3 --out named.csv --quiet
err_is ''

# ---- files that hold ----
for file in body.json counts.csv records.csv noisy.csv counts.json rows.csv rows.json report.csv report.json; do
    ran 0 "verify $file" "$scrim" report verify $file --json
    out_has '"holds": true, "ledger": true, "signature": true'
    ran 0 "verify $file by the key" env -C / "$scrim" report verify "$PWD/$file" --key "$key" --json
    out_has '"holds": true, "ledger": false, "signature": true'
    ran 7 "verify $file by nothing" env -C / "$scrim" report verify "$PWD/$file"
    err_has 'not checked: who made the label'
    ran 7 "verify $file by another key" "$scrim" report verify $file --key ../other/key
    err_has 'the label is signed by another key'
    ran 7 "verify $file by another vault" "$scrim" report verify $file --vault ../other/scrim.vault
done
ran 0 'a body is shown' "$scrim" body show body.json
check 'a body is shown: the signature comes first' \
    test "$(head -n 1 "$work/err")" = "body.json: unchanged, signed by the key $key; the release is in the vault"
ran 0 'elsewhere' env -C / "$scrim" body show "$PWD/body.json"
err_has "signed by the key $key; compare it with the one that the owner publishes"
ran 0 'by the key' env -C / "$scrim" body show "$PWD/body.json" --key "$PWD/key"
err_has "signed by the key $key, as given"
ran 0 'beside another vault' env -C ../other "$scrim" body show ../own/body.json
err_has "signed by the key $key; it does not match the ledger of the vault here"
ran 0 'from a pipe' sh -c "'$scrim' body show - <body.json"
err_has '-: unchanged, signed by'
ran 0 'a quiet one' "$scrim" body show body.json --quiet
err_is ''
ran 0 'counts are checked' "$scrim" microdata check counts.csv
check 'counts are checked: the signature comes first' \
    test "$(head -n 1 "$work/err")" = "counts.csv: unchanged, signed by the key $key; the release is in the vault"
ran 0 'noisy counts are fitted' "$scrim" microdata fit noisy.csv --key key
err_has 'noisy.csv: unchanged, signed by the key'
for verb in 'center body.json' 'project body.json --at 5,5' 'support body.json --at 1,0' 'depth body.json --at 5,5' 'outliers body.json --at 5,5' \
    'minimise body.json a+b' 'sample body.json -n 3' 'compare body.json second.json' 'plot body.json --svg x.svg'; do
    # shellcheck disable=SC2086 # words
    ran 0 "body $verb" "$scrim" body $verb --key key
    err_has "body.json: unchanged, signed by the key $key, as given"
    sed 's/"units": 0/"units": 5000/' body.json >forged
    # shellcheck disable=SC2046 # words
    ran 7 "body $verb: forged" "$scrim" body $(echo "$verb" | sed 's/body.json/.\/forged/')
    out_is ''
done
ran 2 'a key for a dataset' "$scrim" body center people --columns a,b --epsilon 1 --key key
err_has "--key is for the file of a body; 'people' is the name of a dataset"

# ---- what a forger tries ----
# forged NAME FILE MESSAGE: not shown at all, and not verified by anything.
forged() {
    ran 7 "$1: not shown" "$scrim" body show "$2"
    out_is ''
    err_has "scrim body: '$2' is refused: "
    err_has "$3"
    ran 7 "$1: not by the vault" "$scrim" report verify "$2" --json
    out_has '"holds": false'
    ran 7 "$1: not by the key" "$scrim" report verify "$2" --key key
}
# changed NAME SCRIPT MESSAGE: the body changed by a script of sed.
changed() {
    sed "$2" body.json >forged
    check "$1: it is changed" sh -c '! cmp -s body.json forged'
    forged "$1" forged "${3:-the file was changed: its bytes are not those that its label was made for}"
}
changed 'another claim' 's/"epsilon": "16"/"epsilon": "1"/'
changed 'another sentence' 's/Privacy: epsilon 16/Privacy: epsilon 1/'
changed 'another number' '0,/"offset": [0-9]*/s//"offset": 1/'
changed 'another dataset' 's/"dataset": "people"/"dataset": "nobody"/'
changed 'white space' 's/"q": /"q":  /'
changed 'white space at the end' '$s/}$/} /' 'does not end with its label, spelt as it was written'
changed 'the claim of the label' 's/\\ncost.epsilon 16/\\ncost.epsilon 1/' 'its hash does not match its text'
changed 'the member in another spelling' 's/"scrim-label": /"scrim-label" : /' 'does not end with its label'
changed 'the label in another spelling' 's/scrim-label": "scrim-label/scrim-label": "scrim\\u002dlabel/' 'does not end with its label'
changed 'no signature' 's/\\nsignature [0-9a-f]*\\n"}$/"}/' 'the label was changed'
body_of() { sed '/^"scrim-label"/d' "$1"; }
label_of() { sed -n '/^"scrim-label"/p' "$1"; }
{ body_of body.json; label_of second.json; } >forged
forged 'the label of another body' forged 'the file was changed'
{ body_of body.json; sed -n 's/.*, \("scrim-label": .*\)/\1/p' counts.json; } >forged
forged 'the label of counts' forged 'the file was changed'
for script in 's/"q": /"epsilon": "1", "q": /' 's/^"scrim-label"/"epsilon": "1", "scrim-label"/' '$a {"epsilon": 1}' \
    '$s/}$/, "epsilon": "1"}/' '0,/"offset": /s//"offset": 9/'; do
    changed "no body any more ($script)" "$script" 'the file was changed'
done
# All of it made to fit: the digest of the changed bytes, and the hash. Only the signature cannot be made.
body_of body.json | sed 's/"epsilon": "16"/"epsilon": "1"/' >content
label_of body.json | sed -e 's/^"scrim-label": "//' -e 's/"}$//' -e 's/\\"/"/g' -e 's/\\n/\
/g' >label
{ grep -v '^file.digest \|^hash \|^signature \|^$' label; echo "file.digest $(sha256sum <content | cut -d ' ' -f 1)"; } |
    sed "s/^file.bytes .*/file.bytes $(wc -c <content)/" >facts
echo "hash $(sha256sum <facts | cut -d ' ' -f 1)" >>facts
fitted() { cat content && printf '"scrim-label": "' && awk '{ gsub(/"/, "\\\""); printf "%s\\n", $0 }' "$@" && printf '"}\n'; }
grep '^signature ' label >old
fitted facts old >forged
forged 'made to fit' forged 'the file was changed: its signature is not that of its label'
fitted facts >forged
ran 0 'made to fit, without a signature' "$scrim" body show forged
check 'made to fit, without a signature: it is called so' \
    test "$(head -n 1 "$work/err")" = 'forged: not signed; its claims were not checked'
ran 7 'made to fit, without a signature: by the key' "$scrim" body show forged --key key
ran 7 'made to fit, without a signature: by the vault' "$scrim" report verify forged
err_has 'the label has no signature, although its vault has a key'
# Another vault signs whatever its owner likes: by its own key.
ran 0 'the key of another vault' env -C / "$scrim" body show "$work/other/body.json"
err_has "signed by the key $(cat ../other/key)"
ran 7 'the key of another vault: not the key' "$scrim" body show ../other/body.json --key key
out_is ''
err_has 'it is signed by another key'
ran 7 'the key of another vault: not the vault' "$scrim" body show ../other/body.json --vault scrim.vault
out_is ''

# ---- a label in place of its file ----
for file in counts.csv rows.csv report.csv; do
    ran 7 "$file.label: not by the vault" "$scrim" report verify $file.label --json
    out_has '"holds": false'
    err_has 'not checked: the file that this label is for: verify that file, with its label beside it'
    ran 7 "$file.label: not by the key" "$scrim" report verify $file.label --key key
done

# ---- no signature ----
{ body_of body.json | sed '$s/,$/}/'; } >bare.json
ran 0 'a body without a label' "$scrim" body show bare.json
check 'a body without a label: it is called so' test "$(head -n 1 "$work/err")" = 'bare.json: not signed; its claims were not checked'
ran 7 'a body without a label: by a key' "$scrim" body show bare.json --key key
out_is ''
err_has "'bare.json' is refused: it is not signed"
ran 7 'a body without a label: by a vault' "$scrim" body show bare.json --vault scrim.vault
ran 2 'a body without a label: verify' "$scrim" report verify bare.json
err_has 'the file contains no label'
ran 0 'a table without a label' "$scrim" microdata check plain.csv
err_has 'plain.csv: not signed; its claims were not checked'
ran 2 'a table without a label: verify' "$scrim" report verify plain.csv
err_has "the file contains no label; put FILE.label beside it, or write a label with 'scrim report RELEASE'"

# ---- counts, rows and reports ----
# damaged FILE SCRIPT: the file changed beside its label.
damaged() {
    mkdir -p damaged
    cp "$1" damaged/
    test ! -f "$1.label" || cp "$1.label" damaged/
    sed "$2" "$1" >"damaged/$1"
    check "$1 ($2): it is changed" sh -c "! cmp -s '$1' 'damaged/$1'"
    ran 7 "$1 ($2): not by the vault" "$scrim" report verify "damaged/$1" --vault scrim.vault
    err_has 'the file was changed'
    ran 7 "$1 ($2): not by the key" "$scrim" report verify "damaged/$1" --key key --json
    out_has '"holds": false'
}
damaged counts.csv 's/^\(1,Male,\)/\11/'
damaged counts.csv '$a 1,Other,5'
damaged counts.csv 's/$/\r/'
damaged records.csv '$d'
damaged noisy.csv 's/epsilon=/epsilon=0/'
damaged counts.json 's/"epsilon": "1"/"epsilon": "0.1"/'
damaged counts.json 's/"version"/"epsilon": 0.1, "version"/'
damaged rows.csv '2s/^/1/'
damaged rows.json 's/"release": 4/"release": 5/'
damaged report.csv 's/measured/model/'
damaged report.json 's/"basis": "measured"/"basis": "model"/'
sed 's/^\(1,Male,\)/\11/' counts.csv >damaged/counts.csv
ran 7 'changed counts are not checked' "$scrim" microdata check damaged/counts.csv
err_has "'damaged/counts.csv' is refused: the file was changed"
cp noisy.csv.label damaged/counts.csv.label
cp counts.csv damaged/counts.csv
ran 7 'the label of another file' "$scrim" microdata check damaged/counts.csv
ran 7 'the label of another file: verify' "$scrim" report verify damaged/counts.csv --key key
"$scrim" report 3 >damaged/counts.csv.label
ran 7 'the label of the release alone' "$scrim" microdata check damaged/counts.csv
err_has 'the label is not the label of a file'
ran 7 'the label of the release alone: verify' "$scrim" report verify damaged/counts.csv --key key
echo nothing >damaged/counts.csv.label
ran 7 'no label in it' "$scrim" microdata check damaged/counts.csv
err_has 'the file beside it contains no label'

# ---- answers of queries ----
for format in csv json table; do
    ran 0 "an answer as $format" "$scrim" query people 'SELECT COUNT(*) AS n' --epsilon 0.25 --format $format --out answer.$format
    out_is ''
    ran 0 "an answer as $format: verified" "$scrim" report verify answer.$format --key key --json
    out_has '"kind": "answer"'
done
check 'an answer as csv: its columns' test "$(head -n 1 answer.csv)" = n,n_low,n_high
ran 0 'an answer: a label beside it' test -s answer.csv.label
id=$("$scrim" ledger --format csv --quiet | tail -n 1 | cut -d , -f 1)
ran 0 'an answer again' "$scrim" replay "$id" --out again.csv
err_has 'signed      by again.csv.label; keep both files together'
check 'an answer again: the same bytes' cmp answer.csv again.csv
check 'an answer again: the same label' cmp answer.csv.label again.csv.label
damaged answer.csv '$s/^/1/'
damaged answer.json 's/"value": /&1/'
damaged answer.table 's/n/m/'
mkdir kept.csv.label
before=$("$scrim" ledger export | tail -n 1)
ran 2 'no place for the label of an answer' "$scrim" query people 'SELECT COUNT(*) AS m' --epsilon 0.125 --out kept.csv
check 'no place for the label of an answer: nothing is charged' test "$("$scrim" ledger export | tail -n 1)" = "$before"
check 'no place for the label of an answer: nothing is written' test ! -e kept.csv

# ---- nothing half-written, nothing signed that is secret ----
mkdir taken.csv.label
ran 2 'no place for the label' "$scrim" synth people --columns a --epsilon 1 --delta 1e-6 --out taken.csv
check 'no place for the label: nothing is charged' test "$("$scrim" ledger --format csv --quiet | grep -c 'synth')" -eq 1
check 'no place for the label: nothing is written' test ! -e taken.csv
ran 2 'what check shows goes into no file' "$scrim" synth check 4 --out secret.csv
check 'what check shows goes into no file: none' test ! -e secret.csv
ran 0 'what check shows is not signed' "$scrim" synth check 4 --json
check 'what check shows is not signed: no label' sh -c "! grep -q scrim-label '$work/out'"
ran 2 'ranges and a file' "$scrim" microdata show 3 --range 1,2 --out x.csv
err_has '--out is for the table of counts'

finish
