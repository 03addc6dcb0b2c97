#include "data/value/source_kind.h"

const sc_source_kind sc_source_csv_kind = {
    .key = "csv", .may_be_stream = true, .has_records = true};
const sc_source_kind sc_source_sqlite_kind = {.key = "sqlite", .has_tables = true};

const sc_source_kind sc_source_live_kind = {
    .key = "live", .is_pushed = true, .has_no_file = true};
static const sc_source_kind parquet_kind = {.key = "parquet", .is_pushed = true};
static const sc_source_kind duckdb_kind = {
    .key = "duckdb", .is_pushed = true, .has_no_file = true, .has_query = true};

static const sc_source_kind *const kinds[] = {&sc_source_csv_kind, &sc_source_sqlite_kind,
                                              &sc_source_live_kind, &parquet_kind,
                                              &duckdb_kind};

const sc_source_kind *sc_source_kind_at(size_t index)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL;
}

const sc_source_kind *sc_source_kind_of(sc_text key)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (sc_text_is(key, kinds[i]->key))
            return kinds[i];
    return NULL;
}
