#include "experiment/errata/working.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *sc_working_part_name(sc_working_part part)
{
    static const char *const names[] = {"input", "step", "claimed", "true"};
    return names[part];
}

void sc_working_init(sc_working *w)
{
    memset(w, 0, sizeof *w);
    sc_formula_scope_init(&w->scope);
}

void sc_working_clear(sc_working *w)
{
    while (w->count > 0)
        sc_quantity_clear(&w->lines[--w->count].number);
    sc_formula_scope_clear(&w->scope);
}

static void spoil(sc_working *w, const char *by)
{
    if (!w->is_spoilt)
        snprintf(w->fault, sizeof w->fault, "%s", by);
    w->is_spoilt = true;
}

/* A new line; NULL if there is no room, or the working is spoilt. */
static sc_working_line *add_line(sc_working *w, sc_working_part part, const char *formula,
                                 const char *what)
{
    if (w->count == SC_WORKING_LINES || strlen(formula) >= SC_WORKING_BYTES ||
        strlen(what) >= SC_WORKING_BYTES)
        spoil(w, formula);
    if (w->is_spoilt)
        return NULL;
    sc_working_line *line = &w->lines[w->count++];
    line->part = part;
    line->has_number = false;
    sc_quantity_init(&line->number);
    snprintf(line->what, sizeof line->what, "%s", what);
    snprintf(line->formula, sizeof line->formula, "%s", formula);
    line->value[0] = '\0';
    return line;
}

static void set_number(sc_working *w, sc_working_line *line, const char *name,
                       const sc_quantity *number)
{
    char text[SC_QUANTITY_TEXT_BYTES];
    sc_quantity_set(&line->number, number);
    line->has_number = true;
    sc_quantity_format(number, text);
    snprintf(line->value, sizeof line->value, "%s", text);
    if (name[0] != '\0' && !sc_formula_bind(&w->scope, name, number))
        spoil(w, line->formula);
}

/* The name before "=", if there is one; returns the formula behind it. */
static const char *split_name(const char *formula, char name[SC_FORMULA_NAME_BYTES])
{
    const char *equals = strstr(formula, " = ");
    name[0] = '\0';
    if (equals == NULL || (size_t)(equals - formula) >= SC_FORMULA_NAME_BYTES)
        return formula;
    memcpy(name, formula, (size_t)(equals - formula));
    name[equals - formula] = '\0';
    return equals + 3;
}

static void compute(sc_working *w, sc_working_part part, const char *formula,
                    const char *what)
{
    char name[SC_FORMULA_NAME_BYTES];
    SC_OWN(sc_quantity, number);
    sc_working_line *line = add_line(w, part, formula, what);
    if (line == NULL)
        return;
    if (sc_formula_evaluate(&w->scope, split_name(formula, name), &number))
        set_number(w, line, name, &number);
    else
        spoil(w, formula);
}

void sc_working_input(sc_working *w, const char *formula, const char *what)
{
    compute(w, SC_WORKING_INPUT, formula, what);
}

void sc_working_step(sc_working *w, const char *formula, const char *what)
{
    compute(w, SC_WORKING_STEP, formula, what);
}

void sc_working_claimed(sc_working *w, const char *formula, const char *what)
{
    compute(w, SC_WORKING_CLAIMED, formula, what);
}

void sc_working_true(sc_working *w, const char *formula, const char *what)
{
    compute(w, SC_WORKING_TRUE, formula, what);
}

void sc_working_put(sc_working *w, sc_working_part part, const char *name,
                    const sc_quantity *number, const char *how, const char *what)
{
    char formula[SC_WORKING_BYTES];
    snprintf(formula, sizeof formula, "%s%s%s", name, name[0] == '\0' ? "" : " = ", how);
    sc_working_line *line = add_line(w, part, formula, what);
    if (line != NULL)
        set_number(w, line, name, number);
}

void sc_working_put_int64(sc_working *w, sc_working_part part, const char *name,
                          int64_t number, const char *how, const char *what)
{
    SC_OWN(sc_quantity, value);
    sc_quantity_set_int64(&value, number);
    sc_working_put(w, part, name, &value, how, what);
}

void sc_working_say(sc_working *w, sc_working_part part, const char *what,
                    const char *format, ...)
{
    va_list arguments;
    sc_working_line *line = add_line(w, part, "", what);
    if (line == NULL)
        return;
    va_start(arguments, format);
    const int length = vsnprintf(line->value, sizeof line->value, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line->value)
        spoil(w, what);
}

int64_t sc_working_integer(sc_working *w, const char *name)
{
    int64_t value = 0;
    SC_OWN(sc_quantity, number);
    if (!w->is_spoilt && (!sc_formula_evaluate(&w->scope, name, &number) ||
                          !sc_quantity_int64(&number, &value)))
        spoil(w, name);
    return value;
}
