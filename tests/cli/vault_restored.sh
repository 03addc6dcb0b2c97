#!/bin/sh
# scrim init keeps a witness, and a vault that was put back is refused (A108).
place=memory
. tests/cli/shell_check.sh
scrim=$PWD/$O/scrim
cd "$work" || exit 1
# refused STATUS NAME TEXT ARGUMENT...: one line, which has the text.
refused() {
    want_status=$1 label=$2 text=$3
    shift 3
    ran "$want_status" "$label" "$scrim" "$@"
    err_lines 1
    err_has "$text"
}
count='laplace sensitivity=1 epsilon=1/2 whole=yes neighbours=add-remove'
charged() { echo 7 | "$scrim" run --charge people "$@" --quiet >/dev/null; }
made() { find "$HOME" -type f | wc -l; }

ran 0 'A108 init' "$scrim" init
err_has 'created ./scrim.vault, readable only by you; its witness is in ~/.local/state/scrim'
check 'A108 init: one witness' test "$(made)" -eq 1
check 'A108 init: its rights' test "$(stat -c %a "$HOME"/.local/state/scrim/* "$HOME"/.local/state/scrim | tr '\n' ' ')" = '600 700 '
ran 0 'A108 a dataset' "$scrim" dataset add people --unit row --budget epsilon=1 --quiet
ran 0 'A108 budget of a vault with a witness' "$scrim" budget --format csv
check 'A108 budget: says nothing of it' test -z "$(grep witness err)"
ran 0 'A108 budget as JSON' "$scrim" budget --json
out_has '"witness": true'

# People restore a backup like this.
cp scrim.vault backup
# shellcheck disable=SC2086 # words
charged $count
cp backup scrim.vault
for verb in budget 'ledger verify' 'dataset list' 'replay 1' 'init --moved'; do
    # shellcheck disable=SC2086 # words
    status=5
    [ "$verb" != 'ledger verify' ] || status=7 # which was asked, and does not hold
    # shellcheck disable=SC2086 # a verb of two words
    refused $status "A108 put back: $verb" \
        "use the file that has it, or, if that is lost, let the vault's owner accept this one: scrim init --restored" $verb
done
ran 0 'A108 accepted' "$scrim" init --restored
err_has "its witness is $HOME/.local/state/scrim/"
err_says 'entries are lost, which its witness had seen; treat their charges as spent'
lost=$(grep -o '^[0-9]* entries' err)
ran 0 'A108 accepted: budget' "$scrim" budget --format csv
err_says "restored    $lost were lost when the vault was put back to an earlier state; treat their charges as spent"
ran 0 'A108 accepted: history' "$scrim" dataset history --format csv
seen=$(sed -n 's/.*,vault restored,entry \([0-9]*\),.*/\1/p' out) last=$(sed -n 's/.*,vault restored,.*,entry \([0-9]*\)$/\1/p' out)
check 'A108 accepted: history has both ends' test "$((seen - last)) entries" = "$lost"
check 'A108 accepted: nobody told the time' grep -q '^[0-9]*,,.*vault restored' out
ran 0 'A108 accepted: history since' "$scrim" dataset history --since 2999-01-01 --format csv
out_has 'vault restored'
ran 0 'A108 accepted: verify' "$scrim" ledger verify --quiet
err_says "$lost were lost when the vault was put back to an earlier state; treat their charges as spent"

rm -r "$HOME/.local"
refused 5 'A108 no witness' \
    "is missing; put it back, or, if it is lost, let the vault's owner accept the vault without it: scrim init --restored" budget
refused 5 'A108 no witness: moved' 'is missing' init --moved
ran 0 'A108 no witness: accepted' "$scrim" init --restored --quiet
check 'A108 no witness: it is there again' test "$(made)" -eq 1
ran 0 'A108 no witness: budget' "$scrim" budget

# Other places, and none.
ran 0 'A108 another witness' "$scrim" init --moved --witness here.witness --quiet
check 'A108 another witness: the former is gone' test "$(made)" -eq 0 -a -s here.witness
ran 0 'A108 none' "$scrim" init --vault none.vault --no-witness
err_is "created none.vault, readable only by you
next: scrim dataset add NAME, which asks for what it needs; or see scrim help dataset"
"$scrim" dataset add people --unit row --budget epsilon=1 --vault none.vault --quiet
ran 0 'A108 none: budget' "$scrim" budget --vault none.vault --format csv
err_says "witness     none: nobody notices an older copy of the vault in its place; 'scrim init --moved --witness FILE' adds one"
ran 0 'A108 none: JSON' "$scrim" budget --vault none.vault --json
out_has '"witness": false'
ran 0 'A108 one is added' "$scrim" init --moved --vault none.vault --witness ./ --quiet
check 'A108 one is added: in that folder' test "$(find . -name '*.witness' | wc -l)" -eq 2
refused 2 'A108 both' 'give --witness or --no-witness, not both' init --vault x --witness w --no-witness
home=$HOME
HOME=
refused 5 'A108 no home' \
    "there is no folder for the vault's witness: HOME is not set; name a file with --witness FILE, or use --no-witness" init --vault x
HOME=folder
refused 5 'A108 a home without a full path' "there is no folder for the vault's witness: HOME is not a full path; name" init --vault x
HOME=/dev/null
refused 5 'A108 no folder in it' "for the vault's witness cannot be made: Not a directory; name a file" init --vault x
HOME=$home
check 'A108 nothing is left of them' test ! -e x
ran 0 'A108 a state folder by name' env XDG_STATE_HOME="$work/state" "$scrim" init --vault x --quiet
check 'A108 a state folder by name: used' test "$(find state -type f | wc -l)" -eq 1 -a "$(made)" -eq 0
ran 0 'A108 and not needed afterwards' "$scrim" budget --vault x
chmod 777 "$HOME/.local"
refused 5 'A108 a folder that others may write' 'others can replace the folder of the witness' init --vault y
check 'A108 nothing is left of it' test ! -e y -a "$(made)" -eq 0
finish
