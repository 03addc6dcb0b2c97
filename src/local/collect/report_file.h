/* A file of reports, piece by piece: messages one after the other, a batch, or sums as text.
 *
 *     message  "SL" 1 0, the first 12 bytes of the configuration's hash, the report
 *     batch    "SL" 1 1, the same 12 bytes, reports back to back until the file ends; a second batch behind them,
 *              as of files that were joined, is refused
 *     sums     as sums_text.h has them
 *
 * Claim  report-file.config  whatever belongs to another configuration, or ends within a report, is
 *                            refused
 */
#ifndef SC_LOCAL_REPORT_FILE_H
#define SC_LOCAL_REPORT_FILE_H

#include "local/collect/report_sums.h"

typedef struct sc_report_file {
    sc_sums *sums;
    enum { SC_FILE_BEGIN, SC_FILE_MESSAGES, SC_FILE_BATCH, SC_FILE_SUMS } form;
    uint8_t *held; /* the beginning of what is not yet whole; all of a text */
    size_t held_count, held_room;
    uint64_t place; /* bytes before what is held */
} sc_report_file;

void sc_report_file_init(sc_report_file *file, sc_sums *sums);
void sc_report_file_clear(sc_report_file *file);
/* The next bytes of the file. SCRIM_E_INPUT for what is refused; sums then have a part of the file and
 * are to be thrown away. */
SCRIM_MUST_USE scrim_status sc_report_file_read(sc_report_file *file,
                                                const uint8_t *bytes, size_t count,
                                                scrim_error *error);
/* The file has ended: the next one may begin. */
SCRIM_MUST_USE scrim_status sc_report_file_end(sc_report_file *file, scrim_error *error);

#endif
