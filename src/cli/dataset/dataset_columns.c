#include "cli/dataset/dataset_columns.h"

#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const sc_listing_column sc_dataset_columns[SC_DATASET_COLUMNS] = {
    {.name = "column"}, {.name = "type"}, {.name = "range"}, {.name = "keys"}};

/* "NAME=REST" of a line; a name in double quotes may hold "=". */
static size_t name_bytes(const char *value)
{
    const char *end = value[0] == '"' ? strchr(value + 1, '"') : NULL;
    return end == NULL ? strcspn(value, "=") : (size_t)(end - value) + 1;
}

static const char *behind_name(const char *value)
{
    const size_t bytes = name_bytes(value);
    return value[bytes] == '=' ? value + bytes + 1 : value + bytes;
}

static bool are_same_names(const char *a, const char *b)
{
    const size_t bytes = name_bytes(a);
    return bytes == name_bytes(b) && strncmp(a, b, bytes) == 0;
}

/* The line of the keys of a column; NULL where no line says them. */
static const char *keys_of(const sc_policy_draft *draft, const char *column)
{
    for (size_t i = 0; i < draft->count; i++)
        if (strcmp(draft->lines[i].key, "keys") == 0 &&
            are_same_names(draft->lines[i].value, column))
            return behind_name(draft->lines[i].value);
    return NULL;
}

#define KEYS_SHOWN 24 /* bytes of a list that is longer */

/* The first keys, and how many there are. */
static void put_keys(const char *keys, char *out, size_t bytes)
{
    size_t count = keys[0] != '\0', shown = 0;
    bool is_quoted = false;
    for (size_t i = 0; keys[i] != '\0'; i++) {
        is_quoted ^= keys[i] == '"';
        if (keys[i] != ',' || is_quoted)
            continue;
        count++;
        if (i <= KEYS_SHOWN)
            shown = i;
    }
    if (strlen(keys) <= KEYS_SHOWN)
        snprintf(out, bytes, "%s", keys);
    else if (shown > 0)
        snprintf(out, bytes, "%.*s, ... (%zu)", (int)shown, keys, count);
    else
        snprintf(out, bytes, "%zu keys", count);
}

/* "int[0,10]" is an int from 0 to 10; what follows the range is a part of the type. */
static bool add_column(sc_listing *page, const char *name, size_t bytes, const char *type,
                       const char *keys)
{
    const size_t room = strlen(type) + 8;
    char *kind = malloc(room), *range = malloc(room), *column = malloc(bytes + 1),
         list[96];
    const char *open = strchr(type, '['),
               *close = open == NULL ? NULL : strchr(open, ']'),
               *comma = close == NULL ? NULL : memchr(open, ',', (size_t)(close - open));
    const bool is_there = kind != NULL && range != NULL && column != NULL;
    list[0] = '\0';
    if (keys != NULL)
        put_keys(keys, list, sizeof list);
    if (is_there) {
        snprintf(column, bytes + 1, "%.*s", (int)bytes, name);
        snprintf(kind, room, "%s", type);
        range[0] = '\0';
        if (comma != NULL) {
            snprintf(kind, room, "%.*s%s", (int)(open - type), type, close + 1);
            snprintf(range, room, "%.*s to %.*s", (int)(comma - open - 1), open + 1,
                     (int)(close - comma - 1), comma + 1);
        }
        sc_listing_add(page, (const char *[]){column, kind, range, list});
    }
    free(kind);
    free(range);
    free(column);
    return is_there;
}

/* "TABLE=COLUMN=TYPE": the column of a public table, as a question names it. */
static bool add_joined(sc_listing *page, const char *value)
{
    const size_t table = name_bytes(value);
    const char *column = behind_name(value);
    const size_t bytes = table + 1 + name_bytes(column);
    char *name = malloc(bytes + 1);
    if (name == NULL)
        return false;
    snprintf(name, bytes + 1, "%.*s.%.*s", (int)table, value, (int)name_bytes(column),
             column);
    const bool is_done =
        add_column(page, name, bytes, behind_name(column), "public table");
    free(name);
    return is_done;
}

bool sc_dataset_columns_add(sc_listing *page, const sc_policy_draft *draft)
{
    bool is_done = true;
    for (size_t i = 0; is_done && i < draft->count; i++) {
        const char *key = draft->lines[i].key, *value = draft->lines[i].value;
        if (strcmp(key, "column") == 0)
            is_done = add_column(page, value, name_bytes(value), behind_name(value),
                                 keys_of(draft, value));
        else if (strcmp(key, "join-column") == 0)
            is_done = add_joined(page, value);
    }
    return is_done;
}

/* Sentences. */

static const char *unit_of(const sc_policy_draft *draft, char name[SCRIM_NAME_BYTES])
{
    const char *unit = sc_policy_draft_get(draft, "unit");
    if (unit == NULL)
        return NULL;
    snprintf(name, SCRIM_NAME_BYTES, "%s", unit);
    sc_complaint_clean(name);
    return name;
}

static void say_people(const sc_policy_draft *draft)
{
    char name[SCRIM_NAME_BYTES];
    const char *unit = unit_of(draft, name),
               *neighbours = sc_policy_draft_get(draft, "neighbours");
    const char *moves = neighbours != NULL && strcmp(neighbours, "replace") == 0
                            ? "one of them has other rows"
                            : "one of them is there";
    if (unit != NULL && strcmp(unit, "row") == 0)
        sc_talk("protected   each row by itself: answers hardly depend on whether %s\n",
                moves);
    else if (unit != NULL)
        sc_talk("protected   each %s with all its rows: answers hardly depend on whether "
                "%s\n",
                unit, moves);
}

static void say_bounds(const sc_policy_draft *draft)
{
    char name[SCRIM_NAME_BYTES];
    const char *unit = unit_of(draft, name),
               *total = sc_policy_draft_get(draft, "max-total-rows"),
               *groups = sc_policy_draft_get(draft, "max-groups"),
               *rows = sc_policy_draft_get(draft, "max-rows"),
               *all = sc_policy_draft_get(draft, "rows-per-unit"),
               *fixed = sc_policy_draft_get(draft, "fixed-bounds");
    const bool is_fixed = fixed != NULL && strcmp(fixed, "yes") == 0;
    if (unit == NULL || strcmp(unit, "row") == 0)
        return;
    if (all != NULL)
        sc_talk("bounds      no %s has more than %s row%s, as declared\n", unit, all,
                strcmp(all, "1") == 0 ? "" : "s");
    else if (total != NULL)
        sc_talk("bounds      %s rows of each %s are used in a question%s\n", total, unit,
                is_fixed ? "" : ", unless it says another number");
    else if (groups != NULL && rows != NULL)
        sc_talk("bounds      each %s is used in %s group%s, with %s row%s in each%s\n",
                unit, groups, strcmp(groups, "1") == 0 ? "" : "s", rows,
                strcmp(rows, "1") == 0 ? "" : "s",
                is_fixed ? "" : ", unless a question says other numbers");
}

static void say_budget(const scrim_dataset *dataset, const scrim_budget *budget)
{
    const bool is_own = strcmp(dataset->population, dataset->name) == 0;
    char delta[SCRIM_NUMBER_BYTES + 8];
    snprintf(delta, sizeof delta, "delta=%s", budget->delta);
    sc_delta_shorten(delta);
    sc_talk("budget      epsilon %s, delta %s%s%s; %s %s is left\n", budget->epsilon,
            delta + strlen("delta="), is_own ? "" : " for population ",
            is_own ? "" : dataset->population, budget->unit, budget->left);
}

/* A line of the policy, without what could steer a terminal. */
static void say_line(const sc_draft_line *line)
{
    char *value = strdup(line->value);
    if (value == NULL)
        return;
    sc_complaint_clean(value);
    sc_talk("%-11s %s\n", line->key, value);
    free(value);
}

/* Said above, or in the table. */
static bool is_said(const sc_policy_draft *draft, const sc_draft_line *line)
{
    static const char *const keys[] = {"column",         "join-column",   "join-cells",
                                       "unit",           "neighbours",    "max-groups",
                                       "max-rows",       "budget",        "population",
                                       "max-total-rows", "rows-per-unit", "fixed-bounds"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(line->key, keys[i]) == 0)
            return true;
    if (strcmp(line->key, "keys") != 0)
        return false;
    for (size_t i = 0; i < draft->count; i++)
        if (strcmp(draft->lines[i].key, "column") == 0 &&
            are_same_names(draft->lines[i].value, line->value))
            return true;
    return false;
}

void sc_dataset_columns_say(const scrim_dataset *dataset, const scrim_budget *budget,
                            const sc_policy_draft *draft)
{
    say_people(draft);
    say_bounds(draft);
    say_budget(dataset, budget);
    sc_talk("version     %" PRIu64 "%s\n", dataset->version,
            dataset->is_closed != 0 ? ", closed: the rows were changed" : "");
    for (size_t i = 0; i < draft->count; i++)
        if (!is_said(draft, &draft->lines[i]))
            say_line(&draft->lines[i]);
}
