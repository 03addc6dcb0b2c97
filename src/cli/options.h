/* The command line taken apart: options, which may stand anywhere, and words.
 *
 * An option is spelt out, "--name value" or "--name=value"; "--" ends options; nothing
 * may be abbreviated or given twice. All verbs share one table, so that an option means
 * the same everywhere and may stand before the verb; a verb says which of them it takes.
 */
#ifndef SC_CLI_OPTIONS_H
#define SC_CLI_OPTIONS_H

#include "cli/output.h"
#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sc_option {
    SCRIM_OPTION_HELP,
    SCRIM_OPTION_VERSION,
    SCRIM_OPTION_COUNT,
    SCRIM_OPTION_BINARY,
    SCRIM_OPTION_FORMAT,
    SCRIM_OPTION_JSON,
    SCRIM_OPTION_PLOT,
    SCRIM_OPTION_QUIET,
    SCRIM_OPTION_HEADER,
    SCRIM_OPTION_LABELS,
    SCRIM_OPTION_CONFIDENCE,
    SCRIM_OPTION_CHARGE,
    SCRIM_OPTION_SVG,
    SCRIM_OPTION_POINTS,
    SCRIM_OPTION_VAULT,
    SCRIM_OPTION_WAIT,
#ifdef SCRIM_TESTING
    SCRIM_OPTION_SEED,
#endif
    SCRIM_OPTION_KINDS
} sc_option;

/* A set of options, one bit each. */
#define SC_OPTION_BIT(option) (UINT64_C(1) << (option))
#define SC_OPTIONS_FORMAT                                                                \
    (SC_OPTION_BIT(SCRIM_OPTION_FORMAT) | SC_OPTION_BIT(SCRIM_OPTION_JSON))

typedef struct sc_options {
    const char *value[SCRIM_OPTION_KINDS]; /* NULL: not given; "" for a flag that is */
    char **words;                          /* what is no option, in order; lies in argv */
    size_t word_count;
    const char *unknown; /* the first option that no verb has, or NULL */
} sc_options;

/* Sorts argv into options and words. An option that does not exist is only remembered,
 * since the verb, which may come later, is needed for a good message. */
SCRIM_MUST_USE scrim_status sc_options_parse(int argc, char **argv, sc_options *out,
                                             scrim_error *error);
/* Refuses what is unknown and what is not in the set that the verb takes. */
SCRIM_MUST_USE scrim_status sc_options_check(const sc_options *options, uint64_t taken,
                                             scrim_error *error);

bool sc_options_has(const sc_options *options, sc_option option);

/* --format or --json; fallback when neither is given. */
SCRIM_MUST_USE scrim_status sc_options_format(const sc_options *options,
                                              sc_format fallback, sc_format *out,
                                              scrim_error *error);
/* A whole number such as 1000 or 1e6, at most limit; fallback when the option is not
 * given. */
SCRIM_MUST_USE scrim_status sc_options_number(const sc_options *options, sc_option option,
                                              uint64_t limit, uint64_t fallback,
                                              uint64_t *out, scrim_error *error);

#endif
