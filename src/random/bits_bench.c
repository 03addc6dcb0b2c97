/* The keystream as samplers take it, beside the cipher itself: libcrypto's EVP on blocks
 * of 16 KiB, which is what `openssl speed -evp aes-256-ctr` measures. */
#include "bench.h"

#include <openssl/evp.h>
#include <string.h>
#include <sys/random.h>

#define BLOCK_BYTES 16384

static unsigned char block[BLOCK_BYTES];

static void cipher(void *context, uint64_t operations)
{
    int written;
    for (; operations > 0; operations--)
        if (EVP_EncryptUpdate(context, block, &written, block, BLOCK_BYTES) != 1)
            bench_must(SCRIM_E_ENTROPY, &(scrim_error){.message = "EVP_EncryptUpdate"});
}

/* An operation is one word. */
static void words(void *context, uint64_t operations)
{
    scrim_error error;
    sc_bits *bits = bench_bits();
    uint64_t sum = 0;
    (void)context;
    for (; operations > 0; operations--) {
        uint64_t word = 0;
        bench_must(sc_bits_word(bits, &word, &error), &error);
        sum ^= word;
    }
    bench_keep(&sum);
}

/* A run of words straight from the supply, wiped as they are taken. */
static void supply(void *context, uint64_t operations)
{
    scrim_error error;
    sc_bits *bits = bench_bits();
    (void)context;
    while (operations > 0) {
        sc_bits_supply *ready = bits->supply;
        if (ready->left == 0)
            bench_must(bits->refill(bits, &error), &error);
        uint64_t take = ready->left < operations ? ready->left : operations;
        uint64_t *from = ready->end - ready->left;
        bench_keep(from);
        memset(from, 0, take * sizeof *from);
        ready->left -= take;
        operations -= take;
    }
}

static void unbuffered(void *context, uint64_t operations)
{
    uint64_t word;
    (void)context;
    for (; operations > 0; operations--)
        if (getrandom(&word, sizeof word, 0) != (ssize_t)sizeof word)
            bench_must(SCRIM_E_ENTROPY, &(scrim_error){.message = "getrandom"});
}

BENCH(bits)
{
    static const unsigned char key[32], counter[16];
    EVP_CIPHER_CTX *state = EVP_CIPHER_CTX_new();
    if (state == NULL ||
        EVP_EncryptInit_ex(state, EVP_aes_256_ctr(), NULL, key, counter) != 1)
        bench_must(SCRIM_E_ENTROPY, &(scrim_error){.message = "EVP_EncryptInit_ex"});
    const bench_case raw = {.name = "EVP aes-256-ctr, blocks of 16 KiB",
                            .unit = BENCH_GIGABYTES,
                            .body = cipher,
                            .context = state,
                            .bytes = BLOCK_BYTES};
    bench_measure(&(bench_case){.name = "keystream by the supply",
                                .unit = BENCH_GIGABYTES,
                                .body = supply,
                                .bytes = sizeof(uint64_t),
                                .counted = 1 << 16,
                                .rival = &raw,
                                .ratio_target = 0.5});
    bench_measure(&(bench_case){.name = "keystream by the word",
                                .unit = BENCH_GIGABYTES,
                                .body = words,
                                .bytes = sizeof(uint64_t),
                                .counted = 1 << 16,
                                .rival = &raw});
    bench_measure(&(bench_case){.name = "getrandom, 8 bytes a call",
                                .unit = BENCH_GIGABYTES,
                                .body = unbuffered,
                                .bytes = sizeof(uint64_t)});
    EVP_CIPHER_CTX_free(state);
}
