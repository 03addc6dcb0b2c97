/* Statistics of a released histogram, from its answer: see scrim/histogram.h. */
#include "base/memory.h"
#include "ledger/answer.h"
#include "mechanism/histogram/bar_statistics.h"
#include "mechanism/histogram/bucket_histogram.h"
#include "mechanism/histogram/buckets.h"
#include "mechanism/histogram/separator.h"
#include "scrim/histogram.h"

#include <string.h>

struct scrim_histogram {
    sc_buckets buckets;
    sc_bars bars;
};

size_t scrim_measurement_row_size(const scrim_measurement *m)
{
    return m->mechanism->row_width == NULL ? 1 : m->mechanism->row_width(m);
}

/* The buckets again, for a handle that outlives its measurement. */
static void copy_buckets(sc_buckets *out, const sc_buckets *from)
{
    *out = *from;
    sc_ratio_init(&out->lower);
    sc_ratio_init(&out->upper);
    sc_ratio_init(&out->width);
    sc_ratio_init(&out->error);
    sc_ratio_set(&out->lower, &from->lower);
    sc_ratio_set(&out->upper, &from->upper);
    sc_ratio_set(&out->width, &from->width);
    sc_ratio_set(&out->error, &from->error);
}

static scrim_status take_bars(scrim_histogram *h, const scrim_measurement *m,
                              const scrim_answer *answer, scrim_error *error)
{
    sc_bar *bars = sc_allocate(answer->count, sizeof *bars);
    if (bars == NULL)
        return sc_no_memory(error, "a histogram");
    for (size_t i = 0; i < answer->count; i++)
        bars[i] = (sc_bar){answer->places[i], (uint64_t)answer->values[i]};
    const sc_bars_facts facts = {.buckets = &h->buckets, .q = sc_bucket_histogram_q(m)};
    scrim_status status = sc_bars_init(&h->bars, &facts, bars, answer->count, error);
    sc_free(bars);
    return status;
}

scrim_status scrim_histogram_new(const scrim_measurement *m, const scrim_answer *answer,
                                 scrim_histogram **out, scrim_error *error)
{
    SC_REQUIRE(error, "measurement answer out", m, answer, out);
    if (!sc_is_bucket_histogram(m) || answer->places == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "statistics need an answer of bucket-histogram");
    scrim_histogram *h = sc_allocate(1, sizeof *h);
    if (h == NULL)
        return sc_no_memory(error, "a histogram");
    copy_buckets(&h->buckets, sc_bucket_histogram_buckets(m));
    scrim_status status = take_bars(h, m, answer, error);
    if (status == SCRIM_OK)
        *out = h;
    else
        scrim_histogram_free(h);
    return status;
}

void scrim_histogram_free(scrim_histogram *h)
{
    if (h == NULL)
        return;
    sc_bars_clear(&h->bars);
    sc_buckets_clear(&h->buckets);
    sc_free(h);
}

uint64_t scrim_histogram_q(const scrim_histogram *h)
{
    return h->bars.q;
}

uint64_t scrim_histogram_buckets(const scrim_histogram *h)
{
    return h->buckets.count;
}

size_t scrim_histogram_count(const scrim_histogram *h)
{
    return h->bars.count;
}

void scrim_histogram_declare_size(scrim_histogram *h, uint64_t size)
{
    h->bars.has_size = true;
    h->bars.size = size;
    if (size < h->bars.bars_max)
        h->bars.bars_max = size < h->bars.count ? h->bars.count : size;
}

/* Which statistic. */

typedef scrim_status ordered(const sc_bars *bars, sc_exact_finding *out,
                             scrim_error *error);

static scrim_status find_support(const sc_bars *bars, sc_exact_finding *out,
                                 scrim_error *error)
{
    (void)error;
    sc_bars_support(bars, out);
    return SCRIM_OK;
}

static scrim_status find_mode(const sc_bars *bars, sc_exact_finding *out,
                              scrim_error *error)
{
    (void)error;
    sc_bars_mode(bars, out);
    return SCRIM_OK;
}

static scrim_status find_total(const sc_bars *bars, sc_exact_finding *out,
                               scrim_error *error)
{
    (void)error;
    sc_bars_total(bars, out);
    return SCRIM_OK;
}

static scrim_status find_quantile(const sc_bars *bars, sc_text number,
                                  sc_exact_finding *out, scrim_error *error)
{
    SC_OWN(sc_ratio, phi);
    SC_TRY(sc_ratio_parse(number, &phi, error));
    return sc_bars_quantile(bars, &phi, out, error);
}

static scrim_status find_max_k(const sc_bars *bars, sc_text number, sc_exact_finding *out,
                               scrim_error *error)
{
    uint64_t k = 0;
    if (!sc_text_uint64(number, &k))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "max-k",
                                 "must be a whole number above 0");
    return sc_bars_max_k(bars, k, out, error);
}

static scrim_status find(const sc_bars *bars, const char *which, sc_exact_finding *out,
                         scrim_error *error)
{
    static const struct {
        const char *name;
        ordered *find;
    } plain[] = {
        {"max", sc_bars_max},      {"min", sc_bars_min},
        {"range", sc_bars_range},  {"interval", sc_bars_interval},
        {"support", find_support}, {"median", sc_bars_median},
        {"mode", find_mode},       {"total", find_total},
    };
    sc_text name = sc_text_of(which), number = {NULL, 0};
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (sc_text_is(name, plain[i].name))
            return plain[i].find(bars, out, error);
    if (sc_text_split(sc_text_of(which), '=', &name, &number)) {
        if (sc_text_is(name, "quantile"))
            return find_quantile(bars, number, out, error);
        if (sc_text_is(name, "max-k"))
            return find_max_k(bars, number, out, error);
    }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "statistic",
                       "unknown statistic '%s'; use max, min, range, interval, support, "
                       "median, quantile=R, mode, max-k=N and total",
                       sc_text_quote(sc_text_of(which), quote));
}

/* As text. */

static void put_count(sc_uint128 count, char text[SCRIM_NUMBER_BYTES])
{
    _Static_assert(SC_INT128_BYTES <= SCRIM_NUMBER_BYTES, "a count is a number");
    sc_int128_format((sc_int128)count, text); /* below 2^94 */
}

/* Exact: 512 bits above the line and below it take at most 310 digits. */
static void put_exact(const sc_ratio *number, char text[SCRIM_STATISTIC_BYTES])
{
    sc_ratio_format(number, text, SCRIM_STATISTIC_BYTES);
}

/* A centre of several axes has a text of its own. */
static void put_centre(const sc_buckets *b, uint64_t place, sc_text_sink *sink)
{
    char number[SC_RATIO_TEXT_BYTES];
    SC_OWN(sc_ratio, centre);
    for (size_t i = 0; i < b->dimensions; i++) {
        sc_buckets_centre(b, sc_buckets_axis(b, place, i), &centre);
        sc_ratio_format(&centre, number, sizeof number);
        sc_text_put(sink, sc_text_of(i > 0 ? ";" : ""));
        sc_text_put(sink, sc_text_of(number));
    }
    if (b->is_labelled)
        sc_text_put(sink, sc_text_of(sc_buckets_has_plus(b, place) ? ";+1" : ";-1"));
}

/* SCRIM_E_LIMIT for a centre of many axes with long numbers. */
static scrim_status put_value(const scrim_histogram *h, const sc_exact_finding *f,
                              scrim_statistic *out, scrim_error *error)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, out->value, sizeof out->value);
    if (f->is_empty)
        return SCRIM_OK;
    if (f->kind == SC_FINDING_RANGE || f->kind == SC_FINDING_INTERVAL) {
        put_exact(&f->low, out->low);
        put_exact(&f->high, out->high);
    }
    if (f->kind == SC_FINDING_MODE) {
        put_centre(&h->buckets, f->place, &sink);
    } else if (f->kind == SC_FINDING_INTERVAL) {
        sc_text_put(&sink, sc_text_of(out->low));
        sc_text_put(&sink, sc_text_of(";"));
        sc_text_put(&sink, sc_text_of(out->high));
    } else {
        put_exact(&f->value, out->value);
    }
    if (sink.length < sizeof out->value)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LIMIT,
                   "%s: the text of its value is too long; a range and a beta with fewer "
                   "digits give shorter ones",
                   sc_finding_name(f->kind));
}

/* Writes only the numbers that this kind of finding has. */
static void put_numbers(const sc_exact_finding *f, scrim_statistic *out)
{
    const bool has_ranks = f->kind == SC_FINDING_QUANTILE || f->kind == SC_FINDING_TOTAL;
    const bool has_beyond = f->is_empty ? f->beyond_most > 0 || f->bar_most == 0
                                        : f->kind <= SC_FINDING_SUPPORT;
    if (!f->is_empty && f->kind != SC_FINDING_TOTAL)
        put_count(f->here_least, out->here_least);
    if (f->is_empty || !has_ranks)
        put_count(f->bar_most, out->bar_most);
    if (has_beyond)
        put_count(f->beyond_most, out->beyond_most);
    if (has_ranks && !f->is_empty) {
        put_count(f->rank_low, out->rank_low);
        put_count(f->rank_high, out->rank_high);
    }
    put_count(f->dropped_most, out->dropped_most);
}

static const char excludes[] =
    "clamping to the range, and rows that are left out by rule";

scrim_status scrim_histogram_statistic(const scrim_histogram *h, const char *which,
                                       scrim_statistic *out, scrim_error *error)
{
    SC_REQUIRE(error, "histogram which out", h, which, out);
    sc_exact_finding f;
    scrim_statistic found = {.outcome = SCRIM_OUTCOME_VALUE};
    scrim_status status = find(&h->bars, which, &f, error);
    if (status != SCRIM_OK)
        return status;
    status = put_value(h, &f, &found, error);
    if (status == SCRIM_OK) {
        if (f.is_empty)
            found.outcome = SCRIM_OUTCOME_EMPTY;
        put_numbers(&f, &found);
        sc_cost_put_upper(&h->buckets.error, found.moved_most);
        sc_finding_statement(&f, &h->bars, found.statement, sizeof found.statement);
        if (f.has_flexible) {
            SC_OWN(sc_certificate, certificate);
            sc_flexible_certificate(&f.flexible, excludes, &certificate);
            sc_certificate_format(&certificate, &found.certificate);
        }
        found.alpha_is_count = f.has_flexible && f.flexible.is_count;
        *out = found;
    }
    sc_finding_clear(&f);
    return status;
}

/* The plane. */

static scrim_status put_plane(const sc_exact_separator *s, scrim_separator *out,
                              scrim_error *error)
{
    sc_text_sink sink;
    char number[SC_RATIO_TEXT_BYTES];
    sc_text_sink_init(&sink, out->normal, sizeof out->normal);
    for (size_t i = 0; i < s->dimensions; i++) {
        size_t length = sc_ratio_format(&s->normal[i], number, sizeof number);
        sc_text_put(&sink, sc_text_of(i > 0 ? ";" : ""));
        sc_text_put(&sink, sc_text_of(number));
        if (length >= sizeof number)
            sink.length = sizeof out->normal;
    }
    if (sink.length >= sizeof out->normal ||
        sc_ratio_format(&s->offset, out->offset, sizeof out->offset) >=
            sizeof out->offset)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "separator: its numbers are too long; a range and a beta with "
                       "fewer digits give shorter ones");
    sc_cost_put_lower(&s->margin_lower, out->margin);
    if (sc_ratio_sign(&s->kept_lower) > 0)
        sc_cost_put_lower(&s->kept_lower, out->kept);
    return SCRIM_OK;
}

scrim_status scrim_histogram_separator(const scrim_histogram *h, scrim_separator *out,
                                       scrim_error *error)
{
    SC_REQUIRE(error, "histogram out", h, out);
    static const scrim_outcome outcomes[] = {[SC_SEPARATOR_PLANE] = SCRIM_OUTCOME_VALUE,
                                             [SC_SEPARATOR_EMPTY] = SCRIM_OUTCOME_EMPTY,
                                             [SC_SEPARATOR_NOT_SEPARABLE] =
                                                 SCRIM_OUTCOME_NOT_SEPARABLE};
    sc_exact_separator s;
    scrim_status status = sc_bars_separator(&h->bars, &s, error);
    if (status != SCRIM_OK)
        return status;
    scrim_separator *found = sc_allocate(1, sizeof *found);
    if (found == NULL)
        status = sc_no_memory(error, "a separator");
    if (status == SCRIM_OK && s.outcome == SC_SEPARATOR_PLANE)
        status = put_plane(&s, found, error);
    if (status == SCRIM_OK) {
        found->outcome = outcomes[s.outcome];
        put_count(s.beyond_most, found->beyond_most);
        put_count(s.dropped_most, found->dropped_most);
        sc_cost_put_upper(&h->buckets.error, found->moved_most);
        sc_separator_statement(&s, &h->bars, found->statement, sizeof found->statement);
        *out = *found;
    }
    sc_free(found);
    sc_separator_clear(&s);
    return status;
}

scrim_status scrim_histogram_debiased(const scrim_histogram *h, uint64_t place,
                                      char text[SCRIM_NUMBER_BYTES], scrim_error *error)
{
    SC_REQUIRE(error, "histogram", h);
    if (place >= h->buckets.count)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "bucket",
                           "there is no bucket at this place");
    SC_OWN(sc_ratio, view);
    sc_bars_debiased(&h->bars, place, &view);
    sc_ratio_format(&view, text, SCRIM_NUMBER_BYTES);
    return SCRIM_OK;
}
