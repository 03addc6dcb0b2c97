/* The files of `scrim local`: a configuration, reports or sums of it, names of values; and `scrim local collect`,
 * which adds them up. */
#ifndef SC_CLI_LOCAL_FILES_H
#define SC_CLI_LOCAL_FILES_H

#include "cli/terminal/options.h"
#include "cli/terminal/whole_file.h"
#include "scrim.h"
#include "scrim_local.h"

/* The files of `scrim local`: a configuration, and reports or sums of it. */

/* The text that --config names, which is required. */
SCRIM_MUST_USE scrim_status sc_local_config_file(const sc_options *options,
                                                 sc_whole_file *out, scrim_error *error);
/* All reports and sums of the files that are named behind the subcommand; free it. */
SCRIM_MUST_USE scrim_status sc_local_collect_files(const sc_options *options,
                                                   scrim_collection **out,
                                                   scrim_error *error);

/* A caution on standard error where more than one report in twenty was dropped. */
void sc_local_caution_dropped(const scrim_collection_facts *facts);

/* Names of values: one a line, the first is that of value 0. */

typedef struct sc_value_names {
    sc_whole_file file;
    char **names;
    size_t count;
} sc_value_names;

/* Reads a file of names; path NULL: values have no names. Clear it whatever happens. */
SCRIM_MUST_USE scrim_status sc_value_names_read(const char *path, sc_value_names *out,
                                                scrim_error *error);
void sc_value_names_clear(sc_value_names *names);

/* Which value has which name. */
typedef struct sc_named_value {
    const char *name;
    size_t value;
} sc_named_value;

/* As many as there are names, sorted for sc_value_names_find; free it. SCRIM_E_INPUT: a name stands there
 * twice. */
SCRIM_MUST_USE scrim_status sc_value_names_sort(const sc_value_names *names,
                                                sc_named_value **out, scrim_error *error);
/* NULL: there is no such name. */
const sc_named_value *sc_value_names_find(const sc_named_value *sorted, size_t count,
                                          const char *name);

#endif
