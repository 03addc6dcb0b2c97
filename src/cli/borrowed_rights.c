#include "cli/borrowed_rights.h"

#include <unistd.h>

bool sc_rights_are_borrowed(void)
{
    return getuid() != geteuid() || getgid() != getegid();
}
