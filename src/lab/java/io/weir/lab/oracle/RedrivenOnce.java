package io.weir.lab.oracle;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * A reading of a dead letter or late record counts at most once: by its original batch, by a copy
 * of that, or by one record of a redrive. All such records of a partition come first, of whichever
 * life, then its readings. One thread.
 */
final class RedrivenOnce {
  private final Findings findings;

  /** For dead letters and late records: what their original batch is called. */
  private final Map<Origin, Set<String>> names = new HashMap<>();

  private final Set<String> inQuestion = new HashSet<>();

  /** Of the readings that a redrive sent: from which dead letter or late record. */
  private final Map<Long, Origin> sentFrom = new HashMap<>();

  /** By name and reading: the offset at which it counted first. */
  private final Map<String, Long> counted = new HashMap<>();

  private final Map<String, Long> resetAt = new HashMap<>();

  RedrivenOnce(Findings findings) {
    this.findings = findings;
  }

  /** Adds a dead letter or late record. */
  void letter(ConsumerRecord<byte[], byte[]> record) {
    Set<String> own = new HashSet<>(List.of("offset " + text(record, DeadLetterHeaders.OFFSET)));
    String sequence = text(record, DeadLetterHeaders.SEQUENCE);
    if (!sequence.isEmpty()) {
      own.add(
          name(
              text(record, DeadLetterHeaders.GATEWAY),
              text(record, DeadLetterHeaders.BOOT_ID),
              sequence));
    }
    names.put(new Origin(record.topic(), record.partition(), record.offset()), own);
    inQuestion.addAll(own);
  }

  /** The sequences of a gateway are forgotten: its repeats count again. */
  void reset(String gatewayId, long offset) {
    resetAt.put(gatewayId, offset);
  }

  /**
   * Takes a record of the readings.
   *
   * @param readings those that counted
   * @param ofEarlierLife whether an earlier life has read it too: what it sent again before a reset
   *     may count twice
   */
  void taken(
      ConsumerRecord<byte[], byte[]> record,
      ReadingBatch batch,
      List<String> readings,
      boolean ofEarlierLife) {
    Optional<Origin> letter = DeadLetterHeaders.redriveOf(record.headers());
    letter.ifPresent(from -> sentFrom.put(record.offset(), from));
    boolean isRedriven = letter.isPresent() && !ofEarlierLife;
    Set<String> own = new HashSet<>(List.of("offset " + record.offset()));
    if (batch.getBootId() != 0) {
      own.add(
          name(
              batch.getGatewayId(),
              Long.toUnsignedString(batch.getBootId()),
              Long.toUnsignedString(batch.getSequence())));
    }
    own.retainAll(inQuestion);
    letter.ifPresent(from -> addNames(from, own));
    long resetOffset = resetAt.getOrDefault(batch.getGatewayId(), -1L);
    for (String reading : readings) {
      for (String name : own) {
        Long first = counted.putIfAbsent(name + " " + reading, record.offset());
        boolean isFirst = first == null || first == record.offset();
        boolean firstIsRedriven = !isFirst && sentFrom.containsKey(first) && first > resetOffset;
        if (!isFirst && (isRedriven || firstIsRedriven && !ofEarlierLife)) {
          findings.doubled(
              1, "the readings offset " + record.offset() + ": " + name + " counted at " + first);
          break;
        }
      }
    }
  }

  /** Of its original batch, and of that batch's if it was sent again itself. */
  private void addNames(Origin letter, Set<String> own) {
    for (String name : names.getOrDefault(letter, Set.of())) {
      if (own.add(name) && name.startsWith("offset ")) {
        Origin before = sentFrom.get(Long.parseLong(name.substring("offset ".length())));
        if (before != null) {
          addNames(before, own);
        }
      }
    }
  }

  private static String name(String gatewayId, String bootId, String sequence) {
    return "boot " + bootId + " sequence " + sequence + " of " + gatewayId;
  }

  private static String text(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }
}
