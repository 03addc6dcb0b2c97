#include "cli/dataset/policy_draft.h"

#include "cli/dataset/typed_dates.h"
#include "cli/terminal/complaint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines there are, in the order of a policy. */
static const struct {
    const char *key;
    sc_option option;
    const char *comment;
} order[] = {
    {"csv", SCRIM_OPTION_CSV, "the source of the rows"},
    {"sqlite", SCRIM_OPTION_SQLITE, "the source of the rows"},
    {"table", SCRIM_OPTION_TABLE, NULL},
    {"live", SCRIM_OPTION_LIVE, "no file: a program pushes the rows"},
    {"parquet", SCRIM_OPTION_PARQUET, "the source of the rows, read by Python"},
    {"duckdb", SCRIM_OPTION_DUCKDB, "the source of the rows, read by Python"},
    {"records", SCRIM_OPTION_RECORDS, "record ends: lf or crlf"},
    {"separator", SCRIM_OPTION_SEPARATOR, "field separator: , ; | or tab"},
    {"decimal", SCRIM_OPTION_DECIMAL, "decimal mark: . or ,"},
    {"date-format", SCRIM_OPTION_DATE_FORMAT, "date format of the source"},
    {"zone", SCRIM_OPTION_ZONE,
     "time zone of timestamps, with its offsets as copied when declared"},
    {"max-size", SCRIM_OPTION_MAX_SIZE,
     "the source is never larger; memory follows this number"},
    {"null", SCRIM_OPTION_NULL, "unquoted cells that mean missing, besides empty ones"},
    {"unit", SCRIM_OPTION_UNIT, "privacy unit: a column, or row"},
    {"same-unit", SCRIM_OPTION_SAME_UNIT,
     "the name of the same unit in another table of the population"},
    {"column", SCRIM_OPTION_COLUMN,
     "columns that may be queried, with their ranges; values outside are clamped"},
    {"keys", SCRIM_OPTION_KEYS, "public keys, always shown"},
    {"missing", SCRIM_OPTION_MISSING, "default for a missing or unreadable value"},
    {"max-total-rows", SCRIM_OPTION_MAX_TOTAL_ROWS,
     "contribution bound: rows per unit in a whole answer"},
    {"max-groups", SCRIM_OPTION_MAX_GROUPS, "contribution bound: groups per unit"},
    {"max-rows", SCRIM_OPTION_MAX_ROWS, "contribution bound: rows per unit and group"},
    {"rows-per-unit", SCRIM_OPTION_ROWS_PER_UNIT,
     "a fact, not a bound: each unit has one row"},
    {"max-total", SCRIM_OPTION_MAX_TOTAL,
     "contribution bound: the sum of a column per unit and group is clamped to this"},
    {"fixed-bounds", SCRIM_OPTION_FIXED_BOUNDS, "no question may choose its own bounds"},
    {"bounds-from", SCRIM_OPTION_BOUNDS_FROM,
     "how the bounds were chosen: declared, check (by looking at the data) or suggest"},
    {"neighbours", SCRIM_OPTION_NEIGHBOURS,
     "neighbouring datasets differ by one unit more or less (add-remove),\n"
     "# or by one replaced unit (replace: their number is public)"},
    {"population", SCRIM_OPTION_POPULATION,
     "population: tables about the same people share one budget"},
    {"budget", SCRIM_OPTION_BUDGET, "total budget; nothing renews it"},
    {"accounting", SCRIM_OPTION_ACCOUNTING, "composition of charges"},
    {"cap", SCRIM_OPTION_CAP, "largest cost of one query"},
    {"share", SCRIM_OPTION_SHARE, "share of an analyst"},
    {"quantum", SCRIM_OPTION_QUANTUM,
     "seconds: answers are shown only at multiples of it, so that their time reveals "
     "nothing"},
};

void sc_policy_draft_clear(sc_policy_draft *draft)
{
    for (size_t i = 0; i < draft->count; i++) {
        free(draft->lines[i].key);
        free(draft->lines[i].value);
    }
    free(draft->lines);
    *draft = (sc_policy_draft){.lines = NULL};
#define KINDS (sizeof order / sizeof *order)
}

void sc_policy_draft_breathe(sc_policy_draft *draft)
{
    draft->breath++;
}

/* Sources: the lines that say the source of the rows, and those that go with one of them. */

static const struct {
    const char *key, *source;
} about_source[] = {{"csv", "csv"},         {"sqlite", "sqlite"}, {"live", "live"},
                    {"parquet", "parquet"}, {"duckdb", "duckdb"}, {"table", "sqlite"},
                    {"records", "csv"},     {"separator", "csv"}};
#define ABOUT_SOURCE (sizeof about_source / sizeof *about_source)

static bool is_source(const char *key)
{
    for (size_t i = 0; i < ABOUT_SOURCE; i++)
        if (strcmp(about_source[i].source, key) == 0)
            return true;
    return false;
}

bool sc_policy_draft_is_file(const char *key)
{
    return is_source(key) && strcmp(key, "live") != 0 && strcmp(key, "duckdb") != 0;
}

bool sc_policy_draft_is_read(const sc_policy_draft *draft)
{
    const char *source = sc_policy_draft_source(draft);
    return source != NULL &&
           (strcmp(source, "csv") == 0 || strcmp(source, "sqlite") == 0);
}

const char *sc_policy_draft_source(const sc_policy_draft *draft)
{
    for (size_t i = 0; i < ABOUT_SOURCE; i++)
        if (sc_policy_draft_get(draft, about_source[i].source) != NULL)
            return about_source[i].source;
    return NULL;
}

void sc_policy_draft_forget(sc_policy_draft *draft, const sc_options *options)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (!is_source(order[i].key) || !sc_options_has(options, order[i].option))
            continue;
        for (size_t k = 0; k < ABOUT_SOURCE; k++)
            if (strcmp(about_source[k].source, order[i].key) != 0)
                sc_policy_draft_remove(draft, about_source[k].key);
    }
}

/* Lines. */

static scrim_status fail_memory(scrim_error *error)
{
    return sc_out_of_memory(error, "a policy");
}

/* A message about a line begins with its key, as those of the library do. */
__attribute__((format(printf, 3, 4))) static scrim_status
fail_line(scrim_error *error, const char *key, const char *format, ...)
{
    char rest[SCRIM_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    (void)sc_complaint_fill(error, SCRIM_E_PARAM, "%s%s", key, rest);
    snprintf(error->parameter, sizeof error->parameter, "%s", key);
    return SCRIM_E_PARAM;
}

/* The number of bytes of a line's value that name its subject, with the '=' behind it. */
static size_t subject_bytes(const char *key, const char *value)
{
    if (strcmp(key, "column") != 0 && strcmp(key, "keys") != 0 &&
        strcmp(key, "missing") != 0 && strcmp(key, "max-total") != 0 &&
        strcmp(key, "share") != 0 && strncmp(key, "join", 4) != 0)
        return 0;
    const char *equals = strchr(value, '=');
    /* A column of a public table, and its cells, are about TABLE=COLUMN. */
    if (equals != NULL && strncmp(key, "join-", 5) == 0)
        equals = strchr(equals + 1, '=');
    return equals == NULL ? strlen(value) : (size_t)(equals - value) + 1;
}

static sc_draft_line *find_line(const sc_policy_draft *draft, const char *key,
                                const char *value)
{
    const size_t bytes = subject_bytes(key, value);
    for (size_t i = 0; i < draft->count; i++) {
        const sc_draft_line *line = &draft->lines[i];
        if (strcmp(line->key, key) == 0 && subject_bytes(key, line->value) == bytes &&
            strncmp(line->value, value, bytes) == 0)
            return &draft->lines[i];
    }
    return NULL;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Refuses a value that would be read back as something else. */
static scrim_status check_value(const char *key, const char *value, scrim_error *error)
{
    const size_t bytes = strlen(value);
    if (strpbrk(value, "\n\r") != NULL)
        return fail_line(error, key, ": a value must be on one line");
    if (bytes > 0 && (is_blank(value[0]) || is_blank(value[bytes - 1])))
        return fail_line(error, key, ": '%s' begins or ends with a blank; remove it",
                         value);
    return SCRIM_OK;
}

static scrim_status make_room(sc_policy_draft *draft, scrim_error *error)
{
    if (draft->count < draft->room)
        return SCRIM_OK;
    const size_t room = 2 * draft->room + 16;
    sc_draft_line *lines = realloc(draft->lines, room * sizeof *lines);
    if (lines == NULL)
        return fail_memory(error);
    draft->lines = lines;
    draft->room = room;
    return SCRIM_OK;
}

/* A line with a key and a value, or none. */
static scrim_status add_line(sc_policy_draft *draft, const char *key, const char *value,
                             scrim_error *error)
{
    scrim_status status = make_room(draft, error);
    if (status != SCRIM_OK)
        return status;
    sc_draft_line line = {strdup(key), strdup(value), draft->breath};
    if (line.key == NULL || line.value == NULL) {
        free(line.key);
        free(line.value);
        return fail_memory(error);
    }
    draft->lines[draft->count++] = line;
    return SCRIM_OK;
}

/* Removes the lines of a key whose value begins with the first `bytes` bytes of `value`. */
static void remove_lines(sc_policy_draft *draft, const char *key, const char *value,
                         size_t bytes)
{
    for (size_t i = 0; i < draft->count;) {
        sc_draft_line *line = &draft->lines[i];
        if (strcmp(line->key, key) != 0 || strncmp(line->value, value, bytes) != 0) {
            i++;
            continue;
        }
        free(line->key);
        free(line->value);
        draft->count--;
        memmove(line, line + 1, (draft->count - i) * sizeof *line);
    }
}

/* Drops lines of a key that an earlier breath said; false: no line was dropped. */
static bool drop_earlier(sc_policy_draft *draft, const char *key)
{
    const sc_draft_line *line = find_line(draft, key, "");
    if (line == NULL || line->breath == draft->breath)
        return false;
    remove_lines(draft, key, "", 0);
    return true;
}

/* The fact of one row a unit takes the place of earlier bounds, and the other way round: a later --max-rows changes one
 * of both bounds of 1. Bounds and the fact in one breath are for the library to refuse. */
static scrim_status settle_one_row(sc_policy_draft *draft, const char *key,
                                   scrim_error *error)
{
    static const char *const bounds[] = {"max-groups", "max-rows", "max-total-rows"};
    const bool is_total = strcmp(key, bounds[2]) == 0;
    if (strcmp(key, "rows-per-unit") == 0) {
        for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
            (void)drop_earlier(draft, bounds[i]);
        return SCRIM_OK;
    }
    if ((!is_total && strcmp(key, bounds[0]) != 0 && strcmp(key, bounds[1]) != 0) ||
        !drop_earlier(draft, "rows-per-unit") || is_total)
        return SCRIM_OK;
    /* The other one of both is of the earlier breath, so that this one may replace it. */
    const char *other = strcmp(key, bounds[0]) == 0 ? bounds[1] : bounds[0];
    draft->breath--;
    const scrim_status status = add_line(draft, other, "1", error);
    draft->breath++;
    return status;
}

scrim_status sc_policy_draft_put(sc_policy_draft *draft, const char *key,
                                 const char *value, scrim_error *error)
{
    scrim_status status = check_value(key, value, error);
    if (status == SCRIM_OK)
        status = settle_one_row(draft, key, error);
    if (status != SCRIM_OK)
        return status;
    sc_draft_line *line = find_line(draft, key, value);
    if (line == NULL)
        return add_line(draft, key, value, error);
    if (line->breath == draft->breath)
        return fail_line(error, key, "%s%.*s: duplicate; give it once",
                         subject_bytes(key, value) > 0 ? " " : "",
                         (int)subject_bytes(key, value), value);
    char *copy = strdup(value);
    if (copy == NULL)
        return fail_memory(error);
    free(line->value);
    line->value = copy;
    line->breath = draft->breath;
    return SCRIM_OK;
}

const char *sc_policy_draft_get(const sc_policy_draft *draft, const char *key)
{
    for (size_t i = 0; i < draft->count; i++)
        if (strcmp(draft->lines[i].key, key) == 0)
            return draft->lines[i].value;
    return NULL;
}

void sc_policy_draft_remove(sc_policy_draft *draft, const char *key)
{
    remove_lines(draft, key, "", 0);
}

bool sc_policy_draft_unjoin(sc_policy_draft *draft, const char *table)
{
    static const char *const keys[] = {"join", "join-column", "join-cells"};
    const size_t bytes = strlen(table), before = draft->count;
    char *subject = malloc(bytes + 2);
    if (subject == NULL)
        return false;
    memcpy(subject, table, bytes);
    memcpy(subject + bytes, "=", 2);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        remove_lines(draft, keys[i], subject, bytes + 1);
    free(subject);
    return draft->count < before;
}

scrim_status sc_policy_draft_leave_out(sc_policy_draft *draft, const sc_options *options,
                                       scrim_error *error)
{
    static const char *const about[] = {"column", "keys", "missing", "max-total"};
    for (size_t i = 0; i < options->repeated_count; i++) {
        const char *value = options->repeated[i].value;
        const size_t bytes = subject_bytes("column", value);
        if (options->repeated[i].option != SCRIM_OPTION_COLUMN ||
            strcmp(value + bytes, "none") != 0)
            continue;
        if (find_line(draft, "column", value) == NULL)
            return fail_line(error, "column",
                             " %s: no column '%.*s' is declared; 'scrim dataset show' "
                             "lists them",
                             value, (int)bytes - 1, value);
        for (size_t k = 0; k < sizeof about / sizeof *about; k++)
            remove_lines(draft, about[k], value, bytes);
    }
    return SCRIM_OK;
}

/* A text of lines. */

static scrim_status read_line(sc_policy_draft *draft, char *line, scrim_error *error)
{
    line += strspn(line, " \t");
    size_t bytes = strlen(line);
    while (bytes > 0 && (is_blank(line[bytes - 1]) || line[bytes - 1] == '\r'))
        line[--bytes] = '\0';
    if (bytes == 0 || line[0] == '#')
        return SCRIM_OK;
    const size_t key_bytes = strspn(line, "abcdefghijklmnopqrstuvwxyz-");
    char *value = line + key_bytes;
    if (key_bytes == 0 || (*value != '\0' && *value != '=' && !is_blank(*value)))
        return sc_complaint_fill(
            error, SCRIM_E_SYNTAX,
            "'%.40s' is not valid in a policy; write key=value, as in unit=person_id",
            line);
    const bool is_spaced = is_blank(*value);
    if (*value != '\0')
        *value++ = '\0';
    value += strspn(value, " \t");
    if (is_spaced && *value == '=')
        value += 1 + strspn(value + 1, " \t");
    if (strcmp(line, "contents") == 0)
        return SCRIM_OK;
    return sc_policy_draft_put(draft, line, value, error);
}

scrim_status sc_policy_draft_read(sc_policy_draft *draft, const char *text, size_t bytes,
                                  scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (memchr(text, '\0', bytes) != NULL)
        return sc_complaint_fill(error, SCRIM_E_SYNTAX,
                                 "the policy contains a NUL byte; it must be text");
    char *copy = strndup(text, bytes), *rest = NULL;
    if (copy == NULL)
        return fail_memory(error);
    for (char *line = strtok_r(copy, "\n", &rest); line != NULL && status == SCRIM_OK;
         line = strtok_r(NULL, "\n", &rest))
        status = read_line(draft, line, error);
    free(copy);
    return status;
}

bool sc_policy_draft_is_bounded(const sc_policy_draft *draft)
{
    const char *unit = sc_policy_draft_get(draft, "unit");
    return unit == NULL || strcmp(unit, "row") == 0 ||
           sc_policy_draft_get(draft, "max-total-rows") != NULL ||
           sc_policy_draft_get(draft, "rows-per-unit") != NULL ||
           (sc_policy_draft_get(draft, "max-groups") != NULL &&
            sc_policy_draft_get(draft, "max-rows") != NULL);
}

scrim_status sc_policy_draft_bound(sc_policy_draft *draft, scrim_error *error)
{
    static const char *const bounds[] = {"max-groups", "max-rows"};
    scrim_status status = SCRIM_OK;
    if (sc_policy_draft_is_bounded(draft))
        return SCRIM_OK;
    for (size_t i = 0; i < 2 && status == SCRIM_OK; i++)
        if (sc_policy_draft_get(draft, bounds[i]) == NULL)
            status = sc_policy_draft_put(draft, bounds[i], "1", error);
    return status;
}

scrim_status sc_policy_draft_load(sc_policy_draft *draft, scrim_vault *vault,
                                  const char *name, scrim_error *error)
{
    char *text = NULL;
    scrim_status status = scrim_vault_policy(vault, name, &text, error);
    if (status == SCRIM_OK)
        status = sc_policy_draft_read(draft, text, strlen(text), error);
    scrim_vault_text_free(text);
    return status == SCRIM_OK ? sc_policy_draft_bound(draft, error) : status;
}

/* A text that stands for a missing value may be any but the empty one. */
static bool is_taken_away(sc_option option, const char *value)
{
    return option == SCRIM_OPTION_NULL
               ? value[0] == '\0'
               : (option == SCRIM_OPTION_CAP || option == SCRIM_OPTION_QUANTUM ||
                  option == SCRIM_OPTION_MAX_GROUPS || option == SCRIM_OPTION_MAX_ROWS ||
                  option == SCRIM_OPTION_MAX_TOTAL_ROWS ||
                  option == SCRIM_OPTION_FIXED_BOUNDS) &&
                     strcmp(value, "none") == 0;
}

/* Takes an option that may be said several times; --max-total NAME=none takes a line away. */
static scrim_status take_repeated(sc_policy_draft *draft, sc_option option,
                                  const char *value, scrim_error *error)
{
    const char *key = sc_option_name(option) + 2;
    const size_t bytes = subject_bytes(key, value);
    char turned[SC_ANSWER_BYTES];
    if (option == SCRIM_OPTION_COLUMN && strlen(value) < sizeof turned &&
        (strncmp(value + bytes, "date[", 5) == 0 ||
         strncmp(value + bytes, "timestamp[", 10) == 0)) {
        snprintf(turned, sizeof turned, "%s", value);
        sc_typed_dates_turn(turned + bytes);
        value = turned;
    }
    if (option == SCRIM_OPTION_MAX_TOTAL && strcmp(value + bytes, "none") == 0) {
        remove_lines(draft, key, value, bytes);
        return SCRIM_OK;
    }
    if (option == SCRIM_OPTION_KEYS && bytes > 0 && value[bytes] == '\0')
        return fail_line(error, key, " %s: write a list of keys as KEY,KEY,... or @FILE",
                         value);
    return sc_policy_draft_put(draft, key, value, error);
}

scrim_status sc_policy_draft_take(sc_policy_draft *draft, const sc_options *options,
                                  scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < options->repeated_count && status == SCRIM_OK; i++)
        status = take_repeated(draft, options->repeated[i].option,
                               options->repeated[i].value, error);
    for (size_t i = 0; i < KINDS && status == SCRIM_OK; i++) {
        const char *value = options->value[order[i].option];
        if (value == NULL || subject_bytes(order[i].key, "=") > 0)
            continue;
        if (order[i].option == SCRIM_OPTION_LIVE)
            value = "yes";
        if (is_taken_away(order[i].option, value))
            sc_policy_draft_remove(draft, order[i].key);
        else
            status = sc_policy_draft_put(draft, order[i].key, value, error);
    }
    return status;
}

/* The text. */

typedef void line_visitor(void *context, const char *comment, const sc_draft_line *line);

/* All lines in order, those with a key that nobody knows behind the others; comment comes with the
 * first of a kind. */
static void visit_lines(const sc_policy_draft *draft, line_visitor *visit, void *context)
{
    for (size_t kind = 0; kind <= KINDS; kind++) {
        const char *comment = kind < KINDS ? order[kind].comment : NULL;
        for (size_t i = 0; i < draft->count; i++) {
            size_t own = 0;
            while (own < KINDS && strcmp(order[own].key, draft->lines[i].key) != 0)
                own++;
            if (own != kind)
                continue;
            visit(context, comment, &draft->lines[i]);
            comment = NULL;
        }
    }
}

/* An answer that means "not applicable": a column that is left out, one with private keys or
 * without a bound of totals, no texts that mean missing, the population that has the dataset's
 * name. "none" can be a key, a text or a name, so that these are empty. */
static bool is_none(const sc_draft_line *line)
{
    const char *value = line->value + subject_bytes(line->key, line->value);
    if (strcmp(line->key, "column") == 0 || strcmp(line->key, "max-total") == 0)
        return strcmp(value, "none") == 0;
    return (strcmp(line->key, "keys") == 0 || strcmp(line->key, "null") == 0 ||
            strcmp(line->key, "population") == 0) &&
           value[0] == '\0';
}

static void count_line(void *context, const char *comment, const sc_draft_line *line)
{
    size_t *bytes = context;
    (void)comment;
    *bytes += strlen(line->key) + strlen(line->value) + 2;
}

static void append_line(void *context, const char *comment, const sc_draft_line *line)
{
    char **end = context;
    (void)comment;
    if (is_none(line))
        return;
    *end = stpcpy(*end, line->key);
    *end = stpcpy(*end, "=");
    *end = stpcpy(*end, line->value);
    *end = stpcpy(*end, "\n");
}

char *sc_policy_draft_text(const sc_policy_draft *draft)
{
    size_t bytes = 1;
    visit_lines(draft, count_line, &bytes);
    char *text = malloc(bytes), *end = text;
    if (text == NULL)
        return NULL;
    *end = '\0';
    visit_lines(draft, append_line, &end);
    return text;
}

static void write_line(void *context, const char *comment, const sc_draft_line *line)
{
    sc_output *output = context;
    if (comment != NULL) {
        sc_output_text(output, "# ");
        sc_output_text(output, comment);
        sc_output_text(output, "\n");
    }
    if (is_none(line) && strcmp(line->key, "keys") == 0)
        sc_output_text(output, "# empty: private keys\n");
    if (is_none(line) && strcmp(line->key, "population") == 0)
        sc_output_text(output, "# empty: the name of the dataset\n");
    sc_output_text(output, line->key);
    sc_output_text(output, "=");
    sc_output_text(output, line->value);
    sc_output_text(output, "\n");
}

void sc_policy_draft_write(const sc_policy_draft *draft, sc_output *output)
{
    visit_lines(draft, write_line, output);
}
