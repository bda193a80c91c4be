# SPDX-License-Identifier: BSD-2-Clause
"""The stick's image is booted from a web server: by iPXE on a BIOS, by UEFI's HTTP boot. The servers are Debian's
dnsmasq, with the example configuration of the netboot tree, and busybox, in a network of their own that nothing else
reaches. The row's options go into the image's pmucheck.cfg, and must be in the log. Would catch a loader that does not
find its files by HTTP.

Words of the machine: bios, uefi."""

import ctypes
import os
import shutil
import stat
import subprocess

from runner import machine, serial, trial as trials

NEW_NETWORK = 0x40000000  # CLONE_NEWNET
SECONDS = 600  # for all of it; UEFI tries other boot devices first
NETWORK = ("ip link set lo up", "ip tuntap add tap0 mode tap", "ip address add 192.168.0.1/24 dev tap0",
           "ip link set tap0 up")
# On BIOS, iPXE is in the card's ROM. OVMF has its own drivers; its PXE, which it would wait for first, is switched off.
CARDS = {
    "bios": ["-device", "virtio-net-pci,netdev=net,bootindex=0"],
    "uefi": ["-device", "virtio-net-pci,netdev=net,bootindex=0,romfile=", "-device", "virtio-rng-pci",
             "-fw_cfg", "name=opt/org.tianocore/IPv4PXESupport,string=n",
             "-fw_cfg", "name=opt/org.tianocore/IPv6PXESupport,string=n"],
}


def may_have_network():
    """Does this machine allow a process a network of its own?"""
    tun = "/dev/net/tun"
    return os.getuid() == 0 and os.path.exists(tun) and stat.S_ISCHR(os.stat(tun).st_mode) and \
        not subprocess.run(["unshare", "--net", "true"], stderr=subprocess.DEVNULL, check=False).returncode


def serve(trial):
    """Starts both servers: processes, and a file with what each says."""
    configuration = serial.text_of("iso/dnsmasq.conf").replace("/srv/tftp", trial.work)
    with open(f"{trial.work}/dnsmasq.conf", "w", encoding="ascii") as file:
        file.write(configuration)
    for words in (["dnsmasq", "--keep-in-foreground", f"--conf-file={trial.work}/dnsmasq.conf", "--interface=tap0",
                   "--bind-interfaces", "--user=root", f"--dhcp-leasefile={trial.work}/leases", "--log-dhcp",
                   "--log-facility=-"],
                  ["busybox", "httpd", "-f", "-vv", "-p", "192.168.0.1:80", "-h", trial.work]):
        path = f"{trial.work}/{words[0]}.txt"
        with open(path, "wb") as output:
            yield subprocess.Popen(words, stdout=output, stderr=output), path


def try_case(trial):
    firmware = trial.one_of(tuple(CARDS), "bios")
    if not may_have_network():
        raise trials.Skip("this machine allows no network of its own: HTTP was not tried")
    trial.call("tools/dependencies.sh", "http")
    if ctypes.CDLL(None).unshare(NEW_NETWORK):
        trial.fail("no network of its own")
    os.mkdir(f"{trial.work}/pmucheck")
    for path in (f"{trial.build}/pmucheck.img", "iso/pmucheck.ipxe"):
        shutil.copy(path, f"{trial.work}/pmucheck")
    trial.copy_in(f"{trial.work}/pmucheck/pmucheck.img", "pmucheck.cfg",
                  f'set pmucheck_options="{trial.case.options}"\n')
    for words in NETWORK:
        trial.call(*words.split())
    servers = list(serve(trial))
    try:
        words = [*machine.plain(trial.log, 2, 512), *machine.EXIT, *machine.firmware(firmware, variables=True),
                 "-netdev", "tap,id=net,ifname=tap0,script=no,downscript=no", *CARDS[firmware]]
        with machine.Qemu(trial.log, *words) as qemu:
            qemu.wait(SECONDS, SECONDS)
    finally:
        for process, _ in servers:
            machine.stop(process)
    trial.expect_lines()
    for _, path in servers if trial.problems else ():
        print(serial.text_of(path))
