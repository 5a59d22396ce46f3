package io.weir.internal.app;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Settings that are passed on to Kafka's clients: {@code KAFKA_SECURITY_PROTOCOL} is
 * security.protocol. A name may carry one of Kafka Streams' prefixes ({@code
 * KAFKA_PRODUCER_LINGER_MS} is producer.linger.ms). Unknown names are not passed on: Kubernetes
 * sets KAFKA_PORT and the like for a service kafka.
 */
public final class KafkaSettings {
  private static final String PREFIX = "KAFKA_";
  private static final String SHORT_WAIT_MS = "15000";
  private static final Set<String> CLIENT_PREFIXES =
      Set.of(
          "consumer.",
          "main.consumer.",
          "restore.consumer.",
          "global.consumer.",
          "producer.",
          "admin.");

  private final String bootstrapServers;
  private final Map<String, String> passed;
  private final SortedMap<String, String> shown;

  private KafkaSettings(
      String bootstrapServers, Map<String, String> passed, SortedMap<String, String> shown) {
    this.bootstrapServers = bootstrapServers;
    this.passed = Map.copyOf(passed);
    this.shown = Collections.unmodifiableSortedMap(shown);
  }

  /**
   * @throws ConfigException if a variable sets a value that Weir fixes
   */
  static KafkaSettings of(
      String bootstrapServers, Map<String, String> variables, List<String> warnings) {
    Map<String, String> known = namesByVariable();
    Environment environment = new Environment(PREFIX, variables);
    Map<String, String> passed = new TreeMap<>();
    SortedMap<String, String> shown = new TreeMap<>();
    known.forEach(
        (variable, name) ->
            environment
                .take(PREFIX + variable)
                .ifPresent(
                    found -> {
                      FixedKafkaKeys.refuse(name, found);
                      passed.put(name, found.value());
                      shown.put(name, Secrets.shown(name, found.value(), found.source()));
                    }));
    for (String variable : environment.untaken()) {
      warnings.add("environment variable " + variable + " is not a setting of Kafka: ignored");
    }
    return new KafkaSettings(bootstrapServers, passed, shown);
  }

  /**
   * The passed settings by Kafka's names, without bootstrap.servers; all of them go to Kafka
   * Streams.
   */
  public Map<String, String> passed() {
    return passed;
  }

  /** The passed settings, secrets hidden. */
  public SortedMap<String, String> shown() {
    return shown;
  }

  /** Removes a setting's values for single clients. */
  static void removeOfClients(Properties settings, String name) {
    CLIENT_PREFIXES.forEach(prefix -> settings.remove(prefix + name));
  }

  /** Settings of an admin client: bootstrap.servers and the passed settings. A new map. */
  public Map<String, Object> forAdmin() {
    return forClient(AdminClientConfig.configNames(), "admin.");
  }

  /** Settings of a consumer: bootstrap.servers and the passed settings. A new map. */
  public Map<String, Object> forConsumer() {
    return forClient(ConsumerConfig.configNames(), "consumer.");
  }

  /** As {@link #forAdmin()}, with {@link #shortWaits}. */
  public Map<String, Object> forAdminWithShortWaits() {
    return shortWaits(forAdmin());
  }

  /** Sets that requests fail after 15 s, unless the user has set another time. Returns the map. */
  public static Map<String, Object> shortWaits(Map<String, Object> settings) {
    settings.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, SHORT_WAIT_MS);
    settings.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, SHORT_WAIT_MS);
    return settings;
  }

  /**
   * Settings of a consumer without a group that reads committed records, and commits and creates
   * nothing. A new map.
   *
   * @param offsetReset {@code earliest}, {@code latest} or {@code none}
   */
  public Map<String, Object> forReader(String offsetReset) {
    Map<String, Object> settings = forConsumer();
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, offsetReset);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    return settings;
  }

  /** Settings of a producer: bootstrap.servers and the passed settings. A new map. */
  public Map<String, Object> forProducer() {
    return forClient(ProducerConfig.configNames(), "producer.");
  }

  /** Kafka Streams' {@code replication.factor}, if it was passed and is not -1. */
  Optional<Integer> replicationFactor() {
    return Optional.ofNullable(passed.get(StreamsConfig.REPLICATION_FACTOR_CONFIG))
        .map(Integer::parseInt)
        .filter(replicas -> replicas > 0);
  }

  /** Kafka Streams' {@code commit.interval.ms}: as passed, or what Weir sets. */
  public long commitIntervalMs() {
    String passedMs = passed.getOrDefault(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, "").trim();
    return passedMs.matches("\\d{1,9}")
        ? Long.parseLong(passedMs)
        : StreamsSettings.COMMIT_INTERVAL_MS;
  }

  /** The effective transaction.timeout.ms of stream threads; handlers may need a longer one. */
  int transactionTimeoutMs() {
    return Integer.parseInt(
        forProducer()
            .getOrDefault(
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, StreamsSettings.TRANSACTION_TIMEOUT_MS)
            .toString());
  }

  /** The effective max.poll.interval.ms of stream threads. */
  int maxPollIntervalMs() {
    String name = ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG;
    Object byDefault = ConsumerConfig.configDef().defaultValues().get(name);
    Object any = forConsumer().getOrDefault(name, byDefault);
    return Integer.parseInt(passed.getOrDefault("main.consumer." + name, any.toString()));
  }

  private Map<String, Object> forClient(Set<String> names, String prefix) {
    Map<String, Object> settings = new HashMap<>();
    passed.forEach((name, value) -> putIf(names.contains(name), settings, name, value));
    passed.forEach(
        (name, value) ->
            putIf(name.startsWith(prefix), settings, withoutPrefix(name, prefix), value));
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    return settings;
  }

  private static void putIf(
      boolean wanted, Map<String, Object> settings, String name, String value) {
    if (wanted) {
      settings.put(name, value);
    }
  }

  private static String withoutPrefix(String name, String prefix) {
    return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
  }

  /** Kafka's names by the variable's name without KAFKA_; a plain name wins over a prefixed one. */
  private static Map<String, String> namesByVariable() {
    Set<String> clients = new HashSet<>(ConsumerConfig.configNames());
    clients.addAll(ProducerConfig.configNames());
    clients.addAll(AdminClientConfig.configNames());
    Map<String, String> names = new TreeMap<>();
    for (String prefix : CLIENT_PREFIXES) {
      clients.forEach(name -> names.put(Key.variablePart(prefix + name), prefix + name));
    }
    clients.forEach(name -> names.put(Key.variablePart(name), name));
    StreamsConfig.configDef().names().forEach(name -> names.put(Key.variablePart(name), name));
    return names;
  }

  /** Kafka settings that Weir fixes: another value would break its guarantees. */
  static final class FixedKafkaKeys {
    private static final Set<String> FIXED =
        Set.of(
            "acks",
            "allow.auto.create.topics",
            "auto.offset.reset",
            "default.deserialization.exception.handler",
            "default.key.serde",
            "default.production.exception.handler",
            "default.timestamp.extractor",
            "default.value.serde",
            "deserialization.exception.handler",
            "enable.auto.commit",
            "enable.idempotence",
            "ensure.explicit.internal.resource.naming",
            "errors.dead.letter.queue.topic.name",
            "group.id",
            "group.protocol",
            "group.remote.assignor",
            "isolation.level",
            "key.deserializer",
            "key.serializer",
            "partitioner.class",
            "processing.exception.handler",
            "processing.guarantee",
            "production.exception.handler",
            "transactional.id",
            "value.deserializer",
            "value.serializer");

    private static final Map<String, Key<?>> OWN =
        Map.of(
            "application.id", Keys.APPLICATION_ID,
            "bootstrap.servers", Keys.BOOTSTRAP_SERVERS,
            "group.instance.id", Keys.INSTANCE_ID,
            "num.stream.threads", Keys.THREADS,
            "state.dir", Keys.STATE_DIR);

    private FixedKafkaKeys() {}

    /**
     * Accepts all other keys.
     *
     * @throws ConfigException if the key, with or without a client's prefix, must not be set
     */
    static void refuse(String name, Environment.Found found) {
      FIXED.stream()
          .filter(fixed -> isOrEndsWith(name, fixed))
          .findFirst()
          .ifPresent(
              fixed -> {
                throw ConfigException.of(
                    name, found.value(), found.source(), "expected: not set, Weir fixes it");
              });
      OWN.forEach(
          (own, key) -> {
            if (isOrEndsWith(name, own)) {
              throw ConfigException.of(
                  name, found.value(), found.source(), "expected: " + key.variableName());
            }
          });
    }

    private static boolean isOrEndsWith(String name, String key) {
      return name.equals(key)
          || name.equals("producer." + key)
          || name.equals("admin." + key)
          || (name.endsWith("consumer." + key));
    }
  }
}
