/**
 * The bounded memory of {@code weir serve}: the newest summary and status of each sensor, recent
 * records, the newest refused and late records, rates. Start at {@link
 * io.weir.internal.serve.memory.Memory}. Plain Java without Kafka. Uses {@code alarm}, {@code
 * event}, {@code reading}, {@code text}, {@code topic} and {@code wire}.
 */
package io.weir.internal.serve.memory;
