/* The law by another road: scores of all cells by their definition, weights exp(-score step) in
 * doubles, and the recursion over explicit lists of items. */
#include "check.h"
#include "exact.h"
#include "goodness.h"
#include "mechanism/selection/quantile_law.h"

#include <math.h>
#include <string.h>

enum { CELLS_MAX = 4 * SC_QUANTILE_PARTS, OUTCOMES_MAX = 4 * 4 * 4 };

typedef struct small {
    const sc_quantile_plan *plan;
    const double *steps; /* by node */
    const int64_t *rows;
    size_t count;
    size_t keys;
    double law[OUTCOMES_MAX]; /* by the answers in order, as digits of base keys */
} small;

static double in_cell(const small *s, uint64_t cell)
{
    double items = 0;
    for (size_t i = 0; i < s->count; i++)
        items += (uint64_t)s->rows[i] == cell / s->plan->parts;
    return items;
}

/* Probabilities of the cells first .. last for a node whose items lie there. */
static void node_law(const small *s, size_t node, uint64_t first, uint64_t last,
                     double *law)
{
    const sc_quantile_node *n = &s->plan->nodes[node];
    double items = 0, below = 0, sum = 0;
    for (uint64_t t = first; t <= last; t++)
        items += in_cell(s, t);
    double p = (double)n->numerator / (double)n->denominator,
           unit = (double)n->denominator;
    double low = p * items, high = low;
    if (s->plan->is_by_order) {
        low = ceil(p * items - 1e-9);
        high = low - 1;
        unit = 1;
    }
    for (uint64_t t = first; t <= last; t++) {
        double upto = below + in_cell(s, t);
        double score = fmax(0, fmax(below - high, low - upto)) * unit;
        law[t] = exp(-s->steps[node] * fmin(score, (double)n->ladder.top));
        sum += law[t];
        below = upto;
    }
    for (uint64_t t = first; t <= last; t++)
        law[t] /= sum;
}

static void record(small *s, const size_t *keys, double mass)
{
    size_t sorted[3] = {0}, number = 0;
    for (size_t i = 0; i < s->plan->count; i++) {
        size_t j = i;
        for (; j > 0 && sorted[j - 1] > keys[i]; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = keys[i];
    }
    for (size_t i = 0; i < s->plan->count; i++)
        number = number * s->keys + sorted[i];
    s->law[number] += mass;
}

/* Three nodes at most: the first, and then its two sides, or all on the whole range. */
static void enumerate(small *s)
{
    const sc_quantile_plan *plan = s->plan;
    const uint64_t last = plan->cells - 1;
    const size_t count = plan->count;
    static double law[3][CELLS_MAX];
    REQUIRE(count <= 3);
    memset(s->law, 0, sizeof s->law);
    node_law(s, 0, 0, last, law[0]);
    for (uint64_t a = 0; a <= last; a++) {
        const sc_quantile_node *root = &plan->nodes[0];
        uint64_t range[3][2] = {{0, last}, {0, last}, {0, last}};
        if (plan->is_recursive) {
            if (root->left != SC_QUANTILE_NONE)
                range[root->left][1] = a;
            if (root->right != SC_QUANTILE_NONE)
                range[root->right][0] = a == last ? a : a + 1;
        }
        for (size_t i = 1; i < count; i++) {
            memset(law[i], 0, sizeof law[i]);
            if (range[i][0] == range[i][1])
                law[i][range[i][0]] = 1;
            else
                node_law(s, i, range[i][0], range[i][1], law[i]);
        }
        for (uint64_t b = 0; b <= (count > 1 ? last : 0); b++)
            for (uint64_t c = 0; c <= (count > 2 ? last : 0); c++) {
                double mass =
                    law[0][a] * (count > 1 ? law[1][b] : 1) * (count > 2 ? law[2][c] : 1);
                size_t keys[3];
                keys[plan->nodes[0].index] = (size_t)(a / plan->parts);
                if (count > 1)
                    keys[plan->nodes[1].index] = (size_t)(b / plan->parts);
                if (count > 2)
                    keys[plan->nodes[2].index] = (size_t)(c / plan->parts);
                if (mass > 0)
                    record(s, keys, mass);
            }
    }
}

static void compare(small *s, const int64_t low)
{
    int64_t rows[8];
    sc_outcomes outcomes;
    sc_ball total, one;
    sc_outcomes_init(&outcomes, s->plan->count);
    sc_ball_init(&total);
    sc_ball_init(&one);
    for (size_t i = 0; i < s->count; i++)
        rows[i] = s->rows[i] + low;
    const sc_order_rows r = {rows, s->count, low, low + (int64_t)s->keys - 1};
    REQUIRE_OK(sc_quantile_law(s->plan, &r, 128, &outcomes, NULL));
    enumerate(s);
    double listed = 0;
    for (size_t i = 0; i < outcomes.count; i++) {
        size_t number = 0;
        for (size_t j = 0; j < s->plan->count; j++)
            number =
                number * s->keys + (size_t)(outcomes.keys[i * s->plan->count + j] - low);
        CHECK_NEAR(goodness_middle(&outcomes.mass[i]), s->law[number], 1e-6);
        listed += s->law[number];
    }
    CHECK_NEAR(listed, 1, 1e-9);
    sc_outcomes_total(&outcomes, 128, &total);
    sc_ball_set_int64(&one, 1);
    CHECK_SAME(&total, &one, 100);
    sc_ball_clear(&one);
    sc_ball_clear(&total);
    sc_outcomes_clear(&outcomes);
}

static const int64_t tables[][7] = {{0, 1, 3, 3, 2, 2, 1},
                                    {2, 2, 2, 2, 2, 2, 2},
                                    {0, 3, 0, 3, 3, 3, 3},
                                    {1, 0, 0, 0, 0, 0, 0}};

/* The largest share of the epsilon of one release that a level is worth: as the header says. */
static void check_plan(const char *const *texts, size_t count, size_t keys,
                       scrim_neighbours neighbours, sc_quantile_form form,
                       const double *steps)
{
    sc_ratio p[3], epsilon;
    sc_quantile_plan plan;
    static small s;
    for (size_t i = 0; i < count; i++)
        exact_ratio(texts[i], &p[i]);
    exact_ratio("3", &epsilon);
    const sc_quantile_question question = {.p = p,
                                           .count = count,
                                           .epsilon = &epsilon,
                                           .neighbours = neighbours,
                                           .rows = 1,
                                           .largest = keys - 1,
                                           .form = form};
    REQUIRE_OK(sc_quantile_plan_init(&plan, &question, NULL));
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t n = neighbours == SCRIM_REPLACE ? 1 : 0; n <= 7; n++) {
            int64_t rows[7];
            for (size_t i = 0; i < n; i++)
                rows[i] = tables[t][i] % (int64_t)keys;
            s = (small){
                .plan = &plan, .steps = steps, .rows = rows, .count = n, .keys = keys};
            compare(&s, -2);
        }
    sc_quantile_plan_clear(&plan);
    sc_ratio_clear(&epsilon);
    for (size_t i = 0; i < count; i++)
        sc_ratio_clear(&p[i]);
}

TEST(quantile_law_of_one_is_that_of_its_scores)
{
    static const char *const half[] = {"1/2"}, *const most[] = {"9/10"},
                             *const third[] = {"1/3"};
    check_plan(half, 1, 4, SCRIM_REPLACE, SC_QUANTILE_CHOOSE, (double[]){1.5});
    check_plan(most, 1, 4, SCRIM_REPLACE, SC_QUANTILE_CHOOSE, (double[]){1.5});
    check_plan(half, 1, 4, SCRIM_ADD_REMOVE, SC_QUANTILE_CHOOSE, (double[]){1.5});
    check_plan(most, 1, 4, SCRIM_ADD_REMOVE, SC_QUANTILE_CHOOSE, (double[]){1.5 / 9});
    check_plan(third, 1, 2, SCRIM_ADD_REMOVE, SC_QUANTILE_CHOOSE, (double[]){1.5 / 2});
}

TEST(quantile_law_of_several_is_that_of_independent_ones)
{
    static const char *const p[] = {"1/4", "1/2", "3/4"};
    check_plan(p, 2, 4, SCRIM_REPLACE, SC_QUANTILE_SPLIT, (double[]){0.75, 0.75});
    check_plan(p, 3, 4, SCRIM_ADD_REMOVE, SC_QUANTILE_SPLIT,
               (double[]){0.5 / 3, 0.5, 0.5 / 3});
}

SLOW_TEST(quantile_law_of_a_recursion_is_that_of_its_parts)
{
    static const char *const two[] = {"1/3", "3/4"}, *const three[] = {"1/5", "1/2",
                                                                       "3/4"};
    /* Nodes 3/4 and then 1/3 of 3/4 = 4/9: largest shares 3 of 4, 5 of 9. */
    check_plan(two, 2, 2, SCRIM_ADD_REMOVE, SC_QUANTILE_RECURSIVE,
               (double[]){0.75 / (64 * 3), 0.75 / (64 * 5)});
    if (check_every(2) == 1)
        check_plan(two, 2, 2, SCRIM_REPLACE, SC_QUANTILE_RECURSIVE,
                   (double[]){0.375 / (64 * 3), 0.375 / (64 * 5)});
    /* 1/2, then 2/5 below and 1/2 above. Enumerating 192^3 ways takes its time. */
    if (check_is_long())
        check_plan(three, 3, 3, SCRIM_ADD_REMOVE, SC_QUANTILE_RECURSIVE,
                   (double[]){0.75 / 64, 0.75 / (64 * 3), 0.75 / 64});
}

TEST(quantile_law_refuses_too_many_outcomes)
{
    sc_ratio p[2], epsilon;
    sc_quantile_plan plan;
    sc_outcomes outcomes;
    exact_ratio("1/3", &p[0]);
    exact_ratio("2/3", &p[1]);
    exact_ratio("1", &epsilon);
    const sc_quantile_question question = {.p = p,
                                           .count = 2,
                                           .epsilon = &epsilon,
                                           .neighbours = SCRIM_ADD_REMOVE,
                                           .rows = 1,
                                           .largest = 5000,
                                           .form = SC_QUANTILE_SPLIT};
    REQUIRE_OK(sc_quantile_plan_init(&plan, &question, NULL));
    sc_outcomes_init(&outcomes, 2);
    CHECK_STATUS(
        sc_quantile_law(&plan, &(sc_order_rows){NULL, 0, 0, 5000}, 128, &outcomes, NULL),
        SCRIM_E_LIMIT);
    sc_outcomes_clear(&outcomes);
    sc_quantile_plan_clear(&plan);
    sc_ratio_clear(&epsilon);
    sc_ratio_clear(&p[1]);
    sc_ratio_clear(&p[0]);
}
