/* links: pmu/reference/model/ pmu/reference/deviations/ */
/* Deviations of the PEBS engine by what they do: arming, reload, threshold, bounds, strays. */
#include "tests/host/model/pebs_probes.h"

static const struct pebs_row rows[] = {
    {"pebs-no-record", written, 5, 0},
    {"pebs-last-gp-dead", last_counter, 1, 0},
    {"pebs-fixed-dead", fixed_records, 1, 0},
    {"pebs-ignores-cpl", other_ring, 0, 4},
    {"pebs-enable-sticky", after_disabling, 0x201, 6},
    {"pebs-disabled-loses-overflow", after_disabling, 0x201, 1},
    {"ds-area-reads-stale", area_kept, DS, OTHER_DS},
    {"pebs-enable-reads-stale", enable_cleared, 0, 0x20},
    {"pebs-record-at-start", far_from_overflow, 0, 1},
    {"pebs-without-enable", not_enabled, 0, 1},
    {"pebs-without-event", without_event, 0, 1},
    {"pebs-caches-management", without_management, 0, 1},
    {"pebs-base-ignored", below_base, 0, 1},
    {"threshold-0-overruns", threshold_0, 0, 1},
    {"ovfbuf-early", early_bit, 0, 0x10},
    {"sampling-loses-pmi", plain_interrupts, 1, 0},
    {"data-cfg-stops-pebs", groups_changed, 32 + 144 + 32 + 32, 32 + 144},
    {"pebs-no-reload", written, 5, 1},
    {"pebs-reload-of-counter-0", distance, 1024, 7},
    {"pebs-reload-32-bits", distance, 1024, FULL_WIDTH - 0xfffffc00},
    {"pebs-fixed-reload-slot", fixed_distance, 1000, 500},
    {"pebs-status-stays", status, 0, 2},
    {"pebs-counter-pmi", interrupts, 0, 1},
    {"pebs-several-lost", two_named, 5, 1},
    {"ovfbuf-missing", threshold_status, 1, 0},
    {"ovfbuf-needs-freeze", threshold_status, 1, 0},
    {"ovfbuf-at-plain-overflow", plain_overflow, 1, 0x11},
    {"threshold-pmi-lost", interrupted_after_2, 1, 0},
    {"threshold-pmi-one-late", interrupted_after_2, 1, 0},
    {"threshold-pmi-one-late", interrupted_after_3, 1, 1},
    {"threshold-early", interrupted_after_1, 0, 1},
    {"pebs-stops-at-threshold", past_threshold, 5, 2},
    {"pebs-maximum-ignored", past_maximum, 3, 5},
    {"pebs-wraps-at-maximum", past_maximum, 3, 2},
    {"pebs-skip-untold", skip_told, 1, 0},
    {"pmi-at-buffer-full", full_interrupts, 0, 1},
    {"pebs-index-stays", written, 5, 0},
    {"pebs-index-one-more", index_beside, 0, 40},
    {"pdist-jitters", evenly, 1, 0},
    {"record-after-disable", strays, 0x50, 0x60},
    {"record-after-disable-new-area", strays, 0x50, 0x51},
    {"redundant-records-low6", odd_period, 2, 4},
    {"buffer-over-one-page-hangs", two_pages, 0, 1},
    {"pebs-extra-records", interrupted_late, 2, 5},
    {"pebs-period-exact", period, 1025, 1024},
    {"pebs-residual-late", left_over, 1, 0},
    {"pebs-skid-one-more", greatest_distance, 68, 69},
    {"pebs-counter-status-leftover", plain_overflow, 1, 3},
    {"pdir-small-period-wrong", evenly_small, 1, 0},
    {"pdir-plus-second-event", evenly_with_second, 1, 0},
    {"pdir-with-freeze", evenly_with_freeze, 1, 0},
    {"redundant-records-inv-cmask", with_cmask, 2, 4},
};

static void by_what_they_do(void **state)
{
    (void)state;
    check_pebs_rows(rows, ARRAY_SIZE(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_what_they_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
