#!/bin/sh
# The test build draws from a chosen seed and says that this is not private; the program that is
# installed has no trace of it (A10).
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
seeded=$O/scrim-test
warning='NOT PRIVATE: drawn from a chosen seed'

ran 0 'a seed' "$seeded" sample discrete-laplace scale=1e6 -n 100 --seed 7
err_is "$warning"
cp "$work/out" "$work/seven"
ran 0 'the same seed' "$seeded" sample discrete-laplace scale=1e6 -n 100 --seed=7
check 'the same seed: the same draws' cmp "$work/out" "$work/seven"
ran 0 'another seed' "$seeded" sample discrete-laplace scale=1e6 -n 100 --seed 8
check 'another seed: other draws' sh -c "! cmp -s '$work/out' '$work/seven'"
ran 0 'no seed' "$seeded" sample discrete-laplace scale=1e6 -n 100
err_is "$warning"
ran 0 'JSON' "$seeded" sample uniform n=1 --json
out_is '{"not_private": true, "distribution": "uniform n=1", "rows": [
{"value": 0}
]}'
ran 0 'JSON lines' "$seeded" sample uniform n=1 --format jsonl
out_is '{"not_private": true, "value": 0}'
for verb in list demo help --version; do
    ran 0 "$verb" "$seeded" $verb
    err_has "$warning"
done
ran 0 '--version has its own name' "$seeded" --version
out_has 'scrim-test '
ran 0 'a plot' "$seeded" sample discrete-gaussian variance=10 -n 1e5 --plot --seed 1
err_has 'agrees with the exact law'
ran 2 'a seed that is no number' "$seeded" sample uniform n=6 --seed x
err_has 'scrim-test sample: --seed must be a whole number'

for trace in 'NOT PRIVATE' not_private --seed scrim-test SCRIM_SEED; do
    check "the program has no trace of '$trace'" sh -c "! grep -a -q -e '$trace' '$O/scrim'"
    [ "$trace" = SCRIM_SEED ] || check "the test build has '$trace'" grep -a -q -e "$trace" "$seeded"
done
finish
