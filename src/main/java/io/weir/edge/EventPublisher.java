package io.weir.edge;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.wire.BatchCompleteness;
import io.weir.internal.wire.EventBatchEncoder;
import io.weir.internal.wire.EventRules;
import io.weir.reading.Limits;
import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Publishes events: accepts them one by one, sends them in batches, and loses no accepted event
 * while the process runs. Scheduled events and their cancellations go to one topic, all others to
 * another.
 *
 * <p><b>Promise.</b> The same as {@link ReadingPublisher}'s: every accepted event is retried until
 * the brokers acknowledge it; when the queue is full, offers return {@link Offer#SUSPENDED}. On
 * each topic the events of a key are in the order of their offers; a retried batch may appear
 * again, with the same sequence. If the process dies, events that were accepted and not
 * acknowledged are lost, unless {@link PublisherSettings.Builder#keepIn} stores them. With {@link
 * EventPublisherSettings#fold}, events of a key are merged before they are sent.
 *
 * <p><b>Threads.</b> All methods are thread-safe. Each of the two topics has one thread and one
 * Kafka producer; folding has one more thread. The producer of scheduled events is opened with the
 * first of them.
 *
 * <p><b>Cost.</b> An offer serialises the event and briefly holds one of 64 locks; it never waits
 * for the network. Memory is bounded by the queue's capacity for each topic, and half as much for
 * folds.
 */
public final class EventPublisher implements AutoCloseable {
  private static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration FAILED_START_TIMEOUT = Duration.ofSeconds(5);
  private static final String EVENTS = "events";
  private static final String SCHEDULED = "scheduled";

  /** Opens the channel of a topic. */
  @FunctionalInterface
  interface Opening {
    EventChannel open(PublisherSettings settings, String name);
  }

  private final EventPublisherSettings settings;
  private final Opening opening;
  private final EventChannel events;
  private final Optional<EventFolds> folds;
  private final Optional<FoldThread> foldThread;
  private volatile EventChannel scheduled;
  private volatile boolean closed;

  /** Starts a publisher without metrics. */
  public static EventPublisher start(EventPublisherSettings settings) {
    return start(settings, new CompositeMeterRegistry());
  }

  /**
   * Starts a publisher. Brokers need not be up yet, nor a schema registry.
   *
   * @param registry the registry of {@link PublisherMetrics}, with the label gateway followed by
   *     {@code /events} and {@code /scheduled}
   * @throws UncheckedIOException if the directory of {@code keepIn} cannot be used
   */
  public static EventPublisher start(EventPublisherSettings settings, MeterRegistry registry) {
    return new EventPublisher(
        settings,
        (publisher, name) -> {
          PublisherDependencies dependencies =
              PublisherFactory.dependencies(publisher, registry, EventBatch.getDefaultInstance());
          EventChannel channel = new EventChannel(publisher, name, dependencies);
          channel.core().start();
          return channel;
        });
  }

  EventPublisher(EventPublisherSettings settings, Opening opening) {
    this.settings = settings;
    this.opening = opening;
    this.events = open(settings.eventsTopic(), EVENTS);
    boolean kept =
        settings
            .publisher()
            .keepIn()
            .filter(path -> Files.exists(path.resolve(SCHEDULED)))
            .isPresent();
    this.scheduled = kept ? openOrClose(events) : null;
    long foldBytes = settings.publisher().queueCapacityBytes() / 2;
    this.folds = settings.fold().map(fold -> new EventFolds(fold, foldBytes, this::send));
    this.foldThread = folds.map(these -> new FoldThread(settings, these));
    foldThread.ifPresent(FoldThread::start);
  }

  /** Opens the channel of scheduled events; if it cannot be opened, ends the other one too. */
  private EventChannel openOrClose(EventChannel other) {
    try {
      return open(settings.scheduledTopic(), SCHEDULED);
    } catch (RuntimeException e) {
      other.stopTaking(Duration.ZERO);
      other.core().end(FAILED_START_TIMEOUT);
      throw e;
    }
  }

  private EventChannel open(String topic, String what) {
    PublisherSettings publisher = settings.forTopic(topic, what);
    return opening.open(publisher, publisher.gatewayId() + "/" + what);
  }

  /**
   * Why an event is invalid; empty if it is valid. An event needs a key and a positive {@code
   * timestamp_ms} or {@code due_ms}. It has at most 1,000 fields and 262,144 bytes; each text has
   * at most 256 bytes.
   */
  public static Optional<String> refusal(Event event) {
    return refusal(event, Limits.DEFAULT.maxIdBytes());
  }

  private static Optional<String> refusal(Event event, int maxTextBytes) {
    return halfPair(event)
        .map(where -> where + " has an unpaired surrogate, which UTF-8 cannot encode")
        .or(() -> EventRules.refusal(event, maxTextBytes).map(EventRefusal::meaning));
  }

  /** The text with an unpaired surrogate; encoding would make different texts equal. */
  private static Optional<String> halfPair(Event event) {
    if (isNoText(event.getKey())) {
      return Optional.of("key");
    } else if (isNoText(event.getSubject())) {
      return Optional.of("subject");
    } else if (isNoText(event.getType())) {
      return Optional.of("type");
    } else if (isNoText(event.getId())) {
      return Optional.of("id");
    }
    for (Map.Entry<String, Value> field : event.getFieldsMap().entrySet()) {
      if (isNoText(field.getKey())) {
        return Optional.of("the name of a field");
      } else if (isNoText(field.getValue().getStringValue())) {
        return Optional.of("field " + field.getKey());
      }
    }
    return Optional.empty();
  }

  private static boolean isNoText(String text) {
    return IdDigest.bytes(IdDigest.of(text)) == IdDigest.NOT_TEXT;
  }

  /** Offers an event: {@link #offer(Event, Acknowledgement)} without acknowledgement. */
  public Offer offer(Event event) {
    return offer(event, (Acknowledgement) null);
  }

  /**
   * Offers an event and returns the result immediately. Never blocks, and never throws because of
   * load.
   *
   * @param acknowledgement called once when an accepted event is acknowledged; may be null
   * @throws UncheckedIOException if it is the first scheduled event and the directory of {@code
   *     keepIn} cannot be used
   */
  public Offer offer(Event event, Acknowledgement acknowledgement) {
    if (closed) {
      return Offer.CLOSED;
    }
    if (refusal(event, settings.publisher().maxIdBytes()).isPresent()) {
      return events.refused();
    }
    return folds.isPresent()
        ? folds.get().offer(event, acknowledgement, System.nanoTime())
        : send(event, acknowledgement == null ? List.of() : List.of(acknowledgement));
  }

  /**
   * Offers an event; if the queue is full, waits for capacity up to the timeout.
   *
   * @return as {@link #offer(Event)}; SUSPENDED after the timeout
   */
  public Offer offer(Event event, Duration timeout) throws InterruptedException {
    requireOther("offer with a timeout");
    long endNanos = PublisherCore.endNanos(timeout);
    Offer offer = offer(event);
    return offer == Offer.SUSPENDED ? OfferWait.untilRoom(() -> offer(event), endNanos) : offer;
  }

  private Offer send(Event event, List<Acknowledgement> acknowledgements) {
    EventChannel channel = EventRules.isScheduled(event) ? scheduled() : events;
    if (channel == null) {
      return Offer.CLOSED;
    }
    int keyHash = IdDigest.hash(IdDigest.of(event.getKey()));
    return channel.offer(event.toByteArray(), keyHash, acknowledgements);
  }

  /** Null if the publisher is closed and the channel was never opened: nothing would close it. */
  private EventChannel scheduled() {
    EventChannel open = scheduled;
    if (open == null) {
      synchronized (this) {
        open = scheduled;
        if (open == null && !closed) {
          open = open(settings.scheduledTopic(), SCHEDULED);
          scheduled = open;
        }
      }
    }
    return open;
  }

  private List<EventChannel> channels() {
    List<EventChannel> channels = new ArrayList<>(List.of(events));
    Optional.ofNullable(scheduled).ifPresent(channels::add);
    return channels;
  }

  /**
   * Sends all events accepted before the call, including folds, and waits up to the timeout for
   * their acknowledgement.
   *
   * @return whether all are acknowledged
   * @throws IllegalStateException if the publisher is closed before that, or the caller is an
   *     acknowledgement
   */
  public boolean flush(Duration timeout) throws InterruptedException {
    requireOther("flush");
    long endNanos = PublisherCore.endNanos(timeout);
    if (!sendFolds(endNanos, Thread.currentThread()::isInterrupted)) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return false;
    }
    for (EventChannel channel : channels()) {
      if (!PublisherCore.await(channel.core().flushAsync(), left(endNanos))) {
        return false;
      }
    }
    return true;
  }

  /** Sends all folds and waits for capacity; returns whether all were accepted. */
  private boolean sendFolds(long endNanos, BooleanSupplier givenUp) {
    while (folds.isPresent() && !folds.get().sendAll()) {
      if (System.nanoTime() - endNanos >= 0 || givenUp.getAsBoolean()) {
        return false;
      }
      OfferWait.pause(endNanos);
    }
    return true;
  }

  /** Whether events reach the brokers, and the cause if not; the worse status of the two topics. */
  public PublisherStatus status() {
    return channels().stream()
        .map(channel -> channel.core().context().status().status())
        .filter(status -> !status.isPublishing())
        .findFirst()
        .orElseGet(() -> events.core().context().status().status());
  }

  /**
   * Waits up to the timeout until the brokers are reached and the topics used so far exist and are
   * valid. Offers need not wait for it.
   *
   * @return false after the timeout; then {@link #status} has the cause
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    long endNanos = PublisherCore.endNanos(timeout);
    for (EventChannel channel : channels()) {
      if (!channel.core().awaitReady(left(endNanos))) {
        return false;
      }
    }
    return true;
  }

  /** Current number of accepted, unacknowledged events; a fold that was sent counts as one. */
  public long queuedEvents() {
    return channels().stream().mapToLong(of -> of.core().sendLoop().unacknowledgedReadings()).sum()
        + folds.map(EventFolds::events).orElse(0L);
  }

  /**
   * Rejects new events, sends all accepted events, including folds, and returns when they are
   * acknowledged or after the timeout. An interrupt does not shorten it. Idempotent.
   *
   * @param timeout 0 sends nothing more
   * @return the number of unacknowledged events; without a state
   * @throws IllegalStateException if the caller is an acknowledgement
   */
  public CloseReport close(Duration timeout) {
    requireOther("close");
    synchronized (this) {
      // An offer that opens the channel of scheduled events has done so or sees this flag.
      closed = true;
    }
    folds.ifPresent(EventFolds::close);
    foldThread.ifPresent(FoldThread::end);
    long endNanos = PublisherCore.endNanos(timeout);
    sendFolds(endNanos, () -> false);
    channels().forEach(channel -> channel.stopTaking(left(endNanos)));
    long unsent = folds.map(EventFolds::events).orElse(0L);
    for (EventChannel channel : channels()) {
      unsent += channel.core().end(left(endNanos)).unsentReadings();
    }
    return new CloseReport(unsent, Optional.empty());
  }

  private static Duration left(long endNanos) {
    return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
  }

  /** Closes within 30 seconds; {@link #close(Duration)} returns the unacknowledged events. */
  @Override
  public void close() {
    close(DEFAULT_CLOSE_TIMEOUT);
  }

  private void requireOther(String method) {
    channels().forEach(channel -> channel.core().thread().requireOther(method));
  }

  /** A daemon thread that periodically sends due folds. */
  static final class FoldThread {
    /** Checks per quiet time: a fold is late by at most this fraction of it. */
    private static final int LOOKS = 10;

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final EventFolds folds;
    private final long pauseNanos;
    private final FailureLog log;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    FoldThread(EventPublisherSettings settings, EventFolds folds) {
      String gatewayId = settings.publisher().gatewayId();
      long quietNanos = settings.fold().orElseThrow().quiet().toNanos();
      this.folds = folds;
      this.pauseNanos = Math.min(quietNanos / LOOKS + 1, LONGEST_PAUSE.toNanos());
      this.log = new FailureLog(gatewayId);
      this.thread = new Thread(this::run, "weir-publisher-" + gatewayId + "-folds");
      thread.setDaemon(true);
    }

    void start() {
      thread.start();
    }

    private void run() {
      try {
        while (!ended.await(pauseNanos, TimeUnit.NANOSECONDS)) {
          sendDue();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** After an OutOfMemoryError it continues at the next check. */
    private void sendDue() {
      try {
        folds.sendDue(System.nanoTime());
      } catch (RuntimeException | Error e) {
        log.failed("a fold of events cannot be sent", e, System.nanoTime());
      }
    }

    /** Ends the thread; waiting folds remain. */
    void end() {
      ended.countDown();
    }
  }

  /** Publishes events to one topic. Thread-safe. */
  static final class EventChannel {
    /** Maximum overhead of an event in memory, in bytes. */
    private static final int EVENT_BYTES = 64;

    private final PublisherCore core;
    private final PartitionQueues<EventQueue> queues;
    private final PublisherMetrics metrics;
    private final Arrivals arrivals;
    private volatile boolean closed;

    /** Not started yet. */
    EventChannel(PublisherSettings settings, String name, PublisherDependencies dependencies) {
      QueueSettings of = QueueSettings.of(settings, dependencies.bootId());
      this.queues =
          new PartitionQueues<>(
              partition ->
                  new EventQueue(partition, of, new EventAccumulator(of, dependencies.ticker())));
      this.core = PublisherFactory.core(settings, name, queues, dependencies);
      this.metrics = core.context().metrics();
      this.arrivals = new Arrivals(core.context().limit(), core.wakeup());
    }

    PublisherCore core() {
      return core;
    }

    /**
     * Offers an event.
     *
     * @param keyHash FNV-1a of its key
     * @param acknowledgements are called when it is acknowledged; not changed afterwards
     */
    Offer offer(byte[] event, int keyHash, List<Acknowledgement> acknowledgements) {
      if (closed) {
        return metrics.counted(Offer.CLOSED);
      }
      long acknowledgementBytes = (long) QueueLimit.ACKNOWLEDGEMENT_BYTES * acknowledgements.size();
      long takes = QueueLimit.cost(1, EVENT_BYTES + event.length + acknowledgementBytes);
      if (!arrivals.acquire(takes)) {
        return metrics.counted(Offer.SUSPENDED);
      }
      EventQueue queue = queues.of(SensorPartition.ofHash(keyHash));
      BatchAccumulator.Appended appended = null;
      try {
        appended = queue.append(event, takes, acknowledgements);
      } finally {
        arrivals.releaseUnlessTaken(appended, takes);
      }
      return metrics.counted(arrivals.answer(appended));
    }

    /** Counts an invalid event. */
    Offer refused() {
      return metrics.counted(Offer.REFUSED_EVENT);
    }

    /** Rejects further events; accepted events are sent until the timeout. */
    void stopTaking(Duration timeout) {
      closed = true;
      queues.close();
      core.closeBy(timeout);
    }

    /** A partition's queue of events. */
    static final class EventQueue extends PartitionQueue {
      private final EventAccumulator accumulator;

      EventQueue(int partition, QueueSettings settings, EventAccumulator accumulator) {
        super(partition, settings, accumulator);
        this.accumulator = accumulator;
      }

      /** Appends an event. Thread-safe. */
      synchronized BatchAccumulator.Appended append(
          byte[] event, long takes, List<Acknowledgement> acknowledgements) {
        return accumulator.append(event, takes, acknowledgements);
      }
    }

    /** Collects a partition's events in batches. Guarded by the queue. */
    static final class EventAccumulator extends BatchAccumulator<EventAccumulator.PendingEvents> {
      EventAccumulator(QueueSettings settings, Ticker ticker) {
        super(settings, ticker, () -> new PendingEvents(settings));
      }

      /**
       * Appends an event.
       *
       * @param takes its cost in queue capacity
       */
      Appended append(byte[] event, long takes, List<Acknowledgement> acknowledgements) {
        Appended refusal = refusal();
        if (refusal != null) {
          return refusal;
        }
        boolean overflowed = makeRoom(open().hasRoomFor(event.length));
        boolean first = begin();
        open().add(event, takes, acknowledgements);
        return accepted(overflowed, first);
      }

      /** A pending batch of events. */
      static final class PendingEvents extends PendingBatch {
        private final EventBatchEncoder events = new EventBatchEncoder();

        PendingEvents(QueueSettings settings) {
          super(settings.headerBytes(), settings.limits());
        }

        /** Whether an event of this size fits. */
        boolean hasRoomFor(int eventBytes) {
          return hasRoom(eventBytes + EventBatchEncoder.EVENT_OVERHEAD_BYTES);
        }

        /**
         * Adds an event; an OutOfMemoryError leaves the batch unchanged.
         *
         * @param takes its cost in queue capacity
         */
        void add(byte[] event, long takes, List<Acknowledgement> acknowledgements) {
          makeRoomFor(acknowledgements.size());
          events.add(event);
          grows(event.length + EventBatchEncoder.EVENT_OVERHEAD_BYTES);
          accepted(takes, acknowledgements);
        }

        @Override
        int size() {
          return events.events();
        }

        @Override
        BatchCompleteness completeness(boolean ordered) {
          return BatchCompleteness.NONE;
        }

        @Override
        byte[] encode(
            String gatewayId, long bootId, long sequence, BatchCompleteness saidOfCompleteness) {
          return events.encode(gatewayId, bootId, sequence);
        }

        @Override
        void clearContent() {
          events.clear();
        }
      }
    }
  }
}
