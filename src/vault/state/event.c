#include "vault/state/event.h"

#include "model/cost.h"

#include <string.h>

/* The characters that the line of an entry may hold. */
typedef enum field {
    FIELD_END = 0,
    FIELD_FORMAT,
    FIELD_DIGEST,
    FIELD_DEVICE,
    FIELD_INODE,
    FIELD_MAYBE_BORN,
    FIELD_MAYBE_GENERATION,
    FIELD_USER,
    FIELD_NAME,
    FIELD_NEIGHBOURS,
    FIELD_ACCOUNTING,
    FIELD_EPSILON,
    FIELD_POPULATION,
    FIELD_DATASET,
    FIELD_ANALYST,
    FIELD_ANALYST_OR_ALL,
    FIELD_VERSION,
    FIELD_CHARGE,
    FIELD_TIME,
    FIELD_QUERY,
    FIELD_SERIES,
    FIELD_RELEASE,
    FIELD_WINDOWS,
    FIELD_SEEN,
    FIELD_AMOUNT,
    FIELD_DELTA,
    FIELD_MAYBE_AMOUNT,
    FIELD_MAYBE_DELTA,
    FIELD_MAYBE_LEAST,
    FIELD_PRICE,
    FIELD_PRICE_DELTA
} field;

typedef struct shape {
    const char *word;
    field fields[10];
    bool has_body;
} shape;

static const shape shapes[] = {
    [SC_EVENT_INIT] = {"init", {FIELD_FORMAT, FIELD_DIGEST}, true},
    [SC_EVENT_PLACE] = {"place", {FIELD_DEVICE, FIELD_INODE}, false},
    [SC_EVENT_ANALYST] = {"analyst", {FIELD_USER, FIELD_NAME}, false},
    [SC_EVENT_POPULATION] = {"population",
                             {FIELD_NAME, FIELD_NEIGHBOURS, FIELD_ACCOUNTING,
                              FIELD_EPSILON, FIELD_DELTA, FIELD_AMOUNT},
                             false},
    [SC_EVENT_DATASET] = {"dataset", {FIELD_NAME, FIELD_POPULATION}, true},
    [SC_EVENT_POLICY] = {"policy", {FIELD_DATASET, FIELD_VERSION}, true},
    [SC_EVENT_UPDATE] = {"update", {FIELD_DATASET, FIELD_VERSION}, true},
    [SC_EVENT_REMOVE] = {"remove", {FIELD_DATASET}, false},
    [SC_EVENT_SHARE] = {"share",
                        {FIELD_POPULATION, FIELD_ANALYST_OR_ALL, FIELD_MAYBE_AMOUNT,
                         FIELD_MAYBE_DELTA},
                        false},
    [SC_EVENT_CAP] = {"cap",
                      {FIELD_DATASET, FIELD_MAYBE_AMOUNT, FIELD_MAYBE_DELTA,
                       FIELD_MAYBE_LEAST},
                      false},
    [SC_EVENT_CHARGE] = {"charge",
                         {FIELD_DATASET, FIELD_VERSION, FIELD_ANALYST, FIELD_AMOUNT,
                          FIELD_DELTA},
                         true},
    [SC_EVENT_RELEASE] = {"release", {FIELD_CHARGE, FIELD_DIGEST}, false},
    [SC_EVENT_TIME] = {"time", {FIELD_TIME}, false},
    [SC_EVENT_JOINT] = {"joint",
                        {FIELD_DATASET, FIELD_VERSION, FIELD_ANALYST, FIELD_AMOUNT,
                         FIELD_DELTA},
                        true},
    [SC_EVENT_SERIES] = {"series",
                         {FIELD_NAME, FIELD_DATASET, FIELD_RELEASE, FIELD_WINDOWS},
                         true},
    [SC_EVENT_WINDOW] = {"window",
                         {FIELD_SERIES, FIELD_RELEASE, FIELD_DATASET, FIELD_VERSION,
                          FIELD_ANALYST, FIELD_AMOUNT, FIELD_DELTA},
                         true},
    [SC_EVENT_WINDOW2] = {"window2",
                          {FIELD_SERIES, FIELD_RELEASE, FIELD_DATASET, FIELD_VERSION,
                           FIELD_ANALYST, FIELD_AMOUNT, FIELD_DELTA, FIELD_PRICE,
                           FIELD_PRICE_DELTA},
                          true},
    [SC_EVENT_KEY] = {"key", {FIELD_DIGEST}, false},
    [SC_EVENT_ASKED] = {"asked", {FIELD_CHARGE, FIELD_QUERY}, true},
    [SC_EVENT_FILE] = {"file",
                       {FIELD_NAME, FIELD_INODE, FIELD_MAYBE_BORN,
                        FIELD_MAYBE_GENERATION},
                       false},
    [SC_EVENT_TERMS] = {"terms", {FIELD_DATASET, FIELD_VERSION}, true},
    [SC_EVENT_WITNESS] = {"witness", {FIELD_SEEN}, true},
    [SC_EVENT_CLOSE] = {"close", {FIELD_DATASET, FIELD_VERSION}, false},
    [SC_EVENT_VIEW] = {"view",
                       {FIELD_CHARGE, FIELD_DATASET, FIELD_ANALYST, FIELD_AMOUNT,
                        FIELD_DELTA},
                       false},
};
#define KINDS (sizeof shapes / sizeof *shapes)

/* Between what a joint charge declares and what it was charged for. */
#define QUESTION "question\n"

/* Behind the format, where a vault was made by the test build. */
#define TEST_MARK "-test"

/* The words for how the windows of a series are charged. */
#define PARALLEL "parallel"
#define SEQUENTIAL "sequential"

/* So that a charge of the longest rationals stays within SC_EVENT_HEAD_BYTES. */
#define NUMBER_MAX 999999u
#define VERSION_MAX 999999999u

void sc_event_init(sc_event *event)
{
    *event = (sc_event){0};
    sc_ratio_init(&event->order);
    sc_ratio_init(&event->epsilon);
    sc_ratio_init(&event->amount);
    sc_ratio_init(&event->delta);
    sc_ratio_init(&event->least);
    sc_ratio_init(&event->price);
    sc_ratio_init(&event->price_delta);
}

void sc_event_clear(sc_event *event)
{
    sc_ratio_clear(&event->order);
    sc_ratio_clear(&event->epsilon);
    sc_ratio_clear(&event->amount);
    sc_ratio_clear(&event->delta);
    sc_ratio_clear(&event->least);
    sc_ratio_clear(&event->price);
    sc_ratio_clear(&event->price_delta);
}

bool sc_event_is_charge(sc_event_kind kind)
{
    return kind == SC_EVENT_CHARGE || kind == SC_EVENT_JOINT || sc_event_is_window(kind);
}

bool sc_event_bytes_charge(sc_text bytes)
{
    sc_text word, rest;
    if (!sc_text_split(bytes, ' ', &word, &rest))
        return false;
    for (size_t kind = 0; kind < KINDS; kind++)
        if (sc_event_is_charge((sc_event_kind)kind) &&
            sc_text_is(word, shapes[kind].word))
            return true;
    return false;
}

bool sc_event_is_window(sc_event_kind kind)
{
    return kind == SC_EVENT_WINDOW || kind == SC_EVENT_WINDOW2;
}

bool sc_event_is_traffic(sc_event_kind kind)
{
    return kind == SC_EVENT_CHARGE || kind == SC_EVENT_JOINT ||
           kind == SC_EVENT_RELEASE || kind == SC_EVENT_ASKED || kind == SC_EVENT_TIME ||
           kind == SC_EVENT_VIEW;
}

static bool is_letter_or_digit(char c)
{
    return sc_ascii_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool sc_event_is_name(sc_text text)
{
    if (text.bytes == 0 || text.bytes > SC_EVENT_NAME_BYTES ||
        !is_letter_or_digit(text.start[0]))
        return false;
    for (size_t i = 1; i < text.bytes; i++)
        if (!is_letter_or_digit(text.start[i]) && text.start[i] != '_' &&
            text.start[i] != '.' && text.start[i] != '-')
            return false;
    return true;
}

/* A name of a user on an operating system: visible characters of ASCII. */
static bool is_word(sc_text text)
{
    for (size_t i = 0; i < text.bytes; i++)
        if (text.start[i] <= ' ' || text.start[i] > '~')
            return false;
    return text.bytes > 0 && text.bytes <= SC_EVENT_NAME_BYTES;
}

/* The members behind the fields, for both directions. */

typedef struct number_field {
    uint64_t *value;
    uint64_t least, most;
    bool *is_there; /* NULL: it must be */
} number_field;

static bool number_of(sc_event *e, field f, number_field *out)
{
    if (f == FIELD_POPULATION)
        *out = (number_field){&e->population, 1, NUMBER_MAX, NULL};
    else if (f == FIELD_DATASET)
        *out = (number_field){&e->dataset, 1, NUMBER_MAX, NULL};
    else if (f == FIELD_ANALYST)
        *out = (number_field){&e->analyst, 1, NUMBER_MAX, NULL};
    else if (f == FIELD_ANALYST_OR_ALL)
        *out = (number_field){&e->analyst, 0, NUMBER_MAX, NULL};
    else if (f == FIELD_VERSION)
        *out = (number_field){&e->version, 1, VERSION_MAX, NULL};
    else if (f == FIELD_CHARGE)
        *out = (number_field){&e->charge, 1, INT64_MAX, NULL};
    else if (f == FIELD_TIME)
        *out = (number_field){&e->time, 1, SC_EVENT_TIME_MAX, NULL};
    else if (f == FIELD_QUERY)
        *out = (number_field){&e->query, 1, INT64_MAX, NULL};
    else if (f == FIELD_SERIES)
        *out = (number_field){&e->series, 1, NUMBER_MAX, NULL};
    else if (f == FIELD_RELEASE)
        *out = (number_field){&e->release, 1, NUMBER_MAX, NULL};
    else if (f == FIELD_SEEN)
        *out = (number_field){&e->seen, 0, INT64_MAX, NULL};
    else if (f == FIELD_USER)
        *out = (number_field){&e->user, 0, UINT32_MAX, NULL};
    else if (f == FIELD_DEVICE)
        *out = (number_field){&e->device, 0, UINT64_MAX, NULL};
    else if (f == FIELD_INODE)
        *out = (number_field){&e->inode, 0, UINT64_MAX, NULL};
    else if (f == FIELD_MAYBE_BORN)
        *out = (number_field){&e->born, 0, UINT64_MAX, &e->has_born};
    else if (f == FIELD_MAYBE_GENERATION)
        *out = (number_field){&e->generation, 0, UINT64_MAX, &e->has_generation};
    else
        return false;
    return true;
}

typedef struct ratio_field {
    sc_ratio *value;
    bool *is_there; /* NULL: it must be */
} ratio_field;

static bool ratio_of(sc_event *e, field f, ratio_field *out)
{
    if (f == FIELD_EPSILON)
        *out = (ratio_field){&e->epsilon, NULL};
    else if (f == FIELD_AMOUNT)
        *out = (ratio_field){&e->amount, NULL};
    else if (f == FIELD_DELTA)
        *out = (ratio_field){&e->delta, NULL};
    else if (f == FIELD_MAYBE_AMOUNT)
        *out = (ratio_field){&e->amount, &e->has_amount};
    else if (f == FIELD_MAYBE_DELTA)
        *out = (ratio_field){&e->delta, &e->has_delta};
    else if (f == FIELD_MAYBE_LEAST)
        *out = (ratio_field){&e->least, &e->has_least};
    else if (f == FIELD_PRICE)
        *out = (ratio_field){&e->price, NULL};
    else if (f == FIELD_PRICE_DELTA)
        *out = (ratio_field){&e->price_delta, NULL};
    else
        return false;
    return true;
}

/* Not below 0, and with no more bits than a charge may have. */
static bool is_amount(const sc_ratio *x)
{
    return sc_ratio_sign(x) >= 0 && sc_cost_fits(x);
}

/* Formatting. */

static void put_number(sc_text_sink *sink, uint64_t value)
{
    char text[SC_INT128_BYTES];
    sc_int128_format((sc_int128)value, text);
    sc_text_put(sink, sc_text_of(text));
}

static bool put_ratio(sc_text_sink *sink, const sc_ratio *x)
{
    char text[SCRIM_NUMBER_BYTES];
    if (!is_amount(x) || sc_ratio_format(x, text, sizeof text) >= sizeof text)
        return false;
    sc_text_put(sink, sc_text_of(text));
    return true;
}

static bool put_accounting(sc_text_sink *sink, const sc_event *e)
{
    if (e->rule == SC_FILTER_SUM)
        sc_text_put(sink, sc_text_of("sum"));
    else if (e->rule == SC_FILTER_CONCENTRATED)
        sc_text_put(sink, sc_text_of("concentrated"));
    else if (e->rule == SC_FILTER_RENYI) {
        sc_text_put(sink, sc_text_of("renyi="));
        return sc_ratio_compare_int64(&e->order, 1) > 0 && put_ratio(sink, &e->order);
    } else
        return false;
    return true;
}

static bool put_named(sc_text_sink *sink, const sc_event *e, field f)
{
    char digest[SC_DIGEST_TEXT_BYTES];
    if (f == FIELD_FORMAT) {
        put_number(sink, e->is_keyed ? SC_EVENT_FORMAT_KEYED : SC_EVENT_FORMAT_UNKEYED);
        sc_text_put(sink, sc_text_of(e->is_test ? TEST_MARK : ""));
    } else if (f == FIELD_DIGEST) {
        sc_digest_format(&e->digest, digest);
        sc_text_put(sink, sc_text_of(digest));
    } else if (f == FIELD_NAME) {
        sc_text_put(sink, e->name);
        return is_word(e->name);
    } else if (f == FIELD_NEIGHBOURS) {
        sc_text_put(sink, sc_text_of(scrim_neighbours_name(e->neighbours)));
        return e->neighbours == SCRIM_ADD_REMOVE || e->neighbours == SCRIM_REPLACE ||
               e->neighbours == SCRIM_LOCAL;
    } else if (f == FIELD_ACCOUNTING) {
        return put_accounting(sink, e);
    } else if (f == FIELD_WINDOWS) {
        sc_text_put(sink, sc_text_of(e->is_parallel ? PARALLEL : SEQUENTIAL));
    }
    return true;
}

/* The event is not written: number_of and ratio_of serve both directions. */
static bool put_field(sc_text_sink *sink, sc_event *e, field f)
{
    number_field number;
    ratio_field ratio;
    sc_text_put(sink, sc_text_of(" "));
    if (number_of(e, f, &number)) {
        if (number.is_there != NULL && !*number.is_there) {
            sc_text_put(sink, sc_text_of("-"));
            return true;
        }
        put_number(sink, *number.value);
        return *number.value >= number.least && *number.value <= number.most;
    }
    if (!ratio_of(e, f, &ratio))
        return put_named(sink, e, f);
    if (ratio.is_there == NULL || *ratio.is_there)
        return put_ratio(sink, ratio.value);
    sc_text_put(sink, sc_text_of("-"));
    return true;
}

static bool kind_is_known(sc_event_kind kind)
{
    return kind >= SC_EVENT_INIT && (size_t)kind < KINDS;
}

size_t sc_event_capacity(const sc_event *event)
{
    const size_t text = event->body.bytes + 2;
    return SC_EVENT_HEAD_BYTES + text +
           (event->kind == SC_EVENT_JOINT ? event->declared.bytes + sizeof QUESTION : 0);
}

/* The declaration of a joint charge, in front of its question: whole lines, before the line
 * QUESTION. */
static bool find_question(sc_text text, sc_text *declared, sc_text *question)
{
    sc_text line, rest = text;
    while (sc_text_split(rest, '\n', &line, &rest))
        if (sc_text_is(line, "question")) {
            *declared = (sc_text){text.start, (size_t)(line.start - text.start)};
            *question = rest;
            return declared->bytes > 0 && rest.bytes > 0;
        }
    return false;
}

/* Would it be found again as it is? */
static bool is_declared(sc_text text)
{
    sc_text line, rest = text;
    while (sc_text_split(rest, '\n', &line, &rest))
        if (sc_text_is(line, "question"))
            return false;
    return text.bytes > 0 && rest.bytes == 0;
}

static bool body_fits(const sc_event *e)
{
    const size_t limit = SC_EVENT_BODY_BYTES;
    if (e->kind != SC_EVENT_JOINT)
        return e->body.bytes == 0 || (shapes[e->kind].has_body && e->body.bytes <= limit);
    return is_declared(e->declared) && e->body.bytes > 0 && e->body.bytes <= limit &&
           e->declared.bytes <= limit - e->body.bytes;
}

scrim_status sc_event_format(const sc_event *event, char *bytes, size_t *length,
                             scrim_error *error)
{
    if (!kind_is_known(event->kind))
        return sc_fail(error, SCRIM_E_INTERNAL, "the kind of an entry is unknown");
    sc_event copy = *event; /* shares the rationals, which are only read */
    const shape *s = &shapes[event->kind];
    sc_text_sink sink;
    sc_text_sink_init(&sink, bytes, sc_event_capacity(event));
    sc_text_put(&sink, sc_text_of(s->word));
    bool fits = true;
    for (const field *f = s->fields; *f != FIELD_END; f++)
        fits = put_field(&sink, &copy, *f) && fits;
    if (!fits || sink.length > SC_EVENT_HEAD_BYTES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a %s has a name or a number that is too long for the ledger",
                       s->word);
    if (!body_fits(event))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the text of a %s is too long for the ledger", s->word);
    if (event->body.bytes > 0)
        sc_text_put(&sink, sc_text_of("\n"));
    if (event->kind == SC_EVENT_JOINT) {
        sc_text_put(&sink, event->declared);
        sc_text_put(&sink, sc_text_of(QUESTION));
    }
    sc_text_put(&sink, event->body);
    *length = sink.length;
    return SCRIM_OK;
}

/* Parsing. What is read is refused unless it is what would be written: an entry is not formatted
 * again to see that, but for the fractions in it. */

static bool take_number(sc_text word, const number_field *f)
{
    return sc_text_uint64(word, f->value) && (word.bytes == 1 || word.start[0] != '0') &&
           *f->value >= f->least && *f->value <= f->most;
}

/* Is word how sc_ratio_format spells x, which was read from it? */
static bool is_spelt(sc_text word, const sc_ratio *x)
{
    char again[SCRIM_NUMBER_BYTES];
    sc_text rest = word;
    const sc_text whole = sc_text_take_digits(&rest);
    if (whole.bytes == 0 || (whole.bytes > 1 && whole.start[0] == '0'))
        return false;
    if (rest.bytes == 0)
        return true;
    if (!sc_text_take(&rest, '.'))
        return sc_ratio_format(x, again, sizeof again) < sizeof again &&
               sc_text_is(word, again);
    const sc_text places = sc_text_take_digits(&rest);
    return rest.bytes == 0 && places.bytes > 0 && places.bytes <= SC_RATIO_PLACES &&
           places.start[places.bytes - 1] != '0';
}

static bool take_ratio(sc_text word, sc_ratio *out)
{
    return word.bytes < SCRIM_NUMBER_BYTES &&
           sc_ratio_parse(word, out, NULL) == SCRIM_OK && is_spelt(word, out) &&
           is_amount(out);
}

static bool take_accounting(sc_text word, sc_event *e)
{
    sc_text key, order;
    const bool is_sum = sc_text_is(word, "sum");
    if (is_sum || sc_text_is(word, "concentrated")) {
        e->rule = is_sum ? SC_FILTER_SUM : SC_FILTER_CONCENTRATED;
        return true;
    }
    e->rule = SC_FILTER_RENYI;
    return sc_text_split(word, '=', &key, &order) && sc_text_is(key, "renyi") &&
           take_ratio(order, &e->order) && sc_ratio_compare_int64(&e->order, 1) > 0;
}

static bool take_neighbours(sc_text word, sc_event *e)
{
    for (int n = SCRIM_ADD_REMOVE; n <= SCRIM_LOCAL; n++)
        if (sc_text_is(word, scrim_neighbours_name((scrim_neighbours)n))) {
            e->neighbours = (scrim_neighbours)n;
            return true;
        }
    return false;
}

static bool take_format(sc_text word, sc_event *e)
{
    const size_t mark = sizeof TEST_MARK - 1;
    uint64_t format;
    e->is_test = word.bytes > mark &&
                 sc_text_is((sc_text){word.start + word.bytes - mark, mark}, TEST_MARK);
    if (e->is_test)
        word.bytes -= mark;
    const bool is_known =
        take_number(word, &(number_field){&format, SC_EVENT_FORMAT_UNKEYED,
                                          SC_EVENT_FORMAT_KEYED, NULL});
    e->is_keyed = is_known && format == SC_EVENT_FORMAT_KEYED;
    return is_known;
}

static bool take_field(sc_text word, sc_event *e, field f)
{
    number_field number;
    ratio_field ratio;
    if (number_of(e, f, &number)) {
        bool is_there = number.is_there == NULL || !sc_text_is(word, "-");
        if (number.is_there != NULL)
            *number.is_there = is_there;
        return !is_there || take_number(word, &number);
    }
    if (ratio_of(e, f, &ratio)) {
        bool is_there = ratio.is_there == NULL || !sc_text_is(word, "-");
        if (ratio.is_there != NULL)
            *ratio.is_there = is_there;
        return !is_there || take_ratio(word, ratio.value);
    }
    if (f == FIELD_FORMAT)
        return take_format(word, e);
    if (f == FIELD_DIGEST)
        return sc_digest_parse(word, &e->digest);
    if (f == FIELD_NEIGHBOURS)
        return take_neighbours(word, e);
    if (f == FIELD_WINDOWS) {
        e->is_parallel = sc_text_is(word, PARALLEL);
        return e->is_parallel || sc_text_is(word, SEQUENTIAL);
    }
    if (f == FIELD_ACCOUNTING)
        return take_accounting(word, e);
    e->name = word;
    return f == FIELD_NAME && is_word(word);
}

/* The next word; there is one space between two. Behind the last one rest starts nowhere. */
static bool take_word(sc_text *rest, sc_text *word)
{
    if (rest->start == NULL)
        return false;
    if (!sc_text_split(*rest, ' ', word, rest)) {
        *word = *rest;
        *rest = (sc_text){NULL, 0};
    }
    return true;
}

static bool take_line(sc_text line, sc_event *e)
{
    sc_text word;
    if (!take_word(&line, &word))
        return false;
    size_t kind = SC_EVENT_INIT;
    while (kind < KINDS && !sc_text_is(word, shapes[kind].word))
        kind++;
    if (kind == KINDS)
        return false;
    e->kind = (sc_event_kind)kind;
    for (const field *f = shapes[kind].fields; *f != FIELD_END; f++)
        if (!take_word(&line, &word) || !take_field(word, e, *f))
            return false;
    return line.start == NULL;
}

scrim_status sc_event_parse(sc_text bytes, sc_event *event, scrim_error *error)
{
    sc_text line = bytes;
    event->body = event->declared = (sc_text){NULL, 0};
    bool has_body = sc_text_split(bytes, '\n', &line, &event->body);
    if (line.bytes <= SC_EVENT_HEAD_BYTES && take_line(line, event) &&
        has_body == (event->body.bytes > 0) &&
        (event->kind != SC_EVENT_JOINT ||
         find_question(event->body, &event->declared, &event->body)) &&
        body_fits(event))
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LEDGER,
                   "the ledger holds an entry that this version cannot read");
}
