/**
 * The sensors and gateways that send most, as {@code weir hot} shows them. Uses {@code hot} and the
 * pages of running processes.
 */
package io.weir.cli.hot;
