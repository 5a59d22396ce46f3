/** The drawing, and thin processors that carry readings to those who decide. */
package io.weir.topology;
