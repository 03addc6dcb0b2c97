#!/bin/sh
# CSV files as they are in the world: semicolons, decimal commas, dates, texts for a missing value, other
# encodings. They are declared; what a header looks like is a hint in an error and decides nothing.
# shellcheck disable=SC2016,SC2317 # for another shell; functions that ran calls

place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
ran 0 'init' "$scrim" init --quiet

# ---- orders as a spreadsheet in Berlin saves them: a byte order mark, CRLF, quotes ----
printf '\357\273\277Kunde;"Betrag; netto";Tag;Ort\r\n' >orders.csv
row=0
while [ $row -lt 400 ]; do
    row=$((row + 1))
    case $((row % 8)) in
    0) printf '%d;NA;NA;"Bonn; am Rhein"\r\n' $row ;;
    1) printf '%d;"%d,50";"01.02.2024";Köln\r\n' $row $((row % 50)) ;;
    2) printf '%d;1.234,50;30.02.2024;NA\r\n' $row ;;
    *) printf '%d;%d,25;%02d.12.2023;"NA"\r\n' $row $((row % 50)) $((1 + row % 28)) ;;
    esac
done >>orders.csv
add() {
    "$scrim" dataset add "$@" --unit Kunde --rows-per-unit 1 --column 'Betrag; netto=decimal[0,100]' --column Ort=text \
        --column 'Tag=date[2023-01-01,2024-12-31]' --missing 'Betrag; netto=0' --missing 'Ort=nowhere' \
        --missing Tag=2023-01-01 --budget epsilon=20000
}
ran 6 'without the separator' add orders --csv orders.csv --separator ,
err_is "scrim dataset: the header of the source has a quote out of place, with ; behind it; if that separates columns, add --separator ';'"
ran 0 'added' add orders --csv orders.csv --separator ';' --decimal , --date-format DD.MM.YYYY --null NA
ran 0 'shown' "$scrim" dataset show orders
out_has 'separator,;'
out_has 'decimal,","'
out_has 'date-format,DD.MM.YYYY'
out_has 'null,NA'
ran 7 'checked' "$scrim" dataset check orders
out_is 'mark,column,finding,count,holds,effect,first_rows
SENSITIVE,,rows,400,yes,,
SENSITIVE,,rows-counted,400,yes,,
SENSITIVE,,units,400,yes,,
SENSITIVE,,most-rows,1,yes,,
SENSITIVE,Betrag; netto,readable,300,yes,,
SENSITIVE,Betrag; netto,missing,50,yes,default,9 17 25 33 41
SENSITIVE,Betrag; netto,unreadable,50,no,default,3 11 19 27 35
SENSITIVE,Ort,readable,350,yes,,
SENSITIVE,Ort,missing,50,yes,default,3 11 19 27 35
SENSITIVE,Tag,readable,300,yes,,
SENSITIVE,Tag,missing,50,yes,default,9 17 25 33 41
SENSITIVE,Tag,unreadable,50,no,default,3 11 19 27 35'

# The answer is that of the same rows in plain CSV. At this epsilon there is no noise.
sed -e '1s/.*/Kunde,"Betrag; netto",Tag,Ort/' -e 's/\r$//' -e '2,$ {
    s/;NA;NA;"Bonn; am Rhein"$/,,,"Bonn; am Rhein"/
    s/;1\.234,50;30\.02\.2024;NA$/,x,x,/
    s/;"*\([0-9]*\),\([0-9]*\)"*;"*\([0-9]*\)\.\([0-9]*\)\.\([0-9]*\)"*;/,\1.\2,\5-\4-\3,/
}' orders.csv >plain.csv
ran 0 'added plainly' add plain --csv plain.csv
for sql in 'SELECT COUNT(*) AS n' 'SELECT COUNT(*) AS n WHERE "Betrag; netto" > 20.25' \
    'SELECT COUNT(*) AS n WHERE "Betrag; netto" = 3.25' \
    "SELECT COUNT(*) AS n WHERE Ort = 'NA'" "SELECT COUNT(*) AS n WHERE Tag >= DATE '2024-01-01'" \
    "SELECT COUNT(*) AS n WHERE Ort = 'nowhere'" "SELECT COUNT(*) AS n WHERE Ort = 'Bonn; am Rhein'"; do
    ran 0 "of semicolons: $sql" "$scrim" query orders "$sql" --epsilon 1000 --quiet
    cp "$work/out" first
    ran 0 "of commas: $sql" "$scrim" query plain "$sql" --epsilon 1000 --quiet
    check "the same: $sql" cmp first "$work/out"
done

# ---- the owner's check tells what the cells look like ----
printf 'id,amount,day\n1,"1,50",2024-01-31\n2,"2,5",31.01.2024\n3,3.5,1/31/2024\n4,x,y\n' >mixed.csv
ran 0 'mixed' "$scrim" dataset add mixed --csv mixed.csv --unit id --rows-per-unit 1 --column 'amount=decimal[0,9]' \
    --column 'day=date[2024-01-01,2024-12-31]' --missing amount=0 --missing day=2024-01-01 --budget epsilon=1 --quiet
ran 7 'mixed, checked' "$scrim" dataset check mixed
out_has 'SENSITIVE,amount,unreadable,1,no,default,5'
out_has 'SENSITIVE,amount,decimal-comma,2,no,default,2 3'
out_has 'SENSITIVE,day,unreadable,1,no,default,5'
out_has 'SENSITIVE,day,other-date,2,no,default,3 4'
err_has "SENSITIVE: 2 cells of amount have a decimal comma; declare it: 'scrim dataset set mixed --decimal ,'"
err_has 'SENSITIVE: 2 cells of day have a date in another format; correct them in the file'
printf 'id,amount,day\n1,1,31.1.2024\n2,2,1.12.2024\n' >points.csv
ran 0 'points' "$scrim" dataset add points --csv points.csv --unit id --rows-per-unit 1 --column 'amount=decimal[0,9]' \
    --column 'day=date[2024-01-01,2024-12-31]' --budget epsilon=1 --quiet
ran 7 'points, checked' "$scrim" dataset check points
err_has "have a date in another format; declare it: 'scrim dataset set points --date-format D.M.YYYY'"
printf 'id,amount,day\n1,1,1/2/2024\n2,2,1/12/2024\n' >points.csv
ran 0 'slashes' "$scrim" dataset update points --quiet
ran 7 'slashes, checked' "$scrim" dataset check points
err_has "--date-format D/M/YYYY' or M/D/YYYY"
ran 0 'mixed, with a comma' "$scrim" dataset set mixed --decimal , --quiet
ran 7 'mixed, checked again' "$scrim" dataset check mixed
out_has 'SENSITIVE,amount,decimal-point,1,no,default,4'
err_has 'SENSITIVE: 1 cell of amount has a decimal point; correct it in the file'
# A form is advised only if it reads more cells than the declared one.
printf 'id,amount,day\n1,"1,5",31.01.2024\n2,"2,5",01.02.2024\n3,3.5,2024-02-01\n4,4,5/6/2024\n5,5,13.6.2024\n6,6,13.6.2024\n' >stray.csv
ran 0 'stray dates' "$scrim" dataset add stray --csv stray.csv --unit id --rows-per-unit 1 --column 'amount=decimal[0,9]' \
    --column 'day=date[2024-01-01,2024-12-31]' --budget epsilon=1 --quiet
ran 7 'stray dates, none fits all' "$scrim" dataset check stray
err_has "5 cells of day have a date in another format; declare it: 'scrim dataset set stray --date-format F', but no format reads all"
ran 0 'stray dates, declared' "$scrim" dataset set stray --date-format D.M.YYYY --decimal , --quiet
sed -i '/5.6.2024/d' stray.csv
ran 0 'stray dates, without slashes' "$scrim" dataset update stray --quiet
ran 7 'stray dates, a good format is kept' "$scrim" dataset check stray
err_has 'SENSITIVE: 1 cell of day has a date as YYYY-MM-DD; correct it in the file'
err_has 'SENSITIVE: 1 cell of amount has a decimal point; correct it in the file'
check 'stray dates: no command' sh -c '! grep -q -e "--date-format" -e "--decimal" "$1"' sh "$work/err"
ran 0 'stray dates, two digits' "$scrim" dataset set stray --date-format DD.MM.YYYY --decimal . --quiet
ran 7 'stray dates, a format that reads these too' "$scrim" dataset check stray
err_has "2 cells of amount have a decimal comma; declare it: 'scrim dataset set stray --decimal ,'"
err_has "3 cells of day have a date in another format; declare it: 'scrim dataset set stray --date-format F'"
ran 7 'mixed, checked quietly' "$scrim" dataset check mixed --quiet
err_lines 1

# ---- a version is of a form: another one is another version ----
ran 0 'other texts' "$scrim" dataset set orders --null NA,x
err_is 'changed dataset orders (version 2), budget "orders"
answers to version 1 are no longer repeated free of charge; '"'scrim replay'"' still shows them'
ran 0 'no texts' "$scrim" dataset set orders --null ''
err_is 'changed dataset orders (version 3), budget "orders"'
ran 0 'shown without texts' "$scrim" dataset show orders
check 'no line null' sh -c '! grep "^null" "$1"' sh "$work/out"
ran 0 'with other contents' "$scrim" dataset update orders --null -
err_is 'updated dataset orders (version 4), budget "orders"'

# ---- what is wrong is said, with what is right ----
wrong() {
    ran 2 "$1" "$scrim" dataset set orders "$2" "$3"
    err_is "scrim dataset: $4"
}
wrong 'a separator of two bytes' --separator ';;' '--separator ;;: the separator must be , ; | or tab'
wrong 'a mark that is none' --decimal ';' '--decimal ;: the decimal mark must be . or ,'
wrong 'a format of another kind' --date-format '%d.%m.%Y' \
    '--date-format %d.%m.%Y: a date format needs YYYY, MM or M, and DD or D, with . / - or blanks between them, such as DD.MM.YYYY'
wrong 'a year of two digits' --date-format DD.MM.YY \
    '--date-format DD.MM.YY: a date format needs YYYY, MM or M, and DD or D, with . / - or blanks between them, such as DD.MM.YYYY'
wrong 'an empty text among others' --null 'a,,b' '--null a,,b: an empty cell is always missing; leave the empty text out'
wrong 'a text twice' --null 'a,a' "--null a,a: the text 'a' is given twice"
ran 2 'no separator of a database' "$scrim" dataset set orders --sqlite x.db --table t --separator ';'
err_is 'scrim dataset: --separator: it goes with csv only'

# ---- hints come from the header, and never from a row ----
hint() {
    # shellcheck disable=SC2059 # it is a format
    printf "$2" >hint.csv
    ran 6 "$1" "$scrim" dataset add hint --csv hint.csv --unit id --rows-per-unit 1 --budget epsilon=1
    err_is "scrim dataset: $3"
}
hint 'semicolons' 'id;age\n1;2\n' \
    "the header of the source has no column 'id', but one with ; in it; if that separates columns, add --separator ';'"
hint 'tabs' 'id\tage\n1\t2\n' \
    "the header of the source has no column 'id', but one with tab in it; if that separates columns, add --separator tab"
hint 'bars' 'id|age\n1|2\n' \
    "the header of the source has no column 'id', but one with | in it; if that separates columns, add --separator '|'"
hint 'a line for spreadsheets' 'sep=;\nid;age\n1;2\n' \
    "the first line of the source is sep=;, as spreadsheets write it, and not the header; delete that line; if that separates columns, add --separator ';'"
hint 'semicolons in rows alone' 'number\n1;2\n' "the header of the source has no column 'id'"
hint 'Latin letters' 'id,gr\366\337e\n1,2\n' \
    'the header of the source is not UTF-8 but likely WINDOWS-1252; convert the file with iconv -f WINDOWS-1252 -t UTF-8'
hint 'UTF-16' '\377\376i\0d\0\n\0' \
    'the header of the source is not UTF-8 but likely UTF-16; convert the file with iconv -f UTF-16 -t UTF-8'
# ---- files of other kinds are told apart, each with its remedy ----
hint 'a zip archive' 'PK\003\004\024\000\000\000\010\000\000\000!\000\000\000\000\000\000\000\000\000\000\000\000\000\005\000\000\000a.csv' \
    'the source is a zip archive, not a CSV file; unpack it, or pack the CSV file with gzip'
hint 'a workbook' 'PK\003\004\024\000\006\000\010\000\000\000!\000\000\000\000\000\000\000\000\000\000\000\000\000\023\000\000\000[Content_Types].xml' \
    'the source is a workbook of a spreadsheet program, not a CSV file; save it there as CSV UTF-8'
hint 'an old workbook' '\320\317\021\340\241\261\032\341\000\000\000\000\n' \
    'the source is an Excel workbook, not a CSV file; save it there as CSV UTF-8'
hint 'a Parquet file' 'PAR1\025\004\025\n' \
    'the source is a Parquet file, not a CSV file; use --parquet FILE, and the Python package reads it'
# The remedy works.
if command -v iconv >/dev/null 2>&1; then
    printf '\377\376i\0d\0\n\0001\0\n\0' | iconv -f UTF-16 -t UTF-8 >hint.csv
    ran 0 'converted' "$scrim" dataset add hint --csv hint.csv --unit id --rows-per-unit 1 --budget epsilon=1 --quiet
else
    skip 'converted' 'iconv is not installed'
fi
# Of cells the owner alone is told.
printf 'id,city\n1,K\366ln\n2,Ulm\n' >latin.csv
"$scrim" dataset add latin --csv latin.csv --unit id --rows-per-unit 1 --column city=text --budget epsilon=1 --quiet
ran 7 'Latin letters in a cell' "$scrim" dataset check latin
check 'Latin letters in a cell: the remedy' sh -c 'tr -s " \n" " " <err | grep -q "1 cell of city is not UTF-8, perhaps WINDOWS-1252; convert the file with iconv -f WINDOWS-1252 -t UTF-8, then .scrim dataset update latin."'
# A header of one column with a semicolon in it may be declared as it is.
printf 'a;b\n1\n' >one.csv
ran 0 'as it is' "$scrim" dataset add one --csv one.csv --unit 'a;b' --rows-per-unit 1 --budget epsilon=1 --quiet

# ---- packed by gzip: the file's own bytes are the version, what it unpacks to has the declared size ----
if command -v gzip >/dev/null 2>&1; then
    awk 'BEGIN { print "id,age"; for (i = 0; i < 20000; i++) print i "," i % 100 }' >people.csv
    gzip -k people.csv
    people() { "$scrim" dataset "$1" "$2" --csv "$3" --unit id --rows-per-unit 1 --column 'age=int[0,120]' --budget epsilon=90000 --quiet; }
    ran 0 'a gzip file' people add packed people.csv.gz
    ran 0 'and the file that it packs' people add unpacked people.csv
    sum='SELECT COUNT(*) AS n WHERE age > 50'
    ran 0 'asked of the file' "$scrim" query unpacked "$sum" --epsilon 900 --quiet
    cp out whole
    ran 0 'asked of the gzip file' "$scrim" query packed "$sum" --epsilon 900 --quiet
    check 'the answer is the same' cmp out whole
    ran 0 'checked' "$scrim" dataset check packed
    out_has 'SENSITIVE,,rows,20000,yes,,'
    ran 2 'it unpacks to more than a smaller size' "$scrim" dataset set packed --max-size 64KiB
    err_is 'scrim dataset: the source is larger than its max-size; declare more: --max-size SIZE, such as 1GiB'
    ran 0 'and to less than this one' "$scrim" dataset set packed --max-size 1MiB --quiet
    # A bomb: 100 MB of zeros in 100 kB.
    { echo id,age && head -c 100000000 /dev/zero; } | gzip >bomb.csv.gz
    ran 2 'a bomb' people add bomb bomb.csv.gz
    err_is 'scrim dataset: the source is larger than 64 MiB; declare its max-size: --max-size SIZE, such as 1GiB'
    head -c 30000 people.csv.gz >cut.csv.gz
    ran 6 'a gzip file that is cut' people add cut cut.csv.gz
    err_is 'scrim dataset: the source is a gzip file that is cut or damaged; copy or pack it again'
    # Other bytes under the size and time of the version: charged, no answer, and the version is closed.
    cp -p people.csv.gz kept.csv.gz
    cp -p people.csv.gz damaged && printf 'xx' | dd of=damaged bs=1 seek=30000 conv=notrunc 2>/dev/null
    touch -r people.csv.gz damaged && cat damaged >people.csv.gz && touch -r damaged people.csv.gz
    ran 6 'damaged behind its header' "$scrim" query packed 'SELECT COUNT(*) AS n' --epsilon 1
    err_has 'the source is not that of this version: it has changed since it was declared'
    cat kept.csv.gz >people.csv.gz && touch -r kept.csv.gz people.csv.gz
    ran 6 'the version is closed' "$scrim" query packed 'SELECT COUNT(*) AS n' --epsilon 1
    printf 'id,age\n1,2\n' | gzip >pipe.gz
    ran 0 'standard input' "$scrim" dataset add piped --csv - --unit id --rows-per-unit 1 --column 'age=int[0,120]' --budget epsilon=9 --quiet
    ran 6 'a gzip stream' sh -c "cat pipe.gz | '$scrim' query piped 'SELECT COUNT(*) AS n' --epsilon 1"
    err_has 'the source is packed by gzip, not a CSV file; unpack it, or pack the CSV file with gzip'
else
    skip 'a gzip file' 'gzip is not installed'
fi

finish
