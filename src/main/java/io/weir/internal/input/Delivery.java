package io.weir.internal.input;

import io.weir.edge.Acknowledgement;
import io.weir.reading.Quality;
import io.weir.reading.Reading;
import io.weir.reading.ReadingRules;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The readings of one request: offers them and completes when every accepted one is on disk, and
 * the first copy of every duplicate. Used by one thread; acknowledgements come from others.
 */
public final class Delivery {
  /** A sender that anybody may be. There are others, even if none has sent yet. */
  public static final String NEWCOMERS = "+";

  private static final long PAUSE_NANOS = 1_000_000;

  private final Intake intake;
  private final long patienceNanos;
  private final AtomicInteger missing = new AtomicInteger(1);
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final Acknowledgement[] acknowledgements = new Acknowledgement[SensorPartition.COUNT];
  private final Acknowledgement one = this::oneStored;
  private List<String> senders = List.of();
  private long endNanos;
  private int accepted;
  private int duplicates;
  private boolean failed;

  /**
   * A delivery that begins now.
   *
   * @param waitsForEach whether its time begins again with each reading
   */
  Delivery(Intake intake, boolean waitsForEach) {
    this.intake = intake;
    this.endNanos = System.nanoTime() + intake.ackTimeoutNanos();
    this.patienceNanos = waitsForEach ? intake.ackTimeoutNanos() : 0;
  }

  /**
   * Names the sender, of whose share new sensors are, behind what it is a part of; returns itself.
   */
  public Delivery from(String... names) {
    senders = List.of(names);
    return this;
  }

  /** Offers a reading; waits while there is no room, until the time of the request has run out. */
  public Outcome offer(
      Sensor sensor, long timestampMs, int nanosOfMs, double value, Quality quality) {
    if (failed) {
      return Outcome.NOT_STORED;
    }
    RejectReason refusal =
        ReadingRules.refusal(sensor.idBytes(), timestampMs, value, intake.maxIdBytes());
    if (refusal != null) {
      return Outcome.of(refusal);
    }
    if (patienceNanos > 0) {
      endNanos = System.nanoTime() + patienceNanos;
    }
    Reading reading = new Reading(sensor.id(), timestampMs, value, quality);
    Outcome outcome = tryOffer(sensor, reading, nanosOfMs);
    while (outcome == Outcome.NOT_STORED && endNanos - System.nanoTime() > 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
      outcome = tryOffer(sensor, reading, nanosOfMs);
    }
    count(outcome);
    return outcome;
  }

  private Outcome tryOffer(Sensor sensor, Reading reading, int nanosOfMs) {
    PartitionIdentities partition = intake.identities().of(sensor.partition());
    missing.incrementAndGet();
    Outcome outcome =
        partition.offer(
            senders,
            sensor,
            reading,
            nanosOfMs,
            intake.sink(),
            acknowledgement(sensor.partition()),
            one);
    if (outcome != Outcome.ACCEPTED && outcome != Outcome.DUPLICATE) {
      missing.decrementAndGet();
    }
    return outcome;
  }

  private void count(Outcome outcome) {
    switch (outcome) {
      case ACCEPTED -> accepted++;
      case DUPLICATE -> duplicates++;
      case NOT_STORED -> failed = true;
      default -> {}
    }
  }

  private Acknowledgement acknowledgement(int partition) {
    if (acknowledgements[partition] == null) {
      PartitionIdentities stored = intake.identities().of(partition);
      acknowledgements[partition] =
          () -> {
            stored.stored();
            oneStored();
          };
    }
    return acknowledgements[partition];
  }

  private void oneStored() {
    if (missing.decrementAndGet() == 0) {
      done.complete(null);
    }
  }

  /** All readings were offered; the result completes when they are on disk. */
  public CompletableFuture<Void> finish() {
    oneStored();
    return done;
  }

  /** Nanoseconds until the time of the request has run out; negative behind it. */
  public long nanosLeft() {
    return endNanos - System.nanoTime();
  }

  /** Attests that the sensor sends nothing below a time any more. */
  public void complete(Sensor sensor, long throughMs) {
    if (!failed) {
      intake.sink().complete(sensor.id(), throughMs);
    }
  }

  /** Whether the request fails; it does so too if its time has run out, and somebody waits. */
  public boolean isLate() {
    failed |= patienceNanos == 0 && nanosLeft() < 0;
    return failed;
  }

  /** Whether a reading found no room, or the time has run out before it was offered. */
  public boolean hasFailed() {
    return failed;
  }

  public int accepted() {
    return accepted;
  }

  public int duplicates() {
    return duplicates;
  }
}
