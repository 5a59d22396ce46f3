/** What must come of readings, told from the design's words and computed as plainly as can be. */
package io.weir.dev.oracle;
