#include "check.h"
#include "faults.h"
#include "queries.h"
#include "query/rows/statistic.h"

#include <stdio.h>
#include <string.h>

typedef struct stated {
    query_asked asked;
    sc_statistics statistics;
} stated;

/* Are the columns such that may be NULL? */
static bool is_nullable;

static bool state_as(stated *s, const char *text, bool rows_are_units)
{
    scrim_error error;
    if (is_nullable)
        query_ask(&s->asked, text);
    else
        query_ask_present(&s->asked, text);
    if (!CHECK_STATUS(s->asked.status, SCRIM_OK))
        return false;
    return CHECK_STATUS(
        sc_statistics_of(s->asked.query,
                         &(sc_statistics_plan){.bounds = s->asked.query->schema->bounds,
                                               .rows_are_units = rows_are_units},
                         &s->asked.arena, &s->statistics, &error),
        SCRIM_OK);
}

static bool state(stated *s, const char *text)
{
    return state_as(s, text, false);
}

/* "units", "rows!", "sum0-60<60", "squares1-5~12<13", "quantiles0:1/4,1/2". */
static void put(char *text, size_t capacity, const sc_group_statistic *s)
{
    static const char *const names[] = {"",          "units",  "rows", "sum",   "squares",
                                        "quantiles", "around", "bars", "totals"};
    const size_t start = strlen(text);
    size_t at = start + (size_t)snprintf(text + start, capacity - start, "%s%s",
                                         start == 0 ? "" : " ", names[s->kind]);
    if (s->value != SC_STATISTIC_NONE)
        at += (size_t)snprintf(text + at, capacity - at, "%zu", s->value);
    if (s->kind == SC_STATISTIC_TOTAL)
        at += (size_t)snprintf(text + at, capacity - at, "<%lld", (long long)s->most);
    if (s->kind == SC_STATISTIC_SUM || s->kind == SC_STATISTIC_SQUARES)
        at += (size_t)snprintf(text + at, capacity - at, "-%lld~%lld<%lld",
                               (long long)s->centre, (long long)s->offset,
                               (long long)s->most);
    for (size_t i = 0; s->p != NULL && i < s->count; i++)
        at += (size_t)snprintf(text + at, capacity - at, "%c%lld/%lld",
                               i == 0 ? ':' : ',', (long long)s->p[i].numerator,
                               (long long)s->p[i].denominator);
    if (s->kind == SC_STATISTIC_AROUND)
        at += (size_t)snprintf(text + at, capacity - at, "*%zu", s->count);
    if (s->kind == SC_STATISTIC_BARS)
        snprintf(text + at, capacity - at, "/%lld#%zu", (long long)s->width,
                 s->histogram);
    if (s->with_range)
        snprintf(text + at, capacity - at, "!");
}

static void put_use(char *text, size_t capacity, const sc_statistic_use *use)
{
    const size_t places[] = {use->units,     use->rows,   use->sum, use->squares,
                             use->quantiles, use->around, use->bars};
    static const char letters[] = "urstqah";
    size_t at = strlen(text);
    if (at > 0)
        at += (size_t)snprintf(text + at, capacity - at, " ");
    for (size_t i = 0; i < COUNT(places); i++)
        if (places[i] != SC_STATISTIC_NONE)
            at += (size_t)snprintf(text + at, capacity - at, "%c%zu", letters[i],
                                   places[i]);
    if (use->quantiles != SC_STATISTIC_NONE)
        snprintf(text + at, capacity - at, "@%zu", use->p);
}

static void check_statistics(const char *query, const char *list, const char *uses)
{
    stated s;
    char text[1000] = "", used[1000] = "";
    if (state(&s, query)) {
        size_t numbers = 0;
        for (size_t i = 0; i < s.statistics.count; i++) {
            put(text, sizeof text, &s.statistics.list[i]);
            CHECK_INT(s.statistics.list[i].first, numbers);
            numbers += s.statistics.list[i].count;
        }
        CHECK_INT(s.statistics.number_count, numbers);
        for (size_t i = 0; i < s.asked.query->aggregate_count; i++)
            put_use(used, sizeof used, &s.statistics.uses[i]);
        CHECK_STR(text, list);
        CHECK_STR(used, uses);
    }
    query_forget_asked(&s.asked);
}

TEST(statistics_are_shared)
{
    CLAIM("statistic.once");
    check_statistics("SELECT COUNT(*)", "rows", "r0");
    check_statistics("SELECT COUNT(*), COUNT(DISTINCT person_id), COUNT(*) AS again",
                     "rows units", "r0 u1 r0");
    check_statistics("SELECT COUNT(*), AVG(age)", "rows sum0-60~0<60", "r0 r0s1");
    check_statistics("SELECT AVG(age), VAR(age), STDDEV(age), STDDEV_POP(age), "
                     "VAR_POP(age), COUNT(*)",
                     "rows sum0-60~0<60 squares0-60~1800<1800",
                     "r0s1 r0s1t2 r0s1t2 r0s1t2 r0s1t2 r0");
    check_statistics("SELECT AVG(age), AVG(age + 1)", "rows sum0-60~0<60 sum1-61~0<60",
                     "r0s1 r0s2");
}

/* COUNT(*) is the number of units where these are as many, and nothing else has a use for rows. */
TEST(statistics_count_units_where_rows_are)
{
    CLAIM("statistic.once");
    static const struct {
        const char *query;
        bool is_units;
    } cases[] = {
        {"SELECT COUNT(*)", true},
        {"SELECT COUNT(*), COUNT(*) AS again, MAX(age)", true},
        {"SELECT COUNT(*) WITH RANGE", false},
        {"SELECT COUNT(*), SUM(age)", false},
        {"SELECT COUNT(*), AVG(age)", false},
        {"SELECT COUNT(*), MEDIAN(age)", false},
        {"SELECT COUNT(*), COUNT(DISTINCT person_id)", false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        stated s;
        if (state_as(&s, cases[i].query, true)) {
            const sc_statistic_use *use = &s.statistics.uses[0];
            CHECK_INT(s.statistics.list[use->rows].kind,
                      cases[i].is_units ? SC_STATISTIC_UNITS : SC_STATISTIC_ROWS);
            CHECK_INT(use->units, SC_STATISTIC_NONE);
        }
        query_forget_asked(&s.asked);
    }
}

/* Columns that may be NULL: as "rows" counts all rows, "rows0" those that have value 0. */
static void check_nullable(const char *query, const char *list, const char *uses)
{
    is_nullable = true;
    check_statistics(query, list, uses);
    is_nullable = false;
}

/* A mean counts its own values: one number for all that are present in the same rows. */
TEST(statistics_count_values_that_are_present)
{
    CLAIM("statistic.present");
    check_nullable("SELECT COUNT(*), AVG(age)", "rows rows0 sum0-60~0<60", "r0 r1s2");
    check_nullable("SELECT AVG(age), VAR(age), COUNT(age), AVG(age * 2 + 1) AS b",
                   "rows0 sum0-60~0<60 squares0-60~1800<1800 sum1-121~0<120",
                   "r0s1 r0s1t2 r0 r0s3");
    check_nullable("SELECT COUNT(age), AVG(age)", "rows0 sum1-60~0<60", "r0 r0s1");
    check_nullable("SELECT AVG(age), AVG(weight)",
                   "rows0 sum0-60~0<60 rows1 sum1-800~0<800", "r0s1 r2s3");
    check_nullable("SELECT AVG(age + weight) AS a, AVG(age - weight) AS b, AVG(age) AS c",
                   "rows0 sum0-1280~0<1280 sum1--320~0<1280 rows2 sum2-60~0<60",
                   "r0s1 r0s2 r3s4");
    /* WHERE may let no missing one through, however it is written. */
    check_nullable("SELECT COUNT(*), AVG(age) WHERE age IS NOT NULL", "rows sum0-60~0<60",
                   "r0 r0s1");
    check_nullable("SELECT COUNT(*), AVG(age) WHERE NOT (age > 120)", "rows sum0-60~0<60",
                   "r0 r0s1");
    check_nullable("SELECT COUNT(*), AVG(COALESCE(age, 0)) AS a", "rows sum0-60~0<60",
                   "r0 r0s1");
    /* A sum follows from the rows of its own alone: else it would be off by its centre. */
    check_nullable("SELECT COUNT(*), SUM(age)", "rows sum0-0~0<120", "r0 s1");
    check_nullable("SELECT COUNT(age), SUM(age)", "rows0 sum1-60~0<60", "r0 r0s1");
    /* FILTER is nothing else than NULL. */
    check_nullable("SELECT COUNT(*) FILTER (WHERE married) AS n, COUNT(*)", "rows0 rows",
                   "r0 r1");
    check_nullable(
        "SELECT AVG(age) FILTER (WHERE married) AS a, COUNT(age) FILTER (WHERE "
        "married) AS n, AVG(CASE WHEN married THEN age END) AS c",
        "rows0 sum0-60~0<60", "r0s1 r0 r0s1");
    check_nullable("SELECT AVG(age) FILTER (WHERE married) AS a, COUNT(*) FILTER (WHERE "
                   "married) AS n",
                   "rows0 sum0-60~0<60 rows1", "r0s1 r2");
    check_statistics(
        "SELECT AVG(age) FILTER (WHERE married) AS a, COUNT(*) FILTER (WHERE "
        "married) AS n, COUNT(*)",
        "rows0 sum0-60~0<60 rows", "r0s1 r0 r2");
    check_nullable("SELECT COUNT(sex), COUNT(city)", "rows0 rows1", "r0 r1");
}

/* The selection shows units as COUNT(*), and never as COUNT(x). */
TEST(statistics_show_no_units_for_values)
{
    CLAIM("statistic.present");
    stated s;
    is_nullable = true;
    if (state_as(&s, "SELECT COUNT(age)", true))
        CHECK_INT(s.statistics.list[s.statistics.uses[0].rows].kind, SC_STATISTIC_ROWS);
    query_forget_asked(&s.asked);
    if (state_as(&s, "SELECT COUNT(*) FILTER (WHERE age > 3)", true))
        CHECK_INT(s.statistics.list[s.statistics.uses[0].rows].kind, SC_STATISTIC_ROWS);
    query_forget_asked(&s.asked);
    is_nullable = false;
}

TEST(statistics_of_a_sum)
{
    CLAIM("statistic.once");
    check_statistics("SELECT SUM(income)", "sum0-0~0<10000000", "s0");
    check_statistics(
        "SELECT SUM(income), COUNT(DISTINCT person_id), COUNT(*) WITH RANGE AS c",
        "sum0-0~0<10000000 units rows!", "s0 u1 r2");
    /* It follows from the rows and the centred sum where rows are there anyway, */
    check_statistics("SELECT SUM(income), COUNT(*)", "rows sum0-4950000~0<5050000",
                     "r0s1 r0");
    check_statistics("SELECT MEDIAN(age), SUM(age)",
                     "quantiles0:1/2 around0*17 sum0-0~0<120", "q0a1@0 s2");
    check_statistics("SELECT SUM(income), AVG(income)", "rows sum0-4950000~0<5050000",
                     "r0s1 r0s1");
    check_statistics("SELECT VAR(income), SUM(income)",
                     "rows sum0-4950000~0<5050000 squares0-4950000~12751250000000<"
                     "12751250000000",
                     "r0s1t2 r0s1");
    /* but a range is its own. */
    check_statistics("SELECT SUM(age) WITH RANGE AS a, AVG(age), SUM(age) AS b, COUNT(*) "
                     "WITH RANGE AS c",
                     "sum0-0~0<120! rows sum0-60~0<60 rows!", "s0 r1s2 r1s2 r3");
    check_statistics("SELECT SUM(age - 200)", "sum0-0~0<200", "s0");
}

TEST(statistics_of_quantiles)
{
    CLAIM("statistic.once");
    check_statistics("SELECT MEDIAN(age)", "quantiles0:1/2 around0*17", "q0a1@0");
    check_statistics("SELECT QUANTILE(age, 0.75, 1/4) AS q, COUNT(*), MEDIAN(age), "
                     "MEDIAN(day), MEDIAN(age) AS m",
                     "quantiles0:1/4,1/2,3/4 around0*49 rows quantiles1:1/2 around1*21",
                     "q0a1@2 q0a1@0 r2 q0a1@1 q3a4@0 q0a1@1");
}

/* MIN, MAX and RANGE of one value are read from one histogram; another width is another one. */
TEST(statistics_of_histograms)
{
    CLAIM("statistic.once");
    check_statistics("SELECT MIN(age), MAX(age), RANGE(age), MODE(age), MAX_K(age, 3)",
                     "bars0/0#0", "h0 h0 h0 h0 h0");
    check_statistics("SELECT MAX(age), COUNT(*), MAX(age, 5) AS five, MIN(age, 5), "
                     "MAX(income)",
                     "bars0/0#0 rows bars0/5#1 bars1/0#2", "h0 r1 h2 h2 h3");
    check_statistics("SELECT HISTOGRAM(age, 10)", "bars0/10#0", "h0");
}

/* Values for grouping. */

TEST(statistics_values_for_grouping)
{
    stated s;
    if (state(&s, "SELECT SUM(age + 18) AS a, VAR(age) AS b, SUM(age) WITH RANGE AS c, "
                  "MEDIAN(income), SUM(age - 200) WITH RANGE AS d")) {
        const sc_group_value *g = s.statistics.groups;
        REQUIRE(s.statistics.value_count == 4);
        CHECK(g[0].low == 18 && g[0].high == 138 && g[0].centre == 78);
        CHECK(g[1].low == 0 && g[1].high == 120 && g[1].centre == 60);
        CHECK(g[2].low == -100000 && g[2].high == 10000000 && g[2].centre == 0);
        CHECK(g[3].low == -200 && g[3].high == -80 && g[3].centre == -80);
        CHECK(!g[0].has_squares && g[1].has_squares && !g[2].has_squares);
        CHECK(!g[0].has_list && !g[1].has_list && g[2].has_list);
        for (size_t i = 0; i < 4; i++)
            CHECK(g[i].low == s.statistics.values[i]->extent.low);
    }
    query_forget_asked(&s.asked);
}

TEST(statistic_most_is_the_largest_change_by_a_row)
{
    CLAIM("statistic.most");
    static const char *const queries[] = {
        "SELECT SUM(age), COUNT(*)",
        "SELECT VAR(age), SUM(age) WITH RANGE",
        "SELECT SUM(age - 7), AVG(age - 200), VAR(bucket(age, 7))",
        "SELECT STDDEV(weight), SUM(weight) WITH RANGE AS w, COUNT(DISTINCT person_id)",
    };
    for (size_t q = 0; q < COUNT(queries); q++) {
        stated s;
        if (state(&s, queries[q]))
            for (size_t i = 0; i < s.statistics.count; i++) {
                const sc_group_statistic *t = &s.statistics.list[i];
                if (t->value == SC_STATISTIC_NONE) {
                    CHECK_INT(t->most, 1);
                    continue;
                }
                const sc_group_value *g = &s.statistics.groups[t->value];
                int64_t most = 0;
                for (int64_t x = g->low; x <= g->high; x++) {
                    const int64_t d = x - t->centre;
                    const int64_t change =
                        t->kind == SC_STATISTIC_SUM ? d : d * d - t->offset;
                    const int64_t far = change < 0 ? -change : change;
                    most = far > most ? far : most;
                }
                CHECK_INT(t->most, most);
            }
        query_forget_asked(&s.asked);
    }
}

TEST(statistics_without_memory)
{
    stated s;
    if (state(&s, "SELECT AVG(age), MEDIAN(age)"))
        FAULT_LOOP(fault)
        {
            sc_arena arena;
            sc_statistics out;
            scrim_error error = {.status = SCRIM_OK};
            sc_arena_init(&arena);
            const scrim_status status = sc_statistics_of(
                s.asked.query,
                &(sc_statistics_plan){.bounds = s.asked.query->schema->bounds}, &arena,
                &out, &error);
            CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
            sc_arena_clear(&arena);
        }
    query_forget_asked(&s.asked);
}
