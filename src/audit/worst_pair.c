#include "audit/worst_pair.h"

#include "audit/divergence.h"
#include "audit/law_cache.h"
#include "audit/off_grid.h"
#include "base/memory.h"

#include <math.h>

#define RUN_MOST 8 /* equal numbers that are written out */

static void put_number(sc_text_sink *sink, int64_t value)
{
    char digits[SC_INT128_BYTES];
    sc_int128_format(value, digits);
    sc_text_put(sink, sc_text_of(digits));
}

static size_t run_length(const int64_t *values, size_t count)
{
    size_t length = 1;
    while (length < count && values[length] == values[0])
        length++;
    return length;
}

static void put_values(sc_text_sink *sink, const char *name, const int64_t *values,
                       size_t count)
{
    sc_text_put(sink, sc_text_of(name));
    if (count == 0)
        sc_text_put(sink, sc_text_of(" (empty)"));
    for (size_t i = 0; i < count;) {
        const size_t length = run_length(values + i, count - i);
        sc_text_put(sink, sc_text_of(" "));
        put_number(sink, values[i]);
        i += length > RUN_MOST ? length : 1;
        if (length > RUN_MOST) {
            sc_text_put(sink, sc_text_of(" ("));
            put_number(sink, (int64_t)length);
            sc_text_put(sink, sc_text_of(" times)"));
        }
    }
}

void sc_pair_put(sc_text_sink *sink, const sc_pair *pair, sc_direction direction)
{
    const bool is_back = direction == SC_BACK;
    put_values(sink, "x:", is_back ? pair->y : pair->x,
               is_back ? pair->y_count : pair->x_count);
    put_values(sink, " | y:", is_back ? pair->x : pair->y,
               is_back ? pair->x_count : pair->y_count);
}

void sc_check_init(sc_check *check, sc_check_kind kind, const sc_ratio *argument)
{
    *check = (sc_check){.kind = kind};
    sc_ratio_init(&check->argument);
    sc_ratio_init(&check->claimed);
    if (argument != NULL)
        sc_ratio_set(&check->argument, argument);
    sc_bounds_init(&check->most);
}

void sc_check_clear(sc_check *check)
{
    sc_ratio_clear(&check->argument);
    sc_ratio_clear(&check->claimed);
    sc_bounds_clear(&check->most);
}

bool sc_check_is_tight(const sc_check *check)
{
    return check->verdict == SCRIM_AUDIT_HOLDS && check->claimed_upper > 0x1p-40 &&
           sc_bounds_lower(&check->most) >= 0.99 * check->claimed_upper;
}

/* What is claimed. */

/* The Renyi divergence that the curve and rho allow: the smaller one. */
static void renyi_claim(const scrim_measurement *m, const sc_check *check, long bits,
                        sc_ball *out)
{
    if (sc_ratio_compare_int64(&check->argument, 1) > 0)
        sc_curve_renyi_upper(&m->cost.curve, &check->argument, bits, out);
    else
        sc_ball_set_infinite(
            out); /* curves begin above 1; rho, by continuity, holds at 1 */
    if (!m->cost.has_rho)
        return;
    SC_OWN(sc_ratio, line);
    SC_OWN(sc_ball, by_rho);
    sc_ratio_mul(&line, &m->cost.rho, &check->argument);
    sc_ball_set_ratio(&by_rho, &line, bits);
    sc_ball_take_smaller(out, &by_rho);
}

void sc_check_claim(const scrim_measurement *m, const sc_check *check, long bits,
                    sc_ball *out)
{
    if (check->is_charged)
        sc_ball_set_ratio(out, &check->claimed, bits);
    else if (check->kind == SC_CHECK_DELTA)
        sc_curve_delta_upper(&m->cost.curve, &check->argument, bits, out);
    else if (check->kind == SC_CHECK_RENYI)
        renyi_claim(m, check, bits, out);
    else
        sc_ball_set_infinite(out);
    sc_ball_set_upper(out, out, bits); /* a claim is the upper end of what is computed */
}

/* The claim with what two enclosures of one number may differ by. */
static void allow(sc_check_kind kind, const sc_ball *claim, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_ball_mul_power2(&part, claim, SCRIM_AUDIT_RELATIVE_LOG2);
    sc_ball_add(out, claim, &part, bits);
    if (kind == SC_CHECK_DELTA) {
        sc_ball_set_int64(&part, 1);
        sc_ball_mul_power2(&part, &part, SCRIM_AUDIT_ABSOLUTE_LOG2);
        sc_ball_add(out, out, &part, bits);
    }
}

/* The claims at one precision: claimed[i] and, with the tolerance, allowed[i]. */
typedef struct level {
    sc_ball *claimed, *allowed;
} level;

/* One number of one pair in one direction. */
typedef struct answer {
    sc_enclosure found;
    sc_ball unlisted;
    double claimed_upper;
    scrim_audit_verdict verdict;
    bool is_open; /* more bits may decide it */
} answer;

typedef struct search {
    const scrim_measurement *m;
    sc_search *asked;
    sc_law_cache *laws;
    level levels[SC_AUDIT_LEVELS];
    answer *answers; /* of the pair at hand: two for each check, forth and back */
    sc_ball absolute;
} search;

static long bits_of(size_t level_index)
{
    return (long)SC_AUDIT_BITS << level_index;
}

static scrim_status make_level(search *s, size_t index, scrim_error *error)
{
    level *l = &s->levels[index];
    if (l->claimed != NULL)
        return SCRIM_OK;
    l->claimed = sc_balls_new(s->asked->count);
    l->allowed = sc_balls_new(s->asked->count);
    if (l->claimed == NULL || l->allowed == NULL)
        return sc_no_memory(error, "an audit");
    for (size_t i = 0; i < s->asked->count; i++) {
        const sc_check *check = &s->asked->checks[i];
        sc_check_claim(s->m, check, bits_of(index), &l->claimed[i]);
        allow(check->kind, &l->claimed[i], bits_of(index), &l->allowed[i]);
    }
    return SCRIM_OK;
}

/* One pair, with as many bits as it takes. */

static scrim_status compare(search *s, const sc_pair *pair, long bits,
                            sc_comparison **out, scrim_error *error)
{
    const sc_outcomes *p = NULL, *q = NULL;
    const sc_private_input x = {.values = pair->x, .count = pair->x_count},
                           y = {.values = pair->y, .count = pair->y_count};
    SC_TRY(sc_law_cache_get(s->laws, &x, bits, &p, error));
    SC_TRY(sc_law_cache_get(s->laws, &y, bits, &q, error));
    return sc_comparison_new(p, q, bits, out, error);
}

static void compute(const sc_check *check, const sc_comparison *c, sc_direction direction,
                    answer *out)
{
    sc_ball_set_int64(&out->unlisted, 0);
    if (check->kind == SC_CHECK_DELTA)
        sc_divergence_hockey_stick(c, direction, &check->argument, &out->found);
    else if (check->kind == SC_CHECK_RENYI)
        sc_divergence_renyi(c, direction, &check->argument, &out->found);
    else
        sc_divergence_loss(c, direction, &out->found, &out->unlisted);
}

static scrim_audit_verdict judge(const search *s, const level *l, size_t index,
                                 const answer *a)
{
    if (!sc_ball_is_finite(&l->claimed[index]))
        return SCRIM_AUDIT_WATCHED;
    if (sc_bounds_is_above(&a->found, &l->claimed[index]))
        return SCRIM_AUDIT_VIOLATED;
    /* No precision ends the tail of a law: its Renyi divergence stays without bound. */
    if (s->asked->checks[index].kind == SC_CHECK_RENYI && !a->found.is_bounded)
        return SCRIM_AUDIT_WATCHED;
    return sc_bounds_is_at_most(&a->found, &l->allowed[index]) &&
                   sc_ball_is_less_equal(&a->unlisted, &s->absolute)
               ? SCRIM_AUDIT_HOLDS
               : SCRIM_AUDIT_UNDECIDED;
}

/* Answers what is open; true when something still is. */
static bool answer_open(search *s, const sc_comparison *c, const level *l)
{
    bool is_open = false;
    for (size_t i = 0; i < 2 * s->asked->count; i++) {
        const sc_check *check = &s->asked->checks[i / 2];
        answer *a = &s->answers[i];
        if (!a->is_open)
            continue;
        compute(check, c, i % 2 ? SC_BACK : SC_FORTH, a);
        a->verdict = judge(s, l, i / 2, a);
        a->claimed_upper = sc_ball_is_finite(&l->claimed[i / 2])
                               ? sc_ball_upper(&l->claimed[i / 2])
                               : HUGE_VAL;
        a->is_open = a->verdict == SCRIM_AUDIT_UNDECIDED;
        is_open = is_open || a->is_open;
    }
    return is_open;
}

static scrim_status answer_pair(search *s, const sc_pair *pair, scrim_error *error)
{
    bool is_open = true;
    for (size_t i = 0; i < 2 * s->asked->count; i++)
        s->answers[i].is_open = true;
    for (size_t i = 0; is_open && i < SC_AUDIT_LEVELS; i++) {
        sc_comparison *c = NULL;
        scrim_error refused;
        scrim_status status = make_level(s, i, error);
        if (status != SCRIM_OK)
            return status;
        status = compare(s, pair, bits_of(i), &c, &refused);
        if (status == SCRIM_E_LIMIT && i > 0)
            return SCRIM_OK; /* a longer list is not to be had: what is open stays open */
        if (status != SCRIM_OK)
            return sc_fail_again(error, status, &refused, "%s", refused.message);
        is_open = answer_open(s, c, &s->levels[i]);
        sc_comparison_free(c);
    }
    return SCRIM_OK;
}

/* All pairs. */

void sc_search_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const size_t family = m->mechanism->pair_count(m);
    if (index < family)
        m->mechanism->pair(m, index, out);
    else
        sc_off_grid_pair(m, index - family, out);
}

static bool is_worse(const sc_enclosure *found, const sc_enclosure *most)
{
    if (found->is_infinite || most->is_infinite)
        return found->is_infinite && !most->is_infinite;
    return sc_ball_lower(&found->lower) > sc_ball_lower(&most->lower);
}

static scrim_audit_verdict worse_verdict(scrim_audit_verdict a, scrim_audit_verdict b)
{
    static const scrim_audit_verdict worst_first[] = {
        SCRIM_AUDIT_VIOLATED, SCRIM_AUDIT_UNDECIDED, SCRIM_AUDIT_WATCHED};
    for (size_t i = 0; i < sizeof worst_first / sizeof *worst_first; i++)
        if (a == worst_first[i] || b == worst_first[i])
            return worst_first[i];
    return SCRIM_AUDIT_HOLDS;
}

static void keep(sc_check *check, const answer *a, size_t pair, sc_direction direction)
{
    if (check->verdict == SCRIM_AUDIT_UNSET || is_worse(&a->found, &check->most)) {
        sc_bounds_set(&check->most, &a->found);
        check->pair = pair;
        check->direction = direction;
    }
    check->verdict = worse_verdict(check->verdict, a->verdict);
    check->upper = fmax(check->upper, sc_bounds_upper(&a->found));
    check->unlisted_upper = fmax(check->unlisted_upper, sc_ball_upper(&a->unlisted));
    check->claimed_upper = a->claimed_upper;
}

static scrim_status run(search *s, scrim_error *error)
{
    const size_t family = s->m->mechanism->pair_count(s->m);
    for (uint64_t i = 0; i < s->asked->pairs; i++) {
        sc_pair pair = {.x_count = 0};
        scrim_error refused;
        sc_search_pair(s->m, (size_t)i, &pair);
        scrim_status status = answer_pair(s, &pair, &refused);
        /* The family is what is declared to be looked at; what is beside it is where it can be. */
        if (i >= family && (status == SCRIM_E_LIMIT || status == SCRIM_E_PARAM))
            continue;
        if (status != SCRIM_OK)
            return sc_fail_again(error, status, &refused, "%s", refused.message);
        for (size_t k = 0; k < 2 * s->asked->count; k++)
            keep(&s->asked->checks[k / 2], &s->answers[k], (size_t)i,
                 k % 2 ? SC_BACK : SC_FORTH);
        if (s->asked->progress != NULL)
            s->asked->progress(s->asked->context, i + 1, s->asked->pairs);
    }
    return SCRIM_OK;
}

static scrim_status search_init(search *s, scrim_error *error)
{
    sc_ball_init(&s->absolute);
    sc_ball_set_int64(&s->absolute, 1);
    sc_ball_mul_power2(&s->absolute, &s->absolute, SCRIM_AUDIT_ABSOLUTE_LOG2);
    s->answers = sc_allocate(2 * s->asked->count, sizeof *s->answers);
    if (s->answers == NULL)
        return sc_no_memory(error, "an audit");
    for (size_t i = 0; i < 2 * s->asked->count; i++) {
        sc_bounds_init(&s->answers[i].found);
        sc_ball_init(&s->answers[i].unlisted);
    }
    return sc_law_cache_new(s->m, &s->laws, error);
}

static void search_clear(search *s)
{
    for (size_t i = 0; s->answers != NULL && i < 2 * s->asked->count; i++) {
        sc_bounds_clear(&s->answers[i].found);
        sc_ball_clear(&s->answers[i].unlisted);
    }
    sc_free(s->answers);
    for (size_t i = 0; i < SC_AUDIT_LEVELS; i++) {
        sc_balls_free(s->levels[i].claimed, s->asked->count);
        sc_balls_free(s->levels[i].allowed, s->asked->count);
    }
    sc_law_cache_free(s->laws);
    sc_ball_clear(&s->absolute);
}

scrim_status sc_search_run(const scrim_measurement *measurement, sc_search *asked,
                           scrim_error *error)
{
    const sc_mechanism *mechanism = measurement->mechanism;
    if (mechanism->law == NULL && mechanism->wraps)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
            "the answers of '%s' have no exact distribution to add noise to; audit "
            "'%s' alone, whose cost the noise does not change",
            measurement->then->mechanism->entry.name,
            measurement->then->mechanism->entry.name);
    if (mechanism->law == NULL || mechanism->pair_count == NULL)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
            "'%s' has no exact distribution on neighbouring inputs; sample it instead",
            mechanism->entry.name);
    if (mechanism->pair_count(measurement) == 0)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "'%s': the worst neighbouring inputs have too many outcomes to "
                       "list; choose smaller parameters",
                       mechanism->entry.name);
    search s = {.m = measurement, .asked = asked};
    asked->pairs = mechanism->pair_count(measurement) + sc_off_grid_count(measurement);
    scrim_status status = search_init(&s, error);
    if (status == SCRIM_OK)
        status = run(&s, error);
    if (status == SCRIM_OK)
        asked->outcomes = sc_law_cache_outcomes(s.laws);
    search_clear(&s);
    return status;
}
