#include "local/texts/text_support.h"

#include "audit/bounds.h"
#include "base/memory.h"
#include "base/workers.h"

#include <math.h>
#include <string.h>

static uint64_t little_endian(const uint8_t *bytes, size_t count)
{
    uint64_t number = 0;
    for (size_t i = count; i-- > 0;)
        number = number << 8 | bytes[i];
    return number;
}

/* Bit b of a word has weight x^(63 - b): from the last bit on, each cell is that of the next power. */
void sc_text_report_read(const scrim_local_config *config, const uint8_t *report,
                         sc_text_report *out)
{
    const uint32_t words = (config->text + 7) / 8;
    const uint32_t cell_bits = sl_cell_bits(config->cells);
    for (uint32_t w = 0; w < words; w++, report += 8) {
        uint64_t power = little_endian(report, 8);
        for (size_t b = 64; b-- > 0;) {
            out->bits[(size_t)64 * w + b] = (uint16_t)(power >> (64 - cell_bits));
            power = power << 1 ^ (0x1b & (0 - (power >> 63)));
        }
    }
    out->cell = (uint32_t)little_endian(report, config->cells > 256 ? 2 : 1);
}

void sc_text_report_table(const sc_text_report *report, size_t first, uint16_t table[16])
{
    table[0] = 0;
    for (size_t j = 0; j < 4; j++)
        for (size_t v = 0; v < (size_t)1 << j; v++)
            table[v | (size_t)1 << j] = table[v] ^ report->bits[first + 3 - j];
}

#define BLOCK 32 /* texts at once */

void sc_text_planes_add_plain(sc_text_planes *planes, const uint8_t *low,
                              const uint8_t *high, uint32_t cell)
{
    for (size_t at = 0; at < planes->padded; at += BLOCK) {
        uint8_t lows[BLOCK] = {0}, highs[BLOCK] = {0};
        for (size_t q = 0; q < planes->quarters; q++) {
            const uint8_t *values = planes->values + q * planes->padded + at;
            for (size_t i = 0; i < BLOCK; i++) {
                lows[i] ^= low[16 * q + values[i]];
                highs[i] ^= high[16 * q + values[i]];
            }
        }
        for (size_t i = 0; i < BLOCK; i++)
            planes->hits[at + i] += (lows[i] | (uint32_t)highs[i] << 8) == cell;
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static __m256i
cells_avx2(const sc_text_planes *planes, const uint8_t *tables, size_t at)
{
    __m256i cells = _mm256_setzero_si256();
    for (size_t q = 0; q < planes->quarters; q++) {
        const __m256i table =
            _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(tables + 16 * q)));
        const __m256i values =
            _mm256_loadu_si256((const void *)(planes->values + q * planes->padded + at));
        cells = _mm256_xor_si256(cells, _mm256_shuffle_epi8(table, values));
    }
    return cells;
}

/* Few texts are hit: their bits are taken one by one. */
__attribute__((target("avx2"))) static void
add_avx2(sc_text_planes *planes, const uint8_t *low, const uint8_t *high, uint32_t cell)
{
    for (size_t at = 0; at < planes->padded; at += BLOCK) {
        __m256i is_hit = _mm256_cmpeq_epi8(cells_avx2(planes, low, at),
                                           _mm256_set1_epi8((char)(cell & 0xff)));
        if (high != NULL)
            is_hit = _mm256_and_si256(
                is_hit, _mm256_cmpeq_epi8(cells_avx2(planes, high, at),
                                          _mm256_set1_epi8((char)(cell >> 8))));
        for (uint32_t hits = (uint32_t)_mm256_movemask_epi8(is_hit); hits != 0;
             hits &= hits - 1)
            planes->hits[at + (size_t)__builtin_ctz(hits)]++;
    }
}
#endif

bool sc_text_planes_add_wide(sc_text_planes *planes, const uint8_t *low,
                             const uint8_t *high, uint32_t cell)
{
#if defined(__x86_64__)
    if (sc_processor_has(SC_AVX2)) {
        add_avx2(planes, low, high, cell);
        return true;
    }
#endif
    (void)planes;
    (void)low;
    (void)high;
    (void)cell;
    return false;
}

static void fill_planes(const scrim_local_config *config, const uint8_t *texts,
                        size_t count, sc_text_planes *planes)
{
    for (size_t s = 0; s < count; s++)
        for (size_t q = 0; q < planes->quarters; q++) {
            const uint8_t byte = texts[s * config->text + q / 2];
            planes->values[q * planes->padded + s] = q % 2 == 0 ? byte >> 4 : byte & 15;
        }
}

/* One report. */
static void add_report(const scrim_local_config *config, const sc_text_report *report,
                       sc_text_planes *planes)
{
    uint8_t low[SC_TEXT_BITS * 4], high[SC_TEXT_BITS * 4];
    uint16_t table[16];
    for (size_t q = 0; q < planes->quarters; q++) {
        sc_text_report_table(report, 4 * q, table);
        for (size_t v = 0; v < 16; v++) {
            low[16 * q + v] = (uint8_t)(table[v] & 0xff);
            high[16 * q + v] = (uint8_t)(table[v] >> 8);
        }
    }
    if (!sc_text_planes_add_wide(planes, low, config->cells > 256 ? high : NULL,
                                 report->cell))
        sc_text_planes_add_plain(planes, low, high, report->cell);
}

scrim_status sc_text_support(const scrim_local_config *config, const uint8_t *reports,
                             size_t count, const uint8_t *texts, size_t text_count,
                             uint64_t *counts, uint64_t *dropped, scrim_error *error)
{
    const size_t bytes = scrim_local_report_bytes(config);
    sc_text_planes planes = {.quarters = (size_t)2 * config->text,
                             .padded = (text_count + BLOCK - 1) / BLOCK * BLOCK};
    planes.values = sc_allocate(planes.quarters, planes.padded);
    planes.hits = sc_allocate(planes.padded, sizeof *planes.hits);
    *dropped = 0;
    scrim_status status = SCRIM_OK;
    if (planes.values == NULL || planes.hits == NULL)
        status = sc_no_memory(error, "candidates");
    else
        fill_planes(config, texts, text_count, &planes);
    for (size_t i = 0; i < count && status == SCRIM_OK; i++) {
        sc_text_report report;
        sc_text_report_read(config, reports + i * bytes, &report);
        if (report.cell >= config->cells)
            ++*dropped;
        else
            add_report(config, &report, &planes);
    }
    for (size_t s = 0; s < text_count && status == SCRIM_OK; s++)
        counts[s] = planes.hits[s];
    sc_free(planes.values);
    sc_free(planes.hits);
    return status;
}

#define MORE 1.000001

uint64_t sc_support_threshold_rate(uint64_t n, double q, const uint64_t *counts,
                                   size_t candidates, double alpha)
{
    double harmonic = 0, tail = 1;
    uint64_t threshold = n + 1;
    for (size_t r = candidates; r > 0; r--)
        harmonic += 1 / (double)r;
    for (size_t r = 1; r <= candidates; r++) {
        if (r == 1 || counts[r - 1] != counts[r - 2])
            tail = MORE * sc_binomial_at_least(counts[r - 1], n, q);
        if (tail <= (double)r * alpha / ((double)candidates * harmonic))
            threshold = counts[r - 1];
        else if (tail > alpha / harmonic)
            break; /* so are all that follow */
    }
    return threshold;
}
