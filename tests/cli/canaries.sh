#!/bin/sh
# THREATS A56, A57, A58: strings and numbers that stand nowhere but in private cells are looked for in
# all that a program says, writes or leaves: none is found. 200 of them; with LONG=yes 1,000.
# shellcheck disable=SC2016,SC2317 # programs of sh; functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
count=200
[ "${LONG-}" != yes ] || count=1000
# The data lie apart: everything in the other folder is searched.
mkdir "$work/data" "$work/seen" "$work/seen/tmp"
cd "$work/seen" || exit 1
export TMPDIR="$work/seen/tmp"
csv=$work/data/people.csv

# Units, text that nobody groups by, keys of one unit each, numbers beyond the range, and cells that
# are none of what was declared.
awk -v count="$count" 'BEGIN {
    print "id,age,income,note,city,day"
    for (i = 0; i < count; i++)
        printf "CANARYU%04d,8675309%04d,-8675309%04d.25,CANARYN%04d,CANARYC%04d,CANARYD%04d\n", i, i, i, i, i, i
    for (i = 0; i < count; i++) {
        printf "CANARYU%04d,CANARYA%04d,\"CANARYQ%04d\",,CANARYR%04d\n", i, i, i, i
        printf "\"CANARYU%04d\n", i
    }
    for (i = 0; i < 500; i++)
        printf "p%d,%d,%d,x,town,2020-01-02\n", i, i % 100, i
}' >"$csv"
canary='CANARY[A-Z][0-9]|8675309[0-9][0-9][0-9][0-9]'
"$scrim" init --quiet
"$scrim" dataset add people --csv "$csv" --unit id --max-rows 1 --column 'age=int[0,120]' --column 'income=decimal[0,1000]' \
    --column note=text --column city=text --column 'day=date[2020-01-01,2020-12-31]' --max-groups 2 \
    --budget epsilon=1000,delta=0.01 --quiet 2>caution

# said COMMAND...: all that it says is kept.
number=0
said() {
    number=$((number + 1))
    "$@" >"said.$number" 2>"talk.$number" </dev/null || echo "status $?" >>"talk.$number"
}
ask() { said "$scrim" query people "$@"; }
for format in csv json jsonl table; do
    ask "SELECT COUNT(*) AS n, AVG(age), SUM(income), VAR(age) AS $format" --epsilon 1 --format $format --plot
    ask "SELECT MEDIAN(age) AS $format, QUANTILE(income, 0.01), MEDIAN(day)" --epsilon 1 --format $format
    ask "SELECT city, COUNT(*) AS $format, MEDIAN(age) GROUP BY city" --epsilon 1 --delta 1e-9 --format $format --plot
    ask "SELECT note, city, COUNT(DISTINCT id) AS $format GROUP BY note, city" --epsilon 1 --delta 1e-9 --format $format
    ask "SELECT COUNT(*) WITH RANGE AS $format WHERE note IN ('x', 'y')" --epsilon 1 --delta 1e-9 --format $format
    said "$scrim" explain people 'SELECT city, COUNT(*), AVG(age) GROUP BY city' --epsilon 1 --delta 1e-9 --format $format
    said "$scrim" ledger --format $format
    said "$scrim" budget --format $format
    said "$scrim" dataset show people --format $format
    said "$scrim" dataset list --format $format
done
check 'A56 questions were answered' test "$(cat talk.* | grep -c '^release ')" -eq 20
town=$(grep -l '^town,' said.* | head -n 1)
check 'A56 a key that many share was kept' test -n "$town"
"$scrim" ledger --quiet --format csv | sed 1d | cut -d , -f 1 | sed -n '1p;3p;5p' >releases
while read -r release; do
    for format in csv json table; do
        said "$scrim" replay "$release" --format $format --plot
        said "$scrim" report "$release" --format $format
    done
    said "$scrim" report "$release"
    said "$scrim" report "$release" --html "label.$release.html"
done <releases
said "$scrim" ledger export
said "$scrim" ledger verify
# What is refused, what fails, what is full.
for query in 'SELECT note' 'SELECT SUM(note)' 'SELECT 1/0' 'SELECT SUM(1/(age-age))' "SELECT COUNT(*) WHERE note = 1" \
    'SELECT MIN(note)' 'SELECT COUNT(*) WHERE CAST(note AS int) > 1' 'SELECT nope' '' '((((' "SELECT 'x"; do
    ask "$query" --epsilon 1 --delta 1e-9
done
ask 'SELECT COUNT(*) AS more' --epsilon 999
said sh -c "'$scrim' query people 'SELECT city, COUNT(*) AS full GROUP BY city' --epsilon 1 --delta 1e-9 >/dev/full"
said sh -c "ulimit -f 0; '$scrim' query people 'SELECT city, COUNT(*) AS files GROUP BY city' --epsilon 1 --delta 1e-9"
said sh -c "ulimit -v 60000; '$scrim' query people 'SELECT city, COUNT(*) AS memory GROUP BY city' --epsilon 1 --delta 1e-9"
said sh -c "ulimit -n 6; '$scrim' query people 'SELECT city, COUNT(*) AS open GROUP BY city' --epsilon 1 --delta 1e-9"

# ---- killed at any time, by signals that leave a core (A57) ----
# shellcheck disable=SC3045 # dash has it, and so has whoever runs this
ulimit -c unlimited 2>/dev/null
rm -f core*
killed=0
for signal in KILL ABRT SEGV QUIT KILL BUS ABRT SEGV KILL QUIT; do
    killed=$((killed + 1))
    after=$(awk -v w="$(od -An -N2 -tu2 /dev/urandom)" 'BEGIN { printf "%.4f", 0.001 + w % 200 / 10000 }')
    said timeout --preserve-status --foreground -s $signal "$after" "$scrim" query people \
        "SELECT city, COUNT(*) AS killed, MEDIAN(age) GROUP BY city" --epsilon "1.0$killed" --delta 1e-9
done
# One that was killed before it had begun may have left a core, with nothing in it: that is searched,
# too. From the first byte that is read on there is none.
"$scrim" dataset add stream --csv - --unit id --rows-per-unit 1 --column 'age=int[0,120]' --budget epsilon=1 --quiet
rm -f core*
mkfifo pipe
"$scrim" query stream 'SELECT COUNT(*)' --epsilon 1 <pipe >crashed 2>crashed.talk &
running=$!
exec 9>pipe
head -n 100 "$csv" | sed '1s/$/ /' >&9
# It has begun when it has charged, or sits in front of the pipe with its own limit.
if [ -r /proc/$running/limits ]; then
    tries=0
    until grep -q '^Max core file size *[01] *[01] ' /proc/$running/limits || [ $tries -ge 100 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    check 'A57 the limit of a core is too small for one' test $tries -lt 100
else
    sleep 1
fi
kill -ABRT $running
exec 9>&-
got=0
wait $running || got=$?
check 'A57 it crashed' test $got -eq 134
check 'A57 and left no core' test -z "$(find "$work" -name '*core*')"
check 'A57 nothing is left of temporary files' test -z "$(ls -A tmp)"
ran 0 'A57 the vault holds after all' "$scrim" ledger verify --quiet

# ---- no word makes it talk (A58) ----
"$scrim" replay "$(head -n 1 releases)" >plain 2>plain.talk
for variable in DEBUG VERBOSE TRACE LOG SCRIM_DEBUG SCRIM_VERBOSE SCRIM_LOG SCRIM_TRACE SCRIM_SEED SCRIM_TEST_SITE \
    SCRIM_CANARY MALLOC_TRACE MALLOC_CHECK_ SQLITE_TRACE SQLITE_LOG SQLITE_TMPDIR OPENSSL_CONF RUST_LOG \
    G_MESSAGES_DEBUG NODE_DEBUG LC_MESSAGES LANGUAGE POSIXLY_CORRECT; do
    for value in 1 "$work/seen/log.$variable"; do
        env "$variable=$value" "$scrim" replay "$(head -n 1 releases)" >other 2>other.talk
        cmp -s plain other && cmp -s plain.talk other.talk || echo "$variable=$value"
    done
done >loud
check 'A58 no variable changes what is said' test ! -s loud
env SCRIM_DEBUG=1 DEBUG=1 VERBOSE=1 SCRIM_LOG=log "$scrim" query people 'SELECT city, COUNT(*) AS loud GROUP BY city' \
    --epsilon 1 --delta 1e-9 >said.loud 2>talk.loud
check 'A58 nor writes a file' test -z "$(find . -name 'log*')"
for option in --verbose --debug --trace --log -v -vv -d --dump --raw --exact --no-noise --seed=1 --dry-run --show-data \
    --analyze; do
    ran 2 "A58 $option" "$scrim" query people 'SELECT COUNT(*) AS words' --epsilon 1 $option
    err_lines 1
    test "$option" = --verbose ||
        ran 2 "A58 explain $option" "$scrim" explain people 'SELECT COUNT(*) AS words' --epsilon 1 $option
done
# explain opens no data, with --verbose neither; what it says is searched below.
said "$scrim" explain people 'SELECT city, COUNT(*) AS words GROUP BY city' --epsilon 1 --delta 1e-9 --verbose

# ---- the search ----
check 'A56 the canaries are in the data' test "$(grep -a -c -E -e "$canary" "$csv")" -eq $((3 * count))
mkdir shown && mv said.* talk.* shown
check 'A56 something was said' test "$(cat shown/* | wc -c)" -gt 20000
# found FILE...: no canary in them, spelt out or one byte beside a zero.
found() {
    { cat "$@" && cat "$@" | tr -d '\000'; } | grep -a -o -E -e "$canary" | sort | uniq -c >../found
    cat ../found
    [ ! -s ../found ]
}
check 'A56 none is in what was said' found shown/said.* shown/talk.*
check 'A56 none is in the vault and what lies beside it' found scrim.vault*
check 'A56 none is in anything else there is' sh -c '! grep -r -a -l -E -e "$1" .' _ "$canary"
# The search can find.
cp scrim.vault planted && printf 'CANARY\000U0001' >>planted
name='A56 a planted one is found'
if found planted >/dev/null; then not_ok "$name" 'it was not'; else ok "$name"; fi
finish
