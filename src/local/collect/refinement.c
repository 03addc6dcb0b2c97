#include "local/collect/refinement.h"

#include "base/hash.h"
#include "base/memory.h"
#include "local/collect/likely_counts.h"
#include "local/collect/simplex_counts.h"

#include <math.h>
#include <string.h>

#define UPDATES 200
#define SIMULATED 32
#define SIMULATED_EM 8

typedef struct refiner {
    const sc_sums *sums;
    const sc_decoding *decoding;
    sc_likely *likely; /* NULL: simplex */
    unsigned updates;
    bool smooth;
    double *histogram; /* of a simulated collection */
    double *counts;    /* that it is refined to */
    uint64_t drawn;
} refiner;

/* A standard normal number: public and the same every time, for a simulation. */
static double normal(refiner *r)
{
    static const sc_hash_key key = {1, 2};
    const uint64_t places[2] = {2 * r->drawn, 2 * r->drawn + 1};
    r->drawn++;
    const double u = ((double)(sc_hash(&key, &places[0], sizeof places[0]) >> 11) + 0.5) *
                     0x1p-53,
                 v = (double)(sc_hash(&key, &places[1], sizeof places[1]) >> 11) *
                     0x1p-53;
    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static scrim_status refine_simplex(refiner *r, double *counts, scrim_error *error)
{
    return sc_simplex_counts(counts, r->decoding->values, (double)r->decoding->reports,
                             error);
}

static scrim_status refine(refiner *r, double *counts, scrim_error *error)
{
    if (r->likely != NULL)
        return sc_likely_update(r->likely, r->histogram, r->updates, r->smooth, counts,
                                error);
    for (size_t v = 0; v < r->decoding->values; v++)
        counts[v] = sc_decoding_estimate(r->decoding, v);
    return refine_simplex(r, counts, error);
}

/* A collection of as many reports if truth is how many devices hold each value. */
static scrim_status simulate(refiner *r, const double *truth, scrim_error *error)
{
    if (r->likely == NULL) {
        for (size_t v = 0; v < r->decoding->values; v++)
            r->counts[v] = truth[v] + normal(r) * sqrt(sc_decoding_variance(r->decoding,
                                                                            v, truth[v]));
        return refine_simplex(r, r->counts, error);
    }
    const scrim_status status = sc_likely_expect(r->likely, truth, r->histogram, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t y = 0; y < sc_likely_cells(r->likely); y++) {
        const double mean = r->histogram[y];
        r->histogram[y] = fmax(0, mean + normal(r) * sqrt(mean));
    }
    return sc_likely_update(r->likely, r->histogram, r->updates, r->smooth, r->counts,
                            error);
}

/* em leaves a little everywhere: less than half a device is none. */
static bool is_none(double count)
{
    return count < 0.5;
}

static scrim_status measure_bias(refiner *r, sc_refinement *out, scrim_error *error)
{
    const size_t values = r->decoding->values;
    double zeros = 0, others = 0;
    scrim_status status = SCRIM_OK;
    out->simulated = r->likely == NULL ? SIMULATED : SIMULATED_EM;
    out->zeros = 0;
    for (size_t v = 0; v < values; v++)
        out->zeros += is_none(out->counts[v]);
    for (unsigned i = 0; status == SCRIM_OK && i < out->simulated; i++) {
        status = simulate(r, out->counts, error);
        for (size_t v = 0; v < values; v++)
            *(is_none(out->counts[v]) ? &zeros : &others) +=
                r->counts[v] - out->counts[v];
    }
    const double runs = out->simulated;
    out->bias_of_zeros = out->zeros == 0 ? 0 : zeros / runs / (double)out->zeros;
    out->bias_of_others =
        out->zeros == values ? 0 : others / runs / (double)(values - out->zeros);
    return status;
}

static scrim_status set_method(const char *name, unsigned updates, refiner *r,
                               scrim_error *error)
{
    if (strcmp(name, "simplex") == 0 || strcmp(name, "norm-sub") == 0)
        return SCRIM_OK;
    r->smooth = strcmp(name, "em-smooth") == 0;
    if (!r->smooth && strcmp(name, "em") != 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "post",
                                 "unknown %.40s; use simplex, norm-sub, em or em-smooth",
                                 name);
    if (r->smooth && r->sums->config.protocol != SCRIM_LOCAL_SQUARE_WAVE)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "post",
                           "em-smooth is for square-wave");
    r->updates = updates == 0 ? UPDATES : updates;
    return sc_likely_new(&r->sums->config, &r->likely, error);
}

static scrim_status make_room(refiner *r, sc_refinement *out, scrim_error *error)
{
    const size_t cells = r->likely == NULL ? 1 : sc_likely_cells(r->likely);
    out->counts = sc_allocate(r->decoding->values, sizeof *out->counts);
    r->counts = sc_allocate(r->decoding->values, sizeof *r->counts);
    r->histogram = sc_allocate(cells, sizeof *r->histogram);
    if (out->counts == NULL || r->counts == NULL || r->histogram == NULL)
        return sc_no_memory(error, "decoding");
    for (size_t y = 0; r->likely != NULL && y < cells; y++)
        r->histogram[y] = (double)r->sums->counts[y];
    return SCRIM_OK;
}

scrim_status sc_refine(const char *name, unsigned updates, const sc_sums *sums,
                       const sc_decoding *decoding, sc_refinement *out,
                       scrim_error *error)
{
    refiner r = {.sums = sums, .decoding = decoding};
    *out = (sc_refinement){0};
    if (decoding->hits == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "post",
                           "this protocol estimates a mean alone");
    scrim_status status = set_method(name, updates, &r, error);
    if (status == SCRIM_OK)
        status = make_room(&r, out, error);
    if (status == SCRIM_OK)
        status = refine(&r, out->counts, error);
    if (status == SCRIM_OK)
        status = measure_bias(&r, out, error);
    out->updates = r.updates;
    sc_free(r.histogram);
    sc_free(r.counts);
    sc_likely_free(r.likely);
    if (status != SCRIM_OK)
        sc_refinement_clear(out);
    return status;
}

void sc_refinement_clear(sc_refinement *refinement)
{
    sc_free(refinement->counts);
    *refinement = (sc_refinement){0};
}
