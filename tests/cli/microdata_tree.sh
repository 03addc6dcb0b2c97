#!/bin/sh
# scrim microdata: a tree of counts from the data to its files, and the check of tables.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
export SCRIM_VAULT=people.vault

awk 'BEGIN {
    print "id,country,sex,age,name,ok"
    for (i = 0; i < 900; i++)
        printf "%d,%s,%s,%d,Ann,%s\n", i, i % 9 == 0 ? "Peru" : i % 10 == 1 ? "\"Cuba, south\"" : "Japan", i % 3 ? "Male" : "Female", i % 80, i % 7 ? "true" : "false"
}' >people.csv
printf 'Peru\nCuba, south\nJapan\nLaos\n' >countries
"$scrim" init >said 2>&1
"$scrim" dataset add people --csv people.csv --unit id --column country=text --keys country=@countries --missing country=Japan \
    --column sex=text --keys sex=Female,Male --column 'age=int[0,79]' --missing age=0 --column name=text --column ok=bool --rows-per-unit 1 \
    --budget epsilon=5000,delta=1e-6 >said 2>&1
awk 'BEGIN {
    print "id,sex,ok,old"
    for (i = 0; i < 900; i++)
        printf "%d,%s,%s,true\n", i % 100, i % 2 ? "Male" : "Female", i < 450 ? "true" : "false"
}' >visits.csv
"$scrim" dataset add visits --csv visits.csv --unit id --column sex=text --keys sex=Female,Male --missing sex=Male --column ok=bool \
    --missing ok=true --column old=bool --max-groups 1 --max-rows 3 --budget epsilon=5000,delta=1e-6 >said 2>&1

ran 0 'release: CSV' "$scrim" microdata release people --levels country,sex --epsilon 1 --records records.csv \
    --measurements noisy.csv --svg tree.svg --plot
cp out counts.csv
check 'a row for each of 1 + 4 + 12 groups' test "$(wc -l <counts.csv)" -eq 18
out_has 'level,country,sex,n,n_low,n_high,estimate,noisy,simulated_low,simulated_high,standing'
out_has '1,"Cuba, south",,'
err_says 'level       country: 4 counts'
err_says 'simulated   these intervals have no guarantee'
err_says 'charged     epsilon 1 to people'
err_has 'above 100 %'
check 'the plot names groups that are wide' grep -q '^country  *[^ ].*[^ a-z] Japan [^ a-z]' err
check 'and has lines between groups' grep -q '^country  .*[|│]' err
check 'bounds are said once' test "$(grep -c '^bounds ' err)" -eq 1
check 'of all levels' sh -c 'tr -s "\n " " " <err | grep -q "rows whose country or sex is not a listed key are ignored"'
check 'it has a record for each counted person' sh -c 'test $(($(wc -l <records.csv) - 1)) -eq $(sed -n "s/^0,,,\([0-9]*\),.*/\1/p" counts.csv)'
check 'records have the columns of the levels' sh -c 'head -n 1 records.csv | grep -qx country,sex'
check 'measurements have all noisy counts' test "$(wc -l <noisy.csv)" -eq 18
check 'measurements have their variance' grep -q ',17\.[0-9]*,laplace sensitivity=1 epsilon=1/3 neighbours=add-remove$' noisy.csv
check 'SVG' grep -q '<title>Japan, Male: [0-9]* \[' tree.svg
check 'SVG is well formed' python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse("tree.svg")'

ran 0 'the same release again is free' "$scrim" microdata release people --levels country,sex --epsilon 1
check 'and the same' cmp out counts.csv
err_says 'release 1 was charged earlier; nothing was charged now'
err_says "release     1, shown again by 'scrim microdata show 1'"
ran 0 'show is the same' "$scrim" microdata show 1
check 'byte by byte' cmp out counts.csv
ran 0 'show: JSON' "$scrim" microdata show 1 --json --runs 0
check 'JSON parses' python3 -m json.tool out
out_has '"measurement": "laplace sensitivity=1 epsilon=1/3 neighbours=add-remove"'
ran 0 'show: table' "$scrim" microdata show 1 --format table --quiet
err_is ''
out_has 'Cuba, south'
ran 0 'replay has the noisy counts' "$scrim" replay 1
out_has 'country,group_count,group_count_low,group_count_high'
ran 0 'report is its label' "$scrim" report 1
out_has 'release 1 of people'

ran 0 'shares: a level that is not measured' "$scrim" microdata release people --levels country,sex --epsilon 2 --shares 1,0,3 --runs 0
err_says 'level       country: 4 counts, +- '
err_says '(not measured, estimate'
ran 0 'Gaussian noise' "$scrim" microdata release people --levels "sex,BUCKET(age, 20)" --epsilon 1 --delta 1e-7 --mechanism gaussian
cp out ages.csv
out_has 'level,sex,bucket_age,n,'

# Known counts.
ran 0 'known counts' "$scrim" microdata show 1 --invariant total:900 --invariant 'country=Peru,sex=Male:60' \
    --invariant 'country=Peru:100' --invariant 'country=Peru,sex=Female:40' --runs 100
cp out known.csv
err_says 'country=Peru,sex=Female:40 (and 1 that follows): published exactly and not protected'
err_says 'the known count country=Peru,sex=Male:60 does not fit: without it the estimate is'
ran 0 'known counts as JSON and SVG' "$scrim" microdata show 1 --invariant total:900 --runs 0 --json --svg known.svg
out_has '"known": "total:900: published exactly and not protected;'
check 'known counts that fit are not doubted' sh -c '! grep -q doubt out && ! grep -q "^caution" err'
ran 0 'a known count that does not fit, as a file' "$scrim" microdata show 1 --invariant total:99999 --runs 0 --out doubted.csv
"$scrim" ledger key >owner.key
ran 0 'verify shows what is known and what is doubted' "$scrim" report verify doubted.csv --key owner.key --format table
out_has 'known       total:99999: published exactly and not protected;'
out_has 'caution     the known count total:99999 does not fit: without it the estimate is'
ran 0 'a file without known counts' "$scrim" microdata show 1 --runs 0 --out plain.csv
check 'its label has neither' sh -c '! grep -qE "^file\.(known|doubt)" plain.csv.label'
sed 's/^file.doubt .*/file.doubt none/' doubted.csv.label >forged.label
cp doubted.csv forged.csv && cp forged.label forged.csv.label
ran 7 'a doubt that was taken out of the label' "$scrim" report verify forged.csv --key owner.key
# Facts of a label that nobody signed may steer a terminal, or look like a line of the verdict.
sed '/^hash /,$d; s/^file.known .*/&%1B[31m%0Averdict     verified/; s/^protection.unit .*/protection.unit p%1B[31m%0Averdict     verified/' \
    doubted.csv.label >steering.label
{
    cat steering.label
    sha256sum <steering.label | sed 's/^/hash /; s/ *-$//'
} >steering.csv.label
cp doubted.csv steering.csv
ran 7 'A61 a label whose facts steer' env SCRIM_VAULT=none "$scrim" report verify steering.csv --format table
out_has 'for one p?[31m?verdict     verified'
check 'they do not, in any line' sh -c "! grep -qe '$(printf '\033')' -e '^verdict  *verified' out"
check 'the drawing says so' grep -q '>1 known count is published exactly and is not protected<' known.svg
check 'all others of Peru are 0' grep -q '^2,Peru,,0,0,0,.*,revealed$' known.csv
ran 0 'check: known counts' "$scrim" microdata check known.csv --invariant total:900 --invariant country=Peru,sex=Male:60
ran 7 'check: another count' "$scrim" microdata check known.csv --invariant total:901
err_is 'known.csv: not signed; its claims were not checked
scrim microdata: known.csv: the count of total is not 901'
ran 2 'known counts that contradict each other' "$scrim" microdata show 1 --invariant total:9 --invariant country=Peru:10
err_is 'scrim microdata: a known count is not the sum of the known counts below it'

# Tables.
ran 0 'check' "$scrim" microdata check counts.csv counts.csv
err_is 'counts.csv: not signed; its claims were not checked
counts.csv: not signed; its claims were not checked
checked 34 counts in 2 tables: all sums agree, no count is below 0'
ran 0 'check: another tree' "$scrim" microdata check ages.csv --quiet
err_is ''
sed 's/^\(1,Japan,,\)[0-9]*,/\17,/' counts.csv >wrong.csv
ran 7 'check: a wrong sum' "$scrim" microdata check wrong.csv
err_has 'its parts do not add up to the count'
sed 's/^\(2,Japan,Male,\)[0-9]*,/\1-7,/' counts.csv >wrong.csv
ran 7 'check: a negative count' "$scrim" microdata check wrong.csv
err_has 'the count is below 0'
grep -v '^1,Japan' counts.csv >wrong.csv
ran 7 'check: a group is missing' "$scrim" microdata check wrong.csv
err_has 'the group that it is a part of is missing'
sed -n 'p; /^1,Japan/p' counts.csv >wrong.csv
ran 7 'check: a group twice' "$scrim" microdata check wrong.csv
err_has 'another row has the same keys'
ran 7 'check: two tables' "$scrim" microdata check counts.csv known.csv
err_has 'in counts.csv, line '
printf 'a,b\n1,2\n' >wrong.csv
ran 6 'check: no table' "$scrim" microdata check wrong.csv
err_has 'its first column is not level'
printf 'level,n\n0,x\n' >wrong.csv
ran 6 'check: no count' "$scrim" microdata check wrong.csv
err_has 'line 2: not a row of a table of counts'
ran 6 'check: no file' "$scrim" microdata check nothing.csv

# A table of noisy counts that were released apart.
printf '%s\n' level,area,noisy,variance 1,north,61,2 0,,105,2 '1,"west, far",40,2' 1,south,-3,2 >apart.csv
ran 0 'fit: least squares' "$scrim" microdata fit apart.csv
out_is 'level,area,n,noisy
0,,103,105
1,north,62,61
1,"west, far",41,40
1,south,0,-3'
err_has 'fitted 3 cells by squares; the total is 103, measured as 105; free of charge'
err_has 'error bounds are known for --method sum only'
cp out fitted.csv
ran 0 'fit: it adds up' "$scrim" microdata check fitted.csv
ran 0 'fit: the total first' "$scrim" microdata fit apart.csv --method sum --json
out_has '{"level": 0, "area": "", "n": 105, "noisy": 105}'
ran 0 'fit: a weight' "$scrim" microdata fit apart.csv --weight 0 --quiet
out_has '0,,101,105'
err_is ''
ran 0 'fit: the smallest largest error' "$scrim" microdata fit apart.csv --method largest --quiet
out_has ',south,0,'
# Decimals are fitted in units of the last one: this is the exact projection of 2.5, 1.25, -3 to a total of 3, by --method sum.
printf 'level,area,noisy\n0,,3\n1,a,2.5\n1,b,1.25\n1,c,-3\n' >reals.csv
ran 0 'fit: decimals' "$scrim" microdata fit reals.csv --method sum
out_is 'level,area,n,noisy
0,,3,3
1,a,2.13,2.5
1,b,0.87,1.25
1,c,0,-3'
printf 'level,area,noisy\n0,,3\n1,a,2.500\n1,b,1.25\n1,c,-3\n' >more.csv
ran 0 'fit: more decimals' "$scrim" microdata fit more.csv --method sum
out_is 'level,area,n,noisy
0,,3,3
1,a,2.125,2.5
1,b,0.875,1.25
1,c,0,-3'
cp out reals-fitted.csv
ran 0 'fit: decimals add up' "$scrim" microdata check reals-fitted.csv --invariant total:3
ran 7 'fit: another total' "$scrim" microdata check reals-fitted.csv --invariant total:2
for wrong in 1. .5 1.1234567891 1e3 1.5x; do
    printf 'level,area,noisy\n0,,3\n1,a,%s\n1,b,1\n' "$wrong" >wrong.csv
    ran 6 "fit: not a number: $wrong" "$scrim" microdata fit wrong.csv
done
ran 6 'fit: two levels' "$scrim" microdata fit noisy.csv
err_has 'is not a flat table: it needs one column of keys'
ran 6 'fit: no noisy counts' "$scrim" microdata fit counts.csv
ran 2 'fit: a method that is none' "$scrim" microdata fit apart.csv --method round
err_has "unknown method 'round'; use squares, largest or sum"
ran 2 'fit: a weight that is none' "$scrim" microdata fit apart.csv --weight -1
printf '%s\n' level,area,noisy 0,,5 1,a,2 1,a,3 >twice.csv
ran 6 'fit: a cell twice' "$scrim" microdata fit twice.csv
err_has 'line 4: another row has the same keys'
ran 2 'fit: no file' "$scrim" microdata fit

# The errors are known before anything is charged.
"$scrim" budget people --format csv >before 2>&1
ran 0 'plan: a tree' "$scrim" microdata plan people --levels country,sex --tables 'BUCKET(age, 40)' --epsilon 1 --svg plan.svg
cp out plan.csv
out_has 'level,table,counts,noise,error,radius,bound,lower,measurement'
check 'plan: cells of a table' grep -q '^sex,bucket_age,24,' plan.csv
check 'plan: SVG is well formed' python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse("plan.svg")'
ran 0 'plan: no lower bound' "$scrim" microdata plan people --levels sex --epsilon 1 --plot --svg plan.svg
check 'plan: an SVG without a lower bound' sh -c 'grep -q "counts of the last level</text>" plan.svg && ! grep -q "impossible below" plan.svg'
check 'plan: a plot without one' sh -c 'grep -q "counts of the last level" err && ! grep -q impossible err'
printf '%s\n' unit=row 'column=a=int[0,299]' >many.policy
ran 0 'plan: a lower bound' "$scrim" microdata plan --policy many.policy --levels a --epsilon 1 --svg bound.svg
check 'plan: an SVG with it' sh -c 'grep -q "impossible below, beside the total<" bound.svg && grep -q "stroke-dasharray=.6 4" bound.svg'
ran 0 'plan: for people' "$scrim" microdata plan people --levels country,sex --epsilon 1 --format table
out_has 'impossible below: no private table'
"$scrim" microdata plan people --levels country,sex --epsilon 1 --format csv >plan.csv
"$scrim" microdata show 1 --runs 0 2>notes >/dev/null
check 'plan: the error is that of the release' grep -q "^level  *sex:.* estimate $(awk -F, '$1 == "sex" { printf "%.4g", $5 }' plan.csv))" notes
"$scrim" budget people --format csv >after 2>&1
check 'plan: nothing was charged' cmp before after

# Tables of groups.
ran 0 'tables: several over one tree' "$scrim" microdata release people --levels country --tables 'sex,BUCKET(age, 40)' \
    --tables ok --queries 'total,sex,sex*BUCKET(age, 40):2,ok' --epsilon 1.5 --records records.csv --measurements noisy.csv
cp out cells.csv
out_has 'level,country,table,sex,bucket_age,ok,n,n_low,'
err_says 'table 1     country: 6 cells in each of 4, +- '
check 'bounds of all tables are said once' test "$(tr -s '\n ' ' ' <err | grep -o '1 row per id, as declared' | wc -l)" -eq 1
check 'with the listed keys of each' sh -c 'tr -s "\n " " " <err | grep -q "rows whose country or sex is not .* ignored rows whose country is not a listed key"'
check 'a row for each group and cell' test "$(wc -l <cells.csv)" -eq $((1 + 5 * (1 + 6 + 3)))
check 'measurements of each query' test "$(wc -l <noisy.csv)" -eq $((1 + 5 * (1 + 3 + 6 + 3)))
check 'a marginal among them' grep -q '^1,Japan,sex,Male,,,[-0-9]*,' noisy.csv
check 'records have all columns' sh -c 'head -n 1 records.csv | grep -qx country,sex,bucket_age,ok'
count_of() { sed -n "s/^1,Japan,$1,\([0-9]*\),.*/\1/p" cells.csv; }
check 'records of a group' test "$(grep -c '^Japan,' records.csv)" -eq "$(count_of '0,,,')"
check 'records of a cell of the first table' test "$(grep -c '^Japan,Male,40,' records.csv)" -eq "$(count_of 1,Male,40,)"
check 'records of a cell of the second table' test "$(grep -c '^Japan,.*,true$' records.csv)" -eq "$(count_of 2,,,true)"
ran 0 'check: tables' "$scrim" microdata check cells.csv
sed 's/^\(0,,1,Male,40,,\)[0-9]*,/\17,/' cells.csv >wrong.csv
ran 7 'check: cells of a group' "$scrim" microdata check wrong.csv
err_has 'its parts do not add up to the count'
grep -v '^1,[^,]*,1,Male,40,' cells.csv | grep -v '^1,"Cuba, south",1,Male,40,' | grep -v '^0,,1,Male,40,' >wrong.csv
ran 7 'check: cells that are missing' "$scrim" microdata check wrong.csv
err_has 'the cells of the group do not add up to its count'
ran 0 'show: JSON of tables' "$scrim" microdata show 4 --json --quiet
check 'JSON of tables parses' python3 -m json.tool out
out_has '"columns": "sex*bucket_age"'
check 'tables are simulated' awk -F, '$3 == 1 && $4 == "Male" && $5 == 40 && $1 == 0 { exit !($12 < $7 && $7 < $13) }' cells.csv
ran 0 'and need not be' "$scrim" microdata show 4 --runs 0
check 'tables that are not simulated' grep -q '^0,,1,Male,40,,[0-9]*,[0-9]*,[0-9]*,[0-9.]*,[0-9]*,,,$' out

# Levels of one column are nested.
ran 0 'nested levels' "$scrim" microdata release people --levels 'SUBSTR(country, 1, 1) AS initial, country' --epsilon 1 --runs 0
cp out nested.csv
check 'each country has one initial' test "$(grep -c '^2,' nested.csv)" -eq 4
check 'and an initial has its countries' grep -q '^2,L,Laos,' nested.csv
ran 0 'check: nested levels' "$scrim" microdata check nested.csv
ran 0 'a range tree' "$scrim" microdata release people --levels 'BUCKET(age, 16) AS wide,BUCKET(age, 4) AS narrow,age' --epsilon 1 --runs 0
check 'it has 5, 20 and 80 ranges' test "$(wc -l <out)" -eq $((1 + 1 + 5 + 20 + 80))

"$scrim" microdata release people --levels 'BUCKET(age, 16) AS wide,BUCKET(age, 4) AS narrow,age' --epsilon 400 --runs 0 >said 2>&1
ran 0 'ranges and quantiles' "$scrim" microdata show 7 --range 0,39 --range 20,20 --quantile 0.5 --quantile 0.01 --quiet
check 'ranges and quantiles with hardly any noise' grep -qx 'quantile 0.5,39,39,39,' out
check 'a range' grep -q '^"range 0,39",4[56][0-9]' out
check 'a low quantile' grep -qx 'quantile 0.01,0,0,0,' out
refused_range() {
    ran 2 "refuses $*" "$scrim" microdata show "$@"
    out_is ''
}
refused_range 7 --range 3
refused_range 7 --range 4,3
refused_range 7 --quantile 1
refused_range 1 --quantile 0.5
err_has 'ranges and quantiles need a tree of one numeric column'

# Bad input ends with a line and a status, and charges nothing.
"$scrim" budget people --format csv >before 2>&1
refuse() {
    status=$1
    message=$2
    shift 2
    ran "$status" "refuses: $message" "$scrim" microdata "$@"
    err_has "$message"
    out_is ''
}
refuse 2 'missing subcommand' 
refuse 2 "did you mean 'release'?" releas people
refuse 2 'missing --levels' release people --epsilon 1
refuse 2 'epsilon is missing' release people --levels sex
refuse 2 'levels must be columns' release people --levels '' --epsilon 1
refuse 2 'name one dataset' release --levels sex --epsilon 1
refuse 2 'shares must be 2 integers' release people --levels sex --epsilon 1 --shares 1,1,1
refuse 2 'shares must be 2 integers' release people --levels sex --epsilon 1 --shares 1,0
refuse 2 'no column sexx' release people --levels sexx --epsilon 1
refuse 2 'missing --levels' plan people --epsilon 1
refuse 2 'missing --levels' plan --cells 3 --shares 1,1 --epsilon 1
refuse 2 'a tree has those of its dataset' plan people --levels sex --neighbours replace
refuse 2 'rho needs a delta above 0' plan people --levels sex --rho 1
refuse 2 'give epsilon or rho, not both' release people --levels sex --rho 1 --epsilon 1 --delta 1e-9
refuse 2 'or give --cells alone' plan people --levels sex --cells 4 --epsilon 1
refuse 2 'epsilon is missing' plan people --levels sex
refuse 2 'the column sex is given twice' release people --levels sex --tables sex --epsilon 1
refuse 2 "'age' is not a query" release people --levels sex --tables country --queries total,age --epsilon 1
refuse 2 'the last level must measure all cells' release people --levels sex --tables country --queries total --epsilon 1
refuse 3 "the values of 'name' are not public" release people --levels name --epsilon 1
refuse 3 "the values of 'name' are not public" release people --levels country --tables sex,name --epsilon 1 --delta 1e-9
printf '%s\n' unit=who max-total-rows=3 column=name=text >total.policy
refuse 3 "the values of 'name' are not public" plan --policy total.policy --levels name --epsilon 1
printf '%s\n' unit=row 'column=a=int[0,300]' 'column=b=int[0,300]' >wide.policy
refuse 3 'the tree has too many groups: at most 65536, or 4194304 if all keys are listed' plan --policy wide.policy --levels a,b --epsilon 1
refuse 2 "'country:3' is not a known count" show 1 --invariant country:3
refuse 2 "'Chile' is not a public value of country" show 1 --invariant country=Chile:3
refuse 2 'confidence must be above 0 and below 1' show 1 --confidence 2
refuse 2 '0 or at least 40' show 1 --runs 3
spent=$("$scrim" budget people --quiet --format csv)
for wrong in '--invariant country:3' '--invariant country=Chile:3' '--invariant total:9 --invariant country=Peru:10' '--confidence 2' \
    '--runs 3' '--runs x' '--runs 20 --tables ok'; do
    # shellcheck disable=SC2086 # words
    ran 2 "release: $wrong" "$scrim" microdata release people --levels country,sex --epsilon 0.75 $wrong
    check "release: $wrong: nothing is charged" test "$spent" = "$("$scrim" budget people --quiet --format csv)"
done
refuse 2 'release number' show x
refuse 2 'no release 99' show 99
refuse 2 'unexpected argument --levels' show 1 --levels sex
refuse 2 "release takes no --dry-run; 'scrim microdata plan' shows its errors and charges nothing" \
    release people --levels country,sex --epsilon 0.75 --dry-run
refuse 2 'unexpected argument --dry-run' show 1 --dry-run
refuse 2 'name the tables' check
refuse 2 '--records' show 1 --records nowhere/x.csv
"$scrim" query people 'SELECT COUNT(*)' --epsilon 1 >said 2>&1
refuse 2 'the release is not a tree of counts' show 8
"$scrim" budget people --format csv >after 2>&1
check 'only the query was charged' sh -c "sed 1d before | cut -d, -f1 | cmp - /dev/stdin <<X
\$(sed 1d after | cut -d, -f1)
X"

# Everybody has nine rows, of one sex, and at least three of them in each cell.
ran 0 'people with several rows' "$scrim" microdata release visits --levels sex,ok --epsilon 900 --runs 0 --measurements visits_noisy.csv
err_says 'had some is not measured, as all of the cost goes into what is shown'
out_has '0,,,300,'
err_says '3 rows per id in one group; '
check 'levels are charged for all rows of a person' grep -q 'laplace sensitivity=3 epsilon=300 neighbours=add-remove$' visits_noisy.csv
cp out visits_counts.csv
ran 0 'their counts add up' "$scrim" microdata check visits_counts.csv

ran 0 'people with several rows, and several tables' "$scrim" microdata release visits --levels sex --tables ok --tables old --epsilon 900 --runs 0
cp out visits_tables.csv
out_has '0,,0,,,300,'
err_says '3 rows per id in one group of all columns together; '
number=$(sed -n "s/^release  *\([0-9]*\),.*/\1/p" err)
ran 0 'their tables add up' "$scrim" microdata check visits_tables.csv
ran 0 'replay of their counts' "$scrim" replay "$number"
ran 0 'label of their counts' "$scrim" report "$number"
check 'its label says whose rows they are' sh -c "tr -s ' \n' ' ' <out | grep -q 'of all columns together'"

# Of 900 ages 230 are from 10 to 29, and the median is 39. In 24 releases intervals of 90 % miss either more than 11 times
# with a probability below 1e-6.
for i in $(seq 24); do
    "$scrim" microdata release people --levels 'BUCKET(age, 16) AS wide,BUCKET(age, 4) AS narrow,age' --epsilon "0.5$i" --runs 0 \
        --format csv >/dev/null 2>said
    "$scrim" microdata show "$(sed -n "s/^release  *\([0-9]*\),.*/\1/p" said)" --confidence 0.9 --range 10,29 --quantile 0.5 --format csv --quiet
done >intervals 2>&1
covers() { awk -F, -v name="$1" -v truth="$2" 'index($0, name) { n++; miss += truth < $(NF - 2) || truth > $(NF - 1) } END { exit !(n == 24 && miss <= 11) }' intervals; }
check 'intervals of ranges cover the truth' covers 'range 10,29' 230
check 'intervals of quantiles cover the truth' covers 'quantile 0.5' 39
# The sum of 24 squared errors, in deviations, is as chi-squared: outside of 4 to 90 with a probability below 2e-6. Intervals are
# as narrow as those of normal noise, which have 1.645 deviations: the law of all noises together says so.
check 'deviations of ranges are those of their errors' awk -F, 'index($0, "range 10,29") { sum += ($(NF - 3) - 230) ^ 2 / $NF ^ 2 } END { exit !(sum > 4 && sum < 90) }' intervals
check 'intervals of ranges are those of Laplace noise' awk -F, 'index($0, "range 10,29") { half = ($(NF - 1) - $(NF - 2)) / 2; bad += half < 1.6 * $NF || half > 1.75 * $NF } END { exit bad > 0 }' intervals

# A total in rho.
ran 0 'plan: rho' "$scrim" microdata plan people --levels country,sex --rho 0.03 --delta 1e-9 --svg rho.svg
check 'plan: the drawing is against rho' grep -q '>rho<' rho.svg
out_has 'gaussian sensitivity=1 rho=0.01 size=12 neighbours=add-remove'
ran 0 'release: rho' "$scrim" microdata release people --levels country,sex --rho 0.03 --delta 1e-9 --runs 0 --json
check 'release: what is charged has the rho' python3 -c 'import json; assert json.load(open("out"))["cost"]["rho"] == "0.03"'

# From a policy file, before there is a vault.
"$scrim" dataset show people --policy people.policy >said 2>&1
"$scrim" microdata plan people --levels country,sex --epsilon 1 >plan.csv 2>said
sed -i '/^csv/d' people.policy
ran 0 'plan: from a policy file' env SCRIM_VAULT=nowhere.vault "$scrim" microdata plan --policy people.policy --levels country,sex --epsilon 1 --svg policy.svg
check 'plan: the same as that of the dataset' cmp out plan.csv
ran 2 'plan: a dataset and a policy' "$scrim" microdata plan people --policy people.policy --levels sex --epsilon 1
err_has 'or --policy in place of a dataset'
ran 2 'release: a policy is not a dataset' "$scrim" microdata release --policy people.policy --levels sex --epsilon 1
err_is "scrim microdata: a release is charged to a dataset of a vault; add it first, as in 'scrim dataset add NAME --policy FILE', and name it here in place of --policy"
printf 'unit=id\nnonsense\n' >wrong.policy
ran 2 'plan: a policy that is none' "$scrim" microdata plan --policy wrong.policy --levels sex --epsilon 1
# Areas that a CASE maps: only the groups that can exist.
south="CASE WHEN country IN ('Peru', 'Cuba, south') THEN 'south' ELSE 'north' END AS half"
ran 0 'plan: mapped areas' "$scrim" microdata plan people --levels "$south, country" --epsilon 1 --format csv
out_has 'country,,4,'
ran 0 'release: mapped areas' "$scrim" microdata release people --levels "$south, country" --epsilon 1000 --runs 0 --quiet
cut -d, -f1-3 out >areas
check 'release: mapped areas, a row for each of 1 + 2 + 4 groups' test "$(wc -l <areas)" -eq 8
check 'release: mapped areas by their names' grep -qx '2,south,Peru' areas
check 'release: no country in two areas' sh -c '! grep -q "^2,north,Peru" areas'


"$scrim" microdata release people --levels sex --epsilon 1 --measurements one.csv --runs 0 >said 2>&1
ran 0 'fit: measurements of one level' "$scrim" microdata fit one.csv
cp out fitted.csv
ran 0 'fit: they add up' "$scrim" microdata check fitted.csv
# ---- the label of a tree says each sentence once ----
awk 'BEGIN { print "who,side,half"; for (i = 0; i < 200; i++) print i "," (i % 2 ? "left" : "right") "," (i % 3 ? "upper" : "lower") }' >halves.csv
"$scrim" dataset add halves --csv halves.csv --unit who --rows-per-unit 1 --column side=text --column half=text --keys side=left,right \
    --keys half=lower,upper --budget epsilon=9 --quiet 2>/dev/null
ran 0 'a tree of two levels' "$scrim" microdata release halves --levels side,half --epsilon 1 --quiet
last=$("$scrim" ledger --quiet --format csv | tail -n 1 | cut -d , -f 1)
ran 0 'its label' "$scrim" report "$last" --format table
sed '/^scrim-label/,$d' out | tr -s '\n ' ' ' >flat
once() { check "once: $1" test "$(grep -o -F -e "$1" flat | wc -l)" -eq 1; }
once 'public: all keys were declared in advance'
once '1 row per who, as declared'
once 'neighbours=add-remove noise of standard deviation'
once ', drawn 3 times'
ran 0 'its page' "$scrim" report "$last" --html halves.html --quiet
check 'its page has each sentence once' test "$(grep -c 'drawn 3 times' halves.html)" -eq 1
ran 0 'which is proved' "$scrim" report verify halves.html

# ---- the page shows what was published ----
page_counts() { # FILE: the counts of its tables, in order
    { sed -n '/What was released/,/>Budget</p' "$1" | tr -d '\n' && echo; } | sed 's/<tr>/\n/g' |
        sed -n 's/^.*<td class="number">\(-*[0-9]*\)<.*$/\1/p'
}
"$scrim" microdata show "$last" --format csv --runs 0 --quiet | awk -F , 'NR > 1 { print $4 }' >published
page_counts halves.html >shown
check 'the page shows the published counts' cmp shown published
check 'of all groups' test "$(wc -l <shown)" -eq 13
check 'and says what they are' test "$(grep -c 'Counts that add up' halves.html)" -eq 1
key=$("$scrim" ledger key 2>/dev/null)
ran 0 'it is proved by the key alone' env SCRIM_VAULT=none "$scrim" report verify halves.html --key "$key"
sed 's/Counts that add up/Counts that sum up/' halves.html >forged.html
ran 7 'another sentence is noticed' "$scrim" report verify forged.html
ran 0 'a tree with a table' "$scrim" microdata release halves --levels side --tables half --epsilon 1 --quiet
last=$("$scrim" ledger --quiet --format csv | tail -n 1 | cut -d , -f 1)
ran 0 'its page' "$scrim" report "$last" --html tables.html --quiet
page_counts tables.html >shown
"$scrim" microdata show "$last" --format csv --runs 0 --quiet >all
awk -F , 'NR > 1 && $3 == 0 { print $5 }' all >wanted
awk -F , 'NR > 1 && $3 == 1 && $1 == 1 { print $5 }' all >>wanted
check 'groups, then the cells of the last level' cmp shown wanted
check 'both are there' test "$(wc -l <wanted)" -eq 13
printf 'SELECT COUNT(*) AS n; SELECT side, COUNT(*) AS n GROUP BY side' >batch.sql
ran 0 'a batch of the same form' "$scrim" query halves --file batch.sql --epsilon 1 --format csv --quiet
sed -n 's/^\(left,\|right,\|,\)\{0,1\}\(-*[0-9]*\),-*[0-9]*,-*[0-9]*$/\2/p' out >answers
last=$("$scrim" ledger --quiet --format csv | tail -n 1 | cut -d , -f 1)
ran 0 'its page' "$scrim" report "$last" --html batch.html --quiet
check 'is of its answers' sh -c '! grep -q "Counts that add up" batch.html'
page_counts batch.html >shown
check 'shows them' test "$(head -n 2 shown | tr '\n' ' ')" = "$(head -n 2 answers | tr '\n' ' ')"

finish
