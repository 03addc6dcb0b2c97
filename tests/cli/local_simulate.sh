#!/bin/sh
# scrim local simulate: a fleet whose values drift and whose budgets end; every refusal.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
seeded=$(cd "$O" && pwd)/scrim-test
cd "$work" || exit 1
printf 'scrim-local/1 question=colour protocol=randomised-response values=4 a=20 b=1\n' >c
printf 'scrim-local/2 question=page protocol=text-hashing a=20 b=1 text=4 cells=16\n' >t
printf 'scrim-local/1 question=age protocol=one-bit-mean values=4 a=20 b=1\n' >m

# epsilon of a report is ln 20 = 2.9957: 9 suffices for three
ran 0 'a quiet fleet' "$seeded" local simulate --seed 1 --config c --users 20 --plot --quiet
err_is 'NOT PRIVATE: drawn from a chosen seed'
ran 0 'a fleet' "$seeded" local simulate --seed 1 --config c --users 2000 --periods 5 --drift 0.2 --lifetime 9 \
    --plot --svg fleet.svg
check 'five periods' test "$(wc -l <out)" -eq 6
check 'three are paid for' sh -c "awk -F , 'NR > 1 && NR < 5 { bad += \$2 != 2000 } NR > 4 { bad += \$3 != 2000 } END { exit bad }' out"
check 'budgets hold' sh -c "awk -F , 'NR > 1 { bad += \$4 > 9 } END { exit bad }' out"
check 'estimates are near' sh -c "awk -F , 'NR > 1 && \$2 > 0 { bad += \$6 < \$5 - 0.08 || \$6 > \$5 + 0.08 } END { exit bad }' out"
check 'nothing is estimated without reports' sh -c "awk -F , 'NR > 4 { bad += \$5 \$6 \$7 \$8 \$9 \$10 != \"\" } END { exit bad || NR != 6 }' out"
check 'a drawing' grep -q '</svg>' fleet.svg
check 'the error has a line of its own' grep -q '>error<' fleet.svg
check 'the axis has all periods' grep -q '>5<' fleet.svg
err_has 'value 0'
cp out first
ran 0 'the same seed' "$seeded" local simulate --seed 1 --config c --users 2000 --periods 5 --drift 0.2 --lifetime 9
check 'the same fleet' cmp out first
for law in zipf uniform normal; do
    ran 0 "$law" "$scrim" local simulate --config c --users 500 --law $law
    check "$law: a row" test "$(wc -l <out)" -eq 2
done

ran 0 'a table fits 80 columns' env COLUMNS=80 "$seeded" local simulate --seed 1 --config c --users 2000 --periods 5 --lifetime 9 --format table
check 'one line a period' test "$(grep -c '^| ' out)" -eq 6
err_has 'of all intervals hold the truth'
err_has 'in the last period, the budget of 2000 devices was spent'
ran 0 'turns' "$seeded" local simulate --seed 1 --config c --users 2000 --periods 8 --every 4 --lifetime 6.1
check 'a quarter reports, twice each' sh -c "awk -F , 'NR > 1 { bad += \$2 != 500 || \$3 != 0 } END { exit bad || NR != 9 }' out"
check 'two reports are spent' sh -c "tail -n 1 out | grep -q ',5.9915,'"

refused() {
    message=$1
    shift
    ran 2 "$*" "$scrim" local simulate "$@"
    out_is ''
    err_lines 1
    err_has "scrim local: $message"
}
refused 'name the configuration of the devices: --config FILE' --users 10
refused "unknown law 'pareto'; use zipf, uniform or normal" --config c --users 10 --law pareto
refused "--drift '2' must be from 0 to 1" --config c --drift 2
refused '--users, --periods and --every must be at least 1' --config c --users 0
refused 'reports of text-hashing cannot be added up' --config t
ran 0 'a mean' "$seeded" local simulate --seed 1 --config m --users 5000 --periods 3 --drift 0.2
check 'a mean: three periods' test "$(wc -l <out)" -eq 4
check 'a mean: it is near' awk -F , 'NR > 1 { good += $6 >= 0 && $6 <= 3 && $9 < 0.1 && $10 == ($7 <= $5 && $5 <= $8) } END { exit good != 3 }' out
printf 'scrim-local/1 question=age protocol=rounded-bit-mean values=11 a=3 b=1 flip=429496729 epoch=1\n' >k
ran 0 'memoised rounding' "$seeded" local simulate --seed 1 --config k --users 5000 --periods 3 --drift 0.2
check 'memoised rounding: it is near' awk -F , 'NR > 1 { good += $9 < 1 && $5 > 0 } END { exit good != 3 }' out
finish
