#!/bin/sh
# scrim local: reports of simulated devices, sums, estimates, and every refusal.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
seeded=$(cd "$O" && pwd)/scrim-test
cd "$work" || exit 1

# refused STATUS MESSAGE ARGUMENT...: the message in one line, and nothing on standard output.
refused() {
    status=$1 message=$2
    shift 2
    ran "$status" "$*" "$scrim" local "$@"
    out_is ''
    err_lines 1
    err_has "scrim local: $message"
}

# config PROTOCOL WORDS > file
config() {
    printf 'scrim-local/1 question=colour protocol=%s\n' "$1"
}

# values: how many devices hold 0, 1, 2, ...
values() {
    v=0
    for count in "$@"; do
        yes "$v" | head -n "$count"
        v=$((v + 1))
    done
}
values 600 300 100 >held

# ---- encode, collect, decode, for every protocol ----
# whole NAME WORDS: reports of 1000 devices, collected in two parts and in one.
whole() {
    config "$1" >"$2.config"
    ran 0 "$2: encode" sh -c "'$scrim' local encode --config $2.config <held >$2.reports"
    err_is ''
    head -n 400 held | "$scrim" local encode --config "$2.config" >"$2.a"
    tail -n 600 held | "$scrim" local encode --config "$2.config" >"$2.b"
    ran 0 "$2: collect" sh -c "'$scrim' local collect --config $2.config $2.a $2.b >$2.sums"
    err_is '1000 reports; 0 dropped, 0 flagged'
    "$scrim" local collect --quiet --config "$2.config" "$2.a" >"$2.a.sums"
    "$scrim" local collect --quiet --config "$2.config" "$2.b" >"$2.b.sums"
    "$scrim" local collect --quiet --config "$2.config" "$2.b.sums" "$2.a.sums" >"$2.merged"
    check "$2: sums add up" cmp "$2.sums" "$2.merged"
    ran 0 "$2: decode" "$scrim" local decode --config "$2.config" "$2.sums"
    err_has '1000 reports'
    check "$2: rows" test "$(wc -l <out)" -ge 2
}
whole 'randomised-response values=3 a=20 b=1' response
whole 'projective-geometry values=13 a=5 b=2 field=3 digits=3' projective
whole 'subset-selection values=10 a=7 b=1 chosen=2' subset
whole 'symmetric-unary values=10 a=7 b=1' symmetric
whole 'optimised-unary values=10 a=7 b=1' optimised
whole 'local-hashing values=9 a=7 b=1 field=3 digits=2' hashing
whole 'hadamard values=7 a=7 b=1 blocks=1 order=8' hadamard
whole 'bit-flip values=10 a=7 b=1 chosen=3 epoch=1' flip
whole 'square-wave values=10 a=7 b=1 width=2' wave
err_has '--post em-smooth makes them several times more accurate'
whole 'one-bit-mean values=11 a=7 b=1' bit
whole 'laplace-mean values=11 a=3 b=2 width=5' laplace
whole 'condensed-exponential values=5 a=3 b=2 metric=0' condensed

# ---- what is printed, from a seed ----
"$seeded" local encode --seed 7 --config response.config <held >seed.reports
check 'a seed repeats' sh -c "'$seeded' local encode --seed 7 --config response.config <held | cmp - seed.reports"
check 'another does not' sh -c "! '$seeded' local encode --seed 8 --config response.config <held | cmp -s - seed.reports"
check 'one byte a report, and a header' test "$(wc -c <seed.reports)" = 1016
python3 - <<'END'
batch = open("seed.reports", "rb").read()
header = batch[:3] + b"\0" + batch[4:16]
messages = [header + batch[i : i + 1] for i in range(16, 19)]
open("bad.messages", "wb").write(b"nothing" + messages[0] + messages[1] + b"noise" + messages[2] + header)
END
ran 6 'a bad message refuses a file' "$scrim" local collect --config response.config bad.messages
err_has 'there is no report at byte 0'
ran 0 'it may be skipped' "$scrim" local collect --config response.config --skip-bad bad.messages
err_has '3 reports; 0 dropped, 0 flagged'
err_has 'skipped 3 times: bytes that are no message of this configuration'
ran 0 'one file twice' "$scrim" local collect --config response.config seed.reports seed.reports
err_has "caution: 'seed.reports' is named twice; its reports count twice"
{
    head -c 16 seed.reports
    head -c 2000 /dev/zero
} >copies.reports
ran 0 'copies' "$scrim" local decode --config response.config copies.reports
err_has 'caution: the estimate of value 0 is far above the number of reports; they may be copies or forged'
{
    cat copies.reports
    head -c 1000 /dev/zero | tr '\0' '\377'
} >dropped.reports
ran 0 'many are dropped' "$scrim" local collect --config response.config dropped.reports
err_has 'caution: 33.3 % of the reports were dropped, since no device can have sent them'
ran 0 'decode a file of reports' "$scrim" local decode --config response.config seed.reports
cp out full
check 'columns' test "$(head -n 1 full)" = value,estimate,low,high,standard_error,joint_low,joint_high,exact
check 'three values' test "$(wc -l <full)" = 4
err_has 'colour: 1000 reports by randomised-response, epsilon 2.99573 a report; 0 dropped, 0 flagged'
err_has 'fake reports: if 0.1 %, 1 % or 5 % of the reports are made up, an estimate may be too high by 1.105, 11.05 or 55.26, or too low by 0.05263, 0.5263 or 2.632'
# shellcheck disable=SC2016 # the dollars are for awk
check 'each interval holds the truth' awk -F , 'NR > 1 { truth = NR == 2 ? 600 : NR == 3 ? 300 : 100
    if (!($6 <= truth && truth <= $7 && $6 <= $3 && $4 <= $7)) exit 1 }' full
printf 'red\ngreen\r\n=blue' >names
printf 'red\ngreen\n' >names.2
refused 6 '--names has 2 names for 3 values; list one for each' decode --config response.config seed.reports --names names.2
ran 0 'names' "$scrim" local decode --config response.config seed.reports --names names --top 2 --format csv
check 'the largest first' test "$(cut -d , -f 1 out | tr '\n' ' ')" = 'value red green '
ran 0 'names are no formulas' "$scrim" local decode --config response.config seed.reports --names names --format csv
out_has "\"'=blue\","
ran 0 'a table' "$scrim" local decode --config response.config seed.reports --format table
out_has 'all together'
ran 0 'json' "$scrim" local decode --config response.config seed.reports --json --post simplex
check 'json parses' python3 -c 'import json, sys
page = json.load(open("out"))
assert page["reports"] == 1000 and len(page["rows"]) == 3 and page["post"] == "simplex"
assert abs(sum(row["refined"] for row in page["rows"]) - 1000) < 1e-6'
"$seeded" local encode --seed 1 --config projective.config <held >geometry.reports
ran 0 'significant' "$scrim" local decode --config projective.config geometry.reports --significant --format csv
check 'the held ones are there' test "$(sed 1d out | head -n 2 | cut -d , -f 1 | tr '\n' ' ')" = '0 1 '
check 'most others are not' test "$(wc -l <out)" -le 5
err_has 'significant values only'
for post in norm-sub em; do
    ran 0 "$post" "$scrim" local decode --config projective.config projective.sums --post $post --updates 20
    err_has 'they are biased. Measured in'
done
ran 0 'em-smooth' "$scrim" local decode --config wave.config wave.sums --post em-smooth
check 'a mean comes first' grep -q '^mean,' out
err_has 'the mean may be'

# ---- names in place of numbers ----
sed 's/0/red/; s/1/green/; s/2/=blue/' held >held.names
"$seeded" local encode --seed 7 --config response.config --names names <held.names >named.reports
check 'names make the reports of their numbers' cmp named.reports seed.reports
printf 'red\npurple\ngreen\npurple\n' >strangers
ran 0 'lines that are no value' sh -c "'$scrim' local encode --config response.config --names names <strangers >strangers.reports"
err_is '2 of 4 lines are not in --names; they count as the last value'
ran 0 'no number' sh -c "printf 'value\\n0\\n7\\n' | '$scrim' local encode --config response.config >strangers.reports"
err_is '2 of 3 lines are not values; they count as the last value'
ran 2 'values as an argument' "$scrim" local encode held.names --config response.config
err_has "unexpected argument 'held.names'; values come from standard input"
ran 2 'a question of two words' "$scrim" local plan my question --users 10 --domain 4 --epsilon 1
err_is "scrim local: unexpected argument 'question'; the name of a question is one word"
ran 2 'a simulation of something' "$scrim" local simulate held --config response.config
ran 0 'no note' sh -c "printf 'value\\n' | '$scrim' local encode --quiet --config response.config >strangers.reports"
err_is ''
printf %s "$(cat response.config)" >bare.config
ran 0 'a configuration without its newline' "$scrim" local decode --config bare.config seed.reports --quiet
sed 's/randomised/randomized/' response.config >american.config
refused 2 "unknown protocol 'randomized-response'; did you mean randomised-response?" decode --config american.config seed.reports
tr '\n' '!' <held.names | sed 's/!/\r\n/g' >held.dos
"$seeded" local encode --seed 7 --config response.config --names names <held.dos >named.reports
check 'lines may end as DOS has them' cmp named.reports seed.reports
printf 'reddish\n\n0\nred\rx\n' >strange
yes 2 | head -n 4 >last
"$seeded" local encode --seed 7 --config response.config --names names <strange >strange.reports
check 'all else is the last value' sh -c "'$seeded' local encode --seed 7 --config response.config <last | cmp - strange.reports"
printf 'red\ngreen\nblue\nblack\n' >names.4
refused 6 '--names has 4 names for 3 values' encode --config response.config --names names.4
printf 'red\ngreen\nred\n' >twice
refused 6 "--names has 'red' twice; each value needs a name of its own" encode --config response.config --names twice

# ---- files that were joined ----
cat seed.reports seed.reports >joined
refused 6 "'joined': another batch begins at byte 1016; give the files one by one, not joined" collect --config response.config joined

# ---- decode is quiet ----
for way in '' --covariance '--post simplex'; do
    # shellcheck disable=SC2086 # two words
    ran 0 "decode $way: notes" "$scrim" local decode --config response.config seed.reports $way
    check "decode $way: notes on standard error" test -s err
    mv out with_notes
    # shellcheck disable=SC2086
    ran 0 "decode $way: quiet" "$scrim" local decode --config response.config seed.reports $way --quiet
    err_is ''
    check "decode $way: quiet: the same table" cmp out with_notes
done

# ---- covariances ----
ran 0 'covariances' "$scrim" local decode --config response.config seed.reports --covariance
check 'pairs, and values with themselves' test "$(wc -l <out)" = 7
check 'columns of covariances' test "$(head -n 1 out)" = value,other,covariance
# shellcheck disable=SC2016 # the dollars are for awk
check 'estimates add up, so a row of covariances adds up to 0' awk -F , 'NR > 1 { sum += $3 * ($1 == $2 ? 1 : 2); size += $3 * ($1 == $2) }
    END { exit !(sum < 1e-4 * size && sum > -1e-4 * size) }' out
ran 0 'covariances of the largest' "$scrim" local decode --config hashing.config hashing.sums --covariance --top 3
check 'of three' test "$(wc -l <out)" = 7
for each in projective subset symmetric flip wave hadamard; do
    ran 0 "$each: covariances" "$scrim" local decode --config $each.config $each.sums --covariance --top 2 --json
    check "$each: json parses" python3 -m json.tool out
done

# ---- two variables ----
# The value, and whether it is 0: 600, 300 and 100 devices hold the pairs 0 1, 1 0 and 2 0.
config 'randomised-response values=2 a=20 b=1' >zero.config
sed 's/^[12]$/x/; s/^0$/1/; s/^x$/0/' held >zeros
"$seeded" local encode --seed 9 --config zero.config <zeros >zero.reports
printf 'no\nyes\n' >zero.names
ran 0 'two variables: quiet' "$scrim" local decode --config response.config --joint zero.config seed.reports zero.reports --names names --joint-names zero.names --format csv --quiet
err_is ''
ran 0 'two variables' "$scrim" local decode --config response.config --joint zero.config seed.reports zero.reports --names names --joint-names zero.names --format csv
check 'columns of pairs' test "$(head -n 1 out)" = first,second,estimate,standard_error
check 'six pairs' test "$(wc -l <out)" = 7
# shellcheck disable=SC2016
check 'the pairs that are held' awk -F , '$1 == "red" && $2 == "yes" { red = $3 } $1 == "green" && $2 == "no" { green = $3 }
    $1 == "red" && $2 == "no" { none = $3 } END { exit !(red > 550 && red < 650 && green > 250 && green < 350 && none < 40) }' out
err_has 'counts near 0 are biased'
head -n 999 zeros | "$scrim" local encode --config zero.config >few.reports
refused 6 'the files have 1000 and 999 reports; each device sends one of both' decode --config response.config --joint zero.config seed.reports few.reports
refused 2 '--joint takes two files of reports' decode --config response.config --joint zero.config seed.reports
refused 2 'give --joint or --covariance, not both' decode --config response.config --joint zero.config --covariance seed.reports zero.reports
refused 2 '--top and --updates must be at least 1' decode --config response.config --top 0 seed.reports
refused 2 '--joint has no use for --top' decode --config response.config --joint zero.config --top 3 seed.reports zero.reports
refused 2 '--covariance has no use for --post' decode --config response.config --covariance --post em seed.reports
refused 2 '--joint-names needs --joint FILE' decode --config response.config --joint-names names seed.reports
refused 2 "'names' is not a configuration of local reports" decode --config response.config --joint names seed.reports zero.reports
refused 2 'a joint table needs reports of' decode --config response.config --joint hadamard.config seed.reports hadamard.reports
refused 2 'one-bit-mean estimates a mean alone' decode --config bit.config bit.sums --covariance
config 'randomised-response values=1001 a=20 b=1' >many.config
seq 50 | "$scrim" local encode --config many.config >many.reports
refused 2 'covariances are listed for at most 1000 values; choose the largest with --top N' decode --config many.config many.reports --covariance
config 'rappor values=0 text=4 bits=16 hashes=2 cohorts=2 f=429496729 p=429496729 q=3865470566 epoch=1' >bloom.config
yes abc | head -n 1000 | "$scrim" local encode --config bloom.config >bloom.reports
refused 2 '--names is for values; this configuration takes texts' encode --config bloom.config --names names
yes abc | head -n 1000 | "$seeded" local encode --seed 3 --config bloom.config >unix.reports
yes abc | head -n 1000 | sed 's/$/\r/' | "$seeded" local encode --seed 3 --config bloom.config >dos.reports
check 'texts may end as DOS has them' cmp unix.reports dos.reports
refused 2 'name the candidate texts, one a line: --joint-names FILE' decode --config response.config --joint bloom.config seed.reports bloom.reports
refused 2 'covariances are for protocols that count values' decode --config bloom.config bloom.reports --covariance --names names
printf 'abc\nxyz\n' >bloom.names
ran 0 'a variable of texts' "$scrim" local decode --config response.config --joint bloom.config seed.reports bloom.reports --joint-names bloom.names --format csv
check 'six pairs of texts' test "$(wc -l <out)" = 7

# ---- reports that no device sends (A72) ----
cp seed.reports dirty
printf '\003\377' >>dirty
ran 0 'out of range' "$scrim" local collect --config response.config dirty
err_is '1000 reports; 2 dropped, 0 flagged'
cp subset.a crowd
printf '\377\003' >>crowd
ran 0 'an impossible shape' "$scrim" local collect --config subset.config crowd
err_is '401 reports; 0 dropped, 1 flagged'

# ---- refusals ----
refused 2 "missing subcommand; 'scrim help local' lists them"
refused 2 "unknown subcommand 'colect'; did you mean 'collect'?" colect
refused 2 "unknown subcommand 'xyzzy'" xyzzy
refused 2 'name the configuration of the devices: --config FILE' collect response.sums
refused 2 'name the files of reports or sums' collect --config response.config
refused 6 "'none' cannot be read" collect --config response.config none
refused 6 "'projective.sums': these sums are of another configuration" collect --config response.config projective.sums
refused 6 "'projective.a': the report at byte 0 is of another configuration" collect --config response.config projective.a
refused 6 "'held': there is no report at byte 0" collect --config response.config held
head -c 10 seed.reports >short
refused 6 "'short': it ends within a report, after byte 0" collect --config response.config short
sed 's/^end$//' response.sums >broken
refused 6 "'broken': line" collect --config response.config broken
refused 2 "'red' begins no configuration of local reports; it is one line that begins with scrim-local/1" collect --config names response.sums
refused 2 "'held' is longer than 512 bytes" collect --config held response.sums
config 'randomised-response values=3 a=1 b=2' >bad.config
refused 2 'the configuration has numbers that its protocol does not allow' decode --config bad.config response.sums
refused 2 "confidence: '1' must be greater than 0.5 and less than 1" decode --config response.config response.sums --confidence 1
refused 2 'post: unknown magic; use simplex, norm-sub, em or em-smooth' decode --config response.config response.sums --post magic
refused 2 'em is for' decode --config optimised.config optimised.sums --post em
refused 2 'em-smooth is for square-wave' decode --config response.config response.sums --post em-smooth
refused 2 'this protocol estimates a mean alone' decode --config bit.config bit.sums --post em
refused 2 'this protocol has no test' decode --config bit.config bit.sums --significant
: >empty
refused 2 'there is no report to decode' decode --config response.config empty
ran 2 'an option of another subcommand' "$scrim" local collect --config response.config response.sums --top 3
err_has top
finish
