#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Do files use each other in circles? Measured on the objects' linker symbols, independent of comments and includes: a
# file uses another if its object leaves a name undefined that the other's object defines. The files must form a ladder,
# and so must the folders.
# Would catch two files, or two folders, that cannot be understood one after the other.
#
# usage: tools/check/source/circles.sh [--up]   --up: names that are used below where they are defined
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}

# The uses that are left out, NAME... : each row with its reason. The names are declared below and defined above, as
# crt0 does with main(). A row that is no longer needed fails, too.
up() {
    sed 's/ :.*//' <<'TABLE' | tr ' ' '\n'
start gdt_pointer : entry.asm goes to the kernel, over the kernel's segments
trap : the interrupt stubs of boot/ go to the kernel's handler
ap_start first_idt_pointer : the trampoline of boot/ goes to the kernel, over its tables, with each further CPU
main : the kernel's last step is the program
cpu_started : the hand-off is looked at on each CPU before anything is written
msr_access_begins : an access that may hang is announced by the log's owner
monitor_exit host_trap shadow_trap vcpu_fill_guest : the monitor's assembly goes to its C code
step_event sleep_event : so does that of the stepper without a hypervisor
stepper_call snippets prove_iret prove_undefined prove_page_fault prove_general prove_back : each kernel has one stepper, called in a way of its own
guest_load guest_store guest_reach guest_move guest_fill guest_copied guest_segment guest_task : the interpreter asks its caller for the guest's memory
guest_rdtsc : and for the time
commands : the code that looks a command up lies below the table that names all commands
TABLE
}

[ "${1-}" != --up ] || { up; exit; }

objects() {
    for root in "$BUILD/obj" "$BUILD/tools/obj"; do
        find "$root" -name '*.o' | LC_ALL=C sort | while read -r object; do
            source=${object#"$root/"}
            [ ! -e "${source%.o}" ] || echo "$object"
        done
    done
}

objects | xargs nm -A | BUILD=$BUILD UP=$(up) awk -f tools/check/source/circles.awk
