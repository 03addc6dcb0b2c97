#include "base/digest.h"
#include "check.h"
#include "local/device/sha256.h"

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
