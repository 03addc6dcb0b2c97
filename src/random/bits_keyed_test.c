#include "check.h"
#include "faults.h"
#include "random/bits_keyed.h"
#include "random/cipher.h"
#include "system_calls.h"

#include <openssl/evp.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 5000 };

static sc_bits *open_keyed(const sc_bits_key *key, sc_bits_stream stream)
{
    sc_bits *bits = NULL;
    CHECK_STATUS(sc_bits_keyed_open(key, stream, &bits, NULL), SCRIM_OK);
    return bits;
}

static sc_bits_key key_of(unsigned char first)
{
    sc_bits_key key;
    for (size_t i = 0; i < sizeof key.bytes; i++)
        key.bytes[i] = (unsigned char)(first + i);
    return key;
}

/* The first words by libcrypto's own interface: AES-256-CTR of zeros. */
TEST(A84_keyed_bits_are_the_ciphers)
{
    CLAIM("bits-keyed.same");
    const sc_bits_key key = key_of(7);
    unsigned char counter[16] = {SC_BITS_DRAWS}, zeros[64] = {0}, stream[64];
    int count = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), NULL, key.bytes, counter) == 1);
    CHECK(EVP_EncryptUpdate(context, stream, &count, zeros, sizeof zeros) == 1);
    EVP_CIPHER_CTX_free(context);
    sc_bits *bits = open_keyed(&key, SC_BITS_DRAWS);
    for (size_t i = 0; i < sizeof stream; i += 8) {
        uint64_t word = 0, want = 0;
        CHECK_STATUS(sc_bits_word(bits, &word, NULL), SCRIM_OK);
        for (size_t k = 8; k > 0; k--)
            want = want << 8 | stream[i + k - 1];
        CHECK(word == want);
    }
    sc_bits_keyed_close(bits);
}

/* Over several refills, by words, by bits and by many at once; after a restart, too. */
TEST(A84_keyed_bits_are_the_same_however_they_are_taken)
{
    CLAIM("bits-keyed.same");
    static uint64_t words[WORDS], filled[WORDS];
    const sc_bits_key key = key_of(1), other = key_of(2);
    sc_bits *bits = open_keyed(&key, SC_BITS_DRAWS);
    sc_bits *again = open_keyed(&other, SC_BITS_HASHES);
    for (size_t i = 0; i < WORDS; i++)
        CHECK_STATUS(sc_bits_word(bits, &words[i], NULL), SCRIM_OK);
    CHECK_STATUS(sc_bits_fill(again, filled, 100, NULL), SCRIM_OK);
    uint64_t part;
    CHECK_STATUS(sc_bits_take(again, 5, &part, NULL), SCRIM_OK);
    sc_bits_keyed_restart(again, &key, SC_BITS_DRAWS);
    CHECK_STATUS(sc_bits_fill(again, filled, WORDS, NULL), SCRIM_OK);
    CHECK(memcmp(words, filled, sizeof words) == 0);
    sc_bits_keyed_restart(again, &key, SC_BITS_DRAWS);
    bool is_same = true;
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t low = 0, high = 0;
        CHECK_STATUS(sc_bits_take(again, 13, &low, NULL), SCRIM_OK);
        CHECK_STATUS(sc_bits_take(again, 51, &high, NULL), SCRIM_OK);
        is_same = is_same && (high << 13 | low) == words[i];
    }
    CHECK(is_same);
    sc_bits_keyed_close(again);
    sc_bits_keyed_close(bits);
}

/* Other keys and other streams have no word in common. */
TEST(A84_keyed_streams_are_apart)
{
    CLAIM("bits-keyed.same");
    static uint64_t words[4][WORDS];
    sc_bits_key keys[2];
    for (size_t i = 0; i < 2; i++)
        CHECK_STATUS(sc_bits_key_draw(&keys[i], NULL), SCRIM_OK);
    CHECK(memcmp(keys[0].bytes, keys[1].bytes, sizeof keys[0].bytes) != 0);
    for (size_t i = 0; i < 4; i++) {
        sc_bits *bits =
            open_keyed(&keys[i / 2], i % 2 == 0 ? SC_BITS_HASHES : SC_BITS_DRAWS);
        CHECK_STATUS(sc_bits_fill(bits, words[i], WORDS, NULL), SCRIM_OK);
        sc_bits_keyed_close(bits);
    }
    for (size_t a = 0; a < 4; a++)
        for (size_t b = a + 1; b < 4; b++)
            for (size_t i = 0; i < 50; i++)
                for (size_t k = 0; k < WORDS; k++)
                    if (words[a][i] == words[b][k])
                        CHECK(words[a][i] != words[b][k]);
}

TEST(A84_keyed_bits_stay_with_their_process)
{
    CLAIM("bits-keyed.fork");
    const sc_bits_key key = key_of(3);
    sc_bits *bits = open_keyed(&key, SC_BITS_DRAWS);
    uint64_t word = 0;
    CHECK_STATUS(sc_bits_take(bits, 3, &word, NULL), SCRIM_OK);
    const pid_t child = fork();
    if (child == 0) {
        bool is_refused = sc_bits_take(bits, 7, &word, NULL) == SCRIM_E_STATE &&
                          sc_bits_word(bits, &word, NULL) == SCRIM_E_STATE;
        _exit(is_refused ? 0 : 1);
    }
    int state = 1;
    CHECK(waitpid(child, &state, 0) == child);
    CHECK_INT(state, 0);
    CHECK_STATUS(sc_bits_word(bits, &word, NULL), SCRIM_OK);
    sc_bits_keyed_close(bits);
}

static int take_no_advice(void *pages, size_t bytes, int advice)
{
    (void)pages, (void)bytes, (void)advice;
    return -1;
}

/* A kernel that wipes nothing: the number of the process is all there is. */
TEST(A84_keyed_bits_stay_with_their_process_by_its_number)
{
    CLAIM("bits-keyed.fork");
    const sc_bits_key key = key_of(3);
    system_call.madvise = take_no_advice;
    sc_bits *bits = open_keyed(&key, SC_BITS_DRAWS);
    system_call.madvise = NULL;
    uint64_t word = 0;
    int state = 1;
    const pid_t child = fork();
    if (child == 0)
        _exit(sc_bits_word(bits, &word, NULL) == SCRIM_E_STATE ? 0 : 1);
    CHECK(child > 0 && waitpid(child, &state, 0) == child);
    CHECK_INT(state, 0);
    CHECK_STATUS(sc_bits_word(bits, &word, NULL), SCRIM_OK);
    sc_bits_keyed_close(bits);
}

static const OSSL_ALGORITHM *no_algorithm(const OSSL_PROVIDER *provider, int operation,
                                          int *no_cache)
{
    (void)provider, (void)operation;
    *no_cache = 1;
    return NULL;
}

TEST(A84_keyed_bits_without_memory_or_cipher)
{
    CLAIM("bits-keyed.fail");
    const sc_bits_key key = key_of(5);
    FAULT_LOOP(fault)
    {
        sc_bits *bits = NULL;
        const scrim_status status = sc_bits_keyed_open(&key, SC_BITS_DRAWS, &bits, NULL);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY ||
              status == SCRIM_E_ENTROPY);
        CHECK((status == SCRIM_OK) == (bits != NULL));
        sc_bits_keyed_close(bits);
    }
    const system_calls kept = system_call;
    sc_bits *bits = NULL;
    sc_bits_key none;
    system_call.provider_query = no_algorithm;
    CHECK_STATUS(sc_bits_keyed_open(&key, SC_BITS_DRAWS, &bits, NULL), SCRIM_E_ENTROPY);
    CHECK_STATUS(sc_bits_key_draw(&none, NULL), SCRIM_E_ENTROPY);
    system_call = kept;
    CHECK(bits == NULL);
}
