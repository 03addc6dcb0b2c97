#include "model/domain.h"

#include "model/data_number.h"

const char *const sc_neighbours_words[] = {"add-remove", "replace", "local", NULL};
const char *const sc_neighbours_central_words[] = {"add-remove", "replace", NULL};

const char *scrim_neighbours_name(scrim_neighbours neighbours)
{
    if (neighbours < SCRIM_ADD_REMOVE || neighbours > SCRIM_LOCAL)
        return "unset";
    return sc_neighbours_words[neighbours - 1];
}

void sc_domain_init(sc_domain *domain)
{
    const int64_t far = (int64_t)1 << SC_GRID_BITS;
    domain->grid =
        (sc_grid){.is_decimal = false, .exponent = 0, .low = -far, .high = far};
    domain->count_min = 1;
    domain->count_max = SIZE_MAX;
    domain->has_ends = false;
    domain->rounding = SC_ROUNDING_COUNTED;
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
    sc_grid grid;
    SC_OWN(sc_ratio, one, low, high, missing);
    sc_ratio_set_int64(&one, 1);
    if (step == NULL)
        step = &one;
    default_end(lower, step, -far, &low);
    default_end(upper, step, far, &high);
    if (sc_ratio_sign(&low) > 0)
        sc_ratio_set(&missing, &low);
    if (sc_ratio_sign(&high) < 0)
        sc_ratio_set(&missing, &high);
    SC_TRY(sc_grid_init(&grid, step, &low, &high, &missing, error));
    domain->grid = grid;
    domain->has_ends = lower != NULL || upper != NULL;
    return SCRIM_OK;
}

const char *const sc_domain_whole_words[] = {"no", "yes", NULL};

/* Is it a whole multiple of the step? */
static bool is_multiple(const sc_grid *grid, const sc_ratio *value)
{
    SC_OWN(sc_ratio, steps);
    sc_grid_step(grid, &steps);
    sc_ratio_div(&steps, value, &steps);
    return sc_ratio_is_integer(&steps);
}

int64_t sc_domain_place(const sc_domain *domain, const sc_ratio *value)
{
    if (value == NULL || (domain->is_whole && !is_multiple(&domain->grid, value)))
        return domain->grid.missing;
    return sc_grid_of_ratio(&domain->grid, value);
}

int64_t sc_domain_of_text(const sc_domain *domain, sc_text text)
{
    if (!domain->is_whole)
        return sc_data_number_place(&domain->grid, text);
    SC_OWN(sc_ratio, value);
    const bool is_number = sc_data_number_exact(text, &value);
    return sc_domain_place(domain, is_number ? &value : NULL);
}

int64_t sc_domain_of_double(const sc_domain *domain, double x)
{
    if (!domain->is_whole)
        return sc_grid_of_double(&domain->grid, x);
    SC_OWN(sc_ratio, value);
    const bool is_number = sc_grid_value_of_double(x, &value);
    return sc_domain_place(domain, is_number ? &value : NULL);
}

/* Doubles are seldom whole: even one of them is to have a grid that was chosen for it. */
bool sc_domain_takes(const sc_domain *domain, sc_given given, size_t count)
{
    if (given == SC_GIVEN_INTEGERS || domain->rounding == SC_ROUNDING_COUNTED ||
        domain->is_whole)
        return true;
    return given == SC_GIVEN_TEXTS && count <= 1;
}
