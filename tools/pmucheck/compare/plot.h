/* Distributions as SVG, inside a page that is being written. */
#pragma once

#include "tools/pmucheck/compare/compare.h"
#include <libxml/xmlwriter.h>

/*
 * Cumulative curves: how many percent of the samples were at most so large. Of many machines the outliers each, and all
 * others together as one.
 */
void plot_write(xmlTextWriterPtr xml, struct sheet *sheet, const struct sheet_row *row);
