#include "check.h"
#include "cli/terminal/borrowed_rights.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child says that has these users and groups; -1 when it cannot have them. */
static int ask_child(uid_t user, uid_t effective, gid_t group, gid_t effective_group)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        if (setregid(group, effective_group) != 0 || setreuid(user, effective) != 0)
            _exit(2);
        _exit(sc_rights_are_borrowed());
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status) == 2 ? -1 : WEXITSTATUS(status);
}

TEST(rights_of_another_user_or_group_are_borrowed)
{
    enum { NOBODY = 65534 };
    CHECK(!sc_rights_are_borrowed());
    if (ask_child(NOBODY, NOBODY, NOBODY, NOBODY) < 0) {
        SKIP("only the superuser can take another user's rights");
        return;
    }
    CHECK_INT(ask_child(NOBODY, NOBODY, NOBODY, NOBODY), 0);
    CHECK_INT(ask_child(NOBODY, 0, NOBODY, NOBODY), 1);
    CHECK_INT(ask_child(NOBODY, NOBODY, NOBODY, 0), 1);
}

/* Is it lent by this variable, and to whom? -1: it is not. */
static long lent_by(const char *variable, const char *value)
{
    uid_t caller = 0;
    CHECK(setenv(variable, value, 1) == 0);
    const bool is_lent = sc_rights_are_lent(&caller);
    CHECK(sc_rights_are_lent(NULL) == is_lent);
    CHECK(unsetenv(variable) == 0);
    return is_lent ? (long)caller : -1;
}

TEST(A80_rights_are_lent_by_sudo_and_its_like)
{
    CLAIM("rights.caller");
    static const char *const strange[] = {"",    "x",          "-1",          "12x",
                                          " 12", "4294967295", "99999999999", "1e3"};
    char own[24], other[24];
    const long nobody = (long)(uid_t)-1;
    snprintf(own, sizeof own, "%lu", (unsigned long)getuid());
    snprintf(other, sizeof other, "%lu", (unsigned long)getuid() + 7);
    CHECK(!sc_rights_are_lent(NULL));
    CHECK_INT(lent_by("SUDO_UID", own), -1);
    CHECK_INT(lent_by("PKEXEC_UID", own), -1);
    CHECK_INT(lent_by("SUDO_UID", other), (long)getuid() + 7);
    CHECK_INT(lent_by("PKEXEC_UID", other), (long)getuid() + 7);
    CHECK_INT(lent_by("DOAS_USER", "no such user there is"), nobody);
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        CHECK_INT(lent_by("SUDO_UID", strange[i]), nobody);
    /* one of them is enough */
    CHECK(setenv("SUDO_UID", own, 1) == 0);
    CHECK_INT(lent_by("PKEXEC_UID", other), (long)getuid() + 7);
    CHECK(unsetenv("SUDO_UID") == 0);
}
