#!/bin/sh
# Attack A85: a vault is known by its file, on real file systems: a copy that was restored is noticed
# where the file system hands out the same number again, and another number of the device is nothing.
# shellcheck disable=SC2317,SC2086 # functions that ran calls; words on purpose
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
if [ "$(id -u)" -ne 0 ]; then
    skip 'A85 file systems' 'only the superuser can mount one'
    finish
fi

# refused STATUS NAME WORDS COMMAND: it ends so, and says these words.
refused() {
    status=$1 what=$2 words=$3
    shift 3
    ran "$status" "$what" "$@"
    check "$what: says why" grep -q -F "$words" err
}

# on IMAGE COMMAND: in a name space of its own, with the image mounted at disk by the first loop device that
# is free; its name is left in the file device.
on() {
    unshare -m sh -ec "loop=\$(losetup -f --show '$1')
        trap \"cd '$work'; umount disk; losetup -d \$loop\" EXIT
        mount \$loop disk
        echo \$loop >device
        cd disk
        $2"
}

# elsewhere IMAGE COMMAND: the same by another loop device.
elsewhere() {
    truncate -s 1M idle
    taken=$(losetup -f --show idle) && device=$(cat device) && on "$@"
    ended=$?
    losetup -d "$taken"
    [ "$device" != "$(cat device)" ] || echo 'the same device'
    return $ended
}

# again FILE: deletes a file, and puts back what it held under the same number.
again="again() {
    was=\$(stat -c %i \"\$1\")
    cp -p \"\$1\" ../copy
    rm \"\$1\"
    n=0
    while cp -p ../copy \"\$1\"; [ \"\$(stat -c %i \"\$1\")\" != \"\$was\" ] && [ \$n -lt 200 ]; do
        n=\$((n + 1))
        mv \"\$1\" \"other\$n\"
    done
    [ \"\$(stat -c %i \"\$1\")\" = \"\$was\" ]
}"

# known NAME MEGABYTES MKFS...: the vault on such a file system.
known() {
    kind=$1 size=$2
    shift 2
    if ! command -v "$1" >/dev/null 2>&1; then
        skip "A85 $kind" "$1 is not installed"
        return
    fi
    rm -f image
    truncate -s "${size}M" image
    mkdir -p disk
    if ! "$@" image >/dev/null 2>&1 || ! on image 'chmod 755 .' 2>/dev/null; then
        skip "A85 $kind" 'no such file system can be mounted'
        return
    fi
    ran 0 "A85 $kind: init" on image "'$scrim' init --quiet"
    ran 0 "A85 $kind: the same file" on image "'$scrim' ledger verify --quiet"
    ran 0 "A85 $kind: by another device" elsewhere image "'$scrim' ledger verify --quiet"
    check "A85 $kind: it is another device" sh -c '! grep -q "the same device" out'
    ran 0 "A85 $kind: under another name" on image \
        "mv scrim.vault x && '$scrim' ledger verify --quiet --vault x && mv x scrim.vault"
    if on image "$again; again scrim.vault" 2>/dev/null; then
        refused 5 "A85 $kind: a copy with the number of the original" 'this is a copy of a vault' \
            on image "'$scrim' budget"
    else
        skip "A85 $kind: a copy with the number of the original" 'the number is not given again'
        refused 5 "A85 $kind: a copy" 'this is a copy of a vault' on image "'$scrim' budget"
    fi
    ran 0 "A85 $kind: accepted" on image "'$scrim' init --moved --quiet"
    ran 0 "A85 $kind: and known again" elsewhere image "'$scrim' ledger verify --quiet"
    # The whole disk, copied: the same in every respect, and only a witness could tell.
    cp image twin
    ran 0 "A85 $kind: a copy of the disk" on twin "'$scrim' ledger verify --quiet"
}

known ext4 4 mkfs.ext4 -q -F
if [ -n "${LONG-}" ]; then
    known xfs 300 mkfs.xfs -q -f
    known btrfs 120 mkfs.btrfs -q -f
fi
finish
