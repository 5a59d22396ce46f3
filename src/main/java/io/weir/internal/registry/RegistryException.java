package io.weir.internal.registry;

import org.apache.kafka.common.KafkaException;

/** A request to a registry failed; the message is one line with the remedy. */
public final class RegistryException extends KafkaException {
  private static final long serialVersionUID = 1;

  /** The kind of the failure. */
  public enum Kind {
    /** The object does not exist: a definite answer. */
    MISSING,
    /** The registry refuses: wrong credentials, an incompatible schema. */
    REFUSED,
    /** A 404 that is not about schemas: a wrong path, a proxy, or an unsupported operation. */
    UNKNOWN_PATH,
    /** No answer, or not an answer of a registry: a retry may succeed. */
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
