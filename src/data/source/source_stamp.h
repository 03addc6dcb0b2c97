/* The contents of a source file that a version of a dataset was declared for, known by the file's
 * size and the time of its last change. A file whose stamp is another holds other contents, about
 * which nobody has been asked yet.
 *
 *     bytes=3755,modified=1763193600.000000000
 *
 * Claim  source_stamp.exact  a stamp is read back as it was written, to the nanosecond, and two
 *                            are equal exactly when size and time are
 * Claim  source_stamp.locks  a look at a file by its name drops no lock that this process has on it (A93)
 */
#ifndef SC_DATA_SOURCE_STAMP_H
#define SC_DATA_SOURCE_STAMP_H

#include "base/status.h"
#include "base/text.h"

/* A stream has neither size nor time. */
typedef struct sc_source_stamp {
    bool is_file;
    uint64_t bytes;
    int64_t modified_ns; /* since 1970 */
} sc_source_stamp;

/* Of an open file. SCRIM_E_INPUT when it is none that has contents: a folder, a pipe. */
SCRIM_MUST_USE scrim_status sc_source_stamp_of(int descriptor, sc_source_stamp *out,
                                               scrim_error *error);
/* Of a file by name, which must be readable (SCRIM_E_INPUT); no byte of it is read. */
SCRIM_MUST_USE scrim_status sc_source_stamp_look(sc_text path, sc_source_stamp *out,
                                                 scrim_error *error);
bool sc_source_stamp_equal(const sc_source_stamp *a, const sc_source_stamp *b);

#define SC_SOURCE_STAMP_BYTES 80
/* Of a file. */
void sc_source_stamp_format(const sc_source_stamp *stamp,
                            char text[SC_SOURCE_STAMP_BYTES]);
/* False for what format does not write. */
bool sc_source_stamp_parse(sc_text text, sc_source_stamp *out);

#endif
