#include "check.h"
#include "scrim_local.h"
#include "system_calls.h"

#include <errno.h>
#include <string.h>

static unsigned interrupted, answers;

/* Is interrupted once, then gives one byte at a time. */
static ssize_t slow_getrandom(void *buffer, size_t bytes, unsigned flags)
{
    (void)bytes;
    CHECK_INT(flags, 0);
    if (interrupted++ == 0) {
        errno = EINTR;
        return -1;
    }
    memset(buffer, (int)++answers, 1);
    return 1;
}

static ssize_t failing_getrandom(void *buffer, size_t bytes, unsigned flags)
{
    (void)buffer;
    (void)bytes;
    (void)flags;
    errno = ENOSYS;
    return -1;
}

TEST(kernel_bits_are_whole_or_fail)
{
    uint8_t bytes[4] = {0};
    system_call.getrandom = slow_getrandom;
    CHECK_INT(scrim_local_system.fill(scrim_local_system.context, bytes, sizeof bytes),
              0);
    CHECK_BYTES(bytes, "\1\2\3\4", 4);
    system_call.getrandom = failing_getrandom;
    CHECK(scrim_local_system.fill(scrim_local_system.context, bytes, sizeof bytes) != 0);
    system_call.getrandom = NULL;
}
