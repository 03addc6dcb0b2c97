#!/bin/sh
# A vault on a read-only mount can be read, and what would write it says so.
. tests/cli/shell_check.sh
scrim=$PWD/$O/scrim
cp data/adult.csv "$work"
cd "$work" || exit 1
mkdir -m 700 real shown
ask='SELECT COUNT(*) AS n'
export SCRIM_VAULT=real/scrim.vault
"$scrim" init --quiet
"$scrim" dataset add adult --csv adult.csv --unit row --column sex=text --keys sex=Female,Male --budget epsilon=3 --quiet
"$scrim" query adult "$ask" --epsilon 0.5 --quiet >answer
# mounted COMMAND: with real/ at shown/, for reading only.
mounted() {
    unshare -r -m sh -c 'mount --bind real shown && mount -o remount,bind,ro shown && exec "$@"' mounted "$@"
}
export SCRIM_VAULT=shown/scrim.vault
# refused STATUS NAME TEXT ARGUMENT...
refused() {
    want_status=$1 label=$2 text=$3
    shift 3
    ran "$want_status" "$label" mounted "$scrim" "$@"
    out_is ''
    err_lines 1
    err_has "$text"
}
# In the namespace of another user the folders above belong to nobody that scrim trusts.
if [ "$(id -u)" -ne 0 ] || ! mounted test ! -w shown/scrim.vault 2>/dev/null; then
    skip 'a read-only mount' 'this is not root, or nothing can be mounted (unshare)'
    skip 'a read-only mount: nothing is written' 'this is not root, or nothing can be mounted (unshare)'
    ok 'the vault itself is there'
    finish
fi
for verb in budget ledger 'ledger verify' 'ledger export' 'ledger key' 'replay 1' 'report 1' 'dataset list' \
    'dataset show adult' 'dataset history'; do
    # shellcheck disable=SC2086 # words
    ran 0 "a read-only mount: $verb" mounted "$scrim" $verb
done
ran 0 'a read-only mount: explain' mounted "$scrim" explain adult "$ask" --epsilon 0.25
ran 0 'a read-only mount: a recorded answer' mounted "$scrim" query adult "$ask" --epsilon 0.5 --quiet
out_is "$(cat answer)"
says='is on a read-only file system: it can be read, but nothing can be charged or changed; mount it for writing'
refused 5 'a read-only mount: query' "$says" query adult "$ask" --epsilon 0.75
refused 5 'a read-only mount: dataset remove' "$says" dataset remove adult
refused 5 'a read-only mount: moved' "$says" init --moved
refused 5 'a read-only mount: init' 'Read-only file system' init --vault shown/second.vault
check 'a read-only mount: nothing was charged' test "$("$scrim" ledger --vault real/scrim.vault | wc -l)" -eq 2
check 'a read-only mount: nothing was written' test "$(ls -A real)" = scrim.vault
if [ $have_python = yes ]; then
    # A process that was killed in a commit.
    python3 -c '
import os, sqlite3
vault = sqlite3.connect("real/scrim.vault", isolation_level=None)
for line in ("PRAGMA synchronous = OFF", "BEGIN", "UPDATE head SET refusals = 7"):
    vault.execute(line)
os._exit(0)'
    chmod 600 real/scrim.vault-journal
    refused 5 'a read-only mount: an interrupted commit' 'a commit was interrupted, and the vault is read-only here' budget
    check 'a read-only mount: its journal stays' test -s real/scrim.vault-journal
    ran 0 'an interrupted commit is undone elsewhere' "$scrim" budget --vault real/scrim.vault
    ran 0 'a read-only mount: an interrupted commit that was undone' mounted "$scrim" budget
else
    skip 'a read-only mount: an interrupted commit' 'python3 is not installed'
fi
finish
