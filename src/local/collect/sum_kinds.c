#include "local/collect/decode_condensed.h"
#include "local/collect/decode_counts.h"
#include "local/collect/decode_numbers.h"
#include "local/collect/sum_kind.h"
#include "mechanism/local/protocol.h"

static const sc_sum_kind kinds[] = {
    {SCRIM_LOCAL_RESPONSE, &sc_sum_integers, sc_decode_response},
    {SCRIM_LOCAL_PROJECTIVE, &sc_sum_integers, sc_decode_projective},
    {SCRIM_LOCAL_SUBSET, &sc_sum_bitmaps, sc_decode_response},
    {SCRIM_LOCAL_SYMMETRIC_UNARY, &sc_sum_bitmaps, sc_decode_response},
    {SCRIM_LOCAL_OPTIMISED_UNARY, &sc_sum_bitmaps, sc_decode_response},
    {SCRIM_LOCAL_HASHING, &sc_sum_integers, sc_decode_hashing},
    {SCRIM_LOCAL_HADAMARD, &sc_sum_integers, sc_decode_hadamard},
    {SCRIM_LOCAL_BIT_FLIP, &sc_sum_buckets, sc_decode_bit_flip},
    {SCRIM_LOCAL_REPEATED_UNARY, &sc_sum_bitmaps, sc_decode_response},
    {SCRIM_LOCAL_RAPPOR, &sc_sum_bitmaps, sc_decode_rappor},
    {SCRIM_LOCAL_SQUARE_WAVE, &sc_sum_integers, sc_decode_square_wave},
    {SCRIM_LOCAL_ONE_BIT, &sc_sum_integers, sc_decode_one_bit},
    {SCRIM_LOCAL_ROUNDED_BIT, &sc_sum_integers, sc_decode_one_bit},
    {SCRIM_LOCAL_LAPLACE, &sc_sum_integers, sc_decode_laplace},
    {SCRIM_LOCAL_GEOMETRIC, &sc_sum_integers, sc_decode_laplace},
    {SCRIM_LOCAL_CONDENSED, &sc_sum_integers, sc_decode_condensed},
};

const sc_sum_kind *sc_sum_kind_of(const scrim_local_config *config)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].protocol == config->protocol)
            return &kinds[i];
    return NULL;
}

static scrim_status read_config(const char *text, scrim_local_config *out,
                                scrim_error *error)
{
    switch (scrim_local_config_parse(text, out)) {
    case SCRIM_LOCAL_OK:
        return SCRIM_OK;
    case SCRIM_LOCAL_E_SYNTAX:
        return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "config",
                           "this is not a configuration of local reports; it is one line "
                           "that begins with scrim-local/1 or scrim-local/2");
    case SCRIM_LOCAL_E_LIMIT:
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "config",
                           "the configuration has a number above a size limit");
    case SCRIM_LOCAL_E_PARAM:
    case SCRIM_LOCAL_E_ENTROPY:
    case SCRIM_LOCAL_E_POLICY:
    case SCRIM_LOCAL_E_BUDGET:
        break;
    }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "config",
                       "the configuration has numbers that its protocol does not allow");
}

scrim_status sc_sums_init(sc_sums *sums, const char *text, scrim_error *error)
{
    scrim_local_config config;
    const scrim_status status = read_config(text, &config, error);
    if (status != SCRIM_OK)
        return status;
    const sc_sum_kind *kind = sc_sum_kind_of(&config);
    if (kind == NULL)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "config",
            "reports of %s cannot be added up; they are decoded as they are",
            scrim_local_protocol_name(config.protocol));
    return sc_sums_begin(sums, &config, kind->layout, error);
}
