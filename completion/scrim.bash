# Completion of scrim for bash. Verbs, mechanisms and distributions are those of the installed
# program.

_scrim_names() {
    "${COMP_WORDS[0]}" list "$1" --format csv 2>/dev/null | sed '1d; s/,.*//'
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
        elif [[ $word == @(-n|--format|--confidence|--charge|--points|--svg|--vault|--wait|--witness) ]]; then
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
    -n | --confidence | --charge | --points | --wait) return ;;
    --svg | --vault | --witness)
        compopt -o default 2>/dev/null
        return
        ;;
    neighbours) words='add-remove replace' ;;
    *)
        case $verb,$current in
        init,-*) words='--vault --wait --witness --quiet --help' ;;
        sample,-*) words='-n --format --json --binary --plot --quiet --help' ;;
        run,-*) words='--header --labels --confidence --charge --format --json --plot --quiet --help' ;;
        audit,-*) words='--points --format --json --plot --svg --quiet --help' ;;
        list,-*) words='--format --json --help' ;;
        demo,-* | help,-*) words='--help' ;;
        ,-*) words='--help --version' ;;
        ,*) words=$(_scrim_names verbs) ;;
        list,*) [[ -z $subject ]] && words='mechanisms distributions verbs' ;;
        help,*) [[ -z $subject ]] && words=$(_scrim_names verbs) ;;
        sample,*)
            if [[ -z $subject ]]; then
                words=$(_scrim_names distributions)
            else
                words=$(_scrim_parameters distributions "$subject")
                compopt -o nospace 2>/dev/null
            fi
            ;;
        run,* | audit,*)
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
