package io.weir.internal.input.sparkplug;

import io.weir.internal.input.ArrivalClock;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.mqtt.MqttConnection;
import io.weir.internal.input.mqtt.MqttLoop;
import io.weir.internal.input.mqtt.MqttMessage;
import io.weir.internal.input.mqtt.MqttRefusedException;
import io.weir.reading.RejectReason;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readings from edge nodes of Sparkplug B. The specification sends them with QoS 0 and without a
 * session: what is lost between edge node and disk is not sent again. A host with an id says that
 * it is offline when it cannot store; edge nodes that wait for it keep their data then. Without an
 * id, what finds no room in memory is dropped and counted.
 *
 * <p>A thread of its own decodes, beside those of {@link MqttLoop}. Any thread may close it.
 */
public final class SparkplugInput implements MqttLoop.Use, AutoCloseable {
  public static final String NAME = "sparkplug";

  private static final Logger LOG = LoggerFactory.getLogger(SparkplugInput.class);
  private static final long LOOK_MS = 20;
  private static final long TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SUSPENDED_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long CONTESTED_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long LAST_WORDS_SECONDS = 2;
  private static final long ANSWER_SECONDS = 20;
  private static final long LAST_MESSAGES_MS = 10_000;
  private static final long MOST_QUEUED_BYTES = 64 << 20;
  private static final int SHARE_OF_HEAP = 4;
  private static final Item MISSED = new Item(null);

  private final SparkplugSettings settings;
  private final Intake intake;
  private final InputMetrics metrics;
  private final SparkplugMetrics own;
  private final Optional<HostState> state;
  private final SparkplugHost host;
  private final MqttLoop loop;
  private final ArrivalClock arrivals = new ArrivalClock();
  private final BlockingQueue<Item> queue = new LinkedBlockingQueue<>();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final Thread worker = MqttLoop.named("sparkplug-decode").newThread(this::work);
  private volatile MqttConnection connection;
  private volatile boolean contested;
  private volatile boolean stopped;

  /** Messages are dropped; of the thread that receives. */
  private boolean dropping;

  // Of the thread that decodes.
  private boolean suspended;
  private long suspendedNanos;
  private long contestedNanos = System.nanoTime() - CONTESTED_NANOS;

  /**
   * What is to be done.
   *
   * @param message null where messages were missed
   */
  private record Item(SparkplugMessage message) {}

  private SparkplugInput(
      SparkplugSettings settings,
      Intake intake,
      InputMetrics metrics,
      SparkplugMetrics own,
      Consumer<NodeEvent> events) {
    this.settings = settings;
    this.intake = intake;
    this.metrics = metrics;
    this.own = own;
    this.state = settings.hostId().map(HostState::new);
    Intake patient = new Intake(intake.sink(), intake.identities(), intake.maxIdBytes(), TRY_NANOS);
    this.host =
        new SparkplugHost(
            settings,
            new MetricReadings(patient, metrics, own, settings.sensorId(), this::waitsForRoom),
            new Rebirths(settings.asksForRebirths(), own, this::askForBirth),
            own,
            events,
            new Memory(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP),
            System::nanoTime);
    this.loop = new MqttLoop(settings.broker(), NAME, this);
  }

  /** Starts to connect; returns at once. */
  public static SparkplugInput start(
      SparkplugSettings settings,
      Intake intake,
      InputMetrics metrics,
      SparkplugMetrics own,
      Consumer<NodeEvent> events) {
    SparkplugInput input = new SparkplugInput(settings, intake, metrics, own, events);
    input.worker.start();
    input.loop.start();
    return input;
  }

  /** Completes if the broker refuses for good: nothing is read any more. */
  public CompletableFuture<MqttRefusedException> refused() {
    return loop.refused();
  }

  /** A host with an id is online only while it can store. */
  @Override
  public boolean isReady() {
    return !stopped && (state.isEmpty() || hasRoom());
  }

  private boolean hasRoom() {
    return intake.sink().hasRoom() && queuedBytes.get() <= MOST_QUEUED_BYTES / 2;
  }

  @Override
  public MqttLoop.Session begin() {
    state.ifPresent(each -> each.begin(System.currentTimeMillis()));
    return new Session();
  }

  @Override
  public void reconnects() {
    own.reconnect();
  }

  /** One connection. */
  private final class Session implements MqttLoop.Session {
    @Override
    public Optional<MqttConnection.Will> will() {
      return state.map(each -> new MqttConnection.Will(each.topic(), each.will()));
    }

    @Override
    public void open(MqttConnection opened, URI server) throws IOException {
      queue.add(MISSED);
      opened.open();
      List<String> filters = new ArrayList<>();
      settings
          .groups()
          .forEach(group -> filters.add(SparkplugTopic.NAMESPACE + "/" + group + "/#"));
      state.ifPresent(each -> filters.add(each.topic()));
      opened.subscribe(filters);
      sayOnline(opened);
      connection = opened;
      own.connected(true);
      LOG.info("takes readings from {}, topics {}", server, filters);
    }

    @Override
    public void received(MqttMessage message) {
      try {
        receive(message);
        if (message.qos() > 0) {
          message.acknowledge().run();
        }
      } catch (RuntimeException | Error e) {
        LOG.error("a message of {} bytes cannot be taken", message.payload().length, e);
      }
    }

    @Override
    public void ended() {
      connection = null;
      own.connected(false);
    }
  }

  private void sayOnline(MqttConnection to) throws IOException {
    if (state.isEmpty()) {
      return;
    }
    try {
      to.publish(state.get().topic(), state.get().online(), 1, true)
          .get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the host's STATE cannot be published: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void receive(MqttMessage message) {
    if (state.isPresent() && message.topic().equals(state.get().topic())) {
      ownState(message.payload());
      return;
    }
    if (message.topic().length() > SparkplugTopic.MOST_LENGTH) {
      metrics.refused(NAME, RejectReason.SENSOR_ID_TOO_LONG.name(), 1);
      return;
    }
    SparkplugTopic topic = SparkplugTopic.of(message.topic());
    if (topic == null) {
      return;
    }
    metrics.received(NAME, message.payload().length);
    if (message.retained()) {
      // Of a time that nobody knows.
      own.dropped();
      return;
    }
    SparkplugMessage of = new SparkplugMessage(topic, message.payload(), arrivals.nextNanos());
    if (dropping && queuedBytes.get() <= MOST_QUEUED_BYTES / 2) {
      dropping = false;
      queue.add(MISSED);
    }
    dropping |= queuedBytes.get() + of.bytes() > MOST_QUEUED_BYTES;
    if (dropping) {
      own.dropped();
      return;
    }
    queuedBytes.addAndGet(of.bytes());
    queue.add(new Item(of));
  }

  private void ownState(byte[] payload) {
    HostState of = state.orElseThrow();
    MqttConnection now = connection;
    switch (of.take(payload, System.currentTimeMillis())) {
      case CLEARED -> {
        if (now != null) {
          now.publish(of.topic(), of.online(), 1, true);
        }
      }
      case OFFLINE -> contested = true;
      default -> {}
    }
  }

  private void work() {
    while (!stopped || !queue.isEmpty()) {
      try {
        Item next = queue.poll(LOOK_MS, TimeUnit.MILLISECONDS);
        if (next == MISSED) {
          host.reconnected();
        } else if (next != null) {
          // First: an error in the message must not keep its bytes.
          queuedBytes.addAndGet(-next.message().bytes());
          host.receive(next.message());
        }
        host.tick();
        look();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) {
        LOG.error("a message cannot be read: it is refused", e);
        metrics.refused(NAME, "UNREADABLE", 1);
      }
    }
  }

  private boolean waitsForRoom() {
    look();
    return !stopped;
  }

  /** Leaves the broker where readings find no room for long, or another host took its id. */
  private void look() {
    MqttConnection now = connection;
    if (stopped || now == null || state.isEmpty()) {
      suspended = false;
      return;
    }
    long nowNanos = System.nanoTime();
    if (hasRoom()) {
      suspended = false;
    } else if (!suspended) {
      suspended = true;
      suspendedNanos = nowNanos;
    } else if (nowNanos - suspendedNanos > SUSPENDED_NANOS) {
      suspended = false;
      LOG.warn("suspended: host {} goes offline until there is room", settings.hostId().get());
      leave(now);
    }
    if (contested && nowNanos - contestedNanos > CONTESTED_NANOS) {
      contested = false;
      contestedNanos = nowNanos;
      LOG.warn("another one said that host {} is offline: connects again", settings.hostId().get());
      now.close();
    }
  }

  private void leave(MqttConnection now) {
    connection = null;
    try {
      if (state.isPresent()) {
        byte[] offline = state.get().offline(System.currentTimeMillis());
        now.publish(state.get().topic(), offline, 1, true)
            .get(LAST_WORDS_SECONDS, TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("not said", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      now.close();
    }
  }

  private boolean askForBirth(String key) {
    MqttConnection now = connection;
    if (now == null) {
      return false;
    }
    int slash = key.indexOf('/');
    String topic =
        SparkplugTopic.NAMESPACE
            + "/"
            + key.substring(0, slash)
            + "/NCMD/"
            + key.substring(slash + 1);
    now.publish(topic, RebirthCommand.at(System.currentTimeMillis()), 0, false);
    return true;
  }

  /** Says that the host is offline, leaves the broker, and offers what has come. */
  @Override
  public void close() {
    MqttConnection now = connection;
    stopped = true;
    if (now != null) {
      leave(now);
    }
    loop.close();
    try {
      worker.join(LAST_MESSAGES_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    worker.interrupt();
  }
}
