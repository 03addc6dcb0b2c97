#include "check.h"
#include "cli/vault/history_writer.h"
#include "faults.h"

#include <stdio.h>
#include <string.h>

static const sc_shown_answers seen_by_nobody = {NULL, 0, 0};

TEST(history_date_is_a_day_or_a_time_in_utc)
{
    static const struct {
        const char *text;
        uint64_t seconds;
    } dates[] = {{"2026-11-01", 1793491200},
                 {"2026-11-01T12:30:05Z", 1793536205},
                 {"2024-02-29", 1709164800},
                 {"1970-01-02", 86400}};
    static const char *const wrong[] = {"",
                                        "2026",
                                        "2026-11",
                                        "2026-11-1",
                                        "2026-02-29",
                                        "2026-13-01",
                                        "01.11.2026",
                                        "2026-11-0x",
                                        "yesterday!",
                                        "1969-12-31",
                                        "2026-11-01T12:30",
                                        "2026-11-01T12:30:05",
                                        "2026-11-01T24:00:00Z",
                                        "2026-11-01T12:30:61Z",
                                        "2026-11-01T12:30:05Zx",
                                        " 2026-11-1"};
    uint64_t seconds = 0;
    for (size_t i = 0; i < COUNT(dates); i++) {
        CHECK(sc_history_date(dates[i].text, &seconds));
        CHECK_INT(seconds, dates[i].seconds);
    }
    for (size_t i = 0; i < COUNT(wrong); i++)
        CHECK(!sc_history_date(wrong[i], &seconds));
}

TEST(history_filter_keeps_what_has_no_time)
{
    const sc_history_filter all = {.analyst = NULL},
                            some = {.analyst = "alice", .since = 100};
    CHECK(sc_history_filter_keeps(&all, "bob", 1));
    CHECK(sc_history_filter_keeps(&some, "alice", 100));
    CHECK(!sc_history_filter_keeps(&some, "alice", 99));
    CHECK(!sc_history_filter_keeps(&some, "bob", 100));
    CHECK(sc_history_filter_keeps(&some, "alice", 0));
}

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

#define HASH "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

TEST(export_is_text_where_it_can_be)
{
    static sc_output output;
    sc_export export;
    sc_output_init(&output, -1);
    sc_export_begin(&export, true, &output);
    sc_export_add(&export, 1, "init 1 x\n\"q\" \\ \t gr\xc3\xbcn \xe2\x80\xa8", 26, HASH,
                  NULL);
    sc_export_add(&export, 2, "a\xff\0b", 4, HASH, NULL);
    sc_export_add(&export, 3, "release 2 d", 11, HASH, "7\nlabel \xed\xa0\x80\n");
    sc_export_add(&export, 4, "release 3 d", 11, HASH, "7\nlabel a\n");
    sc_export_end(&export, &(scrim_head){.entries = 4, .hash = HASH});
    CHECK_STR(buffered(&output),
              "{\"scrim_ledger\": 1}\n"
              "{\"entry\": 1, \"hash\": \"" HASH
              "\", \"text\": \"init 1 x\\n\\\"q\\\" \\\\ "
              "\\u0009 gr\xc3\xbcn \xe2\x80\xa8\"}\n"
              "{\"entry\": 2, \"hash\": \"" HASH "\", \"hex\": \"61ff0062\"}\n"
              "{\"entry\": 3, \"hash\": \"" HASH "\", \"text\": \"release 2 d\", "
              "\"answer_hex\": \"370a6c6162656c20eda0800a\"}\n"
              "{\"entry\": 4, \"hash\": \"" HASH "\", \"text\": \"release 3 d\", "
              "\"answer\": \"7\\nlabel a\\n\"}\n"
              "{\"head\": 4, \"hash\": \"" HASH "\"}\n");
}

TEST(export_takes_no_bytes_for_text_that_are_none)
{
    static const char *const bad[] = {
        "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xf5\x80\x80\x80",
        "\xc3", "\xe2\x82", "\xed\xbf\xbf", "\xf4\x90\x80\x80"};
    static const char *const good[] = {"",
                                       "a",
                                       "\xc2\x80",
                                       "\xe0\xa0\x80",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf"};
    static sc_output output;
    sc_export export;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sc_output_init(&output, -1);
        sc_export_begin(&export, true, &output);
        sc_export_add(&export, 1, bad[i], strlen(bad[i]), HASH, NULL);
        CHECK(strstr(buffered(&output), "\"hex\"") != NULL);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        sc_output_init(&output, -1);
        sc_export_begin(&export, true, &output);
        sc_export_add(&export, 1, good[i], strlen(good[i]), HASH, NULL);
        CHECK(strstr(buffered(&output), "\"text\"") != NULL);
    }
}

static const char *history_buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static char measurement[] = "laplace epsilon=0.1";
static const scrim_vault_release charges[] = {
    {.id = 6,
     .state = SCRIM_ENTRY_RELEASED,
     .dataset = "adult",
     .version = 1,
     .analyst = "alice",
     .unit = "epsilon",
     .amount = "0.1",
     .delta = "0",
     .measurement = measurement},
    {.id = 9,
     .time = 1700000000,
     .state = SCRIM_ENTRY_CHARGED,
     .dataset = "adult",
     .version = 2,
     .analyst = "a,b",
     .unit = "rho",
     .amount = "1/3",
     .delta = "0.000001",
     .measurement = measurement},
};

static const char *write_as(sc_format format, bool is_verbose, size_t count)
{
    static sc_output output;
    static const sc_terminal ascii = {.columns = 80};
    sc_history history;
    sc_output_init(&output, -1);
    sc_history_begin(&history, &seen_by_nobody, &output, format, is_verbose, &ascii);
    for (size_t i = 0; i < count; i++)
        CHECK_STATUS(sc_history_add(&history, &charges[i]), SCRIM_OK);
    CHECK_STATUS(sc_history_end(&history, SCRIM_OK, NULL), SCRIM_OK);
    CHECK_INT(history.count, count);
    CHECK_INT(history.unanswered, count == 2);
    return history_buffered(&output);
}

TEST(history_in_every_format)
{
    CHECK_STR(write_as(SCRIM_FORMAT_CSV, false, 2),
              "release,time,analyst,dataset,version,unit,amount,delta,state,measurement,"
              "shown_to\n"
              "6,,alice,adult,1,epsilon,0.1,0,released,laplace epsilon=0.1,\n"
              "9,2023-11-14T22:13:20Z,\"a,b\",adult,2,rho,1/3,0.000001,charged,"
              "laplace epsilon=0.1,\n");
    CHECK_STR(
        write_as(SCRIM_FORMAT_JSON, false, 2),
        "{\"rows\": [\n"
        "{\"release\": 6, \"time\": null, \"analyst\": \"alice\", \"dataset\": "
        "\"adult\", \"version\": 1, \"unit\": \"epsilon\", \"amount\": \"0.1\", "
        "\"delta\": \"0\", \"state\": \"released\", \"measurement\": \"laplace "
        "epsilon=0.1\", \"shown_to\": null},\n"
        "{\"release\": 9, \"time\": \"2023-11-14T22:13:20Z\", \"analyst\": \"a,b\", "
        "\"dataset\": \"adult\", \"version\": 2, \"unit\": \"rho\", \"amount\": "
        "\"1/3\", \"delta\": \"0.000001\", \"state\": \"charged\", "
        "\"measurement\": \"laplace epsilon=0.1\", \"shown_to\": null}\n"
        "]}\n");
    CHECK_STR(write_as(SCRIM_FORMAT_JSON, false, 0), "{\"rows\": [\n]}\n");
    CHECK_STR(write_as(SCRIM_FORMAT_TABLE, true, 2),
              "release 6   alice, adult v1: epsilon 0.1\n"
              "            laplace epsilon=0.1\n"
              "release 9   2023-11-14 22:13:20Z, a,b, adult v2: rho 0.333334, delta 1e-6 "
              "(no\n"
              "            answer)\n"
              "            laplace epsilon=0.1\n");
    CHECK_STR(write_as(SCRIM_FORMAT_TABLE, true, 0), "");
    /* A name that all rows share is said above the table. */
    CHECK_STR(write_as(SCRIM_FORMAT_TABLE, false, 1),
              "charges of adult by alice\n"
              "+---------+------+---------------------+-------------+\n"
              "| release | date | question            | cost        |\n"
              "+---------+------+---------------------+-------------+\n"
              "| 6       |      | laplace epsilon=0.1 | epsilon 0.1 |\n"
              "+---------+------+---------------------+-------------+\n");
    CHECK_STR(write_as(SCRIM_FORMAT_TABLE, false, 2),
              "charges of adult\n"
              "+---------+------------+---------+---------------------+------------------"
              "-----+\n"
              "| release | date       | analyst | question            | cost             "
              "     |\n"
              "+---------+------------+---------+---------------------+------------------"
              "-----+\n"
              "| 6       |            | alice   | laplace epsilon=0.1 | epsilon 0.1      "
              "     |\n"
              "| 9       | 2023-11-14 | a,b     | laplace epsilon=0.1 | rho 0.333334, "
              "delta   |\n"
              "|         |            |         |                     | 1e-6 (no answer) "
              "     |\n"
              "+---------+------------+---------+---------------------+------------------"
              "-----+\n");
    CHECK_STR(write_as(SCRIM_FORMAT_TABLE, false, 0), "");
}

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

/* A long question is told whole in JSON, in CSV and by a verbose table; a brief table has its beginning. */
TEST(history_cuts_long_questions_in_brief_tables)
{
    static sc_output output;
    static const sc_terminal ascii = {.columns = 400};
    char words[1000] = "query x : SELECT ";
    scrim_vault_release charge = charges[0];
    sc_history history;
    for (size_t i = strlen(words); i + 5 < sizeof words; i += 5)
        memcpy(words + i, "word ", 6);
    charge.measurement = words;
    for (int form = 0; form < 3; form++) {
        sc_output_init(&output, -1);
        sc_history_begin(&history, &seen_by_nobody, &output,
                         form > 0 ? SCRIM_FORMAT_TABLE : SCRIM_FORMAT_CSV, form < 2,
                         &ascii);
        CHECK_STATUS(sc_history_add(&history, &charge), SCRIM_OK);
        CHECK_STATUS(sc_history_end(&history, SCRIM_OK, NULL), SCRIM_OK);
        const char *text = history_buffered(&output);
        CHECK((strstr(text, "SELECT word word ") != NULL));
        CHECK((strstr(text, "word ...") != NULL) == (form == 2));
        CHECK((count_of(text, "word") == count_of(words, "word")) == (form < 2));
    }
}

/* A table names a suggestion by its columns and keys; it must be one that suggest asks. */
TEST(history_names_suggestions)
{
    static const char inner[] = "FROM (SELECT CLAMP(MAX(n), 1, 1000000) AS r0 FROM "
                                "(SELECT COUNT(*) AS n GROUP BY \"id\"";
    static const struct {
        const char *first, *keys, *second, *shown;
    } cases[] = {
        {"SELECT QUANTILE(LADDER(r0), 0.5, 0.9, 0.95, 0.99) AS rows ", "", "",
         "            suggest\n"},
        {"SELECT QUANTILE(g0, 0.5, 0.9, 0.95, 0.99) AS groups, QUANTILE(LADDER(r0), 0.5, "
         "0.9, 0.95, 0.99) AS rows ",
         ", \"city\", \"a \"\"b\"\"\"", "", "            suggest by city, a \"\"b\"\"\n"},
        {"SELECT QUANTILE(LADDER(r0), 0.5, 0.9, 0.95, 0.99) AS rows ", "",
         " ; SELECT QUANTILE(x0, 0.5) AS value_1 FROM (SELECT ANY_VALUE(\"amount\") AS "
         "x0, ANY_VALUE(\"day\") AS x1 GROUP BY \"id\")",
         "            suggest amount, day\n"},
        {"SELECT QUANTILE(LADDER(r0), 0.5) AS rows ", "", "",
         "            SELECT QUANTILE(LADDER(r0), 0.5) AS rows FROM"},
    };
    static sc_output output;
    static const sc_terminal ascii = {.columns = 400};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[1000];
        scrim_vault_release charge = charges[0];
        sc_history history;
        snprintf(words, sizeof words, "query epsilon=1 : %s%s%s) GROUP BY \"id\")%s",
                 cases[i].first, inner, cases[i].keys, cases[i].second);
        charge.measurement = words;
        sc_output_init(&output, -1);
        sc_history_begin(&history, &seen_by_nobody, &output, SCRIM_FORMAT_TABLE, true,
                         &ascii);
        CHECK_STATUS(sc_history_add(&history, &charge), SCRIM_OK);
        CHECK_STATUS(sc_history_end(&history, SCRIM_OK, NULL), SCRIM_OK);
        if (!CHECK(strstr(history_buffered(&output), cases[i].shown) != NULL))
            CHECK_FAIL("%s", history_buffered(&output));
    }
}

TEST(history_without_memory)
{
    static sc_output output;
    static const sc_terminal ascii = {.columns = 80};
    for (int is_table = 0; is_table < 2; is_table++) {
        int made = 0;
        FAULT_LOOP(fault)
        {
            sc_history history;
            sc_output_init(&output, -1);
            sc_history_begin(&history, &seen_by_nobody, &output,
                             is_table ? SCRIM_FORMAT_TABLE : SCRIM_FORMAT_JSON, false,
                             &ascii);
            scrim_error error;
            scrim_status status = sc_history_add(&history, &charges[0]);
            CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
            status = sc_history_end(&history, status, &error);
            CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
            made += status == SCRIM_OK;
        }
        CHECK_INT(made, 1);
    }
}
