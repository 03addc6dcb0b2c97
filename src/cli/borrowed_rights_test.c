#include "check.h"
#include "cli/borrowed_rights.h"

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
