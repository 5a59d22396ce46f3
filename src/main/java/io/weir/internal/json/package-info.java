/**
 * Records of Kafka and their messages as JSON, as {@code weir tail} prints them. Uses {@code
 * topic}, {@code deadletter}, {@code wire} and {@code summary}.
 */
package io.weir.internal.json;
