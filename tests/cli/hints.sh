#!/bin/sh
# Every command that the program can print as a hint or an example can be typed: it is known, and so are its options; those that only
# show something are run. tests/cli/readme.sh, pages.sh, manual.sh and help_list.sh run what documents and pages of help show.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
if ! command -v python3 >/dev/null 2>&1; then
    check 'the program runs' "$O/scrim" --version
    skip 'hints of the program' 'python3 is not installed'
    finish
fi
python3 tests/cli/hints.py "$O/scrim" src lab >"$work/hints" || echo 'not ok 0 - hints.py failed' >>"$work/hints"
scrim=$(cd "$O" && pwd)/scrim
printed=$(pwd)/tests/cli/hints_printed.py
(cd "$work" && python3 "$printed" "$scrim") >>"$work/hints" || echo 'not ok 0 - hints_printed.py failed' >>"$work/hints"
while read -r line; do
    case $line in
    'ok '*) ok "hint: ${line#ok * - }" ;;
    'not ok '*) not_ok "hint: ${line#not ok * - }" "$(grep -A1 -xF "$line" "$work/hints" | tail -n 1)" ;;
    esac
done <"$work/hints"
finish
