#include "base/number/ratio.h"
#include "base/status.h"
#include "ledger/answer.h"

/* The radius of a number by the certificate that covers it. */
static scrim_status find_radius(const scrim_answer *answer, size_t index,
                                const scrim_certificate *certificate, const char **out,
                                scrim_error *error)
{
    const scrim_answer_kind kind = scrim_answer_kind_at(answer, index);
    if (kind != SCRIM_ANSWER_VALUE && kind != SCRIM_ANSWER_ABOVE_VALUE)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "answer",
                           "only a number has an interval");
    if (certificate->form == SCRIM_CERTIFICATE_INTERVAL ||
        certificate->form == SCRIM_CERTIFICATE_RANGE ||
        certificate->form == SCRIM_CERTIFICATE_DROP ||
        (certificate->form == SCRIM_CERTIFICATE_FLEXIBLE &&
         certificate->radius[0] != '\0'))
        *out = certificate->radius;
    else if (certificate->value_radius[0] != '\0')
        *out = certificate->value_radius;
    else
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "certificate",
                           "the certificate is of another form and gives no interval");
    return SCRIM_OK;
}

/* Of a value whose accuracy is its own, at the confidence of the certificate. */
static scrim_status radius_at(const scrim_answer *answer, size_t index,
                              const scrim_certificate *certificate, sc_ratio *out,
                              scrim_error *error)
{
    SC_OWN(sc_ratio, confidence, beta);
    scrim_status status =
        sc_ratio_parse(sc_text_of(certificate->confidence), &confidence, error);
    sc_ratio_set_int64(&beta, 1);
    sc_ratio_sub(&beta, &beta, &confidence);
    if (status == SCRIM_OK &&
        (sc_ratio_sign(&beta) <= 0 || sc_ratio_compare_int64(&beta, 1) >= 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "certificate",
                             "the certificate is of another measurement");
    return status == SCRIM_OK ? answer->radii->at(answer->radii, &beta, index, out, error)
                              : status;
}

scrim_status scrim_answer_interval(const scrim_answer *answer, size_t index,
                                   const scrim_certificate *certificate, char *low,
                                   char *high, scrim_error *error)
{
    const char *given = NULL;
    scrim_status status = find_radius(answer, index, certificate, &given, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ratio, value, radius, lower, upper);
    status = sc_ratio_parse(sc_text_of(scrim_answer_text(answer, index)), &value, error);
    if (status == SCRIM_OK && answer->radii != NULL)
        status = radius_at(answer, index, certificate, &radius, error);
    else if (status == SCRIM_OK)
        status = sc_ratio_parse(sc_text_of(given), &radius, error);
    if (status == SCRIM_OK) {
        sc_ratio_set(&lower, &value);
        if (certificate->form != SCRIM_CERTIFICATE_DROP && /* which are never too large */
            certificate->form != SCRIM_CERTIFICATE_FLEXIBLE)
            sc_ratio_sub(&lower, &value, &radius);
        sc_ratio_add(&upper, &value, &radius);
        if (sc_ratio_format(&lower, NULL, 0) >= SCRIM_ANSWER_BYTES ||
            sc_ratio_format(&upper, NULL, 0) >= SCRIM_ANSWER_BYTES)
            status = sc_fail(error, SCRIM_E_LIMIT, "the interval has too many digits");
    }
    if (status == SCRIM_OK) {
        sc_ratio_format(&lower, low, SCRIM_ANSWER_BYTES);
        sc_ratio_format(&upper, high, SCRIM_ANSWER_BYTES);
    }
    return status;
}
