#!/bin/sh
# A102: files that are not what they should be. Every verb, subcommand and format is called with missing, empty, endless,
# binary and foreign files and with folders in each place that takes a file (wrong_files.py): about 300 calls, with
# LONG=yes all of them. Then single findings: a listing that nobody opened, errors without a place, limits of memory,
# names that SQLite treats specially, Ctrl-C in the rounds of a synthesiser.
# shellcheck disable=SC2317,SC3045 # functions that ran calls; a limit that dash has
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
root=$PWD

if [ $have_python = yes ]; then
    mkdir "$work/matrix"
    part=
    [ "${LONG-}" != yes ] || part=all
    # shellcheck disable=SC2086 # no word, or one
    ran 0 'A102 the matrix of calls' python3 tests/cli/wrong_files.py "$scrim" "$work/matrix" $part
    cp "$work/out" "$work/found"
    check 'A102 every call ends as documented' sh -c "! grep '^wrong' '$work/found'"
    check 'A102 there are calls' test "$(sed -n 's/^calls.//p' "$work/found")" -ge 300
    rm -rf "$work/matrix"
else
    skip 'A102 the matrix of calls' 'needs python3'
fi
cd "$work" || exit 1

# ---- synth report in JSON, free and charged ----
awk 'BEGIN { print "id,age,sex"; for (i = 0; i < 500; i++) print i "," i % 80 "," (i % 2 ? "F" : "M") }' >people.csv
"$scrim" init --quiet
"$scrim" dataset add people --csv people.csv --unit id --rows-per-unit 1 --column 'age=int[0,120]' --column sex=text \
    --keys sex=F,M --budget epsilon=100,delta=1e-3 --quiet 2>/dev/null
"$scrim" synth people --epsilon 1 --delta 1e-7 --rows 9 --quiet >/dev/null
charges() { "$scrim" ledger --quiet --format csv | sed 1d | wc -l; }
ran 0 'A102 synth report --json' "$scrim" synth report 1 --json
out_has '{"columns": "age", "ways": 1, '
ran 0 'A102 synth report --json, charged' "$scrim" synth report 1 --json --epsilon 1 --quiet
out_has '], "comparison": {"mean": '
check 'A102 it is charged' test "$(charges)" -eq 2
ran 0 'A102 synth check --json' "$scrim" synth check 1 --json
out_has '{"note": "SENSITIVE", "columns": "age", '
for path in "$(printf '%300s' '' | tr ' ' n)" people.csv/x missing/x; do
    ran 2 "A102 synth report writes no such file: $(printf %.20s "$path")" "$scrim" synth report 1 --epsilon 1/2 --svg "$path"
    out_is ''
done
check 'A102 a file that cannot be written is no charge' test "$(charges)" -eq 2
path=$(printf '%255s' '' | tr ' ' n)
ran 0 'A102 a name as long as names may be' "$scrim" synth report 1 --svg "$path" --quiet
check 'A102 it is written' test -s "$path"

# ---- a configuration that is missing, a folder or too long ----
ran 6 'A102 local decode: no configuration' "$scrim" local decode --config missing sums
err_is "scrim local: 'missing' cannot be read: No such file or directory; check its name"
ran 6 'A102 local decode: a folder' "$scrim" local decode --config . sums
err_is "scrim local: '.' cannot be read: Is a directory"
ran 2 'A102 local decode: an endless configuration' "$scrim" local decode --config /dev/zero sums
err_is "scrim local: '/dev/zero' is longer than 512 bytes"
ran 2 'A102 local decode: none' "$scrim" local decode sums
err_is 'scrim local: name the configuration of the devices: --config FILE'

# ---- memory is bounded by stated limits: half a gigabyte suffices to refuse ----
within() {
    (ulimit -v 600000 && exec "$scrim" "$@")
}
if sh -c 'ulimit -v 600000 && "$0" --version' "$scrim" >/dev/null 2>&1; then
    echo 'scrim-local/1 question=q protocol=randomised-response values=268435456 a=3 b=1' >wide
    for sub in collect decode; do
        ran 2 "A102 local $sub: 2^28 values" within local $sub --config wide people.csv
        err_is 'scrim local: sums of this configuration need 268435456 counters; a server keeps at most 16777216'
    done
    ran 2 'A102 local simulate: 2^28 values' within local simulate --config wide
    err_is 'scrim local: sums of this configuration need 268435456 counters; a server keeps at most 16777216'
    echo 'scrim-local/1 question=q protocol=one-bit-mean values=268435456 a=27 b=10' >mean
    ran 2 'A102 local simulate: 2^28 steps of a number' within local simulate --config mean
    err_is 'scrim local: a fleet has at most 16777216 values'
    echo 'scrim-local/1 question=q protocol=symmetric-unary values=65536 a=3 b=1' >bits
    ran 2 'A102 local simulate: devices of 8 kB' within local simulate --config bits --users 10000000
    err_has 'use at most '
    echo 'scrim-local/1 question=q protocol=randomised-response values=2 a=3 b=1' >two
    yes '' | head -c 16777217 >many
    ran 2 'A102 local decode: 2^24 + 1 names' within local decode --config two --names many people.csv
    err_is "scrim local: 'many' has more than 16777216 lines"
    ran 2 'A102 microdata fit: 2^24 + 1 lines' within microdata fit many
    err_is "scrim microdata: 'many' has more than 16777216 lines"
else
    skip 'A102 limits of memory' 'this build needs more than half a gigabyte by itself'
fi
ran 2 'A102 microdata fit: an endless file' "$scrim" microdata fit /dev/zero
err_is "scrim microdata: '/dev/zero' is longer than 268435456 bytes"

# ---- names that SQLite treats specially are names of files ----
for vault in ':memory:' 'file:x' 'file:x?mode=memory' 'a?b' 'a%20b' '-'; do
    ran 0 "A102 a vault named $vault" "$scrim" init --vault "$vault" --quiet
    check "A102 the file $vault" test -s "./$vault"
    ran 0 "A102 the vault $vault holds datasets" "$scrim" dataset add people --vault "$vault" --csv people.csv --unit id \
        --rows-per-unit 1 --budget epsilon=1 --quiet
    ran 0 "A102 the vault $vault answers" "$scrim" query people 'SELECT COUNT(*)' --epsilon 1 --vault "$vault" --quiet
    ran 0 "A102 the ledger of $vault" "$scrim" ledger verify --vault "$vault" --quiet
done
ran 2 'A102 a vault without a name' "$scrim" init --vault ''

# ---- Ctrl-C while rounds are drawn, which takes more than a second ----
awk 'BEGIN {
    for (k = 0; k < 24; k++) printf "c%d%s", k, k < 23 ? "," : "\n"
    for (i = 0; i < 2000; i++)
        for (k = 1; k <= 24; k++) printf "%d%s", (i * k + int(i / 7) * k * k) % 64, k < 24 ? "," : "\n"
}' >wide.csv
set --
for k in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23; do set -- "$@" --column "c$k=int[0,63]"; done
"$scrim" dataset add wide --csv wide.csv --unit row "$@" --budget epsilon=100000,delta=0.1 --quiet 2>/dev/null
before=$(charges)
# Jobs in the background ignore SIGINT; env gives it back.
env --default-signal=INT "$scrim" synth wide --method aim --epsilon 2000 --delta 1e-6 >shown 2>words &
running=$!
tries=0
while [ "$(charges)" -eq "$before" ] && [ $tries -lt 200 ]; do tries=$((tries + 1)); done
kill -INT $running
got=0
wait $running || got=$?
check 'A102 Ctrl-C in the rounds: 130' test $got -eq 130
check 'A102 Ctrl-C in the rounds: nothing is shown' test ! -s shown
check 'A102 Ctrl-C in the rounds: it says how to find out' \
    grep -q "^scrim synth: ended; 'scrim ledger wide' shows whether it was charged" words
check 'A102 Ctrl-C in the rounds: the charge stays' test "$(charges)" -eq $((before + 1))

# ---- Ctrl-C while rows are written: to a pipe that nobody reads, and to a file, which takes seconds ----
# interrupted TRIES COMMAND...: ended by SIGINT as soon as there is a temporary file, or after so many hundredths of a second.
interrupted() {
    tries=$1
    shift
    env --default-signal=INT "$scrim" "$@" --quiet >pipe 2>words &
    running=$!
    while ! ls rows.csv.?????? >/dev/null 2>&1 && [ "$tries" -gt 0 ]; do
        tries=$((tries - 1))
        sleep 0.01
    done
    kill -INT $running
    # One that does not end is ended after 30 seconds, with another status.
    tries=300
    while kill -0 $running 2>/dev/null && [ $tries -gt 0 ]; do
        tries=$((tries - 1))
        sleep 0.1
    done
    [ $tries -gt 0 ] || kill -KILL $running
    got=0
    wait $running || got=$?
}
mkfifo pipe
exec 8<>pipe
"$scrim" body fit people --columns age --epsilon 1 --out body.json --quiet
interrupted 100 body sample body.json -n 20000
check 'A102 Ctrl-C while points go to a pipe: 130' test $got -eq 130
interrupted 1000 synth people --epsilon 1 --delta 1e-7 --rows 2000000 --out rows.csv
check 'A102 Ctrl-C while rows go to a file: 130' test $got -eq 130
check 'A102 Ctrl-C while rows go to a file: none is left' sh -c '! ls | grep "^rows"'
exec 8>&-
cd "$root" || exit 1
finish
