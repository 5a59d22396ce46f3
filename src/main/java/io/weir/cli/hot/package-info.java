/**
 * The sensors and gateways with the most readings, for {@code weir hot}. Uses {@code hot}, {@code
 * text} and the pages of running processes.
 */
package io.weir.cli.hot;
