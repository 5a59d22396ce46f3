package io.weir.internal.input.mqtt;

import io.weir.internal.input.ArrivalClock;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.influx.LineMessages;
import io.weir.reading.Limits;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readings from an MQTT broker, at least once: each message is acknowledged when its readings are
 * on disk, in the order of arrival, on the connection that brought it. After a connection was lost
 * nothing of it is acknowledged: the broker sends it again, and repeats are recognised by the
 * identities of their readings.
 *
 * <p>Four threads: one connects and waits, one reads the connection, one decodes, one acknowledges.
 * Any thread may close it.
 */
public final class MqttInput implements MqttLoop.Use, AutoCloseable {
  public static final String NAME = "mqtt";

  private static final Logger LOG = LoggerFactory.getLogger(MqttInput.class);
  private static final int SHARE_OF_THE_HEAP = 8;
  private static final long ROOM_NANOS = 1_000_000;

  private final MqttSettings settings;
  private final long maxPendingBytes;
  private final Intake intake;
  private final InputMetrics metrics;
  private final MqttMetrics own;
  private final MessageDecoder decoder;
  private final SessionFilters filters;
  private final ArrivalClock arrivals = new ArrivalClock();
  private final BlockingQueue<Pending> unacknowledged = new LinkedBlockingQueue<>();
  private final AtomicLong pendingBytes = new AtomicLong();
  private final AtomicLong pendingMessages = new AtomicLong();
  private final MqttLoop loop;

  /** Messages may come until the connection is closed. */
  private final ExecutorService receiver =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          MqttLoop.named("mqtt-decode"),
          new ThreadPoolExecutor.DiscardPolicy());

  private final Thread acknowledger =
      MqttLoop.named("mqtt-acknowledge").newThread(this::acknowledge);
  private volatile Link link;

  /** Whether the broker has granted the subscription. */
  private boolean subscribed;

  /** Whether a message that cannot be read has ended the last connection. */
  private boolean endedUnreadable;

  private volatile boolean connected;
  private volatile boolean stopped;

  private MqttInput(
      MqttSettings settings,
      Intake intake,
      Limits limits,
      LineMessages lines,
      InputMetrics metrics,
      MqttMetrics own) {
    this.settings = settings;
    this.maxPendingBytes =
        Math.min(settings.maxPendingBytes(), Runtime.getRuntime().maxMemory() / SHARE_OF_THE_HEAP);
    this.intake = intake;
    this.metrics = metrics;
    this.own = own;
    this.decoder = new MessageDecoder(settings, lines, limits);
    this.filters = new SessionFilters(settings.filtersFile(), settings.filters());
    this.loop = new MqttLoop(settings.broker(), NAME, this);
  }

  /** A connection, and whether what it brought may still be acknowledged. */
  private static final class Link {
    private MqttConnection connection;
    private volatile boolean lost;

    void lose() {
      lost = true;
      connection.close();
    }
  }

  /** A message whose readings may not be on disk yet. */
  private record Pending(Link link, MqttMessage message, CompletableFuture<Void> stored) {}

  /** Starts to connect; returns at once. */
  public static MqttInput start(
      MqttSettings settings,
      Intake intake,
      Limits limits,
      LineMessages lines,
      InputMetrics metrics,
      MqttMetrics own) {
    MqttInput input = new MqttInput(settings, intake, limits, lines, metrics, own);
    own.show(input, each -> each.connected ? 1 : 0, each -> each.pendingMessages.get());
    input.acknowledger.start();
    input.loop.start();
    return input;
  }

  /** Completes if the broker refuses for good: nothing is read any more. */
  public CompletableFuture<MqttRefusedException> refused() {
    return loop.refused();
  }

  /** The session of one connection. */
  private final class Session implements MqttLoop.Session {
    private final Link now = new Link();

    @Override
    public void received(MqttMessage message) {
      arrive(now, message);
    }

    @Override
    public void open(MqttConnection connection, URI server) throws IOException {
      now.connection = connection;
      link = now;
      MqttInput.this.open(connection, server);
    }

    @Override
    public void ended() {
      connected = false;
      now.lost = true;
    }
  }

  @Override
  public MqttLoop.Session begin() {
    return new Session();
  }

  @Override
  public void reconnects() {
    own.reconnect();
  }

  @Override
  public void unreadable() {
    endedUnreadable = true;
    own.unreadable();
  }

  private void open(MqttConnection connection, URI server) throws IOException {
    boolean had = filters.hadSession() && !settings.broker().sessionExpiry().isZero();
    boolean present = connection.open();
    if (!present && had) {
      own.sessionLost();
      LOG.warn(
          "{} has lost the session of client id {}: messages since the last connection are lost",
          server,
          settings.broker().clientId());
    }
    // A subscription brings retained messages: one that cannot be read would end each connection.
    if (!present || !subscribed || !endedUnreadable) {
      filters.apply(connection);
      subscribed = true;
    }
    endedUnreadable = false;
    connected = true;
    LOG.info("takes readings from {}, topics {}", server, settings.filters());
  }

  /** A broker would send again and again what finds no room. */
  @Override
  public boolean isReady() {
    return intake.sink().hasRoom() && pendingBytes.get() <= maxPendingBytes / 2;
  }

  /**
   * Runs on the connection's thread for one message after the other. While too much is pending it
   * waits: nothing is read then, and the broker waits too.
   */
  private void arrive(Link from, MqttMessage message) {
    long bytes = message.bytes();
    while (!isOver(from)
        && pendingMessages.get() > 0
        && pendingBytes.get() + bytes > maxPendingBytes) {
      LockSupport.parkNanos(ROOM_NANOS);
    }
    if (!isOver(from)) {
      pendingBytes.addAndGet(bytes);
      pendingMessages.incrementAndGet();
      receiver.execute(() -> receive(from, message));
    }
  }

  private boolean isOver(Link from) {
    return stopped || from.lost;
  }

  /** Runs for one message after the other. */
  private void receive(Link from, MqttMessage message) {
    CompletableFuture<Void> stored = CompletableFuture.completedFuture(null);
    try {
      own.message(message.qos());
      metrics.received(NAME, message.payload().length);
      if (from.lost) {
        stored = null;
      } else if (message.retained() && !settings.takesRetained()) {
        own.retained();
      } else {
        stored = deliver(from, message);
      }
    } catch (RuntimeException | Error e) {
      LOG.error("a message of {} bytes cannot be read: it is refused", message.payload().length, e);
      metrics.refused(NAME, "UNREADABLE", 1);
    }
    if (stored == null) {
      leave(message);
    } else {
      unacknowledged.add(new Pending(from, message, stored));
    }
  }

  private void leave(MqttMessage message) {
    pendingBytes.addAndGet(-message.bytes());
    pendingMessages.decrementAndGet();
  }

  /** Returns null if it is not stored. */
  private CompletableFuture<Void> deliver(Link from, MqttMessage message) {
    Delivery delivery = intake.beginPatiently().from(settings.senders(message.topic()));
    MessageTally tally = decoder.decode(message, arrivals.nextNanos(), delivery);
    CompletableFuture<Void> stored = delivery.finish();
    metrics.readings(
        NAME, delivery, MessageTally.sum(tally.refused), MessageTally.sum(tally.skipped));
    tally.refused.forEach((reason, count) -> metrics.refused(NAME, reason, count));
    tally.skipped.forEach((kind, count) -> metrics.skipped(NAME, kind, count));
    metrics.arrivalTime(NAME, tally.withArrivalTime);
    if (!delivery.hasFailed()) {
      return stored;
    }
    if (message.qos() == 0) {
      metrics.refused(NAME, "NO_ROOM", 1);
    } else {
      // The broker sends it again to the next connection, which waits for room.
      from.lose();
    }
    return null;
  }

  private void acknowledge() {
    try {
      while (!stopped) {
        Pending next = unacknowledged.take();
        try {
          next.stored.get();
          if (!next.link.lost && next.message.qos() > 0) {
            next.message.acknowledge().run();
          }
        } catch (ExecutionException | RuntimeException e) {
          LOG.debug("not acknowledged", e);
        } finally {
          leave(next.message);
        }
      }
    } catch (InterruptedException e) {
      // It stops: what is not acknowledged comes again.
      Thread.currentThread().interrupt();
    }
  }

  /** Leaves the broker; the session stays. */
  @Override
  public void close() {
    stopped = true;
    Link now = link;
    if (now != null) {
      now.lose();
    }
    loop.close();
    acknowledger.interrupt();
    receiver.shutdown();
  }
}
