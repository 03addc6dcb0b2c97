#include "check.h"
#include "data/value/source_kind.h"

#define CSV                                                                              \
    "SELECT * FROM read_csv('v.csv', auto_detect=false, strict_mode=false, "             \
    "ignore_errors=true, null_padding=true, header=true, delim=',', quote='', "
#define TYPES "escape='', columns={'visitor': 'VARCHAR', 'minutes': 'VARCHAR'}"

TEST(A101_queries_of_one_file_are_taken)
{
    CLAIM("row-query.alone");
    static const char *const taken[] = {
        "SELECT * FROM read_parquet('v.parquet')",
        "select visitor, \"min\"\"utes\" from Read_Parquet ( 'a b/it''s.parquet' ) ",
        "SELECT visitor FROM 'v.parquet'",
        CSV TYPES ")",
        CSV TYPES ", all_varchar = true)",
    };
    for (size_t i = 0; i < COUNT(taken); i++)
        if (!CHECK(sc_row_query_is_alone(sc_text_of(taken[i]))))
            CHECK_FAIL("%s", taken[i]);
}

TEST(A101_queries_that_look_at_other_rows_are_refused)
{
    CLAIM("row-query.alone");
    static const char *const refused[] = {
        "",
        "SELECT",
        "SELECT * FROM",
        "SELECT * FROM visits",
        "SELECT * FROM 'v.csv'",
        "SELECT * FROM '.parquet",
        "SELECT * FROM '*.parquet'",
        "SELECT * FROM read_parquet('v[12].parquet')",
        "SELECT * FROM read_parquet('v?.parquet')",
        "SELECT * FROM read_parquet('v{1,2}.parquet')",
        "SELECT * FROM read_parquet(['v.parquet', 'w.parquet'])",
        "SELECT * FROM read_parquet('v.parquet', file_row_number=true)",
        "SELECT file_row_number FROM read_parquet('v.parquet')",
        "SELECT \"RowId\" FROM read_parquet('v.parquet')",
        "SELECT 100*v/max(v) OVER () AS v FROM read_parquet('v.parquet')",
        "SELECT v::INT FROM read_parquet('v.parquet')",
        "SELECT v AS w FROM read_parquet('v.parquet')",
        "SELECT max(v) FROM read_parquet('v.parquet')",
        "SELECT DISTINCT v FROM read_parquet('v.parquet')",
        "SELECT v, FROM read_parquet('v.parquet')",
        "SELECT * FROM read_parquet('v.parquet') WHERE v > 0",
        "SELECT * FROM read_parquet('v.parquet') LIMIT 5",
        "SELECT * FROM read_parquet('v.parquet'), read_parquet('w.parquet')",
        "SELECT * FROM read_parquet('v.parquet'); DROP TABLE v",
        "SELECT * FROM read_csv('v.csv')",
        "SELECT * FROM read_csv('v.csv', all_varchar=true)",
        "SELECT * FROM read_csv_auto('v.csv')",
        CSV "escape='')",
        CSV "columns={'visitor': 'VARCHAR'})",
        CSV "escape='', columns={'visitor': 'DATE'})",
        CSV TYPES ", quote='')",
        CSV TYPES ", dateformat='%d')",
        CSV TYPES ", all_varchar=false)",
        CSV TYPES,
    };
    for (size_t i = 0; i < COUNT(refused); i++)
        if (!CHECK(!sc_row_query_is_alone(sc_text_of(refused[i]))))
            CHECK_FAIL("%s", refused[i]);
}
