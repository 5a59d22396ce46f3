/**
 * What must come of readings, told from the design's words and computed as plainly as can be. Uses
 * nothing of the code that it is held against but values.
 */
package io.weir.dev.oracle;
