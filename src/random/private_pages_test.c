#include "check.h"
#include "random/private_pages.h"
#include "system_calls.h"
#include "wiping.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 20000 };

static bool is_zero(const unsigned char *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (memory[i] != 0)
            return false;
    return true;
}

TEST(private_pages_are_zero_in_a_child)
{
    CLAIM("private-pages.fork");
    bool is_wiped = false;
    unsigned char *pages = sc_private_pages_map(BYTES, &is_wiped);
    REQUIRE(pages != NULL);
    CHECK(is_zero(pages, BYTES));
    CHECK_INT(is_wiped, wiping_works());
    if (!is_wiped)
        SKIP("this kernel wipes no pages in a child");
    memset(pages, 0xa5, BYTES);
    for (int way = 0; way < 2; way++) {
        /* past the C library, too, so that no handler runs */
        pid_t child = way == 0 ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        int status = -1;
        if (child == 0)
            _exit(is_zero(pages, BYTES) ? 0 : 1);
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK_INT(status, 0);
    }
    CHECK_INT(pages[BYTES - 1], 0xa5);
    sc_private_pages_unmap(pages, BYTES);
}

static bool was_zero;

static int watching_munmap(void *address, size_t bytes)
{
    was_zero = is_zero(address, bytes);
    return system_real.munmap(address, bytes);
}

TEST(private_pages_are_wiped_when_given_back)
{
    bool is_wiped = false;
    unsigned char *pages = sc_private_pages_map(BYTES, &is_wiped);
    REQUIRE(pages != NULL);
    memset(pages, 0xa5, BYTES);
    system_call.munmap = watching_munmap;
    sc_private_pages_unmap(pages, BYTES);
    CHECK(was_zero);
    sc_private_pages_unmap(NULL, BYTES);
}

/* The line of flags of the mapping that holds the address. */
static bool mapping_flags(const void *address, char flags[256])
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    bool is_it = false, found = false;
    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        unsigned long low = 0, high = 0;
        if (sscanf(line, "%lx-%lx ", &low, &high) == 2)
            is_it = low <= (unsigned long)address && (unsigned long)address < high;
        else if (is_it && strncmp(line, "VmFlags:", 8) == 0)
            found = snprintf(flags, 256, "%s", line) > 0;
    }
    (void)fclose(file);
    return found;
}

TEST(private_pages_stay_out_of_a_core_dump)
{
    bool is_wiped = false;
    char flags[256];
    unsigned char *pages = sc_private_pages_map(BYTES, &is_wiped);
    REQUIRE(pages != NULL);
    if (!is_wiped || !mapping_flags(pages, flags))
        SKIP("this kernel does not tell the flags of a mapping");
    CHECK(strstr(flags, " dd") != NULL);
    CHECK(strstr(flags, " wf") != NULL);
    sc_private_pages_unmap(pages, BYTES);
}

static int refuses(void *address, size_t bytes, int advice)
{
    (void)address, (void)bytes, (void)advice;
    errno = EINVAL;
    return -1;
}

/* As an emulator that takes advice for a hint. */
static int ignores(void *address, size_t bytes, int advice)
{
    (void)address, (void)bytes, (void)advice;
    return 0;
}

TEST(private_pages_do_not_believe_advice_that_is_not_followed)
{
    CLAIM("private-pages.fork");
    static int (*const answers[])(void *, size_t, int) = {refuses, ignores};
    for (int i = 0; i < 2; i++) {
        bool is_wiped = true;
        system_call.madvise = answers[i];
        void *pages = sc_private_pages_map(BYTES, &is_wiped);
        REQUIRE(pages != NULL);
        CHECK(!is_wiped);
        sc_private_pages_unmap(pages, BYTES);
    }
}
