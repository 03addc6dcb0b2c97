/* Columns in which NULL does not stand out from the noise, by released counts alone.
 *
 * A column that may be NULL mostly is not. Its noisy count is then noise, half of which a model without negative counts
 * would turn into rows. So NULL is left out of the model where its count y is not above 0 with y^2 >= 9 variance, unless
 * three standard deviations are more than a twentieth of all rows: then so little is known that NULL stays.
 *
 * Claim  absent-null.share  a model that leaves NULL out lacks at most a twentieth of all rows, and the noise below 0 of
 *                           one count
 */
#ifndef SC_SYNTH_ABSENT_NULL_H
#define SC_SYNTH_ABSENT_NULL_H

#include "synth/model/clique.h"

/* Those of the columns whose last category is NULL; counts[i] are the noisy counts of column i, total the estimated
 * number of rows. A column with one category keeps it. */
sc_clique sc_absent_nulls(const sc_synth_columns *columns, sc_clique nullable,
                          const int64_t *const *counts, uint64_t variance_64ths,
                          int64_t total);
/* Cells of a clique but those with an absent NULL, or UINT64_MAX. */
uint64_t sc_present_cells(const sc_synth_columns *columns, sc_clique absent,
                          sc_clique clique);

#endif
