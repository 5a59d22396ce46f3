package io.weir.redrive;

import io.weir.deadletter.DeadLetterHeaders;
import io.weir.deadletter.Origin;
import io.weir.reading.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** A record of the late or the dead-letter topic, and what its headers say. */
record RedriveRecord(ConsumerRecord<byte[], byte[]> record) {

  int partition() {
    return record.partition();
  }

  long offset() {
    return record.offset();
  }

  long appendMs() {
    return record.timestamp();
  }

  byte[] value() {
    return record.value();
  }

  Origin place() {
    return new Origin(record.topic(), record.partition(), record.offset());
  }

  /** Why it is a dead letter; empty for a late one, and for a reason from a newer version. */
  Optional<RejectReason> reason() {
    return header(DeadLetterHeaders.REASON)
        .flatMap(
            name -> {
              try {
                return Optional.of(RejectReason.valueOf(name));
              } catch (IllegalArgumentException unknown) {
                return Optional.empty();
              }
            });
  }

  Optional<String> gateway() {
    return header(DeadLetterHeaders.GATEWAY);
  }

  /** The topic on which the batch was that the record was made of. */
  Optional<String> originTopic() {
    return header(DeadLetterHeaders.TOPIC);
  }

  /** Where in its partition the batch was that the record was made of; -1 where nobody knows. */
  long originOffset() {
    return number(DeadLetterHeaders.OFFSET);
  }

  private long number(String name) {
    return header(name)
        .filter(text -> text.matches("[0-9]{1,18}"))
        .map(Long::parseLong)
        .orElse(-1L);
  }

  /** Where the batch was that the record was made of, as text. */
  String originPartition() {
    return header(DeadLetterHeaders.PARTITION).orElse("");
  }

  /**
   * What names the batch that the record is a part of: its boot id and sequence, or the offset of a
   * batch without them. Empty where the headers do not say.
   */
  Optional<String> originBatch() {
    Optional<String> sequence =
        header(DeadLetterHeaders.BOOT_ID)
            .flatMap(boot -> header(DeadLetterHeaders.SEQUENCE).map(seq -> boot + " " + seq));
    return sequence
        .or(() -> header(DeadLetterHeaders.OFFSET).map(offset -> "offset " + offset))
        .map(name -> originPartition() + " " + name);
  }

  /** Whether its value is only the beginning of the original. */
  boolean isCut() {
    return header(DeadLetterHeaders.SIZE).isPresent();
  }

  /** Whether it is what became of something that was sent again. */
  boolean cameBack() {
    return header(DeadLetterHeaders.REDRIVE_TOPIC).isPresent();
  }

  private Optional<String> header(String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? Optional.empty()
        : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
  }
}
