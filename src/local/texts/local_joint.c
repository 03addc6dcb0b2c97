#include "local/texts/local_joint.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "local/device/device_hash.h"
#include "local/texts/positive_fit.h"
#include "mechanism/local/protocol.h"
#include "scrim/local_joint.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_bitmap(const scrim_local_config *config)
{
    switch (config->protocol) {
    case SCRIM_LOCAL_SYMMETRIC_UNARY:
    case SCRIM_LOCAL_OPTIMISED_UNARY:
    case SCRIM_LOCAL_REPEATED_UNARY:
    case SCRIM_LOCAL_RAPPOR:
        return true;
    default:
        return false;
    }
}

/* How likely a report is for each value of its device, up to a factor that is the same for all values. */
typedef struct report_likelihood {
    const scrim_local_variable *variable;
    size_t bytes;      /* of a report */
    double set, unset; /* factors of a value whose bit is 1, 0 in the report */
} report_likelihood;

/* Bits of a bitmap are independent given the value; the others have one draw of weight a or b. */
static void find_factors(report_likelihood *out)
{
    const scrim_local_config *config = out->variable->config;
    SC_OWN(sc_ratio, p, q);
    out->set = config->a;
    out->unset = config->b;
    if (is_bitmap(config) && sc_protocol_support(config, &p, &q)) {
        const double own = sc_ball_near(&p), other = sc_ball_near(&q);
        out->set = own / other;
        out->unset = (1 - own) / (1 - other);
    }
}

static size_t values_of(const scrim_local_variable *variable)
{
    const scrim_local_config *config = variable->config;
    return config->hashes > 0 ? variable->values : config->values;
}

/* SCRIM_E_PARAM: the protocol has no such form, or the number of values is not its own. */
static scrim_status report_likelihood_init(report_likelihood *out,
                                           const scrim_local_variable *variable,
                                           const char *name, scrim_error *error)
{
    const scrim_local_config *config = variable->config;
    *out = (report_likelihood){.variable = variable};
    if (!is_bitmap(config) && config->protocol != SCRIM_LOCAL_RESPONSE &&
        config->protocol != SCRIM_LOCAL_SUBSET)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, name,
                           "a joint table needs reports of randomised-response, "
                           "subset-selection, a unary protocol or rappor");
    if (variable->values != values_of(variable) || variable->values == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, name,
                           "a joint table needs all values of its variables");
    out->bytes = scrim_local_report_bytes(config);
    find_factors(out);
    return SCRIM_OK;
}

static double bit_factor(const report_likelihood *likelihood, const uint8_t *bitmap,
                         size_t bit)
{
    return bitmap[bit / 8] >> (bit % 8) & 1 ? likelihood->set : likelihood->unset;
}

/* Two hashes that meet in one bit count once. */
static double text_factor(const report_likelihood *likelihood, const uint8_t *bitmap,
                          uint32_t cohort, const uint8_t *text)
{
    const scrim_local_config *config = likelihood->variable->config;
    const sl_divisor bits = sl_divisor_of(config->bits);
    uint32_t places[16];
    double product = 1;
    for (uint32_t i = 0; i < config->hashes && i < 16; i++) {
        bool is_new = true;
        places[i] = sl_bloom_place(bits, cohort, i, text, config->text);
        for (uint32_t j = 0; j < i; j++)
            is_new &= places[j] != places[i];
        product *= is_new ? bit_factor(likelihood, bitmap, places[i]) : 1;
    }
    return product;
}

static uint32_t take_number(const uint8_t **at, uint32_t count)
{
    uint32_t number = 0;
    const uint32_t bytes = sl_bytes_below(count);
    for (uint32_t i = 0; i < bytes; i++)
        number |= (uint32_t)(*at)[i] << (8 * i);
    *at += bytes;
    return number;
}

/* out: one a value. */
static void report_likelihood_fill(const report_likelihood *likelihood,
                                   const uint8_t *report, double *out)
{
    const scrim_local_variable *variable = likelihood->variable;
    const scrim_local_config *config = variable->config;
    const bool is_response = config->protocol == SCRIM_LOCAL_RESPONSE;
    const uint32_t value = is_response ? take_number(&report, config->values) : 0;
    const uint32_t cohort =
        config->cohorts > 1 ? take_number(&report, config->cohorts) : 0;
    for (size_t v = 0; v < variable->values; v++) {
        if (is_response)
            out[v] = v == value ? likelihood->set : likelihood->unset;
        else if (config->hashes > 0)
            out[v] = text_factor(likelihood, report, cohort,
                                 variable->texts + v * config->text);
        else if (config->bits == 1) /* yes or no: value 1 sets the bit, 0 none */
            out[v] = v == 1 ? bit_factor(likelihood, report, 0) : 1;
        else
            out[v] = bit_factor(likelihood, report, v);
    }
}

#define PASSES 3000
/* The fit ends when a pass moves no cell by STILL standard deviations of a count of all devices. */
#define STILL 1e-4
/* A cell of fewer devices counts as empty. */
#define EMPTY 1e-3

typedef struct joint_fit {
    const sc_joint_pairs *pairs;
    size_t cells;
} joint_fit;

/* The probability of a pair, up to its factor. */
static double mix(const joint_fit *fit, size_t pair, const double *law)
{
    const sc_joint_pairs *pairs = fit->pairs;
    const double *u = pairs->first + pair * pairs->rows;
    const double *v = pairs->second + pair * pairs->columns;
    double all = 0;
    for (size_t a = 0; a < pairs->rows; a++, law += pairs->columns) {
        double sum = 0;
        for (size_t b = 0; b < pairs->columns; b++)
            sum += law[b] * v[b];
        all += u[a] * sum;
    }
    return all;
}

/* One step of EM; the logarithm of the likelihood before it. to may not be from. */
static double step(const joint_fit *fit, const double *from, double *to)
{
    const sc_joint_pairs *pairs = fit->pairs;
    double likelihood = 0;
    memset(to, 0, fit->cells * sizeof *to);
    for (size_t i = 0; i < pairs->count; i++) {
        const double *u = pairs->first + i * pairs->rows;
        const double *v = pairs->second + i * pairs->columns;
        const double all = mix(fit, i, from), weight = (double)pairs->weights[i];
        likelihood += weight * log(all);
        for (size_t a = 0; a < pairs->rows; a++) {
            const double part = weight / all * u[a];
            double *row = to + a * pairs->columns;
            for (size_t b = 0; b < pairs->columns; b++)
                row[b] += part * v[b];
        }
    }
    for (size_t c = 0; c < fit->cells; c++)
        to[c] *= from[c] / pairs->devices;
    return likelihood;
}

/* From three laws that follow each other, where they lead to: into the first. Negative cells become a part of
 * what they were. */
static void extrapolate(size_t cells, double *first, const double *second,
                        const double *third)
{
    double moved = 0, bent = 0, all = 0;
    for (size_t c = 0; c < cells; c++) {
        const double r = second[c] - first[c], v = third[c] - second[c] - r;
        moved += r * r;
        bent += v * v;
    }
    const double length = bent > 0 ? fmax(1, sqrt(moved / bent)) : 1;
    for (size_t c = 0; c < cells; c++) {
        const double r = second[c] - first[c], v = third[c] - second[c] - r;
        const double aim = first[c] + 2 * length * r + length * length * v;
        first[c] = fmax(aim, third[c] / 16);
        all += first[c];
    }
    for (size_t c = 0; c < cells; c++)
        first[c] /= all;
}

static double largest_move(const joint_fit *fit, const double *a, const double *b)
{
    double largest = 0;
    for (size_t c = 0; c < fit->cells; c++)
        largest = fmax(largest, fabs(a[c] - b[c]));
    return largest * sqrt(fit->pairs->devices);
}

/* Two steps, then a leap; if the leap has lost likelihood, the third law is taken instead. */
static unsigned climb(const joint_fit *fit, double *law, double *second, double *third)
{
    unsigned passes = 0;
    double *spare = third + fit->cells;
    (void)step(fit, law, second);
    while (passes < PASSES && largest_move(fit, law, second) > STILL) {
        const double before = step(fit, second, third);
        memcpy(spare, third, fit->cells * sizeof *spare);
        extrapolate(fit->cells, law, second, third);
        const double after = step(fit, law, second);
        passes += 2;
        if (!(after >= before)) {
            memcpy(law, spare, fit->cells * sizeof *law);
            (void)step(fit, law, second);
            passes++;
        }
    }
    memcpy(law, second, fit->cells * sizeof *law);
    return passes + 1;
}

scrim_status sc_joint_law_fit(const sc_joint_pairs *pairs, double *law, unsigned *passes,
                              scrim_error *error)
{
    const joint_fit fit = {.pairs = pairs, .cells = pairs->rows * pairs->columns};
    double *room = sc_allocate(3 * fit.cells, sizeof *room);
    if (room == NULL)
        return sc_no_memory(error, "a joint table");
    for (size_t c = 0; c < fit.cells; c++)
        law[c] = 1 / (double)fit.cells;
    *passes = pairs->count == 0 ? 0 : climb(&fit, law, room, room + fit.cells);
    sc_free(room);
    return SCRIM_OK;
}

/* The positive cells, and how many. */
static size_t list_positive(const sc_joint_pairs *pairs, const double *law, size_t *cells)
{
    size_t count = 0;
    for (size_t c = 0; c < pairs->rows * pairs->columns; c++)
        if (law[c] * pairs->devices > EMPTY)
            cells[count++] = c;
    return count;
}

/* The lower half of the sum over devices of the products of gradients. */
static void fill_information(const joint_fit *fit, const double *law, const size_t *cells,
                             size_t count, double *gradient, double *matrix)
{
    const sc_joint_pairs *pairs = fit->pairs;
    for (size_t i = 0; i < pairs->count && pairs->columns > 0; i++) {
        const double *u = pairs->first + i * pairs->rows;
        const double *v = pairs->second + i * pairs->columns;
        const double all = mix(fit, i, law), weight = (double)pairs->weights[i];
        for (size_t c = 0; c < count; c++)
            gradient[c] =
                u[cells[c] / pairs->columns] * v[cells[c] % pairs->columns] / all;
        for (size_t c = 0; c < count; c++)
            for (size_t d = 0; d <= c; d++)
                matrix[c * count + d] += weight * gradient[c] * gradient[d];
    }
}

/* The inverse is the covariance of devices that are drawn from a law; of these devices the part of that draw,
 * n law, is no error. */
static void fill_errors(double n, const double *law, const size_t *cells, size_t count,
                        const double *inverse, double *errors)
{
    for (size_t i = 0; i < count; i++) {
        const double variance = n * n * inverse[i * count + i] - n * law[cells[i]];
        errors[cells[i]] = sqrt(fmax(0, variance));
    }
}

scrim_status sc_joint_law_errors(const sc_joint_pairs *pairs, const double *law,
                                 double *errors, scrim_error *error)
{
    const joint_fit fit = {.pairs = pairs, .cells = pairs->rows * pairs->columns};
    size_t *cells = sc_allocate(fit.cells, sizeof *cells);
    double *gradient = sc_allocate(fit.cells, sizeof *gradient);
    double *matrix = sc_allocate(fit.cells * fit.cells, sizeof *matrix);
    double *inverse = sc_allocate(fit.cells * fit.cells, sizeof *inverse);
    scrim_status status = SCRIM_OK;
    for (size_t c = 0; c < fit.cells; c++)
        errors[c] = (double)NAN;
    if (cells == NULL || gradient == NULL || matrix == NULL || inverse == NULL)
        status = sc_no_memory(error, "a joint table");
    if (status == SCRIM_OK) {
        const size_t count = list_positive(pairs, law, cells);
        fill_information(&fit, law, cells, count, gradient, matrix);
        if (sc_cholesky(matrix, count) == count) {
            sc_cholesky_inverse(matrix, count, inverse);
            fill_errors(pairs->devices, law, cells, count, inverse, errors);
        }
    }
    sc_free(cells);
    sc_free(gradient);
    sc_free(matrix);
    sc_free(inverse);
    return status;
}

/* Pairs of reports, of which equal ones are counted together. */
typedef struct joint_pairs {
    report_likelihood first, second;
    size_t bytes;    /* of a pair */
    uint8_t *sorted; /* the pairs, each behind its length, in order */
    double *u, *v;
    uint64_t *weights;
} joint_pairs;

/* A record is the length of a pair in 8 bytes, then the pair: qsort has no context. */
static int compare(const void *a, const void *b)
{
    uint64_t bytes = 0;
    memcpy(&bytes, a, sizeof bytes);
    return memcmp((const uint8_t *)a + sizeof bytes, (const uint8_t *)b + sizeof bytes,
                  (size_t)bytes);
}

static void sort_pairs(joint_pairs *pairs, const uint8_t *reports, size_t count)
{
    const uint64_t bytes = pairs->bytes;
    const size_t stride = sizeof bytes + pairs->bytes;
    for (size_t i = 0; i < count; i++) {
        memcpy(pairs->sorted + i * stride, &bytes, sizeof bytes);
        memcpy(pairs->sorted + i * stride + sizeof bytes, reports + i * bytes,
               pairs->bytes);
    }
    qsort(pairs->sorted, count, stride, compare);
}

/* Weights of those that differ, which move to the front; how many there are. */
static size_t count_pairs(joint_pairs *pairs, size_t count)
{
    const size_t stride = sizeof(uint64_t) + pairs->bytes;
    size_t kinds = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t *record = pairs->sorted + i * stride;
        if (kinds == 0 || compare(record, pairs->sorted + (kinds - 1) * stride) != 0)
            memmove(pairs->sorted + kinds++ * stride, record, stride);
        pairs->weights[kinds - 1]++;
    }
    return kinds;
}

static void fill_likelihoods(joint_pairs *pairs, size_t kinds)
{
    const size_t rows = pairs->first.variable->values;
    const size_t columns = pairs->second.variable->values;
    const uint8_t *pair = pairs->sorted + sizeof(uint64_t);
    for (size_t i = 0; i < kinds; i++, pair += sizeof(uint64_t) + pairs->bytes) {
        report_likelihood_fill(&pairs->first, pair, pairs->u + i * rows);
        report_likelihood_fill(&pairs->second, pair + pairs->first.bytes,
                               pairs->v + i * columns);
    }
}

static scrim_status fit(joint_pairs *pairs, size_t count, double *counts, double *errors,
                        unsigned *passes, scrim_error *error)
{
    sc_joint_pairs joint = {.rows = pairs->first.variable->values,
                            .columns = pairs->second.variable->values,
                            .weights = pairs->weights,
                            .devices = (double)count};
    joint.count = count_pairs(pairs, count);
    pairs->u = sc_allocate(joint.count, joint.rows * sizeof *pairs->u);
    pairs->v = sc_allocate(joint.count, joint.columns * sizeof *pairs->v);
    if (pairs->u == NULL || pairs->v == NULL)
        return sc_no_memory(error, "a joint table");
    fill_likelihoods(pairs, joint.count);
    joint.first = pairs->u;
    joint.second = pairs->v;
    scrim_status status = sc_joint_law_fit(&joint, counts, passes, error);
    if (status == SCRIM_OK)
        status = sc_joint_law_errors(&joint, counts, errors, error);
    for (size_t c = 0; c < joint.rows * joint.columns && status == SCRIM_OK; c++)
        counts[c] *= joint.devices;
    return status;
}

static scrim_status check(joint_pairs *pairs, const scrim_local_variable variables[2],
                          size_t count, scrim_error *error)
{
    scrim_status status =
        report_likelihood_init(&pairs->first, &variables[0], "first", error);
    if (status == SCRIM_OK)
        status = report_likelihood_init(&pairs->second, &variables[1], "second", error);
    if (status != SCRIM_OK)
        return status;
    if (variables[0].values > SCRIM_LOCAL_JOINT_CELLS / variables[1].values)
        return sc_fail(error, SCRIM_E_LIMIT, "a joint table has at most %d cells",
                       SCRIM_LOCAL_JOINT_CELLS);
    if (count == 0)
        return sc_fail(error, SCRIM_E_STATE, "there is no report to decode");
    pairs->bytes = pairs->first.bytes + pairs->second.bytes;
    pairs->sorted = sc_allocate(count, sizeof(uint64_t) + pairs->bytes);
    pairs->weights = sc_allocate(count, sizeof *pairs->weights);
    return pairs->sorted == NULL || pairs->weights == NULL
               ? sc_no_memory(error, "a joint table")
               : SCRIM_OK;
}

scrim_status scrim_local_joint_decode(const scrim_local_variable variables[2],
                                      const uint8_t *reports, size_t count,
                                      double *counts, double *errors, unsigned *passes,
                                      scrim_error *error)
{
    joint_pairs pairs = {.sorted = NULL};
    scrim_status status = check(&pairs, variables, count, error);
    if (status == SCRIM_OK) {
        sort_pairs(&pairs, reports, count);
        status = fit(&pairs, count, counts, errors, passes, error);
    }
    sc_free(pairs.sorted);
    sc_free(pairs.weights);
    sc_free(pairs.u);
    sc_free(pairs.v);
    return status;
}
