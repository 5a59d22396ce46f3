package io.weir.internal.serve;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.app.Acl;
import io.weir.internal.app.KafkaSettings;
import io.weir.internal.app.ServeSettings;
import io.weir.internal.app.Service;
import io.weir.internal.app.ServiceThread;
import io.weir.internal.app.StartFailures;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.explain.ExplainSettings;
import io.weir.internal.explain.Explainer;
import io.weir.internal.explain.Explanation;
import io.weir.internal.explain.TopicLog;
import io.weir.internal.explain.WatchedLog;
import io.weir.internal.fetch.BoundedConsumer;
import io.weir.internal.input.Clients;
import io.weir.internal.ops.HttpEndpoint;
import io.weir.internal.postgres.DatabaseAddress;
import io.weir.internal.serve.memory.Memory;
import io.weir.internal.sink.StoredWindows;
import io.weir.internal.time.Daemons;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.yaml.YamlException;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page and its API: reads the topics without a group and answers from memory. Several processes
 * are independent of each other.
 */
public final class Serve implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(Serve.class);

  private final Admin admin;
  private final Consumer<byte[], byte[]> consumer;
  private final Memory memory;
  private final TopicReader reader;
  private final Contact contact;
  private final DoctorCache doctor;
  private final TopicHistory history;
  private final EventStreams streams;
  private final ServeSite site;
  private final HttpEndpoint endpoint;
  private final ServiceThread thread;

  private Serve(
      WeirConfig config,
      Admin admin,
      List<Topic> topics,
      MeterRegistry registry,
      Supplier<String> findings)
      throws IOException {
    ServeSettings settings = config.serve();
    Access access =
        new Access(settings.clientsFile().map(Serve::clients), System::currentTimeMillis);
    this.admin = admin;
    this.memory =
        new Memory(
            settings.memoryBytes(),
            config.status().group(),
            config.windows().maxFutureSkew().toMillis());
    this.history = new TopicHistory(() -> open(config), config::nameOf, settings.scanBytes());
    this.doctor = new DoctorCache(findings);
    this.consumer = open(config);
    this.reader = new TopicReader(consumer, memory, config, topics);
    this.contact = new Contact(admin);
    Api api =
        new Api(
            memory,
            new Live(config),
            history,
            settings
                .jdbcUrl()
                .map(
                    url ->
                        new TableHistory(
                            new StoredWindows(database(url, settings)), config::nameOf)),
            config.windows().maxFutureSkew().toMillis(),
            System::currentTimeMillis);
    this.streams = new EventStreams(memory, api, settings.maxStreams());
    this.site = new ServeSite(api, streams, access, registry);
    this.endpoint =
        HttpEndpoint.start(settings.host(), settings.port(), site, settings.maxStreams());
    this.thread =
        new ServiceThread("weir-serve", config.kafka(), rights(config, topics), new Work());
  }

  /**
   * Starts to read and to answer.
   *
   * @param registry that requests are counted in
   * @param findings makes the findings of the doctor, as JSON
   * @throws io.weir.internal.app.KafkaAwayException while Kafka does not answer
   * @throws StartRefusedException if the topic of windows or a right is missing, or the port is
   *     taken
   */
  public static Serve start(WeirConfig config, MeterRegistry registry, Supplier<String> findings) {
    Map<String, Object> kafka = config.kafka().forAdminWithShortWaits();
    List<Topic> all = Topic.readBy(User.SERVE).toList();
    return StartFailures.explain(
        kafka,
        rights(config, all),
        () -> {
          Admin admin = Admin.create(kafka);
          try {
            Serve serve =
                new Serve(config, admin, existing(config, admin, all), registry, findings);
            serve.thread.start();
            LOG.info("page on http://{}:{}", config.serve().host(), serve.port());
            return serve;
          } catch (IOException e) {
            admin.close();
            throw new StartRefusedException("weir.serve.listen: " + e.getMessage());
          } catch (RuntimeException e) {
            admin.close();
            throw e;
          }
        });
  }

  private static Clients clients(Path file) {
    try {
      return Clients.open(Optional.of(file), Set.of(), Set.of());
    } catch (YamlException e) {
      throw new StartRefusedException("weir.serve.clients.file: " + e.getMessage());
    }
  }

  private static DatabaseAddress database(String url, ServeSettings settings) {
    return new DatabaseAddress(
        url, settings.jdbcUser(), settings.jdbcPassword(), "weir serve", "weir.serve.jdbc");
  }

  private static List<Topic> existing(WeirConfig config, Admin admin, List<Topic> all) {
    Set<String> names;
    try {
      names = admin.listTopics().names().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException failure ? failure : new KafkaException(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
    if (!names.contains(config.nameOf(Topic.WINDOWS))) {
      throw new StartRefusedException(
          "no topic "
              + config.nameOf(Topic.WINDOWS)
              + " on the cluster, or no right to read it;"
              + " create it with: weir topics");
    }
    return all.stream().filter(topic -> names.contains(config.nameOf(topic))).toList();
  }

  private static List<Acl> rights(WeirConfig config, List<Topic> topics) {
    return Acl.ofServe(topics.stream().map(config::nameOf).toList());
  }

  private static Consumer<byte[], byte[]> open(WeirConfig config) {
    Map<String, Object> settings = KafkaSettings.shortWaits(config.kafka().forReader("earliest"));
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
    return BoundedConsumer.open(settings, config.maxDecompressedRecordBytes());
  }

  /** What the API asks. */
  private final class Live implements Api.Sources {
    private final WeirConfig config;

    private final Explaining explainer;

    Live(WeirConfig config) {
      this.config = config;
      this.explainer = new Explaining(config, admin, () -> open(config));
    }

    @Override
    public Map<Integer, TopicReader.Position> positions() {
      return reader.positions();
    }

    @Override
    public boolean isConnected() {
      return contact.isConnected();
    }

    @Override
    public long seenMs() {
      return contact.seenMs();
    }

    @Override
    public boolean isLoaded() {
      return reader.isLoaded();
    }

    @Override
    public Optional<String> doctor() {
      return doctor.get();
    }

    @Override
    public String nameOf(Topic topic) {
      return config.nameOf(topic);
    }

    @Override
    public Explanation explain(
        String sensorId, long startMs, OptionalLong sizeMs, WatchedLog.Listener progress) {
      return explainer.explain(sensorId, startMs, sizeMs, progress);
    }
  }

  /** The loop in its thread. */
  private final class Work implements ServiceThread.Work {
    @Override
    public void run() {
      try {
        reader.begin();
        while (!thread.isStopping()) {
          reader.turn(System.currentTimeMillis());
        }
      } catch (WakeupException e) {
        LOG.debug("asked to stop", e);
      }
    }

    @Override
    public void stop() {
      consumer.wakeup();
    }

    @Override
    public void abort() {
      // No wait outlasts a wakeup.
    }

    @Override
    public void release() {
      endpoint.close();
      doctor.close();
      contact.close();
      consumer.close();
      admin.close(Duration.ofSeconds(1));
    }
  }

  @Override
  public CompletableFuture<Optional<String>> ended() {
    return thread.ended();
  }

  @Override
  public boolean isReady() {
    return reader.isLoaded();
  }

  @Override
  public long successAgeMs() {
    return contact.ageMs();
  }

  @Override
  public String describe() {
    if (!reader.isLoaded()) {
      return "READING, " + reader.waitedFor() + " partitions to be read to their ends";
    }
    return contact.isConnected() ? "RUNNING" : "RUNNING, but Kafka does not answer";
  }

  /** The port it answers on. */
  public int port() {
    return endpoint.port();
  }

  Memory memory() {
    return memory;
  }

  ServeSite site() {
    return site;
  }

  int streams() {
    return streams.open();
  }

  long scannedBytes() {
    return history.scannedBytes();
  }

  long lagMs() {
    return reader.lagMs(System.currentTimeMillis());
  }

  @Override
  public void close() {
    thread.close();
  }

  /**
   * Asks the brokers every two seconds whether they are there: a consumer does not say. One thread
   * of its own; any may ask.
   */
  static final class Contact implements AutoCloseable {
    private static final long EVERY_MS = 2_000;
    private static final long ANSWER_MS = 2_000;
    private static final long AWAY_MS = 7_000;

    private final Admin admin;
    private final ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(Daemons.named("weir-serve-contact"));
    private volatile long seenMs = System.currentTimeMillis();
    private volatile long seenAt = MonotonicClock.millis();

    /**
     * @param admin stays the caller's to close
     */
    Contact(Admin admin) {
      this.admin = admin;
      executor.scheduleWithFixedDelay(this::ask, EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
    }

    private void ask() {
      try {
        admin.describeCluster().clusterId().get(ANSWER_MS, TimeUnit.MILLISECONDS);
        seen();
      } catch (ExecutionException | TimeoutException e) {
        return; // The age of the last answer says it.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** The brokers have answered. */
    void seen() {
      seenMs = System.currentTimeMillis();
      seenAt = MonotonicClock.millis();
    }

    /** The wall clock at their last answer. */
    long seenMs() {
      return seenMs;
    }

    /** How long ago they last answered. */
    long ageMs() {
      return MonotonicClock.millis() - seenAt;
    }

    boolean isConnected() {
      return ageMs() < AWAY_MS;
    }

    @Override
    public void close() {
      executor.shutdownNow();
    }
  }

  /**
   * The findings of the doctor, made when somebody asks and the last ones are older than a minute.
   */
  static final class DoctorCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DoctorCache.class);
    private static final long KEPT_MS = 60_000;
    private static final long FIRST_WAIT_MS = 15_000;

    private final Supplier<String> doctor;
    private final ExecutorService executor =
        Executors.newSingleThreadExecutor(Daemons.named("weir-serve-doctor"));
    private Optional<String> findings = Optional.empty();
    private long askedAt;
    private boolean asked;

    /**
     * @param doctor makes the findings, as JSON; takes some seconds
     */
    DoctorCache(Supplier<String> doctor) {
      this.doctor = doctor;
    }

    /** The last findings; empty if the first take longer than one caller may wait for them. */
    synchronized Optional<String> get() {
      if (!asked || MonotonicClock.millis() - askedAt >= KEPT_MS) {
        asked = true;
        askedAt = MonotonicClock.millis();
        executor.execute(this::make);
        awaitFirst();
      }
      return findings;
    }

    private void awaitFirst() {
      long endMs = MonotonicClock.millis() + FIRST_WAIT_MS;
      try {
        for (long left = FIRST_WAIT_MS;
            findings.isEmpty() && left > 0;
            left = endMs - MonotonicClock.millis()) {
          wait(left);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void make() {
      try {
        String made = doctor.get();
        synchronized (this) {
          findings = Optional.of(made);
          notifyAll();
        }
      } catch (RuntimeException e) {
        LOG.warn("the doctor could not look: {}", e.toString());
      }
    }

    @Override
    public void close() {
      executor.shutdownNow();
    }
  }

  /** Explains windows from the topics, two at a time. Safe for many threads. */
  static final class Explaining {
    private static final int AT_A_TIME = 2;

    private final ExplainSettings settings;
    private final String group;
    private final Admin admin;
    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final Semaphore free = new Semaphore(AT_A_TIME);

    Explaining(WeirConfig config, Admin admin, Supplier<Consumer<byte[], byte[]>> consumers) {
      this.settings = ExplainSettings.of(config, config.serve().scanBytes());
      this.group = config.applicationId();
      this.admin = admin;
      this.consumers = consumers;
    }

    /**
     * @throws Problem if others ask already, or Kafka does not answer
     */
    Explanation explain(
        String sensorId, long startMs, OptionalLong sizeMs, WatchedLog.Listener progress) {
      if (settings.scanBytes() == 0) {
        throw Problem.of(404, "weir.serve.scan.bytes is 0: weir serve reads no older records");
      }
      if (sizeMs.isPresent() && !settings.hasLength(sizeMs.getAsLong())) {
        throw Problem.parameter(
            "size", "expected: weir.window.size, a length of weir.rollups, or weir.hopping");
      }
      if (!free.tryAcquire()) {
        throw Problem.later(2, "others ask for explanations now");
      }
      try (TopicLog log = new TopicLog(settings, group, admin, consumers)) {
        return Explainer.explain(
            settings, new WatchedLog(log, progress), sensorId, startMs, sizeMs);
      } catch (AuthorizationException e) {
        throw Problem.of(503, "weir serve has no right to read the topics: " + e.getMessage());
      } catch (KafkaException e) {
        throw Problem.later(5, "Kafka does not answer: " + e.getMessage());
      } finally {
        free.release();
      }
    }
  }
}
