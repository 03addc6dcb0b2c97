/* Questions that find their bounds, from end to end: what is charged, recorded and repeated, and which total is used. */
#include "base/number/ball_double.h"
#include "check.h"
#include "query/answer/ask.h"
#include "query/answer/charged.h"
#include "query/answer/record.h"
#include "query/estimate/bound_proposal.h"
#include "query/language/key_text.h"
#include "query/plan/auto_bounds.h"
#include "query/plan/plan.h"
#include "query_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define POLICY                                                                           \
    "unit=who\nmax-groups=2\nmax-rows=2\ncolumn=x=int[0,10]\nmissing=x=0\n"              \
    "column=kind=text\nkeys=kind=a,b\nmissing=kind=a\ncolumn=town=text\n"                \
    "budget=epsilon=1000,delta=0.1\n"

static char bytes[400000];

/* 900 people with one row, 90 with eight and 10 with 40; a third of all rows is of kind b, some of none that is
 * listed. */
static void write_people(void)
{
    size_t used = (size_t)snprintf(bytes, sizeof bytes, "who,x,kind,town\n");
    for (int i = 0; i < 1000; i++)
        for (int k = 0; k < (i < 900 ? 1 : i < 990 ? 8 : 40); k++)
            used += (size_t)snprintf(bytes + used, sizeof bytes - used, "p%d,%d,%s,t%d\n",
                                     i, k % 11, (i + k) % 3 == 0 ? "b" : "a", k % 3);
}

static const char by_kind[] = "SELECT kind, COUNT(*) AS n, SUM(x) AS s GROUP BY kind";

/* The record of a release; the arena holds it. */
static bool read_record(query_scene *s, uint64_t id, sc_arena *arena, sc_record *out)
{
    scrim_vault_release release = {.id = 0};
    if (!CHECK_STATUS(scrim_vault_replay(s->vault, id, &release, &s->error), SCRIM_OK))
        return false;
    char *text = sc_charged_record_text(&release);
    const char *copy = text == NULL ? NULL : sc_arena_copy(arena, text, strlen(text));
    sc_free(text);
    scrim_vault_release_clear(&release);
    return CHECK(copy != NULL) &&
           CHECK_STATUS(sc_record_read(sc_text_of(copy), arena, out, &s->error),
                        SCRIM_OK);
}

static void add_epsilon(sc_ratio *sum, sc_text measurement)
{
    scrim_measurement *m = NULL;
    char line[300];
    snprintf(line, sizeof line, "%.*s", (int)measurement.bytes, measurement.start);
    if (CHECK_STATUS(scrim_measurement_parse(line, &m, NULL), SCRIM_OK))
        sc_ratio_add(sum, sum, sc_measurement_get(m, "epsilon"));
    scrim_measurement_free(m);
}

/* The epsilons of all parts that were drawn add up to the charge. */
static void check_sum(const sc_record *record, const char *epsilon)
{
    sc_ratio sum, want;
    sc_ratio_init(&sum);
    sc_ratio_init(&want);
    for (size_t i = 0; i < record->statement_count; i++) {
        const sc_record_statement *s = &record->statements[i];
        for (size_t k = 0; k < s->part_count; k++)
            add_epsilon(&sum, s->measurements[k]);
        if (s->cut.count > 0)
            add_epsilon(&sum, s->cut.measurement);
    }
    CHECK(sc_ratio_parse(sc_text_of(epsilon), &want, NULL) == SCRIM_OK);
    CHECK_INT(sc_ratio_compare(&sum, &want), 0);
    sc_ratio_clear(&want);
    sc_ratio_clear(&sum);
}

/* The total of the schema is the one that the released ladder proposes, and nothing else. */
static uint64_t check_total(query_scene *s, const sc_record *record, const char *query,
                            const char *epsilon)
{
    scrim_plan *plan = NULL;
    const sc_schema *schema = NULL;
    sc_int128 counts[SC_LADDER_MOST];
    uint64_t total = 0;
    const sc_record_statement *ladder = &record->statements[record->statement_count - 1];
    if (CHECK_INT(ladder->row_count, 19) &&
        CHECK_STATUS(scrim_plan_new(s->vault, "people", &query, 1,
                                    OPTIONS(.epsilon = epsilon, .bounds = "auto"), &plan,
                                    NULL, &s->error),
                     SCRIM_OK) &&
        CHECK_STATUS(sc_record_schema(record, &schema, &s->error), SCRIM_OK)) {
        for (size_t i = 0; i < ladder->row_count; i++)
            counts[i] = ladder->rows[i].numbers[0];
        total = schema->bounds.total;
        CHECK_INT(total, sc_auto_total(plan, 0, counts, ladder->row_count));
        CHECK(schema->bounds.groups == 0 && schema->bounds.rows == 0);
    }
    sc_schema_free(schema);
    scrim_plan_free(plan);
    return total;
}

static void check_run(const char *relation, const char *query)
{
    query_scene s;
    char policy[400], before[3 * SCRIM_NUMBER_BYTES], after[3 * SCRIM_NUMBER_BYTES];
    scrim_result *result = NULL, *again = NULL;
    scrim_result_facts facts;
    sc_arena arena;
    sc_record record;
    sc_arena_init(&arena);
    snprintf(policy, sizeof policy, POLICY "neighbours=%s\n", relation);
    if (query_scene_begin(&s, policy, bytes) &&
        CHECK_STATUS(query_scene_ask(
                         &s, query, OPTIONS(.epsilon = "100", .bounds = "auto"), &result),
                     SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        CHECK_STR(facts.cost.epsilon, "100");
        CHECK_INT(facts.statements, 2);
        if (read_record(&s, facts.release, &arena, &record)) {
            CHECK(record.finds_bounds);
            check_sum(&record, "100");
            CHECK_INT(check_total(&s, &record, query, "100"), 50);
        }
        /* The same text and share again: repeated; another share is another question. */
        (void)query_scene_left(&s, before);
        CHECK_STATUS(query_scene_ask(&s, query,
                                     OPTIONS(.epsilon = "100", .bounds = "auto=0.2"),
                                     &again),
                     SCRIM_OK);
        scrim_result_describe(again, &facts);
        CHECK(facts.is_repeated);
        CHECK_STR(query_scene_left(&s, after), before);
        scrim_result_free(again);
        again = NULL;
        CHECK_STATUS(query_scene_ask(&s, query,
                                     OPTIONS(.epsilon = "100", .bounds = "auto=0.3"),
                                     &again),
                     SCRIM_OK);
        scrim_result_describe(again, &facts);
        CHECK(!facts.is_repeated);
    } else {
        CHECK_STR(s.error.message, "");
    }
    scrim_result_free(again);
    scrim_result_free(result);
    sc_arena_clear(&arena);
    query_scene_end(&s);
}

SLOW_TEST(auto_bounds_are_one_charge_and_one_record)
{
    CLAIM("auto-bounds.once");
    write_people();
    check_run("add-remove", by_kind);
    check_run("replace", by_kind);
    check_run("add-remove", "SELECT AVG(x) AS a, COUNT(*) AS n");
    check_run("replace",
              "SELECT COUNT(*) AS n FROM people WHERE x >= 0 OR kind = 'WHERE'");
}

/* All rows are there, where the declared bounds drop most of them; the words say how many people are cut. */
TEST(auto_bounds_use_the_rows)
{
    query_scene s;
    scrim_result *result = NULL, *declared = NULL;
    write_people();
    if (query_scene_begin(&s, POLICY, bytes) &&
        CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n",
                                     OPTIONS(.epsilon = "200", .bounds = "auto"),
                                     &result),
                     SCRIM_OK) &&
        CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n",
                                     OPTIONS(.epsilon = "200"), &declared),
                     SCRIM_OK)) {
        const double n = strtod(scrim_result_cell_at(result, 0, 0, 0)->value, NULL),
                     few = strtod(scrim_result_cell_at(declared, 0, 0, 0)->value, NULL);
        CHECK(n > 2010 && n < 2030);
        CHECK(few < 1200);
        CHECK(strstr(scrim_result_kept(result, 0), "about 0.00 % of units [0.00, ") !=
              NULL);
    }
    scrim_result_free(declared);
    scrim_result_free(result);
    query_scene_end(&s);
}

/* WHERE is that of the question: rows that do not match take no place. */
TEST(auto_bounds_look_behind_where)
{
    static const struct {
        const char *query, *want;
    } cases[] = {
        {"SELECT COUNT(*) AS n", "CLAMP(COUNT(*), 1, 1000000) AS n GROUP BY \"who\""},
        {"SELECT COUNT(*) AS n FROM people WHERE x > 3 AND (kind = 'a') ORDER BY n",
         "AS n WHERE (x > 3 AND (kind = 'a')) GROUP BY \"who\""},
        {"SELECT kind, COUNT(*) AS n WHERE kind <> ' GROUP BY ' GROUP BY kind LIMIT 1",
         "AS n WHERE (kind <> ' GROUP BY ') AND (\"kind\" IS NULL OR \"kind\" IN ('a', "
         "'b')) GROUP BY \"who\""},
    };
    query_scene s;
    write_people();
    if (query_scene_begin(&s, POLICY, bytes))
        for (size_t i = 0; i < COUNT(cases); i++) {
            scrim_plan *plan = NULL;
            if (CHECK_STATUS(scrim_plan_new(s.vault, "people", &cases[i].query, 1,
                                            OPTIONS(.epsilon = "1", .bounds = "auto"),
                                            &plan, NULL, &s.error),
                             SCRIM_OK)) {
                char text[600];
                const sc_text own = sc_plan_text(plan->ladder, 0);
                snprintf(text, sizeof text, "%.*s", (int)own.bytes, own.start);
                if (strstr(text, cases[i].want) == NULL)
                    CHECK_STR(text, cases[i].want);
            } else {
                CHECK_STR(s.error.message, "");
            }
            scrim_plan_free(plan);
        }
    query_scene_end(&s);
}

/* Buckets with noise are one draw of all groups, at the rest of epsilon. */
TEST(auto_bounds_of_histograms)
{
    CLAIM("auto-bounds.once");
    static const char query[] = "SELECT kind, MAX(x, 2) AS m GROUP BY kind";
    query_scene s;
    scrim_result *result = NULL;
    write_people();
    if (query_scene_begin(&s, POLICY, bytes) &&
        CHECK_STATUS(query_scene_ask(&s, query, OPTIONS(.epsilon = "5", .bounds = "auto"),
                                     &result),
                     SCRIM_OK)) {
        scrim_result_facts facts;
        sc_record record;
        sc_arena arena;
        sc_arena_init(&arena);
        scrim_result_describe(result, &facts);
        CHECK_STR(facts.cost.epsilon, "5");
        if (read_record(&s, facts.release, &arena, &record)) {
            check_sum(&record, "5");
            CHECK_INT(record.statements[0].rows[0].histograms[0].count, 6);
        }
        sc_arena_clear(&arena);
        CHECK(atof(scrim_result_cell_at(result, 0, 0, 1)->low) >= 6);
    }
    scrim_result_free(result);
    query_scene_end(&s);
}

/* One question of another kind: what it costs, which total its parts are calibrated for. */
typedef struct kind_case {
    const char *query, *delta, *rho, *mechanism;
    const char *part; /* a line of the record has this */
    bool has_cut;     /* people are counted by a draw of their own */
} kind_case;

static void check_asked(query_scene *s, const kind_case *c)
{
    scrim_result *result = NULL;
    scrim_result_facts facts;
    char *text = NULL;
    scrim_vault_release release = {.id = 0};
    if (!CHECK_STATUS(
            query_scene_ask(s, c->query,
                            OPTIONS(.epsilon = c->rho == NULL ? "20" : NULL,
                                    .rho = c->rho, .delta = c->delta,
                                    .mechanism = c->mechanism, .bounds = "auto"),
                            &result),
            SCRIM_OK)) {
        CHECK_FAIL("%s: %s", c->query, s->error.message);
        return;
    }
    scrim_result_describe(result, &facts);
    if (c->rho == NULL)
        CHECK_STR(facts.cost.epsilon, "20");
    else
        CHECK_STR(facts.cost.rho, c->rho);
    CHECK_STR(facts.cost.delta, c->delta == NULL ? "0" : "0.000001");
    if (CHECK_STATUS(scrim_vault_replay(s->vault, facts.release, &release, &s->error),
                     SCRIM_OK))
        text = sc_charged_record_text(&release);
    if (CHECK(text != NULL) && !CHECK(strstr(text, c->part) != NULL))
        CHECK_STR(text, c->part);
    CHECK((text != NULL && strstr(text, "\ncut ") != NULL) == c->has_cut);
    sc_free(text);
    scrim_vault_release_clear(&release);
    scrim_result_free(result);
}

/* Private keys, quantiles, histograms with a delta, noise by epsilon and delta, and a cost in rho: the question is calibrated for
 * the total that was found, to the rest of what was asked for. */
SLOW_TEST(auto_bounds_of_what_needs_a_delta)
{
    CLAIM("auto-bounds.once");
    static const kind_case cases[] = {
        {"SELECT town, COUNT(*) AS n GROUP BY town", "1e-6", NULL, NULL,
         "max-groups=2\nschema max-total-rows=", true},
        {"SELECT kind, MEDIAN(x) AS m GROUP BY kind", NULL, NULL, NULL, "quantile p=0.5 ",
         false},
        {"SELECT 2 * MAX(x) AS m", "1e-6", NULL, NULL,
         "stlap epsilon=16 delta=0.000001 group=", false},
        {"SELECT kind, COUNT(*) AS n, SUM(x) AS s GROUP BY kind", "1e-6", NULL,
         "gaussian", "gaussian ", false},
        {"SELECT COUNT(*) AS n, SUM(x) AS s", "1e-6", "5", NULL, "gaussian ", false},
        /* The ladder cannot tell who is cut: a total is clamped, people are counted, rows leave for a key on no list. */
        {"SELECT SUM(x) AS s", NULL, NULL, NULL, "\ncut ", true},
        {"SELECT kind, COUNT(DISTINCT who) AS n GROUP BY kind", NULL, NULL, NULL,
         "\ncut ", true},
        {"SELECT UPPER(kind) AS k, COUNT(*) AS n GROUP BY k", NULL, NULL, NULL, "\ncut ",
         true},
    };
    static const char *const relations[] = {"add-remove", "replace"};
    write_people();
    for (size_t r = 0; r < COUNT(relations); r++) {
        query_scene s;
        char policy[500];
        snprintf(policy, sizeof policy, POLICY "neighbours=%s\n", relations[r]);
        if (query_scene_begin(&s, policy, bytes))
            for (size_t i = 0; i < COUNT(cases); i++)
                check_asked(&s, &cases[i]);
        query_scene_end(&s);
    }
}

/* Each query of a batch has a total of its own; two that count the same rows share a ladder. */
SLOW_TEST(auto_bounds_of_a_batch)
{
    CLAIM("auto-bounds.once");
    static const char *const queries[] = {"SELECT COUNT(*) AS n", "SELECT SUM(x) AS s",
                                          "SELECT COUNT(*) AS n WHERE x = 0"};
    query_scene s;
    scrim_result *result = NULL, *again = NULL;
    scrim_result_facts facts;
    sc_arena arena;
    sc_record record;
    write_people();
    sc_arena_init(&arena);
    if (query_scene_begin(&s, POLICY, bytes) &&
        CHECK_STATUS(query_scene_ask_all(&s, queries, COUNT(queries),
                                         OPTIONS(.epsilon = "200", .bounds = "auto"),
                                         &result),
                     SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        CHECK_STR(facts.cost.epsilon, "200");
        CHECK_INT(facts.statements, 5);
        CHECK_INT(facts.max_total_rows, 50);
        CHECK(strtod(scrim_result_cell_at(result, 0, 0, 0)->value, NULL) > 2000);
        if (read_record(&s, facts.release, &arena, &record)) {
            check_sum(&record, "200");
            CHECK_INT(record.statements[0].found_by, 4);
            CHECK_INT(record.statements[1].found_by, 4);
            CHECK_INT(record.statements[2].found_by, 5);
            CHECK(memmem(record.statements[2].text.start, record.statements[2].text.bytes,
                         "max_rows_contributed = 5)", 25) != NULL);
        }
        CHECK(strstr(scrim_result_kept(result, 2), "5 rows per") != NULL);
        CHECK_STATUS(query_scene_ask_all(&s, queries, COUNT(queries),
                                         OPTIONS(.epsilon = "200", .bounds = "auto"),
                                         &again),
                     SCRIM_OK);
        scrim_result_describe(again, &facts);
        CHECK(facts.is_repeated);
    } else {
        CHECK_STR(s.error.message, "");
    }
    scrim_result_free(again);
    scrim_result_free(result);
    sc_arena_clear(&arena);
    query_scene_end(&s);
}

/* A person's total is at most 186, of x from -10 to 10 it is at least -90. */
static void check_ranges(const char *policy, const char *query, size_t ladders,
                         const char *line)
{
    query_scene s;
    scrim_result *result = NULL, *again = NULL;
    scrim_result_facts facts;
    sc_arena arena;
    sc_record record;
    sc_arena_init(&arena);
    const scrim_query_options *options =
        OPTIONS(.epsilon = "200", .bounds = "auto", .max_total = "x=auto");
    if (query_scene_begin(&s, policy, bytes) &&
        CHECK_STATUS(query_scene_ask(&s, query, options, &result), SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        CHECK_STR(facts.cost.epsilon, "200");
        CHECK_INT(facts.statements, 1 + ladders);
        if (read_record(&s, facts.release, &arena, &record)) {
            check_sum(&record, "200");
            CHECK_INT(record.statements[0].found_by, strstr(query, "BY x") ? 2 : 0);
            if (!CHECK(memmem(record.schema.start, record.schema.bytes, line,
                              strlen(line)) != NULL))
                CHECK_FAIL("%.*s", (int)record.schema.bytes, record.schema.start);
        }
        CHECK_STATUS(query_scene_ask(&s, query, options, &again), SCRIM_OK);
        scrim_result_describe(again, &facts);
        CHECK(facts.is_repeated);
    } else {
        CHECK_STR(s.error.message, "");
    }
    scrim_result_free(again);
    scrim_result_free(result);
    sc_arena_clear(&arena);
    query_scene_end(&s);
}

SLOW_TEST(auto_bounds_find_totals)
{
    CLAIM("auto-bounds.once");
    write_people();
    check_ranges(POLICY, "SELECT SUM(x) AS s", 1, "max-total=x=0,200\n");
    /* In few groups a person may be in all; of eleven a total of rows says in how many. */
    check_ranges(POLICY "neighbours=replace\n", "SELECT kind, SUM(x) AS s GROUP BY kind",
                 1, "max-total=x=0,");
    check_ranges(POLICY, "SELECT x, SUM(x) AS s GROUP BY x", 2, "max-total=x=0,");
    check_ranges("unit=who\nmax-total-rows=2\ncolumn=x=int[-10,10]\nmissing=x=0\n"
                 "max-total=x=3\nbudget=epsilon=1000\n",
                 "SELECT SUM(x) AS s", 2, "max-total=x=-1,200\n");
}

/* Whatever is found fits into the rest of the charge and can be planned. */
static void check_all_found(query_scene *s, const char *query, const char *delta,
                            const char *rho, const char *ranges)
{
    scrim_plan *plan = NULL, *widest = NULL;
    sc_auto_bounds most, found = {.totals = {0}};
    sc_ratio rest;
    sc_ratio_init(&rest);
    if (CHECK_STATUS(
            scrim_plan_new(s->vault, "people", &query, 1,
                           OPTIONS(.epsilon = rho == NULL ? "1" : NULL, .rho = rho,
                                   .delta = delta, .bounds = "auto", .max_total = ranges),
                           &plan, NULL, &s->error),
            SCRIM_OK) &&
        CHECK_STATUS(sc_auto_widest(plan, &most, &widest, &s->error), SCRIM_OK)) {
        sc_ratio_sub(&rest, rho == NULL ? &plan->options.epsilon : &plan->options.rho,
                     rho == NULL ? &plan->ladder->options.epsilon
                                 : &plan->ladder->options.rho);
        for (size_t rung = 1; rung <= SC_AUTO_RUNGS; rung += check_is_long() ? 1 : 3) {
            scrim_plan *one = NULL;
            found.totals[0] = (uint64_t)sc_rung_value((int64_t)rung);
            for (size_t i = 0; i < plan->range_count; i++)
                for (size_t k = 0; k < 2; k++)
                    found.rungs[i][k] = rung < most.rungs[i][k] ? rung : most.rungs[i][k];
            if (found.totals[0] > most.totals[0])
                break;
            if (CHECK_STATUS(sc_auto_found(plan, &found, &one, &s->error), SCRIM_OK) &&
                rho == NULL)
                CHECK(sc_ratio_compare(&sc_plan_total(one)->epsilon, &rest) <= 0);
            scrim_plan_free(one);
        }
    } else {
        CHECK_STR(s->error.message, query);
    }
    sc_ratio_clear(&rest);
    scrim_plan_free(widest);
    scrim_plan_free(plan);
}

SLOW_TEST(auto_bounds_can_all_be_planned)
{
    CLAIM("auto-bounds.once");
    static const struct {
        const char *query, *delta, *rho, *ranges;
    } cases[] = {
        {"SELECT COUNT(*) AS n, AVG(x) AS a", NULL, NULL, NULL},
        {"SELECT SUM(x) AS s", NULL, NULL, "x=auto"},
        {"SELECT kind, SUM(x) AS s, COUNT(*) AS n GROUP BY kind", "1e-6", NULL, "x=auto"},
        {"SELECT kind, SUM(x) AS s, COUNT(*) AS n GROUP BY kind", "1e-6", "5", "x=auto"},
        {"SELECT town, COUNT(*) AS n, SUM(x) AS s GROUP BY town", "1e-6", NULL, "x=auto"},
        {"SELECT kind, MEDIAN(x) AS m, MAX(x, 2) AS h GROUP BY kind", "1e-6", NULL, NULL},
    };
    static const char *const relations[] = {"add-remove", "replace"};
    write_people();
    for (size_t r = 0; r < COUNT(relations); r++) {
        query_scene s;
        char policy[500];
        snprintf(policy, sizeof policy, POLICY "neighbours=%s\n", relations[r]);
        if (query_scene_begin(&s, policy, bytes))
            /* Each case in one of the relations; with large counts in both. */
            for (size_t i = check_is_long() ? 0 : r; i < COUNT(cases);
                 i += check_is_long() ? 1 : 2)
                check_all_found(&s, cases[i].query, cases[i].delta, cases[i].rho,
                                cases[i].ranges);
        query_scene_end(&s);
    }
}

/* A total that the question cannot be planned with is never found: sums so wide that a million rows of one unit are refused. */
TEST(auto_bounds_never_fail_behind_the_charge)
{
    query_scene s;
    scrim_plan *plan = NULL, *widest = NULL;
    const char *const query = "SELECT SUM(y) AS s";
    sc_auto_bounds most;
    static const char policy[] =
        "unit=who\nmax-total-rows=2\ncolumn=y=int[0,1000000000000000]\n"
        "missing=y=0\nbudget=epsilon=10\n";
    if (query_scene_begin(&s, policy, "who,y\na,1\n") &&
        CHECK_STATUS(scrim_plan_new(s.vault, "people", &query, 1,
                                    OPTIONS(.epsilon = "1", .bounds = "auto"), &plan,
                                    NULL, &s.error),
                     SCRIM_OK) &&
        CHECK_STATUS(sc_auto_widest(plan, &most, &widest, &s.error), SCRIM_OK)) {
        CHECK(most.totals[0] >= 2 && most.totals[0] < 1000000);
        CHECK_INT(widest->statements[0].bounds.total, most.totals[0]);
    }
    scrim_plan_free(widest);
    scrim_plan_free(plan);
    query_scene_end(&s);
}

TEST(auto_bounds_are_refused_before_the_charge)
{
    static const struct {
        const char *query, *bounds, *delta, *says, *total;
    } cases[] = {
        {"SELECT SUM(x) AS s", NULL, NULL, "together with the other bounds", "x=auto"},
        {"SELECT COUNT(*) AS n", "auto", NULL, "no SUM of x", "x=auto"},
        {"SELECT SUM(x) AS s", "auto", NULL, "has no total", "kind=auto"},
        {"SELECT SUM(x) AS s", "auto", NULL, "unknown column", "y=auto"},
        {"SELECT COUNT(*)", "manual", NULL, "auto or auto=SHARE", NULL},
        {"SELECT COUNT(*)", "auto=1", NULL, "above 0 and below 1", NULL},
        {"SELECT COUNT(*)", "auto=0", NULL, "above 0 and below 1", NULL},
        {"SELECT COUNT(*)", "auto=x", NULL, "x", NULL},
        {"SELECT 2 * MAX(x) AS m", "auto", NULL, "needs a delta", NULL},
        {"SELECT town, COUNT(*) GROUP BY town", "auto", NULL, "needs a delta", NULL},
        {"SELECT word, COUNT(*) FROM people, UNNEST(SPLIT(town, ' ') LIMIT 2) AS word "
         "GROUP BY "
         "word",
         "auto", "1e-6", "it expands a list", NULL},
        {"SELECT AVG(n) FROM (SELECT CLAMP(COUNT(*), 1, 9) AS n GROUP BY who)", "auto",
         NULL,
         "each unit counts once, by all of its rows, so there are no bounds to find",
         NULL},
    };
    query_scene s;
    char before[3 * SCRIM_NUMBER_BYTES], after[3 * SCRIM_NUMBER_BYTES];
    scrim_result *none = NULL;
    write_people();
    if (query_scene_begin(&s, POLICY "fixed-bounds=yes\n", bytes))
        CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*)",
                                     OPTIONS(.epsilon = "1", .bounds = "auto"), &none),
                     SCRIM_E_POLICY);
    query_scene_end(&s);
    if (query_scene_begin(&s, POLICY, bytes)) {
        (void)query_scene_left(&s, before);
        CHECK_STATUS(query_scene_ask(
                         &s, "SELECT COUNT(*)",
                         OPTIONS(.epsilon = "1", .bounds = "auto", .max_total_rows = "9"),
                         &none),
                     SCRIM_E_PARAM);
        for (size_t i = 0; i < COUNT(cases); i++) {
            scrim_result *result = NULL;
            CHECK_STATUS(query_scene_ask(&s, cases[i].query,
                                         OPTIONS(.epsilon = "1", .delta = cases[i].delta,
                                                 .bounds = cases[i].bounds,
                                                 .max_total = cases[i].total),
                                         &result),
                         SCRIM_E_PARAM);
            if (!CHECK(strstr(s.error.message, cases[i].says) != NULL))
                CHECK_STR(s.error.message, cases[i].says);
            scrim_result_free(result);
        }
        CHECK_STR(query_scene_left(&s, after), before);
    }
    query_scene_end(&s);
}

/* The room is that of both passes: the second may read with a larger total and keep values that the first does not. Its key, which
 * is drawn with that of the first, is wiped at the end. */
SLOW_TEST(auto_bounds_have_a_room_and_a_key_for_their_second_pass)
{
    CLAIM("ask.memory");
    CLAIM("release.wiped");
    static const sc_bits_key no_key;
    static const char *const query = "SELECT MEDIAN(x) AS m";
    query_scene s;
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    sc_asking a;
    write_people();
    if (query_scene_begin(&s, POLICY, bytes)) {
        REQUIRE_OK(scrim_plan_new(s.vault, "people", &query, 1,
                                  OPTIONS(.epsilon = "200", .bounds = "auto"), &plan,
                                  NULL, &s.error));
        sc_asking_init(&a, s.vault, plan);
        a.out = &result;
        REQUIRE_OK(sc_charged_begin(&a.charged, &s.error));
        CHECK(a.charged.room.bytes > sc_pass_room_bytes(a.pass));
        CHECK(memcmp(&a.second, &no_key, sizeof no_key) != 0);
        CHECK_STATUS(sc_charged_end(&a.charged, sc_pass_run(a.pass, &s.error), &s.error),
                     SCRIM_OK);
        sc_charged_clear(&a.charged);
        sc_asking_clear(&a);
        CHECK(memcmp(&a.second, &no_key, sizeof no_key) == 0);
        scrim_plan_free(plan);
    }
    query_scene_end(&s);
}
