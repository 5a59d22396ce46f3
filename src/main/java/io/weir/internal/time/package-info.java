/** The clock that durations are measured by, and limits of log lines. Uses nothing. */
package io.weir.internal.time;
