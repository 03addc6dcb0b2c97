#include "bench.h"
#include "distance/wasserstein_line.h"

#include <stdio.h>
#include <string.h>

/* Points in no order, as they come: sorting is measured with the rest. */
typedef struct clouds {
    sc_masses p, q;
    const char *loss;
} clouds;

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void scatter(uint64_t seed, size_t count, sc_masses *out)
{
    scrim_error error;
    sc_masses_init(out);
    for (size_t i = 0; i < count; i++)
        bench_must(sc_masses_add(out, (int64_t)(next(&seed) >> 14), 1, &error), &error);
}

static void copy(const sc_masses *from, sc_masses *out)
{
    scrim_error error;
    sc_masses_init(out);
    for (size_t i = 0; i < from->count; i++)
        bench_must(sc_masses_add(out, from->list[i].place, from->list[i].mass, &error),
                   &error);
    sc_masses_sort(out);
}

static void open_transport(const clouds *c, sc_masses *p, sc_masses *q, sc_transport *t)
{
    scrim_error error;
    sc_ratio loss;
    sc_ratio_init(&loss);
    bench_must(sc_ratio_parse(sc_text_of(c->loss), &loss, &error), &error);
    copy(&c->p, p);
    copy(&c->q, q);
    bench_must(sc_transport_init_laws(t, p, q, &loss, &error), &error);
    sc_ratio_clear(&loss);
}

static void radius(void *context, uint64_t operations)
{
    for (; operations > 0; operations--) {
        sc_masses p, q;
        sc_transport t;
        open_transport(context, &p, &q, &t);
        const uint64_t b = sc_line_radius(&t);
        bench_keep(&b);
        sc_transport_clear(&t);
        sc_masses_clear(&q);
        sc_masses_clear(&p);
    }
}

static void mean(void *context, uint64_t operations)
{
    scrim_error error;
    for (; operations > 0; operations--) {
        sc_masses p, q;
        sc_transport t;
        sc_ratio out;
        sc_ratio_init(&out);
        open_transport(context, &p, &q, &t);
        bench_must(sc_line_mean(&t, &out, &error), &error);
        bench_keep(&out);
        sc_transport_clear(&t);
        sc_masses_clear(&q);
        sc_masses_clear(&p);
        sc_ratio_clear(&out);
    }
}

static void measure(const char *what, size_t count, const char *loss, double target)
{
    char name[BENCH_NAME_BYTES];
    clouds c = {.loss = loss};
    scatter(1, count, &c.p);
    scatter(2, count, &c.q);
    (void)snprintf(name, sizeof name, "distance %s, %zu + %zu points, loss %s", what,
                   count, count, loss);
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_MILLISECONDS,
                                .body = strcmp(what, "mean") == 0 ? mean : radius,
                                .context = &c,
                                .target = target});
    sc_masses_clear(&c.q);
    sc_masses_clear(&c.p);
}

/* Ten times the points are to take ten times as long, and a little more for the sorting. */
BENCH(wasserstein)
{
    measure("W-infinity", 10000, "0.01", 0);
    measure("W-infinity", 100000, "0.01", 0);
    measure("W-infinity", 1000000, "0.01", 2000);
    measure("W-infinity", 1000000, "0", 2000);
    measure("mean", 10000, "0", 0);
    measure("mean", 10000, "0.01", 0);
    measure("mean", 100000, "0.01", 0);
}
