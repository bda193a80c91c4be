/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/json.h"
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define EXACT 9007199254740992.0 /* 2^53: a double tells all whole numbers up to it */

void json_add_text(json_object *object, const char *key, const char *text)
{
    if (text)
        json_object_object_add(object, key, json_object_new_string(text));
}

void json_add_number(json_object *object, const char *key, double number)
{
    json_object_object_add(object, key, json_number(number));
}

void json_add_bool(json_object *object, const char *key, bool value)
{
    json_object_object_add(object, key, json_object_new_boolean(value));
}

json_object *json_add_array(json_object *object, const char *key)
{
    json_object *array = json_object_new_array();
    json_object_object_add(object, key, array);
    return array;
}

json_object *json_add_object(json_object *object, const char *key)
{
    json_object *added = json_object_new_object();
    json_object_object_add(object, key, added);
    return added;
}

json_object *json_add_item(json_object *array)
{
    json_object *item = json_object_new_object();
    json_object_array_add(array, item);
    return item;
}

json_object *json_number(double number)
{
    char text[32];
    if (!isfinite(number))
        return NULL;
    if (fabs(number) <= EXACT && number == trunc(number))
        return json_object_new_int64((int64_t)number);
    snprintf(text, sizeof(text), "%.15g", number);
    if (strtod(text, NULL) != number)
        snprintf(text, sizeof(text), "%.17g", number);
    return json_object_new_double_s(number, text);
}

json_object *json_number_as(const char *text)
{
    return json_object_new_double_s(strtod(text, NULL), text);
}

const char *json_text(json_object *item)
{
    return json_object_is_type(item, json_type_string) ? json_object_get_string(item) : NULL;
}

double json_value(json_object *item)
{
    bool number = json_object_is_type(item, json_type_int) || json_object_is_type(item, json_type_double);
    return number ? json_object_get_double(item) : NAN;
}

size_t json_count(const json_object *array)
{
    return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

json_object *json_item(const json_object *array, size_t index)
{
    return index < json_count(array) ? json_object_array_get_idx(array, index) : NULL;
}

json_object *json_read(const char *text, size_t size, size_t *fault)
{
    struct json_tokener *reader = json_tokener_new();
    json_object *object = NULL;
    *fault = 0;
    if (!reader || size > INT_MAX)
        return NULL;
    json_tokener_set_flags(reader, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
    object = json_tokener_parse_ex(reader, text, (int)size);
    *fault = json_tokener_get_parse_end(reader);
    json_tokener_free(reader);
    return object;
}

const char *json_written(json_object *object, bool indented)
{
    int layout = indented ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_PRETTY_TAB | JSON_C_TO_STRING_SPACED
                          : JSON_C_TO_STRING_PLAIN;
    return json_object_to_json_string_ext(object, layout | JSON_C_TO_STRING_NOSLASHESCAPE);
}

void put_json(FILE *out, json_object *object, bool indented)
{
    fputs(json_written(object, indented), out);
    json_object_put(object);
}
