#!/bin/sh
# scrim run --interactive: the answers are those of a run at once, the charge comes first, and a run that is killed has
# recorded every answer that was shown.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
sure='sparse-vector sensitivity=1 epsilon=1000 threshold=10 count=2 neighbours=replace'

# ---- the same answers ----
printf '18\n21\n19\n22\n20\n23\nx\n\n1e3\n' >"$work/queries"
for line in 'above-threshold epsilon=2 sensitivity=1 threshold=20' \
    'sparse-vector epsilon=2 sensitivity=1 threshold=20 count=3' \
    'generalised-sparse-vector sensitivity=1 threshold=20 threshold-scale=2 query-scale=2 count=2' \
    'stagewise-sparse-vector sensitivity=1 threshold=20 threshold-scale=2 query-scale=2 count=3 stage=2' \
    'guess-and-check epsilon=8 sensitivity=1 threshold=3 count=3 guesses=18,25,19,2'; do
    for seed in 1 2 3; do
        # shellcheck disable=SC2086 # words
        "$O/scrim-test" run $line neighbours=add-remove --seed $seed --quiet <"$work/queries" >"$work/batch" 2>"$work/err"
        # A run at once may say for each query behind the last answer that it has halted, and has intervals of values.
        awk '{ print } /^halted/ { exit }' "$work/batch" | cut -d , -f 1,2 >"$work/want"
        # shellcheck disable=SC2086 # words
        "$O/scrim-test" run $line neighbours=add-remove --seed $seed --quiet --interactive <"$work/queries" >"$work/got" 2>"$work/err"
        check "${line%% *}: seed $seed has the answers of a run at once" cmp "$work/want" "$work/got"
    done
done
# Private multiplicative weights: the counts, and a query a line; at once two lines an answer, its value and where it is from.
weights='online-weights bins=3 total=740 threshold=60 updates=2 epsilon=1 neighbours=replace'
printf '1,0,0\n1,1,0\n1,1,1\n0,1,0\n0,0,1\n1,0,1\n0,1,1\n' >"$work/queries"
for seed in 1 2 3 4 5; do
    # shellcheck disable=SC2086 # words
    printf '120\n340\n280\n' | "$O/scrim-test" run $weights "coefficients=$(paste -sd , "$work/queries")" --seed $seed --quiet >"$work/batch" 2>"$work/err"
    awk 'NR == 1 { print "answer,value"; next } NR % 2 == 0 { value = $0; next } { print ($0 == 1 ? "above," : "below,") value; made += $0 == 1 }
        made == 2 { print "halted,"; exit }' "$work/batch" >"$work/want"
    # shellcheck disable=SC2086 # words
    { echo 120,340,280 && cat "$work/queries"; } | "$O/scrim-test" run $weights --seed $seed --quiet --interactive >"$work/got" 2>"$work/err"
    check "weights: seed $seed has the answers of a run at once" cmp "$work/want" "$work/got"
    cat "$work/got" >>"$work/all"
done
check 'weights: some queries are measured, others are not, and a run halts' sh -c "grep -q ^above '$work/all' && grep -q ^below '$work/all' && grep -q ^halted '$work/all'"
ran 0 'a query that is none' sh -c "printf '120,340,280\n1,1\n1,1,1,1\n1,1,2\n1,1,x\n1,1,1/2\n1,1,1\n' | '$scrim' run $weights --interactive --quiet"
out_is 'answer,value
invalid,
invalid,
invalid,
invalid,
invalid,
below,740'
err_has "scrim run: a query is 3 coefficients from 0 to 1, separated by commas, multiples of the grid's step"
ran 0 'JSON' sh -c "printf '5\n20\n' | '$scrim' run $sure numeric=yes --interactive --format jsonl --quiet"
out_is '{"answer":"below","value":null}
{"answer":"above","value":20}'
ran 0 'no query' sh -c "'$scrim' run $sure --interactive --quiet </dev/null"
out_is 'answer,value'
ran 0 'a long line' sh -c "{ head -c 200000 /dev/zero | tr '\\0' 9; echo; echo 1; } | '$scrim' run $sure --interactive --quiet"
out_is 'answer,value
above,
below,'

# A line of counts longer than 65,535 bytes: the last of 256 bins, which a query asks for, stands behind that.
awk 'BEGIN { for (i = 1; i < 256; i++) printf "%0300d,", 1000; print 500000
    for (i = 1; i < 256; i++) printf "0,"; print 1 }' >"$work/long"
check 'a long line of counts: is longer than 65535 bytes' test "$(head -n 1 "$work/long" | wc -c)" -gt 65535
ran 0 'a long line of counts' sh -c "'$scrim' run online-weights bins=256 total=755000 threshold=60 updates=2 epsilon=1000 neighbours=replace --interactive --quiet <'$work/long'"
check 'a long line of counts: all of them are there' sh -c "sed -n 's/^above,//p' out | awk '{ exit !(\$1 > 499900 && \$1 < 500100) }'"

# ---- refusals ----
refused() {
    label=$1 message=$2
    shift 2
    ran 2 "$label" "$scrim" run "$@" --interactive </dev/null
    out_is ''
    err_lines 1
    err_has "scrim run: $message"
}
refused 'a mechanism that is not interactive' 'laplace is not interactive; release it in one piece' \
    laplace sensitivity=1 epsilon=1 neighbours=add-remove
# shellcheck disable=SC2086 # words
refused 'a header' '--interactive reads one value per line' $sure --header
# shellcheck disable=SC2086 # words
refused 'one document' 'an interactive run has no end to wait for' $sure --json
ran 1 'a full disk' sh -c "printf '1\n2\n' | '$scrim' run $sure --interactive --quiet >/dev/full"
err_is 'scrim run: cannot write standard output: No space left on device'

# ---- an input that cannot be read ----
ran 6 'a folder' sh -c "'$scrim' run $sure --interactive </"
out_is ''
err_is 'scrim run: cannot read standard input: Is a directory'
ran 6 'a closed input' sh -c "'$scrim' run $sure --interactive <&-"
out_is ''
err_lines 1

# shellcheck disable=SC2086 # words
refused 'weights without counts' 'online-weights was made for 3 values' $weights
ran 2 'weights with queries' sh -c "echo 1,2,3 | '$scrim' run $weights workload=each --interactive"
err_is 'scrim run: online-weights has its queries already; release it in one piece, or leave out coefficients and workload'
ran 0 'weights with a grid' sh -c "printf '120,340,280\n1/2,1/2,1/2\n' | '$scrim' run $weights grid=1/2 --interactive --quiet"
out_is 'answer,value
below,370'
ran 2 'weights at once need queries' sh -c "printf '1\n2\n3\n' | '$scrim' run $weights"
err_has 'scrim run: online-weights has no queries yet; give coefficients or workload'

# ---- in a vault ----
printf 'x\n1\n' >"$work/rows.csv"
export SCRIM_VAULT="$work/scrim.vault"
"$scrim" init --quiet >"$work/out" 2>&1 || cat "$work/out"
"$scrim" dataset add rows --csv "$work/rows.csv" --unit row --column 'x=int[0,9]' --budget epsilon=3001 --neighbours replace --quiet --no-check >"$work/out" 2>&1 || cat "$work/out"
mkfifo "$work/in" "$work/answers"
# shellcheck disable=SC2086 # words
"$scrim" run $sure --charge rows --interactive <"$work/in" >"$work/answers" 2>"$work/notes" &
run=$!
exec 3>"$work/in" 4<"$work/answers"
read -r header <&4
check 'a vault: the header comes before the first query' test "$header" = 'answer,value'
ran 0 'a vault: charged before the first query' "$scrim" ledger rows --format csv
out_has 'sparse-vector'
echo 5 >&3
read -r first <&4
echo 50 >&3
read -r second <&4
check 'a vault: each line is answered before the next' test "$first $second" = 'below, above,'
kill -KILL $run
wait $run 2>/dev/null
exec 3>&- 4<&-
check 'a vault: the note names the release' grep -q 'cost        epsilon 1000, delta 0; charged for the whole run, release 1' "$work/notes"
ran 0 'killed: both answers are in the ledger' "$scrim" replay 1 --format csv --quiet
out_has 'below,'
out_has 'above,'
ran 0 'killed: the ledger holds' "$scrim" ledger verify
# shellcheck disable=SC2086 # words
ran 0 'another run is charged anew' sh -c "printf '50\n60\n70\n' | '$scrim' run $sure --charge rows --interactive --quiet"
out_is 'answer,value
above,
above,
halted,'
ran 0 'replayed' "$scrim" replay 2 --format csv --quiet
out_has 'above,'
mkfifo "$work/in2" "$work/answers2"
# shellcheck disable=SC2086 # words
"$scrim" run $weights --charge rows --interactive --quiet <"$work/in2" >"$work/answers2" 2>"$work/notes" &
run=$!
exec 3>"$work/in2" 4<"$work/answers2"
echo 700,20,20 >&3
read -r header <&4
echo 1,1,1 >&3
read -r first <&4
kill -KILL $run
wait $run 2>/dev/null
exec 3>&- 4<&-
check 'weights in a vault: each line is answered before the next' test "$header $first" = 'answer,value below,740'
ran 0 'weights in a vault: killed, the answer is in the ledger' "$scrim" replay 3 --format csv --quiet
out_has 'below,'
ran 0 'weights in a vault: the ledger holds' "$scrim" ledger verify
ran 0 'the third fits' sh -c "echo 1 | '$scrim' run $sure --charge rows --interactive --quiet"
ran 4 'the fourth does not fit' sh -c "echo 1 | '$scrim' run $sure --charge rows --interactive --quiet"
out_is ''
finish
