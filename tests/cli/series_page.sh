#!/bin/sh
# docs/releases-over-time.md shows what there is: its commands run, one after the other in a folder of their
# own, and answer as the page says.
if [ -w /dev/shm ] && [ -z "${TMPDIR-}" ]; then
    export TMPDIR=/dev/shm
fi
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
page=docs/releases-over-time.md
PATH=$(cd "$O" && pwd):$PATH
unset SCRIM_VAULT
mkdir "$work/play"
ln -s "$PWD/data/shakespeare_words.csv" "$work/play"

awk '/^```/ { inside = !inside; next } inside' "$page" >"$work/shown"
sed -n 's/^\$ //p' "$work/shown" >"$work/commands"
check 'there are commands' test "$(wc -l <"$work/commands")" -ge 10
while read -r command; do
    printf '$ %s\n' "$command"
    env -C "$work/play" LC_ALL=C.UTF-8 COLUMNS=80 sh -c "$command" 2>&1 </dev/null
done <"$work/commands" >"$work/printed"
check 'all of it is as the page shows' diff "$work/shown" "$work/printed"
check 'the figure is there' test -s docs/figures/series.svg
finish
