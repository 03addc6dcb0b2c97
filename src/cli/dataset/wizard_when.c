#include "cli/dataset/wizard_when.h"

#include "cli/dataset/wizard_source.h"

#include <stdio.h>
#include <string.h>

bool sc_when_always(const sc_wizard *w, const sc_wizard_slot *slot)
{
    (void)w;
    (void)slot;
    return true;
}

bool sc_when_csv(const sc_wizard *w, const sc_wizard_slot *slot)
{
    (void)slot;
    return sc_wizard_text(w, SC_ASK_SQLITE)[0] == '\0' && !sc_wizard_is_pushed(w);
}

/* The wizard does not ask for a database; --sqlite names one. */
bool sc_when_database(const sc_wizard *w, const sc_wizard_slot *slot)
{
    (void)slot;
    return sc_wizard_text(w, SC_ASK_SQLITE)[0] != '\0';
}

bool sc_when_large(const sc_wizard *w, const sc_wizard_slot *slot)
{
    char size[SC_SIZE_BYTES];
    return slot->text[SC_ASK_SIZE] != NULL || sc_wizard_size(w, size);
}

bool sc_when_cut(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_wizard_text(w, SC_ASK_CSV)[0] != '\0' &&
           (w->seen != NULL || slot->text[SC_ASK_SEPARATOR] != NULL);
}

bool sc_when_unnamed(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return w->header == NULL && w->seen == NULL && sc_wizard_has_source(w) &&
           (slot->name == NULL || slot->text[SC_ASK_COLUMN] != NULL);
}

/* A column that is neither the unit nor declared by a line in another form. */
bool sc_when_column(const sc_wizard *w, const sc_wizard_slot *slot)
{
    char begin[SCRIM_COLUMN_BYTES + 1];
    if (slot->name == NULL || strcmp(slot->name, sc_wizard_text(w, SC_ASK_UNIT)) == 0)
        return false;
    snprintf(begin, sizeof begin, "%.128s=", slot->name);
    return !sc_wizard_has_other(w, "column", begin);
}

bool sc_slot_has_type(const sc_wizard_slot *slot, const char *type)
{
    return strcmp(sc_slot_text(slot, SC_ASK_TYPE), type) == 0;
}

bool sc_when_decimal(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_when_column(w, slot) && sc_slot_has_type(slot, "decimal");
}

bool sc_when_ranged(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_when_column(w, slot) && sc_type_has_range(sc_slot_text(slot, SC_ASK_TYPE));
}

static bool is_number(const sc_wizard_slot *slot)
{
    return sc_slot_has_type(slot, "int") || sc_slot_has_type(slot, "decimal");
}

bool sc_when_identifier(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_when_column(w, slot) && is_number(slot) && sc_name_identifies(slot->name);
}

bool sc_when_text(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_when_column(w, slot) && sc_slot_has_type(slot, "text");
}

static bool has_declared(const sc_wizard *w, const char *type)
{
    for (size_t i = 0; i < w->count; i++)
        if (sc_slot_has_type(&w->slots[i], type) && sc_slot_is_declared(&w->slots[i]))
            return true;
    return false;
}

bool sc_when_times(const sc_wizard *w, const sc_wizard_slot *slot)
{
    (void)slot;
    return has_declared(w, "timestamp");
}

/* Only in a CSV file does the writer choose how numbers and dates look. */
bool sc_when_marks(const sc_wizard *w, const sc_wizard_slot *slot)
{
    (void)slot;
    return sc_wizard_text(w, SC_ASK_CSV)[0] != '\0' && has_declared(w, "decimal");
}

bool sc_when_dates(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_wizard_text(w, SC_ASK_CSV)[0] != '\0' &&
           (has_declared(w, "date") || sc_when_times(w, slot));
}

bool sc_when_forms(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_when_marks(w, slot) || sc_when_dates(w, slot);
}

/* A row is in one group, once. */
static bool is_bounded(const sc_wizard *w, const sc_wizard_slot *slot)
{
    const char *unit = sc_wizard_text(w, SC_ASK_UNIT);
    (void)slot;
    return unit[0] != '\0' && strcmp(unit, "row") != 0;
}

/* An owner who gives groups or rows of a group bounds by these. */
bool sc_when_all_rows(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return is_bounded(w, slot) && !sc_slot_is_given(slot, SC_ASK_MAX_GROUPS) &&
           !sc_slot_is_given(slot, SC_ASK_MAX_ROWS);
}

bool sc_when_one_row(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_when_all_rows(w, slot) &&
           strcmp(sc_slot_text(slot, SC_ASK_ALL_ROWS), "1") == 0;
}

bool sc_when_groups(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return is_bounded(w, slot) && (slot->text[SC_ASK_ALL_ROWS] != NULL
                                       ? sc_slot_text(slot, SC_ASK_ALL_ROWS)[0] == '\0'
                                       : !sc_when_all_rows(w, slot));
}

bool sc_when_lookable(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return is_bounded(w, slot) && sc_wizard_has_file(w) &&
           !sc_slot_is_given(slot, SC_ASK_ALL_ROWS) &&
           (!sc_slot_is_given(slot, SC_ASK_MAX_GROUPS) ||
            !sc_slot_is_given(slot, SC_ASK_MAX_ROWS));
}

bool sc_when_looking(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_when_lookable(w, slot) && strcmp(sc_slot_text(slot, SC_ASK_LOOK), "y") == 0;
}

/* A unit that has one row has no total beside it; bounds that were given are all there are, unless a
 * draft that is gone on with has them. */
bool sc_when_total(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_when_column(w, slot) && is_number(slot) && sc_slot_is_declared(slot) &&
           is_bounded(w, slot) &&
           (w->resumed != NULL || (!sc_slot_is_given(&w->slots[0], SC_ASK_MAX_ROWS) &&
                                   !sc_slot_is_given(&w->slots[0], SC_ASK_ALL_ROWS))) &&
           strcmp(sc_wizard_text(w, SC_ASK_MAX_ROWS), "1") != 0 &&
           strcmp(sc_wizard_text(w, SC_ASK_ALL_ROWS), "1") != 0;
}

/* People who have a budget already keep it. */
bool sc_when_new(const sc_wizard *w, const sc_wizard_slot *slot)
{
    (void)slot;
    return w->budget.neighbours == SCRIM_NEIGHBOURS_UNSET;
}

bool sc_when_budget(const sc_wizard *w, const sc_wizard_slot *slot)
{
    return sc_when_new(w, slot) && !sc_wizard_has_other(w, "budget", "");
}
