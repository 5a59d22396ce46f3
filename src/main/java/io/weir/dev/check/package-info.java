/**
 * Judges what a gateway in any language has written, by the rules of docs/gateways.md. Uses topics
 * and the wire format; no state.
 */
package io.weir.dev.check;
