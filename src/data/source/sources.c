#include "data/source/sources.h"

#include "data/source/csv.h"
#include "data/source/sqlite_source.h"

scrim_status sc_source_of(const sc_schema *schema, const sc_source **out,
                          scrim_error *error)
{
    switch (schema->source) {
    case SC_SOURCE_CSV:
        *out = &sc_csv_source;
        return SCRIM_OK;
    case SC_SOURCE_SQLITE:
        *out = &sc_sqlite_source;
        return SCRIM_OK;
    case SC_SOURCE_NONE:
        break;
    }
    return sc_fail(error, SCRIM_E_PARAM,
                   "the policy names no source: add csv=FILE or sqlite=FILE");
}
