#include "query/rows/memory_room.h"

#include "base/checked.h"
#include "base/descriptor.h"
#include "base/text.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Control groups. */

#define FILE_BYTES 8192

/* The files of a group, and of its statistics the pages of files in it and in all below it. */
typedef struct version {
    const char *folder, *limit, *usage, *file_pages[2];
} version;

static const version versions[] = {
    {"", "memory.max", "memory.current", {"inactive_file", "active_file"}},
    /* beside groups of the first version, without memory or with it */
    {"/unified", "memory.max", "memory.current", {"inactive_file", "active_file"}},
    {"/memory",
     "memory.limit_in_bytes",
     "memory.usage_in_bytes",
     {"total_inactive_file", "total_active_file"}},
};

/* A file of the kernel's, terminated; what does not fit is not needed. */
static bool read_file(const char *path, char text[FILE_BYTES])
{
    const int file = sc_descriptor_open(path, O_RDONLY);
    size_t used = 0;
    ssize_t count = 0;
    if (file < 0)
        return false;
    while (used + 1 < FILE_BYTES &&
           (count = read(file, text + used, FILE_BYTES - 1 - used)) > 0)
        used += (size_t)count;
    close(file);
    text[used] = '\0';
    return count >= 0;
}

static bool read_number(const char *folder, const char *name, uint64_t *out)
{
    char path[PATH_MAX], text[FILE_BYTES];
    sc_text line, rest;
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
           read_file(path, text) && sc_text_split(sc_text_of(text), '\n', &line, &rest) &&
           sc_text_uint64(line, out);
}

/* "NAME NUMBER", a line each. */
static uint64_t read_file_pages(const char *folder, const version *v)
{
    char path[PATH_MAX], text[FILE_BYTES];
    uint64_t sum = 0;
    sc_text rest, line, name, number;
    if (snprintf(path, sizeof path, "%s/memory.stat", folder) >= (int)sizeof path ||
        !read_file(path, text))
        return 0;
    rest = sc_text_of(text);
    while (sc_text_split(rest, '\n', &line, &rest)) {
        uint64_t bytes = 0;
        if (sc_text_split(line, ' ', &name, &number) &&
            (sc_text_is(name, v->file_pages[0]) || sc_text_is(name, v->file_pages[1])) &&
            sc_text_uint64(number, &bytes))
            sum += bytes;
    }
    return sum;
}

static uint64_t left_in(const char *folder, const version *v)
{
    uint64_t limit = 0, usage = 0;
    if (!read_number(folder, v->limit, &limit) || !read_number(folder, v->usage, &usage))
        return UINT64_MAX;
    const uint64_t files = read_file_pages(folder, v);
    const uint64_t held = usage > files ? usage - files : 0;
    return limit > held ? limit - held : 0;
}

/* The group and those that it is in. A process in a container may see its own group as the root, or
 * be told a path that is not there. */
static uint64_t left_of(const char *root, const version *v, sc_text group)
{
    char folder[PATH_MAX];
    uint64_t least = UINT64_MAX;
    const int begun = snprintf(folder, sizeof folder, "%s%s%.*s", root, v->folder,
                               (int)group.bytes, group.start);
    if (begun >= (int)sizeof folder)
        return UINT64_MAX;
    const size_t root_bytes = strlen(root) + strlen(v->folder);
    for (char *end = folder + begun; end != NULL && end >= folder + root_bytes;
         end = strrchr(folder, '/')) {
        *end = '\0';
        const uint64_t left = left_in(folder, v);
        least = left < least ? left : least;
    }
    return least;
}

static bool has_word(sc_text list, const char *word)
{
    sc_text first = list;
    while (sc_text_split(list, ',', &first, &list))
        if (sc_text_is(first, word))
            return true;
    return sc_text_is(list, word);
}

/* "NUMBER:CONTROLLERS:PATH", a line each; without controllers it is of the second version. */
uint64_t sc_memory_group_left(const char *list, const char *root)
{
    char text[FILE_BYTES];
    uint64_t least = UINT64_MAX;
    sc_text rest, line, controllers, group;
    if (!read_file(list, text))
        return UINT64_MAX;
    rest = sc_text_of(text);
    while (sc_text_split(rest, '\n', &line, &rest)) {
        if (!sc_text_split(line, ':', &controllers, &group) ||
            !sc_text_split(group, ':', &controllers, &group))
            continue;
        const bool is_second = controllers.bytes == 0;
        if (!is_second && !has_word(controllers, "memory"))
            continue;
        for (size_t i = is_second ? 0 : 2; i < (is_second ? 2 : 3); i++) {
            const uint64_t left = left_of(root, &versions[i], group);
            least = left < least ? left : least;
        }
    }
    return least;
}

/* The room. */

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
