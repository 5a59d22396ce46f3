/** The sensors and gateways with the most readings per minute. Uses plain Java only. */
package io.weir.internal.hot;
