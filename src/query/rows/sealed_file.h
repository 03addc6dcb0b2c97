/* A file for what memory does not hold: it is written from front to end, by several threads if
 * need be, and read at any place.
 *
 * The file has no name: it is made without one where the file system can, else its name is removed
 * before the first byte is written. It lies in TMPDIR, or in /var/tmp, and only its owner may open
 * it. What is written is encrypted (cipher.h) under a key that is drawn for this file, each place of
 * which is written once; the key lies in private pages (private_pages.h) and nowhere else. So when
 * the process ends, however it ends, nothing is left that can be read.
 *
 * Who can write to the memory or to the open files of this process is not kept from changing it.
 */
#ifndef SC_QUERY_SEALED_FILE_H
#define SC_QUERY_SEALED_FILE_H

#include "base/status.h"
#include "random/cipher.h"

#include <stddef.h>
#include <stdint.h>

typedef struct sc_sealed_file sc_sealed_file;

/* Opens an empty file and reserves `bytes` for it; 0 reserves nothing. Must be opened before a
 * charge, so that neither the folder, nor its room, nor a lack of descriptors can fail later.
 * SCRIM_E_MEMORY, also when there is no folder to write to or it has no room; SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_sealed_file_open(uint64_t bytes, sc_sealed_file **out,
                                                scrim_error *error);
void sc_sealed_file_close(sc_sealed_file *file);

/* Writes bytes, which are encrypted where they lie, to the end of the file; offset is where they
 * are. Threads may write at the same time, each with a cipher of its own. SCRIM_E_MEMORY when the file cannot be written, SCRIM_E_ENTROPY when the
 * cipher fails. */
SCRIM_MUST_USE scrim_status sc_sealed_file_append(sc_sealed_file *file,
                                                  const sc_cipher *cipher, void *bytes,
                                                  size_t count, uint64_t *offset,
                                                  scrim_error *error);

/* Reads what was appended at once. Threads may read at the same time, each with a cipher of its own,
 * while nobody writes. Errors as of sc_sealed_file_append. */
SCRIM_MUST_USE scrim_status sc_sealed_file_read(const sc_sealed_file *file,
                                                const sc_cipher *cipher, uint64_t offset,
                                                void *bytes, size_t count,
                                                scrim_error *error);

/* The open file, which has no name: for tests that look at it. */
int sc_sealed_file_descriptor(const sc_sealed_file *file);

#endif
