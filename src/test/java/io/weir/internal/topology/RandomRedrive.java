package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.redrive.LettersToSend;
import io.weir.lab.oracle.NaiveWeir;
import io.weir.v1.ControlRecord;
import io.weir.v1.GatewayReset;
import io.weir.v1.ReadingBatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * Redrives of batches that were refused whole: by the rules of {@code weir redrive}, which looks
 * through the readings of a gateway that was reset. A batch of which a copy was counted may not
 * count again.
 */
final class RandomRedrive {
  private final long maxFutureSkewMs;
  private final List<ConsumerRecord<byte[], byte[]>> log = new ArrayList<>();
  private final List<ConsumerRecord<byte[], byte[]>> control = new ArrayList<>();
  private final List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();

  /** Those of a redrive come back, and are left. */
  private final Set<Long> cameBack = new HashSet<>();

  private final Set<String> counted = new HashSet<>();
  private final Set<String> sent = new HashSet<>();
  private long repeats;

  RandomRedrive(long maxFutureSkewMs) {
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  /** A record is on the topic of readings. */
  void record(long appendMs, byte[] value) {
    log.add(at(WeirDriver.READINGS, log.size(), appendMs, value, new RecordHeaders()));
  }

  /** A gateway is reset: the order was written, or is carried out. */
  void reset(String gatewayId, long appendMs) {
    ControlRecord order =
        ControlRecord.newBuilder()
            .setReadingsTopic(WeirDriver.READINGS)
            .setGatewayReset(GatewayReset.newBuilder().setGatewayId(gatewayId))
            .build();
    byte[] value = order.toByteArray();
    control.add(at("control", control.size(), appendMs, value, new RecordHeaders()));
  }

  /** What became of the last record. */
  void took(ReadingBatch batch, NaiveWeir.Fate fate, DeadLetter letter, boolean redriven) {
    if (batch.getBootId() <= 0 || batch.getSequence() <= 0 || batch.getGatewayId().isEmpty()) {
      return;
    }
    if (letter != null) {
      Headers headers = new RecordHeaders(letter.headers());
      // A driver's offsets begin again at each start.
      headers.remove("__streams.errors.offset");
      headers.add("__streams.errors.offset", String.valueOf(log.size() - 1).getBytes());
      if (redriven) {
        cameBack.add((long) letters.size());
      }
      letters.add(
          at(WeirDriver.DEAD_LETTERS, letters.size(), last().timestamp(), letter.value(), headers));
    } else if (!fate.repeated()) {
      boolean isNew = counted.add(name(batch));
      assertThat(isNew || !sent.contains(name(batch)) || !redriven)
          .as("a redrive counts a batch again: %s", name(batch))
          .isTrue();
    }
  }

  private ConsumerRecord<byte[], byte[]> last() {
    return log.get(log.size() - 1);
  }

  /** A batch that a redrive sends now, if there is one. */
  Optional<ReadingBatch> next(Random random) {
    List<ConsumerRecord<byte[], byte[]>> some =
        LettersToSend.of(letters, log, control, WeirDriver.READINGS, maxFutureSkewMs).stream()
            .filter(letter -> !cameBack.contains(letter.offset()))
            .filter(letter -> !sent.contains(name(batch(letter))))
            .toList();
    if (some.isEmpty()) {
      return Optional.empty();
    }
    ReadingBatch batch = batch(some.get(random.nextInt(some.size())));
    sent.add(name(batch));
    repeats += counted.contains(name(batch)) ? 1 : 0;
    return Optional.of(batch);
  }

  /** How many batches were sent again. */
  int sent() {
    return sent.size();
  }

  /** How many of them the application knew, as a copy was counted. */
  long repeats() {
    return repeats;
  }

  private static ReadingBatch batch(ConsumerRecord<byte[], byte[]> letter) {
    try {
      return ReadingBatch.parseFrom(letter.value());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static String name(ReadingBatch batch) {
    return batch.getGatewayId() + " " + batch.getBootId() + " " + batch.getSequence();
  }

  private static ConsumerRecord<byte[], byte[]> at(
      String topic, long offset, long appendMs, byte[] value, Headers headers) {
    return new ConsumerRecord<>(
        topic,
        0,
        offset,
        appendMs,
        TimestampType.LOG_APPEND_TIME,
        0,
        value.length,
        new byte[0],
        value,
        headers,
        Optional.empty());
  }
}
