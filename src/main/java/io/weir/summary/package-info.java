/**
 * For programs that read windows: the last summary of each window, whole topics at a time. Uses the
 * wire format alone.
 */
package io.weir.summary;
