/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes what has a form of its own. */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

/* Text between tags or quotes of HTML or XML. */
void put_markup(FILE *out, const char *text);
/* Deletes the object; without a line end. */
void put_json(FILE *out, cJSON *object, bool indented);
