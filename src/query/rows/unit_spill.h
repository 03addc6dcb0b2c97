/* Rows of units in a file, where memory is short: whole stores are written, and read back part by
 * part.
 *
 * The file has no name and is encrypted (sealed_file.h).
 *
 * Claim  unit-spill.sealed  no byte of a row is in the file as it is, and the file has no name (A57)
 * Claim  unit-spill.same    what is read back is what was written
 */
#ifndef SC_QUERY_UNIT_SPILL_H
#define SC_QUERY_UNIT_SPILL_H

#include "query/rows/sealed_file.h"
#include "query/rows/unit_rows.h"

typedef struct sc_unit_spill sc_unit_spill;

/* Nothing yet, in a file that is borrowed and may be that of others too. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_unit_spill_open(sc_sealed_file *file, sc_unit_spill **out,
                                               scrim_error *error);
void sc_unit_spill_close(sc_unit_spill *spill);

/* Writes all rows to the file and empties the store. One thread at a time. SCRIM_E_MEMORY when the
 * file cannot be written or there is no memory, SCRIM_E_ENTROPY when the cipher fails: then the store
 * is good for nothing but to be cleared. */
SCRIM_MUST_USE scrim_status sc_unit_spill_put(sc_unit_spill *spill, sc_unit_rows *rows,
                                              scrim_error *error);

/* Adds what was written of a part to that of a store; as often as asked. Threads may read at the
 * same time, each with a cipher of its own, while nobody writes. Errors as of sc_unit_spill_put. */
SCRIM_MUST_USE scrim_status sc_unit_spill_load(const sc_unit_spill *spill,
                                               const sc_cipher *cipher, size_t part,
                                               sc_unit_rows *rows, scrim_error *error);

#endif
