package io.weir.internal.redrive;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.deadletter.UnreadOffsets;
import io.weir.reading.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Header;

/** A record of the late or the dead-letter topic, with its headers. */
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

  /** The reason of a dead letter; empty for a late one, and for a reason of a newer version. */
  Optional<RejectReason> reason() {
    try {
      return Optional.of(RejectReason.valueOf(reasonName()));
    } catch (IllegalArgumentException unknown) {
      return Optional.empty();
    }
  }

  /** The reason of a dead letter as text; empty for a late one. */
  String reasonName() {
    return header(DeadLetterHeaders.REASON).orElse("");
  }

  /** The application that refused an event; empty if it is not known. */
  Optional<String> application() {
    return header(DeadLetterHeaders.APPLICATION);
  }

  Optional<String> gateway() {
    return header(DeadLetterHeaders.GATEWAY);
  }

  /** The topic of the original batch. */
  Optional<String> originTopic() {
    return header(DeadLetterHeaders.TOPIC);
  }

  /** The offset of the original batch; -1 if unknown. */
  long originOffset() {
    return number(DeadLetterHeaders.OFFSET);
  }

  private long number(String name) {
    return header(name)
        .filter(text -> text.matches("[0-9]{1,19}")) // As many as a boot id has.
        .map(Long::parseUnsignedLong)
        .filter(found -> found >= 0)
        .orElse(-1L);
  }

  /** The partition of the original batch, as text. */
  String originPartition() {
    return header(DeadLetterHeaders.PARTITION).orElse("");
  }

  /**
   * The identity of the original batch: its boot id and sequence, or its offset if it has none.
   * Empty if the headers lack them.
   */
  Optional<String> originBatch() {
    Optional<String> sequence =
        header(DeadLetterHeaders.BOOT_ID)
            .flatMap(boot -> header(DeadLetterHeaders.SEQUENCE).map(seq -> boot + " " + seq));
    return sequence
        .or(() -> header(DeadLetterHeaders.OFFSET).map(offset -> "offset " + offset))
        .map(name -> originPartition() + " " + name);
  }

  /** The original batch, if its sequence is in the headers. */
  Optional<BatchName> sequencedBatch() {
    long bootId = number(DeadLetterHeaders.BOOT_ID);
    long sequence = number(DeadLetterHeaders.SEQUENCE);
    return gateway()
        .filter(id -> bootId > 0 && sequence > 0)
        .map(id -> new BatchName(partition(), id, bootId, sequence));
  }

  /**
   * Whether a life has read the original batch. Where it has not, it may still have read copies:
   * those of a record that came back have other names.
   */
  UnreadOffsets.Answer isReadBy(RunningLife life, String readings) {
    boolean isOfPartition =
        originTopic().filter(readings::equals).isPresent()
            && originPartition().equals(String.valueOf(partition()));
    UnreadOffsets.Answer read =
        isOfPartition ? life.hasRead(topicId(), originOffset()) : UnreadOffsets.Answer.NOT_KNOWN;
    return read == UnreadOffsets.Answer.UNREAD && cameBack()
        ? UnreadOffsets.Answer.NOT_KNOWN
        : read;
  }

  private Uuid topicId() {
    return header(DeadLetterHeaders.TOPIC_ID)
        .filter(text -> text.matches("[A-Za-z0-9_-]{22}"))
        .map(Uuid::fromString)
        .orElse(Uuid.ZERO_UUID);
  }

  /** The newest gap of its partition, if its readings are withheld. */
  Optional<Gap> gap() {
    return header(DeadLetterHeaders.GAP).flatMap(Gap::parse);
  }

  /** The life that wrote it; empty if an older version did. */
  Optional<Life> life() {
    return Life.of(record.headers());
  }

  /** Whether its readings were withheld. */
  boolean isWithheld() {
    return reason().filter(reason -> reason == RejectReason.WITHHELD).isPresent();
  }

  /** Whether its value is truncated. */
  boolean isCut() {
    return header(DeadLetterHeaders.SIZE).isPresent();
  }

  /** Whether it holds a record of another program's topic, in that program's form. */
  boolean isOfImport() {
    return header(DeadLetterHeaders.IMPORT_REFUSED).isPresent();
  }

  /** Whether it comes from an earlier redrive. */
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
