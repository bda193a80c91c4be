#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tools/dependencies.sh on made-up systems: which names it installs or prints, by what /etc/os-release says, and that
# its lock is opened through no link. The commands that it finds are links in a directory; apt-get is a stand-in.
# Would catch a group that asks for another group's packages, a system that is not recognised, a file that a planted link
# empties.
#
# usage: tools/check/program/dependencies.sh
set -u
cd "$(dirname "$0")/../../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
bad=0
mkdir "$work/bin"
for command in sh sed awk tr cut grep cat dirname mkdir sort xargs echo flock env sleep gcc make nm; do
    ln -s "$(which "$command")" "$work/bin/$command"
done
cat >"$work/bin/apt-get" <<'SH'
#!/bin/sh
echo "apt-get $*"
SH
cat >"$work/bin/apt-cache" <<'SH'
#!/bin/sh
case " $KNOWN " in *" $2 "*) exit 0 ;; esac
exit 1
SH
printf '#!/bin/sh\necho 0\n' >"$work/bin/id"
chmod +x "$work/bin/apt-get" "$work/bin/apt-cache" "$work/bin/id"

# on "LINES OF OS-RELEASE" GROUP...: what the script says there
on() {
    printf '%b\n' "$1" >"$work/os-release"
    shift
    # shellcheck disable=SC2086 # words
    timeout 60 env -i PATH="$work/bin" BUILD="$work/build" KNOWN="${KNOWN-}" OS_RELEASE="$work/os-release" \
        sh tools/dependencies.sh "$@" >"$work/out" 2>&1
}

# says TEXT, not TEXT: about the last output
says() {
    grep -qF -e "$1" "$work/out" || { echo "it does not say: $1" && cat "$work/out" && bad=1; }
}
not() {
    ! grep -qwF -e "$1" "$work/out" || { echo "it says: $1" && cat "$work/out" && bad=1; }
}

debian='ID=debian\nVERSION_ID="12"'
KNOWN='libjpeg62-turbo-dev linux-perf'
for system in "$debian" 'ID=ubuntu\nID_LIKE=debian' 'ID=linuxmint\nID_LIKE="ubuntu debian"'; do
    on "$system" image
    says 'apt-get install '
    says ' xorriso'
    for word in git clang cppcheck shellcheck gdb qemu-system-x86 libzbar-dev; do not "$word"; done
done
on "$debian" more
says ' linux-perf'
KNOWN='libjpeg-dev linux-tools-generic'
on 'ID=ubuntu\nID_LIKE=debian' more
says ' linux-tools-generic'
not linux-perf
on 'ID=fedora' image lava
says 'dnf install'
says ' grub2-tools'
says "none of these packages of Debian: lava-dispatcher"
not 'apt-get install'
on 'ID="rocky"\nID_LIKE="rhel centos fedora"' run
says ' qemu-system-x86'
on 'ID=manjaro\nID_LIKE=arch' image
says 'pacman -S --needed'
says ' libisoburn'
on 'ID=void' image
says 'this is not Debian'
on "$debian" --check image
says "let 'make dependencies' do it"
not 'apt-get install'
on "$debian" no-such-group
says 'no such group of packages: no-such-group'
on "$debian" imag.
says 'no such group of packages: imag.'
# The same commit gives the same bytes in the container only if git tells the commit there.
# shellcheck disable=SC2046 # words
on "$debian" --list $(sed -n 's,^RUN sh .*/dependencies.sh \([a-z ]*\).*,\1,p' tools/download/Containerfile)
grep -qx git "$work/out" || { echo "the container has no git" && bad=1; }
on "$debian" --list image
says psf-unifont
not cppcheck

# A pattern is a sign, too.
if ls /usr/lib/llvm-*/lib/clang/*/lib/*/libclang_rt.fuzzer* >/dev/null 2>&1; then
    on "$debian" fuzz
    not libclang-rt-dev
fi

# What was asked for one goal is not taken for another's. (All files are .SECONDARY: make does not make them for a
# dependent that exists.)
asks() {
    env -u MAKEFLAGS make -n BUILD="$work/asked" dependencies NEEDS="$1" | grep -F "dependencies.sh  $1" >"$work/out"
}
asks image || { echo "make does not ask for packages" && bad=1; }
mkdir -p "$work/asked/needs"
touch "$work/asked/needs/image" "$work/asked/dependencies"
! asks image || { echo "make asks twice for the same packages" && bad=1; }
asks clang || { echo "make asks only for the packages of the first goal" && bad=1; }

echo precious >"$work/victim"
rm -f "$work/build/dependencies.lock"
ln -s "$work/victim" "$work/build/dependencies.lock"
on "$debian" image
says 'is a link: remove it'
not 'apt-get install'
[ "$(cat "$work/victim")" = precious ] || { echo "the lock was opened through a link" && bad=1; }

rm "$work/build/dependencies.lock"
mkfifo "$work/build/dependencies.lock" # opening one waits for a reader
on "$debian" image
says 'is no file: remove it'
exit $bad
