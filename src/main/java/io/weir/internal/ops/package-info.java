/** Metrics, health checks and HTTP. Uses everything that has metrics; no command. */
package io.weir.internal.ops;
