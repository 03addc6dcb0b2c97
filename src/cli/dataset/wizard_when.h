/* When a field applies, by the answers there are. */
#ifndef SC_CLI_WIZARD_WHEN_H
#define SC_CLI_WIZARD_WHEN_H

#include "cli/dataset/wizard_answers.h"

/* Does a field of the slot apply? See sc_wizard_field. */
typedef bool sc_wizard_when(const sc_wizard *wizard, const sc_wizard_slot *slot);

/* About the source. */
sc_wizard_when sc_when_always;
sc_wizard_when sc_when_csv;
sc_wizard_when sc_when_database; /* not asked for: --sqlite says it */
sc_wizard_when sc_when_cut;      /* the header may have another separator */
sc_wizard_when sc_when_large;    /* a file that needs a max-size */
/* About a column. */
sc_wizard_when sc_when_unnamed; /* no header has its name */
sc_wizard_when sc_when_column;  /* neither the unit nor a line in another form */
sc_wizard_when sc_when_decimal;
sc_wizard_when sc_when_ranged;
sc_wizard_when sc_when_identifier; /* a number with the name of an identifier */
sc_wizard_when sc_when_text;
/* How a CSV file writes the values of the columns that are declared. */
sc_wizard_when sc_when_marks;
sc_wizard_when sc_when_dates;
sc_wizard_when sc_when_forms;
sc_wizard_when sc_when_times; /* in a database as well */
/* Bounds. */
sc_wizard_when sc_when_all_rows; /* neither groups nor rows of a group were given */
sc_wizard_when sc_when_one_row;
sc_wizard_when sc_when_groups;   /* without a total of rows */
sc_wizard_when sc_when_lookable; /* the table of bounds is offered */
sc_wizard_when sc_when_looking;
sc_wizard_when sc_when_total;
/* The budget. */
sc_wizard_when sc_when_new; /* people who have no budget yet */
sc_wizard_when sc_when_budget;

bool sc_slot_has_type(const sc_wizard_slot *slot, const char *type);

#endif
