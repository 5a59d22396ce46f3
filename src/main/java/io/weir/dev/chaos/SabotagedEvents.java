package io.weir.dev.chaos;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.app.TickWriter;
import io.weir.app.WeirConfig;
import io.weir.ops.EventMeters;
import io.weir.registry.ValueFormat;
import io.weir.registry.WaitLimit;
import io.weir.store.ThreadStores;
import io.weir.time.MonotonicClock;
import io.weir.topic.Topic;
import io.weir.topology.EventServices;
import io.weir.topology.EventSettings;
import io.weir.topology.EventTopology;
import io.weir.topology.GroupSettings;
import io.weir.topology.InputLog;
import io.weir.topology.Progress;
import io.weir.topology.TaskServices;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/**
 * The topology of {@code weir events}, run with a planted bug in what its clients hand over, or in
 * its guarantee. Arguments: the bug, and options as {@code weir events} takes them.
 */
public final class SabotagedEvents {
  private static final int MAX_BYTES = 1 << 20;
  private static final int REGISTRY_WAIT_MS = 60_000;

  private SabotagedEvents() {}

  /** Runs until the process is ended. */
  public static void main(String... arguments) throws InterruptedException {
    Map<String, String> options = new HashMap<>();
    for (int i = 1; i < arguments.length; i++) {
      String[] nameAndValue = arguments[i].substring(2).split("=", 2);
      options.put(nameAndValue[0].replace('-', '.'), nameAndValue[1]);
    }
    WeirConfig config = WeirConfig.of(new Properties(), System.getenv(), options);
    PlantedBug bug = PlantedBug.valueOf(arguments[0]);
    KafkaStreams streams =
        new KafkaStreams(
            EventTopology.draw(settings(config), services(config)),
            properties(bug, config),
            new SabotagedEventClients(bug, config.topics()));
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.setUncaughtExceptionHandler(death -> StreamThreadExceptionResponse.REPLACE_THREAD);
    streams.setStateListener((now, before) -> System.err.println(now + " (was " + before + ")"));
    streams.start();
    new CountDownLatch(1).await();
  }

  private static EventSettings settings(WeirConfig config) {
    long maxFutureSkewMs = config.windows().maxFutureSkew().toMillis();
    return new EventSettings(
        config.topics(),
        config.events().timers(),
        config.events().fold(),
        config
            .events()
            .groups()
            .map(
                spec ->
                    new GroupSettings(
                        Topic.WINDOWS,
                        config.events().groupSize().toMillis(),
                        config.status().group(),
                        spec,
                        config.events().applicationId())),
        config.limits(),
        config.state().gateways(maxFutureSkewMs),
        maxFutureSkewMs,
        MAX_BYTES,
        ValueFormat.of(config.values()),
        WaitLimit.of(REGISTRY_WAIT_MS));
  }

  private static EventServices services(WeirConfig config) {
    ThreadStores stores = new ThreadStores();
    Progress progress = new Progress(MonotonicClock::millis);
    Map<String, TaskServices> tasks = new HashMap<>();
    for (Topic topic : List.of(Topic.SCHEDULED, Topic.EVENTS, Topic.WINDOWS, Topic.GROUP_PARTS)) {
      String name = config.topics().of(topic);
      tasks.put(
          name,
          new TaskServices(
              MonotonicClock::millis,
              new TickWriter(name, config.kafka(), refusal -> {}),
              InputLog.UNCHECKED,
              stores,
              progress.input(name)));
    }
    return new EventServices(new EventMeters(new SimpleMeterRegistry()), tasks);
  }

  private static Properties properties(PlantedBug bug, WeirConfig config) {
    Properties properties = new Properties();
    properties.putAll(config.kafka().passed());
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, config.events().applicationId());
    properties.putAll(config.kafka().forAdmin());
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
    properties.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 500);
    properties.put(
        StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
        bug == PlantedBug.EVENTS_AT_LEAST_ONCE
            ? StreamsConfig.AT_LEAST_ONCE
            : StreamsConfig.EXACTLY_ONCE_V2);
    config
        .instanceId()
        .ifPresent(id -> properties.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id));
    return properties;
  }
}
