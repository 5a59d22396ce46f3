/**
 * The sensors and gateways with the most readings, for {@code weir hot}. {@link
 * io.weir.cli.hot.HotReport} merges the pages of several processes. Uses {@code hot}, {@code text}
 * and the pages of running processes.
 */
package io.weir.cli.hot;
