#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *sc_descriptor_why(int number, bool is_made)
{
    switch (number) {
    case EMFILE:
    case ENFILE:
        return "Too many open files; raise the limit of open files";
    case EACCES:
    case EPERM:
        return is_made
                   ? "Permission denied; check who may write the folder"
                   : "Permission denied; check the rights of the file and its folders";
    case ENOENT:
    case ENOTDIR:
        return is_made ? "No such file or directory; create the folder first"
                       : "No such file or directory; check its name";
    case EROFS:
        return "Read-only file system; choose another folder";
    case ENOSPC:
    case EDQUOT:
        return "No space left on device; make room";
    default:
        return strerror(number);
    }
}

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
