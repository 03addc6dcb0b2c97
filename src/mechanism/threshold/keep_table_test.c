#include "balls.h"
#include "check.h"
#include "exact.h"
#include "faults.h"
#include "mechanism/threshold/keep_table.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <string.h>

/* Text of a member: a string, or an integer that fits 64 bits. */
static sc_uint128 whole_of(const json_t *value)
{
    sc_uint128 out = 0;
    if (json_is_integer(value))
        return (sc_uint128)json_integer_value(value);
    const char *text = json_string_value(value);
    for (; text != NULL && *text >= '0' && *text <= '9'; text++)
        out = (sc_uint128)10 * out + (unsigned)(*text - '0');
    return out;
}

static scrim_status table_of(const char *epsilon, const char *delta, uint64_t parts,
                             sc_keep_table *out, scrim_error *error)
{
    sc_ratio e, d;
    exact_ratio(epsilon, &e);
    exact_ratio(delta, &d);
    scrim_status status = sc_keep_table_init(out, &e, &d, parts, error);
    sc_ratio_clear(&d);
    sc_ratio_clear(&e);
    return status;
}

static bool table_of_row(const json_t *row, sc_keep_table *out)
{
    return CHECK_STATUS(table_of(json_string_value(json_object_get(row, "eps")),
                                 json_string_value(json_object_get(row, "delta")), 1, out,
                                 NULL),
                        SCRIM_OK);
}

/* The printed numbers. */

TEST(keep_table_has_the_printed_integers)
{
    CLAIM("keep-table.private");
    json_t *rows = vectors_load("thresholding", "partition_selection_fixed_point"), *row,
           *value;
    size_t r, entries = 0;
    json_array_foreach(rows, r, row)
    {
        sc_keep_table table;
        const char *n;
        REQUIRE(table_of_row(row, &table));
        CHECK(table.growth == whole_of(json_object_get(row, "A")));
        CHECK(table.new_mass == whole_of(json_object_get(row, "delta_fixed")));
        CHECK_INT(table.certain,
                  json_integer_value(json_object_get(row, "first_n_with_certainty")));
        json_object_foreach(json_object_get(row, "table"), n, value)
        {
            CHECK(sc_keep_table_at(&table, strtoull(n, NULL, 10)) == whole_of(value));
            entries++;
        }
        sc_keep_table_clear(&table);
    }
    CHECK(json_array_size(rows) >= 3 && entries >= 20);
}

TEST(keep_table_is_the_optimum_to_12_digits)
{
    CLAIM("keep-table.optimal");
    json_t *rows = vectors_load("thresholding", "optimal_partition_selection"), *row,
           *value;
    size_t r, entries = 0;
    json_array_foreach(rows, r, row)
    {
        sc_keep_table table;
        const char *n;
        REQUIRE(table_of_row(row, &table));
        CHECK_INT(table.certain, json_integer_value(json_object_get(row, "n2")) + 1);
        json_object_foreach(json_object_get(row, "pi"), n, value)
        {
            const double p =
                (double)sc_keep_table_at(&table, strtoull(n, NULL, 10)) * 0x1p-126;
            const double exact = strtod(json_string_value(value), NULL);
            CHECK_NEAR(p, exact, 1e-12);
            entries++;
        }
        sc_keep_table_clear(&table);
    }
    CHECK(json_array_size(rows) >= 3 && entries >= 20);
}

/* In integers. */

/* a b <= c d + e f */
static bool at_most(sc_uint128 a, sc_uint128 b, sc_uint128 c, sc_uint128 d, sc_uint128 e,
                    sc_uint128 f)
{
    sc_integer left, right, x, y;
    sc_integer_init(&left);
    sc_integer_init(&right);
    sc_integer_init(&x);
    sc_integer_init(&y);
    sc_integer_set_uint128(&x, a);
    sc_integer_set_uint128(&y, b);
    sc_integer_mul(&left, &x, &y);
    sc_integer_set_uint128(&x, c);
    sc_integer_set_uint128(&y, d);
    sc_integer_mul(&right, &x, &y);
    sc_integer_set_uint128(&x, e);
    sc_integer_set_uint128(&y, f);
    sc_integer_mul(&x, &x, &y);
    sc_integer_add(&right, &right, &x);
    const bool result = sc_integer_compare(&left, &right) <= 0;
    sc_integer_clear(&y);
    sc_integer_clear(&x);
    sc_integer_clear(&right);
    sc_integer_clear(&left);
    return result;
}

#define ONE ((sc_uint128)1 << SC_KEEP_GROWTH_BITS)

/* P(n) <= e^epsilon P(m) + delta, of 2^126 and with A for e^epsilon, of kept and of left out. */
static bool is_private(const sc_keep_table *t, sc_uint128 n, sc_uint128 m)
{
    return at_most(n, ONE, t->growth, m, t->new_mass, ONE) &&
           at_most(SC_KEEP_WHOLE - n, ONE, t->growth, SC_KEEP_WHOLE - m, t->new_mass,
                   ONE);
}

static const struct {
    const char *epsilon, *delta;
    uint64_t parts;
} cases[] = {{"1", "1e-5", 1},   {"1/10", "1e-6", 1}, {"3", "1e-19", 1},
             {"1", "1/2", 1},    {"2", "1e-4", 7},    {"50", "1e-9", 1},
             {"44", "0.9", 1},   {"1/2", "3/4", 2},   {"2^-60", "1/9", 1},
             {"1", "2^-126", 1}, {"1000", "1e-3", 3}};

/* Neighbours in both directions; and one more of 2^126 would be too much. */
TEST(keep_table_is_private_and_no_larger_one_is)
{
    CLAIM("keep-table.private");
    CLAIM("keep-table.optimal");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sc_keep_table t;
        REQUIRE_OK(table_of(cases[i].epsilon, cases[i].delta, cases[i].parts, &t, NULL));
        CHECK(t.growth >= ONE);
        CHECK(t.keep[0] == 0 && t.keep[1] == t.new_mass);
        CHECK(t.keep[t.certain] == SC_KEEP_WHOLE);
        size_t bad = 0;
        for (size_t n = 0; n < t.certain; n++) {
            const sc_uint128 p = t.keep[n], q = t.keep[n + 1];
            bad += q <= p || !is_private(&t, p, q) || !is_private(&t, q, p);
            bad += q < SC_KEEP_WHOLE &&
                   (is_private(&t, p, q + 1) && is_private(&t, q + 1, p));
        }
        CHECK_INT(bad, 0);
        sc_keep_table_clear(&t);
    }
}

/* Beyond 44 no more is spent: e^44 is the most that has room. */
TEST(keep_table_ends_at_44)
{
    CLAIM("keep-table.private");
    static const char *const epsilons[] = {"44", "44.1", "1000", "43.9"};
    sc_keep_table t[4];
    for (size_t i = 0; i < 4; i++)
        REQUIRE_OK(table_of(epsilons[i], "1e-9", 1, &t[i], NULL));
    CHECK(t[0].growth >> 125 == 1);
    CHECK(t[1].growth == t[0].growth && t[2].growth == t[0].growth);
    CHECK(t[3].growth < t[0].growth);
    for (size_t i = 0; i < 4; i++)
        sc_keep_table_clear(&t[i]);
}

/* The parts together have delta, and with one of 2^126 more they would exceed it. */
TEST(keep_table_shares_epsilon_and_delta)
{
    CLAIM("keep-table.private");
    const uint64_t parts[] = {1, 2, 3, 10, 1000};
    sc_ball mass, delta, growth, epsilon;
    sc_ball_init(&mass);
    sc_ball_init(&delta);
    sc_ball_init(&growth);
    sc_ball_init(&epsilon);
    REQUIRE(ball_set_text(&delta, "0.001", 512));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sc_keep_table t;
        REQUIRE_OK(table_of("3", "1e-3", parts[i], &t, NULL));
        for (int more = 0; more < 2; more++) {
            sc_ball_set_int128(&mass, (sc_int128)(SC_KEEP_WHOLE - t.new_mass) - more);
            sc_ball_mul_power2(&mass, &mass, -SC_KEEP_BITS);
            sc_ball_power(&mass, &mass, parts[i], 512);
            sc_ball_neg(&mass, &mass);
            sc_ball_add_int64(&mass, &mass, 1, 512);
            CHECK(more ? sc_ball_is_less(&delta, &mass) : sc_ball_is_less(&mass, &delta));
            /* A^parts against e^3 */
            sc_ball_set_int128(&growth, (sc_int128)t.growth + more);
            sc_ball_mul_power2(&growth, &growth, -SC_KEEP_GROWTH_BITS);
            sc_ball_power(&growth, &growth, parts[i], 512);
            sc_ball_set_int64(&epsilon, 3);
            sc_ball_exp(&epsilon, &epsilon, 512);
            CHECK(more ? sc_ball_is_less(&epsilon, &growth)
                       : sc_ball_is_less(&growth, &epsilon));
        }
        sc_keep_table_clear(&t);
    }
    sc_ball_clear(&epsilon);
    sc_ball_clear(&growth);
    sc_ball_clear(&delta);
    sc_ball_clear(&mass);
}

TEST(keep_table_finds_the_number_of_units)
{
    sc_keep_table t;
    REQUIRE_OK(table_of("1/2", "1e-4", 1, &t, NULL));
    for (size_t n = 1; n <= t.certain; n++) {
        CHECK_INT(sc_keep_table_units(&t, t.keep[n]), n);
        CHECK_INT(sc_keep_table_units(&t, t.keep[n - 1] + 1), n);
    }
    CHECK_INT(sc_keep_table_units(&t, 0), 0);
    CHECK_INT(sc_keep_table_units(&t, SC_KEEP_WHOLE), t.certain);
    sc_keep_table_clear(&t);
}

/* Drawing. */

/* Is a group of n units kept when the 126 bits are u? The two bits below them do not count. */
static bool is_kept(const sc_keep_table *t, uint64_t n, sc_uint128 u, unsigned below)
{
    const sc_uint128 word = u << 2 | below;
    const uint64_t words[] = {(uint64_t)(word >> 64), (uint64_t)word};
    sc_tape *tape = NULL;
    bool kept = false;
    if (CHECK_STATUS(sc_tape_words(words, 2, &tape, NULL), SCRIM_OK))
        CHECK_STATUS(sc_keep_table_draw(sc_tape_bits_of(tape), t, n, &kept, NULL),
                     SCRIM_OK);
    sc_tape_free(tape);
    return kept;
}

/* Kept are exactly the first p(n) of 2^126 tapes: both sides of the border, and both ends. */
TEST(keep_table_draws_to_the_last_bit)
{
    CLAIM("keep-table.exact");
    sc_keep_table t;
    REQUIRE_OK(table_of("1", "1e-5", 1, &t, NULL));
    for (size_t n = 1; n < t.certain; n++)
        for (unsigned below = 0; below < 4; below++) {
            CHECK(is_kept(&t, n, t.keep[n] - 1, below));
            CHECK(!is_kept(&t, n, t.keep[n], below));
            CHECK(is_kept(&t, n, 0, below));
            CHECK(!is_kept(&t, n, SC_KEEP_WHOLE - 1, below));
        }
    CHECK(!is_kept(&t, 0, 0, 0));
    CHECK(is_kept(&t, t.certain, SC_KEEP_WHOLE - 1, 3));
    CHECK(is_kept(&t, UINT64_MAX, SC_KEEP_WHOLE - 1, 3));
    sc_keep_table_clear(&t);
}

/* Two words a group, whatever it holds; when one is missing nothing is decided. */
TEST(keep_table_takes_two_words_or_decides_nothing)
{
    CLAIM("keep-table.exact");
    static const uint64_t units[] = {0, 1, 1000};
    const uint64_t words[3] = {0};
    sc_keep_table t;
    REQUIRE_OK(table_of("1", "1e-5", 1, &t, NULL));
    for (size_t i = 0; i < COUNT(units); i++)
        for (size_t given = 0; given <= 3; given++) {
            bool kept = false;
            uint64_t left;
            sc_tape *tape = NULL;
            REQUIRE_OK(sc_tape_words(words, given, &tape, NULL));
            sc_bits *bits = sc_tape_bits_of(tape);
            CHECK_STATUS(sc_keep_table_draw(bits, &t, units[i], &kept, NULL),
                         given >= 2 ? SCRIM_OK : SCRIM_E_ENTROPY);
            CHECK(kept == (given >= 2 && units[i] > 0));
            CHECK_STATUS(sc_bits_word(bits, &left, NULL),
                         given == 3 ? SCRIM_OK : SCRIM_E_ENTROPY);
            sc_tape_free(tape);
        }
    sc_keep_table_clear(&t);
}

/* Refusals. */

TEST(keep_table_refuses_what_never_keeps)
{
    const struct {
        const char *epsilon, *delta;
        uint64_t parts;
        const char *text;
    } bad[] = {{"1", "2^-127", 1, "delta"},
               {"1", "2^-126", 2, "delta"},
               {"1e-9", "1e-12", 1, "4194304"},
               {"1", "1e-9", 1 << 20, "4194304"},
               {"2^-60", "2^-25", 1, "4194304"},
               /* found by filling it, which takes a second */
               {"2^-60", "2^-23", 1, "4194304"}};
    const size_t count = sizeof bad / sizeof *bad;
    for (size_t i = 0; i < check_count(count - 1, count); i++) {
        sc_keep_table t;
        scrim_error error = {.message = ""};
        CHECK_STATUS(table_of(bad[i].epsilon, bad[i].delta, bad[i].parts, &t, &error),
                     SCRIM_E_LIMIT);
        CHECK(strstr(error.message, bad[i].text) != NULL);
        CHECK(t.keep == NULL);
    }
}

TEST(keep_table_survives_a_lack_of_memory)
{
    int made = 0;
    FAULT_LOOP(fault)
    {
        sc_keep_table t;
        scrim_status status = table_of("1/10", "1e-6", 1, &t, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        made += status == SCRIM_OK;
        sc_keep_table_clear(&t);
    }
    CHECK_INT(made, 1);
}
