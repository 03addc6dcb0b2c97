/* Two neighbouring tables through whole questions, again and again: how often each set of keys
 * comes out. The frequencies are those of the exact law of the selection, and no event is more
 * frequent than the claim allows, by exact binomial bounds. A failure of a sound program has a
 * probability below 1e-9. */
#include "audit/bounds.h"
#include "check.h"
#include "query/plan/plan.h"
#include "random/bits_tape.h"
#include "scrim.h"
#include "store_memory.h"
#include "vault/scene.h"
#include "vault/vault_tape.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define KEYS 4
#define SETS (1 << KEYS)
/* The level of each comparison; there are less than 500 in all. */
#define FALSE_ALARM 1e-12
/* Questions to a vault, whose deltas must fit its budget. */
#define A_VAULT 45

static const char *const names[KEYS] = {"a", "b", "new", "other"};

typedef struct key_case {
    const char *lines, *query, *mechanism;
    /* Units of each key without the one unit, and in which it is on either side. */
    int others[KEYS];
    bool is_first[KEYS], is_second[KEYS];
} key_case;

static int64_t units_of(const key_case *c, bool is_second, size_t key)
{
    return c->others[key] + (is_second ? c->is_second[key] : c->is_first[key]);
}

/* Tables. */

static void write_table(const key_case *c, bool is_second, const char *path)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs("person,city\n", file);
    for (size_t k = 0, unit = 0; k < KEYS; k++)
        for (int i = 0; i < c->others[k]; i++)
            fprintf(file, "u%zu,%s\n", unit++, names[k]);
    for (size_t k = 0; k < KEYS; k++)
        if (units_of(c, is_second, k) > c->others[k])
            fprintf(file, "victim,%s\n", names[k]);
    CHECK(fclose(file) == 0);
}

/* A question is another each time, since standard input is. */
typedef struct world {
    scrim_vault *vault;
    scrim_plan *plan;
    sc_tape *tape;
} world;

static bool begin(const key_case *c, world *w)
{
    char policy[1000];
    sc_store *store = NULL;
    snprintf(
        policy, sizeof policy,
        "unit=person\ncolumn=city=text\nmissing=city=a\nbudget=epsilon=1e6,delta=0.95\n"
        "csv=-\n%s%s%s",
        c->lines, strstr(c->lines, "max-groups") != NULL ? "" : "max-groups=1\n",
        strstr(c->lines, "max-rows") != NULL ? "" : "max-rows=1\n");
    return CHECK_STATUS(store_memory_new(&store, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_vault_new(store, 0, &w->vault, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_vault_begin(w->vault, NULL, NULL, NULL, NULL), SCRIM_OK) &&
           CHECK_STATUS(scrim_vault_add_dataset(w->vault, "people", policy, NULL),
                        SCRIM_OK);
}

static bool plan(const key_case *c, world *w)
{
    return CHECK_STATUS(
        scrim_plan_new(w->vault, "people", &c->query, 1,
                       SCRIM_OPTIONS(scrim_query_options, .epsilon = "2",
                                     .cut_share = "0", .delta = "0.02", .workers = 1),
                       &w->plan, NULL, NULL),
        SCRIM_OK);
}

/* The set that one question names; SETS when it failed. */
static size_t ask(const world *w)
{
    scrim_result *result = NULL;
    size_t set = 0;
    if (!CHECK(lseek(STDIN_FILENO, 0, SEEK_SET) == 0) ||
        !CHECK_STATUS(scrim_query_run(w->vault, w->plan, &result, NULL), SCRIM_OK))
        return SETS;
    for (size_t r = 0; r < scrim_result_rows(result, 0); r++)
        for (size_t k = 0; k < KEYS; k++)
            if (strcmp(scrim_result_cell_at(result, 0, r, 0)->value, names[k]) == 0)
                set |= (size_t)1 << k;
    scrim_result_free(result);
    return set;
}

static bool count(const key_case *c, const char *path, world *w, uint64_t turns,
                  uint64_t counts[SETS])
{
    const int input = open(path, O_RDONLY);
    bool is_whole = CHECK(input >= 0 && dup2(input, STDIN_FILENO) == STDIN_FILENO);
    close(input);
    for (uint64_t i = 0; is_whole && i < turns; i++) {
        if (i % A_VAULT == 0) {
            scrim_vault_close(w->vault);
            is_whole = begin(c, w);
            sc_vault_use_bits(w->vault, sc_tape_bits_of(w->tape));
        }
        const size_t set = is_whole ? ask(w) : SETS;
        is_whole &= set < SETS;
        if (is_whole)
            counts[set]++;
    }
    return is_whole;
}

/* The law. */

/* How often a key of `units` units is named: by the exact law of the selection on it alone, in
 * which what is left out has no number above 0. */
static double kept(const scrim_measurement *m, int64_t units)
{
    const sc_private_input input = {.values = &units, .count = 1};
    double left_out = 0;
    sc_outcomes law;
    if (units == 0)
        return 0;
    sc_outcomes_init(&law, m->mechanism->width(m, 1));
    if (CHECK_STATUS(m->mechanism->law(m, &input, 128, &law, NULL), SCRIM_OK))
        for (size_t i = 0; i < law.count; i++)
            if (law.keys[i * law.width] <= 0)
                left_out += sc_ball_upper(&law.mass[i]);
    sc_outcomes_clear(&law);
    return 1 - left_out;
}

static void law_of(const key_case *c, const scrim_measurement *m, bool is_second,
                   double law[SETS])
{
    double p[KEYS];
    for (size_t k = 0; k < KEYS; k++)
        p[k] = kept(m, units_of(c, is_second, k));
    for (size_t set = 0; set < SETS; set++) {
        law[set] = 1;
        for (size_t k = 0; k < KEYS; k++)
            law[set] *= set >> k & 1 ? p[k] : 1 - p[k];
    }
}

static void check_law(const uint64_t counts[SETS], const double law[SETS], uint64_t turns)
{
    for (size_t set = 0; set < SETS; set++) {
        if (law[set] == 0) {
            CHECK_INT(counts[set], 0);
            continue;
        }
        CHECK(sc_binomial_at_least(counts[set], turns, law[set]) > FALSE_ALARM);
        CHECK(sc_binomial_at_most(counts[set], turns, law[set]) > FALSE_ALARM);
    }
}

/* The claim. */

/* The event that the law says is worst, and each set: P(A) <= exp(epsilon) Q(A) + delta. */
static void check_event(const uint64_t p[SETS], const uint64_t q[SETS],
                        const double p_law[SETS], const double q_law[SETS],
                        double epsilon, double delta, uint64_t turns)
{
    uint64_t in_p = 0, in_q = 0;
    double excess = 0;
    for (size_t set = 0; set < SETS; set++) {
        const double above = p_law[set] - exp(epsilon) * q_law[set];
        CHECK(sc_binomial_lower(p[set], turns, FALSE_ALARM) <=
              exp(epsilon) * sc_binomial_upper(q[set], turns, FALSE_ALARM) + delta);
        if (above > 0) {
            excess += above;
            in_p += p[set];
            in_q += q[set];
        }
    }
    CHECK(excess <= delta * (1 + 1e-9));
    CHECK(sc_binomial_lower(in_p, turns, FALSE_ALARM) <=
          exp(epsilon) * sc_binomial_upper(in_q, turns, FALSE_ALARM) + delta);
}

static double number(const sc_ratio *x)
{
    sc_ball ball;
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, x, 128);
    const double upper = sc_ball_upper(&ball);
    sc_ball_clear(&ball);
    return upper;
}

static void check_case(const key_case *c, uint64_t turns)
{
    scene s;
    world w = {.vault = NULL};
    char paths[2][120];
    uint64_t counts[2][SETS] = {{0}};
    double laws[2][SETS];
    REQUIRE(scene_begin(&s));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &w.tape, NULL));
    bool is_whole = begin(c, &w) && plan(c, &w);
    for (size_t i = 0; is_whole && i < 2; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/table%zu.csv", s.folder, i);
        write_table(c, i == 1, paths[i]);
        is_whole = count(c, paths[i], &w, turns, counts[i]);
    }
    if (is_whole) {
        const scrim_measurement *m = w.plan->statements[0].parts[0].measurement;
        const double epsilon = number(&m->cost.epsilon), delta = number(&m->cost.delta);
        CHECK_STR(m->mechanism->entry.name, c->mechanism);
        for (size_t i = 0; i < 2; i++) {
            law_of(c, m, i == 1, laws[i]);
            check_law(counts[i], laws[i], turns);
        }
        for (size_t i = 0; i < 2; i++)
            check_event(counts[i], counts[1 - i], laws[i], laws[1 - i], epsilon, delta,
                        turns);
    }
    scrim_plan_free(w.plan);
    scrim_vault_close(w.vault);
    sc_tape_free(w.tape);
    scene_end(&s);
}

#define ROWS "SELECT city, COUNT(*) AS n GROUP BY city"
#define PEOPLE "SELECT city, COUNT(DISTINCT person) AS n GROUP BY city"

static const key_case cases[] = {
    /* the unit is alone in a key */
    {"neighbours=add-remove\nmax-rows=2\n",
     ROWS,
     "partition-selection",
     {4, 2, 0, 0},
     {false},
     {false, false, true, false}},
    /* it is one of several, and of noisy counts */
    {"neighbours=add-remove\n",
     PEOPLE,
     "threshold-truncated",
     {2, 3, 0, 0},
     {false},
     {true, false, false, false}},
    /* both at once; and in four keys */
    {"neighbours=add-remove\nmax-groups=2\nmax-rows=2\n",
     ROWS,
     "threshold-gaussian",
     {8, 7, 0, 0},
     {false},
     {true, false, true, false}},
    {"neighbours=add-remove\nmax-groups=8\n",
     PEOPLE,
     "threshold-gaussian",
     {9, 11, 0, 0},
     {false},
     {true, true, true, true}},
    /* it leaves two keys for two others */
    {"neighbours=replace\nmax-groups=2\n",
     PEOPLE,
     "threshold-gaussian",
     {8, 7, 0, 0},
     {true, false, true, false},
     {false, true, false, true}},
};

/* Each question makes its mechanisms again, to show what they promise: of Gaussian thresholds that
 * is most of the time. */
static void check_cases(size_t from, size_t to, uint64_t turns)
{
    for (size_t i = from; i < to; i++)
        check_case(&cases[i], turns);
}

SLOW_TEST(key_sets_of_neighbours_are_as_frequent_as_claimed)
{
    CLAIM("ask.quiet");
    check_cases(0, 2, check_count(100, 20000));
}

SLOW_TEST(key_sets_of_units_in_several_groups_are_as_frequent_as_claimed)
{
    CLAIM("ask.quiet");
    check_cases(2, sizeof cases / sizeof *cases, check_count(24, 20000) / check_every(4));
}
