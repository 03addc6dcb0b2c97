/* Records on their way to parts, in memory of a fixed size: what a part's own piece of it does not
 * hold goes to a file (sealed_file.h), from which it comes back part by part.
 *
 * Claim  part-log.same  what is read of a part is what was put there, in that order
 */
#ifndef SC_QUERY_PART_LOG_H
#define SC_QUERY_PART_LOG_H

#include "query/rows/sealed_file.h"

#define SC_PART_LOG_PARTS 256
/* The memory of a part. */
#define SC_PART_LOG_BYTES ((size_t)1 << 13)
/* Bytes that are readable behind what is read. */
#define SC_PART_LOG_PADDING 16

typedef struct sc_part_extent {
    uint64_t offset;
    size_t bytes;
} sc_part_extent;

typedef struct sc_part_stream {
    sc_part_extent *extents; /* what is in the file */
    size_t count, capacity;
    size_t used; /* of the memory */
} sc_part_stream;

typedef struct sc_part_log {
    unsigned char *memory; /* part by part */
    sc_part_stream *streams;
    size_t most_bytes;    /* of an extent */
    sc_sealed_file *file; /* borrowed */
    sc_cipher *cipher;    /* of the thread that writes */
} sc_part_log;

/* Takes the memory. The file may be that of others too. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_part_log_init(sc_part_log *log, sc_sealed_file *file,
                                             scrim_error *error);
/* Wipes. Also of zeros. */
void sc_part_log_clear(sc_part_log *log);

/* Puts a record, in two pieces, to a part. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_part_log_put(sc_part_log *log, size_t part,
                                            const void *head, size_t head_bytes,
                                            const void *body, size_t body_bytes,
                                            scrim_error *error);

/* Takes some records, one behind the other and all of them whole. */
typedef scrim_status sc_part_log_take(void *context, const unsigned char *bytes,
                                      size_t count, scrim_error *error);

/* All records of a part; as often as asked, when no more are put. The cipher is opened where one
 * is needed, and is the caller's to close. Errors as of sc_part_log_put, or those of take. */
SCRIM_MUST_USE scrim_status sc_part_log_read(const sc_part_log *log, size_t part,
                                             sc_cipher **cipher, sc_part_log_take *take,
                                             void *context, scrim_error *error);

#endif
