/**
 * For programs that read windows: the last summary of each window, whole topics at a time. Uses
 * {@code fetch} and {@code wire}.
 */
package io.weir.summary;
