#include "distance/law_pair.h"

#include "base/memory.h"
#include "base/reserve.h"
#include "distance/places.h"
#include "model/option_struct.h"

#include <stdlib.h>
#include <string.h>

/* A line of either list. */
typedef struct entry {
    const char *name;
    unsigned side;
    sc_ratio mass;
} entry;

typedef struct entries {
    entry *list;
    size_t count;
    sc_ratio total[2];
    sc_ratio multiple; /* least common denominator of the masses */
} entries;

static void entries_init(entries *e)
{
    memset(e, 0, sizeof *e);
    sc_ratio_init(&e->total[0]);
    sc_ratio_init(&e->total[1]);
    sc_ratio_init(&e->multiple);
    sc_ratio_set_int64(&e->multiple, 1);
}

static void entries_clear(entries *e)
{
    for (size_t i = 0; i < e->count; i++)
        sc_ratio_clear(&e->list[i].mass);
    sc_free(e->list);
    sc_ratio_clear(&e->multiple);
    sc_ratio_clear(&e->total[1]);
    sc_ratio_clear(&e->total[0]);
}

/* Extends the common denominator to this mass. */
static scrim_status extend_multiple(entries *e, const sc_ratio *mass, scrim_error *error)
{
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, denominator);
    sc_ratio_mul(&scaled, mass, &e->multiple);
    if (sc_ratio_is_integer(&scaled))
        return SCRIM_OK;
    sc_ratio_denominator(&scaled, &denominator);
    sc_ratio_set_integer(&scaled, &denominator);
    sc_ratio_mul(&e->multiple, &e->multiple, &scaled);
    if (sc_ratio_bits(&e->multiple) > SC_RATIO_BITS)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the common denominator of the masses has more than %d bits; use "
                       "fewer digits",
                       SC_RATIO_BITS);
    return SCRIM_OK;
}

static scrim_status add_entry(entries *e, const scrim_place *place, unsigned side,
                              const sc_place_where *at, scrim_error *error)
{
    char where[SC_PLACES_WHERE_BYTES];
    entry *added = &e->list[e->count];
    if (sc_reserve_is_low())
        return sc_no_memory(error, "the distributions");
    *added = (entry){.name = place->place, .side = side};
    sc_ratio_init(&added->mass);
    e->count++;
    const scrim_status status = sc_place_number(
        at, sc_text_of(place->mass == NULL ? "1" : place->mass), &added->mass, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_ratio_sign(&added->mass) < 0)
        return sc_fail(error, SCRIM_E_INPUT, "%s: a mass cannot be below 0",
                       sc_place_name(at, where));
    return extend_multiple(e, &added->mass, error);
}

static scrim_status read_side(entries *e, const scrim_place *list, size_t count,
                              unsigned side, const scrim_list_lines *lines,
                              scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_place_where at = {.what = "outcome", .index = i, .from = lines};
        status = add_entry(e, &list[i], side, &at, error);
    }
    return status;
}

/* Makes all masses whole numbers, whose sums are exact and stay short. */
static scrim_status scale(entries *e, scrim_error *error)
{
    for (size_t i = 0; i < e->count && !sc_reserve_is_low(); i++) {
        entry *x = &e->list[i];
        sc_ratio_mul(&x->mass, &x->mass, &e->multiple);
        sc_ratio_add(&e->total[x->side], &e->total[x->side], &x->mass);
    }
    return sc_reserve_is_low() ? sc_no_memory(error, "the distributions") : SCRIM_OK;
}

/* Both sides must add up to 1, or have whole numbers as masses with the same total. */
static scrim_status check_totals(const entries *e, scrim_error *error)
{
    const bool is_whole = sc_ratio_compare_int64(&e->multiple, 1) == 0,
               is_same = sc_ratio_compare(&e->total[0], &e->total[1]) == 0,
               is_one = sc_ratio_compare(&e->total[0], &e->multiple) == 0;
    if (is_same && sc_ratio_sign(&e->total[0]) > 0 && (is_whole || is_one))
        return SCRIM_OK;
    char sums[2][SC_RATIO_TEXT_BYTES];
    SC_OWN(sc_ratio, sum);
    for (size_t side = 0; side < 2; side++) {
        sc_ratio_div(&sum, &e->total[side], &e->multiple);
        (void)sc_ratio_format(&sum, sums[side], sizeof sums[side]);
    }
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "mass",
        "the masses of each side must add up to exactly 1, or be whole numbers with the "
        "same total on both sides; they add up to %.40s and %.40s",
        sums[0], sums[1]);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

/* Adds the entries of one name together, by sorting them. */
static scrim_status gather(entries *e, scrim_laws *laws, scrim_error *error)
{
    laws->outcomes = sc_allocate(e->count, sizeof *laws->outcomes);
    if (laws->outcomes == NULL)
        return sc_no_memory(error, "the outcomes");
    qsort(e->list, e->count, sizeof *e->list, by_name);
    SC_OWN(sc_integer, mass);
    const char *last = NULL;
    for (size_t i = 0; i < e->count && !sc_reserve_is_low(); i++) {
        const entry *x = &e->list[i];
        if (sc_ratio_sign(&x->mass) == 0)
            continue;
        if (last == NULL || strcmp(last, x->name) != 0) {
            last = x->name;
            sc_integer_init(&laws->outcomes[laws->count].side[0]);
            sc_integer_init(&laws->outcomes[laws->count++].side[1]);
        }
        sc_integer *sum = &laws->outcomes[laws->count - 1].side[x->side];
        sc_ratio_numerator(&x->mass, &mass);
        sc_integer_add(sum, sum, &mass);
    }
    sc_ratio_numerator(&e->total[0], &laws->total);
    return sc_reserve_is_low() ? sc_no_memory(error, "the distributions") : SCRIM_OK;
}

scrim_status scrim_laws_new(const scrim_place *p, size_t p_count, const scrim_place *q,
                            size_t q_count, const scrim_laws_options *options,
                            scrim_laws **out, scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    scrim_laws_options own;
    entries e;
    scrim_status status =
        sc_option_struct_copy(options, sizeof own.size, &own, sizeof own, error);
    if (status != SCRIM_OK)
        return status;
    if (p_count > SC_LAWS_OUTCOMES || q_count > SC_LAWS_OUTCOMES)
        return sc_fail(error, SCRIM_E_LIMIT, "more than 1048576 outcomes");
    scrim_laws *laws = sc_allocate(1, sizeof *laws);
    if (laws == NULL)
        return sc_no_memory(error, "the distributions");
    sc_integer_init(&laws->total);
    entries_init(&e);
    e.list = sc_allocate(p_count + q_count + 1, sizeof *e.list);
    if (e.list == NULL)
        status = sc_no_memory(error, "the distributions");
    if (status == SCRIM_OK)
        status = read_side(&e, p, p_count, 0, &own.p_lines, error);
    if (status == SCRIM_OK)
        status = read_side(&e, q, q_count, 1, &own.q_lines, error);
    if (status == SCRIM_OK)
        status = scale(&e, error);
    if (status == SCRIM_OK)
        status = check_totals(&e, error);
    if (status == SCRIM_OK)
        status = gather(&e, laws, error);
    entries_clear(&e);
    if (status == SCRIM_OK)
        *out = laws;
    else
        scrim_laws_free(laws);
    return status;
}

void scrim_laws_free(scrim_laws *laws)
{
    if (laws == NULL)
        return;
    for (size_t i = 0; i < laws->count; i++) {
        sc_integer_clear(&laws->outcomes[i].side[1]);
        sc_integer_clear(&laws->outcomes[i].side[0]);
    }
    sc_free(laws->outcomes);
    sc_integer_clear(&laws->total);
    sc_free(laws);
}
