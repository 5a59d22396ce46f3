/**
 * The HTTP server of the inputs. {@link io.weir.internal.input.http.HttpServer} is the only class
 * that knows Jetty; each protocol implements {@link io.weir.internal.input.http.HttpService}. Uses
 * {@code text}, and Jetty, which one class names.
 */
package io.weir.internal.input.http;
