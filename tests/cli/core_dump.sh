#!/bin/sh
# THREATS A57: a program that crashes leaves nothing of what it has read.
# shellcheck disable=SC2317 # functions that check calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
if [ ! -r /proc/self/limits ]; then
    skip 'no core is left' 'this system does not show limits'
    finish
fi
# shellcheck disable=SC3045 # dash has it, and so has whoever runs this
ulimit -c unlimited 2>/dev/null
mkfifo input
"$scrim" run laplace sensitivity=1 epsilon=1 neighbours=add-remove --quiet <input >answer 2>&1 &
running=$!
exec 9>input
echo 31415926 >&9
limit() { awk '/^Max core file size/ { print $5, $6 }' "/proc/$running/limits"; }
is_low() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        case $(limit) in
        '0 0' | '1 1') return 0 ;;
        esac
        sleep 0.1
    done
    limit
    return 1
}
check 'the limit of a core is too small for one' is_low
kill -ABRT "$running"
exec 9>&-
status=0
wait "$running" || status=$?
check 'it crashed' [ "$status" -eq 134 ]
check 'and left no core' [ "$(find . -name '*core*' | wc -l)" -eq 0 ]
finish
