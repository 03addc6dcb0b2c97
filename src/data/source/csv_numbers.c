#include "data/source/csv_numbers.h"

#include "base/workers.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* Without optimisation gcc's gathers are macros, and it warns of the conversions in them. */
#if !defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

#define LANES 8
#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl")))

bool sc_csv_numbers_can(const sc_field_reader *reader)
{
    return reader->decimals >= 0 && sc_processor_has(SC_AVX512F) &&
           sc_processor_has(SC_AVX512BW) && sc_processor_has(SC_AVX512VL);
}

/* The first eight bytes of eight fields, each in a lane, the first lowest; and their lengths. */
typedef struct fields {
    __m512i words, lengths;
} fields;

WIDE static inline fields look_at(const sc_csv_column *column, size_t row)
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
WIDE static inline __m512i align(const sc_field_reader *reader, fields f,
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

/* What eight digits stand for, the first in the lowest byte. */
WIDE static inline __m512i value_of(__m512i digits)
{
    const __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010a));
    const __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010064));
    return _mm512_add_epi64(_mm512_mul_epu32(fours, _mm512_set1_epi64(10000)),
                            _mm512_srli_epi64(fours, 32));
}

/* Eight rows; returns the lanes that were read. */
WIDE static inline __mmask8 read_eight(const sc_csv_column *column,
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

WIDE size_t sc_csv_numbers_read(const sc_csv_column *column,
                                const sc_field_reader *reader, size_t from, size_t count,
                                int64_t *values, uint32_t *others)
{
    /* At hand, whatever is written to values. */
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
