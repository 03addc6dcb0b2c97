#!/bin/sh
# scrim local decode of texts: candidates of rappor and text-hashing, unknown texts of prefix; every refusal.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
seeded=$(cd "$O" && pwd)/scrim-test
cd "$work" || exit 1

refused() {
    status=$1 message=$2
    shift 2
    ran "$status" "$*" "$scrim" local "$@"
    out_is ''
    err_lines 1
    err_has "scrim local: $message"
}
config() {
    format=1
    case $1 in *' cells='*) format=2 ;; esac
    printf 'scrim-local/%s question=page protocol=%s\n' "$format" "$1" >"$2.config"
}
{
    yes mail | head -n 3000
    yes news | head -n 2000
    yes maps | head -n 1000
} >held
printf '%s\n' news chat mail maps shop >candidates

config 'rappor values=0 text=4 bits=32 hashes=2 cohorts=8 f=1073741824 p=1073741824 q=3221225472 epoch=1' rappor
ran 0 'rappor: encode' sh -c "'$seeded' local encode --seed 1 --config rappor.config <held >rappor.reports"
"$scrim" local collect --quiet --config rappor.config rappor.reports >rappor.sums
ran 0 'rappor: quiet' "$scrim" local decode --config rappor.config --names candidates rappor.sums --quiet
err_is ''
ran 0 'rappor: decode' "$scrim" local decode --config rappor.config --names candidates rappor.sums
check 'rappor: order' test "$(cut -d , -f 1 out | tr '\n' ' ')" = 'text mail news maps '
check 'rappor: mail' sh -c "awk -F , '\$1 == \"mail\" { exit !(\$2 > 3000 - 4 * \$3 && \$2 < 3000 + 4 * \$3) }' out"
err_has 'is a procedure without a proven error rate'
err_has '3 candidates kept'
ran 0 'rappor: the first' "$scrim" local decode --config rappor.config --names candidates --top 1 rappor.sums
check 'one row' test "$(wc -l <out)" -eq 2
refused 2 'name the candidate texts, one a line: --names FILE' decode --config rappor.config rappor.sums

config 'text-hashing a=57250000 b=1048576 text=4 cells=64' hashing
ran 0 'text-hashing: encode' sh -c "'$seeded' local encode --seed 1 --config hashing.config <held >hashing.reports"
ran 0 'text-hashing: decode' "$scrim" local decode --config hashing.config --names candidates hashing.reports
check 'text-hashing: order' test "$(cut -d , -f 1 out | tr '\n' ' ')" = 'text mail news maps '
err_has '6000 reports, 0 dropped; 5 candidates tested on 6000 reports'

config 'prefix a=57250000 b=1048576 text=4 cells=64 prefixes=10,18,25,32' prefix
ran 0 'prefix: encode' sh -c "'$seeded' local encode --seed 1 --config prefix.config <held >prefix.reports"
ran 0 'prefix: quiet' "$scrim" local decode --config prefix.config prefix.reports --quiet
err_is ''
ran 0 'prefix: decode' "$scrim" local decode --config prefix.config prefix.reports
check 'prefix: order' test "$(cut -d , -f 1 out | tr '\n' ' ')" = 'text mail news maps '
err_has 'with probability 0.95 or more, every text listed is held by somebody'
ran 0 'prefix: no devices' sh -c "'$scrim' local encode --config prefix.config </dev/null >none.reports"
refused 2 'there is no report to decode' decode --config prefix.config none.reports
ran 0 'prefix: a rate' "$scrim" local decode --config prefix.config --significant prefix.reports
err_has 'is expected to be held by nobody'
refused 2 'reports of prefix cannot be added up; they are decoded as they are (scrim/local_unknown.h)' collect --config prefix.config prefix.reports
cat prefix.reports prefix.reports >joined
refused 6 "'joined' has two batches; give the files one by one, not joined" decode --config prefix.config joined
head -c 100 prefix.reports >cut.reports
refused 6 "'cut.reports': the file ends within a report" decode --config prefix.config cut.reports
refused 6 "'hashing.reports': " decode --config prefix.config hashing.reports
refused 2 'name the files of reports; - is standard input' decode --config prefix.config
refused 2 '--confidence must be above 0.5 and below 1' decode --config prefix.config --confidence 2 prefix.reports
finish
