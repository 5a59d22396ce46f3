package io.weir.lab.chaos;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.app.TickWriter;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.EventMeters;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.store.ThreadStores;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.topology.EventServices;
import io.weir.internal.topology.EventSettings;
import io.weir.internal.topology.EventTopology;
import io.weir.internal.topology.GroupSettings;
import io.weir.internal.topology.InputLog;
import io.weir.internal.topology.Progress;
import io.weir.internal.topology.SenderRules;
import io.weir.internal.topology.TaskServices;
import io.weir.signing.SigningMode;
import io.weir.signing.SigningPolicy;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams;

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
    WeirConfig config = SabotagedProcess.config(arguments);
    PlantedBug bug = PlantedBug.valueOf(arguments[0]);
    KafkaStreams streams =
        new KafkaStreams(
            EventTopology.build(settings(config, senders(config, bug)), services(config)),
            SabotagedProcess.settings(
                config, config.events().applicationId(), bug != PlantedBug.EVENTS_AT_LEAST_ONCE),
            new SabotagedEventClients(bug, config.topics()));
    SabotagedProcess.run(streams);
  }

  private static SenderRules senders(WeirConfig config, PlantedBug bug) {
    SigningPolicy policy = config.signing().policy();
    return new SenderRules(
        bug == PlantedBug.SIGNATURE_UNCHECKED
            ? new SigningPolicy(SigningMode.OFF, policy.masters())
            : policy,
        Optional.empty());
  }

  private static EventSettings settings(WeirConfig config, SenderRules senders) {
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
        WaitLimit.of(REGISTRY_WAIT_MS),
        senders,
        SensorPartition.COUNT);
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
}
