# SPDX-License-Identifier: BSD-2-Clause
"""The image is signed with a key made here, and starts under Secure Boot with only that key enrolled (OVMF, with system
management mode). One boot: the firmware refuses the unsigned CD and goes on to the signed stick; there GRUB refuses a
kernel file of the stick that pmucheck.cfg asks for, and starts the one that was signed with GRUB. Would catch an image
that Secure Boot refuses, and a way to start an unsigned kernel."""

import shutil

from runner import machine

OWNER = "4d9a6f3e-6b1c-4c0e-9a51-2f0f3f1f7c55"  # of the variables with the key
SETTINGS = 'multiboot2 ($root)/boot/pmucheck.elf\nset pmucheck_options="machine=from-signed"\n'


def sign(trial):
    """Makes a key, and images that it signs: not into build/signed, which may hold the lab's own. Variables with it."""
    key, certificate, variables = (f"{trial.work}/{name}" for name in ("key.pem", "certificate.pem", "variables.fd"))
    trial.call("openssl", "req", "-new", "-x509", "-newkey", "rsa:2048", "-nodes", "-sha256", "-days", "2", "-subj",
               "/CN=pmucheck test", "-keyout", key, "-out", certificate)
    trial.call("make", "--no-print-directory", "signed", f"KEY={key}", f"CERT={certificate}",
               f"SIGNED={trial.work}/signed")
    shutil.copyfile(f"{machine.OVMF}/OVMF_VARS_4M.fd", variables)
    trial.call("cert-to-efi-sig-list", "-g", OWNER, certificate, f"{trial.work}/list")
    for variable in ("PK", "KEK", "db"):
        trial.call("flash-var", variables, variable, f"{trial.work}/list")
    return variables


def try_case(trial):
    trial.call("tools/dependencies.sh", "signing")
    variables, stick = sign(trial), f"{trial.work}/signed/pmucheck.img"
    trial.copy_in(stick, "pmucheck.cfg", SETTINGS)
    trial.run("--", "-machine", "smm=on", "-global", "driver=cfi.pflash01,property=secure,value=on",
              "-drive", f"if=pflash,format=raw,readonly=on,file={machine.OVMF}/OVMF_CODE_4M.secboot.fd",
              "-drive", f"if=pflash,format=raw,snapshot=on,file={variables}", "-device", "qemu-xhci",
              "-drive", f"if=none,id=signed,format=raw,snapshot=on,file={stick}",
              "-device", "usb-storage,drive=signed,removable=on,bootindex=1",
              MACHINE="q35", CPUS=2, REFERENCE="skylake", SILENCE=300, OPTIONS=trial.case.options)
    trial.expect_lines()
