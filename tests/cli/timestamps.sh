#!/bin/sh
# Timestamps from the declaration to the label: zones by offset and by name, texts with and without an offset,
# hours that come twice, keys with their offset, literals, ranges; from CSV and from SQLite.
# shellcheck disable=SC2317 # functions that ran calls

place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
ran 0 'init' "$scrim" init --quiet

cat >visits.csv <<'EOF'
id,at
1,2026-03-29 01:30
2,2026-03-29 02:30
3,2026-10-25 02:30
4,2026-10-25 02:30+02:00
5,2026-06-30 23:59:60
6,2026-01-01T00:00:00Z
7,nonsense
8,2026-12-31 23:00:00.7
9,1999-01-01 00:00
EOF
berlin='Europe/Berlin 2025-12-30/2027-01-03 +01:00 2026-03-29T01:00:00Z+02:00 2026-10-25T01:00:00Z+01:00'
add() {
    name=$1
    shift
    "$scrim" dataset add "$name" --csv visits.csv --unit id --rows-per-unit 1 \
        --column 'at=timestamp[2026-01-01,2026-12-31 23:59:59]' --budget epsilon=100000,delta=0.1 "$@"
}

# ---- the zone ----
ran 2 'no zone' add visits
err_has 'zone: missing; a timestamp needs UTC, an offset such as +01:00, or a name such as Europe/Berlin; add --zone ZONE'
ran 2 'no such zone' add visits --zone Mars/Olympus
err_has 'zone Mars/Olympus: this system does not know it'
ran 2 'no zone at all' add visits --zone 25
err_has 'a zone must be UTC, an offset such as +01:00, or a name such as Europe/Berlin'
ran 2 'steps that are none' "$scrim" dataset add odd --csv visits.csv --unit row --zone UTC \
    --column 'at=timestamp[2026-01-01,2027-01-01]/0.5' --budget epsilon=1
err_has 'the step of a timestamp must be a whole number of seconds from 1 to 86400'
ran 2 'an end between steps' "$scrim" dataset add odd --csv visits.csv --unit row --zone +05:30 \
    --column 'at=timestamp[2026-01-01,2027-01-01]/3600' --budget epsilon=1
err_has 'on a multiple of the step'
ran 0 'with its changes' add visits --zone "$berlin"
ran 0 'shown' "$scrim" dataset show visits
out_has "zone,$berlin"
out_has 'column,"at=timestamp[2026-01-01,2026-12-31 23:59:59]"'
# A system without tables of zones knows no name; with them, the changes of the range are copied.
if [ -e /usr/share/zoneinfo/Europe/Berlin ]; then
    ran 0 'by its name' add named --zone Europe/Berlin
    ran 0 'by its name: shown' "$scrim" dataset show named
    out_has 'zone,Europe/Berlin 2025-12-30/2027-01-02 +01:00 2026-03-29T01:00:00Z+02:00 2026-10-25T01:00:00Z+01:00'
    ran 0 'another cap' "$scrim" dataset set named --cap epsilon=50000
    ran 0 'the same version' "$scrim" dataset list --format csv
    out_has 'named,1,'
    ran 0 'a wider range' "$scrim" dataset set named --column 'at=timestamp[2026-01-01,2027-12-31]'
    ran 0 'a wider range: shown' "$scrim" dataset show named
    out_has '2027-10-31T01:00:00Z+01:00'
else
    ran 2 'by its name, without tables' add named --zone Europe/Berlin
    err_has 'this system does not know it'
fi

# ---- answers; at that epsilon there is no noise to speak of ----
ask() { "$scrim" query visits "$1" --epsilon 1000 --format csv --quiet; }
ran 0 'hours' ask "SELECT DATE_TRUNC('hour', at) AS h, COUNT(*) AS n GROUP BY h HAVING n > 0"
out_is 'h,n,n_low,n_high
2026-01-01 00:00:00+01:00,1,1,1
2026-01-01 01:00:00+01:00,1,1,1
2026-03-29 01:00:00+01:00,1,1,1
2026-03-29 03:00:00+02:00,1,1,1
2026-07-01 00:00:00+02:00,1,1,1
2026-10-25 02:00:00+02:00,1,1,1
2026-10-25 02:00:00+01:00,1,1,1
2026-12-31 23:00:00+01:00,1,1,1
,1,1,1'
ran 0 'all hours of the year' ask "SELECT DATE_TRUNC('hour', at) AS h, COUNT(*) AS n GROUP BY h"
check 'all hours of the year: 8760 and NULL' test "$(sed 1d out | wc -l)" -eq 8761
ran 0 'hours of a day' ask 'SELECT HOUR(at) AS h, COUNT(*) AS n WHERE at IS NOT NULL GROUP BY h HAVING n > 0'
out_is 'h,n,n_low,n_high
0,2,2,2
1,2,2,2
2,2,2,2
3,1,1,1
23,1,1,1'
ran 0 'local months' ask "SELECT DATE_TRUNC('quarter', at) AS q, COUNT(*) AS n WHERE at >= '2026-01-01 00:00:01' GROUP BY q"
out_is 'q,n,n_low,n_high
2026-01-01,3,3,3
2026-04-01,0,0,0
2026-07-01,1,1,1
2026-10-01,3,3,3'
ran 0 'literals' ask "SELECT COUNT(*) FILTER (WHERE at < TIMESTAMP '2026-03-29 02:00:00+01:00') AS a, COUNT(*) FILTER (WHERE at < DATE '2026-03-29') AS b, COUNT(*) FILTER (WHERE at BETWEEN '2026-10-25 02:30+02' AND '2026-10-25 02:30') AS c"
out_is 'a,a_low,a_high,b,b_low,b_high,c,c_low,c_high
3,3,3,2,2,2,2,2,2'
ran 0 'seconds' ask "SELECT COUNT(*) AS n WHERE at - TIMESTAMP '2026-01-01' = 3600"
out_is 'n,n_low,n_high
1,1,1'
ran 0 'the largest' "$scrim" query visits 'SELECT MAX(at, 3600) AS m' --epsilon 1000 --delta 0.01 --format csv
err_says 'people of each bucket, '
release=$(sed -n 's/^release  *\([0-9]*\),.*/\1/p' err)
ran 0 'the largest, its label' "$scrim" report "$release"
out_has 'seconds of the true maximum'
ran 0 'in order, by time' ask "SELECT BUCKET(at, 86400) AS d, COUNT(*) AS n GROUP BY d HAVING n > 0 AND d > '2026-06-01' ORDER BY d DESC LIMIT 2"
out_is 'd,n,n_low,n_high
2026-12-31 01:00:00+01:00,1,1,1
2026-10-25 02:00:00+02:00,2,2,2'
ran 0 'a label' "$scrim" report "$release"
out_has 'timestamp[2026-01-01 00:00:00+01:00,2026-12-31 23:59:59+01:00]'
ran 0 'a picture' "$scrim" query visits 'SELECT MEDIAN(at) AS m' --epsilon 1000 --format csv --plot --quiet
check 'a value is a time with its offset, and so are its ends' grep -q '^2026-[0-9-]* [0-9:]*+0[12]:00,2026-[0-9-]* [0-9:]*+0[12]:00,2026-[0-9-]* [0-9:]*+0[12]:00$' out
ran 2 'what it is not' ask 'SELECT AVG(at) AS a'
err_has "AVG needs a number; use t - TIMESTAMP '2026-01-01' (seconds)"

# ---- the owner's look ----
ran 7 'checked' "$scrim" dataset check visits --format csv
out_has 'SENSITIVE,at,unreadable,1,no,'
out_has 'SENSITIVE,at,below-range,1,no,clamped,10'

# ---- other dates, steps, SQLite ----
printf 'at\n29.03.2026 02:29:59\n29.03.2026 14:30\n2026-03-29\n' >german.csv
ran 0 'other dates' "$scrim" dataset add german --csv german.csv --unit row --zone +01:00 --date-format DD.MM.YYYY \
    --column 'at=timestamp[2026-03-29,2026-03-30]/3600' --budget epsilon=100000
ran 0 'rounded to hours' "$scrim" query german 'SELECT at, COUNT(*) AS n GROUP BY at HAVING n > 0' --epsilon 1000 --format csv --quiet
out_is 'at,n,n_low,n_high
2026-03-29 02:00:00+01:00,1,1,1
2026-03-29 15:00:00+01:00,1,1,1
,1,1,1'
if command -v sqlite3 >/dev/null 2>&1; then
    sqlite3 visits.db "CREATE TABLE v (at); INSERT INTO v VALUES ('2026-03-29 02:30'), ('2026-03-29T00:30Z'), (1774747800), (NULL)"
    ran 0 'a database' "$scrim" dataset add base --sqlite visits.db --table v --unit row --zone "$berlin" \
        --column 'at=timestamp[2026-03-29,2026-03-30]' --budget epsilon=100000
    ran 0 'a database: texts are times, numbers are none' "$scrim" query base 'SELECT HOUR(at) AS h, COUNT(*) AS n GROUP BY h HAVING n > 0' \
        --epsilon 1000 --format csv --quiet
    out_is 'h,n,n_low,n_high
1,1,1,1
3,1,1,1
,2,2,2'
else
    skip 'a database' 'sqlite3 is not installed'
fi
finish
