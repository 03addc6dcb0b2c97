#include "local/device/local_config.h"

#include "local/device/device_hash.h"
#include "local/device/integers.h"
#include "local/device/kind.h"
#include "scrim_local.h"

#define LOG_DIGITS 56

/* ln 2 in parts of 2^64, rounded down. */
#define LN_2 UINT64_C(0xB17217F7D1CF79AB)

/* The square of m/2^63, 1 <= m/2^63 < 2, halved where it is 2 or more: that is the digit. With up = 1 it
 * is rounded up. */
static uint32_t square(uint64_t *m, uint32_t up)
{
    const sl_wide product = sl_multiply(*m, *m);
    if (product.high >> 63 != 0) {
        *m = product.high + (product.low != 0 ? up : 0);
        return 1;
    }
    *m = (product.high << 1 | product.low >> 63) + (product.low << 1 != 0 ? up : 0);
    if (*m != 0)
        return 0;
    *m = (uint64_t)1 << 63;
    return 1;
}

/* log2(n) in parts of 2^LOG_DIGITS, n >= 1: at most, or, with up = 1, at least. The error of a squaring
 * counts for less with each digit, so that all of them together are below 2^-61. */
static uint64_t log2_bound(uint64_t n, uint32_t up)
{
    uint32_t whole = 63;
    for (; n >> 63 == 0; n <<= 1)
        whole--;
    uint64_t result = whole;
    const uint32_t exact = n << 1 == 0;
    for (uint32_t i = 0; i < LOG_DIGITS; i++)
        result = result << 1 | square(&n, up);
    return result + (exact ? 0 : up);
}

/* digits * ln 2 / 2^(LOG_DIGITS - 32), rounded as said. */
static uint64_t nats(uint64_t digits, uint32_t up)
{
    const sl_wide product = sl_multiply(digits, LN_2 + up);
    const uint64_t kept = product.high + (product.low != 0 ? up : 0);
    const uint32_t cut = LOG_DIGITS - 32;
    return (kept >> cut) + ((kept & (((uint64_t)1 << cut) - 1)) != 0 ? up : 0);
}

uint64_t sl_log_upper(uint64_t over, uint64_t under)
{
    return over == under ? 0 : nats(log2_bound(over, 1) - log2_bound(under, 0), 1);
}

uint64_t sl_log_lower(uint64_t over, uint64_t under)
{
    const uint64_t least = log2_bound(over, 0), most = log2_bound(under, 1);
    return least > most ? nats(least - most, 0) : 0;
}

const char *scrim_local_status_name(scrim_local_status status)
{
    switch (status) {
    case SCRIM_LOCAL_OK:
        return "ok";
    case SCRIM_LOCAL_E_ENTROPY:
        return "entropy";
    case SCRIM_LOCAL_E_PARAM:
        return "parameter";
    case SCRIM_LOCAL_E_LIMIT:
        return "limit";
    case SCRIM_LOCAL_E_SYNTAX:
        return "syntax";
    case SCRIM_LOCAL_E_STATE:
        return "no report";
    case SCRIM_LOCAL_E_POLICY:
        return "policy";
    case SCRIM_LOCAL_E_PERIOD:
        return "period";
    case SCRIM_LOCAL_E_ANSWERED:
        return "answered";
    case SCRIM_LOCAL_E_BUDGET:
        return "budget";
    }
    return "unknown";
}

/* ---- the words of a configuration ----------------------------------------------------------- */

typedef struct config_word {
    const char *name;
    size_t place; /* of the member */
} config_word;

#define CONFIG_WORD(member)                                                              \
    {                                                                                    \
#member, offsetof(scrim_local_config, member)                                    \
    }
/* Word i has bit i of sl_kind.words. */
static const config_word config_words[] = {
    CONFIG_WORD(values), CONFIG_WORD(a),      CONFIG_WORD(b),      CONFIG_WORD(field),
    CONFIG_WORD(digits), CONFIG_WORD(chosen), CONFIG_WORD(blocks), CONFIG_WORD(order),
    CONFIG_WORD(width),  CONFIG_WORD(keep),   CONFIG_WORD(flip),   CONFIG_WORD(text),
    CONFIG_WORD(cells),  CONFIG_WORD(bits),   CONFIG_WORD(hashes), CONFIG_WORD(cohorts),
    CONFIG_WORD(f),      CONFIG_WORD(p),      CONFIG_WORD(q),      CONFIG_WORD(prefixes),
    CONFIG_WORD(epoch),  CONFIG_WORD(metric),
};
#define CONFIG_WORDS (sizeof config_words / sizeof config_words[0])

static uint32_t *config_member(scrim_local_config *config, size_t word)
{
    return (uint32_t *)(void *)((uint8_t *)config + config_words[word].place);
}

static uint32_t config_number(const scrim_local_config *config, size_t word)
{
    return *(const uint32_t *)(const void *)((const uint8_t *)config +
                                             config_words[word].place);
}

static int config_is_list(size_t word)
{
    return 1u << word == SL_PREFIXES;
}

/* ---- checking ----------------------------------------------------------------------------- */

static int is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static int is_question(const char name[SCRIM_LOCAL_QUESTION_BYTES])
{
    size_t length = 0;
    while (length < SCRIM_LOCAL_QUESTION_BYTES && is_name_character(name[length]))
        length++;
    return length > 0 && length < SCRIM_LOCAL_QUESTION_BYTES && name[length] == '\0';
}

/* Members that the protocol does not have are 0. */
static int has_only(const scrim_local_config *config, uint32_t words)
{
    for (size_t i = 0; i < CONFIG_WORDS; i++)
        if ((words >> i & 1) == 0 && config_number(config, i) != 0)
            return 0;
    for (size_t i = 0; i < SCRIM_LOCAL_PREFIXES; i++)
        if (i >= config->prefixes && config->prefix[i] != 0)
            return 0;
    for (size_t i = 0; i < SCRIM_LOCAL_HASH_BYTES; i++)
        if (config->metric == 0 && config->table_hash[i] != 0)
            return 0;
    return 1;
}

static scrim_local_status config_check(const scrim_local_config *config,
                                       const sl_kind *kind)
{
    if (!is_question(config->question) || !has_only(config, kind->words))
        return SCRIM_LOCAL_E_PARAM;
    if ((kind->words & SL_AB) == SL_AB && (config->b == 0 || config->a <= config->b))
        return SCRIM_LOCAL_E_PARAM;
    if (config->prefixes > SCRIM_LOCAL_PREFIXES)
        return SCRIM_LOCAL_E_LIMIT;
    return kind->check(config);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Goes past the word, if the text goes on with it. */
static int read_word(const char **text, const char *word)
{
    const char *at = *text;
    while (*word != '\0' && *at == *word) {
        at++;
        word++;
    }
    if (*word != '\0')
        return 0;
    *text = at;
    return 1;
}

/* A decimal number without leading zeros; SCRIM_LOCAL_E_LIMIT from `limit` on. */
static scrim_local_status read_number(const char **text, uint64_t limit, uint64_t *out)
{
    const char *at = *text;
    uint64_t number = 0;
    if (*at < '0' || *at > '9' || (at[0] == '0' && at[1] >= '0' && at[1] <= '9'))
        return SCRIM_LOCAL_E_SYNTAX;
    for (; *at >= '0' && *at <= '9'; at++) {
        number = 10 * number + (uint64_t)(*at - '0');
        if (number >= limit)
            return SCRIM_LOCAL_E_LIMIT;
    }
    *text = at;
    *out = number;
    return SCRIM_LOCAL_OK;
}

/* Numbers with commas between them, and how many there are. */
static scrim_local_status read_list(const char **text, scrim_local_config *out)
{
    do {
        uint64_t number;
        if (out->prefixes == SCRIM_LOCAL_PREFIXES)
            return SCRIM_LOCAL_E_LIMIT;
        const scrim_local_status status = read_number(text, 256, &number);
        if (status != SCRIM_LOCAL_OK)
            return status;
        out->prefix[out->prefixes++] = (uint8_t)number;
    } while (read_word(text, ","));
    return SCRIM_LOCAL_OK;
}

static int hexadecimal(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The hash of a table, where one is used. */
static scrim_local_status read_table(const char **text, scrim_local_config *out)
{
    if (out->metric == 0)
        return SCRIM_LOCAL_OK;
    if (!read_word(text, " table="))
        return SCRIM_LOCAL_E_SYNTAX;
    for (size_t i = 0; i < (size_t)2 * SCRIM_LOCAL_HASH_BYTES; i++, (*text)++) {
        const int digit = hexadecimal(**text);
        if (digit < 0)
            return SCRIM_LOCAL_E_SYNTAX;
        out->table_hash[i / 2] = (uint8_t)(16 * out->table_hash[i / 2] + digit);
    }
    return SCRIM_LOCAL_OK;
}

static scrim_local_status read_member(const char **text, size_t word,
                                      scrim_local_config *out)
{
    if (!read_word(text, " ") || !read_word(text, config_words[word].name) ||
        !read_word(text, "="))
        return SCRIM_LOCAL_E_SYNTAX;
    if (config_is_list(word))
        return read_list(text, out);
    uint64_t number;
    const scrim_local_status status = read_number(text, (uint64_t)1 << 32, &number);
    if (status == SCRIM_LOCAL_OK)
        *config_member(out, word) = (uint32_t)number;
    return status;
}

/* The format of configurations with cells is 2. In format 1 they held log2 of the number of cells. */
#define FORMAT_CELLS "scrim-local/2 question="
#define FORMAT_OTHER "scrim-local/1 question="

static scrim_local_status read_question(const char **text, int *is_second,
                                        scrim_local_config *out)
{
    size_t length = 0;
    *is_second = read_word(text, FORMAT_CELLS);
    if (!*is_second && !read_word(text, FORMAT_OTHER))
        return SCRIM_LOCAL_E_SYNTAX;
    for (; is_name_character(**text); (*text)++) {
        if (length == SCRIM_LOCAL_QUESTION_BYTES - 1)
            return SCRIM_LOCAL_E_LIMIT;
        out->question[length++] = **text;
    }
    return length > 0 ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_SYNTAX;
}

static scrim_local_status read_protocol(const char **text, scrim_local_config *out)
{
    if (!read_word(text, " protocol="))
        return SCRIM_LOCAL_E_SYNTAX;
    for (uint32_t i = 1; i <= SCRIM_LOCAL_CONDENSED; i++) {
        const sl_kind *kind = sl_kind_of(i);
        const char *at = *text;
        if (kind != NULL && read_word(&at, kind->name) && *at == ' ') {
            *text = at;
            out->protocol = i;
            return SCRIM_LOCAL_OK;
        }
    }
    return SCRIM_LOCAL_E_SYNTAX;
}

static scrim_local_status config_read(const char *text, scrim_local_config *out)
{
    int is_second;
    scrim_local_status status = read_question(&text, &is_second, out);
    if (status == SCRIM_LOCAL_OK)
        status = read_protocol(&text, out);
    if (status != SCRIM_LOCAL_OK)
        return status;
    const sl_kind *kind = sl_kind_of(out->protocol);
    const int has_cells = (kind->words & SL_CELLS) != 0;
    if (is_second && !has_cells)
        return SCRIM_LOCAL_E_SYNTAX;
    for (size_t i = 0; i < CONFIG_WORDS; i++) {
        if ((kind->words >> i & 1) == 0)
            continue;
        status = read_member(&text, i, out);
        if (status != SCRIM_LOCAL_OK)
            return status;
    }
    if (has_cells && !is_second)
        out->cells = out->cells == 0   ? 0
                     : out->cells < 32 ? 1u << out->cells
                                       : UINT32_MAX;
    status = read_table(&text, out);
    if (status != SCRIM_LOCAL_OK)
        return status;
    (void)read_word(&text, "\n");
    if (*text != '\0')
        return SCRIM_LOCAL_E_SYNTAX;
    return config_check(out, kind);
}

/* The hash is that of a text with its newline, also where it is missing; length is below SCRIM_LOCAL_CONFIG_BYTES. */
static void config_hash(const char *text, size_t length,
                        uint8_t out[SCRIM_LOCAL_HASH_BYTES])
{
    char line[SCRIM_LOCAL_CONFIG_BYTES];
    for (size_t i = 0; i < length; i++)
        line[i] = text[i];
    if (text[length - 1] != '\n')
        line[length++] = '\n';
    sl_sha256(line, length, out);
}

/* No word is optional and no number has two spellings: a text that can be read is canonical, but for cells of format
 * 1. The hash is that of the text, so that reports of format 1 still belong to their configuration. */
scrim_local_status scrim_local_config_parse(const char *text, scrim_local_config *out)
{
    size_t length = 0;
    sl_wipe(out, sizeof *out);
    while (length < SCRIM_LOCAL_CONFIG_BYTES && text[length] != '\0')
        length++;
    if (length == SCRIM_LOCAL_CONFIG_BYTES)
        return SCRIM_LOCAL_E_LIMIT;
    const scrim_local_status status = config_read(text, out);
    if (status == SCRIM_LOCAL_OK)
        config_hash(text, length, out->hash);
    else
        sl_wipe(out, sizeof *out);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Text that does not fit is left out: the longest text of all protocols fits. */
typedef struct config_text {
    char *out;
    size_t length;
} config_text;

static void write_text(config_text *to, const char *text)
{
    for (; *text != '\0' && to->length < SCRIM_LOCAL_CONFIG_BYTES - 1; text++)
        to->out[to->length++] = *text;
    to->out[to->length] = '\0';
}

static void write_number(config_text *to, uint32_t number)
{
    char digits[11];
    char *at = digits + sizeof digits - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    write_text(to, at);
}

static void write_member(config_text *to, const scrim_local_config *config, size_t word)
{
    write_text(to, " ");
    write_text(to, config_words[word].name);
    write_text(to, "=");
    if (!config_is_list(word)) {
        write_number(to, config_number(config, word));
        return;
    }
    for (uint32_t i = 0; i < config->prefixes; i++) {
        write_text(to, i == 0 ? "" : ",");
        write_number(to, config->prefix[i]);
    }
}

static void write_table(config_text *to, const scrim_local_config *config)
{
    static const char digits[] = "0123456789abcdef";
    if (config->metric == 0)
        return;
    write_text(to, " table=");
    for (size_t i = 0; i < SCRIM_LOCAL_HASH_BYTES; i++) {
        const uint8_t byte = config->table_hash[i];
        const char pair[] = {digits[byte >> 4], digits[byte & 15], '\0'};
        write_text(to, pair);
    }
}

scrim_local_status scrim_local_config_format(scrim_local_config *config,
                                             char out[SCRIM_LOCAL_CONFIG_BYTES])
{
    const sl_kind *kind = sl_kind_of(config->protocol);
    config_text to = {out, 0};
    out[0] = '\0';
    if (kind == NULL)
        return SCRIM_LOCAL_E_PARAM;
    const scrim_local_status status = config_check(config, kind);
    if (status != SCRIM_LOCAL_OK)
        return status;
    write_text(&to, (kind->words & SL_CELLS) != 0 ? FORMAT_CELLS : FORMAT_OTHER);
    write_text(&to, config->question);
    write_text(&to, " protocol=");
    write_text(&to, kind->name);
    for (size_t i = 0; i < CONFIG_WORDS; i++)
        if ((kind->words >> i & 1) != 0)
            write_member(&to, config, i);
    write_table(&to, config);
    write_text(&to, "\n");
    sl_sha256(out, to.length, config->hash);
    return SCRIM_LOCAL_OK;
}

int scrim_local_config_is_listed(const scrim_local_config *config, const uint8_t *hashes,
                                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t differs = 0;
        for (size_t j = 0; j < SCRIM_LOCAL_HASH_BYTES; j++)
            differs |=
                (uint8_t)(hashes[i * SCRIM_LOCAL_HASH_BYTES + j] ^ config->hash[j]);
        if (differs == 0)
            return 1;
    }
    return 0;
}

static uint64_t loss_times(uint64_t loss, uint32_t times)
{
    const sl_wide product = sl_multiply(loss, times);
    return product.high == 0 ? product.low : UINT64_MAX;
}

uint64_t scrim_local_loss(const scrim_local_config *config)
{
    const sl_kind *kind = sl_kind_of(config->protocol);
    if (kind == NULL)
        return UINT64_MAX;
    const sl_loss loss = kind->loss(config);
    if (loss.under == 0)
        return UINT64_MAX;
    uint64_t one = sl_log_upper(loss.over, loss.under);
    if (loss.also_under != 0)
        one += sl_log_upper(loss.also_over, loss.also_under);
    return loss_times(one, loss.times);
}

/* over / under <= a / b, exactly. */
static int loss_is_below(sl_loss loss, uint32_t a, uint32_t b)
{
    const sl_wide left = sl_multiply(loss.over, b), right = sl_multiply(loss.under, a);
    return left.high < right.high || (left.high == right.high && left.low <= right.low);
}

int scrim_local_config_is_within(const scrim_local_config *config, uint32_t a, uint32_t b)
{
    const sl_kind *kind = sl_kind_of(config->protocol);
    if (kind == NULL || b == 0 || a < b)
        return 0;
    const sl_loss loss = kind->loss(config);
    if (loss.under == 0)
        return 0;
    if (loss.times == 1 && loss.also_under == 0)
        return loss_is_below(loss, a, b);
    return scrim_local_loss(config) <= sl_log_lower(a, b);
}
