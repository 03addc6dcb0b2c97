#!/bin/sh
# A80: with the rights of another user no message shows a line of a file that the caller may not read.
# shellcheck disable=SC2317 # functions that check calls

place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
seeded=$(cd "$O" && pwd)/scrim-test
root=$(pwd)
cd "$work" || exit 1

# What must not be seen, in every place where a message could have it.
{
    echo 'person,age,Zanzibar-7731'
    echo "Zanzibar-7731 Zanzibar_7731(1) 'Zanzibar-7731' 7731"
} >secret.csv
chmod 600 secret.csv
"$scrim" init --quiet
printf 'person,age\n1,2\n' >people.csv
"$scrim" dataset add people --csv people.csv --unit person --rows-per-unit 1 --column 'age=int[0,9]' --budget epsilon=9 --quiet
"$scrim" query people 'SELECT COUNT(*) AS n' --epsilon 1 --quiet >answer
release=$("$scrim" ledger people --format csv --quiet | sed -n '2s/,.*//p')
other=$(($(id -u) + 7))

quiet() {
    ! cat out err 2>/dev/null | grep -q -i -e zanzibar -e 7731
}

# readers FILE: a line for every option that reads a file by name.
readers() {
    file=$1
    cat <<EOF
query people --epsilon 1 --file $file
explain people --epsilon 1 --file $file
query people SELECT --epsilon 1 --with $file
explain people SELECT --epsilon 1 --with t=$file
dataset join people $file --on age
dataset add more --policy $file
dataset set people --policy $file
dataset set people --column word=text --keys word=@$file
report verify $file
report verify people.csv --key $file
distance tv $file $file
distance drop people.csv $file
EOF
}

for way in "SUDO_UID=$other" "PKEXEC_UID=$other" 'DOAS_USER=no-such-user' 'SUDO_UID=x'; do
    files=secret.csv
    [ "$way" != "SUDO_UID=$other" ] || files='secret.csv missing.csv /etc/shadow . /dev/tty'
    for file in $files; do
        readers "$file" >commands
        while read -r command; do
            # shellcheck disable=SC2086 # words
            ran 3 "A80 $way: $command" env "$way" "$scrim" $command </dev/null
            err_is "scrim ${command%% *}: this program was started by another user and reads by name only that user's files; use standard input"
            check "A80 $way: $command: nothing of it is shown" quiet
        done <commands
    done
    ran 3 "A80 $way: a page is not written by name" env "$way" "$scrim" report "$release" --html page.html
    check "A80 $way: there is no page" test ! -e page.html
    ran 3 "A80 $way: a drawing is not written by name" env "$way" "$scrim" explain people \
        'SELECT COUNT(*) AS n' --epsilon 1 --svg drawing.svg
    check "A80 $way: there is no drawing" test ! -e drawing.svg
    ran 3 "A80 $way: a file that is there stays" env "$way" "$scrim" dataset show people --policy people.csv
    check "A80 $way: it is as it was" grep -q '^1,2$' people.csv
done

# What the caller gives as standard input is theirs to see.
ran 2 'A80 standard input is quoted' sh -c "SUDO_UID=$other '$scrim' query people --epsilon 1 --file - <secret.csv"
err_has 'Zanzibar'
ran 0 'A80 a question by standard input' sh -c "echo 'SELECT COUNT(*) AS n' | SUDO_UID=$other '$scrim' query people --epsilon 1 --file -"
# And so are files of one's own: nobody else has called.
ran 2 'A80 one is no other' env "SUDO_UID=$(id -u)" "$scrim" query people --epsilon 1 --file secret.csv
err_has 'Zanzibar'

if [ "$(id -u)" -eq 0 ]; then
    cp secret.csv theirs.csv
    chown "$other" theirs.csv
    ran 2 'A80 a file of the caller' env "SUDO_UID=$other" "$scrim" query people --epsilon 1 --file theirs.csv
    err_has 'Zanzibar'
    ln -s secret.csv link.csv
    chown -h "$other" link.csv
    ran 3 'A80 a link of the caller' env "SUDO_UID=$other" "$scrim" query people --epsilon 1 --file link.csv
    check 'A80 a link of the caller: nothing of it is shown' quiet
else
    skip 'A80 a file of the caller' 'only root can give files away'
fi

# A program with the set-user-ID bit reads no file by name, whosever it is.
lent=$(mktemp -d /tmp/scrim-lent-XXXXXX)
cp "$seeded" "$lent/program"
chmod 755 "$lent"
chmod 4755 "$lent/program"
export ASAN_OPTIONS=detect_leaks=0 # which looks into the process, and may not
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null 2>&1 &&
    ! findmnt -n -o OPTIONS -T "$lent" | grep -q nosuid; then
    "$seeded" init --vault seeded.vault --quiet 2>/dev/null
    "$seeded" dataset add people --vault seeded.vault --csv people.csv --unit person --rows-per-unit 1 --column 'age=int[0,9]' \
        --budget epsilon=9 --quiet 2>/dev/null
    echo "$work/seeded.vault" >site
    for file in "$work/secret.csv" /etc/shadow "$lent/missing"; do
        readers "$file" >commands
        while read -r command; do
            # shellcheck disable=SC2086 # words
            ran 3 "A80 set-user-ID: $command" env -C "$lent" SCRIM_TEST_SITE="$work/site" setpriv --reuid=65534 \
                --clear-groups "$lent/program" $command </dev/null
            check "A80 set-user-ID: $command: nothing of it is shown" quiet
        done <commands
    done

    # An officer with no share gets no answer of others by any way, and can prove the ledger without them.
    "$seeded" query people 'SELECT COUNT(*) AS n' --epsilon 1 --vault seeded.vault --quiet >/dev/null
    "$seeded" dataset set people --share '*=epsilon=0' --vault seeded.vault --quiet
    officer() {
        env -C "$lent" SCRIM_TEST_SITE="$work/site" setpriv --reuid=65534 --clear-groups "$lent/program" "$@"
    }
    for way in 'replay 1' 'report 1 --html -'; do
        # shellcheck disable=SC2086 # words
        ran 4 "past the share: $way" officer $way
        out_is ''
    done
    ran 0 'its label' officer report 1
    check 'its label has everything' sh -c '! grep -q "^left out" "$0"' "$work/out"
    "$seeded" dataset add crowd --vault seeded.vault --csv people.csv --unit person --max-total-rows 2 --column 'age=int[0,9]' \
        --budget epsilon=9 --quiet 2>/dev/null
    "$seeded" query crowd 'SELECT COUNT(*) AS n' --epsilon 1 --bounds auto --vault seeded.vault --quiet >/dev/null
    "$seeded" dataset set crowd --share '*=epsilon=0' --vault seeded.vault --quiet
    ran 0 'A116 the label of an answer that found its bounds' officer report 2
    out_has 'left out    how many people were cut, and bounds that the answer found'
    out_has 'bounds      the contribution bounds were found by this release'
    cp "$work/out" label.txt
    check 'A116 no bound, no sensitivity, nobody who was cut' sh -c '! grep -q -e "rows per" -e "rows: laplace sensitivity=[2-9]" -e "rows left" "$0"' label.txt
    ran 0 'A116 it is verified' "$seeded" report verify label.txt --vault seeded.vault
    ran 3 'a page by name' officer report all --html year.html
    err_has "'--html -' writes to standard output"
    ran 0 'a page on standard output' officer report all --html -
    cp "$work/out" year.html
    ran 0 'it is verified' "$seeded" report verify year.html --vault seeded.vault
    ran 0 'the ledger of an officer' officer ledger export
    check 'it has digests, and no answer' sh -c '! grep -q "\"answer\":" "$0" && grep -q "\"release " "$0"' "$work/out"
    cp "$work/out" digests.jsonl
    ran 0 'it holds' "$seeded" ledger verify digests.jsonl --vault seeded.vault --format table
    out_has 'hash chain, totals, signature; it has the digests of answers only'
    sed '1s/.*/{"scrim_ledger": 1}/' digests.jsonl >lacking.jsonl
    ran 7 'an export of the owner that lacks answers' "$seeded" ledger verify lacking.jsonl
    err_has 'an answer is missing'
    ran 0 'the ledger of the owner' "$seeded" ledger export --vault seeded.vault
    check 'it has answers' grep -q '"answer"' "$work/out"
else
    skip 'A80 set-user-ID' 'this is not root, or programs are not lent here'
fi
rm -rf "$lent"

# Files are opened by name in these places of the program alone.
(cd "$root" && grep -l -E '(^|[^_a-z])(open|fopen|openat|freopen)\(' src/cli/*/*.c | grep -v -e _test.c -e _bench.c) >doors
# The line editor's is the history of the shell, which is not kept with rights that are not the caller's own.
check 'A80 files have four doors' test "$(tr '\n' ' ' <doors)" = 'src/cli/terminal/file_writer.c src/cli/terminal/line_editor.c src/cli/terminal/whole_file.c src/cli/vault/vault_place.c '
finish
