#include "local/device/kind_table.h"

#include "local/device/response_encoder.h"

/* Beside scrim_local_protocol. */
static const sl_kind *const kinds[] = {
    [SCRIM_LOCAL_RESPONSE] = &sl_response,
};

const sl_kind *sl_kind_of(uint32_t protocol)
{
    return protocol < sizeof kinds / sizeof kinds[0] ? kinds[protocol] : NULL;
}

const char *scrim_local_protocol_name(uint32_t protocol)
{
    const sl_kind *kind = sl_kind_of(protocol);
    return kind == NULL ? NULL : kind->name;
}
