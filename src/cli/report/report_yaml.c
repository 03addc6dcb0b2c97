#include "cli/report/report_yaml.h"

#include "cli/report/report_view.h"

#include <stdio.h>
#include <string.h>

#define LINES_BYTES 16384

/* Texts of several lines. Those of one line, and what is not plain, are spelt as JSON, which YAML
 * reads: no text of others is ever more than a text. */
typedef struct lines {
    char text[LINES_BYTES];
    size_t used;
} lines;

static void add(lines *to, const char *before, const char *text)
{
    const size_t bytes = strlen(before) + strlen(text) + (to->used > 0);
    if (text[0] == '\0' || to->used + bytes >= LINES_BYTES)
        return;
    to->used += (size_t)snprintf(to->text + to->used, LINES_BYTES - to->used, "%s%s%s",
                                 to->used > 0 ? "\n" : "", before, text);
}

static void add_list(lines *to, const scrim_label *label, const char *list)
{
    for (size_t i = 1; i <= sc_report_items(label, list, NULL); i++)
        add(to, "- ", sc_report_item(label, list, i, NULL));
}

/* Several lines of plain characters can stand as they are. */
static bool is_block(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if ((*c < ' ' || *c > '~') && *c != '\n')
            return false;
    return strchr(text, '\n') != NULL && text[0] != ' ';
}

static void put_block(sc_output *output, const char *field, const char *text)
{
    const size_t indent = strspn(field, " ") + 2;
    sc_output_text(output, field);
    sc_output_text(output, ": |-\n");
    while (*text != '\0') {
        const size_t bytes = strcspn(text, "\n");
        sc_output_repeat(output, " ", indent);
        sc_output_bytes(output, text, bytes);
        sc_output_text(output, "\n");
        text += bytes;
        text += *text == '\n';
    }
}

static void put_text(sc_output *output, const char *field, const char *text)
{
    if (is_block(text)) {
        put_block(output, field, text);
        return;
    }
    sc_output_text(output, field);
    sc_output_text(output, ": ");
    sc_output_json_text(output, text);
    sc_output_text(output, "\n");
}

static void put_fact(sc_output *output, const char *field, const scrim_label *label,
                     const char *key)
{
    put_text(output, field, sc_report_get(label, key));
}

/* A number that every reader of YAML takes for one has a point before its exponent. */
static void put_number(sc_output *output, const char *field, const char *text)
{
    char shown[SC_BOUND_BYTES];
    sc_report_number(text, shown);
    if (shown[0] == '\0')
        return;
    const size_t digits = strcspn(shown, "e");
    const bool needs_point = shown[digits] != '\0' && strchr(shown, '.') == NULL;
    sc_output_format(output, "%s: %.*s%s%s\n", field, (int)digits, shown,
                     needs_point ? ".0" : "", shown + digits);
}

/* Fields. */

static void put_deployment(sc_output *output, const scrim_label *label, lines *text)
{
    char name[SC_REPORT_LINE_BYTES];
    snprintf(name, sizeof name, "%.70s, release %.24s",
             sc_report_get(label, "release.dataset"),
             sc_report_get(label, "release.number"));
    sc_output_text(output, "# Made by scrim report --yaml; its publisher fills in the "
                           "empty fields.\n"
                           "status: Draft\nregistry_authors: []\ntier: 3\ndeployment:\n");
    put_text(output, "  name", name);
    put_text(output, "  data_curator", "");
    *text = (lines){.used = 0};
    add(text, "", sc_report_get(label, "release.caution"));
    add_list(text, label, "release.question");
    put_text(output, "  description", text->text);
    put_text(output, "  intended_use", "");
    put_text(output, "  data_product_type", "Summary statistics");
    snprintf(name, sizeof name, "%.10s", sc_report_get(label, "release.time"));
    put_text(output, "  publication_date", strchr(name, '-') == NULL ? "" : name);
    put_text(output, "  data_product_region", "");
    put_text(output, "  data_product_sector", "");
}

static void put_flavor(sc_output *output, const scrim_label *label, lines *text)
{
    const char *delta = sc_report_get(label, "cost.delta");
    const bool has_epsilon = sc_report_get(label, "cost.epsilon")[0] != '\0';
    sc_output_text(output, "  dp_flavor:\n");
    put_text(output, "    name",
             !has_epsilon              ? "zCDP"
             : strcmp(delta, "0") == 0 ? "Pure DP"
                                       : "Approximate DP");
    put_fact(output, "    input_metric", label, "protection.neighbours");
    *text = (lines){.used = 0};
    for (size_t i = 1; i <= sc_report_items(label, "columns", "name"); i++) {
        char column[SC_REPORT_LINE_BYTES];
        snprintf(column, sizeof column, "%.400s %.500s",
                 sc_report_item(label, "columns", i, "name"),
                 sc_report_item(label, "columns", i, "type"));
        add(text, "- ", column);
    }
    add_list(text, label, "data.period");
    put_text(output, "    data_domain", text->text);
    *text = (lines){.used = 0};
    add_list(text, label, "unprotected");
    put_text(output, "    unprotected_quantities", text->text);
}

static void put_loss(sc_output *output, const scrim_label *label, lines *text)
{
    char line[SC_REPORT_LINE_BYTES];
    sc_output_text(output, "  privacy_loss:\n");
    put_fact(output, "    privacy_unit", label, "protection.unit");
    *text = (lines){.used = 0};
    add(text, "", sc_report_get(label, "protection.who"));
    sc_report_bounds(label, line);
    add(text, "", line);
    put_text(output, "    privacy_unit_description", text->text);
    sc_output_text(output, "    privacy_parameters:\n");
    put_number(output, "      epsilon", sc_report_get(label, "cost.epsilon"));
    put_number(output, "      delta", sc_report_get(label, "cost.delta"));
    put_number(output, "      rho", sc_report_get(label, "cost.rho"));
    *text = (lines){.used = 0};
    add(text, "", sc_report_get(label, "cost.meaning"));
    add(text, "", sc_report_get(label, "cost.caution"));
    sc_report_cost(label, "cost.group-2-", line);
    add(text, "2 units together: ", line);
    sc_report_cost(label, "cost.group-4-", line);
    add(text, "4 units together: ", line);
    put_text(output, "    privacy_parameters_description", text->text);
}

static void put_model(sc_output *output, const scrim_label *label, lines *text)
{
    const bool is_many = strcmp(sc_report_get(label, "cost.charges"), "1") != 0;
    sc_output_text(output, "  model:\n");
    put_text(output, "    model_name", "Central");
    put_fact(output, "    model_name_description", label, "protection.trust");
    *text = (lines){.used = 0};
    add(text, "- ", "people in the data");
    add(text, "- ", "owner of the vault, who holds the data and declares the policy");
    add(text, "- ", "analysts, who ask questions and see answers");
    put_text(output, "    actors", text->text);
    sc_output_format(output, "    is_many_release: %s\n", is_many ? "true" : "false");
    sc_output_text(output, "    is_interactive: true\n    is_dynamic: false\n");
}

/* How contribution bounds were chosen, as the policy says. It does not say it of ranges and keys. */
static const char *bounds_text(const char *from)
{
    if (strcmp(from, "check") == 0)
        return "the owner chose the contribution bounds by looking at the data, which "
               "epsilon does not cover";
    if (strcmp(from, "suggest") == 0)
        return "the contribution bounds were chosen by private releases about the data "
               "(scrim suggest), which have "
               "charges of their own";
    if (strcmp(from, "declared") == 0)
        return "the owner chose the contribution bounds by domain knowledge, not by the "
               "data";
    return "the policy does not say how the contribution bounds were chosen";
}

static void put_rest(sc_output *output, const scrim_label *label, lines *text)
{
    char line[SC_REPORT_LINE_BYTES];
    sc_output_text(output, "  accounting:\n");
    *text = (lines){.used = 0};
    add_list(text, label, "post-processing");
    put_text(output, "    post_processing", text->text);
    sc_report_budget(label, line);
    put_text(output, "    composition", line);
    sc_output_text(output, "  implementation:\n");
    *text = (lines){.used = 0};
    add(text, "", bounds_text(sc_report_get(label, "protection.bounds-from")));
    add(text, "",
        "ranges of values and public keys are declared; how they were chosen is not "
        "recorded");
    put_text(output, "    pre_processing_eda_hyperparameter_tuning", text->text);
    *text = (lines){.used = 0};
    for (size_t i = 1; i <= sc_report_items(label, "mechanism", "line"); i++) {
        snprintf(line, sizeof line,
                 "%.300s: ", sc_report_item(label, "mechanism", i, "what"));
        add(text, line, sc_report_item(label, "mechanism", i, "line"));
    }
    add(text, "", sc_report_get(label, "side-channels.sampler"));
    add(text, "", sc_report_get(label, "side-channels.time"));
    put_text(output, "    mechanisms", text->text);
    put_text(output, "    justification", "");
    *text = (lines){.used = 0};
    snprintf(line, sizeof line, "scrim %.64s, build %.130s",
             sc_report_get(label, "software.version"),
             sc_report_get(label, "software.build"));
    add(text, "", line);
    add(text, "ledger head ", sc_report_get(label, "ledger.head"));
    add(text, "answer ", sc_report_get(label, "ledger.answer-digest"));
    add_list(text, label, "limitations");
    put_text(output, "  additional_information", text->text);
}

/* The label's own text, as comments. */
static void put_label(sc_output *output, const char *text)
{
    while (*text != '\0') {
        const size_t bytes = strcspn(text, "\n");
        sc_output_text(output, "# ");
        sc_output_bytes(output, text, bytes);
        sc_output_text(output, "\n");
        text += bytes;
        text += *text == '\n';
    }
}

void sc_report_yaml_write(sc_output *output, const scrim_label *label)
{
    lines text;
    put_deployment(output, label, &text);
    put_flavor(output, label, &text);
    put_loss(output, label, &text);
    put_model(output, label, &text);
    put_rest(output, label, &text);
    put_label(output, scrim_label_text(label));
}
