package io.weir.lab.check;

import io.weir.v1.ReadingBatch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The rules for boot_id and sequence: what Weir needs to see that a batch came twice, or not at
 * all. Keeps some 100 bytes a batch. One thread.
 */
final class SequenceRules {
  private static final int RANDOM_BITS = 20;

  private final RuleCounts counts;
  private final Map<Place, BootStream> streams = new LinkedHashMap<>();
  private final Map<String, Set<Long>> bootsByGateway = new HashMap<>();
  private final Map<Place, Long> highestBoots = new HashMap<>();

  /** A gateway's boot in a partition; boot 0 means all of them. */
  private record Place(String gatewayId, long bootId, int partition) {}

  SequenceRules(RuleCounts counts) {
    this.counts = counts;
  }

  /** Judges a record; false where its batch came before. */
  boolean judge(ConsumerRecord<byte[], byte[]> record, ReadingBatch batch, long latestMs) {
    long bootId = batch.getBootId();
    long sequence = batch.getSequence();
    counts.count(Rule.BOOT_ID, record, bootFault(bootId, latestMs));
    if (bootId <= 0) {
      return true;
    }
    counts.count(Rule.SEQUENCE, record, sequenceFault(sequence));
    if (sequence <= 0) {
      return true;
    }
    Place place = new Place(batch.getGatewayId(), bootId, record.partition());
    BootStream stream = streams.computeIfAbsent(place, unknown -> new BootStream());
    Copy copy = Copy.of(record.offset(), record.value());
    Copy first = stream.first(sequence);
    if (first != null) {
      counts.count(Rule.RESEND, record, resendFault(sequence, copy, first));
      return false;
    }
    countBoot(record, place);
    if (stream.size() > 0) {
      counts.count(Rule.SEQUENCE_ORDER, record, orderFault(sequence, stream.highest()));
    }
    stream.add(sequence, copy);
    return true;
  }

  private static Optional<String> bootFault(long bootId, long latestMs) {
    if (bootId == 0) {
      return Optional.of("boot_id is 0: a resend would count twice");
    }
    if (bootId < 0) {
      return Optional.of("boot_id " + Long.toUnsignedString(bootId) + " is 2^63 or more");
    }
    long aheadMs = (bootId >> RANDOM_BITS) - latestMs;
    return aheadMs <= TimestampRules.MAX_AHEAD_MS
        ? Optional.empty()
        : Optional.of(
            "boot_id "
                + bootId
                + ": its milliseconds (boot_id / 2^20) are "
                + TimestampRules.ahead(aheadMs)
                + " ahead of the broker's clock");
  }

  private static Optional<String> sequenceFault(long sequence) {
    if (sequence > 0) {
      return Optional.empty();
    }
    return Optional.of(
        sequence == 0
            ? "sequence is 0 although there is a boot_id"
            : "sequence " + Long.toUnsignedString(sequence) + " is 2^63 or more");
  }

  private static Optional<String> resendFault(long sequence, Copy copy, Copy first) {
    return copy.hasBytesOf(first)
        ? Optional.empty()
        : Optional.of(
            "sequence "
                + sequence
                + " came with other bytes at offset "
                + first.offset()
                + ": a batch was changed, or two starts have one boot_id");
  }

  private static Optional<String> orderFault(long sequence, long highest) {
    return sequence > highest
        ? Optional.empty()
        : Optional.of("sequence " + sequence + " came for the first time after " + highest);
  }

  /** Exercised as soon as a gateway has a second boot; each partition has an order of its own. */
  private void countBoot(ConsumerRecord<byte[], byte[]> record, Place place) {
    Set<Long> boots = bootsByGateway.computeIfAbsent(place.gatewayId(), unknown -> new HashSet<>());
    boots.add(place.bootId());
    Place anyBoot = new Place(place.gatewayId(), 0, place.partition());
    long highest = highestBoots.merge(anyBoot, place.bootId(), Math::max);
    if (boots.size() > 1) {
      counts.count(
          Rule.BOOT_GROWS,
          record,
          place.bootId() == highest
              ? Optional.empty()
              : Optional.of(
                  "a new batch of boot_id "
                      + place.bootId()
                      + " came after the larger boot_id "
                      + highest));
    }
  }

  /** What is still missing of the sequences of each boot and partition, added to the counts. */
  void addGaps(RuleCounts sum) {
    streams.forEach(
        (place, stream) -> {
          Optional<BootStream.Gap> gap = stream.firstGap();
          sum.kept(Rule.SEQUENCE_GAPS, stream.size() - gap.map(hole -> 1).orElse(0));
          gap.ifPresent(hole -> sum.broken(Rule.SEQUENCE_GAPS, offence(place, hole)));
        });
  }

  private static Offence offence(Place place, BootStream.Gap gap) {
    return new Offence(
        place.partition(),
        gap.offset(),
        "boot_id "
            + place.bootId()
            + ": sequence "
            + gap.next()
            + (gap.missing() == 1
                ? " is the first, 1 never came"
                : " follows " + (gap.missing() - 1) + ", " + gap.missing() + " never came"));
  }
}
