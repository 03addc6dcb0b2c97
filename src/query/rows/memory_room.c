#include "query/rows/memory_room.h"

#include "base/checked.h"
#include "query/rows/memory_group.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Pages that are fetched between two looks at how many they are. */
#define STEP 64

static size_t page_bytes(void)
{
    const long bytes = sysconf(_SC_PAGESIZE);
    return bytes < 1 ? 4096 : (size_t)bytes;
}

static unsigned char *map(size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
#ifdef MADV_NOHUGEPAGE
    /* Each page is fetched by itself, on any machine. */
    (void)madvise(memory, bytes, MADV_NOHUGEPAGE);
#endif
    return memory;
}

static void touch(volatile unsigned char *memory, size_t bytes, size_t page)
{
    for (size_t at = 0; at < bytes; at += page)
        memory[at] = 1;
}

bool sc_memory_room_is_there(size_t bytes)
{
    if (sc_memory_group_left(SC_MEMORY_GROUP_LIST, SC_MEMORY_GROUP_ROOT) < bytes)
        return false;
    unsigned char *memory = map(bytes);
    if (memory != NULL)
        (void)munmap(memory, bytes);
    return memory != NULL;
}

/* glibc asks for two heaps to find an aligned one among them. */
#define HEAPS_BYTES ((size_t)2 << 26)

static bool is_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

/* Addresses of one thread; SIZE_MAX where they are not known. */
static size_t thread_bytes(void)
{
    pthread_attr_t usual;
    size_t stack = SIZE_MAX - HEAPS_BYTES;
    if (pthread_attr_init(&usual) == 0) {
        if (pthread_attr_getstacksize(&usual, &stack) != 0)
            stack = SIZE_MAX - HEAPS_BYTES;
        (void)pthread_attr_destroy(&usual);
    }
    return stack > SIZE_MAX - HEAPS_BYTES ? SIZE_MAX : stack + HEAPS_BYTES;
}

bool sc_memory_room_is_there_with(size_t bytes, unsigned threads)
{
    size_t apart = 0, all;
    if (!sc_memory_room_is_there(bytes))
        return false;
    if (threads == 0 || !is_limited())
        return true;
    if (!sc_size_mul(thread_bytes(), threads, &apart) || !sc_size_add(apart, bytes, &all))
        return false;
    unsigned char *memory = map(all);
    if (memory != NULL)
        (void)munmap(memory, all);
    return memory != NULL;
}

bool sc_memory_room_touch(size_t bytes)
{
    unsigned char *memory = sc_memory_room_is_there(bytes) ? map(bytes) : NULL;
    if (memory == NULL)
        return false;
    touch(memory, bytes, page_bytes());
    (void)munmap(memory, bytes);
    return true;
}

uint64_t sc_memory_room_pages(size_t bytes)
{
    /* Once when it is touched, about once when it is used, and what starting takes. */
    return 4 * (uint64_t)(bytes / page_bytes()) + STEP;
}

static uint64_t fetched(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_minflt : 0;
}

void sc_memory_room_level(size_t bytes)
{
    const uint64_t pages = sc_memory_room_pages(bytes), now = fetched();
    const uint64_t goal = (now / pages + 1) * pages;
    const size_t page = page_bytes();
    for (uint64_t have = now; have < goal;) {
        const size_t more = goal - have < STEP ? (size_t)(goal - have) : STEP;
        unsigned char *memory = map(more * page);
        if (memory == NULL)
            return;
        touch(memory, more * page, page);
        (void)munmap(memory, more * page);
        const uint64_t after = fetched();
        if (after <= have) /* nobody counts here */
            return;
        have = after;
    }
}
