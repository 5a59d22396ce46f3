package io.weir.edge;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.weir.reading.Reading;
import io.weir.reading.ReadingRules;
import io.weir.reading.RejectReason;
import io.weir.registry.ValueFormat;
import io.weir.topic.SensorPartition;
import io.weir.wire.BatchEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Publishes a gateway's readings: takes them one by one, sends them in batches, and loses none that
 * it took while it lives.
 *
 * <p><b>Promise.</b> Every accepted reading is sent until the brokers acknowledge it, however often
 * that fails; what cannot be sent is kept, and when the queue fills, offers answer {@link
 * Offer#SUSPENDED}. On the topic the readings of a sensor stand in the order of their offers,
 * repeats aside; repeats carry the sequence of the first and are told by it. What was accepted and
 * not acknowledged when the process dies is lost, unless a {@link BatchJournal} kept it. A batch
 * that the topic refuses as too large holds its own partition until the topic is repaired.
 *
 * <p><b>Threads.</b> All methods are safe for any thread. One thread of the publisher's own
 * encodes, sends and calls acknowledgements; Kafka's producer has another for the network. Offers
 * of one sensor by several threads are in the order in which they happen to get its lock.
 *
 * <p><b>Cost.</b> An offer walks over the sensor id once, takes one of 64 locks for a few stores,
 * and allocates nothing for an ASCII id, amortised; it never waits for the network. Memory is
 * bounded by the queue's capacity, about 30 bytes a reading and its id, and by the producer's
 * buffer (32 MiB).
 */
public final class ReadingPublisher implements AutoCloseable {
  private static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(30);
  private static final long OFFER_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final Duration MAX_CLOSE_TIMEOUT = Duration.ofDays(365);

  private final int maxIdBytes;
  private final long bootId;
  private final Ticker ticker;
  private final QueueGate gate;
  private final Lanes lanes;
  private final PublisherMetrics metrics;
  private final Doorbell doorbell;
  private final Shipper shipper;
  private final StatusBoard status;
  private final SenderThread thread;
  private final Optional<DeadLetterWatch> watch;
  private volatile boolean closed;

  /** Starts a publisher whose metrics nobody sees. */
  public static ReadingPublisher start(PublisherSettings settings) {
    return start(settings, new CompositeMeterRegistry());
  }

  /**
   * Starts a publisher. Brokers need not be up yet, nor a schema registry.
   *
   * @param registry where {@link PublisherMetrics} go
   * @throws UncheckedIOException where the directory of {@code keepIn} cannot be used
   * @throws IllegalStateException where the settings hold a state that was started from before
   */
  public static ReadingPublisher start(PublisherSettings settings, MeterRegistry registry) {
    settings.start().use();
    long clockMs = System.currentTimeMillis();
    long random = ThreadLocalRandom.current().nextLong();
    Optional<FileJournal> journal = journal(settings, clockMs, random);
    ValueFormat format = settings.valueFormat();
    ReadingPublisher publisher =
        new ReadingPublisher(
            settings,
            registry,
            () -> KafkaBatchSender.open(settings, format),
            System::nanoTime,
            journal.isPresent() ? journal.get().bootId() : settings.start().bootId(clockMs, random),
            new BatchEncoder()::encode,
            task -> helperThread(settings.gatewayId(), task),
            journal);
    publisher.thread.start();
    publisher.watch.ifPresent(DeadLetterWatch::start);
    return publisher;
  }

  /** A publisher whose thread is not started: the caller starts it, or takes the turns itself. */
  ReadingPublisher(
      PublisherSettings settings,
      MeterRegistry registry,
      BatchSender.Factory senders,
      Ticker ticker,
      long bootId) {
    this(
        settings,
        registry,
        senders,
        ticker,
        bootId,
        new BatchEncoder()::encode,
        task -> helperThread(settings.gatewayId(), task),
        Optional.empty());
  }

  ReadingPublisher(
      PublisherSettings settings,
      MeterRegistry registry,
      BatchSender.Factory senders,
      Ticker ticker,
      long bootId,
      Shipper.Encoding encoding,
      Executor helper,
      Optional<FileJournal> journal) {
    this.maxIdBytes = settings.limits().maxIdBytes();
    this.bootId = bootId;
    this.ticker = ticker;
    this.doorbell = new Doorbell(settings.flushInterval().toNanos());
    this.gate = QueueGate.of(settings);
    this.lanes = new Lanes(LaneSettings.of(settings, bootId), ticker);
    String gatewayId = settings.gatewayId();
    this.status = new StatusBoard(settings.listener(), new FailureLog(gatewayId), ticker);
    this.metrics =
        new PublisherMetrics(registry, gatewayId, settings.queueCapacity(), gate, lanes, status);
    ProducerSession session =
        new ProducerSession(senders, doorbell, new FailureLog(gatewayId), status, helper);
    this.shipper =
        new Shipper(
            settings, bootId, lanes, gate, session, status, journal, metrics, ticker, encoding);
    this.shipper.resume(settings.start().unacknowledged());
    this.thread = new SenderThread(gatewayId, shipper, doorbell);
    this.watch =
        settings
            .deadLetters()
            .map(topic -> new DeadLetterWatch(settings, topic, bootId, this::refused));
  }

  /** Offers a reading: {@link #offer(Reading, Acknowledgement)} with nobody to tell. */
  public Offer offer(Reading reading) {
    return offer(reading, (Acknowledgement) null);
  }

  /**
   * Offers a reading, and answers at once what became of it. Never waits and never throws for load.
   *
   * @param acknowledgement told once when an accepted reading is acknowledged; may be null
   */
  public Offer offer(Reading reading, Acknowledgement acknowledgement) {
    if (closed) {
      return metrics.notAccepted(Offer.CLOSED);
    }
    long digest = IdDigest.of(reading.sensorId());
    if (IdDigest.bytes(digest) == IdDigest.NOT_TEXT) {
      return metrics.notAccepted(Offer.REFUSED_SENSOR_ID_NOT_TEXT);
    }
    RejectReason refusal =
        ReadingRules.refusal(
            IdDigest.bytes(digest), reading.timestampMs(), reading.value(), maxIdBytes);
    if (refusal != null) {
      return metrics.notAccepted(Offer.refused(refusal));
    }
    long places = QueueGate.placeOf(IdDigest.bytes(digest));
    if (!gate.tryEnter(places)) {
      if (gate.isDropping()) {
        doorbell.ring();
      }
      return metrics.notAccepted(Offer.SUSPENDED);
    }
    return append(reading, digest, acknowledgement, places);
  }

  /**
   * Offers a reading, and waits at most so long for room where the queue is full.
   *
   * @return as {@link #offer(Reading)}; SUSPENDED where there was no room in all that time
   */
  public Offer offer(Reading reading, Duration timeout) throws InterruptedException {
    thread.requireOther("offer with a timeout");
    long endNanos = System.nanoTime() + bounded(timeout).toNanos();
    Offer offer = offer(reading);
    while (offer == Offer.SUSPENDED) {
      long leftNanos = endNanos - System.nanoTime();
      if (leftNanos <= 0) {
        return offer;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(Math.min(leftNanos, OFFER_PAUSE_NANOS));
      offer = offer(reading);
    }
    return offer;
  }

  /**
   * Sends everything accepted before the call, and returns when it is acknowledged.
   *
   * @throws IllegalStateException where the publisher is closed before that, or the caller is an
   *     acknowledgement
   */
  public void flush() throws InterruptedException {
    thread.requireOther("flush");
    try {
      flushAsync().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
    }
  }

  /**
   * Sends everything accepted before the call, and waits at most so long until it is acknowledged.
   *
   * @return whether it is
   * @throws IllegalStateException where the publisher is closed before that, or the caller is an
   *     acknowledgement
   */
  public boolean flush(Duration timeout) throws InterruptedException {
    thread.requireOther("flush");
    try {
      flushAsync().get(bounded(timeout).toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
    }
  }

  /**
   * Sends everything accepted before the call. The future completes when it is acknowledged, on the
   * publisher's own thread: what depends on it must be quick. It fails with an {@link
   * IllegalStateException} where the publisher is closed before that.
   */
  public CompletableFuture<Void> flushAsync() {
    CompletableFuture<Void> done = shipper.flush();
    doorbell.ring();
    return done;
  }

  /** Names this start of the gateway's publisher, in every batch. */
  public long bootId() {
    return bootId;
  }

  /** Whether readings get through to the brokers, and if not, why not. */
  public PublisherStatus status() {
    return status.status();
  }

  /**
   * Waits until the brokers are reached and the topic is there and right, at most so long. Offers
   * need not wait for it.
   *
   * @return whether it is so; if not, {@link #status} says why
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    thread.requireOther("awaitReady");
    return status.awaitPublishing(bounded(timeout).toNanos());
  }

  /** Readings accepted and not acknowledged, now. */
  public long queuedReadings() {
    return shipper.unacknowledgedReadings();
  }

  /**
   * The final state: handed out once the publisher is closed, as one taken before could be older
   * than sequences given since, and would let a resumed publisher give them to other readings. To
   * be safe against a crash, keep a {@link BatchJournal}.
   *
   * @throws IllegalStateException where the publisher is not closed, or its last turn not over
   */
  public PublisherState state() {
    PublisherState state = thread.state();
    if (state == null) {
      throw new IllegalStateException("the publisher is not closed: its state is not final");
    }
    return state;
  }

  /**
   * Takes nothing new, sends all that was accepted, and ends when it is acknowledged or the time is
   * over. An interrupt does not cut it short: the thread's flag is set again at the end. May be
   * called again.
   *
   * @param timeout 0 sends nothing more
   * @throws IllegalStateException where the caller is an acknowledgement
   */
  public CloseReport close(Duration timeout) {
    thread.requireOther("close");
    Duration bounded = bounded(timeout);
    stopTaking(bounded);
    thread.endWithin(bounded.toNanos());
    watch.ifPresent(DeadLetterWatch::close);
    metrics.close();
    return report(thread.state());
  }

  /** What is left; with {@code keepIn} the state is there only where the disk failed. */
  CloseReport report(PublisherState finalState) {
    Optional<PublisherState> state = Optional.ofNullable(finalState);
    return new CloseReport(
        shipper.unacknowledgedReadings(),
        shipper.keepsOnDisk() ? state.filter(left -> !left.unacknowledged().isEmpty()) : state);
  }

  /** Closes within 30 seconds; {@link #close(Duration)} tells what was left. */
  @Override
  public void close() {
    close(DEFAULT_CLOSE_TIMEOUT);
  }

  void stopTaking(Duration timeout) {
    closed = true;
    lanes.close();
    shipper.closeBy(ticker.nanoTime() + timeout.toNanos());
    doorbell.ring();
  }

  Shipper shipper() {
    return shipper;
  }

  SenderThread thread() {
    return thread;
  }

  private void refused(String reason) {
    metrics.refused(reason);
    if (reason.equals(RejectReason.FENCED.name()) || reason.equals("FUTURE_BOOT")) {
      status.refused(reason);
      doorbell.ring();
    }
  }

  private static Duration bounded(Duration timeout) {
    return timeout.compareTo(MAX_CLOSE_TIMEOUT) < 0 ? timeout : MAX_CLOSE_TIMEOUT;
  }

  private static Optional<FileJournal> journal(
      PublisherSettings settings, long clockMs, long random) {
    if (settings.keepIn().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          FileJournal.open(
              settings.keepIn().get(),
              settings.gatewayId(),
              settings.keepMaxBytes(),
              clockMs,
              random));
    } catch (IOException e) {
      throw new UncheckedIOException("keepIn: " + e.getMessage(), e);
    }
  }

  private static void helperThread(String gatewayId, Runnable task) {
    Thread thread = new Thread(task, "weir-publisher-" + gatewayId + "-connect");
    thread.setDaemon(true);
    thread.start();
  }

  private Offer append(Reading reading, long digest, Acknowledgement acknowledgement, long places) {
    PartitionLane lane = lanes.of(SensorPartition.ofHash(IdDigest.hash(digest)));
    Offer offer = null;
    try {
      offer = answer(lane.append(reading, digest, acknowledgement));
    } finally {
      if (offer != Offer.ACCEPTED) {
        // Not taken, or something was thrown: either way it must not keep its place.
        gate.leave(places);
      }
    }
    return offer == Offer.ACCEPTED ? offer : metrics.notAccepted(offer);
  }

  private Offer answer(Intake.Appended appended) {
    switch (appended) {
      case FILLED -> doorbell.ring();
      case STARTED -> doorbell.ringIdle();
      case ADDED -> {
        if (gate.isDropping()) {
          doorbell.ring();
        }
      }
      case CLOSED -> {
        return Offer.CLOSED;
      }
      case OVER_ITS_SHARE -> {
        return Offer.SUSPENDED;
      }
    }
    return Offer.ACCEPTED;
  }
}
