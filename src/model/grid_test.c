#include "check.h"
#include "model/grid.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void parse(const char *text, sc_ratio *out)
{
    sc_ratio_init(out);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), out, NULL), SCRIM_OK);
}

static scrim_status grid_from(sc_grid *grid, const char *step, const char *lower,
                              const char *upper, const char *missing, scrim_error *error)
{
    sc_ratio s, l, u, m;
    parse(step, &s);
    parse(lower, &l);
    parse(upper, &u);
    parse(missing == NULL ? "0" : missing, &m);
    scrim_status status =
        sc_grid_init(grid, &s, &l, &u, missing == NULL ? NULL : &m, error);
    sc_ratio_clear(&s);
    sc_ratio_clear(&l);
    sc_ratio_clear(&u);
    sc_ratio_clear(&m);
    return status;
}

/* The exact value of a finite double, by C's own exact hexadecimal notation. */
static void ratio_of_double(double x, sc_ratio *out)
{
    int exponent;
    double fraction = frexp(x, &exponent);
    int64_t mantissa = (int64_t)ldexp(fraction, 53);
    sc_integer n, d, one;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_integer_init(&one);
    sc_integer_set_int128(&one, 1);
    sc_integer_set_int128(&n, mantissa);
    sc_integer_set_int128(&d, 1);
    exponent -= 53;
    if (exponent >= 0)
        sc_integer_shift_left(&n, &n, (unsigned)exponent);
    else
        sc_integer_shift_left(&d, &one, (unsigned)-exponent);
    sc_ratio_set_fraction(out, &n, &d);
    sc_integer_clear(&n);
    sc_integer_clear(&d);
    sc_integer_clear(&one);
}

TEST(grid_rounds_as_the_vectors)
{
    CLAIM("grid.total");
    json_t *rows = json_object_get(vectors_load("mechanisms", "grid_rounding"), "rows");
    REQUIRE(json_array_size(rows) > 20);
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        double x = strtod(json_string_value(json_object_get(row, "x_hex")), NULL);
        sc_grid grid = {.exponent = (int)json_integer_value(json_object_get(row, "k")),
                        .low = -((int64_t)1 << 62),
                        .high = (int64_t)1 << 62};
        json_t *want = json_object_get(row, "grid");
        /* One row lies beyond the widest range: there the clamp comes first. */
        CHECK_INT(sc_grid_of_double(&grid, x),
                  json_is_integer(want) ? json_integer_value(want) : grid.high);
    }
}

TEST(grid_follows_the_input_policy)
{
    CLAIM("grid.total");
    json_t *rows = vectors_load("mechanisms", "input_policy");
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        sc_grid grid = {.low = json_integer_value(json_object_get(row, "lo")),
                        .high = json_integer_value(json_object_get(row, "hi")),
                        .missing = json_integer_value(json_object_get(row, "default"))};
        double x = strtod(json_string_value(json_object_get(row, "x")), NULL);
        CHECK_INT(sc_grid_of_double(&grid, x),
                  json_integer_value(json_object_get(row, "result")));
    }
}

/* A19: whatever the bits, the result lies in the range; signalling NaNs too. */
TEST(grid_takes_every_double)
{
    CLAIM("grid.total");
    sc_grid binary, decimal;
    REQUIRE_OK(grid_from(&binary, "2^-10", "-100", "200", "7", NULL));
    REQUIRE_OK(grid_from(&decimal, "0.01", "-100", "200", "7", NULL));
    const uint64_t special[] = {0,
                                UINT64_C(1) << 63,
                                1,
                                UINT64_C(0x000fffffffffffff),
                                UINT64_C(0x0010000000000000),
                                UINT64_C(0x7fefffffffffffff),
                                UINT64_C(0x7ff0000000000000),
                                UINT64_C(0xfff0000000000000),
                                UINT64_C(0x7ff8000000000000),
                                UINT64_C(0x7ff0000000000001),
                                UINT64_C(0xffffffffffffffff)};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        double x;
        memcpy(&x, &special[i], sizeof x);
        int64_t b = sc_grid_of_double(&binary, x), d = sc_grid_of_double(&decimal, x);
        CHECK(b >= binary.low && b <= binary.high && d >= decimal.low &&
              d <= decimal.high);
        if (isnan(x)) {
            CHECK_INT(b, 7168);
            CHECK_INT(d, 700);
        }
    }
    CHECK_INT(sc_grid_of_double(&binary, -0.0), 0);
    CHECK_INT(sc_grid_of_double(&binary, (double)INFINITY), binary.high);
    CHECK_INT(sc_grid_of_double(&decimal, -(double)INFINITY), decimal.low);
    CHECK_INT(sc_grid_of_double(&decimal, 5e-324), 0);
    CHECK_INT(sc_grid_of_double(&decimal, DBL_MAX), decimal.high);
    CHECK_INT(sc_grid_of_double(&decimal, 0.1), 10);
    CHECK_INT(sc_grid_of_double(&decimal, 0.005), 1); /* the double is just above 0.005 */
    CHECK_INT(sc_grid_of_double(&decimal, 0.015), 1); /* and this one just below 0.015 */
    CHECK_INT(sc_grid_of_double(&binary, 0x1p-11), 1);  /* half up */
    CHECK_INT(sc_grid_of_double(&binary, -0x1p-11), 0); /* also below 0 */
    sc_grid finest = {.exponent = -1074, .low = -100, .high = 100};
    CHECK_INT(sc_grid_of_double(&finest, 5e-324), 1); /* subnormal numbers, one by one */
    CHECK_INT(sc_grid_of_double(&finest, -7 * 5e-324), -7);
    CHECK_INT(sc_grid_of_double(&finest, DBL_MIN), 100);
}

/* Two roads: the bits of a double, and exact rational arithmetic. */
TEST(grid_of_double_is_grid_of_its_value)
{
    CLAIM("grid.total");
    const char *steps[] = {"1",    "2^-10", "2^5",   "2^-60", "0.01",
                           "1e-9", "1e-18", "1e-20", "10",    "1e6"};
    sc_tape *tape;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    uint64_t count = check_count(2000, 200000);
    sc_ratio exact;
    sc_ratio_init(&exact);
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        sc_grid grid;
        sc_ratio step;
        parse(steps[s], &step);
        REQUIRE_OK(grid_from(&grid, steps[s], "0", steps[s], NULL, NULL));
        grid.low = -((int64_t)1 << 62);
        grid.high = (int64_t)1 << 62;
        for (uint64_t i = 0; i < count; i++) {
            uint64_t word = 0, kind = 0;
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &kind, NULL));
            /* Exponents near the step as often as any. */
            if (kind & 1)
                word = (word & ~(UINT64_C(0x7ff) << 52)) |
                       ((uint64_t)(960 + (kind >> 8) % 128) << 52);
            double x;
            memcpy(&x, &word, sizeof x);
            if (!isfinite(x))
                continue;
            if (kind & 2) /* halves of a step, exactly, where the step is a power of 2 */
                x = rint(x * 4) / 4;
            if (!isfinite(x))
                continue;
            ratio_of_double(x, &exact);
            if (sc_grid_of_double(&grid, x) != sc_grid_of_ratio(&grid, &exact)) {
                CHECK_FAIL("step %s: %a", steps[s], x);
                break;
            }
        }
        CHECK(grid.high == (int64_t)1 << 62);
        sc_ratio_clear(&step);
    }
    sc_ratio_clear(&exact);
    sc_tape_free(tape);
}

/* floor(x + 1/2) moves two values that lie D apart by at most ceil(D); half to even does not. */
TEST(grid_keeps_distances)
{
    CLAIM("grid.distance");
    sc_grid grid;
    REQUIRE_OK(grid_from(&grid, "1", "-1000", "1000", NULL, NULL));
    double even_worst = 0;
    for (int a = -64; a <= 64; a++)
        for (int b = -64; b <= 64; b++) {
            double x = a / 8.0, y = b / 8.0;
            int64_t apart = sc_grid_of_double(&grid, x) - sc_grid_of_double(&grid, y);
            double most = ceil(fabs(x - y));
            CHECK(fabs((double)apart) <= most);
            double even = fabs(nearbyint(x) - nearbyint(y));
            if (even - most > even_worst)
                even_worst = even - most;
        }
    CHECK(even_worst >
          0); /* the control: half to even breaks the claim on the same pairs */
}

/* A18: rounded up, over all small ranges, steps and distances. */
TEST(grid_sensitivity_is_rounded_up)
{
    CLAIM("grid.distance");
    json_t *rows = vectors_load("mechanisms", "grid_sensitivity");
    size_t index;
    json_t *row;
    sc_integer got, want;
    sc_integer_init(&got);
    sc_integer_init(&want);
    json_array_foreach(rows, index, row)
    {
        sc_grid grid = {.exponent = (int)json_integer_value(json_object_get(row, "k"))};
        sc_ratio d;
        parse(json_string_value(json_object_get(row, "D1")), &d);
        uint64_t dims = (uint64_t)json_integer_value(json_object_get(row, "dims"));
        if (dims == 1)
            sc_grid_sensitivity_upper(&grid, &d, &got);
        else
            sc_grid_sensitivity_l1_upper(&grid, &d, dims, &got);
        sc_integer_set_int128(
            &want, json_integer_value(json_object_get(row, "grid_sensitivity_l1")));
        CHECK_INT(sc_integer_compare(&got, &want), 0);
        sc_ratio_clear(&d);
    }
    sc_ratio d, root, square, sum;
    sc_ratio_init(&root);
    sc_ratio_init(&square);
    sc_ratio_init(&sum);
    parse("3/2", &d);
    sc_grid unit = {.high = 1};
    sc_grid_sensitivity_l2_upper(&unit, &d, 0, &sum);
    CHECK_INT(sc_ratio_compare(&sum, &d), 0);
    for (uint64_t c = 1; c <= 200; c++) {
        /* (result - D)^2 is at least c, and within 2^-60 of it */
        sc_grid_sensitivity_l2_upper(&unit, &d, c, &sum);
        sc_ratio_sub(&root, &sum, &d);
        sc_ratio_mul(&square, &root, &root);
        CHECK(sc_ratio_compare_int64(&square, (int64_t)c) >= 0);
        sc_ratio tiny;
        parse("2^-58", &tiny);
        sc_ratio_sub(&square, &square, &tiny);
        CHECK(sc_ratio_compare_int64(&square, (int64_t)c) < 0);
        sc_ratio_clear(&tiny);
    }
    sc_ratio_clear(&d);
    sc_ratio_clear(&root);
    sc_ratio_clear(&square);
    sc_ratio_clear(&sum);
    sc_integer_clear(&got);
    sc_integer_clear(&want);
}

TEST(grid_refuses_what_is_not_one)
{
    const struct {
        const char *step, *lower, *upper, *missing;
        scrim_status status;
        const char *names;
    } rows[] = {
        {"1", "0", "10", "5", SCRIM_OK, ""},
        {"2^-10", "-1", "1", NULL, SCRIM_OK, ""},
        {"1000", "-5000", "1e6", "0", SCRIM_OK, ""},
        {"1/3", "0", "1", NULL, SCRIM_E_PARAM, "grid"},
        {"3", "0", "3", NULL, SCRIM_E_PARAM, "grid"},
        {"20", "0", "40", NULL, SCRIM_E_PARAM, "grid"},
        {"0", "0", "1", NULL, SCRIM_E_PARAM, "grid"},
        {"-1", "0", "1", NULL, SCRIM_E_PARAM, "grid"},
        {"1e330", "0", "1e330", NULL, SCRIM_OK, ""},
        {"1e331", "0", "1e331", NULL, SCRIM_E_LIMIT, "grid"},
        {"1e-331", "0", "1", NULL, SCRIM_E_LIMIT, "grid"},
        {"2^-1101", "0", "1", NULL, SCRIM_E_LIMIT, "grid"},
        {"1", "5", "5", NULL, SCRIM_E_PARAM, "lower"},
        {"1", "1", "0", NULL, SCRIM_E_PARAM, "lower"},
        {"1", "0.5", "2", NULL, SCRIM_E_PARAM, "lower"},
        {"0.1", "0", "0.25", NULL, SCRIM_E_PARAM, "upper"},
        {"1", "0", "2^62", NULL, SCRIM_OK, ""},
        {"1", "0", "4611686018427387905", NULL, SCRIM_E_LIMIT, "upper"},
        {"1", "0", "10", "11", SCRIM_E_PARAM, "missing"},
        {"1", "0", "10", "1/2", SCRIM_E_PARAM, "missing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sc_grid grid = {.exponent = 99};
        scrim_error error = {0};
        CHECK_STATUS(grid_from(&grid, rows[i].step, rows[i].lower, rows[i].upper,
                               rows[i].missing, &error),
                     rows[i].status);
        if (rows[i].status != SCRIM_OK) {
            CHECK_INT(grid.exponent, 99);
            CHECK(strncmp(error.message, rows[i].names, strlen(rows[i].names)) == 0);
        }
    }
}

/* A15, A16, A17: what is summed are integers, so order and size of the offset do not matter. */
TEST(grid_sums_are_exact_in_any_order)
{
    CLAIM("grid.total");
    sc_grid grid;
    REQUIRE_OK(grid_from(&grid, "2^-2", "2^50", "1125899906842625", NULL, NULL));
    sc_int128 all = 0, one = 0;
    for (int i = 0; i < 1024; i++) {
        all += sc_grid_of_double(&grid, 0x1p50 + 0.25);
        one += sc_grid_of_double(&grid, i == 0 ? 0x1p50 : 0x1p50 + 0.25);
    }
    CHECK_INT(all - one, 1);
    /* {2^53, 1 x 1000} in both orders: doubles would give two sums */
    sc_grid unit;
    REQUIRE_OK(grid_from(&unit, "1", "0", "2^53", NULL, NULL));
    sc_int128 up = 0, down = 0;
    double float_up = 0, float_down = 0;
    for (int i = 0; i <= 1000; i++) {
        double x = i == 1000 ? 0x1p53 : 1, y = i == 0 ? 0x1p53 : 1;
        up += sc_grid_of_double(&unit, x);
        down += sc_grid_of_double(&unit, y);
        float_up += x;
        float_down += y;
    }
    CHECK_INT(up, down);
    CHECK(float_up - float_down > 0 || float_down - float_up > 0); /* the control */
}
