#include "query/language/condition_facts.h"

#include "base/checked.h"
#include "data/value/value.h"
#include "query/language/date_parts.h"
#include "query/language/typed_node.h"

#include <stdlib.h>

/* The most nodes to evaluate, over all products. */
#define WORK ((size_t)1 << 24)
#define AXES 64
#define UNKNOWNS 16
/* The most texts of one list; each is compared with all others. */
#define TEXTS 1024

/* A column: where its cells begin, in increasing order; of texts those that are named, by their places
 * from 0 on, and any other. Of a nullable one NULL is the last. */
typedef struct axis {
    const sc_typed *column;
    int64_t *starts;
    size_t count, capacity;
    const sc_text **texts;
    size_t at; /* the cell that is tried */
} axis;

typedef struct unknown {
    const sc_typed *leaf;
    bool value; /* that is tried, where no operand is NULL */
} unknown;

typedef struct survey {
    sc_arena *arena;
    axis axes[AXES];
    size_t axis_count;
    unknown unknowns[UNKNOWNS];
    size_t unknown_count;
    bool lacks_memory, is_too_much;
} survey;

/* Monotone functions of one column. */

/* The column of which typed is a chain of monotone functions; NULL if it is not. */
static const sc_typed *column_of(const sc_typed *typed)
{
    const sc_typed *const *parts = typed->parts;
    const sc_operation operation = typed->operation;
    if (sc_typed_is_cell(typed))
        return typed->type == SC_TYPE_TEXT ? NULL : typed;
    if (operation == SC_OP_SCALE || operation == SC_OP_QUOTIENT ||
        (operation == SC_OP_DATE_PART &&
         (typed->part == SC_PART_YEAR || sc_date_part_is_first(typed->part))))
        return column_of(parts[0]);
    if (typed->skips_null || (operation != SC_OP_ADD && operation != SC_OP_SUBTRACT &&
                              operation != SC_OP_LEAST && operation != SC_OP_GREATEST))
        return NULL;
    if (parts[0]->operation == SC_OP_CONSTANT)
        return column_of(parts[1]);
    return parts[1]->operation == SC_OP_CONSTANT ? column_of(parts[0]) : NULL;
}

static int64_t number_at(const sc_typed *typed, int64_t x)
{
    const sc_operation operation = typed->operation;
    if (sc_typed_is_cell(typed))
        return x;
    if (operation == SC_OP_CONSTANT)
        return typed->extent.low;
    const int64_t a = number_at(typed->parts[0], x),
                  b = typed->count > 1 ? number_at(typed->parts[1], x) : 0;
    if (operation == SC_OP_SCALE)
        return a * typed->times;
    if (operation == SC_OP_QUOTIENT)
        return sc_floor_divide(a * typed->quotient.times + typed->quotient.plus,
                               typed->quotient.by);
    if (operation == SC_OP_DATE_PART)
        return sc_date_part_of(typed->part, a);
    if (operation == SC_OP_LEAST)
        return a < b ? a : b;
    if (operation == SC_OP_GREATEST)
        return a > b ? a : b;
    return operation == SC_OP_ADD ? a + b : a - b;
}

/* Cells. */

static axis *axis_of(survey *s, const sc_typed *column)
{
    for (size_t i = 0; i < s->axis_count; i++)
        if (s->axes[i].column->column == column->column)
            return &s->axes[i];
    if (s->axis_count == AXES) {
        s->is_too_much = true;
        return NULL;
    }
    axis *own = &s->axes[s->axis_count++];
    own->column = column;
    return own;
}

static void add_start(survey *s, axis *own, int64_t start, const sc_text *text)
{
    if (own->count == own->capacity) {
        const size_t capacity = own->capacity == 0 ? 16 : 2 * own->capacity;
        int64_t *starts = sc_arena_allocate(s->arena, capacity, sizeof *starts);
        const sc_text **texts =
            sc_arena_allocate(s->arena, capacity, sizeof(const sc_text *));
        s->is_too_much |= capacity > SC_FACTS_PRODUCTS;
        s->lacks_memory |= starts == NULL || texts == NULL;
        if (s->is_too_much || s->lacks_memory)
            return;
        for (size_t i = 0; i < own->count; i++) {
            starts[i] = own->starts[i];
            texts[i] = own->texts[i];
        }
        own->starts = starts;
        own->texts = texts;
        own->capacity = capacity;
    }
    own->texts[own->count] = text;
    own->starts[own->count++] = start;
}

/* Has what falls or rises with x passed the constant at x; or, with or_at, reached it? */
static bool has_passed(const sc_typed *f, int64_t x, int64_t constant, bool rises,
                       bool or_at)
{
    const int64_t y = number_at(f, x);
    return (or_at && y == constant) || (rises ? y > constant : y < constant);
}

/* Cuts the range where f reaches the constant, and behind it. */
static void cut(survey *s, const sc_typed *f, int64_t constant)
{
    const sc_typed *column = column_of(f);
    axis *own = axis_of(s, column);
    if (own == NULL)
        return;
    const int64_t first = column->extent.low, last = column->extent.high;
    const bool rises = number_at(f, first) <= number_at(f, last);
    for (size_t or_at = 0; or_at < 2; or_at++) {
        int64_t low = first, high = last;
        if (!has_passed(f, high, constant, rises, or_at))
            continue;
        while (low < high) {
            const int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
            if (has_passed(f, middle, constant, rises, or_at))
                high = middle;
            else
                low = middle + 1;
        }
        add_start(s, own, low, NULL);
    }
}

static void name_texts(survey *s, const sc_typed *in)
{
    axis *own = axis_of(s, in->parts[0]);
    s->is_too_much |= in->text_count > TEXTS;
    for (size_t i = 0; own != NULL && !s->is_too_much && i < in->text_count; i++) {
        bool is_there = false;
        for (size_t j = 0; j < own->count; j++)
            is_there |= sc_text_equal(*own->texts[j], in->texts[i]);
        if (!is_there && !s->lacks_memory)
            add_start(s, own, (int64_t)own->count, &in->texts[i]);
    }
}

/* All cells of a column, when all cuts are known. */
static void finish_axis(survey *s, axis *own)
{
    const sc_typed *column = own->column;
    const bool is_text = column->type == SC_TYPE_TEXT;
    if (is_text) {
        add_start(s, own, (int64_t)own->count, NULL);
    } else {
        add_start(s, own, column->extent.low, NULL);
        if (column->type == SC_TYPE_BOOL)
            add_start(s, own, column->extent.high, NULL);
    }
    if (s->lacks_memory || s->is_too_much)
        return;
    size_t distinct = 0;
    if (!is_text)
        qsort(own->starts, own->count, sizeof *own->starts, sc_int64_order);
    for (size_t i = 0; i < own->count; i++)
        if (i == 0 || own->starts[i] != own->starts[i - 1])
            own->starts[distinct++] = own->starts[i];
    own->count = distinct;
    if (column->is_nullable)
        add_start(s, own, SC_NULL, NULL);
}

/* The parts of a condition. */

/* Is a text column among those of a list? */
static bool is_of_column(const sc_typed *typed)
{
    return typed->operation == SC_OP_TEXT_IN && sc_typed_is_cell(typed->parts[0]);
}

static bool is_comparison(const sc_typed *typed)
{
    return (typed->operation == SC_OP_TEXT_IN && !is_of_column(typed)) ||
           typed->operation == SC_OP_LIKE || typed->operation == SC_OP_EQUAL ||
           typed->operation == SC_OP_LESS || typed->operation == SC_OP_LESS_EQUAL ||
           typed->operation == SC_OP_IN || typed->operation == SC_OP_TEXT_EQUAL;
}

/* Is it a comparison of numbers, dates or texts? Comparisons of conditions are computed from these. */
static bool is_leaf(const sc_typed *typed)
{
    return is_comparison(typed) && typed->parts[0]->type != SC_TYPE_BOOL;
}

/* A function of one column beside constants. */
static const sc_typed *function_of(const sc_typed *leaf)
{
    if (leaf->operation == SC_OP_TEXT_EQUAL || leaf->operation == SC_OP_TEXT_IN ||
        leaf->operation == SC_OP_LIKE)
        return NULL;
    if (leaf->operation == SC_OP_IN)
        return column_of(leaf->parts[0]) != NULL ? leaf->parts[0] : NULL;
    for (size_t i = 0; i < 2; i++)
        if (leaf->parts[1 - i]->operation == SC_OP_CONSTANT &&
            column_of(leaf->parts[i]) != NULL)
            return leaf->parts[i];
    return NULL;
}

/* One unknown: the same leaf; a <= b, which is no b < a; equality either way round. */
static bool is_same(const sc_typed *a, const sc_typed *b, bool *is_negated)
{
    *is_negated = false;
    if (sc_typed_equal(a, b))
        return true;
    if (a->count != 2 || b->count != 2 || !sc_typed_equal(a->parts[0], b->parts[1]) ||
        !sc_typed_equal(a->parts[1], b->parts[0]))
        return false;
    *is_negated = a->operation != b->operation;
    return (a->operation == SC_OP_LESS && b->operation == SC_OP_LESS_EQUAL) ||
           (a->operation == SC_OP_LESS_EQUAL && b->operation == SC_OP_LESS) ||
           (a->operation == b->operation &&
            (a->operation == SC_OP_EQUAL || a->operation == SC_OP_TEXT_EQUAL));
}

static const unknown *find_unknown(const survey *s, const sc_typed *leaf,
                                   bool *is_negated)
{
    for (size_t i = 0; i < s->unknown_count; i++)
        if (is_same(s->unknowns[i].leaf, leaf, is_negated))
            return &s->unknowns[i];
    return NULL;
}

static void look_at_leaf(survey *s, const sc_typed *leaf)
{
    const sc_typed *f = function_of(leaf);
    bool is_negated;
    if (f != NULL && leaf->operation == SC_OP_IN) {
        for (size_t i = 0; !s->is_too_much && i < leaf->value_count; i++)
            cut(s, f, leaf->values[i]);
    } else if (f != NULL) {
        cut(s, f, leaf->parts[leaf->parts[0] == f]->extent.low);
    } else if (find_unknown(s, leaf, &is_negated) == NULL) {
        s->is_too_much |= s->unknown_count == UNKNOWNS;
        if (!s->is_too_much)
            s->unknowns[s->unknown_count++] = (unknown){.leaf = leaf};
    }
}

static void look_at(survey *s, const sc_typed *typed)
{
    if (s->is_too_much || s->lacks_memory)
        return;
    if (sc_typed_is_cell(typed)) {
        (void)axis_of(s, typed);
        return;
    }
    if (is_of_column(typed))
        name_texts(s, typed);
    else if (is_leaf(typed))
        look_at_leaf(s, typed);
    for (size_t i = 0; i < typed->count; i++)
        look_at(s, typed->parts[i]);
}

/* Trying. */

static int64_t value_of(const survey *s, const sc_typed *column)
{
    for (size_t i = 0; i < s->axis_count; i++)
        if (s->axes[i].column->column == column->column)
            return s->axes[i].starts[s->axes[i].at];
    return SC_NULL;
}

static int64_t truth_at(const survey *s, const sc_typed *typed);

/* The value that CASE chooses. */
static const sc_typed *chosen(const survey *s, const sc_typed *typed)
{
    for (size_t i = 0; i + 1 < typed->count; i += 2)
        if (truth_at(s, typed->parts[i]) == 1)
            return typed->parts[i + 1];
    return typed->parts[typed->count - 1];
}

static bool is_null_at(const survey *s, const sc_typed *typed)
{
    const bool needs_all = typed->operation == SC_OP_COALESCE || typed->skips_null;
    if (!typed->is_nullable)
        return false;
    if (typed->operation == SC_OP_NULL)
        return true;
    if (sc_typed_is_cell(typed))
        return value_of(s, typed) == SC_NULL;
    if (typed->operation == SC_OP_CASE)
        return is_null_at(s, chosen(s, typed));
    if (typed->type == SC_TYPE_BOOL)
        return truth_at(s, typed) == SC_NULL;
    for (size_t i = 0; i < typed->count; i++)
        if (is_null_at(s, typed->parts[i]) != needs_all)
            return !needs_all;
    return needs_all;
}

static bool is_listed(const sc_typed *in, int64_t value)
{
    return in->value_count > 0 && bsearch(&value, in->values, in->value_count,
                                          sizeof value, sc_int64_order) != NULL;
}

static int64_t compares(const sc_typed *typed, int64_t a, int64_t b)
{
    if (typed->operation == SC_OP_IN)
        return is_listed(typed, a);
    return typed->operation == SC_OP_EQUAL  ? a == b
           : typed->operation == SC_OP_LESS ? a < b
                                            : a <= b;
}

static int64_t leaf_at(const survey *s, const sc_typed *leaf)
{
    const sc_typed *f = function_of(leaf);
    bool is_negated = false;
    for (size_t i = 0; i < leaf->count; i++)
        if (is_null_at(s, leaf->parts[i]))
            return SC_NULL;
    if (f == NULL) {
        const unknown *own = find_unknown(s, leaf, &is_negated);
        return own != NULL && own->value != is_negated;
    }
    const int64_t x = value_of(s, column_of(f));
    return compares(leaf, number_at(leaf->parts[0], x),
                    leaf->count > 1 ? number_at(leaf->parts[1], x) : 0);
}

static int64_t text_in_at(const survey *s, const sc_typed *in)
{
    for (size_t i = 0; i < s->axis_count; i++) {
        const axis *own = &s->axes[i];
        if (own->column->column != in->parts[0]->column)
            continue;
        if (own->starts[own->at] == SC_NULL)
            return SC_NULL;
        for (size_t j = 0; own->texts[own->at] != NULL && j < in->text_count; j++)
            if (sc_text_equal(*own->texts[own->at], in->texts[j]))
                return 1;
    }
    return 0;
}

/* AND and OR: a deciding operand decides even if others are NULL. */
static int64_t join_at(const survey *s, const sc_typed *typed)
{
    const int64_t decides = typed->operation == SC_OP_OR;
    int64_t all = !decides;
    for (size_t i = 0; i < typed->count; i++) {
        const int64_t one = truth_at(s, typed->parts[i]);
        if (one == decides)
            return decides;
        if (one == SC_NULL)
            all = SC_NULL;
    }
    return all;
}

static int64_t coalesce_at(const survey *s, const sc_typed *typed)
{
    int64_t value = SC_NULL;
    for (size_t i = 0; value == SC_NULL && i < typed->count; i++)
        value = truth_at(s, typed->parts[i]);
    return value;
}

/* A comparison of two conditions, or an operation on one. */
static int64_t compare_at(const survey *s, const sc_typed *typed)
{
    const int64_t a = truth_at(s, typed->parts[0]),
                  b = typed->count > 1 ? truth_at(s, typed->parts[1]) : 0;
    return a == SC_NULL || b == SC_NULL ? SC_NULL : compares(typed, a, b);
}

/* 0, 1 or NULL. */
static int64_t truth_at(const survey *s, const sc_typed *typed)
{
    const sc_operation operation = typed->operation;
    if (is_leaf(typed))
        return leaf_at(s, typed);
    if (is_comparison(typed))
        return compare_at(s, typed);
    if (operation == SC_OP_CONSTANT)
        return typed->extent.low;
    if (sc_typed_is_cell(typed))
        return value_of(s, typed);
    if (operation == SC_OP_AND || operation == SC_OP_OR)
        return join_at(s, typed);
    if (operation == SC_OP_COALESCE)
        return coalesce_at(s, typed);
    if (operation == SC_OP_CASE)
        return truth_at(s, chosen(s, typed));
    if (operation == SC_OP_IS_NULL)
        return is_null_at(s, typed->parts[0]);
    if (is_of_column(typed))
        return text_in_at(s, typed);
    const int64_t value = operation == SC_OP_NOT ? truth_at(s, typed->parts[0]) : SC_NULL;
    return value == SC_NULL ? SC_NULL : !value;
}

/* The next product; false behind the last. */
static bool turn(survey *s)
{
    for (size_t i = 0; i < s->axis_count; i++) {
        if (++s->axes[i].at < s->axes[i].count)
            return true;
        s->axes[i].at = 0;
    }
    for (size_t i = 0; i < s->unknown_count; i++) {
        s->unknowns[i].value = !s->unknowns[i].value;
        if (s->unknowns[i].value)
            return true;
    }
    return false;
}

static bool is_feasible(const survey *s, const sc_typed *condition)
{
    size_t products = (size_t)1 << s->unknown_count;
    for (size_t i = 0; i < s->axis_count && products <= SC_FACTS_PRODUCTS; i++)
        products *= s->axes[i].count;
    return products <= SC_FACTS_PRODUCTS && products <= WORK / condition->size;
}

static void try_all(survey *s, const sc_typed *condition, bool *is_present,
                    sc_condition_facts *out)
{
    *out = (sc_condition_facts){false, true, is_present};
    for (size_t i = 0; i < s->axis_count; i++)
        is_present[s->axes[i].column->column] = true;
    do {
        const bool is_true = truth_at(s, condition) == 1;
        out->can_be_true |= is_true;
        out->is_always_true &= is_true;
        for (size_t i = 0; is_true && i < s->axis_count; i++)
            if (s->axes[i].starts[s->axes[i].at] == SC_NULL)
                is_present[s->axes[i].column->column] = false;
    } while (turn(s));
}

/* NULL without memory; is_too_much says that cells are not tried. */
static survey *survey_of(const sc_typed *condition, sc_arena *arena)
{
    survey *s = sc_arena_allocate(arena, 1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->arena = arena;
    look_at(s, condition);
    for (size_t i = 0; !s->is_too_much && !s->lacks_memory && i < s->axis_count; i++)
        finish_axis(s, &s->axes[i]);
    s->is_too_much |= !s->is_too_much && !is_feasible(s, condition);
    return s->lacks_memory ? NULL : s;
}

bool sc_condition_facts_of(const sc_typed *condition, const sc_schema *schema,
                           sc_arena *arena, sc_condition_facts *out)
{
    survey *s = survey_of(condition, arena);
    bool *is_present =
        sc_arena_allocate(arena, sc_cell_count(schema), sizeof *is_present);
    if (s == NULL || is_present == NULL)
        return false;
    *out = (sc_condition_facts){condition->extent.high == 1,
                                !condition->is_nullable && condition->extent.low == 1,
                                is_present};
    if (!s->is_too_much)
        try_all(s, condition, is_present, out);
    return true;
}

/* The text of the true set. */

/* Is the condition true on each product? A product is the sum of the axes' cells times their strides. */
typedef struct truth_table {
    const survey *survey;
    const bool *is_true;
    size_t strides[AXES], products;
} truth_table;

static bool make_table(survey *s, const sc_typed *condition, truth_table *out)
{
    *out = (truth_table){.survey = s, .products = 1};
    for (size_t i = 0; i < s->axis_count; i++) {
        out->strides[i] = out->products;
        out->products *= s->axes[i].count;
    }
    bool *is_true = sc_arena_allocate(s->arena, out->products, sizeof *is_true);
    out->is_true = is_true;
    if (is_true == NULL)
        return false;
    size_t at = 0;
    do /* in the order of turn: the first axis is the fastest */
        is_true[at++] = truth_at(s, condition) == 1;
    while (turn(s));
    return true;
}

/* Does the condition say the same of two cells of an axis, whatever the others are? */
static bool are_alike(const truth_table *t, size_t axis_at, size_t a, size_t b)
{
    const size_t stride = t->strides[axis_at],
                 round = stride * t->survey->axes[axis_at].count;
    for (size_t from = 0; from < t->products; from += round)
        for (size_t i = from; i < from + stride; i++)
            if (t->is_true[i + a * stride] != t->is_true[i + b * stride])
                return false;
    return true;
}

/* The cells of an axis that differ from their neighbour below or, of texts, from any other text: in the order of
 * numbers or texts, the other text and NULL last. */
typedef struct kept_axis {
    const axis *own;
    size_t index; /* among the survey's */
    size_t *cells, count;
} kept_axis;

static bool is_before(const axis *own, size_t a, size_t b)
{
    return own->texts[a] != NULL && own->texts[b] != NULL &&
           sc_text_compare(*own->texts[a], *own->texts[b]) < 0;
}

static void insert_cell(kept_axis *kept, size_t cell)
{
    size_t at = kept->count++;
    for (; at > 0 && is_before(kept->own, cell, kept->cells[at - 1]); at--)
        kept->cells[at] = kept->cells[at - 1];
    kept->cells[at] = cell;
}

static bool keep_cells(const truth_table *t, size_t index, kept_axis *out)
{
    const axis *own = &t->survey->axes[index];
    const bool is_text = own->column->type == SC_TYPE_TEXT;
    const size_t present = own->count - own->column->is_nullable;
    *out = (kept_axis){
        .own = own,
        .index = index,
        .cells = sc_arena_allocate(t->survey->arena, own->count, sizeof *out->cells)};
    if (out->cells == NULL)
        return false;
    for (size_t i = 0; i < present; i++)
        if (is_text ? i + 1 == present || !are_alike(t, index, i, present - 1)
                    : i == 0 || !are_alike(t, index, i, i - 1))
            insert_cell(out, i);
    /* It matters unless NULL too is like the only cell that is left. */
    if (own->column->is_nullable &&
        (out->count > 1 || !are_alike(t, index, out->cells[0], present)))
        insert_cell(out, present);
    return true;
}

static int compare_columns(const void *left, const void *right)
{
    const kept_axis *a = left, *b = right;
    return (a->own->column->column > b->own->column->column) -
           (a->own->column->column < b->own->column->column);
}

static void put_count(sc_text_sink *sink, const char *before, sc_int128 number)
{
    char text[SC_INT128_BYTES];
    sc_int128_format(number, text);
    sc_text_put(sink, sc_text_of(before));
    sc_text_put(sink, sc_text_of(text));
}

static void put_axis(sc_text_sink *sink, const kept_axis *kept)
{
    const axis *own = kept->own;
    put_count(sink, "[", (sc_int128)own->column->column);
    for (size_t i = 0; i < kept->count; i++) {
        const size_t cell = kept->cells[i];
        if (own->starts[cell] == SC_NULL) {
            sc_text_put(sink, sc_text_of(" null"));
        } else if (own->column->type != SC_TYPE_TEXT) {
            put_count(sink, " ", own->starts[cell]);
        } else if (own->texts[cell] == NULL) {
            sc_text_put(sink, sc_text_of(" other"));
        } else {
            put_count(sink, " ", (sc_int128)own->texts[cell]->bytes);
            sc_text_put(sink, sc_text_of(":"));
            sc_text_put(sink, *own->texts[cell]);
        }
    }
    sc_text_put(sink, sc_text_of("] "));
}

/* The truth on all products of cells that were kept, the last axis the fastest. */
static void put_truth(sc_text_sink *sink, const truth_table *t, const kept_axis *kept,
                      size_t count)
{
    size_t products = 1;
    for (size_t i = 0; i < count; i++)
        products *= kept[i].count;
    for (size_t i = 0; i < products; i++) {
        size_t rest = i, at = 0;
        for (size_t k = count; k-- > 0; rest /= kept[k].count)
            at += kept[k].cells[rest % kept[k].count] * t->strides[kept[k].index];
        sc_text_put(sink, sc_text_of(t->is_true[at] ? "1" : "0"));
    }
}

static void put_cells(sc_text_sink *sink, const truth_table *t, const kept_axis *kept,
                      size_t count)
{
    if (count == 0) {
        sc_text_put(sink, sc_text_of(t->is_true[0] ? "true" : "false"));
        return;
    }
    for (size_t i = 0; i < count; i++)
        put_axis(sink, &kept[i]);
    put_truth(sink, t, kept, count);
}

bool sc_condition_cells(const sc_typed *condition, sc_arena *arena, sc_text *out)
{
    survey *s = survey_of(condition, arena);
    truth_table table;
    kept_axis kept[AXES];
    size_t count = 0;
    sc_text_sink sink;
    *out = (sc_text){NULL, 0};
    if (s == NULL)
        return false;
    if (s->is_too_much || s->unknown_count > 0)
        return true;
    if (!make_table(s, condition, &table))
        return false;
    for (size_t i = 0; i < s->axis_count; i++) {
        if (!keep_cells(&table, i, &kept[count]))
            return false;
        count += kept[count].count > 1;
    }
    qsort(kept, count, sizeof *kept, compare_columns);
    sc_text_sink_init(&sink, NULL, 0);
    put_cells(&sink, &table, kept, count);
    const size_t bytes = sink.length + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    if (text == NULL)
        return false;
    sc_text_sink_init(&sink, text, bytes);
    put_cells(&sink, &table, kept, count);
    *out = (sc_text){text, bytes - 1};
    return true;
}
