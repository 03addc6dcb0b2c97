/* The memory of the production source: what it takes, and what it leaves there. */
#include "check.h"
#include "faults.h"
#include "random/bits_system.h"
#include "random/private_pages.h"
#include "remains.h"
#include "system_calls.h"
#include "wiping.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>

static void drain(sc_bits *bits)
{
    uint64_t word;
    while (bits->supply->left > 0)
        REQUIRE_OK(sc_bits_word(bits, &word, NULL));
}

static _Atomic uint64_t library_allocations;

static void *counting_malloc(size_t bytes, const char *file, int line)
{
    (void)file, (void)line;
    library_allocations++;
    return malloc(bytes);
}

static void *counting_realloc(void *old, size_t bytes, const char *file, int line)
{
    (void)file, (void)line;
    library_allocations++;
    return realloc(old, bytes);
}

static void counting_free(void *old, const char *file, int line)
{
    (void)file, (void)line;
    free(old);
}

TEST(system_bits_allocate_nothing_while_drawing)
{
    sc_bits *bits = NULL;
    uint64_t word;
    REQUIRE(CRYPTO_set_mem_functions(counting_malloc, counting_realloc, counting_free) ==
            1);
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    CHECK(library_allocations > 0);
    const uint64_t before = library_allocations, ours = fault_allocations();
    for (int i = 0; i < 50; i++) {
        CHECK_STATUS(sc_bits_word(bits, &word, NULL), SCRIM_OK);
        drain(bits);
        CHECK_STATUS(sc_bits_system_renew(bits, NULL), SCRIM_OK);
    }
    CHECK_INT(library_allocations, before);
    CHECK_INT(fault_allocations(), ours);
    sc_bits_system_close(bits);
}

static bool unmapped_wiped;

static int watching_munmap(void *address, size_t bytes)
{
    const unsigned char *page = address;
    unmapped_wiped = true;
    for (size_t i = 0; i < bytes; i++)
        unmapped_wiped = unmapped_wiped && page[i] == 0;
    return system_real.munmap(address, bytes);
}

TEST(system_bits_are_wiped_when_closed)
{
    sc_bits *bits = NULL;
    uint64_t bit;
    system_call.munmap = watching_munmap;
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    REQUIRE_OK(sc_bits_take(bits, 1, &bit, NULL));
    sc_bits_system_close(bits);
    CHECK(unmapped_wiped);
    sc_bits_system_close(NULL);
}

static masked last_seed;

static ssize_t remembering_getrandom(void *buffer, size_t bytes, unsigned flags)
{
    ssize_t got = system_real.getrandom(buffer, bytes, flags);
    masked_set(&last_seed, buffer);
    return got;
}

SLOW_TEST(system_bits_keep_one_key_and_only_beside_the_window)
{
    CLAIM("bits.renew");
    sc_bits *bits = NULL;
    uint64_t word;
    system_call.getrandom = remembering_getrandom;
    system_call.madvise = wiping_pretended;
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    CHECK_INT(masked_remains(&last_seed), 1);
    for (int i = 0; i < 3; i++) {
        masked next, ahead;
        REQUIRE_OK(sc_bits_word(bits, &word, NULL));
        CHECK_INT(masked_remains(&last_seed), 0);
        masked_set(&next, bits->supply->end);
        masked_set(&ahead, bits->supply->end - 2);
        CHECK_INT(masked_remains(&next), 1);
        CHECK_INT(masked_remains(&ahead), 1);
        drain(bits);
        CHECK_INT(masked_remains(&ahead), 0);
        REQUIRE_OK(sc_bits_word(bits, &word, NULL)); /* the key turns over */
        CHECK_INT(masked_remains(&next), 0);
        masked_set(&ahead, bits->supply->end - 2);
        REQUIRE_OK(sc_bits_system_renew(bits, NULL));
        CHECK_INT(masked_remains(&ahead), 0);
        CHECK_INT(masked_remains(&last_seed), 1);
    }
    sc_bits_system_close(bits);
    CHECK_INT(masked_remains(&last_seed), 0);
}

static ssize_t failing_getrandom(void *buffer, size_t bytes, unsigned flags)
{
    (void)buffer, (void)bytes, (void)flags;
    errno = EIO;
    return -1;
}

/* Otherwise bits to come would still be known to somebody who takes the process apart. */
SLOW_TEST(system_bits_keep_no_key_where_fresh_entropy_fails)
{
    CLAIM("bits.renew");
    sc_bits *bits = NULL;
    uint64_t word;
    masked next, ahead;
    system_call.madvise = wiping_pretended;
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    for (int i = 0; i < 3; i++) {
        system_call.getrandom = NULL;
        REQUIRE_OK(sc_bits_word(bits, &word, NULL));
        masked_set(&next, bits->supply->end);
        masked_set(&ahead, bits->supply->end - 2);
        CHECK_INT(masked_remains(&next), 1);
        system_call.getrandom = failing_getrandom;
        CHECK_STATUS(sc_bits_system_renew(bits, NULL), SCRIM_E_ENTROPY);
        CHECK_INT(masked_remains(&next), 0);
        CHECK_INT(masked_remains(&ahead), 0);
        CHECK_INT(bits->supply->left, 0);
        CHECK_STATUS(sc_bits_word(bits, &word, NULL), SCRIM_E_ENTROPY);
    }
    sc_bits_system_close(bits);
}
