/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text that is frequent in logs, given to deflate before the log: a short text alone has too few repetitions to
 * compress well. The host program unpacks with this same table: if it changes, QR_SERIES_FORM must change.
 */
#include "kernel/qr/qr.h"

/* The most frequent text stands last: references to nearer text take fewer bits. */
const char qr_series_dictionary[] =
    "# error : unexpected reason=\"\"\n# fail bits.enum.fixed.freeze.gp.handoff.lbr.overflow.pebs.pmi.share. "
    "label= cpus=0-3 got=0x want=0x reg=IA32_PERF_GLOBAL_STATUS reg=IA32_PERFEVTSEL reg=LVTPC bit= failed=/ erratum= "
    "evidence=none spec=\"SDM 3B, Architectural Performance Monitoring Version \"\n"
    "# outcomes tests=1 ids= list=p15sp7sp2s4p13f\n# result verdict=untested verdict=fail verdict=pass pass= fail=0 "
    "known=0 review=0 skip= error=0 code=\n# found cpus= LVTPC=0x10000 IA32_PERF_GLOBAL_CTRL=0xf\n"
    "# fingerprint of=access cpus=0- crc32=\n# platform id=0x000000000000 info=0x80000000 apic=xapic smi-count=yes\n"
    "# capabilities reg=IA32_PERF_CAPABILITIES cpus=0- value=0x metrics-answer=0\n"
    "# core-type id=0 cpus=0- kind=atom kind=core signature=000 version= gp=4x48 fixed=3x48 fixed-bitmap=00000007 "
    "perfcap=000 leaf0a=0730-00000000-00000000-00000603\n# run pmu=reference:hardware\n"
    "# cpu cpus=0- signature=000 microcode=00000000 core-type=0 threads-per-core= misc-enable=850089\n"
    "# machine vendor=AuthenticAMD vendor=GenuineIntel brand=\"Intel(R) Core(TM) i5- CPU @ GHz\" signature=000 "
    "hypervisor=TCGTCGTCGTCG hypervisor=none firmware=bios firmware=uefi board=\"\" bios=\"\" cpus= memory-kib= "
    "apic=x2apic tsc-khz= tsc-source=hpet tsc-source=cpuid-15 smi-count=unknown name=\"\"\n"
    "# pmucheck version=0. commit= log=1\n";
