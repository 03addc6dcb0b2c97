/* A label as a page of text, and as JSON. */
#ifndef SC_CLI_REPORT_TEXT_H
#define SC_CLI_REPORT_TEXT_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* For people; where it does not go to a terminal lines have at most 80 columns and the label's own
 * text follows, which `scrim report verify` reads. */
void sc_report_text_write(sc_output *output, const scrim_label *label,
                          const sc_terminal *terminal);
/* The facts as objects and lists, and the label's text as the member "label". */
void sc_report_json_write(sc_output *output, const scrim_label *label);
/* A line of the label's text a row: fact,value. */
void sc_report_csv_write(sc_output *output, const scrim_label *label);

/* A label as an entry for a registry of deployments: a draft of YAML with the fields that such
 * registries ask for. What only its publisher knows is left empty. The label's own text follows as comments: the draft
 * is verified as it was written, before anything is filled in. */

void sc_report_yaml_write(sc_output *output, const scrim_label *label);

#endif
