#!/bin/sh
# Pages and drawings in a browser, without a screen: they are drawn, light, dark, on a phone and on paper, they ask
# for nothing from elsewhere, and the browser has nothing to say against them.
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
    skip 'the pages' 'no chromium is installed'
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

# The other pages and a drawing.
ran 0 'the page of all releases' "$scrim" report all --html releases.html
ran 0 'a drawing' "$scrim" query people 'SELECT word, COUNT(*) AS n, AVG(age) AS mean GROUP BY word' --epsilon 2 \
    --delta 1e-6 --quiet --svg answer.svg
"$scrim" dataset add rows --csv people.csv --unit row --neighbours add-remove --column 'age=int[0,120]' --budget epsilon=4,delta=1e-3 --quiet
"$scrim" synth rows --method mst --epsilon 2 --delta 1e-6 --quiet --out rows.csv
rows=$("$scrim" ledger --format csv --quiet | tail -n 1 | cut -d , -f 1)
ran 0 'the page of synthetic rows' "$scrim" synth report "$rows" --quiet --html synth.html

# opened FILE NAME OPTION...: what the browser says, and that it ends well.
opened() {
    file=$1
    what="$1: $2"
    shift 2
    ran 0 "$what" timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --user-data-dir="$work/profile" --enable-logging=stderr "$@" "file://$work/$file"
    check "$what: nothing is refused, nothing fails" \
        sh -c "! grep -E 'CONSOLE|Refused to|net::ERR' '$work/err'"
}
opened label.html 'the page is read' --dump-dom
out_has '<title>Privacy label: release '
out_has '&lt;b&gt;bold&lt;/b&gt;'
check 'no script ran' sh -c "! grep -q '<title>1' '$work/out'"
check 'two plots and a budget' test "$(grep -c '<svg' "$work/out")" -eq 3
cp "$work/out" read.html
dark=--blink-settings=preferredColorScheme=0
for page in label.html releases.html synth.html answer.svg; do
    opened $page 'light' --window-size=820,1600 --screenshot="$work/light.png"
    opened $page 'dark' --window-size=820,1600 $dark --screenshot="$work/dark.png"
    # A window has a least width, a frame has none.
    printf '<!DOCTYPE html><body style="margin:0"><iframe src="%s" style="width:390px;height:1600px;border:0">' "$page" >phone.html
    opened phone.html "$page in 390 pixels" --window-size=500,1600 --screenshot="$work/phone.png"
    for file in light.png dark.png phone.png; do
        check "$page, $file is a picture of something" test "$(wc -c <"$file")" -gt 5000
    done
    check "$page: light and dark differ" sh -c '! cmp -s light.png dark.png'
    opened $page 'paper' --no-pdf-header-footer --print-to-pdf="$work/paper.pdf"
    check "$page is on paper" test "$(wc -c <paper.pdf)" -gt 5000
done
# Every page has the one style, and every drawing its part of it.
for page in releases.html synth.html; do
    sed -n '/^<style>/,/<\/style>/p' label.html | sed '1d; $d' >style
    check "$page has the style of the label" awk 'NR == FNR { has[$0] = 1; next } !($0 in has) { exit 1 }' "$page" style
done
# What a browser saves is spelt otherwise, and nobody can tell by its bytes what it shows.
ran 0 'the page is verified' "$scrim" report verify label.html
ran 7 'what the browser has made of it is not' "$scrim" report verify read.html

finish
