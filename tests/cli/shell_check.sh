# Tests in shell, sourced:  . tests/cli/shell_check.sh  at the top, finish at the end.
# They run in the root of the repository; $O is the build folder, $work a folder to throw away: with
# place=memory before it is sourced one in memory, where there is any. Vaults are synced often, and
# their durability is tested elsewhere.
#
#   ran STATUS NAME COMMAND...   runs it; ok when it ends with that status
#   out_is TEXT, err_is TEXT     of the last ran: all that it printed, but for the last newline
#   out_has TEXT, err_has TEXT   a part of it
#   out_says TEXT, err_says TEXT likewise, where notes are folded and it may go on in the next line
#   out_lines N, err_lines N     how many lines
#   check NAME COMMAND...        ok when the command succeeds
#   skip NAME REASON
#
# shellcheck shell=sh
O=${O:-build/release}
# The same surroundings everywhere; a test that wants others sets them itself.
export LC_ALL=C TERM=xterm-256color TZ=UTC
unset LANG LANGUAGE COLUMNS LINES NO_COLOR PAGER SCRIM_VAULT SCRIM_TEST_SITE
unset SUDO_UID DOAS_USER PKEXEC_UID # the user who runs the tests by sudo is not their caller
umask 022
if [ "${place-}" = memory ] && [ -w /dev/shm ] && [ -z "${TMPDIR-}" ]; then
    export TMPDIR=/dev/shm
fi
work=$(mktemp -d)
trap 'rm -rf "$work" "$work.home"' EXIT
# Files of a user, such as the witness of scrim init, go where the test ends with them.
mkdir "$work.home"
export HOME="$work.home"
unset XDG_STATE_HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME
passed=0 failed=0 skipped=0 name=
newline='
'

ok() {
    passed=$((passed + 1))
    echo "ok $((passed + failed + skipped)) - $1"
}

# not_ok NAME EXPLANATION: lines of it become comments.
not_ok() {
    failed=$((failed + 1))
    echo "not ok $((passed + failed + skipped)) - $1"
    printf '%s\n' "$2" | sed 's/^/# /'
}

skip() {
    skipped=$((skipped + 1))
    echo "ok $((passed + failed + skipped)) - $1 # SKIP $2"
}

check() {
    name=$1
    shift
    if "$@" >"$work/said" 2>&1; then
        ok "$name"
    else
        not_ok "$name" "$* failed:
$(cat "$work/said")"
    fi
}

# joined: commands of a page, each in one line; a backslash at the end of a line joins it with the next.
joined() {
    awk '/^\$ / { on = 1 }
        on { sub(/^ +/, ""); more = sub(/\\$/, ""); line = line $0
            if (!more) { print line; line = ""; on = 0 }
            next }
        { print }'
}

ran() {
    want=$1 name=$2
    shift 2
    got=0
    "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
    if [ "$got" -eq "$want" ]; then
        ok "$name"
    else
        not_ok "$name" "$* ended with status $got, not $want
$(cat "$work/out" "$work/err")"
    fi
}

# read_few STREAM: what it holds in $got_text, and its number of lines in $got_lines. The shell reads a few lines itself, in a tenth of
# the time in which another process starts; false where there are more.
read_few() {
    got_text='' got_lines=0
    while IFS= read -r got_line; do
        [ "$got_lines" -lt 12 ] || return 1
        got_lines=$((got_lines + 1))
        got_text=$got_text$got_line$newline
    done <"$work/$1"
    got_text=$got_text$got_line
}

# is STREAM TEXT, has STREAM TEXT, lines STREAM N: what the functions below are made of.
is() {
    if read_few "$1"; then
        while [ "${got_text%"$newline"}" != "$got_text" ]; do got_text=${got_text%"$newline"}; done
    else
        got_text=$(cat "$work/$1")
    fi
    if [ "$got_text" = "$2" ]; then
        ok "$name: std$1 is right"
    else
        not_ok "$name: std$1 is right" "it is
$got_text
not
$2"
    fi
}

# holds STREAM TEXT: of a text of several lines, one of them is enough.
holds() {
    case $2 in
    '' | *"$newline"*) ;;
    *)
        if read_few "$1"; then
            case $got_text in *"$2"*) return 0 ;; *) return 1 ;; esac
        fi
        ;;
    esac
    grep -q -F -e "$2" "$work/$1"
}

has() {
    if holds "$1" "$2"; then
        ok "$name: std$1 has $2"
    else
        not_ok "$name: std$1 has $2" "it is
$(cat "$work/$1")"
    fi
}

lines() {
    read_few "$1" || got_lines=$(wc -l <"$work/$1")
    if [ "$got_lines" -eq "$2" ]; then
        ok "$name: std$1 has $2 lines"
    else
        not_ok "$name: std$1 has $2 lines" "it is
$(cat "$work/$1")"
    fi
}

out_is() { is out "$1"; }
err_is() { is err "$1"; }
out_has() { has out "$1"; }
err_has() { has err "$1"; }
unfolded() { sed -e ':a' -e '$!N' -e 's/\n            *\([^ ]\)/ \1/' -e 'ta' -e 'P' -e 'D'; }
says() {
    unfolded <"$work/$1" >"$work/unfolded"
    has unfolded "$2"
}
out_says() { says out "$1"; }
err_says() { says err "$1"; }
out_lines() { lines out "$1"; }
err_lines() { lines err "$1"; }

have_python=no
! command -v python3 >/dev/null 2>&1 || have_python=yes
# parsed NAME PROGRAM: the last output is read as JSON into a; the program asserts.
parsed() {
    if [ $have_python = yes ]; then
        check "$1" python3 -c "
import json
a = json.load(open('$work/out'))
$2"
    else
        skip "$1" 'python3 is not installed'
    fi
}

finish() {
    echo "1..$((passed + failed + skipped))"
    echo "$passed passed, $failed failed, $skipped skipped"
    # A script that only skips says why, and has not failed; one that did nothing has.
    if [ "$failed" -gt 0 ] || [ $((passed + skipped)) -eq 0 ]; then
        exit 1
    fi
    exit 0
}
