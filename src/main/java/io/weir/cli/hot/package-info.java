/**
 * The sensors and gateways that send most, as {@code weir hot} shows them. Uses the pages of
 * running processes.
 */
package io.weir.cli.hot;
