package io.weir.internal.collect;

import io.weir.internal.collect.RowJudge.EventRow;
import io.weir.internal.collect.RowJudge.ReadingRow;
import io.weir.internal.collect.RowJudge.Refused;
import io.weir.internal.collect.RowJudge.Verdict;
import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchEncoder;
import io.weir.reading.Fnv1a;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Packs rows into batches, each of one channel and partition, in the order of the rows, within the
 * limits of a record. Not safe for several threads.
 */
final class Packing {
  /** Far below a record's limit, so that one more event always fits. */
  private static final int BATCH_BYTES = 512 << 10;

  private final String gatewayId;
  private final long bootId;
  private final Sequences.Counter sequences;
  private final RowJudge judge;
  private final int maxRows;
  private final int maxBytes;
  private final BatchEncoder encoder;
  private final Map<Integer, Readings> readings = new LinkedHashMap<>();
  private final Map<Place, Events> events = new LinkedHashMap<>();
  private final List<SentBatch> batches = new ArrayList<>();
  private final List<Rejected> rejects = new ArrayList<>();
  private final long[] rowsByChannel = new long[Channel.values().length];

  private record Place(Channel channel, int partition) {}

  private static final class Readings {
    private final BatchColumns columns = new BatchColumns();
    private int bytes;
  }

  private static final class Events {
    private final EventBatch.Builder batch = EventBatch.newBuilder();
    private int bytes;
  }

  /**
   * @param from the last sequences
   * @param encoder reused from batch to batch
   */
  Packing(
      String gatewayId,
      long bootId,
      Sequences from,
      RowJudge judge,
      Limits limits,
      BatchEncoder encoder) {
    this.gatewayId = gatewayId;
    this.bootId = bootId;
    this.sequences = new Sequences.Counter(from);
    this.judge = judge;
    this.maxRows = limits.maxBatchReadings();
    this.maxBytes = Math.min(BATCH_BYTES, limits.maxRecordBytes() / 2);
    this.encoder = encoder;
  }

  void add(OutboxRow row) {
    Verdict verdict = judge.judge(row);
    if (verdict instanceof Refused refused) {
      rejects.add(new Rejected(row, refused.reason(), refused.message()));
    } else {
      add(verdict);
    }
  }

  /** Adds a reading or an event without its row. */
  void add(Verdict verdict) {
    if (verdict instanceof ReadingRow reading) {
      add(reading.reading());
    } else if (verdict instanceof EventRow event) {
      add(event.channel(), event.event());
    }
  }

  private void add(Reading reading) {
    int hash = Fnv1a.hash(reading.sensorId());
    int partition = SensorPartition.ofHash(hash);
    Readings pending = readings.computeIfAbsent(partition, any -> new Readings());
    int bytes = BatchEncoder.mostBytesOfReading(3 * reading.sensorId().length());
    if (pending.columns.size() == maxRows
        || pending.columns.size() > 0 && pending.bytes + bytes > maxBytes) {
      end(partition, pending);
    }
    pending.columns.add(
        reading.sensorId(), hash, reading.timestampMs(), reading.value(), reading.quality());
    pending.bytes += bytes;
    rowsByChannel[Channel.READINGS.ordinal()]++;
  }

  private void add(Channel channel, Event event) {
    Place place = new Place(channel, SensorPartition.of(event.getKey()));
    Events pending = events.computeIfAbsent(place, any -> new Events());
    int bytes = event.getSerializedSize();
    if (pending.batch.getEventsCount() == maxRows
        || pending.batch.getEventsCount() > 0 && pending.bytes + bytes > maxBytes) {
      end(place, pending);
    }
    pending.batch.addEvents(event);
    pending.bytes += bytes;
    rowsByChannel[channel.ordinal()]++;
  }

  private void end(int partition, Readings pending) {
    long sequence = sequences.next(Channel.READINGS, partition);
    byte[] value = encoder.encode(gatewayId, bootId, sequence, pending.columns);
    batches.add(new SentBatch(Channel.READINGS, partition, bootId, sequence, value));
    pending.columns.clear();
    pending.bytes = 0;
  }

  private void end(Place place, Events pending) {
    long sequence = sequences.next(place.channel(), place.partition());
    byte[] value =
        pending
            .batch
            .setGatewayId(gatewayId)
            .setBootId(bootId)
            .setSequence(sequence)
            .build()
            .toByteArray();
    batches.add(new SentBatch(place.channel(), place.partition(), bootId, sequence, value));
    pending.batch.clear();
    pending.bytes = 0;
  }

  /** The batches of all rows; to be called once. */
  List<SentBatch> batches() {
    readings.forEach(this::end);
    events.forEach(this::end);
    return batches;
  }

  List<Rejected> rejects() {
    return rejects;
  }

  Sequences sequences() {
    return sequences.now();
  }

  long rows(Channel channel) {
    return rowsByChannel[channel.ordinal()];
  }
}
