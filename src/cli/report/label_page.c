#include "cli/report/label_page.h"

#include "cli/report/report_html.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"

#include <stdlib.h>

static scrim_status write_page(const scrim_label *label, const sc_report_values *values,
                               const char *path, scrim_error *error)
{
    sc_file_writer file;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for the page");
    scrim_status status = sc_file_writer_open(&file, "--html", path, error);
    if (status == SCRIM_OK) {
        sc_output_init(output, file.descriptor);
        sc_report_html_write(output, label, values);
        status = sc_file_writer_close(&file, output, error);
    }
    free(output);
    return status;
}

scrim_status sc_label_page_write(scrim_vault *vault, uint64_t release, const char *path,
                                 scrim_error *error)
{
    scrim_label *label = NULL;
    sc_report_values values = {0};
    scrim_status status = scrim_label_new(vault, release, &label, error);
    if (status == SCRIM_OK)
        status = sc_report_values_of(label, &values, error);
    if (status == SCRIM_OK)
        status = write_page(label, &values, path, error);
    sc_report_values_clear(&values);
    scrim_label_free(label);
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
    sc_report_values values = {0};
    scrim_status status = sc_report_values_of(label, &values, error);
    if (status == SCRIM_OK && (*out = make_text(label, &values, bytes)) == NULL)
        status = sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for the page");
    sc_report_values_clear(&values);
    return status;
}
