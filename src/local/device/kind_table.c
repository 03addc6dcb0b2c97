#include "local/device/kind.h"
#include "local/device/number_encoders.h"
#include "local/device/repeated_encoders.h"
#include "local/device/set_encoders.h"

/* Beside scrim_local_protocol. */
static const sl_kind *const kinds[] = {
    [SCRIM_LOCAL_RESPONSE] = &sl_response,
    [SCRIM_LOCAL_PROJECTIVE] = &sl_projective,
    [SCRIM_LOCAL_SUBSET] = &sl_subset,
    [SCRIM_LOCAL_SYMMETRIC_UNARY] = &sl_symmetric_unary,
    [SCRIM_LOCAL_OPTIMISED_UNARY] = &sl_optimised_unary,
    [SCRIM_LOCAL_HASHING] = &sl_hashing,
    [SCRIM_LOCAL_HADAMARD] = &sl_hadamard,
    [SCRIM_LOCAL_TEXT_HASHING] = &sl_text_hashing,
    [SCRIM_LOCAL_PREFIX] = &sl_prefix,
    [SCRIM_LOCAL_SQUARE_WAVE] = &sl_square_wave,
    [SCRIM_LOCAL_BIT_FLIP] = &sl_bit_flip,
    [SCRIM_LOCAL_REPEATED_UNARY] = &sl_repeated_unary,
    [SCRIM_LOCAL_RAPPOR] = &sl_rappor,
    [SCRIM_LOCAL_ONE_BIT] = &sl_one_bit,
    [SCRIM_LOCAL_ROUNDED_BIT] = &sl_rounded_bit,
    [SCRIM_LOCAL_LAPLACE] = &sl_laplace,
    [SCRIM_LOCAL_GEOMETRIC] = &sl_geometric,
    [SCRIM_LOCAL_CONDENSED] = &sl_condensed,
};

const sl_kind *sl_kind_of(uint32_t protocol)
{
    return protocol < sizeof kinds / sizeof kinds[0] ? kinds[protocol] : NULL;
}

int sl_kind_takes(const sl_kind *kind, const scrim_local_config *config, int is_text)
{
    return kind != NULL && (config->text != 0) == is_text &&
           (is_text ? kind->encode_text != NULL : kind->encode != NULL) &&
           (config->metric == 0 || config->table != NULL);
}

const char *scrim_local_protocol_name(uint32_t protocol)
{
    const sl_kind *kind = sl_kind_of(protocol);
    return kind == NULL ? NULL : kind->name;
}
