#!/bin/sh
# THREATS A107: a version is its bytes. A file whose bytes are changed and whose size and time are put back, as cp -p and rsync -t do, gives no
# answer to anybody: each verb that reads rows is charged, ends with status 6 and the same words, and closes the version.
# shellcheck disable=SC2317 # functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
root=$PWD
cd "$work" || exit 1

awk 'BEGIN {
    print "person,age,day,city"
    for (i = 0; i < 3000; i++)
        printf "p%d,%d,%d,%s\n", i, 10 + i % 90, i % 30 + 1, i % 3 ? "north" : "south"
}' >people.csv
"$scrim" init --quiet
"$scrim" dataset add people --csv people.csv --unit person --rows-per-unit 1 --column 'age=int[0,120]' --column 'day=int[1,30]' \
    --column city=text --keys city=north,south --budget epsilon=1000,delta=1e-3 --quiet 2>/dev/null
"$scrim" series create days people 'SELECT COUNT(*) AS n' --window day --count 30 --epsilon 1 --quiet >/dev/null 2>&1
charges() { "$scrim" ledger --quiet --format csv | sed 1d | wc -l; }
ended() { "$scrim" ledger export | grep -c '"text": "close '; }
# One row becomes another's: the size stays, and the time is put back.
swap() {
    touch -r people.csv times
    sed -i "s/^p7,/p$1,/" people.csv
    touch -r times people.csv
}
changed='the source is not that of this version: it has changed since it was declared'

ran 0 'a release of a series' "$scrim" series release days 1 --quiet
ran 0 'an answer' "$scrim" query people 'SELECT COUNT(*) AS n' --epsilon 1 --quiet
ran 0 'an update of the same file' "$scrim" dataset update people --csv people.csv
err_is 'nothing changed; still version 1'
before=$(charges)
ran 0 'an update of the same file: answers stay free' "$scrim" query people 'SELECT COUNT(*) AS n' --epsilon 1 --quiet
check 'an update of the same file: nothing is charged' [ "$(charges)" -eq "$before" ]
# stands STATE: that of the version, wherever it is shown
stands() {
    check "$verb: listed as $1" sh -c "'$scrim' dataset list --format csv | grep -q '^people,.*,$1\$'"
    check "$verb: listed as $1 in JSON" sh -c "'$scrim' dataset list --json | grep -q '\"state\": *\"$1\"'"
    check "$verb: in a table only if it is closed" \
        [ "$("$scrim" dataset list --format table | grep -c '^| people *|.* [0-9]* closed |')" -eq "$([ "$1" = closed ] && echo 1 || echo 0)" ]
    check "$verb: shown as $1" sh -c "'$scrim' dataset show people --format csv | grep -qx 'state,$1'"
}
closed=0
# closes NAME COMMAND...
closes() {
    verb=$1
    swap 8
    before=$(charges)
    ran 6 "$@"
    err_says "is charged and has no answer: $changed; nothing was shown, and the charge stays"
    closed=$((closed + 1))
    check "$1: charged" [ "$(charges)" -eq $((before + 1)) ]
    check "$1: the version is closed" [ "$(ended)" -eq $closed ]
    shift
    ran 6 "$verb: asked again" "$@"
    err_says "$changed; its owner can declare the new contents with 'scrim dataset update'"
    stands closed
    sed -i '/^p8,/{s//p7,/;:a;n;ba}' people.csv
    touch -r times people.csv
    ran 6 "$verb: the former file opens nothing" "$@"
    check "$verb: nothing more is charged" [ "$(charges)" -eq $((before + 1)) ]
    check "$verb: the version is closed once" [ "$(ended)" -eq $closed ]
    "$scrim" dataset update people --quiet 2>/dev/null
    stands open
}
closes 'a query' "$scrim" query people 'SELECT AVG(age) AS a' --epsilon 1 --quiet
swap 8
ran 6 'explain: the version is closed' "$scrim" query people 'SELECT AVG(age) AS a' --epsilon 2 --quiet
closed=$((closed + 1))
for question in 'SELECT AVG(age) AS a' 'SELECT SUM(age) AS a'; do
    ran 6 "explain says what a query would: $question" "$scrim" explain people "$question" --epsilon 2
    out_is ''
    err_says "explain: $changed; its owner can declare"
done
sed -i '/^p8,/{s//p7,/;:a;n;ba}' people.csv
"$scrim" dataset update people --quiet 2>/dev/null
closes 'a batch of a tree' "$scrim" microdata release people --levels city --epsilon 1 --quiet
closes 'a series, of the same people' "$scrim" series release days 2 --quiet
closes 'bounds' "$scrim" suggest people --columns age --epsilon 10 --quiet
closes 'synthetic records' "$scrim" synth people --method mst --columns city,day --epsilon 10 --delta 1e-6 --quiet
closes 'a body' "$scrim" body fit people --columns age,day --epsilon 16 --quiet

# The owner's own look says so, and closes nothing.
swap 9
ran 7 'dataset check' "$scrim" dataset check people --format csv --quiet
out_has source-changed
check 'dataset check: nothing is closed' [ "$(ended)" -eq $closed ]
ran 0 'ledger verify' "$scrim" ledger verify --quiet
"$scrim" ledger export >export.jsonl
ran 0 'verify without scrim' sh "$root/tests/vault/check_export.sh" export.jsonl
ran 0 'ledger verify of an export' "$scrim" ledger verify export.jsonl
sed '0,/"text": "update 1 2/s//"text": "policy 1 2/' export.jsonl >forged.jsonl
ran 7 'a charge of a closed version, by scrim' "$scrim" ledger verify forged.jsonl
ran 1 'a charge of a closed version' sh "$root/tests/vault/check_export.sh" forged.jsonl
ran 0 'ledger history' "$scrim" ledger history --format csv --quiet

finish
