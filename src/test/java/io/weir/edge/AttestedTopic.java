package io.weir.edge;

import io.weir.reading.Reading;
import io.weir.v1.Completeness;
import io.weir.v1.ReadingBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Reads a topic as Weir does, record by record, and says which attestations it accepts: those of a
 * batch that comes for the first time when no sequence of its boot is missing below it.
 */
final class AttestedTopic {
  /**
   * An attestation that was accepted, and what had arrived when it came, its own batch included.
   */
  record Accepted(long bootId, String sensorId, long throughMs, Set<Reading> arrived) {}

  private AttestedTopic() {}

  static List<Accepted> accepted(List<byte[]> partition) {
    List<Accepted> accepted = new ArrayList<>();
    Map<Long, Set<Long>> sequences = new HashMap<>();
    Set<Reading> arrived = new HashSet<>();
    for (byte[] value : partition) {
      ReadingBatch batch = TopicReader.parse(value);
      Set<Long> ofBoot = sequences.computeIfAbsent(batch.getBootId(), boot -> new HashSet<>());
      if (ofBoot.add(batch.getSequence())) {
        arrived.addAll(TopicReader.readings(batch));
        if (LongStream.rangeClosed(1, batch.getSequence()).allMatch(ofBoot::contains)) {
          Set<Reading> before = Set.copyOf(arrived);
          through(batch)
              .forEach(
                  (id, through) ->
                      accepted.add(new Accepted(batch.getBootId(), id, through, before)));
        }
      }
    }
    return accepted;
  }

  /** What the batch says, by sensor. */
  static Map<String, Long> through(ReadingBatch batch) {
    Map<String, Long> through = new HashMap<>();
    for (Completeness entry : batch.getCompleteList()) {
      through.merge(entry.getSensorId(), entry.getThroughMs(), Math::max);
    }
    if (batch.getOrdered()) {
      for (Reading reading : TopicReader.readings(batch)) {
        through.merge(reading.sensorId(), reading.timestampMs(), Math::max);
      }
    }
    return through;
  }
}
