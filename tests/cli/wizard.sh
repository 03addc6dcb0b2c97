#!/bin/sh
# The questions of 'scrim dataset add' on a pseudo-terminal: an owner who walks through them, goes back,
# mistypes each field, asks for explanations, leaves early and goes on with the draft. No line is wider
# than the screen.
if [ -w /dev/shm ] && [ -z "${TMPDIR-}" ]; then
    export TMPDIR=/dev/shm
fi
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
unset COLUMNS SCRIM_VAULT SCRIM_TEST_SITE
export TERM=dumb LC_ALL=C.UTF-8 NO_COLOR=1
cd "$work" || exit 1

cat >shop.csv <<'END'
customer_id,age,income,sex,city,seen,account_no,note
1,30,1000.5,F,Ulm,2024-03-04 05:06:07,4711,canary-8151
1,30,1000.5,F,Bonn,2024-03-05 05:06:07,4711,x
2,41,200,M,Ulm,2024-03-06 05:06:07,4712,x
2,41,200,M,Ulm,2024-03-07 05:06:07,4712,x
3,50,300,M,Ulm,2024-03-08 05:06:07,4713,x
END
"$scrim" init --quiet

# asked STATUS NAME COLUMNS ARGUMENTS <ANSWERS: all lines are typed ahead; behind the last one is Ctrl-D.
# What is typed is not shown.
asked() {
    status=0
    script -q -e -E never -c "stty cols $3 rows 50; '$scrim' dataset add $4" /dev/null >shown 2>&1 || status=$?
    # The line ends where somebody types.
    tr -d '\r' <shown | sed 's/> /> \n/g' >out
    if [ "$status" -eq "$1" ]; then ok "$2"; else not_ok "$2" "status $status
$(cat out)"; fi
    widest=$(wc -L <out)
    if [ "$widest" -le "$3" ]; then
        ok "$2: no line is wider than $3 columns"
    else
        not_ok "$2: no line is wider than $3 columns" "$widest columns
$(cat out)"
    fi
}
# says TEXT...: each in one line or broken between words.
says() {
    tr -s '\n ' '  ' <out >flat
    for text; do check "shown: $text" grep -qF -e "$text" flat; done
}
if ! command -v script >/dev/null 2>&1; then
    skip 'the questions on a terminal' 'script is not installed'
    finish
fi

for columns in 80 40; do
    # Each field is mistyped once, and explained.
    asked 0 "an owner who mistypes everything, $columns columns" $columns '' <<END
?
a b
shop$columns
?
nowhere.csv
shop.csv
?
customr_id
customer_id
?
itn
int
?
1.5
0
?
-1
120
decimal
1e99

0
x
100000
?
3

text
?
F,,M
Y
F,M,F
F,M
text

timestamp
yesterday
2024-01-01
2023-01-01
2025-01-01
int
0
9999
?
maybe
y
<
n

?
comma
.
?
DDMM
YYYY-MM-DD
?
NA,NA
NA
?
Nowhere/City
UTC
?
perhaps
y
?
town
city, city
city
?
none
0.5
?
0

?
0
1
?
many
2
?
much
500

?
a b

?
near

?
zero
3
?
2
1e-6
?
99
yes
END
    says 'Type ? for an explanation, < to go back, q or Ctrl-D to leave and keep a draft.' \
        "invalid name 'a b'" \
        "nowhere.csv' cannot be read: No such file" \
        "no column 'customr_id' in the source; did you mean 'customer_id'?" \
        '"itn" is not valid here; did you mean '"'int'"'? Type int, decimal, date, timestamp, bool or text' \
        '"1.5" is not valid here; type a whole number, such as 0' \
        '"-1" is not valid here; type a whole number above the smallest value, 0' \
        '"3" is not valid here; type a power of 10 or of 2' \
        '"1e99" is not valid here; type a number, such as 0.5' 'smallest value has no default; type a number, such as 0.5' \
        'keys of sex> a key is empty; leave it out' \
        'keys of sex> is "Y" the only key? Then type it with the quotes; type none for private keys' \
        "keys of sex> the key 'F' is given twice" \
        '"yesterday" is not valid here; type a date, or a date and a time, such as 2025-01-31 12:00 or 31.01.2025' \
        '"maybe" is not valid here; type y or n' \
        'now y; press Enter to keep it' \
        '"comma" is not valid here; type . or ,' \
        '"DDMM" is not valid here; type YYYY, MM or M, and DD or D' \
        "texts that mean missing> the text 'NA' is given twice" \
        '"Nowhere/City" is not valid here; type UTC' \
        "'town' is not a column that questions may use" \
        "column 'city' is given twice; type it once" \
        'caution: seen ends at midnight of 2025-01-01, so GROUP BY a month shows one month more; 2024-12-31 23:59:59 ends it before' \
        '"none" is not valid here; type a number above 0, such as 0.5' \
        'SENSITIVE: raw data, for the owner only' \
        'SENSITIVE: best groups and rows at epsilon 0.5, grouped by city: COUNT(*) ' \
        '"0" is not valid here; type a whole number from 1 to 1000000000, or none' \
        '"0" is not valid here; type a whole number from 1 to 1000000000' \
        '"many" is not valid here; type a whole number' \
        "\"much\" is not valid here; type a multiple of the column's step" \
        '"a b" is not valid here; type a name of letters' \
        '"near" is not valid here; type yes (add-remove) or no (replace)' \
        '"zero" is not valid here; type a number above 0' \
        '"2" is not valid here; type a number of at least 0 and less than 1' \
        '"99" is not valid here; type yes, no or the number of a line' \
        'sex: public keys (2 listed); all groups are shown, even if empty' \
        'city: private keys; only groups with enough people are shown (partition selection), and such questions need a delta' \
        'account_no: ignored; questions cannot use it' \
        'Example: adult.csv' 'Example: person_id' 'Example: 0.01 for cents' 'Example: Female,Male' \
        'Example: DD.MM.YYYY' 'Example: NA,NULL' 'Example: Europe/Berlin' 'Example: sex,city' 'Example: 500' 'Example: town' 'Example: 1e-6'
    says "SENSITIVE: shop$columns, version 1, is as declared"
    check "$columns columns: no value of a row is shown" sh -c '! grep -q -e canary -e 8151 -e Bonn out'
done
ran 0 'the policy that was typed' "$scrim" dataset show shop80 --policy -
out_has "csv=$(pwd -P)/shop.csv"
for line in unit=customer_id 'column=age=int[0,120]' 'column=income=decimal[0,100000]' column=sex=text column=city=text \
    keys=sex=F,M 'column=seen=timestamp[2024-01-01,2025-01-01]' decimal=. date-format=YYYY-MM-DD null=NA zone=UTC max-groups=1 max-rows=2 max-total=age=500 \
    bounds-from=check neighbours=add-remove; do
    out_has "$line"
done
check 'an identifier that was refused is no column' sh -c "! '$scrim' dataset show shop80 --policy - | grep -q account_no"
check 'whoever finishes has no draft' sh -c '! ls ./*.policy'

# Left early, by the end of the answers: the draft says what is missing, and is gone on with.
asked 2 'an owner who leaves' 80 later <<END
shop.csv
customer_id
int
0
END
says "not added; your answers are in 'later.policy'; go on with 'scrim dataset add later --policy later.policy'"
check 'the draft' cmp -s later.policy - <<END
# A draft. 'scrim dataset add later --policy later.policy' asks for what is missing.
# missing: column=age=int[0,LARGEST]
# missing: column=income=TYPE, unless it is to be left out
# missing: column=sex=TYPE, unless it is to be left out
# missing: column=city=TYPE, unless it is to be left out
# missing: column=seen=TYPE, unless it is to be left out
# missing: column=account_no=TYPE, unless it is to be left out
# missing: column=note=TYPE, unless it is to be left out
# missing: max-total-rows=N, or max-groups=N and max-rows=N, or rows-per-unit=1
# missing: budget=epsilon=R,delta=R
# the source of the rows
csv=$(pwd)/shop.csv
# privacy unit: a column, or row
unit=customer_id
END
ran 2 'a draft that lacks a budget is refused without a terminal' "$scrim" dataset add later --policy later.policy </dev/null
asked 2 'an owner who leaves again, with q' 40 'later --policy later.policy' <<END
int[0,120]


text
q
END
says "your answers are in 'later.policy'"
check 'the draft keeps what is left out' grep -qx column=income=none later.policy
asked 2 'an owner who leaves at the delta' 40 'later --policy later.policy' <<END




n
1
?
y


1
q
END
says 'Does every person have one row anyway?' 'which saves a twentieth of their cost' "your answers are in 'later.policy'; go on with"
check 'the draft: each person has one row' grep -qx rows-per-unit=1 later.policy
for line in column=note=none keys=city= population= '# missing: budget=epsilon=1,delta=R'; do
    check "the draft: $line" grep -qx "$line" later.policy
done
ran 2 'a draft without a budget is no policy' "$scrim" dataset add later --policy later.policy </dev/null
asked 2 'an owner who leaves at the last page' 80 'later --policy later.policy' <<END
1

q
END
says "your answers are in 'later.policy'; add it with"
asked 2 'a whole draft is shown before it is added' 80 'later --policy later.policy' <<END
q
END
says 'The policy of later:' 'column=age=int[0,120]' 'Type yes to add the dataset' "not added; the draft 'later.policy' is unchanged"
check 'the same draft is written again' test "$(echo later*.policy)" = later.policy
cp later.policy was.policy
asked 2 'an owner who goes on under another name' 80 'renamed --policy later.policy' <<END
7
2

q
END
says "your answers are in 'renamed.policy'"
check 'another name: the draft is unchanged' cmp later.policy was.policy
rm -f renamed.policy was.policy
asked 0 'an owner who goes on' 80 'later --policy later.policy' <<END
yes
END
says 'city=text not a key; the budget has delta 0, so no question can group by it' \
    'added dataset later (version 1)'
check 'the draft stays' test -s later.policy
ran 0 'a whole draft is added at once without a terminal' "$scrim" dataset add whole --policy later.policy --population later
sed '/^#/d' later.policy >plain.policy
asked 0 'a policy that is no draft is added at once' 80 'plain --policy plain.policy --population later' </dev/null
ran 0 'lines that say none' "$scrim" dataset show whole --policy -
check 'lines that say none are not in a policy' sh -c "! '$scrim' dataset show whole --policy - | grep -e =none -e '^keys='"
asked 2 'an owner who leaves before the totals' 80 'sums --csv shop.csv --unit customer_id' <<END
int[0, 120]
decimal
0,1000








n
60
q
END
says 'max-total of age>' 'from 0 to 1000; type < to change it' 'step of income>'
check 'both ends at once' sh -c '! grep -q "smallest value of age\|largest value" out'
check 'both ends without brackets' grep -qx 'column=income=decimal\[0,1000\]' sums.policy
# The step follows the range, both ends can change on the last page, a mark in a list, groups by a month.
printf 'who,day,fee,branch\na,2025-01-03,1.5,n\na,2025-02-03,2,s\nb,2025-02-04,9,n\n' >fees.csv
asked 0 'both ends on the last page' 80 'fees --csv fees.csv --unit who' <<'END'
date[2025-01-01,2025-12-31]
decimal

[0,90]
3

text
n,\?,s


NA,\?
y
branch,MONTH(day)
0.5

2
2


yes
1

4
0,60

yes
END
says 'smallest value has no default; type a number, such as 0.5' 'Press Enter for 0.01. step of fee>' \
    'In at most how many groups of branch,MONTH(day) may one who be counted?' 'grouped by branch,MONTH(day): COUNT(*)' \
    'Type yes (add-remove, the default) or no (replace)'
"$scrim" dataset show fees --policy - >fees.policy
for line in 'column=fee=decimal[0,60]' 'keys=branch=n,?,s' 'null=NA,?'; do
    check "typed: $line" grep -qxF "$line" fees.policy
done
asked 2 'the totals are asked for again' 80 'sums --policy sums.policy' <<END
500
q
END
says 'max-total of age>' 'max-total of income>'
check 'a total that is kept' grep -qx 'max-total=age=500' sums.policy
asked 2 'a total that is none' 80 'sums --policy sums.policy' <<END


1
q
END
check 'a total that is none is kept' grep -qx 'max-total=income=none' sums.policy
asked 2 'an owner who does not agree' 80 'never --unit row' <<END



1

no
END
says 'not added; nothing was written'
check 'no draft then' test ! -e never.policy

# A file whose dates and decimals are read in another way than it writes them: noted at the table, with
# no sum of nothing; and cautions about a budget.
cat >odd.csv <<'END'
who;day;paid;n
a;31.01.2025;1,5;1
a;01.02.2025;2,5;2
a;02.02.2025;2,5;3
b;03.02.2025;3,5;4
END
for columns in 80 40; do
    asked 2 "a file that is read in another way, $columns columns" $columns "odd --csv odd.csv --separator ';' --unit who" <<END
date[2025-01-01,2025-12-31]
decimal[0,100]
int[0,9]


none
y
none
1e-6
1
n
?


2^-20
0.01
q
END
    says 'SENSITIVE: day: no cell can be read; change its type, the decimal mark or the date format, with < or on the last page' \
        'SENSITIVE: paid: no cell can be read' \
        'caution: epsilon 1e-6 is very small: a COUNT(*) that costs it has noise of up to 3000000 (95 %)' \
        'caution: epsilon 2^-20 is very small' \
        "caution: delta 0.01 would allow publishing all of one person's data" \
        'SENSITIVE: best total for these questions at epsilon 1e-6: 1'
    check "$columns columns: no sum of nothing" sh -c '! grep -q "SUM(paid)" out'
    check "$columns columns: a list of totals" grep -q '^best total  1' out
    says 'best total has the smallest error for that question alone'
done
asked 2 'the same, read as it is written' 80 \
    "right --csv odd.csv --separator ';' --unit who --date-format DD.MM.YYYY --decimal , --null NA" <<END
date[2025-01-01,2025-12-31]
decimal[0,100]

y

0.5
1
n


6
1e-6
q
END
says 'SUM(paid)' 'caution: epsilon 5 or more is hardly any protection'
check 'nothing is noted of columns that are read' sh -c '! grep -q "no cell" out'

# A caution about the budget is said once: where the budget is typed, else when the dataset is added.
budget_caution() { # TIMES
    check "the caution about the budget is said $1 time" test "$(tr -s '\n ' '  ' <out | grep -o 'hardly any protection: some' | wc -l)" -eq "$1"
}
asked 0 'a budget that is typed' 80 'typed --csv shop.csv --unit row --column sex=text --keys sex=F,M --no-check' <<END









8

yes
END
budget_caution 1
asked 0 'a budget that is given' 80 'given --csv shop.csv --column sex=text --keys sex=F,M --budget epsilon=8 --no-check' <<END
row









yes
END
budget_caution 1

# The table of bounds with a named zone; and of a database, whose columns are listed.
asked 2 'a zone with a name' 80 'zone --csv shop.csv --unit customer_id --column age=none --column income=none --column sex=none \
    --column city=none --column account_no=none --column note=none' <<END
timestamp[2024-01-01,2024-12-31]


Europe/Berlin
y

1
q
END
says 'COUNT(*)'
check 'a zone with a name: a table' sh -c '! grep -q "no table:" out'
if command -v sqlite3 >/dev/null 2>&1; then
    sqlite3 shop.db 'CREATE TABLE sales (who, city, paid); INSERT INTO sales VALUES (1, 2, 3)'
    asked 2 'a database' 40 'base --sqlite shop.db' <<END
?
sale
sales
whoo
who
text
none
decimal[0,9]
y
city
1
q
END
    says 'Its tables: sales Source: which table of the database?' 'scrim reads neither views nor virtual tables' 'Its columns: who city paid Which column' \
        "no column 'whoo' in the source; did you mean 'who'?" 'SUM(paid)'
    check 'a draft of a database' grep -qx table=sales base.policy
fi

# A file above 64 MiB needs a size, which is proposed (A106).
printf 'who,age\n1,30\n' >large.csv
truncate -s 70000000 large.csv
asked 0 'A106 a large file' 80 "large --csv large.csv --unit row --column 'age=int[0,120]'" <<END
?
7
1MB

none


1

yes
END
says 'The file is larger than 64 MiB. How large may it ever become? The default is 128MiB' 'Queries take memory for a file of this size' \
    'type a size from 64KiB to 16TiB, such as 256MiB or 2GiB'
"$scrim" dataset show large --format csv >large.policy
check 'A106 the proposed size is declared' grep -qx 'max-size,128MiB' large.policy
rm large.csv

# The same people under another name: told before the population is asked for, and the same file on the last page too,
# also if the population is given. The same size may be chance.
cp shop.csv twin.csv
for source in shop.csv twin.csv; do
    asked 2 "a second table of the same people, $source" 80 "second --csv $source --unit row" <<END










1

5

no
END
    if [ $source = shop.csv ]; then file='the same file'; else file='a file of the same size'; fi
    says "shop80 uses $file; type shop80 to share its budget" 'population: second'
    check "$source: told before the population" sh -c "sed '/^population>/,\$d' out | grep -q 'type shop80'"
    caution="caution: shop80 uses $file; change the population to shop80 to share its budget"
    if [ $source = shop.csv ]; then
        says "$caution"
    else
        check 'the same size is no caution on the last page' sh -c '! grep -q "caution: shop80" out'
    fi
done
for source in shop.csv twin.csv; do
    asked 2 "a population that is given, $source" 80 "second --csv $source --unit row --population alone" <<END










1

5

no
END
    if [ $source = shop.csv ]; then
        says 'caution: shop80 uses the same file; change the population to shop80 to share its budget'
    else
        check 'and the same size: nothing is said' sh -c '! grep -q "shop80 uses" out'
    fi
done
asked 0 'the same people share a budget' 80 'third --csv shop.csv --unit customer_id --max-groups 1 --max-rows 1' <<END







shop80
yes
END
check 'nothing is told of a shared budget' sh -c '! grep -q "caution: shop80 uses" out'

finish
