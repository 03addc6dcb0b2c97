#include "lab/experiment/experiment_words.h"

#include <stdio.h>
#include <string.h>

#define QUOTED 40 /* characters of a user's word in a message */

static scrim_status check_value(const lab_word_rule *rule, const char *text,
                                lab_quantity *value, scrim_error *error)
{
    int low = 0, high = 0;
    LAB_QUANTITY(end);
    if (!lab_quantity_parse(value, text, strlen(text)))
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, rule->name,
                            "%s: '%.40s' is not a number; %s must be %s", rule->name,
                            text, rule->name, rule->domain);
    if (rule->is_whole && !fmpz_is_one(fmpq_denref(value->exact)))
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, rule->name,
                            "%s: %s is not an integer; %s must be %s", rule->name, text,
                            rule->name, rule->domain);
    (void)lab_quantity_parse(&end, rule->low, strlen(rule->low));
    (void)lab_quantity_compare(value, &end, &low);
    (void)lab_quantity_parse(&end, rule->high, strlen(rule->high));
    (void)lab_quantity_compare(value, &end, &high);
    if (high > 0 && !rule->is_below_high) {
        char limit[LAB_QUANTITY_TEXT_BYTES];
        lab_quantity_format(&end, limit);
        return lab_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, rule->name,
                            "%s: %s is above the limit %s; %s must be %s", rule->name,
                            text, limit, rule->name, rule->domain);
    }
    if (low < (rule->is_above_low ? 1 : 0) || high > (rule->is_below_high ? -1 : 0))
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, rule->name,
                            "%s: %s is not allowed; %s must be %s", rule->name, text,
                            rule->name, rule->domain);
    return SCRIM_OK;
}

static scrim_status fail_unknown(const lab_word_rule *rules, size_t count,
                                 const char *word, int quoted, scrim_error *error)
{
    char names[200] = "";
    for (size_t i = 0, at = 0; i < count && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i == 0 ? "" : ", ",
                               rules[i].name);
    return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "",
                        "unknown parameter '%.*s'; there are: %s", quoted, word, names);
}

static scrim_status take_word(const lab_word_rule *rules, size_t count, const char *word,
                              size_t bytes, lab_word *words, scrim_error *error)
{
    const char *equals = memchr(word, '=', bytes);
    const size_t length = equals == NULL ? bytes : (size_t)(equals - word);
    const int quoted = length < QUOTED ? (int)length : QUOTED;
    size_t i = 0;
    if (equals == NULL)
        return lab_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "",
                            "'%.*s' is not a parameter; write key=value", quoted, word);
    while (i < count &&
           (strlen(rules[i].name) != length || memcmp(rules[i].name, word, length) != 0))
        i++;
    if (i == count)
        return fail_unknown(rules, count, word, quoted, error);
    const size_t most =
        rules[i].is_list ? LAB_WORD_BYTES - 1 : LAB_QUANTITY_TEXT_BYTES - 1;
    if (words[i].text[0] != '\0')
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, rules[i].name,
                            "%s is given twice; give it once", rules[i].name);
    if (bytes - length - 1 > most)
        return lab_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, rules[i].name,
                            "%s has more than %zu characters", rules[i].name, most);
    memcpy(words[i].text, equals + 1, bytes - length - 1);
    if (words[i].text[0] == '\0')
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, rules[i].name,
                            "%s: '' is not a number; %s must be %s", rules[i].name,
                            rules[i].name, rules[i].domain);
    return SCRIM_OK;
}

static scrim_status complete(const lab_word_rule *rule, lab_word *word,
                             scrim_error *error)
{
    if (word->text[0] == '\0' && rule->default_text == NULL)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, rule->name,
                            "%s is missing; give %s=..., %s", rule->name, rule->name,
                            rule->domain);
    if (word->text[0] == '\0')
        (void)snprintf(word->text, sizeof word->text, "%s", rule->default_text);
    return rule->is_list || word->text[0] == '\0'
               ? SCRIM_OK
               : check_value(rule, word->text, &word->value, error);
}

scrim_status lab_words_read(const lab_word_rule *rules, size_t count, const char *line,
                            lab_word *words, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < count; i++) {
        memset(words[i].text, 0, sizeof words[i].text);
        lab_quantity_init(&words[i].value);
    }
    for (size_t bytes; status == SCRIM_OK && *line != '\0'; line += bytes) {
        line += strspn(line, " ");
        bytes = strcspn(line, " ");
        if (bytes > 0)
            status = take_word(rules, count, line, bytes, words, error);
    }
    for (size_t i = 0; i < count && status == SCRIM_OK; i++)
        status = complete(&rules[i], &words[i], error);
    return status;
}

void lab_words_clear(lab_word *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lab_quantity_clear(&words[i].value);
}

bool lab_words_next(const char **at, const char *name, lab_quantity *out,
                    scrim_status *status, scrim_error *error)
{
    const size_t bytes = strcspn(*at, ",");
    int sign = 0;
    LAB_QUANTITY(zero);
    if (**at == '\0')
        return false;
    const bool is_number = lab_quantity_parse(out, *at, bytes) &&
                           lab_quantity_compare(out, &zero, &sign) && sign >= 0;
    if (!is_number)
        *status = lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, name,
                               "%s: '%.*s' is not a number of at least 0; write numbers "
                               "separated by commas, like 1,1.01,3.01",
                               name, bytes < QUOTED ? (int)bytes : QUOTED, *at);
    *at += bytes + ((*at)[bytes] == ',');
    return is_number;
}
