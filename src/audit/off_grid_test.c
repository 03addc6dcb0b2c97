#include "audit/off_grid.h"
#include "check.h"
#include "mechanism/catalogue.h"
#include "mechanism_lines.h"

#include <stdio.h>
#include <string.h>

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

/* What both sides differ by, in the norm of the change, is within it. */
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

/* Whoever takes numbers says by how much they differ, or that they are whole. */
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
