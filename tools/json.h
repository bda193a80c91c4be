/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * JSON by json-c, in the words that the commands need. What is asked of an object of another type, or of NULL, has no
 * answer; nothing crashes on a file of any shape.
 */
#pragma once

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- Adding to an object. `text` may be NULL: nothing is added. The last ones return what they have added. */
void json_add_text(json_object *object, const char *key, const char *text);
void json_add_number(json_object *object, const char *key, double number);
void json_add_bool(json_object *object, const char *key, bool value);
json_object *json_add_array(json_object *object, const char *key);
json_object *json_add_object(json_object *object, const char *key);
/* An object at the array's end. */
json_object *json_add_item(json_object *array);

/* A whole number has no fraction, any other as few digits as tell it exactly. `text` is a number as it is to be
 * written. */
json_object *json_number(double number);
json_object *json_number_as(const char *text);

/* ---- Asking. NULL, NAN and 0 are the lack of an answer. */
const char *json_text(json_object *item);
double json_value(json_object *item);
size_t json_count(const json_object *array);
json_object *json_item(const json_object *array, size_t index);

/* ---- Texts */

/* Returns NULL if it is no JSON, with the place of the fault. Text after the JSON is not looked at. */
json_object *json_read(const char *text, size_t size, size_t *fault);
/* The object's own, for as long as it is not changed. */
const char *json_written(json_object *object, bool indented);
/* Deletes the object; without a line end. */
void put_json(FILE *out, json_object *object, bool indented);
