/**
 * Records, late or dead, that are sent to the readings again. Uses dead letters, topics and the
 * wire format; no state.
 */
package io.weir.redrive;
