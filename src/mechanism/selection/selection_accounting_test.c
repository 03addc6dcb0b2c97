/* THREATS A12: what is proved of one mechanism and charged for another. The exact privacy of
 * every way to choose, on all scores in {-2..2}^3 and all that one unit can do to them, held
 * against what is charged: the largest loss, and Renyi divergences of several orders. */
#include "balls.h"
#include "choices.h"
#include "exact.h"
#include "goodness.h"
#include "mechanism/selection/scores.h"

#include <string.h>

#define BITS 128
#define SIDE 7 /* -3 .. 3: where a score of -2 .. 2 can go */
#define POINTS (SIDE * SIDE * SIDE)
#define OUTCOMES_MAX 6

static const char *const orders[] = {"1.01", "2", "5", "32"};
#define ORDERS (sizeof orders / sizeof *orders)

/* ln of each probability, at each point. */
static sc_ball logs[POINTS][OUTCOMES_MAX];

static void point(int number, int64_t scores[3])
{
    for (int i = 0; i < 3; i++) {
        scores[i] = number % SIDE - SIDE / 2;
        number /= SIDE;
    }
}

static int number_of(const int64_t scores[3])
{
    int number = 0;
    for (int i = 2; i >= 0; i--)
        number = number * SIDE + (int)scores[i] + SIDE / 2;
    return number;
}

/* Fills logs; returns how many outcomes there are, the same everywhere. */
static size_t fill_logs(const scrim_measurement *m)
{
    size_t count = 0;
    for (int n = 0; n < POINTS; n++) {
        int64_t scores[3];
        sc_outcomes law;
        point(n, scores);
        if (!choices_law(m, scores, 3, BITS, &law) || !CHECK(law.count <= OUTCOMES_MAX))
            return 0;
        count = law.count;
        for (size_t i = 0; i < count; i++)
            sc_ball_log(&logs[n][i], &law.mass[i], BITS);
        sc_outcomes_clear(&law);
    }
    return count;
}

/* ln sum p^order q^(1-order) / (order - 1). */
static void renyi(const sc_ball *p, const sc_ball *q, size_t count, const sc_ratio *order,
                  sc_ball *out)
{
    sc_ball factor, term, more;
    sc_ball_init(&factor);
    sc_ball_init(&term);
    sc_ball_init(&more);
    sc_ball_set_ratio(&factor, order, BITS);
    sc_ball_add_int64(&more, &factor, -1, BITS);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < count; i++) {
        /* p (p/q)^(order - 1) */
        sc_ball_sub(&term, &p[i], &q[i], BITS);
        sc_ball_mul(&term, &term, &more, BITS);
        sc_ball_add(&term, &term, &p[i], BITS);
        sc_ball_exp(&term, &term, BITS);
        sc_ball_add(out, out, &term, BITS);
    }
    sc_ball_log(out, out, BITS);
    sc_ball_div(out, out, &more, BITS);
    sc_ball_clear(&more);
    sc_ball_clear(&term);
    sc_ball_clear(&factor);
}

/* The charged curve. */
typedef struct claim {
    sc_ratio order[ORDERS];
    sc_ball curve[ORDERS], rho[ORDERS], epsilon;
    size_t count, pairs;
    double largest; /* loss that was met */
    bool is_exceeded;
} claim;

static void claim_init(claim *c, const scrim_measurement *m)
{
    *c = (claim){0};
    sc_ball_init(&c->epsilon);
    sc_ball_set_ratio(&c->epsilon, &m->cost.epsilon, BITS);
    CHECK(m->cost.has_rho);
    for (size_t i = 0; i < ORDERS; i++) {
        sc_ball order;
        sc_ball_init(&order);
        sc_ball_init(&c->curve[i]);
        sc_ball_init(&c->rho[i]);
        exact_ratio(orders[i], &c->order[i]);
        sc_ball_set_ratio(&order, &c->order[i], BITS);
        sc_ball_set_ratio(&c->rho[i], &m->cost.rho, BITS);
        sc_ball_mul(&c->rho[i], &c->rho[i], &order, BITS);
        sc_curve_renyi_upper(&m->cost.curve, &c->order[i], BITS, &c->curve[i]);
        sc_ball_clear(&order);
    }
}

static void claim_clear(claim *c)
{
    sc_ball_clear(&c->epsilon);
    for (size_t i = 0; i < ORDERS; i++) {
        sc_ball_clear(&c->curve[i]);
        sc_ball_clear(&c->rho[i]);
        sc_ratio_clear(&c->order[i]);
    }
}

/* One pair in one direction. A number counts as exceeded where it is certain: permute-and-flip
 * attains its epsilon, to all bits. */
static void hold(claim *c, int x, int y)
{
    sc_ball value;
    sc_ball_init(&value);
    for (size_t i = 0; i < c->count; i++) {
        sc_ball_sub(&value, &logs[x][i], &logs[y][i], BITS);
        c->is_exceeded = c->is_exceeded || sc_ball_is_less(&c->epsilon, &value);
        const double loss = goodness_middle(&value);
        c->largest = loss > c->largest ? loss : c->largest;
        CHECK(sc_ball_is_accurate(&value, 80) || sc_ball_is_less(&value, &c->epsilon));
    }
    for (size_t i = 0; i < ORDERS; i++) {
        renyi(logs[x], logs[y], c->count, &c->order[i], &value);
        c->is_exceeded = c->is_exceeded || sc_ball_is_less(&c->curve[i], &value) ||
                         sc_ball_is_less(&c->rho[i], &value);
    }
    c->pairs++;
    sc_ball_clear(&value);
}

/* All scores in {-2..2}^3, each moved by -1, 0 or 1; by 0 or 1 when monotone, in both
 * directions. */
static void hold_all(claim *c, bool is_monotone)
{
    for (int x = 0; x < POINTS; x++) {
        int64_t from[3], to[3];
        point(x, from);
        if (from[0] * from[0] > 4 || from[1] * from[1] > 4 || from[2] * from[2] > 4)
            continue;
        for (int move = 0; move < 27; move++) {
            bool falls = false;
            for (int i = 0, rest = move; i < 3; i++, rest /= 3) {
                to[i] = from[i] + rest % 3 - 1;
                falls = falls || rest % 3 == 0;
            }
            if (is_monotone && falls)
                continue;
            hold(c, x, number_of(to));
            hold(c, number_of(to), x);
        }
    }
}

static void audit(const char *line, const char *largest)
{
    scrim_measurement *m = choices_new(line);
    claim c;
    if (m == NULL)
        return;
    claim_init(&c, m);
    c.count = fill_logs(m);
    hold_all(&c, sc_scores_of(m)->is_monotone);
    if (!CHECK(!c.is_exceeded))
        CHECK_FAIL("%s: the largest loss is %.12g", line, c.largest);
    const size_t moves = sc_scores_of(m)->is_monotone ? 8 : 27, pairs = moves * 2 * 125;
    CHECK_INT(c.pairs, pairs);
    if (largest != NULL)
        CHECK_NEAR(c.largest, strtod(largest, NULL), 1e-4);
    claim_clear(&c);
    scrim_measurement_free(m);
}

static void logs_init(void)
{
    for (int n = 0; n < POINTS; n++)
        for (int i = 0; i < OUTCOMES_MAX; i++)
            sc_ball_init(&logs[n][i]);
}

static void logs_clear(void)
{
    for (int n = 0; n < POINTS; n++)
        for (int i = 0; i < OUTCOMES_MAX; i++)
            sc_ball_clear(&logs[n][i]);
}

SLOW_TEST(exponential_keeps_its_claim_on_all_small_scores)
{
    CLAIM("exponential.privacy");
    CLAIM("base2-exponential.privacy");
    logs_init();
    audit("exponential epsilon=1 sensitivity=1 neighbours=replace", NULL);
    audit("exponential epsilon=2 sensitivity=1 neighbours=replace", NULL);
    audit("exponential epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove", NULL);
    audit("base2-exponential epsilon=1.5 sensitivity=1 lower=-9 upper=9 "
          "neighbours=replace",
          NULL);
    audit("base2-exponential epsilon=1.5 sensitivity=1 monotone=yes lower=-9 upper=9 "
          "neighbours=add-remove",
          NULL);
    logs_clear();
}

SLOW_TEST(permute_and_flip_keeps_its_claim_on_all_small_scores)
{
    CLAIM("permute-and-flip.privacy");
    CLAIM("one-sided-noisy-max.privacy");
    logs_init();
    audit("permute-and-flip epsilon=1 sensitivity=1 neighbours=replace", "1");
    audit("permute-and-flip epsilon=2 sensitivity=1 neighbours=replace", "2");
    audit("permute-and-flip epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove",
          "1");
    audit("one-sided-noisy-max epsilon=1 sensitivity=1 neighbours=replace", "1");
    logs_clear();
}

SLOW_TEST(noisy_max_keeps_its_claim_on_all_small_scores)
{
    CLAIM("noisy-max.privacy");
    logs_init();
    audit("noisy-max epsilon=1 sensitivity=1 neighbours=replace", NULL);
    audit("noisy-max epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove", NULL);
    audit("noisy-max epsilon=1 sensitivity=1 noise=geometric neighbours=replace", NULL);
    audit("noisy-max epsilon=1 sensitivity=1 noise=geometric monotone=yes "
          "neighbours=add-remove",
          NULL);
    logs_clear();
}

SLOW_TEST(top_k_keeps_its_claim_on_all_small_scores)
{
    CLAIM("top-k.privacy");
    logs_init();
    audit("top-k k=2 epsilon=2 sensitivity=1 neighbours=replace", NULL);
    audit("top-k k=2 epsilon=2 sensitivity=1 method=exponential neighbours=replace",
          NULL);
    audit("top-k k=2 epsilon=2 sensitivity=1 method=exponential monotone=yes "
          "neighbours=add-remove",
          NULL);
    logs_clear();
}

/* A looser choice than what is charged is seen: the wrong scale, the wrong relation. */
SLOW_TEST(selection_accounting_sees_what_is_wrong)
{
    const char *const lines[] = {
        "permute-and-flip epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove",
        "noisy-max epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove",
        "exponential epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove",
        ("noisy-max epsilon=1 sensitivity=1 monotone=yes noise=geometric "
         "neighbours=add-remove"),
    };
    logs_init();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = choices_new(lines[i]);
        claim c;
        REQUIRE(m != NULL);
        claim_init(&c, m);
        c.count = fill_logs(m);
        hold_all(&c, false); /* as if scores could rise and fall together */
        CHECK(c.is_exceeded);
        claim_clear(&c);
        scrim_measurement_free(m);
    }
    logs_clear();
}

/* Permute-and-flip charged as the exponential mechanism: KL beyond epsilon^2/8. */
TEST(permute_and_flip_is_not_of_bounded_range)
{
    CLAIM("permute-and-flip.privacy");
    json_t *vector = vectors_load("mechanisms", "permute_and_flip_not_bounded_range"),
           *row;
    const int64_t level[] = {0, 0}, apart[] = {1, -1};
    size_t r;
    json_array_foreach(json_object_get(vector, "rows"), r, row)
    {
        char line[160] = "permute-and-flip sensitivity=1 neighbours=replace epsilon=";
        sc_outcomes p, q;
        sc_ball kl, term, claimed;
        const char *epsilon = json_string_value(json_object_get(row, "epsilon"));
        strncat(line, epsilon, sizeof line - strlen(line) - 1);
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        REQUIRE(choices_law(m, level, 2, EXACT_BITS + 32, &p) &&
                choices_law(m, apart, 2, EXACT_BITS + 32, &q));
        sc_ball_init(&kl);
        sc_ball_init(&term);
        sc_ball_init(&claimed);
        for (size_t i = 0; i < 2; i++) {
            sc_ball_div(&term, &p.mass[i], &q.mass[i], EXACT_BITS + 32);
            sc_ball_log(&term, &term, EXACT_BITS + 32);
            sc_ball_mul(&term, &term, &p.mass[i], EXACT_BITS + 32);
            sc_ball_add(&kl, &kl, &term, EXACT_BITS + 32);
        }
        CHECK_PRINTED(&kl, json_string_value(json_object_get(row, "kl")));
        ball_set_text(&claimed, json_string_value(json_object_get(row, "eps2_over_8")),
                      EXACT_BITS);
        CHECK(sc_ball_is_less(&claimed, &kl));
        /* The larger charge suffices. */
        sc_ball_set_ratio(&claimed, &m->cost.rho, EXACT_BITS);
        CHECK(sc_ball_is_less(&kl, &claimed));
        sc_ball_clear(&claimed);
        sc_ball_clear(&term);
        sc_ball_clear(&kl);
        sc_outcomes_clear(&q);
        sc_outcomes_clear(&p);
        scrim_measurement_free(m);
    }
    CHECK_INT(json_array_size(json_object_get(vector, "rows")), 4);
}
