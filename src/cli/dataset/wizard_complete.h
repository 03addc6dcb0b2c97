/* Tab in the questions of 'scrim dataset add': files, columns of the header and the words of the question. Values of
 * the rows are never offered. */
#ifndef SC_CLI_WIZARD_COMPLETE_H
#define SC_CLI_WIZARD_COMPLETE_H

#include "cli/terminal/line_editor.h"

/* context is the sc_wizard, whose question is open. */
sc_line_completer sc_wizard_complete;

#endif
