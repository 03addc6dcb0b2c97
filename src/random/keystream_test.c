#include "check.h"
#include "random/cipher.h"

#include <string.h>

static sc_keystream *seeded(void)
{
    sc_keystream *stream = NULL;
    CHECK_STATUS(sc_keystream_open(&stream, NULL), SCRIM_OK);
    for (size_t i = 0; stream != NULL && i < SC_CIPHER_KEY_BYTES; i++)
        stream->secrets->run.next.key[i] = (unsigned char)i;
    return stream;
}

static bool is_zero(const void *memory, size_t bytes)
{
    const unsigned char *at = memory;
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != 0)
            return false;
    return true;
}

/* A supply and a seed, of the keystream, at the end of the pages. */
TEST(keystream_run_of_any_length_ends_with_the_next_seed)
{
    for (uint32_t length = 2; length <= SC_KEYSTREAM_WORDS; length += 400) {
        sc_keystream *stream = seeded();
        if (stream == NULL)
            return;
        const sc_cipher_seed from = stream->secrets->run.next;
        sc_keystream_run want = {.words = {0}};
        CHECK_STATUS(sc_keystream_make(stream, length, NULL), SCRIM_OK);
        uint64_t *first = want.words + (SC_KEYSTREAM_WORDS - length);
        CHECK(sc_cipher_start(stream->cipher, &from) &&
              sc_cipher_apply(stream->cipher, first,
                              length * sizeof *first + sizeof want.next));
        CHECK_INT(stream->secrets->supply.left, length);
        CHECK_BYTES(&stream->secrets->run, &want, sizeof want);
        sc_keystream_close(stream);
    }
}

TEST(keystream_forgets_supply_and_seed)
{
    sc_keystream *stream = seeded();
    if (stream == NULL)
        return;
    CHECK_STATUS(sc_keystream_make(stream, 32, NULL), SCRIM_OK);
    stream->secrets->supply.fleeting = 0;
    sc_keystream_forget(stream);
    CHECK(is_zero(stream->secrets, sizeof *stream->secrets));
    sc_keystream_close(stream);
    sc_keystream_close(NULL);
}
