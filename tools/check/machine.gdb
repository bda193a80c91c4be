# SPDX-License-Identifier: BSD-2-Clause
# Commands that find the tables of firmware and loader, to damage them before the image reads them. The image has just
# been entered: RSI holds the address of the loader's information, and virtual addresses are physical ones.

set confirm off
set $info = 0

# tag TYPE: sets $tag to that tag of the loader's information, or to the last one if there is no such tag.
define tag
  if $info == 0
    set $info = $rsi
  end
  set $tag = $info + 8
  while *(unsigned *)$tag != $arg0 && *(unsigned *)$tag != 0
    set $tag = $tag + ((*(unsigned *)($tag + 4) + 7) & ~7)
  end
end

# rsdp: sets $rsdp to the loader's copy of the ACPI 1.0 pointer, and $rsdt to the table that it points to. QEMU's own
# loader, by its magic number, gives an address instead of a copy.
define rsdp
  if *(unsigned *)$rsi == 0x336ec578
    set $rsdp = *(unsigned long *)($rsi + 32)
  else
    tag 14
    set $rsdp = $tag + 8
  end
  set $rsdt = (unsigned long)*(unsigned *)($rsdp + 16)
end

# table SIGNATURE: sets $table to the table with this signature, a number with the first letter lowest ('APIC':
# 0x43495041).
define table
  rsdp
  set $entry = $rsdt + 36
  while *(unsigned *)(unsigned long)*(unsigned *)$entry != $arg0
    set $entry = $entry + 4
  end
  set $table = (unsigned long)*(unsigned *)$entry
end

# seal ADDRESS LENGTH PLACE: sets the byte at PLACE so that the sum of all bytes is 0.
define seal
  set $at = $arg0
  set $sum = 0
  set *(unsigned char *)($arg0 + $arg2) = 0
  while $at < $arg0 + $arg1
    set $sum = $sum + *(unsigned char *)$at
    set $at = $at + 1
  end
  set *(unsigned char *)($arg0 + $arg2) = (unsigned char)-$sum
end

# sealed: seals the table $table over its own length; sealed-root: the root table; sealed-rsdp: the pointer to it.
define sealed
  seal $table *(unsigned*)($table+4) 9
end
define sealed-root
  seal $rsdt *(unsigned*)($rsdt+4) 9
end
define sealed-rsdp
  seal $rsdp 20 8
end

# region N: sets $region to entry N of the memory map.
define region
  tag 6
  set $region = $tag + 16 + 24 * $arg0
end

# high-screen ADDRESS: moves the framebuffer in the loader's information to ADDRESS, and reserves the memory above 4 GiB
# in the map for it.
define high-screen
  tag 8
  set *(unsigned long *)($tag + 8) = $arg0
  tag 6
  set $region = $tag + 16
  while $region < $tag + *(unsigned *)($tag + 4)
    if *(unsigned long *)$region >= 0x100000000
      set *(unsigned *)($region + 16) = 2
    end
    set $region = $region + 24
  end
end

# register INDEX LOW HIGH: writes this value to a register with the image's own WRMSR instruction.
define register
  find &'pmu/gate/write.c'::gate_write, +600, (char)0x0f, (char)0x30
  set $back = $rip
  set $kept_ax = $rax
  set $kept_cx = $rcx
  set $kept_dx = $rdx
  set $rcx = $arg0
  set $rax = $arg1
  set $rdx = $arg2
  set $rip = $_
  stepi
  set $rax = $kept_ax
  set $rcx = $kept_cx
  set $rdx = $kept_dx
  set $rip = $back
end

# task-left SELECTOR: at the image's entry, which is still in 32-bit mode, loads the task register, as a system that
# starts another one leaves it. Puts LGDT, MOV AX, LTR, and a jump to itself into unused memory, with a table at
# 3001000H.
define task-left
  set $kept_ax = $rax
  set $back = $rip
  set *(unsigned *)0x3000000 = 0x0015010f
  set *(unsigned *)0x3000004 = 0x66030010
  set *(unsigned *)0x3000008 = 0x000000b8 | $arg0 << 8
  set *(unsigned *)0x300000b = 0xebd8000f
  set *(unsigned char *)0x300000f = 0xfe
  set *(unsigned short *)0x3001000 = 0xfff
  set *(unsigned *)0x3001002 = 0x3002000
  set *(unsigned long *)(0x3002000 + $arg0) = 0x0300890030000067
  set $rip = 0x3000000
  hbreak *0x300000e
  continue
  delete
  set $rax = $kept_ax
  set $rip = $back
end

# devices: from here on addresses are physical ones, and stores reach the machine's devices, too.
define devices
  maintenance packet Qqemu.PhyMemMode:1
end

# edu-msi VECTOR: switches on the MSI of QEMU's device "edu" at 00:04.0 of a q35, with this vector for CPU 0, and sets
# $edu to its configuration space, as the ACPI table MCFG says. edu-interrupt: has the device send one.
define edu-msi
  table 0x4746434d
  set $edu = *(unsigned long *)($table + 44) + 0x20000
  devices
  set *(unsigned short *)($edu + 4) |= 6
  set *(unsigned *)($edu + 0x44) = 0xfee00000
  set *(unsigned *)($edu + 0x48) = 0
  set *(unsigned short *)($edu + 0x4c) = $arg0
  set *(unsigned short *)($edu + 0x42) |= 1
end
define edu-interrupt
  set *(unsigned *)((unsigned long)(*(unsigned *)($edu + 0x10) & ~15) + 0x60) = 1
end

# must EXPRESSION, without blanks: ends the debugger at once if it does not hold.
define must
  if !($arg0)
    quit 1
  end
end

# msi-x SLOT OFFSET VECTOR: switches MSI-X of the device in SLOT on, by its capability at OFFSET; its first message is
# VECTOR for CPU 0.
define msi-x
  table 0x4746434d
  set $function = *(unsigned long *)($table + 44) + 0x8000 * $arg0
  devices
  set *(unsigned short *)($function + 4) |= 6
  set $entry = *(unsigned *)($function + $arg1 + 4)
  set $entry = ($entry & ~7) + (*(unsigned *)($function + 0x10 + 4 * ($entry & 7)) & ~15)
  set *(unsigned *)$entry = 0xfee00000
  set *(unsigned *)($entry + 8) = $arg2
  set *(unsigned *)($entry + 12) = 0
  set *(unsigned short *)($function + $arg1 + 2) |= 0x8000
end

# hpet-msi PERIOD VECTOR: has the HPET's timer 0 send VECTOR to CPU 0 each PERIOD ticks of 10 ns.
define hpet-msi
  devices
  set *(unsigned *)0xfed00114 = 0xfee00000
  set *(unsigned *)0xfed00110 = $arg1
  set *(unsigned *)0xfed00100 = 0x404c
  set *(unsigned *)0xfed00108 = $arg0
  set *(unsigned *)0xfed00010 = 1
end

# called FUNCTION ARGUMENT ARGUMENT: has the image call FUNCTION where it stands now, and restores its registers.
define called
  set $kept_ax = $rax
  set $kept_cx = $rcx
  set $kept_dx = $rdx
  set $kept_si = $rsi
  set $kept_di = $rdi
  set $kept_sp = $rsp
  set $back = $rip
  set $rsp = (((unsigned long)$rsp - 256) & ~15) - 8
  set *(unsigned long *)$rsp = (unsigned long)$back
  set $rdi = $arg1
  set $rsi = $arg2
  set $rip = $arg0
  hbreak *$back
  continue
  delete
  set $rsp = $kept_sp
  set $rax = $kept_ax
  set $rcx = $kept_cx
  set $rdx = $kept_dx
  set $rsi = $kept_si
  set $rdi = $kept_di
end

# inspect INDEX: reads a register into $value.
define inspect
  set $place = ((unsigned long)$rsp - 128) & ~15
  called rdmsr_try $arg0 $place
  set $value = *(unsigned long *)$place
end

# left INDEX VALUE: writes VALUE to a register in the middle of a test; before the next test the register must hold its
# old value again. VALUE must not start a counter: the reference PMU's monitor would then step, and pass over
# breakpoints.
define left
  inspect $arg0
  set $found = $value
  called wrmsr_try $arg0 $arg1
  inspect $arg0
  must $value==$arg1
  hbreak call_test
  continue
  delete
  inspect $arg0
  must $value==$found
end

# nmis DENSE LAST STRIDE: an NMI after each of the first instructions of the stepper at an event, up to DENSE, and then
# after every STRIDE-th up to LAST; each has to come to the kernel's handler.
define nmis
  hbreak *&step_enter
  set $enters = $bpnum
  hbreak *((char *)&stubs + 32)
  set $n = 0
  while $n <= $arg1
    continue
    while $pc != (unsigned long)&step_enter
      continue
    end
    stepi $n
    disable $enters
    monitor nmi
    continue
    must $pc == (unsigned long)&stubs + 32
    enable $enters
    set $n = $n + ($n < $arg0 ? 1 : $arg2)
  end
  delete
end

# x2apic: switches the boot CPU's local APIC to x2APIC mode, by a WRMSR of the image's own.
define x2apic
  set $at = (unsigned long)&write
  while *(unsigned short *)$at != 0x300f
    set $at = $at + 1
  end
  set $found_rip = $rip
  set $found_rax = $rax
  set $found_rcx = $rcx
  set $found_rdx = $rdx
  set $rcx = 0x1b
  set $rax = 0xfee00d00
  set $rdx = 0
  set $rip = $at
  stepi
  must $rip == $at + 2
  set $rip = $found_rip
  set $rax = $found_rax
  set $rcx = $found_rcx
  set $rdx = $found_rdx
end
