/**
<<<<<<< HEAD
 * Summaries as structs of Kafka Connect, in a separate jar. {@link io.weir.connect.WindowConverter}
 * is the converter to configure; it needs connect-api. Uses {@code summary}.
=======
 * Summaries as structs of Kafka Connect; a jar of its own. Uses {@code summary} and {@code wire};
 * needs connect-api.
>>>>>>> 12d0b8a3 (Hostile bytes: unknown protobuf fields take no memory, places of Sparkplug are for time instead of names, forged markers and marks are none)
 */
package io.weir.connect;
