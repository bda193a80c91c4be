#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs what others wrote for a PMU in Debian's Linux on the reference PMU, and compares with the known results of
# hosting/test/witnesses.txt (hosting/README.md, "What others wrote"). With PROGRAMS= each program of a folder runs
# instead, with KERNELS= each kernel of a folder, without a Linux. SUITES=quick are all but PAPI's own tests. The status
# is 77 if a package cannot be downloaded.
#
# usage: [PROFILES="PROFILE[:CPUS] ..."] [SUITES="SUITE ..."|quick] [PART=K/N] [PROGRAMS=FOLDER | KERNELS=FOLDER]
#        [TESTS=PATTERN] [SECONDS_OF_ONE=N] [VARIABLE=VALUE ...] hosting/tools/witnesses.sh
set -u
cd "$(dirname "$0")/../.." || exit 99

BUILD=${BUILD:-build}
WORK=$BUILD/linux
LOGS=${LOGS:-$BUILD/logs/witnesses}
SUITES=${SUITES:-perf papi papi-tools libpfm4 stress-ng rr}
[ "$SUITES" != quick ] || SUITES="perf papi-tools libpfm4 stress-ng rr"
PART=${PART:-1/1}
PROGRAMS=${PROGRAMS-}
KERNELS=${KERNELS-}
TESTS=${TESTS-}
SECONDS_OF_ONE=${SECONDS_OF_ONE:-120}
MEMORY=${MEMORY:-1024}
TABLE=hosting/tools/witnesses.py
PROFILES=${PROFILES:-$($TABLE profiles)}

stop() {
    echo "$*" >&2
    exit 99
}
# shellcheck source=hosting/tools/linux-packages.sh
. hosting/tools/linux-packages.sh

chosen() {
    case " $SUITES " in *" $1 "*) ;; *) return 1 ;; esac
}

# Unpacks packages, and adds their libraries to those that programs are linked with.
need() {
    for package in "$@"; do
        unpack "$package" || exit 77
        LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$PWD/$WORK/$package/usr/lib/x86_64-linux-gnu
        export LD_LIBRARY_PATH
    done
}

# program PACKAGE FILE: adds a program of a package, with its libraries and, as far as these are missing, the packages
# that it depends on.
program() {
    need "$1"
    more=$1
    while ldd "$WORK/$1/$2" | grep -q "not found" && [ -n "$more" ]; do
        more=$(echo "$more" | xargs apt-cache depends --no-recommends --no-suggests 2>/dev/null |
            sed -n 's/^ *Depends: \(lib[^:]*\)$/\1/p' | grep -v -e '^libc6' -e '^libgcc' -e '^libstdc' | sort -u)
        # shellcheck disable=SC2086 # several words
        need $more
    done
    mkdir -p "$root/${2%/*}"
    cp "$WORK/$1/$2" "$root/$2"
    libraries "$WORK/$1/$2" "$root"
}

# PAPI's own tests are in a package as sources, whose Makefiles expect PAPI's own around them.
build_papi_tests() {
    tests=$PWD/$RUN/papi library=$PWD/$WORK/libpapi7.0/usr/lib/x86_64-linux-gnu/libpapi.so.7.0
    cp -r "$WORK/papi-examples/usr/share/doc/papi-examples/examples" "$tests"
    for name in testlib/test_utils testlib/do_loops testlib/clockcore validation_tests/busy_work; do
        cc -w -O1 -I"$WORK/libpapi-dev/usr/include" -c -o "$tests/$name.o" "$tests/$name.c" || return
    done
    ar rc "$tests/validation_tests.a" "$tests/testlib/test_utils.o" && ar rc "$tests/ctests.a" "$tests/testlib"/*.o
    for part in validation_tests ctests; do
        make -s -k -C "$tests/$part" prefix="$PWD/$WORK/libpapi-dev/usr" testlibdir="$tests/testlib" \
            PAPILIB="$library" validationlibdir="$tests/validation_tests" TESTLIB="$tests/$part.a" DOLOOPS='' \
            CLOCKCORE='' LDL='' \
            TESTFLOPS="$tests/validation_tests/flops_testcode.o" TESTCYCLES="$tests/validation_tests/busy_work.o" \
            TESTINS="$tests/validation_tests/instructions_testcode.o" CFLAGS="-w -O1 -DPAPI_NUM_COMP=5" all || return
        mkdir -p "$RUN/tests/$part"
        find "$tests/$part" -type f -perm -1 -exec cp -t "$RUN/tests/$part" {} +
    done
    mv -T "$RUN/tests" "$WORK/papi-tests" || [ -d "$WORK/papi-tests" ] # another script was faster
}

papi_tests() {
    need papi-examples libpapi7.0 libpapi-dev libpfm4 libsde1
    [ -d "$WORK/papi-tests" ] || build_papi_tests || return
    cp -r "$WORK/papi-tests" "$1" && libraries "$1/ctests/zero_omp" "$root"
}

# libpfm4's two examples, in a package as sources.
libpfm4_examples() {
    need libpfm4 libpfm4-dev
    mkdir -p "$1" "$RUN/perfmon"
    echo "#include <err.h>" >"$RUN/perfmon/err.h" # which the package lacks
    for name in check_events showevtinfo; do
        cc -w -I"$RUN" -I"$WORK/libpfm4-dev/usr/include" -o "$1/$name" \
            "$WORK/libpfm4-dev/usr/share/doc/libpfm4-dev/examples/$name.c" \
            "$WORK/libpfm4/usr/lib/x86_64-linux-gnu/libpfm.so.4" || return
    done
    libraries "$1/$name" "$root"
}

# The programs that were handed over, with the libraries that they have here.
handed_over() {
    mkdir -p "$1"
    cp -rL "$PROGRAMS/." "$1/" || return
    find "$1" -type f -perm -1 -exec sh -c 'ldd "$1" 2>/dev/null' sh {} \; | awk '$3 ~ "^/" { print $3 }' | sort -u |
        xargs -r cp -L -t "$root/lib/x86_64-linux-gnu"
}

fill() {
    mkdir -p "$root/bin" "$root/witnesses" "$root/usr/lib" "$root/lib/x86_64-linux-gnu"
    cp hosting/test/foreign/linux/witness-init "$root/init"
    need busybox-static
    # perf looks at the libraries that sleep maps: busybox has none.
    cp "$WORK/busybox-static/bin/busybox" /usr/bin/perf /bin/bash /bin/sleep "$root/bin/" &&
        libraries /usr/bin/perf "$root" && libraries /bin/bash "$root"
    mkdir -p "$root/usr/lib/perf-core" && cp -r /usr/lib/perf-core/tests "$root/usr/lib/perf-core/"
    if chosen rr; then
        program rr usr/bin/rr && cp -r "$WORK/rr/usr/lib/rr" "$root/usr/lib/"
    fi
    chosen stress-ng && program stress-ng usr/bin/stress-ng
    if chosen papi-tools; then
        for name in $($TABLE commands papi-tools); do
            program papi-tools "usr/bin/$name"
        done
    fi
    if chosen papi; then
        papi_tests "$root/witnesses/papi" || stop "PAPI's tests could not be built (packages: gcc, make)"
    fi
    if chosen libpfm4; then
        libpfm4_examples "$root/witnesses/libpfm4" || stop "libpfm4's examples could not be built (package: gcc)"
    fi
    [ -z "$PROGRAMS" ] || handed_over "$root/witnesses/programs" || stop "PROGRAMS=$PROGRAMS could not be copied"
}

# compared PROFILE: tells how the results of its list, in its log, compare with the known ones.
compared() {
    $TABLE compare "$1" "$LOGS/$1.list" "$LOGS/$1.log" >"$LOGS/$1.txt" || bad=1
    grep -e '^not ok' -e '^  *|' "$LOGS/$1.txt"
    tail -n 1 "$LOGS/$1.txt"
}

# The list of a profile's tests.
list() {
    if [ -n "$KERNELS" ]; then
        find "$KERNELS" -maxdepth 1 -type f \( -name '*.flat' -o -name '*.elf' \) | sort | sed 's,.*/,kernels|,'
    elif [ -n "$PROGRAMS" ]; then
        (cd "$root/witnesses/programs" && find . -type f -perm -1 ! -name '*.so*' | sort | sed 's,^\./,programs|,')
    else
        # shellcheck disable=SC2086 # several words
        $TABLE list "$1" "$PART" $SUITES
    fi | grep -e "$TESTS"
}

# linux PROFILE CPUS: boots a Linux with the tests of the list.
linux() {
    cp "$LOGS/$1.list" "$root/witnesses/list"
    pack "$root" "$RUN/initrd"
    reliable=
    [ "$2" -gt 1 ] && reliable=" tsc=reliable"
    KERNEL=$(find "$WORK/$kernel" -name "vmlinuz*") MODULE=$RUN/initrd MEMORY=$MEMORY REFERENCE=$1 CPUS=$2 \
        LOG=$LOGS/$1.log \
        ARGS="console=ttyS0 quiet panic=-1 nmi_watchdog=0 no_timer_check witness_seconds=$SECONDS_OF_ONE$reliable" \
        hosting/tools/host.sh >/dev/null
}

# kernels PROFILE CPUS: hosts each kernel. It ends by isa-debug-exit: 0 (status 1) passes, 77 is skipped.
kernels() {
    while IFS='|' read -r suite name; do
        began=$(date +%s)
        rm -f "$RUN/log"
        KERNEL=$KERNELS/$name MEMORY=$MEMORY REFERENCE=$1 CPUS=$2 LOG=$RUN/log SILENCE=$SECONDS_OF_ONE \
            hosting/tools/host.sh >/dev/null 2>"$RUN/error"
        case $? in
        1 | 33) result=pass ;; # 33: those of hosting/test/foreign
        155) result=skip ;;
        124) result="time" ;;
        *) result=fail ;;
        esac
        echo "witness begin $suite|$name"
        cat "$RUN/log" "$RUN/error" 2>/dev/null
        echo "witness $result $(($(date +%s) - began)) $suite|$name"
    done <"$LOGS/$1.list" >"$LOGS/$1.log"
}

case $SECONDS_OF_ONE in '' | *[!0-9]* | 0*) stop "SECONDS_OF_ONE=$SECONDS_OF_ONE: it must be a number from 1 on" ;; esac
[ -z "$PROGRAMS$KERNELS" ] || [ -d "${PROGRAMS:-$KERNELS}" ] ||
    stop "${PROGRAMS:+PROGRAMS}${KERNELS:+KERNELS}=${PROGRAMS:-$KERNELS}: it must be a folder with built files"
[ -z "$PROGRAMS" ] || [ -z "$KERNELS" ] || stop "give PROGRAMS= or KERNELS=, not both"
for profile in $PROFILES; do
    [ -r "reference/model/profiles/${profile%:*}.profile" ] || stop "PROFILES: there is no profile ${profile%:*}"
done
# shellcheck disable=SC2086 # several words
$TABLE list skylake "$PART" $SUITES >/dev/null || exit 99
bad=0
mkdir -p "$LOGS"
own_directory
root=$RUN/root
if [ -z "$KERNELS" ]; then
    command -v perf >/dev/null || stop "perf is missing: apt-get install linux-perf"
    kernel=${LINUX:-$(kernel_package)}
    [ -n "$kernel" ] || stop "apt knows no linux-image-amd64: is 'apt-get update' due?"
    [ -z "$PROGRAMS" ] || SUITES=
    need "$kernel"
    fill
    unset LD_LIBRARY_PATH
fi
for profile in $PROFILES; do
    cpus=1
    case $profile in *:*) cpus=${profile#*:} profile=${profile%:*} ;; esac
    list "$profile" >"$LOGS/$profile.list"
    [ -s "$LOGS/$profile.list" ] ||
        stop "nothing to run: TESTS=$TESTS fits none${PROGRAMS:+, or PROGRAMS=$PROGRAMS has no executable file}" \
            "${KERNELS:+, or KERNELS=$KERNELS has no *.flat and no *.elf}"
    if [ -n "$KERNELS" ]; then kernels "$profile" "$cpus"; else linux "$profile" "$cpus"; fi
    compared "$profile"
done
exit $bad
