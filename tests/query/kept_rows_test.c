/* A30 in whole questions: which rows of a unit stay, and in which groups it counts, is uniform, new
 * at every question and independent of what stays of other units. Noise is so small that answers
 * tell what was kept: each unit has groups of its own, whose keys are public. */
#include "check.h"
#include "laws.h"
#include "query_scene.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define UNITS 30
#define CHOICES 4
/* A scale of 3/400 at most: no step in 1e50 draws. */
#define EXACT SCRIM_OPTIONS(scrim_query_options, .epsilon = "400", .workers = 1)

/* A unit's rows have the values 0 to 3: all in one group, or each in a group of its own. */
static bool begin(query_scene *s, bool is_apart)
{
    char policy[4000];
    size_t length = (size_t)snprintf(policy, sizeof policy,
                                     "unit=who\ncolumn=x=int[0,3]\ncolumn=place="
                                     "text\nbudget=epsilon=1e9\nkeys=place=");
    for (int i = 0; i < UNITS; i++)
        for (int k = 0; k < (is_apart ? CHOICES : 1); k++)
            length += (size_t)snprintf(policy + length, sizeof policy - length,
                                       "%sp%02d%d", i + k > 0 ? "," : "", i, k);
    snprintf(policy + length, sizeof policy - length, "\n");
    if (!query_scene_begin_with(s, policy, "-"))
        return false;
    snprintf(s->table, sizeof s->table, "%s/table.csv", s->base.folder);
    FILE *file = fopen(s->table, "w");
    if (!CHECK(file != NULL))
        return false;
    fputs("who,x,place\n", file);
    for (int k = 0; k < CHOICES; k++)
        for (int i = 0; i < UNITS; i++)
            fprintf(file, "u%d,%d,p%02d%d\n", i, k, i, is_apart ? k : 0);
    CHECK(fclose(file) == 0);
    const int input = open(s->table, O_RDONLY);
    const bool is_open = CHECK(input >= 0 && dup2(input, STDIN_FILENO) == STDIN_FILENO);
    close(input);
    return is_open;
}

/* The rows that stayed of each unit; false when that cannot be told. */
static bool ask(query_scene *s, const scrim_plan *plan, bool is_apart, int kept[UNITS])
{
    scrim_result *result = NULL;
    bool is_whole =
        CHECK(lseek(STDIN_FILENO, 0, SEEK_SET) == 0) &&
        CHECK_STATUS(scrim_query_run(s->vault, plan, &result, NULL), SCRIM_OK);
    for (size_t i = 0; is_whole && i < UNITS; i++) {
        long sum = 0, ones = 0;
        for (size_t k = 0; k < (is_apart ? CHOICES : 1); k++) {
            const size_t row = is_apart ? i * CHOICES + k : i;
            const char *value = scrim_result_cell_at(result, 0, row, 1)->value;
            sum += strtol(value, NULL, 10) * (is_apart ? (long)k : 1);
            ones += strtol(value, NULL, 10);
        }
        is_whole = CHECK(sum >= 0 && sum < CHOICES && (!is_apart || ones == 1));
        kept[i] = (int)sum;
    }
    scrim_result_free(result);
    return is_whole;
}

typedef struct counted {
    uint64_t alone[CHOICES];
    uint64_t beside[CHOICES * CHOICES]; /* with that of the next unit, */
    uint64_t before[CHOICES * CHOICES]; /* and of the question before */
} counted;

static void count(counted *c, const int now[UNITS], const int *before)
{
    for (int i = 0; i < UNITS; i++) {
        c->alone[now[i]]++;
        if (i % 2 == 0)
            c->beside[now[i] * CHOICES + now[i + 1]]++;
        if (before != NULL)
            c->before[before[i] * CHOICES + now[i]]++;
    }
}

static void check_even(const uint64_t *observed, size_t cells)
{
    double even[CHOICES * CHOICES];
    for (size_t i = 0; i < cells; i++)
        even[i] = 1 / (double)cells;
    CHECK(laws_chi_square(observed, even, cells) > LAWS_FALSE_ALARM);
}

static void check_kept(bool is_apart)
{
    const char *query = is_apart ? "SELECT place, COUNT(*) AS n GROUP BY place"
                                 : "SELECT place, SUM(x) AS n GROUP BY place";
    query_scene s;
    scrim_plan *plan = NULL;
    counted c = {{0}, {0}, {0}};
    int kept[2][UNITS];
    bool is_whole =
        begin(&s, is_apart) && CHECK_STATUS(scrim_plan_new(s.vault, "people", &query, 1,
                                                           EXACT, &plan, NULL, NULL),
                                            SCRIM_OK);
    /* Pairs of questions, so that each is before or behind one other only. */
    const uint64_t pairs = check_count_whole(25, 10000);
    for (uint64_t i = 0; is_whole && i < pairs; i++) {
        is_whole = ask(&s, plan, is_apart, kept[0]) && ask(&s, plan, is_apart, kept[1]);
        if (is_whole) {
            count(&c, kept[0], NULL);
            count(&c, kept[1], kept[0]);
        }
    }
    check_even(c.alone, CHOICES);
    check_even(c.beside, COUNT(c.beside));
    check_even(c.before, COUNT(c.before));
    scrim_plan_free(plan);
    query_scene_end(&s);
}

SLOW_TEST(A30_rows_that_stay_are_chosen_evenly_at_every_question)
{
    CLAIM("bound.uniform");
    check_kept(false);
}

SLOW_TEST(A30_groups_that_stay_are_chosen_evenly_at_every_question)
{
    CLAIM("bound.uniform");
    check_kept(true);
}
