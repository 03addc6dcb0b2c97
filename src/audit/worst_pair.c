#include "audit/worst_pair.h"

#include "audit/divergence.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

#define SHELVES 64
/* Outcomes that may be kept besides the two laws in use. */
#define OUTCOMES_KEPT ((size_t)1 << 16)

typedef struct shelf {
    int64_t values[SC_PAIR_VALUES];
    size_t count;
    long bits; /* 0: empty */
    uint64_t used_at;
    sc_outcomes law;
} shelf;

struct sc_law_cache {
    const scrim_measurement *measurement;
    uint64_t clock, most;
    size_t kept; /* outcomes on all shelves */
    shelf shelves[SHELVES];
};

scrim_status sc_law_cache_new(const scrim_measurement *measurement, sc_law_cache **out,
                              scrim_error *error)
{
    sc_law_cache *cache = sc_allocate(1, sizeof *cache);
    if (cache == NULL)
        return sc_no_memory(error, "an audit");
    cache->measurement = measurement;
    *out = cache;
    return SCRIM_OK;
}

static void empty(sc_law_cache *cache, shelf *place)
{
    if (place->bits == 0)
        return;
    cache->kept -= place->law.count;
    sc_outcomes_clear(&place->law);
    place->bits = 0;
}

void sc_law_cache_free(sc_law_cache *cache)
{
    if (cache == NULL)
        return;
    for (size_t i = 0; i < SHELVES; i++)
        empty(cache, &cache->shelves[i]);
    sc_free(cache);
}

static shelf *find(sc_law_cache *cache, const sc_private_input *input, long bits)
{
    for (size_t i = 0; i < SHELVES; i++) {
        shelf *place = &cache->shelves[i];
        if (place->bits == bits && place->count == input->count &&
            (input->count == 0 || memcmp(place->values, input->values,
                                         input->count * sizeof *input->values) == 0))
            return place;
    }
    return NULL;
}

/* The shelf to fill next: an empty one, or the one that was used the longest time ago. */
static shelf *oldest(sc_law_cache *cache)
{
    shelf *best = &cache->shelves[0];
    for (size_t i = 1; best->bits != 0 && i < SHELVES; i++) {
        shelf *place = &cache->shelves[i];
        if (place->bits == 0 || place->used_at < best->used_at)
            best = place;
    }
    return best;
}

/* Keeps the law of the last call; older ones go, oldest first, while there are too many
 * outcomes. */
static void make_room(sc_law_cache *cache)
{
    while (cache->kept > OUTCOMES_KEPT) {
        shelf *best = NULL;
        for (size_t i = 0; i < SHELVES; i++) {
            shelf *place = &cache->shelves[i];
            if (place->bits != 0 && place->used_at != cache->clock &&
                (best == NULL || place->used_at < best->used_at))
                best = place;
        }
        if (best == NULL)
            return;
        empty(cache, best);
    }
}

/* The listed mass cannot exceed 1, and together with the rest it cannot be less than 1. */
static scrim_status check_total(const sc_law_cache *cache, const sc_outcomes *law,
                                long bits, scrim_error *error)
{
    SC_OWN(sc_ball, one, total, listed);
    sc_ball_set_int64(&one, 1);
    sc_outcomes_total(law, bits, &total);
    sc_ball_sub(&listed, &total, &law->rest, bits);
    const bool is_law = !sc_ball_is_less(&total, &one) && !sc_ball_is_less(&one, &listed);
    if (is_law)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_INTERNAL,
                   "the probabilities of an answer of '%s' do not sum to 1",
                   cache->measurement->mechanism->entry.name);
}

static scrim_status compute_law(const sc_law_cache *cache, const sc_private_input *input,
                                long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_mechanism *mechanism = cache->measurement->mechanism;
    sc_outcomes_init(out, mechanism->width(cache->measurement, input->count));
    scrim_status status = mechanism->law(cache->measurement, input, bits, out, error);
    if (status == SCRIM_OK)
        status = sc_outcomes_sort(out, bits, error);
    if (status == SCRIM_OK)
        status = check_total(cache, out, bits, error);
    if (status != SCRIM_OK)
        sc_outcomes_clear(out);
    return status;
}

scrim_status sc_law_cache_get(sc_law_cache *cache, const sc_private_input *input,
                              long bits, const sc_outcomes **out, scrim_error *error)
{
    shelf *place = find(cache, input, bits);
    if (place == NULL) {
        sc_outcomes law;
        scrim_status status = compute_law(cache, input, bits, &law, error);
        if (status != SCRIM_OK)
            return status;
        make_room(cache);
        place = oldest(cache);
        empty(cache, place);
        place->law = law;
        place->bits = bits;
        place->count = input->count;
        if (input->count > 0)
            memcpy(place->values, input->values, input->count * sizeof *input->values);
        cache->kept += law.count;
        cache->most = law.count > cache->most ? law.count : cache->most;
    }
    place->used_at = ++cache->clock;
    *out = &place->law;
    return SCRIM_OK;
}

uint64_t sc_law_cache_outcomes(const sc_law_cache *cache)
{
    return cache->most;
}

/* A shape: how many values there are, where they lie, and which way they go. */
typedef struct shape {
    size_t count;
    bool is_half;  /* x lies on the border, not below it */
    bool is_split; /* the second value goes down */
} shape;

static const shape shapes[] = {
    {.count = 1},
    {.count = 1, .is_half = true}, /* where half up and half to even differ */
    {.count = 2},
    {.count = 2, .is_split = true},
};
_Static_assert(sizeof shapes / sizeof *shapes == SC_OFF_GRID_SHAPES,
               "the header says how many there are");

/* Sets how far each of `count` values may move between neighbours. */
static void set_move(const sc_change *change, size_t count, sc_ratio *out)
{
    SC_OWN(sc_ratio, part);
    sc_ratio_set(out, &change->amount);
    sc_ratio_set_int64(&part, change->kind == SC_CHANGE_SUM ? (int64_t)count : 10);
    if (change->kind == SC_CHANGE_SUM || (change->kind == SC_CHANGE_LENGTH && count > 1))
        sc_ratio_div(out, out, &part);
    sc_ratio_set_int64(&part, 7); /* two values of 0.7 have a length of 0.99 */
    if (change->kind == SC_CHANGE_LENGTH && count > 1)
        sc_ratio_mul(out, out, &part);
    if (change->most > 0 && sc_ratio_compare_int64(out, change->most) > 0)
        sc_ratio_set_int64(out, change->most);
}

static bool has_shape(const scrim_measurement *m, const sc_change *change, const shape *s)
{
    if (s->count < m->domain.count_min || s->count > m->domain.count_max ||
        !sc_domain_takes(&m->domain, SC_GIVEN_TEXTS, s->count) || m->domain.is_whole)
        return false;
    if (change->few > 0 && s->count > change->few)
        return false;
    return !s->is_split || (change->kind == SC_CHANGE_EACH && !change->is_monotone);
}

/* x is the border above the place 0, or the lowest one, and a little below it; y lies the move
 * above. Downwards, x is the border itself and y lies below. */
static void set_value(const scrim_measurement *m, const sc_ratio *move, bool is_half,
                      bool is_down, sc_ratio *x, sc_ratio *y)
{
    const sc_grid *grid = &m->domain.grid;
    const int64_t at = grid->low > 0 || grid->high <= 0 ? grid->low : 0;
    SC_OWN(sc_ratio, step, part);
    sc_grid_step(grid, &step);
    sc_ratio_set_int64(&part, 2 * at + 1);
    sc_ratio_mul(x, &step, &part);
    sc_ratio_set_int64(&part, 2);
    sc_ratio_div(x, x, &part);
    if (!is_half && !is_down) {
        sc_ratio_set_int64(&part, 1000);
        sc_ratio_div(&part, sc_ratio_compare(move, &step) < 0 ? move : &step, &part);
        sc_ratio_sub(x, x, &part);
    }
    if (is_down)
        sc_ratio_sub(y, x, move);
    else
        sc_ratio_add(y, x, move);
}

size_t sc_off_grid_values(const scrim_measurement *m, size_t index, sc_ratio *x,
                          sc_ratio *y)
{
    const shape *s = &shapes[index];
    sc_change change = {.kind = SC_CHANGE_EACH};
    size_t count = 0;
    if (m->mechanism->change == NULL)
        return 0;
    sc_ratio_init(&change.amount);
    SC_OWN(sc_ratio, move);
    m->mechanism->change(m, &change);
    if (has_shape(m, &change, s)) {
        count = s->count;
        set_move(&change, count, &move);
        for (size_t i = 0; i < count; i++)
            set_value(m, &move, s->is_half, s->is_split && i > 0, &x[i], &y[i]);
    }
    sc_ratio_clear(&change.amount);
    return count;
}

/* A pair as the gate would hand it to the mechanism. */
static bool place(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_ratio x[SC_OFF_GRID_VALUES], y[SC_OFF_GRID_VALUES];
    for (size_t i = 0; i < SC_OFF_GRID_VALUES; i++) {
        sc_ratio_init(&x[i]);
        sc_ratio_init(&y[i]);
    }
    const size_t count = sc_off_grid_values(m, index, x, y);
    for (size_t i = 0; i < count; i++) {
        out->x[i] = sc_domain_place(&m->domain, &x[i]);
        out->y[i] = sc_domain_place(&m->domain, &y[i]);
    }
    out->x_count = out->y_count = count;
    for (size_t i = 0; i < SC_OFF_GRID_VALUES; i++) {
        sc_ratio_clear(&x[i]);
        sc_ratio_clear(&y[i]);
    }
    return count > 0;
}

/* Values move alike in both, one way or the other. */
static bool moves_alike(const sc_pair *a, const sc_pair *b)
{
    bool is_same = a->x_count == b->x_count && b->x_count == b->y_count;
    bool is_opposite = is_same;
    for (size_t i = 0; is_same && i < a->x_count; i++)
        is_same = a->y[i] - a->x[i] == b->y[i] - b->x[i];
    for (size_t i = 0; is_opposite && i < a->x_count; i++)
        is_opposite = a->y[i] - a->x[i] == b->x[i] - b->y[i];
    return is_same || is_opposite;
}

static bool is_in_family(const scrim_measurement *m, const sc_pair *pair)
{
    const size_t count = m->mechanism->pair_count(m);
    for (size_t i = 0; i < count; i++) {
        sc_pair known = {.x_count = 0};
        m->mechanism->pair(m, i, &known);
        if (moves_alike(pair, &known))
            return true;
    }
    return false;
}

static bool is_equal(const sc_pair *pair)
{
    return memcmp(pair->x, pair->y, pair->x_count * sizeof *pair->x) == 0;
}

/* The pair at an index among those that there are, or their number. */
static size_t visit(const scrim_measurement *m, size_t index, sc_pair *out)
{
    size_t count = 0;
    for (size_t i = 0; i < SC_OFF_GRID_SHAPES; i++) {
        sc_pair pair = {.x_count = 0};
        if (!place(m, i, &pair) || is_equal(&pair) || is_in_family(m, &pair))
            continue;
        if (count++ == index) {
            *out = pair;
            return count;
        }
    }
    return count;
}

size_t sc_off_grid_count(const scrim_measurement *m)
{
    sc_pair none;
    return visit(m, SIZE_MAX, &none);
}

void sc_off_grid_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)visit(m, index, out);
}

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

/* The claim. */

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
