/* Writes distributions as SVG into a page. */
#pragma once

#include "tools/pmucheck/compare/compare.h"
#include <libxml/xmlwriter.h>

/*
 * Cumulative curves: percent of samples up to each value. With many machines a curve for each outlier, and one for all
 * others.
 */
void plot_write(xmlTextWriterPtr xml, struct sheet *sheet, const struct sheet_row *row);
