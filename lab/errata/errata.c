#include "lab/errata/errata.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Workings. */

const char *lab_working_part_name(lab_working_part part)
{
    static const char *const names[] = {"input", "step", "claimed", "true"};
    return names[part];
}

void lab_working_init(lab_working *w)
{
    memset(w, 0, sizeof *w);
    lab_formula_scope_init(&w->scope);
}

void lab_working_clear(lab_working *w)
{
    while (w->count > 0)
        lab_quantity_clear(&w->lines[--w->count].number);
    lab_formula_scope_clear(&w->scope);
}

static void spoil(lab_working *w, const char *by)
{
    if (!w->is_spoilt)
        snprintf(w->fault, sizeof w->fault, "%s", by);
    w->is_spoilt = true;
}

/* A new line; NULL if there is no room, or the working is spoilt. */
static lab_working_line *add_line(lab_working *w, lab_working_part part,
                                  const char *formula, const char *what)
{
    if (w->count == LAB_WORKING_LINES || strlen(formula) >= LAB_WORKING_BYTES ||
        strlen(what) >= LAB_WORKING_BYTES)
        spoil(w, formula);
    if (w->is_spoilt)
        return NULL;
    lab_working_line *line = &w->lines[w->count++];
    line->part = part;
    line->has_number = false;
    lab_quantity_init(&line->number);
    snprintf(line->what, sizeof line->what, "%s", what);
    snprintf(line->formula, sizeof line->formula, "%s", formula);
    line->value[0] = '\0';
    return line;
}

static void set_number(lab_working *w, lab_working_line *line, const char *name,
                       const lab_quantity *number)
{
    char text[LAB_QUANTITY_TEXT_BYTES];
    lab_quantity_set(&line->number, number);
    line->has_number = true;
    lab_quantity_format(number, text);
    snprintf(line->value, sizeof line->value, "%s", text);
    if (name[0] != '\0' && !lab_formula_bind(&w->scope, name, number))
        spoil(w, line->formula);
}

/* The name before "=", if there is one; returns the formula behind it. */
static const char *split_name(const char *formula, char name[LAB_FORMULA_NAME_BYTES])
{
    const char *equals = strstr(formula, " = ");
    name[0] = '\0';
    if (equals == NULL || (size_t)(equals - formula) >= LAB_FORMULA_NAME_BYTES)
        return formula;
    memcpy(name, formula, (size_t)(equals - formula));
    name[equals - formula] = '\0';
    return equals + 3;
}

static void compute(lab_working *w, lab_working_part part, const char *formula,
                    const char *what)
{
    char name[LAB_FORMULA_NAME_BYTES];
    LAB_QUANTITY(number);
    lab_working_line *line = add_line(w, part, formula, what);
    if (line == NULL)
        return;
    if (lab_formula_evaluate(&w->scope, split_name(formula, name), &number))
        set_number(w, line, name, &number);
    else
        spoil(w, formula);
}

void lab_working_input(lab_working *w, const char *formula, const char *what)
{
    compute(w, LAB_WORKING_INPUT, formula, what);
}

void lab_working_step(lab_working *w, const char *formula, const char *what)
{
    compute(w, LAB_WORKING_STEP, formula, what);
}

void lab_working_claimed(lab_working *w, const char *formula, const char *what)
{
    compute(w, LAB_WORKING_CLAIMED, formula, what);
}

void lab_working_true(lab_working *w, const char *formula, const char *what)
{
    compute(w, LAB_WORKING_TRUE, formula, what);
}

void lab_working_put(lab_working *w, lab_working_part part, const char *name,
                     const lab_quantity *number, const char *how, const char *what)
{
    char formula[LAB_WORKING_BYTES];
    snprintf(formula, sizeof formula, "%s%s%s", name, name[0] == '\0' ? "" : " = ", how);
    lab_working_line *line = add_line(w, part, formula, what);
    if (line != NULL)
        set_number(w, line, name, number);
}

void lab_working_put_int64(lab_working *w, lab_working_part part, const char *name,
                           int64_t number, const char *how, const char *what)
{
    LAB_QUANTITY(value);
    lab_quantity_set_int64(&value, number);
    lab_working_put(w, part, name, &value, how, what);
}

void lab_working_say(lab_working *w, lab_working_part part, const char *what,
                     const char *format, ...)
{
    va_list arguments;
    lab_working_line *line = add_line(w, part, "", what);
    if (line == NULL)
        return;
    va_start(arguments, format);
    const int length = vsnprintf(line->value, sizeof line->value, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line->value)
        spoil(w, what);
}

int64_t lab_working_integer(lab_working *w, const char *name)
{
    int64_t value = 0;
    LAB_QUANTITY(number);
    if (!w->is_spoilt && (!lab_formula_evaluate(&w->scope, name, &number) ||
                          !lab_quantity_int64(&number, &value)))
        spoil(w, name);
    return value;
}

void lab_working_distance(lab_working *w, lab_working_part part, const char *name,
                          const lab_distance *distance, const char *what)
{
    scrim_distance found;
    char how[64];
    LAB_QUANTITY(value);
    (void)snprintf(how, sizeof how, "distance(%s)", distance->kind);
    if (scrim_distance_between(distance->kind, distance->from.places,
                               distance->from.count, distance->to.places,
                               distance->to.count, distance->options, &found,
                               NULL) != SCRIM_OK ||
        !lab_quantity_parse(&value, found.exact, strlen(found.exact)))
        spoil(w, how);
    else
        lab_working_put(w, part, name, &value, how, what);
}

/* Rows. */

static const lab_document documents[] = {
    {"000",
     "Extending the Foundations of Differential Privacy: Robustness and Flexibility",
     "anonymous draft"},
    {"001", "Flexible Accuracy for Differential Privacy",
     "Aman Bansal, Rahul Chunduru, Deepesh Data, Manoj Prabhakaran"},
    {"002", "Differential Privacy: Ideas, Concepts and Advances", "Saswat Das"},
    {"003",
     "Archimedes Meets Privacy: On Privately Estimating Quantiles in High Dimensions "
     "Under Minimal Assumptions, appendices A to F",
     "Omri Ben-Eliezer, Dan Mikulincer, Ilias Zadik"},
    {"004",
     "Suppression Strikes Back: On the Interaction of Thresholding and Differential "
     "Privacy",
     "Xi Wu, Wentao Wu, Chen Zeng, Jeffrey F. Naughton"},
};

static const char *const kinds[] = {"false",     "loose",    "gap",
                                    "ambiguous", "typo",     "misleading",
                                    "unproved",  "unusable", "unreadable"};

static const lab_errata_section *const sections[] = {
    &lab_errata_robustness,   &lab_errata_flexible, &lab_errata_survey,
    &lab_errata_survey_later, &lab_errata_floating, &lab_errata_threshold};

const lab_document *lab_document_at(size_t index)
{
    return index < sizeof documents / sizeof *documents ? &documents[index] : NULL;
}

const lab_document *lab_document_find(const char *number)
{
    const lab_document *document;
    for (size_t i = 0; (document = lab_document_at(i)) != NULL; i++)
        if (strcmp(document->number, number) == 0)
            return document;
    return NULL;
}

const char *lab_erratum_kind_at(size_t index)
{
    return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL;
}

const lab_erratum *lab_erratum_at(size_t index)
{
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        if (index < sections[i]->count)
            return &sections[i]->rows[index];
        index -= sections[i]->count;
    }
    return NULL;
}

const lab_erratum *lab_erratum_find(unsigned number)
{
    const lab_erratum *row;
    for (size_t i = 0; (row = lab_erratum_at(i)) != NULL; i++)
        if (row->number == number)
            return row;
    return NULL;
}

bool lab_erratum_runs(const lab_erratum *erratum)
{
    return erratum->run != NULL || erratum->steps != NULL;
}

scrim_status lab_erratum_run(const lab_erratum *erratum, lab_working *w,
                             scrim_error *error)
{
    if (erratum->run != NULL)
        erratum->run(w);
    for (const lab_erratum_step *s = erratum->steps; s != NULL && s->what != NULL; s++)
        if (s->formula != NULL)
            compute(w, s->part, s->formula, s->what);
        else
            lab_working_say(w, s->part, s->what, "%s", s->said);
    return w->is_spoilt
               ? lab_fail(error, SCRIM_E_INTERNAL, "erratum %u: cannot compute '%s'",
                          erratum->number, w->fault)
               : SCRIM_OK;
}
