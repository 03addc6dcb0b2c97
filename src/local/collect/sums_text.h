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
#ifndef SC_LOCAL_SUMS_TEXT_H
#define SC_LOCAL_SUMS_TEXT_H

#include "base/text.h"
#include "local/collect/report_sums.h"

#define SC_SUMS_TEXT_HEAD "scrim-local-sums/1\n"

/* Takes some of the text; false ends the writing. */
typedef bool sc_sums_writer(void *context, const char *text, size_t bytes);

/* False: the writer said so. */
bool sc_sums_write(sc_sums *sums, sc_sums_writer *writer, void *context);
/* Adds the sums of a text. SCRIM_E_INPUT for one that is refused, with the number of its line; sums are
 * unchanged then. */
SCRIM_MUST_USE scrim_status sc_sums_read(sc_sums *sums, sc_text text, scrim_error *error);

#endif
