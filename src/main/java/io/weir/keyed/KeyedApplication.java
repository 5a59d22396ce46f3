package io.weir.keyed;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.app.ConfigException;
import io.weir.internal.app.QuietLog;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.StreamsInput;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.ApplicationMeters;
import io.weir.internal.ops.KeyedMeters;
import io.weir.internal.ops.Probes;
import io.weir.internal.ops.RefreshedMeters;
import io.weir.internal.ops.ServiceProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serializer;

/**
 * An application with one {@link KeyHandler} per key. Each handler processes the events of its key
 * in order, one at a time; its state, timers and outputs are committed with the events, exactly
 * once. One statement is a complete program:
 *
 * <pre>{@code
 * KeyedApplication.builder("commissioning", Commissioning::new)
 *     .output("commissioned", new StringSerializer(), new StringSerializer())
 *     .run();
 * }</pre>
 *
 * <p>It reads a topic of {@code weir.v1.EventBatch}, by default {@code weir.events}, which {@code
 * weir topics --events true} creates. Processes with the same application id share the topic's 64
 * partitions and replace each other after failures. Applications with different ids handle the same
 * events independently. The state is kept on the heap and in a changelog topic.
 *
 * <p>Settings are the same as for {@code weir events}: environment variables such as {@code
 * WEIR_BOOTSTRAP_SERVERS}, {@code WEIR_THREADS} and {@code WEIR_HTTP_PORT}, and {@code KAFKA_}
 * variables for Kafka's clients (TLS, passwords). {@link Builder#setting} overrides them.
 *
 * <p>All methods may be called by any thread.
 */
public final class KeyedApplication implements AutoCloseable {
  private static final String CLOSER = "weir-close";

  private final StreamsApplication application;
  private final Runnable onClose;
  private boolean isClosed;

  private KeyedApplication(StreamsApplication application, Runnable onClose) {
    this.application = application;
    this.onClose = onClose;
  }

  /** After a failure it closes by itself, in another thread: a stream thread would wait for it. */
  private KeyedApplication closingAfterFailure() {
    ended().thenAccept(reason -> reason.ifPresent(any -> new Thread(this::end, CLOSER).start()));
    return this;
  }

  /**
   * Returns a builder of an application.
   *
   * @param applicationId Kafka Streams' {@code application.id}: the consumer group and the prefix
   *     of the changelog and the transactional ids. With a new id the application starts at the
   *     beginning of the topic; see {@link Builder#startAt}
   * @param handlers creates the handler of a key; called by several threads. It may return the same
   *     object each time if that object is thread-safe
   */
  public static Builder builder(String applicationId, Supplier<? extends KeyHandler> handlers) {
    return new Builder(applicationId, handlers);
  }

  /** Whether its partitions are assigned and processing advances. */
  public boolean isReady() {
    return application.isReady();
  }

  /**
   * Completes when it ends: empty if it was closed, else with the reason of the failure; then it
   * closes by itself. {@link #close} waits for that.
   */
  public CompletableFuture<Optional<String>> ended() {
    return application.ended();
  }

  /**
   * Commits the processed events, leaves the group and waits for both. Idempotent.
   *
   * @throws IllegalStateException if a handler calls it, in the thread of its call
   */
  @Override
  public void close() {
    requireNoCall();
    end();
  }

  private synchronized void end() {
    if (!isClosed) {
      isClosed = true;
      application.close();
      onClose.run();
    }
  }

  /** The application ends only after the call: it would wait for itself. */
  static void requireNoCall() {
    StackWalker stack = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    if (stack.walk(frames -> frames.anyMatch(at -> at.getDeclaringClass() == Calls.class))) {
      throw new IllegalStateException("close would wait for the handler that calls it");
    }
  }

  /** Configures an application. Not thread-safe. */
  public static final class Builder {
    private final String applicationId;
    private final Supplier<? extends KeyHandler> handlers;
    private final Map<String, String> settings = new HashMap<>();
    private Map<String, String> environment = System.getenv();
    private Duration idleEnd = Duration.ofHours(1);
    private StartOn startOn = StartOn.ANY_EVENT;
    private StartAt startAt = StartAt.BEGINNING;
    private long callTimeoutMs = CallTimes.DEFAULT_MS;
    private OnFailure onFailure = OnFailure.GO_ON;
    private Retries retries = Retries.DEFAULT;
    private MeterRegistry registry;
    private Outputs outputs;

    private Builder(String applicationId, Supplier<? extends KeyHandler> handlers) {
      this.applicationId = Objects.requireNonNull(applicationId, "applicationId");
      this.handlers = Objects.requireNonNull(handlers, "handlers");
      this.outputs = Outputs.none(StreamsInput.changelog(applicationId, KeyedTopology.STORE));
    }

    /**
     * The topic of events, weir.events by default. Another topic must have the same 64 partitions,
     * append times and partitioning by key as weir.events.
     */
    public Builder topic(String name) {
      return setting("topic.events", name);
    }

    /**
     * Inactivity after which a key ends, 1 h by default. A key with a pending timer is not idle: a
     * handler that keeps scheduling events decides itself when to return {@link Outcome#DONE}. The
     * period is measured by the append times of the partition's records; outages of brokers or of
     * the application do not count.
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
     * Maximum duration of a handler's call, 20 s by default. A longer call is interrupted, logged
     * and fails. Once this time has passed since a thread's first call after a commit, no further
     * call begins before its next commit. {@code transaction.timeout.ms} is four times this value
     * plus 20 s; after a crash, read_committed consumers of the outputs wait up to that long.
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

    /** Which event starts a key, {@link StartOn#ANY_EVENT} by default. */
    public Builder startOn(StartOn which) {
      startOn = Objects.requireNonNull(which);
      return this;
    }

    /**
     * Where the application begins to read at its first start, {@link StartAt#BEGINNING} by
     * default. Later starts continue at the committed offsets, and this has no effect.
     */
    public Builder startAt(StartAt where) {
      startAt = Objects.requireNonNull(where);
      return this;
    }

    /**
     * How the application continues after the last attempt of a handler has failed, {@link
     * OnFailure#GO_ON} by default.
     */
    public Builder onFailure(OnFailure reaction) {
      onFailure = Objects.requireNonNull(reaction);
      return this;
    }

    /**
     * The number of attempts for an event of the topic whose calls fail: 5 by default, 1 s to 60 s
     * apart; see {@link #retry(int, Duration, Duration)}.
     *
     * @param attempts 1 to 1000, the first call included; with 1 an event whose call fails goes to
     *     the dead letters at once
     * @throws IllegalArgumentException if it is not
     */
    public Builder retry(int attempts) {
      return retry(
          attempts,
          Duration.ofMillis(Retries.DEFAULT.firstMs()),
          Duration.ofMillis(Retries.DEFAULT.longestMs()));
    }

    /**
     * The number and the delays of attempts for an event of the topic whose call failed. The delay
     * is between a half and all of {@code first}, which doubles with each failure up to {@code
     * longest}. Meanwhile the following events and the timers of the key wait, up to 1,000 events:
     * above, the oldest becomes a dead letter (TOO_MANY_WAITING). Other keys continue. After the
     * last attempt the event becomes a dead letter (HANDLER) with the exception.
     *
     * @param attempts 1 to 1000, the first call included
     * @param first 1 ms or more
     * @param longest {@code first} to 24 h
     * @throws IllegalArgumentException if they are not
     */
    public Builder retry(int attempts, Duration first, Duration longest) {
      retries = new Retries(attempts, first.toMillis(), longest.toMillis());
      return this;
    }

    /**
     * Declares a topic that handlers {@linkplain KeyContext#emit emit} to. The topic must exist;
     * Kafka's default partitioner chooses the partition by the record's key. Several threads use
     * the serializers; the application closes them when it closes.
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
     * Sets one of Weir's settings; overrides the environment.
     *
     * @param name as in docs/reference/configuration.md, with or without {@code weir.} in front
     */
    public Builder setting(String name, String value) {
      settings.put(name.replaceFirst("^weir\\.", ""), value);
      return this;
    }

    /**
     * Registers the application's metrics there: {@code weir_handlers_} and those of its Kafka
     * clients. {@link #run} also serves them on {@code /metrics}. The caller closes the registry.
     */
    public Builder registry(MeterRegistry own) {
      registry = Objects.requireNonNull(own);
      return this;
    }

    /** Replaces the environment variables from which settings are read. */
    public Builder environment(Map<String, String> variables) {
      environment = Map.copyOf(variables);
      return this;
    }

    KeyedSettings settings() {
      Map<String, String> options = new HashMap<>(settings);
      options.put("events", "true");
      try {
        WeirConfig config = WeirConfig.of(new Properties(), environment, options);
        return new KeyedSettings(
            config,
            applicationId,
            handlers,
            startOn,
            startAt,
            onFailure,
            retries,
            idleEnd.toMillis(),
            callTimeoutMs,
            outputs);
      } catch (ConfigException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
    }

    /**
     * Starts the application in this process, without an HTTP port. Returns as soon as its threads
     * run; see {@link #isReady}.
     *
     * @throws IllegalArgumentException if a setting is wrong
     * @throws IllegalStateException if Kafka does not answer or the cluster is not set up
     *     correctly; the message names the remedy
     */
    public KeyedApplication start() {
      QuietLog.withoutConfiguration();
      KeyedSettings settings = settings();
      MeterRegistry meters = registry == null ? new SimpleMeterRegistry() : registry;
      try {
        StreamsApplication application = settings.start(new KeyedMeters(meters));
        Runnable stopMeters = registry == null ? () -> {} : refreshed(application)::close;
        return new KeyedApplication(
                application,
                () -> {
                  stopMeters.run();
                  outputs.close();
                })
            .closingAfterFailure();
      } catch (StartRefusedException e) {
        throw new IllegalStateException(e.getMessage(), e);
      }
    }

    /**
     * Runs the application as the whole process: serves {@code /livez}, {@code /readyz}, {@code
     * /metrics} and {@code /info} on {@code weir.http.port}, waits for Kafka, runs until SIGTERM or
     * Ctrl-C, commits and returns.
     *
     * @throws IllegalArgumentException if a setting is wrong
     * @throws IllegalStateException if it failed to start or to continue; the message gives the
     *     cause
     */
    public void run() {
      QuietLog.withoutConfiguration();
      KeyedSettings settings = settings();
      CountDownLatch over = new CountDownLatch(1);
      try (ServiceProcess process = ServiceProcess.open(settings.config())) {
        MeterRegistry registries = registries(process.registry());
        if (registry != null) {
          process.bindProbes(registry);
        }
        KeyedMeters meters = new KeyedMeters(registries);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process, over), "weir-stop"));
        process.run(
            () -> settings.start(meters), running -> new ApplicationMeters(running, registries));
      } catch (StartRefusedException e) {
        throw new IllegalStateException(e.getMessage(), e);
      } finally {
        outputs.close();
        over.countDown();
      }
    }

    private RefreshedMeters refreshed(StreamsApplication application) {
      Probes probes = new Probes();
      probes.running(application);
      probes.bindTo(registry);
      return RefreshedMeters.of(new ApplicationMeters(application, registry));
    }

    private MeterRegistry registries(MeterRegistry pages) {
      return registry == null
          ? pages
          : new CompositeMeterRegistry(Clock.SYSTEM, List.of(pages, registry));
    }

    /** The process ends only after the application has ended. */
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
