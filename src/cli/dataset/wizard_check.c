#include "cli/dataset/wizard_check.h"

#include "cli/dataset/grouped_number.h"
#include "cli/dataset/wizard_source.h"
#include "cli/terminal/complaint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Policies that are tried. */

static bool has_timestamp(const sc_wizard *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(sc_slot_text(&w->slots[i], SC_ASK_TYPE), "timestamp") == 0)
            return true;
    return false;
}

static scrim_status fill_gaps(const sc_wizard *w, sc_policy_draft *draft,
                              scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (sc_policy_draft_get(draft, "unit") == NULL)
        status = sc_policy_draft_put(draft, "unit", "row", error);
    if (status == SCRIM_OK && has_timestamp(w) &&
        sc_policy_draft_get(draft, "zone") == NULL)
        status = sc_policy_draft_put(draft, "zone", "UTC", error);
    /* A table that is asked for stands as "t" until then. */
    if (status == SCRIM_OK && sc_policy_draft_get(draft, "sqlite") != NULL &&
        sc_policy_draft_get(draft, "table") == NULL)
        status = sc_policy_draft_put(draft, "table", "t", error);
    return status == SCRIM_OK ? sc_policy_draft_bound(draft, error) : status;
}

static scrim_status compose_settled(const sc_wizard *w, sc_policy_draft *draft,
                                    scrim_error *error)
{
    scrim_status status = sc_wizard_compose(w, draft, error);
    if (status == SCRIM_OK)
        status = fill_gaps(w, draft, error);
    return status == SCRIM_OK ? sc_policy_draft_settle(draft, error) : status;
}

scrim_status sc_wizard_policy(const sc_wizard *w, char **text, scrim_error *error)
{
    sc_policy_draft draft = {.lines = NULL};
    scrim_status status = compose_settled(w, &draft, error);
    *text = status == SCRIM_OK ? sc_policy_draft_text(&draft) : NULL;
    if (status == SCRIM_OK && *text == NULL)
        status = sc_wizard_fail_memory(error);
    sc_policy_draft_clear(&draft);
    return status;
}

static scrim_status check_policy(const sc_wizard *w, scrim_error *error)
{
    char *text = NULL;
    scrim_status status = sc_wizard_policy(w, &text, error);
    if (status == SCRIM_OK)
        status = scrim_policy_check(text, error);
    free(text);
    return status;
}

scrim_status sc_wizard_check_all(sc_wizard *w, scrim_error *error)
{
    char *text = NULL;
    const bool lacks_table = sc_wizard_text(w, SC_ASK_SQLITE)[0] != '\0' &&
                             sc_wizard_text(w, SC_ASK_TABLE)[0] == '\0';
    scrim_status status = sc_wizard_policy(w, &text, error);
    if (status == SCRIM_OK)
        status = scrim_policy_check(text, error);
    if (status == SCRIM_OK && !lacks_table)
        status = sc_wizard_read_header(w, text, error);
    free(text);
    return status;
}

/* The answer stands in its place while check looks at it. */
static scrim_status try_answer(sc_wizard *w, sc_wizard_step step, char *text,
                               scrim_status (*check)(sc_wizard *w, scrim_error *error),
                               scrim_error *error)
{
    char **place = &w->slots[step.slot].text[step.field], *kept = *place;
    *place = text;
    const scrim_status status = check(w, error);
    w->slots[step.slot].text[step.field] = kept;
    return status;
}

static scrim_status check_lines(sc_wizard *w, scrim_error *error)
{
    return check_policy(w, error);
}

/* Words. */

static scrim_status refuse(const char *text, const char *legal, scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_PARAM, "\"%.60s\" is not valid here; type %s",
                             text, legal);
}

/* A message of the library begins with the line, "keys city=a,a: ...", which was just typed. */
static void drop_line(const char *key, const char *prefix, const char *text,
                      scrim_error *error)
{
    char line[SC_ANSWER_BYTES + SCRIM_COLUMN_BYTES + 32];
    snprintf(line, sizeof line, "%s %s%s: ", key, prefix, text);
    const size_t bytes = strlen(line);
    if (strncmp(error->message, line, bytes) == 0)
        memmove(error->message, error->message + bytes,
                strlen(error->message + bytes) + 1);
}

/* Says what to type; what is no mistake of the answer stays as it is. */
static scrim_status reword(scrim_status status, const char *text, const char *legal,
                           scrim_error *error)
{
    if (status == SCRIM_OK || status == SCRIM_E_MEMORY || legal == NULL)
        return status;
    return refuse(text, legal, error);
}

/* The ends of a range, in words. */
static const struct {
    const char *type, *low, *high;
} ends[] = {
    {"int", "a whole number, such as 0", "a whole number above"},
    {"decimal", "a number, such as 0.5", "a number above"},
    {"date", "a date that exists, such as 2025-01-31 or 31.01.2025", "a date after"},
    {"timestamp", "a date, or a date and a time, such as 2025-01-31 12:00 or 31.01.2025",
     "a date, or a date and a time, after"}};

/* The text to type for the smallest value, or for the largest where that is known. */
static void write_legal(const char *type, const char *low, char *legal, size_t capacity)
{
    size_t i = 0;
    while (i + 1 < sizeof ends / sizeof *ends && strcmp(ends[i].type, type) != 0)
        i++;
    if (low == NULL)
        snprintf(legal, capacity, "%s", ends[i].low);
    else
        snprintf(legal, capacity, "%s the smallest value, %.80s", ends[i].high, low);
}

void sc_check_legal(const sc_wizard *w, sc_wizard_step step, char legal[SC_LEGAL_BYTES])
{
    const sc_wizard_slot *slot = &w->slots[step.slot];
    const char *type = sc_slot_text(slot, SC_ASK_TYPE),
               *fixed = w->fields[step.field].legal;
    if (step.field == SC_ASK_LOW || step.field == SC_ASK_HIGH)
        write_legal(type,
                    step.field == SC_ASK_HIGH ? sc_slot_text(slot, SC_ASK_LOW) : NULL,
                    legal, SC_LEGAL_BYTES);
    else
        snprintf(legal, SC_LEGAL_BYTES, "%s", fixed == NULL ? "a value" : fixed);
}

/* Checks. */

scrim_status sc_check_name(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                           scrim_error *error)
{
    (void)step;
    return w->host->check_name(w->host->context, text, error);
}

scrim_status sc_check_line(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                           scrim_error *error)
{
    const sc_wizard_field *field = &w->fields[step.field];
    const scrim_status status = try_answer(w, step, text, check_lines, error);
    if (status != SCRIM_OK && field->line != NULL)
        drop_line(field->line, "", text, error);
    return reword(status, text, field->legal, error);
}

/* Kept as it will be in the policy, so that the last page shows it so. */
static scrim_status settle_answer(const char *key, const char *prefix,
                                  char text[SC_ANSWER_BYTES], scrim_error *error)
{
    sc_policy_draft draft = {.lines = NULL};
    char value[SC_ANSWER_BYTES + SCRIM_COLUMN_BYTES + 1];
    snprintf(value, sizeof value, "%s%s", prefix, text);
    scrim_status status = sc_policy_draft_put(&draft, key, value, error);
    if (status == SCRIM_OK)
        status = sc_policy_draft_settle(&draft, error);
    if (status == SCRIM_OK) {
        const char *settled = sc_policy_draft_get(&draft, key) + strlen(prefix);
        if (strlen(settled) < SC_ANSWER_BYTES) /* else it is settled at the end */
            snprintf(text, SC_ANSWER_BYTES, "%s", settled);
    }
    sc_policy_draft_clear(&draft);
    return status;
}

/* Another file may have another separator, which is asked for again. */
static void forget_separator(sc_wizard *w, sc_wizard_step step)
{
    char **separator = &w->slots[0].text[SC_ASK_SEPARATOR];
    if (step.field != SC_ASK_CSV || sc_slot_is_given(&w->slots[0], SC_ASK_SEPARATOR))
        return;
    free(*separator);
    *separator = NULL;
}

/* "~/visits.csv", as a shell would have read it. */
static void find_home(char text[SC_ANSWER_BYTES])
{
    const char *home = getenv("HOME");
    char path[SC_ANSWER_BYTES];
    if (strncmp(text, "~/", 2) != 0 || home == NULL || home[0] != '/' ||
        snprintf(path, sizeof path, "%s%s", home, text + 1) >= (int)sizeof path)
        return;
    memcpy(text, path, sizeof path);
}

scrim_status sc_check_file(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                           scrim_error *error)
{
    forget_separator(w, step);
    if (step.field == SC_ASK_CSV || step.field == SC_ASK_SQLITE)
        find_home(text);
    scrim_status status = try_answer(w, step, text, sc_wizard_check_all, error);
    if (status == SCRIM_OK && step.field != SC_ASK_TABLE &&
        step.field != SC_ASK_SEPARATOR)
        status = settle_answer(w->fields[step.field].line, "", text, error);
    return status;
}

scrim_status sc_check_unit(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                           scrim_error *error)
{
    if (strcmp(text, "row") != 0 && !sc_wizard_knows(w, text))
        return sc_wizard_fail_unknown(w, text, error);
    return try_answer(w, step, text,
                      w->header == NULL && sc_wizard_has_file(w) ? sc_wizard_check_all
                                                                 : check_lines,
                      error);
}

scrim_status sc_check_column(sc_wizard *w, sc_wizard_step step,
                             char text[SC_ANSWER_BYTES], scrim_error *error)
{
    sc_wizard_slot *slot = &w->slots[step.slot];
    const sc_wizard_slot *same = sc_wizard_column(w, text);
    char type[] = "text", *name = slot->name, *kept = slot->text[SC_ASK_TYPE];
    if ((same != NULL && same != slot) ||
        strcmp(text, sc_wizard_text(w, SC_ASK_UNIT)) == 0)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "column '%s' is declared already; type another name",
                                 text);
    slot->name = text;
    slot->text[SC_ASK_TYPE] = type;
    const scrim_status status = try_answer(
        w, step, text, sc_wizard_has_file(w) ? sc_wizard_check_all : check_lines, error);
    slot->name = name;
    slot->text[SC_ASK_TYPE] = kept;
    return status;
}

/* A misspelt type: the nearest one, and all of them. */
static scrim_status refuse_type(const char *text, const char *legal, scrim_error *error)
{
    static const char *const types[] = {"int",       "decimal", "date",
                                        "timestamp", "bool",    "text"};
    sc_nearest nearest;
    sc_nearest_init(&nearest, text);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        (void)sc_nearest_offer(&nearest, types[i]);
    if (nearest.name[0] == '\0')
        return refuse(text, legal, error);
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "\"%.60s\" is not valid here; did you mean '%s'? Type %s",
                             text, nearest.name, legal);
}

static bool is_type(const char *text)
{
    return sc_type_has_range(text) || strcmp(text, "bool") == 0 ||
           strcmp(text, "text") == 0;
}

/* Without the blanks beside brackets and commas: "int[0, 120]". */
static void drop_blanks(char *text)
{
    char *end = text;
    for (const char *at = text; *at != '\0'; at++) {
        const char *next = at + strspn(at, " \t");
        const bool is_blank = next > at;
        if (is_blank && (end == text || strchr("[,]/", end[-1]) != NULL ||
                         strchr("[,]/", *next) != NULL))
            continue;
        *end++ = *at;
    }
    *end = '\0';
}

static bool is_decimal(const sc_wizard_slot *slot)
{
    return strcmp(sc_slot_text(slot, SC_ASK_TYPE), "decimal") == 0;
}

bool sc_check_is_range(const sc_wizard *w, sc_wizard_step step,
                       char text[SC_ANSWER_BYTES])
{
    const sc_wizard_slot *slot = &w->slots[step.slot];
    const bool is_mark = sc_wizard_text(w, SC_ASK_DECIMAL)[0] == ',';
    const char *type = sc_slot_text(slot, SC_ASK_TYPE),
               *size = sc_slot_text(slot, SC_ASK_STEP), *comma = strchr(text, ',');
    char range[SC_ANSWER_BYTES];
    if (comma == NULL || strchr(comma + 1, ',') != NULL || !sc_type_has_range(type))
        return false;
    if (step.field == SC_ASK_TYPE && strspn(text, "[-.0123456789") == 0)
        return false;
    if (is_mark && step.field != SC_ASK_TYPE && strpbrk(text, "[]") == NULL &&
        comma[1] != ' ' && is_decimal(slot))
        return false;
    const char *begin =
        text + (strncmp(text, type, strlen(type)) == 0 ? strlen(type) : 0);
    snprintf(range, sizeof range, "%s", begin + strspn(begin, " \t["));
    range[strcspn(range, "]")] = '\0';
    return snprintf(text, SC_ANSWER_BYTES, "%s[%s]%s%s", type, range,
                    size[0] == '\0' ? "" : "/", size) < SC_ANSWER_BYTES;
}

static scrim_status check_ends(const sc_wizard_slot *slot, scrim_error *error)
{
    if (!is_decimal(slot))
        return SCRIM_OK;
    SC_TRY(sc_grouped_number_check(sc_slot_text(slot, SC_ASK_LOW), error));
    return sc_grouped_number_check(sc_slot_text(slot, SC_ASK_HIGH), error);
}

/* A type is tried as text, since its range is not known yet, or as a whole: int[0,120]. */
scrim_status sc_check_type(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                           scrim_error *error)
{
    char stand_in[] = "text";
    const char *legal = w->fields[step.field].legal;
    sc_wizard_slot whole = {.scope = SC_SCOPE_COLUMN};
    bool is_split = false;
    drop_blanks(text);
    scrim_status status = sc_wizard_split_type(&whole, text, &is_split, error);
    if (status == SCRIM_OK && is_split && strchr(text, '[') != NULL) {
        sc_wizard_slot kept = w->slots[step.slot];
        whole.name = kept.name;
        w->slots[step.slot] = whole;
        status = check_policy(w, error);
        w->slots[step.slot] = kept;
        if (status == SCRIM_OK)
            status = check_ends(&whole, error);
    } else if (status == SCRIM_OK) {
        status = is_type(text) ? try_answer(w, step, stand_in, check_lines, error)
                               : refuse_type(text, legal, error);
    }
    for (size_t i = 0; i < SC_ASK_COUNT; i++)
        free(whole.text[i]);
    return status;
}

/* Ends that go with any legal smallest value; all are multiples of every usual step. */
static const char *const wide_ends[] = {"9999-12-31",
                                        "2100-01-01",
                                        "0",
                                        "1",
                                        "1000",
                                        "1000000",
                                        "1000000000",
                                        "1000000000000",
                                        "1000000000000000",
                                        "1000000000000000000"};

/* Is there a range with these ends? NULL: any end is good. */
static scrim_status try_ends(sc_wizard *w, sc_wizard_slot *slot, char *low, char *high,
                             char *step, scrim_error *error)
{
    char *const kept[] = {slot->text[SC_ASK_LOW], slot->text[SC_ASK_HIGH],
                          slot->text[SC_ASK_STEP]};
    char end[32], begin[] = "0";
    scrim_status status = SCRIM_E_PARAM;
    slot->text[SC_ASK_LOW] = low == NULL ? begin : low;
    slot->text[SC_ASK_HIGH] = high == NULL ? end : high;
    slot->text[SC_ASK_STEP] = step;
    for (size_t i = 0;
         i < sizeof wide_ends / sizeof *wide_ends && status == SCRIM_E_PARAM; i++) {
        snprintf(end, sizeof end, "%s", wide_ends[i]);
        status = check_policy(w, error);
    }
    slot->text[SC_ASK_LOW] = kept[0];
    slot->text[SC_ASK_HIGH] = kept[1];
    slot->text[SC_ASK_STEP] = kept[2];
    return status;
}

/* The step of a decimal is asked for after its range, which may need a small one. */
static scrim_status try_range(sc_wizard *w, sc_wizard_slot *slot, char *low, char *high,
                              scrim_error *error)
{
    char fine[] = "0.000001", finer[] = "0.000000000001", binary[] = "2^-20";
    char *const steps[] = {slot->text[SC_ASK_STEP], fine, finer, binary};
    const size_t count = is_decimal(slot) ? sizeof steps / sizeof *steps : 1;
    scrim_status status = SCRIM_E_PARAM;
    for (size_t i = 0; i < count && status == SCRIM_E_PARAM; i++)
        status = try_ends(w, slot, low, high, steps[i], error);
    return status;
}

scrim_status sc_check_step(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                           scrim_error *error)
{
    sc_wizard_slot *slot = &w->slots[step.slot];
    return reword(
        try_ends(w, slot, slot->text[SC_ASK_LOW], slot->text[SC_ASK_HIGH], text, error),
        text[0] == '\0' ? "0.01" : text, w->fields[step.field].legal, error);
}

scrim_status sc_check_low(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                          scrim_error *error)
{
    char legal[SC_LEGAL_BYTES];
    sc_check_legal(w, step, legal);
    if (is_decimal(&w->slots[step.slot]))
        SC_TRY(sc_grouped_number_check(text, error));
    /* The comma may be that of a fraction. */
    if (strchr(text, ',') != NULL && is_decimal(&w->slots[step.slot]))
        snprintf(legal, sizeof legal,
                 "a number with a point, or both ends in brackets: [%.60s]", text);
    return reword(try_range(w, &w->slots[step.slot], text, NULL, error), text, legal,
                  error);
}

scrim_status sc_check_high(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                           scrim_error *error)
{
    sc_wizard_slot *slot = &w->slots[step.slot];
    char legal[SC_LEGAL_BYTES];
    sc_check_legal(w, step, legal);
    if (is_decimal(slot))
        SC_TRY(sc_grouped_number_check(text, error));
    return reword(try_range(w, slot, slot->text[SC_ASK_LOW], text, error), text, legal,
                  error);
}

scrim_status sc_check_choice(sc_wizard *w, sc_wizard_step step,
                             char text[SC_ANSWER_BYTES], scrim_error *error)
{
    const bool is_yes = strcmp(text, "y") == 0 || strcmp(text, "yes") == 0,
               is_no = strcmp(text, "n") == 0 || strcmp(text, "no") == 0;
    if (!is_yes && !is_no)
        return refuse(text, w->fields[step.field].legal, error);
    snprintf(text, SC_ANSWER_BYTES, "%s", is_yes ? "y" : "n");
    return SCRIM_OK;
}

scrim_status sc_check_keys(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                           scrim_error *error)
{
    static const char *const words[] = {"y", "n", "yes", "no", "none"};
    char prefix[SCRIM_COLUMN_BYTES + 1];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return sc_complaint_fill(error, SCRIM_E_PARAM,
                                     "is \"%s\" the only key? Then type it with the "
                                     "quotes; type none for private keys",
                                     text);
    /* Another mark, as between the fields of the file. */
    if (strpbrk(text, ";|") != NULL && strpbrk(text, ",\"@") == NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "is \"%s\" one key? Then type it with the quotes; "
                                 "commas separate keys",
                                 text);
    const scrim_status status = try_answer(w, step, text, check_lines, error);
    snprintf(prefix, sizeof prefix, "%.128s=", w->slots[step.slot].name);
    if (status == SCRIM_OK)
        return settle_answer("keys", prefix, text, error);
    drop_line("keys", prefix, text, error);
    return status;
}

/* Is it one of the names of a list? */
static bool has_name(const char *list, const char *name)
{
    const size_t bytes = strlen(name);
    for (const char *at = list; *at != '\0'; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        if (length == bytes && strncmp(at, name, bytes) == 0)
            return true;
        at += length;
    }
    return false;
}

/* Names of declared columns, without blanks between them. An expression is checked when the table is
 * made. */
scrim_status sc_check_by(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                         scrim_error *error)
{
    char list[SC_ANSWER_BYTES], tidy[SC_ANSWER_BYTES] = "", *rest = NULL;
    (void)step;
    if (strchr(text, '(') != NULL)
        return SCRIM_OK;
    snprintf(list, sizeof list, "%s", text);
    for (char *name = strtok_r(list, ",", &rest); name != NULL;
         name = strtok_r(NULL, ",", &rest)) {
        name += strspn(name, " \t");
        for (size_t bytes = strlen(name); bytes > 0 && name[bytes - 1] == ' ';)
            name[--bytes] = '\0';
        const sc_wizard_slot *slot = sc_wizard_column(w, name);
        if (slot == NULL || !sc_slot_is_declared(slot))
            return sc_complaint_fill(
                error, SCRIM_E_PARAM,
                "'%.80s' is not a column that questions may use; type names that you "
                "declared, separated by commas",
                name);
        if (has_name(tidy, name))
            return sc_complaint_fill(error, SCRIM_E_PARAM,
                                     "column '%.80s' is given twice; type it once", name);
        const size_t used = strlen(tidy);
        snprintf(tidy + used, sizeof tidy - used, "%s%s", used == 0 ? "" : ",", name);
    }
    memcpy(text, tidy, sizeof tidy);
    return SCRIM_OK;
}

/* An epsilon is tried as that of a budget. */
scrim_status sc_check_epsilon(sc_wizard *w, sc_wizard_step step,
                              char text[SC_ANSWER_BYTES], scrim_error *error)
{
    if (strpbrk(text, ",=") != NULL || strspn(text, "0.") == strlen(text))
        return refuse(text, w->fields[step.field].legal, error);
    return sc_check_line(w, step, text, error);
}

double sc_answer_view(const char *text)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    if (*end == '/')
        return value / strtod(end + 1, NULL);
    return *end == '^' ? pow(value, strtod(end + 1, NULL)) : value;
}

scrim_status sc_check_delta(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                            scrim_error *error)
{
    if (strpbrk(text, ",=") != NULL || sc_answer_view(text) >= 1)
        return refuse(text, w->fields[step.field].legal, error);
    return sc_check_line(w, step, text, error);
}

scrim_status sc_check_at(sc_wizard *w, sc_wizard_step step, char text[SC_ANSWER_BYTES],
                         scrim_error *error)
{
    char policy[SC_ANSWER_BYTES + 64];
    const char *legal = w->fields[step.field].legal;
    if (strpbrk(text, ",=") != NULL || strspn(text, "0.") == strlen(text))
        return refuse(text, legal, error);
    snprintf(policy, sizeof policy, "unit=row\nbudget=epsilon=%s\n", text);
    return reword(scrim_policy_check(policy, error), text, legal, error);
}

/* "yes" and "no" answer the question that is asked. */
scrim_status sc_check_neighbours(sc_wizard *w, sc_wizard_step step,
                                 char text[SC_ANSWER_BYTES], scrim_error *error)
{
    if (strcmp(text, "yes") == 0 || strcmp(text, "y") == 0)
        snprintf(text, SC_ANSWER_BYTES, "add-remove");
    else if (strcmp(text, "no") == 0 || strcmp(text, "n") == 0)
        snprintf(text, SC_ANSWER_BYTES, "replace");
    return sc_check_line(w, step, text, error);
}
