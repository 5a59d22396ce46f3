package io.weir.internal.app;

import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.InputLimits;
import io.weir.internal.input.http.ListenSettings;
import io.weir.internal.input.influx.InfluxSettings;
import io.weir.internal.input.mqtt.MqttSettings;
import io.weir.internal.input.otlp.OtlpSettings;
import io.weir.internal.input.prometheus.RemoteWriteSettings;
import io.weir.internal.input.sparkplug.SparkplugSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the inputs of {@code weir edge}.
 *
 * @param http where they listen; no address: there are no inputs
 * @param plaintext whether other addresses than loopback are allowed without TLS
 * @param clientsFile of the clients that may write; empty: every client
 * @param identities how repeats are recognised
 * @param limits of requests
 * @param rejectsDir of refused lines
 * @param influx how line protocol is read
 * @param remoteWrite how Prometheus remote write is read
 * @param otlp how OpenTelemetry's metrics are read
 * @param mqtt where messages come from; empty for nowhere
 * @param sparkplug which edge nodes are read; empty for none
 */
public record InputSettings(
    ListenSettings http,
    boolean plaintext,
    Optional<Path> clientsFile,
    IdentitySettings identities,
    InputLimits limits,
    Optional<Path> rejectsDir,
    InfluxSettings influx,
    RemoteWriteSettings remoteWrite,
    OtlpSettings otlp,
    Optional<MqttSettings> mqtt,
    Optional<SparkplugSettings> sparkplug) {

  /** Whether there are inputs besides files. */
  public boolean any() {
    return !http.listen().isEmpty() || mqtt.isPresent() || sparkplug.isPresent();
  }

  static InputSettings of(Settings settings) {
    InputLimits limits =
        new InputLimits(
            settings.get(InputKeys.MAX_BODY_BYTES),
            settings.get(InputKeys.MAX_DECODED_BYTES),
            settings.get(InputKeys.MAX_REQUESTS),
            settings.get(InputKeys.MAX_INFLIGHT_BYTES),
            settings.get(InputKeys.MAX_CONNECTIONS),
            settings.get(InputKeys.IDLE_TIMEOUT),
            settings.get(InputKeys.ACK_TIMEOUT));
    return new InputSettings(
        new ListenSettings(
            settings.find(InputKeys.LISTEN).map(text -> List.of(text.split(","))).orElse(List.of()),
            tls(settings),
            limits.maxConnections(),
            limits.idleTimeout()),
        settings.get(InputKeys.PLAINTEXT),
        settings.find(InputKeys.CLIENTS_FILE),
        new IdentitySettings(
            settings.get(InputKeys.DEDUP),
            settings.get(InputKeys.DEDUP_BYTES),
            settings.get(InputKeys.DEDUP_DISK),
            settings.get(InputKeys.ID_COLLISIONS),
            settings.get(Keys.MAX_SENSORS_PER_GATEWAY)),
        limits,
        settings.find(InputKeys.REJECTS_DIR),
        new InfluxSettings(
            settings.get(InputKeys.INFLUX_SENSOR_ID),
            settings.get(InputKeys.INFLUX_MISSING_TIME),
            settings.get(InputKeys.INFLUX_DATABASES)),
        new RemoteWriteSettings(
            settings.get(InputKeys.REMOTE_WRITE_SENSOR_ID),
            settings.get(InputKeys.REMOTE_WRITE_NON_FINITE),
            settings.get(InputKeys.REMOTE_WRITE_HISTOGRAMS),
            settings.get(EdgeKeys.ORDERED)),
        new OtlpSettings(
            settings.get(InputKeys.OTLP_SENSOR_ID),
            settings.get(InputKeys.OTLP_RESOURCE),
            settings.get(InputKeys.OTLP_HISTOGRAMS)),
        MqttKeys.of(settings),
        SparkplugKeys.of(settings));
  }

  private static Optional<ListenSettings.Tls> tls(Settings settings) {
    Optional<Path> cert = settings.find(InputKeys.TLS_CERT);
    Optional<Path> key = settings.find(InputKeys.TLS_KEY);
    if (cert.isPresent() != key.isPresent()) {
      throw settings.refusal(
          InputKeys.TLS_CERT, "expected: weir.edge.tls.cert and weir.edge.tls.key, or neither");
    }
    return cert.map(
        chain ->
            new ListenSettings.Tls(
                chain, key.orElseThrow(), settings.find(InputKeys.TLS_CLIENT_CA)));
  }
}
