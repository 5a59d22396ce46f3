/** Judges what a gateway in any language has written, by the rules of docs/gateways.md. */
package io.weir.dev.check;
