#include "query/plan/trial.h"

#include "base/number/ball.h"
#include "model/renyi_conversion.h"
#include "query/plan/plan_bars.h"
#include "query/plan/plan_cut.h"
#include "query/plan/plan_measure.h"
#include "query/plan/plan_select.h"

#define BITS 256
/* Significant bits of a total rho, few enough that the costs of its parts can be charged without
 * rounding. */
#define RHO_BITS 40
#define RHO_PLACES 150

/* The budget of one trial. */
typedef struct trial_budget {
    const scrim_plan *plan;
    const sc_division *division;
    const sc_ratio *epsilon;
    bool is_sketch;
    /* The share of people who are cut, of all statements together, is taken before anything else is divided: from rho
     * where numbers share one, else from epsilon. */
    sc_ratio cut;
    bool cuts_rho;
    sc_ratio rest; /* the epsilon of all parts but those counts of people who are cut */
    sc_ratio selection; /* the delta of each selection of keys, */
    sc_ratio other;     /* and of each other part that needs a delta */
    sc_ratio numbers;   /* the epsilon of all numbers that share a rho, */
    sc_ratio rho;       /* and that rho; 0: one number has (epsilon, delta) itself */
} trial_budget;

static void budget_init(trial_budget *p)
{
    sc_ratio_init(&p->cut);
    sc_ratio_init(&p->rest);
    sc_ratio_init(&p->selection);
    sc_ratio_init(&p->other);
    sc_ratio_init(&p->numbers);
    sc_ratio_init(&p->rho);
}

static void budget_clear(trial_budget *p)
{
    sc_ratio_clear(&p->rho);
    sc_ratio_clear(&p->numbers);
    sc_ratio_clear(&p->other);
    sc_ratio_clear(&p->selection);
    sc_ratio_clear(&p->rest);
    sc_ratio_clear(&p->cut);
}

/* Delta. */

static scrim_status refuse_bars(const trial_budget *p, const sc_slot *slot,
                                scrim_error *error)
{
    const sc_planned_statement *s = &p->plan->statements[slot->statement];
    size_t first = 0;
    while (s->statistics.uses[first].bars != slot->statistic)
        first++;
    if (p->plan->options.noise == SC_PLAN_STLAP)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                           "stlap needs a delta, e.g. 1e-7");
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                       "arithmetic on %s needs a delta, e.g. 1e-7",
                       s->query->aggregates[first].kind->name);
}

static scrim_status refuse_delta(const trial_budget *p, scrim_error *error)
{
    const sc_division *d = p->division;
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < d->count; i++) {
        if (d->slots[i].kind == SC_SLOT_RANGE)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                               "WITH RANGE needs a delta");
        if (d->slots[i].kind == SC_SLOT_BARS &&
            !sc_plan_bars_are_noisy(p->plan, &p->plan->statements[d->slots[i].statement]))
            return refuse_bars(p, &d->slots[i], error);
        if (d->slots[i].kind != SC_SLOT_KEYS)
            continue;
        const sc_query *query = p->plan->statements[d->slots[i].statement].query;
        for (size_t j = 0; j < query->key_count; j++)
            if (query->keys[j].column != NULL && !query->keys[j].column->has_keys &&
                query->keys[j].column->type != SC_COLUMN_BOOL)
                return sc_fail_for(
                    error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                    "GROUP BY %s has no public keys; showing its values needs a delta, "
                    "e.g. 1e-7 (or the owner lists the keys)",
                    sc_text_quote(query->keys[j].column->name, quote));
        for (size_t j = 0; j < query->key_count; j++)
            if (query->keys[j].column == NULL && query->keys[j].texts == NULL &&
                sc_typed_is_text(query->keys[j].value))
                return sc_fail_for(
                    error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                    "computed texts are not public keys; showing them needs a delta, "
                    "e.g. 1e-7 (or the owner lists the keys of their columns)");
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                           "GROUP BY has too many keys to show them all; selecting among "
                           "them needs a delta");
    }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                       "gaussian noise needs a delta");
}

static void divide_by(sc_ratio *x, size_t by)
{
    SC_OWN(sc_ratio, divisor);
    sc_ratio_set_int64(&divisor, (int64_t)by);
    sc_ratio_div(x, x, &divisor);
}

/* Selections get half of delta if other parts need delta too. */
static scrim_status share_delta(trial_budget *p, scrim_error *error)
{
    const sc_division *d = p->division;
    const sc_ratio *delta = &p->plan->options.delta;
    if (d->selections + d->takers == 0)
        return SCRIM_OK;
    if (sc_ratio_sign(delta) == 0)
        return refuse_delta(p, error);
    const size_t halves = d->selections > 0 && d->takers > 0 ? 2 : 1;
    sc_ratio_set(&p->selection, delta);
    sc_ratio_set(&p->other, delta);
    if (d->selections > 0)
        divide_by(&p->selection, halves * d->selections);
    if (d->takers > 0)
        divide_by(&p->other, halves * d->takers);
    return SCRIM_OK;
}

/* Rho. */

/* One number of one group is better off with (epsilon, delta) itself than with a rho, which
 * loses in the conversion. */
static bool is_one_number(const trial_budget *p)
{
    size_t numbers = 0;
    bool is_single = true;
    for (size_t i = 0; i < p->division->count; i++) {
        const sc_slot *slot = &p->division->slots[i];
        if (slot->kind != SC_SLOT_NUMBER)
            continue;
        const sc_planned_statement *s = &p->plan->statements[slot->statement];
        numbers += sc_statistic_numbers(&s->statistics, slot->statistic);
        is_single &= sc_plan_reach(s, p->plan->neighbours).groups == 1;
    }
    return numbers == 1 && is_single && sc_plan_levels(p->plan) == 1;
}

static bool find_rho(const sc_ratio *epsilon, const sc_ratio *delta, sc_ratio *out)
{
    SC_OWN(sc_ball, log_delta, rho);
    sc_ball_set_ratio(&log_delta, delta, BITS);
    sc_ball_log(&log_delta, &log_delta, BITS);
    bool found = sc_renyi_rho(epsilon, &log_delta, BITS, &rho) &&
                 sc_ball_round_down(&rho, RHO_PLACES, out) && sc_ratio_sign(out) > 0;
    if (found) {
        const long places = RHO_BITS - sc_ratio_exponent(out);
        found = places <= RHO_PLACES &&
                sc_ball_round_down(&rho, places < 0 ? 0 : (unsigned)places, out) &&
                sc_ratio_sign(out) > 0;
    }
    return found;
}

static bool set_rho(trial_budget *p)
{
    sc_ratio_mul(&p->numbers, &p->rest, &p->division->numbers);
    SC_BALL_SCOPE(scope);
    return find_rho(&p->numbers, &p->other, &p->rho);
}

/* Was a rho given? It holds for the epsilon of the plan, not for other epsilons that are tried. */
static bool has_given_rho(const trial_budget *p)
{
    const sc_plan_options *options = &p->plan->options;
    return sc_ratio_sign(&options->rho) > 0 &&
           sc_ratio_compare(p->epsilon, &options->epsilon) == 0;
}

static scrim_status take_given_rho(trial_budget *p, scrim_error *error)
{
    const sc_division *d = p->division;
    for (size_t i = 0; i < d->count; i++)
        if (d->slots[i].kind != SC_SLOT_NUMBER)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "rho",
                               "rho is for counts and sums of all rows or of public "
                               "groups; give epsilon and delta");
    sc_ratio_set(&p->numbers, p->epsilon);
    sc_ratio_set(&p->rho, &p->plan->options.rho);
    p->cuts_rho = true;
    return SCRIM_OK;
}

/* Reduces x by the share that the count of people who are cut takes. */
static void take_cut(sc_ratio *x, const sc_ratio *cut)
{
    SC_OWN(sc_ratio, rest);
    sc_ratio_set_int64(&rest, 1);
    sc_ratio_sub(&rest, &rest, cut);
    sc_ratio_mul(x, x, &rest);
}

static scrim_status share_rho(trial_budget *p, scrim_error *error)
{
    if (has_given_rho(p))
        return take_given_rho(p, error);
    p->cuts_rho = sc_ratio_sign(&p->division->numbers) > 0 && !is_one_number(p);
    if (!p->cuts_rho)
        take_cut(&p->rest, &p->cut);
    if (sc_ratio_sign(&p->division->numbers) == 0)
        return SCRIM_OK;
    if (!set_rho(p))
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "gaussian noise has no rho for this epsilon and delta; choose "
                           "larger ones");
    if (!p->cuts_rho)
        sc_ratio_set_int64(&p->rho, 0);
    return SCRIM_OK;
}

static void set_cut(trial_budget *p)
{
    SC_OWN(sc_ratio, share);
    sc_ratio_set(&p->rest, p->epsilon);
    for (size_t i = 0; i < p->plan->statement_count; i++) {
        sc_plan_cut_share(p->plan, i, &share);
        sc_ratio_add(&p->cut, &p->cut, &share);
    }
}

bool sc_trial_rho(const scrim_plan *plan, const sc_division *division,
                  const sc_ratio *epsilon, sc_ratio *out)
{
    trial_budget p = {.plan = plan, .division = division, .epsilon = epsilon};
    budget_init(&p);
    sc_ratio_set(&p.rest, epsilon);
    const bool found = share_delta(&p, NULL) == SCRIM_OK && set_rho(&p);
    if (found)
        sc_ratio_set(out, &p.rho);
    budget_clear(&p);
    return found;
}

/* Parts. */

static void keep(sc_trial *t, scrim_measurement *measurement)
{
    t->made[t->made_count++] = measurement;
}

static scrim_status make_selection(sc_trial *t, const trial_budget *p,
                                   const sc_slot *slot, sc_drawn_part *part,
                                   scrim_error *error)
{
    sc_trial_statement *s = &t->statements[slot->statement];
    scrim_measurement *made[SC_PLAN_CHOICES] = {NULL};
    SC_OWN(sc_ratio, epsilon);
    sc_ratio_mul(&epsilon, &p->rest, &slot->share);
    const sc_select_budget budget = {p->plan->neighbours, &epsilon, &p->selection};
    const scrim_status status =
        sc_plan_select(&p->plan->statements[slot->statement], &budget, s->choices,
                       &s->choice_count, made, error);
    for (size_t i = 0; i < SC_PLAN_CHOICES; i++)
        if (made[i] != NULL)
            keep(t, made[i]);
    for (size_t i = 0; status == SCRIM_OK && i < s->choice_count; i++)
        if (s->choices[i].is_chosen)
            part->measurement = s->choices[i].measurement;
    return status;
}

static scrim_status make_number(sc_trial *t, const trial_budget *p, const sc_slot *slot,
                                sc_drawn_part *part, scrim_error *error)
{
    const sc_planned_statement *s = &p->plan->statements[slot->statement];
    sc_grant grant = {.kind = SC_GRANT_LAPLACE, .delta = &p->other};
    scrim_measurement *made = NULL;
    SC_OWN(sc_ratio, epsilon, rho);
    sc_ratio_mul(&epsilon, &p->rest, &slot->share);
    grant.epsilon = &epsilon;
    if (slot->kind == SC_SLOT_QUANTILE) {
        const sc_reach reach = sc_plan_reach(s, p->plan->neighbours);
        grant.kind = SC_GRANT_QUANTILE;
        part->is_apart = true;
        part->copies = sc_sensitivity_rows(&reach).copies;
        divide_by(&epsilon, part->copies);
    } else if (slot->kind == SC_SLOT_BARS) {
        part->is_apart = true;
        if (!sc_plan_bars_are_noisy(p->plan, s))
            grant.kind = SC_GRANT_BARS;
        else
            divide_by(&epsilon, part->copies);
    } else if (slot->kind == SC_SLOT_RANGE) {
        grant.kind = SC_GRANT_RANGE;
    } else if (sc_ratio_sign(&p->rho) > 0) {
        grant.kind = SC_GRANT_RHO;
        sc_ratio_mul(&rho, &p->rho, &slot->share);
        take_cut(&rho, &p->cut);
        divide_by(&rho, part->copies);
        grant.rho = &rho;
    } else if (sc_ratio_sign(&p->numbers) > 0) {
        grant.kind = SC_GRANT_GAUSSIAN;
        grant.epsilon = &p->numbers;
    } else {
        divide_by(&epsilon, part->copies);
    }
    scrim_status status =
        sc_plan_measure(s, slot->statistic, p->plan->neighbours, &grant, &made, error);
    part->measurement = made;
    if (made != NULL)
        keep(t, made);
    if (status == SCRIM_OK && slot->kind == SC_SLOT_BARS)
        status = sc_plan_bars_width(s, slot->statistic, made, &p->plan->options.expect,
                                    &part->width, error);
    return status;
}

static scrim_status make_part(sc_trial *t, const trial_budget *p, const sc_slot *slot,
                              scrim_error *error)
{
    sc_drawn_part *part = &t->parts[t->part_count++];
    sc_trial_statement *s = &t->statements[slot->statement];
    *part =
        (sc_drawn_part){.statistic = slot->statistic, .copies = sc_plan_levels(p->plan)};
    sc_ratio_init(&part->share);
    sc_ratio_set(&part->share, &slot->share);
    if (slot->kind == SC_SLOT_NUMBER && p->division->is_gaussian)
        sc_ratio_mul(&part->share, &part->share, &p->division->numbers);
    if (!p->cuts_rho || slot->kind == SC_SLOT_NUMBER)
        take_cut(&part->share, &p->cut);
    if (s->part_count++ == 0)
        s->parts = part;
    if (slot->kind == SC_SLOT_KEYS && p->is_sketch &&
        !sc_plan_select_shows(&p->plan->statements[slot->statement])) {
        t->is_sketch = true;
        return SCRIM_OK;
    }
    const scrim_status status = slot->kind == SC_SLOT_KEYS
                                    ? make_selection(t, p, slot, part, error)
                                    : make_number(t, p, slot, part, error);
    size_t number;
    return status == SCRIM_OK
               ? sc_bundle_add(t->bundle, part->measurement, part->copies, &number, error)
               : status;
}

/* The count of people who are cut, of one statement. */
static scrim_status make_cut(sc_trial *t, const trial_budget *p, size_t statement,
                             scrim_error *error)
{
    const sc_planned_statement *s = &p->plan->statements[statement];
    sc_drawn_part *part = &t->statements[statement].cut_part;
    scrim_measurement *made = NULL;
    sc_grant grant = {.kind = p->cuts_rho ? SC_GRANT_RHO : SC_GRANT_LAPLACE};
    size_t number;
    if (!sc_plan_cut_is_counted(s))
        return SCRIM_OK;
    SC_OWN(sc_ratio, share, amount);
    sc_plan_cut_share(p->plan, statement, &share);
    sc_ratio_mul(&amount, p->cuts_rho ? &p->rho : p->epsilon, &share);
    grant.epsilon = grant.rho = &amount;
    SC_TRY(sc_plan_measure_cut(s, p->plan->neighbours, &grant, &made, error));
    keep(t, made);
    part->copies = 1;
    part->measurement = made;
    sc_ratio_set(&part->share, &share);
    if (p->cuts_rho)
        sc_ratio_mul(&part->share, &part->share, &p->division->numbers);
    return sc_bundle_add(t->bundle, made, 1, &number, error);
}

/* The parts of each statement, and then its count of people who are cut. */
static scrim_status make_parts(sc_trial *t, const trial_budget *p, scrim_error *error)
{
    const sc_division *d = p->division;
    size_t slot = 0;
    for (size_t i = 0; i < t->statement_count; i++) {
        for (; slot < d->count && d->slots[slot].statement == i; slot++)
            SC_TRY(make_part(t, p, &d->slots[slot], error));
        SC_TRY(make_cut(t, p, i, error));
    }
    return SCRIM_OK;
}

static scrim_status allocate(sc_trial *t, const scrim_plan *plan, size_t parts,
                             scrim_error *error)
{
    const size_t count = plan->statement_count;
    t->statement_count = count;
    t->statements = sc_arena_allocate(&t->arena, count, sizeof *t->statements);
    t->parts = sc_arena_allocate(&t->arena, parts, sizeof *t->parts);
    /* Room for one of each part, and for each statement all ways to choose keys, the units that
     * may be drawn besides, and the count of people who are cut. */
    t->made = sc_arena_allocate(&t->arena, parts + (SC_PLAN_CHOICES + 2) * count,
                                sizeof(scrim_measurement *));
    sc_key_choice *choices =
        sc_arena_allocate(&t->arena, SC_PLAN_CHOICES * count, sizeof(sc_key_choice));
    if (t->statements == NULL || t->parts == NULL || t->made == NULL || choices == NULL)
        return sc_no_memory(error, "a plan");
    for (size_t i = 0; i < count; i++) {
        t->statements[i].choices = choices + SC_PLAN_CHOICES * i;
        t->statements[i].cut_part = (sc_drawn_part){.statistic = SC_STATISTIC_NONE};
        sc_ratio_init(&t->statements[i].cut_part.share);
    }
    return sc_bundle_new(plan->neighbours, &t->bundle, error);
}

/* Parts priced in rho are charged the epsilon that rho was chosen for. */
static scrim_status fix(const sc_trial *t, const trial_budget *p, scrim_error *error)
{
    return sc_ratio_sign(&p->rho) > 0
               ? sc_bundle_fix_at(t->bundle, &p->numbers, &p->other, error)
               : sc_bundle_fix(t->bundle, &p->rho, error);
}

scrim_status sc_trial_new(const scrim_plan *plan, const sc_division *division,
                          const sc_ratio *epsilon, bool is_sketch, sc_trial **out,
                          scrim_error *error)
{
    trial_budget p = {
        .plan = plan, .division = division, .epsilon = epsilon, .is_sketch = is_sketch};
    sc_trial *t = sc_allocate(1, sizeof *t);
    if (t == NULL)
        return sc_no_memory(error, "a plan");
    sc_arena_init(&t->arena);
    budget_init(&p);
    set_cut(&p);
    scrim_status status = share_delta(&p, error);
    if (status == SCRIM_OK)
        status = share_rho(&p, error);
    if (status == SCRIM_OK)
        status = allocate(t, plan, division->count, error);
    if (status == SCRIM_OK)
        status = make_parts(t, &p, error);
    if (status == SCRIM_OK)
        status = fix(t, &p, error);
    budget_clear(&p);
    if (status == SCRIM_OK)
        *out = t;
    else
        sc_trial_free(t);
    return status;
}

/* Moves a measurement from the trial that owns it to this one. */
static const scrim_measurement *adopt(sc_trial *t, sc_trial *from,
                                      const scrim_measurement *measurement)
{
    for (size_t i = 0; i < from->made_count; i++)
        if (from->made[i] != NULL && from->made[i] == measurement) {
            keep(t, from->made[i]);
            from->made[i] = NULL;
        }
    return measurement;
}

void sc_trial_list(sc_trial *t, size_t statement, sc_trial *from,
                   const sc_key_choice *choice, const scrim_measurement *units)
{
    sc_trial_statement *s = &t->statements[statement];
    sc_key_choice *listed = &s->choices[s->choice_count++];
    *listed = *choice;
    listed->is_chosen = false;
    listed->reason = "";
    listed->measurement = adopt(t, from, choice->measurement);
    listed->units = units == NULL ? NULL : adopt(t, from, units);
}

void sc_trial_free(sc_trial *t)
{
    if (t == NULL)
        return;
    sc_bundle_free(t->bundle);
    for (size_t i = 0; i < t->part_count; i++)
        sc_ratio_clear(&t->parts[i].share);
    for (size_t i = 0; t->statements != NULL && i < t->statement_count; i++)
        sc_ratio_clear(&t->statements[i].cut_part.share);
    for (size_t i = 0; i < t->made_count; i++)
        scrim_measurement_free(t->made[i]);
    sc_arena_clear(&t->arena);
    sc_free(t);
}
