/* What an attack found: tables of text with curves, and sentences. Attacks fill it; a failure for want of
 * memory is remembered and told once, at the end. */
#ifndef SC_ATTACK_FINDINGS_H
#define SC_ATTACK_FINDINGS_H

#include "base/memory.h"
#include "scrim/attack.h"

#define SC_FINDINGS_TABLES 6
#define SC_FINDINGS_COLUMNS 8
#define SC_FINDINGS_CURVES 2

typedef struct sc_findings_table {
    const char *name, *heading;
    const char *columns[SC_FINDINGS_COLUMNS];
    size_t column_count;
    const char **cells; /* row after row */
    size_t cell_count, cell_room;
    const char *x_name, *y_name, *curves[SC_FINDINGS_CURVES];
    size_t curve_count;
    bool is_log_x, is_log_y;
    double *x, *y[SC_FINDINGS_CURVES];
    size_t point_count, point_room[1 + SC_FINDINGS_CURVES];
} sc_findings_table;

typedef struct sc_findings {
    sc_arena arena;
    sc_findings_table tables[SC_FINDINGS_TABLES];
    size_t table_count;
    const char *target, *learnt, *cost, *stopped;
    bool lacks_memory;
} sc_findings;

void sc_findings_init(sc_findings *out);
void sc_findings_clear(sc_findings *findings);

/* Begins a table with these columns, ended by NULL; at most SC_FINDINGS_TABLES of them. Names,
 * headings and columns are constant text. */
void sc_findings_begin(sc_findings *findings, const char *name, const char *heading,
                       const char *const *columns);
/* The next cells of the last table, one a line: "%zu\n%.1f" are two. */
__attribute__((format(printf, 2, 3))) void sc_findings_put(sc_findings *findings,
                                                           const char *format, ...);

/* How the last table is drawn. */
typedef struct sc_findings_chart {
    const char *x_name, *y_name;
    bool is_log_x, is_log_y;
    const char *curves[SC_FINDINGS_CURVES]; /* NULL: there are fewer */
} sc_findings_chart;
void sc_findings_draw(sc_findings *findings, const sc_findings_chart *chart);
/* A point of every curve. */
void sc_findings_point(sc_findings *findings, double x, const double *y);
/* A sentence that lives as long as the findings. */
__attribute__((format(printf, 2, 3))) const char *
sc_findings_words(sc_findings *findings, const char *format, ...);

#endif
