#include "model/domain.h"

#include "model/data_number.h"

void sc_domain_init(sc_domain *domain)
{
    const int64_t far = (int64_t)1 << SC_GRID_BITS;
    domain->grid =
        (sc_grid){.is_decimal = false, .exponent = 0, .low = -far, .high = far};
    domain->count_min = 1;
    domain->count_max = SIZE_MAX;
    domain->has_ends = false;
    domain->is_whole = false;
}

/* The end of the range, 2^62 steps away, where none was declared. */
static void default_end(const sc_ratio *given, const sc_ratio *step, int64_t far,
                        sc_ratio *out)
{
    if (given != NULL) {
        sc_ratio_set(out, given);
        return;
    }
    sc_ratio_set_int64(out, far);
    sc_ratio_mul(out, out, step);
}

scrim_status sc_domain_set_grid(sc_domain *domain, const sc_ratio *step,
                                const sc_ratio *lower, const sc_ratio *upper,
                                scrim_error *error)
{
    const int64_t far = (int64_t)1 << SC_GRID_BITS;
    sc_ratio one, low, high, missing;
    sc_grid grid;
    sc_ratio_init(&one);
    sc_ratio_init(&low);
    sc_ratio_init(&high);
    sc_ratio_init(&missing);
    sc_ratio_set_int64(&one, 1);
    if (step == NULL)
        step = &one;
    default_end(lower, step, -far, &low);
    default_end(upper, step, far, &high);
    if (sc_ratio_sign(&low) > 0)
        sc_ratio_set(&missing, &low);
    if (sc_ratio_sign(&high) < 0)
        sc_ratio_set(&missing, &high);
    scrim_status status = sc_grid_init(&grid, step, &low, &high, &missing, error);
    if (status == SCRIM_OK) {
        domain->grid = grid;
        domain->has_ends = lower != NULL || upper != NULL;
    }
    sc_ratio_clear(&missing);
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
    sc_ratio_clear(&one);
    return status;
}

int64_t sc_domain_of_text(const sc_domain *domain, sc_text text)
{
    return sc_data_number_place(&domain->grid, text);
}
