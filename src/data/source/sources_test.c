#include "check.h"
#include "data/source/csv.h"
#include "data/source/source.h"
#include "data/source/sqlite_source.h"
#include "data/value/source_kind.h"

TEST(sources_are_those_that_a_schema_names)
{
    const sc_source *source = NULL;
    scrim_error error;
    CHECK_STATUS(
        sc_source_of(&(sc_schema){.source = &sc_source_csv_kind}, &source, &error),
        SCRIM_OK);
    CHECK(source == &sc_csv_source);
    CHECK_STATUS(
        sc_source_of(&(sc_schema){.source = &sc_source_sqlite_kind}, &source, &error),
        SCRIM_OK);
    CHECK(source == &sc_sqlite_source);
    source = NULL;
    CHECK_STATUS(sc_source_of(&(sc_schema){.source = NULL}, &source, &error),
                 SCRIM_E_PARAM);
    CHECK(source == NULL);
    CHECK_STR(error.message, "the policy names no source");
}
