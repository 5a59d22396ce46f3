/** The durable form of windows and sequences: objects on the heap, their changes in a changelog. */
package io.weir.store;
