#include "base/digest.h"
#include "base/hash.h"
#include "check.h"
#include "local/device/device_hash.h"

/* Every length around the edges of blocks, beside libcrypto's. */
TEST(device_sha256_agrees_with_libcrypto)
{
    sc_digester *digester = NULL;
    scrim_error error;
    char message[200];
    REQUIRE_OK(sc_digester_new(&digester, &error));
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (char)(31 * i + 7);
    for (size_t bytes = 0; bytes <= sizeof message; bytes++) {
        uint8_t ours[32];
        sc_digest theirs;
        sl_sha256(message, bytes, ours);
        CHECK_STATUS(sc_digest_of(digester, (sc_text){message, bytes}, (sc_text){0},
                                  &theirs, &error),
                     SCRIM_OK);
        CHECK_BYTES(ours, theirs.bytes, sizeof ours);
    }
    sc_digester_free(digester);
}

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
