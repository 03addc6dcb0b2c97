#!/bin/sh
# THREATS A67, A68: signals at any time and limits of the system while a question is asked. The charge
# is there as a whole or not at all, what was seen is recorded, nobody is locked out, and half an
# answer is never shown for a whole one. 12 signals; with LONG=yes 1,000.
# shellcheck disable=SC2016,SC2317,SC2094 # programs of sh; functions that ran calls; commands that are named, not run
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
mkdir tmp
export TMPDIR="$work/tmp"
rounds=12
[ "${LONG-}" != yes ] || rounds=1000
awk 'BEGIN {
    print "id,age,word"
    for (i = 0; i < 20000; i++)
        printf "p%d,%d,w%d\n", i, i % 100, i % 50
}' >people.csv
"$scrim" init --quiet
"$scrim" dataset add people --csv people.csv --unit id --rows-per-unit 1 --column 'age=int[0,120]' --column word=text \
    --budget epsilon=1000,delta=0.1 --quiet 2>/dev/null

charges() { "$scrim" ledger --quiet --wait 5 --format csv | sed 1d; }
random() { awk -v n="$1" -v w="$(od -An -N4 -tu4 /dev/urandom)" 'BEGIN { print w % n }'; }
# ask EPSILON OPTION...: a question of its own, by its cost.
ask() {
    cost=$1
    shift
    "$scrim" query people "SELECT word, COUNT(*) AS n, MEDIAN(age) GROUP BY word" --epsilon "$cost" --delta 1e-9 "$@"
}
# An answer in JSON is whole: it ends as it must, and all lines are there.
is_whole() {
    [ "$(tail -c 2 "$1")" = '}' ] && [ "$(grep -c '^{"word"' "$1")" -eq "$(grep -c '}}[,]*$' "$1")" ] &&
        tail -n 1 "$1" | grep -q '^], .*"release": [0-9]*}$'
}

start=$(date +%s%N)
for i in 1 2 3 4; do ask 0.11$i --quiet >/dev/null; done
span=$(($(($(date +%s%N) - start)) / 4000000 + 1))

broken=0 ended=0 finished=0 half=0 unseen=0
before=$(charges | wc -l)
round=0
while [ $round -lt "$rounds" ]; do
    round=$((round + 1))
    case $((round % 4)) in
    0) signal=HUP want=129 ;;
    1) signal=INT want=130 ;;
    2) signal=TERM want=143 ;;
    3) signal=KILL want=137 ;;
    esac
    after=$(awk -v ms="$(random "$((span * 7))")" 'BEGIN { printf "%.4f", 0.0001 + ms / 10000 }')
    got=0
    timeout --preserve-status --foreground -s "$signal" "$after" "$scrim" query people \
        "SELECT word, COUNT(*) AS n, MEDIAN(age) GROUP BY word" --epsilon "0.1$(printf %06d "$round")" --delta 1e-9 --json >shown 2>words || got=$?
    if [ $got -eq "$want" ]; then
        ended=$((ended + 1))
    elif [ $got -eq 0 ]; then
        finished=$((finished + 1))
    else
        broken=$((broken + 1))
        echo "# SIG$signal after $after s: status $got: $(cat words)"
    fi
    grown=$(charges | wc -l)
    if [ "$grown" -lt "$before" ] || [ "$grown" -gt $((before + 1)) ]; then
        half=$((half + 1))
        echo "# from $before charges to $grown"
    fi
    # What was seen as a whole is charged and recorded; what is recorded can be replayed.
    if [ "$grown" -gt "$before" ]; then
        last=$(charges | tail -n 1)
        case $last in
        *,released,*)
            "$scrim" replay "${last%%,*}" --json --quiet >again 2>&1 || half=$((half + 1))
            if is_whole shown; then
                cmp -s shown again || {
                    half=$((half + 1))
                    echo "# seen and not recorded"
                }
            else
                unseen=$((unseen + 1))
            fi
            ;;
        *) [ ! -s shown ] || {
            half=$((half + 1))
            echo "# seen and not recorded: $(head -c 200 shown)"
        } ;;
        esac
    elif [ -s shown ]; then
        half=$((half + 1))
        echo "# seen and not charged: $(head -c 200 shown)"
    fi
    [ $got -ne 0 ] || is_whole shown || {
        half=$((half + 1))
        echo "# done, and not whole"
    }
    before=$grown
done
echo "# $rounds signals: $ended ended by them, $finished finished before, $unseen charged and not seen"
check "A68 $rounds signals: the status is that of the signal" test $broken -eq 0
check 'A68 charges are whole, seen answers are recorded' test $half -eq 0
check 'A68 some were ended' test $ended -gt 0
ran 0 'A68 nobody is locked out' "$scrim" budget people --wait 1 --quiet
ran 0 'A68 the ledger holds' "$scrim" ledger verify --quiet
check 'A68 nothing is left of temporary files' test -z "$(ls -A tmp)"
unanswered() { charges | awk -F , '$9 == "pending" { print $1 }' | head -n 3; }
# Random signals seldom fall between charge and record: more are sent until one does, later where nothing was
# charged yet and earlier where the answer was there, so that they find the moment on a machine that is busy too.
after=$(awk -v ms="$span" 'BEGIN { printf "%.4f", ms / 2000 }')
while [ -z "$(unanswered)" ] && [ $round -lt $((rounds + 80)) ]; do
    round=$((round + 1))
    timeout --preserve-status --foreground -s KILL "$after" "$scrim" query people \
        "SELECT word, COUNT(*) AS n, MEDIAN(age) GROUP BY word" --epsilon "0.1$(printf %06d "$round")" --delta 1e-9 --quiet >/dev/null 2>&1
    grown=$(charges | wc -l)
    after=$(awk -v after="$after" -v is_late=$((grown > before)) 'BEGIN { printf "%.4f", after * (is_late ? 0.85 : 1.25) }')
    before=$grown
done
unanswered >unanswered
check 'A84 one was ended between charge and record' test -s unanswered
while read -r release; do
    ran 5 "A68 release $release has no answer" "$scrim" replay "$release"
    err_has "release $release is charged and has no answer yet; ask the same question again"
    before=$(charges | wc -l)
    cost=$(charges | grep "^$release," | cut -d , -f 7)
    ran 0 "A84 release $release is finished" ask "$cost" --json
    check "A84 release $release is not charged again" test "$(charges | wc -l)" -eq "$before"
    # Who asked again paid nothing for it and is told so; the record is that of the release.
    check "A84 release $release is said to be paid for already" grep -q '"repeated": true, "release"' out
    sed 's/"repeated": true, "release"/"repeated": false, "release"/' out >finished
    "$scrim" replay "$release" --json --quiet >again
    check "A84 release $release is recorded" cmp -s finished again
done <unanswered

# ---- while it reads, from a pipe: it has charged, and waits for rows ----
"$scrim" dataset add stream --csv - --unit id --rows-per-unit 1 --column 'age=int[0,120]' --budget epsilon=1 --quiet
mkfifo pipe
for signal in HUP INT TERM; do
    case $signal in HUP) want=129 ;; INT) want=130 ;; TERM) want=143 ;; esac
    before=$(charges | wc -l)
    # Jobs in the background ignore SIGINT, what nohup started SIGHUP; env gives them back.
    env --default-signal=HUP,INT,TERM "$scrim" query stream 'SELECT COUNT(*)' --epsilon 0.1 <pipe >shown 2>words &
    running=$!
    exec 9>pipe
    # More than it takes at once: when all of it is gone, it has begun.
    awk 'BEGIN { print "id,age"; for (i = 0; i < 500000; i++) print "p" i ",3" }' >&9
    tries=0
    while [ "$(charges | wc -l)" -eq "$before" ] && [ $tries -lt 200 ]; do tries=$((tries + 1)); done
    check "A68 SIG$signal while it reads: it is charged already" test "$(charges | wc -l)" -eq $((before + 1))
    kill -$signal $running
    got=0
    wait $running || got=$?
    exec 9>&-
    check "A68 SIG$signal while it reads: $want" test $got -eq "$want"
    check "A68 SIG$signal while it reads: nothing is shown" test ! -s shown
    check "A68 SIG$signal while it reads: it says how to find out" grep -q "^scrim query: ended; 'scrim ledger stream' shows whether it was charged" words
    check "A68 SIG$signal while it reads: the charge stays" test "$(charges | wc -l)" -eq $((before + 1))
done

# ---- limits (A67): every answer that is shown is recorded, everything else ends with a status ----
limited() {
    before=$(charges | wc -l)
    got=0
    sh -c 'ulimit "$1" "$2" && shift 2 && exec "$@"' _ "$1" "$2" "$scrim" query people \
        "SELECT word, COUNT(*) AS n GROUP BY word" --epsilon "0.2$(printf %06d "$round")" --delta 1e-9 --json >shown 2>words || got=$?
    round=$((round + 1))
    grown=$(charges | wc -l)
    case $got in
    0) is_whole shown && [ "$grown" -eq $((before + 1)) ] || echo "$1 $2: shown and not whole, or not charged" ;;
    1 | 2 | 5 | 6)
        [ ! -s shown ] && [ "$grown" -le $((before + 1)) ] && [ "$(grep -c '^scrim query: ' words)" -eq 1 ] ||
            echo "$1 $2: $got: $(cat words)"
        # A86: what was charged is told.
        [ "$grown" -eq "$before" ] || grep -q 'charged and ' words || echo "$1 $2: $got, charged: $(cat words)"
        ;;
    127 | 137 | 139) [ ! -s shown ] && [ "$grown" -eq "$before" ] || echo "$1 $2: $got after the charge: $(cat words)" ;;
    *) echo "$1 $2: $got: $(cat words)" ;;
    esac
}
for files in 3 4 5 6 7 8 9 10 12 16; do limited -n $files; done >odd
check "A67 few files: $(head -n 1 odd)" test ! -s odd
for blocks in 1 2 8 64 128; do limited -f $blocks; done >odd
check "A67 small files: $(head -n 1 odd)" test ! -s odd
# An address space that instruments of a build need for themselves says nothing of ours.
if sh -c 'ulimit -v 400000 && "$0" --version' "$scrim" >/dev/null 2>&1; then
    for kilobytes in 10000 20000 30000 40000 60000 80000 120000 200000; do limited -v $kilobytes; done >odd
    check "A67 little memory: $(head -n 1 odd)" test ! -s odd
else
    skip 'A67 little memory' 'this build needs more than that by itself'
fi
limited -t 1 >odd
check "A67 little time: $(head -n 1 odd)" test ! -s odd
ran 0 'A67 the ledger holds' "$scrim" ledger verify --quiet
deep=$(awk 'BEGIN { for (i = 0; i < 30000; i++) printf "("; print "1" }')
ran 2 'A67 a deep query' "$scrim" query people "SELECT COUNT(*) WHERE $deep" --epsilon 1
awk 'BEGIN { printf "SELECT COUNT(*) WHERE "; for (i = 0; i < 400000; i++) printf "("; print "1" }' >deep.sql
ran 2 'A67 a deeper query' "$scrim" query people --file deep.sql --epsilon 1
check 'A67 a deeper query: a reason' test "$(grep -c '^scrim query: ' err)" -eq 1
awk 'BEGIN { printf "SELECT COUNT(*) -- "; for (i = 0; i < 200000; i++) printf "a comment " }' >long.sql
ran 2 'A67 a file that is too long' "$scrim" query people --file long.sql --epsilon 1
finish
