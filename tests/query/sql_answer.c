#include "sql_answer.h"

#include "base/number/own.h"
#include "base/number/ratio.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

sql_row *sql_answer_row(sql_answer *answer)
{
    if (!CHECK(answer->count < SQL_ROWS))
        return NULL;
    sql_row *row = &answer->rows[answer->count++];
    memset(row, 0, sizeof *row);
    return row;
}

void sql_cell_put(sql_row *row, size_t column, const char *text)
{
    if (CHECK(column < SQL_COLUMNS) && CHECK(strlen(text) < SQL_CELL_BYTES))
        snprintf(row->cells[column], SQL_CELL_BYTES, "%s", text);
}

static int by_key(const void *a, const void *b)
{
    const sql_row *first = a, *second = b;
    return strcmp(first->cells[0], second->cells[0]);
}

static bool is_number(const char *text, sc_ratio *out)
{
    return sc_ratio_parse(sc_text_of(text), out, NULL) == SCRIM_OK;
}

static bool is_near(const sc_ratio *ours, const sc_ratio *theirs, const char *nearness)
{
    SC_OWN(sc_ratio, apart, most, size);
    sc_ratio_sub(&apart, ours, theirs);
    if (sc_ratio_sign(&apart) < 0)
        sc_ratio_sub(&apart, theirs, ours);
    sc_ratio_sub(&size, &size, theirs);
    if (sc_ratio_sign(&size) < 0)
        sc_ratio_set(&size, theirs);
    if (sc_ratio_compare_int64(&size, 1) < 0)
        sc_ratio_set_int64(&size, 1);
    if (!is_number(nearness, &most))
        return false;
    sc_ratio_mul(&most, &most, &size);
    return sc_ratio_compare(&apart, &most) <= 0;
}

static bool is_same_cell(const char *ours, const char *theirs, const char *nearness)
{
    SC_OWN(sc_ratio, a, b);
    if (strcmp(ours, theirs) == 0)
        return true;
    return is_number(ours, &a) && is_number(theirs, &b) &&
           (sc_ratio_is_integer(&b) && strpbrk(theirs, ".e") == NULL
                ? sc_ratio_compare(&a, &b) == 0
                : is_near(&a, &b, nearness));
}

bool sql_answers_are_same(sql_answer *ours, sql_answer *theirs, const char *nearness)
{
    qsort(ours->rows, ours->count, sizeof *ours->rows, by_key);
    qsort(theirs->rows, theirs->count, sizeof *theirs->rows, by_key);
    bool is_same = CHECK_INT(ours->count, theirs->count) &&
                   CHECK_INT(ours->columns, theirs->columns);
    for (size_t i = 0; is_same && i < ours->count; i++)
        for (size_t j = 0; is_same && j < ours->columns; j++) {
            const char *a = ours->rows[i].cells[j], *b = theirs->rows[i].cells[j];
            is_same = j == 0 ? strcmp(a, b) == 0 : is_same_cell(a, b, nearness);
            if (!is_same)
                CHECK_FAIL("group %s, column %zu: %s in place of %s",
                           ours->rows[i].cells[0], j, a, b);
        }
    return is_same;
}
