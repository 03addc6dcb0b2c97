/* Collections of reports: their sums as text, files of reports, and the handle of
 * scrim/collection.h. */
#ifndef SC_LOCAL_COLLECTION_H
#define SC_LOCAL_COLLECTION_H

#include "base/text.h"
#include "local/collect/report_sums.h"
#include "scrim/collection.h"

/* Sums as text, to keep, send and add up:
 *
 *     scrim-local-sums/1
 *     config 64 hexadecimal digits, the hash of the configuration
 *     reports N
 *     dropped N
 *     flagged N
 *     cells N
 *     PLACE COUNT
 *     …
 *     end
 *
 * with a line for each counter that is not 0, by place. Numbers are decimal without leading zeros, lines
 * end with a newline: equal sums are equal bytes. Anything else is refused.
 *
 * Claim  sums-text.exact  parsing what was written gives the same sums; texts of another configuration,
 *                         of another form, or of counters that no such number of reports has, are refused
 */

#define SC_SUMS_TEXT_HEAD "scrim-local-sums/1\n"

/* Takes some of the text; false ends the writing. */
typedef bool sc_sums_writer(void *context, const char *text, size_t bytes);

/* False: the writer said so. */
bool sc_sums_write(sc_sums *sums, sc_sums_writer *writer, void *context);
/* Adds the sums of a text. SCRIM_E_INPUT for one that is refused, with the number of its line; sums are
 * unchanged then. */
SCRIM_MUST_USE scrim_status sc_sums_read(sc_sums *sums, sc_text text, scrim_error *error);

/* A file of reports, piece by piece: messages one after the other, a batch, or sums as text.
 *
 *     message  "SL" 1 0, the first 12 bytes of the configuration's hash, the report
 *     batch    "SL" 1 1, the same 12 bytes, reports back to back until the file ends; a second batch behind them,
 *              as of files that were joined, is refused
 *     sums     as above
 *
 * Claim  report-file.config  whatever belongs to another configuration, or ends within a report, is
 *                            refused
 */

typedef struct sc_report_file {
    sc_sums *sums;
    enum {
        SC_FILE_BEGIN,
        SC_FILE_MESSAGES,
        SC_FILE_BATCH,
        SC_FILE_SUMS,
        SC_FILE_SIFTED /* messages, held until the end of the file */
    } form;
    bool skips;       /* leaves out the bytes between messages */
    uint64_t skipped; /* how many runs of such bytes */
    uint8_t *held;    /* the beginning of what is not yet whole; all of a text */
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

/* The handle of include/scrim/collection.h. */

struct scrim_collection {
    sc_sums sums;
    sc_report_file file;
};

#endif
