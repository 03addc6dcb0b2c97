#!/bin/sh
# THREATS A73, A88: limits of a caller who uses the vault of another user, through a program with its
# owner's rights; and many discovered keys in 512 MB: 250,000, with LONG=yes 1,000,000.
# shellcheck disable=SC2317 # functions that check calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
seeded=$(cd "$O" && pwd)/scrim-test
cd "$work" || exit 1

# ---- a program with its owner's rights (A73) ----
# as_owner COMMAND..., as_caller COMMAND...
as_owner() { env -u SCRIM_TEST_SITE setpriv --reuid=1 --regid=1 --clear-groups "$@"; }
as_caller() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
# limited OPTION: asks with a limit that prlimit sets.
limited() {
    as_caller prlimit "$1" "$work/lent/scrim" query people 'SELECT COUNT(*)' --epsilon 0.1 --quiet
}
charges() { as_owner "$seeded" ledger --vault "$work/owned/vault" --quiet --format csv 2>/dev/null | sed 1d | wc -l; }
lend() {
    command -v setpriv >/dev/null && command -v prlimit >/dev/null || return 1
    chmod 755 "$work"
    mkdir lent owned
    cp "$seeded" lent/scrim
    chown 1:1 lent/scrim owned
    chmod 4755 lent/scrim
    chmod 700 owned
    export SCRIM_TEST_SITE="$work/site"
    echo "$work/owned/vault" >site
    printf 'id,age\n1,30\n2,40\n' >owned/people.csv
    chown 1:1 owned/people.csv
    as_owner "$seeded" init --vault "$work/owned/vault" --no-witness --quiet 2>/dev/null &&
        as_owner "$seeded" dataset add people --vault "$work/owned/vault" --csv "$work/owned/people.csv" --unit id \
            --column 'age=int[0,120]' --max-groups 1 --max-rows 1 --budget epsilon=10 --quiet 2>/dev/null
    # A file system may not lend rights at all.
    as_caller "$work/lent/scrim" budget --quiet >/dev/null 2>&1
}
if [ "$(id -u)" -ne 0 ] || ! lend; then
    skip 'A73 limits of a caller' 'only root can lend rights, and not everywhere'
else
    before=$(charges)
    for limit in as:v=1000000000000 data:d=1000000000000 cpu:t=100000 fsize:f=1000000000000 stack:s=4000000 nofile:n=255 nproc:u=255; do
        option=${limit%%:*} rest=${limit#*:}
        ran 3 "A73 a caller's limit: $option" limited "--$option=${rest#*=}:"
        out_is ''
        err_has "'ulimit -${rest%%=*}' must be"
    done
    check 'A73 nothing was charged' test "$(charges)" -eq "$before"
    ran 0 'A73 without limits' limited --core=0
    check 'A73 it was charged' test "$(charges)" -eq $((before + 1))
fi
unset SCRIM_TEST_SITE

# ---- many discovered keys (A88) ----
keys=250000
[ "${LONG-}" != yes ] || keys=1000000
mkdir tmp
if sh -c 'ulimit -v 524288 && "$0" --version' "$scrim" >/dev/null 2>&1; then
    awk -v n=$keys 'BEGIN { print "id,word"; for (i = 0; i < 2 * n; i++) printf "%d,w%d\n", i, i < n + 60 ? i % n : 7 }' >words.csv
    "$scrim" init --quiet
    "$scrim" dataset add words --csv words.csv --unit id --column word=text --max-groups 1 --max-rows 1 \
        --budget epsilon=10,delta=0.1 --quiet
    # shellcheck disable=SC2016 # a program of sh
    ran 0 "A88 $keys keys in 512 MB" sh -c 'ulimit -v 524288; TMPDIR=$2; export TMPDIR; exec "$1" query words \
        "SELECT word, COUNT(*) AS n GROUP BY word" --epsilon 1 --delta 1e-9 --format csv --quiet' _ "$scrim" "$work/tmp"
    check 'A88 the one that many have is found' grep -q '^w7,[0-9]*,' "$work/out"
    check 'A88 and no other' test "$(wc -l <"$work/out")" -eq 2
    check 'A88 nothing is left of temporary files' test -z "$(ls -A tmp)"
else
    skip "A88 $keys keys in 512 MB" 'this build needs more than that by itself'
fi

# ---- a size is declared, and never that of the file (A106) ----
mkdir sized
cd sized || exit 1
"$scrim" init --quiet
awk 'BEGIN { print "id,age"; for (i = 0; i < 20000; i++) printf "%d,%d\n", i, i % 100 }' >people.csv
add() {
    "$scrim" dataset add people --csv people.csv --unit id --rows-per-unit 1 --column 'age=int[0,120]' --budget epsilon=10 \
        --quiet "$@"
}
for size in 1 64KB 63KiB 17TiB 64mib -1MiB '' 1e6; do
    ran 2 "A106 no size: '$size'" add --max-size "$size"
done
err_has "max-size must be from 64KiB to 16TiB, in KiB, MiB, GiB or TiB; write 64MiB or 2GiB"
ran 2 'A106 a file above its size' add --max-size 128KiB
err_is 'scrim dataset: the source is larger than its max-size; declare more: --max-size SIZE, such as 1GiB'
ran 0 'A106 a file within its size' add --max-size 256KiB
ran 2 'A106 a size below the file' "$scrim" dataset set people --max-size 64KiB --quiet
ran 0 'A106 a question' "$scrim" query people 'SELECT COUNT(*)' --epsilon 1 --quiet
cp -p people.csv kept.csv
for _ in 1 2 3; do sed 1d kept.csv >>people.csv; done
ran 6 'A106 a question about a larger file' "$scrim" query people 'SELECT SUM(age)' --epsilon 1 --quiet
err_has 'the source is not that of this version: it has changed since it was declared'
ran 2 'A106 an update to a larger file' "$scrim" dataset update people --quiet
ran 0 'A106 an update with its size' "$scrim" dataset update people --max-size 1MiB --quiet
ran 0 'A106 a question about the update' "$scrim" query people 'SELECT SUM(age)' --epsilon 1 --quiet
truncate -s 70000000 people.csv
ran 2 'A106 a large file without a size' "$scrim" dataset add large --csv people.csv --unit id --rows-per-unit 1 \
    --column 'age=int[0,120]' --budget epsilon=10 --quiet
err_is 'scrim dataset: the source is larger than 64 MiB; declare its max-size: --max-size SIZE, such as 1GiB'
finish
