#include "cli/terminal/options.h"

#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#ifdef SCRIM_TESTING
#include "random/bits_tape.h"
#endif

typedef struct option_entry {
    const char *name;
    bool has_value;
} option_entry;

/* In the order of sc_option. */
static const option_entry entries[SCRIM_OPTION_KINDS] = {
    [SCRIM_OPTION_HELP] = {"--help", false},
    [SCRIM_OPTION_VERSION] = {"--version", false},
    [SCRIM_OPTION_COUNT] = {"-n", true},
    [SCRIM_OPTION_BINARY] = {"--binary", false},
    [SCRIM_OPTION_FORMAT] = {"--format", true},
    [SCRIM_OPTION_JSON] = {"--json", false},
    [SCRIM_OPTION_PLOT] = {"--plot", false},
    [SCRIM_OPTION_QUIET] = {"--quiet", false},
    [SCRIM_OPTION_HEADER] = {"--header", false},
    [SCRIM_OPTION_LABELS] = {"--labels", false},
    [SCRIM_OPTION_CONFIDENCE] = {"--confidence", true},
    [SCRIM_OPTION_CHARGE] = {"--charge", true},
    [SCRIM_OPTION_SVG] = {"--svg", true},
    [SCRIM_OPTION_POINTS] = {"--points", true},
    [SCRIM_OPTION_SAMPLE] = {"--sample", true},
    [SCRIM_OPTION_VAULT] = {"--vault", true},
    [SCRIM_OPTION_WAIT] = {"--wait", true},
    [SCRIM_OPTION_WITNESS] = {"--witness", true},
    [SCRIM_OPTION_NO_WITNESS] = {"--no-witness", false},
    [SCRIM_OPTION_MOVED] = {"--moved", false},
    [SCRIM_OPTION_RESTORED] = {"--restored", false},
    [SCRIM_OPTION_NO_CHECK] = {"--no-check", false},
    [SCRIM_OPTION_PUBLIC] = {"--public", false},
    [SCRIM_OPTION_RISK] = {"--risk", false},
    [SCRIM_OPTION_POLICY] = {"--policy", true},
    [SCRIM_OPTION_CSV] = {"--csv", true},
    [SCRIM_OPTION_ON] = {"--on", true},
    [SCRIM_OPTION_NAME] = {"--name", true},
    [SCRIM_OPTION_SQLITE] = {"--sqlite", true},
    [SCRIM_OPTION_LIVE] = {"--live", false},
    [SCRIM_OPTION_PARQUET] = {"--parquet", true},
    [SCRIM_OPTION_DUCKDB] = {"--duckdb", true},
    [SCRIM_OPTION_TABLE] = {"--table", true},
    [SCRIM_OPTION_RECORDS] = {"--records", true},
    [SCRIM_OPTION_SEPARATOR] = {"--separator", true},
    [SCRIM_OPTION_DECIMAL] = {"--decimal", true},
    [SCRIM_OPTION_DATE_FORMAT] = {"--date-format", true},
    [SCRIM_OPTION_ZONE] = {"--zone", true},
    [SCRIM_OPTION_MAX_SIZE] = {"--max-size", true},
    [SCRIM_OPTION_NULL] = {"--null", true},
    [SCRIM_OPTION_UNIT] = {"--unit", true},
    [SCRIM_OPTION_COLUMN] = {"--column", true},
    [SCRIM_OPTION_KEYS] = {"--keys", true},
    [SCRIM_OPTION_MISSING] = {"--missing", true},
    [SCRIM_OPTION_MAX_GROUPS] = {"--max-groups", true},
    [SCRIM_OPTION_MAX_ROWS] = {"--max-rows", true},
    [SCRIM_OPTION_MAX_TOTAL_ROWS] = {"--max-total-rows", true},
    [SCRIM_OPTION_FIXED_BOUNDS] = {"--fixed-bounds", true},
    [SCRIM_OPTION_ROWS_PER_UNIT] = {"--rows-per-unit", true},
    [SCRIM_OPTION_MAX_TOTAL] = {"--max-total", true},
    [SCRIM_OPTION_BOUNDS_FROM] = {"--bounds-from", true},
    [SCRIM_OPTION_ROWS] = {"--rows", true},
    [SCRIM_OPTION_OUT] = {"--out", true},
    [SCRIM_OPTION_BOUNDS] = {"--bounds", false},
    [SCRIM_OPTION_CUT_SHARE] = {"--cut-share", true},
    [SCRIM_OPTION_WITH] = {"--with", true},
    [SCRIM_OPTION_BY] = {"--by", true},
    [SCRIM_OPTION_COLUMNS] = {"--columns", true},
    [SCRIM_OPTION_DRY_RUN] = {"--dry-run", false},
    [SCRIM_OPTION_QUESTION_EPSILON] = {"--question-epsilon", true},
    [SCRIM_OPTION_NEIGHBOURS] = {"--neighbours", true},
    [SCRIM_OPTION_POPULATION] = {"--population", true},
    [SCRIM_OPTION_SAME_UNIT] = {"--same-unit", true},
    [SCRIM_OPTION_BUDGET] = {"--budget", true},
    [SCRIM_OPTION_ALL] = {"--all", false},
    [SCRIM_OPTION_ACCOUNTING] = {"--accounting", true},
    [SCRIM_OPTION_CAP] = {"--cap", true},
    [SCRIM_OPTION_QUANTUM] = {"--quantum", true},
    [SCRIM_OPTION_SHARE] = {"--share", true},
    [SCRIM_OPTION_EPSILON] = {"--epsilon", true},
    [SCRIM_OPTION_DELTA] = {"--delta", true},
    [SCRIM_OPTION_TARGET_ERROR] = {"--target-error", true},
    [SCRIM_OPTION_EXPECT] = {"--expect", true},
    [SCRIM_OPTION_COMPARE] = {"--compare", true},
    [SCRIM_OPTION_VERBOSE] = {"--verbose", false},
    [SCRIM_OPTION_MECHANISM] = {"--mechanism", true},
    [SCRIM_OPTION_FILE] = {"--file", true},
    [SCRIM_OPTION_HTML] = {"--html", true},
    [SCRIM_OPTION_YAML] = {"--yaml", true},
    [SCRIM_OPTION_KEY] = {"--key", true},
    [SCRIM_OPTION_HEAD] = {"--head", true},
    [SCRIM_OPTION_RELEASES] = {"--count", true},
    [SCRIM_OPTION_VALUES] = {"--values", true},
    [SCRIM_OPTION_AT_ONCE] = {"--at-once", false},
    [SCRIM_OPTION_SIZE] = {"--size", false},
    [SCRIM_OPTION_ACCOUNTANT] = {"--accountant", true},
    [SCRIM_OPTION_LOSS] = {"--loss", true},
    [SCRIM_OPTION_ETA] = {"--eta", true},
    [SCRIM_OPTION_AVERAGE] = {"--average", false},
    [SCRIM_OPTION_DIMENSIONS] = {"--dimensions", true},
    [SCRIM_OPTION_NORM] = {"--norm", true},
    [SCRIM_OPTION_METRIC] = {"--metric", true},
    [SCRIM_OPTION_ORDER] = {"--order", true},
    [SCRIM_OPTION_LOSSES] = {"--losses", false},
    [SCRIM_OPTION_GROUP] = {"--group", true},
    [SCRIM_OPTION_INTERACTIVE] = {"--interactive", false},
    [SCRIM_OPTION_ONLY] = {"--only", true},
    [SCRIM_OPTION_SETS] = {"--sets", true},
    [SCRIM_OPTION_RUNS] = {"--runs", true},
    [SCRIM_OPTION_NOISY] = {"--noisy", false},
    [SCRIM_OPTION_LINEAR] = {"--linear", false},
    [SCRIM_OPTION_STATISTIC] = {"--statistic", true},
    [SCRIM_OPTION_WINDOW] = {"--window", true},
    [SCRIM_OPTION_KNOWN_KEYS] = {"--known-keys", true},
    [SCRIM_OPTION_RUNNING] = {"--running", false},
    [SCRIM_OPTION_BEYOND_BUDGET] = {"--beyond-budget", false},
    [SCRIM_OPTION_ANALYST] = {"--analyst", true},
    [SCRIM_OPTION_SINCE] = {"--since", true},
    [SCRIM_OPTION_UNTIL] = {"--until", true},
    [SCRIM_OPTION_FROM] = {"--from", true},
    [SCRIM_OPTION_TO] = {"--to", true},
    [SCRIM_OPTION_DOCUMENT] = {"--document", true},
    [SCRIM_OPTION_KIND] = {"--kind", true},
    [SCRIM_OPTION_SENSITIVE] = {"--sensitive", true},
    [SCRIM_OPTION_CONFIG] = {"--config", true},
    [SCRIM_OPTION_NAMES] = {"--names", true},
    [SCRIM_OPTION_TOP] = {"--top", true},
    [SCRIM_OPTION_SIGNIFICANT] = {"--significant", false},
    [SCRIM_OPTION_SKIP_BAD] = {"--skip-bad", false},
    [SCRIM_OPTION_POST] = {"--post", true},
    [SCRIM_OPTION_UPDATES] = {"--updates", true},
    [SCRIM_OPTION_COVARIANCE] = {"--covariance", false},
    [SCRIM_OPTION_JOINT] = {"--joint", true},
    [SCRIM_OPTION_JOINT_NAMES] = {"--joint-names", true},
    [SCRIM_OPTION_EVERY] = {"--every", true},
    [SCRIM_OPTION_USERS] = {"--users", true},
    [SCRIM_OPTION_HONEST] = {"--honest", true},
    [SCRIM_OPTION_SHUFFLER] = {"--shuffler", true},
    [SCRIM_OPTION_CELLS] = {"--cells", true},
    [SCRIM_OPTION_RHO] = {"--rho", true},
    [SCRIM_OPTION_DOMAIN] = {"--domain", true},
    [SCRIM_OPTION_UNKNOWN] = {"--unknown", false},
    [SCRIM_OPTION_LENGTH] = {"--length", true},
    [SCRIM_OPTION_PERIODS] = {"--periods", true},
    [SCRIM_OPTION_CONSTANT] = {"--constant", false},
    [SCRIM_OPTION_ORDERED] = {"--ordered", false},
    [SCRIM_OPTION_LAW] = {"--law", true},
    [SCRIM_OPTION_DRIFT] = {"--drift", true},
    [SCRIM_OPTION_LIFETIME] = {"--lifetime", true},
    [SCRIM_OPTION_METHOD] = {"--method", true},
    [SCRIM_OPTION_CUT] = {"--cut", true},
    [SCRIM_OPTION_NEVER] = {"--never", true},
    [SCRIM_OPTION_PRIVATE_KEYS] = {"--private-keys", true},
    [SCRIM_OPTION_WAYS] = {"--ways", true},
    [SCRIM_OPTION_REFINE] = {"--refine", true},
    [SCRIM_OPTION_GIVEN] = {"--given", true},
    [SCRIM_OPTION_LEVELS] = {"--levels", true},
    [SCRIM_OPTION_SHARES] = {"--shares", true},
    [SCRIM_OPTION_INVARIANT] = {"--invariant", true},
    [SCRIM_OPTION_TABLES] = {"--tables", true},
    [SCRIM_OPTION_QUERIES] = {"--queries", true},
    [SCRIM_OPTION_RANGE] = {"--range", true},
    [SCRIM_OPTION_QUANTILE] = {"--quantile", true},
    [SCRIM_OPTION_MEASUREMENTS] = {"--measurements", true},
    [SCRIM_OPTION_Q] = {"--q", true},
    [SCRIM_OPTION_DIRECTIONS] = {"--directions", true},
    [SCRIM_OPTION_AT] = {"--at", true},
    [SCRIM_OPTION_WEIGHT] = {"--weight", true},
    [SCRIM_OPTION_THINNING] = {"--thinning", true},
    [SCRIM_OPTION_STEP] = {"--step", true},
    [SCRIM_OPTION_SCALES] = {"--scales", true},
    [SCRIM_OPTION_EXPECTED_UNITS] = {"--expected-units", true},
#ifdef SCRIM_TESTING
    [SCRIM_OPTION_SEED] = {"--seed", true},
#endif
};

static bool may_repeat(size_t kind)
{
    return kind == SCRIM_OPTION_COLUMN || kind == SCRIM_OPTION_KEYS ||
           kind == SCRIM_OPTION_MISSING || kind == SCRIM_OPTION_MAX_TOTAL ||
           kind == SCRIM_OPTION_SHARE || kind == SCRIM_OPTION_CUT ||
           kind == SCRIM_OPTION_NEVER || kind == SCRIM_OPTION_PRIVATE_KEYS ||
           kind == SCRIM_OPTION_GIVEN || kind == SCRIM_OPTION_INVARIANT ||
           kind == SCRIM_OPTION_TABLES || kind == SCRIM_OPTION_QUERIES ||
           kind == SCRIM_OPTION_RANGE || kind == SCRIM_OPTION_QUANTILE ||
           kind == SCRIM_OPTION_AT || kind == SCRIM_OPTION_WITH;
}

static const char *option_name_at(size_t index)
{
    return index < SCRIM_OPTION_KINDS ? entries[index].name : NULL;
}

/* The entry whose name is the first bytes of argument; SCRIM_OPTION_KINDS when no
 * option has that name. */
static size_t find_option(const char *argument, size_t bytes)
{
    size_t kind = 0;
    while (kind < SCRIM_OPTION_KINDS &&
           !(entries[kind].name != NULL && strlen(entries[kind].name) == bytes &&
             memcmp(entries[kind].name, argument, bytes) == 0))
        kind++;
    return kind;
}

static scrim_status repeat_option(sc_option kind, sc_options *out, scrim_error *error)
{
    if (out->repeated_count == SC_OPTIONS_REPEATED)
        return sc_complaint_fill(
            error, SCRIM_E_LIMIT,
            "too many repeated options (at most %d); put them into a file for --policy",
            SC_OPTIONS_REPEATED);
    out->repeated[out->repeated_count++] = (sc_repeated){kind, out->value[kind]};
    return SCRIM_OK;
}

/* --bounds of a query takes auto or auto=SHARE, that of 'dataset check' nothing. */
static bool is_auto(int argc, char **argv, int at)
{
    return at < argc &&
           (strcmp(argv[at], "auto") == 0 || strncmp(argv[at], "auto=", 5) == 0);
}

/* The name of the option that an argument is, written in full; NULL: it may be a value. */
static const char *option_at(int argc, char **argv, int at)
{
    if (at >= argc || strncmp(argv[at], "--", 2) != 0)
        return NULL;
    const size_t kind = find_option(argv[at], strcspn(argv[at], "="));
    return kind == SCRIM_OPTION_KINDS ? NULL : entries[kind].name;
}

/* Takes the option at argv[*at] and its value; *at is left on the last argument used. */
static scrim_status take_option(int argc, char **argv, int *at, sc_options *out,
                                scrim_error *error)
{
    const char *argument = argv[*at];
    const char *equals = strchr(argument, '=');
    size_t bytes = equals == NULL ? strlen(argument) : (size_t)(equals - argument);
    size_t kind = find_option(argument, bytes);
    if (kind == SCRIM_OPTION_KINDS) {
        if (out->unknown == NULL)
            out->unknown = argument;
        return SCRIM_OK;
    }
    const option_entry *entry = &entries[kind];
    if (out->value[kind] != NULL && !may_repeat(kind))
        return sc_refuse(error, "%s is given twice; give it once", entry->name);
    if (kind == SCRIM_OPTION_BOUNDS && (equals != NULL || is_auto(argc, argv, *at + 1))) {
        out->value[kind] = equals != NULL ? equals + 1 : argv[++*at];
    } else if (!entry->has_value) {
        if (equals != NULL)
            return sc_refuse(error, "%s takes no value", entry->name);
        out->value[kind] = "";
    } else if (equals != NULL) {
        out->value[kind] = equals + 1;
    } else if (option_at(argc, argv, *at + 1) != NULL) {
        return sc_refuse(error, "%s needs a value, and the option %s follows it",
                         entry->name, option_at(argc, argv, *at + 1));
    } else if (*at + 1 < argc) {
        out->value[kind] = argv[++*at];
    } else {
        return sc_refuse(error, "%s needs a value after it", entry->name);
    }
    return may_repeat(kind) ? repeat_option((sc_option)kind, out, error) : SCRIM_OK;
}

/* One dash before what is no name, as in -(x) or "-x + y", begins a function and no option. */
static bool is_word(const char *argument)
{
    if (argument[0] != '-' || argument[1] == '\0')
        return true;
    return argument[1] != '-' && strpbrk(argument, " +*/^()\"") != NULL &&
           strchr(argument, '=') == NULL;
}

scrim_status sc_options_parse(int argc, char **argv, sc_options *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    out->words = argc > 0 ? argv + 1 : argv;
    scrim_status status = SCRIM_OK;
    bool ended = false;
    for (int at = 1; at < argc && status == SCRIM_OK; at++) {
        char *argument = argv[at];
        if (ended || is_word(argument))
            out->words[out->word_count++] =
                argument; /* never past at: argv shrinks in place */
        else if (strcmp(argument, "--") == 0)
            ended = true;
        else
            status = take_option(argc, argv, &at, out, error);
    }
    return status;
}

bool sc_option_set_has(sc_option_set set, sc_option option)
{
    for (; set != NULL && *set != SCRIM_OPTION_KINDS; set++)
        if (*set == option)
            return true;
    return false;
}

static bool takes(sc_option_set of_kind, sc_option_set own, sc_option option)
{
    return option == SCRIM_OPTION_HELP || sc_option_set_has(of_kind, option) ||
           sc_option_set_has(own, option);
}

scrim_status sc_options_check(const sc_options *options, sc_option_set of_kind,
                              sc_option_set own, scrim_error *error)
{
    if (options->unknown != NULL) {
        const char *unknown = options->unknown;
        int bytes = (int)strcspn(unknown, "=");
        char name[64];
        memset(name, 0, sizeof name);
        memcpy(name, unknown,
               (size_t)bytes < sizeof name ? (size_t)bytes : sizeof name - 1);
        const char *nearest = strcmp(name, "--devices") == 0
                                  ? entries[SCRIM_OPTION_USERS].name
                                  : sc_nearest_name(name, option_name_at);
        if (nearest != NULL &&
            takes(of_kind, own, (sc_option)find_option(nearest, strlen(nearest))))
            return sc_refuse(error, "unknown option %.*s; did you mean %s?", bytes,
                             unknown, nearest);
        if (unknown[1] != '-')
            return sc_refuse(error,
                             "unknown option %.*s; --help shows the options, and "
                             "-- goes before a word that begins with -",
                             bytes, unknown);
        return sc_refuse(error, "unknown option %.*s; --help shows the options", bytes,
                         unknown);
    }
    for (size_t kind = 0; kind < SCRIM_OPTION_KINDS; kind++)
        if (options->value[kind] != NULL && !takes(of_kind, own, (sc_option)kind))
            return sc_refuse(error, "unexpected argument %s; --help shows the options",
                             entries[kind].name);
    return SCRIM_OK;
}

const char *sc_option_name(sc_option option)
{
    return entries[option].name;
}

bool sc_options_has(const sc_options *options, sc_option option)
{
    return options->value[option] != NULL;
}

scrim_status sc_options_format(const sc_options *options, sc_format fallback,
                               sc_format *out, scrim_error *error)
{
    const char *text = options->value[SCRIM_OPTION_FORMAT];
    if (text != NULL && sc_options_has(options, SCRIM_OPTION_JSON) &&
        strcmp(text, "json") != 0)
        return sc_refuse(error, "--json and --format %s contradict each other; keep one",
                         text);
    if (sc_options_has(options, SCRIM_OPTION_JSON))
        text = "json";
    if (text == NULL) {
        *out = fallback;
        return SCRIM_OK;
    }
    for (size_t index = 0; sc_format_name_at(index) != NULL; index++)
        if (strcmp(text, sc_format_name_at(index)) == 0) {
            *out = (sc_format)index;
            return SCRIM_OK;
        }
    return sc_refuse(error, "--format must be table, csv, json or jsonl, not '%s'", text);
}

scrim_status sc_options_screen(const sc_options *options, sc_terminal *terminal,
                               sc_format *out, scrim_error *error)
{
    sc_terminal_look(STDOUT_FILENO, terminal);
    return sc_options_format(
        options, terminal->is_terminal ? SCRIM_FORMAT_TABLE : SCRIM_FORMAT_CSV, out,
        error);
}

void sc_options_abridge(const sc_options *options, sc_terminal *terminal)
{
    terminal->pages = terminal->is_terminal && sc_options_has(options, SCRIM_OPTION_ALL);
    terminal->rows_most = terminal->is_terminal && !terminal->pages ? SC_ROWS_MOST : 0;
}

/* Takes decimal digits off the front of text; false without a digit or if the value is
 * above limit (9 or more). */
static bool take_digits(const char **text, uint64_t limit, uint64_t *value)
{
    const char *start = *text;
    *value = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        uint64_t digit = (uint64_t)(**text - '0');
        if (*value > (limit - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return *text != start;
}

static scrim_status read_number(const sc_options *options, sc_option option,
                                uint64_t least, uint64_t limit, uint64_t fallback,
                                uint64_t *out, scrim_error *error)
{
    const char *text = options->value[option];
    if (text == NULL) {
        *out = fallback;
        return SCRIM_OK;
    }
    uint64_t value = 0, zeros = 0;
    const char *rest = text;
    bool valid = take_digits(&rest, limit, &value);
    if (valid && *rest == 'e') {
        rest++;
        valid = take_digits(&rest, 99, &zeros);
        for (; valid && zeros > 0 && value > 0; zeros--) {
            valid = value <= limit / 10;
            value *= 10;
        }
    }
    if (!valid || *rest != '\0' || value < least)
        return sc_refuse(
            error, "%s must be a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'",
            entries[option].name, least, limit, text);
    *out = value;
    return SCRIM_OK;
}

scrim_status sc_options_number(const sc_options *options, sc_option option,
                               uint64_t limit, uint64_t fallback, uint64_t *out,
                               scrim_error *error)
{
    return read_number(options, option, 0, limit, fallback, out, error);
}

scrim_status sc_options_positive(const sc_options *options, sc_option option,
                                 uint64_t limit, uint64_t fallback, uint64_t *out,
                                 scrim_error *error)
{
    return read_number(options, option, 1, limit, fallback, out, error);
}

#ifdef SCRIM_TESTING
scrim_status sc_options_seed(const sc_options *options, uint64_t *out, scrim_error *error)
{
    return sc_options_number(options, SCRIM_OPTION_SEED, UINT64_MAX, 1, out, error);
}

scrim_status sc_options_tape(const sc_options *options, struct sc_tape **out,
                             scrim_error *error)
{
    uint64_t seed = 1;
    SC_TRY(sc_options_seed(options, &seed, error));
    return sc_tape_seeded(seed, out, error);
}
#endif
