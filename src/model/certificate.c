#include "model/certificate.h"

#include "model/cost.h"

#include <string.h>

void sc_certificate_init(sc_certificate *x)
{
    memset(x, 0, sizeof *x);
    x->excludes = "";
    sc_ratio_init(&x->confidence);
    sc_ratio_init(&x->radius);
    sc_ratio_init(&x->radius_all);
    sc_ratio_init(&x->value_radius);
    sc_ratio_init(&x->alpha);
    sc_ratio_init(&x->beta);
    sc_ratio_init(&x->gamma);
}

void sc_certificate_clear(sc_certificate *x)
{
    sc_ratio_clear(&x->gamma);
    sc_ratio_clear(&x->beta);
    sc_ratio_clear(&x->alpha);
    sc_ratio_clear(&x->value_radius);
    sc_ratio_clear(&x->radius_all);
    sc_ratio_clear(&x->radius);
    sc_ratio_clear(&x->confidence);
}

void sc_certificate_none(sc_certificate *out, const char *excludes)
{
    out->form = SCRIM_CERTIFICATE_NONE;
    out->has_confidence = out->has_radius = out->has_radius_all = false;
    out->has_value_radius = false;
    out->has_alpha = out->has_beta = false;
    out->excludes = excludes == NULL ? "" : excludes;
}

void sc_certificate_add_radius(sc_certificate *out, const sc_ratio *radius)
{
    out->has_radius = true;
    sc_ratio_set(&out->radius, radius);
}

void sc_certificate_add_radius_all(sc_certificate *out, const sc_ratio *radius)
{
    out->has_radius_all = true;
    sc_ratio_set(&out->radius_all, radius);
}

void sc_certificate_add_value_radius(sc_certificate *out, const sc_ratio *radius)
{
    out->has_value_radius = true;
    sc_ratio_set(&out->value_radius, radius);
}

void sc_certificate_interval(sc_certificate *out, const sc_ratio *radius,
                             const sc_ratio *beta, const char *excludes)
{
    sc_certificate_none(out, excludes);
    out->form =
        sc_ratio_sign(beta) == 0 ? SCRIM_CERTIFICATE_RANGE : SCRIM_CERTIFICATE_INTERVAL;
    out->has_confidence = true;
    sc_ratio_set_int64(&out->confidence, 1);
    sc_ratio_sub(&out->confidence, &out->confidence, beta);
    sc_certificate_add_radius(out, radius);
}

void sc_certificate_pac(sc_certificate *out, const sc_ratio *radius, const sc_ratio *beta,
                        const char *excludes)
{
    sc_certificate_interval(out, radius, beta, excludes);
    out->form = SCRIM_CERTIFICATE_PAC;
}

void sc_certificate_frequency(sc_certificate *out, const sc_ratio *radius,
                              const sc_ratio *beta, const char *excludes)
{
    sc_certificate_interval(out, radius, beta, excludes);
    out->form = SCRIM_CERTIFICATE_FREQUENCY;
}

void sc_certificate_mean(sc_certificate *out, const sc_ratio *radius,
                         const sc_ratio *beta, const char *excludes)
{
    sc_certificate_interval(out, radius, beta, excludes);
    out->form = SCRIM_CERTIFICATE_MEAN;
}

void sc_certificate_drop(sc_certificate *out, const sc_ratio *radius,
                         const char *excludes)
{
    SC_OWN(sc_ratio, never);
    sc_certificate_interval(out, radius, &never, excludes);
    out->form = SCRIM_CERTIFICATE_DROP;
}

void sc_certificate_flexible(sc_certificate *out, const sc_ratio *alpha,
                             const sc_ratio *beta, const sc_ratio *gamma,
                             const char *excludes)
{
    sc_certificate_none(out, excludes);
    out->form = SCRIM_CERTIFICATE_FLEXIBLE;
    out->has_alpha = true;
    out->has_beta = beta != NULL;
    sc_ratio_set(&out->alpha, alpha);
    if (beta != NULL)
        sc_ratio_set(&out->beta, beta);
    sc_ratio_set(&out->gamma, gamma);
}

static void put_upper(bool is_there, const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    if (is_there)
        sc_cost_put_upper(x, text);
}

void sc_certificate_format(const sc_certificate *x, scrim_certificate *out)
{
    memset(out, 0, sizeof *out);
    out->form = x->form;
    out->excludes = x->excludes;
    if (x->has_confidence)
        sc_cost_put_lower(&x->confidence, out->confidence);
    put_upper(x->has_radius, &x->radius, out->radius);
    put_upper(x->has_radius_all, &x->radius_all, out->radius_all);
    put_upper(x->has_value_radius, &x->value_radius, out->value_radius);
    put_upper(x->has_alpha, &x->alpha, out->alpha);
    put_upper(x->has_beta, &x->beta, out->beta);
    put_upper(x->has_alpha, &x->gamma, out->gamma);
}
