#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks which room uses which, from the machine upwards. A lower room never includes a header of an upper one, nor uses
# a symbol of one, for instance a function that is declared by hand: symbols are measured on the image's objects. The
# instrument (boot, kernel, pmu, tests) knows no file of the wings reference/ and hosting/, so that it also links alone.
# Would catch a file that knows a room above it.
set -eu
cd "$(dirname "$0")/../../.."

BUILD=${BUILD:-build}

# A room and the paths that its files may use; a minus forbids. The longest room name that matches a file decides, and
# so does the longest path that matches an include. C headers are named <...>: "freestanding" or "any".
rooms() {
    cat <<'TABLE'
boot                       boot freestanding
kernel                     kernel boot freestanding
kernel/text                kernel/text boot freestanding
kernel/qr                  kernel/qr kernel/text boot freestanding
kernel/log                 kernel/log kernel/text boot freestanding
kernel/register            kernel/register kernel/text boot freestanding
kernel/core                kernel/core kernel/text kernel/log kernel/register/instructions.h kernel/register/cpuid.h boot freestanding
kernel/firmware            kernel/firmware kernel/core kernel/serial/serial_pure.h kernel/text kernel/log kernel/register/instructions.h kernel/register/cpuid.h boot freestanding
kernel/serial              kernel/serial kernel/firmware kernel/core kernel/text kernel/log kernel/register/instructions.h boot freestanding
kernel/interrupt           kernel/interrupt kernel/firmware kernel/core kernel/register kernel/text kernel/log boot freestanding
kernel/cpu                 kernel/cpu kernel/interrupt kernel/firmware kernel/core kernel/register kernel/text kernel/log boot freestanding
pmu                        boot pmu/registers.def
pmu/cpu                    pmu/cpu pmu/registers.h kernel boot freestanding
pmu/area                   pmu/area pmu/cpu pmu/registers.h kernel boot freestanding
pmu/state                  pmu/state pmu/cpu pmu/area pmu/registers kernel boot freestanding
pmu/gate                   pmu/gate pmu/cpu pmu/area pmu/state pmu/registers.h kernel boot freestanding
pmu/workload               pmu/workload pmu/cpu pmu/area pmu/state pmu/gate pmu/registers.h kernel boot freestanding
pmu/count                  pmu/count pmu/cpu pmu/area pmu/state pmu/gate pmu/workload pmu/registers.h kernel boot freestanding
pmu/sampling               pmu/sampling pmu/cpu pmu/area pmu/state pmu/gate pmu/workload pmu/count pmu/registers.h kernel boot freestanding
pmu/sharing                pmu/sharing pmu/cpu pmu/area pmu/state pmu/gate pmu/workload pmu/count pmu/registers.h kernel boot freestanding
pmu/run                    pmu/run pmu/cpu pmu/area pmu/state pmu/gate pmu/workload pmu/count pmu/sampling pmu/sharing pmu/registers.h kernel boot freestanding
reference                  reference/model pmu/registers.h freestanding
reference/model            pmu/registers.h freestanding
reference/model/machine    reference/model/machine reference/model/model_state pmu/registers.h freestanding
reference/model/counting   reference/model/counting reference/model/machine reference/model/model_state pmu/registers.h freestanding
reference/model/sampling   reference/model/sampling reference/model/counting reference/model/machine reference/model/model_state pmu/registers.h freestanding
reference/model/cpu        reference/model/cpu reference/model/sampling reference/model/counting reference/model/machine reference/model/model_state reference/model/rules pmu/registers.h freestanding
reference/dumps            reference/dumps reference/handed reference/model pmu/registers.h freestanding
reference/handed           reference/handed reference/model pmu/registers.h kernel/text boot freestanding
reference/deviations       reference/deviations reference/model pmu/registers.h freestanding
reference/lockstep         reference/lockstep reference/model reference/deviations pmu kernel boot freestanding
reference/step             reference/step reference/model pmu/registers.h pmu/gate/write kernel boot freestanding
reference/step/interpreter reference/step/interpreter reference/model/model.h kernel/interrupt/frame.h kernel/text boot freestanding
hosting                    hosting reference tests/harness/mode tests/harness/report pmu/cpu kernel boot freestanding
hosting/monitor            hosting/monitor -hosting/monitor/run reference/step reference/model -reference/model/model_state pmu/registers.h kernel boot freestanding
hosting/monitor/translator hosting/monitor/translator reference/step/interpreter reference/model/model.h kernel/interrupt/frame.h kernel/text boot freestanding
hosting/monitor/guest      hosting/monitor -hosting/monitor/step -hosting/monitor/run reference/step reference/model -reference/model/model_state pmu/registers.h kernel boot freestanding
hosting/monitor/step       hosting/monitor -hosting/monitor/run reference/step reference/model -reference/model/model_state pmu/registers.h kernel boot freestanding
hosting/monitor/run        hosting/monitor reference/step reference/model -reference/model/model_state pmu/registers.h pmu/gate/write kernel boot freestanding
hosting/image              hosting/image kernel boot freestanding
tests                      tests/harness pmu kernel boot freestanding
tests/harness              tests/harness -tests/harness/run -tests/harness/mode pmu kernel boot freestanding
tests/harness/core         tests/harness/core pmu kernel boot freestanding
tests/harness/report       tests/harness/report tests/harness/core pmu kernel boot freestanding
tests/harness/run          tests/harness -tests/harness/mode pmu kernel boot freestanding
tests/harness/mode         tests/harness pmu kernel boot freestanding
reference/mode             tests/harness reference -reference/test -reference/proof pmu kernel boot freestanding
reference/test             tests boot kernel pmu reference tools any
hosting/test               tests boot kernel pmu reference hosting tools any
hosting/test/foreign       hosting/test/foreign pmu/registers.h freestanding
hosting/test/foreign/linux any
hosting/test/unicorn       any
reference/proof            reference/proof tools any
tests/host                 tests boot kernel pmu reference tools any
tests/fuzz                 tests boot kernel pmu reference tools any
tools/check/boot/lies      tests/harness pmu kernel boot pmu/registers freestanding
tools/pmucheck/judge       tools tests/harness pmu kernel boot any
tools                      tools pmu/registers pmu/sharing/agent.h reference/handed reference/dumps/dumps.h reference/model/profile.h tests/harness/report/advice.h tests/harness/core/reason.h tests/harness/core/aspect tests/harness/core/errata tests/harness/core/errata_book tests/harness/core/errata_entries tests/harness/core/errata_facts kernel boot any
TABLE
}

includes() {
    find boot kernel pmu reference hosting tests tools -name '*.c' -o -name '*.h' -o -name '*.asm' -o -name '*.inc' -o -name '*.def' |
        LC_ALL=C sort | xargs grep -nE '^[ \t]*[#%][ \t]*include' /dev/null
}

# FILE:SYMBOL: and the file that defines the symbol, in the form of an include. Leaves out upward uses that circles.sh
# allows, and functions that compilers call. Generated data belongs to the room that declares it.
symbols() {
    {
        find "$BUILD/obj" -name '*.o' | LC_ALL=C sort | while read -r object; do
            source=${object#"$BUILD/obj/"}
            [ ! -e "${source%.o}" ] || echo "$object"
        done
        for made in profiles dumps version; do echo "$BUILD/gen/$made.c.o"; done
    } | xargs nm -A | awk -v from="${#BUILD}" -v up="$(tools/check/source/circles.sh --up)" '
    BEGIN {
        count = split(up " memcpy memmove memset memcmp", names)
        for (i = 1; i <= count; i++)
            left_out[names[i]]
        room_of["profiles.c"] = "reference/model/"
        room_of["dumps.c"] = "reference/dumps/"
        room_of["version.c"] = "kernel/core/"
    }
    {
        file = substr($1, from + 6)
        sub(/\.o:.*/, "", file)
        file = room_of[file] file
    }
    $(NF - 1) == "U" && !($NF in left_out) { wanted[file " " $NF] }
    $(NF - 1) ~ /^[A-TV-Z]$/ { home[$NF] = file }
    END {
        for (use in wanted) {
            split(use, part)
            if (part[2] in home && home[part[2]] != part[1])
                print part[1] ":" part[2] ":include \"" home[part[2]] "\""
        }
    }' | LC_ALL=C sort
}

{ includes; symbols; } |
    awk -v rooms="$(rooms)" '
    function starts(text, path) { return text == path || index(text, path "/") == 1 || index(text, path ".") == 1 }
    BEGIN {
        count = split(rooms, lines, "\n")
        for (i = 1; i <= count; i++) {
            split(lines[i], words, " ")
            may[words[1]] = lines[i]
        }
    }
    {
        split($0, part, ":")
        file = part[1]
        room = ""
        for (name in may)
            if (index(file, name "/") == 1 && length(name) > length(room))
                room = name
        words_in = split(may[room], word, " ")
        target = $0
        system_header = target ~ /include[ \t]*</
        sub(/^[^<"]*[<"]/, "", target)
        sub(/[>"].*/, "", target)
        allowed = 0
        if (system_header) {
            for (i = 2; i <= words_in; i++)
                allowed += word[i] == "any" ||
                           (word[i] == "freestanding" && target ~ /^std(arg|bool|def|int)\.h$|^limits\.h$/)
        } else {
            if (target == "cpu.inc")
                target = "boot/cpu.h" # what it is made from
            if (target == "assertions.inc")
                target = "tests/host/assertions/" target # of names in the Makefile
            if (target == "evidence.def")
                target = "tests/harness/core/" target # of tests/evidence
            if (target == "rule_heads.h")
                target = "reference/model/rules.def"
            if (target == "perf_capabilities.def")
                target = "pmu/registers.def"
            if (target == "provers.def")
                target = "reference/mode/" target # of tests/labels.txt
            if (target ~ /^(deviations.def|deviation_rows.h|members.def)$/)
                target = "reference/deviations/" target
            if (target == "provers.def")
                target = "reference/mode/" target # of labels.txt
            if (target ~ /^(harness|host|fuzz)\//)
                target = "tests/" target
            same = file
            sub(/[^\/]*$/, "", same)
            allowed = index(target, same) == 1 && substr(target, length(same) + 1) !~ /\//
            best = 0
            for (i = 2; i <= words_in; i++) {
                path = word[i]
                sub(/^-/, "", path)
                if (starts(target, path) && length(path) > best) {
                    best = length(path)
                    allowed = word[i] == path
                }
            }
        }
        if (!allowed) {
            print file ":" part[2] ": " room "/ must not include " target
            bad++
        }
        seen++
    }
    END {
        if (bad)
            exit 1
        print seen " includes and symbols keep to their rooms"
    }'
