#include "local/collect/refinement.h"

#include "base/hash.h"
#include "base/memory.h"
#include "local/collect/support_counts.h"
#include "mechanism/local/protocol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int larger_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

scrim_status sc_simplex_counts(double *counts, size_t count, double total,
                               scrim_error *error)
{
    double *sorted = sc_allocate(count, sizeof *sorted), sum = 0, shift = 0;
    if (sorted == NULL)
        return sc_no_memory(error, "decoding");
    memcpy(sorted, counts, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, larger_first);
    for (size_t i = 0; i < count; i++) {
        sum += sorted[i];
        const double candidate = (sum - total) / (double)(i + 1);
        if (sorted[i] <= candidate)
            break;
        shift = candidate;
    }
    for (size_t i = 0; i < count; i++)
        counts[i] = fmax(0, counts[i] - shift);
    sc_free(sorted);
    return SCRIM_OK;
}

struct sc_likely {
    scrim_local_config config;
    size_t values, cells;
    double near, far; /* A/W and B/W */
    /* Replaces masses of values by their sums over the x with y in S_x, and back; both have cells places. */
    scrim_status (*forth)(const sc_likely *, double *masses, scrim_error *);
    scrim_status (*back)(const sc_likely *, double *masses, scrim_error *);
    double *weights, *scratch; /* cells of them */
    double *law;               /* [value][report]; of condensed-exponential, else NULL */
};

static scrim_status stay(const sc_likely *likely, double *masses, scrim_error *error)
{
    (void)likely;
    (void)masses;
    (void)error;
    return SCRIM_OK;
}

static scrim_status along_planes(const sc_likely *likely, double *masses,
                                 scrim_error *error)
{
    return sc_projective_support(masses, likely->config.field, likely->config.digits,
                                 error);
}

/* Even parities: (sum + transform)/2, in every block. */
static void halve_blocks(const sc_likely *likely, double *masses)
{
    const size_t order = likely->config.order;
    for (double *block = masses; block < masses + likely->cells; block += order) {
        sc_walsh_hadamard(block, order);
        const double sum = block[0];
        for (size_t i = 0; i < order; i++)
            block[i] = (sum + block[i]) / 2;
    }
}

/* Value (order - 1) j + i is the row i + 1 of block j. */
static scrim_status to_rows(const sc_likely *likely, double *masses, scrim_error *error)
{
    (void)error;
    const size_t order = likely->config.order;
    for (size_t j = likely->config.blocks; j-- > 0;) {
        memmove(masses + j * order + 1, masses + j * (order - 1),
                (order - 1) * sizeof *masses);
        masses[j * order] = 0;
    }
    halve_blocks(likely, masses);
    return SCRIM_OK;
}

static scrim_status from_rows(const sc_likely *likely, double *masses, scrim_error *error)
{
    (void)error;
    const size_t order = likely->config.order;
    halve_blocks(likely, masses);
    for (size_t j = 0; j < likely->config.blocks; j++)
        memmove(masses + j * (order - 1), masses + j * order + 1,
                (order - 1) * sizeof *masses);
    return SCRIM_OK;
}

/* From values to seeds and cells: cell y of seed a has the values with <a, x> = y, which are found as the turn
 * -y of a. */
static scrim_status to_cells(const sc_likely *likely, double *masses, scrim_error *error)
{
    const uint32_t g = likely->config.field;
    const size_t seeds = likely->cells / g;
    for (size_t x = seeds; x-- > 0;) {
        const double mass = x < likely->values ? masses[x] : 0;
        memset(masses + x * g, 0, g * sizeof *masses);
        masses[x * g] = mass;
    }
    const scrim_status status =
        sc_hashing_turned(masses, g, likely->config.digits, error);
    for (size_t a = 0; status == SCRIM_OK && a < seeds; a++)
        for (uint32_t y = 1; y < g - y; y++) {
            const double turned = masses[a * g + y];
            masses[a * g + y] = masses[a * g + g - y];
            masses[a * g + g - y] = turned;
        }
    return status;
}

static scrim_status from_cells(const sc_likely *likely, double *masses,
                               scrim_error *error)
{
    return sc_hashing_support(masses, likely->config.field, likely->config.digits, error);
}

/* Windows of 2w + 1 values that end at z, and of reports that begin at x. */
static scrim_status into_windows(const sc_likely *likely, double *masses,
                                 scrim_error *error)
{
    (void)error;
    const size_t span = 2 * (size_t)likely->config.width + 1;
    double window = 0;
    for (size_t z = 0; z < likely->cells; z++) {
        window += z < likely->values ? masses[z] : 0;
        window -= z >= span ? masses[z - span] : 0;
        likely->scratch[z] = window;
    }
    memcpy(masses, likely->scratch, likely->cells * sizeof *masses);
    return SCRIM_OK;
}

static scrim_status from_windows(const sc_likely *likely, double *masses,
                                 scrim_error *error)
{
    (void)error;
    const size_t span = 2 * (size_t)likely->config.width + 1;
    double window = 0;
    for (size_t z = 0; z < span; z++)
        window += masses[z];
    for (size_t x = 0; x < likely->values; x++) {
        const double first = masses[x];
        masses[x] = window;
        window += (x + span < likely->cells ? masses[x + span] : 0) - first;
    }
    return SCRIM_OK;
}

/* By the whole law, for which near is 1 and far is 0. */
static scrim_status by_law(const sc_likely *likely, double *masses, scrim_error *error)
{
    const size_t k = likely->values;
    (void)error;
    for (size_t z = 0; z < k; z++)
        likely->scratch[z] = 0;
    for (size_t x = 0; x < k; x++)
        for (size_t z = 0; z < k; z++)
            likely->scratch[z] += masses[x] * likely->law[x * k + z];
    memcpy(masses, likely->scratch, k * sizeof *masses);
    return SCRIM_OK;
}

static scrim_status against_law(const sc_likely *likely, double *masses,
                                scrim_error *error)
{
    const size_t k = likely->values;
    (void)error;
    for (size_t x = 0; x < k; x++) {
        likely->scratch[x] = 0;
        for (size_t z = 0; z < k; z++)
            likely->scratch[x] += masses[z] * likely->law[x * k + z];
    }
    memcpy(masses, likely->scratch, k * sizeof *masses);
    return SCRIM_OK;
}

/* How the protocol goes forth and back, and how many outputs S_x has. */
static bool set_protocol(sc_likely *likely, double *members)
{
    const scrim_local_config *config = &likely->config;
    *members = 1;
    likely->forth = likely->back = stay;
    switch (config->protocol) {
    case SCRIM_LOCAL_RESPONSE:
        return true;
    case SCRIM_LOCAL_PROJECTIVE:
        likely->forth = likely->back = along_planes;
        *members = sc_projective_points(config->field, config->digits - 1);
        return true;
    case SCRIM_LOCAL_HASHING:
        likely->forth = to_cells;
        likely->back = from_cells;
        *members = sc_protocol_integers_of(config).first;
        return true;
    case SCRIM_LOCAL_HADAMARD:
        likely->forth = to_rows;
        likely->back = from_rows;
        *members = config->order >> 1;
        return true;
    case SCRIM_LOCAL_SQUARE_WAVE:
        likely->forth = into_windows;
        likely->back = from_windows;
        *members = 2 * (double)config->width + 1;
        return true;
    case SCRIM_LOCAL_CONDENSED:
        likely->forth = by_law;
        likely->back = against_law;
        return config->metric == 0 && config->values <= SC_CONDENSED_VALUES;
    default:
        return false;
    }
}

void sc_likely_free(sc_likely *likely)
{
    if (likely == NULL)
        return;
    sc_free(likely->law);
    sc_free(likely->scratch);
    sc_free(likely->weights);
    sc_free(likely);
}

/* The chances of a report: one of two, or those of the law. */
static scrim_status set_chances(sc_likely *likely, double members, scrim_error *error)
{
    const scrim_local_config *config = &likely->config;
    const double total =
        members * config->a + ((double)likely->cells - members) * config->b;
    likely->near = config->a / total;
    likely->far = config->b / total;
    if (config->protocol != SCRIM_LOCAL_CONDENSED)
        return SCRIM_OK;
    likely->near = 1;
    likely->far = 0;
    likely->law = sc_allocate(likely->values * likely->values, sizeof *likely->law);
    if (likely->law == NULL)
        return sc_no_memory(error, "decoding");
    sc_condensed_law(config, likely->law);
    return SCRIM_OK;
}

scrim_status sc_likely_new(const scrim_local_config *config, sc_likely **out,
                           scrim_error *error)
{
    double members = 0;
    sc_likely *likely = sc_allocate(1, sizeof *likely);
    if (likely == NULL)
        return sc_no_memory(error, "decoding");
    likely->config = *config;
    if (!set_protocol(likely, &members)) {
        sc_free(likely);
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "post",
                           "em is for randomised-response, projective-geometry, "
                           "local-hashing, hadamard, square-wave, and "
                           "condensed-exponential of distances of numbers");
    }
    likely->values = config->values;
    likely->cells = config->protocol == SCRIM_LOCAL_CONDENSED
                        ? likely->values
                        : (size_t)sc_protocol_integers_of(config).first *
                              sc_protocol_integers_of(config).second;
    likely->weights = sc_allocate(likely->cells, sizeof *likely->weights);
    likely->scratch = sc_allocate(likely->cells, sizeof *likely->scratch);
    scrim_status status = likely->weights == NULL || likely->scratch == NULL
                              ? sc_no_memory(error, "decoding")
                              : set_chances(likely, members, error);
    if (status != SCRIM_OK) {
        sc_likely_free(likely);
        return status;
    }
    *out = likely;
    return SCRIM_OK;
}

size_t sc_likely_cells(const sc_likely *likely)
{
    return likely->cells;
}

static double sum_of(const double *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i];
    return sum;
}

scrim_status sc_likely_expect(sc_likely *likely, const double *counts, double *expected,
                              scrim_error *error)
{
    const double all = sum_of(counts, likely->values);
    memset(expected, 0, likely->cells * sizeof *expected);
    memcpy(expected, counts, likely->values * sizeof *expected);
    const scrim_status status = likely->forth(likely, expected, error);
    for (size_t y = 0; y < likely->cells; y++)
        expected[y] = likely->far * all + (likely->near - likely->far) * expected[y];
    return status;
}

/* The ends have one neighbour: what would leave stays. */
static void smoothen(double *counts, size_t count, double weight)
{
    double before = counts[0];
    for (size_t i = 0; i < count; i++) {
        const double own = counts[i], after = counts[i + 1 < count ? i + 1 : i];
        counts[i] = before * weight + own * (1 - 2 * weight) + after * weight;
        before = own;
    }
}

static scrim_status update(sc_likely *likely, const double *histogram, double *counts,
                           scrim_error *error)
{
    double *w = likely->weights;
    scrim_status status = sc_likely_expect(likely, counts, w, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t y = 0; y < likely->cells; y++)
        w[y] = histogram[y] / w[y];
    const double all = sum_of(w, likely->cells);
    status = likely->back(likely, w, error);
    for (size_t x = 0; x < likely->values; x++)
        counts[x] *= likely->far * all + (likely->near - likely->far) * w[x];
    return status;
}

scrim_status sc_likely_update(sc_likely *likely, const double *histogram,
                              unsigned updates, double smoothing, double *counts,
                              scrim_error *error)
{
    const double all = sum_of(histogram, likely->cells);
    scrim_status status = SCRIM_OK;
    for (size_t x = 0; x < likely->values; x++)
        counts[x] = all / (double)likely->values;
    for (unsigned i = 0; status == SCRIM_OK && i < updates; i++) {
        status = update(likely, histogram, counts, error);
        if (smoothing > 0)
            smoothen(counts, likely->values, smoothing);
    }
    return status;
}

#define UPDATES 200
#define SIMULATED 32
#define SIMULATED_EM 8

typedef struct refiner {
    const sc_sums *sums;
    const sc_decoding *decoding;
    sc_likely *likely; /* NULL: simplex */
    unsigned updates;
    bool is_smooth;
    double smoothing;  /* the weight of a neighbour */
    double *histogram; /* of a simulated collection */
    double *counts;    /* that it is refined to */
    double *truth;     /* of the simulation */
    double *bias;      /* the sums of the errors of each value */
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

/* How far the reports are from those that the counts let expect. */
static scrim_status chi_square(const refiner *r, const double *counts, double *out,
                               scrim_error *error)
{
    double *expected = sc_allocate(sc_likely_cells(r->likely), sizeof *expected);
    if (expected == NULL)
        return sc_no_memory(error, "decoding");
    const scrim_status status = sc_likely_expect(r->likely, counts, expected, error);
    *out = 0;
    for (size_t y = 0; status == SCRIM_OK && y < sc_likely_cells(r->likely); y++)
        *out += (r->histogram[y] - expected[y]) * (r->histogram[y] - expected[y]) /
                expected[y];
    sc_free(expected);
    return status;
}

#define SMOOTHING_MOST 0.25
#define SMOOTHING_LEAST 0x1p-10

/* The strongest smoothing that the reports allow; the counts of em become the truth of the simulation. */
static scrim_status refine_smooth(refiner *r, double *counts, scrim_error *error)
{
    const double freedom = (double)sc_likely_cells(r->likely) - 1;
    double plain = 0, smooth = 0;
    SC_TRY(sc_likely_update(r->likely, r->histogram, r->updates, 0, r->truth, error));
    SC_TRY(chi_square(r, r->truth, &plain, error));
    for (r->smoothing = SMOOTHING_MOST;; r->smoothing /= 2) {
        SC_TRY(sc_likely_update(r->likely, r->histogram, r->updates, r->smoothing, counts,
                                error));
        SC_TRY(chi_square(r, counts, &smooth, error));
        if (smooth <= plain + sqrt(2 * freedom) || r->smoothing <= SMOOTHING_LEAST)
            return SCRIM_OK;
    }
}

static scrim_status refine(refiner *r, double *counts, scrim_error *error)
{
    if (r->likely != NULL)
        return r->is_smooth ? refine_smooth(r, counts, error)
                            : sc_likely_update(r->likely, r->histogram, r->updates, 0,
                                               counts, error);
    for (size_t v = 0; v < r->decoding->values; v++)
        counts[v] = sc_decoding_estimate(r->decoding, v);
    return refine_simplex(r, counts, error);
}

/* Independent numbers of each output, brought to as many reports as there are: else all values together would seem
 * biased by the sum that happened to be drawn. */
static void draw_reports(refiner *r)
{
    const size_t cells = sc_likely_cells(r->likely);
    double before = 0, after = 0;
    for (size_t y = 0; y < cells; y++) {
        const double mean = r->histogram[y];
        r->histogram[y] = fmax(0, mean + normal(r) * sqrt(mean));
        before += mean;
        after += r->histogram[y];
    }
    for (size_t y = 0; y < cells && after > 0; y++)
        r->histogram[y] *= before / after;
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
    draw_reports(r);
    return sc_likely_update(r->likely, r->histogram, r->updates, r->smoothing, r->counts,
                            error);
}

/* em leaves a little everywhere, so less than half a device counts as no device. */
static bool is_none(double count)
{
    return count < 0.5;
}

/* The sizes of the errors of all values, and where the largest is. */
static void measure_sizes(const refiner *r, sc_refinement *out)
{
    const size_t values = r->decoding->values;
    for (size_t v = 0; v < values; v++) {
        const double size = fabs(r->bias[v]) / out->simulated;
        out->typical += size / (double)values;
        if (size > out->largest) {
            out->largest = size;
            out->largest_value = v;
        }
    }
}

static scrim_status measure_bias(refiner *r, sc_refinement *out, scrim_error *error)
{
    const size_t values = r->decoding->values;
    double zeros = 0, others = 0;
    scrim_status status = SCRIM_OK;
    out->simulated = r->likely == NULL ? SIMULATED : SIMULATED_EM;
    out->smoothing = r->smoothing;
    for (size_t v = 0; v < values; v++) {
        out->zeros += is_none(out->counts[v]);
        if (!r->is_smooth)
            r->truth[v] = out->counts[v];
    }
    for (unsigned i = 0; status == SCRIM_OK && i < out->simulated; i++) {
        status = simulate(r, r->truth, error);
        for (size_t v = 0; v < values; v++) {
            const double off = r->counts[v] - r->truth[v];
            *(is_none(out->counts[v]) ? &zeros : &others) += off;
            r->bias[v] += off;
        }
    }
    const double runs = out->simulated;
    out->bias_of_zeros = out->zeros == 0 ? 0 : zeros / runs / (double)out->zeros;
    out->bias_of_others =
        out->zeros == values ? 0 : others / runs / (double)(values - out->zeros);
    measure_sizes(r, out);
    return status;
}

static scrim_status set_method(const char *name, unsigned updates, refiner *r,
                               scrim_error *error)
{
    if (strcmp(name, "simplex") == 0 || strcmp(name, "norm-sub") == 0)
        return SCRIM_OK;
    r->is_smooth = strcmp(name, "em-smooth") == 0;
    if (!r->is_smooth && strcmp(name, "em") != 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "post",
                                 "unknown %.40s; use simplex, norm-sub, em or em-smooth",
                                 name);
    if (r->is_smooth && r->sums->config.protocol != SCRIM_LOCAL_SQUARE_WAVE &&
        r->sums->config.protocol != SCRIM_LOCAL_CONDENSED)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "post",
                           "em-smooth is for square-wave and condensed-exponential");
    r->updates = updates == 0 ? UPDATES : updates;
    return sc_likely_new(&r->sums->config, &r->likely, error);
}

static scrim_status make_room(refiner *r, sc_refinement *out, scrim_error *error)
{
    const size_t cells = r->likely == NULL ? 1 : sc_likely_cells(r->likely);
    out->counts = sc_allocate(r->decoding->values, sizeof *out->counts);
    r->counts = sc_allocate(r->decoding->values, sizeof *r->counts);
    r->histogram = sc_allocate(cells, sizeof *r->histogram);
    r->truth = sc_allocate(r->decoding->values, sizeof *r->truth);
    r->bias = sc_allocate(r->decoding->values, sizeof *r->bias);
    if (out->counts == NULL || r->counts == NULL || r->histogram == NULL ||
        r->truth == NULL || r->bias == NULL)
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
    if (decoding->hits == NULL && decoding->solved == NULL)
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
    sc_free(r.bias);
    sc_free(r.truth);
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
