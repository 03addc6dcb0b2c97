#include "attack/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WORDS_BYTES 1024

void sc_findings_init(sc_findings *out)
{
    memset(out, 0, sizeof *out);
    sc_arena_init(&out->arena);
}

void sc_findings_clear(sc_findings *findings)
{
    for (size_t i = 0; i < findings->table_count; i++) {
        sc_findings_table *table = &findings->tables[i];
        sc_free(table->cells);
        sc_free(table->x);
        for (size_t c = 0; c < SC_FINDINGS_CURVES; c++)
            sc_free(table->y[c]);
    }
    sc_arena_clear(&findings->arena);
}

static sc_findings_table *last_table(sc_findings *findings)
{
    return &findings->tables[findings->table_count - 1];
}

static size_t copy_names(const char *const *from, const char **to, size_t most)
{
    size_t count = 0;
    while (count < most && from[count] != NULL) {
        to[count] = from[count];
        count++;
    }
    return count;
}

void sc_findings_begin(sc_findings *findings, const char *name, const char *heading,
                       const char *const *columns)
{
    findings->table_count++;
    sc_findings_table *table = last_table(findings);
    table->name = name;
    table->heading = heading;
    table->column_count = copy_names(columns, table->columns, SC_FINDINGS_COLUMNS);
}

__attribute__((format(printf, 2, 0))) static const char *
write_words(sc_findings *findings, const char *format, va_list arguments)
{
    char text[WORDS_BYTES];
    const int length = vsnprintf(text, sizeof text, format, arguments);
    const size_t bytes = length < 0 ? 0 : (size_t)length;
    const char *copy = sc_arena_copy(&findings->arena, text,
                                     bytes < sizeof text ? bytes : sizeof text - 1);
    findings->lacks_memory |= copy == NULL;
    return copy == NULL ? "" : copy;
}

const char *sc_findings_words(sc_findings *findings, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *words = write_words(findings, format, arguments);
    va_end(arguments);
    return words;
}

static void put_cell(sc_findings *findings, const char *text, size_t bytes)
{
    sc_findings_table *table = last_table(findings);
    const char *copy = sc_arena_copy(&findings->arena, text, bytes);
    findings->lacks_memory |= copy == NULL;
    if (copy != NULL && sc_make_room(&table->cells, table->cell_count, &table->cell_room,
                                     sizeof *table->cells))
        table->cells[table->cell_count++] = copy;
    else
        findings->lacks_memory = true;
}

void sc_findings_put(sc_findings *findings, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *words = write_words(findings, format, arguments);
    va_end(arguments);
    for (size_t bytes; bytes = strcspn(words, "\n"), true; words += bytes + 1) {
        put_cell(findings, words, bytes);
        if (words[bytes] == '\0')
            break;
    }
}

void sc_findings_draw(sc_findings *findings, const sc_findings_chart *chart)
{
    sc_findings_table *table = last_table(findings);
    table->x_name = chart->x_name;
    table->y_name = chart->y_name;
    table->is_log_x = chart->is_log_x;
    table->is_log_y = chart->is_log_y;
    table->curve_count = copy_names(chart->curves, table->curves, SC_FINDINGS_CURVES);
}

void sc_findings_point(sc_findings *findings, double x, const double *y)
{
    sc_findings_table *table = last_table(findings);
    const size_t count = table->point_count;
    bool has_room = sc_make_room(&table->x, count, &table->point_room[0], sizeof(double));
    for (size_t c = 0; c < table->curve_count && has_room; c++)
        has_room =
            sc_make_room(&table->y[c], count, &table->point_room[1 + c], sizeof(double));
    if (!has_room) {
        findings->lacks_memory = true;
        return;
    }
    table->x[count] = x;
    for (size_t c = 0; c < table->curve_count; c++)
        table->y[c][count] = y[c];
    table->point_count++;
}
