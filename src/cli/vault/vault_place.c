#include "cli/vault/vault_place.h"

#include "cli/terminal/borrowed_rights.h"
#include "cli/terminal/caller_limits.h"
#include "cli/terminal/complaint.h"
#include "cli/vault/spared_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

/* The one line of text that is no comment, cut out of it; NULL when there is none, or more. */
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
    /* Before anything is charged, and whatever is asked. */
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

/* For the ledger's readers; 0 where the clock stands before 1970. */
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
