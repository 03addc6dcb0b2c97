#include "base/hash.h"
#include "check.h"
#include "local/device/siphash.h"

/* The paper's example, and every length beside the library's own. */
TEST(device_siphash_agrees)
{
    const uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    const sc_hash_key other = {key[0], key[1]};
    uint8_t message[40];
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)i;
    CHECK(sl_siphash(key, message, 15) == UINT64_C(0xa129ca6149be45e5));
    for (size_t bytes = 0; bytes <= sizeof message; bytes++)
        CHECK(sl_siphash(key, message, bytes) == sc_hash(&other, message, bytes));
}
