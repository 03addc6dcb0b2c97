#include "cli/answer/plan_view.h"
#include "cli/display/notes.h"
#include "cli/terminal/complaint.h"

#include <string.h>

/* The errors that another plan would have, of each column. */
static scrim_status write_errors(const sc_plan_view *view, size_t s,
                                 const scrim_plan_statement *statement,
                                 const scrim_plan_other *other)
{
    scrim_plan_output column;
    const char *comma = "";
    for (size_t i = 0; i < statement->outputs; i++) {
        SC_TRY(scrim_plan_output_at(view->plan, s, i, &column, view->error));
        if (other->errors[i][0] == '\0')
            continue;
        sc_output_format(view->output, "%s%s ± %s", comma, column.name, other->errors[i]);
        if (other->times[i][0] != '\0' && strcmp(other->times[i], "1") != 0)
            sc_output_format(view->output, " (%s times as wide)", other->times[i]);
        comma = ", ";
    }
    return SCRIM_OK;
}

scrim_status sc_plan_others_write(const sc_plan_view *view, size_t s,
                                  const scrim_plan_statement *statement)
{
    scrim_plan_other other;
    scrim_status status = SCRIM_OK;
    const size_t begin = sc_fold_begin(view->output);
    for (size_t i = 0; i < statement->others && status == SCRIM_OK; i++) {
        status = scrim_plan_other_at(view->plan, s, i, &other, view->error);
        if (status != SCRIM_OK)
            break;
        sc_output_format(view->output, "compared    %s, not %s, which would have ",
                         other.chosen, other.name);
        status = write_errors(view, s, statement, &other);
        sc_output_text(view->output, "\n");
    }
    sc_fold_end(view->output, begin, view->terminal->columns);
    return status;
}
