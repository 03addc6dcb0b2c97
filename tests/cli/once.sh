#!/bin/sh
# THREATS A84: the same question, the same batch and the same release of a series asked by many processes at
# the same moment, of which some are killed. Each is charged once, and whoever is not killed gets the same
# answer. A round of 8 for each; with LONG=yes 250 rounds of 64 for each of the four, 1,000 in all.
# shellcheck disable=SC2317 # functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
rounds=1 many=8
[ "${LONG-}" != yes ] || rounds=250 many=64
rounds=${ROUNDS:-$rounds} many=${MANY:-$many}
awk 'BEGIN {
    print "id,age,day,word"
    for (i = 0; i < 6000; i++)
        printf "p%d,%d,%d,w%d\n", i % 1500, i % 100, i % 1000 + 1, i * i % 97
}' >people.csv
"$scrim" init --quiet
for dataset in people rows; do
    unit=id
    [ $dataset = people ] || unit=row
    "$scrim" dataset add $dataset --csv people.csv --unit $unit --max-rows 1 --column 'age=int[0,120]' --column 'day=int[1,1000]' \
        --column word=text --max-groups 2 --budget epsilon=100000,delta=0.1 --quiet 2>/dev/null
done
for name in persons days; do
    dataset=people
    [ $name = persons ] || dataset=rows
    "$scrim" series create $name $dataset 'SELECT word, COUNT(*) AS n GROUP BY word' --window day --count 1000 \
        --epsilon 1 --delta 1e-9 --quiet >/dev/null 2>&1
done
printf 'SELECT COUNT(*) AS a FROM people;\nSELECT AVG(age) AS b FROM people;\n' >batch.sql

charges() { "$scrim" ledger --quiet --wait 60 --format csv | sed 1d; }
random() { awk -v n="$1" -v w="$(od -An -N4 -tu4 /dev/urandom)" 'BEGIN { print w % n }'; }

# ask KIND ROUND: the words of the command, one a line.
ask() {
    case $1 in
    query) printf '%s\n' query people "SELECT word, COUNT(*) AS n, MEDIAN(age) GROUP BY word" --epsilon "0.1$(printf %06d "$2")" --delta 1e-9 ;;
    batch) printf '%s\n' query people --file "batch$2.sql" --epsilon "0.1$(printf %06d "$2")" ;;
    persons | days) printf '%s\n' series release "$1" "$2" ;;
    esac
}
# The time that one takes, in tenths of a millisecond.
start=$(date +%s%N)
ask query 0 | tr '\n' '\0' | xargs -0 "$scrim" >/dev/null 2>&1
span=$((($(date +%s%N) - start) / 100000 + 1))

odd=0 killed=0 answered=0
complain() {
    odd=$((odd + 1))
    echo "# $*"
}
# together KIND ROUND: all at once; every third is killed at some moment.
together() {
    before=$(charges | wc -l)
    sed "s/ AS \([ab]\)/ AS \1$2/" batch.sql >"batch$2.sql"
    ask "$1" "$2" | tr '\n' '\0' >words
    rm -f shown.* said.* ended.*
    i=0
    while [ $i -lt "$many" ]; do
        i=$((i + 1))
        after=
        [ $((i % 3)) -ne 0 ] ||
            after=$(awk -v t="$(random $((span * many / 4 + span)))" 'BEGIN { printf "timeout -s KILL %.4f ", 0.0005 + t / 10000 }')
        # shellcheck disable=SC2086 # words
        (xargs -0 $after "$scrim" --quiet --format csv <words >shown.$i 2>said.$i; echo $? >ended.$i) &
    done
    wait
    first=
    i=0
    while [ $i -lt "$many" ]; do
        i=$((i + 1))
        case $(cat ended.$i):$(cat said.$i) in
        0:)
            answered=$((answered + 1))
            [ -n "$first" ] || first=shown.$i
            cmp -s $first shown.$i || complain "$1 $2: another answer"
            ;;
        *killed*signal* | 137:* | 12[0-9]:*)
            killed=$((killed + 1))
            [ ! -s shown.$i ] || [ -z "$first" ] || cmp -s $first shown.$i || complain "$1 $2: half an answer"
            ;;
        *) complain "$1 $2: $(cat ended.$i): $(cat said.$i)" ;;
        esac
    done
    # What was left is finished, at no further charge.
    xargs -0 "$scrim" --quiet --format csv <words >last 2>said.last || complain "$1 $2: not finished: $(cat said.last)"
    [ -z "$first" ] || cmp -s $first last || complain "$1 $2: another answer afterwards"
    grown=$(charges | wc -l)
    [ "$grown" -eq $((before + 1)) ] || complain "$1 $2: from $before to $grown charges"
}

round=0
while [ $round -lt "$rounds" ]; do
    round=$((round + 1))
    for kind in query batch persons days; do together $kind $round; done
done
echo "# 4 times $rounds rounds of $many: $answered answered, $killed killed"
check 'A84 each is charged once and answered alike' test $odd -eq 0
check 'A84 some were answered' test $answered -gt 0
check 'A84 every charge is answered' test "$(charges | grep -vc ,released,)" -eq 0
ran 0 'A84 the ledger holds' "$scrim" ledger verify --quiet

# ---- A86: an answer that cannot be shown is charged, recorded, and told ----
last_release() { charges | tail -n 1 | sed 's/,.*//'; }
# unseen NAME WORDS...: to a full disk, to nobody and to a pipe that nobody reads.
unseen() {
    asked=$1
    shift
    before=$(charges | wc -l)
    ran 1 "A86 $asked: a full disk" sh -c 'exec "$@" >/dev/full' _ "$scrim" "$@"
    err_has "No space left on device; release $(last_release) is charged and recorded: 'scrim replay $(last_release)' shows it, free of charge"
    ran 1 "A86 $asked: no standard output" sh -c 'exec "$@" >&-' _ "$scrim" "$@"
    err_has "release $(last_release) is charged and recorded: 'scrim replay $(last_release)' shows it, free of charge"
    got=0
    # shellcheck disable=SC2094 # a pipe whose reader has gone
    exec 4<>unread 5>unread 4<&-
    "$scrim" "$@" >&5 2>words || got=$?
    exec 5>&-
    check "A86 $asked: nobody reads: 141" test $got -eq 141
    check "A86 $asked: nobody reads: the last words name the release" grep -q "release $(last_release) is charged; 'scrim replay $(last_release)' shows it again, free of charge" words
    check "A86 $asked: charged once" test "$(charges | wc -l)" -eq $((before + 1))
    ran 0 "A86 $asked: it can be replayed" "$scrim" replay "$(last_release)" --quiet
    "$scrim" "$@" --quiet --format csv >again
    check "A86 $asked: it is asked for again, free" cmp -s again out
}
mkfifo unread
unseen 'a query' query people 'SELECT COUNT(*) AS unseen' --epsilon 0.1
unseen 'a release of a series' series release days $((rounds + 1))
finish
