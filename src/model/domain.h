/* What a measurement takes: so many integers of a grid. Whatever is outside is brought inside,
 * value by value, by this rule and never by an error: clamped, rounded half up, and what is no
 * number becomes the grid's missing value. */
#ifndef SC_MODEL_DOMAIN_H
#define SC_MODEL_DOMAIN_H

#include "model/grid.h"

typedef struct sc_domain {
    sc_grid grid;
    size_t count_min, count_max; /* of values; their number is public but for rows */
    bool has_ends; /* a range was declared; else it ends where numbers of 64 bits do */
    bool
        is_whole; /* no step was declared, and rounding is not in the sensitivity: the input
                    * may not be given as reals */
} sc_domain;

/* The integers of up to 2^62 in size, any number of them from 1 on; missing is 0. */
void sc_domain_init(sc_domain *domain);
/* A grid of this step (NULL: 1) between lower and upper (NULL: as far as 2^62 steps); missing
 * is 0, or the end nearest to it. Errors as sc_grid_init. */
SCRIM_MUST_USE scrim_status sc_domain_set_grid(sc_domain *domain, const sc_ratio *step,
                                               const sc_ratio *lower,
                                               const sc_ratio *upper, scrim_error *error);

/* The place of an integer that is already in steps. */
static inline int64_t sc_domain_clamp(const sc_domain *domain, int64_t steps)
{
    int64_t cut = steps < domain->grid.low ? domain->grid.low : steps;
    return cut > domain->grid.high ? domain->grid.high : cut;
}
/* The same for a sum of more than 64 bits, which is cut to a declared range and to no other. */
static inline sc_int128 sc_domain_clamp_wide(const sc_domain *domain, sc_int128 steps)
{
    if (!domain->has_ends)
        return steps;
    sc_int128 cut = steps < domain->grid.low ? domain->grid.low : steps;
    return cut > domain->grid.high ? domain->grid.high : cut;
}
/* The place of a number in text (data_number.h); what is none is missing. */
int64_t sc_domain_of_text(const sc_domain *domain, sc_text text);

#endif
