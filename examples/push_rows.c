/* A question about rows that a program has in memory: they are pushed in batches of columns, by the structs of
 * Arrow's C data interface. The dataset has no file.
 *
 *     cc -o push_rows push_rows.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <inttypes.h>
#include <scrim.h>
#include <stdio.h>

#define VAULT "push_rows.vault"
#define BATCH 100
#define BATCHES 9

/* The columns: who visits, where, and how long. Cities are indices into a dictionary. */
static const char cities[] = "OsloRomeWien";
static const int32_t city_ends[] = {0, 4, 8, 12};
static int64_t visitors[BATCH], minutes[BATCH];
static int8_t places[BATCH];

/* A schema or an array whose release is NULL would have been released. Nothing here is. */
static void keep_schema(struct ArrowSchema *schema)
{
    (void)schema;
}

static void keep_array(struct ArrowArray *array)
{
    (void)array;
}

static void fill(int batch)
{
    for (int i = 0; i < BATCH; i++) {
        visitors[i] = batch * BATCH + i;
        places[i] = (int8_t)(i % 3);
        minutes[i] = 10 + i % 50;
    }
}

static scrim_status push(scrim_feed *feed, scrim_error *error)
{
    const void *none[] = {NULL}, *of_visitors[] = {NULL, visitors};
    const void *of_places[] = {NULL, places}, *of_minutes[] = {NULL, minutes};
    const void *of_cities[] = {NULL, city_ends, cities};
    struct ArrowArray names = {.length = 3, .n_buffers = 3, .buffers = of_cities};
    struct ArrowArray arrays[] = {
        {.length = BATCH, .n_buffers = 2, .buffers = of_visitors},
        {.length = BATCH, .n_buffers = 2, .buffers = of_places, .dictionary = &names},
        {.length = BATCH, .n_buffers = 2, .buffers = of_minutes}};
    struct ArrowArray *columns[] = {&arrays[0], &arrays[1], &arrays[2]};
    const struct ArrowArray batch = {.length = BATCH,
                                     .n_buffers = 1,
                                     .n_children = 3,
                                     .buffers = none,
                                     .children = columns,
                                     .release = keep_array};
    return scrim_feed_put(feed, &batch, error);
}

static scrim_status begin(scrim_vault *vault, const scrim_plan *plan, scrim_feed **feed,
                          scrim_error *error)
{
    struct ArrowSchema text = {.format = "u"};
    struct ArrowSchema types[] = {{.format = "l", .name = "visitor"},
                                  {.format = "c", .name = "city", .dictionary = &text},
                                  {.format = "l", .name = "minutes"}};
    struct ArrowSchema *columns[] = {&types[0], &types[1], &types[2]};
    const struct ArrowSchema schema = {
        .format = "+s", .n_children = 3, .children = columns, .release = keep_schema};
    return scrim_feed_begin(vault, plan, &schema, feed, error);
}

static void show(const scrim_result *result)
{
    for (size_t row = 0; row < scrim_result_rows(result, 0); row++) {
        const scrim_result_cell *city = scrim_result_cell_at(result, 0, row, 0);
        const scrim_result_words people =
            scrim_result_cell_words(scrim_result_cell_at(result, 0, row, 1));
        printf("%s: %s visitors (%s to %s)\n", city->is_null ? "unknown" : city->value,
               people.value, people.low, people.high);
    }
}

static scrim_status ask(scrim_vault *vault, scrim_error *error)
{
    const char *query = "SELECT city, COUNT(*) AS people, AVG(minutes) GROUP BY city";
    scrim_plan *plan = NULL;
    scrim_feed *feed = NULL;
    scrim_result *result = NULL;
    scrim_status status = scrim_plan_new(
        vault, "visits", &query, 1, SCRIM_OPTIONS(scrim_query_options, .epsilon = "1"),
        &plan, NULL, error);
    if (status == SCRIM_OK)
        status = begin(vault, plan, &feed, error);
    if (status == SCRIM_OK)
        printf("release %" PRIu64 " is charged\n", scrim_feed_release(feed));
    for (int i = 0; status == SCRIM_OK && i < BATCHES; i++) {
        fill(i);
        status = push(feed, error);
    }
    if (status == SCRIM_OK)
        status = scrim_feed_end(feed, &result, error);
    else
        scrim_feed_abort(feed); /* the charge stays */
    if (status == SCRIM_OK)
        show(result);
    scrim_result_free(result);
    scrim_plan_free(plan);
    return status;
}

/* In a file of the folder it runs in, which is taken away again. */
int main(void)
{
    scrim_vault *vault = NULL;
    scrim_error error;
    scrim_status status = scrim_vault_init(VAULT, NULL, &error);
    const int is_made = status == SCRIM_OK;
    if (status == SCRIM_OK)
        status = scrim_vault_open(VAULT, NULL, &vault, &error);
    if (status == SCRIM_OK)
        status = scrim_vault_add_dataset(vault, "visits",
                                         "live=yes\n"
                                         "unit=visitor\nrows-per-unit=1\n"
                                         "column=city=text\n"
                                         "keys=city=Oslo,Rome,Wien\n"
                                         "column=minutes=int[0,60]\n"
                                         "neighbours=add-remove\n"
                                         "budget=epsilon=3\n",
                                         &error);
    if (status == SCRIM_OK)
        status = ask(vault, &error);
    scrim_vault_close(vault);
    if (status != SCRIM_OK)
        fprintf(stderr, "%s\n", error.message);
    if (is_made)
        (void)remove(VAULT);
    return (int)status / 10;
}
