#!/bin/sh
# THREATS A61: keys that are formulas, sequences for terminals, marks that turn text around, quotes and
# line ends, public and discovered, in every format. CSV parses back behind its guard, JSON to the same
# text, and a terminal gets no control character.
# shellcheck disable=SC2317 # functions that ran calls
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
if ! command -v python3 >/dev/null 2>&1; then
    skip 'hostile keys' 'python3 is not installed'
    finish
fi

# 200 keys; and a table where each has thirty units. Records end with CR LF, so that a key may hold
# a line end.
cat >keys.py <<'END'
starts = ["=", "+", "-", "@", "\t", "\r", "\n", "'", "''", "'=", "\uff1d", "\uff0b", "\uff0d", "\uff20", "|", "%"]
ends = ["1+1", "HYPERLINK(\"http://x\")", "cmd|' /C calc'!A0", "SUM(A1:A9)", "x,y"]
keys = [a + b for a in starts for b in ends]
keys += ["\x1b[2J", "\x1b]0;title\x07", "\x1b[31mred", "a\x08\x08b", "\x9b31m", "\x85next", "\x7f", "\x01\x02",
         "\x1b(0", "\x1bP+q\x1b\\", "bell\x07", "cr\rover", "lf\nline", "vt\x0b", "ff\x0c", "tab\tin"]
keys += ["\u202eevil", "\u202aembed", "\u2066isolate\u2069", "\u200fmark", "\u200emark", "\u061cmark", "\u2028sep", "\u2029par",
         "\ufeffbom", "\u200bzero", "a\u0301", "\U0001f600", "\U000e0041tag", "\u0000d0".replace("\u0000", "\u0001")]
keys += ["\"", "\"\"", "a\"b", "\",\"", "\"\n\"", "\\", "\\\"", "\\u0041", "\\n", "a\\", "{\"a\":1}", "[1]", "]}", "null", "true",
         "\"}]}", "\": {", "</script>", "<script>alert(1)</script>", "<!--", "-->", "&amp;", "&#60;", "' OR 1=1 --",
         "'; DROP TABLE entries;--", "$(id)", "`id`", "%s%n", "%x", "../../etc/passwd", "a;b", "a|b", "a,b", ",", ";"]
keys += [" ", "  lead", "trail  ", "NaN", "NULL", "nan", "inf", "-1", "1e400", "0x10", "2020-01-01", "N/A", "#REF!", "#", "all", "n",
         "key", "word", "x" * 200, "\u00e9" * 60, "\u4e16\u754c"]
n = 0
while len(keys) < 200:
    n += 1
    keys.append(chr(0x1b) + "[%dm" % n if n % 2 else "=%d" % n)
assert len(set(keys)) == len(keys), [k for k in keys if keys.count(k) > 1]
# What no terminal gets.
def is_hidden(c):
    o = ord(c)
    return o < 32 or 127 <= o < 160 or o in (0x61c, 0x200e, 0x200f) or 0x2028 <= o <= 0x202e or 0x2066 <= o <= 0x2069
def unguard(text):
    rest = text.lstrip("'")
    guarded = rest[:1] and rest[0] in "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
    return text[1:] if guarded and text.startswith("'") else text
END
python3 - <<'END'
exec(open("keys.py").read())
with open("words.csv", "w", newline="", encoding="utf-8") as f:
    f.write("id,word\r\n")
    for i, k in enumerate(keys):
        for j in range(30):
            f.write('%d-%d,"%s"\r\n' % (i, j, k.replace('"', '""')))
with open("public.txt", "w", newline="", encoding="utf-8") as f:
    for k in keys:
        if "\n" not in k and "\r" not in k and k.strip(" \t") == k:
            f.write(k + "\n")
END
"$scrim" init --quiet
"$scrim" dataset add words --csv words.csv --records crlf --unit id --rows-per-unit 1 --column word=text --budget epsilon=1000,delta=0.9 --quiet 2>/dev/null
cp words.csv listed.csv
ran 0 'A61 hostile public keys' "$scrim" dataset add listed --csv listed.csv --records crlf --unit id --rows-per-unit 1 --column word=text \
    --keys word=@public.txt --budget epsilon=1000,delta=0.9 --quiet

cat >hold.py <<'END'
import csv, io, json, sys
exec(open("keys.py").read())
listed = set(open("public.txt", encoding="utf-8", newline="").read().split("\n")[:-1])
assert len(listed) > 150
def hold(kind, form, path):
    text = open(path, "rb").read().decode("utf-8")
    want = set(keys)
    if kind == "listed":
        want = listed | {"" if form == "csv" else None} # NULL is a key that may be
    if form == "csv":
        rows = list(csv.reader(io.StringIO(text, newline="")))[1:]
        for r in rows: # no cell begins a formula, as a spreadsheet sees it
            assert r[0][:1] not in list("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20") or r[0] == "", r
        got = [unguard(r[0]) for r in rows]
        assert all(len(r) == 4 for r in rows)
    else:
        assert not any(is_hidden(c) and c != "\n" for c in text), [hex(ord(c)) for c in text if is_hidden(c) and c != "\n"]
        if form == "json":
            got = [r["word"] for r in json.loads(text)["rows"]]
        elif form == "jsonl":
            got = [json.loads(line)["word"] for line in text.split("\n")[:-1]]
        else: # for people
            return
    assert len(got) == len(set(got)), "keys that look alike"
    assert set(got) == want, (want - set(got), set(got) - want)
    if form != "csv" or kind == "listed":
        assert got == sorted(got, key=lambda k: (k in ("", None), (k or "").encode("utf-8"))), "another order"
kind = sys.argv[1]
for path in sys.argv[2:]: # called as their form is
    print(path)
    hold(kind, path.split(".")[-1], path)
END
# spoken WHAT: what is said of a dataset and a release for people.
spoken() {
    case $1 in
    explain) "$scrim" explain "$kind" 'SELECT word, COUNT(*) GROUP BY word' --epsilon 1 --delta 0.01 ;;
    report) "$scrim" report "$release" ;;
    show) "$scrim" dataset show "$kind" --format table ;;
    ledger) "$scrim" ledger --format table ;;
    esac
}
for kind in words listed; do
    for format in csv json jsonl table; do
        ran 0 "A61 $kind as $format" "$scrim" query $kind 'SELECT word, COUNT(*) AS n GROUP BY word' \
            --epsilon 40 --delta 0.01 --format $format --plot --quiet
        mv out shown.$format
        mv err plot.of_$format
    done
    release=$("$scrim" ledger $kind --quiet --format csv | tail -n 1 | cut -d , -f 1)
    for format in csv json jsonl table; do
        "$scrim" replay "$release" --format $format --quiet >replayed.$format
    done
    check "A61 $kind in every format, shown, drawn and replayed: parses back" python3 hold.py $kind \
        shown.* plot.* replayed.*
    for what in explain report show ledger; do
        ran 0 "A61 $kind: $what" spoken $what
        mv out told.$what
    done
    check "A61 $kind: what is told: nothing for terminals to obey" python3 hold.py $kind told.*
done
# In a terminal of UTF-8.
if locale -a 2>/dev/null | grep -q -i '^C.utf-\{0,1\}8$'; then
    ran 0 'A61 a table of UTF-8' env LC_ALL=C.UTF-8 "$scrim" query words 'SELECT word, COUNT(*) AS n GROUP BY word' \
        --epsilon 40 --delta 0.01 --format table --plot --quiet
    check 'A61 a table and a plot of UTF-8: nothing for terminals to obey' python3 hold.py words out err
fi
# The same text in a question; of one that is refused its words are looked at.
asked=0
for text in "$(printf '\033[2J')" "$(printf '\302\233J')" "$(printf '\342\200\256x')" "a''b" '</script>'; do
    asked=$((asked + 1))
    [ $asked -le 3 ] && want=2 || want=0
    ran "$want" "A61 question $asked" "$scrim" query words "SELECT COUNT(*) AS n WHERE word = '$text'" --epsilon 1 --format table
    mv out asked.$asked
    mv err words.$asked
    release=$("$scrim" ledger words --quiet --format csv | tail -n 1 | cut -d , -f 1)
    ran 0 "A61 question $asked: its label" "$scrim" report "$release"
    mv out label.$asked
done
"$scrim" ledger --format table >asked.ledger 2>words.ledger
check 'A61 texts of questions are shown and told harmless' python3 hold.py words asked.* words.[1-5] words.ledger label.*
finish
