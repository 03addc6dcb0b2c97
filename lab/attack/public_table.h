/* A public table: a CSV file whose first line names the columns, with a number for each value; and
 * classes of rows that agree in some columns.
 *
 * Values are compared as texts. "" and "?" are missing: code 0. */
#ifndef LAB_ATTACK_PUBLIC_TABLE_H
#define LAB_ATTACK_PUBLIC_TABLE_H

#include "lab/attack/attack.h"

#define LAB_PUBLIC_COLUMNS 64
#define LAB_PUBLIC_BYTES ((size_t)256 << 20) /* of a file */

typedef struct lab_public_column {
    const char *name;
    uint32_t *codes;     /* of each row: 0 is missing, others count from 1 */
    const char **values; /* by code */
    size_t value_count;  /* including the missing one */
} lab_public_column;

typedef struct lab_public_table {
    char *bytes; /* of the file, cut into texts */
    size_t rows, column_count;
    lab_public_column columns[LAB_PUBLIC_COLUMNS];
} lab_public_table;

/* Both leave a table that can be cleared, also after a failure. SCRIM_E_POLICY: the bytes do not have
 * this SHA-256, 64 hexadecimal digits; NULL allows any. SCRIM_E_INPUT: no such file, or no rows.
 * SCRIM_E_LIMIT: too large. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status lab_public_table_read(const char *path, const char *digest,
                                                  lab_public_table *out,
                                                  scrim_error *error);
SCRIM_MUST_USE scrim_status lab_public_table_parse(const char *text,
                                                   lab_public_table *out,
                                                   scrim_error *error);
void lab_public_table_clear(lab_public_table *table);

/* The columns of a list, "age,sex". SCRIM_E_PARAM: one is not in the table. SCRIM_E_LIMIT: more than
 * most. */
SCRIM_MUST_USE scrim_status lab_public_columns_find(const lab_public_table *table,
                                                    const char *list, size_t most,
                                                    const lab_public_column **out,
                                                    size_t *count, scrim_error *error);

/* A public table as an attacker sees it: the known columns, and the sensitive one. */
#define LAB_PUBLIC_KNOWN 8
typedef struct lab_public_people {
    lab_public_table table;
    const lab_public_column *columns[LAB_PUBLIC_KNOWN], *sensitive;
    size_t count;
} lab_public_people;

/* The table that the options name, with the columns of the Adult data unless they name others. Clear its
 * table in any case. Fails as the two functions above. */
SCRIM_MUST_USE scrim_status lab_public_people_read(const lab_attack_options *options,
                                                   lab_public_people *out,
                                                   scrim_error *error);

/* Classes of rows that agree in some columns. */
typedef struct lab_row_classes {
    size_t rows, count;
    uint32_t *of;    /* the class of each row, counted from 0 */
    uint32_t *sizes; /* of each class */
    /* A hash table from class and code, plus 1, to the new class. */
    uint64_t *keys;
    uint32_t *ids;
    size_t mask;
} lab_row_classes;

/* All rows are in one class. False without memory; clear it in any case. */
bool lab_row_classes_init(lab_row_classes *classes, size_t rows);
void lab_row_classes_clear(lab_row_classes *classes);
/* Puts all rows into one class again. */
void lab_row_classes_join(lab_row_classes *classes);
/* Splits the classes by the codes of one more column. */
void lab_row_classes_split(lab_row_classes *classes, const uint32_t *codes);
/* How many rows agree with no other row. */
size_t lab_row_classes_alone(const lab_row_classes *classes);
/* The size of the smallest class. */
size_t lab_row_classes_smallest(const lab_row_classes *classes);

#endif
