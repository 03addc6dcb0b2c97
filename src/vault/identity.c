#include "vault/identity.h"

#include "base/checked.h"

#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

/* What the system keeps of a user fits here; an entry that does not is one without a name. */
#define ENTRY_BYTES 16384

static bool is_visible(const char *name)
{
    size_t count = 0;
    for (; name[count] != '\0'; count++)
        if (count >= SC_EVENT_NAME_BYTES || name[count] <= ' ' || name[count] > '~')
            return false;
    return count > 0;
}

void sc_identity_set(sc_identity *out, uint64_t user, const char *name)
{
    char number[SC_INT128_BYTES];
    sc_text_sink sink;
    memset(out, 0, sizeof *out);
    out->user = user;
    sc_text_sink_init(&sink, out->name, sizeof out->name);
    if (name != NULL && is_visible(name)) {
        sc_text_put(&sink, sc_text_of(name));
        return;
    }
    sc_int128_format((sc_int128)user, number);
    sc_text_put(&sink, sc_text_of("user-"));
    sc_text_put(&sink, sc_text_of(number));
}

/* Has the system an answer, be it that there is no such user? No file of users is an answer; a
 * service that cannot be reached is none, and neither is a lack of memory or of descriptors. */
static bool is_answer(int code)
{
    return code == 0 || code == ENOENT || code == ESRCH || code == ERANGE;
}

scrim_status sc_identity_fail(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER,
                   "the system cannot say who you are: its name service has failed; "
                   "nothing was charged; try again");
}

void sc_identity_of_process(sc_identity *out)
{
    char room[ENTRY_BYTES];
    struct passwd entry, *found = NULL;
    const uid_t user = getuid();
    const int code = getpwuid_r(user, &entry, room, sizeof room, &found);
    sc_identity_set(out, user, code != 0 || found == NULL ? NULL : found->pw_name);
    out->is_unsure = !is_answer(code);
}

scrim_status sc_identity_of_name(const char *name, sc_identity *out, scrim_error *error)
{
    char room[ENTRY_BYTES];
    struct passwd entry, *found = NULL;
    const int code = getpwnam_r(name, &entry, room, sizeof room, &found);
    if (!is_answer(code))
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the system cannot say who '%s' is: its name service has failed; "
                       "try again",
                       name);
    if (code != 0 || found == NULL || strcmp(found->pw_name, name) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "analyst",
                           "unknown user '%s' on this system", name);
    sc_identity_set(out, found->pw_uid, found->pw_name);
    return SCRIM_OK;
}
