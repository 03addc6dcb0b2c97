#include "feed_cells.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 48

const char feed_cells_policy[] = "column=x=int[-50,50]\n"
                                 "column=y=decimal[-10,10]/0.01\n"
                                 "column=b=bool\n"
                                 "column=d=date[2020-01-01,2020-12-31]\n"
                                 "column=e=timestamp[2020-01-01,2020-12-31]/1800\n"
                                 "column=t=text\n"
                                 "column=k=text\n"
                                 "keys=k=red,green,blue\n"
                                 "zone=+02:00\n";

/* Formats of each column; a star has a dictionary. */
static const char *const formats[FEED_COLUMNS][12] = {
    {"l", "i", "S", "u", "U", "vu", "*u", "*l", "d:9,0"},
    {"l", "i", "s", "g", "f", "e", "d:7,1", "u", "*l", "vu", "*g"},
    {"g", "f", "d:9,3", "d:38,10", "u", "*g", "*d:9,3", "U"},
    {"b", "c", "u", "*b", "L"},
    {"tdD", "tdm", "tss:", "tsn:", "u", "*tdD"},
    {"tss:", "tsm:", "tsu:UTC", "tsn:", "tdD", "u", "*tsm:"},
    {"u", "U", "vu", "*u", "*U", "*vu"},
    {"u", "*u", "vu", "*u"}};
static const char names[] = "pxybdetk";
static const char *const indices[] = {"c", "C", "s", "S", "i", "I", "l", "L"};

static uint64_t below(sc_bits *bits, uint64_t n)
{
    uint64_t word = 0;
    CHECK_STATUS(sc_bits_word(bits, &word, NULL), SCRIM_OK);
    return word % n;
}

static bool is_fraction(const char *format)
{
    return strchr("gfed", format[0]) != NULL;
}

/* "2020-05-17" and, where the format has them, a time and a zone. */
static void write_moment(char *text, const char *format, sc_bits *bits)
{
    const uint64_t day = below(bits, 20), hour = below(bits, 24);
    int length = snprintf(text, TEXT_BYTES, "20%02d-%02d-%02d", (int)below(bits, 3) + 19,
                          (int)below(bits, 12) + 1, (int)day + 1);
    if (format[0] == 't' && format[1] == 's')
        length += snprintf(text + length, TEXT_BYTES - 20, " %02d:%02d:%02d", (int)hour,
                           (int)below(bits, 60), (int)below(bits, 60));
    if (format[0] == 't' && format[1] == 's' && format[2] != 's' && below(bits, 2) == 0)
        length += snprintf(text + length, 8, ".%03d", (int)below(bits, 1000));
    if (format[0] == 't' && format[1] == 's' && format[4] != '\0')
        snprintf(text + length, 8, "Z");
}

static void write_text(char *text, sc_bits *bits)
{
    static const char *const words[] = {"",     "a",         "bb",
                                        "Oslo", "São Paulo", "a text of more than a word",
                                        "1",    "true",      "x,\"y\""};
    snprintf(text, TEXT_BYTES, "%s", words[below(bits, COUNT(words))]);
}

static void write_cell(char column, const char *format, char *text, sc_bits *bits)
{
    static const char *const colours[] = {"red", "green", "blue", "mauve"};
    const char *flags[] = {"false", "true"}, *numbers[] = {"0", "1"};
    const int whole = (int)below(bits, 200) - 100;
    const char *sign = below(bits, 2) == 0 ? "-" : "";
    switch (column) {
    case 'p':
        snprintf(text, TEXT_BYTES, "%d", (int)below(bits, 30));
        break;
    case 'x': /* halves, where the type has them */
        snprintf(text, TEXT_BYTES, "%d%s", whole,
                 is_fraction(format) && below(bits, 3) == 0 ? ".5" : "");
        break;
    case 'y':
        snprintf(text, TEXT_BYTES, "%s%d.%03d", sign, (int)below(bits, 12),
                 (int)below(bits, 200) * 5);
        break;
    case 'b':
        snprintf(text, TEXT_BYTES, "%s",
                 strchr("cL", format[0]) != NULL ? numbers[below(bits, 2)]
                                                 : flags[below(bits, 2)]);
        break;
    case 'd':
    case 'e':
        write_moment(text, format, bits);
        break;
    case 't':
        write_text(text, bits);
        break;
    default:
        snprintf(text, TEXT_BYTES, "%s", colours[below(bits, COUNT(colours))]);
    }
}

static bool make_column(feed_cells *cells, size_t column, sc_bits *bits)
{
    size_t count = 0;
    while (count < COUNT(formats[column]) && formats[column][count] != NULL)
        count++;
    const char *format = formats[column][below(bits, count)];
    const bool has_dictionary = format[0] == '*';
    format += has_dictionary;
    cells->texts[column] = calloc(cells->rows + 1, sizeof *cells->texts[column]);
    if (!CHECK(cells->texts[column] != NULL))
        return false;
    cells->columns[column] = (arrow_cells){
        .name = (const char *[]){"p", "x", "y", "b", "d", "e", "t", "k"}[column],
        .format = format,
        /* Few enough values for the narrowest index. */
        .index = has_dictionary ? indices[below(bits, COUNT(indices))] : NULL,
        .texts = cells->texts[column]};
    if (has_dictionary && cells->rows > 100)
        cells->columns[column].index = "i";
    for (size_t row = 0; row < cells->rows; row++) {
        char *text = cells->memory + TEXT_BYTES * (FEED_COLUMNS * row + column);
        write_cell(names[column], format, text, bits);
        cells->texts[column][row] = below(bits, 16) == 0 ? NULL : text;
    }
    return true;
}

bool feed_cells_make(feed_cells *cells, sc_bits *bits, size_t rows)
{
    *cells = (feed_cells){.rows = rows,
                          .memory = calloc(rows + 1, (size_t)FEED_COLUMNS * TEXT_BYTES)};
    bool is_made = CHECK(cells->memory != NULL);
    for (size_t i = 0; is_made && i < FEED_COLUMNS; i++)
        is_made = make_column(cells, i, bits);
    return is_made;
}

void feed_cells_clear(feed_cells *cells)
{
    for (size_t i = 0; i < FEED_COLUMNS; i++)
        free(cells->texts[i]);
    free(cells->memory);
}

void feed_cells_shuffle(feed_cells *cells, sc_bits *bits)
{
    for (size_t row = cells->rows; row > 1; row--) {
        const size_t other = (size_t)below(bits, row);
        for (size_t i = 0; i < FEED_COLUMNS; i++) {
            const char *text = cells->texts[i][row - 1];
            cells->texts[i][row - 1] = cells->texts[i][other];
            cells->texts[i][other] = text;
        }
    }
}

/* Texts are quoted, since an empty one is a text; what is missing is nothing at all. */
static void write_field(FILE *file, const char *text, bool is_text)
{
    if (text != NULL && !is_text) {
        fputs(text, file);
    } else if (text != NULL) {
        fputc('"', file);
        for (; *text != '\0'; text++)
            fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
        fputc('"', file);
    }
}

bool feed_cells_csv(const feed_cells *cells, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL))
        return false;
    fputs("p,x,y,b,d,e,t,k\n", file);
    for (size_t row = 0; row < cells->rows; row++)
        for (size_t i = 0; i < FEED_COLUMNS; i++) {
            write_field(file, cells->texts[i][row], i >= FEED_COLUMNS - 2);
            fputc(i + 1 < FEED_COLUMNS ? ',' : '\n', file);
        }
    return CHECK(fclose(file) == 0);
}

static int bind_cell(sqlite3_stmt *insert, int at, const char *format, const char *text)
{
    if (text == NULL)
        return sqlite3_bind_null(insert, at);
    if (strchr("cCsSiIlL", format[0]) != NULL && format[1] == '\0')
        return sqlite3_bind_int64(insert, at, strtoll(text, NULL, 10));
    if (strchr("gfe", format[0]) != NULL)
        return sqlite3_bind_double(insert, at, strtod(text, NULL));
    return sqlite3_bind_text(insert, at, text, -1, SQLITE_STATIC);
}

bool feed_cells_sqlite(const feed_cells *cells, const char *path)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *insert = NULL;
    int code = sqlite3_open(path, &database);
    if (code == SQLITE_OK)
        code = sqlite3_exec(database, "CREATE TABLE t(p,x,y,b,d,e,t,k);BEGIN", NULL, NULL,
                            NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(database, "INSERT INTO t VALUES(?,?,?,?,?,?,?,?)", -1,
                                  &insert, NULL);
    for (size_t row = 0; code == SQLITE_OK && row < cells->rows; row++) {
        for (size_t i = 0; code == SQLITE_OK && i < FEED_COLUMNS; i++)
            code = bind_cell(insert, (int)i + 1, cells->columns[i].format,
                             cells->texts[i][row]);
        if (code == SQLITE_OK && sqlite3_step(insert) != SQLITE_DONE)
            code = SQLITE_ERROR;
        (void)sqlite3_reset(insert);
    }
    (void)sqlite3_finalize(insert);
    if (code == SQLITE_OK)
        code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    (void)sqlite3_close(database);
    return CHECK_INT(code, SQLITE_OK);
}
