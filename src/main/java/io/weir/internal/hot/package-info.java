/**
 * The sensors and gateways with the most readings per minute. {@link io.weir.internal.hot.HotBoard}
 * holds the last complete minute of each partition. Uses plain Java only.
 */
package io.weir.internal.hot;
