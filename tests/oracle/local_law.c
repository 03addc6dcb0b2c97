#include "local_law.h"

#include "check.h"

#include <math.h>
#include <string.h>

static uint64_t slot_choices(local_slot slot)
{
    return slot.size > 0 ? slot.size : (uint64_t)1 << slot.lanes;
}

bool local_tapes_next(local_tapes *tapes)
{
    size_t i = 0;
    if (tapes->begun)
        while (i < tapes->count && ++tapes->choice[i] == slot_choices(tapes->slots[i]))
            tapes->choice[i++] = 0;
    if (tapes->begun && i == tapes->count)
        return false;
    tapes->begun = true;
    for (i = 0; i < tapes->count; i++) {
        const local_slot slot = tapes->slots[i];
        tapes->words[i] =
            slot.size > 0 ? device_word(tapes->choice[i], slot.size) : tapes->choice[i];
    }
    return true;
}

uint64_t local_tapes_total(const local_tapes *tapes)
{
    uint64_t total = 1;
    for (size_t i = 0; i < tapes->count; i++)
        total *= slot_choices(tapes->slots[i]);
    return total;
}

void local_law_count(const scrim_local_config *config, uint64_t value,
                     const uint8_t *text, const local_tapes *tapes, uint64_t *counts,
                     size_t outputs)
{
    local_tapes all = *tapes;
    const size_t bytes = scrim_local_report_bytes(config);
    memset(counts, 0, outputs * sizeof *counts);
    while (local_tapes_next(&all)) {
        uint8_t report[8] = {0};
        device_tape tape = {all.words, all.count, 0};
        const scrim_local_source source = device_tape_source(&tape);
        const scrim_local_status status =
            text == NULL ? scrim_local_encode(config, value, &source, report)
                         : scrim_local_encode_text(config, text, &source, report);
        const uint64_t number = device_number(report, bytes);
        REQUIRE(status == SCRIM_LOCAL_OK && tape.taken == all.count && number < outputs);
        counts[number]++;
    }
}

double local_law_ratio(const uint64_t *rows, size_t values, size_t outputs)
{
    double ratio = 1;
    for (size_t x = 0; x < values; x++)
        for (size_t y = 0; y < values; y++)
            for (size_t z = 0; z < outputs; z++) {
                const uint64_t over = rows[x * outputs + z],
                               under = rows[y * outputs + z];
                if (over > under)
                    ratio =
                        fmax(ratio, under == 0 ? HUGE_VAL : (double)over / (double)under);
            }
    return ratio;
}

double local_law_loss(const scrim_local_config *config)
{
    return (double)scrim_local_loss(config) / 4294967296.0;
}
