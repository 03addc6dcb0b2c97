#include "local/collect/config_advice.h"

#include "base/text.h"
#include "local/device/kind.h"

#include <stdio.h>
#include <string.h>

/* The words of a configuration in their order; word i has bit i of sl_kind.words. */
static const char *const words[] = {
    "values", "a",    "b",    "field",    "digits", "chosen", "blocks", "order",
    "width",  "keep", "flip", "text",     "cells",  "bits",   "hashes", "cohorts",
    "f",      "p",    "q",    "prefixes", "epoch",  "metric"};
#define WORDS (sizeof words / sizeof *words)
#define LIST_BYTES 160

static scrim_status refuse_head(sc_text given, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "config",
                       "'%s' begins no configuration of local reports; it is one line "
                       "that begins with scrim-local/1 or scrim-local/2",
                       sc_text_quote(given, quote));
}

static scrim_status refuse_word(sc_text given, const char *wanted, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (given.start != NULL && given.bytes == 0)
        return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "config",
                           "the configuration has two spaces, or one at its end, before "
                           "%s; one space stands between words",
                           wanted);
    if (given.bytes == 0)
        return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "config",
                           "the configuration ends before %s", wanted);
    return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "config",
                       "'%s' of the configuration is not in its place; %s belongs there, "
                       "and one space between words",
                       sc_text_quote(given, quote), wanted);
}

static scrim_status refuse_protocol(sc_text name, scrim_error *error)
{
    const char *names[SCRIM_LOCAL_CONDENSED];
    char quote[SC_TEXT_QUOTE_BYTES];
    size_t count = 0;
    for (uint32_t i = 1; i <= SCRIM_LOCAL_CONDENSED; i++)
        if (scrim_local_protocol_name(i) != NULL)
            names[count++] = scrim_local_protocol_name(i);
    const char *nearest = sc_text_nearest(name, names, count);
    (void)sc_text_quote(name, quote);
    if (nearest != NULL)
        return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_MISSPELT, "config",
                           "unknown protocol '%s'; did you mean %s?", quote, nearest);
    return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_UNKNOWN, "config",
                       "unknown protocol '%s'; use randomised-response, or another one "
                       "that scrim_local.h lists",
                       quote);
}

static const sl_kind *kind_named(sc_text name)
{
    for (uint32_t i = 1; i <= SCRIM_LOCAL_CONDENSED; i++)
        if (scrim_local_protocol_name(i) != NULL &&
            sc_text_is(name, scrim_local_protocol_name(i)))
            return sl_kind_of(i);
    return NULL;
}

/* The next word of the line, and takes it away. */
static sc_text next_word(sc_text *rest)
{
    sc_text word;
    if (sc_text_split(*rest, ' ', &word, rest))
        return word;
    word = *rest;
    *rest = (sc_text){NULL, 0};
    return word;
}

/* Does the word begin with "name="? */
static bool has_name(sc_text word, const char *name)
{
    const size_t bytes = strlen(name);
    return word.bytes > bytes && memcmp(word.start, name, bytes) == 0 &&
           word.start[bytes] == '=';
}

static bool is_number(sc_text text)
{
    uint64_t number;
    return sc_text_uint64(text, &number) && (text.bytes == 1 || text.start[0] != '0');
}

/* The members of a protocol, each in its place. */
static scrim_status refuse_members(const sl_kind *kind, sc_text rest, scrim_error *error)
{
    char wanted[LIST_BYTES];
    for (size_t i = 0; i < WORDS; i++) {
        if ((kind->words >> i & 1) == 0)
            continue;
        const sc_text word = next_word(&rest);
        snprintf(wanted, sizeof wanted, "%s=", words[i]);
        if (!has_name(word, words[i]))
            return refuse_word(word, wanted, error);
        const size_t behind = strlen(words[i]) + 1;
        const sc_text value = {word.start + behind, word.bytes - behind};
        snprintf(wanted, sizeof wanted, "%s= and a whole number without leading zeros",
                 words[i]);
        if (strcmp(words[i], "prefixes") != 0 && !is_number(value))
            return refuse_word(word, wanted, error);
    }
    if (rest.bytes > 0)
        return refuse_word(rest, "the end of the line", error);
    return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "config",
                       "the configuration must be one line, with nothing behind it");
}

static scrim_status refuse_syntax(sc_text line, scrim_error *error)
{
    const sc_text head = next_word(&line);
    if (!sc_text_is(head, "scrim-local/1") && !sc_text_is(head, "scrim-local/2"))
        return refuse_head(head, error);
    const sc_text question = next_word(&line);
    if (!has_name(question, "question") || question.bytes == strlen("question="))
        return refuse_word(question, "question= and a name of a-z, 0-9, - and .", error);
    const sc_text protocol = next_word(&line);
    if (!has_name(protocol, "protocol"))
        return refuse_word(protocol, "protocol=", error);
    const size_t behind = strlen("protocol=");
    const sc_text name = {protocol.start + behind, protocol.bytes - behind};
    const sl_kind *kind = kind_named(name);
    if (kind == NULL)
        return refuse_protocol(name, error);
    if (sc_text_is(head, "scrim-local/2") && (kind->words & SL_CELLS) == 0)
        return refuse_word(head, "scrim-local/1", error);
    return refuse_members(kind, line, error);
}

scrim_status sc_config_refuse(const char *text, scrim_local_status parsed,
                              scrim_error *error)
{
    sc_text line = sc_text_of(text), after;
    switch (parsed) {
    case SCRIM_LOCAL_E_SYNTAX:
        break;
    case SCRIM_LOCAL_E_LIMIT:
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "config",
                           "the configuration has a number above a size limit");
    case SCRIM_LOCAL_OK:
    case SCRIM_LOCAL_E_PARAM:
    case SCRIM_LOCAL_E_ENTROPY:
    case SCRIM_LOCAL_E_STATE:
    case SCRIM_LOCAL_E_POLICY:
    case SCRIM_LOCAL_E_PERIOD:
    case SCRIM_LOCAL_E_ANSWERED:
    case SCRIM_LOCAL_E_BUDGET:
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "config",
                           "the configuration has numbers that its protocol does not "
                           "allow");
    }
    (void)sc_text_split(line, '\n', &line, &after);
    if (line.bytes > 0 && line.start[line.bytes - 1] == '\r')
        return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "config",
                           "the configuration ends with a carriage return; it must end "
                           "with a newline alone");
    return refuse_syntax(line, error);
}
