#include "model/outcomes_product.h"

#include "base/checked.h"
#include "base/memory.h"

/* 1 - (1 - rest) (1 - more), without cancellation. */
static void add_rest(sc_ball *rest, const sc_ball *more, long bits)
{
    SC_OWN(sc_ball, both);
    sc_ball_mul(&both, rest, more, bits);
    sc_ball_add(rest, rest, more, bits);
    sc_ball_sub(rest, rest, &both, bits);
}

/* How many combinations; false when there are too many. */
static bool count_answers(const sc_outcomes *parts, size_t count, size_t *out)
{
    *out = 1;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].count > SC_OUTCOMES_MAX / *out)
            return false;
        *out *= parts[i].count;
    }
    return true;
}

/* The combination that is the number-th of all, the last part's fastest. */
static scrim_status list_answer(const sc_outcomes *parts, size_t count, size_t number,
                                const sc_ball *factor, int64_t *key, size_t lead,
                                long bits, sc_outcomes *out, scrim_error *error)
{
    SC_OWN(sc_ball, mass);
    if (factor != NULL)
        sc_ball_set(&mass, factor);
    else
        sc_ball_set_int64(&mass, 1);
    for (size_t i = count; i-- > 0; number /= parts[i].count) {
        const size_t at = number % parts[i].count;
        key[lead + i] = parts[i].keys[at];
        sc_ball_mul(&mass, &mass, &parts[i].mass[at], bits);
    }
    return sc_outcomes_add(out, key, &mass, error);
}

static void set_rest(const sc_outcomes *parts, size_t count, const sc_ball *factor,
                     long bits, sc_outcomes *out)
{
    SC_OWN(sc_ball, rest);
    for (size_t i = 0; i < count; i++)
        add_rest(&rest, &parts[i].rest, bits);
    if (factor != NULL)
        sc_ball_mul(&rest, &rest, factor, bits);
    sc_ball_add(&out->rest, &out->rest, &rest, bits);
}

scrim_status sc_outcomes_product(const sc_outcomes *parts, size_t count,
                                 const int64_t *first, size_t lead, const sc_ball *factor,
                                 long bits, sc_outcomes *out, scrim_error *error)
{
    size_t answers = 0;
    if (!count_answers(parts, count, &answers))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many values to give the probability of each");
    int64_t *key = sc_allocate(lead + count + 1, sizeof *key);
    if (key == NULL)
        return sc_no_memory(error, "a law");
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < lead; i++)
        key[i] = first[i];
    for (size_t i = 0; status == SCRIM_OK && i < answers; i++)
        status = list_answer(parts, count, i, factor, key, lead, bits, out, error);
    set_rest(parts, count, factor, bits, out);
    sc_free(key);
    return status;
}

scrim_status sc_outcomes_of_each(const sc_outcomes_each *each, long bits,
                                 sc_outcomes *out, scrim_error *error)
{
    sc_outcomes *parts = sc_allocate(each->count + 1, sizeof *parts);
    if (parts == NULL)
        return sc_no_memory(error, "a law");
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < each->count; i++)
        sc_outcomes_init(&parts[i], 1);
    for (size_t i = 0; status == SCRIM_OK && i < each->count; i++)
        status = each->list(each->context, each->values[i], bits, &parts[i], error);
    if (status == SCRIM_OK)
        status = sc_outcomes_product(parts, each->count, each->first, each->lead,
                                     each->factor, bits, out, error);
    for (size_t i = 0; i < each->count; i++)
        sc_outcomes_clear(&parts[i]);
    sc_free(parts);
    return status;
}
