#include "audit/worst_pair.h"
#include "check.h"
#include "exact.h"
#include "mechanism/catalogue.h"
#include "mechanism_lines.h"
#include "scrim.h"
#include "toy_mechanism.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static scrim_status get(sc_law_cache *cache, int64_t value, long bits,
                        const sc_outcomes **out, scrim_error *error)
{
    const sc_private_input input = {.values = &value, .count = 1};
    return sc_law_cache_get(cache, &input, bits, out, error);
}

/* A mechanism whose laws are counted as they are computed. */
static sc_mechanism counted;
static scrim_status (*counted_law)(const scrim_measurement *m,
                                   const sc_private_input *input, long bits,
                                   sc_outcomes *out, scrim_error *error);
static int computed;

static scrim_status count_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    computed++;
    return counted_law(m, input, bits, out, error);
}

static void count_laws_of(scrim_measurement *m)
{
    counted = *m->mechanism;
    counted_law = counted.law;
    counted.law = count_law;
    m->mechanism = &counted;
    computed = 0;
}

TEST(law_cache_computes_a_law_once)
{
    scrim_measurement *toy = toy_measurement("a=1/4 b=1/2");
    sc_law_cache *cache = NULL;
    const sc_outcomes *first, *second, *again;
    REQUIRE(toy != NULL);
    count_laws_of(toy);
    REQUIRE_OK(sc_law_cache_new(toy, &cache, NULL));
    REQUIRE_OK(get(cache, 0, 128, &first, NULL));
    REQUIRE_OK(get(cache, 1, 128, &second, NULL));
    CHECK_NEAR(sc_ball_upper(&first->mass[0]), 0.25, 0);
    CHECK_NEAR(sc_ball_upper(&second->mass[0]), 0.5, 0);
    CHECK(first->keys[0] == 0 && first->keys[1] == 1); /* sorted */
    REQUIRE_OK(get(cache, 0, 128, &again, NULL));
    CHECK(again == first);
    CHECK_INT(computed, 2);
    REQUIRE_OK(get(cache, 0, 256, &again, NULL)); /* another precision */
    CHECK_INT(computed, 3);
    CHECK_INT((int64_t)sc_law_cache_outcomes(cache), 2);
    sc_law_cache_free(cache);
    scrim_measurement_free(toy);
}

/* Laws that are each more than is kept, and still both of a pair are there. */
SLOW_TEST(law_cache_keeps_both_laws_of_a_pair)
{
    scrim_measurement *laplace = NULL;
    sc_law_cache *cache = NULL;
    REQUIRE_OK(scrim_measurement_parse_model("laplace scale=750", &laplace, NULL));
    count_laws_of(laplace);
    REQUIRE_OK(sc_law_cache_new(laplace, &cache, NULL));
    for (int64_t x = 0; x < 4; x++) {
        const sc_outcomes *p, *q;
        REQUIRE_OK(get(cache, x, 128, &p, NULL));
        REQUIRE_OK(get(cache, x + 1, 128, &q, NULL));
        CHECK(p != q && p->count > 1 << 16 && p->count == q->count);
        CHECK_INT(p->keys[0] + 1, q->keys[0]);
        CHECK(sc_ball_is_positive(&p->mass[p->count - 1]));
    }
    CHECK_INT(computed, 5);
    const sc_outcomes *law;
    REQUIRE_OK(get(cache, 0, 128, &law, NULL)); /* forgotten long ago */
    CHECK_INT(computed, 6);
    sc_law_cache_free(cache);
    scrim_measurement_free(laplace);
}

/* Mass that is lost without a word would hide a violation. */
TEST(law_cache_refuses_a_law_that_loses_mass)
{
    scrim_measurement *honest = toy_measurement("a=1/4 b=1/2 rest=1e-9");
    scrim_measurement *lossy = toy_measurement("a=1/4 b=1/2 lost=1e-30");
    const sc_outcomes *law = NULL;
    sc_law_cache *cache = NULL;
    scrim_error error;
    REQUIRE(honest != NULL && lossy != NULL);
    REQUIRE_OK(sc_law_cache_new(honest, &cache, NULL));
    CHECK_STATUS(get(cache, 0, 128, &law, NULL), SCRIM_OK);
    sc_law_cache_free(cache);
    REQUIRE_OK(sc_law_cache_new(lossy, &cache, NULL));
    law = NULL;
    CHECK_STATUS(get(cache, 0, 128, &law, &error), SCRIM_E_INTERNAL);
    CHECK(law == NULL);
    sc_law_cache_free(cache);
    scrim_measurement_free(honest);
    scrim_measurement_free(lossy);
}

typedef struct values {
    sc_ratio x[SC_OFF_GRID_VALUES], y[SC_OFF_GRID_VALUES];
} values;

static void values_init(values *v)
{
    for (size_t i = 0; i < SC_OFF_GRID_VALUES; i++) {
        sc_ratio_init(&v->x[i]);
        sc_ratio_init(&v->y[i]);
    }
}

static void values_clear(values *v)
{
    for (size_t i = 0; i < SC_OFF_GRID_VALUES; i++) {
        sc_ratio_clear(&v->x[i]);
        sc_ratio_clear(&v->y[i]);
    }
}

/* Both sides differ by at most the change, in its norm. */
static bool is_within(const values *v, size_t count, const sc_change *change)
{
    sc_ratio sum, square, one;
    bool holds = change->few == 0 || count <= change->few;
    sc_ratio_init(&sum);
    sc_ratio_init(&square);
    sc_ratio_init(&one);
    for (size_t i = 0; i < count; i++) {
        const bool is_up = sc_ratio_compare(&v->y[i], &v->x[i]) > 0;
        sc_ratio_sub(&one, is_up ? &v->y[i] : &v->x[i], is_up ? &v->x[i] : &v->y[i]);
        if (change->most > 0)
            holds = holds && sc_ratio_compare_int64(&one, change->most) <= 0;
        if (change->kind == SC_CHANGE_LENGTH)
            sc_ratio_mul(&one, &one, &one);
        if (change->kind == SC_CHANGE_EACH || change->kind == SC_CHANGE_FEW)
            holds = holds && sc_ratio_compare(&one, &change->amount) <= 0;
        holds = holds && (is_up || !change->is_monotone);
        sc_ratio_add(&sum, &sum, &one);
    }
    sc_ratio_mul(&square, &change->amount, &change->amount);
    if (change->kind == SC_CHANGE_SUM)
        holds = holds && sc_ratio_compare(&sum, &change->amount) <= 0;
    if (change->kind == SC_CHANGE_LENGTH)
        holds = holds && sc_ratio_compare(&sum, &square) <= 0;
    sc_ratio_clear(&one);
    sc_ratio_clear(&square);
    sc_ratio_clear(&sum);
    return holds;
}

TEST(A75_pairs_off_the_grid_are_neighbours)
{
    CLAIM("off-grid.neighbours");
    static const struct {
        const char *name, *parameters;
        size_t shapes; /* that it has */
    } list[] = {
        {"laplace", "sensitivity=1 epsilon=1", 2},
        {"laplace", "sensitivity=3/2 epsilon=1", 2},
        {"laplace", "sensitivity=1 epsilon=1 whole=yes", 0},
        {"laplace", "sensitivity=1 epsilon=1 grid=1 size=2", 1},
        {"laplace", "sensitivity=1/3 epsilon=1 grid=0.1", 2},
        {"gaussian", "sensitivity=1 sigma=1 grid=1/2 size=2", 1},
        {"truncated-laplace", "sensitivity=1 epsilon=1 bound=5", 2},
        {"robust-laplace", "rho=1 epsilon=1", 2},
        {"range", "sensitivity=1 epsilon=1 delta=0.01", 2},
        {"permute-and-flip", "sensitivity=3/2 epsilon=1", 4},
        {"exponential", "sensitivity=3/2 epsilon=1 monotone=yes", 3},
        {"sparse-vector", "sensitivity=1/2 epsilon=1 count=1", 4},
        {"partition-selection", "epsilon=1 delta=0.01", 2},
        {"partition-selection", "epsilon=1 delta=0.01 max-groups=2", 3},
        {"threshold-laplace", "epsilon=1 delta=0.01 max-total=2", 2},
        {"threshold-laplace", "epsilon=1 delta=0.01 max-groups=2", 3},
        {"threshold-weighted", "epsilon=1 delta=0.01 grid=1/16 max-groups=2", 2},
        {"stabilise", "sensitivity=2 epsilon=1 delta=0.01", 2},
        {"stabilise", "sensitivity=4 epsilon=4 delta=0.01 max-groups=3 largest=2", 2},
        {"stabilise", "sensitivity=4 epsilon=4 delta=0.01 max-groups=1 largest=2", 2},
        {"stlap", "epsilon=1 delta=0.01", 0},
        {"quantile", "p=1/2 epsilon=1 lower=0 upper=9", 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        scrim_measurement *m = mechanism_model(list[i].name, list[i].parameters);
        sc_change change = {.kind = SC_CHANGE_EACH};
        size_t shapes = 0;
        REQUIRE(m != NULL);
        sc_ratio_init(&change.amount);
        if (m->mechanism->change != NULL)
            m->mechanism->change(m, &change);
        for (size_t shape = 0; shape < SC_OFF_GRID_SHAPES; shape++) {
            values v;
            values_init(&v);
            const size_t count = sc_off_grid_values(m, shape, v.x, v.y);
            shapes += count > 0;
            CHECK(is_within(&v, count, &change));
            values_clear(&v);
        }
        if (!CHECK_INT((int)shapes, (int)list[i].shapes))
            printf("# %s %s\n", list[i].name, list[i].parameters);
        sc_ratio_clear(&change.amount);
        scrim_measurement_free(m);
    }
}

/* Rounding may move values apart: two that move by a half each end a step apart, both. */
TEST(A75_pairs_off_the_grid_are_rounded_as_the_gate_does)
{
    scrim_measurement *m =
        mechanism_model("laplace", "sensitivity=1 epsilon=1 grid=1 size=2");
    sc_pair pair = {.x_count = 0};
    REQUIRE(m != NULL);
    CHECK_INT((int)sc_off_grid_count(m), 1);
    sc_off_grid_pair(m, 0, &pair);
    CHECK_INT((int)pair.x_count, 2);
    for (size_t i = 0; i < 2; i++) {
        CHECK_INT((int)pair.x[i], 0);
        CHECK_INT((int)pair.y[i], 1);
    }
    scrim_measurement_free(m);
}

/* A mechanism that takes numbers says by how much they differ, or that they are whole. */
TEST(A75_every_mechanism_that_takes_numbers_declares_their_change)
{
    static const char *const numbers[] = {"numbers", "scores", "queries", "counts"};
    static const char *const whole[] = {
        "stlap",         "private-size-stlap", "rounded-stlap", "emptiness",
        "counter",       "linear-queries",     "marginals",     "point-first",
        "sum-first",     "hierarchy",          "smalldb",       "mwem",
        "online-weights"};
    const sc_mechanism *mechanism;
    for (size_t i = 0; (mechanism = sc_catalogue_at(i)) != NULL; i++) {
        bool is_number = false, is_whole = false;
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            is_number |= strcmp(mechanism->entry.input, numbers[k]) == 0;
        for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
            is_whole |= strcmp(mechanism->entry.name, whole[k]) == 0;
        if (!CHECK((mechanism->change != NULL) == (is_number && !is_whole)))
            printf("# %s\n", mechanism->entry.name);
    }
}

enum { LOSS, DELTA, ORDER, CHARGED, CHECKS };

typedef struct found {
    sc_check checks[CHECKS];
    uint64_t pairs, calls, last;
} found;

static void count_calls(void *context, uint64_t done, uint64_t total)
{
    found *f = context;
    f->calls++;
    CHECK_INT((int64_t)done, (int64_t)f->calls);
    f->last = total;
}

/* The loss against epsilon, delta at 1/2 and order 2 by the curve, and the charged pair. */
static bool search(const char *line, found *out)
{
    scrim_measurement *m = toy_measurement(line);
    if (m == NULL)
        return false;
    sc_ratio half, two;
    exact_ratio("1/2", &half);
    exact_ratio("2", &two);
    *out = (found){.pairs = 0};
    sc_check_init(&out->checks[LOSS], SC_CHECK_LOSS, NULL);
    sc_check_init(&out->checks[DELTA], SC_CHECK_DELTA, &half);
    sc_check_init(&out->checks[ORDER], SC_CHECK_RENYI, &two);
    sc_check_init(&out->checks[CHARGED], SC_CHECK_DELTA, &m->cost.epsilon);
    out->checks[LOSS].is_charged = out->checks[CHARGED].is_charged = true;
    sc_ratio_set(&out->checks[LOSS].claimed, &m->cost.epsilon);
    sc_ratio_set(&out->checks[CHARGED].claimed, &m->cost.delta);
    sc_search asked = {
        .checks = out->checks, .count = CHECKS, .progress = count_calls, .context = out};
    const bool ran = CHECK_STATUS(sc_search_run(m, &asked, NULL), SCRIM_OK);
    out->pairs = asked.pairs;
    CHECK_INT((int64_t)out->calls, (int64_t)asked.pairs);
    CHECK_INT((int64_t)out->last, (int64_t)asked.pairs);
    sc_ratio_clear(&two);
    sc_ratio_clear(&half);
    scrim_measurement_free(m);
    return ran;
}

static void forget(found *f)
{
    for (size_t i = 0; i < CHECKS; i++)
        sc_check_clear(&f->checks[i]);
}

/* ln 3 against claims a hair to either side of it. */
TEST(search_decides_to_the_last_digit)
{
    CLAIM("audit.violation");
    CLAIM("audit.holds");
    const struct {
        const char *line;
        scrim_audit_verdict loss, charged;
    } cases[] = {
        {"a=3/4 b=1/4 epsilon=1.0986122886681096", SCRIM_AUDIT_VIOLATED,
         SCRIM_AUDIT_VIOLATED},
        {"a=3/4 b=1/4 epsilon=1.0986122886681097", SCRIM_AUDIT_HOLDS, SCRIM_AUDIT_HOLDS},
        /* 30 digits, just below ln 3: the tolerance does not excuse what is proved */
        {"a=3/4 b=1/4 epsilon=1.09861228866810969139524523692", SCRIM_AUDIT_VIOLATED,
         SCRIM_AUDIT_VIOLATED},
        {"a=3/4 b=1/4 epsilon=1.09861228866810969139524523693", SCRIM_AUDIT_HOLDS,
         SCRIM_AUDIT_HOLDS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found f;
        REQUIRE(search(cases[i].line, &f));
        CHECK_INT(f.checks[LOSS].verdict, cases[i].loss);
        CHECK_INT(f.checks[CHARGED].verdict, cases[i].charged);
        CHECK_NEAR(sc_bounds_lower(&f.checks[LOSS].most), log(3), 1e-15);
        CHECK_INT(sc_check_is_tight(&f.checks[LOSS]), cases[i].loss == SCRIM_AUDIT_HOLDS);
        forget(&f);
    }
}

/* (1/2, 1/2) and (1/100, 99/100): the loss of ln 50 is forth, that of ln 1.98 is back. With a
 * and b exchanged it is the other way. */
TEST(search_looks_both_ways)
{
    CLAIM("worst-pair.both-ways");
    found f;
    REQUIRE(search("a=1/2 b=1/100 epsilon=2", &f));
    CHECK_INT(f.checks[LOSS].verdict, SCRIM_AUDIT_VIOLATED);
    CHECK_INT(f.checks[LOSS].direction, SC_FORTH);
    CHECK_NEAR(sc_bounds_lower(&f.checks[LOSS].most), log(50), 1e-15);
    CHECK_NEAR(f.checks[LOSS].upper, log(50), 1e-15);
    forget(&f);
    REQUIRE(search("a=1/100 b=1/2 epsilon=2", &f));
    CHECK_INT(f.checks[LOSS].verdict, SCRIM_AUDIT_VIOLATED);
    CHECK_INT(f.checks[LOSS].direction, SC_BACK);
    CHECK_NEAR(sc_bounds_lower(&f.checks[LOSS].most), log(50), 1e-15);
    /* delta at 2: 1/2 - e^2/100 */
    CHECK_INT(f.checks[CHARGED].direction, SC_BACK);
    CHECK_NEAR(sc_bounds_lower(&f.checks[CHARGED].most), 0.5 - exp(2) / 100, 1e-14);
    forget(&f);
}

TEST(search_finds_the_worst_of_many_pairs)
{
    CLAIM("worst-pair.both-ways");
    char line[96];
    for (size_t where = 0; where < 100; where += 33) {
        found f;
        (void)snprintf(line, sizeof line, "a=1/2 b=3/4 epsilon=1/2 pairs=100 where=%zu",
                       where);
        REQUIRE(search(line, &f));
        CHECK_INT((int64_t)f.pairs, 100);
        for (size_t i = 0; i < CHECKS; i++) {
            CHECK_INT(f.checks[i].verdict, SCRIM_AUDIT_VIOLATED);
            CHECK_INT((int64_t)f.checks[i].pair, (int64_t)where);
        }
        forget(&f);
    }
}

/* A third of the mass not listed: the bounds are wide, and the verdict says so. */
TEST(search_does_not_pass_what_it_cannot_see)
{
    CLAIM("audit.holds");
    found f;
    REQUIRE(search("a=1/2 b=1/2 epsilon=1 rest=1/3", &f));
    CHECK_INT(f.checks[LOSS].verdict, SCRIM_AUDIT_UNDECIDED);
    CHECK_INT(f.checks[CHARGED].verdict, SCRIM_AUDIT_UNDECIDED);
    CHECK_INT(f.checks[ORDER].verdict, SCRIM_AUDIT_WATCHED);
    CHECK(isinf(f.checks[ORDER].upper));
    CHECK_NEAR(f.checks[LOSS].unlisted_upper, 1.0 / 3, 1e-15);
    CHECK(f.checks[CHARGED].upper >= 1.0 / 3);
    forget(&f);
    /* A tail below 2^-60 is allowed for. */
    REQUIRE(search("a=1/2 b=1/2 epsilon=1 rest=2^-61", &f));
    CHECK_INT(f.checks[LOSS].verdict, SCRIM_AUDIT_HOLDS);
    CHECK_INT(f.checks[CHARGED].verdict, SCRIM_AUDIT_HOLDS);
    forget(&f);
    REQUIRE(search("a=1/2 b=1/2 epsilon=1 rest=2^-59", &f));
    CHECK_INT(f.checks[LOSS].verdict, SCRIM_AUDIT_UNDECIDED);
    CHECK_INT(f.checks[CHARGED].verdict, SCRIM_AUDIT_UNDECIDED);
    forget(&f);
}

/* The charged pair by itself. */
TEST(search_holds_the_charged_delta)
{
    CLAIM("audit.violation");
    found f;
    /* back: 0.5 - 0.4 e^0.1 = 0.0579316... */
    REQUIRE(search("a=0.6 b=0.5 epsilon=0.1 delta=0.0579", &f));
    CHECK_INT(f.checks[CHARGED].verdict, SCRIM_AUDIT_VIOLATED);
    CHECK_NEAR(f.checks[CHARGED].claimed_upper, 0.0579, 1e-15);
    forget(&f);
    REQUIRE(search("a=0.6 b=0.5 epsilon=0.1 delta=0.0580", &f));
    CHECK_INT(f.checks[CHARGED].verdict, SCRIM_AUDIT_HOLDS);
    forget(&f);
}

/* rho bounds every order, also where the curve does not. */
TEST(search_holds_rho)
{
    CLAIM("audit.violation");
    found f;
    /* D_2 = ln((9/16)/(1/2) + (1/16)/(1/2)) = ln 1.25 */
    REQUIRE(search("a=3/4 b=1/2 epsilon=2 rho=0.1115", &f));
    CHECK_INT(f.checks[ORDER].verdict, SCRIM_AUDIT_VIOLATED);
    CHECK_NEAR(sc_bounds_lower(&f.checks[ORDER].most), log(4.0 / 3), 1e-12);
    CHECK_NEAR(f.checks[ORDER].claimed_upper, 0.223, 1e-12);
    forget(&f);
    REQUIRE(search("a=3/4 b=1/2 epsilon=2 rho=0.15", &f));
    CHECK_INT(f.checks[ORDER].verdict, SCRIM_AUDIT_HOLDS);
    forget(&f);
}

TEST(search_wants_laws_and_pairs)
{
    scrim_measurement *m = toy_measurement("a=1/2 b=1/2 pairs=0");
    sc_search asked = {.checks = NULL};
    scrim_error error;
    REQUIRE(m != NULL);
    CHECK_STATUS(sc_search_run(m, &asked, &error), SCRIM_E_LIMIT);
    scrim_measurement_free(m);
}
