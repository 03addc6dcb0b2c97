/* A column of a dataset as a synthesiser has it: values become the codes 0 .. size - 1.
 *
 * A column with public keys has a category for each of them. Numbers, dates and truth values without keys are in
 * bins of their declared range. NULL is the last category, where it can occur. All of it is declared; a value alone
 * decides its code.
 *
 * Text without public keys has private ones: a category for each key that a private selection found (found_keys.h), and
 * NULL, which has the rows of all other values. Before the selection only their largest number is known.
 *
 * Claim  coded-column.total  every value has a code: what is below the first bin is in it, what is above the last one
 *                            in that
 * Claim  coded-column.found  a value that no selection found has the code of NULL
 * Claim  coded-column.back   the text of a category has the code of that category
 */
#ifndef SC_SYNTH_CODED_COLUMN_H
#define SC_SYNTH_CODED_COLUMN_H

#include "data/value/schema.h"
#include "query/rows/key_tuple.h"
#include "synth/model/clique.h"

/* A column without keys has at most so many bins. */
#define SC_CODED_BINS 65536
/* A column without a cut has a bin for each value where there are at most so many, else so many bins. */
#define SC_CODED_VALUES 32
#define SC_CODED_USUAL 16

typedef struct sc_coded_column {
    const sc_column *column;
    bool is_listed; /* a category for each key; else bins */
    bool is_nullable;
    /* Of private keys the line of the measurement that selects them; NULL: all is declared. */
    const char *selection;
    uint32_t
        count; /* categories without NULL; private keys before the selection: at most */
    /* [count] of a listed column, by code; NULL: the selection is still to come */
    const sc_text *texts;
    const int64_t *
        values; /* [count] of listed numbers, ascending; NULL: of text, whose texts ascend */
    /* [count + 2] of bins: bin c holds what is from edges[c] on and below edges[c + 1]; the last edge is a place
     * for NULL */
    const int64_t *edges;
} sc_coded_column;

/* With NULL. */
static inline uint32_t sc_coded_size(const sc_coded_column *c)
{
    return c->count + (c->is_nullable ? 1 : 0);
}

/* Are its categories still to be selected? */
static inline bool sc_coded_is_open(const sc_coded_column *c)
{
    return c->selection != NULL && c->texts == NULL;
}

static inline bool sc_coded_is_number(const sc_coded_column *c)
{
    return c->column->type == SC_COLUMN_INT || c->column->type == SC_COLUMN_DECIMAL;
}

/* count bins with these count + 1 edges, ascending. All in the arena. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_coded_cut(sc_coded_column *out, const int64_t *edges,
                                         size_t count, sc_arena *arena,
                                         scrim_error *error);
/* Without a cut: by its keys, or in usual bins. out has column and is_nullable. SCRIM_E_PARAM for a text without
 * keys, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_coded_usual(sc_coded_column *out, sc_arena *arena,
                                           scrim_error *error);

/* The code of a value, or text, of a row; its categories are known. */
uint32_t sc_coded_code(const sc_coded_column *c, const sc_key_part *part);

/* A value of a column that has a range, in steps, as the policy writes it. Without a message: SCRIM_E_PARAM for what
 * is none, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_coded_read(const sc_column *column, sc_text text,
                                          int64_t *out);
/* The category that a text means: a key, a number in a bin, or NULL; its categories are known. As sc_coded_read. */
SCRIM_MUST_USE scrim_status sc_coded_find(const sc_coded_column *c, sc_text text,
                                          uint32_t *out);
/* How a category is written: a key, a value, NULL, or "17 to 21". As snprintf. */
size_t sc_coded_format(const sc_coded_column *c, uint32_t code, char *text,
                       size_t capacity);

#endif
