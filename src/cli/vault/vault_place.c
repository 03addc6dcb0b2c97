#include "cli/vault/vault_place.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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
    /* Such a process writes no file that its caller names, and a check would tell which names exist. */
    if (sc_rights_are_borrowed() || sc_rights_are_lent(NULL))
        return SCRIM_OK;
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

#define DEFAULT_VAULT "./scrim.vault"
#define WAIT_SECONDS 60
#define WAIT_SECONDS_MAX (INT_MAX / 1000)

/* The site. */

static const char *site_file(void)
{
#ifdef SCRIM_TESTING
    const char *instead = getenv("SCRIM_TEST_SITE");
    if (instead != NULL)
        return instead;
#endif
    return "/etc/scrim/vault";
}

static scrim_status fail_site(const char *why, scrim_error *error)
{
    return sc_complaint_fill(
        error, SCRIM_E_LEDGER,
        "%s names the vault of this machine and %s; ask the administrator", site_file(),
        why);
}

bool sc_vault_is_of_site(void)
{
    return access(site_file(), F_OK) == 0;
}

/* The only line of text that is not a comment, terminated in place; NULL if there is no such
 * line or more than one. */
static char *only_line(char *text)
{
    char *found = NULL, *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        line += strspn(line, " \t");
        size_t bytes = strlen(line);
        while (bytes > 0 && strchr(" \t\r", line[bytes - 1]) != NULL)
            line[--bytes] = '\0';
        if (bytes == 0 || line[0] == '#')
            continue;
        if (found != NULL)
            return NULL;
        found = line;
    }
    return found;
}

/* *path stays NULL where the site names no vault. */
static scrim_status read_site(char **path, scrim_error *error)
{
    char text[2 * PATH_MAX];
    size_t count = 0;
    ssize_t got = 0;
    int file = open(site_file(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || errno == ENOTDIR ? SCRIM_OK
                                                   : fail_site(strerror(errno), error);
    while (count < sizeof text &&
           (got = read(file, text + count, sizeof text - count)) > 0)
        count += (size_t)got;
    close(file);
    if (got < 0 || count == sizeof text || memchr(text, '\0', count) != NULL)
        return fail_site("cannot be read", error);
    text[count] = '\0';
    const char *line = only_line(text);
    if (line == NULL || line[0] != '/')
        return fail_site("does not contain one absolute path", error);
    *path = strdup(line);
    return *path == NULL ? sc_out_of_memory(error, "a path") : SCRIM_OK;
}

/* The real user, who stays the same in a program that runs with the rights of the owner. */
static bool is_owner(const char *path)
{
    struct stat file;
    const uid_t user = getuid();
    return user == 0 || (stat(path, &file) == 0 && file.st_uid == user);
}

/* The choice. */

static scrim_status fail_choice(const char *what, const char *instead, scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_POLICY,
                             "%s is for the owner of this machine's vault, which %s "
                             "names; %s",
                             what, site_file(), instead);
}

static scrim_status choose_path(const char *option, char **path, scrim_error *error)
{
    const char *variable = getenv("SCRIM_VAULT");
    char *site = NULL;
    if (variable != NULL && variable[0] == '\0')
        variable = NULL;
    scrim_status status = read_site(&site, error);
    if (status != SCRIM_OK)
        return status;
    if (site == NULL && sc_rights_are_borrowed())
        return sc_complaint_fill(error, SCRIM_E_POLICY,
                                 "this program runs with the rights of another user, so "
                                 "%s must name the vault; ask the administrator",
                                 site_file());
    /* Checked before anything is charged, and for every command, so that a failure tells nothing
     * about data. */
    if (site != NULL && (sc_rights_are_borrowed() || !is_owner(site))) {
        status = sc_caller_limits_check(error);
        if (status != SCRIM_OK) {
            free(site);
            return status;
        }
    }
    const char *chosen = option != NULL ? option : variable;
    if (site != NULL && chosen != NULL && !is_owner(site))
        status = option != NULL ? fail_choice("--vault", "leave it out", error)
                                : fail_choice("$SCRIM_VAULT", "unset it", error);
    else if (option != NULL && option[0] == '\0')
        status = sc_refuse(error, "--vault needs a file name");
    else if (chosen == NULL && site != NULL)
        chosen = site;
    if (status == SCRIM_OK) {
        *path = strdup(chosen != NULL ? chosen : DEFAULT_VAULT);
        if (*path == NULL)
            status = sc_out_of_memory(error, "a path");
    }
    free(site);
    return status;
}

scrim_status sc_vault_choose(const sc_options *options, sc_vault_choice *out,
                             scrim_error *error)
{
    uint64_t seconds = 0;
    out->path = NULL;
    SC_TRY(sc_options_number(options, SCRIM_OPTION_WAIT, WAIT_SECONDS_MAX, WAIT_SECONDS,
                             &seconds, error));
    SC_TRY(choose_path(options->value[SCRIM_OPTION_VAULT], &out->path, error));
    out->wait_ms = seconds == 0 ? -1 : (int)seconds * 1000;
    return SCRIM_OK;
}

void sc_vault_choice_clear(sc_vault_choice *choice)
{
    free(choice->path);
    choice->path = NULL;
}

/* The time that people see in the ledger; 0 if the clock is before 1970. Nothing is decided by
 * it. */
static uint64_t now(void)
{
    const time_t seconds = time(NULL);
    return seconds > 0 ? (uint64_t)seconds : 0;
}

scrim_status sc_vault_place_open(const sc_options *options, scrim_vault **out,
                                 scrim_error *error)
{
    sc_vault_choice choice;
    scrim_vault *vault = NULL;
    scrim_status status = sc_vault_choose(options, &choice, error);
    if (status == SCRIM_OK)
        status = scrim_vault_open(
            choice.path, SCRIM_OPTIONS(scrim_vault_options, .wait_ms = choice.wait_ms),
            &vault, error);
    if (status == SCRIM_OK) {
        scrim_vault_tell_time(vault, now());
        status = sc_spared_files_check(options, choice.path, vault, error);
    }
    sc_vault_choice_clear(&choice);
    if (status == SCRIM_OK)
        *out = vault;
    else
        scrim_vault_close(vault);
    return status;
}

scrim_status sc_dataset_find(scrim_vault *vault, const char *name, scrim_dataset *out,
                             scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    sc_nearest nearest;
    sc_nearest_init(&nearest, name);
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_dataset(vault, i, out, error);
        if (status == SCRIM_OK && strcmp(out->name, name) == 0)
            return SCRIM_OK;
        if (status == SCRIM_OK)
            (void)sc_nearest_offer(&nearest, out->name);
    }
    if (status != SCRIM_E_PARAM)
        return status;
    if (nearest.name[0] != '\0')
        return sc_refuse(error, "unknown dataset '%s'; did you mean '%s'?", name,
                         nearest.name);
    return sc_refuse(error, "unknown dataset '%s'; 'scrim dataset list' lists them",
                     name);
}

/* Any number of this many digits fits into 64 bits. */
#define DIGITS_MOST 18

scrim_status sc_release_number_parse(const char *word, uint64_t *out, scrim_error *error)
{
    const size_t digits = strlen(word);
    if (digits == 0 || digits > DIGITS_MOST || strspn(word, "0123456789") != digits)
        return sc_refuse(error, "'%s' is not a release number; 'scrim ledger' lists them",
                         word);
    *out = strtoull(word, NULL, 10);
    return SCRIM_OK;
}

#ifdef SCRIM_TESTING
#include "ledger/ledger_tape.h"
#include "random/bits_tape.h"

static scrim_status use_seed(sc_run_ledger *out, const sc_options *options,
                             scrim_error *error)
{
    SC_TRY(sc_options_tape(options, &out->tape, error));
    sc_ledger_use_bits(out->ledger, sc_tape_bits_of(out->tape));
    return SCRIM_OK;
}
#endif

static const char *given(const char *number)
{
    return number[0] == '\0' ? NULL : number;
}

static scrim_status open_own(const scrim_cost *cost, sc_run_ledger *out,
                             scrim_error *error)
{
    const char *epsilon = given(cost->epsilon);
    const char *rho = epsilon == NULL ? given(cost->rho) : NULL;
    if (epsilon == NULL && rho == NULL)
        return sc_refuse(error, "cannot charge this: it has neither an epsilon nor a "
                                "rho; add delta=R, at which it has an epsilon");
    return scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = cost->neighbours,
                      .epsilon = epsilon, .rho = rho, .delta = given(cost->delta)),
        &out->ledger, error);
}

static scrim_status open_vault(const sc_options *options, sc_run_ledger *out,
                               scrim_error *error)
{
    SC_TRY(sc_vault_place_open(options, &out->vault, error));
    return scrim_vault_ledger(out->vault, options->value[SCRIM_OPTION_CHARGE],
                              &out->ledger, error);
}

scrim_status sc_run_ledger_open(const scrim_cost *cost, const sc_options *options,
                                sc_run_ledger *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    scrim_status status = sc_options_has(options, SCRIM_OPTION_CHARGE)
                              ? open_vault(options, out, error)
                              : open_own(cost, out, error);
#ifdef SCRIM_TESTING
    if (status == SCRIM_OK)
        status = use_seed(out, options, error);
#endif
    if (status != SCRIM_OK)
        sc_run_ledger_close(out);
    return status;
}

void sc_run_ledger_close(sc_run_ledger *out)
{
    scrim_ledger_free(out->ledger);
    scrim_vault_close(out->vault);
    out->ledger = NULL;
    out->vault = NULL;
#ifdef SCRIM_TESTING
    sc_tape_free(out->tape);
    out->tape = NULL;
#endif
}

/* Public files. */

/* Compared byte by byte: a copy is as protected as its dataset. */
static bool has_same_bytes(const char *a, const char *b)
{
    char first[4096], second[sizeof first];
    bool is_same = is_same_file(a, b);
    struct stat x, y;
    if (is_same || stat(a, &x) != 0 || stat(b, &y) != 0 || x.st_size != y.st_size ||
        !S_ISREG(x.st_mode) || !S_ISREG(y.st_mode))
        return is_same;
    FILE *left = fopen(a, "re"), *right = fopen(b, "re");
    for (is_same = left != NULL && right != NULL; is_same;) {
        const size_t bytes = fread(first, 1, sizeof first, left);
        is_same = fread(second, 1, sizeof second, right) == bytes &&
                  memcmp(first, second, bytes) == 0;
        if (bytes < sizeof first)
            break;
    }
    if (left != NULL)
        (void)fclose(left);
    if (right != NULL)
        (void)fclose(right);
    return is_same;
}

static scrim_status check_dataset(const char *path, scrim_vault *vault, const char *name,
                                  scrim_error *error)
{
    char *policy = NULL, source[PATH_MAX];
    const scrim_status status = scrim_vault_policy(vault, name, &policy, error);
    const bool is_source =
        status == SCRIM_OK && copy_source(policy, source) && has_same_bytes(path, source);
    scrim_vault_text_free(policy);
    return is_source ? sc_complaint_fill(error, SCRIM_E_POLICY,
                                         "'%.120s' has the data of the dataset %s, which "
                                         "is protected; for its owner there is 'scrim "
                                         "dataset check %s --risk'",
                                         path, name, name)
                     : status;
}

static scrim_status check_public(const char *path, scrim_vault *vault, scrim_error *error)
{
    scrim_dataset dataset;
    for (size_t i = 0; scrim_vault_dataset(vault, i, &dataset, NULL) == SCRIM_OK; i++)
        SC_TRY(check_dataset(path, vault, dataset.name, error));
    return SCRIM_OK;
}

scrim_status sc_public_file_check(const sc_options *options, const char *path,
                                  scrim_error *error)
{
    struct stat about;
    scrim_vault *vault = NULL;
    sc_vault_choice choice = {.path = NULL};
    if (sc_rights_are_borrowed() || sc_rights_are_lent(NULL))
        return sc_complaint_fill(error, SCRIM_E_POLICY,
                                 "a program with the rights of somebody else reads no "
                                 "file that its caller names");
    if (stat(path, &about) != 0)
        return sc_complaint_fill(error, SCRIM_E_INPUT, "cannot open '%.120s': %s", path,
                                 strerror(errno));
    scrim_status status = sc_vault_choose(options, &choice, error);
    if (status == SCRIM_OK && stat(choice.path, &about) == 0) {
        status = sc_vault_place_open(options, &vault, NULL);
        if (status == SCRIM_OK)
            status = check_public(path, vault, error);
        else
            status =
                sc_complaint_fill(error, SCRIM_E_POLICY,
                                  "the vault '%.120s' cannot be read, so that nobody "
                                  "can tell whether the file is a dataset",
                                  choice.path);
    }
    scrim_vault_close(vault);
    sc_vault_choice_clear(&choice);
    return status;
}
