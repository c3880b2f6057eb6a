/** How figures are written, the same wherever they come from: tables, JSON, progress. */
package io.tidegate.report;
