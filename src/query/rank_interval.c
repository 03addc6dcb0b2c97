#include "query/rank_interval.h"

#include "mechanism/selection/quantile_plan.h"
#include "query/real_digits.h"

#include <math.h>

#define ROWS_SHARE 0.1
/* Of what is left to both ends. */
#define END_NUMERATOR 9
#define END_DENOMINATOR 20
/* The rungs of a ladder (ladder.h): as many as are quick, and as there may be. */
#define RUNGS_WANTED 0x1p18
#define RUNGS_MOST 0x1p23
#define PLACES_WANTED 4

/* What the measurement promises at its share of beta, in rows. */
static double certified(const scrim_measurement *ends, const sc_ratio *beta)
{
    scrim_certificate certificate;
    sc_ratio part, share, radius;
    double rows = HUGE_VAL;
    sc_ratio_init(&part);
    sc_ratio_init(&share);
    sc_ratio_init(&radius);
    sc_ratio_set_int64(&part, END_NUMERATOR);
    sc_ratio_set_int64(&share, END_DENOMINATOR);
    sc_ratio_div(&share, &part, &share);
    sc_ratio_mul(&share, &share, beta);
    if (ends->mechanism->certify(ends, &share, 0, &certificate, NULL) == SCRIM_OK &&
        certificate.form == SCRIM_CERTIFICATE_PAC &&
        sc_ratio_parse(sc_text_of(certificate.radius), &radius, NULL) == SCRIM_OK)
        rows = sc_real_upper(&radius);
    sc_ratio_clear(&radius);
    sc_ratio_clear(&share);
    sc_ratio_clear(&part);
    return rows;
}

static double larger_side(double p)
{
    return fmax(p, 1 - p);
}

/* Of the planned quantiles the largest max(p, 1-p), which the certified radius belongs to. */
static double largest_side(const sc_rank_setting *s)
{
    double largest = 0.5;
    for (size_t i = 0; i < s->count; i++)
        largest = fmax(largest, larger_side(sc_real_upper(&s->ps[i])));
    return largest;
}

/* Each ladder has about denominator (2 rows parts releases / epsilon) ln(2^14 quantiles cells)
 * rungs. */
static unsigned places_of(const scrim_measurement *ends)
{
    const sc_quantile_plan *plan = ends->state;
    const double rows = (double)sc_measurement_integer(ends, "max-rows", 1);
    const double times = (double)plan->releases * (double)plan->parts;
    const double epsilon = sc_real_upper(sc_measurement_get(ends, "epsilon"));
    const double rungs = 2 * rows * times / epsilon *
                         log(0x1p14 * (double)plan->count * (double)plan->cells);
    unsigned places = SC_RANK_PLACES;
    while (places > PLACES_WANTED && ldexp(rungs, (int)places) > RUNGS_WANTED)
        places--;
    while (places > 0 && ldexp(rungs, (int)places) > RUNGS_MOST)
        places--;
    return places;
}

void sc_rank_setting_init(sc_rank_setting *out, const scrim_measurement *rows,
                          const scrim_measurement *ends, const sc_ratio *beta)
{
    const sc_quantile_plan *plan = ends->state;
    *out = (sc_rank_setting){.is_even = sc_measurement_neighbours(ends) == SCRIM_REPLACE};
    sc_noise_init(&out->rows, sc_noise_law(rows));
    out->ps = sc_parameters_items(&ends->parameters, "p", &out->count);
    const sc_noise_sum alone = {.terms = {&out->rows}, .weights = {1}, .count = 1};
    /* One side of the noise only: half of the tails. */
    out->rows_radius =
        sc_noise_sum_radius_upper(&alone, 2 * ROWS_SHARE * sc_real_upper(beta));
    out->radius = certified(ends, beta);
    if (plan->is_recursive) /* the root alone has half of that number, at least */
        out->radius *= 2 * (double)plan->releases;
    else if (!out->is_even)
        out->radius /= largest_side(out);
    out->places = places_of(ends);
}

/* Is a rank far enough from p, in a group of at least so many rows? One row more than the proof
 * asks for: rungs are whole numbers. */
static bool is_far(const sc_rank_setting *s, double rows, double p, double rank)
{
    const double m = s->radius * (s->is_even ? 1 : larger_side(rank)) + 1;
    return rows * fabs(p - rank) > m * (1 + 1e-9);
}

/* The nearest rank on the way from p to 0 or 1 that is far enough. Once N is above m, what is
 * wanted grows more slowly than what is there. */
static int64_t nearest_far(const sc_rank_setting *s, double rows, double p, bool is_down)
{
    const int64_t end = (int64_t)1 << s->places;
    int64_t near = (int64_t)ceil(p * (double)end), far = end;
    if (is_down) {
        near = (int64_t)floor(p * (double)end);
        far = 0;
    }
    while (far - near > 1 || near - far > 1) {
        const int64_t middle = near + (far - near) / 2;
        if (is_far(s, rows, p, (double)middle / (double)end))
            far = middle;
        else
            near = middle;
    }
    return is_far(s, rows, p, (double)near / (double)end) ? near : far;
}

bool sc_rank_below(const sc_rank_setting *s, double rows, size_t index, int64_t *out)
{
    const double least = rows - s->rows_radius;
    int64_t rank = (int64_t)1 << s->places;
    for (size_t i = s->count; least > s->radius && i-- > index;) {
        const int64_t own = nearest_far(s, least, sc_real_upper(&s->ps[i]), true);
        rank = own < rank - 1 ? own : rank - 1; /* below that of the next */
    }
    *out = rank;
    return least > s->radius && rank > 0;
}

bool sc_rank_above(const sc_rank_setting *s, double rows, size_t index, int64_t *out)
{
    const double least = rows - s->rows_radius;
    const int64_t end = (int64_t)1 << s->places;
    int64_t rank = 0;
    for (size_t i = 0; least > s->radius && i <= index; i++) {
        const int64_t own = nearest_far(s, least, sc_real_upper(&s->ps[i]), false);
        rank = own > rank + 1 ? own : rank + 1;
    }
    *out = rank;
    return least > s->radius && rank < end;
}

double sc_rank_distance(const sc_rank_setting *s, double rows, double p)
{
    const double least = rows - s->rows_radius;
    if (least <= s->radius)
        return 1;
    const double m = s->radius * (s->is_even ? 1 : larger_side(p)) + 1;
    return fmin(1, m / least + ldexp(0.5, -(int)s->places));
}
