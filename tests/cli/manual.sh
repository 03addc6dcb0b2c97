#!/bin/sh
# Man pages are well formed and their examples run; completion works.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
PATH=$(cd "$O" && pwd):$PATH

if command -v groff >/dev/null 2>&1; then
    ran 0 'groff reads all pages' groff -mdoc -ww -z -Tascii docs/man/*.[1-8]
    err_is ''
else
    skip 'groff reads all pages' 'groff is not installed'
fi
if command -v mandoc >/dev/null 2>&1; then
    # They are not installed while this runs.
    ran 1 'mandoc reads all pages' sh -c "mandoc -Tlint -W all docs/man/*.[1-8] | grep -v 'manual not found'"
    out_is ''
else
    skip 'mandoc reads all pages' 'mandoc is not installed'
fi
for page in docs/man/*.1; do
    title=$(basename "$page" .1)
    # Examples are the lines that begin with a prompt, and those that go on behind a backslash (\e).
    sed -n 's/^\.Dl //p' "$page" | sed 's/\\ / /g; s/\\e/\\/g' | joined | sed -n 's/^\$ //p' >"$work/examples"
    check "$title: examples fit 80 columns" sh -c "sed -n 's/^\.Dl //p' '$page' | sed 's/\\\\ / /g; s/\\\\e/\\\\/g' |
        awk '/^\\$ / { on = 1 } on { if (length > 67) { print; bad = 1 } on = /\\\\\$/ } END { exit bad }'"
    check "$title has examples" test -s "$work/examples"
    # A macro takes double quotes away, and what is read is not what runs.
    check "$title: examples are shown as they run" sh -c "! grep -n '\"' '$work/examples'"
    # They run one after the other in a folder of their own.
    rm -rf "$work/play"
    mkdir "$work/play"
    printf 'person_id,age,sex\n1,30,Female\n2,41,Male\n' >"$work/play/adult.csv"
    while read -r example; do
        # attack.sh, experiment.sh and demo.sh run these too, which take seconds.
        case ${LONG-}:$example in
        ':scrim attack reconstruct '* | ':scrim experiment body-routes '* | ':scrim demo') continue ;;
        esac
        ran 0 "$title: $example" env -C "$work/play" bash -o pipefail -c "$example"
        check "$title: $example: says something" test -s "$work/out" -o -s "$work/err"
    done <"$work/examples"
done

# Every kind of entry that the format has is in the page about it, and the other way round.
# shellcheck disable=SC2016 # no command, but how Markdown quotes
sed -n '/^## The entries/,/^## The answer/s/^| `\([a-z]*\) [A-Z0-9][^`]*`.*/\1/p' docs/ledger-format.md |
    sort -u >"$work/kinds"
sed -n 's/^\.It Li \([a-z]*\) [0-9A].*/\1/p' docs/man/scrim-ledger.5 | sort -u >"$work/told"
check 'there are kinds of entries' test "$(wc -l <"$work/kinds")" -ge 13
check 'scrim-ledger(5) has all entries' diff "$work/kinds" "$work/told"

check 'bash completion parses' bash -n completion/scrim.bash
# completes 'WORDS' 'ANSWERS': the last word is the one being typed.
completes() {
    # shellcheck disable=SC2016 # for that bash to expand
    ran 0 "completes $1" bash -c '
        . completion/scrim.bash
        IFS="|" read -r -a COMP_WORDS <<<"$1|"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _scrim
        echo "${COMPREPLY[*]}"' bash "$1"
    out_is "$2"
}
completes 'scrim|sa' 'sample'
completes 'scrim|sample|discrete-' 'discrete-laplace discrete-gaussian'
completes 'scrim|sample|truncated-laplace|' 'scale= bound='
completes 'scrim|sample|--format|js' 'json jsonl'
completes 'scrim|sample|--format|=|t' 'table'
completes 'scrim|list|--format|csv|d' 'distributions'
completes 'scrim|list|' 'mechanisms distributions verbs papers'
completes 'scrim|list|papers|' '000 001 002 003 004'
completes 'scrim|run|lapl' 'laplace laplace-share laplace-mean'
completes 'scrim|run|laplace|sens' 'sensitivity='
completes 'scrim|run|laplace|s' 'sensitivity= scale= size='
completes 'scrim|run|laplace|n' 'neighbours='
completes 'scrim|run|laplace|neighbours|=|a' 'add-remove'
completes 'scrim|run|--confidence|0.9|lapl' 'laplace laplace-share laplace-mean'
completes 'scrim|run|--l' '--labels'
completes 'scrim|experim' 'experiment'
completes 'scrim|experiment|' 'flexible-accuracy erratum suppression rounded-stlap emptiness composition evaluate sensitivity linear-queries pricing tail-bounds central-local truncation private-labels extension body-routes'
completes 'scrim|attack|' 'reconstruct difference average float membership audit link k-anonymity swap'
completes 'scrim|local|amp' 'amplify'
completes 'scrim|microdata|' 'plan release show fit check'
completes 'scrim|microdata|--c' '--cells --confidence'
completes 'scrim|body|pro' 'project'
completes 'scrim|body|center|--method|f' 'frame'
completes 'scrim|series|' 'create release show'
completes 'scrim|series|create|--known-keys|' 'continue rethreshold'
completes 'scrim|experiment|--s' '--sets --svg'
completes 'scrim|experiment|--only|' '1 2 3 4 5 6'
completes 'scrim|audit|lapl' 'laplace laplace-share laplace-mean'
completes 'scrim|calibrate|threshold-laplace|--si' '--size'
completes 'scrim|audit|--points|5|laplace|eps' 'epsilon='
completes 'scrim|audit|--s' '--sample --svg'
completes 'scrim|audit|--sample|2000|lapl' 'laplace laplace-share laplace-mean'
completes 'scrim|dataset|s' 'set show'
completes 'scrim|dataset|c' 'check'
completes 'scrim|dataset|add|--n' '--name --null --neighbours --no-check'
completes 'scrim|dataset|add|--separator|t' 'tab'
completes 'scrim|dataset|add|--neighbours|r' 'replace'
completes 'scrim|init|--w' '--wait --witness'
completes 'scrim|help|li' 'list linear-queries'
completes 'scrim|help|spa' 'sparse-vector'
completes 'scrim|replay|--c' '--confidence'
completes 'scrim|report|v' 'verify'
completes 'scrim|report|--y' '--yaml'
completes 'scrim|ledger|ver' 'verify'
completes 'scrim|ledger|--vault|x|exp' 'export'
completes 'scrim|budget|--j' '--json'
completes 'scrim|run|--v' '--vault'
completes 'scrim|sample|--p' '--plot'
completes 'scrim|distance|d' 'drop drop-move divergence'
completes 'scrim|distance|--m' '--metric'
completes 'scrim|distance|--loss|0.1|w' 'wasserstein w2'
completes 'scrim|distance|--norm|' '1 2 max'
# What a vault holds is completed, too.
export SCRIM_VAULT="$work/completed.vault"
scrim init --quiet
scrim dataset add visits --unit row --budget epsilon=1 --quiet
echo 1 | scrim run laplace sensitivity=1 epsilon=1/10 neighbours=add-remove --charge visits --quiet >/dev/null
completes 'scrim|run|--charge|v' 'visits'
completes 'scrim|budget|' 'visits'
completes 'scrim|ledger|v' 'verify visits'
completes 'scrim|ledger|history|' 'visits'
completes 'scrim|replay|' "$(scrim ledger --format csv | sed -n '2s/,.*//p')"
unset SCRIM_VAULT
completes 'scrim|--v' '--version'
if command -v zsh >/dev/null 2>&1; then
    check 'zsh completion parses' zsh -n completion/_scrim
else
    skip 'zsh completion parses' 'zsh is not installed'
fi
finish
