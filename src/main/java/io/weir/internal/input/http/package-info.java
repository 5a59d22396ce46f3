/**
 * The HTTP server of the inputs, and what all protocols over it share. Uses {@code text}, and
 * Jetty, which one class names.
 */
package io.weir.internal.input.http;
