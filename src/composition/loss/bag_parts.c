#include "composition/loss/bag_parts.h"

#include "base/memory.h"

#include <string.h>

#define BITS SC_CLAIMS_BITS

void sc_claims_init(sc_claims *claims)
{
    *claims = (sc_claims){0};
    sc_ratio_init(&claims->epsilon);
    sc_ratio_init(&claims->delta);
    sc_ball_init(&claims->log_kept);
}

static void claim_init(sc_claim *claim)
{
    *claim = (sc_claim){0};
    sc_ratio_init(&claim->epsilon);
    sc_ratio_init(&claim->delta);
    sc_ratio_init(&claim->lower_epsilon);
    sc_ratio_init(&claim->lower_delta);
}

static void claim_clear(sc_claim *claim)
{
    sc_ratio_clear(&claim->epsilon);
    sc_ratio_clear(&claim->delta);
    sc_ratio_clear(&claim->lower_epsilon);
    sc_ratio_clear(&claim->lower_delta);
}

void sc_claims_clear(sc_claims *claims)
{
    for (size_t i = 0; i < claims->count; i++)
        claim_clear(&claims->list[i]);
    sc_free(claims->list);
    sc_ratio_clear(&claims->epsilon);
    sc_ratio_clear(&claims->delta);
    sc_ball_clear(&claims->log_kept);
}

/* The middle of a ball of size 2^exponent has its last of BITS binary places here. */
static unsigned places_of(long exponent)
{
    long places = BITS - 64 - exponent;
    return places < 0 ? 0 : places > SC_RATIO_BITS ? SC_RATIO_BITS : (unsigned)places;
}

/* The largest epsilon of which exp is computed. */
#define EPSILON_MOST ((int64_t)1 << 20)

/* out = ln(1 + factor (exp(epsilon) - 1)). */
static void scale_odds(const sc_ratio *epsilon, const sc_ratio *factor, sc_ball *out)
{
    SC_OWN(sc_ball, scale);
    sc_ball_set_ratio(out, epsilon, BITS);
    sc_ball_expm1(out, out, BITS);
    sc_ball_set_ratio(&scale, factor, BITS);
    sc_ball_mul(out, out, &scale, BITS);
    sc_ball_log1p(out, out, BITS);
}

/* Does sampling at this rate lower epsilon? If not, or if exp(epsilon) is too large to compute,
 * epsilon itself is an upper bound: sampling never harms. */
static bool is_amplified(const sc_ratio *epsilon, const sc_ratio *rate)
{
    return sc_ratio_compare_int64(rate, 1) < 0 &&
           sc_ratio_compare_int64(epsilon, EPSILON_MOST) <= 0;
}

void sc_claims_amplify(const sc_ratio *epsilon, const sc_ratio *rate, sc_ratio *out)
{
    if (!is_amplified(epsilon, rate)) {
        sc_ratio_set(out, epsilon);
        return;
    }
    SC_OWN(sc_ball, value);
    SC_OWN(sc_ratio, rounded);
    scale_odds(epsilon, rate, &value);
    const unsigned places =
        places_of(sc_ratio_exponent(epsilon) + sc_ratio_exponent(rate));
    if (!sc_ball_round_up(&value, places, &rounded) ||
        sc_ratio_compare(&rounded, epsilon) > 0)
        sc_ratio_set(&rounded, epsilon);
    sc_ratio_set(out, &rounded);
}

void sc_claims_amplify_back(const sc_ratio *epsilon, const sc_ratio *rate, sc_ratio *out)
{
    if (!is_amplified(epsilon, rate)) {
        sc_ratio_set(out, epsilon);
        return;
    }
    SC_OWN(sc_ball, value);
    SC_OWN(sc_ratio, rounded);
    sc_ratio_set_int64(&rounded, 1);
    sc_ratio_div(&rounded, &rounded, rate);
    scale_odds(epsilon, &rounded, &value);
    if (!sc_ball_round_down(&value, places_of(sc_ratio_exponent(epsilon)), &rounded) ||
        sc_ratio_compare(&rounded, epsilon) < 0)
        sc_ratio_set(&rounded, epsilon);
    sc_ratio_set(out, &rounded);
}

/* The claim that the part's own pair attains. Discrete Laplace noise against a shift of 1 has the losses of
 * randomised response and no others. */
static void set_lower(sc_claim *claim, const sc_part *part)
{
    const sc_loss_pair *pair = &part->lower;
    if (!part->has_lower || part->is_sampled || pair->kind == NULL)
        return;
    const char *kind = pair->kind->name;
    claim->has_lower = true;
    if (strcmp(kind, "pure") == 0 || strcmp(kind, "approximate") == 0) {
        sc_ratio_set(&claim->lower_epsilon, &pair->shape);
        sc_ratio_set(&claim->lower_delta, &pair->delta);
    } else if (strcmp(kind, "laplace") == 0 && pair->shift == 1) {
        sc_ratio_set_int64(&claim->lower_epsilon, 1);
        sc_ratio_div(&claim->lower_epsilon, &claim->lower_epsilon, &pair->shape);
    } else {
        claim->has_lower = false;
    }
}

static void set_claim(sc_claim *claim, const sc_part *part)
{
    claim_init(claim);
    claim->count = part->count;
    sc_ratio_set(&claim->epsilon, &part->cost.epsilon);
    sc_ratio_set(&claim->delta, &part->cost.delta);
    if (part->is_sampled) {
        sc_claims_amplify(&part->cost.epsilon, &part->rate, &claim->epsilon);
        sc_ratio_mul(&claim->delta, &part->cost.delta, &part->rate);
    }
    set_lower(claim, part);
}

/* A sum of fractions is exact up to SUM_BITS bits, and beyond them rounded up to SUM_PLACES
 * binary places. */
#define SUM_BITS 16384
#define SUM_PLACES 4096

void sc_claims_add(sc_ratio *sum, const sc_ratio *part)
{
    sc_ratio_add_up(sum, sum, part, SUM_BITS, SUM_PLACES);
}

bool sc_claims_has(const sc_part *part)
{
    return part->cost.has_epsilon && sc_ratio_compare_int64(&part->cost.delta, 1) < 0;
}

static void add_claim(sc_claims *claims, const sc_claim *claim)
{
    SC_OWN(sc_ratio, part);
    SC_OWN(sc_ball, log_kept);
    claims->releases += claim->count;
    sc_ratio_set_int128(&part, (sc_int128)claim->count);
    sc_ratio_mul(&part, &part, &claim->epsilon);
    sc_claims_add(&claims->epsilon, &part);
    sc_ratio_set_int128(&part, (sc_int128)claim->count);
    sc_ratio_mul(&part, &part, &claim->delta);
    sc_claims_add(&claims->delta, &part);
    sc_ball_set_ratio(&log_kept, &claim->delta, BITS);
    sc_ball_neg(&log_kept, &log_kept);
    sc_ball_log1p(&log_kept, &log_kept, BITS);
    sc_ball_mul_int64(&log_kept, &log_kept, (int64_t)claim->count, BITS);
    sc_ball_add(&claims->log_kept, &claims->log_kept, &log_kept, BITS);
}

void sc_claims_join(sc_claims *claims, const sc_ratio *delta, uint64_t count)
{
    sc_claim claim;
    claim_init(&claim);
    claim.count = count;
    sc_ratio_set(&claim.delta, delta);
    add_claim(claims, &claim);
    claim_clear(&claim);
}

scrim_status sc_claims_read(sc_claims *claims, const sc_bag *bag, scrim_error *error)
{
    claims->list = sc_allocate(bag->count, sizeof *claims->list);
    if (claims->list == NULL)
        return sc_no_memory(error, "the claims of the parts");
    for (size_t i = 0; i < bag->count; i++) {
        const sc_part *part = &bag->parts[i];
        if (!sc_claims_has(part)) {
            claims->others += part->count;
            continue;
        }
        sc_claim *claim = &claims->list[claims->count++];
        set_claim(claim, part);
        add_claim(claims, claim);
    }
    return SCRIM_OK;
}

void sc_claims_add_up(sc_claims *claims)
{
    if (sc_ratio_compare_int64(&claims->delta, 1) >= 0) {
        sc_ball_set_infinite(&claims->log_kept); /* ln 0 */
        sc_ball_neg(&claims->log_kept, &claims->log_kept);
        return;
    }
    sc_ball_set_ratio(&claims->log_kept, &claims->delta, BITS);
    sc_ball_neg(&claims->log_kept, &claims->log_kept);
    sc_ball_log1p(&claims->log_kept, &claims->log_kept, BITS);
}

bool sc_claims_rest(const sc_claims *claims, const sc_ratio *delta, sc_ball *out)
{
    SC_OWN(sc_ball, spent, kept);
    sc_ball_expm1(&spent, &claims->log_kept, BITS); /* -(1 - prod) */
    sc_ball_exp(&kept, &claims->log_kept, BITS);
    sc_ball_set_ratio(out, delta, BITS);
    sc_ball_add(out, out, &spent, BITS);
    /* The sum is exact where the product is not: one part has just its own delta. */
    const bool fits =
        sc_ratio_compare(&claims->delta, delta) <= 0 || sc_ball_is_positive(out);
    sc_ball_div(out, out, &kept, BITS);
    sc_ball_cut_unit(out);
    return fits;
}

void sc_claims_total(const sc_claims *claims, const sc_ball *rest, sc_ball *out)
{
    /* 1 - (1 - d) K = (1 - K) + K d: nothing cancels. */
    SC_OWN(sc_ball, kept);
    sc_ball_exp(&kept, &claims->log_kept, BITS);
    sc_ball_mul(&kept, &kept, rest, BITS);
    sc_ball_expm1(out, &claims->log_kept, BITS);
    sc_ball_sub(out, &kept, out, BITS);
    sc_ball_cut_unit(out);
}

/* exp(-epsilon); for an epsilon above EPSILON_MOST a ball from 0 to exp(-EPSILON_MOST). */
static void exp_minus(const sc_ratio *epsilon, sc_ball *out)
{
    const bool is_far = sc_ratio_compare_int64(epsilon, EPSILON_MOST) > 0;
    if (is_far)
        sc_ball_set_int64(out, EPSILON_MOST);
    else
        sc_ball_set_ratio(out, epsilon, BITS);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, BITS);
    if (is_far) {
        SC_OWN(sc_ball, zero);
        sc_ball_set_union(out, out, &zero, BITS);
    }
}

/* Cuts off the part below 0 of a ball whose number is known to be at least 0. */
static void cut_negative(sc_ball *x)
{
    SC_OWN(sc_ball, zero);
    if (sc_ball_is_less(x, &zero)) {
        sc_ball_set(x, &zero);
    } else if (!sc_ball_is_less_equal(&zero, x)) {
        sc_ball_set_upper(x, x, BITS);
        sc_ball_set_union(x, x, &zero, BITS);
    }
}

void sc_claims_trade(const sc_ratio *pure, const sc_ball *delta, sc_ball *out)
{
    SC_OWN(sc_ball, low, lost, left);
    exp_minus(pure, &low);
    sc_ball_add_int64(&lost, &low, 1, BITS);
    sc_ball_mul(&lost, &lost, delta, BITS);
    sc_ball_neg(&lost, &lost);
    sc_ball_add_int64(&left, &lost, 1, BITS);
    sc_ball_set_ratio(out, pure, BITS);
    if (sc_ball_is_less_equal(&left, &low)) {
        sc_ball_set_int64(out, 0);
    } else if (sc_ball_is_positive(&left)) {
        /* epsilon + ln(1 - delta (1 + exp(-epsilon))) */
        sc_ball_log1p(&lost, &lost, BITS);
        sc_ball_add(out, out, &lost, BITS);
        cut_negative(out);
    } else {
        sc_ball_set_int64(&left, 0);
        sc_ball_set_union(out, out, &left, BITS);
    }
}

void sc_claims_trade_back(const sc_ratio *pure, const sc_ratio *epsilon, sc_ball *out)
{
    SC_OWN(sc_curve, curve);
    sc_curve_set_pure(&curve, pure);
    sc_curve_delta_upper(&curve, epsilon, BITS, out);
}

void sc_loss_items_init(sc_loss_items *items)
{
    *items = (sc_loss_items){.is_whole = true};
}

void sc_loss_items_clear(sc_loss_items *items)
{
    for (size_t i = 0; i < items->count; i++)
        sc_loss_pair_clear(&items->pairs[i]);
    sc_free(items->pairs);
    sc_free(items->list);
}

static bool has_delta(const sc_part *part)
{
    const sc_curve_functions *functions = part->cost.curve.functions;
    return functions != NULL && functions->delta != NULL;
}

bool sc_loss_items_takes(const sc_part *part)
{
    return part->has_pair || has_delta(part) || sc_claims_has(part);
}

bool sc_loss_items_are_attained(const sc_bag *bag)
{
    for (size_t i = 0; i < bag->count; i++) {
        const sc_part *part = &bag->parts[i];
        if (!part->has_pair || !part->has_lower || part->pair.kind != part->lower.kind ||
            part->pair.shift != part->lower.shift ||
            part->pair.bound != part->lower.bound ||
            part->pair.copies != part->lower.copies ||
            sc_ratio_compare(&part->pair.shape, &part->lower.shape) != 0 ||
            sc_ratio_compare(&part->pair.delta, &part->lower.delta) != 0)
            return false;
    }
    return true;
}

bool sc_loss_items_is_sampled(const sc_bag *bag)
{
    for (size_t i = 0; i < bag->count; i++)
        if (bag->parts[i].is_sampled)
            return true;
    return false;
}

static void copy_pair(sc_loss_pair *out, const sc_loss_pair *pair)
{
    out->kind = pair->kind;
    out->shift = pair->shift;
    out->bound = pair->bound;
    out->copies = pair->copies;
    sc_ratio_set(&out->shape, &pair->shape);
    sc_ratio_set(&out->delta, &pair->delta);
}

/* The pair of a part on one side; false where no pair is known. */
static bool set_pair(const sc_part *part, sc_loss_side side, sc_loss_pair *out)
{
    if (side == SC_LOSS_LOWER && !part->has_lower)
        return false;
    if (side == SC_LOSS_LOWER)
        copy_pair(out, &part->lower);
    else if (part->has_pair)
        copy_pair(out, &part->pair);
    else if (!has_delta(part) && sc_claims_has(part))
        sc_loss_pair_set_approximate(out, &part->cost.epsilon, &part->cost.delta);
    else
        return false;
    return true;
}

/* The longest fraction of a merged variance, in bits; if it would be longer, another item is
 * begun. */
#define MERGED_BITS ((size_t)1 << 14)

/* Adds the 1/variance of all releases of this part to that of the item; false if it would be
 * longer than MERGED_BITS. */
static bool add_variance(const sc_part *part, sc_loss_pair *item)
{
    const sc_loss_pair *pair = &part->pair;
    SC_OWN(sc_ratio, sum, more, one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int128(&more, (sc_int128)part->count);
    sc_ratio_div(&more, &more, &pair->shape);
    sc_ratio_div(&sum, &one, &item->shape);
    sc_ratio_add(&sum, &sum, &more);
    if (sc_ratio_bits(&sum) > MERGED_BITS)
        return false;
    sc_ratio_div(&item->shape, &one, &sum);
    return true;
}

static bool is_normal(const sc_part *part)
{
    return part->has_pair && part->has_lower && !part->is_sampled &&
           part->pair.kind == &sc_loss_kind_continuous_gaussian;
}

/* Merges a continuous Gaussian with the item that holds the earlier ones, or begins that item.
 * Both sides have the same pair. */
static void take_normal(sc_loss_items *items, const sc_part *part, size_t *normal)
{
    if (*normal < items->count && add_variance(part, &items->pairs[*normal]))
        return;
    *normal = items->count++;
    sc_loss_pair *pair = &items->pairs[*normal];
    SC_OWN(sc_ratio, count);
    sc_loss_pair_init(pair);
    copy_pair(pair, &part->pair);
    sc_ratio_set_int128(&count, (sc_int128)part->count);
    sc_ratio_div(&pair->shape, &pair->shape, &count);
    items->list[*normal] = (sc_loss_item){.pair = pair, .count = 1};
}

static void take_part(sc_loss_items *items, const sc_part *part, sc_loss_side side,
                      sc_direction direction)
{
    sc_loss_pair *pair = &items->pairs[items->count];
    sc_loss_item *item = &items->list[items->count];
    sc_loss_pair_init(pair);
    *item = (sc_loss_item){.count = part->count};
    if (set_pair(part, side, pair)) {
        if (part->is_sampled)
            sc_loss_pair_sample(pair, &part->rate, direction);
        item->pair = pair;
    } else if (side == SC_LOSS_UPPER && has_delta(part)) {
        item->curve = &part->cost.curve;
        items->has_curve = true;
    } else {
        items->is_whole = false;
        sc_loss_pair_clear(pair);
        return;
    }
    items->count++;
}

scrim_status sc_loss_items_read(sc_loss_items *items, const sc_bag *bag,
                                sc_loss_side side, sc_direction direction,
                                scrim_error *error)
{
    items->list = sc_allocate(bag->count, sizeof *items->list);
    items->pairs = sc_allocate(bag->count, sizeof *items->pairs);
    if (items->list == NULL || items->pairs == NULL)
        return sc_no_memory(error, "the losses of the parts");
    size_t normal = bag->count;
    for (size_t i = 0; i < bag->count; i++) {
        if (is_normal(&bag->parts[i]))
            take_normal(items, &bag->parts[i], &normal);
        else
            take_part(items, &bag->parts[i], side, direction);
    }
    return SCRIM_OK;
}
