#!/bin/sh
# scrim body beside the solvers of Debian: linear and quadratic programmes of Clp, corners and volumes of Qhull.
# It is for the long campaign.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim

for program in clp qhalf qconvex; do
    command -v $program >/dev/null 2>&1 || missing="${missing-} $program"
done
if [ -n "${missing-}" ]; then
    skip 'bodies beside Clp and Qhull' "not installed:$missing (tools/deps long)"
    finish
fi
turns=1
[ "${LONG-}" != yes ] || turns=10
ran 0 'comparisons' python3 tests/cli/body_solvers.py "$scrim" "$work" $turns
cp "$work/out" "$work/found"
check 'there are comparisons' test "$(wc -l <"$work/found")" -ge 14
while IFS="$(printf '\t')" read -r what found tolerance; do
    check "$what: off by $found" awk "BEGIN { exit !($found <= $tolerance) }"
done <"$work/found"
finish
