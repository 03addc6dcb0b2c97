#!/bin/sh
# Joins with public tables: declared by their owner, asked, explained, replayed, labelled; files that are no tables.
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$O/scrim
SCRIM_VAULT=$work/v
export SCRIM_VAULT

# 60 customers, each with a row in a, b, and one in c or without a city.
{
    echo customer_id,city,amount
    i=1
    while [ "$i" -le 60 ]; do
        echo "$i,a,1"
        echo "$i,b,2"
        [ $((i % 2)) -eq 0 ] && echo "$i,c,3" || echo "$i,,3"
        i=$((i + 1))
    done
} >"$work/orders.csv"
printf 'city,region,people\na,North,2\nb,South,\nd,North,5\n' >"$work/regions.csv"
printf 'region,country\nNorth,X\nSouth,Y\n' >"$work/countries.csv"
"$scrim" init --quiet --no-witness
"$scrim" dataset add orders --csv "$work/orders.csv" --unit customer_id --column city=text --column 'amount=int[0,9]' \
    --max-total-rows 3 --budget epsilon=100000,delta=0.1 --quiet 2>"$work/added"

ran 0 'a public table is declared' "$scrim" dataset join orders "$work/regions.csv" --on city
err_is 'changed dataset orders (version 2), budget "orders"'
ran 0 'one on top of it' "$scrim" dataset join orders "$work/countries.csv" --on regions.region=region --name lands --quiet
ran 0 'both are shown, with their types' "$scrim" dataset show orders
out_has 'join,regions=city=city
join-column,regions=city=text
join-rows,regions=3
join-column,regions=region=text
join-column,"regions=people=int[2,5] null"
join,lands=regions.region=region
join-column,lands=region=text
join-rows,lands=2
join-column,lands=country=text'

# ask QUESTION: its answer at so large an epsilon that noise is nothing.
ask() { "$scrim" query orders "$1" --epsilon 900 --cut-share 0 2>"$work/err" | sed 's/\([^,]*,[^,]*\).*/\1/'; }
is() {
    ask "$2" >"$work/got"
    printf '%s\n' "$3" >"$work/want"
    check "$1" diff "$work/want" "$work/got"
}
is 'JOIN leaves out rows without a match' 'SELECT region, COUNT(*) AS n FROM orders JOIN regions USING (city) GROUP BY region' \
    'region,n
North,60
South,60'
is 'LEFT JOIN has NULL for them' 'SELECT region, COUNT(*) AS n FROM orders o LEFT JOIN regions r ON r.city = o.city GROUP BY r.region' \
    'region,n
North,60
South,60
,60'
is 'a chain, and numbers of a table' 'SELECT country, SUM(people) AS s FROM orders LEFT JOIN regions USING (city) JOIN lands ON regions.region = lands.region GROUP BY country' \
    'country,s
X,120
Y,0'
is 'a public key that no row has' "SELECT regions.city AS c, COUNT(*) AS n FROM orders JOIN regions ON orders.city = regions.city GROUP BY regions.city" \
    'c,n
a,60
b,60
d,0'
is 'people first' "SELECT n, COUNT(*) AS people FROM (SELECT CLAMP(COUNT(*), 0, 2) AS n FROM orders JOIN regions USING (city) WHERE region = 'North' GROUP BY customer_id) GROUP BY n" \
    'n,people
0,0
1,60
2,0'
is 'WHERE takes NULL away from the keys' "SELECT region, COUNT(*) AS n FROM orders LEFT JOIN regions USING (city) WHERE region <> 'East' GROUP BY region" \
    'region,n
North,60
South,60'
printf 'SELECT region, COUNT(*) AS n FROM orders JOIN regions USING (city) GROUP BY region;\nSELECT COUNT(*) AS n FROM orders\n' >"$work/batch.sql"
ran 0 'in a batch' "$scrim" query orders --file "$work/batch.sql" --epsilon 900

ran 0 'explain says what is joined' "$scrim" explain orders 'SELECT region, COUNT(*) AS n FROM orders LEFT JOIN regions USING (city) GROUP BY region' --epsilon 1 --verbose
out_has 'joins       public table regions by city'
out_has 'join 1'
out_has '2 keys and NULL'
ran 0 'and in JSON' "$scrim" explain orders 'SELECT COUNT(*) FROM orders JOIN regions USING (city)' --epsilon 1 --json
out_has '"joins": "public table regions by city, at most one of its rows per row; rows without one are left out"'

ran 0 'a view of the same answer is free' "$scrim" query orders 'SELECT region, COUNT(*) AS rows FROM orders JOIN regions USING (city) GROUP BY region ORDER BY rows' --epsilon 900 --cut-share 0
err_has 'charged earlier'
ran 0 'an answer is shown again' "$scrim" replay 1 --format csv
out_lines 3
ran 0 'its label' "$scrim" report 1 --json
out_has 'JOIN regions USING(city)'
"$scrim" report 1 --json >"$work/label.json"
ran 0 'is verified' "$scrim" report verify "$work/label.json"
ran 0 'and the ledger' "$scrim" ledger verify

# Another table is another version; the same one is not.
ran 0 'the same table again' "$scrim" dataset join orders "$work/countries.csv" --on regions.region=region --name lands
err_has '(version 3)'
printf 'region,country\nNorth,X\nSouth,Z\n' >"$work/countries.csv"
ran 0 'another one' "$scrim" dataset join orders "$work/countries.csv" --on regions.region=region --name lands
err_has '(version 4)'
ran 0 'a policy file has it all' "$scrim" dataset show orders --policy "$work/policy"
ran 0 'and can be given back' "$scrim" dataset set orders --policy "$work/policy"
err_has 'nothing changed; still version 4'
printf 'join=more=city=city=@%s\n' "$work/regions.csv" | cat "$work/policy" - >"$work/more"
ran 0 'a policy file names a file' "$scrim" dataset set orders --policy "$work/more" --quiet
ran 0 'which is copied' "$scrim" dataset show orders
out_has 'join-rows,more=3'
ran 0 'it is removed' "$scrim" dataset join orders none --name more --quiet
ran 0 'and gone' "$scrim" dataset show orders

# Tables that a question brings with it.
kinds='SELECT kind, COUNT(*) AS n FROM orders LEFT JOIN kinds USING (city) GROUP BY kind'
printf 'city,kind\na,dear\nb,cheap\n' >"$work/kinds.csv"
ran 0 'explain takes a table' "$scrim" explain orders "$kinds" --epsilon 1 --with "$work/kinds.csv"
out_has 'public table kinds by city'
ran 0 'query takes it' "$scrim" query orders "$kinds" --epsilon 900 --with "$work/kinds.csv" --cut-share 0 --format csv
sed 's/,[^,]*,[^,]*$//' "$work/out" >"$work/got"
printf 'kind,n\ncheap,60\ndear,60\n,60\n' >"$work/want"
check 'and joins it' diff "$work/want" "$work/got"
number=$(sed -n "s/.*'scrim replay \([0-9]*\)'.*/\1/p" "$work/err")
ran 0 'under another name' "$scrim" query orders 'SELECT kind, COUNT(*) AS n FROM orders LEFT JOIN k USING (city) GROUP BY kind' --epsilon 900 --with "k=$work/kinds.csv" --cut-share 0
ran 0 'the same table is the same question' "$scrim" query orders "$kinds" --epsilon 900 --with "$work/kinds.csv" --cut-share 0
err_has 'charged earlier'
printf 'city,kind\na,dear\nb,free\n' >"$work/kinds.csv"
ran 0 'another table is another question' "$scrim" query orders "$kinds" --epsilon 900 --with "$work/kinds.csv" --cut-share 0
err_has 'charged     epsilon 900'
rm "$work/kinds.csv"
ran 0 'a replay needs no file' "$scrim" replay "$number" --format csv
out_has 'cheap,60'
"$scrim" report "$number" --json >"$work/label.json"
out_label() { check "the label has $1" grep -q "$1" "$work/label.json"; }
out_label 'joined.1.table kinds'
out_label 'joined.1.digest sha256:'
out_label 'joined.1.from brought by the question'
brought=$(sed -n 's/.*joined.1.digest \(sha256:[0-9a-f]*\).*/\1/p' "$work/label.json")
ran 0 'and is verified' "$scrim" report verify "$work/label.json"
ran 0 'the report in words' "$scrim" report "$number"
out_has 'joins       public table kinds'
printf 'city,kind\na,dear\nb,cheap\n' >"$work/kinds.csv"
ran 0 'the owner declares the same table' "$scrim" dataset join orders "$work/kinds.csv" --on city --quiet
"$scrim" query orders "$kinds" --epsilon 9 --cut-share 0 --quiet >"$work/out" 2>"$work/err"
number=$("$scrim" ledger --format csv | tail -n 1 | cut -d , -f 1)
"$scrim" report "$number" --json >"$work/label.json"
out_label 'joined.1.from declared by the owner'
check 'one table has one digest' test "$brought" = "$(sed -n 's/.*joined.1.digest \(sha256:[0-9a-f]*\).*/\1/p' "$work/label.json")"
ran 0 'a label of a declared table is verified' "$scrim" report verify "$work/label.json"
"$scrim" report "$number" --html "$work/label.html"
ran 0 'as a page, too' "$scrim" report verify "$work/label.html"
ran 0 'and it is removed' "$scrim" dataset join orders none --name kinds --quiet
printf 'city,kind\na,dear\na,cheap\n' >"$work/kinds.csv"
ran 2 'a key twice' "$scrim" explain orders "$kinds" --epsilon 1 --with "$work/kinds.csv"
err_has "the key 'a' twice"
ran 6 'no such file' "$scrim" explain orders "$kinds" --epsilon 1 --with "$work/none.csv"
printf 'city,kind\na,dear\n' >"$work/kinds.csv"
ran 2 'the name of a declared table' "$scrim" explain orders "$kinds" --epsilon 1 --with "regions=$work/kinds.csv"
err_has 'two public tables are called regions'
ran 0 'from standard input' sh -c "\"$scrim\" explain orders \"$kinds\" --epsilon 1 --with kinds=- <\"$work/kinds.csv\""
printf 'SELECT dear, SUM(amount) AS s FROM orders JOIN kinds USING (city) GROUP BY dear;\n' | sed 's/dear/kind/g' >"$work/batch.sql"
ran 0 'in a batch' "$scrim" query orders --file "$work/batch.sql" --epsilon 90 --with "$work/kinds.csv"
ran 0 'while bounds are found' "$scrim" query orders "$kinds" --epsilon 90 --bounds auto --with "$work/kinds.csv"

# Refusals, in one line each.
refuses() { ran "$1" "refuses $3" "$scrim" explain orders "$3" --epsilon 1; err_has "$2"; }
refuses 3 'only public tables are joined' 'SELECT COUNT(*) FROM orders JOIN customers USING (customer_id)'
refuses 3 'rows of a public table alone' 'SELECT COUNT(*) FROM regions LEFT JOIN orders USING (city)'
refuses 3 'write the dataset first' 'SELECT COUNT(*) FROM orders RIGHT JOIN regions USING (city)'
refuses 3 'write LEFT JOIN' 'SELECT COUNT(*) FROM orders FULL JOIN regions USING (city)'
refuses 3 'one column of each table' 'SELECT COUNT(*) FROM orders JOIN regions ON LOWER(orders.city) = regions.city'
refuses 3 'is the privacy unit' 'SELECT COUNT(*) FROM orders JOIN regions ON customer_id = regions.people'
refuses 2 "the key 'North' twice" 'SELECT COUNT(*) FROM orders JOIN regions ON orders.city = regions.region'
refuses 2 'several tables have a column' 'SELECT region, COUNT(*) FROM orders JOIN regions USING (city) JOIN lands ON regions.region = lands.region GROUP BY region'
refuses 2 'is a column of the public table regions; join it in FROM' 'SELECT people, COUNT(*) FROM orders GROUP BY people'
refuses 2 'no row can match' "SELECT COUNT(*) FROM orders JOIN regions USING (city) WHERE people > 1000"

# Files that are no tables: nothing changes.
wrong() { # STATUS TEXT ARGUMENT...
    status=$1 text=$2
    shift 2
    ran "$status" "refuses a table: $text" "$scrim" dataset join orders "$@"
    err_has "$text"
    err_lines 1
}
printf 'city,x\na,1\na,2\n' >"$work/t"
wrong 2 "the key 'a' twice" "$work/t" --on city
printf 'amount,x\n1,1\n01,2\n' >"$work/t"
wrong 2 "which are the same value of amount" "$work/t" --on amount
printf 'city,x,x\na,1,2\n' >"$work/t"
wrong 6 'the column x twice' "$work/t" --on city
printf 'city,x\na,"1\n' >"$work/t"
wrong 6 'line 2: a quote does not end' "$work/t" --on city
printf '\000\001\002' >"$work/t"
wrong 6 'line 1: not UTF-8' "$work/t" --on city
wrong 2 'missing --on COLUMN' "$work/regions.csv"
wrong 2 'no such column is declared' "$work/regions.csv" --on town
wrong 2 'is the privacy unit' "$work/regions.csv" --on customer_id=people
wrong 6 '' "$work/nowhere.csv" --on city
wrong 2 'no public table' none --name nothing
head -c 5000000 /dev/zero | tr '\000' x >"$work/t"
ran 2 'refuses what is too large' "$scrim" dataset join orders "$work/t" --on city
ran 2 'refuses what has no end' "$scrim" dataset join orders /dev/zero --on city
# A mark of byte order, other ends and separators, a column named as one of the dataset's.
printf '\357\273\277city;amount\r\na;"7;7"\r\n\r\nb;x' >"$work/t"
ran 0 'reads a table of another kind' "$scrim" dataset join orders "$work/t" --on city --name t --quiet
ran 0 'and asks it' "$scrim" explain orders 'SELECT t.amount AS kind, SUM(orders.amount) AS s FROM orders JOIN t USING (city) GROUP BY t.amount' --epsilon 1
refuses 2 'several tables have a column amount' 'SELECT SUM(amount) FROM orders JOIN t USING (city)'
printf 'unit=row\ncsv=%s\ncolumn=city=text\nwith=regions=sha256:0\njoin-column=regions=city=text\nbudget=epsilon=1\n' "$work/orders.csv" >"$work/with.policy"
ran 2 'a table of a question in a policy' "$scrim" dataset add brought --policy "$work/with.policy"
err_has "a policy declares a public table by join="
finish
