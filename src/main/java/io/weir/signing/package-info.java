/**
 * Keys and signatures of batches. Programs use {@link io.weir.signing.GatewayKey}. In Weir, {@link
 * io.weir.signing.BatchSigner} signs and {@link io.weir.signing.BatchVerifier} verifies. Part of
 * the artefact for gateways. Uses {@code deadletter} and {@code wire}.
 */
package io.weir.signing;
