#include "cli/dataset/dataset_wizard.h"

#include "cli/dataset/typed_dates.h"
#include "cli/dataset/wizard_check.h"
#include "cli/dataset/wizard_complete.h"
#include "cli/dataset/wizard_draft.h"
#include "cli/dataset/wizard_fields.h"
#include "cli/dataset/wizard_page.h"
#include "cli/dataset/wizard_source.h"
#include "cli/dataset/wizard_words.h"
#include "cli/terminal/complaint.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kind of text that was typed. */
typedef enum sc_turn { TURN_ANSWER, TURN_NONE, TURN_BACK, TURN_HELP, TURN_LEAVE } sc_turn;

static const struct {
    const char *word;
    sc_turn turn;
} turn_words[] = {
    {"<", TURN_BACK}, {"?", TURN_HELP}, {"q", TURN_LEAVE}, {"none", TURN_NONE}};
#define TURN_WORDS (sizeof turn_words / sizeof *turn_words)

/* A backslash takes these words as they are, alone or in a list: "NA,\?". */
static void drop_backslashes(char *item)
{
    while (true) {
        const size_t bytes = strcspn(item, ",");
        for (size_t i = 0; i < TURN_WORDS && item[0] == '\\'; i++)
            if (strlen(turn_words[i].word) + 1 == bytes &&
                strncmp(item + 1, turn_words[i].word, bytes - 1) == 0)
                memmove(item, item + 1, strlen(item));
        item += strcspn(item, ",");
        if (*item == '\0')
            return;
        item++;
        item += strspn(item, " ");
    }
}

static sc_turn take_turn(char text[SC_ANSWER_BYTES])
{
    for (size_t i = 0; i < TURN_WORDS; i++)
        if (strcmp(text, turn_words[i].word) == 0)
            return turn_words[i].turn;
    drop_backslashes(text);
    return TURN_ANSWER;
}

static sc_turn ask(const sc_wizard *w, const char *prompt, char text[SC_ANSWER_BYTES])
{
    scrim_error ignored;
    if (sc_interview_ask(w->editor, prompt, text, &ignored) != SCRIM_OK)
        return TURN_LEAVE;
    return take_turn(text);
}

/* A question that is repeated at once needs no introduction. */
static scrim_status introduce(sc_wizard *w, sc_wizard_step step, scrim_error *error)
{
    if (w->is_repeated)
        return SCRIM_OK;
    const sc_wizard_field *field = &w->fields[step.field];
    const sc_wizard_slot *slot = &w->slots[step.slot];
    const uint32_t bit = (uint32_t)1 << step.field;
    scrim_status status =
        field->before == NULL ? SCRIM_OK : field->before(w, slot, error);
    if (status == SCRIM_OK && field->ask != NULL && (w->introduced & bit) == 0)
        sc_interview_say("%s", field->ask);
    w->introduced |= bit;
    if (slot->text[step.field] != NULL && slot->text[step.field][0] != '\0')
        sc_interview_say("  now %.60s; press Enter to keep it%s", slot->text[step.field],
                         field->is_optional ? ", or type none to leave it out" : "");
    return status;
}

static void write_prompt(const sc_wizard *w, sc_wizard_step step, char *prompt,
                         size_t capacity)
{
    const sc_wizard_slot *slot = &w->slots[step.slot];
    const char *name = w->fields[step.field].name;
    if (slot->scope == SC_SCOPE_OTHER)
        snprintf(prompt, capacity, "%.128s", slot->name);
    else if (slot->scope == SC_SCOPE_COLUMN && step.field != SC_ASK_COLUMN)
        snprintf(prompt, capacity, "%s of %.128s", name, slot->name);
    else
        snprintf(prompt, capacity, "%s", name);
    sc_complaint_clean(prompt);
}

/* Facts that depend on an answer. */

static scrim_status find_budget(sc_wizard *w, scrim_error *error)
{
    const char *population = sc_wizard_text(w, SC_ASK_POPULATION),
               *name = sc_wizard_text(w, SC_ASK_NAME);
    w->budget.neighbours = SCRIM_NEIGHBOURS_UNSET;
    if (population[0] == '\0' && name[0] == '\0')
        return SCRIM_OK;
    return w->host->find_budget(
        w->host->context, population[0] == '\0' ? name : population, &w->budget, error);
}

/* A column has got its name, and another one may follow. */
static scrim_status name_column(sc_wizard *w, size_t index, scrim_error *error)
{
    sc_wizard_slot *slot = &w->slots[index];
    const char *said = sc_slot_text(slot, SC_ASK_COLUMN);
    const bool is_new = slot->name == NULL;
    char *name = said[0] == '\0' ? NULL : strdup(said);
    if (said[0] != '\0' && name == NULL)
        return sc_wizard_fail_memory(error);
    free(slot->name);
    slot->name = name;
    return is_new && name != NULL ? sc_wizard_add_slot(w, SC_SCOPE_COLUMN, NULL, error)
                                  : SCRIM_OK;
}

static scrim_status follow_up(sc_wizard *w, sc_wizard_step step, scrim_error *error)
{
    switch ((int)step.field) {
    case SC_ASK_NAME:
    case SC_ASK_POPULATION:
        return find_budget(w, error);
    case SC_ASK_CSV:
        if (!sc_wizard_has_source(w)) {
            scrim_vault_text_free(w->header);
            w->header = NULL;
            w->seen = NULL;
        }
        return sc_wizard_make_columns(w, error);
    case SC_ASK_SQLITE:
    case SC_ASK_TABLE:
    case SC_ASK_SEPARATOR:
        return sc_wizard_make_columns(w, error);
    case SC_ASK_COLUMN:
        return name_column(w, step.slot, error);
    default:
        return SCRIM_OK;
    }
}

/* The table of bounds is about these. */
static bool is_in_table(sc_ask field)
{
    return field < SC_ASK_ALL_ROWS;
}

/* An answer that was checked. A type with its range is several. */
static scrim_status keep(sc_wizard *w, sc_wizard_step step, const char *text,
                         scrim_error *error)
{
    const sc_wizard_field *field = &w->fields[step.field];
    bool is_split = false;
    scrim_status status = SCRIM_OK;
    if (is_in_table(step.field))
        w->is_table_shown = false;
    if (step.field == SC_ASK_TYPE && strchr(text, '[') != NULL) {
        status = sc_wizard_answer(w, step, NULL, error);
        if (status == SCRIM_OK)
            status = sc_wizard_split_type(&w->slots[step.slot], text, &is_split, error);
    } else {
        status = sc_wizard_answer(w, step, text, error);
    }
    if (status == SCRIM_OK)
        status = follow_up(w, step, error);
    if (status == SCRIM_OK && field->after != NULL)
        field->after(w, &w->slots[step.slot]);
    return status;
}

/* Something to read before the same is asked again. */
static void repeat(sc_wizard *w, const char *words)
{
    sc_interview_say("  %s", words);
    w->is_repeated = true;
}

/* The step of a decimal whose range was typed at once. */
static scrim_status open_step_size(sc_wizard *w, size_t slot, scrim_error *error)
{
    return sc_slot_text(&w->slots[slot], SC_ASK_STEP)[0] != '\0'
               ? SCRIM_OK
               : sc_wizard_answer(w, (sc_wizard_step){slot, SC_ASK_STEP}, NULL, error);
}

/* "epsilon=3" is 3 where epsilon is asked for. */
static void drop_name(const char *name, char text[SC_ANSWER_BYTES])
{
    const size_t bytes = strlen(name);
    if (strncmp(text, name, bytes) == 0 && text[bytes] == '=')
        memmove(text, text + bytes + 1, strlen(text + bytes));
}

/* Takes the answer, or says what is wrong with it, so that it is asked for again. is_none: the word was
 * typed, which stands for nothing where that is an answer. */
static scrim_status offer(sc_wizard *w, sc_wizard_step step, bool is_none,
                          char text[SC_ANSWER_BYTES], scrim_error *error)
{
    drop_name(w->fields[step.field].name, text);
    if (step.field == SC_ASK_LOW || step.field == SC_ASK_HIGH ||
        step.field == SC_ASK_TYPE)
        sc_typed_dates_turn(text);
    const bool has_ends = (step.field == SC_ASK_LOW || step.field == SC_ASK_TYPE) &&
                          sc_check_is_range(w, step, text),
               asks_step = has_ends && step.field == SC_ASK_LOW;
    if (has_ends)
        step.field = SC_ASK_TYPE;
    const sc_wizard_field *field = &w->fields[step.field];
    const char *present = w->slots[step.slot].text[step.field];
    const bool has_present = present != NULL && present[0] != '\0';
    char size[SC_SIZE_BYTES];
    const char *fallback = step.field == SC_ASK_SEPARATOR ? w->seen
                           : step.field == SC_ASK_SIZE && sc_wizard_size(w, size)
                               ? size
                               : field->fallback;
    scrim_status status = SCRIM_OK;
    if (text[0] == '\0' && has_present)
        return sc_wizard_answer(w, step, present, error);
    if (field->is_optional && is_none)
        text[0] = '\0';
    else if (text[0] == '\0' && fallback != NULL)
        snprintf(text, SC_ANSWER_BYTES, "%s", fallback);
    if (text[0] == '\0' && !field->is_optional) {
        char legal[SC_LEGAL_BYTES];
        sc_check_legal(w, step, legal);
        status = sc_complaint_fill(error, SCRIM_E_PARAM, "%s has no default; type %s",
                                   field->name, legal);
    } else if (text[0] != '\0' || step.field == SC_ASK_STEP) {
        status = field->check(w, step, text, error);
    }
    if (status == SCRIM_OK) {
        status = keep(w, step, text, error);
        if (status == SCRIM_OK && (asks_step || step.field == SC_ASK_HIGH))
            sc_interview_say("  from %.60s to %.60s; type < to change it",
                             sc_slot_text(&w->slots[step.slot], SC_ASK_LOW),
                             sc_slot_text(&w->slots[step.slot], SC_ASK_HIGH));
        return status == SCRIM_OK && asks_step ? open_step_size(w, step.slot, error)
                                               : status;
    }
    if (status == SCRIM_E_MEMORY)
        return status;
    repeat(w, error->message);
    return SCRIM_OK;
}

/* Back to the last page, unless the change left something open. */
static bool stop_editing(sc_wizard *w)
{
    sc_wizard_step open;
    for (size_t i = 0; i < w->count; i++)
        w->slots[i].again = 0;
    return !sc_wizard_open_step(w, &open);
}

static void go_back(sc_wizard *w, const sc_wizard_step *from)
{
    sc_wizard_step before;
    if (w->is_editing && stop_editing(w))
        return;
    if (sc_wizard_asked_before(w, from, &before))
        w->slots[before.slot].again |= (uint32_t)1 << before.field;
    else
        repeat(w, "this is the first question");
}

/* Leaving. */

static scrim_status leave(const sc_wizard *w, scrim_error *error)
{
    char path[PATH_MAX];
    sc_wizard_step open;
    scrim_error cause = {.message = ""};
    if (!sc_wizard_has_answers(w) && w->resumed != NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "not added; the draft '%s' is unchanged", w->resumed);
    if (!sc_wizard_has_answers(w))
        return sc_complaint_fill(error, SCRIM_E_PARAM, "cancelled; nothing was written");
    if (sc_wizard_keep_draft(w, path, &cause) != SCRIM_OK)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "cancelled; nothing was written: %s", cause.message);
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "not added; your answers are in '%s'; %s with 'scrim "
                             "dataset add %s --policy %s'",
                             path, sc_wizard_open_step(w, &open) ? "go on" : "add it",
                             sc_wizard_text(w, SC_ASK_NAME), path);
}

/* The questions, and the last page. is_done: the owner has decided. */

static const char *explanation(const sc_wizard *w, sc_wizard_step step)
{
    const sc_wizard_field *field = &w->fields[step.field];
    const char *type = sc_slot_text(&w->slots[step.slot], SC_ASK_TYPE);
    const bool is_date = strcmp(type, "date") == 0 || strcmp(type, "timestamp") == 0;
    return is_date && field->date_help != NULL ? field->date_help : field->help;
}

static scrim_status take_question(sc_wizard *w, sc_wizard_step step, bool *is_done,
                                  scrim_error *error)
{
    char prompt[256], text[SC_ANSWER_BYTES];
    scrim_status status = introduce(w, step, error);
    if (status != SCRIM_OK)
        return status;
    write_prompt(w, step, prompt, sizeof prompt);
    w->is_repeated = false;
    w->asked = step;
    w->is_page = false;
    const sc_turn turn = ask(w, prompt, text);
    switch (turn) {
    case TURN_BACK:
        go_back(w, &step);
        return SCRIM_OK;
    case TURN_HELP:
        repeat(w, explanation(w, step));
        return SCRIM_OK;
    case TURN_LEAVE:
        *is_done = true;
        return leave(w, error);
    case TURN_ANSWER:
    case TURN_NONE:
        break;
    }
    return offer(w, step, turn == TURN_NONE, text, error);
}

static bool is_one_of(const char *text, const char *word, const char *letter)
{
    return strcmp(text, word) == 0 || strcmp(text, letter) == 0;
}

/* Adds the dataset, or says why it cannot be, so that a line can be changed. Where no line is to
 * blame, a draft keeps the answers. */
static scrim_status agree(sc_wizard *w, bool *is_done, scrim_error *error)
{
    sc_policy_draft draft = {.lines = NULL};
    char path[PATH_MAX];
    scrim_error ignored;
    scrim_status status = sc_wizard_compose(w, &draft, error);
    if (status == SCRIM_OK)
        status =
            w->host->add(w->host->context, sc_wizard_text(w, SC_ASK_NAME), &draft, error);
    sc_policy_draft_clear(&draft);
    *is_done = status < SCRIM_E_PARAM || status / 10 == SCRIM_E_LEDGER / 10;
    if (!*is_done) {
        repeat(w, error->message);
        return SCRIM_OK;
    }
    if (status != SCRIM_OK && sc_wizard_keep_draft(w, path, &ignored) == SCRIM_OK)
        sc_complaint_append(error, "; your answers are in '%s'", path);
    return status;
}

static scrim_status decide(sc_wizard *w, const char *text, bool *is_done,
                           scrim_error *error)
{
    char *end = NULL;
    const unsigned long number = strtoul(text, &end, 10);
    if (is_one_of(text, "yes", "y"))
        return agree(w, is_done, error);
    if (is_one_of(text, "no", "n")) {
        *is_done = true;
        return sc_complaint_fill(error, SCRIM_E_PARAM, "not added; nothing was written");
    }
    w->is_editing = end != text && *end == '\0' && sc_wizard_page_edit(w, number);
    if (!w->is_editing) {
        static const char advice[] = "type yes, no or the number of a line";
        char words[128];
        if (text[0] == '\0')
            snprintf(words, sizeof words, "%s", advice);
        else
            snprintf(words, sizeof words, "\"%.60s\" is not valid here; %s", text,
                     advice);
        repeat(w, words);
    }
    return SCRIM_OK;
}

static scrim_status take_page(sc_wizard *w, bool *is_done, scrim_error *error)
{
    char text[SC_ANSWER_BYTES];
    scrim_status status = w->is_repeated ? SCRIM_OK : sc_wizard_page_show(w, error);
    if (status == SCRIM_OK && !w->is_repeated)
        status = sc_wizard_show_twin(w, true, error);
    if (status != SCRIM_OK)
        return status;
    w->is_repeated = false;
    w->is_editing = false;
    w->is_page = true;
    switch (ask(w, "yes, no or a number", text)) {
    case TURN_BACK:
        go_back(w, NULL);
        return SCRIM_OK;
    case TURN_HELP:
        repeat(w, "scrim adds the dataset with exactly these lines. Later 'scrim dataset "
                  "set' changes all but the unit, the population, its neighbours and its "
                  "budget.");
        return SCRIM_OK;
    case TURN_LEAVE:
        *is_done = true;
        return leave(w, error);
    case TURN_ANSWER:
    case TURN_NONE:
        break;
    }
    return decide(w, text, is_done, error);
}

/* Open questions are asked in order: those without an answer, or to be asked again. */
static scrim_status interview(sc_wizard *w, scrim_error *error)
{
    bool is_done = false;
    scrim_status status = SCRIM_OK;
    sc_interview_say("scrim asks for what is missing and guesses nothing from the rows. "
                     "Type ? for an explanation, < to go back, q or Ctrl-D to leave and "
                     "keep a draft%s.",
                     w->editor == NULL ? "" : "; Tab completes");
    while (status == SCRIM_OK && !is_done) {
        sc_wizard_step step;
        status = sc_wizard_open_step(w, &step) ? take_question(w, step, &is_done, error)
                                               : take_page(w, &is_done, error);
    }
    return status;
}

static scrim_status run(sc_wizard *w, const char *name, sc_policy_draft *draft,
                        scrim_error *error)
{
    scrim_status status = sc_policy_draft_settle(draft, error);
    if (status == SCRIM_OK)
        status = sc_wizard_init(w, name, draft, error);
    if (status == SCRIM_OK)
        status = sc_wizard_check_all(w, error);
    if (status == SCRIM_OK)
        status = sc_wizard_make_columns(w, error);
    if (status == SCRIM_OK)
        status = find_budget(w, error);
    return status == SCRIM_OK ? interview(w, error) : status;
}

scrim_status sc_dataset_wizard(const sc_wizard_host *host, const char *name,
                               sc_policy_draft *draft, const char *resumed,
                               scrim_error *error)
{
    sc_wizard *w = calloc(1, sizeof *w);
    if (w == NULL)
        return sc_wizard_fail_memory(error);
    w->host = host;
    w->fields = sc_wizard_fields;
    w->resumed = resumed;
    scrim_status status = SCRIM_OK;
    if (sc_line_editor_is_possible()) {
        (void)setlocale(LC_CTYPE, ""); /* the editor counts characters */
        status = sc_line_editor_open(true, sc_wizard_complete, w, &w->editor, error);
        if (status == SCRIM_OK)
            sc_line_editor_take_answers(w->editor);
    }
    if (status == SCRIM_OK)
        status = run(w, name, draft, error);
    sc_line_editor_close(w->editor);
    if (w->editor != NULL)
        (void)setlocale(LC_CTYPE, "C");
    sc_wizard_clear(w);
    free(w);
    return status;
}
