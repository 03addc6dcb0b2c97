#include "check.h"
#include "cli/terminal/caller_limits.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* How the check ends in a child with this soft limit, and nothing else out of the ordinary: 0, 3
 * where the message names the limit, else 1; 2 where the limits cannot be had. */
static int check_with(int resource, rlim_t soft, const char *named)
{
    static const int all[] = {RLIMIT_AS,  RLIMIT_DATA,  RLIMIT_RSS,
                              RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_RTTIME};
    int end = 0;
    const pid_t child = fork();
    if (child == 0) {
        struct rlimit now;
        scrim_error error = {.message = ""};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (getrlimit((__rlimit_resource_t)all[i], &now) != 0 ||
                now.rlim_cur != RLIM_INFINITY)
                _exit(2);
        if (getrlimit((__rlimit_resource_t)resource, &now) != 0)
            _exit(2);
        now.rlim_cur = soft;
        if (soft > now.rlim_max || setrlimit((__rlimit_resource_t)resource, &now) != 0)
            _exit(2);
        const scrim_status status = sc_caller_limits_check(&error);
        if (status == SCRIM_OK)
            _exit(0);
        _exit(status == SCRIM_E_POLICY && strstr(error.message, named) != NULL ? 3 : 1);
    }
    CHECK(child > 0 && waitpid(child, &end, 0) == child && WIFEXITED(end));
    return WEXITSTATUS(end);
}

TEST(A73_limits_of_the_caller_are_refused)
{
    static const struct {
        int resource;
        rlim_t refused, taken;
        const char *named;
    } cases[] = {
        {RLIMIT_AS, (rlim_t)1 << 40, RLIM_INFINITY, "ulimit -v"},
        {RLIMIT_DATA, (rlim_t)1 << 40, RLIM_INFINITY, "ulimit -d"},
        {RLIMIT_CPU, 1000000, RLIM_INFINITY, "ulimit -t"},
        {RLIMIT_FSIZE, (rlim_t)1 << 40, RLIM_INFINITY, "ulimit -f"},
        {RLIMIT_STACK, SC_CALLER_STACK_BYTES - 1, SC_CALLER_STACK_BYTES, "ulimit -s"},
        {RLIMIT_NOFILE, SC_CALLER_FILES - 1, SC_CALLER_FILES, "ulimit -n"},
        {RLIMIT_NPROC, SC_CALLER_PROCESSES - 1, SC_CALLER_PROCESSES, "ulimit -u"},
    };
    if (check_with(RLIMIT_NOFILE, SC_CALLER_FILES, "") == 2) {
        SKIP("the limits of this machine are lower than those of a login");
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_INT(check_with(cases[i].resource, cases[i].refused, cases[i].named), 3);
        CHECK_INT(check_with(cases[i].resource, cases[i].taken, ""), 0);
    }
}
