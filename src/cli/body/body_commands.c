#include "cli/body/body_commands.h"

#include "cli/terminal/complaint.h"

#include <string.h>

static const sc_body_command *const commands[] = {
    &sc_body_fit,     &sc_body_center,   &sc_body_show,      &sc_body_project,
    &sc_body_depth,   &sc_body_outliers, &sc_body_sample,    &sc_body_minimise,
    &sc_body_compare, &sc_body_plot,     &sc_body_admissible};
#define COUNT (sizeof commands / sizeof commands[0])

const sc_help_topic *sc_body_topic_at(size_t index)
{
    return index < COUNT ? &commands[index]->help : NULL;
}

static const char *name_at(size_t index)
{
    return index < COUNT ? commands[index]->help.name : NULL;
}

scrim_status sc_body_command_find(const char *name, const sc_body_command **out,
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
                             "unknown subcommand '%.40s'; 'scrim help body' lists them",
                             name);
}
