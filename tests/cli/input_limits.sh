#!/bin/sh
# A88: the stated limits on the input of run and distance. What is beyond is refused with status 2
# before anything is charged, and no more of it is read.
# shellcheck disable=SC2317,SC3045 # functions that ran calls; a limit that dash has
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
count='laplace sensitivity=1 epsilon=1/10 neighbours=add-remove'

"$scrim" init --quiet
"$scrim" dataset add visits --unit row --budget epsilon=1 --quiet 2>/dev/null

# of FILE ARGUMENT...: scrim run with this input; at most a gigabyte of memory.
of() {
    input=$1
    shift
    (ulimit -v 1500000 && exec "$scrim" run "$@") <"$input"
}

truncate -s 268435457 long
# shellcheck disable=SC2086 # words
ran 2 'A88 run: a file of 2^28 + 1 bytes' of long $count --charge visits
err_is "scrim run: standard input has more than 268435456 bytes; use less, or declare a dataset and use 'scrim query'"
out_is ''
# shellcheck disable=SC2086
ran 2 'A88 run: an input without end' of /dev/zero $count --charge visits
err_is "scrim run: standard input has more than 268435456 bytes; use less, or declare a dataset and use 'scrim query'"
yes '' | head -n 16777217 >many
# shellcheck disable=SC2086
ran 2 'A88 run: 2^24 + 1 values' of many $count --charge visits
err_is "scrim run: standard input has more than 16777216 values; give less, or declare a dataset and use 'scrim query'"
ran 2 'A88 run: 2^24 + 1 rows' of many quantile p=1/2 epsilon=1/10 lower=0 upper=9 neighbours=add-remove --charge visits
err_is "scrim run: standard input has more than 16777216 values; give less, or declare a dataset and use 'scrim query'"
echo 1 >one
ran 2 'A88 run: a size beyond the limit' of one gaussian sensitivity=1 sigma=1 size=2^30 neighbours=add-remove
err_is "scrim run: standard input has more than 16777216 values; give less, or declare a dataset and use 'scrim query'"
ran 0 'A88 run: nothing was charged' "$scrim" budget visits --format csv
check 'A88 run: all of the budget is left' grep -q '^visits,.*,0,' out

# within ARGUMENT...: scrim distance in a gigabyte of memory.
within() {
    (ulimit -v 1500000 && exec "$scrim" distance "$@")
}

truncate -s 134217729 long
ran 2 'A88 distance: a file of 2^27 + 1 bytes' within tv long one
err_is "scrim distance: 'long' is longer than 134217728 bytes"
ran 2 'A88 distance: a file without end' within tv one /dev/zero
err_is "scrim distance: '/dev/zero' is longer than 134217728 bytes"
head -n 4194305 many >lines
ran 2 'A88 distance: 2^22 + 1 lines' within tv one lines
err_is "scrim distance: 'lines' has more than 4194304 lines"
ran 2 'A88 distance: a metric of 2^22 + 1 lines' within tv one one --metric lines
err_is "scrim distance: 'lines' has more than 4194304 lines"

for verb in run distance; do
    ran 0 "A88 $verb: help" "$scrim" help "$verb"
    check "A88 $verb: the limit stands in its help" grep -q '\(128\|256\) MiB' out
done

finish
