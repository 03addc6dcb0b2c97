#include "cli/charge_note.h"

#include "cli/number_view.h"

#include <inttypes.h>
#include <string.h>

void sc_charged_json_write(sc_output *output, const scrim_vault_release *release)
{
    sc_output_format(output, "{\"unit\": \"%s\", \"amount\": ", release->unit);
    sc_output_json_text(output, release->amount);
    sc_output_text(output, ", \"delta\": ");
    sc_output_json_text(output, release->delta);
    sc_output_text(output, "}");
}

static bool is_zero(const char *number)
{
    return strcmp(number, "0") == 0;
}

void sc_charge_note_write(sc_output *output, const scrim_vault_release *release,
                          const scrim_budget *left)
{
    char amount[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    sc_number_format_upper(release->amount, amount);
    sc_number_format_upper(release->delta, delta);
    sc_output_format(output, "charged     %s %s", release->unit, amount);
    if (!is_zero(release->delta))
        sc_output_format(output, ", delta %s", delta);
    sc_output_format(output, " to %s, version %" PRIu64 ", for %s\n", release->dataset,
                     release->version, release->analyst);
    if (left != NULL) {
        sc_number_format_lower(left->left, amount);
        sc_number_format_lower(left->left_delta, delta);
        sc_output_format(output, "left        %s %s", left->unit, amount);
        if (!is_zero(left->total_delta))
            sc_output_format(output, ", delta %s", delta);
        sc_output_format(output, " of the budget of %s\n", left->population);
    }
    sc_output_format(output,
                     "release     %" PRIu64 ", which 'scrim replay %" PRIu64
                     "' shows again, free of charge\n",
                     release->id, release->id);
}
