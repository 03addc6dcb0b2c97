#!/bin/sh
# THREATS A68: signals and broken pipes while a release is charged. Whatever comes when, the charge
# is there as a whole or not at all, nobody is locked out, the status tells the signal, and what
# was recorded can be replayed. 20 times; with LONG=yes 1,000 times.
# shellcheck disable=SC2317 # functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
count='laplace sensitivity=1 epsilon=0.001 neighbours=add-remove'
rounds=20
[ "${LONG-}" != yes ] || rounds=1000
"$scrim" init --quiet
"$scrim" dataset add people --unit row --budget epsilon=100 --quiet

charges() { "$scrim" ledger --quiet --wait 5 --format csv | sed 1d; }
# Uniform in 0..N-1, from the kernel.
random() { awk -v n="$1" -v w="$(od -An -N4 -tu4 /dev/urandom)" 'BEGIN { print w % n }'; }

# How long a release takes here, in milliseconds: signals come within that.
echo 7 >input
start=$(date +%s%N)
for _ in 1 2 3 4 5 6 7 8; do
    # shellcheck disable=SC2086 # words
    "$scrim" run $count --charge people --quiet <input >/dev/null
done
span=$(($(($(date +%s%N) - start)) / 8000000 + 1))

broken=0 ended=0 finished=0 half=0 unseen=0
before=$(charges | wc -l)
round=0
while [ $round -lt "$rounds" ]; do
    round=$((round + 1))
    case $((round % 3)) in
    0) signal=HUP want=129 ;;
    1) signal=INT want=130 ;;
    2) signal=TERM want=143 ;;
    esac
    after=$(awk -v ms="$(random "$((span * 10))")" 'BEGIN { printf "%.4f", 0.0001 + ms / 10000 }')
    got=0
    # shellcheck disable=SC2086 # words
    timeout --preserve-status --foreground -s $signal "$after" \
        "$scrim" run $count --charge people <input >shown 2>words || got=$?
    if [ $got -eq "$want" ]; then
        ended=$((ended + 1))
    elif [ $got -eq 0 ]; then
        finished=$((finished + 1))
    else
        broken=$((broken + 1))
        echo "# SIG$signal after $after s: status $got"
    fi
    # An answer that was seen is charged, and is the one that is recorded.
    number=$(sed -n 's/^release *\([0-9]*\),.*/\1/p; s/.*: release \([0-9]*\) is charged.*/\1/p' words | head -n 1)
    if [ -s shown ]; then
        "$scrim" replay "${number:-0}" --quiet >again 2>&1 || : >again
        cmp -s shown again || {
            half=$((half + 1))
            echo "# seen and not recorded: $(cat shown words)"
        }
    elif [ -n "$number" ]; then
        # Charged and not seen: it is there for whoever asks.
        "$scrim" replay "$number" --quiet >again 2>&1 || half=$((half + 1))
        unseen=$((unseen + 1))
    fi
    grown=$(charges | wc -l)
    if [ "$grown" -lt "$before" ] || [ "$grown" -gt $((before + 1)) ]; then
        half=$((half + 1))
        echo "# from $before charges to $grown"
    fi
    before=$grown
done
echo "# $rounds signals: $ended ended by them, $finished finished before, $unseen charged and not seen"
check "A68 $rounds signals: the status is that of the signal" test $broken -eq 0
check 'A68 charges are whole, seen answers are recorded' test $half -eq 0
check 'A68 some were ended' test $ended -gt 0
ran 0 'A68 nobody is locked out' "$scrim" budget people --wait 1 --quiet
ran 0 'A68 the ledger holds' "$scrim" ledger verify --quiet
# What is spent is what was charged, each with an answer or none.
spent=$("$scrim" budget people --quiet | awk -F , 'NR == 2 { print $5, $7 }')
check 'A68 what is spent is what was charged' test "$spent" = "$(charges |
    awk 'END { printf "%g %d", NR / 1000, NR }')"
charges | awk -F , '$9 == "charged" { print $1 }' >unanswered
while read -r release; do
    ran 5 "A68 release $release has no answer" "$scrim" replay "$release"
    err_has "release $release is charged and has no answer: it ended before one was recorded; nothing was shown, and the charge of epsilon 0.001 stays"
done <unanswered

# ---- readers who go away, disks that are full ----
# shellcheck disable=SC2086 # words
charge() { "$scrim" run $count --charge people <input; }
# last_release: the number of the newest one, which must have an answer.
last_release() { charges | tail -n 1 | cut -d , -f 1; }
before=$(charges | wc -l)
ran 0 'A68 a pipe into head' sh -c "'$scrim' run $count --charge people --quiet <input | head -1"
out_is 'value,value_low,value_high'
check 'A68 a pipe into head: charged once' test "$(charges | wc -l)" -eq $((before + 1))
ran 0 'A68 a pipe into head: can be replayed' "$scrim" replay "$(last_release)" --quiet
out_lines 2
# Nobody reads: the last reader of this pipe has gone.
mkfifo unread
# shellcheck disable=SC2094 # that is the trick
exec 4<>unread 5>unread 4<&-
got=0
charge >&5 2>words || got=$?
check 'A68 nobody reads: 141' test $got -eq 141
check 'A68 nobody reads: the last words name the release' grep -q -x \
    "scrim run: release $(last_release) is charged; 'scrim replay $(last_release)' shows it again, free of charge" words
ran 0 'A68 nobody reads: it can be replayed' "$scrim" replay "$(last_release)" --quiet
got=0
(
    trap '' PIPE
    charge >&5 2>words
) || got=$?
check 'A68 SIGPIPE ignored: 141 all the same' test $got -eq 141
exec 5>&-
ran 1 'A68 a full disk' sh -c "'$scrim' run $count --charge people <input >/dev/full"
err_is "scrim run: cannot write standard output: No space left on device; release $(last_release) is charged and recorded: 'scrim replay $(last_release)' shows it, free of charge"
ran 0 'A68 a full disk: it can be replayed' "$scrim" replay "$(last_release)" --quiet
out_lines 2
ran 1 'A68 no standard output' sh -c "'$scrim' run $count --charge people <input >&-"
err_has "is charged and recorded: 'scrim replay $(last_release)' shows it, free of charge"
# While it waits for values: it has opened the vault, and catches what comes.
before=$(charges | wc -l)
mkfifo pipe
# shellcheck disable=SC2086 # words
"$scrim" run $count --charge people <>pipe >/dev/null 2>words &
process=$!
# Bit 14 of those that are caught is SIGTERM.
until grep -q '^SigCgt:.*[4-7c-f][0-9a-f]\{3\}$' /proc/$process/status; do sleep 0.02; done
kill -TERM $process
got=0
wait $process || got=$?
check 'A68 before anything was read: 143' test $got -eq 143
check 'A68 before anything was read: it says so' grep -q -x 'scrim run: ended; nothing was charged' words
check 'A68 before anything was read: nothing was charged' test "$(charges | wc -l)" -eq "$before"
finish
