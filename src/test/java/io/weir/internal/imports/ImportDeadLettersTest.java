package io.weir.internal.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.text.LineReason;
import io.weir.internal.text.RecordText;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

class ImportDeadLettersTest {
  private static final int MAX_BYTES = 100_000;

  static final ImportSettings SETTINGS =
      new ImportSettings(
          "plant",
          "weir-import-plant",
          "0",
          Set.of("plant.raw"),
          Optional.empty(),
          ImportStart.parse("earliest"),
          Duration.ofMillis(100),
          Duration.ofSeconds(5),
          "weir.readings",
          "weir.dead-letters",
          "weir.import.progress",
          "weir.control");

  private static Optional<ImportAgain.Letter> letter(String partition, String positions) {
    ConsumerRecord<byte[], byte[]> dead =
        new ConsumerRecord<>("weir.dead-letters", 3, 7, null, new byte[] {'x'});
    DeadLetterHeaders.add(dead.headers(), DeadLetterHeaders.TOPIC, "plant.raw");
    DeadLetterHeaders.add(dead.headers(), DeadLetterHeaders.PARTITION, partition);
    DeadLetterHeaders.add(dead.headers(), DeadLetterHeaders.OFFSET, "7");
    DeadLetterHeaders.add(dead.headers(), DeadLetterHeaders.IMPORT_REFUSED, positions);
    return ImportAgain.letter(dead);
  }

  @Test
  void forgedDeadLetters_areIncomplete_andEndNoRun() {
    assertThat(letter("0", "1,3-5")).isPresent();
    for (String positions : List.of("-", "--", ",", "-1", "1-", "3-2", "1-2-3", "1,")) {
      assertThat(letter("0", positions)).as(positions).isEmpty();
    }
    assertThat(letter("-1", "1")).isEmpty();
    assertThat(letter("x", "1")).isEmpty();
  }

  /** Without it a redrive would send the value, which may be a batch, as a reading. */
  @Test
  void headersOfTheSender_doNotCrowdOutTheMark() {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("plant.raw", 3, 7, new byte[0], new byte[] {'x'});
    record.headers().add("h", new byte[2 * MAX_BYTES]);
    ProducerRecord<byte[], byte[]> made =
        new ImportDeadLetters(SETTINGS, MAX_BYTES)
            .of(record, List.of(new RecordText.Refused(0, LineReason.MALFORMED_LINE)), 1);
    assertThat(made.headers().headers("h")).isEmpty();
    assertThat(made.headers().lastHeader(DeadLetterHeaders.IMPORT_REFUSED).value())
        .isEqualTo("all".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void manyHeadersAndPositions_andALongKey_areCut_andTheirBytesNoted() {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("plant.raw", 3, 7, new byte[1_025], new byte[] {'x'});
    record.headers().add("h", new byte[8_182]);
    ImportDeadLetters letters = new ImportDeadLetters(SETTINGS, MAX_BYTES);
    ProducerRecord<byte[], byte[]> made = letters.of(record, refused(1), 2);
    assertThat(made.headers().lastHeader("h")).isNull();
    assertThat(leftOut(made)).isEqualTo(Integer.toString(1 + 10 + 1 + 8_182));

    ConsumerRecord<byte[], byte[]> small =
        new ConsumerRecord<>("plant.raw", 3, 7, new byte[1_024], new byte[] {'x'});
    small.headers().add("h", new byte[8_181]);
    assertThat(leftOut(letters.of(small, refused(1), 2))).isEmpty();
    assertThat(letters.of(small, refused(1), 2).headers().lastHeader("h")).isNotNull();
    made = letters.of(small, refused(50_000), 100_000);
    String positions =
        new String(
            made.headers().lastHeader(DeadLetterHeaders.IMPORT_REFUSED).value(),
            StandardCharsets.US_ASCII);
    assertThat(positions).startsWith("0,2,4,").hasSizeLessThanOrEqualTo(8_192);
    assertThat(ImportDeadLetters.positionsOf(positions).stream())
        .contains(0, 2, 4)
        .doesNotContain(1);
    assertThat(leftOut(made)).isNotEmpty();
    assertThat(made.value()).hasSize(1);
  }

  /** Anyone can write a dead letter. */
  @Test
  void positionsOfAHostileDeadLetter_takeLittleMemory() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(ImportDeadLetters.positionsOf("0-10000000").cardinality()).isEqualTo(10_000_001);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16 << 20);

    assertThatThrownBy(() -> ImportDeadLetters.positionsOf("0-10000000,".repeat(1_000)))
        .isInstanceOf(NumberFormatException.class);
  }

  private static List<RecordText.Refused> refused(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new RecordText.Refused(2 * i, LineReason.NON_NUMERIC))
        .toList();
  }

  private static String leftOut(ProducerRecord<byte[], byte[]> letter) {
    Header header = letter.headers().lastHeader(DeadLetterHeaders.IMPORT_LEFT_OUT);
    return header == null ? "" : new String(header.value(), StandardCharsets.US_ASCII);
  }
}
