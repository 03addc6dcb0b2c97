#include "cli/dataset/wizard_answers.h"

#include "cli/terminal/complaint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIT(field) ((uint32_t)1 << (field))
/* The longest line of a column: a name and four answers. */
#define VALUE_BYTES ((size_t)5 * SC_ANSWER_BYTES)

scrim_status sc_wizard_fail_memory(scrim_error *error)
{
    return sc_out_of_memory(error, "a policy");
}

/* Slots. */

scrim_status sc_wizard_add_slot(sc_wizard *w, sc_wizard_scope scope, const char *name,
                                scrim_error *error)
{
    if (w->count == w->room) {
        const size_t room = 2 * w->room + 16;
        sc_wizard_slot *slots = realloc(w->slots, room * sizeof *slots);
        if (slots == NULL)
            return sc_wizard_fail_memory(error);
        w->slots = slots;
        w->room = room;
    }
    sc_wizard_slot slot = {.scope = scope, .name = name == NULL ? NULL : strdup(name)};
    if (name != NULL && slot.name == NULL)
        return sc_wizard_fail_memory(error);
    w->slots[w->count++] = slot;
    return SCRIM_OK;
}

static void clear_slot(sc_wizard_slot *slot)
{
    for (size_t field = 0; field < SC_ASK_COUNT; field++)
        free(slot->text[field]);
    free(slot->name);
}

void sc_wizard_drop_slot(sc_wizard *w, size_t slot)
{
    clear_slot(&w->slots[slot]);
    memmove(w->slots + slot, w->slots + slot + 1,
            (w->count - slot - 1) * sizeof *w->slots);
    w->count--;
}

void sc_wizard_clear(sc_wizard *w)
{
    for (size_t i = 0; i < w->count; i++)
        clear_slot(&w->slots[i]);
    free(w->slots);
    scrim_vault_text_free(w->header);
    w->slots = NULL;
    w->header = NULL;
    w->count = w->room = 0;
}

sc_wizard_slot *sc_wizard_column(const sc_wizard *w, const char *name)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->slots[i].scope == SC_SCOPE_COLUMN && w->slots[i].name != NULL &&
            strcmp(w->slots[i].name, name) == 0)
            return &w->slots[i];
    return NULL;
}

bool sc_wizard_has_other(const sc_wizard *w, const char *key, const char *begin)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->slots[i].scope == SC_SCOPE_OTHER && strcmp(w->slots[i].name, key) == 0 &&
            strncmp(sc_slot_text(&w->slots[i], SC_ASK_OTHER), begin, strlen(begin)) == 0)
            return true;
    return false;
}

/* Answers. */

const char *sc_slot_text(const sc_wizard_slot *slot, sc_ask field)
{
    return slot->text[field] == NULL ? "" : slot->text[field];
}

const char *sc_wizard_text(const sc_wizard *w, sc_ask field)
{
    return sc_slot_text(&w->slots[0], field);
}

bool sc_slot_is_given(const sc_wizard_slot *slot, sc_ask field)
{
    return (slot->given & BIT(field)) != 0;
}

static scrim_status set_text(sc_wizard_slot *slot, sc_ask field, const char *text,
                             scrim_error *error)
{
    char *copy = text == NULL ? NULL : strdup(text);
    if (text != NULL && copy == NULL)
        return sc_wizard_fail_memory(error);
    free(slot->text[field]);
    slot->text[field] = copy;
    return SCRIM_OK;
}

/* Another type makes its range, step and keys meaningless. */
static void forget_type(sc_wizard_slot *slot)
{
    static const sc_ask parts[] = {SC_ASK_STEP,   SC_ASK_LOW,  SC_ASK_HIGH,
                                   SC_ASK_SECRET, SC_ASK_KEYS, SC_ASK_TOTAL};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        free(slot->text[parts[i]]);
        slot->text[parts[i]] = NULL;
        slot->given &= ~BIT(parts[i]);
        slot->again &= ~BIT(parts[i]);
    }
}

scrim_status sc_wizard_answer(sc_wizard *w, sc_wizard_step step, const char *text,
                              scrim_error *error)
{
    sc_wizard_slot *slot = &w->slots[step.slot];
    const bool is_same = text != NULL && slot->text[step.field] != NULL &&
                         strcmp(slot->text[step.field], text) == 0;
    slot->again &= ~BIT(step.field);
    if (is_same)
        return SCRIM_OK;
    scrim_status status = set_text(slot, step.field, text, error);
    slot->given &= ~BIT(step.field);
    if (status == SCRIM_OK && step.field == SC_ASK_TYPE)
        forget_type(slot);
    return status;
}

bool sc_type_has_range(const char *type)
{
    static const char *const ranged[] = {"int", "decimal", "date", "timestamp"};
    for (size_t i = 0; i < sizeof ranged / sizeof *ranged; i++)
        if (strcmp(type, ranged[i]) == 0)
            return true;
    return false;
}

scrim_status sc_wizard_split_type(sc_wizard_slot *slot, const char *type, bool *is_split,
                                  scrim_error *error)
{
    char parts[4][SC_ANSWER_BYTES] = {"", "", "", ""}; /* type, low, high, step */
    *is_split = false;
    const int found = sscanf(type, "%4000[a-z][%4000[^],],%4000[^],]]/%4000[^]]",
                             parts[0], parts[1], parts[2], parts[3]);
    char again[4 * SC_ANSWER_BYTES + 8];
    if (found >= 3)
        snprintf(again, sizeof again, "%s[%s,%s]%s%s", parts[0], parts[1], parts[2],
                 found == 4 ? "/" : "", parts[3]);
    else
        snprintf(again, sizeof again, "%s", parts[0]);
    if (type[0] == '\0' || strcmp(again, type) != 0 ||
        sc_type_has_range(parts[0]) != (found >= 3))
        return SCRIM_OK;
    static const sc_ask fields[] = {SC_ASK_TYPE, SC_ASK_LOW, SC_ASK_HIGH, SC_ASK_STEP};
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < 4 && status == SCRIM_OK; i++)
        status = set_text(slot, fields[i], found >= 3 || i == 0 ? parts[i] : NULL, error);
    *is_split = status == SCRIM_OK;
    return status;
}

/* The given answer. */

static scrim_status give(sc_wizard_slot *slot, sc_ask field, const char *text,
                         scrim_error *error)
{
    slot->given |= BIT(field);
    return set_text(slot, field, text, error);
}

static scrim_status give_other(sc_wizard *w, const char *key, const char *value,
                               scrim_error *error)
{
    const scrim_status status = sc_wizard_add_slot(w, SC_SCOPE_OTHER, key, error);
    return status == SCRIM_OK ? give(&w->slots[w->count - 1], SC_ASK_OTHER, value, error)
                              : status;
}

/* "age=int[0,120]", or "note=none" of a column that is left out. */
static scrim_status give_column(sc_wizard *w, const char *value, bool *is_taken,
                                scrim_error *error)
{
    static const uint32_t parts = BIT(SC_ASK_COLUMN) | BIT(SC_ASK_TYPE) |
                                  BIT(SC_ASK_STEP) | BIT(SC_ASK_LOW) | BIT(SC_ASK_HIGH) |
                                  BIT(SC_ASK_SECRET) | BIT(SC_ASK_KEYS);
    const size_t bytes = strcspn(value, "=");
    if (value[bytes] == '\0')
        return SCRIM_OK;
    char *name = strndup(value, bytes);
    if (name == NULL)
        return sc_wizard_fail_memory(error);
    scrim_status status = sc_wizard_add_slot(w, SC_SCOPE_COLUMN, name, error);
    free(name);
    if (status != SCRIM_OK)
        return status;
    sc_wizard_slot *slot = &w->slots[w->count - 1];
    if (strcmp(value + bytes + 1, "none") == 0) {
        *is_taken = true;
        return give(slot, SC_ASK_TYPE, "", error);
    }
    status = sc_wizard_split_type(slot, value + bytes + 1, is_taken, error);
    if (*is_taken)
        slot->given = parts;
    else
        sc_wizard_drop_slot(w, w->count - 1);
    return status;
}

/* "sex=Female,Male", for a column that was given before. */
static scrim_status give_part(sc_wizard *w, sc_ask field, const char *value,
                              bool *is_taken, scrim_error *error)
{
    const size_t bytes = strcspn(value, "=");
    for (size_t i = 0; i < w->count && value[bytes] == '='; i++) {
        sc_wizard_slot *slot = &w->slots[i];
        if (slot->scope != SC_SCOPE_COLUMN || strlen(slot->name) != bytes ||
            strncmp(slot->name, value, bytes) != 0)
            continue;
        *is_taken = true;
        value += bytes + 1;
        return give(slot, field,
                    field == SC_ASK_TOTAL && strcmp(value, "none") == 0 ? "" : value,
                    error);
    }
    return SCRIM_OK;
}

/* "epsilon=3,delta=1e-6". */
static scrim_status give_budget(sc_wizard *w, const char *value, bool *is_taken,
                                scrim_error *error)
{
    static const char epsilon[] = "epsilon=", delta[] = "delta=";
    const size_t bytes = strcspn(value, ",");
    const char *rest = value[bytes] == ',' ? value + bytes + 1 : NULL;
    if (strncmp(value, epsilon, sizeof epsilon - 1) != 0 ||
        (rest != NULL &&
         (strncmp(rest, delta, sizeof delta - 1) != 0 || strchr(rest, ',') != NULL)))
        return SCRIM_OK;
    char *number = strndup(value + sizeof epsilon - 1, bytes - (sizeof epsilon - 1));
    if (number == NULL)
        return sc_wizard_fail_memory(error);
    scrim_status status = give(&w->slots[0], SC_ASK_EPSILON, number, error);
    free(number);
    if (status == SCRIM_OK)
        status = give(&w->slots[0], SC_ASK_DELTA,
                      rest == NULL ? "" : rest + sizeof delta - 1, error);
    *is_taken = status == SCRIM_OK;
    return status;
}

/* A line whose value is, as a whole, the answer to one question about the table. */
static scrim_status give_plain(sc_wizard *w, const sc_draft_line *line, bool *is_taken,
                               scrim_error *error)
{
    static const sc_ask plain[] = {
        SC_ASK_CSV,      SC_ASK_SQLITE,     SC_ASK_TABLE,     SC_ASK_SEPARATOR,
        SC_ASK_SIZE,     SC_ASK_UNIT,       SC_ASK_DECIMAL,   SC_ASK_DATES,
        SC_ASK_NULLS,    SC_ASK_ZONE,       SC_ASK_ALL_ROWS,  SC_ASK_MAX_GROUPS,
        SC_ASK_MAX_ROWS, SC_ASK_POPULATION, SC_ASK_NEIGHBOURS};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (strcmp(w->fields[plain[i]].line, line->key) != 0)
            continue;
        *is_taken = true;
        return give(&w->slots[0], plain[i], line->value, error);
    }
    return SCRIM_OK;
}

/* "rows-per-unit=1" is the answer to two questions. */
static scrim_status give_one_row(sc_wizard *w, const char *value, bool *is_taken,
                                 scrim_error *error)
{
    if (strcmp(value, "1") != 0)
        return SCRIM_OK;
    *is_taken = true;
    const scrim_status status = give(&w->slots[0], SC_ASK_ALL_ROWS, value, error);
    return status == SCRIM_OK ? give(&w->slots[0], SC_ASK_ONE_ROW, "y", error) : status;
}

static scrim_status give_line(sc_wizard *w, const sc_draft_line *line, scrim_error *error)
{
    bool is_taken = false;
    scrim_status status = SCRIM_OK;
    if (strcmp(line->key, "column") == 0)
        status = give_column(w, line->value, &is_taken, error);
    else if (strcmp(line->key, "budget") == 0)
        status = give_budget(w, line->value, &is_taken, error);
    else if (strcmp(line->key, "keys") == 0)
        status = give_part(w, SC_ASK_KEYS, line->value, &is_taken, error);
    else if (strcmp(line->key, "max-total") == 0)
        status = give_part(w, SC_ASK_TOTAL, line->value, &is_taken, error);
    else if (strcmp(line->key, "rows-per-unit") == 0)
        status = give_one_row(w, line->value, &is_taken, error);
    else
        status = give_plain(w, line, &is_taken, error);
    return status != SCRIM_OK || is_taken ? status
                                          : give_other(w, line->key, line->value, error);
}

/* A column that was given without keys is still asked for its keys. */
static void open_keys(sc_wizard *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->slots[i].text[SC_ASK_KEYS] == NULL)
            w->slots[i].given &= ~BIT(SC_ASK_KEYS);
}

scrim_status sc_wizard_init(sc_wizard *w, const char *name, const sc_policy_draft *given,
                            scrim_error *error)
{
    scrim_status status = sc_wizard_add_slot(w, SC_SCOPE_TABLE, NULL, error);
    if (status == SCRIM_OK && name != NULL)
        status = give(&w->slots[0], SC_ASK_NAME, name, error);
    /* Columns first, since other lines are about them. */
    for (int is_column = 1; is_column >= 0; is_column--)
        for (size_t i = 0; i < given->count && status == SCRIM_OK; i++)
            if ((strcmp(given->lines[i].key, "column") == 0) == (is_column == 1))
                status = give_line(w, &given->lines[i], error);
    open_keys(w);
    return status;
}

/* Steps. */

static bool find_slot(const sc_wizard *w, sc_wizard_scope scope, size_t from, size_t *out)
{
    for (size_t i = from; i < w->count; i++)
        if (w->slots[i].scope == scope) {
            *out = i;
            return true;
        }
    return false;
}

/* Neighbouring fields of one scope form a run, which is asked slot by slot (all fields of a column, then the next column). Returns the
 * first field after the run of this one. */
static size_t run_end(const sc_wizard *w, size_t field)
{
    const sc_wizard_scope scope = w->fields[field].scope;
    while (field < SC_ASK_COUNT && w->fields[field].scope == scope)
        field++;
    return field;
}

static size_t run_start(const sc_wizard *w, size_t field)
{
    while (field > 0 && w->fields[field - 1].scope == w->fields[field].scope)
        field--;
    return field;
}

/* Steps to the first field, from this one on, that has a slot. */
static bool enter(const sc_wizard *w, size_t field, sc_wizard_step *step)
{
    for (; field < SC_ASK_COUNT; field = run_end(w, field))
        if (find_slot(w, w->fields[field].scope, 0, &step->slot)) {
            step->field = (sc_ask)field;
            return true;
        }
    return false;
}

bool sc_wizard_first(const sc_wizard *w, sc_wizard_step *step)
{
    return enter(w, 0, step);
}

bool sc_wizard_following(const sc_wizard *w, sc_wizard_step *step)
{
    const size_t end = run_end(w, step->field);
    if ((size_t)step->field + 1 < end) {
        step->field = (sc_ask)(step->field + 1);
        return true;
    }
    if (find_slot(w, w->fields[step->field].scope, step->slot + 1, &step->slot)) {
        step->field = (sc_ask)run_start(w, step->field);
        return true;
    }
    return enter(w, end, step);
}

static bool applies(const sc_wizard *w, sc_wizard_step step)
{
    return w->fields[step.field].applies(w, &w->slots[step.slot]);
}

bool sc_wizard_open_step(const sc_wizard *w, sc_wizard_step *step)
{
    for (bool is_there = sc_wizard_first(w, step); is_there;
         is_there = sc_wizard_following(w, step)) {
        const sc_wizard_slot *slot = &w->slots[step->slot];
        const bool is_answered =
            slot->text[step->field] != NULL || sc_slot_is_given(slot, step->field);
        if ((!is_answered || (slot->again & BIT(step->field)) != 0) && applies(w, *step))
            return true;
    }
    return false;
}

bool sc_wizard_asked_before(const sc_wizard *w, const sc_wizard_step *step,
                            sc_wizard_step *out)
{
    bool is_found = false;
    sc_wizard_step at;
    for (bool is_there = sc_wizard_first(w, &at); is_there;
         is_there = sc_wizard_following(w, &at)) {
        const sc_wizard_slot *slot = &w->slots[at.slot];
        if (step != NULL && at.slot == step->slot && at.field == step->field)
            break;
        if (slot->text[at.field] == NULL || sc_slot_is_given(slot, at.field) ||
            !applies(w, at))
            continue;
        *out = at;
        is_found = true;
    }
    return is_found;
}

/* Lines. */

bool sc_slot_is_declared(const sc_wizard_slot *slot)
{
    const char *type = sc_slot_text(slot, SC_ASK_TYPE);
    return slot->scope == SC_SCOPE_COLUMN && slot->name != NULL && type[0] != '\0' &&
           strcmp(sc_slot_text(slot, SC_ASK_SECRET), "n") != 0 &&
           (!sc_type_has_range(type) || (sc_slot_text(slot, SC_ASK_LOW)[0] != '\0' &&
                                         sc_slot_text(slot, SC_ASK_HIGH)[0] != '\0'));
}

static void write_type(const sc_wizard_slot *slot, char *value, size_t capacity)
{
    const char *type = sc_slot_text(slot, SC_ASK_TYPE),
               *step = sc_slot_text(slot, SC_ASK_STEP);
    if (sc_type_has_range(type))
        snprintf(value, capacity, "%s=%s[%s,%s]%s%s", slot->name, type,
                 sc_slot_text(slot, SC_ASK_LOW), sc_slot_text(slot, SC_ASK_HIGH),
                 step[0] == '\0' ? "" : "/", step);
    else
        snprintf(value, capacity, "%s=%s", slot->name, type);
}

/* Writes the value of the policy line that begins with this step; false if no line begins with it. */
static bool write_value(const sc_wizard *w, sc_wizard_step step, char *value,
                        size_t capacity)
{
    const sc_wizard_slot *slot = &w->slots[step.slot];
    const char *said = sc_slot_text(slot, step.field), *delta;
    const bool is_column = slot->scope == SC_SCOPE_COLUMN;
    if (said[0] == '\0' && slot->scope != SC_SCOPE_OTHER)
        return false;
    if (is_column && !sc_slot_is_declared(slot))
        return false;
    switch ((int)step.field) {
    case SC_ASK_TYPE:
        write_type(slot, value, capacity);
        return true;
    case SC_ASK_LOOK:
        snprintf(value, capacity, "check");
        return w->has_looked && strcmp(said, "y") == 0;
    case SC_ASK_ALL_ROWS:
        snprintf(value, capacity, "%s", said);
        return strcmp(sc_slot_text(slot, SC_ASK_ONE_ROW), "y") != 0 ||
               strcmp(said, "1") != 0;
    case SC_ASK_ONE_ROW:
        snprintf(value, capacity, "1");
        return strcmp(said, "y") == 0 &&
               strcmp(sc_slot_text(slot, SC_ASK_ALL_ROWS), "1") == 0;
    case SC_ASK_EPSILON:
        delta = sc_wizard_text(w, SC_ASK_DELTA);
        snprintf(value, capacity, "epsilon=%s%s%s", said,
                 delta[0] == '\0' ? "" : ",delta=", delta);
        return true;
    case SC_ASK_KEYS:
    case SC_ASK_TOTAL:
        snprintf(value, capacity, "%s=%s", slot->name, said);
        return true;
    case SC_ASK_COLUMN:
    case SC_ASK_STEP:
    case SC_ASK_LOW:
    case SC_ASK_HIGH:
    case SC_ASK_SECRET:
    case SC_ASK_BY:
    case SC_ASK_AT:
    case SC_ASK_DELTA:
        return false;
    default:
        snprintf(value, capacity, "%s", said);
        return true;
    }
}

/* Is it a given line bounds-from, whereas the bounds now come from the table that was shown since? */
static bool is_outdated(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return slot->scope == SC_SCOPE_OTHER && strcmp(slot->name, "bounds-from") == 0 &&
           w->has_looked && strcmp(sc_wizard_text(w, SC_ASK_LOOK), "y") == 0;
}

scrim_status sc_wizard_lines(const sc_wizard *w, sc_wizard_visit *visit, void *context,
                             scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    sc_wizard_step at;
    size_t capacity = VALUE_BYTES;
    /* A given file may hold longer lists than what can be typed. */
    static const sc_ask lists[] = {SC_ASK_KEYS, SC_ASK_NULLS, SC_ASK_OTHER};
    for (size_t i = 0; i < w->count; i++)
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
            const size_t bytes =
                strlen(sc_slot_text(&w->slots[i], lists[k])) + VALUE_BYTES;
            capacity = bytes > capacity ? bytes : capacity;
        }
    char *value = malloc(capacity);
    if (value == NULL)
        return sc_wizard_fail_memory(error);
    for (bool is_there = sc_wizard_first(w, &at); is_there && status == SCRIM_OK;
         is_there = sc_wizard_following(w, &at)) {
        const sc_wizard_slot *slot = &w->slots[at.slot];
        const char *key =
            slot->scope == SC_SCOPE_OTHER ? slot->name : w->fields[at.field].line;
        if (key != NULL && !is_outdated(w, slot) &&
            (sc_slot_is_given(slot, at.field) || applies(w, at)) &&
            write_value(w, at, value, capacity))
            status = visit(context, at, key, value, error);
    }
    free(value);
    return status;
}

static scrim_status put_line(void *context, sc_wizard_step step, const char *key,
                             const char *value, scrim_error *error)
{
    (void)step;
    return sc_policy_draft_put(context, key, value, error);
}

scrim_status sc_wizard_compose(const sc_wizard *w, sc_policy_draft *draft,
                               scrim_error *error)
{
    return sc_wizard_lines(w, put_line, draft, error);
}
