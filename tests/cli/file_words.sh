#!/bin/sh
# Too many open files, no permission and a missing folder have words of their own, for the vault, its
# witness, the source, the temporary folder and files that are written.
. tests/cli/shell_check.sh
cp "$O/scrim" data/adult.csv "$work"
chmod 755 "$work" "$work/scrim"
cd "$work" || exit 1
scrim=$work/scrim
if [ "$(id -u)" -ne 0 ]; then
    as() { "$@"; }
elif command -v setpriv >/dev/null 2>&1 && chown -R 65534 . "$HOME"; then
    as() { setpriv --reuid=65534 --clear-groups "$@"; }
else
    as() { return 1; }
fi
if ! as mkdir -m 700 here data locked; then
    skip 'words about files' 'no other user can be'
    ok 'nothing else is tested here'
    finish
fi
as cp adult.csv data/
as chmod 500 locked
export SCRIM_VAULT=here/scrim.vault
as "$scrim" init --quiet
as "$scrim" dataset add adult --csv data/adult.csv --unit row --column education=text --budget epsilon=9,delta=1e-3 --quiet
ask='SELECT education, COUNT(*) AS n GROUP BY education'
# said STATUS NAME TEXT COMMAND...: one line, which has the text.
said() {
    want_status=$1 label=$2 text=$3
    shift 3
    ran "$want_status" "$label" as "$@"
    err_lines 1
    err_has "$text"
}
few='Too many open files; raise the limit of open files'
for limit in 4 5 6 7; do
    ran 5 "$limit open files: query" as sh -c 'ulimit -n "$1"; shift; exec "$@"' limited $limit "$scrim" query adult "$ask" \
        --epsilon 0.1 --delta 1e-6
    err_lines 1
    err_has "$few"
done
said 5 'few open files: init' "the vault cannot be used: $few" sh -c 'ulimit -n 5; exec "$@"' limited "$scrim" init --vault here/new
check 'few open files: no vault is left' test ! -e here/new
missing='No such file or directory; create the folder first'
locked='Permission denied; check who may write the folder'
said 5 'a missing folder: init' "the folder of the vault 'none/v' cannot be read: $missing" "$scrim" init --vault none/v
said 5 'a missing folder: witness' "none/w' cannot be read: $missing" "$scrim" init --vault here/new --witness none/w
said 5 'a locked folder: init' "the vault 'locked/v' cannot be made: $locked" "$scrim" init --vault locked/v
said 5 'a locked folder: witness' "locked/w.next' cannot be kept: $locked" "$scrim" init --vault here/new --witness locked/w
as chmod 500 here
said 5 'a locked folder: query' "the vault cannot be used: $locked" "$scrim" query adult "$ask" --epsilon 0.1 --delta 1e-6
as chmod 700 here
temporary='cannot be used: No such file or directory; create the folder first, or set TMPDIR to another; nothing was charged'
said 1 'a missing temporary folder' "the temporary folder '/none' $temporary" \
    env TMPDIR=/none "$scrim" query adult "$ask" --epsilon 0.1 --delta 1e-6
said 1 'a locked temporary folder' "cannot be used: $locked, or set TMPDIR to another; nothing was charged" \
    env TMPDIR="$work/locked" "$scrim" query adult "$ask" --epsilon 0.1 --delta 1e-6
as chmod 000 data
reading='Permission denied; check the rights of the file and its folders'
said 6 'a locked source: query' "/data/adult.csv' cannot be read: $reading" "$scrim" query adult "$ask" --epsilon 0.1 --delta 1e-6
said 6 'a locked source: update' "adult.csv' cannot be read: $reading" "$scrim" dataset update adult
as chmod 700 data
as mv data elsewhere
said 6 'a missing source: query' "/data/adult.csv' cannot be read: No such file or directory; check its name" \
    "$scrim" query adult "$ask" --epsilon 0.1 --delta 1e-6
as mkdir data data/adult.csv
said 6 'a folder in place of the source: query' "/data/adult.csv' is not a regular file" \
    "$scrim" query adult "$ask" --epsilon 0.1 --delta 1e-6
as rmdir data/adult.csv data
as mv elsewhere data
ran 0 'nothing was charged' as "$scrim" ledger --format csv
out_lines 1
said 2 'a missing folder: --svg' "cannot write 'none/x.svg': $missing" "$scrim" audit laplace sensitivity=1 epsilon=1 --svg none/x.svg
said 2 'a locked folder: --svg' "cannot write 'locked/x.svg': $locked" "$scrim" audit laplace sensitivity=1 epsilon=1 --svg locked/x.svg
said 6 'a missing file of queries' "'none.sql' cannot be read: No such file or directory; check its name" \
    "$scrim" query adult --file none.sql --epsilon 1
as chmod 700 locked
finish
