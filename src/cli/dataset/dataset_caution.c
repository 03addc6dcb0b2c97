#include "cli/dataset/dataset_caution.h"

#include "cli/dataset/dataset_share.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/terminal/talk.h"
#include "cli/vault/budget_writer.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The budget. */

static scrim_status caution_budget(scrim_vault *vault, const scrim_dataset *dataset,
                                   scrim_error *error)
{
    scrim_budget budget;
    scrim_status status =
        sc_budget_find(vault, dataset->population, NULL, &budget, error);
    const char *caution = status == SCRIM_OK ? sc_caution_budget(budget.epsilon) : NULL;
    if (caution != NULL)
        sc_talk("caution: the budget: %s\n", caution);
    return status;
}

scrim_status sc_dataset_caution_shares(scrim_vault *vault, const char *population,
                                       scrim_error *error)
{
    scrim_budget budget;
    char caution[SC_SHARES_BYTES];
    const scrim_status status = sc_budget_find(vault, population, NULL, &budget, error);
    if (status == SCRIM_OK && sc_caution_shares(&budget, caution))
        sc_talk("caution: %s\n", caution);
    return status;
}

/* The last moment of a range. */

/* A day, which means its midnight. */
static bool is_day(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    size_t i = 0;
    while (form[i] != '\0' &&
           (form[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i]))
        i++;
    return form[i] == '\0' && text[i] == '\0';
}

bool sc_caution_midnight(const char *name, const char *high, char text[SC_MIDNIGHT_BYTES])
{
    char before[SC_DATE_VIEW_BYTES];
    if (!is_day(high))
        return false;
    sc_date_view_format(sc_date_view(high) - 1, before);
    if (strcmp(high + 7, "-01") == 0)
        snprintf(text, SC_MIDNIGHT_BYTES,
                 "%.128s ends at midnight of %s, so GROUP BY a month shows one month "
                 "more; %s 23:59:59 ends it before",
                 name, high, before);
    else
        snprintf(text, SC_MIDNIGHT_BYTES,
                 "%.128s ends at midnight of %s, and later times of that day are "
                 "clamped; %s 23:59:59 includes them",
                 name, high, high);
    return true;
}

/* Every line "column=NAME=timestamp[LOW,HIGH]"; one with a step was thought about. */
static scrim_status caution_midnights(scrim_vault *vault, const scrim_dataset *dataset,
                                      scrim_error *error)
{
    char *policy = NULL, *rest = NULL, name[SCRIM_COLUMN_BYTES], high[32],
         text[SC_MIDNIGHT_BYTES];
    const scrim_status status = scrim_vault_policy(vault, dataset->name, &policy, error);
    for (const char *line = status == SCRIM_OK ? strtok_r(policy, "\n", &rest) : NULL;
         line != NULL; line = strtok_r(NULL, "\n", &rest))
        if (sscanf(line, "column=%128[^=]=timestamp[%*[^],],%31[^],]", name, high) == 2 &&
            line[strlen(line) - 1] == ']' && sc_caution_midnight(name, high, text))
            sc_talk("caution: %s\n", text);
    scrim_vault_text_free(policy);
    return status;
}

/* The same people. */

typedef struct span {
    const char *start;
    size_t bytes;
} span;

/* The text behind begin, where that begins a line of the policy, up to stop or the end of the line. */
static span find_value(const char *policy, const char *begin, const char *stop)
{
    const size_t bytes = strlen(begin);
    for (const char *line = policy; line != NULL && *line != '\0';) {
        if (strncmp(line, begin, bytes) == 0)
            return (span){line + bytes, strcspn(line + bytes, stop)};
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return (span){"", 0};
}

static bool is_same(const char *a, const char *b, const char *begin, const char *stop)
{
    const span x = find_value(a, begin, stop), y = find_value(b, begin, stop);
    return x.bytes > 0 && x.bytes == y.bytes && memcmp(x.start, y.start, x.bytes) == 0;
}

/* The size of the file that a policy names; -1: no such file. The owner, who adds a dataset, may
 * see it. */
static int64_t size_of(const char *policy)
{
    char path[PATH_MAX];
    struct stat file;
    span name = find_value(policy, "csv=", "\n");
    if (name.bytes == 0)
        name = find_value(policy, "sqlite=", "\n");
    if (name.bytes == 0)
        name = find_value(policy, "parquet=", "\n");
    if (name.bytes == 0 || name.bytes >= sizeof path)
        return -1;
    memcpy(path, name.start, name.bytes);
    path[name.bytes] = '\0';
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) ? file.st_size : -1;
}

static bool has_same_file(const char *a, const char *b)
{
    return is_same(a, b, "csv=", "\n") || is_same(a, b, "parquet=", "\n") ||
           (is_same(a, b, "sqlite=", "\n") && is_same(a, b, "table=", "\n"));
}

static bool is_twin(const char *a, const char *b)
{
    const int64_t size = size_of(a);
    return has_same_file(a, b) || (size >= 0 && size == size_of(b));
}

scrim_status sc_dataset_find_twin(scrim_vault *vault, const char *policy,
                                  const char *population, scrim_dataset *out,
                                  bool *is_same_file, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    bool is_found = false;
    for (size_t i = 0; status == SCRIM_OK && !is_found; i++) {
        char *theirs = NULL;
        status = scrim_vault_dataset(vault, i, out, error);
        if (status == SCRIM_OK)
            status = scrim_vault_policy(vault, out->name, &theirs, error);
        is_found = status == SCRIM_OK && strcmp(out->population, population) != 0 &&
                   is_twin(policy, theirs);
        *is_same_file = is_found && has_same_file(policy, theirs);
        scrim_vault_text_free(theirs);
    }
    if (!is_found)
        out->name[0] = '\0';
    return status == SCRIM_E_PARAM ? SCRIM_OK : status; /* past the last */
}

static scrim_status caution_twin(scrim_vault *vault, const scrim_dataset *other,
                                 const char *policy, scrim_error *error)
{
    char *theirs = NULL;
    scrim_status status = scrim_vault_policy(vault, other->name, &theirs, error);
    if (status == SCRIM_OK && is_twin(policy, theirs))
        sc_talk(
            "caution: dataset %s (population %s) has a file of the same name or size; "
            "datasets about the same people must share one population\n",
            other->name, other->population);
    scrim_vault_text_free(theirs);
    return status;
}

static scrim_status caution_twins(scrim_vault *vault, const scrim_dataset *dataset,
                                  scrim_error *error)
{
    char *policy = NULL;
    scrim_dataset other;
    scrim_status status = scrim_vault_policy(vault, dataset->name, &policy, error);
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_dataset(vault, i, &other, error);
        if (status == SCRIM_OK && strcmp(other.population, dataset->population) != 0)
            status = caution_twin(vault, &other, policy, error);
    }
    scrim_vault_text_free(policy);
    return status == SCRIM_E_PARAM ? SCRIM_OK : status; /* past the last */
}

scrim_status sc_dataset_caution_write(scrim_vault *vault, const scrim_dataset *dataset,
                                      bool knows_budget, scrim_error *error)
{
    scrim_status status = knows_budget ? SCRIM_OK : caution_budget(vault, dataset, error);
    if (status == SCRIM_OK)
        status = sc_dataset_caution_shares(vault, dataset->population, error);
    if (status == SCRIM_OK)
        status = sc_dataset_shares_caution_owner(vault, dataset->population, error);
    if (status == SCRIM_OK)
        status = caution_midnights(vault, dataset, error);
    return status == SCRIM_OK ? caution_twins(vault, dataset, error) : status;
}

typedef struct answers {
    uint64_t version, count;
} answers;

static scrim_status count_answer(void *context, const scrim_vault_release *charge)
{
    answers *a = context;
    a->count += charge->version == a->version && charge->state == SCRIM_ENTRY_RELEASED;
    return SCRIM_OK;
}

scrim_status sc_dataset_caution_answers(scrim_vault *vault, const char *name,
                                        uint64_t version, scrim_error *error)
{
    answers a = {.version = version};
    const scrim_status status =
        scrim_vault_history(vault, name, 1, count_answer, &a, error);
    if (status == SCRIM_OK && a.count > 0)
        sc_talk("answers to version %" PRIu64 " are no longer repeated free of charge; "
                "'scrim replay' still shows them\n",
                version);
    return status;
}
