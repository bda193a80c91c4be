# Finds its way in what firmware and loader left, to break it before the image reads it. The image has just been entered:
# RSI holds the address of the loader's information, and memory is mapped as it is.

set confirm off
set $info = 0

# tag TYPE: $tag is that tag of the loader's information, or its last one.
define tag
  if $info == 0
    set $info = $rsi
  end
  set $tag = $info + 8
  while *(unsigned *)$tag != $arg0 && *(unsigned *)$tag != 0
    set $tag = $tag + ((*(unsigned *)($tag + 4) + 7) & ~7)
  end
end

# rsdp: $rsdp is the loader's copy of the ACPI 1.0 pointer, and $rsdt the table that it names.
define rsdp
  tag 14
  set $rsdp = $tag + 8
  set $rsdt = (unsigned long)*(unsigned *)($rsdp + 16)
end

# table SIGNATURE: $table is that table, as a number with its first letter lowest ('APIC': 0x43495041).
define table
  rsdp
  set $entry = $rsdt + 36
  while *(unsigned *)(unsigned long)*(unsigned *)$entry != $arg0
    set $entry = $entry + 4
  end
  set $table = (unsigned long)*(unsigned *)$entry
end

# seal ADDRESS LENGTH PLACE: makes the byte at PLACE what lets the sum of all be 0.
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

# sealed: the table $table as its length says; sealed-root: the root table; sealed-rsdp: the pointer to it.
define sealed
  seal $table *(unsigned*)($table+4) 9
end
define sealed-root
  seal $rsdt *(unsigned*)($rsdt+4) 9
end
define sealed-rsdp
  seal $rsdp 20 8
end

# region N: $region is entry N of the memory map.
define region
  tag 6
  set $region = $tag + 16 + 24 * $arg0
end

# high-screen ADDRESS: the framebuffer is said to be there, in memory above 4 GiB that the map then keeps for it.
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

# register INDEX LOW HIGH: has the image's own WRMSR executed, of that register and value.
define register
  find &'kernel/register/msr.c'::write, +600, (char)0x0f, (char)0x30
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

# task-left SELECTOR: at the image's entry, which is still in 32-bit mode, the task register is loaded, as a system leaves it
# that starts another one: LGDT, MOV AX, LTR, and a jump to itself, in memory that nobody uses, with a table at 3001000H.
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

# devices: from here on addresses are physical ones, and a store is one of the machine's, devices included.
define devices
  maintenance packet Qqemu.PhyMemMode:1
end

# edu-msi VECTOR: the message of QEMU's device "edu" at 00:04.0 of a q35 is switched on, with that vector for CPU 0; $edu is
# its configuration space, as the ACPI table MCFG says. edu-interrupt: it sends one.
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

# must EXPRESSION, without blanks: does it hold? Else the debugger does not come to its end.
define must
  if !($arg0)
    quit 1
  end
end

# msi-x SLOT OFFSET VECTOR: of the device in that slot the messages of MSI-X are switched on, by its capability at OFFSET,
# and the first one is that vector for CPU 0.
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

# hpet-msi PERIOD VECTOR: the HPET's timer 0 sends that vector to CPU 0 each PERIOD ticks of 10 ns.
define hpet-msi
  devices
  set *(unsigned *)0xfed00114 = 0xfee00000
  set *(unsigned *)0xfed00110 = $arg1
  set *(unsigned *)0xfed00100 = 0x404c
  set *(unsigned *)0xfed00108 = $arg0
  set *(unsigned *)0xfed00010 = 1
end

# called FUNCTION ARGUMENT ARGUMENT: where the image stands now it calls that function, and has its registers back.
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

# inspect INDEX: $value is what that register reads as.
define inspect
  set $place = ((unsigned long)$rsp - 128) & ~15
  called rdmsr_try $arg0 $place
  set $value = *(unsigned long *)$place
end

# left INDEX VALUE: in the middle of a test that value is put into the register, and before the next one it must hold again
# what it held. The value may switch nothing on, or the reference PMU's monitor, which then steps, passes over breakpoints.
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
