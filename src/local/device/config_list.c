#include "local/device/integers.h"
#include "scrim_local.h"

int scrim_local_config_is_listed(const scrim_local_config *config, const uint8_t *hashes,
                                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t differs = 0;
        for (size_t j = 0; j < SCRIM_LOCAL_HASH_BYTES; j++)
            differs |=
                (uint8_t)(hashes[i * SCRIM_LOCAL_HASH_BYTES + j] ^ config->hash[j]);
        if (differs == 0)
            return 1;
    }
    return 0;
}
