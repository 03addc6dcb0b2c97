#!/bin/sh
# The pages show what there is: the commands of each run one after the other, in a folder of their own that has
# the bundled data, and print what the page says.
if [ -w /dev/shm ] && [ -z "${TMPDIR-}" ]; then
    export TMPDIR=/dev/shm
fi
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
PATH=$(cd "$O" && pwd):$PATH
unset SCRIM_VAULT

# page NAME COMMANDS: docs/NAME.md has so many commands or more, and they print what it shows.
page() {
    mkdir "$work/$1"
    ln -s "$PWD"/data/*.csv "$work/$1"
    awk '/^```/ { inside = !inside; next } inside' "docs/$1.md" >"$work/shown"
    sed -n 's/^\$ //p' "$work/shown" >"$work/commands"
    check "$1 has commands" test "$(wc -l <"$work/commands")" -ge "$2"
    while read -r command; do
        printf '$ %s\n' "$command"
        env -C "$work/$1" LC_ALL=C.UTF-8 COLUMNS=80 sh -c "$command" 2>&1 </dev/null
    done <"$work/commands" >"$work/printed"
    check "$1 shows what is printed" diff "$work/shown" "$work/printed"
}

page releases-over-time 10
page choosing-epsilon 5
check 'the figure is there' test -s docs/figures/series.svg
finish
