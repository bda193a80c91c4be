; SPDX-License-Identifier: BSD-2-Clause
%define CALL_STEPPER vmmcall
%include "cpu.inc"
%include "reference/step/snippets.inc"
