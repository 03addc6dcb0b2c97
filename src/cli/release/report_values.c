#include "cli/release/report_values.h"

#include "cli/answer/result_writer.h"
#include "cli/answer/sheet_note.h"
#include "cli/release/tree_view.h"
#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BYTES 64

const char *sc_report_get(const scrim_label *label, const char *key)
{
    const char *value = scrim_label_get(label, key);
    return value == NULL ? "" : value;
}

static const char *find_item(const scrim_label *label, const char *list, size_t number,
                             const char *member)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "%s.%zu%s%s", list, number, member == NULL ? "" : ".",
             member == NULL ? "" : member);
    return scrim_label_get(label, key);
}

const char *sc_report_item(const scrim_label *label, const char *list, size_t number,
                           const char *member)
{
    const char *value = find_item(label, list, number, member);
    return value == NULL ? "" : value;
}

size_t sc_report_items(const scrim_label *label, const char *list, const char *member)
{
    size_t count = 0;
    while (find_item(label, list, count + 1, member) != NULL)
        count++;
    return count;
}

void sc_report_number(const char *text, char shown[SC_BOUND_BYTES])
{
    shown[0] = '\0';
    if (text[0] != '\0')
        sc_number_format_upper(text, shown);
}

void sc_report_when(const scrim_label *label, char shown[SC_REPORT_WHEN_BYTES])
{
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    const char *time = sc_report_get(label, "release.time");
    unsigned year, month, day, hour, minute;
    if (sscanf(time, "%4u-%2u-%2uT%2u:%2u", &year, &month, &day, &hour, &minute) == 5 &&
        month >= 1 && month <= 12)
        snprintf(shown, SC_REPORT_WHEN_BYTES, "%u %s %u, %02u:%02u UTC", day % 100,
                 months[month - 1], year % 10000, hour % 100, minute % 100);
    else
        snprintf(shown, SC_REPORT_WHEN_BYTES, "%.40s", time);
}

void sc_report_cost(const scrim_label *label, const char *prefix,
                    char line[SC_REPORT_LINE_BYTES])
{
    static const char *const names[] = {"epsilon", "delta", "rho"};
    char key[KEY_BYTES], shown[SC_BOUND_BYTES];
    size_t used = 0;
    line[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(key, sizeof key, "%s%s", prefix, names[i]);
        sc_report_number(sc_report_get(label, key), shown);
        if (shown[0] != '\0')
            used += (size_t)snprintf(line + used, SC_REPORT_LINE_BYTES - used, "%s%s %s",
                                     used == 0 ? "" : ", ", names[i], shown);
    }
}

/* Is this sentence in a line of sentences that are separated by "; "? */
static bool has_sentence(const char *line, const char *sentence, size_t bytes)
{
    for (const char *at = line; *at != '\0';) {
        const char *end = strstr(at, "; ");
        const size_t own = end == NULL ? strlen(at) : (size_t)(end - at);
        if (own == bytes && memcmp(at, sentence, bytes) == 0)
            return true;
        at += end == NULL ? own : own + 2;
    }
    return false;
}

/* Each sentence once: the statements of a batch say the same of their rows. */
static void put_sentences(const char *from, char line[SC_REPORT_LINE_BYTES])
{
    while (*from != '\0') {
        const char *end = strstr(from, "; ");
        const size_t bytes = end == NULL ? strlen(from) : (size_t)(end - from),
                     used = strlen(line);
        if (!has_sentence(line, from, bytes))
            snprintf(line + used, SC_REPORT_LINE_BYTES - used, "%s%.*s",
                     used == 0 ? "" : "; ", (int)bytes, from);
        from += end == NULL ? bytes : bytes + 2;
    }
}

/* The sentence of each question, each once. */
static void put_kept(const scrim_label *label, char line[SC_REPORT_LINE_BYTES])
{
    char key[32];
    for (size_t i = 1; i < SC_REPORT_LINE_BYTES; i++) {
        snprintf(key, sizeof key, "kept.%zu", i);
        const char *kept = sc_report_get(label, key);
        if (kept[0] == '\0')
            return;
        put_sentences(kept, line);
    }
}

size_t sc_report_times(const scrim_label *label, const char *list, const char *first,
                       const char *second, size_t item)
{
    size_t times = 0;
    for (size_t i = 1; i <= sc_report_items(label, list, first); i++) {
        const char *const members[] = {first, second, "copies"};
        bool is_same = true;
        for (size_t k = 0; k < sizeof members / sizeof *members; k++)
            is_same =
                is_same && strcmp(sc_report_item(label, list, i, members[k]),
                                  sc_report_item(label, list, item, members[k])) == 0;
        if (is_same && i < item)
            return 0;
        times += is_same;
    }
    return times;
}

void sc_report_put_times(size_t times, char line[SC_REPORT_LINE_BYTES])
{
    const size_t used = strlen(line);
    if (times > 1)
        snprintf(line + used, SC_REPORT_LINE_BYTES - used, "%sdrawn %zu times",
                 used == 0 ? "" : ", ", times);
}

void sc_report_bounds(const scrim_label *label, char line[SC_REPORT_LINE_BYTES])
{
    const char *groups = sc_report_get(label, "protection.max-groups");
    const char *rows = sc_report_get(label, "protection.max-rows");
    line[0] = '\0';
    put_kept(label, line);
    if (line[0] == '\0' && groups[0] != '\0')
        snprintf(
            line, SC_REPORT_LINE_BYTES,
            "at most %.24s group%s per %.256s and %.24s row%s per group; further rows "
            "are ignored",
            groups, strcmp(groups, "1") == 0 ? "" : "s",
            sc_report_get(label, "protection.unit"), rows,
            strcmp(rows, "1") == 0 ? "" : "s");
}

void sc_report_budget(const scrim_label *label, char line[SC_REPORT_LINE_BYTES])
{
    const char *charges = sc_report_get(label, "cost.charges");
    char spent[SC_BOUND_BYTES], budget[SC_BOUND_BYTES];
    char delta[SC_BOUND_BYTES], most[SC_BOUND_BYTES];
    sc_report_number(sc_report_get(label, "cost.spent"), spent);
    sc_report_number(sc_report_get(label, "cost.budget"), budget);
    sc_report_number(sc_report_get(label, "cost.spent-delta"), delta);
    sc_report_number(sc_report_get(label, "cost.budget-delta"), most);
    snprintf(line, SC_REPORT_LINE_BYTES,
             "%.24s %s of %s and delta %s of %s spent by %.24s charge%s to %.70s when "
             "this label was made",
             sc_report_get(label, "cost.account"), spent, budget, delta, most, charges,
             strcmp(charges, "1") == 0 ? "" : "s",
             sc_report_get(label, "release.population"));
}

void sc_report_noise(const scrim_label *label, size_t mechanism,
                     char line[SC_REPORT_LINE_BYTES])
{
    const char *deviation = sc_report_item(label, "mechanism", mechanism, "deviation");
    const char *draws = sc_report_item(label, "mechanism", mechanism, "draws");
    const char *half = sc_report_item(label, "mechanism", mechanism, "kept-half");
    const char *most = sc_report_item(label, "mechanism", mechanism, "kept-most");
    const char *others =
        sc_report_item(label, "mechanism", mechanism, "kept-half-others");
    const char *copies = sc_report_item(label, "mechanism", mechanism, "copies");
    size_t used = 0;
    line[0] = '\0';
    if (deviation[0] != '\0')
        used = (size_t)snprintf(line, SC_REPORT_LINE_BYTES,
                                "noise of standard deviation %.100s", deviation);
    if (deviation[0] != '\0' && draws[0] != '\0')
        used += (size_t)snprintf(line + used, SC_REPORT_LINE_BYTES - used,
                                 " in each draw; the total is a sum of %.24s", draws);
    if (half[0] != '\0')
        used = (size_t)snprintf(line, SC_REPORT_LINE_BYTES,
                                "a group of %.24s units is shown with a chance of 50 %%, "
                                "one of %.24s with 95 %%",
                                half, most);
    if (others[0] != '\0')
        used += (size_t)snprintf(line + used, SC_REPORT_LINE_BYTES - used,
                                 "; other mechanisms need for 50 %% at this cost: %.250s",
                                 others);
    if (strcmp(copies, "1") != 0)
        snprintf(line + used, SC_REPORT_LINE_BYTES - used,
                 "%scharged %.24s times: one %.256s can change %.24s of its draws",
                 used == 0 ? "" : "; ", copies, sc_report_get(label, "protection.unit"),
                 copies);
}

void sc_report_percent(const scrim_label *label, char text[SC_BOUND_BYTES])
{
    const double guess = sc_number_view(sc_report_get(label, "cost.guess"));
    if (guess < 1)
        snprintf(text, SC_BOUND_BYTES, "%.1f %%", 100 * guess);
    else
        snprintf(text, SC_BOUND_BYTES, "> 99.9 %%");
}

#define PLACE_BYTES 24

/* Memory of the texts. */
struct sc_report_memory {
    scrim_result *result;
    scrim_hierarchy *tree;
    scrim_vault_release release;
    scrim_measurement *measurement;
    scrim_answer *answer;
    sc_sheet_note note;
    char (*ends)[SCRIM_ANSWER_BYTES]; /* two a value, of a tree three */
    char (*places)[PLACE_BYTES];
    size_t *rows; /* that are shown; NULL: all */
};

static bool make_sheet(sc_report_sheet *sheet, size_t columns, size_t rows)
{
    sheet->columns = calloc(columns + 1, sizeof *sheet->columns);
    sheet->cells = calloc(columns * rows + 1, sizeof *sheet->cells);
    sheet->column_count = columns;
    sheet->row_count = rows;
    return sheet->columns != NULL && sheet->cells != NULL;
}

static bool make_sheets(sc_report_values *values, size_t count)
{
    values->sheets = calloc(count + 1, sizeof *values->sheets);
    values->count = values->sheets == NULL ? 0 : count;
    return values->sheets != NULL;
}

/* Values of a query. */

/* A page is for people, as a table is (result_writer.h); its dots are numbers. */
static sc_report_cell report_cell(const scrim_result_cell *cell)
{
    if (cell->low == NULL)
        return (sc_report_cell){.text = cell->is_all    ? "(all)"
                                        : cell->is_null ? "NULL"
                                                        : cell->value};
    const scrim_result_words words = scrim_result_cell_words(cell);
    if (cell->is_open)
        return (sc_report_cell){.text = "",
                                .low = "",
                                .high = "",
                                .is_open = true,
                                .is_outside =
                                    cell->low[0] != '\0' || cell->high[0] != '\0'};
    if (sc_cell_is_outside(cell))
        return (sc_report_cell){.text = "", .low = "", .high = "", .is_outside = true};
    return (sc_report_cell){.text = cell->is_beyond ? "0" : words.value,
                            .low = words.low,
                            .high = words.high,
                            .is_beyond = cell->is_beyond != 0};
}

static bool fill_sheet(const scrim_result *result, size_t statement,
                       sc_report_sheet *sheet)
{
    const size_t columns = scrim_result_columns(result, statement);
    if (!make_sheet(sheet, columns, scrim_result_rows(result, statement)))
        return false;
    for (size_t i = 0; i < columns; i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        const bool is_date = column->kind == SCRIM_OUTPUT_DATE_VALUE ||
                             column->kind == SCRIM_OUTPUT_TIMESTAMP_VALUE;
        sheet->columns[i] = (sc_report_column){
            column->name, column->kind == SCRIM_OUTPUT_VALUE || is_date, is_date,
            column->is_certain != 0};
        for (size_t row = 0; row < sheet->row_count; row++) {
            const scrim_result_cell *cell =
                scrim_result_cell_at(result, statement, row, i);
            sheet->cells[row * columns + i] = report_cell(cell);
        }
    }
    return true;
}

static scrim_status read_query(sc_report_values *out, scrim_error *error)
{
    const struct sc_report_memory *memory = out->memory;
    scrim_result_facts facts;
    scrim_result_describe(memory->result, &facts);
    out->confidence = facts.confidence;
    if (!make_sheets(out, facts.statements))
        return sc_out_of_memory(error, "what was released");
    for (size_t i = 0; i < out->count; i++)
        if (!fill_sheet(memory->result, i, &out->sheets[i]))
            return sc_out_of_memory(error, "what was released");
    return SCRIM_OK;
}

/* Counts of a tree as they are published: they add up and are at least 0. */

/* Texts of a value and its interval. */
static sc_report_cell count_cell(struct sc_report_memory *memory, size_t place,
                                 const scrim_hierarchy_node *node)
{
    char(*texts)[SCRIM_ANSWER_BYTES] = &memory->ends[3 * place];
    int64_t low, high;
    sc_tree_view_interval(node, &low, &high);
    snprintf(texts[0], sizeof texts[0], "%" PRId64, node->count);
    snprintf(texts[1], sizeof texts[1], "%" PRId64, low);
    snprintf(texts[2], sizeof texts[2], "%" PRId64, high);
    return (sc_report_cell){.text = texts[0], .low = texts[1], .high = texts[2]};
}

static sc_report_cell key_cell(const char *key)
{
    return (sc_report_cell){.text = key == NULL ? "NULL" : key};
}

/* The groups of a level. */
static bool fill_level(struct sc_report_memory *memory, const sc_tree_view *view,
                       size_t level, size_t *place, sc_report_sheet *sheet)
{
    const size_t first = view->levels[level].first, columns = level + 1;
    if (!make_sheet(sheet, columns, view->levels[level].count))
        return false;
    for (size_t i = 0; i < level; i++)
        sheet->columns[i].name = view->levels[i + 1].name;
    sheet->columns[level] = (sc_report_column){.name = "count", .is_number = true};
    for (size_t row = 0; row < sheet->row_count; row++) {
        const char *keys[SC_TREE_VIEW_LEVELS];
        scrim_hierarchy_node node;
        sc_tree_view_keys(view, first + row, keys);
        scrim_hierarchy_node_at(view->tree, first + row, &node);
        for (size_t i = 0; i < level; i++)
            sheet->cells[row * columns + i] = key_cell(keys[i]);
        sheet->cells[row * columns + level] = count_cell(memory, (*place)++, &node);
    }
    return true;
}

/* The cells of a table, of all groups of the last level. */
static bool fill_table(struct sc_report_memory *memory, const sc_tree_view *view,
                       size_t table, size_t *place, sc_report_sheet *sheet)
{
    const scrim_hierarchy_table *t = &view->tables[table];
    const size_t level = view->facts.levels - 1, columns = level + t->columns + 1;
    const scrim_hierarchy_level *last = &view->levels[level];
    if (!make_sheet(sheet, columns, last->count * t->cells))
        return false;
    for (size_t i = 0; i < columns - 1; i++)
        sheet->columns[i].name =
            i < level ? view->levels[i + 1].name : t->names[i - level];
    sheet->columns[columns - 1] = (sc_report_column){.name = "count", .is_number = true};
    for (size_t row = 0; row < sheet->row_count; row++) {
        const char *keys[SC_TREE_VIEW_LEVELS];
        const size_t node = last->first + row / t->cells;
        scrim_hierarchy_cell cell;
        sc_tree_view_keys(view, node, keys);
        scrim_hierarchy_cell_at(view->tree, table, node, row % t->cells, &cell);
        for (size_t i = 0; i < columns - 1; i++)
            sheet->cells[row * columns + i] =
                key_cell(i < level ? keys[i] : cell.keys[i - level]);
        sheet->cells[(row + 1) * columns - 1] =
            count_cell(memory, (*place)++,
                       &(scrim_hierarchy_node){
                           .count = cell.count, .low = cell.low, .high = cell.high});
    }
    return true;
}

/* A batch of counts by groups within groups can be read as a tree, but was only released as one where its columns have
 * the names that 'microdata release' gives them. */
static bool is_tree(const scrim_result *result)
{
    scrim_result_facts facts;
    unsigned table, level;
    scrim_result_describe(result, &facts);
    for (size_t i = 0; i < facts.statements; i++) {
        const size_t columns = scrim_result_columns(result, i);
        const char *name = scrim_result_column_at(result, i, columns - 1)->name;
        if (strcmp(name, "group_count") != 0 &&
            sscanf(name, "table%3u_level%3u", &table, &level) != 2)
            return false;
    }
    return facts.statements > 1;
}

static scrim_status read_tree(sc_report_values *out, scrim_error *error)
{
    struct sc_report_memory *memory = out->memory;
    sc_tree_view view;
    sc_tree_view_init(&view, memory->tree);
    const size_t levels = view.facts.levels, tables = view.facts.tables;
    size_t count = view.facts.nodes, place = 0;
    for (size_t i = 0; i < tables; i++)
        count += view.levels[levels - 1].count * view.tables[i].cells;
    memory->ends = calloc(3 * count + 1, sizeof *memory->ends);
    if (memory->ends == NULL || !make_sheets(out, levels + tables))
        return sc_out_of_memory(error, "what was released");
    out->confidence = view.facts.confidence;
    out->is_tree = true;
    for (size_t i = 0; i < levels + tables; i++)
        if (!(i < levels
                  ? fill_level(memory, &view, i, &place, &out->sheets[i])
                  : fill_table(memory, &view, i - levels, &place, &out->sheets[i])))
            return sc_out_of_memory(error, "what was released");
    return SCRIM_OK;
}

/* Values of a measurement. */

static scrim_status read_answer(struct sc_report_memory *memory, scrim_error *error)
{
    const scrim_vault_release *release = &memory->release;
    SC_TRY(scrim_measurement_parse(scrim_synth_compared(release->measurement),
                                   &memory->measurement, error));
    SC_TRY(scrim_answer_parse(memory->measurement, release->answer, release->id,
                              &memory->answer, error));
    return sc_sheet_note_parse(release->note, &memory->note, error);
}

/* Its label, or which one it is. */
static const char *name_of(const sc_answer_row *row, size_t row_index,
                           char place[PLACE_BYTES])
{
    if (row->label != NULL && row->label != row->number)
        return row->label;
    if (row->label != NULL)
        snprintf(place, PLACE_BYTES, "%s", row->label);
    else
        snprintf(place, PLACE_BYTES, "%zu", row_index + 1);
    return place;
}

static void fill_answer(struct sc_report_memory *memory, const sc_answer_sheet *answer,
                        sc_report_sheet *sheet)
{
    sc_answer_row row;
    for (size_t i = 0; i < sheet->row_count; i++) {
        char *low = memory->ends[2 * i], *high = memory->ends[2 * i + 1];
        sc_answer_row_get(answer, sc_answer_row_index(answer, i), &row);
        sheet->cells[2 * i].text = name_of(&row, i, memory->places[i]);
        sheet->cells[2 * i + 1].text = row.value;
        if (row.has_interval) {
            memcpy(low, row.low, sizeof row.low);
            memcpy(high, row.high, sizeof row.high);
            sheet->cells[2 * i + 1].low = low;
            sheet->cells[2 * i + 1].high = high;
            sheet->columns[1].is_number = true;
        }
    }
}

static scrim_status make_rows(sc_report_values *out, const sc_answer_sheet *answer,
                              scrim_error *error)
{
    struct sc_report_memory *memory = out->memory;
    const sc_sheet_note *note = &memory->note;
    const size_t count = sc_answer_row_count(answer);
    memory->ends = calloc(2 * count + 1, sizeof *memory->ends);
    memory->places = calloc(count + 1, sizeof *memory->places);
    if (memory->ends == NULL || memory->places == NULL || !make_sheets(out, 1) ||
        !make_sheet(&out->sheets[0], 2, count))
        return sc_out_of_memory(error, "what was released");
    out->sheets[0].columns[0].name =
        note->label_name != NULL ? note->label_name : "place";
    out->sheets[0].columns[1].name = note->name != NULL ? note->name : "value";
    fill_answer(memory, answer, &out->sheets[0]);
    if (out->sheets[0].columns[1].is_number)
        out->confidence = note->confidence;
    return SCRIM_OK;
}

static scrim_status read_run(sc_report_values *out, scrim_error *error)
{
    struct sc_report_memory *memory = out->memory;
    const sc_sheet_note *note = &memory->note;
    scrim_certificate certificate = {.form = SCRIM_CERTIFICATE_NONE};
    SC_TRY(read_answer(memory, error));
    const size_t count = scrim_answer_count(memory->answer);
    if (scrim_measurement_certify(memory->measurement, note->confidence,
                                  note->count > 0 ? note->count : count, &certificate,
                                  NULL) != SCRIM_OK)
        certificate = (scrim_certificate){.form = SCRIM_CERTIFICATE_NONE};
    sc_answer_sheet answer = {.answer = memory->answer,
                              .certificate = &certificate,
                              .source = memory->measurement,
                              .labels = note->labels,
                              .label_count = note->label_count};
    SC_TRY(sc_answer_rows_new(&answer, &memory->rows, &answer.row_count, error));
    answer.rows = memory->rows;
    return make_rows(out, &answer, error);
}

/* Either. */

static scrim_status begin(sc_report_values *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    out->confidence = "";
    out->memory = calloc(1, sizeof *out->memory);
    return out->memory == NULL ? sc_out_of_memory(error, "what was released") : SCRIM_OK;
}

/* Synthetic rows and bodies are no values of their own. */
static scrim_status fill(sc_report_values *out, bool is_synth, scrim_status status,
                         scrim_error *error)
{
    if (status == SCRIM_OK && !is_synth)
        status = out->memory->tree != NULL     ? read_tree(out, error)
                 : out->memory->result != NULL ? read_query(out, error)
                                               : read_run(out, error);
    if (status != SCRIM_OK)
        sc_report_values_clear(out);
    return status;
}

scrim_status sc_report_values_read(scrim_vault *vault, uint64_t id, sc_report_values *out,
                                   scrim_error *error)
{
    scrim_status status = begin(out, error);
    if (status == SCRIM_OK)
        status = scrim_vault_replay(vault, id, &out->memory->release, error);
    if (status == SCRIM_OK)
        status = scrim_vault_view(vault, id, error);
    if (status == SCRIM_OK && strncmp(out->memory->release.measurement, "query ", 6) == 0)
        status = scrim_query_replay(vault, id, NULL, &out->memory->result, error);
    if (status == SCRIM_OK && out->memory->result != NULL && is_tree(out->memory->result))
        status = scrim_hierarchy_replay(vault, id, NULL, &out->memory->tree, error);
    return fill(out,
                status == SCRIM_OK &&
                    (scrim_synth_is_measurement(out->memory->release.measurement) ||
                     scrim_body_is_measurement(out->memory->release.measurement)),
                status, error);
}

scrim_status sc_report_values_of(const scrim_label *label, sc_report_values *out,
                                 scrim_error *error)
{
    const char *kind = scrim_label_get(label, "release.kind");
    scrim_status status = begin(out, error);
    if (status == SCRIM_OK)
        status = kind != NULL && strcmp(kind, "query") == 0
                     ? scrim_label_result(label, &out->memory->result, error)
                     : scrim_label_release(label, &out->memory->release, error);
    if (status == SCRIM_OK && out->memory->result != NULL && is_tree(out->memory->result))
        status = scrim_label_hierarchy(label, NULL, &out->memory->tree, error);
    return fill(out,
                kind != NULL && (strcmp(kind, "synthetic") == 0 ||
                                 strcmp(kind, "floating body") == 0),
                status, error);
}

void sc_report_values_clear(sc_report_values *values)
{
    struct sc_report_memory *memory = values->memory;
    for (size_t i = 0; i < values->count; i++) {
        free(values->sheets[i].columns);
        free(values->sheets[i].cells);
    }
    free(values->sheets);
    if (memory != NULL) {
        sc_sheet_note_clear(&memory->note);
        scrim_answer_free(memory->answer);
        scrim_measurement_free(memory->measurement);
        scrim_vault_release_clear(&memory->release);
        scrim_result_free(memory->result);
        scrim_hierarchy_free(memory->tree);
        free(memory->ends);
        free(memory->places);
        free(memory->rows);
        free(memory);
    }
    memset(values, 0, sizeof *values);
}
