/* A33: who asks about all, and about all but one, learns of that one what the charges allow. */
#include "audit/bounds.h"
#include "check.h"
#include "query_scene.h"
#include "sampling/law.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FALSE_ALARM 1e-9
#define OTHERS 20
#define EPSILON "0.5"

/* Bob is the one of age 97. */
static bool write_people(query_scene *s, bool with_bob)
{
    FILE *file = fopen(s->table, "w");
    if (file == NULL)
        return CHECK(false);
    fputs("person,age\n", file);
    for (int i = 0; i < OTHERS; i++)
        fprintf(file, "%d,%d\n", i, 20 + i);
    if (with_bob)
        fputs("bob,97\n", file);
    return CHECK(fclose(file) == 0);
}

static bool begin(query_scene *s, bool with_bob)
{
    if (!query_scene_begin_with(
            s, "unit=person\ncolumn=age=int[0,120]\nbudget=epsilon=1e6\n", "-"))
        return false;
    snprintf(s->table, sizeof s->table, "%s/table.csv", s->base.folder);
    if (!write_people(s, with_bob))
        return false;
    const int file = open(s->table, O_RDONLY);
    const bool is_open = CHECK(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    close(file);
    return is_open;
}

static long count(query_scene *s, const char *query)
{
    scrim_result *result = NULL;
    long value = 0;
    if (CHECK(lseek(STDIN_FILENO, 0, SEEK_SET) == 0) &&
        CHECK_STATUS(query_scene_ask(s, query,
                                     SCRIM_OPTIONS(scrim_query_options,
                                                   .epsilon = EPSILON, .workers = 1),
                                     &result),
                     SCRIM_OK))
        value = strtol(scrim_result_cell_at(result, 0, 0, 0)->value, NULL, 10);
    scrim_result_free(result);
    return value;
}

/* How often the attacker says that Bob is there: when he seems to make a difference of 1. */
static uint64_t guesses(bool with_bob, uint64_t pairs)
{
    query_scene s;
    char left[3 * SCRIM_NUMBER_BYTES], want[40];
    uint64_t said = 0;
    if (begin(&s, with_bob))
        for (uint64_t i = 0; i < pairs; i++)
            said += count(&s, "SELECT COUNT(*)") -
                        count(&s, "SELECT COUNT(*) WHERE age <> 97") >=
                    1;
    /* Two charges a pair, of half each. */
    snprintf(want, sizeof want, "%llu %s %llu", 1000000ULL - (unsigned long long)pairs,
             "0", 2 * (unsigned long long)pairs);
    CHECK_STR(query_scene_left(&s, left), want);
    query_scene_end(&s);
    return said;
}

/* P(Z_1 = Z_2) of two discrete Laplace noises of scale 2: what one row is worth to that attacker,
 * P(1 + Z_1 - Z_2 >= 1) - P(Z_1 - Z_2 >= 1). */
static double expected_advantage(void)
{
    const double p = exp(-0.5), c = (1 - p) / (1 + p);
    return c * c * (1 + p * p) / (1 - p * p);
}

SLOW_TEST(A33_differencing_gains_what_was_charged)
{
    const uint64_t pairs = check_count(50, 1000);
    const double bound = (exp(1) - 1) / (exp(1) + 1); /* at the total of 1 */
    const uint64_t there = guesses(true, pairs), away = guesses(false, pairs);
    const double there_low = sc_binomial_lower(there, pairs, FALSE_ALARM);
    const double there_high = sc_binomial_upper(there, pairs, FALSE_ALARM);
    const double away_low = sc_binomial_lower(away, pairs, FALSE_ALARM);
    const double away_high = sc_binomial_upper(away, pairs, FALSE_ALARM);
    CHECK(expected_advantage() < bound);
    CHECK(there_low - away_high <= bound);
    if (!CHECK(there_low - away_high <= expected_advantage() &&
               there_high - away_low >= expected_advantage()))
        CHECK_FAIL("%llu and %llu of %llu", (unsigned long long)there,
                   (unsigned long long)away, (unsigned long long)pairs);
    if (check_is_long())
        printf("# advantage %.4f, expected %.4f, bound %.4f\n",
               ((double)there - (double)away) / (double)pairs, expected_advantage(),
               bound);
}
