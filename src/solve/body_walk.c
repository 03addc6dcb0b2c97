#include "solve/body_walk.h"

#include "base/memory.h"
#include "base/workers.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* A row bounds the chord from above where its inverse is positive, from below elsewhere. */
__attribute__((target("avx2"))) static sc_chord
chord_avx2(double *slack, const double *growth, double length, const double *inverse,
           size_t count)
{
    const __m256d zero = _mm256_setzero_pd(), far = _mm256_set1_pd(SC_CHORD_FAR),
                  step = _mm256_set1_pd(length);
    const __m256d back = _mm256_set1_pd(-SC_CHORD_FAR);
    __m256d low = back, high = far;
    for (size_t i = 0; i < count; i += SC_CHORD_LANES) {
        const __m256d left = _mm256_sub_pd(
            _mm256_loadu_pd(slack + i), _mm256_mul_pd(step, _mm256_loadu_pd(growth + i)));
        const __m256d kept = _mm256_max_pd(left, zero), by = _mm256_loadu_pd(inverse + i),
                      reach = _mm256_mul_pd(kept, by);
        _mm256_storeu_pd(slack + i, kept);
        high = _mm256_min_pd(_mm256_blendv_pd(reach, far, by), high);
        low = _mm256_max_pd(_mm256_blendv_pd(back, reach, by), low);
    }
    double lows[SC_CHORD_LANES], highs[SC_CHORD_LANES];
    _mm256_storeu_pd(lows, low);
    _mm256_storeu_pd(highs, high);
    sc_chord chord = {lows[0], highs[0]};
    for (size_t k = 1; k < SC_CHORD_LANES; k++) {
        chord.low = lows[k] > chord.low ? lows[k] : chord.low;
        chord.high = highs[k] < chord.high ? highs[k] : chord.high;
    }
    return chord;
}
#endif

sc_chord sc_chord_plain(double *slack, const double *growth, double length,
                        const double *inverse, size_t count)
{
    sc_chord chord = {-SC_CHORD_FAR, SC_CHORD_FAR};
    for (size_t i = 0; i < count; i++) {
        const double left = slack[i] - length * growth[i], kept = left > 0 ? left : 0,
                     reach = kept * inverse[i];
        slack[i] = kept;
        if (inverse[i] < 0)
            chord.low = reach > chord.low ? reach : chord.low;
        else
            chord.high = reach < chord.high ? reach : chord.high;
    }
    return chord;
}

sc_chord sc_chord_next(double *slack, const double *growth, double length,
                       const double *inverse, size_t count)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (sc_processor_has(SC_AVX2))
        return chord_avx2(slack, growth, length, inverse, count);
#endif
    return sc_chord_plain(slack, growth, length, inverse, count);
}

#define WAYS_MOST                                                                        \
    2048 /* the low bits of a word choose the direction, the others the place */
#define ROUNDS 4
#define FRESH                                                                            \
    512 /* steps until slacks are computed anew: until then each is off by 1e-13 at most */
#define WORDS 256
#define TURNS 256 /* of a slice that shrinks: with good bits it is never that many */

struct sc_walk_ways {
    size_t d, rows, padded;
    size_t count;             /* a power of two */
    double *directions;       /* one after the other, of length 1 */
    double *growth, *inverse; /* of each row, padded; for each direction */
    double *spread;
};

struct sc_body_walk {
    sc_solid *solid;
    const sc_walk_ways *ways;
    const sc_walk_options *options;
    sc_bits *bits;
    uint64_t words[WORDS];
    size_t words_left;
    double *v, *work, *slack;
    size_t last;   /* direction */
    double length; /* of the last step, which the slacks do not have yet */
    unsigned stale;
    double within; /* squared */
    double height; /* -phi at v */
};

/* Random numbers. */

static scrim_status next_word(sc_body_walk *w, uint64_t *out, scrim_error *error)
{
    if (w->words_left == 0) {
        const scrim_status status = sc_bits_fill(w->bits, w->words, WORDS, error);
        if (status != SCRIM_OK)
            return status;
        w->words_left = WORDS;
    }
    *out = w->words[--w->words_left];
    return SCRIM_OK;
}

/* Above 0 and below 1. */
static double unit(uint64_t word)
{
    return ((double)(word >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t first, uint64_t second)
{
    return sqrt(-2 * log(unit(first))) * cos(2 * acos(-1) * unit(second));
}

static scrim_status draw_normals(sc_bits *bits, size_t count, double *out,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        uint64_t words[2];
        status = sc_bits_fill(bits, words, 2, error);
        out[i] = normal(words[0], words[1]);
    }
    return status;
}

/* Ways. */

void sc_walk_ways_free(sc_walk_ways *ways)
{
    if (ways == NULL)
        return;
    sc_free(ways->directions);
    sc_free(ways->growth);
    sc_free(ways->inverse);
    sc_free(ways->spread);
    sc_free(ways);
}

static sc_walk_ways *allocate_ways(const sc_solid *solid)
{
    const size_t d = solid->dimension, rows = solid->spaces.count;
    sc_walk_ways *ways = sc_allocate(1, sizeof *ways);
    if (ways == NULL)
        return NULL;
    *ways = (sc_walk_ways){.d = d, .rows = rows, .count = 8};
    ways->padded = (rows + SC_CHORD_LANES - 1) / SC_CHORD_LANES * SC_CHORD_LANES;
    while (ways->count < 4 * d && ways->count < WAYS_MOST)
        ways->count *= 2;
    ways->directions = sc_allocate(ways->count * d, sizeof *ways->directions);
    ways->growth = sc_allocate(ways->count * ways->padded, sizeof *ways->growth);
    ways->inverse = sc_allocate(ways->count * ways->padded, sizeof *ways->inverse);
    ways->spread = sc_allocate(d * d, sizeof *ways->spread);
    if (ways->directions == NULL || ways->growth == NULL || ways->inverse == NULL ||
        ways->spread == NULL) {
        sc_walk_ways_free(ways);
        return NULL;
    }
    for (size_t j = 0; j < d; j++)
        ways->spread[j * d + j] = 1;
    return ways;
}

/* v becomes spread v, of length 1. */
static void stretch(const sc_walk_ways *ways, double *v)
{
    const size_t d = ways->d;
    for (size_t i = d; i-- > 0;)
        v[i] = sc_dot(ways->spread + i * d, v, i + 1);
    const double length = sc_norm(v, d);
    for (size_t j = 0; j < d; j++)
        v[j] /= length;
}

/* Frames of random directions, each stretched. */
static scrim_status draw_ways(sc_walk_ways *ways, const sc_solid *solid, sc_bits *bits,
                              scrim_error *error)
{
    const size_t d = ways->d;
    scrim_status status = draw_normals(bits, ways->count * d, ways->directions, error);
    for (size_t k = 0; status == SCRIM_OK && k < ways->count; k++) {
        double *own = ways->directions + k * d;
        for (unsigned turn = 0; turn < 2; turn++)
            for (size_t i = k - k % d; i < k; i++)
                sc_add_times(own, -sc_dot(ways->directions + i * d, own, d),
                             ways->directions + i * d, d);
        const double length = sc_norm(own, d);
        for (size_t j = 0; j < d; j++)
            own[j] /= length;
    }
    for (size_t k = 0; status == SCRIM_OK && k < ways->count; k++) {
        double *growth = ways->growth + k * ways->padded,
               *inverse = ways->inverse + k * ways->padded;
        stretch(ways, ways->directions + k * d);
        sc_half_spaces_times(&solid->spaces, ways->directions + k * d, growth);
        for (size_t i = 0; i < ways->padded; i++)
            inverse[i] =
                fabs(growth[i]) > 1 / SC_CHORD_FAR ? 1 / growth[i] : SC_CHORD_FAR;
    }
    return status;
}

/* spread becomes the root of the covariance; unchanged if a variance is not above 0. */
static void take_root(sc_walk_ways *ways, const double *covariance)
{
    const size_t d = ways->d;
    double *root = ways->spread;
    for (size_t j = 0; j < d; j++)
        if (!(covariance[j * d + j] > 0))
            return;
    memset(root, 0, d * d * sizeof *root);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++) {
            const double sum =
                covariance[i * d + j] - sc_dot(root + i * d, root + j * d, j);
            root[i * d + j] = i == j ? sqrt(fmax(sum, 1e-12 * covariance[i * d + i]))
                                     : sum / root[j * d + j];
        }
}

static scrim_status trial(sc_walk_ways *ways, sc_solid *solid, sc_bits *bits,
                          scrim_error *error)
{
    const size_t d = ways->d, points = 20 * d;
    const sc_walk_options options = {.thinning = d};
    sc_body_walk *walk = NULL;
    double *work = sc_allocate(d * d + 2 * d, sizeof *work);
    double *v = work == NULL ? NULL : work + d * d, *mean = v == NULL ? NULL : v + d;
    scrim_status status =
        work == NULL ? sc_no_memory(error, "a walk")
                     : sc_body_walk_new(solid, ways, &options, bits, &walk, error);
    for (size_t k = 1; status == SCRIM_OK && k <= points; k++) {
        status = sc_body_walk_next(walk, v, error);
        const double n = (double)k;
        for (size_t j = 0; j < d; j++) {
            v[j] -= mean[j];
            mean[j] += v[j] / n;
        }
        for (size_t i = 0; i < d; i++)
            sc_add_times(work + i * d, v[i] * (n - 1) / n, v, d);
    }
    for (size_t i = 0; status == SCRIM_OK && i < d * d; i++)
        work[i] /= (double)points;
    if (status == SCRIM_OK)
        take_root(ways, work);
    sc_body_walk_free(walk);
    sc_free(work);
    return status;
}

scrim_status sc_walk_ways_new(const sc_solid *solid, sc_bits *bits, sc_walk_ways **out,
                              scrim_error *error)
{
    sc_solid view = *solid; /* a walk of trial changes nothing of it */
    sc_walk_ways *ways = allocate_ways(solid);
    scrim_status status = ways == NULL ? sc_no_memory(error, "a walk")
                                       : draw_ways(ways, solid, bits, error);
    for (unsigned round = 0; status == SCRIM_OK && round < ROUNDS; round++) {
        status = trial(ways, &view, bits, error);
        if (status == SCRIM_OK)
            status = draw_ways(ways, solid, bits, error);
    }
    if (status == SCRIM_OK)
        *out = ways;
    else
        sc_walk_ways_free(ways);
    return status;
}

const double *sc_walk_ways_spread(const sc_walk_ways *ways)
{
    return ways->spread;
}

/* Hit-and-run. */

static void refresh(sc_body_walk *w)
{
    sc_half_spaces_slack(&w->solid->spaces, w->v, w->slack);
    w->length = 0;
    w->stale = 0;
}

/* Cuts the chord at the sphere. */
static void cut_at_sphere(const sc_body_walk *w, const double *u, sc_chord *chord)
{
    const size_t d = w->ways->d;
    double along = 0, square = 0;
    for (size_t j = 0; j < d; j++) {
        const double part = w->v[j] - w->solid->centre[j];
        along += part * u[j];
        square += part * part;
    }
    const double root = sqrt(fmax(along * along - square + w->within, 0));
    chord->low = fmax(chord->low, fmin(-along - root, 0));
    chord->high = fmin(chord->high, fmax(-along + root, 0));
}

/* -phi at v + t u. */
static scrim_status height_at(sc_body_walk *w, const double *u, double t, double *out,
                              scrim_error *error)
{
    const size_t d = w->ways->d;
    double *at = w->work, *gradient = w->work + d;
    memcpy(at, w->v, d * sizeof *at);
    if (u != NULL)
        sc_add_times(at, t, u, d);
    *out = -w->options->phi->value(w->options->phi->context, at, gradient);
    return isfinite(*out)
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "objective",
                             "the function is not finite in the whole body");
}

/* A point of the slice {-phi >= level}, by shrinking the chord towards the last point. */
static scrim_status slice(sc_body_walk *w, const double *u, sc_chord chord, double *t,
                          scrim_error *error)
{
    uint64_t word = 0;
    double height = 0;
    scrim_status status = next_word(w, &word, error);
    const double level = w->height + log(unit(word));
    for (unsigned turn = 0; status == SCRIM_OK && turn < TURNS; turn++) {
        status = next_word(w, &word, error);
        *t = chord.low + unit(word) * (chord.high - chord.low);
        if (status == SCRIM_OK)
            status = height_at(w, u, *t, &height, error);
        if (status == SCRIM_OK && height >= level) {
            w->height = height;
            return SCRIM_OK;
        }
        if (*t < 0)
            chord.low = *t;
        else
            chord.high = *t;
    }
    *t = 0;
    return status;
}

static scrim_status hit_and_run(sc_body_walk *w, scrim_error *error)
{
    const sc_walk_ways *ways = w->ways;
    uint64_t word;
    scrim_status status = next_word(w, &word, error);
    if (status != SCRIM_OK)
        return status;
    const size_t next = word & (ways->count - 1);
    const double *u = ways->directions + next * ways->d;
    sc_chord chord =
        sc_chord_next(w->slack, ways->growth + w->last * ways->padded, w->length,
                      ways->inverse + next * ways->padded, ways->padded);
    if (w->within < (double)INFINITY)
        cut_at_sphere(w, u, &chord);
    double t = chord.low + unit(word) * (chord.high - chord.low);
    if (w->options->phi != NULL)
        status = slice(w, u, chord, &t, error);
    sc_add_times(w->v, t, u, ways->d);
    w->last = next;
    w->length = t;
    if (++w->stale == FRESH)
        refresh(w);
    return status;
}

/* Langevin. */

static scrim_status langevin(sc_body_walk *w, scrim_error *error)
{
    const size_t d = w->ways->d;
    const double step = w->options->langevin;
    double *gradient = w->work + d;
    scrim_status status = SCRIM_OK;
    memset(gradient, 0, d * sizeof *gradient);
    if (w->options->phi != NULL)
        (void)w->options->phi->value(w->options->phi->context, w->v, gradient);
    for (size_t j = 0; status == SCRIM_OK && j < d; j++) {
        uint64_t first, second = 0;
        status = next_word(w, &first, error);
        if (status == SCRIM_OK)
            status = next_word(w, &second, error);
        if (status == SCRIM_OK)
            w->v[j] += step * normal(first, second) - step * step / 2 * gradient[j];
    }
    return status == SCRIM_OK ? sc_solid_nearest(w->solid, w->v, w->v, error) : status;
}

/* Walks. */

void sc_body_walk_free(sc_body_walk *w)
{
    if (w == NULL)
        return;
    sc_free(w->v);
    sc_free(w->slack);
    sc_free(w);
}

static scrim_status go(sc_body_walk *w, uint64_t steps, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (uint64_t i = 0; status == SCRIM_OK && i < steps; i++)
        status = w->options->langevin > 0 ? langevin(w, error) : hit_and_run(w, error);
    return status;
}

scrim_status sc_body_walk_new(sc_solid *solid, const sc_walk_ways *ways,
                              const sc_walk_options *options, sc_bits *bits,
                              sc_body_walk **out, scrim_error *error)
{
    const size_t d = solid->dimension;
    sc_body_walk *w = sc_allocate(1, sizeof *w);
    if (w == NULL)
        return sc_no_memory(error, "a walk");
    w->solid = solid;
    w->ways = ways;
    w->options = options;
    w->bits = bits;
    w->within =
        options->within > 0 ? options->within * options->within : (double)INFINITY;
    w->v = sc_allocate(3 * d, sizeof *w->v);
    w->slack = sc_allocate(ways->padded, sizeof *w->slack);
    scrim_status status =
        w->v == NULL || w->slack == NULL ? sc_no_memory(error, "a walk") : SCRIM_OK;
    if (status == SCRIM_OK) {
        w->work = w->v + d;
        memcpy(w->v, solid->centre, d * sizeof *w->v);
        for (size_t i = 0; i < ways->padded; i++)
            w->slack[i] = 1;
        refresh(w);
        if (options->phi != NULL)
            status = height_at(w, NULL, 0, &w->height, error);
    }
    if (status == SCRIM_OK)
        status = go(w, 10 * d * d, error);
    if (status == SCRIM_OK)
        *out = w;
    else
        sc_body_walk_free(w);
    return status;
}

void sc_body_walk_within(sc_body_walk *walk, double radius)
{
    walk->within = radius * radius;
}

scrim_status sc_body_walk_next(sc_body_walk *w, double *v, scrim_error *error)
{
    const size_t d = w->ways->d;
    const uint64_t thinning = w->options->thinning;
    const scrim_status status =
        go(w, thinning > 0 ? thinning : SC_WALK_THINNING(d), error);
    if (status == SCRIM_OK)
        memcpy(v, w->v, d * sizeof *v);
    return status;
}
