#include "check.h"
#include "local_device.h"

/* The cap itself is within the cap; a part in 2^32 above it is not. */
TEST(local_loss_is_held_against_a_cap)
{
    const scrim_local_config config =
        device_config("randomised-response values=2 a=21 b=3");
    CHECK_INT(scrim_local_config_is_within(&config, 7, 1), 1);
    CHECK_INT(scrim_local_config_is_within(&config, 4294967289, 613566756), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 8, 1), 1);
    CHECK_INT(scrim_local_config_is_within(&config, 6, 1), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 7, 0), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 1, 7), 0);
    /* 2^32 ln 7 = 8357620451.147 */
    CHECK_INT(scrim_local_loss(&config), 8357620452);
    const scrim_local_config none = {.protocol = 0};
    CHECK(scrim_local_loss(&none) == UINT64_MAX);
    CHECK_INT(scrim_local_config_is_within(&none, UINT32_MAX, 1), 0);
}
