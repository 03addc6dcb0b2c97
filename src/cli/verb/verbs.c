#include "cli/verb/verbs.h"

#include "cli/terminal/complaint.h"

#include <string.h>

static const sc_verb *const verbs[] = {
    &sc_verb_init,       &sc_verb_dataset, &sc_verb_explain,   &sc_verb_query,
    &sc_verb_suggest,    &sc_verb_synth,   &sc_verb_body,      &sc_verb_replay,
    &sc_verb_report,     &sc_verb_budget,  &sc_verb_ledger,    &sc_verb_series,
    &sc_verb_run,        &sc_verb_audit,   &sc_verb_compose,   &sc_verb_calibrate,
    &sc_verb_distance,   &sc_verb_local,   &sc_verb_microdata, &sc_verb_sample,
    &sc_verb_experiment, &sc_verb_attack,  &sc_verb_list,      &sc_verb_demo,
    &sc_verb_help,
};

const sc_verb *sc_verb_at(size_t index)
{
    return index < sizeof verbs / sizeof verbs[0] ? verbs[index] : NULL;
}

const sc_verb *sc_verb_find(const char *name)
{
    size_t index = 0;
    while (sc_verb_at(index) != NULL && strcmp(sc_verb_at(index)->name, name) != 0)
        index++;
    return sc_verb_at(index);
}

static const char *verb_name_at(size_t index)
{
    const sc_verb *verb = sc_verb_at(index);
    return verb == NULL ? NULL : verb->name;
}

scrim_status sc_verb_unknown(const char *name, scrim_error *error)
{
    const char *nearest = sc_nearest_name(name, verb_name_at);
    if (nearest != NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "unknown command '%s'; did you mean '%s'?", name,
                                 nearest);
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "unknown command '%s'; 'scrim help' lists them", name);
}
