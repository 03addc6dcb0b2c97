#include "bench.h"
#include "composition/fast/fast_law.h"
#include "composition/fast/fast_loss.h"
#include "composition/fast/fft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Gaussian noise whose loss deviates by 1/100, on a grid such that count of them need 2^log
 * points. */
typedef struct road {
    sc_loss loss;
    sc_ratio delta;
    uint64_t count;
} road;

static void road_open(road *r, const char *step, uint64_t count)
{
    scrim_error error;
    sc_loss_pair pair;
    sc_ratio sigma, by;
    r->count = count;
    sc_loss_pair_init(&pair);
    sc_ratio_init(&sigma);
    sc_ratio_init(&by);
    sc_ratio_init(&r->delta);
    sc_loss_init(&r->loss);
    sc_ratio_set_int64(&sigma, 100);
    bench_must(sc_ratio_parse(sc_text_of(step), &by, &error), &error);
    bench_must(sc_ratio_parse(sc_text_of("1e-6"), &r->delta, &error), &error);
    sc_loss_pair_set_continuous_gaussian(&pair, &sigma);
    bench_must(sc_loss_from_pair(&pair, SC_LOSS_UPPER,
                                 &(sc_loss_grid){&by, SC_LOSS_BITS, 140}, NULL, &r->loss,
                                 &error),
               &error);
    sc_ratio_clear(&by);
    sc_ratio_clear(&sigma);
    sc_loss_pair_clear(&pair);
}

static void road_close(road *r)
{
    sc_ratio_clear(&r->delta);
    sc_loss_clear(&r->loss);
}

/* How many points its slice has. */
static size_t points_of(const road *r)
{
    const sc_fast_part part = {&r->loss, r->count};
    scrim_error error;
    sc_saddle saddle;
    sc_fast_law law;
    sc_fft fft;
    sc_saddle_init(&saddle);
    sc_fast_law_init(&law);
    sc_fft_init(&fft);
    bench_must(sc_saddle_set(&saddle, &part, 1, &error), &error);
    bench_must(sc_fast_law_set(&law, &part, 1, &saddle,
                               sc_saddle_tilt_for(&saddle, log(1e-6)), SC_FAST_DEPTH,
                               true, &fft, NULL, &error),
               &error);
    const size_t points = law.points;
    sc_fft_clear(&fft);
    sc_fast_law_clear(&law);
    sc_saddle_clear(&saddle);
    return points;
}

static void epsilon(void *context, uint64_t operations)
{
    road *r = context;
    const sc_fast_part part = {&r->loss, r->count};
    scrim_error error;
    sc_ball out;
    bool is_finite;
    sc_ball_init(&out);
    for (; operations > 0; operations--)
        bench_must(
            sc_fast_loss_epsilon(&part, 1, &r->delta, NULL, &out, &is_finite, &error),
            &error);
    bench_keep(&out);
    sc_ball_clear(&out);
}

/* The bare transform: there, to the power, and back. */
typedef struct bare {
    sc_fft fft;
    double *x;
    size_t points;
    uint64_t count;
} bare;

static void bare_open(bare *b, unsigned log, uint64_t count)
{
    scrim_error error;
    sc_fft_init(&b->fft);
    bench_must(sc_fft_prepare(&b->fft, log, &error), &error);
    b->points = (size_t)1 << log;
    b->count = count;
    b->x = malloc(b->points * sizeof *b->x);
    if (b->x == NULL)
        bench_die("out of memory for the bare transform");
}

static void bare_close(bare *b)
{
    free(b->x);
    sc_fft_clear(&b->fft);
}

static void transform(void *context, uint64_t operations)
{
    bare *b = context;
    for (; operations > 0; operations--) {
        for (size_t i = 0; i < b->points; i++)
            b->x[i] = i < 2048 ? 0x1p-11 : 0;
        sc_fft_forward(&b->fft, b->x);
        sc_fft_power(&b->fft, b->x, b->count);
        sc_fft_inverse(&b->fft, b->x);
        bench_keep(b->x);
    }
}

/* Beside the bare transform on the same grid: at most three times as long. The step is such that the
 * slice needs a little less than 2^log points. */
static void measure(const char *name, const char *rival, const char *step, unsigned log,
                    uint64_t count)
{
    road r;
    bare b;
    if (!bench_is_wanted(name))
        return;
    road_open(&r, step, count);
    if (points_of(&r) != (size_t)1 << log)
        bench_die("the transform beside the fast road has another number of points");
    bare_open(&b, log, count);
    bench_measure(&(bench_case){
        .name = name,
        .unit = BENCH_MILLISECONDS,
        .body = epsilon,
        .context = &r,
        .rival = &(bench_case){.name = rival,
                               .unit = BENCH_MILLISECONDS,
                               .body = transform,
                               .context = &b},
        .ratio_target = 1.0 / 3,
    });
    bare_close(&b);
    road_close(&r);
}

BENCH(fast_loss)
{
    measure("fast loss of 10^5, 2^18 points", "transform of 2^18 points", "1/8000", 18,
            100000);
    measure("fast loss of 10^5, 2^20 points", "transform of 2^20 points", "1/32000", 20,
            100000);
    measure("fast loss of 10^5, 2^22 points", "transform of 2^22 points", "1/128000", 22,
            100000);
    /* The same number of points: four times the count, twice the step. */
    measure("fast loss of 10^3, 2^20 points", "transform of 2^20 points, 10^3",
            "1/320000", 20, 1000);
    measure("fast loss of 10^6, 2^20 points", "transform of 2^20 points, 10^6", "1/10000",
            20, 1000000);
}
