#!/bin/sh
# scrim local amplify: the bound, the claim, the formats and every refusal.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

set -- local amplify --users 1e5 --epsilon 4 --delta 1e-6
ran 0 'any protocol' "$scrim" "$@" --quiet
out_is 'protocol,users,honest,local_epsilon,delta,blanket_lower,upper,claim,shuffler
any,100000,100000,4,1e-6,0.1181530665,0.1181530675,no,'
err_is ''
ran 0 'a claim' "$scrim" "$@" --honest 90000 --shuffler 'Relay, Inc.' randomised-response values=1024
out_has 'randomised-response values=1024,100000,90000,4,1e-6,0.0254114687,0.02541151623,yes,"Relay, Inc."'
err_has 'claim: replacing one device'
err_has "each device's own ledger is charged the local epsilon"
for given in '' '--honest 100000' '--shuffler relay'; do
    # shellcheck disable=SC2086 # two words
    ran 0 "no claim: $given" "$scrim" "$@" $given --format table
    out_has 'a calculation, not a claim'
    out_has 'epsilon     0.11816 at delta 1e-6'
    check 'the local epsilon stays charged' grep -q "own ledger is charged the local epsilon" out
done
ran 0 'json' "$scrim" "$@" --json --quiet hadamard
# shellcheck disable=SC2016
check 'json: members' python3 -c '
import json
found = json.load(open("out"))
assert 0.0813 < found["blanket_lower"] <= found["upper"] < 0.0816 and found["claim"] is False and found["shuffler"] is None
assert float(found["upper_exact"]) >= found["upper"] and float(found["blanket_lower_exact"]) <= found["blanket_lower"]
assert found["neighbours"] == "replace" and "shuffler" in found["declared"]'
cp out whole
ran 0 'a line of json' "$scrim" "$@" --format jsonl --quiet hadamard
check 'the same' cmp out whole
ran 0 'a plot' "$scrim" local amplify --users 1e5 --epsilon 2 --delta 1e-6 --plot --svg curve.svg
err_has 'epsilon against the number of honest devices'
check 'a drawing' grep -q '</svg>' curve.svg

# A104: cells is the number of cells, as field is, and not its logarithm.
ran 0 'A104 cells' "$scrim" "$@" --quiet text-hashing cells=16
cells=$(tail -n 1 out | cut -d , -f 6-7)
ran 0 'A104 a field' "$scrim" "$@" --quiet local-hashing field=16
check 'A104 16 cells: the same bound as of 16 elements' test "$cells" = "$(tail -n 1 out | cut -d , -f 6-7)"

# A configuration has the protocol and the epsilon of a report.
"$scrim" local plan emoji --users 1e5 --domain 50 --epsilon 2 --out emoji.config --quiet >plan
ran 0 'a configuration' "$scrim" local amplify --users 1e5 --config emoji.config --delta 1e-6 --quiet
cp out configured
protocol=$(sed 's/.*protocol=\([a-z-]*\) .*/\1/' emoji.config)
field=$(sed -n 's/.*\(field=[0-9]* digits=[0-9]*\).*/\1/p' emoji.config)
check 'a configuration: a protocol with its field' test "$protocol-${field:+field}" = projective-geometry-field
ran 0 'the same in words' sh -c "'$scrim' local amplify --users 1e5 --epsilon 2 --delta 1e-6 --quiet $protocol $field"
check 'the same in words: the same bound' cmp out configured

# refused MESSAGE ARGUMENT...: status 2, the message in one line, and nothing on standard output.
refused() {
    message=$1
    shift
    ran 2 "$*" "$scrim" "$@"
    out_is ''
    err_lines 1
    err_has "$message"
}
refused 'text-hashing needs cells=N, the number of cells, a power of two' "$@" text-hashing cells=6
refused '--users is missing' local amplify --epsilon 1 --delta 1e-6
refused '--config has the epsilon of a report; leave out --epsilon' local amplify --users 10 --epsilon 1 --config emoji.config --delta 1e-6
refused "--config has the protocol; leave out 'hadamard'" local amplify --users 10 --config emoji.config --delta 1e-6 hadamard
refused '--epsilon is missing' local amplify --users 10 --delta 1e-6
refused '--delta is missing' local amplify --users 10 --epsilon 1
refused '--users must be a whole number from 1 to 1000000000' local amplify --users 2e9 --epsilon 1 --delta 1e-6
refused '--honest must be a whole number from 1 to 10' local amplify --users 10 --honest 11 --epsilon 1 --delta 1e-6
for who in '' ' '; do
    refused '--shuffler must say who shuffles the reports' local amplify --users 10 --honest 10 --shuffler "$who" --epsilon 1 --delta 1e-6
done
refused 'epsilon must be above 0 and at most 50' local amplify --users 10 --epsilon 0 --delta 1e-6
refused 'delta must be above 0 and less than 1' local amplify --users 10 --epsilon 1 --delta 1
refused 'unknown protocol; use randomised-response' "$@" rappor
refused 'randomised-response needs values=K' "$@" randomised-response
refused '--loss' "$@" --loss 1
refused '--top' "$@" --top 1
finish
