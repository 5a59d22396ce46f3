package io.weir.internal.topology;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.reading.RejectReason;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** A record of the late or the dead-letter topic. */
record DeadLetter(byte[] key, byte[] value, Headers headers) {
  String header(String name) {
    Header header = headers.lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  RejectReason reason() {
    return RejectReason.valueOf(header(DeadLetterHeaders.REASON));
  }

  ReadingBatch batch() {
    try {
      return ReadingBatch.parseFrom(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int readings() {
    return batch().getReadingsCount()
        + batch().getSeriesList().stream()
            .mapToInt(s -> Math.max(s.getValueCount(), s.getTimestampDeltaMsCount()))
            .sum();
  }
}
