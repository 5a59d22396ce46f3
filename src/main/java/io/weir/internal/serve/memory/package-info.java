/**
 * The bounded memory of {@code weir serve}: the newest summary and status of each sensor, recent
<<<<<<< HEAD
 * records, the newest refused and late records, rates. Start at {@link
 * io.weir.internal.serve.memory.Memory}. Plain Java without Kafka. Uses {@code alarm}, {@code
 * event}, {@code reading}, {@code text} and {@code topic}.
=======
 * records in a ring, the newest refused and late records, rates. Plain Java without Kafka. Uses
 * {@code alarm}, {@code event}, {@code reading}, {@code text}, {@code topic} and {@code wire}.
>>>>>>> 12d0b8a3 (Hostile bytes: unknown protobuf fields take no memory, places of Sparkplug are for time instead of names, forged markers and marks are none)
 */
package io.weir.internal.serve.memory;
