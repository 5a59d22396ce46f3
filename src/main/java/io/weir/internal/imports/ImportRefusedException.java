package io.weir.internal.imports;

import org.apache.kafka.common.KafkaException;

/** An import cannot go on until a person has decided. The message is one line. */
public final class ImportRefusedException extends KafkaException {
  private static final long serialVersionUID = 1L;

  ImportRefusedException(String message) {
    super(message);
  }
}
