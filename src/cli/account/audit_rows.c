#include "cli/account/audit_rows.h"

#include <stdbool.h>
#include <string.h>

static bool get_charged(const scrim_audit_report *report, scrim_audit_point *out)
{
    scrim_error error;
    return scrim_audit_report_charged(report, out, &error) == SCRIM_OK;
}

size_t sc_audit_row_count(const scrim_audit_report *report)
{
    scrim_audit_point charged;
    return scrim_audit_report_points(report) + (get_charged(report, &charged) ? 1 : 0) +
           1 + scrim_audit_report_orders(report);
}

static void set_point(sc_audit_row *row, const char *quantity,
                      const scrim_audit_point *point)
{
    row->quantity = quantity;
    memcpy(row->at, point->epsilon, sizeof row->at);
    row->lower = point->delta_lower;
    row->upper = point->delta_upper;
    row->claimed = point->claimed_upper;
    row->pair = point->pair;
    row->verdict = point->verdict;
}

static void set_loss(sc_audit_row *row, const scrim_audit_report *report)
{
    scrim_audit_loss loss;
    scrim_audit_report_loss(report, &loss);
    row->quantity = "loss";
    row->at[0] = '\0';
    row->lower = loss.loss_lower;
    row->upper = loss.loss_upper;
    row->claimed = loss.claimed_upper;
    row->pair = loss.pair;
    row->verdict = loss.verdict;
}

static void set_order(sc_audit_row *row, const scrim_audit_order *order)
{
    row->quantity = "renyi";
    memcpy(row->at, order->order, sizeof row->at);
    row->lower = order->renyi_lower;
    row->upper = order->renyi_upper;
    row->claimed = order->claimed_upper;
    row->pair = order->pair;
    row->verdict = order->verdict;
}

void sc_audit_row_get(const scrim_audit_report *report, size_t index, sc_audit_row *out)
{
    scrim_error error;
    scrim_audit_point point;
    scrim_audit_order order;
    size_t points = scrim_audit_report_points(report);
    if (index < points) {
        if (scrim_audit_report_point(report, index, &point, &error) == SCRIM_OK)
            set_point(out, "delta", &point);
        return;
    }
    index -= points;
    if (get_charged(report, &point)) {
        if (index == 0) {
            set_point(out, "charged", &point);
            return;
        }
        index--;
    }
    if (index == 0)
        set_loss(out, report);
    else if (scrim_audit_report_order(report, index - 1, &order, &error) == SCRIM_OK)
        set_order(out, &order);
}
