/* Broken variants: mechanisms that are not as private as they claim, from the literature and
 * from software that shipped. The audit must catch each of them, and find the size of the
 * violation that is known for it. They are of the tests: no build installs them.
 *
 *     BROKEN(capped_loop, .wrong = "a loop cap that costs no delta", .mechanism = &capped,
 *            .line = "epsilon=1 cap=3", .kind = BROKEN_DELTA, .at = "1",
 *            .size = "v:mechanisms/deadline_delta/rows/0/delta_at_eps",
 *            .source = "spec/mechanisms.md 2.4c, v:deadline_delta");
 *
 * A variant registers itself; broken_audit_test.c goes through them all.
 */
#ifndef BROKEN_H
#define BROKEN_H

#include "model/measurement.h"

typedef enum broken_kind {
    BROKEN_LOSS, /* the largest privacy loss, against epsilon */
    BROKEN_DELTA, /* the hockey-stick divergence at an epsilon, against the curve, or against
                   * the delta that is charged there */
    BROKEN_RENYI /* the Renyi divergence of an order, against the curve and rho */
} broken_kind;

typedef struct broken broken;
struct broken {
    const char *name;  /* of the variant, set by BROKEN */
    const char *wrong; /* what is wrong with it, in a few words */
    const sc_mechanism *mechanism;
    const char *line; /* its parameters */
    broken_kind kind;
    const char *at; /* the epsilon, or the order: one of 1, 101/100, 2, 5, 32 */
    /* The violation's, as printed; "inf"; "v:FILE/MEMBER/...": a text of tests/vectors. */
    const char *size;
    const char
        *claimed; /* what is claimed there, in the same way; NULL: not printed anywhere */
    const char *source; /* where it is printed */
    broken *next;
};

void broken_register(broken *variant);
/* The variants in the order of their names. */
const broken *broken_first(void);

#define BROKEN(variant, ...)                                                             \
    static broken broken_##variant = {.name = #variant, __VA_ARGS__};                    \
    __attribute__((constructor)) static void register_broken_##variant(void)             \
    {                                                                                    \
        broken_register(&broken_##variant);                                              \
    }

/* The members that variants have in common: no state, one integer an answer, nothing ever
 * drawn, pure epsilon by the parameter of that name. */
scrim_status broken_check(scrim_measurement *measurement, scrim_error *error);
void broken_discard(scrim_measurement *measurement);
scrim_status broken_cost_pure(const scrim_measurement *measurement, sc_exact_cost *out,
                              scrim_error *error);
scrim_status broken_certify(const scrim_measurement *measurement, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error);
size_t broken_one(const scrim_measurement *measurement, size_t count);
scrim_status broken_draw(const scrim_measurement *measurement, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error);

/* The parameters a variant may have: any rational, all optional. */
#define BROKEN_PARAMETER(key)                                                            \
    {                                                                                    \
        .name = (key), .kind = SC_PARAMETER_RATIONAL, .optional = true,                  \
        .domain = "a rational"                                                           \
    }

/* The members above as designated initialisers. */
#define BROKEN_COMMON(title, list)                                                       \
    .entry = {.name = (title),                                                           \
              .parameters = "",                                                          \
              .input = "values",                                                         \
              .claim = "one that does not hold",                                         \
              .reference = "none"},                                                      \
    .parameters = (list), .parameter_count = sizeof(list) / sizeof *(list),              \
    .check = broken_check, .discard = broken_discard, .certify = broken_certify,         \
    .answer_count = broken_one, .draw = broken_draw, .width = broken_one

/* A pair of one value each. */
void broken_pair(int64_t x, int64_t y, sc_pair *out);
/* Families of neighbours: one pair; and the pair 0 and 1. */
size_t broken_one_pair(const scrim_measurement *measurement);
void broken_zero_and_one(const scrim_measurement *measurement, size_t index,
                         sc_pair *out);

#endif
