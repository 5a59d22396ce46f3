package io.weir.internal.input.mqtt;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a connection to a broker: one after the other, with growing pauses while it cannot be
 * reached. A thread of its own connects and waits; receivers run on the thread that reads the
 * connection. Any thread may close it.
 */
public final class MqttLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MqttLoop.class);
  private static final long FIRST_PAUSE_MS = 1_000;
  private static final long LONGEST_PAUSE_MS = 60_000;

  /** A connection that ended earlier was none: the next one waits. */
  private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long 3.1.1 is spoken to get past a message that cannot be read in version 5. */
  private static final long PASSING_SECONDS = 60;

  private static final long REASON_SECONDS = 1;
  private static final long LOOK_NANOS = 100_000_000;
  private static final int TAKEOVERS = 3;

  /**
   * A message that ended so many connections in a row ends the session: nothing is read after it.
   */
  private static final int UNREADABLES = 3;

  private static final long TAKEOVERS_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final MqttBroker broker;
  private final Use use;
  private final Thread manager;
  private final CompletableFuture<MqttRefusedException> refused = new CompletableFuture<>();
  private final Deque<Long> takeovers = new ArrayDeque<>();
  private boolean version5;

  /** Whether 3.1.1 is spoken to get past a message. */
  private boolean passing;

  /** Connections in a row that a message ended which could not be skipped. */
  private int unreadables;

  /** The same, with those that could be skipped. */
  private int endedInARow;

  private volatile boolean stopped;

  /**
   * @param name of its threads
   */
  public MqttLoop(MqttBroker broker, String name, Use use) {
    this.broker = broker;
    this.use = use;
    this.version5 = broker.version() != MqttBroker.Version.V3;
    this.manager = named(name).newThread(this::run);
  }

  /** What uses the connections. */
  public interface Use {
    /** Whether a connection may be made now. */
    boolean isReady();

    /** What the next connection does. */
    Session begin();

    /** A connection has ended; another one follows. */
    void reconnects();

    /** The broker sent a message that is too large, or that cannot be read. */
    default void unreadable() {}
  }

  /** What one connection does. */
  public interface Session {
    default Optional<MqttConnection.Will> will() {
      return Optional.empty();
    }

    /** A message; one after the other. An exception would end the flow for good. */
    void received(MqttMessage message);

    /** Opens a connection and subscribes. */
    void open(MqttConnection connection, URI server) throws IOException;

    void ended();
  }

  /** Daemon threads. */
  public static ThreadFactory named(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  public void start() {
    manager.start();
  }

  /** Completes if the broker refuses for good: nothing is read any more. */
  public CompletableFuture<MqttRefusedException> refused() {
    return refused;
  }

  private void run() {
    MqttConnections connections = new MqttConnections(broker);
    long pauseMs = FIRST_PAUSE_MS;
    boolean outage = false;
    for (int attempt = 0; !stopped; attempt++) {
      awaitReady();
      URI server = broker.servers().get(attempt % broker.servers().size());
      Session session = use.begin();
      MqttConnection connection = null;
      try {
        connection = connections.to(server, version5, session.will(), session::received);
        session.open(connection, server);
        outage = false;
        // The same server, as long as it answers.
        attempt--;
        long openedNanos = System.nanoTime();
        MqttConnection.End end = end(connection);
        if (!stopped) {
          ended(server, end);
        }
        boolean isShort = System.nanoTime() - openedNanos < SHORT_NANOS;
        pass(connections, server, end.unreadable());
        if (!isShort || end.unreadable() && unreadables == 0) {
          pauseMs = FIRST_PAUSE_MS;
        }
        if (isShort) {
          pauseMs = longer(pauseMs);
        }
      } catch (MqttRefusedException e) {
        if (!passing) {
          refused.complete(e);
          return;
        }
        LOG.warn("{}: {}; trying version 5 again", server, e.getMessage());
        passing = false;
        version5 = true;
        pauseMs = longer(pauseMs);
      } catch (MqttVersionException e) {
        if (broker.version() != MqttBroker.Version.AUTO) {
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
        if (endedUnreadable(connection)) {
          use.unreadable();
          pass(connections, server, true);
          pauseMs = unreadables == 0 ? FIRST_PAUSE_MS : pauseMs;
        } else {
          passing = false;
          version5 = broker.version() != MqttBroker.Version.V3;
        }
        pauseMs = longer(pauseMs);
      } catch (ExecutionException | InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("{} cannot be used", server, e);
        refused.complete(new MqttRefusedException(server + " cannot be used: " + e));
        return;
      } finally {
        session.ended();
        if (connection != null) {
          connection.close();
        }
      }
    }
  }

  /**
   * A broker sends at once what it did not get rid of: perhaps before the answer to the
   * subscription. The end comes shortly before its reason.
   */
  private static boolean endedUnreadable(MqttConnection connection) {
    if (connection == null) {
      return false;
    }
    try {
      return connection.ended().get(REASON_SECONDS, TimeUnit.SECONDS).unreadable();
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * A connection has ended: gets past the message that ended it, if there was one.
   *
   * @param unreadable whether such a message ended it
   */
  private void pass(MqttConnections connections, URI server, boolean unreadable) {
    // The properties of a message are checked by few brokers, and 3.1.1 has none.
    boolean passes = unreadable && version5 && broker.version() == MqttBroker.Version.AUTO;
    if (!unreadable) {
      unreadables = 0;
      endedInARow = 0;
      connections.subscribeAgain();
    } else if (!passes) {
      endedInARow++;
      skip(connections, server);
    }
    version5 = passing || version5 && !passes;
    passing = passes;
  }

  /** Acknowledges messages that the broker would send to each connection. */
  private void skip(MqttConnections connections, URI server) {
    try {
      if (!version5) {
        // A retained message comes with each subscription.
        UnreadableMessages messages = connections.skipUnreadable(server, endedInARow > 1);
        if (messages.skipped() > 0) {
          LOG.error(
              "{} has sent client id {} messages that are too large, or have an invalid topic: {}"
                  + " skipped; set max_packet_size at the broker",
              server,
              broker.clientId(),
              messages.skipped());
        }
      }
      unreadables = version5 ? unreadables + 1 : 0;
      if (unreadables == UNREADABLES) {
        forget(server);
        unreadables = 0;
      }
    } catch (IOException e) {
      LOG.warn("{}: a message cannot be skipped: {}", server, e.getMessage());
    }
  }

  /** Gives up the session, whose next message would end each connection. */
  private void forget(URI server) throws IOException {
    LOG.error(
        "{} repeatedly sends an unreadable message: discarding the session of client id {}; its"
            + " messages are lost",
        server,
        broker.clientId());
    MqttConnections without = new MqttConnections(broker.withoutSession());
    try (MqttConnection last = without.to(server, version5, Optional.empty(), message -> {})) {
      last.open();
    }
  }

  /** Waits so long; returns the next pause. */
  private long longer(long pauseMs) {
    pause(pauseMs);
    return Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }

  private MqttConnection.End end(MqttConnection connection)
      throws ExecutionException, InterruptedException {
    if (!passing) {
      return connection.ended().get();
    }
    try {
      return connection.ended().get(PASSING_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return new MqttConnection.End("back to version 5", false, false);
    }
  }

  private void ended(URI server, MqttConnection.End end) throws MqttRefusedException {
    use.reconnects();
    if (end.unreadable()) {
      use.unreadable();
    }
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
              + broker.clientId()
              + ": each edge needs its own weir.gateway.id or weir.mqtt.client.id");
    }
  }

  private void awaitReady() {
    while (!stopped && !use.isReady()) {
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

  @Override
  public void close() {
    stopped = true;
    manager.interrupt();
  }
}
