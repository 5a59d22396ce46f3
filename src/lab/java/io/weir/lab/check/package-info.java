/**
 * Judges what a gateway in any language has written, by the rules of docs/gateways.md. Uses {@code
 * reading}, {@code topic}, {@code window} and {@code wire}; no state.
 */
package io.weir.lab.check;
