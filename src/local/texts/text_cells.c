#include "local/texts/text_cells.h"

#include <math.h>

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

double sc_text_report_truth(const scrim_local_config *config)
{
    return config->a / (config->a + ((double)config->cells - 1) * config->b);
}
