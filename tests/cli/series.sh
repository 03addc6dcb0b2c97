#!/bin/sh
# scrim series: releases over time, from their declaration to their plot; every refusal and its status.
# An epsilon of 100 leaves noise that nobody will ever see.
# shellcheck disable=SC2317,SC2094 # functions that ran calls; commands that are named, not run
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
root=$(pwd)
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
# refused STATUS NAME MESSAGE ARGUMENT...: the status, and the message in one line.
refused() {
    want=$1 label=$2 message=$3
    shift 3
    ran "$want" "$label" "$@"
    out_is ''
    err_lines 1
    err_has "$message"
}
me=$(id -un)
spent() { "$scrim" budget "$1" --format csv --quiet | awk -F , 'NR == 2 { print $5 }'; }

refused 5 'no vault' "scrim series: there is no vault at './scrim.vault'" "$scrim" series show
"$scrim" init --quiet
printf 'person,day,city\na,1,Ulm\nb,2,Ulm\nc,10,Ulm\nd,10,Bonn\na,11,Bonn\nb,12,Trier\nc,20,Trier\na,21,Ulm\nd,30,Kiel\n' >visits.csv
for unit in person row; do
    "$scrim" dataset add "$unit" --csv visits.csv --unit "$unit" --rows-per-unit 1 --column 'day=int[1,30]' --column city=text \
        --budget epsilon=700,delta=1e-3 --quiet
done
by_city='SELECT city, COUNT(*) AS n GROUP BY city'

# ---- refusals ----
refused 2 'no action' 'scrim series: missing subcommand' "$scrim" series
refused 2 'a misspelt action' "did you mean 'create'" "$scrim" series crate
refused 2 'an unheard-of action' "unknown subcommand 'embezzle'; 'scrim help series' lists them" "$scrim" series embezzle
refused 2 'no query' 'name a series, a dataset and a query' "$scrim" series create daily person
refused 2 'no epsilon' 'epsilon, the cost of one release, is missing and has no default' "$scrim" series create daily person 'SELECT COUNT(*)' --count 3
refused 2 'no count' 'give the number of planned releases: --count N' "$scrim" series create daily person 'SELECT COUNT(*)' --epsilon 1
refused 2 'no delta' 'add --delta' "$scrim" series create daily person "$by_city" --epsilon 1 --count 3
refused 2 'no column' "unknown column 'dya'; did you mean 'day'?" \
    "$scrim" series create daily person "$by_city" --epsilon 1 --delta 1e-6 --count 3 --window dya
refused 2 'no number' "column 'city' holds neither numbers nor dates" \
    "$scrim" series create daily person "$by_city" --epsilon 1 --delta 1e-6 --count 3 --window city
refused 2 'no start' 'window: missing start; write COLUMN=START,START,...' \
    "$scrim" series create daily person "$by_city" --epsilon 1 --delta 1e-6 --window day=
refused 2 'starts out of order' 'window: starts must increase; 3 is not after 5' \
    "$scrim" series create daily person "$by_city" --epsilon 1 --delta 1e-6 --window day=5,3
for count in 0 x 1000000; do
    refused 2 "a count of $count" '--count must be a whole number from 1 to 999999' \
        "$scrim" series create daily person "$by_city" --epsilon 1 --delta 1e-6 --count "$count"
done
refused 2 'no policy' 'is neither continue nor rethreshold' \
    "$scrim" series create daily person "$by_city" --epsilon 1 --delta 1e-6 --count 3 --known-keys maybe
refused 2 'no dataset' "unknown dataset 'preson'; did you mean 'person'?" \
    "$scrim" series create daily preson "$by_city" --epsilon 1 --delta 1e-6 --count 3
refused 2 'no series' "unknown series 'daily'" "$scrim" series release daily
refused 2 'an option of another action' '--epsilon' "$scrim" series show --epsilon 1
ran 3 'a query that shows rows' "$scrim" series create daily person 'SELECT city' --epsilon 1 --count 3
out_is ''
ran 4 'a budget that cannot carry it' "$scrim" series create daily person "$by_city" --window day --epsilon 100 --delta 1e-9 \
    --count 8 --quiet
out_has '8 releases,epsilon,800,'
err_lines 1
err_has 'which is enough for 7; nothing was charged'
err_has 'or add --beyond-budget'

# ---- people: each release is charged ----
ran 0 'create' "$scrim" series create daily person "$by_city" --window day --epsilon 100 --delta 1e-9 --count 3
out_has 'cost,unit,amount,delta'
out_has 'one release,epsilon,100,0.000000001'
out_has '3 releases,epsilon,300,0.000000003'
out_has 'left,epsilon,700,0.001'
err_has 'one unit can be in all releases, so each release is charged'
err_has "created     daily: 'scrim series release daily' makes the first release"
refused 2 'create again' "series 'daily' exists already" \
    "$scrim" series create daily person "$by_city" --window day --epsilon 100 --delta 1e-9 --count 3
check 'nothing is spent' test "$(spent person)" = 0
ran 0 'before the first release' "$scrim" series show daily
out_is 'release,from,to,version,entry,city,n,n_low,n_high'
err_has 'to come     epsilon 300, delta 3e-9 for 3 releases'
ran 0 'release 1' "$scrim" series release daily
out_is 'city,n,n_low,n_high
Ulm,3,3,3'
err_has 'series      release 1 of 3 of daily: day 1..10'
err_has "charged     epsilon 100, delta 1e-9 to person, version 1, for $me
"
ran 0 'release 2' "$scrim" series release daily --quiet
out_is 'city,n,n_low,n_high
Trier,2,2,2
Ulm,0,0,0'
ran 0 'release 1 again' "$scrim" series release daily 1
out_is 'city,n,n_low,n_high
Ulm,3,3,3'
err_has 'nothing was charged now'
err_has 'series      release 1 of 3 of daily: day 1..10'
err_has "version 1, for $me, earlier; nothing now"
ran 0 'release 1 as JSON' "$scrim" series release daily 1 --json --quiet
out_has '"series": "daily", "number": 1, "releases": 3, "from": "1", "to": "10", '
check 'two were charged' test "$(spent person)" = 200
ran 0 'release 3' "$scrim" series release daily 3 --quiet
out_has 'Ulm,1,1,1'
refused 2 'release 4' "all 3 releases of the series 'daily' are made" "$scrim" series release daily
refused 2 'no number' 'are numbered from 1' "$scrim" series release daily x
refused 2 'release 0' 'are numbered from 1' "$scrim" series release daily 0
check 'three were charged' test "$(spent person)" = 300

# ---- show ----
ran 0 'show' "$scrim" series show daily
cut -d , -f 1-4,6-9 "$work/out" >shown
check 'show has all releases' test "$(cat shown)" = 'release,from,to,version,city,n,n_low,n_high
1,1,10,1,Ulm,3,3,3
2,11,20,1,Trier,2,2,2
2,11,20,1,Ulm,0,0,0
3,21,30,1,Trier,0,0,0
3,21,30,1,Ulm,1,1,1'
err_has 'series      daily of person: 3 of 3 releases made, one per window of day'
err_has 'spent       epsilon 300, delta 3e-9'
entry=$(awk -F , 'NR == 2 { print $5 }' "$work/out")
ran 0 'replay' "$scrim" replay "$entry" --quiet
out_is 'city,n,n_low,n_high
Ulm,3,3,3'
ran 0 'report' "$scrim" report "$entry"
out_has 'series      daily, its release 1; known keys: continue'
ran 0 'show: json' "$scrim" series show daily --json --quiet
out_has '"series": "daily"'
out_has '"spent": "300"'
out_has '"city": "Ulm", "n": {"value": 3, "low": 3, "high": 3}}'
if command -v python3 >/dev/null 2>&1; then
    check 'show: it is JSON' python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["rows"]) == 5' "$work/out"
fi
ran 0 'show: jsonl' "$scrim" series show daily --format jsonl --quiet
check 'show: a line a row' test "$(wc -l <"$work/out")" = 5
ran 0 'show: table' "$scrim" series show daily --format table --quiet
out_has '11..20'
out_has '2  [2, 2]'
ran 0 'show: plot' "$scrim" series show daily --plot --svg daily.svg --quiet
err_has 'n of Ulm'
err_has '   1  1..10'
err_has 'not shown'
check 'show: a drawing' grep -q '</svg>' daily.svg
refused 2 'show: a folder that is not there' '--svg' "$scrim" series show daily --svg none/daily.svg
refused 2 'show: a plot of all' 'a plot needs one series: scrim series show NAME --plot' "$scrim" series show --plot
refused 2 'show: a drawing of all' 'a plot needs one series: scrim series show NAME --svg FILE' "$scrim" series show --svg all.svg
check 'show: no drawing of all' test ! -e all.svg
ran 0 'show: all' "$scrim" series show
out_is 'series,dataset,window,keys,planned,made,unit,spent,delta
daily,person,day,continue,3,3,epsilon,300,0.000000003'

ran 0 'show: all, for people' "$scrim" series show --format table
out_has '| daily  | person  | day    | continue | 3 of 3 | epsilon 300 | 3e-9  |'
for action in show 'show daily'; do
    # shellcheck disable=SC2086 # an action and its name
    ran 0 "$action in 80 columns" env COLUMNS=80 "$scrim" series $action --format table
    check "$action in 80 columns: no line is wider" sh -c "! cat '$work/out' '$work/err' | grep -n '.\{81\}'"
done

# ---- rows: windows are charged once ----
ran 0 'rows' "$scrim" series create rows row "$by_city" --window day=1,11,21 --epsilon 100 --delta 1e-9 --known-keys rethreshold
out_has '3 releases,epsilon,100,0.000000001'
err_says 'parallel composition: each row of a version is in one window'
for i in 1 2 3; do
    "$scrim" series release rows >"rows.$i" 2>"rows.said"
done
check 'rows: Ulm and no other in the third window' test "$(cat rows.3)" = 'city,n,n_low,n_high'
check 'rows: why nothing was charged' grep -q -x "charged     epsilon 0 to row, version 1, for $me: already covered by an earlier window of this version" rows.said
check 'rows: charged once' test "$(spent row)" = 100
ran 0 'rows: show' "$scrim" series show rows
err_says 'parallel composition: the most expensive window of each version'

# ---- A77: windows of another version are charged again ----
"$scrim" series create moved row "$by_city" --window day=1,11,21 --epsilon 100 --delta 1e-9 --quiet >moved
"$scrim" series release moved --quiet >moved.1
"$scrim" series release moved --quiet >moved.2
check 'A77: one version is charged once' test "$(spent row)" = 200
ran 0 'A77: the forecast of this version' "$scrim" series show moved
err_has 'to come     epsilon 0, delta 0 for 1 release'
touch -d 2001-01-01 visits.csv
"$scrim" dataset update row --quiet
ran 0 'A77: the forecast of the next version' "$scrim" series show moved
err_has 'to come     epsilon 100, delta 1e-9 for 1 release'
"$scrim" series release moved --quiet >moved.3
check 'A77: the next version is charged again' test "$(spent row)" = 300

# ---- versions ----
ran 0 'versions' "$scrim" series create versions row 'SELECT COUNT(*) AS n' --epsilon 100 --count 2 --delta 1e-9 --format table
err_says "each later release needs a new version: run 'scrim dataset update row'"
out_has '| jointly     | epsilon | 200    | 2e-9 '
check 'versions: no line is wider than 80 columns' sh -c "! cat '$work/out' '$work/err' | grep -n '.\{81\}'"
ran 0 'versions: 1' "$scrim" series release versions
err_has 'series      release 1 of 2 of versions: version 2'
err_says "next        release 2 is of the next version, which 'scrim dataset update row' declares"
out_is 'n,n_low,n_high
9,9,9'
ran 0 'versions: 1 again' "$scrim" series release versions
err_has 'nothing was charged now'
err_says "next        release 2 is of the next version, which 'scrim dataset update row' declares"
ran 0 'versions: show' "$scrim" series show versions
err_says "next        release 2 is of the next version, which 'scrim dataset update row' declares"
err_says 'for 1 release, of'
refused 2 'versions: 2 of the same version' 'release 2 is of the next version; scrim dataset update row declares it' \
    "$scrim" series release versions 2
refused 2 'versions: 0' 'are numbered from 1' "$scrim" series release versions 0
"$scrim" series create late row 'SELECT COUNT(*) AS n' --epsilon 1 --count 2 --quiet >late
printf 'x,1,Ulm\n' >>visits.csv
refused 6 'versions: a file that has changed' 'scrim series: ' "$scrim" series release late 1
"$scrim" dataset update row --quiet
ran 0 'versions: 2' "$scrim" series release versions --quiet
out_is 'n,n_low,n_high
10,10,10'
check 'versions: each was charged' test "$(spent row)" = 500

# ---- a window without a key that could be shown ----
refused 2 'known keys without GROUP BY' 'known-keys: the query has no GROUP BY' \
    "$scrim" series create none row 'SELECT COUNT(*) AS n' --epsilon 1 --count 2 --known-keys continue
ran 0 'none' "$scrim" series create none row "$by_city" --window day=29 --epsilon 1 --delta 1e-9
out_has '1 release,epsilon,1,'
err_says 'left out    rows with day below 29 are in no window and are never released'
ran 0 'none: before' "$scrim" series show none --plot --quiet
err_has 'no release yet'
ran 0 'none: release' "$scrim" series release none --quiet
ran 0 'none: show' "$scrim" series show none --plot --svg none.svg --quiet
err_has 'no release has shown a key yet'
check 'none: the drawing says so' grep -q '>no release has shown a key yet<' none.svg
ran 0 'versions: no keys' "$scrim" series show versions --plot
check 'versions: no word of keys' sh -c "! grep -q '^keys' '$work/err'"
check 'versions: the plot is of n' grep -q -x '  n' "$work/err"

# ---- every column, by date ----
printf 'person,born,score\na,2024-01-05,1\nb,2024-01-20,2\nc,2024-02-03,3\nd,2024-03-09,4\n' >dates.csv
"$scrim" dataset add dates --csv dates.csv --unit person --column 'born=date[2024-01-01,2024-03-31]' \
    --column 'score=int[0,9]' --rows-per-unit 1 --budget epsilon=1000 --quiet
"$scrim" series create months dates 'SELECT COUNT(*) AS n, SUM(score) AS total' --window born=month \
    --epsilon 200 --quiet >"$work/out"
for release in 1 2 3; do
    "$scrim" series release months "$release" --quiet >"$work/out"
done
ran 0 'dates: show' "$scrim" series show months --plot --svg months.svg --quiet
check 'dates: both columns' test "$(grep -c -x -e '  n' -e '  total' "$work/err")" = 2
check 'dates: a line a release and column' test "$(grep -c '  2  2024-02-01..2024-02-29 ' "$work/err")" = 2
check 'dates: drawn by date' test "$(grep -c '>2024-0[123]-01</text>' months.svg)" = 6
check 'dates: both are named' grep -q '>n, total by release, each of a window of born<' months.svg

# ---- what a release will be, before it is declared ----
ran 0 'a month each' "$scrim" series create thirds dates 'SELECT score, COUNT(*) AS n GROUP BY score' --window born --count 3 --epsilon 0.001
tr -s ' \n' ' ' <"$work/err" >words
check 'a month each: the windows' grep -q 'windows 1: 2024-01-01\.\.2024-01-30 2: 2024-01-31\.\.2024-02-29 3: 2024-03-01\.\.2024-03-31 error' words
check 'a month each: the error' grep -q 'error half of the 95 % interval, assuming 1000 rows per group (--expect) n: [0-9]' words
check 'a month each: the caution' grep -q 'caution n: in groups of 1000 rows the error is as large as the count itself' words
ran 0 'public keys are not said to be private' "$scrim" series show thirds
check 'public keys are not said to be private: no line' sh -c "! grep -q '^keys ' '$work/err'"
"$scrim" series create listed row 'SELECT day, COUNT(*) AS n GROUP BY day' --count 2 --epsilon 0.01 --delta 1e-9 --quiet >"$work/out"
"$scrim" series release listed --quiet >"$work/out"
ran 0 'public keys are not said to be private after a release' "$scrim" series show listed
err_says 'listed of row: 1 of 2 releases made'
check 'public keys are not said to be private after a release: no line' sh -c "! grep -q '^keys ' '$work/err'"
ran 0 'many windows' "$scrim" series create many dates 'SELECT score, COUNT(*) AS n GROUP BY score' --window born --count 30 --epsilon 0.1
check 'of many windows two are shown' test "$(grep -c -E '^(windows)? +[0-9]+: 2024-' "$work/err")" = 2

# ---- more keys than are drawn ----
"$scrim" series create scores dates 'SELECT score, COUNT(*) AS n GROUP BY score' --count 1 --epsilon 5 --quiet >"$work/out"
"$scrim" series release scores 1 --quiet >"$work/out"
ran 0 'many keys: show' "$scrim" series show scores --plot --quiet
check 'many keys: their number' grep -q -x -E '  the 6 largest of 1[01] keys' "$work/err"

# ---- running totals ----
total='SELECT COUNT(*) AS n'
printf 'person,day,city\na,1,Ulm\nb,2,Ulm\nc,10,Ulm\nd,10,Hof\na,11,Hof\nb,12,Jena\nc,20,Jena\na,21,Ulm\nd,30,Jena\n' >totals.csv
"$scrim" dataset add totals --csv totals.csv --unit row --column 'day=int[1,30]' --column city=text \
    --keys city=Hof,Ulm --budget epsilon=250,delta=1e-3 --quiet
refused 3 'running: people' 'running totals need each row as a unit, add-remove neighbours and a file' \
    "$scrim" series create sums person "$total" --epsilon 1 --window day --count 3 --running
refused 2 'running: no window' 'running totals need windows: --window COLUMN' \
    "$scrim" series create sums totals "$total" --epsilon 1 --count 3 --running
refused 2 'running: a mean' 'running: use COUNT or SUM without arithmetic, of all rows or by public keys' \
    "$scrim" series create sums totals 'SELECT AVG(day) AS a' --epsilon 1 --window day --count 3 --running
ran 0 'running' "$scrim" series create sums totals "$total" --epsilon 100 --window day --count 7 --running
check 'running: one charge for all' grep -q -x '7 releases,epsilon,100,0' "$work/out"
err_has 'charges     binary tree: '
for line in '            n: 0 in release 1, 2, 4' '            n: 0 in release 3, 5, 6' '            n: 0 in release 7'; do
    check "running: the error, $line" grep -q -x "$line" "$work/err"
done
refused 2 'running: not the next' "release 1 of the series 'sums' comes next" "$scrim" series release sums 2
for i in 1 2 3 4 5 6 7; do
    "$scrim" series release sums --quiet
done | grep -v n >made
check 'running: the totals' test "$(cut -d , -f 1 made | tr '\n' ' ')" = '2 2 6 6 8 8 9 '
check 'running: charged once' test "$(spent totals)" = 100
ran 0 'running: show' "$scrim" series show sums
# shellcheck disable=SC2016 # for the inner shell
check 'running: every total is as it was released' sh -c 'tail -n +2 "$1" | cut -d , -f 6- | cmp - made' - "$work/out"
check 'running: windows begin with the first' test "$(tail -n +2 "$work/out" | cut -d , -f 2 | sort -u)" = 1
err_has 'one per window of day, each'
number=$(awk -F , '$1 == 7 { print $5 }' "$work/out")
ran 0 'running: replay' "$scrim" replay "$number" --quiet
check 'running: a replay is the same' test "$(tail -n 1 "$work/out")" = "$(tail -n 1 made)"
ran 0 'running: again' "$scrim" series release sums 7 --json
check 'running: JSON has the ends' grep -q '"from": "1", "to": "30"' "$work/out"
refused 2 'running: all are made' 'all 7 releases' "$scrim" series release sums
refused 2 'running: beyond' 'has 7 releases' "$scrim" series release sums 8
ran 0 'running: report' "$scrim" report "$number"
out_has 'series      sums, its release 7; a running total'
check 'running: the question is that of the total' grep -q 'BETWEEN 1 AND 30' "$work/out"
"$scrim" report "$number" --json >label.json
ran 0 'running: the label verifies' "$scrim" report verify label.json
ran 0 'running: by keys' "$scrim" series create keyed totals "$by_city" --epsilon 100 --window day --count 3 --running --quiet
for i in 1 2 3; do "$scrim" series release keyed --quiet; done >made
check 'running: by keys: the totals' test "$(cut -d , -f 1,2 made | grep -v city | tr '\n' ' ')" = 'Hof,1 Ulm,3 ,0 Hof,2 Ulm,3 ,0 Hof,2 Ulm,4 ,0 '
"$scrim" dataset set totals --keys city=Hof,Jena --quiet
"$scrim" series create more totals "$total" --epsilon 1 --window day --count 3 --running --quiet >"$work/out"
"$scrim" series release more --quiet >"$work/out"
"$scrim" dataset set totals --column 'day=int[1,40]' --quiet
refused 3 'running: another policy' 'cannot add to its earlier totals; create a new series' "$scrim" series release more

# ---- a share ----
"$scrim" dataset set person --share "$(id -un)=epsilon=9999" --quiet
ran 0 'a share: the price' "$scrim" series create shared person 'SELECT COUNT(*) AS n' --epsilon 0.1 --count 2 --format csv
check 'a share: the price tells both' test "$(grep -c -e '^left of your share,epsilon,' -e '^left of the whole budget,epsilon,' "$work/out")" = 2
ran 0 'a share: show' "$scrim" series show shared
check 'a share: show tells both' grep -q -E '^left        epsilon [0-9.]+ of your share; epsilon [0-9.]+, delta ' "$work/err"
ran 0 'a share: show as JSON' "$scrim" series show shared --json
check 'a share: JSON tells both' grep -q -E '"left_delta": "[^"]*", "share_left": "[^"]*", "share_left_delta": null, "whole_left": ' "$work/out"
"$scrim" dataset set person --share "$(id -un)=none" --quiet

# ---- the ledger ----
ran 0 'verify' "$scrim" ledger verify
"$scrim" ledger export >export.jsonl
ran 0 'verify without scrim' sh "$root/tests/vault/check_export.sh" export.jsonl
check 'windows are entries of their own' test "$(grep -c '"text": "window2 2 ' export.jsonl)" = 3
sed 's/"text": "series rows 2 3 parallel/"text": "series rows 2 3 sequential/' export.jsonl >forged.jsonl
ran 1 'a series that is not parallel has no windows' sh "$root/tests/vault/check_export.sh" forged.jsonl
out_has 'is no window of its series'
sed 's/\("text": "window2 3 3 2 2 1 \)100 /\10 /' export.jsonl >forged.jsonl
check 'A77: a window of another version is forged' sh -c '! cmp -s export.jsonl forged.jsonl'
ran 1 'A77: a window of another version that adds nothing' sh "$root/tests/vault/check_export.sh" forged.jsonl
out_has 'adds another amount than its price asks for'
for key in Bonn Kiel; do
    check "$key left no byte" sh -c "! cat scrim.vault* | grep -q -a $key"
done
# ---- what create says of the error is what every release has, of new keys and of known ones ----
awk 'BEGIN { print "who,town,amount"; for (i = 0; i < 900; i++) print i % 300 ",t" i % 3 "," i % 50 }' >towns.csv
"$scrim" dataset add towns --csv towns.csv --unit who --max-groups 3 --max-rows 1 --column town=text --column 'amount=int[0,50]' \
    --budget epsilon=100,delta=1e-3 --quiet 2>/dev/null
number=0
for query in 'SELECT town, COUNT(DISTINCT who) AS n GROUP BY town' 'SELECT town, COUNT(*) AS n GROUP BY town' \
    'SELECT town, SUM(amount) AS n GROUP BY town'; do
    number=$((number + 1))
    ran 0 "series $number is created" "$scrim" series create "towns$number" towns "$query" --epsilon 2 --delta 1e-6 --count 2
    said=$(sed -n 's/^ *n: //p' err)
    for release in 1 2; do
        [ $release -eq 1 ] || { echo '1,t0,1' >>towns.csv && "$scrim" dataset update towns --quiet; }
        ran 0 "series $number, release $release" "$scrim" series release "towns$number" --quiet --format csv
        check "series $number, release $release: as wide as create said" \
            awk -F , -v said="$said" 'NR > 1 { wide = ($4 - $3) / 2; if (wide > said * 1.01 || wide < said * 0.99) exit 1; rows++ } END { exit rows != 3 }' out
    done
done

finish
