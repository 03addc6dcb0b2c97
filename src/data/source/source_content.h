/* How scrim knows the file of a version again: its size and times, and a digest of its bytes. */
#ifndef SC_DATA_SOURCE_CONTENT_H
#define SC_DATA_SOURCE_CONTENT_H

#include "base/hash.h"
#include "base/status.h"
#include "base/text.h"
#include "scrim/feed.h"

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

/* The stamp of an open file. SCRIM_E_INPUT when it has no contents: a folder, a pipe. */
SCRIM_MUST_USE scrim_status sc_source_stamp_of(int descriptor, sc_source_stamp *out,
                                               scrim_error *error);
/* The stamp of a file by name, which must be readable (SCRIM_E_INPUT); no byte of it is read. */
SCRIM_MUST_USE scrim_status sc_source_stamp_look(sc_text path, sc_source_stamp *out,
                                                 scrim_error *error);
/* SCRIM_E_INPUT: a source cannot be read; or, with SCRIM_REASON_CHANGED, it was changed while it was read. */
scrim_status sc_source_fail_reading(scrim_error *error);
scrim_status sc_source_fail_rewritten(scrim_error *error);

/* The file as a program has seen it; false where its times are out of range. */
SCRIM_MUST_USE bool sc_source_stamp_of_mark(const scrim_file_mark *mark,
                                            sc_source_stamp *out);

/* Equal in size and time of the last change? */
bool sc_source_stamp_equal(const sc_source_stamp *a, const sc_source_stamp *b);
/* Equal in every field? Then nobody has touched the file in between. */
bool sc_source_stamp_same(const sc_source_stamp *a, const sc_source_stamp *b);

#define SC_SOURCE_STAMP_BYTES 80
/* The text of a file's stamp. */
void sc_source_stamp_format(const sc_source_stamp *stamp,
                            char text[SC_SOURCE_STAMP_BYTES]);
/* False for what format does not write. */
bool sc_source_stamp_parse(sc_text text, sc_source_stamp *out);

/* A digest of all bytes of a source, under the vault's secret key: two contents with one digest cannot be
 * found without the key.
 *
 * The bytes come in numbered blocks, by any number of workers and in any order. The digest is the sum of a
 * pseudo-random function of each block's number, length and keyed hash (base/mac.h). A source hashes the very
 * bytes that it makes rows of, in the memory where they were read to: a file that is rewritten while it is
 * read has the digest of the bytes that were read, not of those that it had before or has later.
 *
 * Claim  source_content.exact  the digest is one for all workers and orders of blocks, and another where a byte,
 *                              the length or the number of a block is, with probability 1 - 2^-89
 */

typedef struct sc_source_key {
    sc_hash_key halves[2]; /* of 32 random bytes: each gives half of a digest */
} sc_source_key;

/* The sum over all blocks so far; zeros before the first block. Only a seal of it may be stored
 * (data/table/source_seal.h). */
typedef struct sc_source_content {
    uint64_t words[2];
} sc_source_content;

/* The caller's progress of reading a whole file, in bytes; NULL, or without a function: none. */
typedef struct sc_content_watch {
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} sc_content_watch;
void sc_content_watch_tell(const sc_content_watch *watch, uint64_t done, uint64_t total);

/* Shared by all workers. SCRIM_E_MEMORY, SCRIM_E_INTERNAL. */
typedef struct sc_content_hasher sc_content_hasher;
SCRIM_MUST_USE scrim_status sc_content_hasher_new(const sc_source_key *key,
                                                  sc_content_hasher **out,
                                                  scrim_error *error);
void sc_content_hasher_free(sc_content_hasher *hasher); /* NULL is allowed */

/* One block after another, for one worker. The hasher outlives it. SCRIM_E_MEMORY. */
typedef struct sc_content_block sc_content_block;
SCRIM_MUST_USE scrim_status sc_content_block_new(const sc_content_hasher *hasher,
                                                 sc_content_block **out,
                                                 scrim_error *error);
void sc_content_block_free(sc_content_block *block); /* NULL is allowed */
/* SCRIM_E_INTERNAL when libcrypto fails. */
SCRIM_MUST_USE scrim_status sc_content_block_begin(sc_content_block *block,
                                                   scrim_error *error);
SCRIM_MUST_USE scrim_status sc_content_block_add(sc_content_block *block,
                                                 const void *bytes, size_t count,
                                                 scrim_error *error);
/* Adds the block of this number, which no other has, to the sum. */
SCRIM_MUST_USE scrim_status sc_content_block_end(sc_content_block *block, uint64_t number,
                                                 sc_source_content *sum,
                                                 scrim_error *error);

/* A whole file that SQLite or a program makes rows of, in blocks of SC_CONTENT_BLOCK_BYTES. Its memory is taken when
 * it is made; the caller, who has the file open, reads the bytes. */
#define SC_CONTENT_BLOCK_BYTES ((size_t)1 << 17)
typedef struct sc_content_file sc_content_file;
typedef scrim_status sc_content_read(void *context, uint64_t offset, void *to,
                                     size_t bytes, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_content_file_new(const sc_source_key *key,
                                                sc_content_file **out,
                                                scrim_error *error);
void sc_content_file_free(sc_content_file *file); /* NULL is allowed */
/* Holds for all readings from here on; the watch must live as long. */
void sc_content_file_watch(sc_content_file *file, const sc_content_watch *watch);
/* Fails as read does, or with SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_content_file_read(sc_content_file *file, uint64_t bytes,
                                                 sc_content_read *read, void *context,
                                                 sc_source_content *out,
                                                 scrim_error *error);

/* The encoding of a header that is not UTF-8, for a message that names the remedy. It is a hint, and
 * decides nothing: bytes are read as they are or not at all.
 */

/* The name that iconv has for the likely encoding of the first line of a file; NULL where it is
 * UTF-8. A byte of 0 is UTF-16 or UTF-32, as is a byte order mark of theirs; other bytes that are
 * not UTF-8 are taken for WINDOWS-1252. */
const char *sc_source_encoding(sc_text line);

/* SCRIM_E_INPUT, SCRIM_REASON_CONFLICT and a parameter "kind=..." where a file that begins with these bytes, as many as
 * there are up to some hundred, is a workbook, an archive, a database or a columnar file. Each is told by bytes that
 * no header in UTF-8 has. */
SCRIM_MUST_USE scrim_status sc_source_check_kind(sc_text first, scrim_error *error);

#endif
