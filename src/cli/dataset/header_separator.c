#include "cli/dataset/header_separator.h"

#include "scrim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many columns the header has by a line more; 0 where it cannot be read so. */
static size_t count_columns(const char *policy, const char *line)
{
    size_t count = 0;
    char *names = NULL, *text = malloc(strlen(policy) + strlen(line) + 2);
    scrim_error error;
    if (text == NULL)
        return 0;
    sprintf(text, "%s\n%s", policy, line);
    if (scrim_policy_columns(text, &names, &error) == SCRIM_OK)
        for (const char *at = names; *at != '\0'; at++)
            count += *at == '\n';
    scrim_vault_text_free(names);
    free(text);
    return count;
}

const char *sc_header_separator(const char *policy)
{
    static const struct {
        const char *name, *line;
    } all[] = {{";", "separator=;"}, {"tab", "separator=tab"}, {"|", "separator=|"}};
    const char *seen = NULL;
    size_t most = 1;
    if (count_columns(policy, "") > 1)
        return NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const size_t count = count_columns(policy, all[i].line);
        seen = count > most ? all[i].name : seen;
        most = count > most ? count : most;
    }
    return seen;
}
