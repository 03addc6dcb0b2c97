#include "composition/fast/fft.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "base/work_limit.h"

/* The tree of factors: node 1 is t^N - i, and a node t^2m - r^2 has the children 2v, t^m - r, and
 * 2v + 1, t^m + r. Taking a polynomial modulo both children is a butterfly with the one root r for
 * all of the node. r of node 2v + 1 is i times that of node 2v, so one root a pair of siblings is
 * kept: at j that of node 2j, and at 0 that of node 1. Those of the last level, as many as all others
 * together, are computed when they are needed: that is half of the memory.
 *
 * Node j = 2^d + c stands for t^2m = exp(2 pi i (4 R + 1) / 2^(d + 2)), where R is c with its d bits
 * reversed; the root of node 2j is a fourth root of that. */

/* Roots. */

#define COARSE_LOG 9 /* of a quarter of the circle */
#define BITS 128

/* The angle is a + f with a on the coarse grid: cos a in two doubles, cos f - 1 in one, and the same
 * of sines, so that cos(a + f) = cos a + (cos a (cos f - 1) - sin a sin f) is rounded but once where
 * it matters: |f| < 2^-8, so that the rounding of what is in brackets is below u / 40. */
typedef struct sc_fft_tables {
    double *cosine, *cosine_low, *sine, *sine_low; /* 2^COARSE_LOG */
    double *cosine_less_1, *fine_sine;             /* 2^fine_log */
    unsigned fine_log;
} root_tables;

static root_tables *root_tables_new(unsigned fine_log)
{
    const size_t coarse = (size_t)1 << COARSE_LOG, fine = (size_t)1 << fine_log;
    const size_t doubles = (4 * coarse + 2 * fine) * sizeof(double);
    root_tables *t = sc_allocate(1, sizeof *t + doubles);
    if (t == NULL)
        return NULL;
    double *block = (double *)(t + 1);
    t->cosine = block;
    t->cosine_low = block + coarse;
    t->sine = block + 2 * coarse;
    t->sine_low = block + 3 * coarse;
    t->cosine_less_1 = block + 4 * coarse;
    t->fine_sine = block + 4 * coarse + fine;
    t->fine_log = fine_log;
    return t;
}

static void root_tables_fill(root_tables *t)
{
    SC_OWN(sc_ball, angle, sine, cosine);
    const size_t quarter = (size_t)1 << COARSE_LOG;
    for (size_t a = 0; a <= quarter / 2; a++) {
        sc_ball_set_int64(&angle, (int64_t)a);
        sc_ball_mul_power2(&angle, &angle, -COARSE_LOG - 1);
        sc_ball_sin_cos_pi(&sine, &cosine, &angle, BITS);
        sc_ball_split(&cosine, &t->cosine[a], &t->cosine_low[a]);
        sc_ball_split(&sine, &t->sine[a], &t->sine_low[a]);
        if (a > 0) { /* the sine of the one is the cosine of the other */
            t->cosine[quarter - a] = t->sine[a];
            t->cosine_low[quarter - a] = t->sine_low[a];
            t->sine[quarter - a] = t->cosine[a];
            t->sine_low[quarter - a] = t->cosine_low[a];
        }
    }
    for (size_t f = 0; f >> t->fine_log == 0; f++) {
        sc_ball_set_int64(&angle, (int64_t)f);
        sc_ball_mul_power2(&angle, &angle, -COARSE_LOG - 1 - (long)t->fine_log);
        sc_ball_sin_cos_pi(&sine, &cosine, &angle, BITS);
        sc_ball_add_int64(&cosine, &cosine, -1, BITS);
        t->cosine_less_1[f] = sc_ball_lower(&cosine);
        t->fine_sine[f] = sc_ball_lower(&sine);
    }
}

/* at / 2^(COARSE_LOG + fine_log) of a quarter turn. */
static void root_at(const root_tables *t, size_t at, double *cosine, double *sine)
{
    const size_t a = at >> t->fine_log, f = at & (((size_t)1 << t->fine_log) - 1);
    const double ca = t->cosine[a], sa = t->sine[a];
    const double cf = t->cosine_less_1[f], sf = t->fine_sine[f];
    *cosine = ca + (t->cosine_low[a] + (ca * cf - sa * sf));
    *sine = sa + (t->sine_low[a] + (sa * cf + ca * sf));
}

static size_t reverse(size_t value, unsigned bits)
{
    uint64_t x = value;
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    x = __builtin_bswap64(x);
    return bits == 0 ? 0 : (size_t)(x >> (64 - bits));
}

void sc_fft_init(sc_fft *fft)
{
    *fft = (sc_fft){0};
}

void sc_fft_clear(sc_fft *fft)
{
    sc_free(fft->tables);
    sc_free(fft->cosine);
    sc_fft_init(fft);
}

/* Node 1 has its root at an eighth of a turn; node 2j, with j of level d, at (4 R + 1) / 2^(d + 2) of
 * a quarter turn. */
static void root_of_pair(const root_tables *t, size_t j, double *cosine, double *sine)
{
    const unsigned all = COARSE_LOG + t->fine_log;
    const unsigned d = j == 0 ? 0 : sc_bit_length64(j) - 1;
    const size_t c = j == 0 ? 0 : j - ((size_t)1 << d);
    const size_t at =
        j == 0 ? (size_t)1 << (all - 1) : (4 * reverse(c, d) + 1) << (all - d - 2);
    root_at(t, at, cosine, sine);
}

scrim_status sc_fft_prepare(sc_fft *fft, unsigned log, scrim_error *error)
{
    if (log < SC_FFT_LOG_MIN || log > SC_FFT_LOG_MAX)
        return sc_fail(error, SCRIM_E_LIMIT, "a transform must have %d to %d points",
                       1 << SC_FFT_LOG_MIN, 1 << SC_FFT_LOG_MAX);
    if (fft->tables != NULL && fft->levels == log - 1)
        return SCRIM_OK;
    sc_fft_clear(fft);
    fft->levels = log - 1;
    fft->half = (size_t)1 << fft->levels;
    fft->kept = fft->half / 4 + 1;
    /* The deepest angle has d = levels - 2. */
    fft->tables = root_tables_new(log - 1 > COARSE_LOG ? log - 1 - COARSE_LOG : 0);
    fft->cosine = sc_allocate(2 * fft->kept, sizeof *fft->cosine);
    if (fft->cosine == NULL || fft->tables == NULL) {
        sc_fft_clear(fft);
        return sc_no_memory(error, "a transform");
    }
    fft->sine = fft->cosine + fft->kept;
    root_tables_fill(fft->tables);
    for (size_t j = 0; j < fft->kept && j < (fft->half + 1) / 2; j++)
        root_of_pair(fft->tables, j, &fft->cosine[j], &fft->sine[j]);
    return SCRIM_OK;
}

/* Butterflies. */

typedef struct root {
    double re, im;
} root;

static root root_of(const sc_fft *fft, size_t node)
{
    double c, s;
    if (node / 2 < fft->kept) {
        c = fft->cosine[node / 2];
        s = fft->sine[node / 2];
    } else {
        root_of_pair(fft->tables, node / 2, &c, &s);
    }
    return node % 2 == 0 || node == 1 ? (root){c, s} : (root){-s, c};
}

/* One level below a node of two coefficients, at the end of an odd number of levels. */
static void forward_pair(double *re, double *im, root r)
{
    const double tr = re[1] * r.re - im[1] * r.im, ti = re[1] * r.im + im[1] * r.re;
    re[1] = re[0] - tr;
    im[1] = im[0] - ti;
    re[0] += tr;
    im[0] += ti;
}

static void inverse_pair(double *re, double *im, root r)
{
    const double dr = re[0] - re[1], di = im[0] - im[1];
    re[0] += re[1];
    im[0] += im[1];
    re[1] = dr * r.re + di * r.im;
    im[1] = di * r.re - dr * r.im;
}

/* Two levels at once, to fetch memory half as often: r is the root of the node, s that of its first
 * child, i s that of its second. The operations are those of one level after the other. */
static void forward_quarters(double *restrict a, double *restrict b, double *restrict c,
                             double *restrict d, double *restrict ai, double *restrict bi,
                             double *restrict ci, double *restrict di, size_t m, root r,
                             root s)
{
    for (size_t j = 0; j < m; j++) {
        const double cr = c[j] * r.re - ci[j] * r.im, cm = c[j] * r.im + ci[j] * r.re;
        const double dr = d[j] * r.re - di[j] * r.im, dm = d[j] * r.im + di[j] * r.re;
        const double pr = a[j] + cr, pm = ai[j] + cm, qr = b[j] + dr, qm = bi[j] + dm;
        const double vr = a[j] - cr, vm = ai[j] - cm, wr = b[j] - dr, wm = bi[j] - dm;
        const double xr = qr * s.re - qm * s.im, xm = qr * s.im + qm * s.re;
        const double yr = wr * s.re - wm * s.im, ym = wr * s.im + wm * s.re;
        a[j] = pr + xr;
        ai[j] = pm + xm;
        b[j] = pr - xr;
        bi[j] = pm - xm;
        c[j] = vr - ym;
        ci[j] = vm + yr;
        d[j] = vr + ym;
        di[j] = vm - yr;
    }
}

static void inverse_quarters(double *restrict a, double *restrict b, double *restrict c,
                             double *restrict d, double *restrict ai, double *restrict bi,
                             double *restrict ci, double *restrict di, size_t m, root r,
                             root s)
{
    for (size_t j = 0; j < m; j++) {
        const double pr = a[j] + b[j], pm = ai[j] + bi[j];
        const double xr = a[j] - b[j], xm = ai[j] - bi[j];
        const double vr = c[j] + d[j], vm = ci[j] + di[j];
        /* divided by i */
        const double ym = d[j] - c[j], yr = ci[j] - di[j];
        const double qr = xr * s.re + xm * s.im, qm = xm * s.re - xr * s.im;
        const double wr = yr * s.re + ym * s.im, wm = ym * s.re - yr * s.im;
        const double er = pr - vr, em = pm - vm, fr = qr - wr, fm = qm - wm;
        a[j] = pr + vr;
        ai[j] = pm + vm;
        b[j] = qr + wr;
        bi[j] = qm + wm;
        c[j] = er * r.re + em * r.im;
        ci[j] = em * r.re - er * r.im;
        d[j] = fr * r.re + fm * r.im;
        di[j] = fm * r.re - fr * r.im;
    }
}

/* Depth first, so that a part that fits a cache is finished there; at most 12 deep. */
static void forward_node(const sc_fft *fft, double *re, double *im, size_t size, size_t v)
{
    const size_t m = size / 4;
    if (size == 2)
        forward_pair(re, im, root_of(fft, v));
    if (size <= 2)
        return;
    forward_quarters(re, re + m, re + 2 * m, re + 3 * m, im, im + m, im + 2 * m,
                     im + 3 * m, m, root_of(fft, v), root_of(fft, 2 * v));
    for (size_t i = 0; m > 1 && i < 4; i++)
        forward_node(fft, re + i * m, im + i * m, m, 4 * v + i);
}

static void inverse_node(const sc_fft *fft, double *re, double *im, size_t size, size_t v)
{
    const size_t m = size / 4;
    if (size == 2)
        inverse_pair(re, im, root_of(fft, v));
    if (size <= 2)
        return;
    for (size_t i = 0; m > 1 && i < 4; i++)
        inverse_node(fft, re + i * m, im + i * m, m, 4 * v + i);
    inverse_quarters(re, re + m, re + 2 * m, re + 3 * m, im, im + m, im + 2 * m,
                     im + 3 * m, m, root_of(fft, v), root_of(fft, 2 * v));
}

/* Work for a butterfly and for a product (base/work_limit.h). */
#define PAIR_WORK 1
#define PRODUCT_WORK 2

void sc_fft_forward(const sc_fft *fft, double *x)
{
    sc_work_add_each(fft->half, (uint64_t)fft->levels * PAIR_WORK);
    forward_node(fft, x, x + fft->half, fft->half, 1);
}

void sc_fft_inverse(const sc_fft *fft, double *x)
{
    sc_work_add_each(fft->half, (uint64_t)fft->levels * PAIR_WORK);
    const double scale = 1 / (double)fft->half;
    inverse_node(fft, x, x + fft->half, fft->half, 1);
    for (size_t j = 0; j < 2 * fft->half; j++)
        x[j] *= scale;
}

/* Powers. */

static root multiply(root a, root b)
{
    return (root){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static root power(root base, uint64_t count)
{
    uint64_t bit = (uint64_t)1 << (sc_bit_length64(count) - 1);
    root out = base;
    while ((bit >>= 1) != 0) {
        out = multiply(out, out);
        if (count & bit)
            out = multiply(out, base);
    }
    return out;
}

/* The square of a modulus below which the power is below 2^-SC_FFT_CUT, also when it comes out
 * too small by some roundings. */
static double cut_of(uint64_t count)
{
    SC_OWN(sc_ball, x, y);
    sc_ball_set_int128(&y, (sc_int128)count);
    sc_ball_set_int64(&x, 2);
    sc_ball_log(&x, &x, BITS);
    sc_ball_mul_int64(&x, &x, -2 * (int64_t)SC_FFT_CUT, BITS);
    sc_ball_div(&x, &x, &y, BITS);
    sc_ball_exp(&x, &x, BITS);
    return sc_ball_lower(&x) * (1 - 0x1p-49);
}

void sc_fft_power(const sc_fft *fft, double *x, uint64_t count)
{
    sc_work_add_each(fft->half, (uint64_t)2 * sc_bit_length64(count) * PRODUCT_WORK);
    double *re = x, *im = x + fft->half;
    const double cut = cut_of(count);
    for (size_t j = 0; count > 1 && j < fft->half; j++) {
        root out = {0, 0};
        if (re[j] * re[j] + im[j] * im[j] >= cut)
            out = power((root){re[j], im[j]}, count);
        re[j] = out.re;
        im[j] = out.im;
    }
}

void sc_fft_multiply(const sc_fft *fft, double *restrict x, const double *restrict y)
{
    const size_t half = fft->half;
    for (size_t j = 0; j < half; j++) {
        const double re = x[j], im = x[half + j];
        x[j] = re * y[j] - im * y[half + j];
        x[half + j] = re * y[half + j] + im * y[j];
    }
}

/* Bounds. */

void sc_fft_error(const sc_fft *fft, sc_ball *out)
{
    sc_ball_set_int64(out, 5);
    sc_ball_mul_power2(out, out, -53);
    sc_ball_add_int64(out, out, 1, BITS);
    sc_ball_power(out, out, fft->levels, BITS);
    sc_ball_add_int64(out, out, -1, BITS);
}
