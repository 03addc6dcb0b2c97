#include "cli/dataset/wizard_draft.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/whole_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Drafts of one name in one folder. */
#define DRAFTS 999
#define DRAFT_BYTES ((size_t)1 << 24)
/* How a draft begins. */
#define DRAFT_MARK "# A draft. 'scrim dataset add "

bool sc_wizard_is_draft(const char *text, size_t bytes)
{
    return bytes >= sizeof DRAFT_MARK - 1 &&
           memcmp(text, DRAFT_MARK, sizeof DRAFT_MARK - 1) == 0;
}

bool sc_wizard_has_answers(const sc_wizard *w)
{
    sc_wizard_step step;
    return sc_wizard_asked_before(w, NULL, &step);
}

/* Is the file a draft of a dataset of that name? It begins with the command that goes on with it. */
static bool is_draft_of(const char *path, const char *name)
{
    sc_whole_file file;
    scrim_error ignored;
    char begin[sizeof DRAFT_MARK + SCRIM_NAME_BYTES + 16];
    if (strcmp(path, "-") == 0 ||
        sc_whole_file_read(path, DRAFT_BYTES, &file, &ignored) != SCRIM_OK)
        return false;
    snprintf(begin, sizeof begin, DRAFT_MARK "%.*s --policy ", SCRIM_NAME_BYTES, name);
    const bool is_same = strncmp(file.bytes, begin, strlen(begin)) == 0;
    sc_whole_file_clear(&file);
    return is_same;
}

static scrim_status find_path(const sc_wizard *w, char path[PATH_MAX], scrim_error *error)
{
    const char *name = sc_wizard_text(w, SC_ASK_NAME);
    if (w->resumed != NULL && strlen(w->resumed) < PATH_MAX &&
        is_draft_of(w->resumed, name)) {
        snprintf(path, PATH_MAX, "%s", w->resumed);
        return SCRIM_OK;
    }
    for (unsigned number = 1; number <= DRAFTS; number++) {
        if (number == 1)
            snprintf(path, PATH_MAX, "%.64s.policy", name);
        else
            snprintf(path, PATH_MAX, "%.64s-%u.policy", name, number);
        if (access(path, F_OK) != 0)
            return SCRIM_OK;
    }
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "'%s' and all drafts before it exist; remove some", path);
}

/* "# missing: " and a line, which stays one whatever is in it. */
__attribute__((format(printf, 2, 3))) static void note(sc_output *output,
                                                       const char *format, ...)
{
    char text[SC_ANSWER_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sc_complaint_clean(text);
    sc_output_text(output, "# missing: ");
    sc_output_text(output, text);
    sc_output_text(output, "\n");
}

static void note_column(const sc_wizard *w, sc_wizard_step step, sc_output *output)
{
    const sc_wizard_slot *slot = &w->slots[step.slot];
    const char *low = sc_slot_text(slot, SC_ASK_LOW);
    if (step.field == SC_ASK_TYPE)
        note(output, "column=%.128s=TYPE, unless it is to be left out", slot->name);
    else if (step.field == SC_ASK_LOW || step.field == SC_ASK_HIGH)
        note(output, "column=%.128s=%.20s[%.200s,LARGEST]", slot->name,
             sc_slot_text(slot, SC_ASK_TYPE), low[0] == '\0' ? "SMALLEST" : low);
}

/* A budget without its delta would say that it is 0. */
static bool is_delta_open(const sc_wizard *w)
{
    const sc_wizard_slot *slot = &w->slots[0];
    return slot->text[SC_ASK_EPSILON] != NULL && slot->text[SC_ASK_DELTA] == NULL &&
           w->fields[SC_ASK_DELTA].applies(w, slot);
}

/* A line that a policy must have, or may have of a column, and has not. A range that has no end is told
 * once. */
static void write_missing(const sc_wizard *w, sc_output *output)
{
    static const struct {
        sc_ask field;
        const char *line;
    } needed[] = {{SC_ASK_TABLE, "table=NAME"},
                  {SC_ASK_SIZE, "max-size=SIZE, such as 1GiB"},
                  {SC_ASK_UNIT, "unit=COLUMN, or unit=row"},
                  {SC_ASK_ZONE, "zone=UTC, or another time zone"},
                  {SC_ASK_ALL_ROWS,
                   "max-total-rows=N, or max-groups=N and max-rows=N, or "
                   "rows-per-unit=1"},
                  {SC_ASK_MAX_GROUPS, "max-groups=N"},
                  {SC_ASK_MAX_ROWS, "max-rows=N"},
                  {SC_ASK_EPSILON, "budget=epsilon=R,delta=R"}};
    sc_wizard_step at, last = {0, SC_ASK_COUNT};
    for (bool is_there = sc_wizard_first(w, &at); is_there;
         is_there = sc_wizard_following(w, &at)) {
        const sc_wizard_slot *slot = &w->slots[at.slot];
        if (slot->text[at.field] != NULL || sc_slot_is_given(slot, at.field) ||
            !w->fields[at.field].applies(w, slot))
            continue;
        if (at.field == SC_ASK_DELTA && is_delta_open(w))
            note(output, "budget=epsilon=%.80s,delta=R",
                 sc_slot_text(slot, SC_ASK_EPSILON));
        for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
            if (needed[i].field == at.field)
                note(output, "%s", needed[i].line);
        if (slot->scope == SC_SCOPE_COLUMN && slot->name != NULL &&
            !(at.field == SC_ASK_HIGH && last.slot == at.slot &&
              last.field == SC_ASK_LOW))
            note_column(w, at, output);
        last = at;
    }
    /* Without a unit nobody knows yet that bounds are needed. */
    if (sc_wizard_text(w, SC_ASK_UNIT)[0] == '\0')
        note(output, "max-total-rows=N, or other bounds, unless unit=row");
}

static scrim_status write_draft(const sc_wizard *w, const sc_policy_draft *draft,
                                const char *path, sc_output *output, scrim_error *error)
{
    sc_file_writer file;
    scrim_status status = sc_file_writer_open(&file, "draft", path, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(output, file.descriptor);
    sc_output_text(output, DRAFT_MARK);
    sc_output_text(output, sc_wizard_text(w, SC_ASK_NAME));
    sc_output_text(output, " --policy ");
    sc_output_text(output, path);
    sc_output_text(output, "' asks for what is missing.\n");
    write_missing(w, output);
    sc_policy_draft_write(draft, output);
    return sc_file_writer_close(&file, output, error);
}

static bool is_none(const char *answer)
{
    return answer != NULL && answer[0] == '\0';
}

static scrim_status put_none(const sc_wizard_slot *slot, const char *key,
                             const char *none, sc_policy_draft *draft, scrim_error *error)
{
    char value[SCRIM_COLUMN_BYTES + 8];
    snprintf(value, sizeof value, "%.128s=%s", slot->name, none);
    return sc_policy_draft_put(draft, key, value, error);
}

static scrim_status put_column(const sc_wizard *w, const sc_wizard_slot *slot,
                               sc_policy_draft *draft, scrim_error *error)
{
    if (slot->scope != SC_SCOPE_COLUMN || slot->name == NULL ||
        !w->fields[SC_ASK_TYPE].applies(w, slot))
        return SCRIM_OK;
    if (sc_slot_is_declared(slot)) {
        if (is_none(slot->text[SC_ASK_KEYS]))
            return put_none(slot, "keys", "", draft, error);
        return is_none(slot->text[SC_ASK_TOTAL])
                   ? put_none(slot, "max-total", "none", draft, error)
                   : SCRIM_OK;
    }
    return is_none(slot->text[SC_ASK_TYPE]) ||
                   strcmp(sc_slot_text(slot, SC_ASK_SECRET), "n") == 0
               ? put_none(slot, "column", "none", draft, error)
               : SCRIM_OK;
}

/* "Not applicable" is an answer and is not asked for again; a partial answer is. */
static scrim_status put_answers(const sc_wizard *w, sc_policy_draft *draft,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (is_delta_open(w))
        sc_policy_draft_remove(draft, "budget");
    if (is_none(w->slots[0].text[SC_ASK_NULLS]))
        status = sc_policy_draft_put(draft, "null", "", error);
    if (status == SCRIM_OK && is_none(w->slots[0].text[SC_ASK_POPULATION]))
        status = sc_policy_draft_put(draft, "population", "", error);
    for (size_t i = 0; i < w->count && status == SCRIM_OK; i++)
        status = put_column(w, &w->slots[i], draft, error);
    return status;
}

scrim_status sc_wizard_keep_draft(const sc_wizard *w, char path[PATH_MAX],
                                  scrim_error *error)
{
    sc_policy_draft draft = {.lines = NULL};
    sc_output *output = malloc(sizeof *output);
    scrim_status status = output == NULL ? sc_wizard_fail_memory(error)
                                         : sc_wizard_compose(w, &draft, error);
    if (status == SCRIM_OK)
        status = put_answers(w, &draft, error);
    /* Good in any folder; a file of keys that is gone stays named. */
    scrim_error ignored;
    const scrim_status settled =
        status == SCRIM_OK ? sc_policy_draft_settle(&draft, &ignored) : status;
    (void)settled;
    if (status == SCRIM_OK)
        status = find_path(w, path, error);
    if (status == SCRIM_OK)
        status = write_draft(w, &draft, path, output, error);
    sc_policy_draft_clear(&draft);
    free(output);
    return status;
}
