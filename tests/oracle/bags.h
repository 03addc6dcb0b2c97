/* Bags of parts with numbers from text, for tests of accountants. */
#ifndef BAGS_H
#define BAGS_H

#include "composition/accountant/accountant.h"
#include "exact.h"

void bags_open(sc_bag *bag);
void bags_close(sc_bag *bag);
/* count releases of add-remove, with the pair of laws of the worst such mechanism; delta may be "0".
 * The part that was added, until the next one is. */
sc_part *bags_add(sc_bag *bag, const char *epsilon, const char *delta, uint64_t count);
/* Concentrated and nothing more. */
sc_part *bags_add_rho(sc_bag *bag, const char *rho, uint64_t count);
/* Discrete Gaussian noise of a variance against a shift of 1. */
sc_part *bags_add_gaussian(sc_bag *bag, const char *variance, uint64_t count);
sc_part *bags_sample(sc_part *part, const char *rate);

/* A bag and an enclosure for what is asked of it; with a first part. */
void bags_begin(sc_bag *bag, sc_enclosure *e);
void bags_begin_with(sc_bag *bag, sc_enclosure *e, const char *epsilon, const char *delta,
                     uint64_t count);
void bags_end(sc_bag *bag, sc_enclosure *e);

/* The bound of an accountant; false when there is no upper bound, which must then have a remark. out is an
 * initialised enclosure. */
bool bags_epsilon(const sc_accountant *by, const sc_bag *bag, const char *delta,
                  sc_enclosure *out);
bool bags_delta(const sc_accountant *by, const sc_bag *bag, const char *epsilon,
                sc_enclosure *out);

/* An upper bound that is not below the printed number but for the rounding of its last digit, and
 * not above it by more than 1e-9 of it. */
#define CHECK_UPPER(ball, printed)                                                       \
    bags_check_upper((ball), (printed), #ball, __FILE__, __LINE__)
bool bags_check_upper(const sc_ball *ball, const char *printed, const char *text,
                      const char *file, int line);

#endif
