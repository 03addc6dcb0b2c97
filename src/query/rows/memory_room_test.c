#include "check.h"
#include "query/rows/memory_room.h"
#include "sanitized.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM ((size_t)32 << 20)

static struct rusage usage_now(void)
{
    struct rusage usage = {0};
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return usage;
}

/* Fetches `count` pages of its own. */
static void use_pages(size_t count)
{
    CHECK(sc_memory_room_touch(count * 4096));
}

SLOW_TEST(A73_pages_are_leveled_to_a_public_number)
{
    if (IS_RACE_WATCHED)
        SKIP("the thread sanitizer fetches pages of its own");
    const uint64_t pages = sc_memory_room_pages(ROOM);
    CHECK(sc_memory_room_touch(ROOM));
    CHECK(usage_now().ru_maxrss >= (long)(ROOM >> 10));
    for (size_t extra = 1; extra < 3000; extra += 999) {
        use_pages(extra);
        sc_memory_room_level(ROOM);
        const uint64_t rest = (uint64_t)usage_now().ru_minflt % pages;
        CHECK(rest < 64); /* looking takes some, too */
    }
}

TEST(A73_room_that_is_not_there_is_noticed)
{
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        struct rlimit limit;
        if (getrlimit(RLIMIT_AS, &limit) != 0)
            _exit(1);
        limit.rlim_cur = (rlim_t)1 << 20;
        if (setrlimit(RLIMIT_AS, &limit) != 0)
            _exit(1);
        _exit(sc_memory_room_is_there(ROOM) || sc_memory_room_touch(ROOM) ? 2 : 0);
    }
    int end = -1;
    CHECK(waitpid(child, &end, 0) == child && end == 0);
    CHECK(sc_memory_room_is_there(ROOM));
}

/* A thread takes addresses beside the memory: where they are limited, they must be there, too. */
TEST(A112_room_for_threads_is_noticed)
{
    CHECK(sc_memory_room_is_there_with(ROOM, 3));
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        struct rlimit limit;
        unsigned long used_pages = 0;
        FILE *file = fopen("/proc/self/statm", "r");
        if (file == NULL || fscanf(file, "%lu", &used_pages) != 1 ||
            getrlimit(RLIMIT_AS, &limit) != 0)
            _exit(1);
        fclose(file);
        limit.rlim_cur =
            (rlim_t)used_pages * (rlim_t)sysconf(_SC_PAGESIZE) + 2 * (rlim_t)ROOM;
        if (setrlimit(RLIMIT_AS, &limit) != 0)
            _exit(1);
        _exit(!sc_memory_room_is_there_with(ROOM, 0) ||
              sc_memory_room_is_there_with(ROOM, 1));
    }
    int end = -1;
    CHECK(waitpid(child, &end, 0) == child && end == 0);
}
