#include "audit/divergence.h"
#include "bench.h"
#include "sampling/law.h"
#include "scrim.h"

/* Two discrete Laplace laws, one shifted by 1, on a finite range of outcomes. */
typedef struct laws {
    sc_outcomes p, q;
    sc_ratio epsilons[200];
    sc_comparison *comparison;
} laws;

#define BITS 128
#define OUTCOMES 10000

static void list_law(int64_t centre, sc_outcomes *out)
{
    scrim_error error;
    sc_ratio scale;
    sc_law law;
    sc_ball mass;
    sc_ratio_init(&scale);
    sc_ratio_set_int64(&scale, 100);
    sc_law_init(&law, &sc_discrete_laplace_law, &scale, 0);
    sc_ball_init(&mass);
    sc_outcomes_init(out, 1);
    for (int64_t k = -OUTCOMES / 2; k < OUTCOMES / 2; k++) {
        sc_law_pmf(&law, k - centre, BITS, &mass);
        bench_must(sc_outcomes_add(out, &k, &mass, &error), &error);
    }
    sc_law_at_least(&law, OUTCOMES / 2 - 1, BITS, &out->rest);
    sc_ball_mul_int64(&out->rest, &out->rest, 2, BITS);
    sc_ball_clear(&mass);
    sc_law_clear(&law);
    sc_ratio_clear(&scale);
}

static void compare(void *context, uint64_t operations)
{
    laws *l = context;
    scrim_error error;
    for (; operations > 0; operations--) {
        sc_comparison_free(l->comparison);
        l->comparison = NULL;
        bench_must(sc_comparison_new(&l->p, &l->q, BITS, &l->comparison, &error), &error);
    }
}

/* 200 epsilons in both directions. */
static void curve(void *context, uint64_t operations)
{
    laws *l = context;
    sc_enclosure value;
    sc_bounds_init(&value);
    for (; operations > 0; operations--)
        for (size_t i = 0; i < 200; i++) {
            sc_divergence_hockey_stick(l->comparison, SC_FORTH, &l->epsilons[i], &value);
            sc_divergence_hockey_stick(l->comparison, SC_BACK, &l->epsilons[i], &value);
            bench_keep(&value);
        }
    sc_bounds_clear(&value);
}

static void renyi(void *context, uint64_t operations)
{
    static const int64_t orders[][2] = {{101, 100}, {2, 1}, {5, 1}, {32, 1}};
    laws *l = context;
    sc_enclosure value;
    sc_ratio order, below;
    sc_bounds_init(&value);
    sc_ratio_init(&order);
    sc_ratio_init(&below);
    for (; operations > 0; operations--)
        for (size_t i = 0; i < 4; i++) {
            sc_ratio_set_int64(&order, orders[i][0]);
            sc_ratio_set_int64(&below, orders[i][1]);
            sc_ratio_div(&order, &order, &below);
            sc_divergence_renyi(l->comparison, SC_FORTH, &order, &value);
            sc_divergence_renyi(l->comparison, SC_BACK, &order, &value);
            bench_keep(&value);
        }
    sc_ratio_clear(&below);
    sc_ratio_clear(&order);
    sc_bounds_clear(&value);
}

/* A whole audit: laws, 41 epsilons, loss and orders on three pairs, both ways. */
static void audit(void *context, uint64_t operations)
{
    scrim_error error;
    for (; operations > 0; operations--) {
        scrim_audit_report *report = NULL;
        bench_must(scrim_audit(context, NULL, &report, &error), &error);
        scrim_audit_report_free(report);
    }
}

static void measure_audit(void)
{
    scrim_error error;
    scrim_measurement *m = NULL;
    bench_must(scrim_measurement_parse_model("laplace scale=113", &m, &error), &error);
    bench_measure(&(bench_case){.name = "audit laplace scale=113, 10^4 outcomes",
                                .unit = BENCH_MILLISECONDS,
                                .body = audit,
                                .context = m,
                                .target = 1000});
    scrim_measurement_free(m);
}

BENCH(divergence)
{
    laws l = {.comparison = NULL};
    sc_ratio thousand;
    list_law(0, &l.p);
    list_law(1, &l.q);
    sc_ratio_init(&thousand);
    sc_ratio_set_int64(&thousand, 10000);
    for (int64_t i = 0; i < 200; i++) {
        sc_ratio_init(&l.epsilons[i]);
        sc_ratio_set_int64(&l.epsilons[i], i);
        sc_ratio_div(&l.epsilons[i], &l.epsilons[i], &thousand);
    }
    compare(&l, 1);
    bench_measure(&(bench_case){.name = "audit compare 10^4 outcomes",
                                .unit = BENCH_MILLISECONDS,
                                .body = compare,
                                .context = &l,
                                .counted = 1});
    bench_measure(&(bench_case){.name = "audit curve of 200 epsilons, both ways",
                                .unit = BENCH_MILLISECONDS,
                                .body = curve,
                                .context = &l,
                                .counted = 1});
    bench_measure(&(bench_case){.name = "audit Renyi of 4 orders, both ways",
                                .unit = BENCH_MILLISECONDS,
                                .body = renyi,
                                .context = &l,
                                .counted = 1});
    measure_audit();
    for (size_t i = 0; i < 200; i++)
        sc_ratio_clear(&l.epsilons[i]);
    sc_ratio_clear(&thousand);
    sc_comparison_free(l.comparison);
    sc_outcomes_clear(&l.p);
    sc_outcomes_clear(&l.q);
}
