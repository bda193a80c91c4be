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

# register INDEX LOW HIGH: has the image's own WRMSR executed, of that register and value.
define register
  find &'kernel/cpu/msr.c'::write, +600, (char)0x0f, (char)0x30
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
