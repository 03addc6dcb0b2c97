#include "distance/flexible.h"

#include "model/certificate.h"
#include "model/cost.h"

#include <string.h>

void sc_flexible_init(sc_flexible_claim *out)
{
    memset(out, 0, sizeof *out);
    sc_ratio_init(&out->alpha);
    sc_ratio_init(&out->beta);
    sc_ratio_init(&out->gamma);
    sc_ratio_init(&out->eta);
    out->distortion = SC_DISTORTION_DROP;
    out->metric = SC_METRIC_ABSOLUTE;
}

void sc_flexible_clear(sc_flexible_claim *x)
{
    sc_ratio_clear(&x->eta);
    sc_ratio_clear(&x->gamma);
    sc_ratio_clear(&x->beta);
    sc_ratio_clear(&x->alpha);
}

void sc_flexible_set(sc_flexible_claim *out, const sc_flexible_claim *x)
{
    sc_ratio_set(&out->alpha, &x->alpha);
    sc_ratio_set(&out->beta, &x->beta);
    sc_ratio_set(&out->gamma, &x->gamma);
    sc_ratio_set(&out->eta, &x->eta);
    out->distortion = x->distortion;
    out->metric = x->metric;
    out->is_average = x->is_average;
    out->is_count = x->is_count;
    out->is_beta_unbounded = x->is_beta_unbounded;
}

static const char *const names[] = {"drop", "move", "drop-move"};

const char *sc_distortion_name(sc_distortion distortion)
{
    return names[distortion - SC_DISTORTION_DROP];
}

bool sc_distortion_parse(sc_text word, sc_distortion *out)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sc_text_is(word, names[i])) {
            *out = (sc_distortion)(SC_DISTORTION_DROP + i);
            return true;
        }
    return false;
}

/* A name that reads as one word of a line. */
static bool is_word(const char *metric)
{
    return metric != NULL && metric[0] != '\0' &&
           metric[strcspn(metric, " \t\r\n=")] == '\0';
}

scrim_status sc_flexible_check(const sc_flexible_claim *x, scrim_error *error)
{
    if (x->distortion < SC_DISTORTION_DROP || x->distortion > SC_DISTORTION_DROP_MOVE)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "distortion",
                                 "use drop, move or drop-move");
    if (sc_ratio_sign(&x->alpha) < 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "alpha",
                                 "give a number of at least 0");
    if (sc_ratio_sign(&x->beta) < 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "beta",
                                 "give a number of at least 0");
    if (sc_ratio_sign(&x->gamma) < 0 || sc_ratio_compare_int64(&x->gamma, 1) > 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "gamma",
                                 "give a number from 0 to 1");
    if (sc_ratio_sign(&x->eta) < 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "eta",
                                 "give a number of at least 0");
    if (x->distortion != SC_DISTORTION_DROP_MOVE && sc_ratio_sign(&x->eta) != 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "eta",
                                 "belongs to drop-move alone");
    if (x->is_count &&
        (x->distortion != SC_DISTORTION_DROP || !sc_ratio_is_integer(&x->alpha)))
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "alpha",
            "a number of elements must be whole, and only drop takes it");
    if (x->is_beta_unbounded && sc_ratio_sign(&x->beta) != 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "beta",
                                 "give a number or no bound, not both");
    if (!is_word(x->metric))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "metric",
                                 "give one word");
    return SCRIM_OK;
}

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_number(sc_text_sink *sink, const char *name, const sc_ratio *value)
{
    char text[SCRIM_NUMBER_BYTES];
    sc_cost_put_upper(value, text);
    put(sink, name);
    put(sink, text);
}

size_t sc_flexible_format(const sc_flexible_claim *x, char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    put_number(&sink, x->is_count ? "dropped=" : "alpha=", &x->alpha);
    if (x->is_beta_unbounded)
        put(&sink, " beta=unbounded");
    else
        put_number(&sink, " beta=", &x->beta);
    put_number(&sink, " gamma=", &x->gamma);
    put(&sink, " distortion=");
    put(&sink, sc_distortion_name(x->distortion));
    if (x->distortion == SC_DISTORTION_DROP_MOVE)
        put_number(&sink, " eta=", &x->eta);
    put(&sink, " metric=");
    put(&sink, x->metric);
    put(&sink, x->is_average ? " case=average" : " case=worst");
    return sink.length;
}

void sc_flexible_certificate(const sc_flexible_claim *x, const char *excludes,
                             sc_certificate *out)
{
    sc_certificate_flexible(out, &x->alpha, x->is_beta_unbounded ? NULL : &x->beta,
                            &x->gamma, excludes);
}
