/* Variables that are freed where their block ends, whichever way it ends (the compiler's cleanup attribute, which gcc
 * and clang have). Each is initialised where it is declared:
 *
 *     SC_FREED char *text = NULL;
 *     SC_OWNED(sc_whole_file_clear) sc_whole_file file = {0};
 *     SC_OWNED(scrim_vault_close_at) scrim_vault *vault = NULL;
 *
 * A return computes its value before they are freed, the last one first. No goto and no case may jump over one.
 */
#ifndef SC_CLI_OWNER_H
#define SC_CLI_OWNER_H

#include "scrim.h"

#include <stdlib.h>
#include <string.h>

#define SC_OWNED(clear) __attribute__((cleanup(clear)))
#define SC_FREED SC_OWNED(sc_freed)

/* at: the variable, a pointer of any type, which is copied because types may not alias. */
static inline void sc_freed(void *at)
{
    void *memory;
    memcpy(&memory, at, sizeof memory);
    free(memory);
}

/* Handles are freed by functions that take the handle, and a cleanup gets the variable's address. */
#define SC_HANDLE(type, clear)                                                           \
    static inline void clear##_at(type **at)                                             \
    {                                                                                    \
        clear(*at);                                                                      \
    }

SC_HANDLE(char, scrim_vault_text_free)
SC_HANDLE(scrim_answer, scrim_answer_free)
SC_HANDLE(scrim_audit_report, scrim_audit_report_free)
SC_HANDLE(scrim_body_fit, scrim_body_fit_free)
SC_HANDLE(scrim_body_release, scrim_body_release_free)
SC_HANDLE(scrim_body, scrim_body_free)
SC_HANDLE(scrim_collection, scrim_collection_free)
SC_HANDLE(scrim_composition, scrim_composition_free)
SC_HANDLE(scrim_distribution, scrim_distribution_free)
SC_HANDLE(scrim_estimates, scrim_estimates_free)
SC_HANDLE(scrim_file_digest, scrim_file_digest_free)
SC_HANDLE(scrim_hierarchy, scrim_hierarchy_free)
SC_HANDLE(scrim_label, scrim_label_free)
SC_HANDLE(scrim_laws, scrim_laws_free)
SC_HANDLE(scrim_measurement, scrim_measurement_free)
SC_HANDLE(scrim_plan, scrim_plan_free)
SC_HANDLE(scrim_result, scrim_result_free)
SC_HANDLE(scrim_series, scrim_series_free)
SC_HANDLE(scrim_solid, scrim_solid_free)
SC_HANDLE(scrim_synth_release, scrim_synth_release_free)
SC_HANDLE(scrim_vault, scrim_vault_close)

#endif
