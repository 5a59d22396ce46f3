/**
 * Summaries as structs of Kafka Connect, in a separate jar. {@link io.weir.connect.WindowConverter}
 * is the converter to configure; it needs connect-api. Uses {@code summary} and {@code wire}.
 */
package io.weir.connect;
