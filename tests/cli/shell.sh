#!/bin/sh
# scrim shell: questions from a terminal, which is shown the cost first, and from standard input.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
case $scrim in /*) ;; *) scrim=$PWD/$scrim ;; esac
python=$(command -v python3 || true)

# made VAULT [OPTION...]: a vault with the dataset people.
made() {
    vault=$1
    shift
    "$scrim" init --vault "$vault" --quiet --no-witness
    "$scrim" dataset add people --vault "$vault" --csv "$work/people.csv" --unit id --max-groups 1 --max-rows 1 \
        --column 'age=int[0,100]' --column sex=text --keys sex=Female,Male --budget epsilon=3 --quiet --no-check "$@"
}
# charges VAULT: how many there are.
charges() {
    "$scrim" budget people --vault "$1" --format csv --quiet | awk -F, 'NR == 2 { print $NF }'
}
charged() {
    check "$name: charges" test "$(charges "$1")" = "$2"
}
{
    echo id,age,sex
    for i in 1 2 3 4 5 6 7 8 9; do echo "$i,$((i * 10)),Female"; done
    echo 10,50,Male
} >"$work/people.csv"
made "$work/v"
"$scrim" budget people --vault "$work/v" --format csv --quiet >"$work/head"
check 'charges are the last column' grep -q 'charges$' "$work/head"

# ---- from standard input ----
cat >"$work/script" <<'END'
-- two questions in one line; the second has two lines; the last lacks its end
SELECT COUNT(*); SELECT sex, COUNT(*) AS n
GROUP BY sex;
\epsilon 0.25

\bounds max-total-rows=1
SELECT COUNT(*) AS "a;b" WHERE sex <> ';'
END
made "$work/v2"
ran 0 'a script' sh -c "'$scrim' shell people --vault '$work/v' --epsilon 0.5 --format csv --quiet <'$work/script'"
charged "$work/v" 3
check 'a script: three answers' test "$(grep -c '_low' "$work/out")" = 3
ran 0 'a script again' sh -c "'$scrim' shell --vault '$work/v' --epsilon 0.5 --format csv --quiet <'$work/script'"
charged "$work/v" 3
printf 'SELECT COUNT(*);\nSELECT nothing;\nSELECT COUNT(age);\n' >"$work/wrong"
ran 2 'a failure ends a script' sh -c "'$scrim' shell people --vault '$work/v2' --epsilon 0.5 --quiet <'$work/wrong'"
err_has 'no column nothing'
charged "$work/v2" 1
ran 2 'a wrong command ends a script' sh -c "printf '%s\n' '\\wrong' 'SELECT COUNT(age);' | '$scrim' shell people --vault '$work/v2' --epsilon 0.5"
err_has "unknown command"
charged "$work/v2" 1
ran 2 'no epsilon' sh -c "echo 'SELECT COUNT(age);' | '$scrim' shell people --vault '$work/v2'"
ran 2 'an unknown dataset' "$scrim" shell peopel --vault "$work/v2"
err_has 'people'
ran 2 'two words' "$scrim" shell people 'SELECT COUNT(*)' --vault "$work/v2"
ran 0 'the price stands in a question' sh -c \
    "echo 'SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.25) COUNT(age);' | '$scrim' shell people --vault '$work/v2' --quiet"
charged "$work/v2" 2
ran 2 'an endless line' sh -c "'$scrim' shell people --vault '$work/v2' --epsilon 1 </dev/zero"

# ---- files ----
printf 'SELECT COUNT(*);\n\\csv %s/answer.csv\n\\csv %s\n' "$work" "$work/v2" >"$work/csv"
ran 2 'a file of the answer, and none in the place of the vault' sh -c \
    "'$scrim' shell people --vault '$work/v2' --epsilon 0.5 --format csv --quiet <'$work/csv'"
check 'the file holds what was shown' cmp "$work/out" "$work/answer.csv"
check 'the vault is a vault' "$scrim" ledger verify --vault "$work/v2"
printf '\\release 1\n\\csv %s/first.csv\n\\release 2\n\\csv %s/one.csv 1\n' "$work" "$work" >"$work/csv"
ran 0 'the release that was shown is the last answer' sh -c \
    "'$scrim' shell people --vault '$work/v2' --quiet <'$work/csv'"
check 'its file is that of release 1' grep -q '^count' "$work/first.csv"
check 'a file of a release by its number' cmp "$work/first.csv" "$work/one.csv"
printf '\\i %s\n' "$work/again" >"$work/again"
ran 2 'a file that reads itself' sh -c "'$scrim' shell people --vault '$work/v2' --epsilon 1 <'$work/again'"
err_has '8 deep'
printf '\\i %s\n' "$work/script" >"$work/reads"
made "$work/v3"
ran 0 'a file of questions' sh -c "'$scrim' shell people --vault '$work/v3' --epsilon 0.5 --format csv --quiet <'$work/reads'"
charged "$work/v3" 3

# ---- on a terminal ----
status_wanted=0
# typed CASE CHARGES [OPTION...]: on a new vault.
typed() {
    case_name=$1 expected=$2
    shift 2
    made "$work/v-$case_name" "$@"
    # The copy of the environment has no variables of this script.
    ran "$status_wanted" "typed: $case_name" "$python" tests/cli/shell_terminal.py "$scrim" "$work/v-$case_name" "$case_name"
    charged "$work/v-$case_name" "$expected"
}
if [ -z "$python" ]; then
    skip 'typed' 'there is no Python'
else
    typed ask 1
    typed leave 0
    typed drop 0
    typed lines 1
    typed fix 0
    typed complete 0
    typed again 1
    typed dearer 0
    typed other 1
    typed price 1
    typed wrong 0
    typed plain 1
    typed narrow 1
    check 'narrow: no colours' sh -c "! grep -q \"$(printf '\033')\[[0-9;]*m\" '$work/out'"
    check 'narrow: 40 columns' sh -c "tr -d '\r\b' <'$work/out' | sed 's/$(printf '\033')\[[0-9;?]*[A-Za-z]/\n/g' |
        grep -v 'left> SELECT' | LC_ALL=C.UTF-8 wc -L | awk '\$1 > 40 { exit 1 }'"
    typed price-drop 0
    typed drop-all 0
    typed interrupt 1 --quantum 60
    made "$work/v-unread"
    mv "$work/people.csv" "$work/kept.csv"
    mkfifo "$work/people.csv"
    ran 0 'previews and completion open no data' "$python" tests/cli/shell_terminal.py "$scrim" "$work/v-unread" unread
    charged "$work/v-unread" 0
    mv "$work/kept.csv" "$work/people.csv"
    printf 'owner,Paid on,price\n1,2024-03-04,5\n' >"$work/shop.csv"
    status_wanted=2
    typed wizard 0
    check 'wizard: the draft has the unit' grep -qx 'unit=owner' "$work/shop.policy"
    check 'wizard: the draft has the range' grep -qx 'column=Paid on=date\[2024-02-01,2024-12-31\]' "$work/shop.policy"
    rm -f "$work/shop.policy"
    typed wizard-drop 0
    status_wanted=0
    check 'wizard-drop: no draft' test ! -e "$work/shop.policy"
    typed long 1
    check 'long: the first and the last rows' sh -c "grep -q '│ *19 │' '$work/out' && grep -q '│ *82 │' '$work/out'"
    check 'long: none between' sh -c "! grep -q '│ *50 │' '$work/out'"
    typed pages 1
    history=$HOME/.local/state/scrim/history
    check 'A113 the history is its user'"'"'s alone' test "$(stat -c %a "$history")" = 600
    check 'A113 the history has questions' grep -qxF 'SELECT COUNT(*)' "$history"
    check 'A113 the history has no answer' sh -c "! grep -q '\\[' '$history'"
fi
finish
