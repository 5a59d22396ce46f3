package io.weir.edge;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.weir.reading.Reading;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Publishes a gateway's readings: takes them one by one, sends them in batches, and loses none that
 * it took while it lives.
 *
 * <p><b>Promise.</b> Every accepted reading is sent until the brokers acknowledge it, however often
 * that fails; what cannot be sent is kept, and when the queue fills, offers answer {@link
 * Offer#SUSPENDED}. On the topic the readings of a sensor are in the order of their offers, repeats
 * aside, which carry the sequence of the first. What was accepted and not acknowledged when the
 * process dies is lost, unless a {@link BatchJournal} kept it. A batch that the topic refuses as
 * too large holds its own partition until the topic is repaired.
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

  private final PublisherCore core;
  private final OfferHandler offers;

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
   * Offers a reading, and answers at once what became of it. Never waits and never throws for load.
   *
   * @param acknowledgement called once when an accepted reading is acknowledged; may be null
   */
  public Offer offer(Reading reading, Acknowledgement acknowledgement) {
    return offers.offer(reading, acknowledgement);
  }

  /**
   * Offers a reading, and waits at most so long for room where the queue is full.
   *
   * @return as {@link #offer(Reading)}; SUSPENDED where there was no room in all that time
   */
  public Offer offer(Reading reading, Duration timeout) throws InterruptedException {
    core.thread().requireOther("offer with a timeout");
    long endNanos = PublisherCore.endNanos(timeout);
    Offer offer = offer(reading);
    return offer == Offer.SUSPENDED ? OfferWait.untilRoom(() -> offer(reading), endNanos) : offer;
  }

  /**
   * Says that a sensor is complete up to a time: every reading of it that is earlier was accepted
   * before this call, or will never come. Weir closes windows that end at or before it at once,
   * finally, without waiting for grace; a reading of them that still comes is late. It is on the
   * topic behind all those readings, leaves within the flush interval, and takes no
   * acknowledgement. Of many for one sensor only the newest is sent.
   *
   * <p>Never for a sensor that another gateway publishes too, and not where an offer was suspended
   * and not repeated. It is held back while batches of an earlier start are not acknowledged, and
   * never sent once batches of the sensor's partition were dropped ({@link Overflow#DROP_OLDEST},
   * damage on disk), until the next start: windows then wait for grace. A crash without {@link
   * PublisherSettings.Builder#keepIn} loses readings that the next start's attestations claim.
   *
   * @param throughMs milliseconds since 1970, exclusive; from 1
   * @return ACCEPTED; SUSPENDED where there is no room: call again, or leave it to the next one;
   *     CLOSED; REFUSED_ for an id or a time that no reading may have
   */
  public Offer complete(String sensorId, long throughMs) {
    return offers.complete(sensorId, throughMs);
  }

  /**
   * Sends everything accepted before the call, and returns when it is acknowledged.
   *
   * @throws IllegalStateException where the publisher is closed before that, or the caller is an
   *     acknowledgement
   */
  public void flush() throws InterruptedException {
    core.thread().requireOther("flush");
    PublisherCore.await(flushAsync());
  }

  /**
   * Sends everything accepted before the call, and waits at most so long until it is acknowledged.
   *
   * @return whether it is
   * @throws IllegalStateException where the publisher is closed before that, or the caller is an
   *     acknowledgement
   */
  public boolean flush(Duration timeout) throws InterruptedException {
    core.thread().requireOther("flush");
    return PublisherCore.await(flushAsync(), timeout);
  }

  /**
   * Sends everything accepted before the call. The future completes when it is acknowledged, on the
   * publisher's own thread: what depends on it must be quick. It fails with an {@link
   * IllegalStateException} where the publisher is closed before that.
   */
  public CompletableFuture<Void> flushAsync() {
    return core.flushAsync();
  }

  /** Names this start of the gateway's publisher, in every batch. */
  public long bootId() {
    return core.context().bootId();
  }

  /** Whether readings get through to the brokers, and if not, why not. */
  public PublisherStatus status() {
    return core.context().status().status();
  }

  /**
   * Waits until the brokers are reached and the topic is there and right, at most so long. Offers
   * need not wait for it.
   *
   * @return whether it is so; if not, {@link #status} says why
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    return core.awaitReady(timeout);
  }

  /** Readings accepted and not acknowledged, now. */
  public long queuedReadings() {
    return core.sendLoop().unacknowledgedReadings();
  }

  /**
   * The final state: handed out once the publisher is closed, as one taken before could be older
   * than sequences given since, and would let a resumed publisher give them to other readings. To
   * be safe against a crash, keep a {@link BatchJournal}.
   *
   * @throws IllegalStateException where the publisher is not closed, or its last turn not over
   */
  public PublisherState state() {
    PublisherState state = core.thread().state();
    if (state == null) {
      throw new IllegalStateException("the publisher is not closed: its state is not final");
    }
    return state;
  }

  /**
   * Takes nothing new, sends all that was accepted, and ends when it is acknowledged or at the
   * timeout. An interrupt does not cut it short: the thread's flag is set again at the end. May be
   * called again.
   *
   * @param timeout 0 sends nothing more
   * @throws IllegalStateException where the caller is an acknowledgement
   */
  public CloseReport close(Duration timeout) {
    core.thread().requireOther("close");
    stopTaking(timeout);
    return core.end(timeout);
  }

  /** Closes within 30 seconds; {@link #close(Duration)} returns what was left. */
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

  /** Whether dead letters are read, so that what Weir refuses of this gateway is noticed. */
  public boolean watchesDeadLetters() {
    return core.watchesDeadLetters();
  }
}
