/**
 * Records of Kafka and their messages as JSON, as {@code weir tail} prints them. Start at {@link
 * io.weir.internal.json.RecordJson}. Uses {@code topic}, {@code deadletter}, {@code wire} and
 * {@code summary}.
 */
package io.weir.internal.json;
