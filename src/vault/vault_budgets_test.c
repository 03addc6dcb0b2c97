#include "check.h"
#include "faults.h"
#include "store_memory.h"
#include "vault/vault_budgets.h"

static const char *const lines[] = {"population a add-remove sum 1 0 1",
                                    "population b add-remove sum 1 0 1",
                                    "analyst 1000 alice",
                                    "dataset x 1\nunit=row",
                                    "dataset y 2\nunit=row",
                                    "charge 1 1 1 0.1 0\nq",
                                    "time 1700000000",
                                    "charge 2 1 1 0.2 0\nq",
                                    "charge 1 1 1 0.3 0\nq"};

static scrim_status enter(scrim_vault *v, void *context, scrim_error *error)
{
    sc_event event;
    scrim_status status = SCRIM_OK;
    (void)context;
    sc_event_init(&event);
    for (size_t i = 0; status == SCRIM_OK && i < sizeof lines / sizeof *lines; i++) {
        status = sc_event_parse(sc_text_of(lines[i]), &event, error);
        if (status == SCRIM_OK)
            status = sc_vault_append(v, &event, error);
    }
    sc_event_clear(&event);
    return status;
}

static scrim_vault *open_vault(void)
{
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    if (CHECK_STATUS(store_memory_new(&store, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_vault_new(store, 0, &vault, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_vault_begin(vault, NULL, NULL, NULL, NULL), SCRIM_OK))
        CHECK_STATUS(sc_vault_write(vault, enter, NULL, NULL), SCRIM_OK);
    return vault;
}

static void check_charge(const sc_logged_charge *charge, const char *amount,
                         uint64_t time)
{
    char text[SCRIM_NUMBER_BYTES];
    if (!CHECK(charge != NULL))
        return;
    sc_book_format_upper(&charge->amount, text);
    CHECK_STR(text, amount);
    CHECK_INT(charge->time, time);
    CHECK_INT(charge->analyst, 1);
}

static scrim_status look(scrim_vault *v, void *context, scrim_error *error)
{
    sc_charge_log log;
    (void)context;
    scrim_status status = sc_charge_log_read(v, 1, 0, &log, error);
    if (status != SCRIM_OK)
        return status;
    const sc_logged_charge *last = sc_charge_log_last(&log, 1);
    check_charge(last, "0.3", 1700000000);
    last = sc_charge_log_before(&log, last);
    check_charge(last, "0.1", 0);
    CHECK(sc_charge_log_before(&log, last) == NULL);
    check_charge(sc_charge_log_last(&log, 2), "0.2", 1700000000);
    const uint64_t second = sc_charge_log_last(&log, 2)->entry;
    sc_charge_log_clear(&log);
    status = sc_charge_log_read(v, second + 1, 0, &log, error);
    if (status != SCRIM_OK)
        return status;
    CHECK_INT(log.count, 1);
    sc_charge_log_clear(&log);
    status = sc_charge_log_read(v, 1, 2, &log, error);
    if (status != SCRIM_OK)
        return status;
    CHECK(log.count == 1 && sc_charge_log_last(&log, 1) == NULL);
    sc_charge_log_clear(&log);
    return SCRIM_OK;
}

TEST(charge_log_has_the_charges_of_each_population)
{
    CLAIM("charge_log.all");
    scrim_vault *vault = open_vault();
    REQUIRE(vault != NULL);
    CHECK_STATUS(sc_vault_read(vault, look, NULL, NULL), SCRIM_OK);
    FAULT_LOOP(fault)
    {
        const scrim_status status = sc_vault_read(vault, look, NULL, NULL);
        CHECK(status == SCRIM_OK || (fault_hit() && status == SCRIM_E_MEMORY));
    }
    scrim_vault_close(vault);
}
