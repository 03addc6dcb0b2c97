#include "check.h"
#include "faults.h"
#include "mechanism/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(catalogue_entries_are_complete)
{
    size_t count = 0;
    for (const sc_mechanism *m; (m = sc_catalogue_at(count)) != NULL; count++) {
        const scrim_mechanism_entry *entry = scrim_mechanism_at(count);
        CHECK(entry == &m->entry);
        CHECK(entry->name[0] != '\0' && entry->parameters[0] != '\0');
        CHECK(entry->claim[0] != '\0' && entry->reference[0] != '\0');
        CHECK(strstr(entry->reference, "spec/") == NULL); /* not in the tree */
        CHECK(strstr(entry->reference, ": ") != NULL);    /* a title behind its authors */
        static const char *const inputs[] = {"numbers",      "scores",  "rows",
                                             "values",       "queries", "counts",
                                             "transactions", "points"};
        bool known = false;
        for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
            known = known || strcmp(entry->input, inputs[i]) == 0;
        if (!known)
            CHECK_STR(entry->input, "one of the eight");
        for (size_t i = 0; i < count; i++)
            CHECK(strcmp(sc_catalogue_at(i)->entry.name, entry->name) != 0);
        CHECK(m->parameter_count > 0 && m->parameter_count <= SC_PARAMETERS_MAX);
        CHECK(m->audit_count <= m->parameter_count);
        for (size_t i = 0; i < m->parameter_count; i++)
            CHECK(m->parameters[i].domain != NULL && m->parameters[i].domain[0] != '\0');
        CHECK(m->check != NULL && m->discard != NULL && m->cost != NULL &&
              m->certify != NULL && m->answer_count != NULL);
        CHECK((m->draw != NULL) || (m->open != NULL && m->ask != NULL));
        CHECK((m->law == NULL) == (m->width == NULL));
    }
    CHECK(count >= 3);
    CHECK(scrim_mechanism_at(count) == NULL && scrim_mechanism_at(SIZE_MAX) == NULL);
}

/* Where "name=" stands in a text of parameters as a word of its own; NULL when it does not. */
static const char *find_word(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
        if ((at == text || strchr(" [|", at[-1]) != NULL) && at[length] == '=')
            return at;
    return NULL;
}

/* The list has what can be given: each parameter, and those of the audit behind its word.
 * The line that names a measurement ends with the neighbours, but for those of the audit; those of a
 * mechanism that wraps another are the other's. */
TEST(catalogue_lists_every_parameter)
{
    for (size_t i = 0; sc_catalogue_at(i) != NULL; i++) {
        const sc_mechanism *m = sc_catalogue_at(i);
        const char *text = m->entry.parameters, *audit = strstr(text, "; audit: ");
        const size_t released = m->parameter_count - m->audit_count;
        size_t words = 0;
        CHECK((strcmp(m->parameters[released - 1].name, "neighbours") == 0) == !m->wraps);
        CHECK((audit != NULL) == (m->audit_count > 0));
        for (size_t j = 0; j < m->parameter_count; j++) {
            const char *at = find_word(text, m->parameters[j].name);
            if (j + 1 == released && !m->wraps)
                CHECK(at == NULL); /* all have neighbours */
            else if (at == NULL || (audit != NULL && at > audit) != (j >= released))
                CHECK_FAIL("%s: %s in '%s'", m->entry.name, m->parameters[j].name, text);
        }
        for (const char *at = text; *at != '\0'; at++)
            words += *at == '=';
        CHECK_INT((int64_t)words, (int64_t)m->parameter_count - !m->wraps);
    }
}

TEST(catalogue_finds_by_name)
{
    scrim_error error = {.message = ""};
    for (size_t i = 0; sc_catalogue_at(i) != NULL; i++)
        CHECK(sc_catalogue_find(sc_text_of(sc_catalogue_at(i)->entry.name), NULL) ==
              sc_catalogue_at(i));
    CHECK(sc_catalogue_find(sc_text_of("laplce"), &error) == NULL);
    CHECK_STATUS(error.status, SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown mechanism 'laplce'; did you mean 'laplace'?");
    CHECK(sc_catalogue_find(sc_text_of("something-else"), &error) == NULL);
    CHECK_STR(error.message, "unknown mechanism 'something-else'");
    CHECK_INT(error.reason, SCRIM_REASON_UNKNOWN);
    CHECK_STR(error.parameter, "mechanism");
    CHECK(sc_catalogue_find(sc_text_of(""), &error) == NULL);
}

TEST(catalogue_parses_lines)
{
    static const struct {
        const char *line;
        scrim_status status;
    } list[] = {{NULL, SCRIM_E_PARAM},
                {"", SCRIM_E_SYNTAX},
                {" \t ", SCRIM_E_SYNTAX},
                {"nothing a=1", SCRIM_E_PARAM},
                {"laplace a=1", SCRIM_E_PARAM},
                {"laplace epsilon", SCRIM_E_SYNTAX},
                {"laplace", SCRIM_E_PARAM},
                {"Laplace sensitivity=1 epsilon=1 neighbours=replace", SCRIM_E_PARAM},
                {"laplace sensitivity=1 epsilon=1 neighbours=Replace", SCRIM_E_PARAM}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        scrim_measurement *m = NULL;
        scrim_error error = {.message = ""};
        CHECK_STATUS(scrim_measurement_parse(list[i].line, &m, &error), list[i].status);
        CHECK(m == NULL && error.message[0] != '\0');
    }
    scrim_measurement *m = NULL;
    REQUIRE_OK(scrim_measurement_parse(
        "  laplace\tneighbours=add-remove epsilon=1e-1 sensitivity=4/2 ", &m, NULL));
    CHECK_STR(scrim_measurement_text(m),
              "laplace sensitivity=2 epsilon=0.1 neighbours=add-remove");
    CHECK(m->is_for_data);
    scrim_measurement_free(m);
    m = NULL;
    REQUIRE_OK(scrim_measurement_parse(
        "top-k neighbours=replace method=exponential k=2 sensitivity=1 epsilon=1", &m,
        NULL));
    CHECK_STR(scrim_measurement_text(m), "top-k epsilon=1 sensitivity=1 k=2 "
                                         "method=exponential neighbours=replace");
    scrim_measurement_free(m);
    m = NULL;
    REQUIRE_OK(scrim_measurement_parse_model("noisy-max candidates=4 noise=geometric "
                                             "neighbours=replace epsilon=1",
                                             &m, NULL));
    CHECK_STR(scrim_measurement_text(m), "noisy-max epsilon=1 sensitivity=1 "
                                         "noise=geometric neighbours=replace "
                                         "candidates=4");
    scrim_measurement_free(m);
    m = NULL;
    REQUIRE_OK(scrim_measurement_parse_model("laplace scale=1", &m, NULL));
    CHECK_STR(scrim_measurement_text(m),
              "laplace sensitivity=1 scale=1 neighbours=add-remove");
    CHECK(!m->is_for_data);
    scrim_measurement_free(m);
}

/* A line's text names the same measurement again: what the ledger keeps can be read back. */
TEST(catalogue_lines_come_back)
{
    static const char *const lines[] = {
        "laplace sensitivity=1/3 scale=2/7 grid=2^-20 size=4 neighbours=replace",
        "laplace sensitivity=2 epsilon=1 lower=-3 upper=8 neighbours=add-remove",
        "gaussian sensitivity=2 epsilon=1/10 delta=1e-9 neighbours=replace",
        "gaussian sensitivity=2 sigma=2^-5 size=3 neighbours=replace",
        "truncated-laplace sensitivity=2 epsilon=3 delta=1e-5 neighbours=replace"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = NULL, *again = NULL;
        REQUIRE_OK(scrim_measurement_parse(lines[i], &m, NULL));
        REQUIRE_OK(scrim_measurement_parse(scrim_measurement_text(m), &again, NULL));
        CHECK_STR(scrim_measurement_text(again), scrim_measurement_text(m));
        scrim_cost a, b;
        REQUIRE_OK(scrim_measurement_cost(m, &a, NULL));
        REQUIRE_OK(scrim_measurement_cost(again, &b, NULL));
        CHECK_BYTES(&a, &b, sizeof a);
        scrim_measurement_free(again);
        scrim_measurement_free(m);
    }
}

/* Each allocation fails in turn, for each kind of noise. */
TEST(catalogue_survives_a_lack_of_memory)
{
    static const char *const lines[] = {
        "laplace sensitivity=1 scale=200 neighbours=replace",
        "gaussian sensitivity=1 sigma=200 neighbours=replace",
        "truncated-laplace sensitivity=1 scale=2 bound=40 neighbours=replace"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int made = 0, refused = 0;
        FAULT_LOOP(fault)
        {
            scrim_measurement *m = NULL;
            scrim_error error = {.message = ""};
            scrim_status status = scrim_measurement_parse(lines[i], &m, &error);
            CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
            CHECK((m != NULL) == (status == SCRIM_OK));
            made += status == SCRIM_OK;
            refused += status != SCRIM_OK;
            scrim_measurement_free(m);
        }
        CHECK(made == 1 && refused >= 3);
    }
}

/* Each mechanism is described to people: sentences, an example that makes a measurement for data, and words for each
 * parameter, which say when it may be left out. */
TEST(catalogue_describes_every_mechanism)
{
    const scrim_mechanism_entry *entry;
    for (size_t i = 0; (entry = scrim_mechanism_at(i)) != NULL; i++) {
        char line[512];
        scrim_parameter_entry parameter;
        scrim_measurement *m = NULL;
        size_t count = 0;
        if (!CHECK(entry->does != NULL && strstr(entry->does, ". ") != NULL &&
                   entry->does[strlen(entry->does) - 1] == '.'))
            CHECK_FAIL("%s: %s", entry->name, entry->does);
        CHECK(entry->example_input[strlen(entry->example_input) - 1] == '\n');
        snprintf(line, sizeof line, "%s %s", entry->name, entry->example);
        REQUIRE_OK(scrim_measurement_parse(line, &m, NULL));
        scrim_measurement_free(m);
        for (; scrim_mechanism_parameter_at(entry->name, count, &parameter) != 0; count++)
            if (parameter.meaning[0] == '\0' || parameter.domain[0] == '\0')
                CHECK_FAIL("%s: %s has no words", entry->name, parameter.name);
        CHECK_INT((int64_t)count, (int64_t)sc_catalogue_at(i)->parameter_count);
    }
    scrim_parameter_entry parameter = {.name = "kept"};
    CHECK_INT(scrim_mechanism_parameter_at("fish", 0, &parameter), 0);
    CHECK_INT(scrim_mechanism_parameter_at(NULL, 0, &parameter), 0);
    CHECK_STR(parameter.name, "kept");
    CHECK_INT(scrim_mechanism_parameter_at("laplace", 0, &parameter), 1);
    CHECK_STR(parameter.name, "sensitivity");
    CHECK(parameter.is_required && !parameter.is_for_audit);
    CHECK_INT(scrim_mechanism_parameter_at("noisy-max", 7, &parameter), 1);
    CHECK(strcmp(parameter.name, "neighbours") == 0 || parameter.is_for_audit);
}

TEST(catalogue_knows_names_of_papers)
{
    static const struct {
        const char *known, *name;
    } list[] = {{"warner", "randomised-response"},   {"svt", "sparse-vector"},
                {"report-noisy-max", "noisy-max"},   {"geometric", "laplace"},
                {"numeric-sparse", "sparse-vector"}, {"tdgeo", "truncated-laplace"},
                {"gaussian-mechanism", "gaussian"},  {"laplace", "laplace"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const scrim_mechanism_entry *entry = scrim_mechanism_find(list[i].known);
        CHECK_STR(entry == NULL ? "" : entry->name, list[i].name);
    }
    CHECK(scrim_mechanism_find("fish") == NULL && scrim_mechanism_find(NULL) == NULL);
    scrim_error error = {.message = ""};
    CHECK(sc_catalogue_find(sc_text_of("svt"), &error) == NULL);
    CHECK_STR(error.message, "mechanism 'svt' is called 'sparse-vector' here");
    CHECK_STATUS(error.status, SCRIM_E_PARAM);
}
