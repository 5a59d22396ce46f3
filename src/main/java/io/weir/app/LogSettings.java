package io.weir.app;

import java.util.Optional;

/**
 * How the log looks.
 *
 * @param level how much Weir logs, where it was said
 * @param kafkaLevel how much Kafka's clients log, where it was said
 */
public record LogSettings(LogFormat format, Optional<String> level, Optional<String> kafkaLevel) {}
