#!/bin/sh
# The page of a label in a browser, without a screen: it is drawn, light, dark and on paper, it asks
# for nothing from elsewhere, and the browser has nothing to say against it.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

browser=
for candidate in chromium chromium-browser google-chrome; do
    if command -v "$candidate" >/dev/null 2>&1; then
        browser=$candidate
        break
    fi
done
if [ -z "$browser" ]; then
    check 'the program runs' "$scrim" --version
    skip 'the page of a label' 'no chromium is installed'
    finish
fi

awk 'BEGIN {
    print "person_id,age,word"
    split("<b>bold</b>|<script>document.title=1</script>|plain|\"\"quoted\"\"", words, "|")
    for (i = 0; i < 800; i++)
        printf "%d,%d,\"%s\"\n", i, i % 100, words[i % 4 + 1]
}' >people.csv
"$scrim" init --quiet
"$scrim" dataset add people --csv people.csv --unit person_id --rows-per-unit 1 --column 'age=int[0,120]' \
    --column word=text --neighbours add-remove --budget epsilon=10,delta=1e-3 --quiet
"$scrim" query people 'SELECT word, COUNT(*) AS n, AVG(age) AS mean GROUP BY word' --epsilon 2 \
    --delta 1e-6 --quiet >/dev/null
release=$("$scrim" ledger --format csv --quiet | tail -n 1 | cut -d , -f 1)
ran 0 'the page is written' "$scrim" report "$release" --html label.html

# opened NAME OPTION...: what the browser says, and that it ends well.
opened() {
    what=$1
    shift
    ran 0 "$what" timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --user-data-dir="$work/profile" --enable-logging=stderr "$@" "file://$work/label.html"
    check "$what: nothing is refused, nothing fails" \
        sh -c "! grep -E 'CONSOLE|Refused to|net::ERR' '$work/err'"
}
opened 'the page is read' --dump-dom
out_has '<title>Privacy label: release '
out_has '&lt;b&gt;bold&lt;/b&gt;'
check 'no script ran' sh -c "! grep -q '<title>1' '$work/out'"
check 'two plots and a budget' test "$(grep -c '<svg' "$work/out")" -eq 3
cp "$work/out" read.html
opened 'light' --window-size=820,2600 --screenshot="$work/light.png"
opened 'dark' --window-size=820,2600 --blink-settings=preferredColorScheme=0 \
    --screenshot="$work/dark.png"
opened 'paper' --no-pdf-header-footer --print-to-pdf="$work/paper.pdf"
for file in light.png dark.png paper.pdf; do
    check "$file is a picture of something" test "$(wc -c <"$file")" -gt 20000
done
check 'light and dark differ' sh -c '! cmp -s light.png dark.png'
# What a browser saves is spelt otherwise, and nobody can tell by its bytes what it shows.
ran 0 'the page is verified' "$scrim" report verify label.html
ran 7 'what the browser has made of it is not' "$scrim" report verify read.html

finish
