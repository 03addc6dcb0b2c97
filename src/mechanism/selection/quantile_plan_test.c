#include "check.h"
#include "exact.h"
#include "mechanism/selection/quantile_plan.h"
#include "mechanism/selection/rank_shells.h"

/* A question from texts. */
typedef struct asked {
    sc_ratio p[SC_QUANTILES_MAX], epsilon;
    sc_quantile_question question;
} asked;

static void ask(asked *a, const char *const *p, size_t count, const char *epsilon,
                scrim_neighbours neighbours, uint64_t largest, sc_quantile_form form)
{
    for (size_t i = 0; i < count; i++)
        exact_ratio(p[i], &a->p[i]);
    exact_ratio(epsilon, &a->epsilon);
    a->question = (sc_quantile_question){.p = a->p,
                                         .count = count,
                                         .epsilon = &a->epsilon,
                                         .neighbours = neighbours,
                                         .rows = 1,
                                         .largest = largest,
                                         .form = form};
}

static void forget(asked *a)
{
    for (size_t i = 0; i < a->question.count; i++)
        sc_ratio_clear(&a->p[i]);
    sc_ratio_clear(&a->epsilon);
}

/* Its ladder is the one with this step. */
static void check_step(const sc_ladder *ladder, const char *step)
{
    sc_ladder want;
    sc_ratio value;
    exact_ratio(step, &value);
    REQUIRE_OK(sc_ladder_init(&want, &value, ladder->top, NULL));
    CHECK_BYTES(ladder->ratio, want.ratio, sizeof want.ratio);
    CHECK(ladder->highest == want.highest);
    sc_ratio_clear(&value);
}

TEST(quantile_plan_sets_the_step_by_the_sensitivity)
{
    static const struct {
        const char *p, *epsilon;
        scrim_neighbours neighbours;
        uint64_t rows;
        const char *step;
        uint64_t denominator;
        bool by_order;
    } cases[] = {
        {"9/10", "1", SCRIM_REPLACE, 1, "1/2", 10, true},
        {"9/10", "1", SCRIM_REPLACE, 3, "1/60", 10, false}, /* 10 a row, 3 rows */
        {"9/10", "1", SCRIM_ADD_REMOVE, 1, "1/18", 10, false},
        {"1/10", "1", SCRIM_ADD_REMOVE, 1, "1/18", 10, false},
        {"1/2", "1", SCRIM_ADD_REMOVE, 1, "1/2", 2, false},
        {"2/4", "3/7", SCRIM_ADD_REMOVE, 5, "3/70", 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        asked a;
        sc_quantile_plan plan;
        ask(&a, &cases[i].p, 1, cases[i].epsilon, cases[i].neighbours, 999,
            SC_QUANTILE_CHOOSE);
        a.question.rows = cases[i].rows;
        REQUIRE_OK(sc_quantile_plan_init(&plan, &a.question, NULL));
        CHECK_INT(plan.count, 1);
        CHECK_INT(plan.parts, 1);
        CHECK_INT(plan.cells, 1000);
        CHECK_INT(plan.releases, 1);
        CHECK(!plan.is_recursive && plan.is_by_order == cases[i].by_order);
        CHECK_INT(plan.nodes[0].denominator, cases[i].denominator);
        check_step(&plan.nodes[0].ladder, cases[i].step);
        sc_quantile_plan_clear(&plan);
        forget(&a);
    }
}

/* The top is that of spec 4.4 with beta = 2^-14: ceil(ln(cells 2^14)/step), or m times 2^14
 * for m quantiles. */
TEST(quantile_plan_sets_the_top_by_the_range)
{
    static const char *const p[] = {"1/4", "1/2", "3/4"};
    asked a;
    sc_quantile_plan plan;
    ask(&a, p, 1, "1", SCRIM_REPLACE, ((uint64_t)1 << 20) - 1, SC_QUANTILE_CHOOSE);
    REQUIRE_OK(sc_quantile_plan_init(&plan, &a.question, NULL));
    CHECK_INT(plan.nodes[0].ladder.top, 48); /* 2 ln(2^34) = 47.1 */
    CHECK_INT(plan.width, sc_rank_field_width(48, 1, 1));
    sc_quantile_plan_clear(&plan);
    forget(&a);
    ask(&a, p, 3, "1", SCRIM_REPLACE, ((uint64_t)1 << 20) - 1, SC_QUANTILE_SPLIT);
    REQUIRE_OK(sc_quantile_plan_init(&plan, &a.question, NULL));
    CHECK_INT(plan.nodes[2].ladder.top, 148); /* 6 ln(3 2^34) = 148.0 - 0.009 */
    check_step(&plan.nodes[2].ladder, "1/6");
    sc_quantile_plan_clear(&plan);
    forget(&a);
}

TEST(quantile_plan_makes_a_tree)
{
    static const char *const p[] = {"1/10", "1/4", "1/2", "3/4", "9/10"};
    asked a;
    sc_quantile_plan plan;
    ask(&a, p, 5, "1", SCRIM_ADD_REMOVE, 1000000, SC_QUANTILE_RECURSIVE);
    REQUIRE_OK(sc_quantile_plan_init(&plan, &a.question, NULL));
    CHECK(plan.is_recursive && !plan.is_by_order);
    CHECK_INT(plan.releases, 3);
    CHECK_INT(plan.parts, 64);
    CHECK_INT(plan.cells, 64 * (sc_int128)1000001);
    /* Preorder: 1/2; 1/4 below it, with 1/10 below that; 9/10 above, with 3/4 between. */
    static const struct {
        size_t index, lower, upper;
        uint64_t numerator, denominator;
        const char *step; /* (1/3) / (2 64 max(n, d-n)) */
    } want[] = {{2, SC_QUANTILE_NONE, SC_QUANTILE_NONE, 1, 2, "1/384"},
                {1, SC_QUANTILE_NONE, 0, 1, 2, "1/384"},
                {0, SC_QUANTILE_NONE, 1, 2, 5, "1/1152"},
                {4, 0, SC_QUANTILE_NONE, 4, 5, "1/1536"},
                {3, 0, 3, 5, 8, "1/1920"}};
    CHECK_INT(plan.count, 5);
    for (size_t i = 0; i < 5; i++) {
        const sc_quantile_node *node = &plan.nodes[i];
        CHECK_INT(node->index, want[i].index);
        CHECK(node->lower == want[i].lower && node->upper == want[i].upper);
        CHECK_INT(node->numerator, want[i].numerator);
        CHECK_INT(node->denominator, want[i].denominator);
        check_step(&node->ladder, want[i].step);
        CHECK(node->left == SC_QUANTILE_NONE || plan.nodes[node->left].upper == i);
        CHECK(node->right == SC_QUANTILE_NONE || plan.nodes[node->right].lower == i);
    }
    CHECK(plan.nodes[0].left == 1 && plan.nodes[0].right == 3);
    sc_quantile_plan_clear(&plan);
    forget(&a);
    /* Under replace a unit may change two sides: half the step. */
    ask(&a, p, 5, "1", SCRIM_REPLACE, 1000000, SC_QUANTILE_RECURSIVE);
    REQUIRE_OK(sc_quantile_plan_init(&plan, &a.question, NULL));
    check_step(&plan.nodes[0].ladder, "1/768");
    sc_quantile_plan_clear(&plan);
    forget(&a);
}

static bool chooses_recursion(const char *const *p, size_t count,
                              scrim_neighbours neighbours, uint64_t largest)
{
    asked a;
    sc_quantile_plan plan;
    bool is_recursive = false;
    ask(&a, p, count, "1", neighbours, largest, SC_QUANTILE_CHOOSE);
    if (CHECK_STATUS(sc_quantile_plan_init(&plan, &a.question, NULL), SCRIM_OK)) {
        is_recursive = plan.is_recursive;
        sc_quantile_plan_clear(&plan);
    }
    forget(&a);
    return is_recursive;
}

TEST(quantile_plan_takes_the_smaller_predicted_error)
{
    static const char *const quartiles[] = {"1/4", "1/2", "3/4"};
    static const char *const thirds[] = {"1/3", "2/3"};
    static const char *const eighths[] = {"1/8", "1/4", "3/8", "1/2",
                                          "5/8", "3/4", "7/8"};
    CHECK(!chooses_recursion(quartiles, 1, SCRIM_ADD_REMOVE, 1000000));
    CHECK(!chooses_recursion(thirds, 2, SCRIM_ADD_REMOVE, 1000000));
    CHECK(!chooses_recursion(quartiles, 3, SCRIM_ADD_REMOVE, 3));
    CHECK(chooses_recursion(quartiles, 3, SCRIM_ADD_REMOVE, 1000000));
    CHECK(!chooses_recursion(quartiles, 3, SCRIM_REPLACE, 1000000));
    CHECK(chooses_recursion(eighths, 7, SCRIM_ADD_REMOVE, 1000));
    CHECK(!chooses_recursion(eighths, 7, SCRIM_ADD_REMOVE, (uint64_t)1 << 60)); /* room */
}

static void radius_of(const sc_quantile_plan *plan, const char *beta, const char *want)
{
    sc_ratio b, radius;
    char text[SC_RATIO_TEXT_BYTES] = "none";
    exact_ratio(beta, &b);
    sc_ratio_init(&radius);
    if (sc_quantile_plan_radius_upper(plan, &b, &radius))
        sc_ratio_format(&radius, text, sizeof text);
    CHECK_STR(text, want);
    sc_ratio_clear(&radius);
    sc_ratio_clear(&b);
}

TEST(quantile_plan_promises_a_rank_error)
{
    CLAIM("quantile.accuracy");
    static const char *const p[] = {"1/4", "1/2", "3/4"};
    asked a;
    sc_quantile_plan plan;
    ask(&a, p, 1, "1", SCRIM_REPLACE, 1000, SC_QUANTILE_CHOOSE);
    REQUIRE_OK(sc_quantile_plan_init(&plan, &a.question, NULL));
    /* The least j with 1000 exp(-(j+1)/2) <= beta: 2 ln(1000/beta) - 1, rounded up. */
    radius_of(&plan, "1/20", "19");
    radius_of(&plan, "1/2", "15");
    radius_of(&plan, "1e-4", "32");
    radius_of(&plan, "1e-6", "none");
    sc_quantile_plan_clear(&plan);
    forget(&a);
    /* Quartiles: own errors e, and (e + e/2) beside the middle. Levels of 1/128 row, a step of
     * (1/2)/(2 64) = 1/256: the least j with 64063 exp(-(j+1)/256) <= beta/3, over 128. */
    ask(&a, p, 3, "1", SCRIM_ADD_REMOVE, 1000, SC_QUANTILE_RECURSIVE);
    REQUIRE_OK(sc_quantile_plan_init(&plan, &a.question, NULL));
    /* 256 ln(3 20 64063) - 1 = 3880.5: 3881/128 = 30.3203125, and half as much again */
    radius_of(&plan, "1/20", "45.48046875");
    sc_quantile_plan_clear(&plan);
    forget(&a);
}

static void check_refused(const char *const *p, size_t count, const char *epsilon,
                          uint64_t largest, sc_quantile_form form, scrim_status want)
{
    asked a;
    sc_quantile_plan plan;
    scrim_error error = {.status = SCRIM_OK};
    ask(&a, p, count, epsilon, SCRIM_ADD_REMOVE, largest, form);
    CHECK_STATUS(sc_quantile_plan_init(&plan, &a.question, &error), want);
    CHECK_STATUS(error.status, want);
    forget(&a);
}

TEST(quantile_plan_refuses_what_it_cannot_hold)
{
    static const char *const same[] = {"1/2", "1/2"}, *const falling[] = {"2/3", "1/3"},
                             *const fine[] = {"0.123456789"}, *const half[] = {"1/2"},
                             *const thirds[] = {"1/3", "2/3"},
                             *const bits[] = {"1/18446744073709551616"};
    check_refused(same, 2, "1", 100, SC_QUANTILE_CHOOSE, SCRIM_E_PARAM);
    check_refused(falling, 2, "1", 100, SC_QUANTILE_CHOOSE, SCRIM_E_PARAM);
    check_refused(fine, 1, "1", 100, SC_QUANTILE_CHOOSE, SCRIM_E_LIMIT);
    check_refused(half, 1, "1e-6", 100, SC_QUANTILE_CHOOSE, SCRIM_E_LIMIT);
    check_refused(bits, 1, "1", 100, SC_QUANTILE_CHOOSE, SCRIM_E_LIMIT);
    check_refused(thirds, 2, "1", (uint64_t)1 << 56, SC_QUANTILE_RECURSIVE,
                  SCRIM_E_LIMIT);
}
