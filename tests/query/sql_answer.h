/* Answers as tables of cells: the key of a group, then its values. */
#ifndef SQL_ANSWER_H
#define SQL_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

enum { SQL_ROWS = 100, SQL_COLUMNS = 6, SQL_CELL_BYTES = 400 };
#define SQL_NULL "<null>"

typedef struct sql_row {
    char cells[SQL_COLUMNS][SQL_CELL_BYTES];
} sql_row;

typedef struct sql_answer {
    sql_row rows[SQL_ROWS];
    size_t count, columns;
} sql_answer;

/* A new row of empty cells; NULL when there is no room, which is a failure of the test. */
sql_row *sql_answer_row(sql_answer *answer);
/* Fails the test where it does not fit. */
void sql_cell_put(sql_row *row, size_t column, const char *text);

/* Rows of the same keys with the same values: numbers that are whole in theirs are equal, others are as
 * near as their arithmetic is (a part of the number, or of 1). Both are put in order. */
bool sql_answers_are_same(sql_answer *ours, sql_answer *theirs, const char *nearness);

#endif
