#include "cli/dataset/wizard_page.h"

#include "cli/dataset/wizard_words.h"

#include <stdio.h>
#include <string.h>

#define SHOWN_BYTES 400

/* A line of the page: a step that begins it. A column that is left out has one, too. */
typedef struct page_line {
    sc_wizard_step step;
    const char *key, *value; /* value is NULL where nothing was said */
} page_line;

typedef scrim_status page_visit(void *context, size_t number, const page_line *line);

typedef struct page_walk {
    const sc_wizard *wizard;
    page_visit *visit;
    void *context;
    size_t count;
} page_walk;

static scrim_status visit_line(void *context, sc_wizard_step step, const char *key,
                               const char *value, scrim_error *error)
{
    page_walk *walk = context;
    const page_line line = {step, key, value};
    (void)error;
    return walk->visit(walk->context, ++walk->count, &line);
}

/* Columns that nobody may ask about. */
static bool is_left_out(const sc_wizard *w, size_t slot)
{
    return w->slots[slot].scope == SC_SCOPE_COLUMN && w->slots[slot].name != NULL &&
           !sc_slot_is_declared(&w->slots[slot]) &&
           w->fields[SC_ASK_TYPE].applies(w, &w->slots[slot]);
}

/* Answered with none, which can be changed as well. */
static bool is_empty(const sc_wizard *w, sc_ask field)
{
    const char *said = w->slots[0].text[field];
    return said != NULL && said[0] == '\0' && w->fields[field].applies(w, &w->slots[0]);
}

static scrim_status walk_page(const sc_wizard *w, page_visit *visit, void *context,
                              scrim_error *error)
{
    page_walk walk = {w, visit, context, 0};
    scrim_status status = SCRIM_OK;
    if (!sc_slot_is_given(&w->slots[0], SC_ASK_NAME)) {
        const page_line name = {{0, SC_ASK_NAME}, "name", sc_wizard_text(w, SC_ASK_NAME)};
        status = visit(context, ++walk.count, &name);
    }
    if (status == SCRIM_OK)
        status = sc_wizard_lines(w, visit_line, &walk, error);
    static const sc_ask empty[] = {SC_ASK_NULLS, SC_ASK_POPULATION};
    for (size_t i = 0; i < sizeof empty / sizeof *empty && status == SCRIM_OK; i++)
        if (is_empty(w, empty[i])) {
            const page_line line = {{0, empty[i]}, w->fields[empty[i]].line, NULL};
            status = visit(context, ++walk.count, &line);
        }
    for (size_t i = 0; i < w->count && status == SCRIM_OK; i++)
        if (is_left_out(w, i)) {
            const page_line line = {{i, SC_ASK_TYPE}, "column", NULL};
            status = visit(context, ++walk.count, &line);
        }
    return status;
}

static scrim_status show_line(void *context, size_t number, const page_line *line)
{
    const sc_wizard *w = context;
    const sc_wizard_slot *slot = &w->slots[line->step.slot];
    char text[SC_TREATMENT_BYTES];
    const bool is_treated =
        line->step.field == SC_ASK_TYPE && sc_wizard_treatment(w, slot, text);
    if (line->value == NULL && slot->scope == SC_SCOPE_TABLE)
        sc_interview_say("%4zu  %s: %s", number, w->fields[line->step.field].name,
                         line->step.field == SC_ASK_POPULATION
                             ? sc_wizard_text(w, SC_ASK_NAME)
                             : "none");
    else if (line->value == NULL)
        sc_interview_say("%4zu  %.128s: %s", number, slot->name, is_treated ? text : "");
    else
        sc_interview_say("%4zu  %s=%.*s%s", number, line->key, SHOWN_BYTES, line->value,
                         strlen(line->value) > SHOWN_BYTES ? "..." : "");
    if (line->value != NULL && is_treated)
        sc_interview_say("      %s", text);
    return SCRIM_OK;
}

scrim_status sc_wizard_page_show(sc_wizard *w, scrim_error *error)
{
    sc_interview_say("The policy of %s:", sc_wizard_text(w, SC_ASK_NAME));
    const scrim_status status = walk_page(w, show_line, w, error);
    if (status == SCRIM_OK)
        sc_interview_say("Type yes to add the dataset, a number to change that line, q "
                         "to leave and keep a draft, no to leave without one.");
    return status;
}

typedef struct page_edit {
    sc_wizard *wizard;
    size_t number;
    bool is_found;
} page_edit;

/* The fact of one row each was said behind the total, which can be another one. */
static bool is_behind(size_t field, sc_ask line)
{
    return line == SC_ASK_ONE_ROW && field == SC_ASK_ALL_ROWS;
}

/* All fields of the line; those that do not apply are not asked. */
static scrim_status edit_line(void *context, size_t number, const page_line *line)
{
    page_edit *edit = context;
    sc_wizard *w = edit->wizard;
    sc_wizard_slot *slot = &w->slots[line->step.slot];
    if (number != edit->number)
        return SCRIM_OK;
    edit->is_found = true;
    for (size_t field = 0; field < SC_ASK_COUNT; field++) {
        const char *key = w->fields[field].line;
        if (field == (size_t)line->step.field || is_behind(field, line->step.field) ||
            (slot->scope == w->fields[field].scope && key != NULL &&
             strcmp(key, line->key) == 0))
            slot->again |= (uint32_t)1 << field;
    }
    return SCRIM_OK;
}

bool sc_wizard_page_edit(sc_wizard *w, size_t number)
{
    page_edit edit = {w, number, false};
    return walk_page(w, edit_line, &edit, NULL) == SCRIM_OK && edit.is_found;
}
