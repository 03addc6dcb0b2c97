# Completion of scrim for bash. Verbs, mechanisms and distributions are those of the installed
# program.

_scrim_names() {
    "${COMP_WORDS[0]}" list "$1" --format csv 2>/dev/null | sed '1d; s/,.*//'
}

# _scrim_column N VERB...: what a verb shows in a column, of the vault that would be used, each
# thing once.
_scrim_column() {
    "${COMP_WORDS[0]}" "${@:2}" --wait 1 --format csv 2>/dev/null | cut -d , -f "$1" | sed 1d |
        sort -u
}

# The accountants are the rows of any composition.
_scrim_accountants() {
    "${COMP_WORDS[0]}" compose 'exponential epsilon=1' --delta 0 --quiet --format csv 2>/dev/null |
        sed '1d; s/,.*//'
}

# The names of the parameters of a distribution or mechanism, each with its equals sign.
_scrim_parameters() {
    "${COMP_WORDS[0]}" list "$1" --format jsonl 2>/dev/null |
        sed -n "s/^{\"name\": \"$2\", \"parameters\": \"\([^\"]*\)\".*/\1/p" |
        tr -s ' ,;|[]' '\n' | sed -n 's/=.*/=/p' | awk '!seen[$0]++'
}

_scrim() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local word verb='' subject='' words='' skip=''
    # bash breaks words at '=': a value follows it or stands after the option's name.
    [[ $previous == '=' ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ -n $skip ]]; then
            skip=''
        elif [[ $word == @(-n|--format|--confidence|--charge|--points|--sample|--svg|--vault|--wait|--witness|--csv|--on|--name|--sqlite|--parquet|--duckdb|--table|--records|--separator|--decimal|--date-format|--zone|--max-size|--null|--unit|--same-unit|--column|--keys|--missing|--max-total-rows|--fixed-bounds|--max-groups|--max-rows|--rows-per-unit|--max-total|--cut-share|--with|--bounds-from|--by|--rows|--out|--neighbours|--population|--budget|--accounting|--cap|--share|--quantum|--policy|--epsilon|--question-epsilon|--delta|--target-error|--expect|--compare|--mechanism|--file|--html|--yaml|--key|--count|--values|--accountant|--loss|--eta|--dimensions|--norm|--metric|--order|--group|--only|--sets|--runs|--window|--known-keys|--analyst|--since|--until|--from|--to|--columns|--sensitive|--users|--honest|--shuffler|--periods|--law|--drift|--lifetime|--q|--directions|--at|--weight|--thinning|--step|--method) ]]; then
            skip=yes
        elif [[ $word == -* || $word == '=' ]]; then
            :
        elif [[ -z $verb ]]; then
            verb=$word
        elif [[ -z $subject ]]; then
            subject=$word
        fi
    done

    COMPREPLY=()
    case $previous in
    --format) words='table csv json jsonl' ;;
    --charge) words=$(_scrim_column 1 dataset list) ;;
    -n | --confidence | --points | --sample | --wait | --table | --null | --unit | --column | --keys | --missing | --max-total-rows | --fixed-bounds | --max-groups | \
        --max-rows | --rows-per-unit | --max-total | --by | --on | --name | --rows | --population | --same-unit | --budget | --cap | --share | --quantum | --epsilon | --question-epsilon | --delta | --target-error | --expect | --compare | --count | --values | --loss | --eta | --dimensions | --sets | --runs | --window | --since | --until | --from | --to | --columns | --sensitive | --users | --honest | --shuffler | --periods | --law | --drift | --lifetime | --q | --directions | --at | --weight | --thinning | --step | --scales | --expected-units) return ;;
    --analyst) words=$(_scrim_column 2 budget) ;;
    --known-keys) words='continue rethreshold' ;;
    --method)
        if [[ $verb == body ]]; then
            words='frame steiner chebyshev depth hit-and-run langevin'
        elif [[ $verb == microdata ]]; then
            words='squares largest sum'
        else
            words='mst aim mwem smalldb'
        fi
        ;;
    --bounds-from) words='declared check suggest' ;;
    --norm) words='1 2 max' ;;
    --records) words='lf crlf' ;;
    --separator) words=', ; | tab' ;;
    --max-size) words='64MiB 256MiB 1GiB 4GiB' ;;
    --decimal) words='. ,' ;;
    --date-format) words='YYYY-MM-DD DD.MM.YYYY D.M.YYYY MM/DD/YYYY M/D/YYYY YYYYMMDD' ;;
    --zone) words='UTC +01:00 Europe/Berlin' ;;
    --only) words='1 2 3 4 5 6' ;;
    --mechanism) words='laplace gaussian stlap' ;;
    --accountant) words=$(_scrim_accountants) ;;
    --accounting) words='sum concentrated renyi=' ;;
    --svg | --html | --yaml | --key | --file | --with | --out | --metric | --vault | --witness | --csv | --sqlite | --parquet | --policy | --measurements)
        compopt -o default 2>/dev/null
        return
        ;;
    neighbours | --neighbours) words='add-remove replace' ;;
    *)
        case $verb,$current in
        init,-*) words='--vault --wait --witness --no-witness --moved --restored --quiet --help' ;;
        dataset,-*) words='--csv --on --name --sqlite --live --parquet --duckdb --table --records --separator --decimal --date-format --zone --max-size --null --unit --same-unit --column --keys --missing --max-total-rows --max-groups --max-rows --rows-per-unit --fixed-bounds --max-total --bounds-from --neighbours --population --budget --accounting --cap --share --quantum --policy --no-check --bounds --by --epsilon --verbose --risk --columns --sensitive --rows --out --since --vault --wait --format --json --quiet --help' ;;
        sample,-*) words='-n --format --json --binary --plot --quiet --help' ;;
        run,-*) words='--header --labels --confidence --statistic --interactive --charge --vault --wait --format --json --plot --all --quiet --help' ;;
        explain,-*) words='--epsilon --delta --target-error --compare --verbose --confidence --expect --mechanism --max-total-rows --max-groups --max-rows --max-total --bounds --file --cut-share --with --vault --wait --format --json --plot --svg --quiet --help' ;;
        query,-*) words='--epsilon --delta --target-error --cap --confidence --expect --mechanism --max-total-rows --max-groups --max-rows --max-total --bounds --file --svg --html --out --cut-share --with --vault --wait --format --json --plot --all --quiet --help' ;;
        shell,-*) words='--epsilon --delta --confidence --expect --mechanism --max-total-rows --max-groups --max-rows --bounds --cut-share --with --vault --wait --format --json --all --quiet --help' ;;
        suggest,-*) words='--columns --by --epsilon --question-epsilon --dry-run --expect --verbose --plot --confidence --vault --wait --format --json --quiet --help' ;;
        synth,-*) words='--epsilon --rho --delta --max-total-rows --max-groups --method --ways --queries --columns --cut --never --private-keys --refine --rows --given --out --dry-run --confidence --verbose --svg --html --max-rows --vault --wait --format --json --quiet --help' ;;
        body,-*) words='--public --max-total-rows --method --scales --expected-units --dry-run --vault --wait --at --csv --q --directions --epsilon --delta --target-error --law --confidence -n --weight --thinning --step --out --columns --svg --key --format --json --quiet --help' ;;
        replay,-*) words='--vault --wait --confidence --statistic --rows --given --out --format --json --plot --all --quiet --help' ;;
        report,-*) words='--html --yaml --key --from --to --analyst --vault --wait --format --json --quiet --help' ;;
        budget,-*) words='--vault --wait --format --json --quiet --help' ;;
        ledger,-*) words='--analyst --since --until --verbose --key --head --vault --wait --format --json --all --quiet --help' ;;
        series,-*) words='--epsilon --delta --max-total-rows --max-groups --max-rows --count --window --running --known-keys --expect --mechanism --beyond-budget --confidence --max-total --cut-share --vault --wait --format --json --plot --svg --all --quiet --help' ;;
        audit,-*) words='--points --order --losses --at --sample --confidence --format --json --plot --svg --quiet --help' ;;
        calibrate,-*) words='--epsilon --delta --target-error --at-once --confidence --count --values --size --format --json --plot --svg --quiet --help' ;;
        compose,-*) words='--delta --epsilon --group --accountant --format --json --plot --svg --quiet --help' ;;
        distance,-*) words='--loss --average --eta --dimensions --norm --metric --order --epsilon --delta --group --format --json --quiet --help' ;;
        local,-*) words='--users --honest --shuffler --domain --unknown --length --periods --law --drift --lifetime --constant --ordered --out --epsilon --delta --plot --svg --config --names --confidence --top --significant --skip-bad --post --updates --covariance --joint --joint-names --every --format --json --quiet --help' ;;
        microdata,-*) words='--cells --levels --tables --queries --range --quantile --shares --epsilon --delta --rho --policy --rows-per-unit --neighbours --mechanism --invariant --confidence --runs --out --key --records --measurements --method --weight --plot --svg --vault --wait --format --json --quiet --help' ;;
        experiment,-*) words='--only --sets --runs --noisy --linear --plot --svg --document --kind --epsilon --delta --values --confidence --format --json --quiet --help' ;;
        attack,-*) words='--public --columns --sensitive --plot --svg --vault --wait --format --json --quiet --help' ;;
        list,-*) words='--format --json --quiet --help' ;;
        errata,-*) words='--document --kind --format --json --quiet --help' ;;
        demo,-* | help,-*) words='--help' ;;
        ,-*) words='--help --version' ;;
        ,*) words=$(_scrim_names verbs) ;;
        dataset,*)
            if [[ -z $subject ]]; then
                words='add set update join list show history check mock remove'
            elif [[ $subject != @(add|list) ]]; then
                words=$(_scrim_column 1 dataset list)
            fi
            ;;
        series,*)
            if [[ -z $subject ]]; then
                words='create release show'
            elif [[ $subject != create ]]; then
                words=$(_scrim_column 1 series show)
            else
                words=$(_scrim_column 1 dataset list)
            fi
            ;;
        distance,*)
            if [[ -z $subject ]]; then
                words='tv l1 l2 wasserstein w2 hausdorff drop move drop-move divergence theta-sensitivity'
            else
                compopt -o default 2>/dev/null
                return
            fi
            ;;
        local,*)
            if [[ -z $subject ]]; then
                words='plan encode collect decode amplify simulate'
            else
                compopt -o default 2>/dev/null
                return
            fi
            ;;
        microdata,*)
            if [[ -z $subject ]]; then
                words='plan release show fit check'
            elif [[ $subject == release || $subject == plan ]]; then
                words=$(_scrim_column 1 dataset list)
            elif [[ $subject == check || $subject == fit ]]; then
                compopt -o default 2>/dev/null
                return
            fi
            ;;
        experiment,*) [[ -z $subject ]] && words='flexible-accuracy erratum suppression rounded-stlap emptiness composition evaluate sensitivity linear-queries pricing tail-bounds central-local truncation private-labels extension body-routes' ;;
        attack,*) [[ -z $subject ]] && words='reconstruct difference average float membership audit link k-anonymity swap' ;;
        list,*)
            if [[ -z $subject ]]; then
                words='mechanisms distributions verbs papers'
            elif [[ $subject == papers ]]; then
                words='000 001 002 003 004'
            fi
            ;;
        help,*) [[ -z $subject ]] && words="$(_scrim_names verbs) $(_scrim_names mechanisms) $(_scrim_names distributions)" ;;
        body,*)
            if [[ -z $subject ]]; then
                words='fit exact center show project support depth outliers sample minimise compare plot admissible'
            else
                compopt -o default 2>/dev/null
                return
            fi
            ;;
        synth,*) [[ -z $subject ]] && words="report check $(_scrim_column 1 dataset list)" ;;
        explain,* | query,* | shell,* | suggest,*) [[ -z $subject ]] && words=$(_scrim_column 1 dataset list) ;;
        report,*)
            if [[ -z $subject ]]; then
                words="all verify compare $(_scrim_column 1 ledger)"
            elif [[ $subject == verify || $subject == all ]]; then
                compopt -o default 2>/dev/null
                return
            elif [[ $subject == compare ]]; then
                words=$(_scrim_column 1 ledger)
            fi
            ;;
        replay,*) [[ -z $subject ]] && words=$(_scrim_column 1 ledger) ;;
        budget,*) [[ -z $subject ]] && words=$(_scrim_column 1 budget) ;;
        ledger,*)
            if [[ -z $subject ]]; then
                words="history verify export key $(_scrim_column 4 ledger)"
            elif [[ $subject == history ]]; then
                words=$(_scrim_column 4 ledger)
            fi
            ;;
        sample,*)
            if [[ -z $subject ]]; then
                words=$(_scrim_names distributions)
            else
                words=$(_scrim_parameters distributions "$subject")
                compopt -o nospace 2>/dev/null
            fi
            ;;
        run,* | audit,* | calibrate,*)
            if [[ -z $subject ]]; then
                words=$(_scrim_names mechanisms)
            else
                words="$(_scrim_parameters mechanisms "$subject") neighbours="
                compopt -o nospace 2>/dev/null
            fi
            ;;
        esac
        ;;
    esac
    while IFS= read -r word; do
        [[ -n $word ]] && COMPREPLY+=("$word")
    done < <(compgen -W "$words" -- "${current#=}")
}

complete -F _scrim scrim
