#!/bin/sh
# The owner's side of the vault: scrim init and scrim dataset, every refusal and its status.
# shellcheck disable=SC2317 # functions that check calls

place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
seeded=$(cd "$O" && pwd)/scrim-test
top=$(pwd)
cd "$work" || exit 1

# refused STATUS NAME MESSAGE ARGUMENT...: the status, and the message in one line.
refused() {
    want=$1 label=$2 message=$3
    shift 3
    ran "$want" "$label" "$scrim" "$@"
    out_is ''
    err_lines 1
    err_has "scrim $message"
}

# ---- init ----
ran 0 'init' "$scrim" init
out_is ''
err_has './scrim.vault'
err_has 'next: scrim dataset add NAME, which asks for what it needs; or see scrim help dataset'
check 'init: for the owner alone' test "$(stat -c %a scrim.vault)" = 600
refused 5 'init twice' "init: './scrim.vault' exists already; nothing was created; name another file with --vault FILE" init
ran 0 'init elsewhere' "$scrim" init --vault other.vault --witness other.witness --quiet
err_is ''
check 'init elsewhere: the witness is there' test -s other.witness
ran 0 'init by the variable' env SCRIM_VAULT=third.vault "$scrim" init --quiet
check 'init by the variable: it is there' test -s third.vault
refused 5 'init in no folder' "init: the folder of the vault 'none/scrim.vault' cannot be read: No such file or directory" init --vault none/scrim.vault
refused 5 'init over a witness' 'init: ' init --vault fourth.vault --witness other.witness
check 'init over a witness: no vault' test ! -e fourth.vault
refused 2 'init with a word' 'init: init takes no argument' init fifth.vault
refused 2 'init without a name' "init: --vault needs a file name" init --vault ''
refused 2 'init without a witness' "init: --witness needs a file name" init --witness ''
refused 2 'a misspelt option' 'init: unknown option --valt; did you mean --vault?' init --valt x
refused 2 'a wait that is none' 'init: --wait must be a whole number' init --wait soon --vault sixth.vault
check 'nothing lies about' test "$(find . -name '*.vault.??????' | wc -l)" -eq 0


# ---- dataset add ----
printf 'person_id,age,sex,education\n1,30,Female,BA\n2,41,Male,PhD\n' >adult.csv
adult='--csv adult.csv --unit person_id --rows-per-unit 1 --column age=int[0,120] --column education=text --column sex=text
    --keys sex=Female,Male --budget epsilon=3,delta=1e-6'
# shellcheck disable=SC2086 # words
ran 0 'dataset add' "$scrim" dataset add adult $adult
out_is ''
err_is 'added dataset adult (version 1), budget "adult"
next: scrim dataset check adult'
ran 0 'dataset show, for people' "$scrim" dataset show adult --format table
out_is '+-----------+------+----------+-------------+
| column    | type | range    | keys        |
+-----------+------+----------+-------------+
| age       | int  | 0 to 120 |             |
| education | text |          |             |
| sex       | text |          | Female,Male |
+-----------+------+----------+-------------+'
err_says 'protected   each person_id with all its rows: answers hardly depend on whether one of them is there'
err_says 'bounds      no person_id has more than 1 row, as declared'
err_says 'budget      epsilon 3, delta 1e-6; epsilon 3 is left'
ran 0 'dataset show' "$scrim" dataset show adult
check 'A74 dataset show: the contents are sealed' grep -q '^contents,"salt=[0-9a-f]\{32\},digest=[0-9a-f]\{32\},content=[0-9a-f]\{32\}"$' "$work/out"
check 'A74 dataset show: no size' sh -c "! grep -v -e '^contents,' '$work/out' | grep -q -w 57"
sed -i '/^contents/d; s|/.*/|.../|' "$work/out"
name='dataset show'
out_is 'key,value
name,adult
version,1
state,open
population,adult
budget,"epsilon=3,delta=1e-6"
accounting,sum
csv,.../adult.csv
unit,person_id
column,"age=int[0,120]"
column,education=text
column,sex=text
keys,"sex=Female,Male"
rows-per-unit,1
neighbours,add-remove'
ran 0 'a policy from standard input' sh -c "printf '# ours\nunit row\nbudget=epsilon=1\n' |
    '$scrim' dataset add small --policy - --max-rows 2 --quiet"
err_is ''
ran 0 'dataset list' "$scrim" dataset list
check 'dataset list: the source is absolute' grep -q '^adult,1,adult,add-remove,person_id,/.*/adult.csv,open$' "$work/out"
check 'dataset list: no source' grep -q '^small,1,small,add-remove,row,,open$' "$work/out"
COLUMNS=400 "$scrim" dataset list --format table >"$work/out"
check 'dataset list: a path is whole where there is room' grep -q "| $(pwd)/adult.csv " "$work/out"
ran 0 'dataset list as JSON' "$scrim" dataset list --json
out_has '{"name": "small", "version": 1, "population": "small", "neighbours": "add-remove", "unit": "row", "source": "", "state": "open"}'
ran 0 'dataset list as a table' "$scrim" dataset list --format table
out_has '| small |'
ran 0 'a policy written' "$scrim" dataset show small --policy small.policy
check 'a policy written: with comments' grep -q '^# privacy unit' small.policy
check 'a policy written: its lines' test "$(grep -v '^#' small.policy | tr '\n' ' ')" = \
    'unit=row max-rows=2 neighbours=add-remove budget=epsilon=1 '
ran 0 'a policy set as it was written' "$scrim" dataset set small --policy small.policy
err_is 'nothing changed; still version 1'
ran 0 'another policy' "$scrim" dataset set small --max-groups 2
err_is 'changed dataset small (version 2), budget "small"'
printf 'x\n1\n' >said.csv
ran 0 'a table that is asked' "$scrim" dataset add said --csv said.csv --unit row --column 'x=int[0,9]' --budget epsilon=2 --quiet
ran 0 'an answer to its version' "$scrim" query said 'SELECT COUNT(*) AS n' --epsilon 1 --quiet
ran 0 'a cap keeps the version' "$scrim" dataset set said --cap epsilon=1
err_is 'changed dataset said (version 1), budget "said"
cap         one query to said costs epsilon 1 at most'
ran 0 'a new version of it' "$scrim" dataset set said --column 'x=int[0,8]'
err_is 'changed dataset said (version 2), budget "said"
answers to version 1 are no longer repeated free of charge; '"'scrim replay'"' still shows them'
ran 0 'a new version that nobody asked' "$scrim" dataset set said --column 'x=int[0,7]'
err_is 'changed dataset said (version 3), budget "said"'
ran 0 'it goes' "$scrim" dataset remove said --quiet

# ---- cautions: said, and no refusal ----
cp adult.csv copied.csv
ran 0 'A38 a copy of a table' "$scrim" dataset add copied --csv copied.csv --unit person_id --rows-per-unit 1 --budget epsilon=1
err_has 'caution: dataset adult (population adult) has a file of the same name or size'
ran 0 'A38 a copy of a table, quietly' "$scrim" dataset add copied2 --csv copied.csv --unit person_id --rows-per-unit 1 --budget epsilon=1 --quiet
err_is ''
ran 0 'A38 the same people' "$scrim" dataset add again --csv adult.csv --unit person_id --rows-per-unit 1 --population adult
check 'A38 the same people: only copies are told' test "$(grep -c 'caution: dataset' "$work/err")" -eq 2
ran 0 'a large budget' "$scrim" dataset add large --unit row --budget epsilon=5
err_has 'caution: the budget: epsilon 5 or more is hardly any protection'
ran 0 'a budget below 5' "$scrim" dataset add ten --unit row --budget epsilon=4.99
err_is 'added dataset ten (version 1), budget "ten"'
for one in copied copied2 again large ten; do
    ran 0 "removing $one" "$scrim" dataset remove "$one" --quiet
done

# ---- policies that are not right: nothing is written ----
entries() { "$scrim" dataset list | cksum; }
before=$(entries)
sure='--unit row --budget epsilon=1'
# wrong STATUS MESSAGE OPTION...: what dataset add says.
wrong() {
    want=$1 message=$2
    shift 2
    refused "$want" "dataset add: $message" "dataset: $message" dataset add new "$@"
}
wrong 2 'missing source (--csv FILE), privacy unit (--unit COLUMN or row), bounds (--max-total-rows N, unless the unit is row), budget (--budget epsilon=R[,delta=R]); on a terminal scrim asks for what is missing'
wrong 2 'missing privacy unit (--unit COLUMN or row); on' --budget epsilon=1 --csv f.csv --rows-per-unit 1
wrong 2 'missing source (--csv FILE), budget (--budget epsilon=R[,delta=R]); on' --unit row
wrong 2 'missing max-groups (--max-groups N, beside --max-rows), budget' --unit a --csv f.csv --max-rows 5
# With a unit and a budget, and one thing that is wrong.
# shellcheck disable=SC2086 # words
{
    wrong 2 'unknown option --colum; did you mean --column?' $sure --colum age=text
    wrong 2 'unknown option --bugdet; did you mean --budget?' $sure --bugdet epsilon=1
    wrong 2 "--column age=int[9,1]: lower must be below upper" $sure --column 'age=int[9,1]'
    wrong 2 '--column age=int' $sure --column age=int
    wrong 2 '--column age=integer[0,1]' $sure --column 'age=integer[0,1]'
    wrong 2 '--column day=date[2020-02-30,2021-01-01]' $sure --column 'day=date[2020-02-30,2021-01-01]'
    wrong 2 '--column x=decimal[0,1]/0.3' $sure --column 'x=decimal[0,1]/0.3'
    wrong 2 '--column age' $sure --column age
    wrong 2 "--keys sxe=F,M: no column 'sxe' is declared; did you mean 'sex'?" $sure --column sex=text --keys sxe=F,M
    wrong 2 "--keys sex=F,M: no column 'sex' is declared" $sure --keys sex=F,M
    wrong 2 '--keys sex=' $sure --column sex=text --keys sex=F,F
    wrong 2 '--missing age=old' $sure --column 'age=int[0,9]' --missing age=old
    wrong 2 '--max-groups 0' $sure --max-groups 0
    wrong 2 '--max-rows many' $sure --max-rows many
    wrong 2 "--neighbours: 'near'" $sure --neighbours near
    wrong 2 "--population: 'a b'" $sure --population 'a b'
    wrong 2 "--accounting: 'magic'" $sure --accounting magic
    wrong 2 "--cap: '1'" $sure --cap 1
    wrong 2 '--cap: this population counts epsilon; write epsilon=R' $sure --cap rho=1
    wrong 2 "--share: 'alice'" $sure --share alice
    wrong 2 "unknown user 'nobody-of-that-name' on this system; create the user, or use '*' for everybody" $sure --share nobody-of-that-name=epsilon=1
    wrong 2 '--column age=: duplicate' $sure --column age=bool --column age=text
    wrong 2 '--unit is given twice' $sure --unit row
    wrong 2 '--table: give the table of the database' $sure --sqlite adult.csv
    wrong 2 '--table: it goes with sqlite only' $sure --table t
    wrong 2 '--sqlite' $sure --csv adult.csv --sqlite adult.csv --table t
    wrong 2 '--unit: a value must be on one line' --budget epsilon=1 --unit 'row
budget=epsilon=99'
    wrong 6 "the source '" $sure --csv nowhere.csv
    wrong 6 "the header of the source has no column 'persn_id'; did you mean 'person_id'?" --budget epsilon=1 \
        --csv adult.csv --unit persn_id --rows-per-unit 1
    wrong 6 "the header of the source has no column 'income'" $sure --csv adult.csv --column 'income=int[0,9]'
    wrong 6 'the source is not a regular file' $sure --csv .
    wrong 6 "'nowhere.txt' cannot be read" $sure --column sex=text --keys sex=@nowhere.txt
    wrong 6 "'nowhere.policy' cannot be read" $sure --policy nowhere.policy
}
printf 'SQLite format 3\0' >database.csv
wrong 6 'the source is a SQLite database, not a CSV file; use --sqlite FILE --table NAME' --csv database.csv --unit row --budget epsilon=1
check 'two sources: no other advice' sh -c '! "$1" dataset add two --csv adult.csv --parquet b --unit row --budget epsilon=1 2>&1 | grep -v "give one of them$"' \
    two "$scrim"
wrong 2 "--budget: '3' is not valid; write epsilon=R[,delta=R]; R is 0 or more" --unit row --budget 3
wrong 2 'missing bounds (--max-total-rows N, or --max-groups N --max-rows N, or --rows-per-unit 1); on a terminal scrim asks for what is missing' \
    --csv adult.csv --unit person_id --budget epsilon=1
wrong 2 '--rows-per-unit 3: it must be 1; for more, declare' --csv adult.csv --unit person_id --rows-per-unit 3 --budget epsilon=1
wrong 2 '--max-rows is given twice; give it once' --csv adult.csv --unit person_id --max-rows 1 --max-rows 2 --budget epsilon=1
wrong 2 '--column person_id is the privacy unit' --csv adult.csv --unit person_id --rows-per-unit 1 --column person_id=text --budget epsilon=1
wrong 2 "--budget: 'epsilon=-1'" --unit row --budget epsilon=-1
wrong 2 "--budget: 'epsilon=lots'" --unit row --budget epsilon=lots
printf 'unit=row\nbudget=epsilon=1\ncolumns=a=text\n' >wrong.policy
wrong 2 "a policy has no line 'columns'; did you mean 'column'?" --policy wrong.policy
printf 'unit=row\nbudget=epsilon=1\ncolumn=age=int[9,1]\n' >wrong.policy
wrong 2 'column age=int[9,1]: lower must be below upper' --policy wrong.policy --column 'old=int[0,9]'
wrong 2 'column old=int[9,0]: lower must be below upper' --policy small.policy --column 'old=int[9,0]'
printf 'unit=row\nbudget: 1\n' >wrong.policy
wrong 2 "'budget: 1' is not valid in a policy" --policy wrong.policy
printf 'unit=row\nunit=row\nbudget=epsilon=1\n' >wrong.policy
wrong 2 'unit: duplicate' --policy wrong.policy
# Names, THREATS A63.
for bad in '"; DROP TABLE entries; --' 'a b' '../x' "it's" '' "$(printf 'a\033[31m')" "$(printf 'a\nb')" 'é' \
    "$(printf 'x%.0s' $(seq 65))"; do
    # shellcheck disable=SC2086 # words
    refused 2 "A63 a dataset with a name of $(printf %s "$bad" | wc -c) bytes" 'dataset: ' dataset add "$bad" $sure
done
# shellcheck disable=SC2086 # words
{
    refused 2 'dataset add twice' "dataset: dataset 'adult' exists already" dataset add adult $adult
    refused 3 'a budget that is fixed' "dataset: the budget of the population 'adult' cannot be changed (epsilon 3, delta 1e-6); leave it out" \
        dataset add new --unit row --population adult --budget epsilon=4
    refused 3 'neighbours that are fixed' "dataset: the neighbours of the population 'adult' cannot be changed (add-remove); leave it out" \
        dataset set adult --neighbours replace --missing age=0 --missing sex=Male --missing education=BA
    refused 3 'a population for good' "dataset: the dataset 'adult' belongs to the population 'adult' for good" \
        dataset set adult --population small
    refused 2 'dataset add without a name' "dataset: name the dataset" dataset add $sure
    refused 2 'dataset add of two' "dataset: unexpected argument 'b'" dataset add a b $sure
    refused 2 'dataset add of a line' "dataset: unexpected argument 'column=age=int[0,9]'; did you mean --column 'age=int[0,9]'?" \
        dataset add a 'column=age=int[0,9]' $sure
    refused 2 'dataset add of no line' "dataset: unexpected argument 'quiet=x'" dataset add a quiet=x $sure
}
refused 2 'dataset' "dataset: missing subcommand; 'scrim help dataset' lists them" dataset
refused 2 'dataset ad' "dataset: unknown subcommand 'ad'; did you mean 'add'?" dataset ad new
refused 2 'dataset embezzle' "dataset: unknown subcommand 'embezzle'; 'scrim help dataset' lists them" dataset embezzle adult
refused 2 'dataset show of none' "dataset: unknown dataset 'adlut'; did you mean 'adult'?" dataset show adlut
refused 2 'dataset set of none' "dataset: unknown dataset 'adlut'; did you mean 'adult'?" dataset set adlut --max-rows 2
refused 2 'dataset set of nothing' 'dataset: nothing to change' dataset set adult
refused 2 'dataset update of none' "dataset: unknown dataset 'adlut'; did you mean 'adult'?" dataset update adlut
refused 2 'dataset remove of none' "dataset: unknown dataset 'adlut'; did you mean 'adult'?" dataset remove adlut
refused 2 'an option of another action' "dataset: update takes no --unit; 'scrim dataset set adult' changes the policy" dataset update adult --unit row
refused 2 'an option of another verb' 'dataset: unexpected argument --binary' dataset list --binary
refused 2 'a format that is none' 'dataset: --format must be table, csv, json or jsonl' dataset list --format yaml
check 'nothing of that was written' test "$(entries)" = "$before"

# ---- changing ----
ran 0 'dataset set' "$scrim" dataset set adult --column 'age=int[18,99]' --cap epsilon=0.5,least=1e-6 --max-groups 2
err_is 'changed dataset adult (version 2), budget "adult"
cap         one query to adult costs epsilon 0.5 at most, epsilon 1e-6 at least'
ran 0 'dataset set: what changed' "$scrim" dataset show adult
out_has 'column,"age=int[18,99]"'
out_has 'cap,"epsilon=0.5,least=1e-6"'
out_has 'max-groups,2'
out_has 'max-rows,1'
check 'dataset set: each limit once' test "$(grep -c '^max-' "$work/out")" -eq 2
out_has 'column,education=text'
ran 0 'a cap taken away' "$scrim" dataset set adult --cap none --quiet
ran 0 'a cap taken away: it is' sh -c "! '$scrim' dataset show adult | grep ^cap"
printf '5,50,Male,BA\n' >>adult.csv
ran 0 'dataset update' "$scrim" dataset update adult
err_is 'updated dataset adult (version 3), budget "adult"'
ran 0 'dataset update: other contents' "$scrim" dataset show adult
out_has 'contents,"salt='
ran 0 'A74 ledger export' "$scrim" ledger export
check 'A74 ledger export: neither size nor time' sh -c "! grep -q -e 'bytes=' -e 'modified=' '$work/out'"
mv adult.csv moved.csv
refused 6 'dataset update without its source' "dataset: the source '" dataset update adult
ran 0 'dataset update from elsewhere' "$scrim" dataset update adult --csv moved.csv
ran 0 'dataset update from elsewhere: there' "$scrim" dataset show adult
out_has '/moved.csv'
ran 0 'dataset remove' "$scrim" dataset remove adult
err_is 'removed dataset adult; its charges to the budget of adult stay spent'
ran 0 'the budget of a removed dataset' "$scrim" budget adult --format table
out_has 'add-remove; no'
refused 2 'a dataset that was removed' "dataset: unknown dataset 'adult'" dataset show adult
refused 3 'A76 dataset add again: another unit' "dataset: the population 'adult' protects each person_id, this table each row" \
    dataset add adult --unit row
ran 3 'A76 another column' "$scrim" dataset add adult --unit customer --rows-per-unit 1
err_has 'say same-unit person_id if both identify the same units, else name another population: --same-unit COLUMN or --population NAME'
ran 0 'dataset add again' "$scrim" dataset add adult --unit person_id --rows-per-unit 1
ran 3 'A76 dataset set: another unit' "$scrim" dataset set adult --unit row
err_has 'remove the dataset and add it with another population: --population NAME'
ran 0 'A76 the same unit in another column' "$scrim" dataset add buyers --unit customer --rows-per-unit 1 --same-unit person_id \
    --population adult --quiet
ran 0 'A76 the same unit in another column: shown' "$scrim" dataset show buyers
out_has 'same-unit,person_id'
ran 0 'A76 verify' "$scrim" ledger verify --quiet
err_is ''
refused 3 'dataset add again: with another budget' "dataset: the budget of the population 'adult' cannot be changed" \
    dataset add adult2 --unit row --population adult --budget epsilon=30

# ---- keys from a file ----
printf 'red\nblue, dark\n"green"\n' >words.txt
ran 0 'keys from a file' "$scrim" dataset add words --unit row --budget epsilon=1 --column word=text --keys word=@words.txt
rm words.txt
ran 0 'keys from a file: kept' "$scrim" dataset show words --policy -
out_has 'keys=word=red,"blue, dark","""green"""'

# What a key may hold does not reach a terminal, THREATS A61.
printf 'a\033[31mred\n' >steering.txt
ran 0 'A61 a key that steers' "$scrim" dataset add steering --unit row --budget epsilon=1 --column word=text \
    --keys word=@steering.txt
ran 0 'A61 a key that steers, as a table' "$scrim" dataset show steering --format table
check 'A61 a key that steers, as a table: it does not' sh -c "! grep -q '$(printf '\033')' '$work/out'"

# ---- a table of a database ----
if command -v sqlite3 >/dev/null 2>&1; then
    sqlite3 people.db 'CREATE TABLE people (id, age); INSERT INTO people VALUES (1, 30)'
    refused 6 'a database without that table' "dataset: the source has no table 'persons'" dataset add people \
        --sqlite people.db --table persons --unit id --rows-per-unit 1 --budget epsilon=1
    ran 0 'a table of a database' "$scrim" dataset add people --sqlite people.db --table people --unit id --rows-per-unit 1 \
        --column 'age=int[0,120]' --budget epsilon=1
    printf 'id,age\n1,30\n' >people.csv
    ran 0 'from a database to a file' "$scrim" dataset update people --csv people.csv
    ran 0 'from a database to a file: no table any more' sh -c "! '$scrim' dataset show people | grep -e ^table -e ^sqlite"
else
    skip 'a table of a database' 'sqlite3 is not installed'
fi

# ---- the examples ----
mkdir example
printf '%s,%s,%s\n' person_id,age,workclass,fnlwgt,education,education_num \
    marital_status,occupation,relationship,race,sex,capital_gain \
    capital_loss,hours_per_week,native_country,salary >example/adult.csv
ran 0 'the example' env -C example "$scrim" dataset add example --vault ../scrim.vault --policy "$top/docs/examples/adult.policy"
err_is "added dataset example (version 1), budget \"town\"
caution: the share of * limits you, too; --share '$(id -un)=epsilon=3' gives you the whole budget, and --share '*=none' removes the share of *
next: scrim dataset check example"
"$scrim" dataset add --help | sed -n '/^A policy file:/,/^$/s/^    //p' >help.policy
check 'the policy of the help is there' test "$(wc -l <help.policy)" -ge 7
ran 0 'the policy of the help' env -C example "$scrim" dataset add help --vault ../scrim.vault --policy ../help.policy

# ---- a column that is left out, with all that was said of it ----
"$scrim" dataset add less --unit row --column 'age=int[0,9]' --column sex=text --keys sex=F,M --missing sex=M --budget epsilon=1 --quiet
ran 0 'a column is left out' "$scrim" dataset set less --column sex=none
err_is 'changed dataset less (version 2), budget "less"'
check 'nothing is said of it' sh -c "! '$scrim' dataset show less --policy - | grep -q sex"
ran 0 'the others stay' "$scrim" dataset show less --policy -
out_has 'column=age=int[0,9]'
ran 2 'a column that is not there' "$scrim" dataset set less --column agee=none
err_is "scrim dataset: --column agee=none: no column 'agee' is declared; 'scrim dataset show' lists them"
ran 2 'a question about it' "$scrim" explain less 'SELECT COUNT(*) WHERE sex = 1' --epsilon 1
"$scrim" dataset remove less --quiet

# ---- a range that ends at midnight ----
"$scrim" dataset add times --unit row --zone UTC --column 'a=timestamp[2020-01-01,2021-01-01]' --column 'b=timestamp[2020-01-01,2020-12-31]' \
    --column 'c=timestamp[2020-01-01,2020-12-31 23:59:59]' --column 'd=timestamp[2020-01-01,2021-01-01]/3600' --budget epsilon=1 2>"$work/err"
err_is 'added dataset times (version 1), budget "times"
caution: a ends at midnight of 2021-01-01, so GROUP BY a month shows one month more; 2020-12-31 23:59:59 ends it before
caution: b ends at midnight of 2020-12-31, and later times of that day are clamped; 2020-12-31 23:59:59 includes them'
"$scrim" dataset remove times --quiet

# ---- shares, and who may spend ----
me=$(id -un)
ran 0 'a share' "$scrim" dataset set small --share "$me=epsilon=0.5" --share '*=epsilon=0.1'
err_is "changed dataset small (version 2), budget \"small\"
share of small: *=epsilon=0.1
share of small: $me=epsilon=0.5
note: this vault opens only for you; scrim-deploy(7) shows how analysts get access"
ran 0 'a share is shown' "$scrim" dataset show small
out_has "share,$me=epsilon=0.5"
out_has 'share,*=epsilon=0.1'
ran 0 'shares up to the budget' "$scrim" dataset set small --share '*=epsilon=0.5'
err_has "share of small: $me=epsilon=0.5"
err_lines 4
ran 0 'a share that equals that of everybody is shown' "$scrim" dataset show small
out_has "share,$me=epsilon=0.5"
out_has 'share,*=epsilon=0.5'
ran 2 'a share of a name that is too long' "$scrim" dataset set small --share "$(printf %070d 7)=epsilon=0.5"
err_has "...' on this system; create the user, or use '*' for everybody"
ran 0 'shares above the budget' "$scrim" dataset set small --share '*=epsilon=0.50001'
over='the shares of small add up to epsilon 1.00001, more than its budget of epsilon 1; not every share can be spent'
err_has "caution: $over"
ran 0 'shares above the budget: show' "$scrim" dataset show small
err_is "caution: $over"
ran 0 'shares above the budget: budget' "$scrim" budget small --format csv
check 'shares above the budget: budget tells' sh -c "tr -s ' \n' ' ' <'$work/err' | grep -q 'caution $over'"
ran 0 'shares above the budget: another line' "$scrim" dataset set small --cap epsilon=0.9
err_is 'changed dataset small (version 2), budget "small"
cap         one query to small costs epsilon 0.9 at most'
"$scrim" dataset set small --cap none --share daemon=epsilon=0.1 --quiet
"$scrim" dataset set small --share daemon=none --quiet
ran 0 'a share that was removed is no row' "$scrim" budget small --format csv
check 'a share that was removed is no row: indeed' sh -c '! grep -q daemon "$1"' sh "$work/out"
ran 0 'shares above the budget: JSON' "$scrim" budget small --json
out_has '"shares": "1.00001", "shares_delta": null'
ran 0 'shares above the budget, quietly' "$scrim" dataset set small --share '*=epsilon=0.6' --quiet
err_is ''
ran 0 'a share above the budget with the dataset' "$scrim" dataset add lone --unit row --budget epsilon=1 --share "$me=epsilon=2"
err_has 'caution: the shares of lone add up to epsilon 2, more than its budget of epsilon 1'
ran 0 'a share that fits again' "$scrim" dataset set lone --share "$me=epsilon=1" --share '*=none'
err_is "changed dataset lone (version 1), budget \"lone\"
share of lone: $me=epsilon=1
note: this vault opens only for you; scrim-deploy(7) shows how analysts get access"
# The owner is one of everybody, and is told how to undo it.
ran 0 'everybody is the owner too' "$scrim" dataset set lone --share "$me=none" --share '*=epsilon=0.5'
err_has "caution: the share of * limits you, too; --share '$me=epsilon=1' gives you the whole budget, and --share '*=none' removes the share of *"
ran 4 'everybody is the owner too: the remedy' sh -c "echo 5 | '$scrim' run laplace sensitivity=1 epsilon=0.6 neighbours=add-remove --charge lone"
err_has 'insufficient share: epsilon 0.6 requested, 0.5 left'
err_has "or ask the vault's owner, who sets shares with 'scrim dataset set NAME --share USER=...'"
ran 0 'a share of the owner ends it' "$scrim" dataset set lone --share "$me=epsilon=1"
check 'a share of the owner ends it: no caution' sh -c "! grep -q 'limits you' '$work/err'"
ran 0 'a share of everybody from the start' "$scrim" dataset add lone2 --unit row --budget epsilon=1,delta=1e-6 --share '*=epsilon=0.5,delta=1e-7'
err_has "--share '$me=epsilon=1,delta=1e-6' gives you the whole budget"
"$scrim" dataset remove lone2 --quiet
"$scrim" dataset set lone --share '*=none' --quiet
ran 0 'no share is left' "$scrim" dataset set lone --share "$me=none"
err_is 'changed dataset lone (version 1), budget "lone"'
"$scrim" dataset remove lone --quiet
"$scrim" dataset set small --share '*=epsilon=0.1' --quiet
ran 0 'a share: no line of the policy' sh -c "! '$scrim' dataset show small --policy - | grep ^share"

# Who asks is who the system says, THREATS A50: no option and no variable changes it.
for option in --user --as; do
    ran 2 "A50 $option" "$scrim" dataset list "$option" mallory
    err_has "unknown option $option"
done
for command in 'dataset list' 'budget' 'query small SELECT' 'run laplace'; do
    # shellcheck disable=SC2086 # words
    ran 2 "A50 --analyst of $command" "$scrim" $command --analyst mallory
    err_has 'unexpected argument --analyst'
done
ran 0 'A50 a charge under another name' sh -c "echo 5 | USER=mallory LOGNAME=mallory USERNAME=mallory SUDO_USER=mallory \
    '$scrim' run laplace sensitivity=1 epsilon=0.1 neighbours=add-remove --charge small --quiet"
ran 0 'A50 a charge under another name: in the ledger' "$scrim" ledger history small --format csv
out_has ",$me,"
check 'A50 a charge under another name: not that one' sh -c "! grep -q mallory '$work/out'"

# ---- what the owner has changed ----
printf 'person_id,age\n1,30\n' >changed.csv
"$scrim" dataset add changed --csv changed.csv --unit person_id --max-groups 1 --max-rows 2 --column 'age=int[0,120]' \
    --budget epsilon=2,delta=1e-6 --cap epsilon=1/2 --quiet
"$scrim" dataset set changed --cap epsilon=0.4 --quiet
"$scrim" dataset set changed --column 'age=int[0,99]' --max-rows 3 --cap none --quiet
printf '2,31\n' >>changed.csv
"$scrim" dataset update changed --quiet
"$scrim" dataset set changed --share "$me=epsilon=0.5" --quiet
"$scrim" dataset set changed --share "$me=epsilon=0.7,delta=0" --share '*=epsilon=1' --quiet
"$scrim" dataset set changed --share '*=none' --quiet
"$scrim" dataset remove changed --quiet
ran 0 'dataset history' "$scrim" dataset history changed
check 'dataset history: each has a time' test "$(grep -c -E '^[0-9]+,20[0-9-]+T[0-9:]+Z,changed,' "$work/out")" -eq 14
sed -i -E 's/^[0-9]+,[^,]*,//; 1s/^entry,time,//' "$work/out"
name='dataset history'
out_is "population,dataset,version,change,before,after
changed,,,budget,,\"epsilon=2,delta=0.000001\"
changed,changed,1,added,,
changed,changed,1,cap,,epsilon=1/2
changed,changed,1,cap,epsilon=1/2,epsilon=0.4
changed,changed,2,new policy,,
changed,changed,2,cap,epsilon=0.4,
changed,changed,2,column age,\"int[0,120]\",\"int[0,99]\"
changed,changed,2,max-rows,2,3
changed,changed,3,new contents,,
changed,,,share of $me,,epsilon=0.5
changed,,,share of $me,epsilon=0.5,\"epsilon=0.7,delta=0\"
changed,,,share of *,,epsilon=1
changed,,,share of *,epsilon=1,
changed,changed,,removed,,"
ran 0 'dataset history of all' "$scrim" dataset history
check 'dataset history of all: others too' grep -q ',small,small,2,new policy,,$' "$work/out"
check 'dataset history of all: no seal of contents' sh -c "! grep -q -e salt= -e digest= '$work/out'"
ran 0 'dataset history as JSON' "$scrim" dataset history changed --json
out_has '"population": "changed", "dataset": "changed", "version": 2, "change": "max-rows", "before": "2", "after": "3"}'
out_has '"dataset": null, "version": null, "change": "budget", "before": null, "after": "epsilon=2,delta=0.000001"}'
ran 0 'dataset history as a table' "$scrim" dataset history changed --format table
check 'dataset history as a table: a change' grep -q -E '\| max-rows +\| 2 +\| 3 +\|$' "$work/out"
check 'dataset history as a table: the minute' grep -q -E '^\| [0-2][0-9]:[0-5][0-9] +\|' "$work/out"
ran 0 'dataset history since tomorrow' "$scrim" dataset history --since "$(date -u -d tomorrow +%Y-%m-%d)"
out_lines 1
ran 0 'dataset history since today' "$scrim" dataset history changed --since "$(date -u +%Y-%m-%d)"
out_lines 15
refused 2 'dataset history of none' "dataset: unknown dataset 'chnaged'; did you mean 'changed'?" dataset history chnaged
refused 2 'dataset history since no day' "dataset: --since '2026-02-30' is not a date; write 2026-11-01 or" dataset history --since 2026-02-30
refused 2 'dataset history of two' "dataset: unexpected argument 'b'" dataset history a b
long=$(printf 'x%.0s' $(seq 5000))
for bad in "$me " " $me" "$(printf '%s\n' "$me" x)" '' "$(printf '%s' "$me" | tr '[:lower:]' '[:upper:]')" "$(printf '\303\251')" \
    "$(printf 'e\314\201')" "$(printf '\377')" "$long" '../x' '; DROP TABLE entries'; do
    refused 2 "A50 a share of a name of $(printf %s "$bad" | wc -c) bytes" 'dataset: ' \
        dataset set small --share "$bad=epsilon=0.5"
done

# ---- signals, THREATS A68: nothing half written ----
# struck SIGNAL DELAY COMMAND...: its status after that signal, or its own when it was faster.
struck() {
    signal=$1 delay=$2
    shift 2
    env --default-signal=INT,TERM,HUP "$@" >/dev/null 2>&1 &
    victim=$!
    sleep "$delay"
    kill -s "$signal" "$victim" 2>/dev/null
    got=0
    wait "$victim" || got=$?
    echo "$got" >>struck
}
: >struck
"$scrim" init --vault struck.vault --witness struck.witness --quiet
for round in 00 01 02 04 08; do
    for signal in INT TERM HUP; do
        struck "$signal" 0.$round "$scrim" dataset add "d$round$signal" --vault struck.vault --csv moved.csv \
            --unit person_id --rows-per-unit 1 --column 'age=int[0,9]' --budget epsilon=1 --cap epsilon=1/2 --share "*=epsilon=1/4"
        struck "$signal" 0.$round "$scrim" init --vault "v$round$signal.vault" --witness "w$round$signal"
    done
done 2>/dev/null
check 'A68 ended by the signal or not at all' sh -c "! grep -v -x -e 0 -e 129 -e 130 -e 143 struck"
ran 0 'A68 the vault verifies' "$scrim" ledger verify --vault struck.vault
ran 0 'A68 the vault opens' "$scrim" dataset list --vault struck.vault
sed '1d; s/,.*//' "$work/out" >whole
check 'A68 what was added is whole' sh -c "while read -r one; do
    '$scrim' dataset show \$one --vault struck.vault | grep -q '^cap,epsilon=1/2' || exit 1; done <whole"
whole_vaults() {
    for vault in v*.vault; do
        [ ! -e "$vault" ] || "$scrim" ledger verify --vault "$vault" --quiet || return 1
    done
}
check 'A68 a vault is whole or not there' whole_vaults
check 'A68 nothing lies beside it' test "$(find . -name '*vault.??????' | wc -l)" -eq 0

# ---- the vault ----
mkdir empty
cd empty || exit 1
refused 5 'no vault' "dataset: there is no vault at './scrim.vault'; 'scrim init' creates one" dataset list
check 'no vault: none was made' test -z "$(ls -A)"
cd ..
(umask 077 && echo 'not a database, whatever else it may be' >notes)
refused 5 'a vault that is none' 'dataset: the vault is damaged, or not a vault' dataset list --vault notes
ran 0 'the vault by its option' "$scrim" dataset list --vault other.vault
out_is 'name,version,population,neighbours,unit,source,state'
ran 0 'the vault by its variable' env SCRIM_VAULT=other.vault "$scrim" dataset list
"$scrim" dataset add more --unit row --budget epsilon=1 --vault other.vault --quiet
rm other.witness
refused 5 'a vault without its witness' 'dataset: ' dataset list --vault other.vault
ran 0 'a vault gives up its witness' "$scrim" init --moved --no-witness --quiet
cp scrim.vault copy.vault
refused 5 'A43 a copy' 'dataset: this is a copy of a vault' dataset list --vault copy.vault
refused 2 'a copy with another witness and none' 'init: give --witness or --no-witness, not both' \
    init --moved --vault copy.vault --witness another.witness --no-witness
ran 0 'a copy that its owner accepts' "$scrim" init --moved --vault copy.vault
err_has 'accepted the vault copy.vault; its ledger records this'
err_has 'delete the former file, if there is one: without a witness it still works, and its budget could be spent twice'
ran 0 'a copy that its owner accepts: the former file works' "$scrim" dataset list
ran 0 'a vault with a witness' "$scrim" init --vault watched.vault --witness watched.witness --quiet
cp watched.vault moved.vault
ran 0 'a vault with a witness, moved' "$scrim" init --moved --vault moved.vault --quiet
refused 5 'a vault with a witness: the former file is refused' 'dataset: the vault was put back to an earlier state' \
    dataset list --vault watched.vault
ran 0 'a copy that its owner accepts: opens' "$scrim" dataset show small --vault copy.vault
ran 0 'a copy that its owner accepts: verifies' "$scrim" ledger verify --vault copy.vault
refused 5 'no vault to accept' "init: there is no vault at 'none.vault'" init --moved --vault none.vault
chmod 644 third.vault
refused 5 'a vault open to others' "dataset: the vault 'third.vault' is open to others" dataset list --vault third.vault
chmod 600 third.vault
# A vault of the other build, THREATS A10.
ran 0 'the test build makes a vault' "$seeded" init --vault seeded.vault --quiet
refused 5 'A10 a vault of the test build' 'dataset: this vault was made by the test build' dataset list --vault seeded.vault
ran 5 'A10 a real vault in the test build' "$seeded" dataset list --vault third.vault
err_has 'this vault is real'
ran 0 'the test build opens its own' "$seeded" dataset list --vault seeded.vault
err_is 'NOT PRIVATE: drawn from a chosen seed'
# The site's vault: only in the test build can its file be another.
echo "$work/seeded.vault" >site
ran 0 'the vault of the site' env SCRIM_TEST_SITE=site "$seeded" dataset add site --unit row --budget epsilon=1
ran 0 'the vault of the site: there' "$seeded" dataset list --vault seeded.vault
out_has 'site,1,site'
echo nowhere >site
ran 5 'a site that names no path' env SCRIM_TEST_SITE=site "$seeded" dataset list
err_has 'does not contain one absolute path'
ran 5 'no seam in the program that is installed' env -C empty SCRIM_TEST_SITE="$work/site" "$scrim" dataset list
err_has "there is no vault at './scrim.vault'"

# Whoever does not own the vault of the site has no choice: /etc/passwd is root's, and so is ours to root.
cp "$seeded" "$work/program"
chmod 755 "$work" "$work/program"
if [ "$(id -u)" -eq 0 ]; then
    echo "$work/seeded.vault" >site
    other="setpriv --reuid=65534 --clear-groups"
else
    echo /etc/passwd >site
    other=
fi
if [ -z "$other" ] || command -v setpriv >/dev/null 2>&1; then
    # shellcheck disable=SC2086 # words
    ran 3 'A43 an option is not for others' env SCRIM_TEST_SITE="$work/site" $other "$work/program" dataset list --vault a
    err_has "--vault is for the owner of this machine's vault"
    # shellcheck disable=SC2086 # words
    ran 3 'A43 a variable is not for others' env SCRIM_TEST_SITE="$work/site" SCRIM_VAULT=a $other "$work/program" dataset list
    err_has "\$SCRIM_VAULT is for the owner of this machine's vault"
    # shellcheck disable=SC2086 # words
    ran 3 'A43 nor is a vault of their own' env SCRIM_TEST_SITE="$work/site" $other "$work/program" init --vault mine
    # shellcheck disable=SC2086 # words
    ran 5 'A43 the vault itself is closed to them' env SCRIM_TEST_SITE="$work/site" $other "$work/program" dataset list
else
    skip 'A43 an option is not for others' 'setpriv is not installed'
fi

# An analyst comes through a program that runs as the vault's owner, and is who they are (A50).
lent=$(mktemp -d /tmp/scrim-lent-XXXXXX)
cp "$seeded" "$lent/program"
chmod 755 "$lent"
chmod 4755 "$lent/program"
export ASAN_OPTIONS=detect_leaks=0 # which looks into the process, and may not
# lent STATUS NAME ARGUMENT...: as nobody, through that program.
lent() {
    want=$1 label=$2
    shift 2
    ran "$want" "$label" env -C "$lent" SCRIM_TEST_SITE="$work/site" setpriv --reuid=65534 --clear-groups "$lent/program" "$@"
}
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null 2>&1 &&
    ! findmnt -n -o OPTIONS -T "$lent" | grep -q nosuid; then
    echo "$work/seeded.vault" >site
    lent 0 'A50 an analyst sees the datasets' dataset list
    out_has 'site,1,site'
    lent 0 'A50 an analyst sees a policy' dataset show site --policy -
    for action in 'add mine --unit row --budget epsilon=9' 'set site --max-rows 2' 'update site' 'remove site' \
        'add mine --policy /etc/shadow' 'set site --keys a=@/etc/shadow'; do
        # shellcheck disable=SC2086 # words
        lent 3 "A50 an analyst is no owner: $action" dataset $action
        err_has "only the vault's owner may run 'dataset"
    done
    lent 3 'A50 an analyst writes no file' dataset show site --policy "$work/stolen"
    check 'A50 an analyst writes no file: there is none' test ! -e "$work/stolen"
    lent 3 'A50 an analyst chooses no vault' dataset list --vault "$work/scrim.vault"
    lent 3 'A50 an analyst makes no vault' init
    lent 3 'A50 an analyst accepts no vault' init --moved
    ran 0 'A50 an analyst is charged' sh -c "echo 5 | env -C '$lent' SCRIM_TEST_SITE='$work/site' USER=root setpriv \
        --reuid=65534 --clear-groups '$lent/program' run laplace sensitivity=1 epsilon=0.1 neighbours=add-remove --charge site"
    ran 0 'A50 an analyst is charged: by name' "$seeded" ledger history site --vault seeded.vault --format csv
    out_has ",$(id -un 65534),"
    rm site
    lent 3 'A50 without a site there is no vault' dataset list
    err_has 'must name the vault'
else
    skip 'A50 a program that is lent' 'this is not root, or programs are not lent here'
fi
rm -rf "$lent"
unset ASAN_OPTIONS

# ---- output that cannot be written ----
if [ -e /dev/full ]; then
    ran 1 'a full disk' sh -c "'$scrim' dataset list >/dev/full"
    err_has 'cannot write standard output'
    ran 1 'a full disk for a policy' "$scrim" dataset show small --policy /dev/full
fi
refused 2 'a policy in no folder' 'dataset: --policy: cannot write' dataset show small --policy none/small.policy

# ---- busy ----
lock() { sqlite3 "$1" 'BEGIN IMMEDIATE' '.system touch locked; while [ ! -e unlock ]; do sleep 0.05; done'; }
if command -v sqlite3 >/dev/null 2>&1; then
    lock third.vault &
    holder=$!
    while [ ! -e locked ]; do sleep 0.05; done
    refused 5 'a vault that is busy' 'dataset: the vault is busy' dataset add late --unit row --budget epsilon=1 \
        --vault third.vault --wait 0
    touch unlock
    wait "$holder"
    ran 0 'a vault that is free again' "$scrim" dataset add late --unit row --budget epsilon=1 --vault third.vault
else
    skip 'a vault that is busy' 'sqlite3 is not installed'
fi

finish
