/**
 * Keys and signatures of batches, and their verification. Uses {@code deadletter} and {@code wire};
 * part of the artefact for gateways.
 */
package io.weir.signing;
