#include "experiment/errata/working_distance.h"

#include <stdio.h>

void sc_working_distance(sc_working *w, sc_working_part part, const char *name,
                         const char *kind, sc_places a, sc_places b,
                         const scrim_distance_options *options, const char *what)
{
    scrim_distance found;
    char how[64];
    SC_OWN(sc_quantity, value);
    snprintf(how, sizeof how, "distance(%s)", kind);
    if (scrim_distance_between(kind, a.places, a.count, b.places, b.count, options,
                               &found, NULL) != SCRIM_OK ||
        sc_ratio_parse(sc_text_of(found.exact), &value.exact, NULL) != SCRIM_OK) {
        w->is_spoilt = true;
        snprintf(w->fault, sizeof w->fault, "%s", how);
        return;
    }
    sc_working_put(w, part, name, &value, how, what);
}
