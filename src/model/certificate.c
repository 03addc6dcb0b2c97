#include "model/certificate.h"

#include "model/cost.h"

#include <string.h>

void sc_certificate_init(scrim_certificate *out, const char *excludes)
{
    memset(out, 0, sizeof *out);
    out->excludes = excludes == NULL ? "" : excludes;
}

static void set_confidence(scrim_certificate *out, const sc_ratio *beta)
{
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&one, &one, beta);
    sc_cost_put_lower(&one, out->confidence);
}

void sc_certificate_interval(scrim_certificate *out, const sc_ratio *radius,
                             const sc_ratio *beta, const char *excludes)
{
    sc_certificate_init(out, excludes);
    out->form =
        sc_ratio_sign(beta) == 0 ? SCRIM_CERTIFICATE_RANGE : SCRIM_CERTIFICATE_INTERVAL;
    set_confidence(out, beta);
    sc_cost_put_upper(radius, out->radius);
}

void sc_certificate_pac(scrim_certificate *out, const sc_ratio *radius,
                        const sc_ratio *beta, const char *excludes)
{
    sc_certificate_interval(out, radius, beta, excludes);
    out->form = SCRIM_CERTIFICATE_PAC;
}

void sc_certificate_frequency(scrim_certificate *out, const sc_ratio *radius,
                              const sc_ratio *beta, const char *excludes)
{
    sc_certificate_interval(out, radius, beta, excludes);
    out->form = SCRIM_CERTIFICATE_FREQUENCY;
}

void sc_certificate_drop(scrim_certificate *out, const sc_ratio *radius,
                         const char *excludes)
{
    SC_OWN(sc_ratio, never);
    sc_certificate_interval(out, radius, &never, excludes);
    out->form = SCRIM_CERTIFICATE_DROP;
}

void sc_certificate_flexible(scrim_certificate *out, const sc_ratio *alpha,
                             const sc_ratio *beta, const sc_ratio *gamma,
                             const char *excludes)
{
    sc_certificate_init(out, excludes);
    out->form = SCRIM_CERTIFICATE_FLEXIBLE;
    sc_cost_put_upper(alpha, out->alpha);
    sc_cost_put_upper(beta, out->beta);
    sc_cost_put_upper(gamma, out->gamma);
}
