/* Consistent totals from end to end: parts add up in every answer, and intervals have the truth as often as they say. */
#include "check.h"
#include "query_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 60, SEXES = 3, KINDS = 4 };

/* Person i has sex i % 3, the third of which is missing, and two rows, of kinds i % 4 and i % 2. */
static void count_rows(double count[SEXES + 1][KINDS + 1],
                       double sum[SEXES + 1][KINDS + 1], char *csv, size_t bytes)
{
    static const char *const sexes[] = {"Female", "Male", ""}, *const kinds[] = {
                                                                   "a", "b", "c", "d"};
    size_t used = (size_t)snprintf(csv, bytes, "person,sex,kind,x\n");
    for (size_t i = 0; i < PEOPLE; i++)
        for (size_t row = 0; row < 2; row++) {
            const size_t sex = i % 3, kind = row == 0 ? i % 4 : i % 2;
            used += (size_t)snprintf(csv + used, bytes - used, "p%d,%s,%s,%d\n", (int)i,
                                     sexes[sex], kinds[kind], (int)(i % 5));
            for (size_t s = 0; s < 2; s++)
                for (size_t k = 0; k < 2; k++) {
                    count[s == 0 ? sex : SEXES][k == 0 ? kind : KINDS] += 1;
                    sum[s == 0 ? sex : SEXES][k == 0 ? kind : KINDS] += (double)(i % 5);
                }
        }
}

static size_t place_of(const scrim_result_cell *cell, bool is_sex)
{
    if (cell->is_all)
        return is_sex ? SEXES : KINDS;
    if (!is_sex)
        return (size_t)(cell->value[0] - 'a');
    return cell->is_null ? 2 : cell->value[0] == 'M';
}

typedef struct tally {
    size_t inside, all;
} tally;

static void check_column(const scrim_result *result, size_t column,
                         double truth[SEXES + 1][KINDS + 1], tally *t)
{
    double shown[SEXES + 1][KINDS + 1] = {{0}};
    for (size_t i = 0; i < scrim_result_rows(result, 0); i++) {
        const scrim_result_cell *cell = scrim_result_cell_at(result, 0, i, column);
        const size_t sex = place_of(scrim_result_cell_at(result, 0, i, 0), true),
                     kind = place_of(scrim_result_cell_at(result, 0, i, 1), false);
        shown[sex][kind] = atof(cell->value);
        t->all++;
        t->inside +=
            atof(cell->low) <= truth[sex][kind] && truth[sex][kind] <= atof(cell->high);
    }
    double all = 0;
    for (size_t s = 0; s < SEXES; s++) {
        double parts = 0;
        for (size_t k = 0; k < KINDS; k++)
            parts += shown[s][k];
        CHECK(parts == shown[s][KINDS]);
        all += shown[s][KINDS];
    }
    CHECK(all == shown[SEXES][KINDS]);
}

static void check_many(query_scene *s, const char *query, const char *delta,
                       const char *mechanism, double count[SEXES + 1][KINDS + 1],
                       double sum[SEXES + 1][KINDS + 1])
{
    tally counts = {0, 0}, sums = {0, 0};
    const uint64_t runs = check_count_whole(25, 2000);
    for (uint64_t i = 0; i < runs; i++) {
        char epsilon[32];
        scrim_result *result = NULL;
        /* Another question each time: the same one has the same answer. */
        snprintf(epsilon, sizeof epsilon, "%d/100000", 60000 + (int)i);
        const scrim_status status = query_scene_ask(
            s, query,
            SCRIM_OPTIONS(scrim_query_options, .epsilon = epsilon, .delta = delta,
                          .mechanism = mechanism, .cut_share = "0"),
            &result);
        if (!CHECK_STATUS(status, SCRIM_OK)) {
            CHECK_STR(s->error.message, "");
            return;
        }
        check_column(result, 2, count, &counts);
        check_column(result, 3, sum, &sums);
        scrim_result_free(result);
    }
    const double first = (double)counts.inside / (double)counts.all,
                 second = (double)sums.inside / (double)sums.all;
    if (!CHECK(first >= (check_is_long() ? 0.94 : 0.88)) ||
        !CHECK(second >= (check_is_long() ? 0.94 : 0.88)) || !CHECK(first <= 0.999))
        CHECK_FAIL("counts are covered %.4f, sums %.4f", first, second);
}

SLOW_TEST(consistent_totals_add_up_and_cover_the_truth)
{
    CLAIM("consistent.adds-up");
    static char csv[8000];
    double count[SEXES + 1][KINDS + 1] = {{0}}, sum[SEXES + 1][KINDS + 1] = {{0}};
    static const char query[] = "SELECT sex, kind, COUNT(*) AS n, SUM(x) AS s GROUP BY "
                                "ROLLUP(sex, kind) WITH CONSISTENT TOTALS";
    query_scene s;
    count_rows(count, sum, csv, sizeof csv);
    if (query_scene_begin(&s,
                          "unit=person\ncolumn=sex=text\nkeys=sex=Female,Male\n"
                          "column=kind=text\nkeys=kind=a,b,c,d\nmissing=kind=a\n"
                          "column=x=int[0,4]\nmissing=x=0\nmax-total-rows=2\n"
                          "neighbours=add-remove\nbudget=epsilon=100000,delta=0.5\n",
                          csv)) {
        check_many(&s, query, NULL, "laplace", count, sum);
        check_many(&s, query, "1e-6", "gaussian", count, sum);
    }
    query_scene_end(&s);
}
