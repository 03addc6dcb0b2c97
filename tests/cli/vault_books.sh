#!/bin/sh
# The analyst's and the officer's side of the vault: run --charge, replay, budget and ledger, every
# refusal and its status. An epsilon of 1000 leaves noise that nobody will ever see.
# shellcheck disable=SC2317 # functions that ran calls
# Where memory can hold a file the vault lies there: this is not about the disk.
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
root=$(pwd)
scrim=$(cd "$O" && pwd)/scrim
seeded=$(cd "$O" && pwd)/scrim-test
cd "$work" || exit 1
me=$(id -un)
count='laplace sensitivity=1 epsilon=0.1 whole=yes neighbours=add-remove'
sure='laplace sensitivity=1 epsilon=1000 whole=yes neighbours=add-remove'

# given FORMAT...: what the next commands read.
given() {
    # shellcheck disable=SC2059 # a format on purpose
    printf -- "$@" >input
}
# charged DATASET LINE OPTION...: a release that is booked there.
charged() {
    dataset=$1 line=$2
    shift 2
    # shellcheck disable=SC2086 # words
    "$scrim" run $line --charge "$dataset" "$@" <input
}
# refused STATUS NAME MESSAGE ARGUMENT...: the status, and the message in one line.
refused() {
    want=$1 label=$2 message=$3
    shift 3
    ran "$want" "$label" "$@"
    out_is ''
    err_lines 1
    err_has "$message"
}
left() { "$scrim" budget "$1" --format csv --quiet | awk -F , 'NR == 2 { print $6 }'; }
# mark, and later unmoved: what stands between them leaves the ledger as it is.
mark() { before=$("$scrim" ledger export | tail -n 1); }
unmoved() { check "$name: nothing was charged" test "$before" = "$("$scrim" ledger export | tail -n 1)"; }

# ---- without a vault ----
given '1234\n'
refused 5 'no vault: run' "scrim run: there is no vault at './scrim.vault'; 'scrim init' creates one" \
    charged adult "$count"
refused 5 'no vault: budget' "scrim budget: there is no vault at './scrim.vault'" "$scrim" budget
refused 5 'no vault: ledger' "scrim ledger: there is no vault at './scrim.vault'" "$scrim" ledger
refused 5 'no vault: verify' "scrim ledger: there is no vault at './scrim.vault'" "$scrim" ledger verify
refused 5 'no vault: replay' "scrim replay: there is no vault at './scrim.vault'" "$scrim" replay 1
check 'no vault: none was made' test ! -e scrim.vault

# ---- an empty one ----
"$scrim" init --no-witness --quiet
ran 0 'an empty vault: budget' "$scrim" budget
out_is 'population,analyst,unit,limit,spent,left,charges'
err_is "no budget in the vault yet; 'scrim dataset add' creates one"
ran 0 'an empty vault: ledger' "$scrim" ledger
out_is 'release,time,analyst,dataset,version,unit,amount,delta,state,measurement,shown_to'
ran 0 'an empty vault: ledger as JSON' "$scrim" ledger --json
out_is '{"rows": [
]}'
"$scrim" dataset add adult --unit row --budget epsilon=3,delta=1e-6 --cap epsilon=1 --quiet
"$scrim" dataset add wide --unit row --budget epsilon=100000,delta=1/2 --quiet
"$scrim" dataset add swapped --unit row --neighbours replace --budget epsilon=1 --quiet

# ---- a release ----
ran 0 'a release' charged adult "$count"
check 'a release: a number and its interval' grep -q -x -E -e '(-?[0-9]+,){2}-?[0-9]+' out
check 'a release: a note' grep -q '^not covered' err
sed -i '/^not covered/,/^charged/{/^charged/!d}' err
release=$(sed -n 's/^release *\([0-9]*\),.*/\1/p' err)
name='a release'
err_is "released    $count
cost        epsilon 0.1, delta 0, rho 0.005
neighbours  add-remove: one unit is added or removed
meaning     a guess whether one person is in the data is right at most 52.5 % of
            the time
accuracy    each value is within 30 of the truth with probability 0.95
charged     epsilon 0.1 to adult, version 1, for $me
left        epsilon 2.9, delta 1e-6 of the budget of adult
release     $release, which 'scrim replay $release' shows again, free of charge"
cp out first
ran 0 'the same command' charged adult "$count" --quiet
err_is ''
check 'the same command: is charged again' test "$(left adult)" = 2.8
ran 0 'replay' "$scrim" replay "$release"
check 'replay: the same answer' cmp out first
check 'replay: the charge is named' grep -q -x "charged     epsilon 0.1 to adult, version 1, for $me, earlier; nothing now" err
check 'replay: free of charge' test "$(left adult)" = 2.8
ran 0 'replay, quietly' "$scrim" replay "$release" --quiet
err_is ''
ran 0 'replay with another confidence' "$scrim" replay "$release" --confidence 1/2
err_has 'within 7 of the truth with probability 0.5'

# replayed NAME LINE OPTION...: the bytes of the release are those of its replay.
formats='csv json jsonl table'
replayed() {
    label=$1 line=$2
    shift 2
    for format in $formats; do
        # shellcheck disable=SC2086 # words
        "$scrim" run $line --charge wide --format $format "$@" <input >shown 2>note
        number=$(sed -n 's/^release *\([0-9]*\),.*/\1/p' note)
        ran 0 "$label, replayed as $format" "$scrim" replay "$number" --format "$format" --quiet
        check "$label, replayed as $format: the same bytes" cmp out shown
        check "$label, replayed as $format: it is something" test -s shown
    done
}
given '12\n-7\n3\n'
replayed 'numbers' "$sure"
formats='json'
replayed 'a grid' 'laplace sensitivity=0.01 epsilon=1 neighbours=add-remove grid=0.01 size=3'
replayed 'another confidence' "$count" --confidence 0.9
replayed 'a Gaussian' 'gaussian sensitivity=1 epsilon=1/2 delta=1e-9 neighbours=add-remove size=3 whole=yes'
replayed 'a quantile' 'quantile p=0.25,0.5 epsilon=1 lower=0 upper=9 neighbours=add-remove'
given 'colour,n\n"r,ed",3\n =HYPERLINK() ,40\n\n'
formats='csv json jsonl table'
replayed 'labels and a header' "$count" --labels --header
formats='csv json'
replayed 'a choice' 'permute-and-flip sensitivity=1 epsilon=1 neighbours=add-remove' --labels --header
# The label of a group that is not kept is in no replay, report or export.
given 'flu,900\nCANARY,0\ncold,700\n'
chooses='neighbours=add-remove then permute-and-flip sensitivity=1 epsilon=1'
for kept in 'threshold-laplace epsilon=1/10 delta=1e-9 neighbours=add-remove' \
    'partition-selection epsilon=1/10 delta=1e-9 neighbours=add-remove' \
    "stabilise sensitivity=1 epsilon=1/10 delta=1e-9 whole=yes $chooses"; do
    replayed "kept groups of ${kept%% *}" "$kept" --labels
    ran 0 "a page of ${kept%% *}" "$scrim" report "$number" --html page.html
    check "a page of ${kept%% *}: what was kept" grep -q flu page.html
    ran 0 "a report of ${kept%% *}" "$scrim" report "$number"
    "$scrim" report "$number" --json >page.json
    "$scrim" ledger export >exported
    check "${kept%% *}: the label is recorded nowhere" sh -c '! grep -q CANARY out page.html page.json exported scrim.vault'
    check "${kept%% *}: others are" grep -q flu exported
done
given '%s\n' 1 2 300 4 500 6 700
replayed 'a run that halts' 'above-threshold sensitivity=1 epsilon=1 threshold=100 neighbours=add-remove'
replayed 'a run with values' \
    'sparse-vector sensitivity=1 epsilon=10 threshold=100 count=2 numeric=yes neighbours=add-remove'
replayed 'a run that goes on' \
    'sparse-vector sensitivity=1 epsilon=10 threshold=5000 count=2 neighbours=add-remove'
given '1\n'
ran 0 'a relation that is worth twice' charged swapped "$count"
err_has "charged     epsilon 0.2 to swapped, version 1, for $me"
ran 0 'JSON of a vault' charged adult "$count" --json
check 'JSON of a vault: its facts' grep -q -e \
    '"dataset": "adult", "version": 1, "charged": {"unit": "epsilon", "amount": "0.1", "delta": "0"}, "release": [0-9]*}$' out
err_lines 3
err_has 'left        epsilon 2.7, delta 1e-6 of the budget of adult'

# ---- what is refused ----
mark
refused 2 'no such dataset' "scrim run: unknown dataset 'adlut'; did you mean 'adult'?" \
    charged adlut "$count"
unmoved
refused 2 'no dataset like it' "scrim run: unknown dataset 'nobody'; 'scrim dataset list' lists them" \
    charged nobody "$count"
refused 2 'no name' "scrim run: unknown dataset ''" charged '' "$count"
refused 3 'above the cap' 'scrim run: one query may cost at most epsilon 1; ask for less' \
    charged adult 'laplace sensitivity=1 epsilon=1.5 neighbours=add-remove'
unmoved
refused 3 'another relation' "scrim run: a claim for 'replace' does not hold in a ledger for 'add-remove'" \
    charged adult 'laplace sensitivity=1 epsilon=0.1 neighbours=replace'
unmoved
refused 3 'a local claim' "scrim run: a claim for 'local' does not hold in a ledger for 'add-remove'" \
    charged adult 'randomised-response epsilon=0.1 neighbours=local values=2'
unmoved
refused 4 'more than is left' 'scrim run: insufficient budget: epsilon 0.9 requested, 0.8 left' \
    charged swapped 'laplace sensitivity=1 epsilon=0.9 neighbours=replace'
err_has "left; nothing was charged; use a smaller epsilon (larger error), ask for fewer values, or ask the vault's owner"
unmoved
refused 2 'a vault and nothing to charge' 'scrim run: --vault and --wait need --charge NAME' \
    sh -c "echo 1 | '$scrim' run $count --vault scrim.vault"
refused 2 'replay of nothing' "scrim replay: name one release by its number" "$scrim" replay
refused 2 'replay of two' "scrim replay: name one release by its number" "$scrim" replay 1 2
refused 2 'replay of a word' "scrim replay: 'adult' is not a release number" "$scrim" replay adult
refused 2 'replay of -1' 'scrim replay: unknown option -1' "$scrim" replay -1
refused 2 'replay of what is no release' "scrim replay: there is no release 0; 'scrim ledger' lists them" "$scrim" replay 0
refused 2 'replay of what is not there' "scrim replay: there is no release 999999; 'scrim ledger' lists them" "$scrim" replay 999999
refused 2 'replay at no confidence' 'scrim replay: ' "$scrim" replay "$release" --confidence 2
refused 2 'budget of nobody' "scrim budget: unknown population or dataset 'nobody'" "$scrim" budget nobody
refused 2 'budget of two' 'scrim budget: name one population or dataset' "$scrim" budget adult wide
refused 2 'budget of a misspelt name' "dataset 'adlut'; did you mean 'adult'?" "$scrim" budget adlut
refused 2 'history of a misspelt name' "scrim ledger: unknown dataset 'adlut'; did you mean 'adult'?" \
    "$scrim" ledger adlut
refused 2 'history of nobody' "scrim ledger: unknown dataset 'nobody'" "$scrim" ledger nobody
refused 2 'too many words' "scrim ledger: unknown form; use 'scrim ledger [history] [NAME]'" "$scrim" ledger verify adult wide
refused 2 'history of two' "scrim ledger: unknown form; use 'scrim ledger [history] [NAME]'" "$scrim" ledger history adult wide
refused 2 'an export as CSV' 'scrim ledger: an export is always JSON lines' "$scrim" ledger export --format csv
refused 2 'an option of another verb' 'scrim budget: unexpected argument --plot' "$scrim" budget --plot
refused 5 'a test vault is not ours' 'scrim budget: ' sh -c "'$seeded' init --vault test.vault --quiet 2>/dev/null &&
    '$scrim' budget --vault test.vault"
unmoved

ran 6 'no values' charged adult "$count" --header
unmoved

# ---- other ways to count ----
"$scrim" dataset add curved --unit row --budget epsilon=1,delta=1e-6 --accounting concentrated --quiet
ran 0 'concentrated' charged curved 'gaussian sensitivity=1 rho=1/1000 neighbours=add-remove'
err_has "charged     rho 0.001 to curved, version 1, for $me"
refused 4 'concentrated: more than is left' 'scrim run: insufficient budget: rho 1 requested' \
    charged curved 'gaussian sensitivity=1 rho=1 neighbours=add-remove'
err_has "nothing was charged; use a smaller epsilon or rho (larger error), ask for fewer values, or ask the vault's owner"
ran 0 'concentrated: budget' "$scrim" budget curved --quiet
# shellcheck disable=SC2016 # for awk
check 'concentrated: what is left of rho and of delta' awk -F , '
    NR == 2 { a = $3 == "rho" && $5 == 0.001 && $6 > 0.007 && $6 < $4 }
    NR == 3 { b = $3 == "delta" && $4 == 0.0000005 && $5 == 0 } END { exit !(a && b) }' out

# ---- which vault, and who else uses it ----
ran 0 'by the variable' env SCRIM_VAULT="$work/scrim.vault" "$scrim" budget adult --quiet
ran 5 'by a variable that names none' env SCRIM_VAULT=none.vault "$scrim" budget
ran 0 'the option comes first' env SCRIM_VAULT=none.vault "$scrim" budget --vault scrim.vault --quiet
if command -v python3 >/dev/null 2>&1 && python3 -c 'import sqlite3' 2>/dev/null; then
    python3 -c '
import sqlite3, sys, time
vault = sqlite3.connect("scrim.vault", isolation_level=None)
vault.execute("BEGIN IMMEDIATE")
open("held", "w").close()
while time.sleep(0.05) is None:
    try:
        open("let-go").close()
        break
    except FileNotFoundError:
        pass' &
    holder=$!
    while [ ! -e held ]; do sleep 0.05; done
    refused 5 'A49 a lock that is held' 'scrim run: the vault is busy: another process uses it; nothing was charged; try again' \
        charged adult "$count" --wait 1
    refused 5 'A49 a lock that is held, no wait' 'scrim run: the vault is busy' charged adult "$count" --wait 0
    ran 0 'A49 a lock that is held: who only reads need not wait' "$scrim" budget adult --wait 0 --quiet
    : >let-go
    wait $holder
else
    skip 'A49 a lock that is held' 'python3 with sqlite3 is not installed'
fi

# ---- the test build ----
"$seeded" dataset add people --unit row --budget epsilon=1 --vault test.vault --quiet 2>/dev/null
for seed in 7 7; do
    # shellcheck disable=SC2086 # words
    "$seeded" run $count --charge people --vault test.vault --seed $seed --json <input >seeded.json 2>note
    sed 's/"release": .*//' seeded.json >>both
done
check 'a seed is charged in a test vault' test "$(sort both | uniq | wc -l)" -eq 3
check 'a seed is not private' grep -q '^{"not_private": true, ' seeded.json
ran 0 'a seed is replayed' "$seeded" replay "$(sed -n 's/^release *\([0-9]*\),.*/\1/p' note)" --vault test.vault --json --quiet
check 'a seed is replayed: the same bytes' cmp out seeded.json

# ---- ten tenths, and no more (A46) ----
"$scrim" dataset add tenth --unit row --budget epsilon=1 --quiet
for i in 1 2 3 4 5 6 7 8 9 10; do
    charged tenth "$count" --quiet >/dev/null || echo "$i" >failed
done
check 'A46 ten tenths are granted' test ! -e failed
check 'A46 nothing is left' test "$(left tenth)" = 0
refused 4 'A46 an eleventh is refused' \
    'scrim run: insufficient budget: epsilon 0.1 requested, 0 left; nothing was charged' \
    charged tenth "$count"
refused 4 'A46 as is the smallest' 'requested, 0 left' \
    charged tenth 'laplace sensitivity=1 epsilon=1e-12 neighbours=add-remove'
"$scrim" dataset remove tenth --quiet
"$scrim" dataset add tenth --unit row --quiet
refused 4 'A46 removed and added, it is what it was' 'requested, 0 left' charged tenth "$count"

# ---- many at once (A40) ----
"$scrim" dataset add rush --unit row --budget epsilon=1 --quiet
mkfifo start
exec 3<>start # open for both, so that nobody waits for the other end
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    # shellcheck disable=SC2086 # words
    (
        read -r _ <start
        got=0
        "$scrim" run $count --charge rush --quiet <input >/dev/null 2>&1 || got=$?
        echo $got >"ended.$i"
    ) &
done
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do echo go >&3; done
wait
exec 3>&-
check 'A40 of sixteen at once ten are granted' test "$(cat ended.* | sort | uniq -c | tr -s ' \n' ' ')" = ' 10 0 6 4 '
check 'A40 and nothing is left' test "$(left rush)" = 0

# ---- budget ----
ran 0 'budget' "$scrim" budget adult
out_is "population,analyst,unit,limit,spent,left,charges
adult,,epsilon,3,0.3,2.7,3
adult,,delta,0.000001,0,0.000001,3
adult,$me,epsilon,,0.3,2.7,3
adult,$me,delta,,0,0.000001,3"
err_has 'cap         one query to adult costs epsilon 1 at most'
err_says 'forecast    the last 3 charges of adult cost epsilon 0.1 on average; 27 more like that fit'
err_has ' in this vault, without a charge'
ran 0 'budget, quietly' "$scrim" budget adult --quiet
err_is ''
ran 0 'budget of all' "$scrim" budget --quiet
for population in adult wide swapped tenth; do
    check "budget of all: $population" grep -q "^$population,," out
done
ran 0 'budget as a table' env LC_ALL=C.UTF-8 "$scrim" budget adult --format table
sed -i '/^│ '"$me"'/d; /^refused/d; /^forecast/,$d' out
name='budget as a table'
out_is 'budget      adult: total epsilon 3, delta 1e-6, never renewed; add-remove
┌─────────┬─────────┬───────┬───────┬──────┬─────────┬─────────────────┐
│ analyst │ measure │ limit │ spent │ left │ charges │ used            │
├─────────┼─────────┼───────┼───────┼──────┼─────────┼─────────────────┤
│ all     │ epsilon │ 3     │ 0.3   │ 2.7  │ 3       │ █░░░░░░░░░  10% │
│ all     │ delta   │ 1e-6  │ 0     │ 1e-6 │ 3       │ ░░░░░░░░░░   0% │
└─────────┴─────────┴───────┴───────┴──────┴─────────┴─────────────────┘
cap         one query to adult costs epsilon 1 at most'
err_is ''
ran 0 'a share' "$scrim" dataset set adult --share "$me=epsilon=0.35" --quiet
ran 0 'a share: budget' "$scrim" budget adult --quiet
out_has "adult,$me,epsilon,0.35,0.3,0.05,3"
err_is ''
ran 0 'a share: explain counts with the smaller' "$scrim" explain adult 'SELECT COUNT(*) AS n' --epsilon 0.2 --format table
check 'a share: explain refuses by it' sh -c 'tr -s " \n" " " <out | grep -q "left your share has epsilon 0.05 left, which is not enough: the query would be refused (status 4); the whole budget has epsilon 2.7, delta 1e-6 "'
ran 0 'a share: explain as JSON' "$scrim" explain adult 'SELECT COUNT(*) AS n' --epsilon 0.2 --json
out_has '"left": "0.05", "left_delta": "0.000001", "share_left": "0.05", "share_left_delta": null, "whole_left": "2.7", "whole_left_delta": "0.000001", "fits": false'
ran 0 'a share: explain of several' "$scrim" explain adult 'SELECT COUNT(*) AS n' --compare 0.01,0.2 --format table
out_has 'left        epsilon 0.05 of your share; epsilon 2.7, delta 1e-6 of the whole'
refused 4 'a share: beyond it' "scrim run: insufficient share: epsilon 0.1 requested, 0.05 left of the analyst's share and " \
    charged adult "$count"
err_has "nothing was charged; use a smaller epsilon (larger error), ask for fewer values, or ask the vault's owner, who sets shares with 'scrim dataset set NAME --share USER=...'"
refused 4 'a delta beyond what is left' 'scrim run: insufficient budget: delta 0.001 requested, 1e-6 left' \
    charged adult 'gaussian sensitivity=1 epsilon=1/100 delta=1/1000 neighbours=add-remove'
err_has "nothing was charged; use a smaller delta or a mechanism without delta, or ask the vault's owner"
refused 4 'a delta that is a long fraction' 'scrim run: insufficient budget: delta 3.39169e-5 requested, 1e-6 left' \
    charged adult 'stlap epsilon=1/100 q=1000 neighbours=add-remove'
ran 0 'a vault that is named' charged wide 'laplace sensitivity=1 epsilon=1/1000 neighbours=add-remove' --vault ./scrim.vault
check 'a vault that is named: so is it for the replay' grep -q -E "'scrim replay [0-9]+ --vault ./scrim.vault' shows again" err
ran 0 'a dataset of others' "$scrim" dataset add more --unit row --population adult --quiet
ran 0 'a dataset of others: its budget' "$scrim" budget more --quiet
out_has "adult,,epsilon,3,0.3,2.7,3"

# ---- ledger ----
refused 2 'a part that is none' "did you mean 'scrim ledger verify'?" "$scrim" ledger verfy
ran 0 'history' "$scrim" ledger adult
out_lines 4
check 'history: a row' grep -q -x -E "$release,20[0-9-]+T[0-9:]+Z,$me,adult,1,epsilon,0.1,0,released,$count," out
cp out history
ran 0 'history of an analyst' "$scrim" ledger adult --analyst "$me" --since "$(date -u -d yesterday +%Y-%m-%d)"
check 'history of an analyst: all of them here' cmp out history
ran 0 'history from a second on' "$scrim" ledger --since "$(date -u -d 'now + 1 hour' +%Y-%m-%dT%H:%M:%SZ)" --format json
out_is '{"rows": [
]}'
refused 2 'history of nobody' "scrim ledger: unknown analyst 'nobody-here'; 'scrim budget' lists analysts" "$scrim" ledger --analyst nobody-here
refused 2 'history of somebody misspelt' "unknown analyst '${me}x'; did you mean '$me'?" "$scrim" ledger adult --analyst "${me}x"
refused 2 'history since no day' "scrim ledger: --since 'soon' is not a date" "$scrim" ledger --since soon
refused 2 'a filter without a history' 'scrim ledger: --since needs the history' "$scrim" ledger verify --since 2026-01-01
ran 0 'history, spelt out' "$scrim" ledger history adult
check 'history, spelt out: the same' cmp out history
ran 0 'history of all' "$scrim" ledger --format jsonl
check 'history of all: a line a charge' test "$(grep -c '"state": "released"' out)" -eq "$(wc -l <out)"
ran 0 'history of a removed dataset' "$scrim" ledger tenth
out_lines 11
ran 0 'a release of a removed dataset' "$scrim" replay "$(tail -n 1 out | cut -d , -f 1)" --quiet
out_lines 2
ran 0 'history as a table' "$scrim" ledger adult --format table
out_has "charges of adult by $me"
out_has '| release | date       | question'
check 'history as a table: 80 columns' sh -c "! grep -q '.\{81\}' out"
err_is '3 charges
left        epsilon 2.7, delta 1e-6 of the budget of adult'
ran 0 'history as notes' "$scrim" ledger adult --format table --verbose --quiet
check 'history as notes: the question on its own line' grep -q -x '            laplace sensitivity=1 .*' out
check 'history as notes: 80 columns' sh -c "! grep -q '.\{81\}' out"
ran 0 'verify' "$scrim" ledger verify
out_has 'entries,charges,releases,head,holds,reason'
check 'verify: a head' grep -q -x -E '[0-9]+,[0-9]+,[0-9]+,[0-9a-f]{64},true,' out
ran 0 'verify as a table' "$scrim" ledger verify --format table
out_has 'verdict     ledger verified: hash chain, totals, answers'
ran 0 'verify as JSON' "$scrim" ledger verify --json
out_has '{"holds": true, "entries": '
if command -v python3 >/dev/null 2>&1; then
    for command in 'budget --json' 'ledger --json' 'ledger verify --json' "replay $release --json"; do
        # shellcheck disable=SC2086 # words
        "$scrim" $command >json 2>/dev/null
        check "$command parses" python3 -m json.tool json
    done
    for command in 'budget --format jsonl' 'ledger --format jsonl' 'ledger export'; do
        # shellcheck disable=SC2086 # words
        "$scrim" $command >json 2>/dev/null
        check "$command parses" python3 -m json.tool --json-lines json
    done
else
    skip 'JSON parses' 'python3 is not installed'
fi

# ---- an export is verified without scrim ----
"$scrim" dataset add noted --unit row --budget epsilon=1/3 --quiet
given '"gr\303\274n ""q"" \\ \t",3\n\377,4\n'
charged noted "$count" --labels --quiet >/dev/null
charged noted 'laplace sensitivity=1 epsilon=1/7 whole=yes neighbours=add-remove' --labels --quiet >/dev/null
"$scrim" ledger export >exported
check 'an export has what is no text' grep -q '"answer_hex": "' exported
checker=$root/tests/vault/check_export.sh
ran 0 'an export is verified by others' sh "$checker" exported
check 'an export is verified by others: all of it' grep -q -x -E '[0-9]+ entries, [0-9]+ charges, releases and charges not summed: [0-9]+ 1' out
# tampered NAME MESSAGE SED: the checker can say no.
tampered() {
    sed "$3" exported >tampered
    ran 1 "an export, $1" sh "$checker" tampered
    check "an export, $1: is said" grep -q -x -E "check_export: $2" out
}
tampered 'an amount changed' 'the hash of entry [0-9]+ is another' 's/charge 1 1 1 0.1 0/charge 1 1 1 0.2 0/'
tampered 'an amount above the budget' 'entry [0-9]+ is beyond the budget' 's/charge 1 1 1 0.1 0/charge 1 1 1 9.1 0/'
tampered 'a charge above the cap' 'entry [0-9]+ is beyond the cap' 's/charge 1 1 1 0.1 0/charge 1 1 1 1.1 0/'
tampered 'a release twice' 'entry [0-9]+ answers no charge, or one twice' 's/"release [0-9]*/"release 9/'
tampered 'another version' 'entry [0-9]+ charges what is not there' 's/charge 1 1 1 0.1 0/charge 1 7 1 0.1 0/'
tampered 'an answer changed' 'the answer of entry [0-9]+ is another' 's/"answer": "[0-9]/&1/'
# shellcheck disable=SC2016 # for sed
tampered 'the end cut off' 'it was cut short' '$d'
tampered 'an entry left out' 'entries are out of order' 5d
tampered 'another head' 'the head is another' 's/"head": /&1/'

# ---- damage ----
cp scrim.vault kept
damage() {
    sed "s/$1/$2/" kept >changed
    cat changed >scrim.vault
}
# broken NAME REASON: it does not hold, and each format says so and why.
broken() {
    refused 7 "$1" "scrim ledger: $2" "$scrim" ledger verify --format table
    ran 7 "$1: CSV" "$scrim" ledger verify
    tr -d '"' <out >plain
    check "$1: CSV says so" grep -q -F ",,,,false,$2" plain
    out_lines 2
    for format in json jsonl; do
        ran 7 "$1: $format" "$scrim" ledger verify --format $format
        check "$1: $format says so" grep -q -F "{\"holds\": false, \"reason\": \"$2" out
        out_lines 1
    done
}
damage 'charge 1 1 1 0.1 0' 'charge 1 1 1 0.2 0'
broken 'an entry was changed' 'the ledger does not hold: the chain is broken (entry '
check 'an entry was changed: what to do' grep -q '); a copy of the file lacks what was charged after it was made: count that as spent' err
if command -v python3 >/dev/null 2>&1 && python3 -c 'import sqlite3' 2>/dev/null; then
    cat kept >scrim.vault
    python3 -c '
import sqlite3, sys
vault = sqlite3.connect("scrim.vault")
place = "SELECT id FROM releases ORDER BY id LIMIT 1 OFFSET ? - 1"
vault.execute(f"UPDATE releases SET answer = ? WHERE id = ({place})", (b"999\nconfidence 0.95\ncount 1\n", int(sys.argv[1])))
vault.commit()' "$release"
    refused 5 'an answer was changed: replay' "scrim replay: the vault's answers do not match its ledger; run scrim ledger verify" \
        "$scrim" replay "$release"
    broken 'an answer was changed' 'the ledger does not hold: an answer was changed (entry '
fi
damage 'SQLite format 3' 'SQLite format 4'
broken 'no database' 'the vault is damaged, or not a vault'
refused 5 'no database: run' 'scrim run: the vault is damaged, or not a vault' charged adult "$count"
refused 5 'no database: budget' 'scrim budget: the vault is damaged, or not a vault' "$scrim" budget
: >scrim.vault
broken 'an empty file' "'./scrim.vault' is not a vault"
cat kept >scrim.vault
chmod 644 scrim.vault
refused 5 'open to others' "scrim ledger: the vault './scrim.vault' is open to others than its owner; if it is your vault, chmod 600 it" \
    "$scrim" ledger verify
chmod 600 scrim.vault
ran 0 'put right again' "$scrim" ledger verify

# ---- trouble that is no damage: a full disk, and rights ----
# In a folder of its own, which is a small disk: to look needs no room, to charge does.
mkdir disk
full() {
    unshare -r -m sh -c 'mount -t tmpfs -o size=600k,mode=700 none disk && cp scrim.vault disk/ && cd disk &&
        '"'$scrim'"' init --moved --quiet --vault scrim.vault && ! cat /dev/zero >rest 2>/dev/null && '"$1" </dev/null
}
# In the namespace of another user the folders above belong to nobody that scrim trusts.
if [ "$(id -u)" -eq 0 ] && unshare -r -m sh -c 'mount -t tmpfs -o size=600k none disk' 2>/dev/null; then
    for verb in 'ledger verify' budget; do
        ran 0 "a full disk: $verb" full "'$scrim' $verb --quiet"
    done
    refused 5 'a full disk: run' 'the vault cannot be read or written: database or disk is full; the disk may be full' \
        full "echo 7 | '$scrim' run --charge adult '$count' --vault scrim.vault"
    ran 0 'a full disk with room again' full "rm rest && '$scrim' ledger verify"
else
    skip 'a full disk' 'no disk of our own can be mounted'
fi
mkdir -m 755 open
cp scrim.vault "$scrim" open/
chmod 755 "$work"
if [ "$(id -u)" -ne 0 ]; then
    as() { "$@"; }
elif command -v setpriv >/dev/null 2>&1; then
    chown -R 65534 open
    as() { setpriv --reuid=65534 --clear-groups "$@"; }
else
    as() { return 1; }
fi
if as open/scrim init --vault open/own.vault --no-witness --quiet; then
    chmod 400 open/own.vault
    ran 0 'a vault that its owner can only read' as open/scrim budget --vault open/own.vault
    refused 5 'a vault that its owner cannot write' \
        "open/own.vault' cannot be written, even by its owner; chmod 600 it" \
        as open/scrim dataset add people --unit row --budget epsilon=1 --vault open/own.vault
else
    skip 'a vault that its owner cannot write' 'no other user can be'
fi
if [ "$(id -u)" -eq 0 ] && as true; then
    refused 5 'a vault of another user' "the vault './scrim.vault' belongs to another user; scrim-deploy(7) shows how several people share one" \
        as open/scrim budget
else
    skip 'a vault of another user' 'no other user can be'
fi

# ---- put back, copied, without its witness (A43) ----
"$scrim" init --vault seen.vault --witness seen.witness --quiet
"$scrim" dataset add adult --unit row --budget epsilon=1 --vault seen.vault --quiet
"$scrim" ledger verify --vault seen.vault --quiet >/dev/null
cp seen.vault yesterday
ran 0 'A43 a witness sees a charge' charged adult "$count" --vault seen.vault --quiet
ran 0 'A43 a witness: verify' "$scrim" ledger verify --vault seen.vault
cat yesterday >seen.vault
for verb in budget ledger 'ledger verify' 'ledger export' 'replay 1'; do
    # shellcheck disable=SC2086 # words
    status=5
    [ "$verb" != 'ledger verify' ] || status=7
    # shellcheck disable=SC2086 # a verb of two words
    refused $status "A43 put back to yesterday: $verb" 'the vault was put back to an earlier state: its witness has seen entry ' \
        "$scrim" $verb --vault seen.vault
done
refused 5 'A43 put back to yesterday: run' 'scrim run: the vault was put back to an earlier state' \
    charged adult "$count" --vault seen.vault
mv seen.witness gone
refused 5 'A43 no witness' 'scrim run: ' charged adult "$count" --vault seen.vault
cp scrim.vault copy.vault
refused 5 'a copy' 'scrim budget: this is a copy of a vault' "$scrim" budget --vault copy.vault
refused 5 'a copy: run' 'scrim run: this is a copy of a vault' charged adult "$count" --vault copy.vault
finish
