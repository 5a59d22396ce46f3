package io.weir.edge;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.weir.reading.Reading;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Publishes a gateway's readings: accepts them one by one, sends them in batches, and loses no
 * accepted reading while the process runs.
 *
 * <p><b>Promise.</b> Every accepted reading is retried until the brokers acknowledge it; when the
 * queue is full, offers return {@link Offer#SUSPENDED}. On the topic the readings of a sensor are
 * in the order of their offers; a retried batch may appear again, with the same sequence. If the
 * process dies, readings that were accepted and not acknowledged are lost, unless {@link
 * PublisherSettings.Builder#keepIn} stores them. A batch that exceeds the topic's limit blocks its
 * partition until the limit is raised.
 *
 * <p><b>Threads.</b> All methods are thread-safe. One thread encodes, sends and calls
 * acknowledgements; Kafka's producer has a network thread. If several threads offer readings of one
 * sensor, their order is undefined.
 *
 * <p><b>Cost.</b> An offer reads the sensor id once, briefly holds one of 64 locks, and allocates
 * nothing for an ASCII id, amortised; it never waits for the network. Memory is bounded by the
 * queue's capacity, about 30 bytes per reading plus its id, and by the producer's buffer (32 MiB).
 */
public final class ReadingPublisher implements AutoCloseable {
  private static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final PublisherCore core;
  private final OfferHandler offers;

  /** Starts a publisher without metrics. */
  public static ReadingPublisher start(PublisherSettings settings) {
    return start(settings, new CompositeMeterRegistry());
  }

  /**
   * Starts a publisher. Brokers need not be up yet, nor a schema registry.
   *
   * @param registry the registry of {@link PublisherMetrics}
   * @throws UncheckedIOException if the directory of {@code keepIn} cannot be used
   * @throws IllegalStateException if a publisher was already started from the settings' state
   */
  public static ReadingPublisher start(PublisherSettings settings, MeterRegistry registry) {
    settings.start().use();
    ReadingPublisher publisher = PublisherFactory.create(settings, registry);
    publisher.core.start();
    return publisher;
  }

  /** A publisher whose thread is not started: the caller starts it, or runs the loop itself. */
  ReadingPublisher(PublisherCore core, PartitionQueues<ReadingQueue> queues) {
    this.core = core;
    this.offers = new OfferHandler(core.context(), queues, core.wakeup());
  }

  /** Offers a reading: {@link #offer(Reading, Acknowledgement)} without acknowledgement. */
  public Offer offer(Reading reading) {
    return offer(reading, (Acknowledgement) null);
  }

  /**
   * Offers a reading and returns the result immediately. Never blocks, and never throws because of
   * load.
   *
   * @param acknowledgement called once when an accepted reading is acknowledged; may be null
   */
  public Offer offer(Reading reading, Acknowledgement acknowledgement) {
    return offers.offer(reading, 0, acknowledgement);
  }

  /**
   * Offers a reading with the nanoseconds of its time below the millisecond, which are stored in
   * {@code keepIn} and read from there at the next start; they are not on the topic.
   *
   * @param nanosOfMs 0 to 999,999
   */
  public Offer offer(Reading reading, int nanosOfMs, Acknowledgement acknowledgement) {
    return offers.offer(reading, nanosOfMs, acknowledgement);
  }

  /**
   * Whether offers are likely to be accepted and stored now: the queue has room, and with {@code
   * keepIn} the disk has room and its last write succeeded.
   */
  public boolean hasRoom() {
    return core.context().limit().hasRoom() && core.sendLoop().canStore();
  }

  /**
   * Offers a reading; if the queue is full, waits for capacity up to the timeout.
   *
   * @return as {@link #offer(Reading)}; SUSPENDED after the timeout
   */
  public Offer offer(Reading reading, Duration timeout) throws InterruptedException {
    core.thread().requireOther("offer with a timeout");
    long endNanos = PublisherCore.endNanos(timeout);
    Offer offer = offer(reading);
    return offer == Offer.SUSPENDED ? OfferWait.untilRoom(() -> offer(reading), endNanos) : offer;
  }

  /**
   * Attests that a sensor is complete up to a time: all its earlier readings were accepted before
   * this call, or do not exist. Weir then finally closes windows that end at or before that time,
   * without waiting for grace; a later reading of them is late. The attestation is on the topic
   * behind those readings, is sent within the flush interval, and has no acknowledgement. Of
   * several for one sensor only the newest is sent.
   *
   * <p>Do not call it for a sensor that another gateway also publishes, or after a suspended offer
   * that was not repeated. The attestation is delayed until batches of an earlier start are
   * acknowledged. It is not sent if batches of the sensor's partition were dropped in this start
   * ({@link Overflow#DROP_OLDEST}, damage on disk): windows then wait for grace. After a crash
   * without {@link PublisherSettings.Builder#keepIn}, attestations of the next start also cover the
   * lost readings.
   *
   * @param throughMs milliseconds since 1970, exclusive; from 1
   * @return ACCEPTED; SUSPENDED if the queue is full (call again, or rely on the next attestation);
   *     CLOSED; REFUSED_ for an invalid id or time
   */
  public Offer complete(String sensorId, long throughMs) {
    return offers.complete(sensorId, throughMs);
  }

  /**
   * Sends everything accepted before the call, and returns when it is acknowledged.
   *
   * @throws IllegalStateException if the publisher is closed before that, or the caller is an
   *     acknowledgement
   */
  public void flush() throws InterruptedException {
    core.thread().requireOther("flush");
    PublisherCore.await(flushAsync());
  }

  /**
   * Sends everything accepted before the call, and waits up to the timeout for its acknowledgement.
   *
   * @return whether all is acknowledged
   * @throws IllegalStateException if the publisher is closed before that, or the caller is an
   *     acknowledgement
   */
  public boolean flush(Duration timeout) throws InterruptedException {
    core.thread().requireOther("flush");
    return PublisherCore.await(flushAsync(), timeout);
  }

  /**
   * Sends everything accepted before the call. The future completes when it is acknowledged, on the
   * publisher's thread: dependent actions must be quick. It fails with an {@link
   * IllegalStateException} if the publisher is closed before that.
   */
  public CompletableFuture<Void> flushAsync() {
    return core.flushAsync();
  }

  /** The id of this start of the gateway's publisher, part of every batch. */
  public long bootId() {
    return core.context().bootId();
  }

  /** Whether readings reach the brokers, and the cause if not. */
  public PublisherStatus status() {
    return core.context().status().status();
  }

  /**
   * Waits up to the timeout until the brokers are reached and the topic exists and is valid. Offers
   * need not wait for it.
   *
   * @return false after the timeout; then {@link #status} has the cause
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    return core.awaitReady(timeout);
  }

  /** Current number of accepted, unacknowledged readings. */
  public long queuedReadings() {
    return core.sendLoop().unacknowledgedReadings();
  }

  /**
   * The final state, available after the close: an earlier one could be outdated, and a publisher
   * resumed from it would reuse sequences for other readings. For safety against crashes use a
   * {@link BatchJournal}.
   *
   * @throws IllegalStateException if the publisher is not closed or its thread has not ended
   */
  public PublisherState state() {
    PublisherState state = core.thread().state();
    if (state == null) {
      throw new IllegalStateException("the publisher is not closed: its state is not final");
    }
    return state;
  }

  /**
   * Rejects new readings, sends all accepted ones, and returns when they are acknowledged or after
   * the timeout. An interrupt does not shorten it; the thread's interrupt flag is restored at the
   * end. Idempotent.
   *
   * @param timeout 0 sends nothing more
   * @throws IllegalStateException if the caller is an acknowledgement
   */
  public CloseReport close(Duration timeout) {
    core.thread().requireOther("close");
    stopTaking(timeout);
    return core.end(timeout);
  }

  /** Closes within 30 seconds; {@link #close(Duration)} returns the unacknowledged readings. */
  @Override
  public void close() {
    close(DEFAULT_CLOSE_TIMEOUT);
  }

  void stopTaking(Duration timeout) {
    offers.close();
    core.closeBy(timeout);
  }

  PublisherCore core() {
    return core;
  }

  /** Whether dead letters are read, so that refused batches of this gateway are detected. */
  public boolean watchesDeadLetters() {
    return core.watchesDeadLetters();
  }
}
