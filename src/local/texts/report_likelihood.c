#include "local/texts/report_likelihood.h"

#include "base/number/ball_double.h"
#include "local/device/bloom.h"
#include "mechanism/local/protocol.h"

#include <stdbool.h>

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

/* Bits of a bitmap are independent given the value; the others have one draw of weight a or b. */
static void find_factors(sc_report_likelihood *out)
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

scrim_status sc_report_likelihood_init(sc_report_likelihood *out,
                                       const scrim_local_variable *variable,
                                       const char *name, scrim_error *error)
{
    const scrim_local_config *config = variable->config;
    *out = (sc_report_likelihood){.variable = variable};
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

static double bit_factor(const sc_report_likelihood *likelihood, const uint8_t *bitmap,
                         size_t bit)
{
    return bitmap[bit / 8] >> (bit % 8) & 1 ? likelihood->set : likelihood->unset;
}

/* Two hashes that meet in one bit count once. */
static double text_factor(const sc_report_likelihood *likelihood, const uint8_t *bitmap,
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

void sc_report_likelihood_fill(const sc_report_likelihood *likelihood,
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
