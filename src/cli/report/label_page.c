#include "cli/report/label_page.h"

#include "cli/report/report_html.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"

#include <stdlib.h>

typedef struct page {
    const scrim_label *label;
    sc_report_values values;
} page;

static void write_page(const void *context, sc_output *output)
{
    const page *p = context;
    sc_report_html_write(output, p->label, &p->values);
}

scrim_status sc_label_page_write(scrim_vault *vault, uint64_t release, const char *path,
                                 scrim_error *error)
{
    SC_OWNED(scrim_label_free_at) scrim_label *label = NULL;
    page p = {0};
    SC_TRY(scrim_label_new(vault, release, &label, error));
    SC_TRY(sc_report_values_of(label, &p.values, error));
    p.label = label;
    const scrim_status status = sc_file_write("--html", path, write_page, &p, error);
    sc_report_values_clear(&p.values);
    return status;
}

static char *make_text(const scrim_label *label, const sc_report_values *values,
                       size_t *bytes)
{
    sc_output *output = malloc(sizeof *output);
    char *text = NULL;
    if (output != NULL) {
        sc_output_init_keep(output);
        sc_report_html_write(output, label, values);
        text = sc_output_take(output, bytes);
    }
    free(output);
    return text;
}

scrim_status sc_label_page_text(const scrim_label *label, char **out, size_t *bytes,
                                scrim_error *error)
{
    SC_OWNED(sc_report_values_clear) sc_report_values values = {0};
    SC_TRY(sc_report_values_of(label, &values, error));
    if ((*out = make_text(label, &values, bytes)) == NULL)
        return sc_out_of_memory(error, "the page");
    return SCRIM_OK;
}
