#!/bin/sh
# The page of a year: what was spent before it counts, who saw which answer, and its own signed label.
# shellcheck disable=SC2016 # for awk or another shell
place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1

awk 'BEGIN { print "household,amount,kind"
    for (i = 0; i < 1000; i++) printf "%d,%d,%s\n", i % 300, i % 100, i % 2 ? "a" : "b" }' >claims.csv
"$scrim" init --quiet
"$scrim" dataset add claims --csv claims.csv --unit household --max-groups 2 --max-rows 5 --neighbours add-remove \
    --column 'amount=int[0,100]' --column kind=text --keys kind=a,b --budget epsilon=4,delta=1e-5 --quiet
for epsilon in 0.25 0.5 1; do
    "$scrim" query claims "SELECT kind, COUNT(*) AS n GROUP BY kind" --epsilon "$epsilon" --quiet >/dev/null
done
ended=$(date -u +%FT%TZ)
sleep 1.1
begun=$(date -u +%FT%TZ)
"$scrim" query claims 'SELECT SUM(amount) AS s' --epsilon 0.25 --quiet >/dev/null

# ---- a time that begins later ----
ran 0 'a later time' "$scrim" report all --from "$begun" --format table
out_has 'before      epsilon 1.75 by 3 charges to claims before this time'
out_has 'then        epsilon 0.25 by 1 charge to claims in this time, as a sum'
out_has 'spent       epsilon 2 of 4 so far; left: 2, delta 1e-5'
out_has 'is right at'
out_has 'most 79.4 % of the time'
check 'one release is listed' test "$(grep -c 'SELECT' "$work/out")" -eq 1
ran 0 'a later time, in JSON' "$scrim" report all --from "$begun" --json
out_has '"charges": 1, "unit": "epsilon", "sum": "0.25", "sum_delta": "0", "charges_before": 3, "before": "1.75"'
out_has '"end": "2", "end_delta": "0", "budget": "4"'
out_has '"guess_percent": "79.4"'
ran 0 'a later time, in CSV' "$scrim" report all --from "$begun"
out_has ',epsilon,0.25,0,2,released,household (add-remove)'
out_lines 2
ran 0 'a time after all releases' "$scrim" report all --from 2100-01-01 --to 2100-12-31 --format table
out_has 'nothing was charged in this time
before      epsilon 2 by 4 charges to claims before this time
spent       epsilon 2 of 4 up to the end of this time; left: 2, delta 1e-5'
out_has 'guesses whether one household is in the data'
ran 0 'a time up to then' "$scrim" report all --to "$ended" --format table
out_has 'spent       epsilon 1.75 of 4 up to the end of this time; left: 2.25, delta 1e-5'
ran 0 'the page of a later time' "$scrim" report all --from "$begun" --html later.html
check 'what is spent in all' grep -q '<b>2</b><small>epsilon of a budget of 4, by 4 charges; left: 2, delta 1e-5' later.html
check 'what was spent before' grep -q '<b>0.25</b><small>epsilon, by 1 charge; before it 1.75, by 3 charges' later.html
check 'the curve begins there' sh -c 'sed -n "s/.*class=\"step\" d=\"M56 \([0-9.]*\) H[0-9.]* V\([0-9.]*\) .*/\1 \2/p" later.html |
    awk "{ exit !(\$1 > \$2 && (196 - \$1) / (196 - \$2) > 0.86 && (196 - \$1) / (196 - \$2) < 0.89) }"'
check 'no change and no refusal' sh -c 'grep -q "No budget, dataset or policy was changed in this time" later.html &&
    grep -q "Requests that a budget or a policy refused are not in the ledger" later.html'
ran 0 'a year' "$scrim" report all --from 2020 --to 2099 --html years.html
check 'a year: from its first day to its last' grep -q '<p class="sub">releases from 1 January 2020 to 31 December 2099, up to [0-9]* [A-Z][a-z]* [0-9]*, [0-9:]* UTC<br>' years.html
ran 0 'one year' "$scrim" report all --from 1999 --to 1999 --html years.html
check 'one year: its title' grep -q '<title>Releases: releases of 1999</title>' years.html
today=$(date -u +%F)
ran 0 'the page of one day' "$scrim" report all --from "$today" --to "$today" --html day.html
check 'its day' grep -q "<br>written on $(date -u '+%-d %B %Y')<" day.html
check 'what was made' sh -c 'grep -q "<td>budget claims</td><td>budget: <code>epsilon=4,delta=1e-5</code></td>" day.html &&
    grep -q "<td>claims, version 1</td><td>added</td>" day.html'
check 'hours of the day, from its midnight' sh -c 'test "$(grep -c "class=\"tick[a-z ]*\" x=\"[0-9.]*\" y=\"216\">[0-9][0-9]:[0-9][0-9]<" day.html)" -ge 3 ||
    date -u +%H | grep -q "^0[0-3]"'
check 'the head of the ledger' grep -q "<code>$("$scrim" ledger verify --format csv | awk -F , 'NR == 2 { print $4 }')</code>" day.html
check 'the key' grep -q "<code>$("$scrim" ledger key)</code>" day.html
check 'no better guess is denied' sh -c '! grep -q "lets anybody do better" later.html'
check 'the unit is a household' sh -c 'grep -q "whether one household is in the data" later.html &&
    ! grep -q "person" later.html'

"$scrim" dataset add other --unit row --neighbours replace --budget epsilon=1 --quiet
# A run that was never closed has answers, and no label of its own.
mkfifo asked answers
"$scrim" run sparse-vector count=2 epsilon=1/10 threshold=1000 neighbours=replace sensitivity=1 \
    --charge other --interactive --quiet <asked >answers 2>/dev/null &
run=$!
exec 3>asked 4<answers
read -r header <&4
echo 3 >&3
read -r header <&4
kill -KILL $run
wait $run 2>/dev/null
exec 3>&- 4<&-
check 'a run is answered' test "${header-}" != ""
ran 5 'its label' "$scrim" report 5
ran 0 'with an open run' "$scrim" report all --format table

# ---- its label ----
ran 0 'a page of a time' "$scrim" report all --from 2020-01-01 --to 2099-12-31 --html year.html
err_has 'signed      by year.html.label'
check 'no label of one release' sh -c '! grep -q "^release\." year.html.label'
check 'its facts' grep -q '^budget.1.spent-end 2$' year.html.label
"$scrim" ledger key >key
ran 0 'verified' "$scrim" report verify year.html --format table
out_has 'file        a page of all releases of 2020-01-01..2099-12-31: 4, by 5 charges'
out_has 'spent       claims: epsilon 2 in this time, 2 of 4 up to its end'
out_has ' entries, head'
ran 0 'verified by the key alone' env -C / "$scrim" report verify "$work/year.html" --key "$work/key" --json
out_has '"signature": true, "kind": "releases", "charges": "5", "releases": "4"'
out_has '"from": "2020-01-01", "to": "2099-12-31", "spent": [{"population": "claims", "unit": "epsilon", "amount": "2", "budget": "4"}'
ran 7 'not verified without both' env -C / "$scrim" report verify "$work/year.html" --format csv
out_has 'unchecked,holds,ledger,signature,release,reason,kind,dataset,unit,neighbours,epsilon,delta,charges,releases,entries,head,from,to,spent'
cp year.html forged.html
sed 's/^budget.1.spent-end 2$/budget.1.spent-end 1/; /^hash/,$d' year.html.label >forged.html.label
echo "hash $(sha256sum <forged.html.label | cut -d ' ' -f 1)" >>forged.html.label
ran 7 'a smaller sum under a new hash' "$scrim" report verify forged.html
err_has 'budget.1.spent-end does not hold'
ran 7 'by the key' "$scrim" report verify forged.html --key key
ran 0 'a year without releases is signed' "$scrim" report all --from 2100-01-01 --to 2100-12-31 --html empty.html
err_has 'signed      by empty.html.label'
ran 0 'and verified' "$scrim" report verify empty.html --format table
out_has 'file        a page of all releases of 2100-01-01..2100-12-31: 0, by 0 charges'
ran 0 'one release: what it is' "$scrim" report 1 --html one.html
ran 0 'one release: verified' "$scrim" report verify one.html --json
out_has '"dataset": "claims", "unit": "household", "neighbours": "add-remove", "epsilon": "0.25", "delta": "0"'
ran 0 'another vault' "$scrim" init --vault other.vault --no-witness --quiet
ran 7 'a label of another vault' "$scrim" report verify year.html --vault other.vault
err_has 'this ledger never had that head'
ran 7 'a label of a release of another vault' "$scrim" report verify one.html --vault other.vault
err_has 'the label is not from this vault as it was with'

# ---- who saw what ----
ran 0 'nobody has a share' "$scrim" report all --format table
out_has 'reading     not recorded: no analyst has a share of the budget'
ran 2 'an unknown budget' "$scrim" report all claim
err_is "scrim report: unknown budget 'claim'; 'scrim budget' lists budgets"
ran 0 'one budget' "$scrim" report all other --json
out_has '"population": "other"'
check 'no other budget' sh -c '! grep -q "\"population\": \"claims\"" "$0"' "$work/out"
ran 2 'an unknown analyst' "$scrim" report all --analyst nobody-of-that-name

# A series has its name on the page, and the sum is told where nothing smaller is proven.
"$scrim" series create weekly claims 'SELECT COUNT(*) AS n' --count 2 --epsilon 0.1 --quiet >/dev/null
"$scrim" series release weekly --quiet >/dev/null
ran 0 'a page with a series' "$scrim" report all claims --html series.html
check 'the owner created it' grep -q '<td>series weekly created: <code>2 releases</code></td>' series.html
check 'its name' grep -q '<small>release 1 of the series weekly</small>' series.html
ran 0 'the best accountant' "$scrim" report all claims --format table
out_has 'jointly     no smaller total than the sum can be proven'

# The vault of daemon, in which root has a share and reads an answer of daemon again.
mine=$work/mine
as_owner() { (cd "$mine" && setpriv --reuid daemon --regid daemon --clear-groups env HOME="$mine" "$@"); }
as_root() { (cd "$mine" && HOME="$mine" "$@"); }
if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null 2>&1 || ! id daemon >/dev/null 2>&1; then
    skip 'two analysts' 'needs root, setpriv and the user daemon'
    finish
    exit
fi
mkdir "$mine"
cp claims.csv "$scrim" "$mine"
chmod 711 "$work"
chmod 755 "$mine"
chown -R daemon "$mine"
ran 0 'a vault of daemon' as_owner ./scrim init --no-witness --quiet
ran 0 'root has a share' as_owner ./scrim dataset add claims --csv claims.csv --unit household --max-groups 2 --max-rows 5 \
    --neighbours add-remove --column 'amount=int[0,100]' --column kind=text --keys kind=a,b --budget epsilon=4,delta=1e-5 \
    --share root=epsilon=1 --quiet
ran 0 'daemon asks' as_owner ./scrim query claims 'SELECT kind, COUNT(*) AS n GROUP BY kind' --epsilon 0.5 --quiet
ran 0 'daemon asks again' as_owner ./scrim query claims 'SELECT SUM(amount) AS s' --epsilon 0.25 --quiet
sleep 1.1
ran 0 'root asks' as_root ./scrim query claims 'SELECT AVG(amount) AS s' --epsilon 0.25 --quiet
ran 0 'the owner sets a cap' as_owner ./scrim dataset set claims --cap epsilon=0.4 --quiet
ran 0 'root reads the first answer, which cost more' as_root ./scrim replay 1
err_has 'booked      epsilon 0.5 on your share, once; the budget is unchanged'
ran 0 'a larger cap' as_owner ./scrim dataset set claims --cap epsilon=4 --quiet
today=$(date -u +%F)
ran 0 'report all' as_owner ./scrim report all --format table
out_has "also shown  release 1 to root ${today}T"
out_has 'analyst     daemon has answers at epsilon 0.75 by 2 charges; with these alone a'
out_has 'analyst     root has answers at epsilon 0.75 by 2 charges, 1 of them charged to'
out_has 'guess is right at most 64.0 % of the time'
out_has 'together    epsilon 1 by 3 charges to claims, as a sum'
ran 0 'report all of root' as_owner ./scrim report all --analyst root --format table
out_has "all releases of the vault that root asked for or was shown, up to $(date -u '+%-d %B %Y'), "
out_has 'spent       epsilon 0.75 of 1, the share of this analyst, so far;'
check 'two releases are listed' test "$(grep -c 'SELECT' "$work/out")" -eq 2
ran 0 'report all of daemon' as_owner ./scrim report all --analyst daemon --format table
out_has 'spent       epsilon 0.75 by this analyst; 1 of 4 by all'
check 'the rest of a budget that others spend is not said' sh -c '! grep -q "left" "$0"' "$work/out"
ran 0 'report all, in JSON' as_owner ./scrim report all --json
out_has '{"analyst": "root", "asked": 1, "shown": 1, "sum": "0.75", "sum_delta": "0", "guess_percent": "64.0"}'
ran 0 'report all, in CSV' as_owner ./scrim report all
out_has ",household (add-remove),root ${today}T"
ran 0 'the page' as_owner ./scrim report all --html two.html
check 'the page says who was shown it' grep -q '<small>also shown to root on ' "$mine/two.html"
check 'the page has subtotals' grep -q '<td>root</td><td class="number">1</td><td class="number">1</td><td class="number">0.75</td><td class="number">64.0 %</td>' "$mine/two.html"
ran 0 'the ledger' as_owner ./scrim ledger --format table
out_has "also shown  release 1 to root, $today"
ran 0 'the ledger in CSV' as_owner ./scrim ledger --format csv
out_has ",root ${today}T"
ran 0 'the ledger of root' as_owner ./scrim ledger --analyst root --format csv --quiet
out_lines 3
ran 0 'the ledger of daemon' as_owner ./scrim ledger --analyst daemon --format csv --quiet
out_lines 3
ran 0 'the page of root' as_owner ./scrim report all --analyst root --html root.html
check 'its curve never goes back' sh -c 'sed -n "s/.*class=\"step\" d=\"M\([^ ]*\) \(.*\)\".*/H\1 \2/p" "$0" | tr " " "\n" |
    awk "/^H/ { at = substr(\$0, 2) + 0; exit_at = at < last; last = at; steps++; if (exit_at) bad = 1 } END { exit bad || steps < 4 }"' "$mine/root.html"
# A person in two budgets bears both.
ran 0 'another budget' as_owner ./scrim dataset add pets --csv claims.csv --unit household --rows-per-unit 1 \
    --column 'amount=int[0,100]' --budget epsilon=1 --quiet
ran 0 'its release' as_owner ./scrim query pets 'SELECT COUNT(*) AS n' --epsilon 0.5 --quiet
ran 0 'both budgets' as_owner ./scrim report all --format table
out_has 'budget pets'
out_has 'in all      somebody whose data are in both budgets bears epsilon 1.5 as a'
check 'a table a budget' test "$(grep -c '| release | date' "$work/out")" -eq 2
ran 0 'both budgets, in JSON' as_owner ./scrim report all --html both.html --json
out_has '"changes": [{"time": '
check 'the page says it' grep -q 'in both budgets bears epsilon 1.5 as a sum' "$mine/both.html"

# On standard output the label is in the page.
ran 0 'a page on standard output' as_owner ./scrim report all --html -
cp "$work/out" "$mine/shown.html"
ran 0 'it is verified' as_owner ./scrim report verify shown.html --format table
out_has 'verdict     verified: every byte of the file matches the label, its sums are'
sed 's/1\.5 as a sum/1.4 as a sum/' "$mine/shown.html" >"$mine/forged.html"
ran 7 'a number of it is changed' as_owner ./scrim report verify forged.html
err_has 'the file was changed'
ran 0 'one more charge' as_owner ./scrim query pets 'SELECT SUM(amount) AS s' --epsilon 0.5 --quiet
ran 0 'the page is not all that there is by now' as_owner ./scrim report verify shown.html both.html --format csv
check 'no reason in a verdict that holds' sh -c '! grep -q "contains no label" "$0"' "$work/out"
ran 0 'it tells' as_owner ./scrim report verify shown.html --format table
out_has 'since then  1 more charge of this time'
# An answer that was shown later is not of a time before.
ran 0 'root, of a time before' as_owner ./scrim report all --analyst root --to 2001-01-01 --format table
out_is 'releases to 1 January 2001 that root asked for or was shown
nothing was charged in this time'
# Rhos beside deltas of their own: the joint epsilon holds at the declared delta, of which the parts have had theirs. The
# conversion is computed here, at every order from 1.1 to 200 (Canonne, Kamath and Steinke).
"$scrim" dataset add found --csv claims.csv --unit household --max-groups 2 --max-rows 5 --neighbours add-remove \
    --column kind=text --accounting concentrated --budget epsilon=10,delta=1e-5 --quiet
for epsilon in 0.1 0.2 0.3 0.4; do
    "$scrim" query found "SELECT kind, COUNT(*) AS n GROUP BY kind" --epsilon "$epsilon" --delta 1e-6 --quiet >/dev/null
done
ran 0 'rhos and deltas' "$scrim" report all --json
check 'rhos and deltas: four deltas of 1e-6' grep -q '"unit": "rho".*"end_delta": "4e-6"' out
check 'rhos and deltas: the joint epsilon leaves room for them' sh -c 'grep "\"unit\": \"rho\"" out | grep "joint_epsilon" |
    sed "s/.*\"end\": \"\([^\"]*\)\".*\"joint_epsilon\": \"\([^\"]*\)\", \"joint_delta\": \"\([^\"]*\)\".*/\1 \2 \3/" | awk "{
        least = 1e9
        for (a = 1.1; a < 200; a += 0.01) {
            e = \$1 * a + (log(1 / (\$3 - 4e-6)) + (a - 1) * log(1 - 1 / a) - log(a)) / (a - 1)
            if (e < least) least = e
        }
        exit !(\$3 == 1e-5 && \$2 > 0.9999 * least && \$2 < 1.01 * least) }"'

finish
