#include "mass_lists.h"

#include "base/number/ratio.h"
#include "exact.h"

#include <stdio.h>
#include <string.h>

static int64_t line_between(const void *context, int64_t a, int64_t b)
{
    (void)context;
    return a > b ? a - b : b - a;
}

const sc_ground ground_line = {.between = line_between};

uint64_t mass_random(uint64_t *state, uint64_t n)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (x ^ (x >> 31)) % n;
}

static void json_mass(const json_t *value, sc_ratio *out)
{
    char text[64];
    if (json_is_integer(value))
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    exact_ratio(json_is_integer(value) ? text : json_string_value(value), out);
}

/* The least common multiple of all denominators. */
static void common_denominator(const json_t *object, sc_ratio *out)
{
    const char *key;
    json_t *value;
    sc_integer part;
    sc_integer_init(&part);
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): jansson reads it and asks for no const */
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        sc_ratio mass;
        json_mass(value, &mass);
        sc_ratio_mul(&mass, &mass, out);
        sc_ratio_denominator(&mass, &part);
        sc_ratio_set_integer(&mass, &part);
        sc_ratio_mul(out, out, &mass);
        sc_ratio_clear(&mass);
    }
    sc_integer_clear(&part);
}

void mass_list_json(const json_t *object, sc_masses *out)
{
    const char *key;
    json_t *value;
    sc_ratio scale;
    sc_integer whole;
    sc_masses_init(out);
    exact_ratio("1", &scale);
    sc_integer_init(&whole);
    common_denominator(object, &scale);
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): jansson reads it and asks for no const */
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        sc_ratio mass;
        uint64_t units = 0;
        json_mass(value, &mass);
        sc_ratio_mul(&mass, &mass, &scale);
        sc_ratio_floor(&mass, &whole);
        CHECK(sc_ratio_is_integer(&mass) && sc_integer_get_uint64(&whole, &units));
        CHECK_STATUS(sc_masses_add(out, atoll(key), units, NULL), SCRIM_OK);
        sc_ratio_clear(&mass);
    }
    sc_integer_clear(&whole);
    sc_ratio_clear(&scale);
    sc_masses_sort(out);
}

void mass_list(const char *text, sc_masses *out)
{
    sc_masses_init(out);
    while (*text != '\0') {
        char *end;
        const int64_t place = strtoll(text, &end, 10);
        const uint64_t mass = strtoull(end + 1, &end, 10);
        CHECK_STATUS(sc_masses_add(out, place, mass, NULL), SCRIM_OK);
        text = end + strspn(end, " ");
    }
    sc_masses_sort(out);
}

void mass_list_random(uint64_t *state, size_t places, uint64_t range, uint64_t most,
                      sc_masses *out)
{
    const size_t count = 1 + (size_t)mass_random(state, places);
    sc_masses_init(out);
    for (size_t i = 0; i < count; i++)
        CHECK_STATUS(sc_masses_add(out, (int64_t)mass_random(state, range),
                                   1 + mass_random(state, most), NULL),
                     SCRIM_OK);
    sc_masses_sort(out);
}

#define ROWS 17
#define COLUMNS (64 + ROWS + 1)

typedef struct tableau {
    size_t rows, columns; /* the last column is the right side */
    int64_t cell[ROWS + 1][COLUMNS];
    size_t basis[ROWS];
} tableau;

static void pivot(tableau *t, size_t row, size_t column)
{
    CHECK_INT(t->cell[row][column], 1);
    for (size_t i = 0; i <= t->rows; i++) {
        const int64_t factor = t->cell[i][column];
        if (i == row || factor == 0)
            continue;
        for (size_t j = 0; j < t->columns; j++)
            t->cell[i][j] -= factor * t->cell[row][j];
    }
    t->basis[row] = column;
}

/* Among the rows with the least quotient, the one whose variable comes first. */
static size_t leaving(const tableau *t, size_t column)
{
    size_t best = t->rows;
    for (size_t i = 0; i < t->rows; i++) {
        if (t->cell[i][column] <= 0)
            continue;
        const int64_t side = t->cell[i][t->columns - 1];
        if (best == t->rows || side < t->cell[best][t->columns - 1] ||
            (side == t->cell[best][t->columns - 1] && t->basis[i] < t->basis[best]))
            best = i;
    }
    return best;
}

int64_t transport_lp(size_t m, size_t n, const int64_t *p, const int64_t *q,
                     const int64_t *value, int64_t need)
{
    tableau t;
    memset(&t, 0, sizeof t);
    t.rows = m + n + 1;
    t.columns = m * n + t.rows + 1;
    for (size_t i = 0; i < t.rows; i++) {
        for (size_t k = 0; k < m * n; k++)
            t.cell[i][k] = i < m ? k / n == i : i < m + n ? k % n == i - m : 1;
        t.cell[i][m * n + i] = 1;
        t.cell[i][t.columns - 1] = i < m ? p[i] : i < m + n ? q[i - m] : need;
        t.basis[i] = m * n + i;
    }
    for (size_t k = 0; k < m * n; k++)
        t.cell[t.rows][k] = -value[k];
    for (;;) {
        size_t column = 0;
        while (column + 1 < t.columns && t.cell[t.rows][column] >= 0)
            column++;
        if (column + 1 == t.columns)
            return t.cell[t.rows][t.columns - 1];
        pivot(&t, leaving(&t, column), column);
    }
}
