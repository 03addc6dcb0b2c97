#!/bin/sh
# A key that the selection leaves out leaves no trace: of two files that differ in such keys alone every
# byte is the same that the program prints, draws or records, and so is every status. Each file becomes a version
# of the same vault, copied; keyed digests of its bytes are the only difference in the ledger.
# shellcheck disable=SC2016,SC2086,SC2317 # programs of awk and sh; functions that check calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
seeded=$(cd "$O" && pwd)/scrim-test
cd "$work" || exit 1

# ---- tables: 300 people in three cities, and 40 more, each alone in another ----
people() { awk 'BEGIN { for (i = 0; i < 300; i++) printf "p%03d,c%d,%d\n", i, i % 3, i % 10 }'; }
# alone LETTER: their cities begin with it.
alone() { awk -v c="$1" 'BEGIN { for (i = 0; i < 40; i++) printf "q%03d,%s%02d,7\n", i, c, i }'; }
mkdir tables
{ echo 'id,city,age' && people && alone k; } >tables/some
# Other names in the same places, and before and between those that are kept.
{ echo 'id,city,age' && people && alone m; } >tables/others
{ echo 'id,city,age' && people && { alone a | head -n 20 && alone k | tail -n 20; }; } >tables/elsewhere
# None; empty lines are no rows.
{ echo 'id,city,age' && people; } >tables/none
# One.
{ echo 'id,city,age' && people && { alone k | head -n 1; }; } >tables/one
size=$(wc -c <tables/some)
for table in tables/*; do
    missing=$((size - $(wc -c <"$table")))
    awk -v n=$missing 'BEGIN { for (i = 0; i < n; i++) print "" }' >>"$table"
    touch -d '2026-01-02 03:04:05 UTC' "$table"
done
check 'all tables have one size' sh -c '[ "$(cat tables/* | wc -c)" -eq $((5 * '"$size"')) ]'
# Declared with a line more, so that each table is another version.
{ cat tables/some && echo; } >table.csv
"$seeded" init --no-witness --quiet 2>/dev/null
"$seeded" dataset add people --csv table.csv --unit id --max-rows 1 --column 'age=int[0,9]' --column city=text \
    --max-groups 2 --budget epsilon=1e6,delta=0.1 --quiet 2>/dev/null
"$seeded" dataset add single --csv table.csv --unit id --rows-per-unit 1 --column 'age=int[0,9]' --column city=text \
    --budget epsilon=1e6,delta=0.1 --quiet 2>/dev/null
cp scrim.vault first.vault

# ---- all that is seen of a table ----
# seen COMMAND...: status, both streams.
seen() {
    got=0
    "$seeded" "$@" >stdout 2>stderr </dev/null || got=$?
    { echo "== $*: $got" && cat stdout && echo '--' && cat stderr; } >>all
}
cat >batch.sql <<'END'
SELECT city, COUNT(DISTINCT id) AS u, SUM(age) AS s GROUP BY city;
SELECT city, COUNT(*) AS n GROUP BY city HAVING n > 0 ORDER BY n DESC LIMIT 2
END
cat >noisy.sql <<'END'
SELECT city, MEDIAN(age) AS m, MAX(age) AS x GROUP BY city;
SELECT city, HISTOGRAM(age, 2) AS h GROUP BY city
END
share= # an option, word by word
# look TABLE EPSILON: everything, but for times and what is hashed of them.
look() {
    rm -f scrim.vault-* all ./*.svg ./*.html
    cat first.vault >scrim.vault # the same file: a copy of a vault is refused
    cp -p "tables/$1" table.csv
    for dataset in people single; do
        "$seeded" dataset update $dataset --quiet 2>/dev/null
    done
    for dataset in people single; do
        # the second is another view of the first
        for format in $(test $dataset = people && echo csv json || echo jsonl table); do
            seen query $dataset "SELECT city, COUNT(*) AS $format, AVG(age) AS a GROUP BY city" \
                --epsilon "$2" --delta 1e-9 $share --seed 11 --format "$format" --plot --svg "$format.svg"
        done
        seen query $dataset "SELECT city, COUNT(DISTINCT id) AS n GROUP BY city ORDER BY n" \
            --epsilon "$2" --delta 1e-9 $share --seed 12
        seen query $dataset --file batch.sql --epsilon "$2" --delta 1e-9 $share --seed 13 --json
        test "$2" = 900 || seen query $dataset --file noisy.sql --epsilon "$2" --delta 1e-9 --seed 16
        # asked again; with such a key in a condition; and refused
        seen query $dataset --file batch.sql --epsilon "$2" --delta 1e-9 $share --seed 14 --json
        seen query $dataset "SELECT city, COUNT(*) AS n WHERE city <> 'z99' GROUP BY city" \
            --epsilon "$2" --delta 1e-9 $share --seed 15
        seen query $dataset 'SELECT city, COUNT(*) AS n GROUP BY city' --epsilon 1 --delta 0.2
        seen budget $dataset --format csv --quiet
    done
    for release in $("$seeded" ledger --format csv --quiet 2>/dev/null | sed 1d | cut -d , -f 1); do
        seen report "$release"
    done
    seen replay "$release" --json
    seen report "$release" --json
    seen report "$release" --html label.html
    cat label.html >>all
    seen ledger --format csv
    seen ledger verify
    seen ledger export
    cat ./*.svg >>all
    sed 's/contents=salt=[0-9a-f,=a-z]*/CONTENTS/; s/[0-9a-f]\{64\}/HASH/g; s/salt [0-9a-f]\{32\}/SALT/g; s/20[0-9][0-9]-[01][0-9]-[0-3][0-9]T\{0,1\} \{0,1\}[0-9:]*Z\{0,1\}/TIME/g; s/\b1[0-9]\{9\}\b/TIME/g; s/[0-9]* [A-Z][a-z]* 20[0-9][0-9], [0-9:]* UTC/TIME/g' all >"$3"
}

# Noise as it is: other names for what is left out, in the same places. At a delta of 1e-9 none of 40
# is kept.
look some 2 expected
check 'answers were given' grep -q '^c1,' expected
check 'every query was answered, but the one beyond the budget' sh -c \
    '[ "$(grep -c "^== query.*: 0$" expected)" -eq 14 ] && [ "$(grep -c "^== query.*: 4$" expected)" -eq 2 ]'
check 'labels were made' sh -c '[ "$(grep -c "^== report.*: 0$" expected)" -eq 12 ] && grep -q "<svg" expected'
check 'the ledger was written out' grep -q 'row c2%00' expected
check 'no key that was left out is named' sh -c "! grep -q '[km][0-3][0-9],' expected"
look others 2 other
check 'other keys that are left out: every byte is the same' cmp expected other
# The same twice would prove nothing if the numbers did not depend on what is asked.
rm all
seen query people "SELECT city, COUNT(*) AS csv, AVG(age) AS a GROUP BY city" --epsilon 3 --delta 1e-9 --seed 11 --format csv
check 'another epsilon is another answer' sh -c 'grep -q "^c1," all && ! grep -q -x -F "$(grep "^c1," all)" expected'

# Without noise, but for what would happen once in 1e20 times: as many as there may be of them, and none.
# The count of people whose rows were left out is about all people, wherever they are: it has noise of its own, which an
# epsilon of 45 does not show. Without that count 40 people more, or one, leave no trace.
if [ "${LONG-}" = yes ]; then
    look some 900 expected
    for table in others elsewhere; do
        look $table 900 other
        check "$table: every byte is the same" cmp expected other
    done
fi
share='--cut-share 0'
look some 900 expected
check 'answers without noise' grep -q '^c1,100,' expected
check 'no key of one person is named' sh -c "! grep -q '[km][0-3][0-9],' expected"
for table in elsewhere none $([ "${LONG-}" != yes ] || echo one); do
    look $table 900 other
    check "$table: every byte is the same" cmp expected other
done
finish
