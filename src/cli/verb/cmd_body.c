/* scrim body SUBCOMMAND */
#include "cli/release/subcommands.h"
#include "cli/verb/verbs.h"

static const sc_command *command_at(size_t index)
{
    static const sc_command *const commands[] = {
        &sc_body_fit,       &sc_body_exact,    &sc_body_center,  &sc_body_show,
        &sc_body_project,   &sc_body_support,  &sc_body_depth,   &sc_body_outliers,
        &sc_body_sample,    &sc_body_minimise, &sc_body_compare, &sc_body_plot,
        &sc_body_admissible};
    return index < sizeof commands / sizeof *commands ? commands[index] : NULL;
}

const sc_verb sc_verb_body = {
    .name = "body",
    .synopsis = "SUBCOMMAND [OPTION...]",
    .summary = "Release where most units lie in several columns, and study it",
    .usage =
        "A floating body is the region of several columns that is central from every\n"
        "direction: each of its half-spaces holds a share q of the units. It is "
        "released\n"
        "once, as a JSON file with its label. Whatever is computed from the file is "
        "free\n"
        "of charge and needs no vault. Points are in units of the columns; distances,\n"
        "radii and volumes are those of columns scaled to comparable units.\n",
    .command = command_at,
};
