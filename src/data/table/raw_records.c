#include "data/table/raw_records.h"

#include "data/source/arrow_frame.h"
#include "data/source/sources.h"

static scrim_status read_frame(const sc_schema *schema, const scrim_frame *frame,
                               const sc_raw_reader *reader, sc_source_stamp *stamp,
                               scrim_error *error)
{
    const scrim_status status = sc_source_want_pushed(schema, error);
    return status == SCRIM_OK ? sc_frame_raw_read(schema, frame, reader, stamp, error)
                              : status;
}

scrim_status sc_raw_records_read(const sc_schema *schema, const scrim_frame *frame,
                                 const sc_raw_reader *reader, sc_source_stamp *stamp,
                                 uint64_t *before, scrim_error *error)
{
    const sc_source *source = NULL;
    *before = 0;
    if (frame != NULL)
        return read_frame(schema, frame, reader, stamp, error);
    const scrim_status status = sc_source_of(schema, &source, error);
    if (status != SCRIM_OK)
        return status;
    *before = source->header_records;
    return source->raw_read(schema, reader, stamp, error);
}

scrim_status sc_raw_watch_init(sc_raw_watch *watch, scrim_error *error)
{
    return sc_process_mark_init(&watch->here)
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_MEMORY, "out of memory to look at a source");
}

void sc_raw_watch_clear(sc_raw_watch *watch)
{
    sc_process_mark_clear(&watch->here);
}

scrim_status sc_raw_watch_ended(sc_raw_watch *watch, bool is_own_thread, uint64_t bytes,
                                scrim_error *error)
{
    const uint64_t done = atomic_fetch_add(&watch->bytes, bytes) + bytes;
    if (is_own_thread && watch->progress != NULL && watch->stamp.is_file &&
        done <= watch->stamp.bytes)
        watch->progress(watch->context, done, watch->stamp.bytes);
    if (is_own_thread && watch->is_cancelled != NULL &&
        watch->is_cancelled(watch->context) != 0)
        return sc_fail_for(error, SCRIM_E_STATE, SCRIM_REASON_CANCELLED, "",
                           "the check was cancelled");
    if (!sc_process_mark_is_here(&watch->here)) /* it has forked */
        return sc_fail(error, SCRIM_E_STATE,
                       "a source is read by the process that opened it; open it again");
    return SCRIM_OK;
}
