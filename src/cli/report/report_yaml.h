/* A label as an entry for a registry of deployments: a draft of YAML with the fields that such
 * registries ask for. What only its publisher knows is left empty. The label's own text follows as comments: the draft
 * is verified as it was written, before anything is filled in. */
#ifndef SC_CLI_REPORT_YAML_H
#define SC_CLI_REPORT_YAML_H

#include "cli/terminal/output.h"

void sc_report_yaml_write(sc_output *output, const scrim_label *label);

#endif
