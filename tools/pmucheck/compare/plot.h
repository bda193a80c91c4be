/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes distributions as SVG into a page. */
#pragma once

#include "tools/pmucheck/compare/document.h"
#include "tools/xml.h"

/*
 * Cumulative curves: percent of samples up to each value. With many machines a curve for each outlier, and one for all
 * others.
 */
void plot_write(xmlTextWriterPtr xml, struct sheet *sheet, const struct sheet_row *row);
/* The distribution, and below it a bar from the range's low to its high end, with a mark at its middle. */
void plot_range(xmlTextWriterPtr xml, const struct node_range *range);
