#include "scrim_local.h"

#ifndef SCRIM_LOCAL_FREESTANDING

#include <errno.h>
#include <sys/random.h>
#include <sys/types.h>

/* Waits until the kernel has entropy; a short answer is continued. */
static int kernel_fill(void *context, void *out, size_t bytes)
{
    uint8_t *at = out;
    (void)context;
    while (bytes > 0) {
        const ssize_t got = getrandom(at, bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 1;
        at += got;
        bytes -= (size_t)got;
    }
    return 0;
}

const scrim_local_source scrim_local_system = {kernel_fill, NULL};

#else

/* A translation unit is not empty. */
typedef int sl_kernel_is_absent;

#endif
