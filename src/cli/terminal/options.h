/* The command line taken apart: options, which may stand anywhere, and words.
 *
 * An option is spelt out, "--name value" or "--name=value"; "--" ends options. A word with one dash
 * that has operators, as "-(x + y)", is a word. Nothing may be abbreviated or, but for options that say so, given twice. All verbs share one table, so that an
 * option means the same everywhere and may stand before the verb; a verb says which of them it
 * takes.
 */
#ifndef SC_CLI_OPTIONS_H
#define SC_CLI_OPTIONS_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
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
    SCRIM_OPTION_ALL,
    SCRIM_OPTION_HEADER,
    SCRIM_OPTION_LABELS,
    SCRIM_OPTION_CONFIDENCE,
    SCRIM_OPTION_CHARGE,
    SCRIM_OPTION_SVG,
    SCRIM_OPTION_POINTS,
    SCRIM_OPTION_SAMPLE,
    SCRIM_OPTION_VAULT,
    SCRIM_OPTION_WAIT,
    SCRIM_OPTION_WITNESS,
    SCRIM_OPTION_NO_WITNESS,
    SCRIM_OPTION_MOVED,
    SCRIM_OPTION_RESTORED,
    SCRIM_OPTION_NO_CHECK,
    SCRIM_OPTION_PUBLIC,
    SCRIM_OPTION_RISK,
    SCRIM_OPTION_POLICY,
    SCRIM_OPTION_CSV,
    SCRIM_OPTION_ON,
    SCRIM_OPTION_NAME,
    SCRIM_OPTION_SQLITE,
    SCRIM_OPTION_LIVE,
    SCRIM_OPTION_PARQUET,
    SCRIM_OPTION_DUCKDB,
    SCRIM_OPTION_TABLE,
    SCRIM_OPTION_RECORDS,
    SCRIM_OPTION_SEPARATOR,
    SCRIM_OPTION_DECIMAL,
    SCRIM_OPTION_DATE_FORMAT,
    SCRIM_OPTION_ZONE,
    SCRIM_OPTION_MAX_SIZE,
    SCRIM_OPTION_NULL,
    SCRIM_OPTION_UNIT,
    SCRIM_OPTION_SAME_UNIT,
    SCRIM_OPTION_COLUMN,
    SCRIM_OPTION_KEYS,
    SCRIM_OPTION_MISSING,
    SCRIM_OPTION_MAX_GROUPS,
    SCRIM_OPTION_MAX_ROWS,
    SCRIM_OPTION_MAX_TOTAL_ROWS,
    SCRIM_OPTION_FIXED_BOUNDS,
    SCRIM_OPTION_ROWS_PER_UNIT,
    SCRIM_OPTION_MAX_TOTAL,
    SCRIM_OPTION_BOUNDS_FROM,
    SCRIM_OPTION_BOUNDS,
    SCRIM_OPTION_CUT_SHARE,
    SCRIM_OPTION_WITH,
    SCRIM_OPTION_ROWS,
    SCRIM_OPTION_OUT,
    SCRIM_OPTION_BY,
    SCRIM_OPTION_COLUMNS,
    SCRIM_OPTION_DRY_RUN,
    SCRIM_OPTION_QUESTION_EPSILON,
    SCRIM_OPTION_NEIGHBOURS,
    SCRIM_OPTION_POPULATION,
    SCRIM_OPTION_BUDGET,
    SCRIM_OPTION_ACCOUNTING,
    SCRIM_OPTION_CAP,
    SCRIM_OPTION_SHARE,
    SCRIM_OPTION_QUANTUM,
    SCRIM_OPTION_EPSILON,
    SCRIM_OPTION_DELTA,
    SCRIM_OPTION_TARGET_ERROR,
    SCRIM_OPTION_EXPECT,
    SCRIM_OPTION_COMPARE,
    SCRIM_OPTION_VERBOSE,
    SCRIM_OPTION_MECHANISM,
    SCRIM_OPTION_FILE,
    SCRIM_OPTION_HTML,
    SCRIM_OPTION_YAML,
    SCRIM_OPTION_KEY,
    SCRIM_OPTION_HEAD,
    SCRIM_OPTION_RELEASES,
    SCRIM_OPTION_VALUES,
    SCRIM_OPTION_AT_ONCE,
    SCRIM_OPTION_SIZE,
    SCRIM_OPTION_ACCOUNTANT,
    SCRIM_OPTION_LOSS,
    SCRIM_OPTION_ETA,
    SCRIM_OPTION_AVERAGE,
    SCRIM_OPTION_DIMENSIONS,
    SCRIM_OPTION_NORM,
    SCRIM_OPTION_METRIC,
    SCRIM_OPTION_ORDER,
    SCRIM_OPTION_LOSSES,
    SCRIM_OPTION_GROUP,
    SCRIM_OPTION_INTERACTIVE,
    SCRIM_OPTION_ONLY,
    SCRIM_OPTION_SETS,
    SCRIM_OPTION_RUNS,
    SCRIM_OPTION_NOISY,
    SCRIM_OPTION_LINEAR,
    SCRIM_OPTION_STATISTIC,
    SCRIM_OPTION_WINDOW,
    SCRIM_OPTION_KNOWN_KEYS,
    SCRIM_OPTION_RUNNING,
    SCRIM_OPTION_BEYOND_BUDGET,
    SCRIM_OPTION_ANALYST,
    SCRIM_OPTION_SINCE,
    SCRIM_OPTION_UNTIL,
    SCRIM_OPTION_FROM,
    SCRIM_OPTION_TO,
    SCRIM_OPTION_DOCUMENT,
    SCRIM_OPTION_KIND,
    SCRIM_OPTION_SENSITIVE,
    SCRIM_OPTION_CONFIG,
    SCRIM_OPTION_NAMES,
    SCRIM_OPTION_TOP,
    SCRIM_OPTION_SIGNIFICANT,
    SCRIM_OPTION_SKIP_BAD,
    SCRIM_OPTION_POST,
    SCRIM_OPTION_UPDATES,
    SCRIM_OPTION_COVARIANCE,
    SCRIM_OPTION_JOINT,
    SCRIM_OPTION_JOINT_NAMES,
    SCRIM_OPTION_EVERY,
    SCRIM_OPTION_USERS,
    SCRIM_OPTION_HONEST,
    SCRIM_OPTION_SHUFFLER,
    SCRIM_OPTION_CELLS,
    SCRIM_OPTION_RHO,
    SCRIM_OPTION_DOMAIN,
    SCRIM_OPTION_UNKNOWN,
    SCRIM_OPTION_LENGTH,
    SCRIM_OPTION_PERIODS,
    SCRIM_OPTION_CONSTANT,
    SCRIM_OPTION_ORDERED,
    SCRIM_OPTION_LAW,
    SCRIM_OPTION_DRIFT,
    SCRIM_OPTION_LIFETIME,
    SCRIM_OPTION_METHOD,
    SCRIM_OPTION_CUT,
    SCRIM_OPTION_NEVER,
    SCRIM_OPTION_PRIVATE_KEYS,
    SCRIM_OPTION_WAYS,
    SCRIM_OPTION_REFINE,
    SCRIM_OPTION_GIVEN,
    SCRIM_OPTION_LEVELS,
    SCRIM_OPTION_SHARES,
    SCRIM_OPTION_INVARIANT,
    SCRIM_OPTION_TABLES,
    SCRIM_OPTION_QUERIES,
    SCRIM_OPTION_RANGE,
    SCRIM_OPTION_QUANTILE,
    SCRIM_OPTION_MEASUREMENTS,
    SCRIM_OPTION_Q,
    SCRIM_OPTION_DIRECTIONS,
    SCRIM_OPTION_AT,
    SCRIM_OPTION_WEIGHT,
    SCRIM_OPTION_THINNING,
    SCRIM_OPTION_STEP,
    SCRIM_OPTION_SCALES,
    SCRIM_OPTION_EXPECTED_UNITS,
    SCRIM_OPTION_SEED, /* has a name in the test build alone, so that nobody can give it elsewhere */
    SCRIM_OPTION_KINDS
} sc_option;

/* A set of options: their list, ended by SCRIM_OPTION_KINDS; NULL is the empty set. The names of
 * groups, SC_OPTIONS_FORMAT and others, stand within the brackets. */
typedef const sc_option *sc_option_set;
#define SC_OPTION_SET(...) ((const sc_option[]){__VA_ARGS__, SCRIM_OPTION_KINDS})
#define SC_OPTIONS_FORMAT SCRIM_OPTION_FORMAT, SCRIM_OPTION_JSON
bool sc_option_set_has(sc_option_set set, sc_option option);

/* How many of those that may be given several times (--column) there can be, all together. */
#define SC_OPTIONS_REPEATED 256

typedef struct sc_repeated {
    sc_option option;
    const char *value;
} sc_repeated;

typedef struct sc_options {
    const char *value[SCRIM_OPTION_KINDS]; /* NULL: not given; "" for a flag that is; the
                                            * last one where an option repeats */
    sc_repeated repeated[SC_OPTIONS_REPEATED]; /* all of those, in order */
    size_t repeated_count;
    char **words; /* what is no option, in order; lies in argv */
    size_t word_count;
    const char *unknown; /* the first option that no verb has, or NULL */
    /* For a host that runs a verb in its own process: how far an experiment is (talk.h), or NULL. */
    void (*tell)(void *context, uint64_t done, uint64_t total);
    void *tell_context;
} sc_options;

/* Sorts argv into options and words. An option that does not exist is only remembered,
 * since the verb, which may come later, is needed for a good message. */
SCRIM_MUST_USE scrim_status sc_options_parse(int argc, char **argv, sc_options *out,
                                             scrim_error *error);
/* Refuses unknown options, and those that are neither in the set of the command's kind (command.h) nor in its own.
 * Every command takes --help. */
SCRIM_MUST_USE scrim_status sc_options_check(const sc_options *options,
                                             sc_option_set of_kind, sc_option_set own,
                                             scrim_error *error);

/* "--csv". */
const char *sc_option_name(sc_option option);
bool sc_options_has(const sc_options *options, sc_option option);

/* --format or --json; fallback when neither is given. */
SCRIM_MUST_USE scrim_status sc_options_format(const sc_options *options,
                                              sc_format fallback, sc_format *out,
                                              scrim_error *error);
/* Looks at standard output; without either option a table on a terminal, CSV otherwise. */
SCRIM_MUST_USE scrim_status sc_options_screen(const sc_options *options,
                                              sc_terminal *terminal, sc_format *out,
                                              scrim_error *error);
/* Tables of more than SC_ROWS_MOST rows are abridged on a terminal, and with --all go through a pager there. For commands
 * that take --all. */
void sc_options_abridge(const sc_options *options, sc_terminal *terminal);
/* A whole number such as 1000 or 1e6, at most limit; fallback when the option is not
 * given. sc_options_positive takes none below 1. */
SCRIM_MUST_USE scrim_status sc_options_number(const sc_options *options, sc_option option,
                                              uint64_t limit, uint64_t fallback,
                                              uint64_t *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_options_positive(const sc_options *options,
                                                sc_option option, uint64_t limit,
                                                uint64_t fallback, uint64_t *out,
                                                scrim_error *error);

/* --seed, 1 when it is not given, and the bits that it chooses. Defined in the test build alone. */
struct sc_tape;
SCRIM_MUST_USE scrim_status sc_options_seed(const sc_options *options, uint64_t *out,
                                            scrim_error *error);
SCRIM_MUST_USE scrim_status sc_options_tape(const sc_options *options,
                                            struct sc_tape **out, scrim_error *error);

#endif
