/* What the production source leaves in memory, and what it takes of it. */
#include "check.h"
#include "faults.h"
#include "random/bits_system.h"
#include "random/private_pages.h"
#include "wiping.h"

#include <fcntl.h>
#include <inttypes.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

static void drain(sc_bits *bits)
{
    uint64_t word;
    while (bits->window->left > 0)
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
    return munmap(address, bytes);
}

TEST(system_bits_are_wiped_when_closed)
{
    sc_bits *bits = NULL;
    uint64_t bit;
    sc_private_pages_call.munmap = watching_munmap;
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    REQUIRE_OK(sc_bits_take(bits, 1, &bit, NULL));
    sc_bits_system_close(bits);
    CHECK(unmapped_wiped);
    sc_bits_system_close(NULL);
}

/* A key, kept so that this copy is not found. */
typedef struct masked {
    unsigned char bytes[16];
} masked;

static void mask(masked *out, const unsigned char *key)
{
    for (size_t i = 0; i < sizeof out->bytes; i++)
        out->bytes[i] = key[i] ^ 0xa5;
}

static masked last_seed;

static ssize_t remembering_getrandom(void *buffer, size_t bytes, unsigned flags)
{
    ssize_t got = getrandom(buffer, bytes, flags);
    mask(&last_seed, buffer);
    return got;
}

static size_t occurrences_in(const unsigned char *memory, size_t bytes, const masked *key)
{
    size_t found = 0;
    for (size_t at = 0; at + sizeof key->bytes <= bytes; at += 4) { /* all are aligned */
        size_t same = 0;
        while (same < sizeof key->bytes && (memory[at + same] ^ 0xa5) == key->bytes[same])
            same++;
        found += same == sizeof key->bytes;
    }
    return found;
}

/* The same in a mapping, read as a file: the sanitizers and valgrind do not mind that. The
 * pieces overlap by less than a key, and the copy is wiped, lest it be found too. */
static size_t occurrences_between(int memory, uintptr_t from, uintptr_t to,
                                  const masked *key)
{
    static unsigned char piece[65536];
    const size_t overlap = sizeof key->bytes - 4;
    size_t found = 0;
    while (to - from > overlap) {
        size_t bytes = to - from < sizeof piece ? to - from : sizeof piece;
        if (pread(memory, piece, bytes, (off_t)from) != (ssize_t)bytes)
            break;
        found += occurrences_in(piece, bytes, key);
        memset(piece, 0, sizeof piece);
        from += bytes - overlap;
    }
    return found;
}

/* How often the key stands in what this process can write to. */
static size_t occurrences(const masked *key)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    char line[512];
    size_t found = 0;
    while (maps != NULL && memory >= 0 && fgets(line, sizeof line, maps) != NULL) {
        uintptr_t from, to;
        /* The sanitizers' shadow is larger than any memory of ours. */
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) == 2 &&
            strstr(line, " rw") != NULL && to - from <= (uintptr_t)64 << 20)
            found += occurrences_between(memory, from, to, key);
    }
    if (maps != NULL)
        (void)fclose(maps);
    (void)close(memory);
    return found;
}

TEST(system_bits_keep_one_key_and_only_beside_the_window)
{
    CLAIM("bits.renew");
    sc_bits *bits = NULL;
    uint64_t word;
    sc_bits_system_call.getrandom = remembering_getrandom;
    sc_private_pages_call.madvise = wiping_pretended;
    REQUIRE_OK(sc_bits_system_open(&bits, NULL));
    CHECK_INT(occurrences(&last_seed), 1);
    for (int i = 0; i < 3; i++) {
        masked next, ahead;
        REQUIRE_OK(sc_bits_word(bits, &word, NULL));
        CHECK_INT(occurrences(&last_seed), 0);
        mask(&next, (const unsigned char *)bits->window->end);
        mask(&ahead, (const unsigned char *)(bits->window->end - 2));
        CHECK_INT(occurrences(&next), 1);
        CHECK_INT(occurrences(&ahead), 1);
        drain(bits);
        CHECK_INT(occurrences(&ahead), 0);
        REQUIRE_OK(sc_bits_word(bits, &word, NULL)); /* the key turns over */
        CHECK_INT(occurrences(&next), 0);
        mask(&ahead, (const unsigned char *)(bits->window->end - 2));
        REQUIRE_OK(sc_bits_system_renew(bits, NULL));
        CHECK_INT(occurrences(&ahead), 0);
        CHECK_INT(occurrences(&last_seed), 1);
    }
    sc_bits_system_close(bits);
    CHECK_INT(occurrences(&last_seed), 0);
}
