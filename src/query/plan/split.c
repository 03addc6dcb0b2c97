#include "query/plan/split.h"

/* Weights of an output are brought to so many bits. */
#define WEIGHT_BITS 20
/* Errors have so many binary places. */
#define PLACES 20

uint64_t sc_split_units(size_t part_count)
{
    const uint64_t wanted = 10 * (uint64_t)part_count;
    return wanted > SC_SPLIT_UNITS ? wanted : SC_SPLIT_UNITS;
}

/* Errors. */

/* floor(sqrt(x)), x < 2^126: bit by bit from the highest. */
static uint64_t root_of(sc_uint128 x)
{
    unsigned bits = 0;
    uint64_t root = 0;
    while (bits < 63 && x >> 2 * bits > 0)
        bits++;
    while (bits-- > 0) {
        const uint64_t more = root | (uint64_t)1 << bits;
        if ((sc_uint128)more * more <= x)
            root = more;
    }
    return root;
}

/* What a weight of at most 2^WEIGHT_BITS becomes with a share: below 2^56. */
static uint64_t term_error(sc_split_law law, uint64_t weight, uint64_t share,
                           uint64_t units)
{
    const sc_uint128 scaled = (sc_uint128)weight << PLACES;
    if (law == SC_SPLIT_BY_SHARE)
        return (uint64_t)(scaled * units / share);
    return root_of(scaled * scaled / share * units);
}

typedef struct state {
    const sc_split_problem *problem;
    uint64_t units;
    uint64_t (*weights)[SC_SPLIT_TERMS]; /* by output */
    uint64_t *alone;                     /* the error with all of the budget, by output */
    uint64_t *shares;                    /* by part */
} state;

static uint64_t combine(sc_split_sum sum, const uint64_t *errors, size_t count)
{
    sc_uint128 all = 0;
    for (size_t i = 0; i < count; i++)
        all += sum == SC_SPLIT_ADDED ? errors[i] : (sc_uint128)errors[i] * errors[i];
    return sum == SC_SPLIT_ADDED ? (uint64_t)all : root_of(all);
}

/* The error of an output with these shares, by its terms. */
static uint64_t error_with(const state *s, size_t output, const uint64_t *shares)
{
    const sc_split_output *o = &s->problem->outputs[output];
    uint64_t errors[SC_SPLIT_TERMS] = {0};
    for (size_t i = 0; i < o->count; i++)
        errors[i] =
            term_error(s->problem->law, s->weights[output][i], shares[i], s->units);
    return combine(o->sum, errors, o->count);
}

static uint64_t ratio_of(const state *s, size_t output)
{
    const sc_split_output *o = &s->problem->outputs[output];
    uint64_t shares[SC_SPLIT_TERMS] = {0};
    for (size_t i = 0; i < o->count; i++)
        shares[i] = s->shares[o->terms[i].part];
    return (uint64_t)(((sc_uint128)error_with(s, output, shares) << PLACES) /
                      s->alone[output]);
}

/* Which term of an output gains most from one unit more. */
static size_t neediest(const state *s, size_t output, const uint64_t *shares)
{
    const sc_split_output *o = &s->problem->outputs[output];
    uint64_t tried[SC_SPLIT_TERMS] = {0}, least = UINT64_MAX;
    size_t best = 0;
    for (size_t i = 0; i < o->count; i++)
        tried[i] = shares[i];
    for (size_t i = 0; i < o->count; i++) {
        tried[i]++;
        const uint64_t got = error_with(s, output, tried);
        tried[i]--;
        if (got < least) {
            least = got;
            best = i;
        }
    }
    return best;
}

/* The whole budget for one output: a sum of convex functions, each of one share, is smallest when
 * every unit goes where it helps most. */
static uint64_t error_alone(const state *s, size_t output)
{
    const sc_split_output *o = &s->problem->outputs[output];
    uint64_t shares[SC_SPLIT_TERMS] = {0};
    for (size_t i = 0; i < o->count; i++)
        shares[i] = 1;
    for (uint64_t left = s->units - o->count; left > 0; left--)
        shares[neediest(s, output, shares)]++;
    return error_with(s, output, shares);
}

/* Returns what the error alone is in the same unit. */
static uint64_t set_weights(const sc_split_output *o, uint64_t *weights)
{
    sc_uint128 largest = o->alone;
    unsigned shift = 0;
    for (size_t i = 0; i < o->count; i++)
        largest = o->terms[i].weight > largest ? o->terms[i].weight : largest;
    while (largest >> shift > (sc_uint128)1 << WEIGHT_BITS)
        shift++;
    /* Small ones are made large, so that nothing is lost by rounding. */
    const unsigned more = largest >> (WEIGHT_BITS / 2) == 0 ? WEIGHT_BITS / 2 : 0;
    for (size_t i = 0; i < o->count; i++) {
        const uint64_t weight = (uint64_t)(o->terms[i].weight >> shift) << more;
        weights[i] = weight == 0 ? 1 : weight;
    }
    return (uint64_t)(o->alone >> shift) << more;
}

/* Sharing. */

static size_t worst_of(const uint64_t *ratios, size_t count)
{
    size_t worst = 0;
    for (size_t i = 1; i < count; i++)
        if (ratios[i] > ratios[worst])
            worst = i;
    return worst;
}

static void update_ratios(const state *s, size_t part, uint64_t *ratios)
{
    for (size_t i = 0; i < s->problem->output_count; i++) {
        const sc_split_output *o = &s->problem->outputs[i];
        for (size_t j = 0; j < o->count; j++)
            if (o->terms[j].part == part)
                ratios[i] = ratio_of(s, i);
    }
}

/* Unit by unit to the output that is worst off, and there to where it helps most. */
static void hand_out(const state *s, uint64_t *ratios)
{
    const sc_split_problem *p = s->problem;
    for (size_t i = 0; i < p->part_count; i++)
        s->shares[i] = 1;
    for (size_t i = 0; i < p->output_count; i++)
        ratios[i] = ratio_of(s, i);
    for (uint64_t left = s->units - p->part_count; left > 0; left--) {
        const size_t worst = worst_of(ratios, p->output_count);
        const sc_split_output *o = &p->outputs[worst];
        uint64_t shares[SC_SPLIT_TERMS] = {0};
        for (size_t i = 0; i < o->count; i++)
            shares[i] = s->shares[o->terms[i].part];
        const size_t part = o->terms[neediest(s, worst, shares)].part;
        s->shares[part]++;
        update_ratios(s, part, ratios);
    }
}

scrim_status sc_split_find(const sc_split_problem *problem, uint64_t *shares,
                           uint64_t *ratios, scrim_error *error)
{
    state s = {.problem = problem,
               .units = sc_split_units(problem->part_count),
               .shares = shares};
    scrim_status status = SCRIM_OK;
    s.weights = sc_allocate(problem->output_count, sizeof *s.weights);
    s.alone = sc_allocate(problem->output_count, sizeof *s.alone);
    if (s.weights == NULL || s.alone == NULL) {
        status = sc_no_memory(error, "a plan");
        goto done;
    }
    for (size_t i = 0; i < problem->output_count; i++) {
        const uint64_t alone = set_weights(&problem->outputs[i], s.weights[i]);
        s.alone[i] = alone > 0 ? alone << PLACES : error_alone(&s, i);
    }
    hand_out(&s, ratios);
done:
    sc_free(s.alone);
    sc_free(s.weights);
    return status;
}
