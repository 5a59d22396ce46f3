/**
 * The drawing, and thin processors that carry readings to those who decide. Uses the states and all
 * that decides; no configuration.
 */
package io.weir.topology;
