#include "cli/mechanism/draw_writer.h"

#include "cli/display/box.h"
#include "cli/terminal/command.h"
#include "cli/terminal/complaint.h"

#include <stdlib.h>
#include <string.h>

#ifdef SCRIM_TESTING
#include "random/bits_tape.h"
#include "sampling/distribution_tape.h"

static scrim_status use_seed(sc_noise *noise, const sc_options *options,
                             scrim_error *error)
{
    SC_TRY(sc_options_tape(options, &noise->tape, error));
    sc_distribution_use_bits(noise->distribution, sc_tape_bits_of(noise->tape));
    return SCRIM_OK;
}
#endif

scrim_status sc_noise_open(char *const *words, size_t word_count,
                           const sc_options *options, sc_noise *out, scrim_error *error)
{
    (void)options; /* the installed program draws from the operating system, whatever is
                      said */
    memset(out, 0, sizeof *out);
    char *line = sc_word_line(words, word_count);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    scrim_status status = scrim_distribution_parse(line, &out->distribution, error);
#ifdef SCRIM_TESTING
    if (status == SCRIM_OK)
        status = use_seed(out, options, error);
#endif
    if (status != SCRIM_OK)
        sc_noise_close(out);
    free(line);
    return status;
}

void sc_noise_close(sc_noise *noise)
{
    scrim_distribution_free(noise->distribution);
    noise->distribution = NULL;
#ifdef SCRIM_TESTING
    sc_tape_free(noise->tape);
    noise->tape = NULL;
#endif
}

#define HEADING "value"

/* One row of any form. */

static void write_table_row(sc_draw_writer *writer, const char *digits, size_t length)
{
    sc_output *output = writer->output;
    sc_output_text(output, sc_box_upright(writer->utf8));
    sc_output_repeat(output, " ",
                     length < writer->width ? writer->width - length + 1 : 1);
    sc_output_bytes(output, digits, length);
    sc_output_format(output, " %s\n", sc_box_upright(writer->utf8));
}

static void write_row(sc_draw_writer *writer, const char *digits)
{
    sc_json *json = &writer->json;
    if (writer->form == SCRIM_DRAWS_TABLE) {
        write_table_row(writer, digits, strlen(digits));
        return;
    }
    if (writer->form != SCRIM_DRAWS_JSON && writer->form != SCRIM_DRAWS_JSONL) {
        sc_output_text(writer->output, digits);
        sc_output_text(writer->output, "\n");
        return;
    }
    sc_json_object(json, NULL);
    if (writer->form == SCRIM_DRAWS_JSONL)
        sc_json_mark(json);
    sc_json_number(json, "value", digits);
    sc_json_end(json);
}

/* The widest of the first draws decides how wide the table is; were a later one wider,
 * its row would stick out, and say the same. */
static void begin_table(sc_draw_writer *writer, size_t widest)
{
    writer->width = widest > strlen(HEADING) ? widest : strlen(HEADING);
    writer->begun = true;
    sc_box_rule_write(writer->output, SCRIM_RULE_TOP, &writer->width, 1, writer->utf8);
    write_table_row(writer, HEADING, strlen(HEADING));
    sc_box_rule_write(writer->output, SCRIM_RULE_MIDDLE, &writer->width, 1, writer->utf8);
}

/* Draws of 64 bits. */

/* The path of most draws: a newline after each, a stretch of the buffer at a
 * time. */
static void write_lines(sc_output *output, const int64_t *draws, size_t count)
{
    enum { STRETCH = 1024 };
    while (count > 0) {
        size_t some = count < STRETCH ? count : STRETCH;
        char *at = sc_output_reserve(output, some * (SC_INT64_CHARS + 1));
        for (size_t i = 0; i < some; i++) {
            at = sc_int64_write(at, draws[i]);
            *at++ = '\n';
        }
        sc_output_advance(output, at);
        draws += some;
        count -= some;
    }
}

static void write_narrow_rows(sc_draw_writer *writer, const int64_t *draws, size_t count)
{
    char digits[SC_INT64_CHARS + 1];
    if (writer->form == SCRIM_DRAWS_TABLE && !writer->begun) {
        size_t widest = 0;
        for (size_t i = 0; i < count; i++) {
            size_t length = (size_t)(sc_int64_write(digits, draws[i]) - digits);
            widest = length > widest ? length : widest;
        }
        begin_table(writer, widest);
    }
    for (size_t i = 0; i < count; i++) {
        *sc_int64_write(digits, draws[i]) = '\0';
        write_row(writer, digits);
    }
}

void sc_draw_writer_narrow(sc_draw_writer *writer, const int64_t *draws, size_t count)
{
    switch (writer->form) {
    case SCRIM_DRAWS_LINES:
    case SCRIM_DRAWS_CSV:
        write_lines(writer->output, draws, count);
        break;
    case SCRIM_DRAWS_BINARY:
        sc_output_bytes(writer->output, draws, count * sizeof draws[0]);
        break;
    case SCRIM_DRAWS_TABLE:
    case SCRIM_DRAWS_JSON:
    case SCRIM_DRAWS_JSONL:
        write_narrow_rows(writer, draws, count);
        break;
    case SCRIM_DRAWS_NONE:
        break;
    }
}

/* Draws of any width. */

void sc_draw_writer_wide(sc_draw_writer *writer, const scrim_wide *draws, size_t count)
{
    char digits[SCRIM_WIDE_BYTES];
    if (writer->form == SCRIM_DRAWS_NONE)
        return;
    if (writer->form == SCRIM_DRAWS_TABLE && !writer->begun) {
        size_t widest = 0;
        for (size_t i = 0; i < count; i++) {
            size_t length = scrim_wide_format(draws[i], digits);
            widest = length > widest ? length : widest;
        }
        begin_table(writer, widest);
    }
    for (size_t i = 0; i < count; i++) {
        (void)scrim_wide_format(draws[i], digits);
        write_row(writer, digits);
    }
}

/* Before and after. */

void sc_draw_writer_begin(sc_draw_writer *writer, sc_output *output, sc_draw_form form,
                          const sc_terminal *terminal, const char *text)
{
    *writer = (sc_draw_writer){.output = output, .form = form, .utf8 = terminal->utf8};
    sc_json_init(&writer->json, output);
    if (form == SCRIM_DRAWS_CSV) {
        sc_output_text(output, HEADING "\n");
    } else if (form == SCRIM_DRAWS_JSON) {
        sc_json_object(&writer->json, NULL);
        sc_json_mark(&writer->json);
        sc_json_text(&writer->json, "distribution", text);
        sc_json_rows(&writer->json, "rows");
    }
}

void sc_draw_writer_end(sc_draw_writer *writer)
{
    if (writer->form == SCRIM_DRAWS_JSON) {
        sc_json_end(&writer->json);
        sc_json_end(&writer->json);
    } else if (writer->form == SCRIM_DRAWS_TABLE) {
        if (!writer->begun)
            begin_table(writer, 0);
        sc_box_rule_write(writer->output, SCRIM_RULE_BOTTOM, &writer->width, 1,
                          writer->utf8);
    }
}
