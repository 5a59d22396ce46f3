package io.weir.internal.app;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.ops.Meters;
import io.weir.internal.topology.Measures;
import io.weir.internal.topology.WeirTopology;
import io.weir.lab.Auditor;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;

/** A broker, and settings under which the application is quick to show what it does. */
final class AppRig implements AutoCloseable {
  /**
   * A member that ends without leaving the group is missed soon: a test waits for that at each
   * start after the first.
   */
  static final Map<String, String> SHORT_SESSION =
      Map.of("KAFKA_SESSION_TIMEOUT_MS", "3000", "KAFKA_HEARTBEAT_INTERVAL_MS", "500");

  static final String CHANGELOG = "weir-" + WeirTopology.STORE + "-changelog";

  private final EmbeddedKafka kafka;
  private final Admin admin;
  private final Path dir;

  /**
   * @param dir where the application keeps its files
   */
  AppRig(Path dir) {
    this(dir, EmbeddedKafka.Options.DEFAULT);
  }

  AppRig(Path dir, EmbeddedKafka.Options broker) {
    this.dir = dir;
    kafka = EmbeddedKafka.start(broker);
    admin = Admin.create(client());
  }

  Map<String, Object> client() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  Admin admin() {
    return admin;
  }

  void createTopics() {
    new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
  }

  Auditor auditor() {
    return Auditor.start(client(), TopicNames.DEFAULT, window -> {});
  }

  WeirConfig config() {
    return config(Map.of(), Map.of());
  }

  /** Settings by options, over those of this rig, and by variables. */
  WeirConfig config(Map<String, String> environment, Map<String, String> more) {
    Map<String, String> variables = new HashMap<>(SHORT_SESSION);
    // Beans of some thousand metrics take a tenth of a start's CPU.
    variables.put("KAFKA_METRIC_REPORTERS", "");
    variables.putAll(environment);
    return WeirConfig.of(new Properties(), variables, options(more));
  }

  Map<String, String> options(Map<String, String> more) {
    Map<String, String> options = new HashMap<>();
    options.put("bootstrap.servers", kafka.bootstrapServers());
    options.put("window.size", "50ms");
    options.put("window.grace", "20ms");
    options.put("allowed.lateness", "100ms");
    options.put("idle.timeout", "300ms");
    options.put("threads", "2");
    options.put("http.port", "0");
    options.put("state.dir", dir + "/state");
    options.putAll(more);
    return options;
  }

  StreamsApplication start() {
    return start(new Meters(new SimpleMeterRegistry()));
  }

  StreamsApplication start(Measures measures) {
    return WeirApplication.start(config(), measures);
  }

  @Override
  public void close() {
    admin.close();
    kafka.close();
  }
}
