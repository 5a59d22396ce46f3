/** For programs that read windows: what was said of a window last is its truth. */
package io.weir.truth;
