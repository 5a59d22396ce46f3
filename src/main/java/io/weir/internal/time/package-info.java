/** The clock that durations are measured by. Uses nothing. */
package io.weir.internal.time;
