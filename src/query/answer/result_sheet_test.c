/* Rows and cells of histograms; of everything else result_test.c. */
#include "check.h"
#include "faults.h"
#include "query/answer/result.h"
#include "query/answer/result_sheet.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                             \
    "query 1\ndataset adult\nversion 3\nepsilon 1\ndelta 0.000001\nexpect 1000\n"        \
    "confidence 0.95\ncost 1 0.000001 -\nschema unit=person_id\n"                        \
    "schema neighbours=add-remove\n"                                                     \
    "schema column=age=int[0,120]\nschema column=sex=text\n"                             \
    "schema column=day=date[2020-01-01,2020-12-31]\n"
#define PART "part 0 1 stlap epsilon=1 delta=0.000001 neighbours=add-remove\n"
#define NOISE "part 0 1 laplace sensitivity=1 epsilon=1 neighbours=add-remove\n"

static const sc_result_origin origin = {.release = 7, .time = 99};

static scrim_status read_part(const char *query, const char *part, const char *rest,
                              scrim_result **out)
{
    char record[4000];
    snprintf(record, sizeof record, HEAD "statement %s\nkeys public\n%snumbers 0\n%s",
             query, part, rest);
    return sc_result_new(sc_text_of(record), NULL, &origin, out, NULL);
}

static scrim_status read_record(const char *query, const char *rest, scrim_result **out)
{
    return read_part(query, PART, rest, out);
}

/* "value[low,high]" or, of keys and buckets, "value"; ";" behind each row. */
static void check_part(const char *query, const char *part, const char *rest,
                       const char *want)
{
    char text[1000];
    sc_text_sink sink;
    scrim_result *result = NULL;
    sc_text_sink_init(&sink, text, sizeof text);
    if (!CHECK_STATUS(read_part(query, part, rest, &result), SCRIM_OK))
        return;
    for (size_t r = 0; r < scrim_result_rows(result, 0); r++)
        for (size_t c = 0; c < scrim_result_columns(result, 0); c++) {
            const scrim_result_cell *cell = scrim_result_cell_at(result, 0, r, c);
            char one[200];
            CHECK_INT(strlen(cell->value), cell->bytes);
            if (cell->low == NULL)
                snprintf(one, sizeof one, "%s%s", c == 0 ? "" : " ", cell->value);
            else
                snprintf(one, sizeof one, "%s%s[%s,%s]%s", c == 0 ? "" : " ", cell->value,
                         cell->low, cell->high, cell->is_open ? "?" : "");
            sc_text_put(&sink, sc_text_of(one));
            if (c + 1 == scrim_result_columns(result, 0))
                sc_text_put(&sink, sc_text_of(";"));
        }
    CHECK_STR(text, want);
    scrim_result_free(result);
}

static void check_rows(const char *query, const char *rest, const char *want)
{
    check_part(query, PART, rest, want);
}

TEST(result_sheet_reads_values_from_histograms)
{
    CLAIM("result.released");
    check_rows("SELECT sex, MIN(age), MAX(age), RANGE(age), MODE(age) GROUP BY sex",
               "buckets 1\nrow F%00 17:2,30:9,90:1\nrow M%00 -\n",
               "F 17[0,17] 90[90,120] 73[73,120] 30[0,120]?;"
               "M [0,120]? [0,120]? [0,120]? [0,120]?;");
}

/* Buckets as the record has them: a width that the plan chose is not in the question. Of days since
 * 1970, those from 18250 and from 18400 on are from the first of January, 18262, and the 18th of May. */
TEST(result_sheet_takes_widths_from_the_record)
{
    CLAIM("result.released");
    check_rows("SELECT MAX(age)", "buckets 7\nrow - 3:5,9:1\n", "66[63,120];");
    check_rows("SELECT MAX(day), RANGE(day)", "buckets 50\nrow - 0:5,3:1\n",
               "2020-06-11[2020-05-18,2020-12-31] 144[101,365];");
}

TEST(result_sheet_has_a_row_a_bucket)
{
    CLAIM("result.released");
    CLAIM("result.order");
    check_rows("SELECT sex, HISTOGRAM(age, 10) GROUP BY sex",
               "buckets 10\nrow M%00 2:5,11:7\nrow F%00 10:1\n",
               "F 100 1[1,28];M 20 5[5,32];M 110 7[7,34];");
    check_rows(
        "SELECT HISTOGRAM(age, 10) AS n HAVING n > 4 ORDER BY n_bucket DESC LIMIT 1",
        "buckets 10\nrow - 2:5,11:7,12:1\n", "110 7[7,34];");
    check_rows("SELECT SUPPORT(age, 50)", "buckets 50\nrow - 0:5,2:7\n", "0;100;");
    check_rows("SELECT HISTOGRAM(age, 10)", "buckets 10\nrow - -\n", "");
}

/* An empty value is last, whatever the order. */
TEST(result_sheet_orders_empty_values_last)
{
    CLAIM("result.order");
    static const char rest[] = "buckets 1\nrow a%00 -\nrow b%00 5:1\nrow c%00 9:1\n";
    check_rows("SELECT sex, MAX(age) AS m GROUP BY sex ORDER BY m", rest,
               "b 5[5,120];c 9[9,120];a [0,120]?;");
    check_rows("SELECT sex, MAX(age) AS m GROUP BY sex ORDER BY m DESC", rest,
               "c 9[9,120];b 5[5,120];a [0,120]?;");
    check_rows("SELECT sex, MAX(age) AS m GROUP BY sex HAVING NOT m > 7", rest,
               "b 5[5,120];");
}

/* A record of other buckets, another mechanism or another histogram does not belong to this
 * statement. */
TEST(result_sheet_refuses_what_does_not_fit)
{
    static const char *const rests[] = {"buckets 1\nrow - 121:1\n",
                                        "buckets 100\nrow - 2:1\n",
                                        "row -\n",
                                        "buckets 1 1\nrow - 3:1 3:1\n",
                                        "buckets 1\nrow - 3:0\n",
                                        "buckets 1\nrow - 3:-2\n"};
    for (size_t i = 0; i < COUNT(rests); i++) {
        scrim_result *result = NULL;
        CHECK_STATUS(read_record("SELECT MAX(age)", rests[i], &result), SCRIM_E_LEDGER);
        CHECK_STATUS(read_record("SELECT HISTOGRAM(age)", rests[i], &result),
                     SCRIM_E_LEDGER);
        /* With noise some buckets are missing, or one is too many. */
        CHECK_STATUS(read_part("SELECT MAX(age)", NOISE, rests[i], &result),
                     SCRIM_E_LEDGER);
        CHECK(result == NULL);
    }
}

/* Noise of scale 1 is within 3 with probability 0.95, and that of three buckets within 4. */
TEST(result_sheet_reads_histograms_with_noise)
{
    CLAIM("result.released");
    CLAIM("bar-answer.noise");
    static const char rest[] = "buckets 50\nrow - 0:-2,1:5,2:4\n";
    check_part("SELECT HISTOGRAM(age, 50)", NOISE, rest,
               "0 -2[-2,1];50 5[2,8];100 4[1,7];");
    check_part("SELECT SUPPORT(age, 50)", NOISE, rest, "50;");
    check_part("SELECT MIN(age), MAX(age), MAX_K(age, 2) AS k", NOISE, rest,
               "74[0,99] 74[50,120] [0,120]?;");
}

TEST(result_sheet_survives_without_memory)
{
    FAULT_LOOP(fault)
    {
        scrim_result *result = NULL;
        const scrim_status status =
            read_record("SELECT sex, MAX(age) GROUP BY sex",
                        "buckets 1\nrow F%00 17:2,30:9\nrow M%00 -\n", &result);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        scrim_result_free(result);
    }
}
