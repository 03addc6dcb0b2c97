/* Room for fields with doubled quotes, which are copied there without them. */
#ifndef SC_DATA_CSV_QUOTES_H
#define SC_DATA_CSV_QUOTES_H

#include "base/status.h"
#include "base/text.h"

typedef struct sc_csv_quotes {
    char *bytes; /* wiped when it is freed */
    size_t capacity, used;
    size_t most; /* that was used at once, before */
} sc_csv_quotes;

void sc_csv_quotes_clear(sc_csv_quotes *room); /* also of zeros */
/* Forgets what is there, and has room for the fields of a piece of so many bytes, each as often
 * as it can be asked for: as a column and as the unit; as behind a piece, SC_CSV_PADDING bytes
 * more are readable. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_csv_quotes_reserve(sc_csv_quotes *room, size_t piece_bytes,
                                                  scrim_error *error);
/* The field, which stood between quotes, with one quote for two. */
sc_text sc_csv_quotes_take(sc_csv_quotes *room, sc_text field);

#endif
