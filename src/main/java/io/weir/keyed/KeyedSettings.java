package io.weir.keyed;

import io.weir.internal.app.Acl;
import io.weir.internal.app.BrokerControlLog;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.StreamsInput;
import io.weir.internal.app.StreamsParts;
import io.weir.internal.app.StreamsPlan;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.permission.PermissionWatch;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.topology.ControlLog;
import io.weir.internal.topology.EventSettings;
import io.weir.internal.topology.KeyedMeasures;
import io.weir.topic.RecordLimits;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configuration of an application with handlers, from which its topology is built. */
record KeyedSettings(
    WeirConfig config,
    String applicationId,
    Supplier<? extends KeyHandler> handlers,
    StartOn startOn,
    StartAt startAt,
    OnFailure onFailure,
    Retries retries,
    long idleMs,
    long callTimeoutMs,
    Outputs outputs) {
  /** Maximum size of a record of the changelog or the dead letters. */
  private static final int MAX_RECORD_BYTES = 1 << 20;

  StreamsApplication start(KeyedMeasures measures) {
    if (outputs.topics().contains(topic())) {
      throw new StartRefusedException(
          "output " + topic() + " is the input topic; expected: " + "another topic");
    }
    CompletableFuture<StreamsApplication> started = new CompletableFuture<>();
    StreamsApplication application =
        StreamsApplication.start(
            config,
            plan(),
            parts -> build(parts, measures, why -> started.thenAccept(it -> it.fail(why))));
    started.complete(application);
    return application;
  }

  /** The plan of the topology with outputs whose limits are known. */
  KeyedPlan plan(
      Outputs limited,
      CallTimes times,
      Runnable begins,
      Consumer<String> stop,
      ControlLog control,
      EventSettings events) {
    return new KeyedPlan(
        topic(),
        handlers,
        startOn,
        onFailure,
        retries,
        idleMs,
        limited,
        KeyedLimits.of(config.events()),
        times,
        begins,
        stop,
        control,
        events);
  }

  String topic() {
    return config.topics().of(Topic.EVENTS);
  }

  private StreamsPlan plan() {
    TopicNames topics = config.topics().of(User.HANDLER);
    return new StreamsPlan(
        applicationId,
        "application id (KeyedApplication.builder)",
        User.HANDLER,
        topics,
        List.of(new StreamsInput(topic(), KeyedTopology.STORE)),
        Acl.ofHandlers(applicationId, topics, KeyedTopology.STORE, outputs.topics()),
        CallTimes.transactionTimeoutMs(callTimeoutMs),
        startAt == StartAt.END);
  }

  private StreamsParts.BuiltTopology build(
      StreamsParts parts, KeyedMeasures measures, Consumer<String> stop) {
    TopicNames topics = config.topics().of(User.HANDLER);
    long maxFutureSkewMs = config.windows().maxFutureSkew().toMillis();
    Optional<PermissionWatch> permissions =
        config.signing().watchPermissions(measures::gatewaysFile);
    EventSettings events =
        new EventSettings(
            topics,
            config.events().timers(),
            Optional.empty(),
            Optional.empty(),
            config.limits(),
            config.state().gateways(maxFutureSkewMs),
            maxFutureSkewMs,
            parts.topics().maxMessageBytes(topics.deadLetters()),
            ValueFormat.of(config.values()),
            parts.registryWait(),
            config.signing().senders(permissions),
            SensorPartition.COUNT);
    Outputs limited = outputs.limited(topic -> limits(parts, topic), parts.topics()::partitions);
    CallTimes times = new CallTimes(MonotonicClock::millis, callTimeoutMs).start();
    Runnable begins = new OutputLimits(limited, config.kafka().forAdmin(), MonotonicClock::millis);
    BrokerControlLog control =
        BrokerControlLog.open(
            config, parts.topics().id(topics.control()).orElse(Uuid.ZERO_UUID), topic());
    KeyedPlan plan = plan(limited, times, begins, stop, control, events);
    int largest = Math.max(limited.maxRecordBytes(), events.maxDeadLetterBytes());
    return new StreamsParts.BuiltTopology(
        KeyedTopology.build(plan, measures, parts.tasks().get(topic())),
        Math.max(MAX_RECORD_BYTES, largest),
        control::polled,
        () -> {
          control.close();
          permissions.ifPresent(PermissionWatch::close);
          times.close();
        });
  }

  private static RecordLimits limits(StreamsParts parts, String topic) {
    try {
      return parts.topics().recordLimits(topic);
    } catch (UnknownTopicOrPartitionException | InvalidTopicException e) {
      throw new StartRefusedException("output " + topic + ": the topic does not exist; create it");
    }
  }

  /**
   * Reads the record limits of the output topics whenever a task starts. If a topic's limit is
   * lowered while the application runs, brokers reject a record and the stream thread dies; its
   * replacement then knows the new limit and fails the call instead. Thread-safe.
   */
  static final class OutputLimits implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputLimits.class);
    private static final int TIMEOUT_MS = 5_000;

    /** Tasks start together; one request serves all of them. */
    private static final long EVERY_MS = 1_000;

    private final Outputs outputs;
    private final Map<String, Object> client;
    private final LongSupplier elapsedMs;
    private final int mostRecordBytes;
    private long lookedMs;

    /**
     * @param outputs the outputs, with limits that were just read
     * @param client settings of Kafka's client
     */
    OutputLimits(Outputs outputs, Map<String, Object> client, LongSupplier elapsedMs) {
      this.outputs = outputs;
      this.mostRecordBytes = outputs.maxRecordBytes();
      this.client = new HashMap<>(client);
      this.client.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
      this.client.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
      this.elapsedMs = elapsedMs;
      this.lookedMs = elapsedMs.getAsLong();
    }

    @Override
    public synchronized void run() {
      if (outputs.topics().isEmpty() || elapsedMs.getAsLong() - lookedMs < EVERY_MS) {
        return;
      }
      try (Admin admin = Admin.create(client)) {
        TopicAdmin topics = new TopicAdmin(admin, TopicNames.DEFAULT);
        Map<String, RecordLimits> found = new HashMap<>();
        outputs.topics().forEach(topic -> found.put(topic, topics.recordLimits(topic)));
        outputs.limit(found::get, mostRecordBytes);
      } catch (KafkaException e) {
        LOG.debug(
            "could not read the limits of the output topics; keeping the last known limits", e);
      }
      lookedMs = elapsedMs.getAsLong();
    }
  }
}
