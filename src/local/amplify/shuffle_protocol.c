#include "local/amplify/shuffle_protocol.h"

#include "base/number/parameters.h"

#define BITS SC_AMPLIFY_BITS

/* 0 where it is missing; a width, which may be 0, is then NONE. */
typedef struct numbers {
    int64_t values, field, digits, chosen, blocks, width, cells;
} numbers;

#define NONE (-1)

/* mass = share / whole. */
static void set_mass(sc_ball *mass, const sc_ratio *share, const sc_ball *whole)
{
    sc_ball_set_ratio(mass, share, BITS);
    sc_ball_div(mass, mass, whole, BITS);
}

/* Reports are likely in a set, else unlikely, in the ratio p: with sizes in parts of the set's, the
 * outputs are `all` and two sets overlap in `overlap`. */
static void set_protocol(sc_blanket_law *law, const sc_ratio *all,
                         const sc_ratio *overlap)
{
    SC_OWN(sc_ratio, one, share, rest);
    SC_OWN(sc_ball, whole);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&rest, all, &one);
    sc_ball_set_ratio(&whole, &rest, BITS);
    sc_ball_add(&whole, &whole, &law->p, BITS);
    sc_ratio_sub(&share, &one, overlap);
    set_mass(&law->r, &share, &whole);
    set_mass(&law->t11, overlap, &whole);
    sc_ratio_sub(&rest, &rest, &share); /* all - 2 + overlap */
    set_mass(&law->t10, &rest, &whole);
}

static void set_quotients(sc_blanket_law *law, int64_t all, int64_t overlap,
                          int64_t below)
{
    SC_OWN(sc_ratio, a, o);
    sc_ratio_set_quotient(&a, all, below);
    sc_ratio_set_quotient(&o, overlap, below);
    set_protocol(law, &a, &o);
}

static bool any(const numbers *n, sc_blanket_law *law)
{
    (void)n;
    set_quotients(law, 2, 0, 1);
    return true;
}

static bool response(const numbers *n, sc_blanket_law *law)
{
    set_quotients(law, n->values, 0, 1);
    return n->values > 0;
}

/* Points, points on one hyperplane, points on two. */
static bool projective(const numbers *n, sc_blanket_law *law)
{
    int64_t points = 0, on_one = 0, on_two = 0;
    for (int64_t i = 0; i < n->digits && points < INT64_C(1) << 30; i++) {
        on_two = on_one;
        on_one = points;
        points = points * n->field + 1;
    }
    if (n->field == 0 || n->digits < 2 || points >= INT64_C(1) << 30)
        return false;
    set_quotients(law, points, on_two, on_one);
    return true;
}

static bool subset(const numbers *n, sc_blanket_law *law)
{
    SC_OWN(sc_ratio, all, overlap);
    if (n->values == 0 || n->chosen == 0 || n->chosen >= n->values)
        return false;
    sc_ratio_set_quotient(&all, n->values, n->chosen);
    sc_ratio_set_quotient(&overlap, n->chosen - 1, n->values - 1);
    set_protocol(law, &all, &overlap);
    return true;
}

/* Two values of one block share half of their sets, of two blocks nothing. */
static bool hadamard(const numbers *n, sc_blanket_law *law)
{
    const int64_t blocks = n->blocks == 0 ? 1 : n->blocks;
    set_quotients(law, 4 * blocks, blocks == 1, 2);
    return true;
}

/* Cells of a seed: two values share one with probability 1/g, whatever they are. */
static bool hashed(int64_t cells, sc_blanket_law *law)
{
    SC_OWN(sc_ratio, all, overlap);
    sc_ratio_set_int64(&all, cells);
    sc_ratio_set_quotient(&overlap, 1, cells > 0 ? cells : 1);
    set_protocol(law, &all, &overlap);
    return cells > 1;
}

static bool hashing(const numbers *n, sc_blanket_law *law)
{
    return hashed(n->field, law);
}

static bool text_hashing(const numbers *n, sc_blanket_law *law)
{
    return hashed(n->cells, law) && (n->cells & (n->cells - 1)) == 0;
}

static bool square_wave(const numbers *n, sc_blanket_law *law)
{
    const int64_t set = 2 * n->width + 1, farthest = n->values - 1;
    if (n->values == 0 || n->width == NONE)
        return false;
    set_quotients(law, n->values + 2 * n->width, set > farthest ? set - farthest : 0,
                  set);
    return true;
}

/* Bits other than the two are the same for both; of these the blanket has (0, 1), (1, 0): r each. */
static bool optimised_unary(const numbers *n, sc_blanket_law *law)
{
    SC_OWN(sc_ball, twice, one);
    (void)n;
    sc_ball_add_int64(&twice, &law->p, 1, BITS);
    sc_ball_mul_power2(&twice, &twice, 1); /* 2 (p + 1) */
    sc_ball_set_int64(&one, 1);
    sc_ball_div(&law->r, &one, &twice, BITS);
    sc_ball_div(&law->t10, &law->p, &twice, BITS);
    sc_ball_div(&law->t11, &law->r, &law->p, BITS);
    return true;
}

static bool symmetric_unary(const numbers *n, sc_blanket_law *law)
{
    SC_OWN(sc_ball, root, square, one);
    (void)n;
    sc_ball_sqrt(&root, &law->p, BITS);
    sc_ball_add_int64(&square, &root, 1, BITS);
    sc_ball_mul(&square, &square, &square, BITS);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(&law->r, &one, &square, BITS);
    sc_ball_div(&law->t10, &root, &square, BITS);
    sc_ball_div(&law->t11, &law->r, &root, BITS);
    return true;
}

typedef struct protocol {
    const char *name, *needs;
    bool (*set)(const numbers *n,
                sc_blanket_law *law); /* false: needs more, or other numbers */
} protocol;

static const protocol protocols[] = {
    {"randomised-response", "values=K", response},
    {"projective-geometry", "field=Q digits=T", projective},
    {"subset-selection", "values=K chosen=D, D < K", subset},
    {"hadamard", "", hadamard},
    {"local-hashing", "field=G", hashing},
    {"text-hashing", "cells=N, the number of cells, a power of two", text_hashing},
    {"optimised-unary", "", optimised_unary},
    {"symmetric-unary", "", symmetric_unary},
    {"square-wave", "values=K width=W", square_wave},
};

#define COUNT(its_name, least, most)                                                     \
    {                                                                                    \
        .name = (its_name), .kind = SC_PARAMETER_INTEGER, .optional = true,              \
        .at_least = (least), .limit_high = (most),                                       \
        .domain = "an integer from " least " to " most                                   \
    }

static const sc_parameter_rule rules[] = {
    COUNT("values", "2", "2^30"), COUNT("field", "2", "2^30"),
    COUNT("digits", "2", "64"),   COUNT("chosen", "1", "2^30"),
    COUNT("blocks", "1", "2^30"), COUNT("width", "0", "2^30"),
    COUNT("cells", "2", "2^30"),
};

static int64_t number(const sc_parameters *parameters, const char *name, int64_t missing)
{
    SC_OWN(sc_integer, whole);
    sc_int128 value = 0;
    const sc_ratio *given = sc_parameters_get(parameters, name);
    if (given == NULL)
        return missing;
    sc_ratio_floor(given, &whole);
    return sc_integer_get_int128(&whole, &value) ? (int64_t)value : 0;
}

static scrim_status set_by_name(const protocol *chosen, sc_text rest, sc_blanket_law *law,
                                scrim_error *error)
{
    sc_parameters parameters;
    sc_parameters_init(&parameters, rules, sizeof rules / sizeof *rules);
    scrim_status status = sc_parameters_parse(&parameters, rest, error);
    if (status == SCRIM_OK) {
        const numbers n = {
            number(&parameters, "values", 0), number(&parameters, "field", 0),
            number(&parameters, "digits", 0), number(&parameters, "chosen", 0),
            number(&parameters, "blocks", 0), number(&parameters, "width", NONE),
            number(&parameters, "cells", 0)};
        if (!chosen->set(&n, law))
            status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "protocol",
                                 "%s needs %s", chosen->name, chosen->needs);
    }
    sc_parameters_clear(&parameters);
    return status;
}

scrim_status sc_shuffle_protocol(sc_text line, sc_blanket_law *law, scrim_error *error)
{
    sc_text name, rest;
    const numbers none = {0};
    if (!sc_parameters_line(line, &name, &rest)) {
        (void)any(&none, law);
        return SCRIM_OK;
    }
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
        if (sc_text_is(name, protocols[i].name))
            return set_by_name(&protocols[i], rest, law, error);
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "protocol",
        "unknown protocol; use randomised-response, projective-geometry, "
        "subset-selection, hadamard, local-hashing, text-hashing, "
        "optimised-unary, symmetric-unary or square-wave; leave it out for a "
        "bound that holds for every protocol");
}
