#!/bin/sh
# scrim local plan: the recommended protocol, all others beside it, the configuration and the drawing.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
plan="$scrim local plan"

# shellcheck disable=SC2086 # words
ran 0 'plan: CSV' $plan --users 1e6 --domain 5000 --epsilon 2
out_has 'protocol,answers,bytes,error,detectable,epsilon,lifetime,fake_0.1%,fake_1%,fake_5%,targets,config'
out_has 'projective-geometry,counts,2,'
out_has 'scrim-local/1 question=question protocol=projective-geometry values=5000 a=7747986 b=1048576 field=7 digits=6'
out_has 'square-wave,distribution,'
err_is ''
check 'plan: all protocols for values' test "$(wc -l <"$work/out")" -eq 17

# shellcheck disable=SC2086
ran 0 'plan: table' $plan browser --users 1000 --domain 8 --epsilon 1 --format table
out_has 'recommended: randomised-response (few values: at most 3 e^epsilon + 2)'
out_has 'configuration: scrim-local/1 question=browser protocol=randomised-response values=8 a=2850325 b=1048576'
# shellcheck disable=SC2086
ran 0 'plan: JSON' $plan --users 1000 --domain 8 --epsilon 1 --json
out_has '"recommended": "randomised-response"'
check 'plan: JSON parses' python3 -m json.tool "$work/out"

# shellcheck disable=SC2086
ran 0 'plan: quiet' $plan --users 1000 --domain 8 --epsilon 1 --plot --quiet
err_is ''
# Poisoning stands beside the error: 5 % of fakes at epsilon 1 and 100 values add 2.9 (A72).
# shellcheck disable=SC2086
ran 0 'plan: fakes' $plan --users 1e5 --domain 100 --epsilon 1 --format table
out_has ' all '

# shellcheck disable=SC2086
ran 0 'plan: unknown texts' $plan --users 1e6 --unknown --length 16 --epsilon 4 --format table --out "$work/config"
out_has 'recommended: prefix'
check 'plan: the configuration is written' grep -q '^scrim-local/2 question=question protocol=prefix a=57250309 b=1048576 text=16 ' "$work/config"
# shellcheck disable=SC2086
ran 0 'plan: asked again' $plan --users 1e6 --domain 50 --epsilon 2 --periods 365 --constant --format table
out_has 'recommended: repeated-unary'
out_has " 730 "
out_has "lifetime: charged by the device's state; a report that is sent once and stored costs its epsilon once"
# shellcheck disable=SC2086
ran 0 'plan: numbers' $plan --users 1e6 --domain 50 --epsilon 2 --ordered --format table
out_has 'recommended: square-wave'

# shellcheck disable=SC2086
ran 0 'plan: drawings' $plan --users 1e6 --domain 500 --epsilon 2 --plot --svg "$work/plan.svg"
err_has 'standard error'
check 'plan: SVG' grep -q '<svg' "$work/plan.svg"

# A table fits 80 columns; what a device cannot pay for is marked; a number that never changes pays once.
# shellcheck disable=SC2086
ran 0 'plan: above the lifetime' env COLUMNS=80 $plan --users 2e4 --domain 20 --constant --lifetime 20 --periods 90 --format table
out_has '| 720 !    |'
out_has '!: more than the lifetime of 20'
out_has 'all questions of a device share its budget; this plan counts one'
check 'plan: one line a protocol' test "$(grep -c '^|' "$work/out")" -eq 11
# shellcheck disable=SC2086
ran 0 'plan: a constant number' $plan --users 2e4 --domain 2000 --constant --ordered --periods 90 --lifetime 2 --format table
out_has 'recommended: rounded-bit-mean (one constant number, asked again'
err_is ''
# shellcheck disable=SC2086
ran 0 'plan: one quantity on an axis' $plan --users 2e4 --domain 20 --epsilon 2 --ordered --plot --format table
out_has 'decode with --post em-smooth: without it the share of one value has a standard error of 0.028'
err_has 'standard error of the mean'
err_has 'one-bit-mean'

# Too many values for so many devices; a budget for life; shares out of reach; another configuration in the way.
# shellcheck disable=SC2086
ran 0 'plan: too many values' $plan --users 20000 --domain 5001 --epsilon 2 --ordered
err_is 'caution: 5001 values are too many for a distribution of 20000 devices; use about 20 bins, or one-bit-mean'
# shellcheck disable=SC2086
ran 0 'plan: turns' $plan --users 1e6 --domain 50 --periods 365 --lifetime 20 --epsilon 2
err_is 'a lifetime of 20 pays for 10 reports of epsilon 2: each device reports once in 37 periods, in those that scrim_local_state_turn says; errors are those of 27027 devices a period'
# shellcheck disable=SC2086
ran 0 'plan: a budget alone' $plan --users 1e6 --domain 50 --periods 10 --lifetime 20 --json
out_has '"every": 1'
err_is 'epsilon 2 a report: a lifetime of 20 for 10 periods'
# shellcheck disable=SC2086
ran 0 'plan: a long lifetime' $plan --users 1e6 --domain 50 --periods 365 --epsilon 2
err_has 'caution: epsilon 730 over a lifetime is weak protection'
# shellcheck disable=SC2086
ran 0 'plan: a constant value has one charge' $plan --users 1e6 --domain 50 --periods 365 --constant --lifetime 2
err_is ''
# shellcheck disable=SC2086
ran 0 'plan: out of reach' $plan --users 100 --domain 300 --epsilon 0.5 --format table
out_has 'not '
out_has ' all '
check 'plan: no share above 1' sh -c "! grep -q ' [1-9][0-9]*\.[0-9]* │ *$' '$work/out'"
# shellcheck disable=SC2086
ran 0 'plan: a configuration' $plan --users 100 --domain 8 --epsilon 1 --out "$work/mine"
# shellcheck disable=SC2086
ran 0 'plan: the same again' $plan --users 100 --domain 8 --epsilon 1 --out "$work/mine"
cp "$work/mine" "$work/kept"
# shellcheck disable=SC2086
ran 2 'plan: another one' $plan --users 100 --domain 9 --epsilon 1 --out "$work/mine"
err_has 'is there and has something else; remove it, or give another --out'
check 'plan: the first one stays' cmp "$work/mine" "$work/kept"

refuse() {
    message=$1
    shift
    # shellcheck disable=SC2086
    ran 2 "plan refuses: $message" $plan "$@"
    err_has "$message"
    out_is ''
}
refuse '--users' --domain 5 --epsilon 1
refuse '--epsilon' --domain 5 --users 5
refuse '--domain' --users 5 --epsilon 1
refuse '--lifetime must be an epsilon above 0' --users 5 --domain 5 --lifetime 0
refuse 'one report costs epsilon 3, more than the lifetime of 2' --users 5 --domain 5 --epsilon 3 --lifetime 2
refuse 'but there are 5 devices' --users 5 --domain 5 --epsilon 1 --lifetime 2 --periods 100
refuse 'is too little for' --users 5 --domain 5 --lifetime 0.001 --periods 1e6
refuse 'leave --domain out' --users 5 --epsilon 1 --domain 5 --unknown
refuse 'from 2 to 16777216' --users 5 --epsilon 1 --domain 1
refuse 'above 0 and at most 8' --users 5 --epsilon 9 --domain 5
finish
