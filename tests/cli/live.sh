#!/bin/sh
# Datasets whose rows a program pushes: declared, explained and not read.
# shellcheck disable=SC2317 # a function that ran calls

place=memory
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
scrim=$(cd "$O" && pwd)/scrim
cd "$work" || exit 1
ran 0 'init' "$scrim" init --quiet
printf 'PAR1' >visits.parquet

# declared NAME OPTION...: with a unit, a column and a budget.
declared() {
    name=$1
    shift
    "$scrim" dataset add "$name" "$@" --unit visitor --rows-per-unit 1 --column 'minutes=int[0,60]' --budget epsilon=3
}

# ---- a dataset without a file ----
ran 0 'live' declared visits --live
err_has 'added dataset visits'
check 'nothing to check next' sh -c "! grep -q 'dataset check' '$work/err'"
ran 0 'its policy' "$scrim" dataset show visits
out_has 'live,yes'
check 'no contents' sh -c "! grep -q contents '$work/out'"
ran 0 'explained as any other' "$scrim" explain visits 'SELECT COUNT(*), AVG(minutes)' --epsilon 0.5
ran 6 'not read' "$scrim" query visits 'SELECT COUNT(*)' --epsilon 0.5
err_is 'scrim query: the rows of a live dataset are not read; a program must push them: in Python vault.query(NAME, "SELECT ...", data=FRAME), in C scrim/feed.h'
ran 6 'nor looked at' "$scrim" dataset check visits
ran 6 'nor for a suggestion' "$scrim" suggest visits --columns minutes --epsilon 0.5
ran 0 'nothing was charged' "$scrim" ledger
check 'no charge' sh -c "! grep -q '^[0-9]' '$work/out'"
ran 0 'made-up rows need none' "$scrim" dataset mock visits --rows 3
ran 0 'another version' "$scrim" dataset update visits
ran 0 'list' "$scrim" dataset list
out_has 'visits,2,visits,add-remove,visitor,live'

# ---- a Parquet file and a query of DuckDB, which Python reads ----
ran 0 'Parquet' declared file --parquet visits.parquet
ran 0 'its policy has the whole path' "$scrim" dataset show file
out_has "parquet,$work/visits.parquet"
out_has 'contents,'
ran 6 'not read' "$scrim" query file 'SELECT COUNT(*)' --epsilon 0.5
err_is 'scrim query: the rows of a parquet dataset are not read; a program must push them: the Python package scrim does, by vault.query(NAME, "SELECT ...")'
ran 6 'nor for synthetic records' "$scrim" synth file --epsilon 0.5 --method mwem
err_has 'must push them, and only queries, series and suggestions take such rows'
ran 6 'a file that is not there' declared other --parquet nowhere.parquet
ran 2 'A101: a query whose rows may change one another' declared frame --duckdb "SELECT visitor, 100*minutes/max(minutes) OVER () AS minutes FROM 'visits.parquet'"
err_is "scrim dataset: --duckdb: the query must be SELECT with columns by name FROM read_parquet('FILE'), so that no row changes another; write any other result to a Parquet file, and declare a CSV file itself"
ran 2 'A101: a file whose types are inferred' declared frame --duckdb "SELECT * FROM read_csv('visits.csv', all_varchar=true)"
ran 0 'DuckDB' declared frame --duckdb "SELECT visitor, minutes FROM read_parquet('visits.parquet')"
ran 0 'its policy has the query' "$scrim" dataset show frame
out_has "duckdb,\"SELECT visitor, minutes FROM read_parquet('visits.parquet')\""
ran 6 'not read' "$scrim" query frame 'SELECT COUNT(*)' --epsilon 0.5
err_has 'the rows of a duckdb dataset are not read'

# ---- from one source to another, and what does not go together ----
ran 0 'a file instead' "$scrim" dataset set visits --parquet visits.parquet
ran 0 'its policy' "$scrim" dataset show visits
check 'live no more' sh -c "! grep -q live '$work/out'"
ran 2 'two sources' declared two --live --parquet visits.parquet
err_has 'a dataset has one source'
printf 'live=no\nunit=row\nbudget=epsilon=1\n' >no.policy
ran 2 'live or not' "$scrim" dataset add no --policy no.policy
err_has 'write live=yes, or leave it out'
finish
