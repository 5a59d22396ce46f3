package io.weir.internal.app;

import java.util.Optional;

/**
 * The settings of the log.
 *
 * @param level log level of Weir, if set
 * @param kafkaLevel log level of Kafka's clients, if set
 */
public record LogSettings(LogFormat format, Optional<String> level, Optional<String> kafkaLevel) {}
