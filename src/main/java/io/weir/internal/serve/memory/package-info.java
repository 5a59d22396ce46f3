/**
 * The bounded memory of {@code weir serve}: the newest summary and status of each sensor, recent
 * records in a ring, the newest refused and late records, rates. Plain Java without Kafka. Uses
 * {@code alarm}, {@code event}, {@code reading}, {@code text} and {@code topic}.
 */
package io.weir.internal.serve.memory;
