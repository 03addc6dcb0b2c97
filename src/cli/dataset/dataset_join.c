#include "cli/dataset/dataset_join.h"

#include "cli/dataset/public_file.h"
#include "cli/terminal/complaint.h"

#include <stdlib.h>
#include <string.h>

static scrim_status fail_memory(scrim_error *error)
{
    return sc_out_of_memory(error, "a policy");
}

/* Reads the file, and puts its lines in place of those that the draft has of the table. */
static scrim_status put_table(sc_policy_draft *draft, scrim_public_table *table,
                              const char *path, scrim_error *error)
{
    char *lines = NULL;
    scrim_status status = sc_public_file_read(table, path, &lines, error);
    if (status != SCRIM_OK)
        return status;
    (void)sc_policy_draft_unjoin(draft, table->name);
    status = sc_policy_draft_read(draft, lines, strlen(lines), error);
    scrim_vault_text_free(lines);
    return status;
}

static scrim_status remove_table(sc_policy_draft *draft, const char *name,
                                 scrim_error *error)
{
    if (name == NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "name the public table that is removed: --name regions");
    return sc_policy_draft_unjoin(draft, name)
               ? SCRIM_OK
               : sc_complaint_fill(error, SCRIM_E_PARAM,
                                   "no public table '%.60s' is joined; 'scrim dataset "
                                   "show' lists them",
                                   name);
}

scrim_status sc_dataset_join(sc_policy_draft *draft, const char *path,
                             const sc_options *options, scrim_error *error)
{
    const char *on = options->value[SCRIM_OPTION_ON],
               *given = options->value[SCRIM_OPTION_NAME];
    const char *columns[SC_OPTIONS_REPEATED];
    size_t count = 0;
    if (strcmp(path, "none") == 0)
        return remove_table(draft, given, error);
    if (on == NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "missing --on COLUMN, the column that both tables have, "
                                 "or --on COLUMN=KEY");
    for (size_t i = 0; i < options->repeated_count; i++)
        if (options->repeated[i].option == SCRIM_OPTION_COLUMN)
            columns[count++] = options->repeated[i].value;
    char *own = given != NULL ? strdup(given) : sc_public_file_name(path);
    if (own == NULL)
        return fail_memory(error);
    scrim_public_table table = {.size = sizeof table,
                                .name = own,
                                .on = on,
                                .columns = columns,
                                .column_count = count};
    const scrim_status status = put_table(draft, &table, path, error);
    free(own);
    return status;
}

scrim_status sc_dataset_join_settle(sc_policy_draft *draft, const char *value,
                                    scrim_error *error)
{
    const char *first = strchr(value, '='), *at = strstr(value, "=@");
    if (first == NULL || at == NULL || at == first)
        return SCRIM_OK;
    char *name = strndup(value, (size_t)(first - value)),
         *on = strndup(first + 1, (size_t)(at - first) - 1), *path = strdup(at + 2);
    scrim_public_table table = {.size = sizeof table, .name = name, .on = on};
    const scrim_status status = name == NULL || on == NULL || path == NULL
                                    ? fail_memory(error)
                                    : put_table(draft, &table, path, error);
    free(name);
    free(on);
    free(path);
    return status;
}
