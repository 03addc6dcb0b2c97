/* Rare categories merged, by released counts alone.
 *
 * A category of a column is kept if its noisy count y is above 0 and y^2 >= 9 variance. The others
 * of the column become one cell `rare`, the last one. The map acts on each row alone.
 *
 * Reference  spec/synthetic.md 2, step 3
 */
#ifndef SC_SYNTH_RECODING_H
#define SC_SYNTH_RECODING_H

#include "synth/model/clique.h"

/* One column. */
typedef struct sc_recoded {
    uint32_t size;    /* categories before */
    uint32_t kept;    /* kept ones; their codes are 0 .. kept - 1, in their order */
    uint32_t *codes;  /* [size] the code of each category; `rare` is the code kept */
    uint32_t *sorted; /* [size] categories by code: the kept ones, then those in `rare` */
} sc_recoded;

typedef struct sc_recoding {
    size_t count;
    sc_recoded list[SC_SYNTH_COLUMNS_MAX];
} sc_recoding;

/* y > 0 and y^2 >= 9 variance, in 64ths. */
bool sc_stands_out(int64_t count, uint64_t variance_64ths);

void sc_recoding_init(sc_recoding *recoding);
void sc_recoding_clear(sc_recoding *recoding);
/* Variance in 64ths. SCRIM_E_MEMORY. out is initialised and is filled on success only. */
SCRIM_MUST_USE scrim_status sc_recoding_compress(const sc_synth_columns *columns,
                                                 const int64_t *const *counts,
                                                 uint64_t variance_64ths,
                                                 sc_recoding *out, scrim_error *error);
/* Every category is kept. */
SCRIM_MUST_USE scrim_status sc_recoding_keep_all(const sc_synth_columns *columns,
                                                 sc_recoding *out, scrim_error *error);

/* The sizes of the recoded columns: kept, and one more where there is a `rare`. */
void sc_recoding_columns(const sc_recoding *recoding, sc_synth_columns *out);
/* How many categories the cell of a code stands for. */
uint32_t sc_recoded_members(const sc_recoded *column, uint32_t code);
/* The noisy counts of the recoded column, and of how many categories each is the sum, by which its
 * variance is multiplied. */
void sc_recoded_counts(const sc_recoded *column, const int64_t *counts, int64_t *out,
                       uint32_t *members);

#endif
