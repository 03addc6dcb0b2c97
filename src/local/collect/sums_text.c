#include "local/collect/sums_text.h"

#include "base/digest.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define LINE_BYTES 96

static void format_hash(const sc_sums *sums, char text[SC_DIGEST_TEXT_BYTES])
{
    sc_digest digest;
    _Static_assert(sizeof digest.bytes == SCRIM_LOCAL_HASH_BYTES, "both are SHA-256");
    memcpy(digest.bytes, sums->config.hash, sizeof digest.bytes);
    sc_digest_format(&digest, text);
}

bool sc_sums_write(sc_sums *sums, sc_sums_writer *writer, void *context)
{
    char line[4 * LINE_BYTES], hash[SC_DIGEST_TEXT_BYTES];
    const uint64_t *counts = sc_sums_counts(sums);
    format_hash(sums, hash);
    int bytes = snprintf(line, sizeof line,
                         SC_SUMS_TEXT_HEAD "config %s\nreports %llu\ndropped %llu\n"
                                           "flagged %llu\ncells %zu\n",
                         hash, (unsigned long long)sums->reports,
                         (unsigned long long)sums->dropped,
                         (unsigned long long)sums->flagged, sums->cells);
    bool is_written = writer(context, line, (size_t)bytes);
    for (size_t i = 0; is_written && i < sums->cells; i++) {
        if (counts[i] == 0)
            continue;
        bytes =
            snprintf(line, sizeof line, "%zu %llu\n", i, (unsigned long long)counts[i]);
        is_written = writer(context, line, (size_t)bytes);
    }
    return is_written && writer(context, "end\n", 4);
}

typedef struct reading {
    sc_text rest;
    size_t line; /* the number of the line that was read last */
} reading;

static bool next_line(reading *r, sc_text *line)
{
    r->line++;
    return sc_text_split(r->rest, '\n', line, &r->rest);
}

/* Decimal without leading zeros. */
static bool number_of(sc_text text, uint64_t *out)
{
    return text.bytes > 0 && (text.bytes == 1 || text.start[0] != '0') &&
           sc_text_uint64(text, out);
}

/* "NAME NUMBER". */
static bool read_named(reading *r, const char *name, uint64_t *out)
{
    sc_text line, word, rest;
    return next_line(r, &line) && sc_text_split(line, ' ', &word, &rest) &&
           sc_text_is(word, name) && number_of(rest, out);
}

static scrim_status wrong_line(const reading *r, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_INPUT,
                   "line %zu is not as sums have it; collect the reports again", r->line);
}

static scrim_status read_head(reading *r, sc_sums *into, scrim_error *error)
{
    char hash[SC_DIGEST_TEXT_BYTES];
    sc_text line, word, rest;
    uint64_t cells = 0;
    format_hash(into, hash);
    if (!next_line(r, &line) || !sc_text_is(line, "scrim-local-sums/1"))
        return wrong_line(r, error);
    if (!next_line(r, &line) || !sc_text_split(line, ' ', &word, &rest) ||
        !sc_text_is(word, "config") || rest.bytes != SC_DIGEST_TEXT_BYTES - 1)
        return wrong_line(r, error);
    if (!sc_text_is(rest, hash))
        return sc_fail(error, SCRIM_E_INPUT, "these sums are of another configuration");
    if (!read_named(r, "reports", &into->reports) ||
        !read_named(r, "dropped", &into->dropped) ||
        !read_named(r, "flagged", &into->flagged) || !read_named(r, "cells", &cells) ||
        into->flagged > into->reports || cells != into->cells)
        return wrong_line(r, error);
    return SCRIM_OK;
}

static scrim_status read_cells(reading *r, sc_sums *into, scrim_error *error)
{
    sc_text line, before, after;
    uint64_t least = 0, place = 0, count = 0;
    for (;;) {
        if (!next_line(r, &line))
            return wrong_line(r, error);
        if (sc_text_is(line, "end") && r->rest.bytes == 0)
            return SCRIM_OK;
        if (!sc_text_split(line, ' ', &before, &after) || !number_of(before, &place) ||
            !number_of(after, &count) || place < least || place >= into->cells ||
            count == 0)
            return wrong_line(r, error);
        into->counts[place] = count;
        least = place + 1;
    }
}

scrim_status sc_sums_read(sc_sums *sums, sc_text text, scrim_error *error)
{
    reading r = {.rest = text};
    /* Counters alone: nothing is added to them report by report. */
    sc_sums read = {.config = sums->config, .layout = sums->layout, .cells = sums->cells};
    read.counts = sc_allocate(read.cells, sizeof *read.counts);
    if (read.counts == NULL)
        return sc_no_memory(error, "sums");
    scrim_status status = read_head(&r, &read, error);
    if (status == SCRIM_OK)
        status = read_cells(&r, &read, error);
    if (status == SCRIM_OK && !read.layout->is_possible(&read))
        status = sc_fail(error, SCRIM_E_INPUT,
                         "the counters are not those of so many reports; collect the "
                         "reports again");
    if (status == SCRIM_OK)
        status = sc_sums_merge(sums, &read, error);
    sc_free(read.counts);
    return status;
}
