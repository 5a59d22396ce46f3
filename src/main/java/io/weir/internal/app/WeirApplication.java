package io.weir.internal.app;

import io.weir.internal.permission.PermissionWatch;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.topology.Measures;
import io.weir.internal.topology.TopologyServices;
import io.weir.internal.topology.TopologySettings;
import io.weir.internal.topology.WeirTopology;
import io.weir.internal.window.WindowSpec;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/** The application of {@code weir run}: aggregates readings into windows. */
public final class WeirApplication {
  private WeirApplication() {}

  /**
   * Starts with the configured windows.
   *
   * @throws KafkaAwayException if the cluster does not answer, or lacks brokers: try again later
   * @throws StartRefusedException if a check of the cluster fails
   */
  public static StreamsApplication start(WeirConfig config, Measures measures) {
    return start(config, WindowSpecs.of(config.windows()), measures);
  }

  /** Same as {@link #start(WeirConfig, Measures)}, with other windows. */
  public static StreamsApplication start(WeirConfig config, WindowSpec windows, Measures measures) {
    return StreamsApplication.start(
        config, plan(config), parts -> build(config, windows, measures, parts));
  }

  /** The plan of the application. */
  public static StreamsPlan plan(WeirConfig config) {
    TopicNames topics = config.topics();
    // Alarm events go to the partition of a group.
    List<String> outputs =
        topics.topics().stream()
            .filter(topic -> topic.isOutput() && topic.isOfSensors())
            .map(topics::of)
            .toList();
    return new StreamsPlan(
        config.applicationId(),
        Keys.APPLICATION_ID.propertyName(),
        User.RUN,
        topics,
        List.of(new StreamsInput(topics.readings(), WeirTopology.STORE, outputs)),
        Acl.ofRun(config.applicationId(), topics));
  }

  private static StreamsParts.BuiltTopology build(
      WeirConfig config, WindowSpec windows, Measures measures, StreamsParts parts) {
    TopologySettings settings = settings(config, windows, parts);
    TopicNames topics = settings.topics();
    TopicSchemas.requireWritable(
        settings.latest().withoutJson(topics.outputsOf(User.RUN)), settings.values());
    // Read once at startup: without READ, a forged mark would end the process later.
    BrokerControlLog control =
        BrokerControlLog.open(config, parts.topics().id(topics.control()).orElse(Uuid.ZERO_UUID));
    Optional<PermissionWatch> permissions =
        config.signing().watchPermissions(measures::gatewaysFile);
    return new StreamsParts.BuiltTopology(
        WeirTopology.build(
            settings,
            new TopologyServices(
                measures,
                parts.tasks().get(topics.readings()),
                control,
                permissions.map(watch -> watch),
                new SecureRandom()::nextLong)),
        Math.max(settings.maxLateBytes(), settings.maxDeadLetterBytes()),
        control::polled,
        () -> {
          permissions.ifPresent(PermissionWatch::close);
          control.close();
        });
  }

  private static TopologySettings settings(
      WeirConfig config, WindowSpec windows, StreamsParts parts) {
    long maxFutureSkewMs = config.windows().maxFutureSkew().toMillis();
    return new TopologySettings(
        config.topics().of(User.RUN),
        windows,
        config.limits(),
        config.state().gateways(maxFutureSkewMs),
        config.state().windows(),
        maxFutureSkewMs,
        parts.topics().maxMessageBytes(config.topics().late()),
        parts.topics().maxMessageBytes(config.topics().deadLetters()),
        ValueFormat.of(config.values()),
        parts.registryWait(),
        config.latest(),
        config.status().plan(),
        config.signing().policy());
  }
}
