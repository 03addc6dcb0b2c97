#include "mechanism/threshold/item_family.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

void sc_item_family_clear(sc_item_family *family)
{
    sc_free(family->sets);
    sc_free(family->items);
    *family = (sc_item_family){.sets = NULL};
}

static const uint64_t *find(const uint64_t *sets, size_t count, uint64_t set)
{
    return bsearch(&set, sets, count, sizeof *sets, sc_uint64_order);
}

/* The set without the item that has `behind` items after it. */
static uint64_t without(uint64_t set, size_t behind, unsigned bits)
{
    const uint64_t low = ((uint64_t)1 << (bits * behind)) - 1;
    return (set >> bits & ~low) | (set & low);
}

/* Candidates. */

/* Two sets with the same items but the last are joined; the other subsets are looked for. */
static bool is_candidate(const uint64_t *sets, size_t count, uint64_t set, size_t size,
                         unsigned bits)
{
    for (size_t behind = 2; behind <= size; behind++)
        if (find(sets, count, without(set, behind, bits)) == NULL)
            return false;
    return true;
}

static void join(const uint64_t *sets, size_t count, sc_item_family *out)
{
    const uint64_t mask = ((uint64_t)1 << out->bits) - 1;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && sets[i] >> out->bits == sets[j] >> out->bits;
             j++) {
            const uint64_t set = sets[i] << out->bits | (sets[j] & mask);
            if (out->count < SC_ITEM_FAMILY_MAX &&
                is_candidate(sets, count, set, out->size - 1, out->bits))
                out->sets[out->count++] = set;
        }
}

static void list_items(sc_item_family *f)
{
    const uint64_t mask = ((uint64_t)1 << f->bits) - 1;
    size_t found = 0;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->size; k++)
            f->items[found++] = (int64_t)(f->sets[i] >> (f->bits * k) & mask);
    if (found > 1)
        qsort(f->items, found, sizeof *f->items, sc_int64_order);
    for (size_t i = 0; i < found; i++)
        if (f->item_count == 0 || f->items[f->item_count - 1] != f->items[i])
            f->items[f->item_count++] = f->items[i];
}

scrim_status sc_item_family_next(const uint64_t *sets, size_t count, size_t size,
                                 unsigned bits, sc_item_family *out, scrim_error *error)
{
    *out = (sc_item_family){.size = size + 1, .bits = bits};
    out->sets = sc_allocate(SC_ITEM_FAMILY_MAX, sizeof *out->sets);
    out->items = sc_allocate(SC_ITEM_FAMILY_MAX * (size + 1), sizeof *out->items);
    if (out->sets == NULL || out->items == NULL)
        return sc_no_memory(error, "sets of items");
    join(sets, count, out);
    list_items(out);
    return SCRIM_OK;
}

/* How many one transaction holds. */

#define MASK_ITEMS 62
#define STEPS ((uint64_t)1 << 24)

static uint64_t choose(uint64_t n, uint64_t k)
{
    uint64_t found = 1;
    for (uint64_t i = 1; i <= k && found < STEPS; i++)
        found = found * (n - k + i) / i;
    return found;
}

static uint64_t mask_of(const sc_item_family *f, uint64_t set)
{
    const uint64_t low = ((uint64_t)1 << f->bits) - 1;
    uint64_t mask = 0;
    for (size_t k = 0; k < f->size; k++) {
        const int64_t item = (int64_t)(set >> (f->bits * k) & low);
        const int64_t *at =
            bsearch(&item, f->items, f->item_count, sizeof item, sc_int64_order);
        mask |= (uint64_t)1 << (at - f->items);
    }
    return mask;
}

/* Tries every choice of a number of items among at most MASK_ITEMS; the next mask has as many bits. */
static uint64_t search(const sc_item_family *f, const uint64_t *masks, uint64_t items)
{
    const uint64_t end = (uint64_t)1 << f->item_count;
    uint64_t most = 0;
    for (uint64_t chosen = ((uint64_t)1 << items) - 1; chosen < end;) {
        uint64_t held = 0;
        for (size_t i = 0; i < f->count; i++)
            held += (masks[i] & ~chosen) == 0;
        most = held > most ? held : most;
        const uint64_t low = chosen & (~chosen + 1), next = chosen + low;
        chosen = next | ((chosen ^ next) / low) >> 2;
    }
    return most;
}

uint64_t sc_item_family_most(const sc_item_family *f, uint64_t items)
{
    const uint64_t of_items = items < f->size ? 0 : choose(items, f->size);
    const uint64_t bound = of_items < f->count ? of_items : f->count;
    uint64_t *masks = NULL;
    if (f->item_count <= items)
        return f->count;
    if (items == 0 || f->count == 0)
        return 0;
    if (f->item_count <= MASK_ITEMS && choose(f->item_count, items) < STEPS / f->count)
        masks = sc_allocate(f->count, sizeof *masks);
    if (masks == NULL)
        return bound;
    for (size_t i = 0; i < f->count; i++)
        masks[i] = mask_of(f, f->sets[i]);
    const uint64_t most = search(f, masks, items);
    sc_free(masks);
    return most;
}

/* Counting. */

typedef struct walk {
    const sc_item_family *family;
    const int64_t *items;
    size_t count;
    int64_t *counts;
} walk;

/* Counts all sets that begin with `set`, whose first `chosen` items are fixed; the next item comes
 * from place `from` on. */
static void count_from(const walk *w, uint64_t set, size_t chosen, size_t from)
{
    if (chosen == w->family->size) {
        const uint64_t *at = find(w->family->sets, w->family->count, set);
        if (at != NULL)
            w->counts[at - w->family->sets]++;
        return;
    }
    for (size_t i = from; i + (w->family->size - chosen) <= w->count; i++)
        count_from(w, set << w->family->bits | (uint64_t)w->items[i], chosen + 1, i + 1);
}

void sc_item_family_count(const sc_item_family *family, const int64_t *items,
                          size_t count, int64_t *counts)
{
    const walk w = {family, items, count, counts};
    count_from(&w, 0, 0, 0);
}
