package io.weir.lab.chaos;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.app.TickWriter;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowSpecs;
import io.weir.internal.ops.Meters;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.store.ThreadStores;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.topology.ControlLog;
import io.weir.internal.topology.InputLog;
import io.weir.internal.topology.Progress;
import io.weir.internal.topology.TaskServices;
import io.weir.internal.topology.TopologyServices;
import io.weir.internal.topology.TopologySettings;
import io.weir.internal.topology.WeirTopology;
import io.weir.signing.SigningPolicy;
import org.apache.kafka.streams.KafkaStreams;

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
    WeirConfig config = SabotagedProcess.config(arguments);
    PlantedBug bug = PlantedBug.valueOf(arguments[0]);
    KafkaStreams streams = streams(bug, config, new SabotagedClients(bug, config.topics()));
    SabotagedProcess.run(streams);
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
            WaitLimit.of(REGISTRY_WAIT_MS),
            config.latest(),
            config.status().plan(),
            SigningPolicy.OFF);
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
        WeirTopology.build(settings, services),
        SabotagedProcess.settings(config, config.applicationId(), bug != PlantedBug.AT_LEAST_ONCE),
        clients);
  }
}
