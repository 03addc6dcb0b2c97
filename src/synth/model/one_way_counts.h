/* Uses of noisy one-way marginals: the number of rows, the independent model, merged rare
 * categories, and columns without NULL. */
#ifndef SC_SYNTH_ONE_WAY_COUNTS_H
#define SC_SYNTH_ONE_WAY_COUNTS_H

#include "base/number/ratio.h"
#include "synth/model/clique.h"

/* The number of rows, estimated from noisy one-way marginals of equal variance.
 *
 *     T = ( sum_i (sum of y_i)/d_i ) / ( sum_i 1/d_i ),   N = max(1, floor(T + 1/2))
 *
 * Reference  spec/synthetic.md 2, step 2
 */

/* counts[i] has the cells of column i. exact gets T and may be NULL. The result is at most 2^40. */
int64_t sc_noisy_total(const sc_synth_columns *columns, const int64_t *const *counts,
                       sc_ratio *exact);
/* The variance of T as a multiple of that of one cell: 1/sum_i 1/d_i. For intervals alone. */
double sc_noisy_total_variance(const sc_synth_columns *columns);

/* The model that knows one-way marginals only: columns are independent. MST scores pairs against it.
 *
 *     m_i = projection of y_i on the non-negative vectors of sum N,   M_ab = floor(m_a m_b/N + 1/2)
 *
 * Reference  spec/synthetic.md 2, step 4
 */

typedef struct sc_one_way_model sc_one_way_model;

/* counts[i] has the cells of column i; total N >= 1. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_one_way_model_new(const sc_synth_columns *columns,
                                                 const int64_t *const *counts,
                                                 int64_t total, sc_one_way_model **out,
                                                 scrim_error *error);
void sc_one_way_model_free(sc_one_way_model *model); /* NULL is allowed */
/* The table of the clique {a, b}, a < b, as integers. */
void sc_one_way_model_pair(const sc_one_way_model *model, size_t a, size_t b,
                           int64_t *out);

/* Rare categories merged, by released counts alone.
 *
 * A category of a column is kept if its noisy count y is above 0 and y^2 >= 9 variance. The others
 * of the column become one cell `rare`, the last one. The map acts on each row alone.
 *
 * Reference  spec/synthetic.md 2, step 3
 */

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

/* Columns in which NULL does not stand out from the noise, by released counts alone.
 *
 * A column that may be NULL mostly is not. Its noisy count is then noise, half of which a model without negative counts
 * would turn into rows. So NULL is left out of the model where its count y is not above 0 with y^2 >= 9 variance, unless
 * three standard deviations are more than a twentieth of all rows: then so little is known that NULL stays.
 *
 * Claim  absent-null.share  a model that leaves NULL out lacks at most a twentieth of all rows, and the noise below 0 of
 *                           one count
 */

/* Those of the columns whose last category is NULL; counts[i] are the noisy counts of column i, total the estimated
 * number of rows. A column with one category keeps it. */
sc_clique sc_absent_nulls(const sc_synth_columns *columns, sc_clique nullable,
                          const int64_t *const *counts, uint64_t variance_64ths,
                          int64_t total);
/* Cells of a clique but those with an absent NULL, or UINT64_MAX. */
uint64_t sc_present_cells(const sc_synth_columns *columns, sc_clique absent,
                          sc_clique clique);

#endif
