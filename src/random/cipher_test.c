#include "check.h"
#include "random/cipher.h"

#include <string.h>

#define BYTES 1000

static const sc_cipher_seed seed = {{1, 2, 3}, {[15] = 250}};

/* Encrypting again decrypts, and a counter says from which block on. */
TEST(cipher_is_its_own_inverse_from_any_block)
{
    unsigned char text[BYTES], whole[BYTES];
    sc_cipher *cipher = NULL;
    scrim_error error;
    REQUIRE_OK(sc_cipher_open(&cipher, &error));
    for (size_t i = 0; i < BYTES; i++)
        text[i] = whole[i] = (unsigned char)(i / 3);
    CHECK(sc_cipher_start(cipher, &seed) && sc_cipher_apply(cipher, whole, BYTES));
    size_t same = 0;
    for (size_t i = 0; i < BYTES; i++)
        same += text[i] == whole[i];
    CHECK(same < BYTES / 20);
    for (size_t block = 0; block < BYTES / 16; block++) {
        unsigned char rest[BYTES];
        sc_cipher_seed from = seed;
        /* The counter is one number: it carries from byte to byte. */
        from.counter[15] = (unsigned char)(250 + block);
        from.counter[14] = (unsigned char)((250 + block) >> 8);
        memcpy(rest, whole, BYTES);
        CHECK(sc_cipher_start(cipher, &from) &&
              sc_cipher_apply(cipher, rest + 16 * block, BYTES - 16 * block));
        CHECK(memcmp(rest + 16 * block, text + 16 * block, BYTES - 16 * block) == 0);
    }
    CHECK(sc_cipher_forget(cipher));
    memcpy(whole, text, BYTES);
    CHECK(sc_cipher_apply(cipher, whole, BYTES) && memcmp(whole, text, BYTES) != 0);
    sc_cipher_close(cipher);
    sc_cipher_close(NULL);
}
