/**
 * The expected results of readings, written from the design alone and computed in the simplest way.
 * Uses nothing of the code that it is held against but values.
 */
package io.weir.dev.oracle;
