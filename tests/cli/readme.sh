#!/bin/sh
# README.md and docs/mechanisms.md show what there is: their commands run, their words are the
# program's, their files exist, their numbers are those of bench/RESULTS.md.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh

# block NAME: the lines of the code block that follows the comment <!-- NAME: ... -->
block() {
    awk -v name="$1" '
        index($0, "<!-- " name ":") { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside' README.md docs/mechanisms.md | joined
}

block run | sed -n 's/^\$ //p' | sed "s|build/release/|$O/|g" >"$work/commands"
check 'there are commands to run' test -s "$work/commands"
while read -r command; do
    ran 0 "$command" sh -c "$command"
    check "$command: says something" test -s "$work/out" -o -s "$work/err"
done <"$work/commands"

count=$("$O/scrim" list mechanisms --format jsonl | wc -l)
check "README.md says that there are $count mechanisms" grep -q "\*\*Mechanisms\*\*: $count of them" README.md

# told: the demonstration without what differs from run to run: noise, its bars, and who runs it.
told() {
    sed -E '/^\$ /!s/-?[0-9][0-9.]*(e[-+][0-9]+)?/N/g; /^\$ /!s/[●├┤─ ]+/ /g; s/^charged .*/charged/'
}
block demo | told >"$work/shown"
lines=$(wc -l <"$work/shown")
LC_ALL=C.UTF-8 COLUMNS=80 TMPDIR=$work "$O/scrim" demo 2>&1 | joined | told |
    awk -v first="$(head -n 1 "$work/shown")" -v lines="$lines" '
        $0 == first { on = 1 } on && ++count <= lines' >"$work/printed"
check 'the demonstration prints what README.md shows' diff "$work/shown" "$work/printed"
check 'and it shows an answer' grep -q 'Female' "$work/shown"

# A release differs at each run, but for its form; an audit is always the same.
block release | sed '1d; s/[0-9]\{1,\},/N,/g; s/,[0-9]\{1,\}$/,N/' >"$work/shown"
command=$(block release | sed -n "1s|build/release/|$O/|; 1s/^\\$ //p")
sh -c "$command" 2>&1 | sed 's/[0-9]\{1,\},/N,/g; s/,[0-9]\{1,\}$/,N/' >"$work/printed"
check 'a release looks as the page shows' diff "$work/shown" "$work/printed"
check 'and it shows a number with its interval' grep -q -x 'N,N,N' "$work/shown"
# masked: numbers, and what their widths draw, taken away.
masked() {
    sed -E '/^\$ /!s/-?[0-9][0-9.]*(e[-+][0-9]+)?/N/g; /^\$ /!s/[─ ]+/ /g'
}
for name in others sets; do
    block $name | masked >"$work/shown"
    block $name | sed -n 's/^\$ //p' >"$work/commands"
    while read -r command; do
        printf '$ %s\n' "$command"
        LC_ALL=C.UTF-8 COLUMNS=80 sh -c "$(printf '%s' "$command" | sed "s|build/release/|$O/|g")" 2>&1 </dev/null
    done <"$work/commands" | masked >"$work/printed"
    check "$name: mechanisms answer as the page shows" diff "$work/shown" "$work/printed"
done
check 'and there is a command' test -s "$work/commands"
block audit | sed 1d >"$work/shown"
command=$(block audit | sed -n "1s|build/release/|$O/|; 1s/^\\$ //p")
LC_ALL=C.UTF-8 COLUMNS=80 sh -c "$command" >"$work/printed" 2>&1
check 'an audit prints what the page shows' diff "$work/shown" "$work/printed"
check 'and it shows a verdict' grep -q '^verdict     the claim holds' "$work/shown"
block compose | sed 1d | masked >"$work/shown"
command=$(block compose | sed -n "1s|build/release/|$O/|; 1s/^\\$ //p")
LC_ALL=C.UTF-8 COLUMNS=80 sh -c "$command" 2>&1 | masked >"$work/printed"
check 'a composition prints what the page shows' diff "$work/shown" "$work/printed"
check 'and it shows both bounds' grep -q '^result *the true epsilon lies between' "$work/shown"

# The vault: its commands one after the other in a folder of their own, by whoever runs this.
# alike: what differs from run to run, taken away; a row of an analyst has a name and its width.
alike() {
    sed -E 's/^-?[0-9]+(,-?[0-9]+)+$/N,N,N/; s/[0-9a-f]{64}/HASH/; s/(version [0-9]+), for .*/\1/
        s/^release .*/release/; s/replay [0-9]+/replay N/; s/^entries .*/entries/; /^│ (alice|'"$me"') /d'
}
me=$(id -un)
bin=$(cd "$O" && pwd)
mkdir "$work/play"
block vault | alike >"$work/shown"
block vault | sed -n 's/^\$ //p' >"$work/commands"
while read -r command; do
    echo "\$ $command"
    command=$(echo "$command" | sed -E "s|build/release/|$bin/|g; s|replay [0-9]+|replay ${number:-0}|")
    env -C "$work/play" -u SCRIM_VAULT LC_ALL=C.UTF-8 COLUMNS=80 sh -c "$command" 2>&1 </dev/null |
        tee "$work/said"
    number=$(sed -n 's/^release  *\([0-9]*\),.*/\1/p' "$work/said" | grep . || echo "${number-}")
done <"$work/commands" | alike >"$work/printed"
if [ ${#me} -le 7 ]; then
    check 'a vault is kept as the page shows' diff "$work/shown" "$work/printed"
else
    skip 'a vault is kept as the page shows' 'the name of this user widens the table'
fi
check 'and it shows a verdict' grep -q '^verdict     ledger verified' "$work/shown"

# What `make test` counted is pasted in, from a run without a failure.
awk '/^and `make test` ends with what it counted:$/ { on = 1; next }
    on && /^```/ { if (inside) exit; inside = 1; next }
    on && inside' README.md >"$work/counted"
check 'README.md shows what make test counted' \
    grep -q -x -E '[0-9]+ passed, 0 failed, [0-9]+ skipped' "$work/counted"
check 'and that in one line' test "$(wc -l <"$work/counted")" -eq 1

for target in demo test help check check-long bench lint install; do
    check "make $target exists" grep -q "^$target:.*##" Makefile
done

# links FOLDER FILE: what it links to, as seen from here; there may be several in a line.
links() {
    grep -o ']([^)#]*)' "$2" | sed "s|^](|$1|; s|)\$||"
}
{ links '' README.md && links docs/ docs/mechanisms.md; } | sort -u >"$work/links"
check 'there are links' test -s "$work/links"
while read -r link; do
    check "$link exists" test -e "$link"
done <"$work/links"
check 'README.md is short' test "$(wc -l <README.md)" -le 150

# The table of speeds is copied, not typed.
awk '/<!-- bench:/ { on = 1; next } on && /^## / { exit }
    on && /^\|/ { print; seen = 1 } on && seen && !/^\|/ { exit }' docs/mechanisms.md >"$work/table"
check 'there is a table of speeds' test -s "$work/table"
check 'each of its rows stands in bench/RESULTS.md' \
    sh -c "! grep -v -x -F -f bench/RESULTS.md '$work/table'"
finish
