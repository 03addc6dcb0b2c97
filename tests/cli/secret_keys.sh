#!/bin/sh
# docs/keys-that-are-secrets.md shows what there is: its commands run, one after the other in a folder of
# their own, and answer as the page says.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
page=docs/keys-that-are-secrets.md
PATH=$(cd "$O" && pwd):$PATH
mkdir "$work/play"
SCRIM=$PWD
export SCRIM

# block N: the kind of the N-th code block, by the comment above it, and its lines.
block() {
    awk -v wanted="$1" '
        /^<!-- (exact|alike):/ { number++; kind = $2 }
        /^```/ { inside = !inside && number == wanted; if (inside) print kind; else if (number == wanted) exit; next }
        inside' "$page" | joined
}

# What differs from run to run, taken away: keys with their counts, bits, other numbers, who runs it.
masked() {
    unfolded | sed -E '/^\$ /!{ /^[a-z0-9'"'"']+(,[0-9]+)+$/d; s/, for [^ ]+$//; s/-?[0-9][0-9.]*(e-?[0-9]+)?/N/g; s/[─ ]+/ /g }'
}

number=0 commands=0
while block $((number + 1)) | grep -q .; do
    number=$((number + 1))
    kind=$(block "$number" | sed -n 1p)
    block "$number" | sed 1d >"$work/shown"
    sed -n 's/^\$ //p' "$work/shown" >"$work/commands"
    while read -r command; do
        printf '$ %s\n' "$command"
        env -C "$work/play" LC_ALL=C.UTF-8 COLUMNS=80 sh -c "$command" 2>&1 </dev/null
        echo "$?" >>"$work/statuses"
    done <"$work/commands" >"$work/printed"
    commands=$((commands + $(wc -l <"$work/commands")))
    if [ "$kind" = alike: ]; then
        for file in shown printed; do
            masked <"$work/$file" >"$work/masked"
            mv "$work/masked" "$work/$file"
        done
    fi
    check "block $number is as the page shows" diff "$work/shown" "$work/printed"
done
check 'there are blocks of both kinds' test "$number" -ge 8
check 'all commands ran' test "$commands" -ge 10 -a "$(grep -c -x 0 "$work/statuses")" -eq "$commands"
check 'the page shows keys that were kept' grep -q -x -E '[a-z]+,[0-9]+,[0-9]+,[0-9]+' "$page"
check 'the README names the page' grep -q "($page)" README.md
finish
