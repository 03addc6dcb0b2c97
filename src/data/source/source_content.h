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
#ifndef SC_DATA_SOURCE_CONTENT_H
#define SC_DATA_SOURCE_CONTENT_H

#include "base/hash.h"
#include "base/status.h"

typedef struct sc_source_key {
    sc_hash_key halves[2]; /* of 32 random bytes: each gives half of a digest */
} sc_source_key;

/* The sum over all blocks so far; of zeros where there is none. Only a seal of it may be stored
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
/* For all readings from here on; it must live as long. */
void sc_content_file_watch(sc_content_file *file, const sc_content_watch *watch);
/* Fails as read does, or with SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_content_file_read(sc_content_file *file, uint64_t bytes,
                                                 sc_content_read *read, void *context,
                                                 sc_source_content *out,
                                                 scrim_error *error);

#endif
