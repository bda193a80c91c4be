/* SPDX-License-Identifier: BSD-2-Clause */
/* The monitor as one of the image's steppers. */
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/monitor.h"
#include "reference/step/stepper.h"

static const char *const ways[STEPPINGS + 1] = {
    [STEP_IN_GUEST] = "in-guest", [STEP_SINGLY] = "single", [STEP_BY_EXIT] = "exit"};

#define TABLES_KIB 360 /* stacks, page tables, maps of permissions, the model */

static void set_way(unsigned way)
{
    monitor_set_stepping((enum monitor_stepping)way);
}

static struct stepper_speed speed(void)
{
    return stepper_speed(set_way, vcpu()->how, STEP_SINGLY);
}

static const struct stepper row = {
    .name = "svm",
    .ways = ways,
    .kib = sizeof(struct vcpu) / 1024 + TABLES_KIB,
    .unavailable = monitor_unavailable,
    .arm = monitor_arm,
    .active = monitor_active,
    .leaves = monitor_leaves,
    .stays = monitor_stays,
    .comes_back = monitor_comes_back,
    .restore_text = monitor_restore_text,
    .set_way = set_way,
    .prove = stepper_prove,
    .probe = stepper_probe,
    .probes = stepper_probes,
    .statistics = monitor_statistics,
    .speed = speed,
    .work_us = monitor_work_us,
};
STEPPER(row);
