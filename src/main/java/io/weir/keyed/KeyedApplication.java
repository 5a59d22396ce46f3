package io.weir.keyed;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.app.ConfigException;
import io.weir.app.StartRefusedException;
import io.weir.app.StreamsApplication;
import io.weir.app.StreamsInput;
import io.weir.app.WeirConfig;
import io.weir.ops.ApplicationMeters;
import io.weir.ops.KeyedMeters;
import io.weir.ops.ServiceProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serializer;

/**
 * An application that handles the events of each key with an object of its own, a {@link
 * KeyHandler}: in order, one at a time, with a state, timers and outputs that are committed with
 * the events, exactly once. A program with one line is a whole process:
 *
 * <pre>{@code
 * KeyedApplication.builder("commissioning", Commissioning::new)
 *     .output("commissioned", new StringSerializer(), new StringSerializer())
 *     .run();
 * }</pre>
 *
 * <p>It reads a topic of {@code weir.v1.EventBatch}, {@code weir.events} where no other is named;
 * {@code weir topics --events true} makes it. Several processes with the same id share the topic's
 * 64 partitions and take over from each other; applications with different ids handle the same
 * events each for itself. The state is on the heap, and in a changelog on the cluster.
 *
 * <p>Settings are Weir's, as for {@code weir events}: variables {@code WEIR_BOOTSTRAP_SERVERS},
 * {@code WEIR_THREADS}, {@code WEIR_HTTP_PORT} and so on, {@code KAFKA_} ones for Kafka's clients
 * (TLS, passwords), and over them those of {@link Builder#setting}.
 *
 * <p>All methods may be called by any thread.
 */
public final class KeyedApplication implements AutoCloseable {
  private final StreamsApplication application;
  private final Runnable onClose;

  private KeyedApplication(StreamsApplication application, Runnable onClose) {
    this.application = application;
    this.onClose = onClose;
  }

  /**
   * Begins to describe an application.
   *
   * @param applicationId its name on the cluster: of its consumer group, and in front of its
   *     changelog and transactions. With another name it begins again, at the topic's beginning
   * @param handlers makes the handler of a key; called by several threads. It may give the same
   *     object each time if that bears calls for different keys at once
   */
  public static Builder builder(String applicationId, Supplier<? extends KeyHandler> handlers) {
    return new Builder(applicationId, handlers);
  }

  /** Whether it has its partitions and makes headway. */
  public boolean isReady() {
    return application.isReady();
  }

  /**
   * Completes when it has ended: empty if it was closed, else with the reason why it could not go
   * on. {@link #close} is to be called all the same.
   */
  public CompletableFuture<Optional<String>> ended() {
    return application.ended();
  }

  /** Commits what was begun, leaves the group, and waits for both. May be called again. */
  @Override
  public void close() {
    application.close();
    onClose.run();
  }

  /** Describes an application. Not safe for several threads. */
  public static final class Builder {
    private final String applicationId;
    private final Supplier<? extends KeyHandler> handlers;
    private final Map<String, String> settings = new HashMap<>();
    private Map<String, String> environment = System.getenv();
    private Duration idleEnd = Duration.ofHours(1);
    private StartOn startOn = StartOn.ANY_EVENT;
    private long callTimeoutMs = CallTimes.DEFAULT_MS;
    private OnFailure onFailure = OnFailure.GO_ON;
    private Outputs outputs;

    private Builder(String applicationId, Supplier<? extends KeyHandler> handlers) {
      this.applicationId = Objects.requireNonNull(applicationId, "applicationId");
      this.handlers = Objects.requireNonNull(handlers, "handlers");
      this.outputs = Outputs.none(StreamsInput.changelog(applicationId, KeyedTopology.STORE));
    }

    /**
     * The topic of events, weir.events by default. Another one is to have 64 partitions, append
     * times, and keys in their partitions, as weir.events has.
     */
    public Builder topic(String name) {
      return setting("topic.events", name);
    }

    /**
     * Silence after which a key ends, 1 h by default. A key with a timer that waits is not silent:
     * a handler that schedules again and again decides itself when to return {@link Outcome#DONE}.
     * Measured by the append times of the partition's records; an outage of brokers or application
     * is nobody's silence.
     *
     * @param silence 1 ms to 365 days
     * @throws IllegalArgumentException if it is not
     */
    public Builder idleEnd(Duration silence) {
      if (silence.compareTo(Duration.ofMillis(1)) < 0
          || silence.compareTo(Duration.ofDays(365)) > 0) {
        throw new IllegalArgumentException("idleEnd " + silence + ": expected: 1 ms to 365 days");
      }
      idleEnd = silence;
      return this;
    }

    /**
     * How long a call of a handler may take, 20 s by default. One that takes longer is interrupted,
     * is named in the log, and fails. After as much time since a thread's last commit no further
     * call begins before the next one. {@code transaction.timeout.ms} is twice as much and 20 s,
     * and where a process dies, readers of its outputs wait for so long.
     *
     * @param timeout 1 s to 60 s
     * @throws IllegalArgumentException if it is not
     */
    public Builder callTimeout(Duration timeout) {
      if (timeout.compareTo(Duration.ofMillis(CallTimes.LEAST_MS)) < 0
          || timeout.compareTo(Duration.ofMillis(CallTimes.MOST_MS)) > 0) {
        throw new IllegalArgumentException("callTimeout " + timeout + ": expected: 1 s to 60 s");
      }
      callTimeoutMs = timeout.toMillis();
      return this;
    }

    /** Which event begins a key's life, {@link StartOn#ANY_EVENT} by default. */
    public Builder startOn(StartOn which) {
      startOn = Objects.requireNonNull(which);
      return this;
    }

    /** What becomes of the application when a handler fails, {@link OnFailure#GO_ON} by default. */
    public Builder onFailure(OnFailure what) {
      onFailure = Objects.requireNonNull(what);
      return this;
    }

    /**
     * A topic that handlers {@linkplain KeyContext#emit emit} to. It has to be there, and Kafka's
     * own partitioner chooses among its partitions by the record's key. The application closes the
     * serializers with itself; they are used by several threads.
     */
    public <K, V> Builder output(String topic, Serializer<K> keys, Serializer<V> values) {
      outputs =
          outputs.with(
              Objects.requireNonNull(topic, "topic"),
              Objects.requireNonNull(keys, "keys"),
              Objects.requireNonNull(values, "values"));
      return this;
    }

    /**
     * Sets one of Weir's settings, over the environment's.
     *
     * @param name as in docs/reference/configuration.md, with or without {@code weir.} in front
     */
    public Builder setting(String name, String value) {
      settings.put(name.replaceFirst("^weir\\.", ""), value);
      return this;
    }

    /** Variables to read settings from, in place of this process's. */
    public Builder environment(Map<String, String> variables) {
      environment = Map.copyOf(variables);
      return this;
    }

    private KeyedSettings settings() {
      Map<String, String> options = new HashMap<>(settings);
      options.put("events", "true");
      try {
        WeirConfig config = WeirConfig.of(new Properties(), environment, options);
        return new KeyedSettings(
            config,
            applicationId,
            handlers,
            startOn,
            onFailure,
            idleEnd.toMillis(),
            callTimeoutMs,
            outputs);
      } catch (ConfigException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
    }

    /**
     * Starts it in this process, without a port of its own. Returns as soon as its threads run; see
     * {@link #isReady}.
     *
     * @throws IllegalArgumentException if a setting is wrong
     * @throws IllegalStateException if Kafka does not answer, or the cluster is not as it must be:
     *     the message says what to do
     */
    public KeyedApplication start() {
      KeyedSettings settings = settings();
      try {
        return new KeyedApplication(
            settings.start(new KeyedMeters(new SimpleMeterRegistry())), outputs::close);
      } catch (StartRefusedException e) {
        throw new IllegalStateException(e.getMessage(), e);
      }
    }

    /**
     * Is the process: answers {@code /livez}, {@code /readyz}, {@code /metrics} and {@code /info}
     * on {@code weir.http.port}, waits for Kafka, runs until the process is asked to stop (SIGTERM,
     * Ctrl-C), then commits what was begun, and returns.
     *
     * @throws IllegalArgumentException if a setting is wrong
     * @throws IllegalStateException if it could not start, or not go on: the message says why
     */
    public void run() {
      KeyedSettings settings = settings();
      CountDownLatch over = new CountDownLatch(1);
      try (ServiceProcess process = ServiceProcess.open(settings.config())) {
        KeyedMeters meters = new KeyedMeters(process.registry());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process, over), "weir-stop"));
        process.run(
            () -> settings.start(meters),
            running -> new ApplicationMeters(running, process.registry()));
      } catch (StartRefusedException e) {
        throw new IllegalStateException(e.getMessage(), e);
      } finally {
        outputs.close();
        over.countDown();
      }
    }

    /** The process ends only once the application has. */
    private static void stop(ServiceProcess process, CountDownLatch over) {
      if (over.getCount() == 0) {
        return;
      }
      process.stop();
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
