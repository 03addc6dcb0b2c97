#include "data/table/raw_records.h"

#include "data/source/sources.h"

scrim_status sc_raw_records_read(const sc_schema *schema, const sc_raw_reader *reader,
                                 sc_source_stamp *stamp, uint64_t *before,
                                 scrim_error *error)
{
    const sc_source *source = NULL;
    const scrim_status status = sc_source_of(schema, &source, error);
    if (status != SCRIM_OK)
        return status;
    *before = source->header_records;
    return source->raw_read(schema, reader, stamp, error);
}
