/*
 * Nehalem and Westmere only: until certain events have been programmed once, any event may count core cycles or
 * nothing (AAJ91, AAK100, AAP53, BD53). Their specification updates give the sequence.
 */
#pragma once

#include "pmu/caps.h"

/* Runs the sequence on the calling CPU and returns true; false on every other class. Clears what it programmed. */
bool nehalem_prepare(const struct pmu_caps *caps);
