#include "label_files.h"

#include "check.h"
#include "cli/release/report_html.h"
#include "cli/release/report_text.h"
#include "cli/release/report_verify.h"
#include "query/label/label.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static const char people[] = "person,age,sex,city,income\n"
                             "a,10,Female,Ulm,1\n"
                             "b,20,Male,Ulm,2.5\n"
                             "c,30,Female,Bonn,3\n";

static scrim_label *ask(query_scene *s, const char *query, const char *epsilon)
{
    scrim_result *result = NULL;
    scrim_result_facts facts = {.release = 0};
    scrim_label *label = NULL;
    if (CHECK_STATUS(query_scene_ask(s, query, OPTIONS(.epsilon = epsilon), &result),
                     SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        CHECK_STATUS(scrim_label_new(s->vault, facts.release, &label, &s->error),
                     SCRIM_OK);
    }
    scrim_result_free(result);
    return label;
}

bool label_scene_begin(label_scene *s)
{
    char policy[2000];
    memset(s, 0, sizeof *s);
    snprintf(policy, sizeof policy, "%s%s", query_scene_columns,
             "budget=epsilon=100,delta=0.5\n");
    if (!query_scene_begin(&s->base, policy, people))
        return false;
    s->label =
        ask(&s->base, "SELECT sex, COUNT(*) AS n, AVG(age) AS mean GROUP BY sex", "0.5");
    s->other = ask(&s->base, "SELECT COUNT(*) AS \"<b>&'n\"", "2");
    return CHECK(s->label != NULL && s->other != NULL) &&
           CHECK_STATUS(scrim_vault_key(s->base.vault, &s->key, NULL), SCRIM_OK);
}

void label_scene_end(label_scene *s)
{
    scrim_label_free(s->other);
    scrim_label_free(s->label);
    query_scene_end(&s->base);
}

static void write_form(sc_output *output, const scrim_label *label, label_form form)
{
    static const sc_terminal no_terminal = {.is_terminal = false};
    sc_report_values values = {0};
    if (form == FORM_BARE)
        sc_output_text(output, scrim_label_text(label));
    else if (form == FORM_PAGE)
        sc_report_text_write(output, label, &no_terminal);
    else if (form == FORM_ROWS)
        sc_report_csv_write(output, label);
    else if (form == FORM_DRAFT)
        sc_report_yaml_write(output, label);
    else if (form == FORM_OBJECT)
        sc_report_json_write(output, label);
    else if (CHECK_STATUS(sc_report_values_of(label, &values, NULL), SCRIM_OK))
        sc_report_html_write(output, label, &values);
    sc_report_values_clear(&values);
}

label_file label_file_write(const scrim_label *label, label_form form)
{
    label_file file = {NULL, 0};
    sc_output *output = malloc(sizeof *output);
    const int memory = memfd_create("label", MFD_CLOEXEC);
    if (!CHECK(output != NULL && memory >= 0))
        abort();
    sc_output_init(output, memory);
    write_form(output, label, form);
    CHECK(sc_output_flush(output));
    const off_t count = lseek(memory, 0, SEEK_END);
    file.bytes = malloc((size_t)count + 1);
    file.count = (size_t)count;
    if (!CHECK(file.bytes != NULL && pread(memory, file.bytes, file.count, 0) == count))
        abort();
    file.bytes[file.count] = '\0';
    close(memory);
    free(output);
    return file;
}

scrim_label *label_forge(const scrim_label *label, const char *key, const char *value)
{
    scrim_label *made = sc_label_new();
    if (!CHECK(made != NULL))
        abort();
    for (size_t i = 0; i < label->count; i++) {
        const scrim_label_fact *fact = &label->facts[i];
        const bool is_it = key != NULL && strcmp(fact->key, key) == 0;
        if (!is_it || value != NULL)
            sc_label_put(made, fact->key, sc_text_of(is_it ? value : fact->value));
    }
    if (label->record != NULL)
        CHECK_STATUS(sc_label_keep_record(made, sc_text_of(label->recorded), NULL),
                     SCRIM_OK);
    CHECK_STATUS(sc_label_seal(made, NULL), SCRIM_OK);
    return made;
}

bool label_file_holds(const label_file *file, scrim_vault *vault, const char *key)
{
    sc_report_verdict verdict;
    scrim_error error = {.message = ""};
    const sc_report_proof proof = {.vault = vault, .key = key};
    const scrim_status status =
        sc_report_verify(file->bytes, file->count, &proof, &verdict, &error);
    const bool holds = status == SCRIM_OK && verdict.unchecked_count == 0;
    CHECK(status == SCRIM_OK || status == SCRIM_E_CHECK || status == SCRIM_E_SYNTAX);
    CHECK(status == SCRIM_OK || error.message[0] != '\0');
    sc_report_verdict_clear(&verdict);
    return holds;
}
