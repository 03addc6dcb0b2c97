#include "remains.h"

#include "base/number/ball.h"
#include "check.h"
#include "random/bits_keyed.h"
#include "secret.h"

#include <fcntl.h>
#include <flint/flint.h>
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MASK 0xa5

void masked_set(masked *out, const void *secret)
{
    const unsigned char *bytes = secret;
    for (size_t i = 0; i < sizeof out->bytes; i++)
        out->bytes[i] = bytes[i] ^ MASK;
}

static size_t remains_in(const unsigned char *memory, size_t bytes, const masked *secret)
{
    size_t found = 0;
    for (size_t at = 0; at + sizeof secret->bytes <= bytes; at++) {
        size_t same = 0;
        while (same < sizeof secret->bytes &&
               (memory[at + same] ^ MASK) == secret->bytes[same])
            same++;
        found += same == sizeof secret->bytes;
    }
    return found;
}

/* The same in a mapping, read as a file: the sanitizers and valgrind do not mind that. The
 * pieces overlap by less than a secret, and the copy is wiped, lest it be found too. Workers free memory
 * at the same time, so one of them looks at a time. */
static size_t remains_between(int memory, uintptr_t from, uintptr_t to,
                              const masked *secret)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static unsigned char piece[65536];
    const size_t overlap = sizeof secret->bytes - 1;
    size_t found = 0;
    (void)pthread_mutex_lock(&lock);
    while (to - from > overlap) {
        size_t bytes = to - from < sizeof piece ? to - from : sizeof piece;
        if (pread(memory, piece, bytes, (off_t)from) != (ssize_t)bytes)
            break;
        found += remains_in(piece, bytes, secret);
        memset(piece, 0, sizeof piece);
        from += bytes - overlap;
    }
    (void)pthread_mutex_unlock(&lock);
    return found;
}

size_t masked_remains_in(const masked *secret, const void *memory, size_t bytes)
{
    const int file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    const size_t found =
        remains_between(file, (uintptr_t)memory, (uintptr_t)memory + bytes, secret);
    (void)close(file);
    return found;
}

size_t masked_remains(const masked *secret)
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
            found += remains_between(memory, from, to, secret);
    }
    if (maps != NULL)
        (void)fclose(maps);
    (void)close(memory);
    return found;
}

/* Freed memory. */

void __real_free(void *memory); // NOLINT: the linker chose the name
void __wrap_free(void *memory); // NOLINT: the linker chose the name

static const masked *_Atomic watched;
static atomic_size_t found_freed, found_wiped;
static bool are_keys_watched;

void __wrap_free(void *memory) // NOLINT: the linker chose the name
{
    const masked *secret = atomic_load(&watched);
    if (secret != NULL && memory != NULL)
        atomic_fetch_add(&found_freed,
                         masked_remains_in(secret, memory, malloc_usable_size(memory)));
    __real_free(memory);
}

void __real_sc_wipe(void *memory, size_t bytes); // NOLINT: the linker chose the name
void __wrap_sc_wipe(void *memory, size_t bytes); // NOLINT: the linker chose the name

static __attribute__((noinline)) void wipe_watched(const masked *secret, void *memory,
                                                   size_t bytes)
{
    atomic_fetch_add(&found_wiped, masked_remains_in(secret, memory, bytes));
    __real_sc_wipe(memory, bytes);
}

/* Without a watch it leaves nothing on the stack: registers of the caller may hold what is wiped. */
#if !defined(__clang__)
__attribute__((optimize("omit-frame-pointer")))
#endif
void __wrap_sc_wipe(void *memory, size_t bytes) // NOLINT: the linker chose the name
{
    const masked *secret = atomic_load(&watched);
    if (secret != NULL && bytes > 0)
        wipe_watched(secret, memory, bytes);
    else
        __real_sc_wipe(memory, bytes);
}

size_t wiped_since(void)
{
    return atomic_load(&found_wiped);
}

void freed_watch(const masked *secret)
{
    atomic_store(&found_freed, 0);
    atomic_store(&found_wiped, 0);
    atomic_store(&watched, secret);
}

size_t freed_remains(void)
{
    atomic_store(&watched, NULL);
    are_keys_watched = false;
    return atomic_load(&found_freed);
}

/* Keys. */

scrim_status __real_sc_bits_key_draw(sc_bits_key *out, scrim_error *error); // NOLINT
scrim_status __wrap_sc_bits_key_draw(sc_bits_key *out, scrim_error *error); // NOLINT

#define KEYS 64
static masked keys[KEYS];
static size_t key_count;

scrim_status __wrap_sc_bits_key_draw(sc_bits_key *out, scrim_error *error) // NOLINT
{
    const scrim_status status = __real_sc_bits_key_draw(out, error);
    if (status == SCRIM_OK && are_keys_watched && key_count < KEYS) {
        masked_set(&keys[key_count], out);
        atomic_store(&watched, &keys[key_count++]);
    }
    return status;
}

void keys_watch(void)
{
    freed_watch(NULL);
    key_count = 0;
    are_keys_watched = true;
}

size_t keys_drawn(void)
{
    return key_count;
}

const masked *key_drawn_at(size_t index)
{
    return &keys[index];
}

/* Stacks. */

typedef struct called {
    void (*body)(void *context);
    void *context;
} called;

static alignas(4096) unsigned char stack[1 << 20];
static size_t deep_bytes; /* of it, below what the thread itself has used */

/* Deep in the stack, where what ends the thread writes nothing. */
__attribute__((noinline)) static void call_deep(const called *c)
{
    volatile unsigned char above[1 << 17];
    above[0] = 0;
    deep_bytes = (size_t)((uintptr_t)above - (uintptr_t)stack);
    c->body(c->context);
    above[sizeof above - 1] = 0;
}

static void *call(void *context)
{
    call_deep(context);
    flint_cleanup(); /* what FLINT keeps for a thread */
    return NULL;
}

size_t stack_remains(const masked *secret)
{
    return masked_remains_in(secret, stack, sizeof stack);
}

size_t stack_remains_number(int64_t number)
{
    size_t found = 0;
    for (size_t at = 0; at + sizeof number <= sizeof stack; at += sizeof number)
        found += memcmp(stack + at, &number, sizeof number) == 0;
    return found;
}

void remains_run(void (*body)(void *context), void *context)
{
    called c = {body, context};
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, 0, sizeof stack);
    if (!CHECK_INT(pthread_attr_init(&attributes), 0))
        return;
    CHECK_INT(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
    if (CHECK_INT(pthread_create(&thread, &attributes, call, &c), 0))
        CHECK_INT(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    /* For valgrind what is below the end of a stack is lost, though it is an array again. */
    secret_show(stack, sizeof stack);
    /* The dynamic linker saves registers there, whatever they held. */
    memset(stack + deep_bytes, 0, sizeof stack - deep_bytes);
}
