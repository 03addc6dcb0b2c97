/* The relation between datasets that a claim is made for. A claim that names no relation claims nothing. */
#ifndef DOMAIN_H
#define DOMAIN_H

#include "base/number/parameters.h"
#include "model/grid.h"
#include "scrim/measurement.h"

/* The three words, ended by NULL; their places are the enumerators less one. */
extern const char *const sc_neighbours_words[];
/* Those that a mechanism on a table of many people may be given. */
extern const char *const sc_neighbours_central_words[];

/* The parameter of that name, for the lists of mechanisms. It is optional there, since a curve
 * alone may leave it out; a measurement for data requires it (measurement.h). */
#define SC_PARAMETER_NEIGHBOURS                                                          \
    {                                                                                    \
        .name = "neighbours", .kind = SC_PARAMETER_WORD, .optional = true,               \
        .words = sc_neighbours_central_words, .domain = "add-remove or replace"          \
    }

/* The input of a measurement: a number of integers on a grid. Whatever is outside is brought inside,
 * value by value, by this rule and never by an error: clamped, rounded half up, and what is no
 * number becomes the grid's missing value.
 *
 * Claim  domain.rounding  no input is taken whose rounding could add to the declared sensitivity
 *                         beyond what is charged; that is decided by the parameters, the number of
 *                         values and how they are given, and never by a value
 */

/* How rounding to the grid changes the sensitivity that was declared. */
typedef enum sc_rounding {
    SC_ROUNDING_COUNTED, /* nothing that is not in the cost, whatever the number of values */
    SC_ROUNDING_OF_ONE /* nothing to one value; the changes of several are added up, and each may
                          * grow by a step: several are taken as integers only, or as whole */
} sc_rounding;

/* How an input is given. */
typedef enum sc_given { SC_GIVEN_INTEGERS, SC_GIVEN_REALS, SC_GIVEN_TEXTS } sc_given;

typedef struct sc_domain {
    sc_grid grid;
    size_t count_min, count_max; /* of values; their number is public but for rows */
    bool has_ends; /* a range was declared; else it ends where numbers of 64 bits do */
    sc_rounding rounding;
    bool
        is_whole; /* values are declared to be whole multiples of the step: there is no rounding,
                    * and what is no such multiple is missing */
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
/* The place of a number; NULL stands for a missing one. */
int64_t sc_domain_place(const sc_domain *domain, const sc_ratio *value);
/* The place of a number in text (data_number.h) or of a double. */
int64_t sc_domain_of_text(const sc_domain *domain, sc_text text);
int64_t sc_domain_of_double(const sc_domain *domain, double x);

/* May this many values be given in this way? Public. */
bool sc_domain_takes(const sc_domain *domain, sc_given given, size_t count);

/* For the lists of mechanisms: a range that must be given, with its grid, and the parameter that declares values
 * whole. */
#define SC_PARAMETERS_RANGE                                                              \
    {.name = "lower",                                                                    \
     .kind = SC_PARAMETER_RATIONAL,                                                      \
     .domain = "a multiple of the grid's step, below upper"},                            \
        {.name = "upper",                                                                \
         .kind = SC_PARAMETER_RATIONAL,                                                  \
         .domain = "a multiple of the grid's step, above lower"},                        \
    {                                                                                    \
        .name = "grid", .kind = SC_PARAMETER_RATIONAL, .optional = true, .above = "0",   \
        .domain = "a power of 2 or of 10"                                                \
    }
#define SC_PARAMETER_WHOLE                                                               \
    {                                                                                    \
        .name = "whole", .kind = SC_PARAMETER_WORD, .optional = true,                    \
        .words = sc_domain_whole_words, .domain = "yes or no"                            \
    }
extern const char *const sc_domain_whole_words[];

#endif
