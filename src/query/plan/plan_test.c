#include "check.h"
#include "faults.h"
#include "plans.h"
#include "query/language/lex.h"
#include "query/plan/plan.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

TEST(plan_of_the_main_job)
{
    plan_scene scene;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex",
                 OPTIONS(.epsilon = "0.5"))) {
        const scrim_plan *plan = scene.plan;
        const sc_planned_statement *s = &plan->statements[0];
        CHECK_STR(plan->dataset.name, "adult");
        CHECK_INT(plan->dataset.version, 1);
        CHECK_INT(plan->neighbours, SCRIM_ADD_REMOVE);
        CHECK_STR(plan->question,
                  "query epsilon=0.5 delta=0 null=sql : SELECT sex, COUNT(*), "
                  "AVG(age) GROUP BY sex");
        CHECK_INT(s->keys_kind, SC_PLAN_PUBLIC_KEYS);
        CHECK_INT(s->key_count, 2);
        CHECK_BYTES(s->keys[0].start, "Female", 7);
        CHECK_BYTES(s->keys[1].start, "Male", 5);
        CHECK_INT(s->bounds.groups, 1);
        CHECK_INT(s->bounds.rows, 1);
        REQUIRE(s->part_count == 2);
        CHECK_INT(s->parts[0].statistic, 0);
        CHECK_INT(s->parts[1].statistic, 1);
        CHECK(!s->parts[0].is_apart && s->parts[0].copies == 1);
        CHECK_STR(sc_bundle_cost(plan->bundle)->epsilon, "0.5");
        CHECK_STR(sc_bundle_cost(plan->bundle)->delta, "0");
        CHECK_INT(sc_bundle_count(plan->bundle), 2);
    }
    plan_end(&scene);
}

SLOW_TEST(plan_measurements_by_relation)
{
    static const char *const queries[] = {"SELECT COUNT(*)", "SELECT SUM(income)",
                                          "SELECT sex, COUNT(*) GROUP BY sex",
                                          "SELECT city, COUNT(*) GROUP BY city"};
    static const char *const want[] = {
        "laplace sensitivity=2 epsilon=1 neighbours=add-remove",
        "laplace sensitivity=20000000 epsilon=1 neighbours=add-remove",
        "laplace sensitivity=4 epsilon=1 neighbours=add-remove",
        "laplace sensitivity=6 epsilon=0.5 neighbours=add-remove"};
    static const char *const replaced[] = {
        "laplace sensitivity=2 epsilon=1 neighbours=replace",
        "laplace sensitivity=20200000 epsilon=1 neighbours=replace",
        "laplace sensitivity=4 epsilon=1 neighbours=replace",
        "laplace sensitivity=12 epsilon=0.5 neighbours=replace"};
    for (int relation = 0; relation < 2; relation++) {
        plan_scene scene;
        if (plan_begin(&scene, relation == 0
                                   ? "max-groups=3\nmax-rows=2\n"
                                   : "max-groups=3\nmax-rows=2\nneighbours=replace\n"))
            for (size_t i = 0; i < COUNT(queries); i++)
                if (plan_ask(
                        &scene, queries[i],
                        OPTIONS(.epsilon = "1", .delta = "1e-6", .cut_share = "0"))) {
                    const sc_planned_statement *s = &scene.plan->statements[0];
                    CHECK_STR(
                        scrim_measurement_text(s->parts[s->part_count - 1].measurement),
                        relation == 0 ? want[i] : replaced[i]);
                }
        plan_end(&scene);
    }
}

/* Budgets of random questions. */

static uint64_t next_random(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static void random_query(uint64_t *random, char *text, size_t capacity)
{
    static const char *const keys[] = {"sex",  "married", "city",
                                       "size", "age",     "bucket(age, 20)"};
    static const char *const aggregates[] = {
        "COUNT(*)",     "COUNT(DISTINCT person_id)",
        "SUM(income)",  "AVG(age)",
        "VAR(weight)",  "STDDEV(age)",
        "MEDIAN(age)",  "QUANTILE(income, 0.25, 0.75)",
        "SUM(age)",     "AVG(income)",
        "SUM(size)",    "COUNT(*) WITH RANGE",
        "MEDIAN(born)", "SUM(weight) WITH RANGE",
    };
    const size_t key_count = next_random(random, 3), first = next_random(random, 5);
    const size_t count = 1 + next_random(random, 4);
    size_t at = (size_t)snprintf(text, capacity, "SELECT ");
    for (size_t i = 0; i < key_count; i++)
        at += (size_t)snprintf(text + at, capacity - at, "%s AS k%zu, ", keys[first + i],
                               i);
    for (size_t i = 0; i < count; i++)
        at +=
            (size_t)snprintf(text + at, capacity - at, "%s%s AS a%zu", i > 0 ? ", " : "",
                             aggregates[next_random(random, COUNT(aggregates))], i);
    for (size_t i = 0; i < key_count; i++)
        at += (size_t)snprintf(text + at, capacity - at, "%s k%zu",
                               i == 0 ? " GROUP BY" : ",", i);
}

/* The sums by another road than the bundle's: measurement by measurement. A part for add-remove in
 * a plan for replace is charged for each of its copies, which are comings and goings. */
static void check_budget(const scrim_plan *plan, bool is_gaussian)
{
    sc_ratio epsilon, delta, shares, copies, x;
    sc_ratio_init(&epsilon);
    sc_ratio_init(&delta);
    sc_ratio_init(&shares);
    sc_ratio_init(&copies);
    sc_ratio_init(&x);
    for (size_t i = 0; i < plan->statement_count; i++)
        for (size_t j = 0; j <= plan->statements[i].part_count; j++) {
            const sc_planned_statement *s = &plan->statements[i];
            const sc_drawn_part *part = j == s->part_count ? &s->cut_part : &s->parts[j];
            if (part->measurement == NULL)
                continue;
            sc_ratio_set_int128(&copies, (sc_int128)part->copies);
            sc_ratio_add(&shares, &shares, &part->share);
            CHECK(sc_ratio_sign(&part->share) > 0);
            CHECK(part->measurement->cost.has_epsilon ||
                  (is_gaussian && part->measurement->cost.has_rho));
            sc_ratio_mul(&x, &copies, &part->measurement->cost.epsilon);
            sc_ratio_add(&epsilon, &epsilon, &x);
            sc_ratio_mul(&x, &copies, &part->measurement->cost.delta);
            sc_ratio_add(&delta, &delta, &x);
            CHECK(part->measurement->cost.neighbours == plan->neighbours ||
                  part->is_apart);
        }
    const sc_exact_cost *total = sc_bundle_total(plan->bundle);
    CHECK(sc_ratio_compare_int64(&shares, 1) == 0);
    CHECK(sc_ratio_compare(&total->epsilon, &plan->options.epsilon) <= 0);
    CHECK(sc_ratio_compare(&total->delta, &plan->options.delta) <= 0);
    CHECK(sc_ratio_compare(&epsilon, &total->epsilon) <= 0);
    CHECK(sc_ratio_compare(&delta, &total->delta) <= 0);
    if (!is_gaussian) {
        CHECK(sc_ratio_compare(&epsilon, &total->epsilon) == 0);
        CHECK(sc_ratio_compare(&delta, &total->delta) == 0);
        /* Nothing is left over, but for what quantiles do not take. */
        CHECK(sc_ratio_compare_int64(&plan->options.epsilon, 5) > 0 ||
              sc_ratio_compare(&epsilon, &plan->options.epsilon) == 0);
    }
    sc_ratio_clear(&x);
    sc_ratio_clear(&copies);
    sc_ratio_clear(&shares);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}

SLOW_TEST(plan_budgets_of_random_questions)
{
    CLAIM("plan.budget");
    static const char *const policies[] = {
        "", "neighbours=replace\n", "max-groups=3\nmax-rows=2\n",
        "max-groups=5\nmax-rows=7\nneighbours=replace\n"};
    static const char *const epsilons[] = {"1", "1/3", "0.1", "7/13", "100", "1/4"};
    static const char *const deltas[] = {"1e-6", "1/3000000", "2^-40"};
    static const char *const noises[] = {NULL, "laplace", "gaussian"};
    uint64_t random = check_seed();
    const uint64_t count = check_count(5, 600);
    for (size_t i = 0; i < COUNT(policies); i++) {
        plan_scene scene;
        if (plan_begin(&scene, policies[i]))
            for (uint64_t round = 0; round < count; round++) {
                char query[1000];
                const char *noise = noises[next_random(&random, COUNT(noises))];
                random_query(&random, query, sizeof query);
                if (!plan_ask(
                        &scene, query,
                        OPTIONS(.epsilon =
                                    epsilons[next_random(&random, COUNT(epsilons))],
                                .delta = deltas[next_random(&random, COUNT(deltas))],
                                .mechanism = noise)))
                    break;
                bool is_gaussian = false;
                const sc_planned_statement *s = &scene.plan->statements[0];
                for (size_t j = 0; j < s->part_count; j++)
                    is_gaussian |= strcmp(s->parts[j].measurement->mechanism->entry.name,
                                          "gaussian") == 0;
                CHECK(!is_gaussian || noise == NULL || noise[0] == 'g');
                check_budget(scene.plan, is_gaussian);
            }
        plan_end(&scene);
    }
}

/* Batches. */

TEST(plan_of_a_batch)
{
    CLAIM("plan.budget");
    static const char *const queries[] = {"SELECT COUNT(*);",
                                          "SELECT sex, AVG(age) group by sex",
                                          "SELECT MEDIAN(age), COUNT(*)"};
    plan_scene scene;
    if (plan_begin(&scene, "")) {
        scene.status = scrim_plan_new(scene.vault, "adult", queries, 3,
                                      OPTIONS(.epsilon = "1", .delta = "1e-6",
                                              .mechanism = "laplace", .expect = "50",
                                              .confidence = "0.9"),
                                      &scene.plan, NULL, &scene.error);
        if (CHECK_STATUS(scene.status, SCRIM_OK)) {
            CHECK_INT(scene.plan->statement_count, 3);
            CHECK_STR(scene.plan->question,
                      "query epsilon=1 delta=0.000001 mechanism=laplace expect=50 "
                      "null=sql : SELECT "
                      "COUNT(*) ; SELECT sex, AVG(age) GROUP BY sex ; SELECT MEDIAN"
                      "(age), COUNT(*)");
            check_budget(scene.plan, false);
            /* A question that needs no delta is not charged one. */
            CHECK_STR(sc_bundle_cost(scene.plan->bundle)->delta, "0");
            CHECK_INT(sc_bundle_count(scene.plan->bundle), 6);
        }
    }
    plan_end(&scene);
}

/* The delta that was given is shared by the selections of all statements. */
SLOW_TEST(plan_of_a_batch_divides_its_delta)
{
    CLAIM("plan.budget");
    static const char *const queries[] = {
        "SELECT city, COUNT(*) GROUP BY city", "SELECT city, AVG(age) GROUP BY city",
        "SELECT city, SUM(age) WITH RANGE GROUP BY city"};
    for (size_t count = 1; count <= COUNT(queries); count++) {
        plan_scene scene;
        sc_ratio delta, most;
        sc_ratio_init(&delta);
        sc_ratio_init(&most);
        if (plan_begin(&scene, "")) {
            scene.status = scrim_plan_new(scene.vault, "adult", queries, count,
                                          OPTIONS(.epsilon = "1", .delta = "1e-6"),
                                          &scene.plan, NULL, &scene.error);
            if (CHECK_STATUS(scene.status, SCRIM_OK)) {
                const char *text = sc_bundle_cost(scene.plan->bundle)->delta;
                REQUIRE_OK(sc_ratio_parse(sc_text_of(text), &delta, NULL));
                sc_ratio_set_quotient(&most, 1, 1000000);
                CHECK(sc_ratio_sign(&delta) > 0 && sc_ratio_compare(&delta, &most) <= 0);
            }
        }
        plan_end(&scene);
        sc_ratio_clear(&most);
        sc_ratio_clear(&delta);
    }
}

/* The question says what the plan depends on. */

static void check_same(const plan_scene *a, const plan_scene *b)
{
    const sc_planned_statement *s = &a->plan->statements[0], *t = &b->plan->statements[0];
    CHECK_STR(a->plan->question, b->plan->question);
    CHECK_INT(s->part_count, t->part_count);
    for (size_t i = 0; i < s->part_count && i < t->part_count; i++)
        CHECK_STR(scrim_measurement_text(s->parts[i].measurement),
                  scrim_measurement_text(t->parts[i].measurement));
}

SLOW_TEST(plan_is_the_same_for_the_same_question)
{
    CLAIM("plan.question");
    static const char query[] =
        "SELECT city, COUNT(*), AVG(age), MEDIAN(income) GROUP BY "
        "city";
    plan_scene a, b;
    if (plan_begin(&a, "max-groups=8\n") && plan_begin(&b, "max-groups=8\n") &&
        plan_ask(&a, query, OPTIONS(.epsilon = "0.5", .delta = "1e-6"))) {
        if (plan_ask(&b, query,
                     OPTIONS(.epsilon = "1/2", .delta = "1/1000000",
                             .confidence = "0.999", .workers = 7, .expect = "1000")))
            check_same(&a, &b);
        if (plan_ask(&b, "select city,count(*),avg(age),median(income) group by city;",
                     OPTIONS(.epsilon = "0.50", .delta = "0.000001")))
            check_same(&a, &b);
        if (plan_ask(&b, query,
                     OPTIONS(.epsilon = "0.5", .delta = "1e-6", .expect = "10")))
            CHECK(strstr(b.plan->question, " expect=10 cut=0.05 null=sql : ") != NULL);
    }
    plan_end(&b);
    plan_end(&a);
}

/* Refusals. */

TEST(plan_refuses_what_needs_a_delta)
{
    CLAIM("plan.refuses");
    plan_scene scene;
    if (plan_begin(&scene, "")) {
        plan_refused(&scene,
                     "SELECT sex, married, city, COUNT(*) GROUP BY sex, married, city",
                     OPTIONS(.epsilon = "1"), SCRIM_E_PARAM,
                     "GROUP BY city has no public keys; showing its values needs a "
                     "delta, e.g. 1e-7 (or the owner lists the keys)");
        plan_refused(&scene, "SELECT -big AS b, COUNT(*) GROUP BY b",
                     OPTIONS(.epsilon = "1", .delta = "0"), SCRIM_E_PARAM,
                     "GROUP BY has too many keys to show them all; selecting among them "
                     "needs a delta");
        plan_refused(&scene, "SELECT COUNT(*) WITH RANGE", OPTIONS(.epsilon = "1"),
                     SCRIM_E_PARAM, "WITH RANGE needs a delta");
        plan_refused(&scene, "SELECT COUNT(*)",
                     OPTIONS(.epsilon = "1", .mechanism = "gaussian"), SCRIM_E_PARAM,
                     "gaussian noise needs a delta");
        /* Nothing that is asked for has that noise. */
        CHECK(plan_ask(&scene, "SELECT COUNT(*)", OPTIONS(.epsilon = "1")));
    }
    plan_end(&scene);
}

TEST(plan_refuses_what_is_beyond_the_limits)
{
    CLAIM("plan.refuses");
    plan_scene scene;
    if (plan_begin(&scene, "max-groups=1000000000\nmax-rows=1000000000\n")) {
        plan_refused(
            &scene, "SELECT SUM(big)", OPTIONS(.epsilon = "1"), SCRIM_E_LIMIT,
            "sum of big: one person can change it by more steps than noise is made "
            "for at this epsilon; make it coarser with ROUND(x, digits), or bound "
            "it with CLAMP(x, low, high)");
        plan_refused(
            &scene, "SELECT SUM(big + 0) AS a", OPTIONS(.epsilon = "1"), SCRIM_E_LIMIT,
            "sum for a: one person can change it by more steps than noise is made "
            "for at this epsilon; make it coarser with ROUND(x, digits), or bound "
            "it with CLAMP(x, low, high)");
        plan_refused(
            &scene, "SELECT COUNT(*)", OPTIONS(.epsilon = "2^-50"), SCRIM_E_LIMIT,
            "rows: the contribution bounds let one person change it by more than "
            "noise can hide at this epsilon; ask for a larger epsilon");
        plan_refused(&scene, "SELECT MEDIAN(age)", OPTIONS(.epsilon = "1"), SCRIM_E_LIMIT,
                     "max-rows: 1000000000 is above the limit 1048576; max-rows is the "
                     "rows that one unit may own, an integer from 1 to 1048576");
    }
    plan_end(&scene);
}

TEST(plan_refuses_what_is_no_query)
{
    CLAIM("plan.refuses");
    static const char *const queries[SC_PLAN_STATEMENTS + 1] = {"SELECT COUNT(*)"};
    plan_scene scene;
    if (plan_begin(&scene, "")) {
        scrim_error error;
        plan_refused(&scene, "SELECT sx, COUNT(*) GROUP BY sx", OPTIONS(.epsilon = "1"),
                     SCRIM_E_PARAM, "no column sx; did you mean sex?");
        CHECK_INT(scene.caret.query, 0);
        CHECK(strstr(scene.caret.text, "^^") != NULL);
        plan_refused(&scene, "SELECT", OPTIONS(.epsilon = "1"), SCRIM_E_SYNTAX,
                     "the query ends here; expected a column, a value or a function");
        CHECK_STR(scene.caret.text, "SELECT\n      ^");
        CHECK_STATUS(scrim_plan_new(scene.vault, "adult", queries, 0,
                                    OPTIONS(.epsilon = "1"), &scene.plan, &scene.caret,
                                    &error),
                     SCRIM_E_PARAM);
        CHECK_STR(error.message, "there is no query");
        CHECK_STR(scene.caret.text, "");
        CHECK_STATUS(scrim_plan_new(scene.vault, "adult", queries, 2,
                                    OPTIONS(.epsilon = "1"), &scene.plan, &scene.caret,
                                    &error),
                     SCRIM_E_PARAM);
        CHECK_STR(error.message, "there is no query");
        CHECK_STATUS(scrim_plan_new(scene.vault, "adult", queries, SC_PLAN_STATEMENTS + 1,
                                    OPTIONS(.epsilon = "1"), &scene.plan, &scene.caret,
                                    &error),
                     SCRIM_E_LIMIT);
        CHECK_STR(error.message, "a batch has at most 256 queries");
        CHECK_STATUS(scrim_plan_new(scene.vault, "nobody", queries, 1,
                                    OPTIONS(.epsilon = "1"), &scene.plan, NULL, &error),
                     SCRIM_E_PARAM);
        CHECK(scene.plan == NULL);
    }
    plan_end(&scene);
}

TEST(plan_refuses_too_many_numbers)
{
    CLAIM("plan.refuses");
    static char many[SC_QUERY_BYTES];
    static const char *queries[8];
    size_t at = (size_t)snprintf(many, sizeof many, "SELECT ");
    for (int i = 0; i < 200; i++)
        at += (size_t)snprintf(many + at, sizeof many - at, "%sAVG(age + %d) AS a%d",
                               i > 0 ? ", " : "", i, i);
    for (size_t i = 0; i < COUNT(queries); i++)
        queries[i] = many;
    plan_scene scene;
    if (plan_begin(&scene, "")) {
        scene.status = scrim_plan_new(scene.vault, "adult", queries, COUNT(queries),
                                      OPTIONS(.epsilon = "1"), &scene.plan, &scene.caret,
                                      &scene.error);
        CHECK_STATUS(scene.status, SCRIM_E_LIMIT);
        CHECK_STR(scene.error.message, "the queries ask for more than 1024 different "
                                       "numbers; ask in several batches");
    }
    plan_end(&scene);
}

TEST(plan_opens_no_source)
{
    CLAIM("plan.public");
    plan_scene scene;
    /* There is no file at all: the dataset of these tests has no source. */
    if (plan_begin(&scene, "") && plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                                           OPTIONS(.epsilon = "1", .delta = "1e-6")))
        CHECK(scene.plan->schema->source == NULL);
    plan_end(&scene);
}

FAULT_TEST(plan_without_memory)
{
    plan_scene scene;
    if (plan_begin(&scene, "max-groups=2\n"))
        FAULT_LOOP(fault)
        {
            static const char *const query =
                "SELECT city, COUNT(*), AVG(age) GROUP BY city";
            scrim_plan *plan = NULL;
            const scrim_status status = scrim_plan_new(
                scene.vault, "adult", &query, 1, OPTIONS(.epsilon = "1", .delta = "1e-6"),
                &plan, NULL, &scene.error);
            CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
            CHECK((plan != NULL) == (status == SCRIM_OK));
            scrim_plan_free(plan);
        }
    plan_end(&scene);
}
