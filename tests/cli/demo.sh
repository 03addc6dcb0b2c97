#!/bin/sh
# scrim demo: the main job on public data. Every command it shows works as it is typed, and nothing
# of it stays.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
mkdir "$work/tmp" "$work/play"

ran 0 'the demo' env TMPDIR="$work/tmp" COLUMNS=80 "$scrim" demo
cp "$work/out" "$work/shown"
cp "$work/err" "$work/told"
out_has '1. The owner declares whose data a row is'
check 'headings fit a narrow terminal' test -z "$(grep -E '^[1-9]\. .{78}' "$work/shown")"
out_has '| Female |'
check 'asking again is free' grep -q '^repeated    release 1 was charged earlier; nothing was charged now' "$work/told"
check 'lines fit into 80 columns' test "$(LC_ALL=C.UTF-8 wc -L <"$work/shown")" -le 80
out_has '| HS-grad      |'
out_has 'ledger verified: hash chain, totals, answers'
check 'the demo leaves nothing but what it names' \
    test -z "$(find "$work/tmp" -mindepth 1 ! -path '*/scrim-demo.*' -o -name '*.vault*' -o -name '*.csv')"

# What it shows can be typed, in the same order, where the data are.
ln -s "$PWD/data/adult.csv" "$work/play/adult.csv"
ln -s "$PWD/data/shakespeare_words.csv" "$work/play/plays.csv"
sed -n -e '/^\$ scrim /{' -e ':more' -e '/\\$/{' -e 'N; s/ \\\n */ /; b more' -e '}' -e 's/^\$ scrim //p' \
    -e '}' "$work/shown" >"$work/commands"
check 'commands fit into 80 columns' awk '/^\$/ && length > 80 { exit 1 }' "$work/shown"
check 'the demo shows commands' test "$(wc -l <"$work/commands")" -ge 10
while read -r command; do
    ran 0 "typed: scrim $command" env -C "$work/play" SCRIM_VAULT=demo.vault sh -c "'$scrim' $command"
done <"$work/commands"
sed -n '/^Go on with/,$s/^   \(scrim [^ ].*[^ ]\)   *[a-z].*/\1/p' "$work/shown" >"$work/next"
check 'the demo says how to go on' test -s "$work/next"
while read -r command; do
    ran 0 "the demo's next step: $command" sh -c "PATH=$O:\$PATH; $command"
done <"$work/next"

# On a terminal somebody reads: it waits between its steps, and ends where they have seen enough.
if command -v script >/dev/null 2>&1; then
    printf '\nq\n' | TMPDIR="$work/tmp" script -q -e -c "'$scrim' demo" /dev/null >"$work/out" 2>&1
    check 'it waits between its steps' test "$(grep -c 'Enter goes on, q leaves>' "$work/out")" -eq 2
    check 'and ends when it is told to' sh -c "grep -q '2. The analyst' '$work/out' && ! grep -q '3. The question' '$work/out'"
else
    skip 'the demo on a terminal' 'script is not installed'
fi

ran 2 'the demo of something' "$scrim" demo fish
err_lines 1
ran 1 'the demo on a full disk' sh -c "TMPDIR='$work/tmp' '$scrim' demo >/dev/full"
err_has 'No space left on device'
ran 6 'the demo without a folder to be in' env TMPDIR="$work/nowhere" "$scrim" demo
err_lines 1
mkdir -p "$work/alone/bin"
cp "$scrim" "$work/alone/bin"
ran 6 'the demo without its data' env TMPDIR="$work/tmp" "$work/alone/bin/scrim" demo
err_has 'make install'
check 'it leaves no folder behind' test -z "$(find "$work/tmp" -name 'adult.csv')"
finish
