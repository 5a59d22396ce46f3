/** For programs that read windows: what was said of a window last is its latest summary. */
package io.weir.summary;
