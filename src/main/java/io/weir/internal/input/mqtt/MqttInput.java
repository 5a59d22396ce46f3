package io.weir.internal.input.mqtt;

import io.weir.internal.input.ArrivalClock;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.influx.LineMessages;
import io.weir.reading.Limits;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
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
 * <p>Three threads: one connects and waits, one decodes, one acknowledges. Any thread may close it.
 */
public final class MqttInput implements AutoCloseable {
  public static final String NAME = "mqtt";

  private static final Logger LOG = LoggerFactory.getLogger(MqttInput.class);
  private static final long FIRST_PAUSE_MS = 1_000;
  private static final long LONGEST_PAUSE_MS = 60_000;
  private static final long LOOK_NANOS = 100_000_000;
  private static final int TAKEOVERS = 3;
  private static final long TAKEOVERS_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final MqttSettings settings;
  private final Intake intake;
  private final InputMetrics metrics;
  private final MqttMetrics own;
  private final MessageDecoder decoder;
  private final SessionFilters filters;
  private final ArrivalClock arrivals = new ArrivalClock();
  private final BlockingQueue<Pending> unacknowledged = new LinkedBlockingQueue<>();
  private final AtomicLong pendingBytes = new AtomicLong();
  private final AtomicLong pendingMessages = new AtomicLong();
  private final ExecutorService receiver = Executors.newSingleThreadExecutor(named("mqtt-decode"));
  private final Thread acknowledger = named("mqtt-acknowledge").newThread(this::acknowledge);
  private final Thread manager = named("mqtt").newThread(this::run);
  private final CompletableFuture<MqttRefusedException> refused = new CompletableFuture<>();
  private final Deque<Long> takeovers = new ArrayDeque<>();
  private volatile Link link;
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
    this.intake = intake;
    this.metrics = metrics;
    this.own = own;
    this.decoder = new MessageDecoder(settings.payload(), settings.sensorId(), lines, limits);
    this.filters = new SessionFilters(settings.filtersFile(), settings.filters());
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
    input.manager.start();
    return input;
  }

  private static ThreadFactory named(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Completes if the broker refuses for good: nothing is read any more. */
  public CompletableFuture<MqttRefusedException> refused() {
    return refused;
  }

  private void run() {
    MqttConnections connections = new MqttConnections(settings, receiver);
    boolean version5 = settings.version() != MqttSettings.Version.V3;
    long pauseMs = FIRST_PAUSE_MS;
    boolean outage = false;
    for (int attempt = 0; !stopped; attempt++) {
      awaitRoom();
      URI server = settings.servers().get(attempt % settings.servers().size());
      Link now = new Link();
      try {
        now.connection = connections.to(server, version5, message -> receive(now, message));
        link = now;
        open(now.connection, server);
        pauseMs = FIRST_PAUSE_MS;
        outage = false;
        // The same server, as long as it answers.
        attempt--;
        MqttConnection.End end = now.connection.ended().get();
        if (!stopped) {
          ended(server, end);
        }
      } catch (MqttRefusedException e) {
        refused.complete(e);
        return;
      } catch (MqttVersionException e) {
        if (settings.version() != MqttSettings.Version.AUTO) {
          refused.complete(
              new MqttRefusedException(
                  server
                      + " does not speak MQTT 5: "
                      + e.getMessage()
                      + "; set weir.mqtt.version"));
          return;
        }
        version5 = false;
        attempt--;
      } catch (IOException e) {
        if (!outage) {
          LOG.warn("{} cannot be used: {}; trying again", server, e.getMessage());
        }
        outage = true;
        version5 = settings.version() != MqttSettings.Version.V3;
        pause(pauseMs);
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
      } catch (ExecutionException | InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("{} cannot be used", server, e);
        refused.complete(new MqttRefusedException(server + " cannot be used: " + e));
        return;
      } finally {
        connected = false;
        now.lost = true;
        if (now.connection != null) {
          now.connection.close();
        }
      }
    }
  }

  private void open(MqttConnection connection, URI server) throws IOException {
    boolean had = filters.hadSession() && !settings.sessionExpiry().isZero();
    if (!connection.open() && had) {
      own.sessionLost();
      LOG.warn(
          "{} has lost the session of client id {}: messages since the last connection are lost",
          server,
          settings.clientId());
    }
    filters.apply(connection);
    connected = true;
    LOG.info("takes readings from {}, topics {}", server, settings.filters());
  }

  private void ended(URI server, MqttConnection.End end) throws MqttRefusedException {
    own.reconnect();
    LOG.warn("the connection to {} has ended: {}; connecting again", server, end.reason());
    if (!end.takenOver()) {
      return;
    }
    long nowNanos = System.nanoTime();
    takeovers.add(nowNanos);
    takeovers.removeIf(atNanos -> nowNanos - atNanos > TAKEOVERS_NANOS);
    if (takeovers.size() >= TAKEOVERS) {
      throw new MqttRefusedException(
          "another process uses client id "
              + settings.clientId()
              + ": each edge needs its own weir.gateway.id or weir.mqtt.client.id");
    }
  }

  /** A broker would send again and again what finds no room. */
  private void awaitRoom() {
    while (!stopped
        && (!intake.sink().hasRoom() || pendingBytes.get() > settings.maxPendingBytes() / 2)) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void pause(long millis) {
    // A random part keeps many edges from coming at once.
    long untilNanos =
        System.nanoTime()
            + TimeUnit.MILLISECONDS.toNanos((long) (millis * (0.5 + Math.random() / 2)));
    while (!stopped && untilNanos - System.nanoTime() > 0) {
      LockSupport.parkNanos(Math.min(LOOK_NANOS, untilNanos - System.nanoTime()));
    }
  }

  /** Runs for one message after the other. An exception would end the flow for good. */
  private void receive(Link from, MqttMessage message) {
    try {
      own.message(message.qos());
      metrics.received(NAME, message.payload().length);
      if (from.lost) {
        return;
      }
      if (message.retained() && !settings.takesRetained()) {
        own.retained();
        await(new Pending(from, message, CompletableFuture.completedFuture(null)));
        return;
      }
      deliver(from, message);
    } catch (RuntimeException | Error e) {
      LOG.error("a message of {} bytes cannot be read: it is refused", message.payload().length, e);
      metrics.refused(NAME, "UNREADABLE", 1);
      await(new Pending(from, message, CompletableFuture.completedFuture(null)));
    }
  }

  private void deliver(Link from, MqttMessage message) {
    Delivery delivery = intake.begin();
    MessageTally tally = decoder.decode(message, arrivals.nextNanos(), delivery);
    CompletableFuture<Void> stored = delivery.finish();
    metrics.readings(
        NAME, delivery, MessageTally.sum(tally.refused), MessageTally.sum(tally.skipped));
    tally.refused.forEach((reason, count) -> metrics.refused(NAME, reason, count));
    tally.skipped.forEach((kind, count) -> metrics.skipped(NAME, kind, count));
    metrics.arrivalTime(NAME, tally.withArrivalTime);
    if (!delivery.hasFailed()) {
      await(new Pending(from, message, stored));
    } else if (message.qos() == 0) {
      metrics.refused(NAME, "NO_ROOM", 1);
    } else {
      // The broker sends it again to the next connection, which waits for room.
      from.lose();
    }
  }

  private void await(Pending pending) {
    long bytes = pendingBytes.addAndGet(pending.message.payload().length);
    pendingMessages.incrementAndGet();
    unacknowledged.add(pending);
    if (bytes > settings.maxPendingBytes()) {
      pending.link.lose();
    }
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
          pendingBytes.addAndGet(-next.message.payload().length);
          pendingMessages.decrementAndGet();
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
    manager.interrupt();
    acknowledger.interrupt();
    receiver.shutdown();
  }
}
