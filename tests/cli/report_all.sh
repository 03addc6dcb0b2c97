#!/bin/sh
# The page of a year: what was spent before it counts, who saw which answer, and its own signed label.
# shellcheck disable=SC2016 # for awk or another shell
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

awk 'BEGIN { print "household,amount,kind"
    for (i = 0; i < 1000; i++) printf "%d,%d,%s\n", i % 300, i % 100, i % 2 ? "a" : "b" }' >claims.csv
"$scrim" init --quiet
"$scrim" dataset add claims --csv claims.csv --unit household --max-groups 2 --max-rows 5 --neighbours add-remove \
    --column 'amount=int[0,100]' --column kind=text --keys kind=a,b --budget epsilon=4,delta=1e-5 --quiet
for epsilon in 0.25 0.5 1; do
    "$scrim" query claims "SELECT kind, COUNT(*) AS n GROUP BY kind" --epsilon "$epsilon" --quiet >/dev/null
done
ended=$(date -u +%FT%TZ)
sleep 1.1
begun=$(date -u +%FT%TZ)
"$scrim" query claims 'SELECT SUM(amount) AS s' --epsilon 0.25 --quiet >/dev/null

# ---- a time that begins later ----
ran 0 'a later time' "$scrim" report all --from "$begun" --format table
out_has 'before      epsilon 1.75 by 3 charges to claims before this time'
out_has 'then        epsilon 0.25 by 1 charge to claims in this time, as a sum'
out_has 'spent       epsilon 2 of 4 so far; left 2, delta 1e-5'
out_has 'is right at'
out_has 'most 88.1 % of the time'
check 'one release is listed' test "$(grep -c 'SELECT' "$work/out")" -eq 1
ran 0 'a later time, in JSON' "$scrim" report all --from "$begun" --json
out_has '"charges": 1, "unit": "epsilon", "sum": "0.25", "sum_delta": "0", "charges_before": 3, "before": "1.75"'
out_has '"end": "2", "end_delta": "0", "budget": "4"'
out_has '"guess_percent": "88.1"'
ran 0 'a later time, in CSV' "$scrim" report all --from "$begun"
out_has ',epsilon,0.25,0,2,released,household (add-remove)'
out_lines 2
ran 0 'a time after all releases' "$scrim" report all --from 2100-01-01 --to 2100-12-31 --format table
out_has 'nothing was charged in this time
before      epsilon 2 by 4 charges to claims before this time
spent       epsilon 2 of 4 up to the end of this time; left 2, delta 1e-5'
out_has 'guesses whether one household is in the data'
ran 0 'a time up to then' "$scrim" report all --to "$ended" --format table
out_has 'spent       epsilon 1.75 of 4 up to the end of this time; left 2.25, delta 1e-5'
ran 0 'the page of a later time' "$scrim" report all --from "$begun" --html later.html
check 'what is spent in all' grep -q '<b>2</b><small>epsilon of a budget of 4, by 4 charges; left: 2, delta 1e-5' later.html
check 'what was spent before' grep -q '<b>0.25</b><small>epsilon, by 1 charge; before it 1.75, by 3 charges' later.html
check 'the curve begins there' sh -c 'sed -n "s/.*class=\"step\" d=\"M56 \([0-9.]*\) H[0-9.]* V\([0-9.]*\) .*/\1 \2/p" later.html |
    awk "{ exit !(\$1 > \$2 && (196 - \$1) / (196 - \$2) > 0.86 && (196 - \$1) / (196 - \$2) < 0.89) }"'
check 'no better guess is denied' sh -c '! grep -q "lets anybody do better" later.html'
check 'the unit is a household' sh -c 'grep -q "whether one household is in the data" later.html &&
    ! grep -q "person" later.html'

"$scrim" dataset add other --unit row --neighbours replace --budget epsilon=1 --quiet
# A run that was never closed has answers, and no label of its own.
mkfifo asked answers
"$scrim" run sparse-vector count=2 epsilon=1/10 threshold=1000 neighbours=replace sensitivity=1 \
    --charge other --interactive --quiet <asked >answers 2>/dev/null &
run=$!
exec 3>asked 4<answers
read -r header <&4
echo 3 >&3
read -r header <&4
kill -KILL $run
wait $run 2>/dev/null
exec 3>&- 4<&-
check 'a run is answered' test "${header-}" != ""
ran 5 'its label' "$scrim" report 5
ran 0 'with an open run' "$scrim" report all --format table

finish
