#include "harness/mode/hosting.h"
#include "harness/mode/options.h"
#include "kernel/cpu/previous.h"
#include "kernel/firmware/save.h"
#include "kernel/log/log.h"
#include "kernel/text/string.h"
#include "pmu/reference/deviations/deviations.h"
#include "pmu/reference/host/host.h"
#include "pmu/reference/monitor/monitor.h"

const char *hosting_start(const struct runs *runs)
{
    char name[RUN_NAME_SIZE];
    const struct pmu_run *run = &runs->run[0];
    if (runs->count != 1 || !run->profile)
        return "host needs reference= with one profile";
    const char *why = monitor_unavailable();
    if (why)
        return why;
    static struct deviating deviating;
    deviating = run_deviating(run);
    struct model_setup setup = {
        .profile = run_profile(run),
        .cpus = 1,
        .change = deviate,
        .how = &deviating,
    };
    log_line("# run pmu=%s", run_name(run, name));
    previous_stop(); /* the guest gets all memory */
    save_stop();
    return host_start(&setup, option_monitor_stepping());
}
