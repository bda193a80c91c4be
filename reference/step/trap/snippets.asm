; SPDX-License-Identifier: BSD-2-Clause
%include "reference/step/trap/vectors.inc"
%define CALL_STEPPER int VECTOR_CALL
%include "cpu.inc"
%include "reference/step/snippets.inc"
