#!/bin/sh
# The pages show what there is: the commands of each run one after the other, in a folder of their own that has
# the bundled data, and print what the page says.
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
PATH=$(cd "$O" && pwd):$PATH

# alike: numbers of an answer, which has another noise each time, taken away, and the width that they ask for.
alike() {
    awk '/^\$ / { is_noisy = /^\$ (scrim (query|replay|microdata show|synth|body (fit|center (adult|tails)[^ ]*)|local (decode|simulate))|cat) / } is_noisy && !/^\$ / { gsub(/-?[0-9][0-9.]*(e[-+][0-9]+)?/, "N"); gsub(/[●├┤─ ]+/, " ") } { print }'
}

# The notes on the people who were cut by bounds depend on the noise, line by line.
on_screen() {
    awk '/^bounds / { skip = 1 } /^(charged|left) / { skip = 0 } !skip { gsub(/\[ +/, "["); print }'
}

# run_in FOLDER COMMAND: on a terminal if the page shows one.
run_in() {
    if [ "$shows" = terminal ]; then
        env -C "$1" python3 "$PWD/tests/cli/on_terminal.py" "$2" 2>&1 </dev/null | on_screen
    else
        env -C "$1" LC_ALL=C.UTF-8 COLUMNS=80 sh -c "$2" 2>&1 </dev/null
    fi
}

# page NAME COMMANDS [terminal]: docs/NAME.md has so many commands or more, and they print what it shows. Its Python is not among them.
page() {
    shows=${3:-pipe}
    mkdir "$work/$1"
    ln -s "$PWD"/data/*.csv "$PWD"/docs/examples/*.json "$work/$1"
    awk '/^```python/ { skip = 1; next } /^```/ { if (skip) skip = 0; else inside = !inside; next } inside && !skip' \
        "docs/$1.md" | joined | if [ "$shows" = terminal ]; then on_screen; else cat; fi | alike >"$work/shown"
    sed -n 's/^\$ //p' "$work/shown" >"$work/commands"
    check "$1 has commands" test "$(wc -l <"$work/commands")" -ge "$2"
    while read -r command; do
        printf '$ %s\n' "$command"
        run_in "$work/$1" "$command"
    done <"$work/commands" | alike >"$work/printed"
    check "$1 shows what is printed" diff "$work/shown" "$work/printed"
}

# shellcheck disable=SC2016 # the dollar is for awk
check 'commands of the pages fit 80 columns' awk 'FNR == 1 { on = 0 } /^\$ / { on = 1 }
    on { if (length > 80) { print FILENAME ": " $0; bad = 1 }
        on = /\\$/ } END { exit bad }' README.md docs/*.md

# Comments cite the specification by page and section; the page about it says what each is.
grep -rhoE 'spec/[a-z-]+\.md`?( [0-9]+)?' src include tests | tr -d '`' | sort -u >"$work/cited"
# shellcheck disable=SC2016 # the dollars are for awk
awk '/^## / { page = $2; print page } /^\| [0-9]/ { print page, $2 }' docs/specification.md | sort -u >"$work/listed"
check 'some sections are cited' test "$(wc -l <"$work/cited")" -ge 40
# shellcheck disable=SC2016 # for the inner shell
check 'every cited section is on the page' sh -c '! comm -23 "$1" "$2" | grep .' - "$work/cited" "$work/listed"
# Every cited page is there, and has each section that is cited of it, as a heading.
sed 's/ .*//' "$work/cited" | sort -u >"$work/pages"
# shellcheck disable=SC2016 # for the inner shell
check 'every cited page is there' sh -c 'while read -r page; do test -s "docs/$page" || exit 1; done <"$1"' - "$work/pages"
for shipped in docs/spec/*.md; do
    cites=spec/${shipped##*/}
    grep -rhoE "$cites\`?,? [0-9]+(\.[0-9]+)?" src include lab tests | tr -d '`,' | sort -u >"$work/cited"
    sed -n -E "s|^##+ ([0-9]+(\.[0-9]+)?)[. ].*|$cites \1|p" "$shipped" | sort -u >"$work/listed"
    check "some sections of $cites are cited" test "$(wc -l <"$work/cited")" -ge 5
    # shellcheck disable=SC2016 # for the inner shell
    check "$cites has every section that is cited" sh -c '! comm -23 "$1" "$2" | grep .' - "$work/cited" "$work/listed"
    check "docs/specification.md leads to $cites" grep -q -F "($cites)" docs/specification.md
done
# The index of functions is that of the headers, and has every function that is exported.
tools/c_index >"$work/index"
check 'docs/c.md has the index of functions' test "$(tail -n "$(wc -l <"$work/index")" docs/c.md)" = "$(cat "$work/index")"
# shellcheck disable=SC2016 # for the inner shell
check 'the index has every function once' sh -c 'grep -o "\`scrim_[a-z0-9_]*\`" "$1" | tr -d "\`" | sort | diff - "$2"' - "$work/index" abi/exports.txt
page releases-over-time 10
page choosing-epsilon 5
if command -v python3 >/dev/null 2>&1; then
    page tutorial 20 terminal
    check 'the tutorial has a page to publish' test -s "$work/tutorial/channels.html"
else
    skip 'the tutorial' 'python3 is not installed'
fi
page joins 10
page microdata 12
page synthetic 6
page local 12
page floating-bodies 19
check 'the fleet has a drawing' test -s "$work/local/fleet.svg"

check 'the figure is there' test -s docs/figures/series.svg
check 'the figures have the style of drawings' tools/figure_style --check "$O"
finish
