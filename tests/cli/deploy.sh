#!/bin/sh
# scrim-deploy(7): its commands run in their order, by the users that it names, on a machine of their own: mounts and
# processes are private, and so are /etc, /srv, /home, /mnt and the folder of the program.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
page=docs/man/scrim-deploy.7

# apart COMMAND...: with mounts, processes and, for other users than root, identities of its own.
apart() {
    if [ "$(id -u)" -eq 0 ]; then
        unshare --mount --pid --fork --mount-proc "$@"
    else
        unshare --map-root-user --map-auto --mount --pid --fork --mount-proc "$@"
    fi
}

# A command that goes on in the next line ends in a backslash, which is \e there; nothing else is quoted for the page.
awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 }
    on { going = sub(/ \\e$/, ""); sub(/^ +/, ""); line = line (line == "" ? "" : " ") $0; if (!going) { print line; line = "" } }' \
    "$page" >"$work/commands"
check 'the page has commands' test "$(wc -l <"$work/commands")" -ge 50
check 'commands are shown as they run' sh -c "! grep -n '\\\\' '$work/commands'"
check 'each has its user' sh -c "! grep -v -e '^root# ' -e '^owner\\$ ' -e '^alice\\$ ' -e '^bob\\$ ' '$work/commands'"

cat >"$work/machine" <<'EOF'
set -e
# What the page takes for granted: users of a system, other disks, a program that is installed, and data.
mount -t tmpfs -o mode=755 none /run
mkdir /run/etc
cp -a /etc/. /run/etc
mount --bind /run/etc /etc
rm -rf /etc/scrim
for folder in /srv /home /mnt /usr/local/bin; do
    mount -t tmpfs -o mode=755 none "$folder"
done
mkdir /mnt/witness /mnt/backup
cp "$1/scrim" /usr/local/bin/scrim
cd "$2"
for user in scrim alice bob; do
    ! id "$user" >/dev/null 2>&1 || userdel "$user" >/dev/null 2>&1
done
set +e
home_of() { getent passwd "$1" | cut -d : -f 6; }
# as USER COMMAND: in a shell of theirs.
as() {
    case $1 in
    root) sh -c "$2" ;;
    owner) env -C / runuser -u scrim -- sh -c "$2" ;;
    *)
        home=$(home_of "$1")
        runuser -u "$1" -- env -i -C "$home" HOME="$home" PATH=/usr/local/bin:/usr/bin:/bin \
            LC_ALL=C.UTF-8 COLUMNS=80 sh -c "$2"
        ;;
    esac
}
number=0
while read -r line; do
    number=$((number + 1))
    user=${line%%[#$] *}
    as "$user" "${line#*[#$] }" >"$3/$number.out" 2>"$3/$number.err" </dev/null
    echo "$? $line" >"$3/$number.did"
done <"$2/commands"
# The last state, for who wrote this test: what was spent, the rights of the files, what alice was given.
cd /
runuser -u scrim -- scrim budget adult --quiet --format csv >"$3/budget"
runuser -u scrim -- scrim dataset history --format csv >"$3/history"
stat -c '%a %U' /srv/scrim /srv/scrim/scrim.vault /mnt/witness/scrim/head /usr/local/bin/scrim >"$3/rights"
cat "$(home_of alice)"/by_sex.csv >"$3/by_sex"
cat "$(home_of alice)"/label.txt >"$3/label"
EOF

mkdir "$work/did"
cp data/adult.csv "$work/adult.csv"
if ! apart true 2>/dev/null; then
    skip 'scrim-deploy(7)' 'a machine of its own cannot be made here (unshare)'
    finish
fi
if grep -q -a __asan_init "$O/scrim"; then
    skip 'scrim-deploy(7)' 'a program that is lent reads no options, and its search for leaks fails; the build that ships runs this'
    finish
fi
ran 0 'a machine of its own' apart sh "$work/machine" "$(cd "$O" && pwd)" "$work" "$work/did"

number=0
while read -r line; do
    number=$((number + 1))
    check "$line" test "$(cat "$work/did/$number.did")" = "0 $line" || cat "$work/did/$number.err"
    case $line in
    # Refusals are one line, and nothing else.
    *'scrim '*'; test $? = '[345])
        check "$line: nothing is shown" test ! -s "$work/did/$number.out"
        check "$line: says why" test "$(wc -l <"$work/did/$number.err")" -eq 1
        ;;
    esac
done <"$work/commands"

# shown TEXT COMMAND: what a command of the page has said.
shown() {
    number=$(grep -n -x -F -e "$2" "$work/commands" | head -n 1 | cut -d : -f 1)
    check "$2: says $1" grep -q -F -e "$1" "$work/did/$number.out" "$work/did/$number.err"
}
shown 'left: epsilon 0.3 of your share' "bob\$ scrim query adult 'SELECT AVG(age) AS mean' --epsilon 0.3"
shown '0.1 left of the analyst'\''s share and 1.8 of the whole budget' \
    "alice\$ scrim query adult 'SELECT AVG(age) AS mean' --epsilon 0.2; test \$? = 4"
shown 'Permission denied' "alice\$ cat /srv/scrim/scrim.vault; test \$? = 1"
shown 'was put back to an earlier state' \
    "owner\$ scrim init --moved --vault /mnt/backup/scrim/scrim.vault; test \$? = 5"
check 'two releases were charged to alice' test "$(grep -c ',alice,adult,' "$work/did/$(grep -n 'ledger --analyst alice' \
    "$work/commands" | cut -d : -f 1).out")" -eq 2
check 'what was spent stays spent' sh -c "sort '$work/did/budget' | tr '\n' ' ' | grep -q -x -F \
    'adult,,epsilon,3,1.2,1.8,3 adult,alice,epsilon,1,0.9,0.1,2 adult,bob,epsilon,1,0.7,0.3,2 population,analyst,unit,limit,spent,left,charges '"
check 'the history knows that it was restored' test "$(grep -c ',vault moved,' "$work/did/history")" -eq 1
check 'the rights are as the page says' test "$(tr '\n' ' ' <"$work/did/rights")" = '700 scrim 600 scrim 600 scrim 4711 scrim '
check 'alice has her answer' grep -q '^Female,[0-9]' "$work/did/by_sex"
check 'alice has its label' grep -q 'adult' "$work/did/label"
finish
