#include "data/raw_record.h"

#include "data/sqlite_source.h"

scrim_status sc_raw_records_read(const sc_schema *schema, const sc_raw_reader *reader,
                                 sc_source_stamp *stamp, uint64_t *before,
                                 scrim_error *error)
{
    switch (schema->source) {
    case SC_SOURCE_CSV:
        *before = 1;
        return sc_csv_raw_read(schema, reader, stamp, error);
    case SC_SOURCE_SQLITE:
        *before = 0;
        return sc_sqlite_raw_read(schema, reader, stamp, error);
    case SC_SOURCE_NONE:
        break;
    }
    return sc_fail(error, SCRIM_E_PARAM,
                   "the policy names no source: add csv=FILE or sqlite=FILE");
}
