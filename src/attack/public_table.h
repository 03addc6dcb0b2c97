/* A public table: a CSV file whose first line names the columns, each value as a number of its own.
 *
 * Values are compared as they stand. "" and "?" are missing: code 0. */
#ifndef SC_ATTACK_PUBLIC_TABLE_H
#define SC_ATTACK_PUBLIC_TABLE_H

#include "base/memory.h"
#include "base/status.h"

#include <stdint.h>

#define SC_PUBLIC_COLUMNS 64
#define SC_PUBLIC_BYTES ((size_t)256 << 20) /* of a file */

typedef struct sc_public_column {
    const char *name;
    uint32_t *codes;     /* of each row: 0 is missing, others count from 1 */
    const char **values; /* by code */
    size_t value_count;  /* with the missing one */
} sc_public_column;

typedef struct sc_public_table {
    char *bytes; /* of the file, cut into texts */
    size_t rows, column_count;
    sc_public_column columns[SC_PUBLIC_COLUMNS];
} sc_public_table;

/* Cleared in any case. SCRIM_E_POLICY: the bytes do not have this SHA-256, 64 hexadecimal digits; NULL
 * allows any. SCRIM_E_INPUT: no such file, no header, or no rows; SCRIM_E_LIMIT: too large;
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_public_table_read(const char *path, const char *digest,
                                                 sc_public_table *out,
                                                 scrim_error *error);
/* The same from text. */
SCRIM_MUST_USE scrim_status sc_public_table_parse(const char *text, sc_public_table *out,
                                                  scrim_error *error);
void sc_public_table_clear(sc_public_table *table);

/* The columns of a list, "age,sex". SCRIM_E_PARAM: one is not in the table, or there are more than most. */
SCRIM_MUST_USE scrim_status sc_public_columns_find(const sc_public_table *table,
                                                   const char *list, size_t most,
                                                   const sc_public_column **out,
                                                   size_t *count, scrim_error *error);

/* A public table as an attacker sees it: the columns that are known, and the one that is wanted. */
#define SC_PUBLIC_KNOWN 8
typedef struct sc_public_people {
    sc_public_table table;
    const sc_public_column *columns[SC_PUBLIC_KNOWN], *sensitive;
    size_t count;
} sc_public_people;

/* Its table is cleared in any case. Fails as both
 * above. */
SCRIM_MUST_USE scrim_status sc_public_people_read(const char *path, const char *digest,
                                                  const char *columns,
                                                  const char *sensitive,
                                                  sc_public_people *out,
                                                  scrim_error *error);

#endif
