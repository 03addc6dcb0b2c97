#include "check.h"
#include "lab/attack/reconstruct.h"
#include "lab/lab.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define UNKNOWN_SUM (LAB_BLOCK_PEOPLE * LAB_BLOCK_OLDEST)

/* The types of a group of the published table. */
static unsigned types_of(const char *id)
{
    static const struct {
        const char *id;
        unsigned mask, type;
    } groups[] = {{"1A", 0, 0},
                  {"2A", LAB_BLOCK_MALE, 0},
                  {"2B", LAB_BLOCK_MALE, LAB_BLOCK_MALE},
                  {"2C", LAB_BLOCK_WHITE, 0},
                  {"2D", LAB_BLOCK_WHITE, LAB_BLOCK_WHITE},
                  {"3B", LAB_BLOCK_MARRIED, LAB_BLOCK_MARRIED},
                  {"4A", LAB_BLOCK_WHITE | LAB_BLOCK_MALE, 0}};
    for (size_t i = 0; i < COUNT(groups); i++)
        if (strcmp(groups[i].id, id) == 0)
            return lab_block_types(groups[i].mask, groups[i].type);
    CHECK_FAIL("no group %s", id);
    return 0;
}

static bool is_used(const char *id, const json_t *used)
{
    for (size_t i = 0; i < json_array_size(used); i++)
        if (strcmp(json_string_value(json_array_get(used, i)), id) == 0)
            return true;
    return false;
}

/* Means are rounded to a tenth of a year: the sum is the integer that is nearest. */
static int sum_of(const json_t *row)
{
    return (int)(strtod(vectors_text(row, "mean"), NULL) *
                     (double)json_integer_value(json_object_get(row, "count")) +
                 0.5);
}

/* The statistics of the vectors that are published; those that are not used, by their count alone, and 4A
 * not even by that. */
static size_t read_statistics(const json_t *table, const json_t *used,
                              lab_block_statistic *out)
{
    const json_t *rows = json_object_get(table, "statistics");
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *id = vectors_text(row, "id");
        if (json_is_null(json_object_get(row, "count")))
            continue;
        const int people = (int)json_integer_value(json_object_get(row, "count"));
        const int median = (int)json_integer_value(json_object_get(row, "median"));
        lab_block_statistic *s = &out[count++];
        *s = (lab_block_statistic){types_of(id), people, people, 0, UNKNOWN_SUM, -1};
        if (is_used(id, used)) {
            s->sum_low = s->sum_high = sum_of(row);
            s->doubled_median = 2 * median;
        } else if (strcmp(id, "4A") == 0) {
            s->count_low = 0;
            s->count_high = LAB_BLOCK_PEOPLE;
        }
    }
    return count;
}

SLOW_TEST(block_table_counts_what_is_left)
{
    CLAIM("block-table.complete");
    const json_t *table = vectors_load("mechanisms", "table1");
    REQUIRE(table != NULL);
    const json_t *steps = json_object_get(table, "cumulative");
    CHECK(json_array_size(steps) > 0);
    /* The first two steps leave 6,229,620 blocks each, which the attack counts as well. */
    for (size_t i = check_is_long() ? 0 : 2; i < json_array_size(steps); i++) {
        const json_t *step = json_array_get(steps, i);
        lab_block_statistic statistics[LAB_BLOCK_STATISTICS];
        lab_block_found found;
        const size_t count =
            read_statistics(table, json_object_get(step, "used"), statistics);
        lab_block_search(statistics, count, UINT64_MAX, &found);
        CHECK_INT(found.count, json_integer_value(json_object_get(step, "solutions")));
        CHECK(found.is_complete);
    }
}

/* All statistics are used but one, whose count stays. */
static uint64_t count_without(const json_t *table, const char *dropped,
                              lab_block_found *found)
{
    const json_t *steps = json_object_get(table, "cumulative");
    const json_t *all =
        json_object_get(json_array_get(steps, json_array_size(steps) - 1), "used");
    lab_block_statistic statistics[LAB_BLOCK_STATISTICS];
    const size_t count = read_statistics(table, all, statistics);
    for (size_t i = 0; i < count; i++)
        if (strcmp(dropped, "none") != 0 && statistics[i].types == types_of(dropped)) {
            statistics[i].sum_low = 0;
            statistics[i].sum_high = UNKNOWN_SUM;
            statistics[i].doubled_median = -1;
        }
    lab_block_search(statistics, count, UINT64_MAX, found);
    return found->count;
}

SLOW_TEST(block_table_finds_the_block)
{
    CLAIM("block-table.complete");
    const json_t *table = vectors_load("mechanisms", "table1");
    REQUIRE(table != NULL);
    const json_t *solution = json_object_get(table, "solution");
    lab_block_found found;
    CHECK_INT(count_without(table, "none", &found), 1);
    for (size_t i = 0; i < LAB_BLOCK_PEOPLE; i++) {
        const json_t *person = json_array_get(solution, i);
        const unsigned type =
            (vectors_text(person, "sex")[0] == 'M' ? LAB_BLOCK_MALE : 0U) |
            (vectors_text(person, "race")[0] == 'W' ? LAB_BLOCK_WHITE : 0U) |
            (vectors_text(person, "marital")[0] == 'M' ? LAB_BLOCK_MARRIED : 0U);
        CHECK_INT(found.first[i].age, json_integer_value(json_object_get(person, "age")));
        CHECK_INT(found.first[i].type, type);
    }
    const json_t *rows = json_object_get(table, "leave_one_out_c");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        CHECK_INT(count_without(table, vectors_text(row, "dropped"), &found),
                  json_integer_value(json_object_get(row, "blocks")));
    }
}

static double seconds_of_thread(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The one block of the whole table, found in less than a second of the processor; sanitized too. */
SLOW_TEST(block_table_is_quick)
{
    CLAIM("block-table.complete");
    const json_t *table = vectors_load("mechanisms", "table1");
    lab_block_found found;
    REQUIRE(table != NULL);
    const double before = seconds_of_thread();
    CHECK_INT(count_without(table, "none", &found), 1);
    const double seconds = seconds_of_thread() - before;
    if (!CHECK(found.is_complete && seconds < 1))
        CHECK_FAIL("%g seconds", seconds);
}

/* Four women of age 0, all white and single: what is left are multisets of three ages. */
static uint64_t count_men(int sum, int doubled_median)
{
    const lab_block_statistic statistics[] = {{types_of("2A"), 4, 4, 0, 0, -1},
                                              {types_of("2D"), 7, 7, 0, UNKNOWN_SUM, -1},
                                              {types_of("3B"), 0, 0, 0, UNKNOWN_SUM, -1},
                                              {types_of("2B"), 3, 3, sum < 0 ? 0 : sum,
                                               sum < 0 ? UNKNOWN_SUM : sum,
                                               doubled_median}};
    lab_block_found found;
    lab_block_search(statistics, COUNT(statistics), UINT64_MAX, &found);
    return found.count;
}

TEST(block_table_counts_multisets)
{
    CLAIM("block-table.complete");
    const json_t *table = vectors_load("mechanisms", "table1");
    REQUIRE(table != NULL);
    CHECK_INT(count_men(132, 60),
              json_integer_value(json_object_get(table, "male_triples_given_2B")));
    CHECK_INT(count_men(-1, -1),
              json_integer_value(json_object_get(table, "male_triples_unconstrained")));
    /* A sum alone: ages a <= b <= c up to 125. */
    uint64_t triples = 0;
    for (int a = 0; a <= 125; a++)
        for (int b = a; b <= 125; b++)
            triples += 200 - a - b >= b && 200 - a - b <= 125;
    CHECK_INT(count_men(200, -1), triples);
}

TEST(block_table_stops_at_its_limit)
{
    const lab_block_statistic all = {0xff, 7, 7, 0, UNKNOWN_SUM, -1};
    lab_block_found found;
    lab_block_search(&all, 1, 1000, &found);
    CHECK_INT(found.count, 1000);
    CHECK(!found.is_complete);
}

static bool draw_bits(unsigned char bits[LAB_BIT_SUMS_PEOPLE])
{
    lab_random *random = NULL;
    sc_entropy_seed(check_seed());
    if (!CHECK_STATUS(lab_random_open(&random, NULL), SCRIM_OK))
        return false;
    for (size_t i = 0; i < LAB_BIT_SUMS_PEOPLE; i++)
        bits[i] = (unsigned char)lab_random_below(random, 2);
    lab_random_close(random);
    sc_entropy_release();
    return true;
}

TEST(bit_sums_are_sums_of_half)
{
    unsigned char bits[LAB_BIT_SUMS_PEOPLE];
    int64_t sums[LAB_BIT_SUMS_QUERIES];
    REQUIRE(draw_bits(bits));
    lab_bit_sums_ask(bits, sums);
    for (unsigned j = 0; j < LAB_BIT_SUMS_QUERIES; j++) {
        int64_t sum = 0;
        for (unsigned i = 0; i < LAB_BIT_SUMS_PEOPLE; i++)
            sum += __builtin_popcount(j & (i + 1)) % 2 == 0 ? bits[i] : 0;
        CHECK_INT(sums[j], sum);
    }
}

/* The sensitivity that scrim's release declares: each person is in half of the queries. */
TEST(bit_sums_move_by_half_of_the_queries)
{
    unsigned char bits[LAB_BIT_SUMS_PEOPLE];
    int64_t sums[LAB_BIT_SUMS_QUERIES], others[LAB_BIT_SUMS_QUERIES];
    REQUIRE(draw_bits(bits));
    lab_bit_sums_ask(bits, sums);
    for (size_t i = 0; i < LAB_BIT_SUMS_PEOPLE; i += 37) {
        int64_t moved = 0;
        bits[i] ^= 1;
        lab_bit_sums_ask(bits, others);
        bits[i] ^= 1;
        for (size_t j = 0; j < LAB_BIT_SUMS_QUERIES; j++)
            moved += llabs(sums[j] - others[j]);
        CHECK_INT(moved, LAB_BIT_SUMS_QUERIES / 2);
    }
}

TEST(bit_sums_give_all_bits_away)
{
    unsigned char bits[LAB_BIT_SUMS_PEOPLE];
    int64_t sums[LAB_BIT_SUMS_QUERIES];
    REQUIRE(draw_bits(bits));
    lab_bit_sums_ask(bits, sums);
    CHECK_INT(lab_bit_sums_recovered(sums, bits), LAB_BIT_SUMS_PEOPLE);

    /* Rounding is noise of deviation 1.1. */
    for (size_t j = 0; j < LAB_BIT_SUMS_QUERIES; j++)
        sums[j] = (sums[j] + 2) / 4 * 4;
    CHECK(lab_bit_sums_recovered(sums, bits) >= 990);
    CHECK_NEAR(lab_bit_sums_expected(4), 0.977249868, 1e-6);
    CHECK_NEAR(lab_bit_sums_expected(0), 1, 0);
}
