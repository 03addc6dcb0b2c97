#!/bin/sh
# scrim --version, help and list: every format, every refusal.
# shellcheck disable=SC2016 # for awk or another shell
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
version=$(sed -n 's/^#define SCRIM_VERSION "\(.*\)"/\1/p' include/scrim/status.h)

ran 0 '--version' "$scrim" --version
out_is "scrim $version"
err_is ''

ran 0 'help' "$scrim" help
out_has 'scrim answers questions about a population and reveals no person in it.'
for heading in own ask publish account study devices find; do
    check "help has the heading $heading" grep -q "^$heading: " "$work/out"
done
out_has 'usage: scrim COMMAND'
check 'help: 80 columns' sh -c "! grep -q '.\{81\}' '$work/out'"
cp "$work/out" "$work/overview"
ran 0 '--help is help' "$scrim" --help
check '--help is help: the same' cmp "$work/out" "$work/overview"

verbs=$("$scrim" list verbs --format csv | sed '1d; s/,.*//')
check 'there are verbs' test "$(printf '%s\n' "$verbs" | wc -l)" -ge 4
# described VERB [SUBCOMMAND]: its help, and that each option of it is in the man page and in both completions.
described() {
    verb=$1
    ran 0 "help $*" "$scrim" help "$@"
    out_has "usage: scrim $*"
    err_is ''
    cp "$work/out" "$work/help"
    ran 0 "$* --help" "$scrim" "$@" --help
    check "$* --help: the same" cmp "$work/out" "$work/help"
    check "help $*: at most 80 columns" awk 'length($0) > 80 { exit 1 }' "$work/out"
    grep -o -e '^  --*[a-z][a-z-]*' "$work/help" | tr -d ' ' >"$work/options"
    check "scrim-$verb(1) has the options of $*" has_options "Fl ~" "docs/man/scrim-$verb.1"
    check "bash completes the options of $*" has_options "$verb,-.*[ ']-~" completion/scrim.bash
    check "zsh completes the options of $*" has_options '-~\\[' completion/_scrim
}
# has_options PATTERN FILE: a line of the file for each option; in the pattern ~ is the option without its first hyphen.
has_options() {
    awk -v pattern="$1" 'FILENAME == ARGV[1] { one = pattern; sub(/~/, substr($0, 2), one); wanted[$0] = one; next }
        { for (option in wanted) if ($0 ~ wanted[option]) delete wanted[option] }
        END { for (option in wanted) { print option; lacks = 1 } exit lacks }' "$work/options" "$2"
}
for verb in $verbs; do
    described "$verb"
    check "help lists $verb" grep -q "^  $verb " "$work/overview"
    check "scrim-$verb(1) exists" test -f "docs/man/scrim-$verb.1"
done
topics=$("$scrim" help local | sed -n "/^  /{s/^  \([a-z]*\) .*/\1/p}")
check 'local has subcommands' test "$(printf '%s\n' "$topics" | wc -l)" -eq 6
for topic in $topics; do
    described local "$topic"
    check "local $topic has options" grep -q '^  --' "$work/help"
done

topics=$("$scrim" help body | sed -n "/^  /{s/^  \([a-z]*\) .*/\1/p}")
check 'body has subcommands' test "$(printf '%s\n' "$topics" | wc -l)" -ge 10
for topic in $topics; do
    described body "$topic"
    check "body $topic has options" grep -q '^  --' "$work/help"
done

# Words that are no verb.
ran 0 'no verb shows the map' "$scrim"
check 'no verb shows the map: as help' cmp "$work/out" "$work/overview"
err_is ''
ran 2 'a misspelt verb' "$scrim" smaple
out_is ''
err_is "scrim: unknown command 'smaple'; did you mean 'sample'?"
ran 2 'an unheard-of verb' "$scrim" embezzle
err_is "scrim: unknown command 'embezzle'; 'scrim help' lists them"
ran 2 'help of no verb' "$scrim" help smaple
err_is "scrim help: unknown command 'smaple'; did you mean 'sample'?"
for action in 'dataset add' 'series create' 'ledger verify' 'report compare'; do
    # shellcheck disable=SC2086 # two words
    ran 0 "help $action" "$scrim" help $action
    out_has "usage: scrim ${action% *}"
done
ran 2 'help of no action' "$scrim" help dataset NAME
err_is "scrim help: name one command, as in 'scrim help sample'"
ran 2 'help of two verbs' "$scrim" help sample list
err_lines 1
ran 2 'a misspelt option' "$scrim" --vresion
err_is 'scrim: unknown option --vresion; did you mean --version?'
ran 2 'an abbreviated option' "$scrim" --vers
err_lines 1
ran 2 'an option of another verb' "$scrim" list --binary
err_is 'scrim list: unexpected argument --binary; --help shows the options'
ran 2 'control characters' "$scrim" "$(printf 'a\nb\033[31m')"
err_is "scrim: unknown command 'a?b?[31m'; 'scrim help' lists them"
ran 2 'an escape in one character' "$scrim" "$(printf '\302\23331m')"
err_is "scrim: unknown command '??31m'; 'scrim help' lists them"
ran 2 'bytes that are not UTF-8' "$scrim" "$(printf 'a\377b\342\202')"
err_is "scrim: unknown command 'a?b??'; 'scrim help' lists them"
ran 2 'a word that turns the line' "$scrim" sample "$(printf '\342\200\256lamron')"
err_is "scrim sample: unknown distribution '???lamron'; 'scrim list distributions' lists them all"
ran 2 'a word that breaks the line' "$scrim" list "$(printf 'a\342\200\250b')"
err_is "scrim list: unknown list 'a???b'; ask for mechanisms, distributions, verbs or papers"
ran 2 'a word of another language' "$scrim" "$(printf 'gr\303\274n')"
err_is "scrim: unknown command '$(printf 'gr\303\274n')'; 'scrim help' lists them"

# The examples of the map work as they are printed, one after the other.
mkdir "$work/map"
printf 'person_id,age,sex\n1,30,Female\n2,41,Male\n' >"$work/map/adult.csv"
"$scrim" init --vault "$work/map/scrim.vault" --quiet
sed -n 's/^  \$ scrim //p' "$work/overview" >"$work/examples"
check 'the map has an example a heading' test "$(wc -l <"$work/examples")" -eq 7
while read -r example; do
    ran 0 "the map: scrim $example" env -C "$work/map" sh -c "'$PWD/$scrim' $example"
done <"$work/examples"

# Pages of mechanisms and distributions. Each is made of its descriptor, and its example works as it is printed: every fourth
# page, and with LONG=yes each. The manual has all of them, and is compared below.
pages=0
PATH=$(cd "$O" && pwd):$PATH
mkdir "$work/play"
# is_taken: the next page is shown.
is_taken() {
    pages=$((pages + 1))
    [ "${LONG-}" = yes ] || [ $((pages % 4)) -eq 0 ]
}
# page WORD...: shows it, and runs its example.
page() {
    ran 0 "help $*" "$scrim" help "$@"
    err_is ''
    cp "$work/out" "$work/page"
    check "help $*: at most 80 columns" awk 'length($0) > 80 { exit 1 }' "$work/page"
    sed 's/^  //' "$work/page" | joined | sed -n 's/^\$ //p' >"$work/example"
    check "help $*: one example" test "$(wc -l <"$work/example")" -ge 1
    while read -r example; do
        ran 0 "help $*: $example" env -C "$work/play" bash -o pipefail -c "$example"
    done <"$work/example"
}
for topic in $("$scrim" list mechanisms --format csv | sed '1d; s/,.*//'); do
    is_taken || continue
    page mechanism "$topic"
    check "help mechanism $topic: its cost" grep -q '^  cost  ' "$work/page"
    check "help mechanism $topic: no complaint" sh -c "! grep -q '^  scrim' '$work/page' ||
        ! grep '^  scrim' '$work/page' | grep -v -e '^  scrim help' -e '^  scrim errata' -e '^  scrim list'"
done
check 'pages say the accuracy, but for examples without epsilon' \
    test "$(grep -c '^accuracy, of the example' docs/man/scrim-mechanisms.7)" -ge 50
for topic in $("$scrim" list distributions --format csv | sed '1d; s/,.*//'); do
    ! is_taken || page distribution "$topic"
done
# Every line of a page that leads on works.
"$scrim" help sparse-vector >"$work/page"
sed -n 's/^  \(scrim help [a-z]*\)$/\1/p; s/^  \(scrim errata [0-9]*\) .*/\1/p; s/^  \(scrim list papers [0-9]* [A-Z].*\)/\1/p' \
    "$work/page" >"$work/leads"
check 'a page leads on' test "$(wc -l <"$work/leads")" -ge 10
while read -r lead; do
    ran 0 "$lead" sh -c "$lead"
done <"$work/leads"

# leads NAME PAGE: a name that people know.
leads() {
    # shellcheck disable=SC2086 # words
    ran 0 "help $1" "$scrim" help $1
    out_has "$2"
}
leads warner 'randomised-response, a mechanism'
leads report-noisy-max 'noisy-max, a mechanism'
leads 'Report Noisy Max' 'noisy-max, a mechanism'
leads geometric 'laplace, a mechanism'
leads geometric 'geometric, a distribution'
leads svt 'sparse-vector, a mechanism'
leads numeric-sparse 'sparse-vector, a mechanism'
leads tdgeo 'truncated-laplace, a mechanism'
leads tdgeo 'tdgeo is called truncated-laplace here'
leads zcdp 'usage: scrim compose'
leads RDP 'usage: scrim compose'
leads body 'usage: scrim body'
leads 'mechanism body' 'body, a mechanism'
ran 2 'run: a name that people know' "$scrim" run warner epsilon=1 neighbours=local
err_is "scrim run: mechanism 'warner' is called 'randomised-response' here"
ran 2 'help of nothing' "$scrim" help embezzlement
err_is "scrim help: unknown command or mechanism 'embezzlement'; 'scrim help' and 'scrim list mechanisms' list them"
ran 2 'help of a misspelt mechanism' "$scrim" help laplac
err_is "scrim help: unknown mechanism 'laplac'; did you mean 'laplace'?"
check 'scrim-mechanisms(7) is what the descriptors say' tools/mechanism_manual --check "$O"

# list
ran 0 'list mechanisms' "$scrim" list mechanisms
out_has 'name,parameters,input,claim,reference'
out_has 'laplace,sensitivity=R '
err_is ''
out_has 'audit: candidates=N'
out_has 'audit: queries=N'
check 'list mechanisms: every cell says something' sh -c "! grep -q -e '^,' -e ',,' -e ',\$' '$work/out'"
"$scrim" list mechanisms --format csv | sed '1d; s/,.*//' | sort >"$work/mechanisms"
check 'no mechanism is listed twice' test -z "$(uniq -d "$work/mechanisms")"
ran 0 'list distributions' "$scrim" list distributions
out_has 'name,parameters,law,domain'
out_has 'discrete-laplace,scale=R,'
err_is ''
for name in uniform bernoulli bernoulli-exp geometric discrete-laplace discrete-gaussian \
    truncated-laplace clamped-laplace shifted-laplace; do
    check "list has $name" grep -q "^$name," "$work/out"
done
ran 0 'list verbs' "$scrim" list verbs
out_has 'name,arguments,summary'
ran 0 'list' "$scrim" list
out_has 'kind,name,arguments,summary'
out_has 'mechanism,laplace,sensitivity=R '
out_has 'distribution,uniform,n=N,'
out_has 'verb,help,[COMMAND [SUBCOMMAND] | MECHANISM | DISTRIBUTION],'
ran 0 'names for people' "$scrim" list --format table
out_has '66 mechanisms: scrim list mechanisms'
check 'names for people: a screen' test "$(wc -l <"$work/out")" -le 40
check 'names for people: 80 columns' sh -c "! grep -q '.\{81\}' '$work/out'"
"$scrim" list --format csv | sed '1d; s/^[a-z]*,//; s/,.*//' >"$work/names"
check 'names for people: all of them' sh -c "tr ', ' '\n\n' <'$work/out' | grep -v '^$' >'$work/words' &&
    ! grep -vxF -f '$work/words' '$work/names'"
ran 0 'mechanisms for people' "$scrim" list mechanisms --format table
check 'mechanisms for people: a screen' test "$(wc -l <"$work/out")" -le 40
check 'mechanisms for people: all of them' sh -c "tr ', ' '\n\n' <'$work/out' | sort -u | comm -13 - '$work/mechanisms' | cmp - /dev/null"
sed -n 's/^.*: \(scrim list mechanisms [a-z]*\)$/\1/p' "$work/out" >"$work/leads"
check 'mechanisms for people: lists that lead on' test "$(wc -l <"$work/leads")" -eq 8
: >"$work/led"
while read -r lead; do
    ran 0 "$lead" sh -c "$lead --format csv"
    sed '1d; s/,.*//' "$work/out" >>"$work/led"
done <"$work/leads"
check 'these lists have all mechanisms' sh -c "sort '$work/led' | cmp - '$work/mechanisms'"
ran 2 'mechanisms that take nothing of that name' "$scrim" list mechanisms fish
err_is "scrim list: no mechanism takes 'fish'; 'scrim list mechanisms' shows what they take"
ran 0 'a table in ASCII' env LC_ALL=C "$scrim" list mechanisms scores --format table
out_has '+------'
check 'a table in ASCII: only ASCII' sh -c "! LC_ALL=C grep -q '[^ -~]' '$work/out'"
check 'a table has 80 columns' sh -c "! grep -q '.\{81\}' '$work/out'"
ran 0 'a table in 60 columns' env COLUMNS=60 "$scrim" list distributions --format table
check 'a table has 60 columns' sh -c "! grep -q '.\{61\}' '$work/out'"
ran 0 'a table in UTF-8' env LC_ALL=C.UTF-8 "$scrim" list verbs --format table
out_has '┌──'
ran 0 'a table on a dumb terminal' env LC_ALL=C.UTF-8 TERM=dumb "$scrim" list verbs --format table
out_has '+------'
ran 2 'a misspelt list' "$scrim" list distribution
err_is "scrim list: unknown list 'distribution'; did you mean 'distributions'?"
ran 2 'an unheard-of list' "$scrim" list fish
err_is "scrim list: unknown list 'fish'; ask for mechanisms, distributions, verbs or papers"
ran 2 'two lists' "$scrim" list verbs distributions
err_lines 1
ran 2 'no such format' "$scrim" list --format xml
out_is ''
err_is "scrim list: --format must be table, csv, json or jsonl, not 'xml'"
ran 2 'two formats' "$scrim" list --json --format csv
err_is 'scrim list: --json and --format csv contradict each other; keep one'
ran 0 'the same format twice' "$scrim" list --json --format json

if command -v python3 >/dev/null 2>&1; then
    for what in '' mechanisms distributions verbs; do
        # shellcheck disable=SC2086 # nothing is no argument
        "$scrim" list $what --json >"$work/json"
        check "list $what --json parses" python3 -m json.tool "$work/json"
        # shellcheck disable=SC2086
        "$scrim" list $what --format jsonl >"$work/jsonl"
        check "list $what --format jsonl parses" python3 -m json.tool --json-lines "$work/jsonl"
        # shellcheck disable=SC2086
        "$scrim" list $what --format csv >"$work/csv"
        check "list $what in CSV and JSON agree" python3 -c '
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
assert rows and rows == json.load(open(sys.argv[2]))["rows"]
assert rows == [json.loads(line) for line in open(sys.argv[3])]' \
            "$work/csv" "$work/json" "$work/jsonl"
    done
else
    skip 'list in JSON' 'python3 is not installed'
fi

ran 1 'a full disk' sh -c "'$scrim' list >/dev/full"
err_is 'scrim list: cannot write standard output: No space left on device'
ran 1 'a full disk, help' sh -c "'$scrim' help >/dev/full"
err_lines 1
ran 1 'no standard output' sh -c "'$scrim' --version >&-"
err_lines 1
finish
