/* A file that gzip has packed, as the bytes that were packed.
 *
 * The file's own bytes are its version: they are hashed in the memory that they are unpacked from, in blocks of
 * SC_CONTENT_BLOCK_BYTES, so rows and digest cannot be of different bytes. A file may have several members, one behind
 * another, as gzip's own tools make them. Whether it can be used depends on the file as a whole: checksums, its end, and
 * how much it unpacks to. That is found when the file is declared, which reads all of it. A file with a version that
 * fails later is therefore not the file that was declared.
 *
 * Claim  packed_file.exact    what is read are the bytes that were packed, and the digest is that of the file's bytes
 *                             alone; a file that is cut, damaged, or goes on behind its last member is refused
 * Claim  packed_file.bounded  a file that unpacks to more than its declared size is refused after at most one
 *                             request above that, in memory that does not depend on the file
 */
#ifndef SC_DATA_PACKED_FILE_H
#define SC_DATA_PACKED_FILE_H

#include "base/status.h"
#include "data/source/source_content.h"
#include "data/value/schema.h"

/* Do the first bytes of a file say that gzip has packed it? No CSV file in UTF-8 begins like that. */
bool sc_packed_file_begins(const void *bytes, size_t count);

typedef struct sc_packed_file sc_packed_file;

/* For an open file of `bytes` bytes, which must outlive it. Unless the key is NULL, a digest is
 * made. All memory is taken here and by the first bytes that are read. SCRIM_E_MEMORY,
 * SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_packed_file_new(int descriptor, uint64_t bytes,
                                               const sc_source_key *key,
                                               sc_packed_file **out, scrim_error *error);
/* Wipes what was read; NULL is allowed. */
void sc_packed_file_free(sc_packed_file *file);

/* From here on more than the schema's max_bytes fails with sc_schema_check_size. If the file has a version
 * (is_version), that and any damage is reported as a source that was changed: when it was declared it had neither.
 * The schema outlives the file. */
void sc_packed_file_expect(sc_packed_file *file, const sc_schema *schema,
                           bool is_version);

/* The next bytes, fewer only at the end of the file, which is then known to be whole. One thread at a time.
 * SCRIM_E_INPUT when the file cannot be read, is damaged or has shrunk; SCRIM_E_LIMIT; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_packed_file_read(sc_packed_file *file, void *to,
                                                size_t bytes, size_t *got,
                                                scrim_error *error);
/* How many bytes of the file were read so far. Any thread may ask. */
uint64_t sc_packed_file_done(const sc_packed_file *file);
/* The digest, when all was read. */
sc_source_content sc_packed_file_content(const sc_packed_file *file);

#endif
