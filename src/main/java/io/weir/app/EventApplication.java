package io.weir.app;

import io.weir.registry.RegistryException;
import io.weir.registry.ValueFormat;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import io.weir.topology.EventMeasures;
import io.weir.topology.EventServices;
import io.weir.topology.EventSettings;
import io.weir.topology.EventTopology;
import java.util.ArrayList;
import java.util.List;

/** The application of {@code weir events}: scheduled events when they are due, folds of events. */
public final class EventApplication {
  private static final int MAX_EVENT_RECORD_BYTES = 1 << 20;

  private EventApplication() {}

  /**
   * Starts it.
   *
   * @throws KafkaAwayException if the cluster does not answer, or lacks brokers: try again later
   * @throws StartRefusedException if the cluster is not as it must be, or events are not switched
   *     on
   */
  public static StreamsApplication start(WeirConfig config, EventMeasures measures) {
    if (!config.events().isOn()) {
      throw new StartRefusedException(
          "weir.events = false: there is nothing to do; set weir.events=true, here and for weir"
              + " topics, and weir.fold=true to fold");
    }
    return StreamsApplication.start(config, plan(config), parts -> draw(config, measures, parts));
  }

  /** How the cluster sees it. */
  static StreamsPlan plan(WeirConfig config) {
    String applicationId = config.events().applicationId();
    List<StreamsInput> inputs = new ArrayList<>();
    inputs.add(new StreamsInput(config.topics().of(Topic.SCHEDULED), EventTopology.TIMERS_STORE));
    if (config.events().fold().isPresent()) {
      inputs.add(new StreamsInput(config.topics().of(Topic.EVENTS), EventTopology.FOLDS_STORE));
    }
    return new StreamsPlan(
        applicationId,
        Keys.EVENTS_APPLICATION_ID.propertyName(),
        User.EVENTS,
        config.topics(),
        inputs,
        Acl.ofEvents(applicationId, config.topics()));
  }

  private static StreamsParts.Drawn draw(
      WeirConfig config, EventMeasures measures, StreamsParts parts) {
    TopicNames topics = config.topics().of(User.EVENTS);
    long maxFutureSkewMs = config.windows().maxFutureSkew().toMillis();
    EventSettings settings =
        new EventSettings(
            topics,
            config.events().timers(),
            config.events().fold(),
            config.limits(),
            config.state().gateways(maxFutureSkewMs),
            maxFutureSkewMs,
            parts.topics().maxMessageBytes(topics.deadLetters()),
            ValueFormat.of(config.values()),
            parts.registryWait());
    requireWritable(settings);
    EventServices services =
        new EventServices(
            measures,
            parts.tasks().get(topics.of(Topic.SCHEDULED)),
            parts.tasks().get(topics.of(Topic.EVENTS)));
    return new StreamsParts.Drawn(
        EventTopology.draw(settings, services),
        Math.max(MAX_EVENT_RECORD_BYTES, settings.maxDeadLetterBytes()),
        () -> {},
        () -> {});
  }

  /** That there is an id in the registry for what is written; kept from then on. */
  private static void requireWritable(EventSettings settings) {
    try {
      for (Topic topic : settings.topics().topics()) {
        if (topic == Topic.EVENTS || topic == Topic.FOLDED) {
          settings.values().writer(settings.topics().of(topic), topic.message());
        }
      }
    } catch (RegistryException e) {
      throw new StartRefusedException("weir.schema.registry.url: " + e.getMessage());
    }
  }
}
