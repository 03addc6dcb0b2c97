/* A table of counts that add up, read back from CSV: columns "level", those of the levels, "n" or "noisy", and others that are
 * not looked at. Where groups have tables of their own, a column "table" is behind those of the levels, and then come those of
 * the tables: 0 is a group itself, 1 a cell of the first table. It is public: whoever has the file may see what is wrong with it. */
#ifndef SC_CLI_COUNT_TABLE_H
#define SC_CLI_COUNT_TABLE_H

#include "cli/terminal/options.h"

#include <stddef.h>

#define SC_COUNT_TABLE_LEVELS 16

typedef struct sc_count_row {
    size_t table; /* 0: it is a group */
    size_t level;
    const char *key;  /* the keys of its levels, each behind a byte 0x1f */
    const char *cell; /* the keys of a cell likewise */
    int64_t count;
    int64_t sum; /* of its children */
    size_t line; /* of the file */
    size_t child_count;
} sc_count_row;

typedef struct sc_count_table {
    const char *path, *counts;
    char *text; /* the cells, cut in place */
    char *keys;
    const char *names[SC_COUNT_TABLE_LEVELS];
    size_t levels;      /* below all rows */
    size_t columns;     /* of tables, with the column "table"; 0: there are none */
    sc_count_row *rows; /* by table, level, key and cell */
    size_t count;
} sc_count_table;

/* counts names the column of counts: "n", or "noisy" of a file of measurements. Says whether the file is signed
 * (file_proof.h). SCRIM_E_CHECK where its signature does not hold, SCRIM_E_INPUT where the file cannot be read or is no such table, SCRIM_E_MEMORY. Freed by sc_count_table_clear,
 * also on failure. */
SCRIM_MUST_USE scrim_status sc_count_table_read(const char *path, const char *counts,
                                                const sc_options *options,
                                                sc_count_table *out, scrim_error *error);
void sc_count_table_clear(sc_count_table *table);

/* SCRIM_E_CHECK, with the first line that is wrong: a count below 0, two rows of the same keys, a row without its parent,
 * children that do not add up, cells that do not. */
SCRIM_MUST_USE scrim_status sc_count_table_check(sc_count_table *table,
                                                 scrim_error *error);
/* SCRIM_E_CHECK where both have a row of the same keys, and other counts. */
SCRIM_MUST_USE scrim_status sc_count_table_compare(const sc_count_table *one,
                                                   const sc_count_table *other,
                                                   scrim_error *error);
/* SCRIM_E_CHECK unless the row of "COLUMN=VALUE,...:N" or "total:N" has that count. */
SCRIM_MUST_USE scrim_status sc_count_table_known(const sc_count_table *table,
                                                 const char *known, scrim_error *error);

#endif
