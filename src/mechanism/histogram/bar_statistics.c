#include "mechanism/histogram/bar_statistics.h"

#include "model/short_bound.h"

/* Empty, with the certificates that the bars have. */
static void finding_init(sc_exact_finding *finding, sc_finding_kind kind,
                         const sc_bars *bars)
{
    *finding = (sc_exact_finding){.kind = kind, .has_flexible = kind != SC_FINDING_TOTAL};
    sc_ratio_init(&finding->value);
    sc_ratio_init(&finding->low);
    sc_ratio_init(&finding->high);
    sc_flexible_init(&finding->flexible);
    sc_bars_flexible(bars, &finding->flexible);
    finding->flexible.metric = SC_METRIC_ABSOLUTE;
    finding->dropped_most = sc_bars_dropped_upper(bars);
    finding->bar_most = bars->q;
}

void sc_finding_clear(sc_exact_finding *finding)
{
    sc_flexible_clear(&finding->flexible);
    sc_ratio_clear(&finding->high);
    sc_ratio_clear(&finding->low);
    sc_ratio_clear(&finding->value);
}

/* The value is the centre of this place. */
static void set_place(sc_exact_finding *finding, const sc_bars *bars, const sc_bar *bar)
{
    finding->place = bar->place;
    finding->here_least = bar->count;
    sc_buckets_centre(bars->buckets, sc_buckets_axis(bars->buckets, bar->place, 0),
                      &finding->value);
    sc_ratio_set(&finding->low, &finding->value);
    sc_ratio_set(&finding->high, &finding->value);
}

/* Nothing is shown at all: each bar of x holds at most q, and alpha is 1, all of it. */
static void set_empty(sc_exact_finding *finding, const sc_bars *bars)
{
    finding->is_empty = true;
    finding->bar_most = bars->q;
    finding->beyond_most = finding->dropped_most;
    sc_ratio_set_int64(&finding->flexible.alpha, 1);
    finding->flexible.is_count = false;
}

const char *sc_finding_name(sc_finding_kind kind)
{
    static const char *const names[] = {"max",      "min",     "range",
                                        "interval", "support", "quantile",
                                        "mode",     "max-k",   "total"};
    return names[kind];
}

/* Sentences. */

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_count(sc_text_sink *sink, sc_uint128 count)
{
    char text[SC_INT128_BYTES];
    sc_int128_format((sc_int128)count, text); /* below 2^94 */
    put(sink, text);
}

/* "3 elements" */
static void put_elements(sc_text_sink *sink, sc_uint128 count)
{
    put_count(sink, count);
    put(sink, count == 1 ? " element" : " elements");
}

static const char *bucket(const sc_bars *bars)
{
    return bars->buckets->is_points ? "number" : "bucket";
}

/* "at least 3 elements lie within 0.5 of it" */
static void put_here(sc_text_sink *sink, const sc_exact_finding *f, const sc_bars *bars,
                     const char *of)
{
    char error[SCRIM_NUMBER_BYTES];
    put(sink, "at least ");
    put_elements(sink, f->here_least);
    put(sink, f->here_least == 1 ? " lies " : " lie ");
    if (bars->buckets->is_points) {
        put(sink, "at ");
    } else {
        sc_short_bound_put_upper(&bars->buckets->error, error);
        put(sink, "within ");
        put(sink, error);
        put(sink, " of ");
    }
    put(sink, of);
}

/* Beyond what nothing more is said: a number itself, or all of the bucket it stands for. */
typedef struct border {
    const char *of_numbers;  /* " above it" */
    const char *of_buckets;  /* " above its own" */
    const char *of_elements; /* " above its bucket" */
} border;

/* "; no bucket above its own holds more than 27, and at most 54 elements lie above its bucket" */
static void put_beyond(sc_text_sink *sink, const sc_exact_finding *f, const sc_bars *bars,
                       const border *b)
{
    const bool is_points = bars->buckets->is_points;
    put(sink, "; no ");
    put(sink, bucket(bars));
    put(sink, is_points ? b->of_numbers : b->of_buckets);
    put(sink, " holds more than ");
    put_count(sink, f->bar_most);
    if (f->kind == SC_FINDING_MAX_K)
        return;
    put(sink, ", and at most ");
    put_elements(sink, f->beyond_most);
    put(sink, f->beyond_most == 1 ? " lies" : " lie");
    put(sink, is_points ? b->of_numbers : b->of_elements);
}

static const border above = {" above it", " above its own", " above its bucket"};
static const border below = {" below it", " below its own", " below its bucket"};
static const border outside = {" outside of them", " outside of theirs",
                               " outside of their buckets"};
static const border beside = {" beside them", " beside them", " beside them"};

static void put_empty(sc_text_sink *sink, const sc_exact_finding *f, const sc_bars *bars)
{
    put(sink, "no ");
    put(sink, bucket(bars));
    put(sink, " holds more than ");
    put_elements(sink, f->bar_most);
    if (f->kind == SC_FINDING_MAX_K)
        return;
    put(sink, ", and there are at most ");
    put_count(sink, f->beyond_most);
}

static void put_quantile(sc_text_sink *sink, const sc_exact_finding *f,
                         const sc_bars *bars)
{
    put(sink, bars->buckets->is_points ? "it has a rank from "
                                       : "its bucket holds a rank from ");
    put_count(sink, f->rank_low);
    put(sink, " to ");
    put_count(sink, f->rank_high);
    put(sink, " in the data, 1 being the smallest; ");
    put_here(sink, f, bars, "it");
}

static void put_mode(sc_text_sink *sink, const sc_exact_finding *f, const sc_bars *bars)
{
    put_here(sink, f, bars, "it");
    put(sink, "; no ");
    put(sink, bucket(bars));
    put(sink, " holds more than ");
    put_count(sink, f->bar_most);
    put(sink, ", nor more than ");
    put_count(sink, bars->q);
    put(sink, " beyond what its own holds");
}

static void put_support(sc_text_sink *sink, const sc_exact_finding *f,
                        const sc_bars *bars)
{
    put(sink, "each ");
    put(sink, bucket(bars));
    put(sink, " shown holds at least ");
    put_elements(sink, f->here_least);
    put_beyond(sink, f, bars, &beside);
}

static void put_total(sc_text_sink *sink, const sc_exact_finding *f)
{
    put(sink, "there are from ");
    put_count(sink, f->rank_low);
    put(sink, " to ");
    put_elements(sink, f->rank_high);
}

size_t sc_finding_statement(const sc_exact_finding *f, const sc_bars *bars, char *text,
                            size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    if (f->is_empty) {
        put_empty(&sink, f, bars);
        return sink.length;
    }
    switch (f->kind) {
    case SC_FINDING_MAX:
    case SC_FINDING_MAX_K:
        put_here(&sink, f, bars, "it");
        put_beyond(&sink, f, bars, &above);
        break;
    case SC_FINDING_MIN:
        put_here(&sink, f, bars, "it");
        put_beyond(&sink, f, bars, &below);
        break;
    case SC_FINDING_RANGE:
    case SC_FINDING_INTERVAL:
        put_here(&sink, f, bars, "each end");
        put_beyond(&sink, f, bars, &outside);
        break;
    case SC_FINDING_SUPPORT:
        put_support(&sink, f, bars);
        break;
    case SC_FINDING_QUANTILE:
        put_quantile(&sink, f, bars);
        break;
    case SC_FINDING_MODE:
        put_mode(&sink, f, bars);
        break;
    case SC_FINDING_TOTAL:
        put_total(&sink, f);
        break;
    }
    return sink.length;
}

/* Refuses bars of more than one axis, which have no order. */
static scrim_status check_one_axis(const sc_bars *bars, sc_finding_kind kind,
                                   scrim_error *error)
{
    if (bars->buckets->dimensions == 1 && !bars->buckets->is_labelled)
        return SCRIM_OK;
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "dimensions",
        "%s: it needs one dimension without labels; other places have no order",
        sc_finding_name(kind));
}

/* Places that are not shown, on the side of a bar where none is shown: at most this many hold
 * anything, beside all that are. */
static sc_uint128 beyond(const sc_bars *bars, uint64_t places)
{
    return sc_bars_left_out_upper(bars, places, bars->count);
}

scrim_status sc_bars_max(const sc_bars *bars, sc_exact_finding *out, scrim_error *error)
{
    scrim_status status = check_one_axis(bars, SC_FINDING_MAX, error);
    if (status != SCRIM_OK)
        return status;
    finding_init(out, SC_FINDING_MAX, bars);
    if (bars->count == 0) {
        set_empty(out, bars);
        return SCRIM_OK;
    }
    const sc_bar *last = &bars->bars[bars->count - 1];
    set_place(out, bars, last);
    out->beyond_most = beyond(bars, bars->buckets->count - 1 - last->place);
    return SCRIM_OK;
}

scrim_status sc_bars_min(const sc_bars *bars, sc_exact_finding *out, scrim_error *error)
{
    scrim_status status = check_one_axis(bars, SC_FINDING_MIN, error);
    if (status != SCRIM_OK)
        return status;
    finding_init(out, SC_FINDING_MIN, bars);
    if (bars->count == 0) {
        set_empty(out, bars);
        return SCRIM_OK;
    }
    set_place(out, bars, &bars->bars[0]);
    out->beyond_most = beyond(bars, bars->bars[0].place);
    return SCRIM_OK;
}

/* Both ends, and what is outside of them. */
static scrim_status set_ends(const sc_bars *bars, sc_finding_kind kind,
                             sc_exact_finding *out, scrim_error *error)
{
    scrim_status status = check_one_axis(bars, kind, error);
    if (status != SCRIM_OK)
        return status;
    finding_init(out, kind, bars);
    if (bars->count == 0) {
        set_empty(out, bars);
        return SCRIM_OK;
    }
    const sc_bar *first = &bars->bars[0], *last = &bars->bars[bars->count - 1];
    set_place(out, bars, first);
    out->here_least = first->count < last->count ? first->count : last->count;
    sc_buckets_centre(bars->buckets, last->place, &out->high);
    sc_ratio_sub(&out->value, &out->high, &out->low);
    out->beyond_most =
        beyond(bars, first->place + (bars->buckets->count - 1 - last->place));
    return SCRIM_OK;
}

scrim_status sc_bars_interval(const sc_bars *bars, sc_exact_finding *out,
                              scrim_error *error)
{
    SC_TRY(set_ends(bars, SC_FINDING_INTERVAL, out, error));
    out->flexible.metric = SC_METRIC_SUP;
    return SCRIM_OK;
}

/* Each end moves by beta, and they may do so in opposite directions. */
scrim_status sc_bars_range(const sc_bars *bars, sc_exact_finding *out, scrim_error *error)
{
    SC_TRY(set_ends(bars, SC_FINDING_RANGE, out, error));
    sc_ratio_add(&out->flexible.beta, &bars->buckets->error, &bars->buckets->error);
    return SCRIM_OK;
}

void sc_bars_support(const sc_bars *bars, sc_exact_finding *out)
{
    finding_init(out, SC_FINDING_SUPPORT, bars);
    out->flexible.metric = SC_METRIC_HAUSDORFF;
    if (bars->count == 0) {
        set_empty(out, bars);
        return;
    }
    out->here_least = SC_BARS_COUNT_MAX;
    for (size_t i = 0; i < bars->count; i++)
        if (bars->bars[i].count < out->here_least)
            out->here_least = bars->bars[i].count;
    sc_ratio_set_int64(&out->value, (int64_t)bars->count);
    sc_ratio_set(&out->low, &out->value);
    sc_ratio_set(&out->high, &out->value);
    out->beyond_most = beyond(bars, bars->buckets->count - bars->count);
}

void sc_bars_total(const sc_bars *bars, sc_exact_finding *out)
{
    finding_init(out, SC_FINDING_TOTAL, bars);
    sc_ratio_set_int64(&out->value, (int64_t)bars->total);
    sc_ratio_set(&out->low, &out->value);
    sc_ratio_set(&out->high, &out->value);
    out->beyond_most = out->dropped_most;
    out->rank_low = bars->total;
    out->rank_high = bars->total + out->dropped_most;
    /* No bar holds more than the largest that is shown and what was left out of it. */
    for (size_t i = 0; i < bars->count; i++)
        if (bars->bars[i].count + bars->q > out->bar_most)
            out->bar_most = bars->bars[i].count + bars->q;
    if (!bars->has_size)
        return;
    out->rank_low = bars->size;
    out->rank_high = bars->size;
}

/* Heights change when elements move, however little. */
static void set_beta(const sc_bars *bars, sc_exact_finding *out)
{
    out->flexible.is_beta_unbounded = !bars->buckets->is_points;
    sc_ratio_set_int64(&out->flexible.beta, 0);
}

void sc_bars_mode(const sc_bars *bars, sc_exact_finding *out)
{
    finding_init(out, SC_FINDING_MODE, bars);
    set_beta(bars, out);
    if (bars->count == 0) {
        set_empty(out, bars);
        return;
    }
    const sc_bar *best = &bars->bars[0];
    for (size_t i = 1; i < bars->count; i++)
        if (bars->bars[i].count > best->count)
            best = &bars->bars[i];
    set_place(out, bars, best);
    out->bar_most = best->count + bars->q;
}

/* No bar shown has k, so no bar of x has k + q. Bars that are shown stay as they are. */
static void set_none(const sc_bars *bars, uint64_t k, sc_exact_finding *out)
{
    if (bars->count == 0) {
        set_empty(out, bars);
        return;
    }
    out->is_empty = true;
    out->bar_most = k - 1 + bars->q;
}

scrim_status sc_bars_max_k(const sc_bars *bars, uint64_t k, sc_exact_finding *out,
                           scrim_error *error)
{
    scrim_status status = check_one_axis(bars, SC_FINDING_MAX_K, error);
    if (status != SCRIM_OK)
        return status;
    if (k == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "k",
                                 "must be at least 1");
    if (k > SC_BARS_COUNT_MAX)
        return sc_fail(error, SCRIM_E_LIMIT, "k must be at most 4.6e18");
    finding_init(out, SC_FINDING_MAX_K, bars);
    if (k > 1)
        set_beta(bars, out);
    size_t i = bars->count;
    while (i > 0 && bars->bars[i - 1].count < k)
        i--;
    if (i == 0) {
        set_none(bars, k, out);
        return SCRIM_OK;
    }
    set_place(out, bars, &bars->bars[i - 1]);
    out->bar_most = k - 1 + bars->q;
    return SCRIM_OK;
}

/* ceil(phi total), from 1 to total; 0 < phi <= 1 and total > 0. */
static uint64_t rank_of(const sc_ratio *phi, uint64_t total)
{
    uint64_t rank = 0;
    SC_OWN(sc_ratio, at);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&at, (int64_t)total);
    sc_ratio_mul(&at, &at, phi);
    sc_ratio_ceil(&at, &whole);
    (void)sc_integer_get_uint64(&whole, &rank);
    return rank;
}

/* Fewer than r elements of y lie below the value, at least r not above it. In x, those below are
 * at most q more for each place that holds any; those not above are no fewer. */
static void set_rank(const sc_bars *bars, uint64_t rank, sc_exact_finding *out)
{
    uint64_t seen = 0;
    size_t i = 0;
    while (seen + bars->bars[i].count < rank)
        seen += bars->bars[i++].count;
    set_place(out, bars, &bars->bars[i]);
    out->rank_low = rank;
    out->rank_high =
        rank + sc_bars_left_out_upper(bars, bars->bars[i].place, bars->count - i);
    out->beyond_most = 0;
    out->bar_most = 0;
}

scrim_status sc_bars_quantile(const sc_bars *bars, const sc_ratio *phi,
                              sc_exact_finding *out, scrim_error *error)
{
    scrim_status status = check_one_axis(bars, SC_FINDING_QUANTILE, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_ratio_sign(phi) <= 0 || sc_ratio_compare_int64(phi, 1) > 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "quantile",
                                 "must be above 0 and at most 1");
    finding_init(out, SC_FINDING_QUANTILE, bars);
    if (bars->count == 0)
        set_empty(out, bars);
    else
        set_rank(bars, rank_of(phi, bars->total), out);
    return SCRIM_OK;
}

scrim_status sc_bars_median(const sc_bars *bars, sc_exact_finding *out,
                            scrim_error *error)
{
    SC_OWN(sc_ratio, half, two);
    sc_ratio_set_int64(&half, 1);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, &half, &two);
    return sc_bars_quantile(bars, &half, out, error);
}
