#include "cli/local/local_commands.h"

#include "cli/terminal/complaint.h"

#include <string.h>

static const sc_local_command *const commands[] = {
    &sc_local_plan_command, &sc_local_encode,  &sc_local_collect,
    &sc_local_decode,       &sc_local_amplify, &sc_local_simulate};
#define COUNT (sizeof commands / sizeof commands[0])

const sc_help_topic *sc_local_topic_at(size_t index)
{
    return index < COUNT ? &commands[index]->help : NULL;
}

static const char *name_at(size_t index)
{
    return index < COUNT ? commands[index]->help.name : NULL;
}

scrim_status sc_local_command_find(const char *name, const sc_local_command **out,
                                   scrim_error *error)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(commands[i]->help.name, name) == 0) {
            *out = commands[i];
            return SCRIM_OK;
        }
    const char *nearest = sc_nearest_name(name, name_at);
    if (nearest != NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "unknown subcommand '%.40s'; did you mean '%s'?", name,
                                 nearest);
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "unknown subcommand '%.40s'; 'scrim help local' lists them",
                             name);
}
