#include "base/memory.h"
#include "check.h"
#include "faults.h"

#include <fcntl.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define SECRET 0xa5

static bool is_all(const unsigned char *memory, size_t bytes, unsigned char value)
{
    for (size_t i = 0; i < bytes; i++)
        if (memory[i] != value)
            return false;
    return true;
}

/* Contents stay, and without memory nothing changes. */
TEST(memory_makes_room_for_one_more)
{
    FAULT_LOOP(fault)
    {
        uint64_t *items = NULL;
        size_t count = 0, capacity = 0;
        bool is_made = true;
        while (is_made && count < 100) {
            is_made = sc_make_room(&items, count, &capacity, sizeof *items);
            if (is_made) {
                CHECK(count < capacity);
                items[count] = count;
                count++;
            }
        }
        CHECK_INT(is_made, !fault_hit());
        for (size_t i = 0; i < count; i++)
            CHECK_INT(items[i], i);
        sc_free(items);
    }
    void *none = NULL;
    size_t most = SIZE_MAX / 2 + 1;
    CHECK(!sc_make_room(&none, most, &most, 1));
    CHECK(none == NULL && most == SIZE_MAX / 2 + 1);
}

TEST(memory_is_zeroed_and_sized)
{
    for (size_t count = 0; count < 40; count++) {
        unsigned char *memory = sc_allocate(count, 7);
        REQUIRE(memory != NULL);
        CHECK(is_all(memory, count * 7, 0));
        memset(memory, SECRET, count * 7);
        sc_free(memory);
    }
    void *none = sc_allocate(5, 0);
    CHECK(none != NULL);
    sc_free(none);
    sc_free(NULL);
    sc_free_wiped(NULL, 100);
}

TEST(memory_refuses_sizes_that_overflow)
{
    CHECK(sc_allocate(SIZE_MAX, 2) == NULL);
    CHECK(sc_allocate(2, SIZE_MAX) == NULL);
    /* 2^32 times 2^32 wraps to 0, and a wrapped size would be handed out. */
    CHECK(sc_allocate((size_t)1 << 32, (size_t)1 << 32) == NULL);
    CHECK(sc_allocate(((size_t)1 << 32) + 1, (size_t)1 << 32) == NULL);
    sc_arena arena;
    sc_arena_init(&arena);
    CHECK(sc_arena_allocate(&arena, (size_t)1 << 32, (size_t)1 << 32) == NULL);
    CHECK(sc_arena_allocate(&arena, SIZE_MAX, 1) == NULL);
    CHECK(sc_arena_allocate(&arena, SIZE_MAX - 20, 1) == NULL);
    CHECK(sc_arena_copy(&arena, "", SIZE_MAX) == NULL);
    CHECK(arena.blocks == NULL);
    sc_arena_clear(&arena);
}

/* Wiping. */

/* Reads memory that C no longer lets us look at: freed, or a frame that was left. */
static bool peek(uintptr_t address, void *out, size_t bytes)
{
    const int file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool got = pread(file, out, bytes, (off_t)address) == (ssize_t)bytes;
    close(file);
    return got;
}

static size_t count_secrets(const unsigned char *memory, size_t bytes)
{
    size_t secrets = 0;
    for (size_t i = 0; i < bytes; i++)
        secrets += memory[i] == SECRET;
    return secrets;
}

/* Leaves a frame behind with a secret in it, wiped or not. The array is large, so that
 * the calls that look at it later, higher on the stack, do not write over its low end. */
__attribute__((noinline)) static uintptr_t leave_frame(bool wiped)
{
    unsigned char secret[16384];
    uintptr_t address = (uintptr_t)secret;
    memset(secret, SECRET, sizeof secret);
    __asm__ volatile("" : "+r"(address) : : "memory");
    if (wiped)
        sc_wipe(secret, sizeof secret);
    return address;
}

TEST(memory_wiped_on_the_stack_stays_wiped)
{
    unsigned char seen[1024];
    if (!peek(leave_frame(false), seen, sizeof seen))
        SKIP("/proc/self/mem cannot be read");
    CHECK(count_secrets(seen, sizeof seen) > 0); /* or this test sees nothing */
    REQUIRE(peek(leave_frame(true), seen, sizeof seen));
    CHECK_INT(count_secrets(seen, sizeof seen), 0);
}

TEST(memory_released_wiped_holds_nothing)
{
    unsigned char seen[256];
    for (int wiped = 0; wiped < 2; wiped++) {
        unsigned char *memory = sc_allocate(sizeof seen, 1);
        REQUIRE(memory != NULL);
        const uintptr_t address = (uintptr_t)memory;
        memset(memory, SECRET, sizeof seen);
        if (wiped != 0)
            sc_free_wiped(memory, sizeof seen);
        else
            sc_free(memory);
        if (!peek(address, seen, sizeof seen))
            SKIP("/proc/self/mem cannot be read");
        /* The allocator keeps a pointer and a random key in the first 16 bytes. */
        const size_t secrets = count_secrets(seen + 16, sizeof seen - 16);
        CHECK_INT(secrets, wiped != 0 ? 0 : sizeof seen - 16);
    }
}

TEST(memory_wipe_stops_at_its_end)
{
    unsigned char memory[64];
    memset(memory, SECRET, sizeof memory);
    sc_wipe(memory + 8, 16);
    CHECK(is_all(memory, 8, SECRET));
    CHECK(is_all(memory + 8, 16, 0));
    CHECK(is_all(memory + 24, 40, SECRET));
    sc_wipe(NULL, 0);
}

/* Arena. */

TEST(arena_gives_aligned_zeroed_memory_of_its_own)
{
    enum { OBJECTS = 3000 };
    static unsigned char *object[OBJECTS];
    static size_t size[OBJECTS];
    sc_arena arena;
    sc_arena_init(&arena);
    for (size_t i = 0; i < OBJECTS; i++) {
        size[i] =
            i % 500 == 499 ? 100000 + i : i * 7 % 300; /* small ones and a few large */
        object[i] = sc_arena_allocate(&arena, size[i], 1);
        REQUIRE(object[i] != NULL);
        CHECK((uintptr_t)object[i] % alignof(max_align_t) == 0);
        CHECK(is_all(object[i], size[i], 0));
        memset(object[i], (int)(i % 255) + 1, size[i]);
    }
    for (size_t i = 0; i < OBJECTS; i++)
        CHECK(is_all(object[i], size[i], (unsigned char)(i % 255 + 1)));
    CHECK(sc_arena_allocate(&arena, 0, 8) != sc_arena_allocate(&arena, 0, 8));
    sc_arena_clear(&arena);
    CHECK(arena.blocks == NULL);
    sc_arena_clear(&arena);
}

TEST(arena_keeps_its_newest_block_beside_a_large_object)
{
    sc_arena arena;
    sc_arena_init(&arena);
    const unsigned char *first = sc_arena_allocate(&arena, 16, 1);
    REQUIRE(sc_arena_allocate(&arena, 1000000, 1) != NULL);
    const unsigned char *second = sc_arena_allocate(&arena, 16, 1);
    CHECK(second == first + 16);
    sc_arena_clear(&arena);
}

TEST(arena_copies_text_with_a_terminator)
{
    sc_arena arena;
    sc_arena_init(&arena);
    const char *copy = sc_arena_copy(&arena, "hello, world", 5);
    REQUIRE(copy != NULL);
    CHECK_STR(copy, "hello");
    copy = sc_arena_copy(&arena, NULL, 0);
    REQUIRE(copy != NULL);
    CHECK_STR(copy, "");
    sc_arena_clear(&arena);
}

TEST(arena_wipes_what_it_held)
{
    unsigned char seen[512];
    sc_arena arena;
    sc_arena_init(&arena);
    unsigned char *memory = sc_arena_allocate(&arena, sizeof seen, 1);
    REQUIRE(memory != NULL);
    memset(memory, SECRET, sizeof seen);
    const uintptr_t address = (uintptr_t)memory;
    sc_arena_clear(&arena);
    if (!peek(address, seen, sizeof seen))
        SKIP("/proc/self/mem cannot be read");
    CHECK_INT(count_secrets(seen, sizeof seen), 0);
}

TEST(arena_survives_every_failed_allocation)
{
    bool failed = false, succeeded = false;
    FAULT_LOOP(fault)
    {
        sc_arena arena;
        sc_arena_init(&arena);
        bool whole = true;
        for (size_t i = 0; i < 200; i++) {
            unsigned char *memory = sc_arena_allocate(&arena, 1000, 1);
            if (memory == NULL)
                whole = false;
            else
                memset(memory, SECRET, 1000);
        }
        CHECK(whole == !fault_hit());
        failed = failed || !whole;
        succeeded = succeeded || whole;
        sc_arena_clear(&arena);
    }
    CHECK(failed && succeeded);
}
