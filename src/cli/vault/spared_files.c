#include "cli/vault/spared_files.h"

#include "cli/terminal/borrowed_rights.h"
#include "cli/terminal/complaint.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const sc_option outputs[] = {SCRIM_OPTION_OUT,     SCRIM_OPTION_SVG,
                                    SCRIM_OPTION_HTML,    SCRIM_OPTION_YAML,
                                    SCRIM_OPTION_RECORDS, SCRIM_OPTION_MEASUREMENTS,
                                    SCRIM_OPTION_POLICY};
enum { OUTPUTS = sizeof outputs / sizeof *outputs };

static scrim_status refuse(sc_option option, const char *path, const char *what,
                           scrim_error *error)
{
    return sc_refuse(error, "%s: '%.120s' is %s; name another file",
                     sc_option_name(option), path, what);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

/* The vault. */

static bool copy_folder(const char *path, char out[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const int bytes = slash == NULL ? 1 : (int)(slash - path) + 1;
    return snprintf(out, PATH_MAX, "%.*s", bytes, slash == NULL ? "." : path) < PATH_MAX;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* "vault-journal": it may not exist yet. */
static bool is_beside(const char *path, const char *vault)
{
    static const char *const endings[] = {"-journal", "-wal", "-shm"};
    char folder[PATH_MAX], own[PATH_MAX];
    const char *name = name_of(path), *first = name_of(vault);
    const size_t bytes = strlen(first);
    if (strncmp(name, first, bytes) != 0 || !copy_folder(path, folder) ||
        !copy_folder(vault, own) || !is_same_file(folder, own))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(name + bytes, endings[i]) == 0)
            return true;
    return false;
}

/* Sources. */

/* The file that a policy names. */
static bool copy_source(const char *policy, char out[PATH_MAX])
{
    static const char *const kinds[] = {"csv=", "sqlite=", "parquet="};
    for (const char *line = policy; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n' ? 1 : 0;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            const size_t begin = strlen(kinds[i]);
            const size_t bytes = strncmp(line, kinds[i], begin) == 0
                                     ? strcspn(line + begin, "\n")
                                     : PATH_MAX;
            if (bytes >= PATH_MAX)
                continue;
            memcpy(out, line + begin, bytes);
            out[bytes] = '\0';
            return true;
        }
    }
    return false;
}

static scrim_status check_source(const sc_options *options, const char *policy,
                                 scrim_error *error)
{
    char source[PATH_MAX];
    if (!copy_source(policy, source))
        return SCRIM_OK;
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *path = options->value[outputs[i]];
        if (path != NULL && is_same_file(path, source))
            return refuse(outputs[i], path, "the data of a dataset", error);
    }
    return SCRIM_OK;
}

static scrim_status check_sources(const sc_options *options, scrim_vault *vault,
                                  scrim_error *error)
{
    scrim_dataset dataset;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK; i++) {
        char *policy = NULL;
        status = scrim_vault_dataset(vault, i, &dataset, NULL);
        if (status != SCRIM_OK) /* past the last */
            return SCRIM_OK;
        status = scrim_vault_policy(vault, dataset.name, &policy, error);
        if (status == SCRIM_OK)
            status = check_source(options, policy, error);
        scrim_vault_text_free(policy);
    }
    return status;
}

scrim_status sc_spared_files_check(const sc_options *options, const char *path,
                                   scrim_vault *vault, scrim_error *error)
{
    bool is_there = false; /* a file that would be replaced */
    struct stat about;
    if (sc_rights_are_borrowed() || sc_rights_are_lent(NULL))
        return SCRIM_OK; /* who writes no file by name learns nothing of names */
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *output = options->value[outputs[i]];
        if (output == NULL)
            continue;
        if (is_same_file(output, path))
            return refuse(outputs[i], output, "the vault", error);
        if (is_beside(output, path))
            return refuse(outputs[i], output, "a file of the vault", error);
        is_there = is_there || stat(output, &about) == 0;
    }
    return is_there ? check_sources(options, vault, error) : SCRIM_OK;
}
