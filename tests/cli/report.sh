#!/bin/sh
# Labels: text, JSON, HTML and YAML of a release, what verify finds in them and what it finds out,
# and two releases side by side.
# shellcheck disable=SC2094,SC2016 # commands that are named, not run; for awk or another shell
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
me=$(id -un)

# Keys that would like to be more than keys, each 200 times; an epsilon that leaves no noise to see.
awk 'BEGIN {
    print "person_id,age,sex,word"
    split("<script>alert(1)</script>|=HYPERLINK(\"\"x\"\")|</pre><pre id=\"\"scrim-label\"\">|&amp;|scrim-label 1", words, "|")
    for (i = 0; i < 1000; i++)
        printf "%d,%d,%s,\"%s\"\n", i, i % 100, i % 2 ? "Female" : "Male", words[i % 5 + 1]
}' >adult.csv
"$scrim" init --quiet
columns="--column age=int[0,120] --column sex=text --column word=text --keys sex=Female,Male"
# shellcheck disable=SC2086 # words
"$scrim" dataset add adult --csv adult.csv --unit person_id --rows-per-unit 1 $columns --neighbours add-remove \
    --budget epsilon=1000,delta=1e-3 --quiet
# shellcheck disable=SC2086 # words
"$scrim" dataset add rows --csv adult.csv --unit row $columns --neighbours add-remove \
    --budget epsilon=1000 --quiet
# shellcheck disable=SC2086 # words
"$scrim" dataset add fixed --csv adult.csv --unit person_id --rows-per-unit 1 $columns --neighbours replace \
    --missing age=0 --missing sex=Male --missing word=none --budget epsilon=1000 --quiet

# asked DATASET QUERY OPTION...: the number of a new release.
asked() { "$scrim" query "$@" --json --quiet | tr ',' '\n' | tr -d '{}' | sed -n 's/^ *"release": *//p'; }
first=$(asked adult 'SELECT sex, COUNT(*) AS n, AVG(age) AS mean GROUP BY sex' --epsilon 0.5)
words=$(asked adult 'SELECT word, COUNT(*) AS n GROUP BY word' --epsilon 100 --delta 1e-6)
odd=$(asked adult "SELECT COUNT(*) AS n WHERE word = '<b>\"&'' %'" --epsilon 1)
single=$(asked rows 'SELECT COUNT(*) AS n' --epsilon 1)
swapped=$(asked fixed 'SELECT COUNT(*) AS n' --epsilon 1)

# A104: what bounds are from, and what one charge of rho comes to.
# shellcheck disable=SC2086 # words
"$scrim" dataset add looked --csv adult.csv --unit person_id --max-groups 1 --max-rows 1 --bounds-from check $columns \
    --budget epsilon=10,delta=1e-6 --accounting concentrated --quiet
looked=$(asked looked 'SELECT COUNT(*) AS n, SUM(age) AS s' --epsilon 0.5)
ran 0 'A104 one charge' "$scrim" budget looked
err_has 'the 1 charge of looked comes to epsilon 0.5 as it stands'
for from in check suggest declared; do
    "$scrim" dataset set looked --bounds-from "$from" --quiet
    looked=$(asked looked "SELECT COUNT(*) AS n, SUM(age) AS s, COUNT(age) AS $from" --epsilon 0.5)
    "$scrim" report "$looked" --yaml "$from.yaml"
done
check 'A104 yaml: bounds from the data' grep -q 'by looking at the data' check.yaml
check 'A104 yaml: bounds from suggestions' grep -q 'by private releases about the data' suggest.yaml
check 'A104 yaml: bounds from knowledge' grep -q 'by domain knowledge, not by the data' declared.yaml
check 'A104 yaml: nothing else is said of the data' sh -c '! grep -q "never taken from the data" ./*.yaml'

# ---- text ----
ran 0 'text' "$scrim" report "$first"
out_has "label       release $first of adult, version 1, $(date -u '+%-d %B %Y'), "
out_has 'question    SELECT sex, COUNT(*) AS n, AVG(age) AS mean GROUP BY sex'
out_has 'protected   every person_id: the answer would look almost the same without their'
out_has 'unit        person_id, neighbours add-remove'
out_has 'bounds      1 row per person_id, as declared; rows whose sex is not a listed key'
out_has 'kept.1 1 row per person_id, as declared; rows whose sex is not a listed key are ignored'
out_has 'accuracy.excludes bias from clamping, from rows that contribution bounds ignore, from rows whose key is not a listed key, and'
out_has 'cost        epsilon 0.5, delta 0'
out_has 'right at most 59.4 % of the time'
out_has 'groups      2 units together: epsilon 1, delta 0'
out_has '4 units together: epsilon 2, delta 0'
out_has 'mechanisms  present and missing values of age: laplace'
out_has 'noise of standard deviation'
out_has 'keys        public: all keys were declared in advance'
out_has 'timing      not padded'
out_has 'limits      facts about the population'
out_has 'scrim-label 7'
out_has 'key         '
err_is ''
check 'text: nobody is named' sh -c "! grep -q -w '$me' '$work/out'"
cp "$work/out" label.txt
check 'text: lines fit 80 columns' awk '/^scrim-label 7/ { exit bad } length > 80 { bad = 1 }' label.txt
ran 0 'text: what is replaced' "$scrim" report "$swapped"
out_has 'unprotected.4 the number of units'
ran 0 'text: a row' "$scrim" report "$single"
out_has 'unit        row, neighbours add-remove'
out_has 'a person with several rows is protected'
out_has 'accuracy.excludes bias from clamping, from rows that contribution bounds ignore, and'
ran 0 'text: keys that are found' "$scrim" report "$words"
out_has 'keys        private:'
out_has 'units is shown with a chance of 50 %'

# ---- JSON and CSV ----
ran 0 'json' "$scrim" report "$first" --json
cp "$work/out" label.json
ran 0 'json of odd texts' "$scrim" report "$odd" --json
cp "$work/out" odd.json
ran 0 'csv' "$scrim" report "$first" --format csv
out_has 'cost.epsilon,0.5'
if command -v python3 >/dev/null 2>&1; then
    ran 0 'json parses back' python3 -c '
import json
d = json.load(open("label.json"))
assert d["cost"]["epsilon"] == "0.5" and d["release"]["version"] == 1
assert [m["what"] for m in d["mechanism"]] == ["present and missing values of age", "sum of age"], d["mechanism"]
assert isinstance(d["limitations"], list) and len(d["limitations"]) > 3
assert d["label"].startswith("scrim-label 7\n")
o = json.load(open("odd.json"))
assert "<b>\"&" in o["release"]["question"][0], o["release"]["question"]
'
else
    skip 'json parses back' 'python3 is not installed'
fi

# ---- HTML ----
ran 0 'html' "$scrim" report "$first" --html label.html
out_is ''
err_is ''
ran 0 'html of odd keys' "$scrim" report "$words" --html words.html --format csv
out_has 'fact,value'
check 'html: no script, nothing from elsewhere' \
    sh -c "! grep -i -E '<script|<link|<img|src=|href=|url\\(|@import|javascript:' label.html words.html"
check 'html: light and dark' grep -q 'prefers-color-scheme:dark' label.html
check 'html: drawings say what they are' test "$(grep -c '<title id=' label.html)" -ge 3
check 'html: one label' test "$(grep -c '<pre id="scrim-label">' words.html)" -eq 1
ran 0 'html to standard output' "$scrim" report "$first" --html -
check 'html to standard output: the same page' cmp out label.html
check 'html to standard output: no file of that name' test ! -e ./-
ran 2 'html and JSON to standard output' "$scrim" report "$first" --html - --json
err_has 'only one of --html -, --yaml - and --format can go to standard output'
ran 2 'html and yaml to standard output' "$scrim" report "$first" --html - --yaml -
ran 0 'yaml to standard output' "$scrim" report "$first" --yaml - --html label2.html
check 'yaml to standard output: and a page' cmp label2.html label.html
check 'yaml to standard output: can be verified' sh -c "\"$scrim\" report verify - <out"
ran 2 'html: no such folder' "$scrim" report "$first" --html nowhere/label.html
err_has 'html'
if command -v python3 >/dev/null 2>&1; then
    ran 0 'html parses back' python3 -c '
import html.parser, sys
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(); self.open = []; self.tags = []; self.keys = []; self.label = ""
    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in ("meta", "hr"): self.open.append((tag, dict(attributes)))
        if tag == "bdi": self.keys.append("")
    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, (tag, self.open)
        self.open.pop()
    def handle_data(self, data):
        if self.open and self.open[-1][0] == "bdi": self.keys[-1] += data
        if self.open and self.open[-1] == ("pre", {"id": "scrim-label"}): self.label += data
    def handle_startendtag(self, tag, attributes): pass
page = Page()
page.feed(open("words.html", encoding="utf-8").read())
assert page.open == [], page.open
wanted = ["&amp;", "</pre><pre id=\"scrim-label\">", "<script>alert(1)</script>",
          "=HYPERLINK(\"x\")", "scrim-label 1"]
assert sorted(page.keys) == sorted(wanted), page.keys
assert "script" not in page.tags
open("words.txt", "w").write(page.label)
'
    ran 0 'the label of the page' "$scrim" report verify words.txt
else
    skip 'html parses back' 'python3 is not installed'
fi

# ---- YAML ----
ran 0 'yaml' "$scrim" report "$words" --yaml words.yaml
out_is ''
ran 0 'yaml of odd texts' "$scrim" report "$odd" --yaml odd.yaml
for line in 'tier: 3' '    privacy_unit: "person_id"' '      epsilon: 100' '      delta: 1.0e-6' \
    '    name: "Approximate DP"' '    model_name: "Central"' '    unprotected_quantities: |-' \
    '      - the schema: names'; do
    check "yaml has $line" grep -q -F -e "$line" words.yaml
done
check 'yaml: an odd text is a text' grep -q -F "<b>\\\"&'' %" odd.yaml
if command -v python3 >/dev/null 2>&1 && python3 -c 'import yaml' 2>/dev/null; then
    ran 0 'yaml parses back' python3 -c '
import yaml
d = yaml.safe_load(open("words.yaml"))
assert d["tier"] == 3 and d["deployment"]["privacy_loss"]["privacy_parameters"] == {"epsilon": 100, "delta": 1e-6}, d
assert d["deployment"]["model"]["is_interactive"] is True
o = yaml.safe_load(open("odd.yaml"))
assert "<b>\"&" in o["deployment"]["description"]
'
else
    skip 'yaml parses back' 'python3-yaml is not installed'
fi

# ---- verify ----
"$scrim" report "$first" --format csv >label.csv
"$scrim" report "$first" --yaml label.yaml
sed -n '/^scrim-label 7$/,$p' label.txt >label.bare
"$scrim" ledger key >key
key=$(cat key)
files='label.txt label.json label.csv label.yaml label.html label.bare'
for file in $files odd.json words.html words.yaml; do
    ran 0 "verify $file" "$scrim" report verify "$file" --format table
    out_has 'verdict     verified: every byte of the file matches the label'
    out_has 'the ledger contains the release'
    ran 0 "verify $file by the key" env -C / "$scrim" report verify "$work/$file" --key "$key" --json
    out_has '{"unchecked": [], "holds": true, "ledger": false, "signature": true, "release": '
done
ran 0 'verify by the key in a file' "$scrim" report verify label.html --key key --format csv
out_is "unchecked,holds,ledger,signature,release,reason,kind,dataset,unit,neighbours,epsilon,delta,charges,releases,entries,head,from,to,spent,known,caution
,true,,true,$first,,,adult,person_id,add-remove,$(sed -n 's/^cost.epsilon //p' label.bare),$(sed -n 's/^cost.delta //p' label.bare),,,$(sed -n 's/^ledger.entries //p' label.bare),$(sed -n 's/^ledger.head //p' label.bare),,,,,"
ran 0 'verify by both' "$scrim" report verify label.html --key key --vault scrim.vault --json
out_has "{\"unchecked\": [], \"holds\": true, \"ledger\": true, \"signature\": true, \"release\": $first, \"dataset\": \"adult\", \"unit\": \"person_id\""
ran 0 'verify from standard input' sh -c "'$scrim' report verify - <label.json"
check 'verify from standard input: the verdict' grep -q "^,true,true,true,$first,,,adult,person_id,add-remove," out
# Several files.
ran 0 'verify several files' "$scrim" report verify label.txt label.html --format table
check 'verify several files: a line each' test "$(grep -c "verified .*release $first of adult" out)" = 2
sed 's/adult/adulT/' label.csv >label.changed
ran 7 'verify several files, one changed' "$scrim" report verify label.txt label.changed nothing label.html --format csv
err_is 'scrim report: 2 of 4 files not verified'
check 'verify several files, one changed: a line each' test "$(cut -d , -f 1,3 out | tr '\n' ' ')" = 'file,holds label.txt,true label.changed,false nothing,false label.html,true '
ran 6 'verify several files, one missing' "$scrim" report verify label.txt nothing
ran 2 'verify several files, one without a label' "$scrim" report verify label.txt adult.csv
ran 7 'verify several files, nothing proves them' env -C / "$scrim" report verify "$work/label.txt" "$work/label.html" --json
parsed 'verify several files, nothing proves them: JSON' 'assert [f["holds"] for f in a["files"]] == [False, False] and all(f["unchecked"] for f in a["files"]) and a["files"][0]["dataset"] == "adult", a'
COLUMNS=50 "$scrim" report "$first" >narrow.txt
check 'a page that is kept does not depend on the terminal' cmp narrow.txt label.txt

# Without a proof nothing holds; that comes first, in every format.
for file in $files; do
    ran 7 "no proof: $file" env -C / "$scrim" report verify "$work/$file" --format table
    check "no proof: $file: it comes first" sh -c "head -n 1 '$work/out' | grep -q '^NOT CHECKED who made the label'"
    out_has 'verdict     not verified'
    err_has 'not checked: who made the label: give its vault (--vault) or the key'
done
ran 7 'no proof: JSON' env -C / "$scrim" report verify "$work/label.txt" --json
check 'no proof: JSON: it comes first' grep -q '^{"unchecked": \["who made the label: .*"\], "holds": false, "ledger": false, "signature": false,' "$work/out"
ran 7 'no proof: CSV' env -C / "$scrim" report verify "$work/label.txt" --format csv
check 'no proof: CSV: it comes first' sh -c "tail -n 1 '$work/out' | grep -q '^who made the label: .*,false,,,$first,,,adult,'"

ran 5 'verify: a vault that is named must be there' "$scrim" report verify label.txt --vault nowhere
ran 2 'verify: no label' "$scrim" report verify adult.csv
err_has 'the file contains no label'
printf 'a,b\r\n1,2\r\n' >plain.crlf
ran 2 'verify: no label in lines of CRLF' "$scrim" report verify plain.crlf
err_has 'the file contains no label'
for file in $files; do
    sed 's/$/\r/' "$file" >"crlf.$file"
    ran 7 "verify: line ends of $file" "$scrim" report verify "crlf.$file"
    err_has 'the file has other line ends (CRLF) than scrim wrote; change them back to LF'
    tr -d '\r' <"crlf.$file" >"lf.$file"
    ran 0 "verify: line ends of $file, changed back" "$scrim" report verify "lf.$file"
done
ran 6 'verify: no file' "$scrim" report verify nothing
ran 6 'verify: neither a key nor a file' "$scrim" report verify label.txt --key 00
echo "$key$key" >no-key
ran 2 'verify: a file without a key' "$scrim" report verify label.txt --key no-key
err_has '--key: a key has 64 hexadecimal digits'

# refused NAME FILE MESSAGE: status 7, and why.
refused() {
    ran 7 "$1" "$scrim" report verify "$2" --json
    out_has '{"unchecked": [], "holds": false, "reason": "'
    err_has "$3"
}
# rehashed: the label of standard input under a hash that is right.
rehashed() {
    grep -v '^hash \|^signature ' | sed -n '/^scrim-label 7$/,$p' >facts
    cat facts
    echo "hash $(sha256sum <facts | cut -d ' ' -f 1)"
}
total=$(sed -n '/^scrim-label 7$/,$p' label.txt | wc -l)
start=$(grep -n '^scrim-label 7$' label.txt | cut -d : -f 1)
line=$start
while [ "$line" -lt $((start + total)) ]; do
    sed "${line}s/.$/#/" label.txt >changed
    refused "line $((line - start)) changed" changed 'scrim report: '
    line=$((line + 9))
done
sed "$((start + 3))d" label.txt >changed
refused 'a line left out' changed 'the label was changed'
sed 's/cost.epsilon 0.5/cost.epsilon 0.1/' label.json >changed
refused 'JSON changed' changed 'its hash does not match its text'
sed 's/^cost.epsilon 0.5/cost.epsilon 0.1/' label.html >changed
refused 'HTML changed' changed 'its hash does not match its text'
sed '/^hash /d' label.html >changed
refused 'HTML without the hash' changed 'the label was changed'
sed 's/^cost.epsilon .*/cost.epsilon 0.4/' label.txt | rehashed >changed
refused 'a lower epsilon under a new hash' changed 'cost.epsilon does not hold'
sed '/^mechanism.2/d' label.txt | rehashed >changed
refused 'a mechanism left out under a new hash' changed 'cost.epsilon does not hold'
sed 's/^cost.guess .*/cost.guess 0.51/' label.txt | rehashed >changed
refused 'a smaller guess under a new hash' changed 'cost.guess does not hold'
sed 's/^cost.group-4-epsilon .*/cost.group-4-epsilon 1/' label.txt | rehashed >changed
refused 'cheaper groups under a new hash' changed 'cost.group-4-epsilon does not hold'
# All of it made to fit: only the ledger and the key know.
sed 's/^release.question.1 .*/release.question.1 SELECT COUNT(*) AS n/' label.txt | rehashed >changed
ran 7 'another question: nothing proves it' env -C / "$scrim" report verify "$work/changed"
err_has 'not checked: who made the label'
ran 7 'another question: the key has not signed it' "$scrim" report verify changed --key key
err_has 'the label has no signature'
refused 'another question: the ledger knows' changed 'release.question.1 does not hold'
sed 's/^software.version .*/software.version 0.0.9/' label.txt | rehashed >changed
refused 'another version without a signature' changed 'the label has no signature, although its vault has a key'
mkdir other
(cd other && "$scrim" init --quiet && "$scrim" dataset add adult --csv ../adult.csv --unit person_id --rows-per-unit 1 \
    --column 'age=int[0,120]' --neighbours add-remove --budget epsilon=1 --quiet &&
    "$scrim" query adult 'SELECT COUNT(*) AS n' --epsilon 1 --quiet >/dev/null &&
    "$scrim" ledger key >key)
ran 7 'another vault' "$scrim" report verify label.txt --vault other/scrim.vault
err_has 'the label is not from this vault as it was with '
ran 7 'the key of another vault' "$scrim" report verify label.txt --key other/key
err_has 'the label is signed by another key'

# ---- A89: what a file shows around its label ----
# visible NAME FILE SCRIPT MESSAGE: the file changed by a script of sed.
visible() {
    sed "$3" "$2" >changed
    check "A89 $1: it is changed" sh -c "! cmp -s '$2' changed"
    refused "A89 $1" changed "$4"
    ran 7 "A89 $1, by the key" "$scrim" report verify changed --key key
    err_has "$4"
}
is_changed='the file was changed: from line '
visible 'text' label.txt 's/^cost        epsilon 0.5/cost        epsilon 0.1/' "$is_changed"
visible 'text: a section less' label.txt '/^limits /,/^$/d' "$is_changed"
visible 'text: a line more' label.txt '1i verified by everybody' "$is_changed"
visible 'text: something behind it' label.txt '$a epsilon 0.01' "$is_changed"
visible 'JSON' label.json 's/"epsilon": "0.5"/"epsilon": "0.1"/' "$is_changed"
visible 'JSON: a member twice' label.json 's/"cost": {/"cost": {}, "cost": {/' "$is_changed"
visible 'JSON: something behind it' label.json '$a {}' "$is_changed"
visible 'JSON: broken' label.json 's/}$//' "$is_changed"
visible 'JSON: a number of another kind' label.json 's/"number": \([0-9]*\)/"number": \1.0/' "$is_changed"
visible 'CSV' label.csv 's/^cost.meaning,.*/cost.meaning,nothing/' 'the label was changed'
visible 'CSV: a quote more' label.csv 's/^cost.epsilon,0.5/cost.epsilon,"0.5"/' "$is_changed"
visible 'YAML' label.yaml 's/^      epsilon: .*/      epsilon: 0.1/' "$is_changed"
visible 'YAML: filled in' label.yaml 's/^  data_curator: .*/  data_curator: "me"/' "$is_changed"
visible 'HTML: a number' label.html 's,<b>0.5</b>,<b>0.1</b>,' "$is_changed"
visible 'HTML: a value' label.html 's,<td class="number">[0-9]*,<td class="number">1,' "$is_changed"
visible 'HTML: hidden by style' label.html 's,</style>,.big b{display:none}</style>,' "$is_changed"
visible 'HTML: covered' label.html 's,<main>,<main><div style="position:absolute">epsilon 0.01</div>,' "$is_changed"
visible 'HTML: a comment' label.html 's,<main>,<main><!-- -->,' "$is_changed"
visible 'HTML: a script' label.html 's,</body>,<script>x()</script></body>,' "$is_changed"
visible 'HTML: an attribute' label.html 's,<header>,<header hidden>,' "$is_changed"
visible 'HTML: the picture' label.html 's,<circle,<circle r="9",' "$is_changed"
visible 'HTML: the record' label.html '/^row /s/[0-9]$/x/' 'the values are not those of the release'
# Without the record only the vault knows the values.
sed '/<pre id="scrim-record">/,/<\/pre>/d' label.html >changed
refused 'A89 HTML without its record' changed 'it lacks the record of what was released'
ran 7 'A89 HTML without its record, by the key' "$scrim" report verify changed --key key --json
out_has '{"unchecked": ["the values on the page: it has no record of them'

# By openssl alone, as docs/ledger-format.md has it.
if command -v openssl >/dev/null 2>&1 && command -v basenc >/dev/null 2>&1; then
    mkdir plain
    cp label.txt key plain
    sed -n '/^## A label by openssl alone/,/^## /s/^    //p' "$OLDPWD/docs/ledger-format.md" >plain/check.sh
    check 'openssl: the page has commands' grep -q pkeyutl plain/check.sh
    ran 0 'openssl verifies the label' env -C plain sh -e check.sh
    out_has 'Signature Verified Successfully'
    sed -i 's/^cost.epsilon 0.5/cost.epsilon 0.1/' plain/label.txt
    ran 1 'openssl refuses another one' env -C plain sh -e check.sh
else
    skip 'openssl verifies the label' 'openssl or basenc is not installed'
fi

# ---- compare ----
ran 0 'compare' "$scrim" report compare "$first" "$words" --format csv
out_has "fact,release_$first,release_$words"
out_has 'epsilon,0.5,100'
ran 3 'compare refuses other units' "$scrim" report compare "$first" "$single"
err_has "their units differ, 'person_id' and 'row'"
ran 3 'compare refuses other neighbours' "$scrim" report compare "$first" "$swapped"
err_has "their neighbours differ, 'add-remove' and 'replace'"

# ---- a measurement ----
printf '12\n7\n' | "$scrim" run laplace sensitivity=1 epsilon=1 whole=yes neighbours=add-remove --charge adult \
    --quiet >/dev/null
run=$("$scrim" ledger adult --format csv --quiet | tail -n 1 | cut -d , -f 1)
ran 0 'a measurement' "$scrim" report "$run" --html run.html --json
cp "$work/out" run.json
for file in run.html run.json; do
    ran 0 "a measurement: $file" "$scrim" report verify "$file"
done
out_has ",true,true,true,$run,"
ran 0 'a measurement: its accuracy' "$scrim" report "$run" --format csv
out_has 'accuracy.statement,"each value is within the radius of the truth, with that probability"'
out_has 'accuracy.confidence,0.95'
out_has 'accuracy.radius,'
check 'a measurement: two values' test "$(grep -c '<circle' run.html)" -eq 2

# ---- all releases of a time ----
ran 0 'all' "$scrim" report all
out_has 'release,time,analyst,population,dataset,version,question,unit,amount,delta,total,state,protects,shown_to'
out_has ",$me,adult,adult,1,\"SELECT sex, COUNT(*) AS n, AVG(age) AS mean GROUP BY sex\",epsilon,0.5,0,0.5,released,person_id (add-remove)"
check 'all: every charge' test "$(wc -l <"$work/out")" -eq "$("$scrim" ledger --format csv | wc -l)"
ran 0 'all, for people' "$scrim" report all --format table
out_has 'together    epsilon 102.5, delta 1e-6 by 4 charges to adult, as a sum'
out_has 'protected   person_id (add-remove)'
out_has 'meaning     someone who sees all these answers'
ran 0 'all, in a time without any' "$scrim" report all --to 2001-01-01 --format table
out_is 'releases to 1 January 2001
nothing was charged in this time'
ran 0 'all, of today' "$scrim" report all --from "$(date -u -d yesterday +%F)" --to "$(date -u -d tomorrow +%F)" --json
out_has '"population": "adult", "charges": 4, "unit": "epsilon", "sum": "102.5"'
# Many small charges: an accountant proves less than the sum, and concentrated privacy by hand agrees.
"$scrim" dataset add many --unit row --budget epsilon=10,delta=1e-6 --quiet
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40; do
    echo 9 | "$scrim" run laplace sensitivity=1 epsilon=1/20 neighbours=add-remove --charge many --quiet >/dev/null
done
ran 0 'all, jointly' "$scrim" report all --json
wanted=$("$scrim" compose 'epsilon=1/20 x40' --delta 1e-6 --accountant concentrated --format csv --quiet | sed -n '2s/^concentrated,[^,]*,\([^,]*\),.*/\1/p')
joint=$(sed -n 's/.*"population": "many".*"joint_epsilon": "\([^"]*\)".*"accountant": "\([a-z]*\)".*/\1 \2/p' "$work/out")
check 'all, jointly: what compose says' awk -v joint="$joint" -v wanted="$wanted" 'BEGIN {
    split(joint, part, " ")
    exit !(part[2] == "concentrated" && part[1] >= wanted && part[1] <= wanted * 1.0001 && part[1] < 2) }'
ran 0 'all, a page' "$scrim" report all --html year.html
err_has 'signed      by year.html.label'
check 'all, a page: the question' grep -q 'SELECT sex, COUNT(\*) AS n, AVG(age) AS mean GROUP BY sex' year.html
check 'all, a page: a picture' grep -q '<svg .*the total rises to epsilon 102.5' year.html
check 'all, a page: no text of others is a tag' sh -c '! grep -q "<b>\"&" year.html'
ran 0 'all, verified' "$scrim" report verify year.html --format table
out_has 'a page of all releases: '
out_has ', its sums are'
ran 0 'all, verified by the key' env -C / "$scrim" report verify "$work/year.html" --key "$key"
cp year.html.label forged.html.label
for change in 's/102.5/12.5/' 's/person_id/personid/' '$d'; do
    sed "$change" year.html >forged.html
    ran 7 "all, with $change" "$scrim" report verify forged.html --format table
done
ran 2 'all to standard output, twice' "$scrim" report all --html - --json
ran 2 'all from no day' "$scrim" report all --from 2026-02-30
err_is "scrim report: --from '2026-02-30' is not a day; write it as 2026-12-31, or 2026-12, 2026-Q4, 2026"
ran 2 'all, backwards' "$scrim" report all --from 2026-03-01 --to 2026-02-01

# ---- what is no request ----
ran 2 'no release' "$scrim" report
ran 2 'a name' "$scrim" report adult
err_has 'is not a release number'
ran 2 'no such release' "$scrim" report 9999
ran 2 'verify what' "$scrim" report verify
ran 2 'a key without verify' "$scrim" report "$first" --key "$key"
err_has "--key is for 'scrim report verify FILE --key KEY'"
ran 2 'compare with what' "$scrim" report compare "$first"
ran 5 'no vault' env -C / "$scrim" report 1

finish
