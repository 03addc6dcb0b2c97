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
out_has ' 2.9 '

# shellcheck disable=SC2086
ran 0 'plan: unknown texts' $plan --users 1e6 --unknown --length 16 --epsilon 4 --format table --out "$work/config"
out_has 'recommended: prefix'
check 'plan: the configuration is written' grep -q '^scrim-local/2 question=question protocol=prefix a=57250309 b=1048576 text=16 ' "$work/config"
# shellcheck disable=SC2086
ran 0 'plan: asked again' $plan --users 1e6 --domain 50 --epsilon 2 --periods 365 --constant --format table
out_has 'recommended: repeated-unary'
# shellcheck disable=SC2086
ran 0 'plan: numbers' $plan --users 1e6 --domain 50 --epsilon 2 --ordered --format table
out_has 'recommended: square-wave'

# shellcheck disable=SC2086
ran 0 'plan: drawings' $plan --users 1e6 --domain 500 --epsilon 2 --plot --svg "$work/plan.svg"
err_has 'standard error'
check 'plan: SVG' grep -q '<svg' "$work/plan.svg"

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
refuse 'leave --domain out' --users 5 --epsilon 1 --domain 5 --unknown
refuse 'from 2 to 16777216' --users 5 --epsilon 1 --domain 1
refuse 'above 0 and at most 8' --users 5 --epsilon 9 --domain 5
finish
