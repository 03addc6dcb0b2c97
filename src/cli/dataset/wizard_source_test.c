#include "check.h"
#include "cli/dataset/wizard_fields.h"
#include "cli/dataset/wizard_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST(wizard_source_knows_names_that_identify)
{
    static const char *const identifying[] = {
        "id",    "ID",         "customer_id", "customerId", "account_no",
        "Phone", "home-fax",   "user.uuid",   "licence",    "Card",
        "ssn",   "row number", "orderKey",    "iban"};
    static const char *const others[] = {
        "",     "age", "paid", "width",  "notes",  "income", "number_of_rooms",
        "idle", "sex", "grid", "casino", "phones", "id_"};
    for (size_t i = 0; i < COUNT(identifying); i++)
        if (!CHECK(sc_name_identifies(identifying[i])))
            CHECK_FAIL("%s", identifying[i]);
    for (size_t i = 0; i < COUNT(others); i++)
        if (!CHECK(!sc_name_identifies(others[i])))
            CHECK_FAIL("%s", others[i]);
}

/* A wizard with a source; the caller clears it. */
static void begin(sc_wizard *w, const char *key, const char *value)
{
    sc_policy_draft given = {.lines = NULL};
    *w = (sc_wizard){.fields = sc_wizard_fields};
    if (key != NULL)
        CHECK_STATUS(sc_policy_draft_put(&given, key, value, NULL), SCRIM_OK);
    CHECK_STATUS(sc_wizard_init(w, "a", &given, NULL), SCRIM_OK);
    sc_policy_draft_clear(&given);
}

TEST(wizard_source_tells_files_from_streams)
{
    static const struct {
        const char *key, *value;
        bool has_source, has_file;
    } cases[] = {{NULL, NULL, false, false},
                 {"csv", "/a.csv", true, true},
                 {"csv", "-", true, false},
                 {"sqlite", "/a.db", true, true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_wizard w;
        begin(&w, cases[i].key, cases[i].value);
        CHECK_INT(sc_wizard_has_source(&w), cases[i].has_source);
        CHECK_INT(sc_wizard_has_file(&w), cases[i].has_file);
        sc_wizard_clear(&w);
    }
}

/* The names of a header, as slots. */
static void names_of(const sc_wizard *w, char text[256])
{
    text[0] = '\0';
    for (size_t i = 0; i < w->count; i++)
        if (w->slots[i].scope == SC_SCOPE_COLUMN)
            snprintf(text + strlen(text), 256 - strlen(text), "%s ",
                     w->slots[i].name == NULL ? "?" : w->slots[i].name);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs(text, file);
    fclose(file);
}

static scrim_status read_header(sc_wizard *w, const char *path, const char *more,
                                scrim_error *error)
{
    char policy[256];
    snprintf(policy, sizeof policy, "csv=%s\nunit=row\n%s", path, more);
    const scrim_status status = sc_wizard_read_header(w, policy, error);
    return status == SCRIM_OK ? sc_wizard_make_columns(w, error) : status;
}

/* Columns come and go with the header, but for those that are declared. */
TEST(wizard_source_makes_columns_of_a_header)
{
    char path[] = "/tmp/scrim-header-XXXXXX", text[256];
    sc_wizard w;
    scrim_error error;
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    close(file);
    begin(&w, "csv", path);
    write_file(path, "id,age,sex\n1,2,3\n");
    CHECK_STATUS(read_header(&w, path, "", &error), SCRIM_OK);
    names_of(&w, text);
    CHECK_STR(text, "id age sex ");
    CHECK(sc_wizard_knows(&w, "age") && !sc_wizard_knows(&w, "ag"));
    CHECK_STATUS(sc_wizard_fail_unknown(&w, "agee", &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "no column 'agee' in the source; did you mean 'age'?");
    CHECK_STATUS(sc_wizard_fail_unknown(&w, "telephone", &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "no column 'telephone' in the source");
    CHECK_STATUS(
        sc_wizard_answer(&w,
                         (sc_wizard_step){(size_t)(sc_wizard_column(&w, "age") - w.slots),
                                          SC_ASK_TYPE},
                         "text", NULL),
        SCRIM_OK);
    write_file(path, "sex,city\n1,2\n");
    CHECK_STATUS(read_header(&w, path, "", &error), SCRIM_OK);
    names_of(&w, text);
    CHECK_STR(text, "age sex city ");
    /* A header that is not cut yet has no columns. */
    write_file(path, "id;pay\n1;2\n");
    CHECK_STATUS(read_header(&w, path, "", &error), SCRIM_OK);
    CHECK_STR(w.seen, ";");
    names_of(&w, text);
    CHECK_STR(text, "age ");
    CHECK_STATUS(read_header(&w, path, "separator=;\n", &error), SCRIM_OK);
    CHECK(w.seen == NULL);
    names_of(&w, text);
    CHECK_STR(text, "age id pay ");
    /* A failure leaves it as it was. */
    unlink(path);
    CHECK_STATUS(read_header(&w, path, "", &error), SCRIM_E_INPUT);
    CHECK(sc_wizard_knows(&w, "pay") && !sc_wizard_knows(&w, "age"));
    sc_wizard_clear(&w);
}

/* Without a header a name is asked for. */
TEST(wizard_source_asks_for_names_without_a_header)
{
    char text[256];
    sc_wizard w;
    begin(&w, "csv", "-");
    CHECK_STATUS(sc_wizard_make_columns(&w, NULL), SCRIM_OK);
    CHECK_STATUS(sc_wizard_make_columns(&w, NULL), SCRIM_OK);
    names_of(&w, text);
    CHECK_STR(text, "? ");
    CHECK(sc_wizard_knows(&w, "anything"));
    sc_wizard_clear(&w);
    begin(&w, NULL, NULL);
    CHECK_STATUS(sc_wizard_make_columns(&w, NULL), SCRIM_OK);
    names_of(&w, text);
    CHECK_STR(text, "");
    sc_wizard_clear(&w);
}
