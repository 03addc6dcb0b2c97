#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int sc_descriptor_apart(int descriptor)
{
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    const int apart = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int failure = errno;
    close(descriptor);
    errno = failure;
    return apart;
}

int sc_descriptor_open(const char *path, int flags)
{
    return sc_descriptor_apart(open(path, flags | O_CLOEXEC, S_IRUSR | S_IWUSR));
}
