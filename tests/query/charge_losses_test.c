/* The charge of a question, against the exact loss of all its draws together (call_losses.h).
 *
 * A random small world: a policy, a question of one to three statements and its options. One
 * person of a few is added, removed or replaced, with as many rows as the bounds leave, at the ends of their ranges, in
 * one group or in several. Both tables are asked from end to end, and every draw that the gate makes is recorded with what
 * went into it. So nothing is known here of sensitivities, copies or shares, of how costs are added up, or of which draws
 * a plan should make: what was drawn is compared with what was charged.
 *
 * Each of these faults makes it fail: quantiles by group charged as T draws of one row; a part left out of a joint
 * charge; a total of rows counted once under replace; a group of two charged as one; a selection charged without its delta; a
 * total over sets of keys that is charged by the bounds of its parts. */
#include "base/number/ball_double.h"
#include "call_losses.h"
#include "charge_world.h"
#include "check.h"
#include "ledger/filter.h"
#include "query/plan/plan.h"
#include "replay_pair.h"
#include "row_oracle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Doubles, and the grid of a delta, round this much. */
#define SLACK 1e-7
#define STEPS (check_is_long() ? 600 : 200)

/* Verdicts. */

typedef struct tally {
    double largest, delta, rho, renyi; /* the most of what was charged that was lost */
    uint64_t pairs;
    bool is_pair; /* charged (epsilon, delta) alone, whatever its draws are */
    call_lines lines;
} tally;

static bool holds(const charge_world *w, const char *what, double truth, double charge,
                  double *most)
{
    if (charge > 0 && isfinite(truth))
        *most = fmax(*most, truth / charge);
    const bool is_held = truth <= charge * (1 + SLACK) + 1e-15;
    if (!CHECK(is_held))
        charge_world_describe(w, what, truth, charge);
    return is_held;
}

/* (epsilon, delta). */
static bool holds_pair(const charge_world *w, const call_losses *l, const char *what,
                       double epsilon, double delta, tally *t)
{
    if (delta == 0)
        return holds(w, what, call_losses_largest(l), epsilon, &t->largest);
    return call_losses_largest(l) <= epsilon ||
           holds(w, what, call_losses_delta(l, epsilon, delta, STEPS), delta, &t->delta);
}

/* Delta at epsilon of a divergence of one order (Canonne, Kamath and Steinke). */
static double delta_of(double order, double divergence, double epsilon)
{
    return exp((order - 1) * (divergence - epsilon) + (order - 1) * log1p(-1 / order) -
               log(order));
}

/* rho, or a divergence of one order, beside a delta: bounded draws keep the first, and all draws keep the delta that follows from
 * both, at a few epsilons. */
static bool holds_amount(const charge_world *w, const call_losses *l, double order,
                         double amount, double delta, double epsilon, tally *t)
{
    bool is_held = true;
    if (delta == 0 || !t->is_pair)
        is_held = order == 0 ? holds(w, "rho", call_losses_rho(l), amount, &t->rho)
                             : holds(w, "divergence", call_losses_renyi(l, order), amount,
                                     &t->renyi);
    double follows = 1, unused = 0;
    if (order != 0)
        follows = delta_of(order, amount, epsilon);
    for (double a = 1.01; order == 0 && a < 300; a *= 1.05)
        follows = fmin(follows, delta_of(a, a * amount, epsilon));
    if (!call_losses_are_bounded(l) || (t->is_pair && delta > 0))
        is_held &= holds(w, "delta of amounts",
                         call_losses_delta(l, epsilon, delta + follows, STEPS),
                         delta + follows, &unused);
    return is_held;
}

static const struct {
    sc_filter_rule rule;
    const char *order;
} rules[] = {{SC_FILTER_SUM, "0"},     {SC_FILTER_CONCENTRATED, "0"},
             {SC_FILTER_RENYI, "3/2"}, {SC_FILTER_RENYI, "2"},
             {SC_FILTER_RENYI, "8"},   {SC_FILTER_RENYI, "32"}};

/* The price in an account of one rule. */
static bool holds_rule(const charge_world *w, const call_losses *l,
                       const scrim_plan *plan, size_t rule, tally *t)
{
    size_t count;
    const sc_exact_cost *costs = sc_plan_costs(plan, &count);
    sc_filter filter;
    bool is_joint = false, is_held = true;
    SC_OWN(sc_ratio, amount, delta, one);
    sc_ratio_set_int64(&one, 1);
    sc_filter_init(&filter);
    filter.rule = rules[rule].rule;
    filter.neighbours = plan->neighbours;
    CHECK_STATUS(sc_ratio_parse(sc_text_of(rules[rule].order), &filter.order, NULL),
                 SCRIM_OK);
    if (sc_filter_price_jointly(&filter,
                                &(sc_filter_parts){costs, count, sc_plan_joint(plan)},
                                &one, &amount, &delta, &is_joint, NULL) == SCRIM_OK)
        is_held = filter.rule == SC_FILTER_SUM
                      ? holds_pair(w, l, is_joint ? "joint" : "sum",
                                   sc_ball_near(&amount), sc_ball_near(&delta), t)
                      : holds_amount(w, l, sc_ball_near(&filter.order),
                                     sc_ball_near(&amount), sc_ball_near(&delta),
                                     sc_ball_near(&sc_plan_total(plan)->epsilon), t);
    sc_filter_clear(&filter);
    return is_held;
}

/* The charge itself, which is the price in the account of the policy. */
static bool holds_charge(const charge_world *w, const call_losses *l,
                         const replay_pair *pair, tally *t)
{
    SC_OWN(sc_ratio, amount, delta);
    if (!CHECK_STATUS(sc_ratio_parse(sc_text_of(pair->here.amount), &amount, NULL),
                      SCRIM_OK) ||
        !CHECK_STATUS(sc_ratio_parse(sc_text_of(pair->here.delta), &delta, NULL),
                      SCRIM_OK))
        return false;
    const double a = sc_ball_near(&amount), d = sc_ball_near(&delta);
    if (strstr(w->base.policy, "accounting=sum") != NULL)
        return holds_pair(w, l, "charge", a, d, t);
    const char *order = strstr(w->base.policy, "accounting=renyi=");
    const double by =
        order == NULL ? 0 : strtod(order + strlen("accounting=renyi="), NULL);
    if (t->is_pair && d > 0)
        return true; /* holds_amount looks */
    return by == 0
               ? holds(w, "charge in rho", call_losses_rho(l), a, &t->rho)
               : holds(w, "charge of an order", call_losses_renyi(l, by), a, &t->renyi);
}

/* The cost that the label shows: all of it together, as a sum. */
static bool holds_label(const charge_world *w, const call_losses *l,
                        const scrim_plan *plan, tally *t)
{
    const sc_exact_cost *total = sc_plan_total(plan);
    bool is_held = holds_pair(w, l, "label", sc_ball_near(&total->epsilon),
                              sc_ball_near(&total->delta), t);
    if (total->has_rho)
        is_held &= holds(w, "rho of the label", call_losses_rho(l),
                         sc_ball_near(&total->rho), &t->rho);
    return is_held;
}

static bool check_pair(const charge_world *w, const scrim_plan *plan, uint64_t seed,
                       tally *t)
{
    replay_pair pair;
    call_losses l = {.factors = NULL};
    t->is_pair = plan->allowance != NULL && !sc_plan_total(plan)->has_rho;
    bool goes_on = replay_pair_run(&pair, &w->base, plan, seed) &&
                   CHECK_STATUS(pair.here.status, SCRIM_OK) &&
                   CHECK_STATUS(pair.there.status, SCRIM_OK) &&
                   call_losses_add(&t->lines, pair.first, pair.second, &l);
    if (goes_on) {
        goes_on = holds_charge(w, &l, &pair, t) && holds_label(w, &l, plan, t);
        for (size_t i = 0; goes_on && i < COUNT(rules); i++)
            goes_on = holds_rule(w, &l, plan, i, t);
        t->pairs++;
    }
    call_losses_clear(&l);
    replay_pair_free(&pair);
    return goes_on;
}

/* Questions that come close to each kind of charge: some pair loses more than NEAR of it, in one account at least. */
#define NEAR 0.25
static const struct {
    scrim_neighbours neighbours;
    const char *lines;            /* of the policy, */
    uint64_t groups, rows, total; /* and what they leave of a person */
    const char *queries[2];
    scrim_query_options options;
} listed[] = {
#define TOTAL_4 "max-total-rows=4\n", 3, 4, 4
#define TWO_BY_TWO "max-groups=2\nmax-rows=2\n", 2, 2, 4
    /* Rows of one person in draws of each group. */
    {SCRIM_ADD_REMOVE,
     TOTAL_4,
     {"SELECT sex, MEDIAN(odd) AS m GROUP BY sex"},
     {.epsilon = "1", .delta = "1e-6", .cut_share = "0"}},
    {SCRIM_REPLACE,
     TOTAL_4,
     {"SELECT sex, MEDIAN(odd) AS m GROUP BY sex"},
     {.epsilon = "1", .delta = "1e-6", .cut_share = "0"}},
    {SCRIM_REPLACE,
     TWO_BY_TWO,
     {"SELECT ok, MEDIAN(odd) AS m, COUNT(*) AS n GROUP BY ok"},
     {.epsilon = "1", .delta = "1e-3"}},
    {SCRIM_ADD_REMOVE,
     TOTAL_4,
     {"SELECT sex, MAX(odd) AS m GROUP BY sex"},
     {.epsilon = "2", .delta = "1e-3", .cut_share = "0"}},
    {SCRIM_REPLACE,
     TWO_BY_TWO,
     {"SELECT sex, MODE(odd) AS m GROUP BY sex"},
     {.epsilon = "2", .delta = "1e-3"}},
    /* Noise on sums. */
    {SCRIM_REPLACE,
     TOTAL_4,
     {"SELECT sex, COUNT(*) AS n, SUM(odd) AS s GROUP BY sex"},
     {.epsilon = "1", .mechanism = "laplace"}},
    {SCRIM_REPLACE,
     TOTAL_4,
     {"SELECT sex, COUNT(*) AS n, SUM(odd) AS s GROUP BY sex"},
     {.epsilon = "1", .delta = "1e-6", .mechanism = "gaussian"}},
    {SCRIM_ADD_REMOVE,
     TWO_BY_TWO,
     {"SELECT sex, AVG(odd) AS a, COUNT(DISTINCT person) AS u GROUP BY sex",
      "SELECT ok, VAR(odd) AS v GROUP BY ok"},
     {.epsilon = "1", .delta = "1e-3", .mechanism = "laplace"}},
    {SCRIM_REPLACE,
     TWO_BY_TWO,
     {"SELECT sex, AVG(odd) AS a, COUNT(DISTINCT person) AS u GROUP BY sex",
      "SELECT ok, VAR(odd) AS v GROUP BY ok"},
     {.epsilon = "1", .delta = "1e-3", .mechanism = "gaussian"}},
    {SCRIM_REPLACE,
     "max-total=odd=-2,3\n" TOTAL_4,
     {"SELECT sex, SUM(odd) AS s, COUNT(*) AS n GROUP BY sex"},
     {.epsilon = "1", .delta = "1e-6"}},
    {SCRIM_ADD_REMOVE,
     TOTAL_4,
     {"SELECT sex, SUM(odd) WITH RANGE AS s, COUNT(*) AS n GROUP BY sex"},
     {.epsilon = "1", .delta = "1e-3", .cut_share = "0"}},
    {SCRIM_REPLACE,
     TOTAL_4,
     {"SELECT HISTOGRAM(odd)"},
     {.epsilon = "1", .cut_share = "0"}},
    {SCRIM_REPLACE,
     TWO_BY_TWO,
     {"SELECT sex, MAX(odd) AS m, COUNT(odd) AS n GROUP BY sex"},
     {.epsilon = "1"}},
    /* Several sets of keys: a total has all rows of a person, and each set its own charge. */
    {SCRIM_ADD_REMOVE,
     TOTAL_4,
     {"SELECT sex, ok, COUNT(*) AS n, SUM(odd) AS s GROUP BY ROLLUP(sex, ok)"},
     {.epsilon = "1"}},
    {SCRIM_REPLACE,
     TOTAL_4,
     {"SELECT sex, ok, COUNT(*) AS n GROUP BY CUBE(sex, ok)"},
     {.epsilon = "1", .cut_share = "0"}},
    {SCRIM_REPLACE,
     TWO_BY_TWO,
     {"SELECT sex, AVG(odd) AS a GROUP BY ROLLUP(sex)"},
     {.epsilon = "1", .delta = "1e-3", .mechanism = "gaussian"}},
    {SCRIM_ADD_REMOVE,
     TWO_BY_TWO,
     {"SELECT sex, ok, SUM(odd) AS s GROUP BY GROUPING SETS ((sex), (ok), ())"},
     {.epsilon = "1", .cut_share = "1/3"}},
    {SCRIM_REPLACE,
     "max-total=odd=-2,3\n" TOTAL_4,
     {"SELECT sex, SUM(odd) AS s, COUNT(*) AS n GROUP BY ROLLUP(sex)"},
     {.epsilon = "1", .delta = "1e-6"}},
    /* Keys that are found. */
    {SCRIM_ADD_REMOVE,
     TWO_BY_TWO,
     {"SELECT city, SUM(odd) AS s GROUP BY city"},
     {.epsilon = "1", .delta = "1e-3"}},
    {SCRIM_REPLACE,
     TWO_BY_TWO,
     {"SELECT city, COUNT(DISTINCT person) AS u GROUP BY city", "SELECT COUNT(*) AS n"},
     {.epsilon = "2", .delta = "1e-3"}},
    /* Bounds that are found, and people who are cut. */
    {SCRIM_ADD_REMOVE,
     TOTAL_4,
     {"SELECT sex, COUNT(*) AS n GROUP BY sex"},
     {.epsilon = "1", .mechanism = "laplace", .cut_share = "1/3", .bounds = "auto=1/2"}},
    {SCRIM_REPLACE,
     TOTAL_4,
     {"SELECT sex, COUNT(*) AS n GROUP BY sex"},
     {.rho = "1/20", .delta = "1e-6", .cut_share = "1/3", .bounds = "auto=1/2"}},
};

static void make_listed(charge_world *w, size_t index)
{
    replay_world *b = &w->base;
    b->padding = 0;
    b->has_units = true;
    b->neighbours = listed[index].neighbours;
    b->query_count = 1 + (listed[index].queries[1] != NULL);
    for (size_t i = 0; i < b->query_count; i++)
        snprintf(b->queries[i], REPLAY_QUERY, "%s", listed[index].queries[i]);
    w->groups = listed[index].groups;
    w->rows = listed[index].rows;
    w->total = listed[index].total;
    snprintf(b->policy, REPLAY_POLICY,
             "unit=person\n%s%sneighbours=%s\naccounting=%s\n"
             "budget=epsilon=1000,delta=1/3\ncsv=%s\n",
             charge_world_columns, listed[index].lines,
             scrim_neighbours_name(b->neighbours), charge_world_account(index), b->path);
    b->options = listed[index].options;
    b->options.size = sizeof b->options;
    b->options.workers = 1;
}

/* Pairs of one question; false when the test cannot go on. */
static bool check_world(charge_world *w, uint64_t pairs, uint64_t *seed, bool *is_planned,
                        tally *t)
{
    scrim_plan *plan = NULL;
    bool goes_on = true;
    *is_planned = replay_plan(&w->base, 1, &plan);
    for (uint64_t i = 0; *is_planned && goes_on && i < pairs; i++) {
        charge_world_fill(w, i, seed);
        goes_on = check_pair(w, plan, 16 * row_random(seed, 1 << 20) + 1, t);
    }
    scrim_plan_free(plan);
    return goes_on;
}

static void claim_all(void)
{
    CLAIM("plan.budget");
    CLAIM("bundle.joint");
    CLAIM("bundle.rho");
    CLAIM("bundle.relation");
    CLAIM("filter.price");
}

SLOW_TEST(no_charge_is_below_what_all_draws_lose)
{
    static charge_world w;
    static tally t;
    claim_all();
    uint64_t seed = check_seed();
    bool goes_on = replay_path(&w.base), is_planned;
    for (size_t i = 0; goes_on && i < COUNT(listed); i++) {
        make_listed(&w, i);
        t.delta = t.largest = t.rho = t.renyi = 0;
        goes_on = check_world(&w, check_count_whole(4, 400), &seed, &is_planned, &t);
        CHECK(is_planned);
        /* The bounds that are found follow from noise, and may be far above the rows of a person. */
        CHECK(listed[i].options.bounds != NULL ||
              fmax(fmax(t.largest, t.delta), fmax(t.rho, t.renyi)) > NEAR);
    }
    call_lines_clear(&t.lines);
    replay_path_remove(&w.base);
}

SLOW_TEST(no_charge_of_any_question_is_below_what_it_loses)
{
    static charge_world w;
    static tally t;
    claim_all();
    const uint64_t worlds = check_count_whole(3, 1000);
    uint64_t made = 0, tried = 0;
    bool goes_on = replay_path(&w.base);
    for (; goes_on && made < worlds; tried++) {
        uint64_t seed = (check_seed() << 32) + tried * 1000003;
        bool is_planned;
        charge_world_policy(&w, &seed);
        charge_world_ask(&w, false, &seed);
        goes_on = check_world(&w, check_is_long() ? 8 : 2, &seed, &is_planned, &t) &&
                  CHECK(tried < 40 + 4 * worlds);
        made += is_planned;
    }
    call_lines_clear(&t.lines);
    replay_path_remove(&w.base);
}
