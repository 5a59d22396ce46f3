package io.weir.registry;

import org.apache.kafka.common.KafkaException;

/** What was asked of a registry was not done; the message is one line with what to do about it. */
public final class RegistryException extends KafkaException {
  private static final long serialVersionUID = 1;

  /** What the registry said. */
  public enum Kind {
    /** That it has no such thing: a definite answer. */
    MISSING,
    /** That it will not: credentials are wrong, a schema is incompatible. */
    REFUSED,
    /** A 404 that is not about schemas: a wrong path, a proxy, or no such operation there. */
    UNKNOWN_PATH,
    /** Nothing, or nothing that a registry says: asking again may help. */
    UNAVAILABLE
  }

  private final Kind kind;

  public RegistryException(Kind kind, String message) {
    this(kind, message, null);
  }

  public RegistryException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
