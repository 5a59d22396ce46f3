package gateway;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.weir.edge.Offer;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.LoggerFactory;

/** Embeds Weir, and holds what came along with it against what is promised. */
public final class Gateway {
  /** Weir, its four dependencies, and what those bring. */
  private static final Set<String> PROMISED =
      Set.of(
          "weir",
          "kafka-clients",
          "lz4-java",
          "snappy-java",
          "zstd-jni",
          "protobuf-java",
          "micrometer-core",
          "micrometer-commons",
          "micrometer-observation",
          "HdrHistogram",
          "jspecify",
          "slf4j-api");

  /** The gateway's own choice. */
  private static final Set<String> OWN = Set.of("logback-classic", "logback-core");

  private Gateway() {}

  public static void main(String[] args) {
    require(isLogbackItsOwn(), "logback has its own defaults, and no configuration of Weir's");
    require(SensorPartition.of("cam-1142") == 19, "cam-1142 lives in partition 19");
    require(asksForJson(), "a schema registry without jackson-core is refused by name");
    require(publishes(), "a publisher takes readings, and without a broker says what it kept");
    Set<String> brought = jars();
    brought.removeAll(OWN);
    require(brought.equals(new TreeSet<>(PROMISED)), "exactly the promised jars, not " + brought);
    for (String absent :
        new String[] {
          "io/weir/lab/EmbeddedKafka.class",
          "io/weir/lab/cli/BrokerCommand.class",
          "META-INF/services/io.weir.cli.LocalCommands",
          "logback.xml"
        }) {
      require(Gateway.class.getClassLoader().getResource(absent) == null, absent + " left out");
    }
  }

  /** Without a configuration logback writes everything; a configuration in a jar would apply. */
  private static boolean isLogbackItsOwn() {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    boolean itsOwn = root.getLevel() == Level.DEBUG;
    root.setLevel(Level.WARN);
    return itsOwn;
  }

  private static boolean publishes() {
    PublisherSettings settings =
        PublisherSettings.builder("gateway-7").bootstrapServers("127.0.0.1:1").build();
    try (ReadingPublisher publisher = ReadingPublisher.start(settings)) {
      Offer offer = publisher.offer(new Reading("boiler-3/temperature", 1_000, 71.5));
      return offer == Offer.ACCEPTED
          && publisher.close(Duration.ofSeconds(1)).unsentReadings() == 1
          && publisher.offer(new Reading("boiler-3/temperature", 2_000, 71.5)) == Offer.CLOSED;
    }
  }

  private static boolean asksForJson() {
    PublisherSettings settings =
        PublisherSettings.builder("gateway-7")
            .bootstrapServers("127.0.0.1:1")
            .schemaRegistry(Map.of("schema.registry.url", "http://127.0.0.1:1"))
            .build();
    try {
      ReadingPublisher.start(settings).close();
      return false;
    } catch (ConfigException e) {
      return e.getMessage().contains("com.fasterxml.jackson.core:jackson-core");
    }
  }

  private static Set<String> jars() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .map(entry -> Path.of(entry).getFileName().toString())
        .map(name -> name.replaceFirst("-\\d.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void require(boolean kept, String promise) {
    if (!kept) {
      throw new AssertionError("promised: " + promise);
    }
  }
}
