package io.weir.internal.imports;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.text.LineReason;
import io.weir.internal.text.RecordText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class ImportDeadLettersTest {
  private static final int MAX_BYTES = 100_000;

  private final ImportSettings settings =
      new ImportSettings(
          "plant",
          "0",
          Set.of("plant.raw"),
          Optional.empty(),
          ImportStart.parse("earliest"),
          Duration.ofMillis(100),
          "weir.readings",
          "weir.dead-letters",
          "weir.import.progress");

  /** Without it a redrive would send the value, which may be a batch, as a reading. */
  @Test
  void headersOfTheSender_doNotCrowdOutTheMark() {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("plant.raw", 3, 7, new byte[0], new byte[] {'x'});
    record.headers().add("h", new byte[2 * MAX_BYTES]);
    ProducerRecord<byte[], byte[]> made =
        new ImportDeadLetters(settings, MAX_BYTES)
            .of(record, List.of(new RecordText.Refused(0, LineReason.MALFORMED_LINE)), 1);
    assertThat(made.headers().headers("h")).isEmpty();
    assertThat(made.headers().lastHeader(DeadLetterHeaders.IMPORT_REFUSED).value())
        .isEqualTo("all".getBytes(StandardCharsets.US_ASCII));
  }
}
