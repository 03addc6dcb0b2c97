/* A frame (scrim/feed.h) as a source of rows: its batches stay in memory, and workers take blocks of them.
 *
 * All that can be refused is refused when it is opened, before a charge: types, and the structure of every batch.
 *
 * Claim  arrow-frame.same     batches are those that a feed makes of the same rows, for any number of workers
 * Claim  arrow-frame.raw      a raw value is read, clamped, rounded or missing exactly where that of a batch is
 * Claim  arrow-frame.refused  a frame with a batch that contradicts its schema gives no row
 * Claim  arrow-frame.failed   the failure of a frame's source is found after its last row
 */
#ifndef SC_DATA_ARROW_FRAME_H
#define SC_DATA_ARROW_FRAME_H

#include "data/source/source.h"
#include "scrim/feed.h"

/* The source of requests that have a frame. The stamp is that of a file with 8 bytes for each declared value; it has no header. */
extern const sc_source sc_frame_source;

/* The caller's struct as a whole; NULL gives one without rows. SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_frame_copy(const scrim_frame *given, scrim_frame *out,
                                          scrim_error *error);
/* The frame, or NULL where it has no rows and only names a version, or is of zeros. */
const scrim_frame *sc_frame_with_rows(const scrim_frame *frame);
/* As raw_read of a source. */
SCRIM_MUST_USE scrim_status sc_frame_raw_read(const sc_schema *schema,
                                              const scrim_frame *frame,
                                              const sc_raw_reader *reader,
                                              sc_source_stamp *stamp, scrim_error *error);

#endif
