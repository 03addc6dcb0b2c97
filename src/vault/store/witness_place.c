/* Where witnesses are kept: a folder of the user's, and a name for each vault. */
#include "base/descriptor.h"
#include "base/memory.h"
#include "vault/store/witness.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FROM_HOME "/.local/state"
#define OWN "/scrim/"
#define TAIL ".witness"
#define NAME_DIGITS 16 /* of the identity */

char *sc_witness_path(const char *place, const sc_digest *identity)
{
    char name[SC_DIGEST_TEXT_BYTES];
    const size_t length = strlen(place);
    const bool is_folder = length == 0 || place[length - 1] == '/';
    const size_t bytes = length + sizeof name + sizeof TAIL;
    char *made = sc_allocate(bytes, 1);
    if (made == NULL)
        return NULL;
    sc_digest_format(identity, name);
    name[NAME_DIGITS] = '\0';
    snprintf(made, bytes, "%s%s%s", place, is_folder ? name : "", is_folder ? TAIL : "");
    return made;
}

/* A folder that is made is durable: a witness that a power cut takes along would be missed. */
static bool make_folder(const char *path)
{
    char *parent = NULL;
    if (mkdir(path, 0700) != 0)
        return errno == EEXIST;
    const size_t bytes = strlen(path) + sizeof "/..";
    bool is_made = chmod(path, 0700) == 0 && (parent = sc_allocate(bytes, 1)) != NULL;
    if (is_made) {
        snprintf(parent, bytes, "%s/..", path);
        const int folder = sc_descriptor_open(parent, O_RDONLY | O_DIRECTORY);
        is_made = folder >= 0 && fsync(folder) == 0;
        if (folder >= 0)
            close(folder);
    }
    sc_free(parent);
    return is_made;
}

/* Every folder on the way, for its user alone where it is new. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool is_made = make_folder(path);
        *slash = '/';
        if (!is_made)
            return false;
    }
    return true;
}

scrim_status sc_witness_folder(char **out, scrim_error *error)
{
    const char *state = secure_getenv("XDG_STATE_HOME"), *home = secure_getenv("HOME");
    const bool has_state = state != NULL && state[0] == '/';
    if (!has_state && (home == NULL || home[0] != '/'))
        return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_MISSING, "witness",
                           "there is no folder for the vault's witness: HOME is %s",
                           home == NULL || home[0] == '\0' ? "not set"
                                                           : "not a full path");
    const char *base = has_state ? state : home;
    const size_t bytes = strlen(base) + sizeof FROM_HOME OWN;
    char *made = sc_allocate(bytes, 1);
    if (made == NULL)
        return sc_no_memory(error, "the witness");
    snprintf(made, bytes, "%s%s" OWN, base, has_state ? "" : FROM_HOME);
    if (!make_folders(made)) {
        scrim_status status =
            sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_MISSING, "witness",
                        "the folder '%s' for the vault's witness cannot be made: %s",
                        made, strerror(errno));
        sc_free(made);
        return status;
    }
    *out = made;
    return SCRIM_OK;
}
