/* The best that is proved about a bag of releases: the smallest of all upper bounds.
 *
 * Claim  joint-bound.sound  no bound is below what one of the accountants proves
 *
 * Reference  spec/mechanisms.md 8; spec/local-and-accounting.md 5, 6, 8, 9
 */
#ifndef SC_COMPOSITION_JOINT_BOUND_H
#define SC_COMPOSITION_JOINT_BOUND_H

#include "composition/bag.h"

/* How much is done for it. */
typedef enum sc_joint_effort {
    SC_JOINT_QUICK, /* theorems in closed form: milliseconds */
    SC_JOINT_FULL   /* privacy loss distributions, too */
} sc_joint_effort;

typedef struct sc_joint_bound {
    sc_ball upper;      /* not finite where nothing is proved */
    const char *source; /* the accountant's name; "" where there is none */
} sc_joint_bound;

void sc_joint_bound_init(sc_joint_bound *bound);
void sc_joint_bound_clear(sc_joint_bound *bound);

/* delta at epsilon >= 0, and epsilon at a delta in [0, 1). What an accountant refuses because of a
 * size is passed over; SCRIM_E_MEMORY is not. */
SCRIM_MUST_USE scrim_status sc_joint_delta_upper(const sc_bag *bag,
                                                 const sc_ratio *epsilon,
                                                 sc_joint_effort effort,
                                                 sc_joint_bound *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_joint_epsilon_upper(const sc_bag *bag,
                                                   const sc_ratio *delta,
                                                   sc_joint_effort effort,
                                                   sc_joint_bound *out,
                                                   scrim_error *error);

#endif
