package io.weir.internal.app;

import io.weir.edge.PublisherSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Creates publisher settings from the configuration. */
public final class Publishers {
  private Publishers() {}

  public static PublisherSettings settings(WeirConfig config, String gatewayId) {
    return build(spooling(config, gatewayId));
  }

  /**
   * Builds the settings.
   *
   * @throws ConfigException if a publisher refuses a value, such as a KAFKA_ variable
   */
  public static PublisherSettings build(PublisherSettings.Builder builder) {
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      ConfigException refusal = new ConfigException(e.getMessage());
      refusal.initCause(e);
      throw refusal;
    }
  }

  /** A builder with these settings. */
  public static PublisherSettings.Builder spooling(WeirConfig config, String gatewayId) {
    PublisherSettings.Builder builder = builder(config, gatewayId);
    config.edge().spool().dir().ifPresent(builder::keepIn);
    config.edge().spool().replayRate().ifPresent(builder::keepReplayRate);
    return builder;
  }

  /** A builder without a spool directory. */
  public static PublisherSettings.Builder builder(WeirConfig config, String gatewayId) {
    Map<String, Object> kafka = new HashMap<>(config.kafka().forProducer());
    String bootstrapServers = (String) kafka.remove(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG);
    PublisherSettings.Builder builder = PublisherSettings.builder(gatewayId);
    config.signing().gatewayKey(gatewayId).ifPresent(builder::signWith);
    return builder
        .bootstrapServers(bootstrapServers)
        .topic(config.topics().readings())
        .batchMaxReadings(config.edge().batchMaxReadings())
        .flushInterval(config.edge().flushInterval())
        .queueCapacity(config.edge().queueCapacity())
        .suspendThresholdPercent(config.edge().suspendThresholdPercent())
        .keepMaxBytes(config.edge().spool().maxBytes())
        .overflow(config.edge().spool().full())
        .ordered(config.edge().ordered())
        .limits(config.limits())
        .kafka(kafka)
        .schemaRegistry(config.values());
  }
}
