/* A source read record by record, as it stands and before any rule: for the owner's own check and
 * for nothing else. The engine reads batches (table.h) of the values that count; this is slower, and
 * sees the rest too.
 *
 * Claim  raw_record.same  the records that are whole, and the bytes of their values, are those that
 *                         batches are made of; for any number of workers
 */
#ifndef SC_DATA_RAW_RECORDS_H
#define SC_DATA_RAW_RECORDS_H

#include "data/source/raw_record.h"

/* Reads all of the source that the schema names. stamp is what it was when it was opened, and
 * before the number of the header: records are numbered from there on. SCRIM_E_INPUT,
 * SCRIM_E_MEMORY, SCRIM_E_PARAM when no source is named, or what the reader answers. */
SCRIM_MUST_USE scrim_status sc_raw_records_read(const sc_schema *schema,
                                                const sc_raw_reader *reader,
                                                sc_source_stamp *stamp, uint64_t *before,
                                                scrim_error *error);

#endif
