# shellcheck shell=sh
# For the checkers, sourced: the symbols that the objects of a tree use.

# used_symbols: lines "src/FILE.c SYMBOL", or lab/FILE.c, one for each symbol that the object of FILE.c takes from elsewhere. Objects whose
# source is gone are left out. Fails without objects.
used_symbols() {
    objects=$(find build \( -path '*/obj/src/*.o' -o -path '*/obj/lab/*.o' \) 2>/dev/null | sort | while read -r object; do
        source=${object#*/obj/}
        [ ! -f "${source%.o}.c" ] || echo "$object"
    done)
    if [ -z "$objects" ]; then
        echo "${0##*/}: no objects to look into; build first"
        return 1
    fi
    echo "$objects" | xargs nm -u -A | awk '
        {
            sub(/^.*\/obj\//, "", $1)
            sub(/\.o:.*$/, ".c", $1)
            sub(/@.*/, "", $NF)
            print $1, $NF
        }'
}
