#include "mechanism/histogram/finding.h"

#include "model/short_bound.h"

void sc_finding_init(sc_exact_finding *finding, sc_finding_kind kind, const sc_bars *bars)
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

void sc_finding_set_place(sc_exact_finding *finding, const sc_bars *bars,
                          const sc_bar *bar)
{
    finding->place = bar->place;
    finding->here_least = bar->count;
    sc_buckets_centre(bars->buckets, sc_buckets_axis(bars->buckets, bar->place, 0),
                      &finding->value);
    sc_ratio_set(&finding->low, &finding->value);
    sc_ratio_set(&finding->high, &finding->value);
}

void sc_finding_set_empty(sc_exact_finding *finding, const sc_bars *bars)
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
