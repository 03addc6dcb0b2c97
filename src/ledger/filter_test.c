#include "check.h"
#include "ledger/filter.h"
#include "model/measurement.h"
#include "scrim/measurement.h"

static void parse(const char *text, sc_ratio *out)
{
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), out, NULL), SCRIM_OK);
}

static void declare(sc_filter *f, sc_filter_rule rule, scrim_neighbours neighbours,
                    const char *order, const char *epsilon, const char *delta)
{
    sc_filter_init(f);
    f->rule = rule;
    f->neighbours = neighbours;
    parse(order, &f->order);
    parse(epsilon, &f->epsilon);
    parse(delta, &f->delta);
}

static double view(const sc_ratio *x)
{
    sc_ball ball;
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, x, 128);
    double upper = sc_ball_upper(&ball);
    sc_ball_clear(&ball);
    return upper;
}

/* The delta at epsilon of rho, or of a divergence at an order, as text of a ball: written
 * here a second time, from the formula and without a search over orders for the latter. */
static double renyi_delta(const sc_filter *f, const sc_ratio *amount)
{
    sc_ratio less, part;
    sc_ball out, term;
    sc_ratio_init(&less);
    sc_ratio_init(&part);
    sc_ball_init(&out);
    sc_ball_init(&term);
    sc_ratio_set_int64(&part, 1);
    sc_ratio_sub(&less, &f->order, &part);
    sc_ratio_sub(&part, amount, &f->epsilon);
    sc_ratio_mul(&part, &part, &less);
    sc_ball_set_ratio(&out, &part, 256);
    sc_ratio_div(&part, &less, &f->order);
    sc_ball_set_ratio(&term, &part, 256);
    sc_ball_log(&term, &term, 256);
    sc_ball_mul_int64(&term, &term, 3, 256); /* the order of this test */
    sc_ball_add(&out, &out, &term, 256);
    sc_ball_exp(&out, &out, 256);
    sc_ball_set_ratio(&term, &less, 256);
    sc_ball_div(&out, &out, &term, 256);
    double upper = sc_ball_upper(&out);
    sc_ball_clear(&term);
    sc_ball_clear(&out);
    sc_ratio_clear(&part);
    sc_ratio_clear(&less);
    return upper;
}

/* amount times 1 + 2^-30. */
static void a_little_more(const sc_ratio *amount, sc_ratio *out)
{
    sc_ratio factor;
    sc_ratio_init(&factor);
    parse("1073741825/1073741824", &factor);
    sc_ratio_mul(out, amount, &factor);
    sc_ratio_clear(&factor);
}

TEST(filter_budget_of_a_sum_is_what_was_declared)
{
    CLAIM("filter.budget");
    sc_filter f;
    declare(&f, SC_FILTER_SUM, SCRIM_ADD_REMOVE, "0", "1/3", "1e-6");
    REQUIRE_OK(sc_filter_fix(&f, NULL));
    CHECK(sc_ratio_compare(&f.amount, &f.epsilon) == 0);
    CHECK(sc_ratio_compare(&f.parts, &f.delta) == 0);
    CHECK(sc_filter_holds(&f));
    a_little_more(&f.amount, &f.amount);
    CHECK(!sc_filter_holds(&f));
    sc_filter_clear(&f);
}

/* The delta of rho at epsilon 1, by a curve, and the published inverse of the weaker formula as
 * a bound from below: (sqrt(log(1/d) + e) - sqrt(log(1/d)))^2. */
SLOW_TEST(filter_budget_of_rho_is_the_largest)
{
    CLAIM("filter.budget");
    static const char *const pairs[][2] = {
        {"1", "1e-6"}, {"3", "1e-9"}, {"0.1", "1e-5"}, {"20", "0.01"}, {"0.001", "1e-9"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        sc_filter f;
        sc_curve curve;
        sc_ball delta;
        declare(&f, SC_FILTER_CONCENTRATED, SCRIM_ADD_REMOVE, "0", pairs[i][0],
                pairs[i][1]);
        sc_curve_init(&curve);
        sc_ball_init(&delta);
        REQUIRE_OK(sc_filter_fix(&f, NULL));
        CHECK(sc_filter_holds(&f));
        sc_curve_set_concentrated(&curve, &f.amount);
        sc_curve_delta_upper(&curve, &f.epsilon, 256, &delta);
        CHECK(sc_ball_upper(&delta) + view(&f.parts) <= view(&f.delta) * (1 + 1e-15));
        a_little_more(&f.amount, &f.amount);
        CHECK(!sc_filter_holds(&f));
        sc_ball_clear(&delta);
        sc_curve_clear(&curve);
        sc_filter_clear(&f);
    }
}

TEST(filter_budget_of_a_divergence_is_the_largest)
{
    CLAIM("filter.budget");
    sc_filter f;
    sc_ratio more;
    sc_ratio_init(&more);
    declare(&f, SC_FILTER_RENYI, SCRIM_ADD_REMOVE, "3", "10", "1e-6");
    REQUIRE_OK(sc_filter_fix(&f, NULL));
    CHECK(sc_filter_holds(&f));
    CHECK(renyi_delta(&f, &f.amount) <= 5e-7 * (1 + 1e-14));
    CHECK(renyi_delta(&f, &f.amount) >= 5e-7 * (1 - 1e-9));
    a_little_more(&f.amount, &more);
    CHECK(renyi_delta(&f, &more) > 5e-7);
    sc_ratio_set(&f.amount, &more);
    CHECK(!sc_filter_holds(&f));
    sc_ratio_clear(&more);
    sc_filter_clear(&f);
}

/* At order 2 and delta 1/2 the terms beside epsilon are 0, so that the budget is a whole number, of which no ball tells on which
 * side it lies. */
TEST(filter_budget_of_a_divergence_may_be_whole)
{
    CLAIM("filter.budget");
    sc_filter f;
    SC_OWN(sc_ratio, whole, less);
    sc_ratio_set_int64(&whole, 10);
    parse("9.99999999", &less);
    declare(&f, SC_FILTER_RENYI, SCRIM_ADD_REMOVE, "2", "10", "1/2");
    REQUIRE_OK(sc_filter_fix(&f, NULL));
    CHECK(sc_filter_holds(&f));
    CHECK(sc_ratio_compare(&f.amount, &whole) < 0);
    CHECK(sc_ratio_compare(&f.amount, &less) > 0);
    sc_filter_clear(&f);
}

TEST(filter_refuses_what_cannot_be_budgeted)
{
    static const struct {
        sc_filter_rule rule;
        scrim_neighbours neighbours;
        const char *order, *epsilon, *delta;
    } bad[] = {
        {SC_FILTER_UNSET, SCRIM_ADD_REMOVE, "0", "1", "0"},
        {SC_FILTER_SUM, SCRIM_NEIGHBOURS_UNSET, "0", "1", "0"},
        {SC_FILTER_SUM, SCRIM_ADD_REMOVE, "0", "0", "0"},
        {SC_FILTER_SUM, SCRIM_ADD_REMOVE, "0", "-1", "0"},
        {SC_FILTER_SUM, SCRIM_ADD_REMOVE, "0", "1", "1"},
        {SC_FILTER_SUM, SCRIM_ADD_REMOVE, "0", "1", "-1e-9"},
        {SC_FILTER_CONCENTRATED, SCRIM_ADD_REMOVE, "0", "1", "0"},
        {SC_FILTER_RENYI, SCRIM_ADD_REMOVE, "1", "1", "1e-6"},
        {SC_FILTER_RENYI, SCRIM_ADD_REMOVE, "65537", "1", "1e-6"},
        {SC_FILTER_RENYI, SCRIM_ADD_REMOVE, "2", "1", "1e-6"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sc_filter f;
        declare(&f, bad[i].rule, bad[i].neighbours, bad[i].order, bad[i].epsilon,
                bad[i].delta);
        CHECK_STATUS(sc_filter_fix(&f, NULL), SCRIM_E_PARAM);
        sc_filter_clear(&f);
    }
}

typedef struct want {
    const char *line;
    sc_filter_rule rule;
    scrim_neighbours neighbours;
    scrim_status status;
    double amount, delta;
} want;

static void check_price(const want *w)
{
    scrim_measurement *m = NULL;
    sc_filter f;
    sc_ratio amount, delta;
    sc_ratio_init(&amount);
    sc_ratio_init(&delta);
    declare(&f, w->rule, w->neighbours, "4", "10", "1e-6");
    CHECK_STATUS(sc_filter_fix(&f, NULL), SCRIM_OK);
    if (CHECK_STATUS(scrim_measurement_parse(w->line, &m, NULL), SCRIM_OK)) {
        CHECK_STATUS(sc_filter_price(&f, &m->cost, &amount, &delta, NULL), w->status);
        if (w->status == SCRIM_OK) {
            CHECK_NEAR(view(&amount), w->amount, 1e-12);
            CHECK_NEAR(view(&delta), w->delta, 1e-12);
        }
    }
    scrim_measurement_free(m);
    sc_filter_clear(&f);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&amount);
}

#define LAPLACE "laplace sensitivity=1 epsilon=1/2 neighbours="

TEST(filter_prices_in_its_own_notion)
{
    CLAIM("filter.price");
    static const want wants[] = {
        {LAPLACE "add-remove", SC_FILTER_SUM, SCRIM_ADD_REMOVE, SCRIM_OK, 0.5, 0},
        {LAPLACE "add-remove", SC_FILTER_SUM, SCRIM_REPLACE, SCRIM_OK, 1, 0},
        {LAPLACE "replace", SC_FILTER_SUM, SCRIM_REPLACE, SCRIM_OK, 0.5, 0},
        {LAPLACE "replace", SC_FILTER_SUM, SCRIM_ADD_REMOVE, SCRIM_E_POLICY, 0, 0},
        {LAPLACE "add-remove", SC_FILTER_CONCENTRATED, SCRIM_ADD_REMOVE, SCRIM_OK, 0.125,
         0},
        {LAPLACE "add-remove", SC_FILTER_CONCENTRATED, SCRIM_REPLACE, SCRIM_OK, 0.5, 0},
        {LAPLACE "replace", SC_FILTER_RENYI, SCRIM_ADD_REMOVE, SCRIM_E_POLICY, 0, 0},
    };
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++)
        check_price(&wants[i]);
}

/* (epsilon, delta) alone, and a rho that comes with a delta or without. */
TEST(filter_prices_parts_with_a_delta)
{
    CLAIM("filter.price");
    sc_exact_cost cost;
    sc_filter f;
    sc_ratio amount, delta, epsilon, small;
    sc_cost_init(&cost);
    sc_ratio_init(&amount);
    sc_ratio_init(&delta);
    sc_ratio_init(&epsilon);
    sc_ratio_init(&small);
    parse("0.2", &epsilon);
    parse("1e-8", &small);
    sc_cost_set_approximate(&cost, &epsilon, &small);
    cost.neighbours = SCRIM_ADD_REMOVE;
    declare(&f, SC_FILTER_CONCENTRATED, SCRIM_ADD_REMOVE, "0", "1", "1e-6");
    REQUIRE_OK(sc_filter_price(&f, &cost, &amount, &delta, NULL));
    CHECK_NEAR(view(&amount), 0.02, 1e-12);
    CHECK_NEAR(view(&delta), 1e-8, 1e-12);
    /* At one order: that of randomised response, and the delta. */
    f.rule = SC_FILTER_RENYI;
    parse("4", &f.order);
    REQUIRE_OK(sc_filter_price(&f, &cost, &amount, &delta, NULL));
    sc_curve pure;
    sc_ball bound;
    sc_curve_init(&pure);
    sc_ball_init(&bound);
    sc_curve_set_pure(&pure, &epsilon);
    sc_curve_renyi_upper(&pure, &f.order, 256, &bound);
    CHECK(view(&amount) >= sc_ball_lower(&bound));
    CHECK_NEAR(view(&amount), sc_ball_upper(&bound), 1e-12);
    CHECK_NEAR(view(&delta), 1e-8, 1e-12);
    /* A concentrated curve needs no delta, although it also promises a pair. */
    cost.has_rho = true;
    parse("0.005", &cost.rho);
    sc_curve_set_concentrated(&cost.curve, &cost.rho);
    REQUIRE_OK(sc_filter_price(&f, &cost, &amount, &delta, NULL));
    CHECK_NEAR(view(&amount), 0.02, 1e-12);
    CHECK(sc_ratio_sign(&delta) == 0);
    f.rule = SC_FILTER_CONCENTRATED;
    REQUIRE_OK(sc_filter_price(&f, &cost, &amount, &delta, NULL));
    CHECK_NEAR(view(&amount), 0.005, 1e-12);
    CHECK(sc_ratio_sign(&delta) == 0);
    /* A rho that holds only but for delta keeps it. */
    sc_curve_set_approximate(&cost.curve, &epsilon, &small);
    REQUIRE_OK(sc_filter_price(&f, &cost, &amount, &delta, NULL));
    CHECK_NEAR(view(&delta), 1e-8, 1e-12);
    /* A curve alone has no epsilon to count. */
    cost.has_epsilon = cost.has_rho = false;
    CHECK_STATUS(sc_filter_price(&f, &cost, &amount, &delta, NULL), SCRIM_E_POLICY);
    f.rule = SC_FILTER_SUM;
    CHECK_STATUS(sc_filter_price(&f, &cost, &amount, &delta, NULL), SCRIM_E_POLICY);
    sc_ball_clear(&bound);
    sc_curve_clear(&pure);
    sc_ratio_clear(&small);
    sc_ratio_clear(&epsilon);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&amount);
    sc_filter_clear(&f);
    sc_cost_clear(&cost);
}

/* Renyi: the curve of the noise itself is used, and it is below the general bound. */
TEST(filter_uses_the_curve_of_the_noise)
{
    CLAIM("filter.price");
    scrim_measurement *m = NULL;
    sc_filter f;
    sc_ratio amount, delta;
    double upper = 0;
    sc_ratio_init(&amount);
    sc_ratio_init(&delta);
    declare(&f, SC_FILTER_RENYI, SCRIM_ADD_REMOVE, "4", "10", "1e-6");
    REQUIRE_OK(scrim_measurement_parse(LAPLACE "add-remove", &m, NULL));
    REQUIRE_OK(sc_filter_price(&f, &m->cost, &amount, &delta, NULL));
    REQUIRE_OK(scrim_measurement_renyi_at(m, "4", &upper, NULL));
    CHECK_NEAR(view(&amount), upper, 1e-12);
    CHECK(view(&amount) < 0.5 && view(&amount) > 0.1);
    /* Replaced units: twice the epsilon. */
    f.neighbours = SCRIM_REPLACE;
    REQUIRE_OK(sc_filter_price(&f, &m->cost, &amount, &delta, NULL));
    CHECK(view(&amount) < 1 && view(&amount) > 2 * upper);
    scrim_measurement_free(m);
    sc_filter_clear(&f);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&amount);
}

/* The joint cost is charged where epsilons are summed, in that relation, at a delta
 * that the budget has, and where it is less; everywhere else it is as if nobody knew of it. */
TEST(filter_charges_jointly_under_the_sum_alone)
{
    CLAIM("filter.joint");
    static const struct {
        sc_filter_rule rule;
        scrim_neighbours neighbours;
        const char *delta, *joint;
        bool is_joint;
    } cases[] = {
        {SC_FILTER_SUM, SCRIM_ADD_REMOVE, "1e-6", "1/1000", true},
        {SC_FILTER_SUM, SCRIM_ADD_REMOVE, "1e-6", "2", false},
        {SC_FILTER_SUM, SCRIM_ADD_REMOVE, "1e-7", "1/1000", false},
        {SC_FILTER_SUM, SCRIM_REPLACE, "1e-6", "1/1000", false},
        {SC_FILTER_CONCENTRATED, SCRIM_ADD_REMOVE, "1e-2", "1/1000", false},
        {SC_FILTER_RENYI, SCRIM_ADD_REMOVE, "1e-2", "1/1000", false},
    };
    sc_exact_cost costs[2], joint;
    sc_ratio one, amount, delta, sum, parts;
    sc_ratio_init(&amount);
    sc_ratio_init(&delta);
    sc_ratio_init(&sum);
    sc_ratio_init(&parts);
    sc_ratio_init(&one);
    sc_ratio_set_int64(&one, 1);
    for (size_t i = 0; i < 2; i++) {
        sc_cost_init(&costs[i]);
        costs[i].neighbours = SCRIM_ADD_REMOVE;
        sc_cost_set_pure(&costs[i], &one);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sc_filter f;
        bool is_joint = !cases[i].is_joint;
        sc_filter_init(&f);
        sc_cost_init(&joint);
        f.rule = cases[i].rule;
        f.neighbours = cases[i].neighbours;
        sc_ratio_set_int64(&f.order, 8);
        sc_ratio_set_int64(&f.epsilon, 4);
        CHECK_STATUS(sc_ratio_parse(sc_text_of(cases[i].delta), &f.delta, NULL),
                     SCRIM_OK);
        CHECK_STATUS(sc_filter_fix(&f, NULL), SCRIM_OK);
        joint.neighbours = SCRIM_ADD_REMOVE;
        joint.has_epsilon = true;
        CHECK_STATUS(sc_ratio_parse(sc_text_of(cases[i].joint), &joint.epsilon, NULL),
                     SCRIM_OK);
        CHECK_STATUS(sc_ratio_parse(sc_text_of("1e-6"), &joint.delta, NULL), SCRIM_OK);
        CHECK_STATUS(sc_filter_price_all(&f, costs, 2, &sum, &parts, NULL), SCRIM_OK);
        CHECK_STATUS(sc_filter_price_jointly(&f, &(sc_filter_parts){costs, 2, &joint},
                                             &f.parts, &amount, &delta, &is_joint, NULL),
                     SCRIM_OK);
        CHECK_INT(is_joint, cases[i].is_joint);
        CHECK(sc_ratio_compare(&amount, is_joint ? &joint.epsilon : &sum) == 0);
        CHECK(sc_ratio_compare(&delta, is_joint ? &joint.delta : &parts) == 0);
        sc_cost_clear(&joint);
        sc_filter_clear(&f);
    }
    sc_cost_clear(&costs[0]);
    sc_cost_clear(&costs[1]);
    sc_ratio_clear(&one);
    sc_ratio_clear(&parts);
    sc_ratio_clear(&sum);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&amount);
}
