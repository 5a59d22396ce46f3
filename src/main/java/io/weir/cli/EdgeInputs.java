package io.weir.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.edge.StoredReadings;
import io.weir.internal.app.ConfigException;
import io.weir.internal.app.InputSettings;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.input.Admission;
import io.weir.internal.input.Clients;
import io.weir.internal.input.Identities;
import io.weir.internal.input.InputLimits;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.ReadingSink;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.http.HttpInput;
import io.weir.internal.input.http.HttpServer;
import io.weir.internal.input.http.InputService;
import io.weir.internal.input.influx.InfluxInput;
import io.weir.internal.input.influx.InfluxSettings;
import io.weir.internal.input.mqtt.MqttInput;
import io.weir.internal.input.mqtt.MqttMetrics;
import io.weir.internal.input.mqtt.MqttRefusedException;
import io.weir.internal.input.mqtt.MqttSettings;
import io.weir.internal.input.otlp.OtlpInput;
import io.weir.internal.input.otlp.OtlpSettings;
import io.weir.internal.input.prometheus.RemoteWriteInput;
import io.weir.internal.input.prometheus.RemoteWriteSettings;
import io.weir.internal.input.sparkplug.SparkplugInput;
import io.weir.internal.input.sparkplug.SparkplugMetrics;
import io.weir.internal.input.sparkplug.SparkplugSettings;
import io.weir.internal.yaml.YamlException;
import io.weir.reading.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inputs of {@code weir edge}: takes readings over HTTP into a publisher with a spool. Requests
 * in flight are finished before it closes.
 */
final class EdgeInputs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeInputs.class);
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(10);

  private static final Set<String> INPUTS =
      Set.of(InfluxInput.NAME, RemoteWriteInput.NAME, OtlpInput.NAME);
  private static final Set<String> PARTS =
      Stream.of(InfluxSettings.PARTS, RemoteWriteSettings.PARTS, OtlpSettings.PARTS)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  private final InputSettings settings;
  private final InputLimits limits;
  private final Clients clients;
  private final Identities identities;
  private final Admission admission;
  private final Rejects rejects;
  private HttpServer server;
  private MqttInput mqtt;
  private SparkplugInput sparkplug;

  private EdgeInputs(InputSettings settings, Clients clients) {
    this.settings = settings;
    this.clients = clients;
    this.identities = new Identities(settings.identities());
    this.limits = settings.limits().within(Runtime.getRuntime().maxMemory());
    this.admission = new Admission(limits);
    this.rejects = new Rejects(settings.rejectsDir());
  }

  /**
   * Reads the clients' file and checks the settings.
   *
   * @throws ConfigException if they do not allow inputs
   */
  static EdgeInputs of(WeirConfig config) {
    InputSettings settings = config.input();
    if (config.edge().gatewayId().isEmpty() || config.edge().spool().dir().isEmpty()) {
      throw new ConfigException(
          "weir.edge.listen, weir.mqtt.url and weir.sparkplug.url need weir.gateway.id and"
              + " weir.spool.dir: a reading is answered once it is on disk");
    }
    for (String address : settings.http().listen()) {
      requireSafe(settings, address);
    }
    try {
      return new EdgeInputs(settings, Clients.open(settings.clientsFile(), INPUTS, PARTS));
    } catch (YamlException e) {
      throw new ConfigException("weir.edge.clients.file: " + e.getMessage());
    }
  }

  private static void requireSafe(InputSettings settings, String address) {
    if (isLoopback(address)) {
      return;
    }
    if (settings.clientsFile().isEmpty()) {
      throw new ConfigException(
          "weir.edge.listen = "
              + address
              + ": expected: a loopback address, or weir.edge.clients.file to say who may write");
    }
    if (settings.http().tls().isEmpty() && !settings.plaintext()) {
      throw new ConfigException(
          "weir.edge.listen = "
              + address
              + ": expected: a loopback address, weir.edge.tls.cert and weir.edge.tls.key, or"
              + " weir.edge.plaintext=true");
    }
  }

  private static boolean isLoopback(String address) {
    try {
      return InetAddress.getByName(address.substring(0, address.lastIndexOf(':')))
          .isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** The publisher's settings, with what recognises repeats across a restart. */
  PublisherSettings.Builder remembering(PublisherSettings.Builder builder) {
    return settings.identities().dedup()
        ? builder.storedReadings(new StoredReadings(settings.identities().diskBytes(), identities))
        : builder;
  }

  /**
   * Starts to listen.
   *
   * @throws IOException with one line that names the address or file
   */
  void start(
      ReadingPublisher publisher, Limits readings, MeterRegistry registry, SparkplugEvents events)
      throws IOException {
    ReadingSink sink = ReadingSink.of(publisher);
    Intake intake =
        new Intake(sink, identities, readings.maxIdBytes(), limits.ackTimeout().toNanos());
    InputMetrics metrics = new InputMetrics(registry);
    metrics.show(intake, admission);
    settings
        .mqtt()
        .ifPresent(
            broker ->
                mqtt =
                    MqttInput.start(
                        broker,
                        intake,
                        readings,
                        broker.lines(settings.influx(), rejects),
                        metrics,
                        new MqttMetrics(registry)));
    settings
        .sparkplug()
        .ifPresent(
            nodes ->
                sparkplug =
                    SparkplugInput.start(
                        nodes, intake, metrics, new SparkplugMetrics(registry), events));
    if (settings.http().listen().isEmpty()) {
      return;
    }
    if (!limits.equals(settings.limits())) {
      LOG.info(
          "the heap allows {} bytes of requests: bodies of {}, decoded {}",
          limits.maxInflightBytes(),
          limits.maxBodyBytes(),
          limits.maxDecodedBytes());
    }
    int maxDecodedBytes = limits.maxDecodedBytes();
    List<HttpInput> inputs =
        List.of(
            new InfluxInput(intake, settings.influx(), rejects, metrics, maxDecodedBytes),
            new RemoteWriteInput(intake, settings.remoteWrite(), metrics, maxDecodedBytes),
            new OtlpInput(intake, settings.otlp(), metrics, maxDecodedBytes));
    server =
        HttpServer.start(
            settings.http(),
            new InputService(inputs, clients, admission, sink, metrics, limits.maxBodyBytes()));
  }

  /** The port of the first address. */
  int port() {
    return server.port();
  }

  /** Where readings are taken, for a person. */
  String describe() {
    String addresses = server == null ? "" : settings.http().listen() + ", port " + server.port();
    String brokers = brokers();
    return addresses + (addresses.isEmpty() || brokers.isEmpty() ? "" : " and from ") + brokers;
  }

  /** The brokers that are read, for a person; empty if there are none. */
  String brokers() {
    return Stream.concat(
            settings.mqtt().stream().map(MqttSettings::broker),
            settings.sparkplug().stream().map(SparkplugSettings::broker))
        .flatMap(broker -> broker.servers().stream())
        .map(URI::toString)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /**
   * Throws if an input has ended for good.
   *
   * @throws StartRefusedException with one line
   */
  void requireAlive() {
    requireAlive(mqtt == null ? null : mqtt.refused());
    requireAlive(sparkplug == null ? null : sparkplug.refused());
  }

  private static void requireAlive(CompletableFuture<MqttRefusedException> refused) {
    if (refused != null && refused.isDone()) {
      throw new StartRefusedException(refused.join().getMessage());
    }
  }

  @Override
  public void close() {
    stop();
    rejects.close();
  }

  /** Takes no new requests, finishes those in flight, and closes the connections. */
  void stop() {
    admission.close();
    if (mqtt != null) {
      mqtt.close();
    }
    if (sparkplug != null) {
      sparkplug.close();
    }
    try {
      admission.awaitNone(LAST_ANSWERS.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (server != null) {
      server.close();
    }
  }
}
