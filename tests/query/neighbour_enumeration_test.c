/* Section 0 of spec/query-semantics.md by enumeration: all tables of one unit with a few rows, NULL among its
 * values, its keys and its ids, through reading, bounding and summing. Between any two of them no number
 * moves farther than its sensitivity says, under either relation. */
#include "check.h"
#include "data/value/value.h"
#include "pass_scene.h"
#include "query/language/validate.h"
#include "query/rows/group_kept.h"
#include "query/rows/key_tuple.h"
#include "query/rows/sensitivity.h"

#include <string.h>
#include <unistd.h>

enum { GROUPS = 3, QUESTIONS = 5, STATISTICS = 16, TABLES = 300, ROWS = 3 };

static const char *const questions[QUESTIONS] = {
    "SELECT k, COUNT(*) AS n, COUNT(x) AS p, SUM(x) AS s, AVG(x) AS m, VAR(x) AS v, "
    "COUNT(DISTINCT who) AS u, COUNT(DISTINCT who) FILTER (WHERE x > 0) AS w, COUNT(*) "
    "FILTER (WHERE x > 0) AS f, SUM(x + 1) FILTER "
    "(WHERE x > 0) AS g GROUP BY k",
    "SELECT k, SUM(x) AS s GROUP BY k",
    "SELECT k, SUM(y) AS s, COUNT(DISTINCT who) AS u GROUP BY k",
    "SELECT k, COUNT(DISTINCT x) AS d GROUP BY k",
    "SELECT k, COUNT(DISTINCT x) AS d, COUNT(DISTINCT y) FILTER (WHERE x > 0) AS e, "
    "COUNT(*) AS n GROUP BY k",
};

/* The id, k, x and y of a row of the one unit. k is 0, 1 or NULL. */
static const char *const records[] = {
    "u,0,-1,-1", "u,0,2,2", "u,0,,",      "u,1,-1,-1", "u,1,2,2",
    "u,1,,",     "u,,-1,2", "u,,bad,bad", "u,7,0,0",   ",0,2,2",
};

/* By statement, statistic and group. */
typedef struct numbers {
    int64_t of[QUESTIONS][STATISTICS][GROUPS];
} numbers;

typedef struct scene {
    char path[64];
    const sc_schema *schema;
    sc_arena arena;
    const sc_query *queries[QUESTIONS];
    sc_statistics statistics[QUESTIONS];
    numbers tables[TABLES]; /* the first is without the unit */
    size_t table_count;
} scene;

static bool begin(scene *s)
{
    char policy[300];
    *s = (scene){.table_count = 0};
    FILE *file = pass_file_new(s->path);
    sc_arena_init(&s->arena);
    if (!CHECK(file != NULL))
        return false;
    fclose(file);
    snprintf(policy, sizeof policy,
             "unit=who\ncolumn=k=int[0,1]\ncolumn=x=int[-1,2]\ncolumn=y=int[-1,2]\n"
             "max-groups=2\nmax-rows=2\nmax-total=y=-1,3\ncsv=%s\n",
             s->path);
    bool is_made = CHECK_STATUS(
        sc_schema_parse(sc_text_of(policy), NULL, &s->schema, NULL), SCRIM_OK);
    for (size_t i = 0; is_made && i < QUESTIONS; i++) {
        sc_refusal refusal = {.error = NULL};
        is_made =
            CHECK_STATUS(sc_validate(sc_text_of(questions[i]), sc_text_of("r"), s->schema,
                                     &s->arena, &s->queries[i], &refusal),
                         SCRIM_OK) &&
            CHECK_STATUS(sc_statistics_of(s->queries[i],
                                          &(sc_statistics_plan){
                                              .bounds = s->queries[i]->schema->bounds},
                                          &s->arena, &s->statistics[i], NULL),
                         SCRIM_OK) &&
            CHECK(s->statistics[i].count <= STATISTICS);
    }
    return is_made;
}

static void end(scene *s)
{
    sc_schema_free(s->schema);
    sc_arena_clear(&s->arena);
    unlink(s->path);
}

static int64_t number_of(const sc_statistics *all, const sc_group_statistic *t,
                         const sc_group *g)
{
    const sc_int128 rows = t->value == SC_STATISTIC_NONE
                               ? (sc_int128)g->rows
                               : (sc_int128)g->present[t->value];
    if (t->kind == SC_STATISTIC_UNITS)
        return t->value == SC_STATISTIC_NONE ? (int64_t)g->units
                                             : (int64_t)g->totals[t->value];
    if (t->kind == SC_STATISTIC_ROWS)
        return (int64_t)rows;
    if (t->kind == SC_STATISTIC_VALUES)
        return rows == 0 ? 0
                         : (int64_t)sc_kept_different(g->lists[t->value], (size_t)rows);
    if (t->kind == SC_STATISTIC_TOTAL)
        return (int64_t)g->totals[t->value];
    if (t->kind == SC_STATISTIC_SQUARES)
        return (int64_t)(g->squares[t->value] - rows * t->offset);
    CHECK_INT(t->kind, SC_STATISTIC_SUM);
    return (int64_t)(g->sums[t->value] +
                     rows * (all->groups[t->value].centre - t->centre));
}

static void take_groups(const sc_statistics *statistics, const sc_groups *groups,
                        int64_t (*out)[GROUPS])
{
    for (size_t i = 0; i < groups->count; i++) {
        sc_key_part part = {.is_text = false};
        if (!CHECK(sc_key_tuple_read(groups->groups[i].key, &part, 1)))
            return;
        const size_t place = sc_key_part_is_null(&part) ? 2 : (size_t)part.value;
        for (size_t j = 0; j < statistics->count && CHECK(place < GROUPS); j++)
            out[j][place] =
                number_of(statistics, &statistics->list[j], &groups->groups[i]);
    }
}

/* A table with these rows of the unit, beside another's and those of nobody. */
static bool add_table(scene *s, const size_t *rows, size_t count, const sc_reach *reach,
                      uint64_t seed)
{
    const sc_pass_options options = {.workers = 1};
    sc_pass_statement asked[QUESTIONS];
    sc_pass *pass = NULL;
    if (!CHECK(s->table_count < TABLES))
        return false;
    FILE *file = fopen(s->path, "w");
    if (file == NULL) {
        CHECK_FAIL("cannot write %s", s->path);
        return false;
    }
    fputs("who,k,x,y\no,0,1,1\no,,,\n,1,2,2\n", file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s\n", records[rows[i]]);
    fclose(file);
    for (size_t i = 0; i < QUESTIONS; i++)
        asked[i] = (sc_pass_statement){.query = s->queries[i],
                                       .statistics = &s->statistics[i],
                                       .bounds = reach->bounds};
    numbers *table = &s->tables[s->table_count++];
    *table = (numbers){.of = {{{0}}}};
    const bool is_done = CHECK_STATUS(
        pass_run(s->schema, asked, QUESTIONS, &options, seed, &pass, NULL), SCRIM_OK);
    for (size_t i = 0; is_done && i < QUESTIONS; i++)
        take_groups(&s->statistics[i], sc_pass_groups(pass, i), table->of[i]);
    sc_pass_close(pass);
    return is_done;
}

/* All multisets of at most `most` rows, the empty one first. */
static bool add_tables(scene *s, size_t *rows, size_t count, size_t most,
                       const sc_reach *reach, uint64_t seed)
{
    bool is_done = add_table(s, rows, count, reach, seed);
    for (size_t next = count == 0 ? 0 : rows[count - 1];
         is_done && count < most && next < COUNT(records); next++) {
        rows[count] = next;
        is_done = add_tables(s, rows, count + 1, most, reach, seed);
    }
    return is_done;
}

typedef struct distance {
    int64_t l1, l2_squared;
} distance;

/* The farthest of all pairs that are neighbours. */
static distance farthest(const scene *s, size_t question, size_t statistic,
                         scrim_neighbours neighbours)
{
    distance most = {0, 0};
    for (size_t i = 0; i < (neighbours == SCRIM_REPLACE ? s->table_count : 1); i++)
        for (size_t j = i + 1; j < s->table_count; j++) {
            const int64_t *a = s->tables[i].of[question][statistic],
                          *b = s->tables[j].of[question][statistic];
            distance far = {0, 0};
            for (size_t k = 0; k < GROUPS; k++) {
                far.l1 += a[k] > b[k] ? a[k] - b[k] : b[k] - a[k];
                far.l2_squared += (a[k] - b[k]) * (a[k] - b[k]);
            }
            most.l1 = far.l1 > most.l1 ? far.l1 : most.l1;
            most.l2_squared =
                far.l2_squared > most.l2_squared ? far.l2_squared : most.l2_squared;
        }
    return most;
}

/* Counts of rows and of units are attained where the unit has rows enough. */
static void check_statistic(const scene *s, size_t question, size_t statistic,
                            const sc_reach *reach, size_t most_rows)
{
    const sc_statistics *all = &s->statistics[question];
    const sc_group_statistic *t = &all->list[statistic];
    const distance far = farthest(s, question, statistic, reach->neighbours);
    SC_OWN(sc_ratio, squared);
    SC_OWN(sc_norms, norms);
    sc_sensitivity_of(t, t->value == SC_STATISTIC_NONE ? NULL : &all->groups[t->value],
                      reach, &norms);
    if (!CHECK(sc_ratio_compare_int64(&norms.l1, far.l1) >= 0))
        CHECK_FAIL("question %zu, statistic %zu: l1 %lld, G %llu, R %llu, T %llu",
                   question, statistic, (long long)far.l1,
                   (unsigned long long)reach->bounds.groups,
                   (unsigned long long)reach->bounds.rows,
                   (unsigned long long)reach->bounds.total);
    if (t->value == SC_STATISTIC_NONE && reach->neighbours == SCRIM_ADD_REMOVE &&
        sc_bounds_normal(&reach->bounds, reach->groups).total <= most_rows)
        CHECK(sc_ratio_compare_int64(&norms.l1, far.l1) == 0);
    sc_ratio_mul(&squared, &norms.l2, &norms.l2);
    CHECK(sc_ratio_compare_int64(&squared, far.l2_squared) >= 0);
    CHECK(far.l1 > 0);
}

SLOW_TEST(neighbours_with_null_move_no_number_farther_than_its_sensitivity)
{
    CLAIM("sensitivity.bound");
    CLAIM("group.one-unit");
    static scene s;
    /* Without a total and with one; some are left out. */
    static const sc_bounds bounds[] = {{1, 1, 0}, {1, 2, 0}, {2, 1, 0},
                                       {2, 2, 0}, {2, 2, 3}, {0, 0, 2}};
    const size_t most = check_is_long() ? ROWS : ROWS - 1;
    bool is_done = begin(&s);
    for (uint64_t seed = 1; is_done && seed <= check_count_whole(1, 3); seed++)
        /* Every other one; all in the long tier. */
        for (size_t b = 0; is_done && b < COUNT(bounds); b += check_is_long() ? 1 : 2) {
            sc_reach reach = {.bounds = bounds[b], .groups = GROUPS};
            size_t rows[ROWS] = {0};
            s.table_count = 0;
            is_done = add_tables(&s, rows, 0, most, &reach, seed);
            for (int relation = SCRIM_ADD_REMOVE; relation <= SCRIM_REPLACE; relation++) {
                reach.neighbours = (scrim_neighbours)relation;
                for (size_t i = 0; is_done && i < QUESTIONS; i++)
                    for (size_t j = 0; j < s.statistics[i].count; j++)
                        check_statistic(&s, i, j, &reach, most);
            }
        }
    end(&s);
}
