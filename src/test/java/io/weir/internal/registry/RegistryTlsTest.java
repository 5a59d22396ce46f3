package io.weir.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.weir.internal.registry.RestRegistry.RegistryTls;
import io.weir.internal.wire.SchemaKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS by the settings that Kafka's own clients take. */
@Timeout(60)
class RegistryTlsTest {
  @TempDir private Path dir;

  /** A key of the loopback's own, in a store that serves as key store and as trust store. */
  private Path keyStore() throws Exception {
    Path store = dir.resolve("registry.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "registry",
                "-keyalg",
                "EC",
                "-dname",
                "CN=registry",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    return store;
  }

  private static SSLContext serverContext(Path store) {
    return RegistryTls.of(
            Map.of(
                "ssl.keystore.type", "PKCS12",
                "ssl.keystore.location", store.toString(),
                "ssl.keystore.password", "changeit"))
        .context();
  }

  @Test
  void kafkasTrustStore_isTheRegistrysToo() throws Exception {
    Path store = keyStore();
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(serverContext(store)));
    server.createContext(
        "/",
        exchange ->
            FakeRegistry.send(exchange, 200, "{\"schemaType\":\"JSON\",\"schema\":\"{}\"}"));
    server.start();
    try {
      Map<String, Object> settings = new HashMap<>();
      settings.put(RegistrySettings.URL, "https://127.0.0.1:" + server.getAddress().getPort());
      settings.put(RegistrySettings.MAX_RETRIES, 0);
      assertThatThrownBy(() -> schema(settings))
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining("certification path");

      settings.put("ssl.truststore.type", "PKCS12");
      settings.put("ssl.truststore.location", store.toString());
      settings.put("ssl.truststore.password", "changeit");
      settings.put("ssl.enabled.protocols", "TLSv1.3");
      assertThat(schema(settings)).isEqualTo(new Schema("JSON", "{}", List.of()));

      settings.put("ssl.engine.factory.class", DefaultSslEngineFactory.class);
      assertThatThrownBy(() -> schema(settings)).hasMessageContaining("ssl.engine.factory.class");
    } finally {
      server.stop(0);
    }
  }

  private static Schema schema(Map<String, Object> settings) {
    return Registries.open(RegistrySettings.of(settings)).schema(new SchemaKey.Id(1));
  }
}
