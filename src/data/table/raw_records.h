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
#include "random/private_pages.h"
#include "scrim/feed.h"

#include <stdatomic.h>

/* Reads all of the source that the schema names, or of the frame, unless that is NULL. stamp is what it was when it was opened, and
 * before the number of the header: records are numbered from there on. SCRIM_E_INPUT,
 * SCRIM_E_MEMORY, SCRIM_E_PARAM when no source is named, or what the reader answers. */
SCRIM_MUST_USE scrim_status sc_raw_records_read(const sc_schema *schema,
                                                const scrim_frame *frame,
                                                const sc_raw_reader *reader,
                                                sc_source_stamp *stamp, uint64_t *before,
                                                scrim_error *error);

/* How far the reading is, and where: what all that read records this way tell and refuse alike. */
typedef struct sc_raw_watch {
    void (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: none */
    int (*is_cancelled)(void *context); /* by the caller's thread; or NULL */
    void *context;
    sc_source_stamp stamp; /* for sc_raw_records_read to fill in */
    atomic_uint_fast64_t bytes;
    sc_process_mark here;
} sc_raw_watch;

/* SCRIM_E_MEMORY; cleared in any case. */
SCRIM_MUST_USE scrim_status sc_raw_watch_init(sc_raw_watch *watch, scrim_error *error);
void sc_raw_watch_clear(sc_raw_watch *watch);
/* Behind each piece; the caller's own thread tells progress. SCRIM_E_STATE in a process that has
 * forked from the one that reads, and where it is cancelled. */
SCRIM_MUST_USE scrim_status sc_raw_watch_ended(sc_raw_watch *watch, bool is_own_thread,
                                               uint64_t bytes, scrim_error *error);

#endif
