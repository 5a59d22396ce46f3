/** Which sensors and gateways weigh most, by the minute. Uses nothing but Java. */
package io.weir.hot;
