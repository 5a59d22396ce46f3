package io.weir.dev.chaos;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.app.TickWriter;
import io.weir.app.WeirConfig;
import io.weir.app.WindowSpecs;
import io.weir.ops.Meters;
import io.weir.registry.ValueFormat;
import io.weir.registry.WaitLimit;
import io.weir.store.ThreadStores;
import io.weir.time.MonotonicClock;
import io.weir.topology.ControlLog;
import io.weir.topology.InputLog;
import io.weir.topology.Progress;
import io.weir.topology.TaskServices;
import io.weir.topology.TopologyServices;
import io.weir.topology.TopologySettings;
import io.weir.topology.WeirTopology;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/**
 * Weir's topology, run with a planted bug: in what its clients hand over, or in its guarantee; the
 * code that is tested is the one that production runs. Arguments: the bug, and options as {@code
 * weir run} takes them.
 */
public final class SabotagedRun {
  private static final int MAX_BYTES = 1 << 20;

  private static final int REGISTRY_WAIT_MS = 60_000;

  private SabotagedRun() {}

  /** Runs until the process is ended. */
  public static void main(String... arguments) throws InterruptedException {
    Map<String, String> options = new HashMap<>();
    for (int i = 1; i < arguments.length; i++) {
      String[] nameAndValue = arguments[i].substring(2).split("=", 2);
      options.put(nameAndValue[0].replace('-', '.'), nameAndValue[1]);
    }
    WeirConfig config = WeirConfig.of(new Properties(), System.getenv(), options);
    PlantedBug bug = PlantedBug.valueOf(arguments[0]);
    KafkaStreams streams = streams(bug, config, new SabotagedClients(bug, config.topics()));
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.setUncaughtExceptionHandler(death -> StreamThreadExceptionResponse.REPLACE_THREAD);
    streams.setStateListener((now, before) -> System.err.println(now + " (was " + before + ")"));
    streams.start();
    new CountDownLatch(1).await();
  }

  /** The topology with a bug, ready to be started. */
  static KafkaStreams streams(PlantedBug bug, WeirConfig config, SabotagedClients clients) {
    TopologySettings settings =
        new TopologySettings(
                config.topics(),
                WindowSpecs.of(config.windows()),
                config.limits(),
                config.state().gateways(config.windows().maxFutureSkew().toMillis()),
                config.state().windows(),
                config.windows().maxFutureSkew().toMillis(),
                MAX_BYTES,
                MAX_BYTES,
                ValueFormat.of(config.values()),
                WaitLimit.of(REGISTRY_WAIT_MS))
            .with(config.status().plan());
    TopologyServices services =
        new TopologyServices(
            new Meters(new SimpleMeterRegistry()),
            new TaskServices(
                MonotonicClock::millis,
                new TickWriter(config.topics().readings(), config.kafka(), refusal -> {}),
                InputLog.UNCHECKED,
                new ThreadStores(),
                new Progress(MonotonicClock::millis).input(config.topics().readings())),
            ControlLog.NONE);
    return new KafkaStreams(
        WeirTopology.draw(settings, services), properties(bug, config), clients);
  }

  private static Properties properties(PlantedBug bug, WeirConfig config) {
    Properties properties = new Properties();
    properties.putAll(config.kafka().passed());
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
    properties.putAll(config.kafka().forAdmin());
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
    properties.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 500);
    properties.put(
        StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
        bug == PlantedBug.AT_LEAST_ONCE
            ? StreamsConfig.AT_LEAST_ONCE
            : StreamsConfig.EXACTLY_ONCE_V2);
    config
        .instanceId()
        .ifPresent(id -> properties.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id));
    return properties;
  }
}
