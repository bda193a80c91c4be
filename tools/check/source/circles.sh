#!/bin/sh
# Do files use each other in circles? Measured on the objects' linker symbols, which no comment and no include can hide: a
# file uses another if its object leaves a name undefined that the other's defines. The files must form a ladder, and so
# must the folders.
# Would catch two files, or two folders, that cannot be understood one after the other.
#
# usage: tools/check/source/circles.sh [--all|--up]   --all: shows what there would be without exceptions; always succeeds
#                                              --up: names that are used below where they are defined
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}

# What may be, each with its reason after the colon. A row that nothing needs any more fails, too.
#   up NAME...            uses of these names are left out: declared below, defined above, as crt0 does with main()
#   knot FOLDER NAME...   these .c files of the folder use each other, and no others with them
exceptions() {
    sed -e ':join' -e '/\\$/N; s/\\\n */ /; t join' <<'TABLE'
up start gdt_pointer : entry.asm goes to the kernel, over the kernel's segments
up trap : the interrupt stubs of boot/ go to the kernel's handler
up ap_start first_idt_pointer : the trampoline of boot/ goes to the kernel, over its tables, with each further CPU
up main : the kernel's last step is the program
up cpu_started : the hand-off is looked at on each CPU before anything is written
up msr_access_begins : an access that may hang is announced by the log's owner
up monitor_exit host_trap shadow_trap vcpu_fill_guest : the monitor's assembly goes to its C code
up guest_load guest_store guest_reach guest_copied guest_segment guest_task guest_rdtsc : the interpreter asks who runs it for the guest's memory and time
up commands : who looks a command up lies below the table that names them all
up gate_asked : the runtime asks before each write, and who decides lies above
TABLE
}

[ "${1-}" != --up ] || { exceptions | sed -n 's/^up \(.*\) :.*/\1/p' | tr ' ' '\n'; exit; }
[ "${1-}" != --all ] || exceptions() { :; }

objects() {
    for root in "$BUILD/obj" "$BUILD/tools/obj"; do
        find "$root" -name '*.o' | LC_ALL=C sort | while read -r object; do
            source=${object#"$root/"}
            [ ! -e "${source%.o}" ] || echo "$object"
        done
    done
}

objects | xargs nm -A | BUILD=$BUILD TABLE=$(exceptions) ALL=${1-} awk -f tools/check/source/circles.awk
