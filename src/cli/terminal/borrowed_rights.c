#include "cli/terminal/borrowed_rights.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

/* No file belongs to it. */
#define NOBODY ((uid_t)-1)

bool sc_rights_are_borrowed(void)
{
    return getuid() != geteuid() || getgid() != getegid();
}

/* A number of a user, digits alone. */
static uid_t parse_user(const char *text)
{
    char *end = NULL;
    errno = 0;
    const unsigned long number = strtoul(text, &end, 10);
    const bool is_number = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    return is_number && number < NOBODY ? (uid_t)number : NOBODY;
}

static uid_t find_user(const char *name)
{
    const struct passwd *user = getpwnam(name);
    return user == NULL ? NOBODY : user->pw_uid;
}

bool sc_rights_are_lent(uid_t *caller)
{
    static const struct {
        const char *variable;
        uid_t (*read)(const char *text);
    } ways[] = {
        {"SUDO_UID", parse_user}, {"PKEXEC_UID", parse_user}, {"DOAS_USER", find_user}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *text = getenv(ways[i].variable);
        const uid_t user = text == NULL ? getuid() : ways[i].read(text);
        if (user == getuid())
            continue;
        if (caller != NULL)
            *caller = user;
        return true;
    }
    return false;
}
