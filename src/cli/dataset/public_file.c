#include "cli/dataset/public_file.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/whole_file.h"

#include <stdlib.h>
#include <string.h>

/* The size of a public table. */
#define TABLE_BYTES (4u << 20)

scrim_status sc_public_file_read(scrim_public_table *table, const char *path,
                                 char **lines, scrim_error *error)
{
    sc_whole_file file;
    scrim_status status = sc_whole_file_read(path, TABLE_BYTES, &file, error);
    if (status != SCRIM_OK)
        return status;
    table->content = file.bytes;
    table->bytes = file.count;
    status = scrim_public_table_lines(table, lines, error);
    sc_whole_file_clear(&file);
    return status;
}

char *sc_public_file_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash == NULL ? path : slash + 1;
    const char *point = strrchr(base, '.');
    return point == NULL || point == base ? strdup(base)
                                          : strndup(base, (size_t)(point - base));
}

/* Appends the lines of one table to those before it. */
static scrim_status append(const char *given, char **with, scrim_error *error)
{
    const char *equals = strchr(given, '='), *slash = strchr(given, '/');
    const bool is_named = equals != NULL && (slash == NULL || equals < slash);
    const char *path = is_named ? equals + 1 : given;
    char *name =
        is_named ? strndup(given, (size_t)(equals - given)) : sc_public_file_name(path);
    char *lines = NULL;
    if (name == NULL)
        return sc_out_of_memory(error, "a public table");
    scrim_public_table table = {.size = sizeof table, .name = name};
    const scrim_status status = sc_public_file_read(&table, path, &lines, error);
    free(name);
    if (status != SCRIM_OK)
        return status;
    const size_t before = *with == NULL ? 0 : strlen(*with);
    char *more = realloc(*with, before + strlen(lines) + 1);
    if (more != NULL)
        strcpy(more + before, lines);
    scrim_vault_text_free(lines);
    if (more == NULL)
        return sc_out_of_memory(error, "a public table");
    *with = more;
    return SCRIM_OK;
}

scrim_status sc_public_files_read(const sc_options *options, char **with,
                                  scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    *with = NULL;
    for (size_t i = 0; status == SCRIM_OK && i < options->repeated_count; i++)
        if (options->repeated[i].option == SCRIM_OPTION_WITH)
            status = append(options->repeated[i].value, with, error);
    if (status != SCRIM_OK) {
        free(*with);
        *with = NULL;
    }
    return status;
}
