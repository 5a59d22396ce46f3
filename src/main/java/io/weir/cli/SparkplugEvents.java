package io.weir.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.edge.EventPublisher;
import io.weir.edge.EventPublisherSettings;
import io.weir.edge.Offer;
import io.weir.edge.PublisherSettings;
import io.weir.internal.app.Publishers;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.input.sparkplug.NodeEvent;
import io.weir.internal.time.LogLimit;
import io.weir.topic.Topic;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the births and deaths of Sparkplug edge nodes as events, where weir.events is on. They
 * are kept in the spool directory until the brokers have them.
 */
final class SparkplugEvents implements Consumer<NodeEvent>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SparkplugEvents.class);
  private static final String DIRECTORY = "sparkplug";
  private static final Duration LAST_SENDS = Duration.ofSeconds(5);

  private final Optional<EventPublisher> publisher;
  private final LogLimit refusals =
      new LogLimit(
          LOG,
          "weir_publisher_offers_total",
          () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));

  private SparkplugEvents(Optional<EventPublisher> publisher) {
    this.publisher = publisher;
  }

  static SparkplugEvents start(WeirConfig config, MeterRegistry registry) {
    if (!config.events().isOn() || config.input().sparkplug().isEmpty()) {
      return new SparkplugEvents(Optional.empty());
    }
    String gatewayId = config.edge().gatewayId().orElseThrow() + "/" + DIRECTORY;
    PublisherSettings.Builder builder = Publishers.builder(config, gatewayId);
    config.edge().spool().dir().ifPresent(dir -> builder.keepIn(dir.resolve(DIRECTORY)));
    EventPublisherSettings settings =
        EventPublisherSettings.of(Publishers.build(builder))
            .topics(config.nameOf(Topic.EVENTS), config.nameOf(Topic.SCHEDULED));
    return new SparkplugEvents(Optional.of(EventPublisher.start(settings, registry)));
  }

  @Override
  public void accept(NodeEvent of) {
    if (publisher.isPresent()) {
      Offer offer = publisher.get().offer(event(of));
      if (offer != Offer.ACCEPTED) {
        refusals.warn("the {} of {} {} is no event: {}", of.type(), of.key(), of.device(), offer);
      }
    }
  }

  static Event event(NodeEvent of) {
    return Event.newBuilder()
        .setKey(of.key())
        .setSubject(of.device())
        .setType(of.type())
        .setTimestampMs(of.timestampMs())
        .putFields("bdSeq", Value.newBuilder().setInt64Value(of.bdSeq()).build())
        .putFields("cause", Value.newBuilder().setStringValue(of.cause()).build())
        .build();
  }

  @Override
  public void close() {
    publisher.ifPresent(each -> each.close(LAST_SENDS));
  }
}
