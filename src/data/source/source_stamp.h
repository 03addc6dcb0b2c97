/* The size of a source file and the time of its last modification. scrim refuses a file that has another size or time
 * before it charges anything; only a digest (source_content.h) shows that the bytes are those of a version. A stamp
 * also has the file's inode and the time of its last change of any kind, which no program can set: they tell whether
 * somebody has touched the file while it was read.
 *
 *     bytes=3755,modified=1763193600.000000000
 *
 * Claim  source_stamp.exact  a stamp is read back as it was written, to the nanosecond, and two
 *                            are equal exactly when size and time are
 * Claim  source_stamp.touch  a file that is written, replaced, cut, or given its former times again is not
 *                            the same as it was (A107)
 * Claim  source_stamp.locks  a look at a file by its name drops no lock that this process has on it (A93)
 */
#ifndef SC_DATA_SOURCE_STAMP_H
#define SC_DATA_SOURCE_STAMP_H

#include "base/status.h"
#include "base/text.h"
#include "scrim/feed.h"

/* A stream has neither size nor time. */
typedef struct sc_source_stamp {
    bool is_file;
    uint64_t bytes;
    int64_t modified_ns; /* since 1970 */
    /* The inode of a file that was looked at, and when it was last changed in any way. The vault does not keep
     * them: a file that is put back has others. */
    uint64_t device, inode;
    int64_t changed_seconds, changed_ns;
} sc_source_stamp;

/* Of an open file. SCRIM_E_INPUT when it is none that has contents: a folder, a pipe. */
SCRIM_MUST_USE scrim_status sc_source_stamp_of(int descriptor, sc_source_stamp *out,
                                               scrim_error *error);
/* Of a file by name, which must be readable (SCRIM_E_INPUT); no byte of it is read. */
SCRIM_MUST_USE scrim_status sc_source_stamp_look(sc_text path, sc_source_stamp *out,
                                                 scrim_error *error);
/* SCRIM_E_INPUT: a source cannot be read; or, with SCRIM_REASON_CHANGED, it was changed while it was read. */
scrim_status sc_source_fail_reading(scrim_error *error);
scrim_status sc_source_fail_rewritten(scrim_error *error);

/* The file as a program has seen it; false where its times are out of range. */
SCRIM_MUST_USE bool sc_source_stamp_of_mark(const scrim_file_mark *mark,
                                            sc_source_stamp *out);

/* By size and time. */
bool sc_source_stamp_equal(const sc_source_stamp *a, const sc_source_stamp *b);
/* By all of it: has nobody touched the file in between? */
bool sc_source_stamp_same(const sc_source_stamp *a, const sc_source_stamp *b);

#define SC_SOURCE_STAMP_BYTES 80
/* Of a file. */
void sc_source_stamp_format(const sc_source_stamp *stamp,
                            char text[SC_SOURCE_STAMP_BYTES]);
/* False for what format does not write. */
bool sc_source_stamp_parse(sc_text text, sc_source_stamp *out);

#endif
