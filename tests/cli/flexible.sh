#!/bin/sh
# Maximum, mode and histograms: what is certain is said before anything is spent and again with the
# answer, in every format, and what cannot be had is refused.
# shellcheck disable=SC2016,SC2317 # programs of awk; functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

# 3000 people of ages 20 to 79, 50 of each, and one of 119; a visit on one of 12 days.
awk 'BEGIN {
    print "id,age,income,sex,day"
    for (i = 0; i < 3000; i++)
        printf "p%d,%d,%.2f,%s,2020-%02d-01\n", i, 20 + i % 60, i * 3.37, i % 3 ? "Male" : "Female", i % 12 + 1
    print "old,119,0,Other,2020-06-15"
}' >people.csv
"$scrim" init --quiet
"$scrim" dataset add people --csv people.csv --unit id --rows-per-unit 1 --column 'age=int[0,120]' --column 'income=decimal[0,20000]' \
    --column sex=text --column 'day=date[2020-01-01,2020-12-31]' --keys sex=Female,Male,Other \
    --neighbours add-remove --budget epsilon=100,delta=0.1 --quiet 2>/dev/null
echo 'id,age' >gone.csv
"$scrim" dataset add gone --csv gone.csv --unit id --rows-per-unit 1 --column 'age=int[0,120]' --neighbours add-remove --budget epsilon=9,delta=0.1 \
    --quiet 2>/dev/null
rm gone.csv
ask() { "$scrim" query people "$@"; }
explain() { "$scrim" explain people "$@"; }
mark() { before=$("$scrim" ledger export 2>/dev/null | tail -n 1); }
unmoved() { check "$name: nothing was charged" test "$before" = "$("$scrim" ledger export 2>/dev/null | tail -n 1)"; }

# ---- before anything is spent ----
mark
ran 0 'explain' explain 'SELECT MIN(age, 1), MAX(age, 1), RANGE(age, 1)' --epsilon 1 --delta 1e-6 --mechanism stlap --format table --verbose
unmoved
name=explain
check 'explain: one histogram for all three' test "$(grep -c 'stlap epsilon=1' out)" -eq 1
check 'explain: the sentence and the triple' sh -c 'tr -s " \n" " " <out | grep -q -F "max_age: after contribution bounds and clamping, at most 27 people of each bucket are left out, 3267 in all, and no person is added; the value is the true maximum of the rest, and no bucket above it holds more than 27 people dropped=3267 beta=0 gamma=0 distortion=drop metric=absolute case=worst"'
out_has 'delta 1e-6'
ran 0 'explain in wider buckets' explain 'SELECT RANGE(income, 500) AS r' --epsilon 1 --delta 1e-6 --mechanism stlap --json
out_has '"certificate": "after contribution bounds and clamping, at most 27 people of each bucket are left out, 1107 in all, and no person is added; the value is within 500 of the true range of the rest'
out_has '"flexible": "dropped=1107 beta=500 gamma=0'
out_has 'both ends stand for their buckets of 500: 249.99 for 0 to 499.99'
ran 0 'the width that was chosen' explain 'SELECT MODE(income)' --epsilon 1 --delta 1e-6 --mechanism stlap --json
out_has '; a value stands for its bucket of 500: 249.99 for 0 to 499.99"'
ran 0 'few values have wide buckets too where one each would show nothing' explain 'SELECT MAX(age)' --epsilon 1 --delta 1e-6 --mechanism stlap --json
out_has '"error": "1.15"'
out_has '; a value stands for its bucket of 2: 0 for 0 to 1"'
ran 0 'no error of a mode is drawn, but its plan is shown' explain 'SELECT MODE(age)' --epsilon 1 --delta 1e-6 --mechanism stlap --plot
out_has 'certificate mode_age'
err_has 'none is predicted for these columns'
ran 0 'explain in CSV' explain 'SELECT MAX(age, 1)' --epsilon 1 --delta 1e-6 --mechanism stlap --format csv
out_has 'statement,column,aggregate,low,high,error,relative,certificate'
check 'explain in CSV: the certificate is whole' grep -q 'and no bucket above it holds more than 27 people"*$' out
ran 0 'explain: from the start of a bucket' explain 'SELECT HISTOGRAM(age, 10)' --epsilon 1 --delta 1e-6 --mechanism stlap --json
out_has '"flexible": "dropped=351 beta=9 gamma=0 distortion=drop metric=move'
ran 0 'a caution where nothing will be shown' explain 'SELECT MAX(age, 1) AS m, COUNT(*)' --epsilon 1 --delta 1e-6 --mechanism stlap --format table
check 'a caution: what to do' sh -c 'tr -s " \n" " " <out | grep -q "caution m: of 1000 rows that are spread evenly a bucket has 8, and up to [0-9]* of each are left out: most likely none is shown, and there is no value; take a larger epsilon or delta, or wider buckets"'
ran 0 'a caution in JSON' explain 'SELECT MAX(age, 1)' --epsilon 1 --delta 1e-6 --mechanism stlap --json
out_has '"caution": "of 1000 rows that are spread evenly'
ran 0 'no caution where it will' explain 'SELECT MAX(age, 10)' --epsilon 1 --delta 1e-6 --mechanism stlap --json
check 'no caution where it will: none' sh -c '! grep -q caution out'
ran 0 'a caution with the answer' ask 'SELECT MAX(age, 1) AS m' --epsilon 0.01 --delta 1e-6 --mechanism stlap
err_says 'caution     m: of 1000 rows that are spread evenly a bucket has 8, and up to'
ran 0 'explain: no data are opened' "$scrim" explain gone 'SELECT MODE(age)' --epsilon 1 --delta 1e-6 --mechanism stlap
ran 6 'the source is looked for when it is asked' "$scrim" query gone 'SELECT MODE(age)' --epsilon 1 --delta 1e-6 --mechanism stlap

# ---- answers ----
extremes='SELECT sex, MIN(age) AS low, MAX(age) AS high, RANGE(age) AS r GROUP BY sex'
ran 0 'CSV' ask "$extremes" --epsilon 4 --delta 1e-6 --mechanism stlap
check 'CSV: the names' grep -q -x 'sex,low,low_low,low_high,high,high_low,high_high,r,r_low,r_high' out
check 'CSV: the ends' grep -q -x 'Male,21,0,21,79,79,120,58,58,120' out
check 'CSV: one person is no maximum: there is no value' grep -q -x 'Other,,0,120,,0,120,,0,120' out
err_has 'interval    always holds'
check 'who may be hidden comes with the answer' sh -c 'tr -s " \n" " " <err | grep -q "about low, high, r: may ignore up to [0-9]* people of each bucket, [0-9]* in all of each group "'
ask "$extremes" --epsilon 4 --delta 1e-6 --mechanism stlap --json >answer
check 'the certificate is that of explain' sh -c "'$scrim' explain people '$extremes' --epsilon 4 --delta 1e-6 --mechanism stlap --json | grep -o 'after contribution bounds [^\"]*maximum[^\"]*' >said && grep -q -F \"\$(cat said)\" answer"
release=$(sed -n 's/^release *\([0-9]*\),.*/\1/p' err)
ran 0 'JSON' ask "$extremes" --epsilon 4 --delta 1e-6 --mechanism stlap --json --quiet
out_has '"high": {"value": 79, "low": 79, "high": 120}'
out_has '"sex": "Other", "low": {"value": null, "low": 0, "high": 120}'
out_has '"certificates": {"low": "after contribution bounds and clamping, at most'
ran 0 'a table' ask "$extremes" --epsilon 4 --delta 1e-6 --mechanism stlap --format table --quiet
check 'a table: no value' grep -q 'Other .*none *\[' out
bars='SELECT sex, MAX(age) AS high GROUP BY sex'
ran 0 'bars in a table' ask "$bars" --epsilon 4 --delta 1e-6 --mechanism stlap --format table --quiet
check 'bars in a table: a dot at a value' grep -q 'Male .*o-*|' out
check 'bars in a table: no bar without a value' sh -c '! grep "Other " out | grep -q -e "|--"'
ran 0 'bars alone' ask "$bars" --epsilon 4 --delta 1e-6 --mechanism stlap --plot --quiet
check 'bars alone: a dot at a value' grep -q 'Male .*o-*|' err
check 'bars alone: no dot without one' grep -q 'Other  *none' err
ran 0 'dates as bars' ask 'SELECT sex, MAX(day, 1) AS last GROUP BY sex' --epsilon 4 --delta 1e-6 --mechanism stlap --plot --quiet
check 'dates as bars: in their place, not from 0 on' grep -q '  Male  *o-*|  2020-12-01$' err
check 'dates as bars: no bar without a value' grep -q '  Other  *none$' err
ran 0 'a support as marks' ask 'SELECT SUPPORT(age, 20)' --epsilon 4 --delta 1e-6 --mechanism stlap --plot --quiet
check 'a support as marks: one a bucket' grep -q -x '  o-*o-*o' err
check 'a support as marks: its ends' grep -q -x '  20  *60' err
ran 0 'a support has no interval' ask 'SELECT SUPPORT(age, 20)' --epsilon 4 --delta 1e-6 --mechanism stlap
check 'a support has no interval: and no word of one' sh -c '! grep -q "^interval" err'
ran 0 'HAVING and ORDER BY' ask "$extremes HAVING high > 0 OR NOT high > 0 ORDER BY high" --epsilon 4 --delta 1e-6 --mechanism stlap
out_lines 3
ran 0 'an empty value is last' ask "$extremes ORDER BY high DESC" --epsilon 4 --delta 1e-6 --mechanism stlap
check 'an empty value is last: it is' sh -c 'tail -n 2 out | tr "\n" " " | grep -q "^Other,.* ,"' # and so is that of NULL, whose key is last
ran 0 'A21 one value beyond all others does not decide' ask 'SELECT MAX(age) AS m, MAX_K(age, 20) AS k' --epsilon 4 --delta 1e-6 --mechanism stlap
check 'A21 it does not' grep -q -x '79,79,120,79,79,120' out
check 'a value that is shown: no caution that there is none' sh -c '! sed -n "/^cost/,\$p" err | grep -q "most likely"'
ran 0 'dates' ask 'SELECT MAX(day, 1) AS last, RANGE(day, 1) AS days' --epsilon 4 --delta 1e-6 --mechanism stlap
check 'dates: their ends, and days between them' grep -q -x '2020-12-01,2020-12-01,2020-12-31,335,335,365' out

ran 0 'several histograms and a count, charged together' ask \
    'SELECT COUNT(*) AS c, MAX(age) AS m, MAX(income, 500) AS i, MODE(day) AS d, MIN(age, 7) AS l' --epsilon 2 --delta 1e-6 --mechanism stlap --json
out_has '"d": {"value": "2020-'
err_has 'confidence 0.95; covers the noise only'
err_says 'intervals of columns with an accuracy guarantee always hold'
out_has '"certain": ["m", "i", "d", "l"]'

check 'the confidence is of the others' grep -q '"confidence": "0.95"' out
ran 0 'all of it is certain' ask 'SELECT MAX(age, 10), MIN(age, 10)' --epsilon 1 --delta 1e-6 --mechanism stlap --json --quiet
out_has '"certain": ["max_age", "min_age"], "confidence": "1",'
refuse_statistic=$("$scrim" ledger --format csv 2>/dev/null | tail -n 1 | cut -d , -f 1)
ran 2 'a statistic of a query' "$scrim" replay "$refuse_statistic" --statistic max
err_has 'in a query write MAX(x) instead'

# ---- a row a bucket ----
ran 0 'a histogram' ask 'SELECT HISTOGRAM(age, 10)' --epsilon 4 --delta 1e-6 --mechanism stlap
check 'a histogram: its columns' grep -q -x 'bucket,count,count_low,count_high' out
check 'a histogram: the buckets' test "$(sed 1d out | cut -d , -f 1 | tr '\n' ' ')" = '20 30 40 50 60 70 '
check 'a histogram: never too much' awk -F , 'NR > 1 && !($2 <= 500 && 500 <= $4 && $2 == $3) { exit 1 }' out
ran 0 'its names' ask 'SELECT sex, HISTOGRAM(age, 10) AS n GROUP BY sex HAVING n > 5 ORDER BY n_bucket DESC, sex' --epsilon 4 --delta 1e-6 --mechanism stlap
check 'its names: behind AS' grep -q -x 'sex,n_bucket,n,n_low,n_high' out
check 'its names: as ordered' test "$(sed -n '2,3p' out | cut -d , -f 1,2 | tr '\n' ' ')" = 'Female,70 Male,70 '
err_says 'a row is named by the first value of its bucket of 10: 0 for 0 to 9'
ran 0 'the support' ask 'SELECT SUPPORT(age, 20)' --epsilon 4 --delta 1e-6 --mechanism stlap --json --quiet
out_has '{"support_age": 20},'
out_has '"certificates": {"support_age": "after contribution bounds and clamping, at most'

# ---- without a delta: noise in each bucket ----
ran 0 'explain without a delta' explain 'SELECT HISTOGRAM(age, 10)' --epsilon 1
out_has 'cost        epsilon 1, delta 0'
out_says 'count: with probability 0.95, after contribution bounds and clamping, all counts together are within 5 people of the true ones'
ran 0 'a histogram without a delta' ask 'SELECT HISTOGRAM(age, 10)' --epsilon 1 --quiet
check 'every bucket has a row' test "$(wc -l <out)" -eq 14
check 'counts are near the truth' awk -F, 'NR > 1 { n = $1 >= 20 && $1 < 80 ? 500 : 0; if ($2 < n - 40 || $2 > n + 40 || $3 > $2 || $4 < $2) exit 1 }' out
ran 0 'the ends are read from it' ask 'SELECT MIN(age, 10) AS low, MAX(age, 10) AS high' --epsilon 1 --json
out_has '"view": true'
out_says '"certificates": {"low": "with probability 0.95, after contribution bounds and clamping, at most'
check 'nothing is certain' sh -c '! grep -q "\"certain\"" out'
ran 0 'with a delta, either is compared' explain 'SELECT HISTOGRAM(age, 10)' --epsilon 1 --delta 1e-6
out_says 'laplace in each bucket, not histograms that only lose rows, which would have count ± 13.5'
out_has 'cost        epsilon 1, delta 0'
# Noise in each bucket is nothing that always holds: arithmetic, which says so, is no view of it.
for noise in '' '--mechanism laplace'; do
    # shellcheck disable=SC2086 # words
    ran 0 "buckets with noise $noise" ask 'SELECT MAX(age, 1) AS a, MIN(age, 1) AS b' --epsilon 0.9 --delta 1e-6 $noise --json
    out_has '"confidence": "0.95"'
    # shellcheck disable=SC2086 # words
    ran 0 "arithmetic is no view of them $noise" ask 'SELECT MAX(age, 1) - MIN(age, 1) AS d' --epsilon 0.9 --delta 1e-6 $noise
    err_has 'charged     epsilon 0.9, delta'
    err_has 'interval    always holds'
    # shellcheck disable=SC2086 # words
    ran 0 "another order is a view of them $noise" ask 'SELECT MIN(age, 1) AS b, MAX(age, 1) AS a' --epsilon 0.9 --delta 1e-6 $noise
    err_has 'nothing was charged now'
done
ran 0 'the smaller epsilon reaches a target' explain 'SELECT HISTOGRAM(age, 10)' --target-error 3 --delta 1e-6
out_says 'laplace in each bucket, not histograms that only lose rows'
ran 2 'stlap without a delta' explain 'SELECT MAX(age)' --epsilon 1 --mechanism stlap
err_has 'stlap needs a delta, e.g. 1e-7'
ran 0 'laplace noise is asked for' explain 'SELECT HISTOGRAM(age, 10)' --epsilon 1 --delta 1e-6 --mechanism laplace
out_says 'all counts together are within'

# ---- what is refused ----
refused() {
    status=$1 label=$2 message=$3
    shift 3
    mark
    ran "$status" "$label" "$@"
    err_has "$message"
    unmoved
}
refused 2 'arithmetic without a delta' 'arithmetic on MAX needs a delta, e.g. 1e-7; add --delta D' ask 'SELECT MAX(age) - MIN(age) AS d' --epsilon 1
refused 2 'too many buckets without a delta' 'a histogram has at most 65536 buckets in each of these groups; take a larger width, or fewer groups' ask 'SELECT MAX(income, 0.1)' --epsilon 1
refused 2 'text' 'try SELECT sex, COUNT(*) AS n GROUP BY sex ORDER BY n DESC LIMIT 1' ask 'SELECT MODE(sex)' --epsilon 1 --delta 1e-6
refused 3 'more than rows of buckets' 'SUPPORT must be the only aggregate' ask 'SELECT SUPPORT(age), COUNT(*)' --epsilon 1 --delta 1e-6
refused 2 'a width between values' 'the bucket width must be above 0 and a multiple of 1' ask 'SELECT MAX(age, 1.5)' --epsilon 1 --delta 1e-6
refused 2 'too many buckets' 'more than 1048576 buckets of this width; use 0.02 or more' ask 'SELECT MAX(income, 0.01)' --epsilon 1 --delta 1e-6
refused 2 'no error of a mode' 'MODE and SUPPORT have no predicted error' ask 'SELECT MODE(age)' --target-error 1 --delta 1e-6
refused 4 'too much' 'budget' ask 'SELECT MAX(age) AS dear' --epsilon 1000 --delta 1e-6

# ---- the label and the ledger ----
ran 0 'the label' "$scrim" report "$release" --format table
check 'the label: the certificate in place of a probability' sh -c '! grep -q "with probability" out'
out_has 'certificate low: after contribution bounds and clamping,'
ran 0 'the label as JSON' "$scrim" report "$release" --json
out_has '"flexible": "dropped='
ran 0 'the page' "$scrim" report "$release" --html label.html
check 'the page: the certificate' grep -q '<dt>Certificate</dt>' label.html
check 'the page: no value' grep -q 'no usable value<small>the noise leaves everything possible' label.html
ran 0 'a plot of the release' "$scrim" replay "$release" --plot
check 'a plot of the release: no bar where everything is possible' grep -q -x '    NULL *none' err
ran 0 'the label is verified' "$scrim" report verify label.html
sed 's/stlap epsilon=4/stlap epsilon=3/g' label.html >lie.html
ran 7 'another claim is not' "$scrim" report verify lie.html
"$scrim" report "$release" | sed -n '/^scrim-label 7$/,/^hash /p' | grep -v '^hash ' |
    sed 's/^software.version .*/software.version 0.0.9/
        s/^certificate.1.statement .*/certificate.1.statement nobody is left out/' >lie
echo "hash $(sha256sum <lie | cut -d ' ' -f 1)" >>lie
ran 7 'nor is another certificate, of whatever version' "$scrim" report verify lie
err_has 'certificate.1.statement does not hold'
# In the words of format 4 the certificates are the same, and the signature alone is missing.
before='s/^scrim-label 7/scrim-label 4/; s/after contribution bounds and/after bounding and/; s/no \(person\|row\) is added/nobody is invented/'
for change in '' 's/^\(certificate.1.statement .* at most \)[0-9]*/\11/'; do
    "$scrim" report "$release" | sed -n '/^scrim-label 7$/,/^hash /p' | grep -v '^hash ' | sed "$before; $change" >earlier
    echo "hash $(sha256sum <earlier | cut -d ' ' -f 1)" >>earlier
    ran 7 "a certificate in earlier words${change:+, with another number}" "$scrim" report verify earlier
    if [ -n "$change" ]; then
        err_has 'certificate.1.statement does not hold'
    else
        err_has 'the label has no signature, although its vault has a key'
    fi
done
ran 0 'the ledger recomputes every charge' "$scrim" ledger verify
ran 0 'replayed' "$scrim" replay "$release" --format csv --quiet
check 'replayed: the same' grep -q -x 'Male,21,0,21,79,79,120,58,58,120' out
ran 0 'drawn' ask "$extremes" --epsilon 4 --delta 1e-6 --mechanism stlap --svg drawing.svg --quiet
check 'drawn: intervals are certain' sh -c 'grep -q "intervals hold with certainty" drawing.svg && ! grep -q "confidence" drawing.svg'
check 'drawn: a bar without a dot where there is no value' test "$(grep -c 'class="dot"' drawing.svg)" -eq 6

finish
