#include "check.h"
#include "random/private_pages.h"
#include "system_calls.h"
#include "wiping.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The answer of a child about the mark: 0 that it is not its own. */
static int asked_of_child(sc_process_mark *mark, bool by_clone, bool with_same_number)
{
    pid_t child = by_clone ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
    int status = -1;
    if (child == 0) {
        if (with_same_number)
            mark->process = getpid(); /* as in a pid namespace of its own */
        _exit(sc_process_mark_is_here(mark) ? 1 : 0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}

TEST(process_mark_tells_a_child_apart)
{
    CLAIM("process-mark.fork");
    sc_process_mark mark;
    REQUIRE(sc_process_mark_init(&mark));
    CHECK(sc_process_mark_is_here(&mark));
    for (int way = 0; way < 2; way++) {
        CHECK_INT(asked_of_child(&mark, way == 1, false), 0);
        if (wiping_works())
            CHECK_INT(asked_of_child(&mark, way == 1, true), 0);
    }
    CHECK(sc_process_mark_is_here(&mark));
    sc_process_mark_clear(&mark);
    CHECK(!sc_process_mark_is_here(&mark));
    sc_process_mark_clear(&mark);
}

static int refuses(void *address, size_t bytes, int advice)
{
    (void)address, (void)bytes, (void)advice;
    errno = EINVAL;
    return -1;
}

TEST(process_mark_goes_by_the_number_where_pages_are_not_wiped)
{
    CLAIM("process-mark.fork");
    sc_process_mark mark;
    system_call.madvise = refuses;
    REQUIRE(sc_process_mark_init(&mark));
    CHECK(sc_process_mark_is_here(&mark));
    CHECK_INT(asked_of_child(&mark, false, false), 0);
    CHECK(asked_of_child(&mark, false, true) != 0); /* the test can tell */
    sc_process_mark_clear(&mark);
}
