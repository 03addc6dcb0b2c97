/* Engines and cipher methods are deprecated, and still obeyed. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "check.h"
#include "faults.h"
#include "random/bits_system.h"
#include "random/cipher.h"
#include "random/private_pages.h"
#include "system_calls.h"
#include "wiping.h"

#include <errno.h>
#include <inttypes.h>
#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#ifndef OPENSSL_NO_ENGINE
#include <openssl/engine.h>
#endif
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEED_BYTES = 48 };

/* A kernel that fails on demand. */

typedef struct fault {
    int number;   /* errno, or 0 for a short answer */
    size_t bytes; /* of that answer */
} fault;

static const fault faults[] = {{EAGAIN, 0}, {ENOSYS, 0}, {EPERM, 0}, {EIO, 0},
                               {EFAULT, 0}, {0, 0},      {0, 1},     {0, 7}};
enum { FAULTS = sizeof faults / sizeof faults[0] };

static struct {
    uint64_t calls, failures; /* calls so far; how many more will fail */
    fault fault;
} kernel;

static ssize_t faulty_getrandom(void *buffer, size_t bytes, unsigned flags)
{
    kernel.calls++;
    CHECK_INT(flags, 0);
    CHECK(bytes <= 256);
    if (kernel.failures == 0)
        return system_real.getrandom(buffer, bytes, flags);
    kernel.failures--;
    if (kernel.fault.number != 0) {
        errno = kernel.fault.number;
        return -1;
    }
    memset(buffer, 0x5a, kernel.fault.bytes);
    return (ssize_t)kernel.fault.bytes;
}

static void kernel_fails(fault how, uint64_t times)
{
    system_call.getrandom = faulty_getrandom;
    kernel.fault = how;
    kernel.failures = times;
}

static void kernel_works(void)
{
    kernel.failures = 0;
}

/* No words and no bits come out, and the output stays as it was. */
static bool gives_nothing(sc_bits *bits)
{
    scrim_error error = {.status = SCRIM_OK};
    uint64_t word = 42, taken = 43;
    scrim_status of_word = sc_bits_word(bits, &word, &error);
    scrim_status of_take = sc_bits_take(bits, 1, &taken, NULL);
    return of_word == SCRIM_E_ENTROPY && of_take == SCRIM_E_ENTROPY && word == 42 &&
           taken == 43 && error.status == SCRIM_E_ENTROPY && error.message[0] != '\0';
}

static bool gives_words(sc_bits *bits)
{
    uint64_t a = 0, b = 0;
    return sc_bits_word(bits, &a, NULL) == SCRIM_OK &&
           sc_bits_word(bits, &b, NULL) == SCRIM_OK && a != b;
}

TEST(system_bits_fail_to_open_when_the_kernel_fails)
{
    CLAIM("bits.fail");
    for (size_t i = 0; i < FAULTS; i++) {
        scrim_error error = {.status = SCRIM_OK};
        sc_bits *bits = NULL;
        kernel_fails(faults[i], 1);
        CHECK_STATUS(sc_bits_system_open(&bits, &error), SCRIM_E_ENTROPY);
        CHECK(bits == NULL);
        CHECK(strstr(error.message, "getrandom") != NULL);
        REQUIRE_OK(sc_bits_system_open(&bits, &error));
        CHECK(gives_words(bits));
        sc_bits_system_close(bits);
    }
}

TEST(system_bits_fail_to_renew_when_the_kernel_fails)
{
    CLAIM("bits.fail");
    for (size_t i = 0; i < FAULTS; i++) {
        sc_bits *bits = NULL;
        uint64_t bit;
        kernel_works();
        REQUIRE_OK(sc_bits_system_open(&bits, NULL));
        REQUIRE_OK(sc_bits_take(bits, 1, &bit, NULL)); /* 63 bits are held */
        kernel_fails(faults[i], UINT64_MAX);
        CHECK_STATUS(sc_bits_system_renew(bits, NULL), SCRIM_E_ENTROPY);
        CHECK(gives_nothing(bits));
        kernel_works();
        CHECK(gives_words(bits));
        CHECK_STATUS(sc_bits_system_renew(bits, NULL), SCRIM_OK);
        CHECK(gives_words(bits));
        sc_bits_system_close(bits);
    }
}

TEST(system_bits_of_a_child_fail_when_the_kernel_fails)
{
    CLAIM("bits.fail");
    sc_bits *bits = NULL;
    uint64_t bit;
    if (!wiping_works())
        SKIP("a fork wipes no pages here, so that no supply is kept");
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    REQUIRE_OK(sc_bits_take(bits, 1, &bit, NULL));
    for (size_t i = 0; i < FAULTS; i++) {
        kernel_fails(faults[i], UINT64_MAX);
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            bool closed = gives_nothing(bits);
            kernel_works();
            _exit(closed && gives_words(bits) ? 0 : 1);
        }
        int status = -1;
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK_INT(status, 0);
        CHECK(gives_words(bits)); /* the parent's supply is still full */
    }
    sc_bits_system_close(bits);
}

TEST(system_bits_ask_again_when_a_signal_interrupts)
{
    CLAIM("bits.fail");
    sc_bits *bits = NULL;
    kernel_fails((fault){EINTR, 0}, 20);
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    CHECK_INT(kernel.calls, 21);
    CHECK(gives_words(bits));
    /* but not for ever */
    kernel_fails((fault){EINTR, 0}, UINT64_MAX);
    CHECK_STATUS(sc_bits_system_renew(bits, NULL), SCRIM_E_ENTROPY);
    CHECK(gives_nothing(bits));
    sc_bits_system_close(bits);
}

/* A kernel that cannot wipe. */

static int madvise_refuses(void *address, size_t bytes, int advice)
{
    (void)address, (void)bytes, (void)advice;
    errno = EINVAL;
    return -1;
}

/* As an emulator that takes advice for a hint. */
static int madvise_ignores(void *address, size_t bytes, int advice)
{
    (void)address, (void)bytes, (void)advice;
    return 0;
}

TEST(system_bits_buffer_nothing_where_a_fork_wipes_nothing)
{
    CLAIM("bits.fork");
    static int (*const answers[])(void *, size_t, int) = {madvise_refuses,
                                                          madvise_ignores};
    for (int i = 0; i < 2; i++) {
        sc_bits *bits = NULL;
        kernel_fails((fault){0, 0}, 0);
        system_call.madvise = answers[i];
        REQUIRE_OK(sc_bits_system_open(&bits, NULL));
        for (uint64_t j = 0; j < 10; j++) {
            const uint64_t calls = kernel.calls;
            uint64_t word;
            REQUIRE_OK(j % 2 == 0 ? sc_bits_word(bits, &word, NULL)
                                  : sc_bits_take(bits, 1, &word, NULL));
            CHECK_INT(kernel.calls, calls + 1);
            CHECK_INT(bits->supply->left, 0);
            CHECK_INT(bits->supply->held, 0);
            CHECK_INT(bits->supply->reservoir, 0);
        }
        for (size_t j = 0; j < FAULTS; j++) {
            kernel_fails(faults[j], 2); /* one for the word, one for the bit */
            CHECK(gives_nothing(bits));
            CHECK(gives_words(bits));
            CHECK_STATUS(sc_bits_system_renew(bits, NULL), SCRIM_OK);
        }
        sc_bits_system_close(bits);
    }
}

/* The line of flags of the mapping that holds the address; false when it is not told. */
static bool mapping_flags(const void *address, char flags[256])
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    bool inside = false, found = false;
    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        uintptr_t from, to;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
            inside = from <= (uintptr_t)address && (uintptr_t)address < to;
        found = inside && sscanf(line, "VmFlags: %255[^\n]", flags) == 1;
    }
    (void)fclose(file);
    return found;
}

TEST(system_bits_lie_in_pages_that_are_wiped_and_not_dumped)
{
    CLAIM("bits.fork");
    sc_bits *bits = NULL;
    char flags[256];
    if (!wiping_works())
        SKIP("a fork wipes no pages here");
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    CHECK(gives_words(bits));
    if (!mapping_flags(bits->supply, flags)) {
        sc_bits_system_close(bits);
        SKIP("no VmFlags in /proc/self/smaps");
    }
    CHECK(strstr(flags, "wf") != NULL);
    CHECK(strstr(flags, "dd") != NULL);
    CHECK(mapping_flags(bits->supply->end - 1, flags) && strstr(flags, "wf") != NULL);
    CHECK(!mapping_flags(bits, flags) || strstr(flags, "wf") == NULL);
    sc_bits_system_close(bits);
}

/* Libcrypto. */

static struct {
    OSSL_FUNC_cipher_encrypt_init_fn *start;
    OSSL_FUNC_cipher_update_fn *update;
    int start_fails, update_fails, update_lies; /* at this call, counted down */
} library;

static int faulty_start(void *state, const unsigned char *key, size_t key_bytes,
                        const unsigned char *iv, size_t iv_bytes,
                        const OSSL_PARAM *params)
{
    if (library.start_fails > 0 && --library.start_fails == 0)
        return 0;
    return library.start(state, key, key_bytes, iv, iv_bytes, params);
}

static int faulty_update(void *state, unsigned char *out, size_t *made, size_t room,
                         const unsigned char *in, size_t bytes)
{
    if (library.update_fails > 0 && --library.update_fails == 0)
        return 0;
    int result = library.update(state, out, made, room, in, bytes);
    if (library.update_lies > 0 && --library.update_lies == 0)
        out[bytes - 1] ^= 1;
    return result;
}

/* libcrypto's AES-256-CTR with two functions replaced. */
static const OSSL_ALGORITHM *faulty_query(const OSSL_PROVIDER *provider, int operation,
                                          int *no_cache)
{
    static OSSL_DISPATCH functions[64];
    static OSSL_ALGORITHM algorithms[] = {
        {"AES-256-CTR", "provider=default", functions, ""}, {NULL, NULL, NULL, NULL}};
    const OSSL_ALGORITHM *a = system_real.provider_query(provider, operation, no_cache);
    while (strcmp(a->algorithm_names, "AES-256-CTR") != 0)
        a++;
    for (size_t i = 0; i == 0 || functions[i - 1].function_id != 0; i++) {
        functions[i] = a->implementation[i];
        if (functions[i].function_id == OSSL_FUNC_CIPHER_ENCRYPT_INIT) {
            library.start = OSSL_FUNC_cipher_encrypt_init(&functions[i]);
            functions[i].function = (void (*)(void))faulty_start;
        } else if (functions[i].function_id == OSSL_FUNC_CIPHER_UPDATE) {
            library.update = OSSL_FUNC_cipher_update(&functions[i]);
            functions[i].function = (void (*)(void))faulty_update;
        }
    }
    return algorithms;
}

static const OSSL_ALGORITHM *empty_query(const OSSL_PROVIDER *provider, int operation,
                                         int *no_cache)
{
    static const OSSL_DISPATCH nothing[] = {{0, NULL}};
    static const OSSL_ALGORITHM without[] = {{"AES-256-CTR", "", nothing, ""},
                                             {NULL, NULL, NULL, NULL}};
    (void)provider, (void)operation;
    *no_cache = 0;
    return without;
}

static const OSSL_ALGORITHM *no_query(const OSSL_PROVIDER *provider, int operation,
                                      int *no_cache)
{
    (void)provider, (void)operation, (void)no_cache;
    return NULL;
}

TEST(system_bits_fail_to_open_without_the_right_cipher)
{
    CLAIM("bits.fail");
    scrim_error error = {.status = SCRIM_OK};
    sc_bits *bits = NULL;
    system_call.provider_query = no_query;
    CHECK_STATUS(sc_bits_system_open(&bits, NULL), SCRIM_E_ENTROPY);
    system_call.provider_query = empty_query;
    CHECK_STATUS(sc_bits_system_open(&bits, NULL), SCRIM_E_ENTROPY);
    system_call.provider_query = faulty_query;
    library.start_fails = 1;
    CHECK_STATUS(sc_bits_system_open(&bits, NULL), SCRIM_E_ENTROPY);
    library.update_fails = 1;
    CHECK_STATUS(sc_bits_system_open(&bits, NULL), SCRIM_E_ENTROPY);
    library.update_lies = 1;
    CHECK_STATUS(sc_bits_system_open(&bits, &error), SCRIM_E_ENTROPY);
    CHECK(strstr(error.message, "known-answer") != NULL);
    CHECK(bits == NULL);
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    CHECK(gives_words(bits));
    sc_bits_system_close(bits);
}

static void drain(sc_bits *bits)
{
    uint64_t word;
    while (bits->supply->left > 0)
        REQUIRE_OK(sc_bits_word(bits, &word, NULL));
}

/* A refill keys the cipher, runs it, and keys it again to forget: each may fail. */
TEST(system_bits_take_a_fresh_seed_after_the_cipher_failed)
{
    CLAIM("bits.fail");
    int *const points[] = {&library.start_fails, &library.update_fails,
                           &library.start_fails};
    const int at[] = {1, 1, 2};
    sc_bits *bits = NULL;
    system_call.provider_query = faulty_query;
    system_call.madvise = wiping_pretended;
    kernel_fails((fault){0, 0}, 0);
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    for (int i = 0; i < 3; i++) {
        uint64_t word = 42;
        CHECK(gives_words(bits));
        drain(bits);
        uint64_t calls = kernel.calls;
        *points[i] = at[i];
        CHECK_STATUS(sc_bits_word(bits, &word, NULL), SCRIM_E_ENTROPY);
        CHECK_INT(word, 42);
        CHECK_INT(bits->supply->left, 0);
        CHECK_INT(kernel.calls, calls);
        CHECK(gives_words(bits));
        CHECK_INT(kernel.calls, calls + 1);
    }
    sc_bits_system_close(bits);
}

static ssize_t fixed_getrandom(void *buffer, size_t bytes, unsigned flags)
{
    unsigned char *out = buffer;
    (void)flags;
    for (size_t i = 0; i < bytes; i++)
        out[i] = (unsigned char)(0xf0 + i); /* the counter block carries far */
    return (ssize_t)bytes;
}

/* The same by another road: EVP. */
static void aes_stream(const unsigned char seed[SEED_BYTES], void *out, size_t bytes)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int made = 0;
    memset(out, 0, bytes);
    CHECK_INT(EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), NULL, seed, seed + 32), 1);
    CHECK_INT(EVP_EncryptUpdate(context, out, &made, out, (int)bytes), 1);
    CHECK_INT(made, bytes);
    EVP_CIPHER_CTX_free(context);
}

/* Three supplies of AES-256-CTR, each with the seed that closed the one before. */
static void check_keystream(sc_bits *bits)
{
    unsigned char seed[SEED_BYTES];
    uint64_t expected[4096];
    (void)fixed_getrandom(seed, sizeof seed, 0);
    for (int supply = 0; supply < 3; supply++) {
        uint64_t word = 0;
        REQUIRE_OK(sc_bits_word(bits, &word, NULL));
        size_t words = bits->supply->left + 1;
        REQUIRE(words < 4000);
        aes_stream(seed, expected, 8 * words + SEED_BYTES);
        memcpy(seed, expected + words, sizeof seed);
        for (size_t i = 0; i < words; i++) {
            REQUIRE(word == expected[i]);
            if (i + 1 < words)
                REQUIRE_OK(sc_bits_word(bits, &word, NULL));
        }
        CHECK_INT(bits->supply->left, 0);
    }
}

TEST(system_bits_are_the_keystream_and_each_window_makes_the_next_key)
{
    CLAIM("bits.host");
    sc_bits *bits = NULL;
    system_call.getrandom = fixed_getrandom;
    system_call.madvise = wiping_pretended;
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    check_keystream(bits);
    sc_bits_system_close(bits);
}

TEST(system_bits_heed_no_configuration_of_libcrypto)
{
    CLAIM("bits.host");
    static const char text[] = "openssl_conf = all\n[all]\nalg_section = algorithms\n"
                               "[algorithms]\ndefault_properties = provider=none\n";
    int file = memfd_create("openssl.cnf", 0);
    char path[64];
    sc_bits *bits = NULL;
    REQUIRE(file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    REQUIRE(setenv("OPENSSL_CONF", path, 1) == 0);
    /* It is the end of EVP in the context that everybody shares, and not ours. */
    REQUIRE(OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, NULL) == 1);
    CHECK(EVP_CIPHER_fetch(NULL, "AES-256-CTR", NULL) == NULL);
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    CHECK(gives_words(bits));
    sc_bits_system_close(bits);
    (void)close(file);
}

#ifndef OPENSSL_NO_ENGINE
/* An engine of the host program whose AES-256-CTR encrypts nothing. */
static int copy_start(EVP_CIPHER_CTX *context, const unsigned char *key,
                      const unsigned char *iv, int encrypt)
{
    (void)context, (void)key, (void)iv, (void)encrypt;
    return 1;
}

static int copy_update(EVP_CIPHER_CTX *context, unsigned char *out,
                       const unsigned char *in, size_t bytes)
{
    (void)context;
    memmove(out, in, bytes);
    return 1;
}

static int engine_ciphers(ENGINE *engine, const EVP_CIPHER **out, const int **numbers,
                          int number)
{
    static const int known[] = {NID_aes_256_ctr};
    static EVP_CIPHER *copy;
    (void)engine, (void)number;
    if (out == NULL) {
        *numbers = known;
        return 1;
    }
    if (copy == NULL) {
        copy = EVP_CIPHER_meth_new(NID_aes_256_ctr, 1, 32);
        EVP_CIPHER_meth_set_iv_length(copy, 16);
        EVP_CIPHER_meth_set_flags(copy, EVP_CIPH_CTR_MODE);
        EVP_CIPHER_meth_set_init(copy, copy_start);
        EVP_CIPHER_meth_set_do_cipher(copy, copy_update);
    }
    *out = copy;
    return 1;
}

TEST(system_bits_heed_no_engine_of_the_host_program)
{
    CLAIM("bits.host");
    static const unsigned char zeros[64];
    unsigned char seed[SEED_BYTES], expected[64], hijacked[64];
    sc_bits *bits = NULL;
    uint64_t word = 0, first;
    ENGINE *engine = ENGINE_new();
    (void)fixed_getrandom(seed, sizeof seed, 0);
    aes_stream(seed, expected, sizeof expected);
    REQUIRE(engine != NULL && ENGINE_set_id(engine, "copy") == 1 &&
            ENGINE_set_ciphers(engine, engine_ciphers) == 1 &&
            ENGINE_set_default_ciphers(engine) == 1);
    aes_stream(seed, hijacked, sizeof hijacked);
    CHECK_BYTES(hijacked, zeros, sizeof zeros); /* so much for EVP */
    system_call.getrandom = fixed_getrandom;
    system_call.madvise = wiping_pretended;
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    REQUIRE_OK(sc_bits_word(bits, &word, NULL));
    memcpy(&first, expected, sizeof first);
    CHECK_INT(word, first);
    sc_bits_system_close(bits);
    ENGINE_unregister_ciphers(engine);
    (void)ENGINE_free(engine);
}
#endif

TEST(system_bits_without_memory_fail_and_leak_nothing)
{
    FAULT_LOOP(refused)
    {
        sc_bits *bits = NULL;
        scrim_status status = sc_bits_system_open(&bits, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        CHECK((bits != NULL) == (status == SCRIM_OK));
        sc_bits_system_close(bits);
    }
}

/* Statistics. */

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* False alarms: 1e-9 for each of the three bounds. For 255 degrees of freedom chi-square
 * exceeds 414.545 and falls below 141.927 with that probability; a normal variable leaves
 * 6.11 standard deviations. */
TEST(system_bits_are_balanced_and_no_window_comes_twice)
{
    enum { WORDS = 1000000, EXPECTED = WORDS / 32, SUPPLIES = 4096 };
    static uint64_t counts[256], first[SUPPLIES];
    sc_bits *bits = NULL;
    int64_t ones = 0;
    size_t supplies = 0;
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    for (int i = 0; i < WORDS; i++) {
        bool fresh = bits->supply->left == 0;
        uint64_t word = 0;
        REQUIRE_OK(sc_bits_word(bits, &word, NULL));
        if (fresh && supplies < SUPPLIES)
            first[supplies++] = word;
        ones += __builtin_popcountll(word);
        for (unsigned byte = 0; byte < 8; byte++)
            counts[word >> (8 * byte) & 0xff]++;
    }
    uint64_t squares = 0;
    for (int i = 0; i < 256; i++) {
        int64_t off = (int64_t)counts[i] - EXPECTED;
        squares += (uint64_t)(off * off);
    }
    const uint64_t thousandths = squares * 1000 / EXPECTED;
    CHECK(thousandths < 414545);
    CHECK(thousandths > 141927);
    /* 64 000 000 bits: the standard deviation is 4000 */
    CHECK(llabs(ones - 32 * (int64_t)WORDS) < 24440);
    CHECK(supplies > 100);
    qsort(first, supplies, sizeof first[0], compare_words);
    for (size_t i = 1; i < supplies; i++)
        CHECK(first[i] != first[i - 1]);
    sc_bits_system_close(bits);
}
