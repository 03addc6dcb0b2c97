/* scrim microdata check FILE... */
#include "cli/microdata/count_table.h"
#include "cli/microdata/microdata_commands.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <stdlib.h>

static scrim_status check_one(sc_count_table *table, const sc_options *options,
                              scrim_error *error)
{
    SC_TRY(sc_count_table_check(table, error));
    for (size_t i = 0; i < options->repeated_count; i++)
        if (options->repeated[i].option == SCRIM_OPTION_INVARIANT)
            SC_TRY(sc_count_table_known(table, options->repeated[i].value, error));
    return SCRIM_OK;
}

static scrim_status run_check(const sc_options *options, scrim_error *error)
{
    const size_t files = options->word_count - 2;
    size_t rows = 0;
    if (files == 0)
        return sc_refuse(error, "name the tables, as in 'scrim microdata check "
                                "counts.csv'");
    sc_count_table *tables = calloc(files, sizeof *tables);
    if (tables == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < files; i++) {
        status =
            sc_count_table_read(options->words[i + 2], "n", options, &tables[i], error);
        if (status == SCRIM_OK)
            status = check_one(&tables[i], options, error);
        for (size_t k = 0; status == SCRIM_OK && k < i; k++)
            status = sc_count_table_compare(&tables[i], &tables[k], error);
        rows += tables[i].count;
    }
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_talk("checked %zu counts in %zu %s: all sums agree, no count is below 0\n",
                rows, files, files == 1 ? "table" : "tables");
    for (size_t i = 0; i < files; i++)
        sc_count_table_clear(&tables[i]);
    free(tables);
    return status;
}

const sc_command sc_microdata_check = {
    .name = "check",
    .kind = SC_COMMAND_CHECK,
    .options = SC_OPTION_SET(SCRIM_OPTION_INVARIANT),
    .run = run_check,
};
