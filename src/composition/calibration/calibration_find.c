#include "composition/calibration/calibration_find.h"

#include "base/work_limit.h"

#include <math.h>
#include <string.h>

#define LEAST 100000 /* of six digits */
#define PLACES 5     /* behind the first digit */

/* 10^exponent */
static void power_of_ten(int64_t exponent, sc_ratio *out)
{
    int64_t times = exponent < 0 ? -exponent : exponent;
    SC_OWN(sc_ratio, ten);
    sc_ratio_set_int64(&ten, 10);
    sc_ratio_set_int64(out, 1);
    for (int64_t i = 0; i < times; i++)
        if (exponent < 0)
            sc_ratio_div(out, out, &ten);
        else
            sc_ratio_mul(out, out, &ten);
}

/* e with 10^e <= x < 10^(e+1), between -SC_PLACE_FAR and SC_PLACE_FAR - 1. */
static int64_t decade_of(const sc_ratio *x)
{
    int64_t low = -SC_PLACE_FAR, high = SC_PLACE_FAR;
    SC_OWN(sc_ratio, power);
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        power_of_ten(middle, &power);
        if (sc_ratio_compare(x, &power) >= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t sc_place_floor(const sc_ratio *x)
{
    int64_t decade = decade_of(x);
    sc_int128 digits = 0;
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, whole);
    power_of_ten(PLACES - decade, &scaled);
    sc_ratio_mul(&scaled, &scaled, x);
    sc_ratio_floor(&scaled, &whole);
    if (!sc_integer_get_int128(&whole, &digits) || digits > 10 * LEAST - 1)
        digits = 10 * LEAST - 1;
    if (digits < LEAST)
        digits = LEAST;
    return SC_PLACE_DECADE * decade + (int64_t)(digits - LEAST);
}

int64_t sc_place_ceil(const sc_ratio *x)
{
    int64_t place = sc_place_floor(x);
    SC_OWN(sc_ratio, value);
    sc_place_value(place, &value);
    if (sc_ratio_compare(&value, x) < 0)
        place++;
    return place;
}

void sc_place_value(int64_t place, sc_ratio *out)
{
    int64_t rest = place % SC_PLACE_DECADE;
    if (rest < 0)
        rest += SC_PLACE_DECADE;
    int64_t decade = (place - rest) / SC_PLACE_DECADE;
    SC_OWN(sc_ratio, digits);
    sc_ratio_set_int64(&digits, rest + LEAST);
    power_of_ten(decade - PLACES, out);
    sc_ratio_mul(out, out, &digits);
}

/* The doubles here choose where to ask next; nothing is decided by them. */

typedef struct answer {
    int64_t place;
    bool holds;
    double miss;
} answer;

static scrim_status ask(const sc_place_question *question, int64_t place, answer *out,
                        scrim_error *error)
{
    out->place = place;
    out->holds = false;
    out->miss = HUGE_VAL;
    return question->answer(question->context, place, &out->holds, &out->miss, error);
}

static int64_t between(int64_t place, int64_t first, int64_t last)
{
    return place < first ? first : place > last ? last : place;
}

/* From the first answer on in growing steps, up from a no and down from a yes, until the answer is
 * another or the places end. */
static scrim_status bracket(const sc_place_question *question,
                            const sc_place_range *range, answer *no, bool *has_no,
                            answer *yes, bool *has_yes, scrim_error *error)
{
    answer next;
    int64_t step = range->step;
    scrim_status status =
        ask(question, between(range->start, range->first, range->last), &next, error);
    *has_no = *has_yes = false;
    while (status == SCRIM_OK) {
        if (next.holds)
            *yes = next, *has_yes = true;
        else
            *no = next, *has_no = true;
        if ((*has_no && *has_yes) ||
            next.place == (next.holds ? range->first : range->last))
            break;
        /* No step is so large that it could overflow: range and step are of 2^62 at most. */
        int64_t place = next.holds ? next.place - step : next.place + step;
        status = ask(question, between(place, range->first, range->last), &next, error);
        if (step < INT64_C(1) << 40)
            step *= 2;
    }
    return status;
}

/* Where a straight line between the two misses crosses 0, strictly between them; the middle where
 * there is no such line. */
static int64_t crossing(const answer *no, const answer *yes)
{
    int64_t middle = no->place + (yes->place - no->place) / 2;
    double extent = no->miss - yes->miss;
    if (!isfinite(no->miss) || !isfinite(yes->miss) || !(extent > 0))
        return middle;
    double part = no->miss / extent * (double)(yes->place - no->place);
    int64_t place = no->place + (int64_t)part;
    return between(place, no->place + 1, yes->place - 1);
}

scrim_status sc_place_search(const sc_place_question *question,
                             const sc_place_range *range, sc_place_found *out,
                             scrim_error *error)
{
    answer no = {0}, yes = {0}, next = {0};
    bool has_no, has_yes;
    scrim_status status = bracket(question, range, &no, &has_no, &yes, &has_yes, error);
    if (status != SCRIM_OK)
        return status;
    int64_t slack = 1; /* beside the crossing: so that both ends come near */
    for (int turn = 0; has_no && has_yes && yes.place - no.place > 1; turn++) {
        int64_t extent = yes.place - no.place;
        int64_t place = crossing(&no, &yes);
        if (turn % 4 == 3)
            place = no.place + extent / 2;
        else if (turn > 0)
            place = between(place + (next.holds ? -slack : slack), no.place + 1,
                            yes.place - 1);
        status = ask(question, place, &next, error);
        if (status != SCRIM_OK)
            return status;
        if (next.holds)
            yes = next;
        else
            no = next;
        slack = slack < extent / 8 ? slack * 2 : 1;
    }
    *out = (sc_place_found){has_yes, has_yes ? yes.place : 0, has_no && has_yes};
    return SCRIM_OK;
}

/* A first step of the search: a factor of about 1.3 in the middle of a decade; and a shorter one
 * where what was found by quick bounds is taken up. */
#define STEP_FAR (SC_PLACE_DECADE / 8)
#define STEP_NEAR (SC_PLACE_DECADE / 64)

void sc_candidate_init(sc_candidate *candidate)
{
    *candidate = (sc_candidate){0};
    sc_ratio_init(&candidate->value);
    sc_ratio_init(&candidate->delta_each);
    sc_ratio_init(&candidate->next);
}

void sc_candidate_clear(sc_candidate *candidate)
{
    sc_ratio_clear(&candidate->next);
    sc_ratio_clear(&candidate->delta_each);
    sc_ratio_clear(&candidate->value);
}

static void copy_candidate(sc_candidate *out, const sc_candidate *in)
{
    sc_ratio_set(&out->value, &in->value);
    sc_ratio_set(&out->delta_each, &in->delta_each);
    sc_ratio_set(&out->next, &in->next);
    out->has_delta = in->has_delta;
    out->is_exact = in->is_exact;
    out->has_next = in->has_next;
}

/* Looking for one, with releases of one delta. */

typedef struct hunt {
    const sc_target *target;
    const sc_ratio *delta_each; /* NULL: releases have no delta of their own */
    sc_joint_effort effort;
    uint64_t tried;
    bool has_hint; /* a place near which something was found before */
    int64_t hint;
    bool was_refused;    /* by a size limit */
    scrim_error refusal; /* the last */
} hunt;

/* Ranks go up towards what holds: more noise for a cost, less for an error. */
static int64_t rank_of(const sc_target *target, int64_t place)
{
    return target->line.grows != target->by_error ? place : -place;
}

scrim_status sc_calibration_refuse_time(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LIMIT,
                   "these targets take too long; choose less extreme ones, fewer "
                   "releases or another mechanism");
}

static scrim_status try_value(hunt *h, const sc_ratio *value, bool *holds, double *miss,
                              scrim_error *error)
{
    sc_attempt attempt;
    scrim_error inner = {.message = ""};
    *holds = false;
    *miss = __builtin_huge_val();
    if (sc_work_limit_is_over())
        return sc_calibration_refuse_time(error);
    scrim_status status =
        sc_attempt_open(h->target, value, h->delta_each, &attempt, &inner);
    if (status == SCRIM_OK) {
        status = sc_attempt_holds(&attempt, h->target, h->effort, holds, miss, &inner);
        sc_attempt_close(&attempt);
    }
    sc_target_tell(h->target, ++h->tried, 0);
    /* An attempt that was cut short says nothing about this candidate. */
    if (sc_work_limit_is_over())
        return sc_calibration_refuse_time(error);
    if (status == SCRIM_E_LIMIT) {
        h->was_refused = true;
        h->refusal = inner;
        return SCRIM_OK;
    }
    return status == SCRIM_OK ? status
                              : sc_fail_again(error, status, &inner, "%s", inner.message);
}

static scrim_status ask_rank(void *context, int64_t rank, bool *holds, double *miss,
                             scrim_error *error)
{
    hunt *h = context;
    SC_OWN(sc_ratio, value);
    sc_place_value(rank_of(h->target, rank), &value);
    return try_value(h, &value, holds, miss, error);
}

/* Where to begin: about where simple composition ends for a cost; noise of the size of the error. */
static void guess(const sc_target *target, sc_ratio *out)
{
    const sc_noise_line *line = &target->line;
    SC_OWN(sc_ratio, count);
    sc_ratio_set_int128(&count, target->count);
    if (target->by_error && line->grows)
        sc_ratio_set(out, &target->error);
    else if (target->by_error && line->has_sensitivity)
        sc_ratio_div(out, &line->sensitivity, &target->error);
    else if (target->by_error)
        sc_ratio_set_int64(out, 1);
    else if (line->grows) {
        sc_ratio_mul(out, &line->sensitivity, &count);
        sc_ratio_div(out, out, &target->epsilon);
    } else
        sc_ratio_div(out, &target->epsilon, &count);
}

static void set_range(const sc_target *target, sc_place_range *out)
{
    int64_t low = rank_of(target, sc_place_ceil(&target->line.low));
    int64_t high = rank_of(target, sc_place_floor(&target->line.high));
    SC_OWN(sc_ratio, start);
    guess(target, &start);
    out->first = low < high ? low : high;
    out->last = low < high ? high : low;
    out->start = rank_of(target, sc_ratio_sign(&start) > 0 ? sc_place_ceil(&start) : 0);
    out->step = STEP_FAR;
}

/* Searches with quick bounds first, and with all bounds from the place that they found. */
static scrim_status search(hunt *h, sc_place_found *found, scrim_error *error)
{
    sc_place_range range;
    sc_place_question question = {h, ask_rank};
    set_range(h->target, &range);
    if (h->has_hint) {
        range.start = h->hint;
        range.step = STEP_NEAR;
    }
    h->effort = SC_JOINT_QUICK;
    scrim_status status = sc_place_search(&question, &range, found, error);
    h->effort = SC_JOINT_FULL;
    if (status != SCRIM_OK || h->target->by_error || h->target->count == 1)
        return status;
    if (found->found)
        range.start = found->place;
    range.step = STEP_NEAR;
    return sc_place_search(&question, &range, found, error);
}

static void put_place(const hunt *h, const sc_place_found *found, sc_candidate *out)
{
    sc_place_value(rank_of(h->target, found->place), &out->value);
    out->is_exact = false;
    out->has_next = found->has_before;
    if (found->has_before)
        sc_place_value(rank_of(h->target, found->place - 1), &out->next);
}

/* The number that simple composition gives for a cost, which is exact: epsilon / count, or the
 * noise that has it. False where releases are not pure, or are of samples, whose epsilon is a logarithm, or it is too long
 * to be written. */
static scrim_status simple_value(hunt *h, bool *known, sc_ratio *out, scrim_error *error)
{
    const sc_target *target = h->target;
    char text[SCRIM_NUMBER_BYTES];
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, sum);
    *known = !target->line.is_sampled;
    if (!*known)
        return SCRIM_OK;
    if (target->line.grows) {
        sc_attempt attempt;
        scrim_error inner;
        /* epsilon times noise is the same everywhere: looked at where the noise is as large as the
         * sensitivity, which is legal if anything is. */
        status = sc_attempt_open(target, &target->line.sensitivity, h->delta_each,
                                 &attempt, &inner);
        *known = status == SCRIM_OK && sc_attempt_is_pure(&attempt, &sum);
        if (*known) {
            sc_ratio_mul(out, &sum, &target->line.sensitivity);
            sc_ratio_div(out, out, &target->epsilon);
        }
        if (status == SCRIM_OK)
            sc_attempt_close(&attempt);
        status = status == SCRIM_OK || status == SCRIM_E_LIMIT
                     ? SCRIM_OK
                     : sc_fail_again(error, status, &inner, "%s", inner.message);
    } else {
        sc_ratio_set_int128(&sum, target->count);
        sc_ratio_div(out, &target->epsilon, &sum);
    }
    *known = *known && sc_ratio_compare(out, &target->line.low) >= 0 &&
             sc_ratio_compare(out, &target->line.high) <= 0 && sc_cost_fits(out) &&
             sc_ratio_format(out, text, sizeof text) < sizeof text;
    return status;
}

/* Its neighbour on the grid towards less noise. */
static void next_to(const sc_target *target, const sc_ratio *value, sc_ratio *out)
{
    int64_t place =
        target->line.grows ? sc_place_ceil(value) - 1 : sc_place_floor(value) + 1;
    sc_place_value(place, out);
}

/* Without a delta the exact number is the best of all, if it is legal. */
static scrim_status find_pure(hunt *h, bool *done, sc_candidate *out, scrim_error *error)
{
    bool known = false, holds = false, next_holds = false;
    double miss;
    SC_OWN(sc_ratio, value);
    *done = false;
    scrim_status status = simple_value(h, &known, &value, error);
    if (status == SCRIM_OK && known)
        status = try_value(h, &value, &holds, &miss, error);
    if (status == SCRIM_OK && holds) {
        next_to(h->target, &value, &out->next);
        status = try_value(h, &out->next, &next_holds, &miss, error);
    }
    if (status == SCRIM_OK && holds && !next_holds) {
        sc_ratio_set(&out->value, &value);
        out->is_exact = out->has_next = true;
        *done = true;
    }
    return status;
}

/* Does the exact number lie between what was found and its neighbour? Then it is the better one. */
static scrim_status prefer_simple(hunt *h, sc_candidate *out, scrim_error *error)
{
    bool known = false, holds = false;
    double miss;
    SC_OWN(sc_ratio, value);
    scrim_status status = simple_value(h, &known, &value, error);
    const bool is_better =
        known && (sc_ratio_compare(&value, &out->value) < 0) == h->target->line.grows &&
        sc_ratio_compare(&value, &out->value) != 0;
    if (status == SCRIM_OK && is_better)
        status = try_value(h, &value, &holds, &miss, error);
    if (status == SCRIM_OK && holds)
        sc_ratio_set(&out->value, &value);
    return status;
}

/* Says why no parameter was found. */

static scrim_status explain_nothing(const hunt *h, scrim_error *error)
{
    const sc_target *target = h->target;
    char quote[SC_TEXT_QUOTE_BYTES];
    if (h->was_refused)
        return sc_fail_again(error, SCRIM_E_LIMIT, &h->refusal,
                             "no valid parameter meets that: %s", h->refusal.message);
    return sc_fail_parameter(
        error, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
        target->by_error ? "target-error" : "epsilon",
        "no %s from %s to %s brings %s within %s%s", target->line.open,
        target->line.low_text, target->line.high_text, target->line.name,
        sc_text_quote(sc_text_of(target->target), quote),
        target->by_error                    ? ""
        : sc_ratio_sign(&target->delta) > 0 ? "; it may need a larger delta"
                                            : "; it may need a delta above 0");
}

/* The most noise there is was within the error: its bound does not follow from the noise. */
static scrim_status explain_anything(const sc_target *target, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_parameter(
        error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "target-error",
        "%s is within %s at every %s; give epsilon, and delta, in place of target-error",
        target->line.name, sc_text_quote(sc_text_of(target->target), quote),
        target->line.open);
}

static scrim_status find_one(hunt *h, bool *done, sc_candidate *out, scrim_error *error)
{
    const sc_target *target = h->target;
    sc_place_found found = {false, 0, false};
    scrim_status status = SCRIM_OK;
    *done = false;
    out->has_delta = h->delta_each != NULL;
    if (h->delta_each != NULL)
        sc_ratio_set(&out->delta_each, h->delta_each);
    h->effort = SC_JOINT_FULL;
    if (!target->by_error && sc_ratio_sign(&target->delta) == 0)
        status = find_pure(h, done, out, error);
    if (status != SCRIM_OK || *done)
        return status;
    status = search(h, &found, error);
    if (status != SCRIM_OK || !found.found)
        return status;
    if (target->by_error && !found.has_before)
        return explain_anything(target, error);
    h->has_hint = true;
    h->hint = found.place;
    put_place(h, &found, out);
    *done = true;
    return target->by_error ? SCRIM_OK : prefer_simple(h, out, error);
}

/* Parts of delta that releases with a delta of their own may have together; the rest is left for
 * what their epsilons cost beyond one another. One release takes it all. */
static const struct {
    int64_t of, parts;
} shares[] = {{1, 1}, {1, 2}, {1, 8}};

#define MERIT_BITS 128L
#define SHARES (sizeof shares / sizeof *shares)

static void share_of(const sc_target *target, size_t index, sc_ratio *out)
{
    SC_OWN(sc_ratio, below);
    sc_ratio_set_int128(&below, (sc_int128)target->count * shares[index].parts);
    sc_ratio_div(out, &target->delta, &below);
}

/* The number that a candidate is chosen by, the smaller the better: for a cost the error that it leaves, for an
 * error what all releases cost. False where that is not known. */
static scrim_status merit_of(const sc_target *target, const sc_candidate *candidate,
                             bool *known, sc_ball *out, scrim_error *error)
{
    sc_attempt attempt;
    *known = false;
    scrim_status status = sc_attempt_open(target, &candidate->value,
                                          &candidate->delta_each, &attempt, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_joint_bound, bound);
    SC_OWN(sc_certificate, certificate);
    if (target->by_error) {
        status = sc_joint_bound_epsilon(&attempt.bag, &target->delta, SC_JOINT_QUICK,
                                        &bound, error);
        *known = status == SCRIM_OK && bound.bounds.has_upper;
        sc_ball_set(out, &bound.bounds.upper);
    } else {
        status = sc_attempt_certify(&attempt, target, &certificate, error);
        *known = status == SCRIM_OK && certificate.has_radius;
        sc_ball_set_ratio(out, &certificate.radius, MERIT_BITS);
    }
    sc_attempt_close(&attempt);
    return status;
}

/* The first one stays where the other is not certainly better. */
static scrim_status is_better(const sc_target *target, const sc_candidate *a,
                              const sc_candidate *b, bool *better, scrim_error *error)
{
    bool has_one = false, has_other = false;
    SC_OWN(sc_ball, one, other);
    scrim_status status = merit_of(target, a, &has_one, &one, error);
    if (status == SCRIM_OK)
        status = merit_of(target, b, &has_other, &other, error);
    *better =
        status == SCRIM_OK && has_one && (!has_other || sc_ball_is_less(&one, &other));
    return status;
}

static scrim_status find_shared(const sc_target *target, hunt *h, bool *done,
                                sc_candidate *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, each);
    SC_OWN(sc_candidate, next);
    *done = false;
    for (size_t i = 0; status == SCRIM_OK && i < (target->count == 1 ? 1 : SHARES); i++) {
        bool found = false;
        share_of(target, i, &each);
        h->delta_each = &each;
        status = find_one(h, &found, &next, error);
        bool better = found && !*done;
        if (status == SCRIM_OK && found && *done)
            status = is_better(target, &next, out, &better, error);
        if (status == SCRIM_OK && better) {
            copy_candidate(out, &next);
            *done = true;
        }
    }
    h->delta_each = NULL;
    return status;
}

scrim_status sc_calibration_find(const sc_target *target, sc_candidate *out,
                                 scrim_error *error)
{
    bool done = false;
    hunt h = {.target = target, .effort = SC_JOINT_FULL};
    const bool needs_delta =
        target->line.needs_delta ||
        (!target->by_error && strcmp(target->line.open, "sigma") == 0);
    if (needs_delta && sc_ratio_sign(&target->delta) == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                           "delta is missing: %s is not pure; give one above 0",
                           target->line.name);
    SC_OWN(sc_candidate, found);
    scrim_status status = target->line.needs_delta
                              ? find_shared(target, &h, &done, &found, error)
                              : find_one(&h, &done, &found, error);
    if (status == SCRIM_OK && !done)
        status = explain_nothing(&h, error);
    if (status == SCRIM_OK)
        copy_candidate(out, &found);
    return status;
}
