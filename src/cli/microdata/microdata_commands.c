#include "cli/microdata/microdata_commands.h"

#include "cli/terminal/complaint.h"

#include <string.h>

static const sc_microdata_command *const commands[] = {
    &sc_microdata_plan_command, &sc_microdata_release, &sc_microdata_show,
    &sc_microdata_fit_command, &sc_microdata_check};
#define COUNT (sizeof commands / sizeof commands[0])

static const char *name_at(size_t index)
{
    return index < COUNT ? commands[index]->name : NULL;
}

scrim_status sc_microdata_command_find(const char *name, const sc_microdata_command **out,
                                       scrim_error *error)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0) {
            *out = commands[i];
            return SCRIM_OK;
        }
    const char *nearest = sc_nearest_name(name, name_at);
    if (nearest != NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "unknown subcommand '%.40s'; did you mean '%s'?", name,
                                 nearest);
    return sc_complaint_fill(
        error, SCRIM_E_PARAM,
        "unknown subcommand '%.40s'; 'scrim help microdata' lists them", name);
}
