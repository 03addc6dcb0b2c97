#include "cli/terminal/command.h"

#include "cli/terminal/complaint.h"

#include <stdlib.h>
#include <string.h>

char *sc_word_line(char *const *words, size_t count)
{
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(words[i]) + 1;
    char *line = malloc(bytes);
    if (line == NULL)
        return NULL;
    char *end = line;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            *end++ = ' ';
        end = stpcpy(end, words[i]);
    }
    *end = '\0';
    return line;
}

scrim_status sc_keyed_read(const sc_options *options, size_t first, sc_keyed *list,
                           size_t *next, scrim_error *error)
{
    size_t i = first;
    for (; i < options->word_count; i++) {
        const char *word = options->words[i], *equals = strchr(word, '=');
        sc_keyed *k = list;
        if (equals == NULL)
            break;
        const size_t length = (size_t)(equals - word);
        while (k->key != NULL &&
               (strlen(k->key) != length || strncmp(k->key, word, length) != 0))
            k++;
        if (k->key == NULL)
            return sc_refuse(error, "'%s' is not allowed here", word);
        if (k->value != NULL)
            return sc_refuse(error, "%s is given twice; give it once", k->key);
        k->value = equals + 1;
    }
    *next = i;
    return SCRIM_OK;
}

#define LISTING SC_OPTIONS_FORMAT, SCRIM_OPTION_QUIET
#define VAULT SCRIM_OPTION_VAULT, SCRIM_OPTION_WAIT

static const sc_option kinds[SC_COMMAND_KINDS][8] = {
    [SC_COMMAND_TEXT] = {SCRIM_OPTION_KINDS},
    [SC_COMMAND_ACT] = {SCRIM_OPTION_QUIET, SCRIM_OPTION_KINDS},
    [SC_COMMAND_LIST] = {LISTING, SCRIM_OPTION_KINDS},
    [SC_COMMAND_PLAN] = {LISTING, SCRIM_OPTION_PLOT, SCRIM_OPTION_SVG,
                         SCRIM_OPTION_KINDS},
    [SC_COMMAND_MANAGE] = {SCRIM_OPTION_QUIET, VAULT, SCRIM_OPTION_KINDS},
    [SC_COMMAND_LOOK] = {LISTING, VAULT, SCRIM_OPTION_KINDS},
    [SC_COMMAND_RELEASE] = {LISTING, VAULT, SCRIM_OPTION_SEED, SCRIM_OPTION_KINDS},
    [SC_COMMAND_READ] = {LISTING, VAULT, SCRIM_OPTION_KEY, SCRIM_OPTION_KINDS},
    [SC_COMMAND_CHECK] = {SCRIM_OPTION_QUIET, VAULT, SCRIM_OPTION_KEY,
                          SCRIM_OPTION_KINDS},
};

sc_option_set sc_command_kind_options(sc_command_kind kind)
{
    return kinds[kind];
}

const sc_command *sc_command_find(sc_command_at *at, const char *name)
{
    const sc_command *command = NULL;
    for (size_t i = 0; name != NULL && (command = at(i)) != NULL; i++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static const char *nearest_name(sc_command_at *at, const char *misspelt)
{
    const char *found = NULL;
    const sc_command *command = NULL;
    sc_nearest nearest;
    sc_nearest_init(&nearest, misspelt);
    for (size_t i = 0; (command = at(i)) != NULL; i++)
        if (sc_nearest_offer(&nearest, command->name))
            found = command->name;
    return found;
}

scrim_status sc_command_choose(sc_command_at *at, const sc_options *options,
                               const sc_command **out, scrim_error *error)
{
    const char *verb = options->words[0];
    if (options->word_count < 2)
        return sc_refuse(error, "missing subcommand; 'scrim help %s' lists them", verb);
    const char *name = options->words[1];
    *out = sc_command_find(at, name);
    if (*out != NULL)
        return SCRIM_OK;
    const char *nearest = nearest_name(at, name);
    if (nearest != NULL)
        return sc_refuse(error, "unknown subcommand '%.40s'; did you mean '%s'?", name,
                         nearest);
    return sc_refuse(error, "unknown subcommand '%.40s'; 'scrim help %s' lists them",
                     name, verb);
}
