package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.reading.Quality;
import io.weir.reading.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a topic as naively as one can: parse, drop repeats by sequence, list by sensor. */
final class TopicReader {
  /** A batch's name. */
  record Sequence(long bootId, int partition, long sequence) {}

  private TopicReader() {}

  static ReadingBatch parse(byte[] value) {
    try {
      return ReadingBatch.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  static List<Reading> readings(ReadingBatch batch) {
    List<Reading> readings = new ArrayList<>();
    for (Series series : batch.getSeriesList()) {
      long timestampMs = series.getStartTimestampMs();
      for (int i = 0; i < series.getValueCount(); i++) {
        timestampMs += series.getTimestampDeltaMs(i);
        int quality = series.getQualityCount() == 0 ? 0 : series.getQualityValue(i);
        readings.add(
            new Reading(
                series.getSensorId(), timestampMs, series.getValue(i), Quality.ofNumber(quality)));
      }
    }
    return readings;
  }

  /**
   * The readings of each sensor in the order of the topic without repeats. Holds on the way that
   * sequences have no gaps and that a repeat is the same, byte for byte.
   */
  static Map<String, List<Reading>> readingsBySensor(List<List<byte[]>> topic) {
    Map<String, List<Reading>> bySensor = new HashMap<>();
    for (int partition = 0; partition < topic.size(); partition++) {
      for (byte[] value : firstOnes(partition, topic.get(partition))) {
        for (Reading reading : readings(parse(value))) {
          bySensor.computeIfAbsent(reading.sensorId(), id -> new ArrayList<>()).add(reading);
        }
      }
    }
    return bySensor;
  }

  private static Collection<byte[]> firstOnes(int partition, List<byte[]> values) {
    Map<Sequence, byte[]> seen = new HashMap<>();
    Map<Long, Long> last = new HashMap<>();
    List<byte[]> first = new ArrayList<>();
    for (byte[] value : values) {
      ReadingBatch batch = parse(value);
      Sequence sequence = new Sequence(batch.getBootId(), partition, batch.getSequence());
      byte[] before = seen.putIfAbsent(sequence, value);
      if (before != null) {
        assertThat(value).as("repeat of %s", sequence).isEqualTo(before);
        continue;
      }
      long expected = last.getOrDefault(batch.getBootId(), 0L) + 1;
      assertThat(batch.getSequence()).as("next of %s", sequence).isEqualTo(expected);
      last.put(batch.getBootId(), expected);
      first.add(value);
    }
    return first;
  }
}
