#include "data/source/csv_index.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/workers.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE __attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt")))
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Places that may be written ahead of those that count. */
#define AHEAD 16

void sc_csv_index_init(sc_csv_index *index)
{
    *index = (sc_csv_index){0};
}

void sc_csv_index_clear(sc_csv_index *index)
{
    sc_free(index->marks);
    sc_free(index->newlines);
    sc_free(index->bad);
    sc_csv_index_init(index);
}

scrim_status sc_csv_index_reserve(sc_csv_index *index, size_t bytes, scrim_error *error)
{
    if (bytes < index->capacity)
        return SCRIM_OK;
    size_t room;
    /* A mark a byte, and the first. Each is written before it is read. */
    if (!sc_size_add(bytes, 1 + AHEAD, &room) ||
        !sc_size_mul(room, sizeof *index->marks, &room))
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    sc_csv_index_clear(index);
    index->marks = sc_allocate_raw(room);
    index->newlines = sc_allocate_raw(room);
    index->bad = sc_allocate_raw(room);
    if (index->marks == NULL || index->newlines == NULL || index->bad == NULL) {
        sc_csv_index_clear(index);
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    }
    index->capacity = bytes + 1;
    return SCRIM_OK;
}

static void start(sc_csv_index *index)
{
    index->marks[0] = UINT32_MAX;
    index->mark_count = 1;
    index->record_count = index->bad_count = 0;
    index->has_quotes = index->has_doubled = false;
}

/* 64 bytes as masks, the first byte in the lowest bit. Carriage returns matter seldom. */
typedef struct block {
    uint64_t separator, line_feed, quote;
} block;

/* A way to look at bytes, 64 at a time, and to note the places of bits: how many there are, with
 * at most AHEAD more written behind them. */
typedef struct eye {
    block (*block)(const char *bytes, char separator);
    uint64_t (*carriage_return)(const char *bytes);
    size_t (*put_places)(uint32_t *places, uint64_t bits, uint32_t base);
} eye;

static inline size_t put_one_by_one(uint32_t *places, uint64_t bits, uint32_t base)
{
    size_t count = 0;
    for (; bits != 0; bits &= bits - 1)
        places[count++] = base + (unsigned)__builtin_ctzll(bits);
    return count;
}

/* By words of 8 bytes. */

/* The top bit of each byte that equals c, and of no other. */
static uint64_t equal_bytes(uint64_t word, char c)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), low = ones * 0x7f;
    const uint64_t differs = word ^ ones * (unsigned char)c;
    return ~(((differs & low) + low) | differs | low);
}

/* The top bits of eight bytes, the first byte's in the lowest bit. */
static uint64_t gather(uint64_t tops)
{
    return ((tops >> 7) * UINT64_C(0x0102040810204080)) >> 56;
}

static uint64_t word_at(const char *bytes)
{
    uint64_t word = 0;
    for (size_t i = 0; i < 8; i++) /* one load where the machine counts so */
        word |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    return word;
}

static block block_words(const char *bytes, char separator)
{
    block found = {0};
    for (size_t i = 0; i < 8; i++) {
        const uint64_t word = word_at(bytes + 8 * i);
        found.separator |= gather(equal_bytes(word, separator)) << (8 * i);
        found.line_feed |= gather(equal_bytes(word, '\n')) << (8 * i);
        found.quote |= gather(equal_bytes(word, '"')) << (8 * i);
    }
    return found;
}

static uint64_t return_words(const char *bytes)
{
    uint64_t found = 0;
    for (size_t i = 0; i < 8; i++)
        found |= gather(equal_bytes(word_at(bytes + 8 * i), '\r')) << (8 * i);
    return found;
}

static const eye by_words = {block_words, return_words, put_one_by_one};

/* By vectors of 16 bytes. */

#if defined(__SSE2__)
static inline uint64_t equal_vector(__m128i vector, char c, size_t i)
{
    const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(vector, _mm_set1_epi8(c)));
    return (uint64_t)(unsigned)mask << (16 * i);
}

static inline block block_vectors(const char *bytes, char separator)
{
    block found = {0};
    for (size_t i = 0; i < 4; i++) {
        __m128i vector;
        memcpy(&vector, bytes + 16 * i, sizeof vector);
        found.separator |= equal_vector(vector, separator, i);
        found.line_feed |= equal_vector(vector, '\n', i);
        found.quote |= equal_vector(vector, '"', i);
    }
    return found;
}

static uint64_t return_vectors(const char *bytes)
{
    uint64_t found = 0;
    for (size_t i = 0; i < 4; i++) {
        __m128i vector;
        memcpy(&vector, bytes + 16 * i, sizeof vector);
        found |= equal_vector(vector, '\r', i);
    }
    return found;
}

static const eye vectors = {block_vectors, return_vectors, put_one_by_one};
#else
static const eye vectors = {block_words, return_words, put_one_by_one};
#endif

/* By vectors of 64 bytes. */

#if defined(WIDE)
WIDE static inline uint64_t equal_wide(__m512i vector, char c)
{
    return _mm512_cmpeq_epi8_mask(vector, _mm512_set1_epi8(c));
}

WIDE static inline block block_wide(const char *bytes, char separator)
{
    const __m512i vector = _mm512_loadu_si512(bytes);
    return (block){equal_wide(vector, separator), equal_wide(vector, '\n'),
                   equal_wide(vector, '"')};
}

WIDE static inline uint64_t return_wide(const char *bytes)
{
    return equal_wide(_mm512_loadu_si512(bytes), '\r');
}

/* Sixteen at a time, of which there are seldom more. */
WIDE static inline size_t put_wide(uint32_t *places, uint64_t bits, uint32_t base)
{
    static const unsigned char numbers[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
        48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i from = _mm512_set1_epi32((int)base);
    const size_t count = (size_t)__builtin_popcountll(bits);
    __m512i own = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(numbers));
    for (size_t done = 0; done < count; done += AHEAD) {
        const __m512i sixteen = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(own));
        _mm512_storeu_si512(places + done, _mm512_add_epi32(sixteen, from));
        own = _mm512_alignr_epi64(own, own, 2);
    }
    return count;
}

static const eye wide = {block_wide, return_wide, put_wide};
#endif

/* State that a block hands on to the next. */
typedef struct state {
    uint64_t inside;      /* all ones: the last byte was between quotes */
    uint64_t after_mark;  /* 1: the last byte was a mark, or this is the first byte */
    uint64_t after_close; /* 1: the last byte closed a quote */
    uint64_t after_return;
    bool is_bad; /* the record that goes on has a quote out of place */
} state;

static const state at_start = {.after_mark = 1};

/* Bit i is the sum, modulo 2, of the bits up to i. */
static inline uint64_t running_parity(uint64_t bits)
{
    for (unsigned shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* The marks of a block that has quotes, or begins in or behind one: separators between quotes
 * are not marks. last_return are carriage returns in front of a newline. The bits of bad lie in
 * records that are bad. */
static uint64_t quoted_marks(const block *found, uint64_t newline, uint64_t last_return,
                             state *s, uint64_t *bad, bool *has_doubled)
{
    /* An opening quote is inside, a closing one is not. */
    uint64_t inside = running_parity(found->quote) ^ s->inside;
    *bad = 0;
    for (uint64_t open; (open = newline & inside) != 0;) {
        /* The record ends, and with it the quote that nobody closed: from here on everything
         * is the other way round. */
        const uint64_t lowest = open & -open;
        *bad |= lowest;
        inside ^= -lowest;
    }
    const uint64_t opens = found->quote & inside, closes = found->quote & ~inside;
    const uint64_t marks = (found->separator & ~inside) | newline;
    const uint64_t behind_mark = marks << 1 | s->after_mark;
    const uint64_t behind_close = closes << 1 | s->after_close;
    *bad |= opens & ~(behind_mark | behind_close);
    *bad |= behind_close & ~(marks | found->quote | last_return);
    *has_doubled = *has_doubled || (opens & behind_close) != 0;
    s->inside = -(inside >> 63);
    s->after_close = closes >> 63;
    return marks;
}

/* Notes the records of a block that are bad: those that end in it, by their numbers. */
static void note_bad(sc_csv_index *index, uint64_t newline, uint64_t bad, state *s)
{
    size_t record = index->record_count;
    for (; newline != 0; newline &= newline - 1, record++) {
        const uint64_t upto = newline ^ (newline - 1);
        if (s->is_bad || (bad & upto) != 0)
            index->bad[index->bad_count++] = (uint32_t)record;
        bad &= ~upto;
        s->is_bad = false;
    }
    s->is_bad = s->is_bad || bad != 0;
}

/* The block at base; within are the bits of it that are there. */
__attribute__((always_inline)) static inline void
put_block(sc_csv_index *index, const char *bytes, size_t count, size_t base,
          uint64_t within, sc_csv_form form, const eye *look, state *s)
{
    block found = look->block(bytes + base, form.separator);
    uint64_t newline = found.line_feed & within, bad = 0;
    uint64_t marks = (found.separator & within) | newline;
    found.quote &= within;
    if (form.end == SC_RECORD_CRLF) {
        const uint64_t returns = look->carriage_return(bytes + base);
        newline &= returns << 1 | s->after_return;
        marks = (found.separator & within) | newline;
        s->after_return = returns >> 63;
    }
    if (__builtin_expect((found.quote | s->inside | s->after_close) != 0, 0)) {
        const uint64_t next = base + 64 < count && bytes[base + 64] == '\n';
        const uint64_t last_return =
            look->carriage_return(bytes + base) & (newline >> 1 | next << 63);
        found.separator &= within;
        index->has_quotes = true;
        marks = quoted_marks(&found, newline, last_return, s, &bad, &index->has_doubled);
    }
    if (__builtin_expect((bad | (uint64_t)s->is_bad) != 0, 0))
        note_bad(index, newline, bad, s);
    s->after_mark = marks >> 63;
    index->mark_count +=
        look->put_places(index->marks + index->mark_count, marks, (uint32_t)base);
    index->record_count +=
        look->put_places(index->newlines + index->record_count, newline, (uint32_t)base);
}

__attribute__((always_inline)) static inline void build(sc_csv_index *index,
                                                        const char *bytes, size_t count,
                                                        sc_csv_form form, const eye *look)
{
    state s = at_start;
    size_t base = 0;
    start(index);
    for (; base + 64 <= count; base += 64)
        put_block(index, bytes, count, base, ~(uint64_t)0, form, look, &s);
    if (base < count)
        put_block(index, bytes, count, base, ((uint64_t)1 << (count - base)) - 1, form,
                  look, &s);
}

#if defined(WIDE)
WIDE static void build_wide(sc_csv_index *index, const char *bytes, size_t count,
                            sc_csv_form form)
{
    build(index, bytes, count, form, &wide);
}
#endif

void sc_csv_index_build(sc_csv_index *index, const char *bytes, size_t count,
                        sc_csv_form form)
{
#if defined(WIDE)
    if (sc_processor_has(SC_AVX512BW) && sc_processor_has(SC_AVX512VBMI2)) {
        build_wide(index, bytes, count, form);
        return;
    }
#endif
    sc_csv_index_build_vectors(index, bytes, count, form);
}

void sc_csv_index_build_vectors(sc_csv_index *index, const char *bytes, size_t count,
                                sc_csv_form form)
{
    build(index, bytes, count, form, &vectors);
}

void sc_csv_index_build_words(sc_csv_index *index, const char *bytes, size_t count,
                              sc_csv_form form)
{
    build(index, bytes, count, form, &by_words);
}

/* One byte after another. */

/* Where a record's quotes stand: outside of any; inside; behind one inside, which closes the
 * field or is the first of two. */
typedef enum place { FIELD_START, UNQUOTED, QUOTED, BEHIND_QUOTE } place;

static place step(place at, char c, bool is_end_next, bool *is_bad, bool *has_doubled)
{
    switch (at) {
    case QUOTED:
        return c == '"' ? BEHIND_QUOTE : QUOTED;
    case BEHIND_QUOTE:
        if (c == '"') {
            *has_doubled = true;
            return QUOTED;
        }
        *is_bad = *is_bad || !(c == '\r' && is_end_next);
        return UNQUOTED;
    case FIELD_START:
        if (c == '"')
            return QUOTED;
        return UNQUOTED;
    case UNQUOTED:
        break;
    }
    /* A stray quote is as good as an opening one for what follows. */
    *is_bad = *is_bad || c == '"';
    return c == '"' ? QUOTED : UNQUOTED;
}

void sc_csv_index_build_plain(sc_csv_index *index, const char *bytes, size_t count,
                              sc_csv_form form)
{
    place at = FIELD_START;
    bool is_bad = false;
    start(index);
    index->has_quotes = memchr(bytes, '"', count) != NULL;
    for (size_t i = 0; i < count; i++) {
        const bool is_end = bytes[i] == '\n' &&
                            (form.end == SC_RECORD_LF || (i > 0 && bytes[i - 1] == '\r'));
        if (is_end || (bytes[i] == form.separator && at != QUOTED)) {
            index->marks[index->mark_count] = (uint32_t)i;
            if (is_end) {
                if (is_bad || at == QUOTED)
                    index->bad[index->bad_count++] = (uint32_t)index->record_count;
                index->newlines[index->record_count++] = (uint32_t)i;
                is_bad = false;
            }
            index->mark_count++;
            at = FIELD_START;
        } else {
            const bool is_end_next = i + 1 < count && bytes[i + 1] == '\n';
            at = step(at, bytes[i], is_end_next, &is_bad, &index->has_doubled);
        }
    }
}

void sc_csv_quotes_clear(sc_csv_quotes *room)
{
    /* Bytes that were never used hold nothing of the source; do not touch them. */
    sc_free_wiped(room->bytes, room->used > room->most ? room->used : room->most);
    *room = (sc_csv_quotes){.bytes = NULL};
}

scrim_status sc_csv_quotes_reserve(sc_csv_quotes *room, size_t piece_bytes,
                                   scrim_error *error)
{
    const size_t want = 2 * piece_bytes + SC_CSV_PADDING;
    room->most = room->used > room->most ? room->used : room->most;
    room->used = 0;
    if (want <= room->capacity)
        return SCRIM_OK;
    sc_csv_quotes_clear(room);
    room->bytes = sc_allocate_raw(want);
    if (room->bytes == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    room->capacity = want;
    return SCRIM_OK;
}

sc_text sc_csv_quotes_take(sc_csv_quotes *room, sc_text field)
{
    char *to = room->bytes + room->used;
    size_t length = 0;
    for (size_t i = 0; i < field.bytes; i++) {
        to[length++] = field.start[i];
        i += field.start[i] == '"';
    }
    room->used += length;
    return (sc_text){to, length};
}

#if defined(__x86_64__) && defined(__GNUC__)

/* Without optimisation gcc's gathers are macros, and it warns of the conversions in them. */
#if !defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

#define LANES 8
#define WIDE_NUMBERS __attribute__((target("avx512f,avx512bw,avx512vl")))

bool sc_csv_numbers_can(const sc_field_reader *reader)
{
    return reader->decimals >= 0 && sc_processor_has(SC_AVX512F) &&
           sc_processor_has(SC_AVX512BW) && sc_processor_has(SC_AVX512VL);
}

/* The first eight bytes of eight fields, each in a lane, the first lowest; and their lengths. */
typedef struct fields {
    __m512i words, lengths;
} fields;

WIDE_NUMBERS static inline fields look_at(const sc_csv_column *column, size_t row)
{
    const __m256i records =
        _mm256_loadu_si256((const __m256i_u *)(column->records + row));
    /* The mark before a field in the lower half of a lane, the one behind it in the upper. */
    const __m512i marks = _mm512_i32gather_epi64(records, column->marks, 4);
    const __m512i one = _mm512_set1_epi64(1), end = _mm512_srli_epi64(marks, 32);
    const __m512i start =
        _mm512_and_si512(_mm512_add_epi64(marks, one), _mm512_set1_epi64(UINT32_MAX));
    __m512i lengths = _mm512_sub_epi64(end, start);
    if (column->is_last) {
        const __mmask8 has_last = _mm512_test_epi64_mask(lengths, lengths);
        const __m512i last =
            _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), has_last,
                                        _mm512_sub_epi64(end, one), column->bytes, 1);
        const __mmask8 is_return = _mm512_cmpeq_epi64_mask(
            _mm512_and_si512(last, _mm512_set1_epi64(0xff)), _mm512_set1_epi64('\r'));
        lengths = _mm512_mask_sub_epi64(lengths, is_return, lengths, one);
    }
    return (fields){_mm512_i64gather_epi64(start, column->bytes, 1), lengths};
}

/* The digits of the words to the top, zeros below, and no point among them. The lanes where there
 * was one are *has_point. */
WIDE_NUMBERS static inline __m512i align(const sc_field_reader *reader, fields f,
                                         __mmask8 *has_point)
{
    const __m512i zeros = _mm512_set1_epi8('0'), bits = _mm512_slli_epi64(f.lengths, 3);
    const __m512i words = _mm512_or_si512(
        _mm512_sllv_epi64(f.words, _mm512_sub_epi64(_mm512_set1_epi64(64), bits)),
        _mm512_srlv_epi64(zeros, bits));
    const __m512i above =
        _mm512_and_si512(words, _mm512_set1_epi64((int64_t)reader->above));
    const __m512i below =
        _mm512_and_si512(words, _mm512_set1_epi64((int64_t)reader->below));
    const __m512i point =
        _mm512_and_si512(words, _mm512_set1_epi64((int64_t)reader->point_byte));
    *has_point =
        _mm512_cmpeq_epi64_mask(point, _mm512_set1_epi64((int64_t)reader->point));
    return _mm512_mask_or_epi64(words, *has_point,
                                _mm512_or_si512(above, _mm512_set1_epi64('0')),
                                _mm512_slli_epi64(below, 8));
}

/* The value of eight digits, the first in the lowest byte. */
WIDE_NUMBERS static inline __m512i value_of(__m512i digits)
{
    const __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010a));
    const __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010064));
    return _mm512_add_epi64(_mm512_mul_epu32(fours, _mm512_set1_epi64(10000)),
                            _mm512_srli_epi64(fours, 32));
}

/* Eight rows; returns the lanes that were read. */
WIDE_NUMBERS static inline __mmask8 read_eight(const sc_csv_column *column,
                                               const sc_field_reader *reader, size_t row,
                                               int64_t *values)
{
    const __m512i one = _mm512_set1_epi64(1), eight = _mm512_set1_epi64(LANES);
    fields f = look_at(column, row);
    const __mmask8 is_short = _mm512_cmple_epu64_mask(f.lengths, eight);
    const __mmask8 is_negative = _mm512_cmpeq_epi64_mask(
        _mm512_and_si512(f.words, _mm512_set1_epi64(0xff)), _mm512_set1_epi64('-'));
    f.words = _mm512_mask_srli_epi64(f.words, is_negative, f.words, 8);
    f.lengths = _mm512_mask_sub_epi64(f.lengths, is_negative, f.lengths, one);
    __mmask8 has_point,
        is_read =
            is_short & _mm512_cmplt_epu64_mask(_mm512_sub_epi64(f.lengths, one), eight);
    const __m512i digits =
        _mm512_sub_epi8(align(reader, f, &has_point), _mm512_set1_epi8('0'));
    const __m512i odd =
        _mm512_movm_epi8(_mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9)));
    is_read &= _mm512_testn_epi64_mask(odd, odd);
    __m512i value = value_of(digits);
    value = _mm512_mask_mul_epu32(value, (__mmask8)~has_point, value,
                                  _mm512_set1_epi64((int64_t)reader->scale[0]));
    value = _mm512_mask_sub_epi64(value, is_negative, _mm512_setzero_si512(), value);
    value = _mm512_max_epi64(value, _mm512_set1_epi64(reader->low));
    value = _mm512_min_epi64(value, _mm512_set1_epi64(reader->high));
    _mm512_mask_storeu_epi64(values + row, is_read, value);
    return is_read;
}

WIDE_NUMBERS size_t sc_csv_numbers_read(const sc_csv_column *column,
                                        const sc_field_reader *reader, size_t from,
                                        size_t count, int64_t *values, uint32_t *others)
{
    /* A copy, so that the compiler need not load it again after each write to values. */
    const sc_csv_column own_column = *column;
    const sc_field_reader own_reader = *reader;
    size_t row = from, left = 0;
    for (; row + LANES <= from + count; row += LANES)
        for (unsigned rest = (__mmask8)~read_eight(&own_column, &own_reader, row, values);
             rest != 0; rest &= rest - 1)
            others[left++] = (uint32_t)row + (unsigned)__builtin_ctz(rest);
    for (; row < from + count; row++)
        others[left++] = (uint32_t)row;
    return left;
}
#else
bool sc_csv_numbers_can(const sc_field_reader *reader)
{
    (void)reader;
    return false;
}

size_t sc_csv_numbers_read(const sc_csv_column *column, const sc_field_reader *reader,
                           size_t from, size_t count, int64_t *values, uint32_t *others)
{
    (void)column, (void)reader, (void)values;
    for (size_t i = 0; i < count; i++)
        others[i] = (uint32_t)(from + i);
    return count;
}
#endif
