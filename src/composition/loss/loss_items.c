#include "composition/loss/loss_items.h"

#include "base/memory.h"
#include "composition/loss/claims.h"

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

/* The pair of a part on one side; false where it has none. */
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

/* Fractions of a merged variance are not longer: another item is begun then. */
#define MERGED_BITS ((size_t)1 << 14)

/* The 1/variance of this part's releases together, added to that of the item; false where it would be
 * too long. */
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

/* Merges a continuous Gaussian with the item that holds the last of them, and begins one where there
 * is none. Both sides have the same pair. */
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
