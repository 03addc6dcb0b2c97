#!/bin/sh
# scrim run: releases, their formats, every refusal, and nothing that depends on the data.
# An epsilon of 1000 leaves noise of which it takes exp(1000) releases to see any: the answers
# of the program that is installed can then be written down.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
seeded=$O/scrim-test
input=$work/input
sure='laplace sensitivity=1 epsilon=1000 whole=yes neighbours=add-remove'

# given FORMAT...: what the next commands read, as printf prints it.
given() {
    # shellcheck disable=SC2059 # a format on purpose
    printf -- "$@" >"$input"
}
# fed COMMAND...: with that as its input.
fed() {
    "$@" <"$input"
}
# released NAME LINE OPTION...: a release by the program that is installed.
released() {
    label=$1 line=$2
    shift 2
    # shellcheck disable=SC2086 # words
    ran 0 "$label" fed "$scrim" run $line "$@"
}
# refused STATUS NAME MESSAGE ARGUMENT...: the status, and the message in one line.
refused() {
    want=$1 label=$2 message=$3
    shift 3
    ran "$want" "$label" fed "$scrim" run "$@"
    out_is ''
    err_lines 1
    err_has "scrim run: $message"
}

# ---- answers ----
given '1234\n'
released 'one value' "$sure"
out_is 'value,value_low,value_high
1234,1234,1234'
check 'one value: is folded' grep -q '^            .*--labels, --header)$' "$work/err"
unfolded <"$work/err" >"$work/unfolded"
check 'one value: says what is not covered' grep -q \
    '^not covered [a-z].*; values that are not numbers, which count as 0 (see --labels, --header)$' "$work/unfolded"
cp "$work/err" "$work/note"
given 'many\n'
released 'what is no number' "$sure"
out_is 'value,value_low,value_high
0,0,0'
check 'what is no number: the note is the same' cmp "$work/err" "$work/note"
given '1234\n'
released 'one value' "$sure"
sed -i '/^not covered/,$d' "$work/err"
name='one value'
err_is 'released    laplace sensitivity=1 epsilon=1000 whole=yes neighbours=add-remove
cost        epsilon 1000, delta 0, rho 500000
neighbours  add-remove: one unit is added or removed
meaning     a guess whether one person is in the data may be right more than
            99.9 % of the time
caution     epsilon 5 or more is hardly any protection: some answers may tell
            about a person with near certainty
accuracy    each value is within 0 of the truth with probability 0.95'
released 'quiet' "$sure" --quiet
err_is ''
released 'the whole line in one word' 'laplace' 'sensitivity=1 epsilon=1000 whole=yes neighbours=add-remove' --quiet
out_has '1234,1234,1234'
released 'an interval' 'laplace sensitivity=1 epsilon=1/10 neighbours=replace'
err_has 'cost        epsilon 0.1, delta 0, rho 0.005'
err_has 'accuracy    each value is within 30 of the truth with probability 0.95'
# shellcheck disable=SC2016 # for awk
check 'an interval: 30 to either side' awk -F , 'NR == 2 && $2 == $1 - 30 && $3 == $1 + 30 { n = 1 }
    END { exit !n }' "$work/out"
released 'another confidence' 'laplace sensitivity=1 epsilon=1/10 neighbours=replace' --confidence 1/2
err_has 'accuracy    each value is within 7 of the truth with probability 0.5'
released 'a grid' 'laplace sensitivity=1 epsilon=1000 neighbours=replace grid=0.01 lower=0 upper=10'
out_has '10,10,10'
err_has 'within 0 of the truth'
given '3.14159\n'
released 'a fine grid' 'laplace sensitivity=0.01 epsilon=1 neighbours=replace grid=0.01'
err_has 'accuracy    each value is within 0.03 of the truth with probability 0.95'

# A75: several decimals without a grid are refused, whatever they are; rounding is charged with one.
decimals='laplace sensitivity=1 epsilon=1 neighbours=add-remove'
for cell in 0.495 0.5 3 '' x; do
    given "$cell\\n$cell\\n"
    # shellcheck disable=SC2086 # words
    refused 2 "A75 two values of '$cell'" 'laplace: rounding can add to the sensitivity of these values; add whole=yes' $decimals
    given "$cell\\n"
    released "A75 one value of '$cell'" "$decimals" --quiet
done
given '0.5\n7\n'
released 'A75 what is not whole is missing' "$sure" --quiet
out_is 'value,value_low,value_high
0,0,0
7,7,7'

given '3\n-1\n3.0\n'
released 'a value a line' "$sure" --quiet
out_is 'value,value_low,value_high
3,3,3
-1,-1,-1
3,3,3'
cp "$work/out" "$work/lines"
given '3,-1,3.0\n'
released 'one row' "$sure" --quiet
check 'one row: the same' cmp "$work/out" "$work/lines"
given '3\r\n-1\r\n3.0'
released 'other line ends' "$sure" --quiet
check 'other line ends: the same' cmp "$work/out" "$work/lines"
given '\357\273\2773\n"-1"\n 3.0 \n'
released 'a byte order mark, quotes, spaces' "$sure" --quiet
check 'a byte order mark, quotes, spaces: the same' cmp "$work/out" "$work/lines"
given 'n\n3\n-1\n3.0\n'
released 'a header' "$sure" --quiet --header
out_is 'n,n_low,n_high
3,3,3
-1,-1,-1
3,3,3'
given 'a,b,"c,d"\n3,-1,3.0\n'
released 'a header over a row' "$sure" --quiet --header
out_is 'label,value,value_low,value_high
a,3,3,3
b,-1,-1,-1
"c,d",3,3,3'
given 'a,3\nb,-1\n"c,d",3.0\n'
released 'labels' "$sure" --quiet --labels
out_is 'label,value,value_low,value_high
a,3,3,3
b,-1,-1,-1
"c,d",3,3,3'
given 'colour,n\nred,3\nblue,-1\n'
released 'labels and a header' "$sure" --quiet --labels --header
out_is 'colour,n,n_low,n_high
red,3,3,3
blue,-1,-1,-1'

# ---- formats ----
released 'JSON' "$sure" --labels --header --json
sed -i 's/, "excludes": "[^"]*"//' "$work/out"
out_is '{"measurement": "laplace sensitivity=1 epsilon=1000 whole=yes neighbours=add-remove", "rows": [
{"colour": "red", "n": {"value": 3, "low": 3, "high": 3}},
{"colour": "blue", "n": {"value": -1, "low": -1, "high": -1}}
], "cost": {"neighbours": "add-remove", "epsilon": "1000", "delta": "0", "rho": "500000"}, "certificate": {"form": "interval", "confidence": "0.95", "radius": "0", "radius_all": "0"}, "release": null}'
err_is ''
released 'JSON lines' "$sure" --quiet --labels --header --format jsonl
out_is '{"colour": "red", "n": {"value": 3, "low": 3, "high": 3}}
{"colour": "blue", "n": {"value": -1, "low": -1, "high": -1}}'
released 'a table' "$sure" --quiet --labels --header --format table
out_is '+--------+----+-------+--------+------------------------------------------+
| colour | n  | n_low | n_high | interval                                 |
+--------+----+-------+--------+------------------------------------------+
| red    |  3 |     3 |      3 |                                        o |
| blue   | -1 |    -1 |     -1 | o                                        |
+--------+----+-------+--------+------------------------------------------+'
ran 0 'a narrow table' env COLUMNS=40 sh -c "'$scrim' run $sure --quiet --labels --header --format table <'$input'"
check 'a narrow table: no bars' sh -c "! grep -q o\ \| '$work/out'"
check 'a narrow table: 40 columns' sh -c "! grep -q '.\{41\}' '$work/out'"
released 'a plot beside the answer' "$sure" --quiet --labels --header --plot
out_lines 3
err_has '   red  '
check 'a plot beside the answer: two rows' test "$(wc -l <"$work/err")" -eq 2
check 'a plot beside the answer: 80 columns' sh -c "! grep -q '.\{81\}' '$work/err'"
given '9007199254740993\n'
released 'beyond doubles' "$sure" --quiet
out_has '9007199254740993,9007199254740993,9007199254740993'
released 'beyond doubles, JSON' "$sure" --json
out_has '"value": "9007199254740993"'
if command -v python3 >/dev/null 2>&1; then
    given 'a,1\nb,1e12\n"q""q",1e17\n'
    for format in json jsonl; do
        # shellcheck disable=SC2086 # words
        "$scrim" run $sure --labels --format $format --quiet <"$input" >"$work/$format"
    done
    # shellcheck disable=SC2086 # words
    "$scrim" run $sure --labels --format csv --quiet <"$input" >"$work/csv"
    check 'CSV, JSON and JSON lines agree' python3 -c '
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
whole = json.load(open(sys.argv[2]))
lines = [json.loads(line) for line in open(sys.argv[3])]
assert len(rows) == 3 and whole["rows"] == lines and whole["release"] is None
for row, line in zip(rows, lines):
    assert row["label"] == line["label"]
    for end, name in (("value", "value"), ("value_low", "low"), ("value_high", "high")):
        assert row[end] == str(line["value"][name])
assert isinstance(lines[1]["value"]["value"], int) and isinstance(lines[2]["value"]["value"], str)' \
        "$work/csv" "$work/json" "$work/jsonl"
else
    skip 'CSV, JSON and JSON lines agree' 'python3 is not installed'
fi

# ---- refusals, before any data is read ----
given '1\n'
refused 2 'no mechanism' 'name a mechanism'
refused 2 'an unknown mechanism' "unknown mechanism 'fourier'" fourier
refused 2 'a misspelt mechanism' "unknown mechanism 'laplcae'; did you mean 'laplace'?" laplcae
refused 2 'no neighbours' 'neighbours is missing; give neighbours=..., add-remove or replace' \
    laplace sensitivity=1 epsilon=1
refused 2 'no sensitivity' 'sensitivity is missing; give sensitivity=..., a rational above 0' \
    laplace epsilon=1 neighbours=replace
refused 2 'no epsilon' 'laplace: give epsilon or scale, exactly one of them' \
    laplace sensitivity=1 neighbours=replace
refused 2 'other neighbours' 'neighbours' laplace sensitivity=1 epsilon=1 neighbours=both
refused 2 'sensitivity 0' 'sensitivity: 0 is not allowed; sensitivity must be a rational above 0' \
    laplace sensitivity=0 epsilon=1 neighbours=replace
refused 2 'epsilon 0' 'epsilon: 0 is not allowed' laplace sensitivity=1 epsilon=0 neighbours=replace
refused 2 'epsilon without end' 'epsilon' laplace sensitivity=1 epsilon=inf neighbours=replace
refused 2 'bounds the wrong way round' '' \
    laplace sensitivity=1 epsilon=1 neighbours=replace lower=1 upper=0
refused 2 'bounds that are one' '' laplace sensitivity=1 epsilon=1 neighbours=replace lower=5 upper=5
refused 2 'bounds that are none' 'lower' laplace sensitivity=1 epsilon=1 neighbours=replace lower=NaN upper=1
refused 2 'an unknown parameter' "unknown parameter 'sigma'" \
    laplace sensitivity=1 epsilon=1 neighbours=replace sigma=1
refused 2 'a parameter twice' 'epsilon is given twice' \
    laplace sensitivity=1 epsilon=1 epsilon=2 neighbours=replace
# shellcheck disable=SC2086 # words
refused 2 'a confidence of 1' 'confidence must be above 0 and below 1' $sure --confidence 1
# shellcheck disable=SC2086
refused 2 'a confidence that is no number' '' $sure --confidence high
# shellcheck disable=SC2086
refused 2 'a misspelt option' 'unknown option --label; did you mean --labels?' $sure --label
# shellcheck disable=SC2086
refused 2 'an unknown format' '--format must be table, csv, json or jsonl' $sure --format xml
# shellcheck disable=SC2086
refused 2 'an option of another verb' 'unexpected argument --binary' $sure --binary
# shellcheck disable=SC2086
refused 5 'no vault' "there is no vault at '$work/none.vault'; 'scrim init' creates one" $sure --charge people --vault "$work/none.vault"
# shellcheck disable=SC2086
refused 2 'a vault that is not charged' '--vault and --wait need --charge NAME' $sure --vault x
# Were it to read first, it would wait here for ever.
mkfifo "$work/pipe"
ran 2 'parameters come first' sh -c "timeout 20 '$scrim' run laplace sensitivity=0 <>'$work/pipe'"
err_has 'scrim run: '

# ---- no seed (A10) ----
# shellcheck disable=SC2086
refused 2 '--seed' 'unknown option --seed;' $sure --seed 1
refused 2 'seed=1' "unknown parameter 'seed'" laplace sensitivity=1 epsilon=1 neighbours=replace seed=1
given '1000000\n'
for run in first second; do
    SCRIM_SEED=1 SEED=1 "$scrim" run laplace sensitivity=1e6 epsilon=1 whole=yes neighbours=replace --quiet <"$input" >"$work/$run"
done
check 'SCRIM_SEED changes nothing' sh -c "! cmp -s '$work/first' '$work/second'"

# ---- the source: only what is public of it can be wrong ----
given ''
# shellcheck disable=SC2086
refused 6 'nothing to read' 'standard input has no values; write one per line' $sure
# shellcheck disable=SC2086
refused 6 'no header' 'standard input is empty; --header says' $sure --header
given 'n\n'
# shellcheck disable=SC2086
refused 6 'a header alone' 'standard input has no values' $sure --header
given 'a,b\n1,2\n3,4\n'
# shellcheck disable=SC2086
refused 6 'a header that fits no line' 'a header of 2 names is followed by one line' $sure --header
given 'n\na,1\n'
# shellcheck disable=SC2086
refused 6 'a header for labels' 'with --labels a header has two names, not 1' $sure --header --labels
ran 6 'a folder' sh -c "'$scrim' run $sure </"
err_is 'scrim run: cannot read standard input: Is a directory'
ran 6 'no standard input' sh -c "'$scrim' run $sure <&-"
err_is 'scrim run: cannot read standard input: Bad file descriptor'
given '1\n2\n'
# shellcheck disable=SC2086
refused 2 'another number of values' '' $sure size=3

# ---- nothing that is said depends on what the values are (A19, A54, A56) ----
bounded='laplace sensitivity=1 epsilon=1 whole=yes neighbours=add-remove lower=-1000000 upper=1000000'
# quiet_as NAME OPTION...: the input is read with the same words and the same number of lines.
quiet_as() {
    label=$1
    shift
    # shellcheck disable=SC2086
    ran 0 "$label" fed "$seeded" run $bounded --seed 5 "$@"
    check "$label: the same words" cmp "$work/err" "$work/words"
    out_lines 4
}
given '1\n2\n3\n'
# shellcheck disable=SC2086
fed "$seeded" run $bounded --seed 5 >"$work/shown" 2>"$work/words"
check 'the test build says that it is not private' grep -q '^NOT PRIVATE' "$work/words"
canary=CANARY74531
for cell in NaN nan sNaN inf -inf -0.0 5e-324 1e308 NULL '' abc 1_000 1,5 ' 7 ' +3 1e400 0x10 1e9999999999 \
    '"' '""' '"1' "'" '\377' '\000' '1/0' '0/0' $canary '=1+1' ',,,' 99999999999999999999999999; do
    given "1\n$cell\n3\n"
    quiet_as "a cell of $cell"
    given "$cell\n2\n3\n"
    quiet_as "a first cell of $cell"
    given "a,1\nb,2\nc,$cell\n"
    # shellcheck disable=SC2086
    ran 0 "a labelled cell of $cell" fed "$seeded" run $bounded --seed 5 --labels
    check "a labelled cell of $cell: the same words" cmp "$work/err" "$work/words"
    check "a labelled cell of $cell: no canary" sh -c "! grep -q $canary '$work/out' '$work/err'"
done
# What is no number is 0, so that with the same noise the answer is the same.
given '1\n0\n3\n'
fed "$seeded" run laplace sensitivity=1 epsilon=1 whole=yes neighbours=replace --seed 5 >"$work/zero" 2>&1
for cell in NaN abc '' 1,5 1_000 $canary; do
    given "1\n$cell\n3\n"
    ran 0 "$cell is 0" fed "$seeded" run laplace sensitivity=1 epsilon=1 whole=yes neighbours=replace --seed 5
    cat "$work/err" "$work/out" | sort >"$work/sorted"
    check "$cell is 0: the same answer" sh -c "sort '$work/zero' | cmp - '$work/sorted'"
done

# ---- the test build ----
given '10\n20\n'
for seed in 7 7 8; do
    ran 0 "a seed of $seed" fed "$seeded" run laplace sensitivity=1000 epsilon=1 whole=yes neighbours=replace --seed $seed --quiet
    err_is 'NOT PRIVATE: drawn from a chosen seed'
    [ ! -f "$work/seven" ] || cp "$work/seven" "$work/before"
    cp "$work/out" "$work/seven"
    case $seed,$(test -f "$work/before" && echo again) in
    7,again) check 'the same seed: the same answer' cmp "$work/seven" "$work/before" ;;
    8,again) check 'another seed: another answer' sh -c "! cmp -s '$work/seven' '$work/before'" ;;
    esac
done
# shellcheck disable=SC2086
ran 0 'the test build marks JSON' fed "$seeded" run $sure --json
out_has '{"not_private": true, "measurement": '
# shellcheck disable=SC2086
ran 0 'the test build marks JSON lines' fed "$seeded" run $sure --format jsonl
out_has '{"not_private": true, "value": '

# ---- where it goes ----
seq 200000 >"$work/many"
status_of_pipe() {
    { sh -c "$1" <"$work/many"; echo $? >"$work/status"; } 2>"$work/err" | head -1 >"$work/out"
    cat "$work/status"
}
check 'a reader who leaves: 141' test "$(status_of_pipe "exec '$scrim' run $sure")" -eq 141
name='a reader who leaves'
err_is ''
for options in '' --json '--format jsonl' '--format table'; do
    ran 1 "a full disk $options" sh -c "'$scrim' run $sure $options <'$input' >/dev/full"
    err_is 'scrim run: cannot write standard output: No space left on device'
done
ran 0 'two hundred thousand values' sh -c "'$scrim' run $sure --quiet <'$work/many'"
out_lines 200001
check 'two hundred thousand values: the same' sh -c "sed 1d '$work/out' | cut -d , -f 1 | cmp - '$work/many'"

# ---- on a terminal ----
on_terminal() {
    script -q -e -c "$1" /dev/null
}
if command -v script >/dev/null 2>&1; then
    given 'red,30\nblue,-10\n'
    ran 0 'a table on a terminal' on_terminal "NO_COLOR=1 $scrim run $sure --labels <$input"
    out_has '| label | value |'
    out_has 'accuracy    each value is within'
    ran 0 'a plot on a terminal' on_terminal "$scrim run $sure --labels --plot <$input"
    out_has '####'
    out_has "$(printf '\033[38;5;39m')"
    check 'a plot on a terminal: no table' sh -c "! grep -q -- '----+' '$work/out'"
    ran 0 'a plot without colour' on_terminal "NO_COLOR=1 $scrim run $sure --labels --plot <$input"
    check 'a plot without colour: none' sh -c "! grep -q '$(printf '\033')' '$work/out'"
    ran 0 'a plot in UTF-8' on_terminal "NO_COLOR=1 LC_ALL=C.UTF-8 $scrim run $sure --labels --plot <$input"
    out_has '█'
else
    skip 'on a terminal' 'script is not installed'
fi
ran 0 'groups that are kept as bars' sh -c "printf 'a,500\nb,0\n' | '$O/scrim' run threshold-laplace epsilon=1 delta=1e-6 max-groups=1 neighbours=add-remove --labels --plot --quiet"
check 'groups that are kept as bars: that one alone' sh -c "grep -q '^  a  .*o.*  [45][0-9][0-9]$' '$work/err' && ! grep -q '^  b' '$work/err'"
ran 0 'a large delta' sh -c "echo 5 | '$O/scrim' run range sensitivity=1 epsilon=1 width=1 neighbours=add-remove"
err_has 'caution     delta 0.170004 '
finish
