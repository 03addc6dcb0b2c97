#include "check.h"
#include "ledger/release.h"
#include "passages.h"
#include "plans.h"
#include "query/plan/plan_shown.h"
#include "vault/vault.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

TEST(plan_facts_of_the_main_job)
{
    plan_scene scene;
    scrim_plan_facts f;
    scrim_plan_statement s;
    if (plan_begin(&scene, "budget=epsilon=3,delta=1e-6\n") &&
        plan_ask(&scene, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex",
                 OPTIONS(.epsilon = "0.5"))) {
        REQUIRE_OK(scrim_plan_describe(scene.vault, scene.plan, &f, &scene.error));
        CHECK_STR(f.dataset, "adult");
        CHECK_INT(f.version, 1);
        CHECK_STR(f.unit, "person_id");
        CHECK_INT(f.neighbours, SCRIM_ADD_REMOVE);
        CHECK_STR(f.epsilon, "0.5");
        CHECK_STR(f.delta, "0");
        CHECK_STR(f.confidence, "0.95");
        CHECK_STR(f.expect, "1000");
        CHECK_STR(f.cost.epsilon, "0.5");
        CHECK_STR(f.of_two.epsilon, "1");
        CHECK_STR(f.of_four.epsilon, "2");
        CHECK_STR(f.account_unit, "epsilon");
        CHECK_STR(f.amount, "0.5");
        CHECK_STR(f.amount_delta, "0");
        CHECK_STR(f.left, "3");
        CHECK_STR(f.left_delta, "0.000001");
        CHECK_STR(f.after, "2.5");
        CHECK_STR(f.after_delta, "0.000001");
        CHECK_INT(f.repeats, 0);
        CHECK_INT(f.statements, 1);
        REQUIRE_OK(scrim_plan_statement_at(scene.plan, 0, &s, NULL));
        CHECK_STR(s.text, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex");
        CHECK_STR(s.keys, "public");
        CHECK_INT(s.key_count, 2);
        CHECK_INT(s.null_count, 0);
        CHECK(s.max_groups == 1 && s.max_rows == 1);
        CHECK(s.outputs == 3 && s.parts == 2 && s.choices == 0);
    }
    plan_end(&scene);
}

static void check_output(const plan_scene *scene, size_t index, const char *name,
                         const char *aggregate, const char *low, const char *high)
{
    scrim_plan_output o;
    REQUIRE_OK(scrim_plan_output_at(scene->plan, 0, index, &o, NULL));
    CHECK_STR(o.name, name);
    CHECK_INT(o.is_key, aggregate == NULL);
    if (aggregate != NULL)
        CHECK_STR(o.aggregate, aggregate);
    CHECK_STR(o.low, low);
    CHECK_STR(o.high, high);
    CHECK_INT(strlen(o.error) > 0, aggregate != NULL && !o.is_unknown);
    CHECK_INT(o.is_unknown, aggregate != NULL && (strcmp(aggregate, "MEDIAN") == 0 ||
                                                  strcmp(aggregate, "QUANTILE") == 0));
}

TEST(plan_facts_of_outputs)
{
    plan_scene scene;
    if (plan_begin(&scene, "") &&
        plan_ask(
            &scene,
            "SELECT sex, COUNT(*), COUNT(DISTINCT person_id), SUM(income), AVG(weight), "
            "VAR(age), STDDEV_POP(income), MEDIAN(day), QUANTILE(age, 0.9), VAR_POP(age)"
            ", STDDEV(age) GROUP BY sex",
            OPTIONS(.epsilon = "10"))) {
        scrim_plan_output o;
        check_output(&scene, 0, "sex", NULL, "", "");
        check_output(&scene, 1, "count", "COUNT", "", "");
        check_output(&scene, 2, "count_person_id", "COUNT DISTINCT", "", "");
        check_output(&scene, 3, "sum_income", "SUM", "", "");
        check_output(&scene, 4, "avg_weight", "AVG", "0", "200");
        check_output(&scene, 5, "var_age", "VAR", "0", "3600");
        check_output(&scene, 6, "stddev_pop_income", "STDDEV_POP", "0", "50500");
        check_output(&scene, 7, "median_day", "MEDIAN", "2020-01-01", "2020-12-31");
        check_output(&scene, 8, "quantile_age_0.9", "QUANTILE", "0", "120");
        check_output(&scene, 9, "var_pop_age", "VAR_POP", "0", "3600");
        check_output(&scene, 10, "stddev_age", "STDDEV", "0", "60");
        CHECK_STATUS(scrim_plan_output_at(scene.plan, 0, 11, &o, &scene.error),
                     SCRIM_E_PARAM);
        CHECK_STR(scene.error.message, "the plan has no such output");
        CHECK_STATUS(scrim_plan_output_at(scene.plan, 1, 0, &o, NULL), SCRIM_E_PARAM);
    }
    plan_end(&scene);
}

/* One number alone: its error is the smallest t with P(|Z| > t) <= 0.05, 2 p^(t+1) / (1 + p). */
TEST(plan_facts_of_one_count)
{
    plan_scene scene;
    scrim_plan_output o;
    scrim_plan_part p;
    scrim_plan_choice c;
    scrim_plan_statement s;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT COUNT(*)", OPTIONS(.epsilon = "0.1", .expect = "500"))) {
        REQUIRE_OK(scrim_plan_output_at(scene.plan, 0, 0, &o, NULL));
        CHECK_STR(o.error, "30");
        CHECK_STR(o.relative, "0.06");
        REQUIRE_OK(scrim_plan_part_at(scene.plan, 0, 0, &p, NULL));
        CHECK_STR(p.what, "rows");
        CHECK_STR(p.measurement,
                  "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove");
        CHECK_STR(p.share, "1");
        CHECK_INT(p.copies, 1);
        CHECK_STR(p.cost.epsilon, "0.1");
        /* 1 / (sqrt(2) sinh(0.05)) = 14.1362 */
        CHECK_STR(p.scale, "14.2");
        CHECK_STR(p.step, "1");
        CHECK_STATUS(scrim_plan_part_at(scene.plan, 0, 1, &p, &scene.error),
                     SCRIM_E_PARAM);
        CHECK_STR(scene.error.message, "the plan has no such part");
        CHECK_STATUS(scrim_plan_choice_at(scene.plan, 0, 0, &c, &scene.error),
                     SCRIM_E_PARAM);
        CHECK_STR(scene.error.message, "the plan has no such choice");
        CHECK_STATUS(scrim_plan_statement_at(scene.plan, 1, &s, &scene.error),
                     SCRIM_E_PARAM);
        CHECK_STR(scene.error.message, "the plan has no such statement");
    }
    if (plan_ask(&scene, "SELECT COUNT(*)",
                 OPTIONS(.epsilon = "0.1", .confidence = "0.5"))) {
        REQUIRE_OK(scrim_plan_output_at(scene.plan, 0, 0, &o, NULL));
        CHECK_STR(o.error, "7");
    }
    if (plan_ask(&scene, "SELECT SUM(weight)", OPTIONS(.epsilon = "1"))) {
        /* In steps of 1/8: 1600 of them a row. 1600 ln 20 = 4793.2 */
        REQUIRE_OK(scrim_plan_output_at(scene.plan, 0, 0, &o, NULL));
        CHECK_STR(o.error, "600");
        CHECK_STR(o.relative, "0.006");
        REQUIRE_OK(scrim_plan_part_at(scene.plan, 0, 0, &p, NULL));
        CHECK_STR(p.what, "sum of weight");
        CHECK_STR(p.scale, "283");
        CHECK_STR(p.step, "0.125");
    }
    plan_end(&scene);
}

SLOW_TEST(plan_facts_of_parts)
{
    plan_scene scene;
    scrim_plan_part p;
    if (plan_begin(&scene, "max-groups=3\nneighbours=replace\nmax-rows=2\n") &&
        plan_ask(&scene,
                 "SELECT city, MEDIAN(age), SUM(age + 1) WITH RANGE AS s GROUP BY city",
                 OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
        static const char *const what[] = {"keys", "quantiles of age",
                                           "rows around quantiles of age",
                                           "sum for s with range", "people cut"};
        sc_ratio epsilon, all;
        sc_ratio_init(&epsilon);
        sc_ratio_init(&all);
        for (size_t i = 0; i < COUNT(what); i++) {
            REQUIRE_OK(scrim_plan_part_at(scene.plan, 0, i, &p, NULL));
            CHECK_STR(p.what, what[i]);
            CHECK_INT(p.copies, i == 1 ? 6 : 1);
            CHECK_INT(p.cost.neighbours, SCRIM_REPLACE);
            /* With epsilon 1 a part costs its share. */
            CHECK_STR(p.cost.epsilon, p.share);
            CHECK_STATUS(sc_ratio_parse(sc_text_of(p.cost.epsilon), &epsilon, NULL),
                         SCRIM_OK);
            sc_ratio_add(&all, &all, &epsilon);
        }
        CHECK(sc_ratio_compare_int64(&all, 1) == 0);
        CHECK_STATUS(scrim_plan_part_at(scene.plan, 0, COUNT(what), &p, NULL),
                     SCRIM_E_PARAM);
        sc_ratio_clear(&all);
        sc_ratio_clear(&epsilon);
    }
    plan_end(&scene);
}

/* Budgets. */

TEST(plan_facts_of_what_does_not_fit)
{
    plan_scene scene;
    scrim_plan_facts f;
    if (plan_begin(&scene, "budget=epsilon=1,delta=1e-6\nshare=*=epsilon=0.25\n")) {
        if (plan_ask(&scene, "SELECT COUNT(*)", OPTIONS(.epsilon = "0.5"))) {
            REQUIRE_OK(scrim_plan_describe(scene.vault, scene.plan, &f, &scene.error));
            CHECK_STR(f.left, "0.25"); /* of everybody's share, though nobody has asked */
            CHECK_STR(f.after, "");
            CHECK_STR(f.after_delta, "");
        }
        if (plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                     OPTIONS(.epsilon = "0.2", .delta = "1e-5"))) {
            REQUIRE_OK(scrim_plan_describe(scene.vault, scene.plan, &f, &scene.error));
            CHECK_STR(f.amount_delta, "0.00001");
            CHECK_STR(f.after, "");
        }
        if (plan_ask(&scene, "SELECT COUNT(*)", OPTIONS(.epsilon = "1/4"))) {
            REQUIRE_OK(scrim_plan_describe(scene.vault, scene.plan, &f, &scene.error));
            CHECK_STR(f.after, "0");
        }
    }
    plan_end(&scene);
}

TEST(plan_facts_in_the_unit_of_the_account)
{
    plan_scene scene;
    scrim_plan_facts f;
    if (plan_begin(&scene, "accounting=concentrated\n") &&
        plan_ask(&scene, "SELECT COUNT(*)", OPTIONS(.epsilon = "0.5"))) {
        REQUIRE_OK(scrim_plan_describe(scene.vault, scene.plan, &f, &scene.error));
        CHECK_STR(f.account_unit, "rho");
        CHECK_STR(f.amount, "0.125");
        CHECK_STR(f.amount_delta, "0");
        CHECK_STR(f.cost.epsilon, "0.5");
    }
    plan_end(&scene);
}

TEST(plan_facts_of_groups)
{
    plan_scene scene;
    scrim_plan_facts f;
    if (plan_begin(&scene, "") && plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                                           OPTIONS(.epsilon = "4", .delta = "0.001"))) {
        REQUIRE_OK(scrim_plan_describe(scene.vault, scene.plan, &f, &scene.error));
        /* delta (e^8 - 1)/(e^4 - 1) = 0.001 (e^4 + 1); of four it is above 1. */
        CHECK_STR(f.of_two.epsilon, "8");
        sc_ratio delta;
        sc_ratio_init(&delta);
        CHECK_STATUS(sc_ratio_parse(sc_text_of(f.of_two.delta), &delta, NULL), SCRIM_OK);
        sc_ratio_mul(&delta, &delta, &scene.plan->options.expect);
        CHECK(sc_ratio_compare_int64(&delta, 55) > 0 &&
              sc_ratio_compare_int64(&delta, 56) < 0);
        sc_ratio_clear(&delta);
        CHECK_STR(f.of_four.epsilon, "");
        CHECK_STR(f.of_four.delta, "");
    }
    plan_end(&scene);
}

/* A question that was charged is found. */

TEST(plan_facts_find_a_repeated_question)
{
    plan_scene scene;
    scrim_plan_facts f;
    scrim_ledger *ledger = NULL;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT COUNT(*)", OPTIONS(.epsilon = "1"))) {
        sc_passage *passage = NULL;
        REQUIRE_OK(scrim_vault_ledger(scene.vault, "adult", &ledger, &scene.error));
        REQUIRE_OK(passage_open(ledger, scene.plan->question, scene.plan->bundle,
                                &passage, &scene.error));
        const uint64_t entry = sc_passage_entry(passage);
        int64_t zero = 0;
        sc_int128 value;
        sc_mark mark;
        sc_draw draw = {.values = &value, .marks = &mark, .capacity = 1};
        const sc_private_input input = {.values = &zero, .count = 1};
        CHECK_STATUS(sc_passage_draw(passage, 0,
                                     scene.plan->statements[0].parts[0].measurement,
                                     &input, &draw, &scene.error),
                     SCRIM_OK);
        CHECK_STATUS(sc_passage_record(passage, "an answer", &scene.error), SCRIM_OK);
        sc_passage_close(passage);
        REQUIRE_OK(scrim_plan_describe(scene.vault, scene.plan, &f, &scene.error));
        CHECK_INT(f.repeats, entry);
        CHECK_STR(f.left, "99");
        if (plan_ask(&scene, "select count(*)",
                     OPTIONS(.epsilon = "1.0", .confidence = "0.5"))) {
            REQUIRE_OK(scrim_plan_describe(scene.vault, scene.plan, &f, &scene.error));
            CHECK_INT(f.repeats, entry);
        }
        if (plan_ask(&scene, "SELECT COUNT(*)", OPTIONS(.epsilon = "2"))) {
            REQUIRE_OK(scrim_plan_describe(scene.vault, scene.plan, &f, &scene.error));
            CHECK_INT(f.repeats, 0);
        }
    }
    scrim_ledger_free(ledger);
    plan_end(&scene);
}
