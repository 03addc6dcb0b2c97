#include "query/plan/division.h"

#include "query/plan/plan_bars.h"
#include "query/plan/plan_measure.h"
#include "query/plan/plan_select.h"

#include <string.h>

/* Weights of an output are scaled to this many bits. */
#define WEIGHT_BITS 20
/* Errors are fixed-point numbers with this many binary places. */
#define PLACES 20

uint64_t sc_split_units(size_t part_count)
{
    const uint64_t wanted = 10 * (uint64_t)part_count;
    return wanted > SC_SPLIT_UNITS ? wanted : SC_SPLIT_UNITS;
}

/* Errors. */

static unsigned bits_of(sc_uint128 x)
{
    const uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return high != 0  ? 128 - (unsigned)__builtin_clzll(high)
           : low != 0 ? 64 - (unsigned)__builtin_clzll(low)
                      : 0;
}

/* floor(sqrt(x)), x < 2^126: Newton's steps from above, which go down until they are there. A division takes less where the
 * number fits in a word. */
static uint64_t root_of(sc_uint128 x)
{
    const unsigned bits = bits_of(x);
    if (bits < 2)
        return (uint64_t)x;
    uint64_t root = (uint64_t)1 << (bits + 1) / 2, next = root;
    do {
        root = next;
        const uint64_t quotient = bits <= 64 ? (uint64_t)x / root : (uint64_t)(x / root);
        next = (root + quotient) / 2;
    } while (next < root);
    return root;
}

/* The error of a weight of at most 2^WEIGHT_BITS at a share: below 2^56. */
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

static uint64_t error_of_term(const state *s, size_t output, size_t term, uint64_t share)
{
    return term_error(s->problem->law, s->weights[output][term], share, s->units);
}

/* The errors of the terms of an output with these shares. */
static void find_errors(const state *s, size_t output, const uint64_t *shares,
                        uint64_t errors[SC_SPLIT_TERMS])
{
    for (size_t i = 0; i < s->problem->outputs[output].count; i++)
        errors[i] = error_of_term(s, output, i, shares[i]);
}

static uint64_t error_with(const state *s, size_t output, const uint64_t *shares)
{
    const sc_split_output *o = &s->problem->outputs[output];
    uint64_t errors[SC_SPLIT_TERMS] = {0};
    find_errors(s, output, shares, errors);
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

/* The term of an output that gains most from one more unit. */
static size_t neediest(const state *s, size_t output, const uint64_t *shares)
{
    const sc_split_output *o = &s->problem->outputs[output];
    uint64_t errors[SC_SPLIT_TERMS] = {0}, least = UINT64_MAX;
    size_t best = 0;
    if (o->count == 1)
        return 0;
    find_errors(s, output, shares, errors);
    for (size_t i = 0; i < o->count; i++) {
        const uint64_t before = errors[i];
        errors[i] = error_of_term(s, output, i, shares[i] + 1);
        const uint64_t got = combine(o->sum, errors, o->count);
        errors[i] = before;
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

/* Returns the error with the whole budget, in the same unit. */
static uint64_t set_weights(const sc_split_output *o, uint64_t *weights)
{
    sc_uint128 largest = o->alone;
    unsigned shift = 0;
    for (size_t i = 0; i < o->count; i++)
        largest = o->terms[i].weight > largest ? o->terms[i].weight : largest;
    while (largest >> shift > (sc_uint128)1 << WEIGHT_BITS)
        shift++;
    /* Scale small weights up, so that rounding loses nothing. */
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

/* Greedy: each unit goes to the output with the worst ratio, and there to the term that gains most. */
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

/* Slots. */

static sc_slot_kind kind_of(const sc_group_statistic *s)
{
    switch (s->kind) {
    case SC_STATISTIC_QUANTILES:
        return SC_SLOT_QUANTILE;
    case SC_STATISTIC_BARS:
        return SC_SLOT_BARS;
    case SC_STATISTIC_UNITS:
    case SC_STATISTIC_ROWS:
    case SC_STATISTIC_SUM:
    case SC_STATISTIC_SQUARES:
    case SC_STATISTIC_TOTAL:
    case SC_STATISTIC_AROUND:
    case SC_STATISTIC_PRESENT:
    case SC_STATISTIC_MISSING:
    case SC_STATISTIC_VALUES:
    case SC_STATISTIC_DISJOINT:
        break;
    }
    return s->with_range ? SC_SLOT_RANGE : SC_SLOT_NUMBER;
}

static bool add_slot(sc_division *d, sc_slot_kind kind, size_t statement,
                     size_t statistic, bool takes_delta)
{
    if (d->count == SC_PLAN_PARTS)
        return false;
    sc_slot *slot = &d->slots[d->count++];
    *slot = (sc_slot){.kind = kind, .statement = statement, .statistic = statistic};
    sc_ratio_init(&slot->share);
    d->selections += kind == SC_SLOT_KEYS;
    d->takers += takes_delta;
    return true;
}

static bool add_slots(sc_division *d, const scrim_plan *plan, size_t statement)
{
    const sc_planned_statement *s = &plan->statements[statement];
    const bool shows = sc_plan_select_shows(s),
               is_noisy = sc_plan_bars_are_noisy(plan, s);
    bool fits = s->keys_kind != SC_PLAN_DISCOVERED ||
                add_slot(d, SC_SLOT_KEYS, statement, SC_STATISTIC_NONE, false);
    for (size_t i = 0; fits && i < s->statistics.count; i++) {
        const sc_slot_kind kind = kind_of(&s->statistics.list[i]);
        if ((!shows || !sc_statistic_is_units(&s->statistics.list[i])) &&
            sc_statistic_drawn_with(&s->statistics, i) == i)
            fits = add_slot(d, kind, statement, i,
                            kind == SC_SLOT_RANGE || (kind == SC_SLOT_BARS && !is_noisy));
    }
    return fits;
}

/* Problems. */

typedef struct sc_division_problem {
    const scrim_plan *plan;
    const sc_division *division;
    bool is_inner; /* numbers alone, that share a rho */
    size_t *parts; /* of the split, by slot; SC_STATISTIC_NONE: in none */
    size_t part_count;
    sc_split_output *outputs;
    size_t output_count;
    uint64_t *shares, *ratios;
} problem;

/* The parts of a split are slots; numbers that share a rho are one part, or the only ones. */
static void number_parts(problem *p)
{
    const sc_division *d = p->division;
    size_t numbers = SC_STATISTIC_NONE;
    for (size_t i = 0; i < d->count; i++) {
        const sc_slot *slot = &d->slots[i];
        p->parts[i] = SC_STATISTIC_NONE;
        if (p->is_inner && slot->kind != SC_SLOT_NUMBER)
            continue;
        const bool is_joint =
            d->is_gaussian && !p->is_inner && slot->kind == SC_SLOT_NUMBER;
        p->parts[i] =
            is_joint && numbers != SC_STATISTIC_NONE ? numbers : p->part_count++;
        if (is_joint)
            numbers = p->parts[i];
    }
}

static size_t slot_of(const sc_division *d, size_t statement, size_t statistic)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->slots[i].statement == statement && d->slots[i].statistic == statistic)
            return i;
    return SC_STATISTIC_NONE;
}

static void add_term(const problem *p, sc_split_output *o, size_t statement,
                     size_t statistic, sc_uint128 weight)
{
    const size_t slot = slot_of(p->division, statement, statistic);
    if (slot == SC_STATISTIC_NONE || p->parts[slot] == SC_STATISTIC_NONE || weight == 0)
        return;
    const size_t part = p->parts[slot];
    for (size_t i = 0; i < o->count; i++)
        if (o->terms[i].part == part) {
            o->terms[i].weight += weight;
            return;
        }
    o->terms[o->count++] = (sc_split_term){part, weight};
}

void sc_weigh(const sc_weighing *w, size_t statistic, sc_uint128 weight)
{
    const sc_statistics *all = &w->statement->statistics;
    const bool is_disjoint = statistic != SC_STATISTIC_NONE &&
                             all->list[statistic].kind == SC_STATISTIC_DISJOINT;
    add_term(w->problem, w->out, w->number,
             is_disjoint ? sc_statistic_drawn_with(all, statistic) : statistic, weight);
}

void sc_weigh_bars(const sc_weighing *w)
{
    sc_weigh(w, w->use->bars, 1);
}

sc_uint128 sc_weigh_reach(const sc_weighing *w, size_t statistic)
{
    const sc_planned_statement *s = w->statement;
    const sc_group_statistic *t = &s->statistics.list[statistic];
    const sc_reach reach = sc_plan_reach(s, w->plan->neighbours);
    sc_uint128 far = 0;
    SC_OWN(sc_norms, norms);
    SC_OWN(sc_integer, whole);
    sc_plan_norms(s, t, &reach, &norms);
    sc_ratio_numerator(&norms.l1, &whole);
    if (!sc_integer_get_uint128(&whole, &far) || far > (sc_uint128)1 << 60)
        far = (sc_uint128)1 << 60;
    return far;
}

static void set_output(const problem *p, size_t statement, size_t aggregate,
                       sc_split_output *o)
{
    const sc_planned_statement *s = &p->plan->statements[statement];
    const sc_query_aggregate *a = &s->query->aggregates[aggregate];
    o->sum = SC_SPLIT_ADDED;
    a->kind->weigh(&(sc_weighing){.problem = p,
                                  .plan = p->plan,
                                  .statement = s,
                                  .number = statement,
                                  .aggregate = a,
                                  .use = &s->statistics.uses[aggregate],
                                  .out = o});
}

/* An output for every aggregate that has a term here, in their order, and one for every selection
 * behind them. */
static void set_outputs(problem *p, size_t *outputs_of)
{
    size_t at = 0;
    for (size_t i = 0; i < p->plan->statement_count; i++)
        for (size_t j = 0; j < p->plan->statements[i].query->aggregate_count; j++, at++) {
            sc_split_output *o = &p->outputs[p->output_count];
            *o = (sc_split_output){.count = 0};
            set_output(p, i, j, o);
            outputs_of[at] = o->count > 0 ? p->output_count++ : SC_STATISTIC_NONE;
        }
    for (size_t i = 0; i < p->plan->statement_count; i++) {
        sc_split_output *o = &p->outputs[p->output_count];
        *o = (sc_split_output){.sum = SC_SPLIT_ADDED};
        add_term(p, o, i, SC_STATISTIC_NONE, 1);
        p->output_count += o->count > 0;
    }
}

static void set_fraction(sc_ratio *out, uint64_t numerator, uint64_t denominator)
{
    SC_OWN(sc_integer, a, b);
    sc_integer_set_uint128(&a, numerator);
    sc_integer_set_uint128(&b, denominator);
    sc_ratio_set_fraction(out, &a, &b);
}

static void set_shares(const problem *p, sc_division *d)
{
    const uint64_t units = sc_split_units(p->part_count);
    for (size_t i = 0; i < d->count; i++) {
        sc_slot *slot = &d->slots[i];
        if (p->parts[i] == SC_STATISTIC_NONE)
            continue;
        const uint64_t share = p->shares[p->parts[i]];
        if (d->is_gaussian && slot->kind == SC_SLOT_NUMBER && !p->is_inner)
            set_fraction(&d->numbers, share, units);
        else
            set_fraction(&slot->share, share, units);
    }
}

/* The ratio of an aggregate is that of epsilon, times that of rho. */
static void set_ratios(const problem *p, const size_t *outputs_of, sc_division *d)
{
    for (size_t i = 0; i < d->aggregate_count; i++) {
        if (outputs_of[i] == SC_STATISTIC_NONE)
            continue;
        const sc_uint128 ratio = p->ratios[outputs_of[i]];
        const sc_uint128 product = d->ratios[i] * ratio >> 20;
        d->ratios[i] = product > UINT64_MAX ? UINT64_MAX : (uint64_t)product;
    }
}

static scrim_status solve(const scrim_plan *plan, sc_division *d, bool is_inner,
                          scrim_error *error)
{
    const size_t most = d->aggregate_count + plan->statement_count;
    scrim_status status = SCRIM_OK;
    problem p = {.plan = plan,
                 .division = d,
                 .is_inner = is_inner,
                 .parts = sc_allocate(d->count, sizeof *p.parts),
                 .outputs = sc_allocate(most, sizeof *p.outputs),
                 .shares = sc_allocate(d->count, sizeof *p.shares),
                 .ratios = sc_allocate(most, sizeof *p.ratios)};
    size_t *outputs_of = sc_allocate(d->aggregate_count, sizeof *outputs_of);
    if (p.parts == NULL || p.outputs == NULL || p.shares == NULL || p.ratios == NULL ||
        outputs_of == NULL) {
        status = sc_no_memory(error, "a plan");
        goto done;
    }
    number_parts(&p);
    set_outputs(&p, outputs_of);
    if (p.part_count > 0) {
        const sc_split_problem split = {.law = is_inner ? SC_SPLIT_BY_ROOT
                                                        : SC_SPLIT_BY_SHARE,
                                        .part_count = p.part_count,
                                        .outputs = p.outputs,
                                        .output_count = p.output_count};
        status = sc_split_find(&split, p.shares, p.ratios, error);
    }
    if (status == SCRIM_OK && p.part_count > 0) {
        set_shares(&p, d);
        set_ratios(&p, outputs_of, d);
    }
done:
    sc_free(outputs_of);
    sc_free(p.ratios);
    sc_free(p.shares);
    sc_free(p.outputs);
    sc_free(p.parts);
    return status;
}

bool sc_division_has_numbers(const sc_division *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->slots[i].kind == SC_SLOT_NUMBER)
            return true;
    return false;
}

/* Shares that were given: of one number a statement, all of epsilon or all of one rho. An aggregate's ratio is
 * that of its share, also where errors go by its root: Laplace noise alone is compared by it. */
static scrim_status give_shares(const scrim_plan *plan, sc_division *d,
                                scrim_error *error)
{
    const sc_plan_options *options = &plan->options;
    uint64_t sum = 0;
    if (options->share_count != plan->statement_count)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "shares",
                           "the batch has %zu queries and %zu shares; give one share a "
                           "query",
                           plan->statement_count, options->share_count);
    bool are_single =
        d->count == plan->statement_count && d->aggregate_count == plan->statement_count;
    for (size_t i = 0; i < options->share_count; i++) {
        sum += options->shares[i];
        are_single = are_single && d->slots[i].kind == SC_SLOT_NUMBER;
    }
    if (!are_single)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "shares",
                           "shares are for queries that ask for one count or sum of "
                           "public groups each");
    for (size_t i = 0; i < d->count; i++) {
        set_fraction(&d->slots[i].share, options->shares[i], sum);
        d->ratios[i] = ((uint64_t)1 << 20) * sum / options->shares[i];
    }
    return SCRIM_OK;
}

scrim_status sc_division_make(const scrim_plan *plan, bool is_gaussian, sc_division *out,
                              scrim_error *error)
{
    *out = (sc_division){.is_gaussian = is_gaussian};
    sc_ratio_init(&out->numbers);
    for (size_t i = 0; i < plan->statement_count; i++)
        out->aggregate_count += plan->statements[i].query->aggregate_count;
    out->slots = sc_allocate(SC_PLAN_PARTS, sizeof *out->slots);
    out->ratios = sc_allocate(out->aggregate_count, sizeof *out->ratios);
    if (out->slots == NULL || out->ratios == NULL)
        return sc_no_memory(error, "a plan");
    for (size_t i = 0; i < plan->statement_count; i++)
        if (!add_slots(out, plan, i))
            return sc_fail(error, SCRIM_E_LIMIT,
                           "the queries ask for more than %d different numbers; ask in "
                           "several batches",
                           SC_PLAN_PARTS);
    for (size_t i = 0; i < out->aggregate_count; i++)
        out->ratios[i] = (uint64_t)1 << 20;
    scrim_status status = solve(plan, out, false, error);
    if (status == SCRIM_OK && is_gaussian && sc_division_has_numbers(out)) {
        out->takers++;
        status = solve(plan, out, true, error);
    }
    if (status == SCRIM_OK && plan->options.share_count > 0)
        status = give_shares(plan, out, error);
    return status;
}

void sc_division_clear(sc_division *division)
{
    for (size_t i = 0; i < division->count; i++)
        sc_ratio_clear(&division->slots[i].share);
    sc_free(division->slots);
    sc_free(division->ratios);
    sc_ratio_clear(&division->numbers);
}
