/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/xml.h"
#include <stdarg.h>
#include <stdlib.h>

#define NAME(text) ((const xmlChar *)(text))

xmlTextWriterPtr xml_open(FILE *out, bool indented)
{
    xmlOutputBufferPtr buffer = xmlOutputBufferCreateFile(out, NULL);
    xmlTextWriterPtr xml = buffer ? xmlNewTextWriter(buffer) : NULL;
    if (!xml)
        abort();
    xmlTextWriterSetIndent(xml, indented);
    return xml;
}

void xml_close(xmlTextWriterPtr xml)
{
    xmlFreeTextWriter(xml);
}

void xml_begin_of(xmlTextWriterPtr xml, const char *const *words, size_t count)
{
    xmlTextWriterStartElement(xml, NAME(words[0]));
    for (size_t i = 1; i + 1 < count; i += 2)
        if (words[i + 1])
            xmlTextWriterWriteAttribute(xml, NAME(words[i]), NAME(words[i + 1]));
}

void xml_attribute(xmlTextWriterPtr xml, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    xmlTextWriterWriteVFormatAttribute(xml, NAME(name), format, args);
    va_end(args);
}

void xml_end(xmlTextWriterPtr xml)
{
    xmlTextWriterEndElement(xml);
}

void xml_end_tag(xmlTextWriterPtr xml)
{
    xmlTextWriterFullEndElement(xml);
}

void xml_text(xmlTextWriterPtr xml, const char *text)
{
    xmlTextWriterWriteString(xml, NAME(text));
}

void xml_print(xmlTextWriterPtr xml, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    xmlTextWriterWriteVFormatString(xml, format, args);
    va_end(args);
}

void xml_markup(xmlTextWriterPtr xml, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    xmlTextWriterWriteVFormatRaw(xml, format, args);
    va_end(args);
}
