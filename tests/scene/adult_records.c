#include "adult_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const synth_adult_names[14] = {
    "age",          "workclass",      "fnlwgt",         "education_num", "marital_status",
    "occupation",   "relationship",   "race",           "sex",           "capital_gain",
    "capital_loss", "hours_per_week", "native_country", "salary"};

enum { FIELDS = 16, ADULT = 14, TEXTS = 42, TEXT_BYTES = 32 };

/* Where each column is in the file; a number has a first value and a width, a text has neither. */
static const struct {
    int field;
    uint32_t size;
    long first, width;
} cuts[ADULT] = {{1, 15, 17, 5}, {2, 9, 0, 0},      {3, 15, 0, 99000}, {5, 16, 1, 1},
                 {6, 7, 0, 0},   {7, 15, 0, 0},     {8, 6, 0, 0},      {9, 5, 0, 0},
                 {10, 2, 0, 0},  {11, 15, 0, 6667}, {12, 15, 0, 300},  {13, 15, 1, 7},
                 {14, 42, 0, 0}, {15, 2, 0, 0}};

/* Texts in the order in which they come. */
typedef struct word_list {
    char words[TEXTS][TEXT_BYTES];
    uint32_t count;
} word_list;

static uint32_t word_code(word_list *list, const char *word)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->words[i], word) == 0)
            return i;
    if (list->count < TEXTS)
        snprintf(list->words[list->count++], TEXT_BYTES, "%s", word);
    return list->count - 1;
}

static size_t split(char *line, char *fields[FIELDS])
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *at = line; at != NULL && count < FIELDS; count++) {
        fields[count] = at;
        at = strchr(at, ',');
        if (at != NULL)
            *at++ = 0;
    }
    return count;
}

static void code_line(char *fields[FIELDS], word_list *lists, uint32_t codes[ADULT])
{
    for (size_t i = 0; i < ADULT; i++) {
        const char *text = fields[cuts[i].field];
        if (cuts[i].width == 0) {
            codes[i] = word_code(&lists[i], text);
            continue;
        }
        const long bin = (strtol(text, NULL, 10) - cuts[i].first) / cuts[i].width;
        codes[i] = bin < 0 ? 0 : (uint32_t)bin;
    }
}

static sc_records *read_adult(uint32_t nulls)
{
    char line[512];
    char *fields[FIELDS];
    uint32_t codes[ADULT];
    sc_records *records = NULL;
    sc_synth_columns columns = {.count = ADULT};
    static word_list lists[ADULT];
    memset(lists, 0, sizeof lists);
    for (size_t i = 0; i < ADULT; i++)
        columns.sizes[i] = cuts[i].size + nulls;
    FILE *file = fopen("data/adult.csv", "r");
    if (file == NULL)
        return NULL;
    bool is_good = sc_records_new(&columns, 40000, &records, NULL) == SCRIM_OK &&
                   fgets(line, sizeof line, file) != NULL;
    while (is_good && fgets(line, sizeof line, file) != NULL) {
        is_good = split(line, fields) == FIELDS;
        if (is_good) {
            code_line(fields, lists, codes);
            is_good = sc_records_add(records, codes, 1, NULL) == SCRIM_OK;
        }
    }
    fclose(file);
    if (is_good)
        return records;
    sc_records_free(records);
    return NULL;
}

sc_records *synth_adult(void)
{
    return read_adult(0);
}

sc_records *synth_adult_nullable(void)
{
    return read_adult(1);
}
