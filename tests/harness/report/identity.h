/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that CPUID of the calling CPU gives: who made it, which it is, and under which hypervisor it runs. */
#pragma once

#include "boot/bits.h"

#define VENDOR_SIZE 13
#define BRAND_SIZE 49

void identity_vendor(char text[VENDOR_SIZE]);
void identity_brand(char text[BRAND_SIZE]);
/* "none" without a hypervisor (CPUID.1:ECX[31] clear), "unnamed" if it gives no name. */
void identity_hypervisor(char text[VENDOR_SIZE]);
