package io.weir.edge;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.weir.event.EventRefusal;
import io.weir.reading.Limits;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import io.weir.wire.EventRules;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Publishes events: takes them one by one, sends them in batches, and loses none that it took while
 * it lives. Events that are to come, or that take such back, go to one topic, all others to
 * another.
 *
 * <p><b>Promise.</b> As {@link ReadingPublisher}'s: every accepted event is sent until the brokers
 * acknowledge it; what cannot be sent is kept, and when the queue fills, offers answer {@link
 * Offer#SUSPENDED}. On each topic the events of a key are in the order of their offers, repeats
 * aside, which carry the sequence of the first. What was accepted and not acknowledged when the
 * process dies is lost, unless {@link PublisherSettings.Builder#keepIn} kept it. With {@link
 * EventPublisherSettings#fold} events of a key become one before they are sent.
 *
 * <p><b>Threads.</b> All methods are safe for any thread. For each of the two topics that gets
 * something there is one thread, and Kafka's producer's; with folding, one more. Nothing is opened
 * for scheduled events before the first one.
 *
 * <p><b>Cost.</b> An offer serialises the event and takes one of 64 locks for a few stores; it
 * never waits for the network. Memory is bounded by the queue's capacity for each topic, and half
 * as much again for what waits in folds.
 */
public final class EventPublisher implements AutoCloseable {
  private static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(30);
  private static final String EVENTS = "events";
  private static final String SCHEDULED = "scheduled";

  /** Opens the way to a topic. */
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

  /** Starts a publisher whose metrics nobody sees. */
  public static EventPublisher start(EventPublisherSettings settings) {
    return start(settings, new CompositeMeterRegistry());
  }

  /**
   * Starts a publisher. Brokers need not be up yet, nor a schema registry.
   *
   * @param registry where {@link PublisherMetrics} go, with the label gateway followed by {@code
   *     /events} and {@code /scheduled}
   * @throws UncheckedIOException where the directory of {@code keepIn} cannot be used
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
    this.scheduled = kept ? open(settings.scheduledTopic(), SCHEDULED) : null;
    long foldBytes = settings.publisher().queueCapacityBytes() / 2;
    this.folds = settings.fold().map(fold -> new EventFolds(fold, foldBytes, this::send));
    this.foldThread = folds.map(these -> new FoldThread(settings, these));
    foldThread.ifPresent(FoldThread::start);
  }

  private EventChannel open(String topic, String what) {
    PublisherSettings publisher = settings.forTopic(topic, what);
    return opening.open(publisher, publisher.gatewayId() + "/" + what);
  }

  /**
   * Why an event is never accepted, in words; empty where it may be. An event needs a key, and a
   * positive {@code timestamp_ms} or {@code due_ms}; texts have at most 256 bytes, fields are at
   * most 1,000, and all of it at most 262,144 bytes.
   */
  public static Optional<String> refusal(Event event) {
    return refusal(event, Limits.DEFAULT.maxIdBytes());
  }

  private static Optional<String> refusal(Event event, int maxTextBytes) {
    return halfPair(event)
        .map(where -> where + " has half a surrogate pair, which no UTF-8 can write")
        .or(() -> EventRules.refusal(event, maxTextBytes).map(EventRefusal::meaning));
  }

  /** Which of its texts cannot be written: two that differ there alone would become one. */
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
   * Offers an event, and answers at once what became of it. Never waits and never throws for load.
   *
   * @param acknowledgement called once when an accepted event is acknowledged; may be null
   * @throws UncheckedIOException where it is the first that is scheduled, and its directory of
   *     {@code keepIn} cannot be used
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
        : send(event, acknowledgement);
  }

  /**
   * Offers an event, and waits at most so long for room where the queue is full.
   *
   * @return as {@link #offer(Event)}; SUSPENDED where there was no room in all that time
   */
  public Offer offer(Event event, Duration timeout) throws InterruptedException {
    requireOther("offer with a timeout");
    long endNanos = PublisherCore.endNanos(timeout);
    Offer offer = offer(event);
    return offer == Offer.SUSPENDED ? OfferWait.untilRoom(() -> offer(event), endNanos) : offer;
  }

  private Offer send(Event event, Acknowledgement acknowledgement) {
    EventChannel channel = EventRules.isScheduled(event) ? scheduled() : events;
    if (channel == null) {
      return Offer.CLOSED;
    }
    int keyHash = IdDigest.hash(IdDigest.of(event.getKey()));
    return channel.offer(event.toByteArray(), keyHash, acknowledgement);
  }

  /** Null where the publisher is closed and it was never opened: nobody would end it. */
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
   * Sends everything accepted before the call, folds too, and waits at most so long until it is
   * acknowledged.
   *
   * @return whether it is
   * @throws IllegalStateException where the publisher is closed before that, or the caller is an
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

  /** Sends what waits in folds, waiting for room; whether all of it found some. */
  private boolean sendFolds(long endNanos, BooleanSupplier givenUp) {
    while (folds.isPresent() && !folds.get().sendAll()) {
      if (System.nanoTime() - endNanos >= 0 || givenUp.getAsBoolean()) {
        return false;
      }
      OfferWait.pause(endNanos);
    }
    return true;
  }

  /**
   * Whether events get through to the brokers, and if not, why not: of the topic that is worse off.
   */
  public PublisherStatus status() {
    return channels().stream()
        .map(channel -> channel.core().context().status().status())
        .filter(status -> !status.isPublishing())
        .findFirst()
        .orElseGet(() -> events.core().context().status().status());
  }

  /**
   * Waits until the brokers are reached and the topics that were needed so far are there and right,
   * at most so long. Offers need not wait for it.
   *
   * @return whether it is so; if not, {@link #status} says why
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

  /** Events accepted and not acknowledged, now; what became one in a fold that was sent is one. */
  public long queuedEvents() {
    return channels().stream().mapToLong(of -> of.core().sendLoop().unacknowledgedReadings()).sum()
        + folds.map(EventFolds::events).orElse(0L);
  }

  /**
   * Takes nothing new, sends all that was accepted, folds too, and ends when it is acknowledged or
   * at the timeout. An interrupt does not cut it short. May be called again.
   *
   * @param timeout 0 sends nothing more
   * @return how many were not acknowledged; without a state
   * @throws IllegalStateException where the caller is an acknowledgement
   */
  public CloseReport close(Duration timeout) {
    requireOther("close");
    synchronized (this) {
      // An offer that opens the way of scheduled events has opened it, or finds this closed.
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

  /** Closes within 30 seconds; {@link #close(Duration)} returns what was left. */
  @Override
  public void close() {
    close(DEFAULT_CLOSE_TIMEOUT);
  }

  private void requireOther(String method) {
    channels().forEach(channel -> channel.core().thread().requireOther(method));
  }

  EventChannel events() {
    return events;
  }
}
