#!/bin/sh
# The owner's side of the vault: scrim init and scrim dataset, every refusal and its status.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
unset COLUMNS NO_COLOR SCRIM_VAULT SCRIM_TEST_SITE
export TERM=xterm-256color
cd "$work" || exit 1

# refused STATUS NAME MESSAGE ARGUMENT...: the status, and the message in one line.
refused() {
    want=$1 label=$2 message=$3
    shift 3
    ran "$want" "$label" "$scrim" "$@"
    out_is ''
    err_lines 1
    err_has "scrim $message"
}

# ---- init ----
ran 0 'init' "$scrim" init
out_is ''
err_has './scrim.vault'
err_has 'next: scrim dataset add'
check 'init: for the owner alone' test "$(stat -c %a scrim.vault)" = 600
refused 5 'init twice' "init: there is a file './scrim.vault' already; nothing was made" init
ran 0 'init elsewhere' "$scrim" init --vault other.vault --witness other.witness --quiet
err_is ''
check 'init elsewhere: the witness is there' test -s other.witness
ran 0 'init by the variable' env SCRIM_VAULT=third.vault "$scrim" init --quiet
check 'init by the variable: it is there' test -s third.vault
refused 5 'init in no folder' "init: the vault 'none/scrim.vault' cannot be made" init --vault none/scrim.vault
refused 5 'init over a witness' 'init: ' init --vault fourth.vault --witness other.witness
check 'init over a witness: no vault' test ! -e fourth.vault
refused 2 'init with a word' 'init: init takes no argument' init fifth.vault
refused 2 'init without a name' "init: --vault needs a file's name" init --vault ''
refused 2 'init without a witness' "init: --witness needs a file's name" init --witness ''
refused 2 'a misspelt option' 'init: unknown option --valt; did you mean --vault?' init --valt x
refused 2 'a wait that is none' 'init: --wait is a whole number' init --wait soon --vault sixth.vault
check 'nothing lies about' test "$(find . -name '*.vault.??????' | wc -l)" -eq 0

finish
