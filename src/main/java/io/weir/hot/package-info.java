/** Which sensors and gateways send most, by the minute. Uses nothing but Java. */
package io.weir.hot;
