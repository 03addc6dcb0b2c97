#include "balls.h"
#include "choices.h"
#include "exact.h"
#include "goodness.h"
#include "mechanism/threshold/keep_table.h"
#include "mechanism/threshold/partition_selection.h"
#include "random/bits_tape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINE "partition-selection epsilon=1 delta=1e-5 neighbours=add-remove"

static double chance(const scrim_measurement *m, int64_t n)
{
    return (double)sc_keep_table_at(sc_partition_table(m), (uint64_t)n) * 0x1p-126;
}

/* The law: each group on its own. */

TEST(partition_selection_keeps_groups_independently)
{
    CLAIM("partition-selection.exact");
    static const int64_t units[] = {12, 0, 10, 1000, 5};
    scrim_measurement *m = choices_new(LINE);
    sc_outcomes law;
    REQUIRE(m != NULL && choices_law(m, units, 5, 128, &law));
    CHECK_INT(law.count, 8); /* nobody's group is out, the large one in */
    choices_check_total(&law, 100);
    for (int64_t i = 0; i < 8; i++) {
        const int64_t key[] = {i & 1, 0, i >> 1 & 1, 1, i >> 2};
        double expected = 1;
        sc_ball mass;
        sc_ball_init(&mass);
        outcomes_mass(&law, key, &mass);
        for (size_t k = 0; k < 5; k++)
            expected *= key[k] ? chance(m, units[k]) : 1 - chance(m, units[k]);
        CHECK_NEAR(goodness_middle(&mass), expected, 1e-12);
        sc_ball_clear(&mass);
    }
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

TEST(partition_selection_frequencies_fit_the_law)
{
    CLAIM("partition-selection.exact");
    static const int64_t units[] = {11, 0, 12, 9, 40};
    const uint64_t draws = check_count(20000, 1000000);
    choices_fit(LINE, units, 5, draws);
    choices_fit("partition-selection epsilon=1 delta=1e-2 max-groups=3 "
                "neighbours=replace",
                units, 5, draws);
}

/* Two words for each group, and all or nothing. */
TEST(partition_selection_fails_closed_without_bits)
{
    static const int64_t units[] = {11, 0, 12};
    choices_check_entropy(LINE, units, 3);
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    for (int64_t n = 0; n < 30; n += 10) {
        const int64_t same[] = {n, n, n};
        const uint64_t words[6] = {0};
        sc_int128 answer[3] = {9, 9, 9};
        sc_tape *tape = NULL;
        REQUIRE_OK(sc_tape_words(words, 6, &tape, NULL));
        CHECK_STATUS(choices_draw(m, sc_tape_bits_of(tape), same, 3, answer, 3),
                     SCRIM_OK);
        CHECK(answer[0] == (n > 0) && answer[2] == (n > 0));
        uint64_t more = 0;
        CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &more, NULL), SCRIM_E_ENTROPY);
        sc_tape_free(tape);
    }
    scrim_measurement_free(m);
}

/* The bits for many groups are those of keep_table.h: the same answer, or none. */
TEST(partition_selection_draws_many_groups_by_the_block)
{
    CLAIM("partition-selection.exact");
    enum { GROUPS = 2 * 4096 + 77 };
    static int64_t units[GROUPS];
    static uint64_t kept[GROUPS / 64 + 1], words[GROUPS / 4 + 200];
    static sc_int128 answer[GROUPS];
    static sc_mark marks[GROUPS]; /* SC_MARK_VALUE is 0 */
    sc_tape *seeded = NULL;
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    for (size_t i = 0; i < GROUPS; i++)
        units[i] = (int64_t)(i % 27);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &seeded, NULL));
    REQUIRE_OK(sc_bits_fill(sc_tape_bits_of(seeded), words, COUNT(words), NULL));
    sc_tape_free(seeded);
    const size_t need = 2 * 1024 + 2 * 16 + 3 * 2 * SC_KEEP_TIES; /* 77 are two words */
    for (size_t given = need - 1; given <= need; given++) {
        sc_tape *tape = NULL, *twin = NULL;
        sc_draw room = {.values = answer, .marks = marks, .capacity = GROUPS};
        REQUIRE_OK(sc_tape_words(words, given, &tape, NULL));
        REQUIRE_OK(sc_tape_words(words, need, &twin, NULL));
        REQUIRE_OK(sc_keep_many(sc_tape_bits_of(twin), sc_partition_table(m), units,
                                GROUPS, kept, NULL));
        CHECK_STATUS(
            m->mechanism->draw(m, sc_tape_bits_of(tape),
                               &(sc_private_input){.values = units, .count = GROUPS},
                               &room, NULL),
            given < need ? SCRIM_E_ENTROPY : SCRIM_OK);
        size_t unlike = 0;
        for (size_t i = 0; i < GROUPS; i++)
            unlike += answer[i] != (given < need ? 0 : kept[i / 64] >> i % 64 & 1) ||
                      marks[i] != SC_MARK_VALUE;
        CHECK_INT(unlike, 0);
        CHECK_INT(room.count, given < need ? 0 : GROUPS);
        sc_tape_free(twin);
        sc_tape_free(tape);
    }
    scrim_measurement_free(m);
}

/* The claim. */

static double delta_at(const scrim_measurement *m, const char *epsilon)
{
    double upper = -1;
    CHECK_STATUS(scrim_measurement_delta_at(m, epsilon, &upper, NULL), SCRIM_OK);
    return upper;
}

static void check_cost(const char *line, uint64_t parts)
{
    scrim_measurement *m = choices_new(line);
    scrim_cost cost;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
    CHECK_STR(cost.epsilon, "1");
    CHECK_STR(cost.delta, "0.0001");
    CHECK_STR(cost.rho, "");
    CHECK_INT(sc_partition_parts(m), parts);
    /* At epsilon and beyond what is left is the mass of new groups. */
    const double mass = chance(m, 1);
    CHECK_NEAR(mass, -expm1(log1p(-1e-4) / (double)parts), 1e-12);
    CHECK_NEAR(delta_at(m, "1"), 1e-4, 1e-12);
    CHECK_NEAR(delta_at(m, "30"), 1e-4, 1e-12);
    CHECK(delta_at(m, "1/2") > 1e-4 && delta_at(m, "1/2") < delta_at(m, "0"));
    scrim_measurement_free(m);
}

TEST(partition_selection_charges_what_it_was_given)
{
    CLAIM("partition-selection.privacy");
    check_cost("partition-selection epsilon=1 delta=1e-4 neighbours=add-remove", 1);
    check_cost("partition-selection epsilon=1 delta=1e-4 neighbours=replace", 2);
    check_cost("partition-selection epsilon=1 delta=1e-4 max-groups=5 "
               "neighbours=add-remove",
               5);
    check_cost("partition-selection epsilon=1 delta=1e-4 max-groups=5 neighbours=replace",
               10);
}

/* The curve of one group is the worst of all pairs; in doubles, from the table. */
TEST(partition_selection_curve_is_that_of_the_law)
{
    CLAIM("partition-selection.privacy");
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    for (int i = 0; i <= 12; i++) {
        char text[16];
        double worst = 0;
        const double e = i / 10.0;
        snprintf(text, sizeof text, "%d/10", i);
        for (int64_t n = 0; n < 30; n++) {
            const double p = chance(m, n), q = chance(m, n + 1);
            worst = fmax(worst, fmax(q - exp(e) * p, 1 - p - exp(e) * (1 - q)));
        }
        CHECK_NEAR(delta_at(m, text), worst, 1e-9); /* doubles cancel */
    }
    scrim_measurement_free(m);
    /* A long table has the curve of one part, which is above it: of RR(epsilon) and a mass. */
    m = choices_new(
        "partition-selection epsilon=1/1000 delta=1e-5 neighbours=add-remove");
    REQUIRE(m != NULL);
    CHECK(sc_partition_table(m)->certain > 4096);
    const double worst = 1e-5 + (1 - 1e-5) * tanh(0.0005);
    CHECK_NEAR(delta_at(m, "0"), worst, 1e-12);
    scrim_measurement_free(m);
}

/* The certificate: no smaller number of units will do. */
TEST(partition_selection_certifies_the_smallest_group)
{
    CLAIM("partition-selection.accuracy");
    static const char *const confidences[] = {"0.5", "0.95", "0.999999", "1e-4"};
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    for (size_t i = 0; i < 4; i++) {
        scrim_certificate c;
        REQUIRE_OK(scrim_measurement_certify(m, confidences[i], 7, &c, NULL));
        const int64_t units = strtoll(c.radius, NULL, 10);
        CHECK_INT(c.form, SCRIM_CERTIFICATE_PAC);
        CHECK_STR(c.excludes, "smaller groups, which may be left out");
        CHECK(chance(m, units) >= strtod(confidences[i], NULL));
        CHECK(chance(m, units - 1) < strtod(confidences[i], NULL));
    }
    /* pi(11) = .348, pi(12) = .760, pi(13) = .912, pi(14) = .968 by the specification. */
    scrim_certificate c;
    REQUIRE_OK(scrim_measurement_certify(m, "0.5", 1, &c, NULL));
    CHECK_STR(c.radius, "12");
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &c, NULL));
    CHECK_STR(c.radius, "14");
    /* p(12) and half of 2^-126 more. */
    const sc_uint128 p = sc_keep_table_at(sc_partition_table(m), 12);
    for (unsigned more = 0; more < 2; more++) {
        char above[SC_INT128_BYTES], below[SC_INT128_BYTES], ratio[2 * SC_INT128_BYTES];
        sc_int128_format((sc_int128)(p * 2 + more), above);
        sc_int128_format((sc_int128)SC_KEEP_WHOLE, below);
        snprintf(ratio, sizeof ratio, "%s/%s", above, below);
        sc_ratio half;
        exact_ratio(ratio, &half);
        sc_ratio two;
        exact_ratio("2", &two);
        sc_ratio_div(&half, &half, &two);
        sc_ratio_set_int64(&two, 1);
        sc_ratio_sub(&half, &two, &half); /* beta */
        SC_OWN(sc_certificate, exact);
        CHECK_STATUS(m->mechanism->certify(m, &half, 1, &exact, NULL), SCRIM_OK);
        CHECK(sc_ratio_compare_int64(&exact.radius, more ? 13 : 12) == 0);
        sc_ratio_clear(&two);
        sc_ratio_clear(&half);
    }
    scrim_measurement_free(m);
}

/* Epsilon, delta and fewer groups a unit can only help a group. */
TEST(partition_selection_is_monotone_in_what_is_spent)
{
    CLAIM("partition-selection.accuracy");
    static const char *const lines[] = {
        "partition-selection epsilon=1/2 delta=1e-6 max-groups=2 neighbours=replace",
        "partition-selection epsilon=1/2 delta=1e-6 max-groups=2 neighbours=add-remove",
        "partition-selection epsilon=1/2 delta=1e-6 neighbours=add-remove",
        "partition-selection epsilon=1 delta=1e-6 neighbours=add-remove",
        "partition-selection epsilon=1 delta=1e-5 neighbours=add-remove"};
    scrim_measurement *last = NULL;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = choices_new(lines[i]);
        REQUIRE(m != NULL);
        for (uint64_t n = 1; last != NULL && n <= sc_partition_table(last)->certain; n++)
            if (sc_keep_table_at(sc_partition_table(m), n) <
                sc_keep_table_at(sc_partition_table(last), n))
                CHECK_FAIL("%s: %d units", lines[i], (int)n);
        CHECK(last == NULL ||
              sc_partition_table(m)->certain < sc_partition_table(last)->certain);
        scrim_measurement_free(last);
        last = m;
    }
    scrim_measurement_free(last);
}

/* Invalid counts: a count below 0 or not a number is a group of nobody; no groups at all are
 * an answer too. */
TEST(partition_selection_takes_any_counts)
{
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    CHECK_INT(sc_domain_clamp(&m->domain, -5), 0);
    CHECK_INT(sc_domain_of_text(&m->domain, sc_text_of("nobody")), 0);
    CHECK_INT(sc_domain_of_text(&m->domain, sc_text_of("1e300")), (int64_t)1 << 62);
    CHECK_INT(m->domain.count_min, 0);
    sc_tape *tape = NULL;
    sc_int128 answer[1] = {9};
    REQUIRE_OK(sc_tape_seeded(1, &tape, NULL));
    CHECK_STATUS(choices_draw(m, sc_tape_bits_of(tape), NULL, 0, answer, 1), SCRIM_OK);
    CHECK(answer[0] == 9);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(partition_selection_refuses_what_is_none)
{
    static const choices_refusal cases[] = {
        {"epsilon=0 delta=1e-5 neighbours=replace", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=1 delta=1e-5 neighbours=local", SCRIM_E_PARAM, "neighbours"},
        {"epsilon=1 delta=1e-5 max-groups=0 neighbours=replace", SCRIM_E_PARAM,
         "max-groups"},
        {"epsilon=1 delta=1e-5 max-groups=1.5 neighbours=replace", SCRIM_E_PARAM,
         "max-groups"},
        {"epsilon=1 delta=1e-40 neighbours=replace", SCRIM_E_LIMIT, "delta"},
        {"epsilon=1 delta=2^-126 neighbours=replace", SCRIM_E_LIMIT, "delta"},
        {"epsilon=1e-6 delta=1e-9 neighbours=replace", SCRIM_E_LIMIT, "4194304"}};
    choices_refuse("partition-selection", cases, sizeof cases / sizeof *cases);
    choices_refuse_without("partition-selection");
}

TEST(partition_selection_lists_no_endless_law)
{
    static const int64_t units[64] = {0};
    const size_t counts[] = {21, 64};
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    for (size_t i = 0; i < 2; i++) {
        const sc_private_input input = {.values = units, .count = counts[i]};
        sc_outcomes law;
        sc_outcomes_init(&law, counts[i]);
        CHECK_STATUS(m->mechanism->law(m, &input, 128, &law, NULL), SCRIM_E_LIMIT);
        sc_outcomes_clear(&law);
    }
    scrim_measurement_free(m);
}
