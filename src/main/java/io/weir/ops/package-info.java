/** Metrics, health and the HTTP they are shown over. */
package io.weir.ops;
