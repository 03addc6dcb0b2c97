#include "query/rows/bound.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

/* In front of the content: unit, group, which of the copies. */
#define MESSAGE_WORDS 3
/* Most units have no more rows than that. */
#define FEW 24
/* Bits for the groups of few rows. */
#define SEEN_WORDS 16

scrim_status sc_bound_keys_draw(sc_bound_keys *keys, sc_bits *bits, scrim_error *error)
{
    uint64_t words[4];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const scrim_status status = sc_bits_word(bits, &words[i], error);
        if (status != SCRIM_OK)
            return status;
    }
    *keys = (sc_bound_keys){{words[0], words[1]}, {words[2], words[3]}};
    sc_wipe(words, sizeof words);
    return SCRIM_OK;
}

scrim_status sc_bound_init(sc_bound *bound, const sc_bound_keys *keys,
                           const sc_bounds *bounds, size_t content_bytes,
                           scrim_error *error)
{
    *bound = (sc_bound){.keys = *keys,
                        .max_groups = bounds->groups > 0 ? bounds->groups : UINT64_MAX,
                        .max_rows = bounds->rows > 0 ? bounds->rows : UINT64_MAX,
                        .max_total = bounds->total > 0 ? bounds->total : UINT64_MAX,
                        .content_bytes = content_bytes};
    if (bound->max_rows > bound->max_total)
        bound->max_rows = bound->max_total;
    bound->message =
        sc_allocate(MESSAGE_WORDS * sizeof(uint64_t) + content_bytes, sizeof(char));
    if (bound->message == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    return SCRIM_OK;
}

static void clear_heap(sc_bound_heap *heap)
{
    sc_free_wiped(heap->candidates, heap->capacity * sizeof *heap->candidates);
}

void sc_bound_clear(sc_bound *bound)
{
    if (bound->message != NULL)
        sc_free_wiped(bound->message,
                      MESSAGE_WORDS * sizeof(uint64_t) + bound->content_bytes);
    clear_heap(&bound->group);
    clear_heap(&bound->whole);
    sc_wipe(bound, sizeof *bound);
}

static bool reserve(sc_bound_heap *heap, uint64_t wanted)
{
    if (wanted <= heap->capacity)
        return true;
    size_t capacity = heap->capacity < 16 ? 16 : heap->capacity;
    while (capacity < wanted)
        if (!sc_size_mul(capacity, 2, &capacity))
            return false;
    sc_bound_candidate *candidates = sc_allocate(capacity, sizeof *candidates);
    if (candidates == NULL)
        return false;
    clear_heap(heap);
    *heap = (sc_bound_heap){candidates, capacity};
    return true;
}

/* The smallest candidates, up to the bound, in a heap with the largest of them first. */

static bool is_before(const sc_bound_candidate *a, const sc_bound_candidate *b)
{
    return a->priority != b->priority ? a->priority < b->priority : a->place < b->place;
}

static void sift_down(sc_bound_candidate *heap, size_t count, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(&heap[child], &heap[child + 1]))
            child++;
        if (is_before(&heap[child], &heap[at]))
            break;
        const sc_bound_candidate moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
    }
}

static void sift_up(sc_bound_candidate *heap, size_t at)
{
    while (at > 0) {
        const size_t parent = (at - 1) / 2;
        if (is_before(&heap[at], &heap[parent]))
            break;
        const sc_bound_candidate moved = heap[at];
        heap[at] = heap[parent];
        heap[parent] = moved;
        at = parent;
    }
}

static void offer(sc_bound_candidate *heap, size_t *count, size_t limit,
                  sc_bound_candidate candidate)
{
    if (*count < limit) {
        heap[*count] = candidate;
        sift_up(heap, (*count)++);
    } else if (is_before(&candidate, &heap[0])) {
        heap[0] = candidate;
        sift_down(heap, limit, 0);
    }
}

/* Order. */

static int by_place(const void *left, const void *right)
{
    const sc_bound_candidate *a = left, *b = right;
    return (a->place > b->place) - (a->place < b->place);
}

static int by_group(const void *left, const void *right)
{
    const sc_unit_row *a = left, *b = right;
    return (a->group > b->group) - (a->group < b->group);
}

static void sort_by_group(sc_unit_row *rows, size_t count)
{
    if (count > FEW) {
        qsort(rows, count, sizeof *rows, by_group);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const sc_unit_row row = rows[i];
        size_t at = i;
        for (; at > 0 && rows[at - 1].group > row.group; at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

static int by_content(const void *left, const void *right, void *bytes)
{
    const sc_unit_row *a = left, *b = right;
    return memcmp(a->content, b->content, *(const size_t *)bytes);
}

size_t sc_bound_group_end(const sc_unit_row *rows, size_t from, size_t count)
{
    size_t end = from + 1;
    while (end < count && rows[end].group == rows[from].group)
        end++;
    return end;
}

uint64_t sc_bound_copies(const sc_unit_row *rows, size_t count)
{
    uint64_t copies = 0;
    for (size_t i = 0; i < count; i++)
        copies += rows[i].copies;
    return copies;
}

/* Groups. */

/* Moves the groups whose places are in the heap to the front; rows are in the order of groups. */
static size_t move_groups(sc_unit_row *rows, size_t count, sc_bound_candidate *chosen,
                          size_t chosen_count)
{
    size_t kept = 0;
    if (chosen_count > 1)
        qsort(chosen, chosen_count, sizeof *chosen, by_place);
    for (size_t i = 0; i < chosen_count; i++) {
        const size_t from = chosen[i].place, end = sc_bound_group_end(rows, from, count);
        memmove(rows + kept, rows + from, (end - from) * sizeof *rows);
        kept += end - from;
    }
    return kept;
}

/* Moves the rows of a group to the front. */
static size_t move_group(sc_unit_row *rows, size_t count, uint32_t group)
{
    size_t kept = 0, last = 0;
    for (size_t i = 0; i < count; i++) {
        last = rows[i].group == group ? i : last;
        kept += rows[i].group == group;
    }
    if (kept == 1) {
        rows[0] = rows[last];
        return 1;
    }
    kept = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].group == group)
            rows[kept++] = rows[i];
    return kept;
}

/* The same for the usual case, one group of few rows: without putting them in order first. */
static size_t choose_one_group(const sc_bound *bound, uint64_t unit,
                               const uint64_t *tokens, sc_unit_row *rows, size_t count)
{
    uint64_t priorities[FEW], smallest;
    uint32_t best = rows[0].group;
    size_t same = 1;
    while (same < count && rows[same].group == best)
        same++;
    if (same == count)
        return count;
    const sc_hash_half half = sc_hash_first(&bound->keys.groups, unit);
    for (size_t i = 0; i < count; i++)
        priorities[i] = tokens[rows[i].group];
    sc_hash_seconds(&half, priorities, count, priorities);
    smallest = priorities[0];
    for (size_t i = same; i < count; i++) {
        const uint32_t group = rows[i].group;
        /* All ones where it is better: nobody can guess whether it is. */
        const uint64_t better =
            -(uint64_t)((priorities[i] < smallest) |
                        ((priorities[i] == smallest) & (group < best)));
        smallest ^= (smallest ^ priorities[i]) & better;
        best ^= (best ^ group) & (uint32_t)better;
    }
    return move_group(rows, count, best);
}

/* In the early stage a group goes only if max_groups others have smaller priorities. These stay with it, so that it
 * goes in the end whatever comes, and one entry of it may stand for all rows that went. */
static size_t move_groups_early(const sc_bound *bound, uint64_t unit,
                                const uint64_t *tokens, sc_unit_row *rows, size_t count,
                                uint64_t largest)
{
    const sc_hash_half half = sc_hash_first(&bound->keys.groups, unit);
    sc_unit_row gone = {.copies = 0};
    uint64_t copies = 0;
    size_t kept = 0;
    for (size_t from = 0, end; from < count; from = end) {
        end = sc_bound_group_end(rows, from, count);
        if (sc_hash_second(&half, tokens[rows[from].group]) > largest) {
            copies += sc_bound_copies(rows + from, end - from);
            gone = rows[from];
            continue;
        }
        memmove(rows + kept, rows + from, (end - from) * sizeof *rows);
        kept += end - from;
    }
    gone.copies = copies;
    if (bound->keeps_count && copies > 0)
        rows[kept++] = gone;
    return kept;
}

static bool choose_groups(sc_bound *bound, sc_bound_stage stage, uint64_t unit,
                          const uint64_t *tokens, sc_unit_row *rows, size_t *count)
{
    size_t groups = 0, chosen = 0;
    for (size_t from = 0; from < *count; from = sc_bound_group_end(rows, from, *count))
        groups++;
    if (groups <= bound->max_groups)
        return true;
    if (!reserve(&bound->group, bound->max_groups))
        return false;
    const sc_hash_half half = sc_hash_first(&bound->keys.groups, unit);
    for (size_t from = 0; from < *count; from = sc_bound_group_end(rows, from, *count)) {
        const uint64_t priority = sc_hash_second(&half, tokens[rows[from].group]);
        offer(bound->group.candidates, &chosen, (size_t)bound->max_groups,
              (sc_bound_candidate){priority, from});
    }
    *count = stage != SC_BOUND_EARLY
                 ? move_groups(rows, *count, bound->group.candidates, chosen)
                 : move_groups_early(bound, unit, tokens, rows, *count,
                                     bound->group.candidates[0].priority);
    return true;
}

/* Rows. */

size_t sc_bound_join(const sc_bound *bound, sc_unit_row *rows, size_t count)
{
    size_t bytes = bound->content_bytes, kept = 0;
    if (bytes > 0 && count > 1)
        qsort_r(rows, count, sizeof *rows, by_content, &bytes);
    for (size_t i = 0; i < count; i++)
        if (kept > 0 &&
            (bytes == 0 || memcmp(rows[kept - 1].content, rows[i].content, bytes) == 0))
            rows[kept - 1].copies += rows[i].copies;
        else
            rows[kept++] = rows[i];
    return kept;
}

uint64_t sc_bound_priority(const sc_bound *bound, uint64_t unit, uint64_t token,
                           const sc_unit_row *row, uint64_t copy)
{
    const uint64_t words[MESSAGE_WORDS] = {unit, token, copy};
    memcpy(bound->message, words, sizeof words);
    if (bound->content_bytes > 0)
        memcpy(bound->message + sizeof words, row->content, bound->content_bytes);
    return sc_hash(&bound->keys.rows, bound->message,
                   sizeof words + bound->content_bytes);
}

/* Offers each copy of rows of one group; those of place first and on. */
static void offer_copies(const sc_bound *bound, uint64_t unit, uint64_t token,
                         const sc_unit_row *rows, size_t count, size_t first,
                         sc_bound_candidate *heap, size_t *chosen, size_t limit)
{
    for (size_t i = 0; i < count; i++)
        for (uint64_t copy = 0; copy < rows[i].copies; copy++)
            offer(heap, chosen, limit,
                  (sc_bound_candidate){
                      sc_bound_priority(bound, unit, token, &rows[i], copy), first + i});
}

/* Leaves the copies that were chosen; returns how many entries have any. */
static size_t keep_chosen(sc_unit_row *rows, size_t count,
                          const sc_bound_candidate *chosen, size_t chosen_count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        rows[i].copies = 0;
    for (size_t i = 0; i < chosen_count; i++)
        rows[chosen[i].place].copies++;
    for (size_t i = 0; i < count; i++)
        if (rows[i].copies > 0)
            rows[kept++] = rows[i];
    return kept;
}

/* Chooses among the rows of one group, which are more than may stay. */
static bool choose_rows(sc_bound *bound, uint64_t unit, uint64_t token, sc_unit_row *rows,
                        size_t *count)
{
    size_t chosen = 0;
    *count = sc_bound_join(bound, rows, *count);
    if (*count == 1) {
        rows[0].copies = bound->max_rows;
        return true;
    }
    if (!reserve(&bound->group, bound->max_rows))
        return false;
    offer_copies(bound, unit, token, rows, *count, 0, bound->group.candidates, &chosen,
                 (size_t)bound->max_rows);
    *count = keep_chosen(rows, *count, bound->group.candidates, chosen);
    return true;
}

/* The whole. */

/* Do groups that are bounded one by one leave more rows than may stay? */
static bool is_over(const sc_bound *bound, const sc_unit_row *rows, size_t count)
{
    uint64_t all = 0;
    if (bound->max_total == UINT64_MAX)
        return false;
    for (size_t from = 0, end; from < count && all <= bound->max_total; from = end) {
        end = sc_bound_group_end(rows, from, count);
        const uint64_t copies = sc_bound_copies(rows + from, end - from);
        all += copies < bound->max_rows ? copies : bound->max_rows;
    }
    return all > bound->max_total;
}

/* Makes one entry of rows of a group that are alike, group by group. */
static size_t join_groups(const sc_bound *bound, sc_unit_row *rows, size_t count)
{
    size_t done = 0;
    for (size_t from = 0, end; from < count; from = end) {
        end = sc_bound_group_end(rows, from, count);
        const size_t left = sc_bound_join(bound, rows + from, end - from);
        memmove(rows + done, rows + from, left * sizeof *rows);
        done += left;
    }
    return done;
}

size_t sc_bound_distinct(const sc_bound *bound, sc_unit_row *rows, size_t count)
{
    if (count > 1) {
        sort_by_group(rows, count);
        count = join_groups(bound, rows, count);
    }
    for (size_t i = 0; i < count; i++) {
        rows[i].alike =
            rows[i].copies < UINT32_MAX ? (uint32_t)rows[i].copies : UINT32_MAX;
        rows[i].copies = 1;
    }
    return count;
}

uint64_t sc_bound_alike(const sc_unit_row *rows, size_t count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += rows[i].alike;
    return all;
}

/* Offers the rows of a group to the whole: those that stay in the group, by the same priorities. */
static bool offer_group(sc_bound *bound, uint64_t unit, uint64_t token,
                        const sc_unit_row *rows, size_t count, size_t first,
                        size_t *chosen)
{
    sc_bound_candidate *whole = bound->whole.candidates;
    const size_t limit = (size_t)bound->max_total;
    size_t own = 0;
    /* The smallest of all are among the smallest of the group where these are as many. */
    if (bound->max_rows >= bound->max_total ||
        sc_bound_copies(rows, count) <= bound->max_rows) {
        offer_copies(bound, unit, token, rows, count, first, whole, chosen, limit);
        return true;
    }
    if (!reserve(&bound->group, bound->max_rows))
        return false;
    offer_copies(bound, unit, token, rows, count, first, bound->group.candidates, &own,
                 (size_t)bound->max_rows);
    for (size_t i = 0; i < own; i++)
        offer(whole, chosen, limit, bound->group.candidates[i]);
    return true;
}

/* Leaves the groups of which some row was chosen. */
static size_t keep_groups(sc_unit_row *rows, size_t count, sc_bound_candidate *chosen,
                          size_t chosen_count)
{
    size_t kept = 0, next = 0;
    qsort(chosen, chosen_count, sizeof *chosen, by_place);
    for (size_t from = 0, end; from < count; from = end) {
        end = sc_bound_group_end(rows, from, count);
        const size_t before = next;
        while (next < chosen_count && chosen[next].place < end)
            next++;
        if (next == before)
            continue;
        memmove(rows + kept, rows + from, (end - from) * sizeof *rows);
        kept += end - from;
    }
    return kept;
}

/* Chooses among all rows of a unit, which are in the order of groups and more than may stay. */
static bool choose_whole(sc_bound *bound, sc_bound_stage stage, uint64_t unit,
                         const uint64_t *tokens, sc_unit_row *rows, size_t *count)
{
    size_t chosen = 0;
    *count = join_groups(bound, rows, *count);
    if (!reserve(&bound->whole, bound->max_total))
        return false;
    for (size_t from = 0, end; from < *count; from = end) {
        end = sc_bound_group_end(rows, from, *count);
        if (!offer_group(bound, unit, tokens[rows[from].group], rows + from, end - from,
                         from, &chosen))
            return false;
    }
    *count = stage == SC_BOUND_GROUPS
                 ? keep_groups(rows, *count, bound->whole.candidates, chosen)
                 : keep_chosen(rows, *count, bound->whole.candidates, chosen);
    return true;
}

static bool bound_group(sc_bound *bound, sc_bound_stage stage, uint64_t unit,
                        uint64_t token, sc_unit_row *rows, size_t *count)
{
    if (stage == SC_BOUND_EARLY) {
        *count = sc_bound_join(bound, rows, *count);
        return true;
    }
    if (stage == SC_BOUND_GROUPS)
        return true;
    return sc_bound_copies(rows, *count) <= bound->max_rows ||
           choose_rows(bound, unit, token, rows, count);
}

/* Do all of few rows stay, each in a group of its own? Groups that look alike here are looked at
 * again by those who ask. */
static bool is_all_kept(const sc_bound *bound, const sc_unit_row *rows, size_t count)
{
    uint64_t seen[SEEN_WORDS] = {0}, again = 0, copies = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t bit = (uint64_t)1 << rows[i].group % 64;
        uint64_t *word = &seen[rows[i].group / 64 % SEEN_WORDS];
        again |= (*word & bit) | (rows[i].copies > bound->max_rows);
        *word |= bit;
        copies += rows[i].copies;
    }
    return again == 0 && copies <= bound->max_total;
}

scrim_status sc_bound_unit(sc_bound *bound, sc_bound_stage stage, uint64_t unit,
                           const uint64_t *tokens, sc_unit_row *rows, size_t count,
                           size_t *kept, scrim_error *error)
{
    size_t done = 0;
    bool is_done = true;
    if (count <= FEW && count <= bound->max_groups && is_all_kept(bound, rows, count)) {
        *kept = count;
        return SCRIM_OK;
    }
    if (bound->max_groups == 1 && stage != SC_BOUND_EARLY && count - 1 < FEW) {
        count = choose_one_group(bound, unit, tokens, rows, count);
    } else {
        sort_by_group(rows, count);
        is_done = choose_groups(bound, stage, unit, tokens, rows, &count);
    }
    if (is_done && stage != SC_BOUND_EARLY && is_over(bound, rows, count)) {
        is_done = choose_whole(bound, stage, unit, tokens, rows, &count);
        done = count;
        count = 0;
    }
    for (size_t from = 0, end; is_done && from < count; from = end) {
        end = sc_bound_group_end(rows, from, count);
        size_t left = end - from;
        is_done =
            bound_group(bound, stage, unit, tokens[rows[from].group], rows + from, &left);
        if (done != from)
            memmove(rows + done, rows + from, left * sizeof *rows);
        done += left;
    }
    if (!is_done)
        return sc_no_memory(error, "contribution bounds");
    *kept = done;
    return SCRIM_OK;
}
