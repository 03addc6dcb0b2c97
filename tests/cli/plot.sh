#!/bin/sh
# Plots: scrim sample --plot, in a pipe and on a terminal.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim

ran 0 'a plot beside the draws' "$scrim" sample discrete-laplace scale=3 -n 1000 --plot
out_lines 1000
err_has 'discrete-laplace scale=3, 1000 draws'
err_has 'drawn  expected'
err_has 'mean '
err_has 'chi-square '
check 'a plot beside the draws: ASCII' sh -c "! grep -q '[^ -~]' '$work/err'"
check 'a plot beside the draws: 80 columns' sh -c "! grep -q '.\{81\}' '$work/err'"
check 'a plot beside the draws: counts add up' test 1000 -eq \
    "$(sed -n '3,$p' "$work/err" | awk '/^ *(<= |>= )?-?[0-9].*\.[0-9]$/ { n += $(NF-1) } END { print n }')"
ran 0 'a plot in 60 columns' env COLUMNS=60 "$scrim" sample bernoulli p=1/3 -n 1000 --plot
check 'a plot in 60 columns: bars' sh -c "! grep '#####' '$work/err' | grep -q '.\{61\}'"
ran 0 'a plot in UTF-8' env LC_ALL=C.UTF-8 "$scrim" sample bernoulli p=1/3 -n 1000 --plot
err_has '████'
err_has '┃'
ran 0 'a plot on a dumb terminal' env LC_ALL=C.UTF-8 TERM=dumb "$scrim" sample bernoulli p=1/3 -n 1000 --plot
err_has '####'
ran 0 'a plot of nothing' "$scrim" sample uniform n=6 -n 0 --plot
out_is ''
err_has '0 draws'
ran 0 'a plot of one value' "$scrim" sample uniform n=1 -n 10 --plot
err_has 'chi-square: nothing to test'
ran 0 'a plot of wide draws' "$scrim" sample uniform n=2^120 -n 1000 --plot
err_has 'chi-square '
check 'a plot of wide draws: 80 columns' sh -c "! grep -q '.\{81\}' '$work/err'"
ran 2 'a plot of what does not exist' "$scrim" sample discrete-laplace scale=0 --plot
out_is ''
err_lines 1
ran 1 'a full disk' sh -c "'$scrim' sample uniform n=6 -n 10 --plot >/dev/full"
err_is 'scrim sample: cannot write standard output: No space left on device'

# On a terminal, as script(1) makes one: the plot in place of the draws, and colours.
# on_terminal COMMAND: what it shows there, in $work/out.
# shellcheck disable=SC2317 # ran calls it
on_terminal() {
    script -q -e -c "$1" /dev/null
}
if command -v script >/dev/null 2>&1; then
    ran 0 'on a terminal' on_terminal "$scrim sample discrete-laplace scale=3 -n 5000 --plot"
    out_has 'chi-square '
    check 'on a terminal: no draws' test "$(wc -l <"$work/out")" -lt 40
    out_has "$(printf '\033[38;5;39m')"
    ran 0 'NO_COLOR' on_terminal "NO_COLOR=1 $scrim sample discrete-laplace scale=3 -n 5000 --plot"
    check 'NO_COLOR: no colour' sh -c "! grep -q '$(printf '\033')' '$work/out'"
    ran 0 'draws on a terminal' on_terminal "$scrim sample uniform n=1 -n 3"
    out_lines 3
    ran 0 'a list on a terminal' on_terminal "$scrim list distributions"
    out_has '+-----'
    ran 2 'binary on a terminal' on_terminal "$scrim sample uniform n=1 --binary"
    out_has '--binary would garble the terminal'
    ran 124 'progress' on_terminal "timeout 2 $scrim sample uniform n=3 -n 1e15 >/dev/null"
    out_has 'of 1 P draws'
    ran 124 'progress, quiet' on_terminal \
        "timeout 2 $scrim sample uniform n=3 -n 1e15 --quiet >/dev/null"
    out_is ''
    ran 0 'no progress in a second' on_terminal "$scrim sample uniform n=3 -n 1e4 >/dev/null"
    out_is ''
else
    skip 'on a terminal' 'script is not installed'
fi
finish
