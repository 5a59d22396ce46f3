package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.lab.EmbeddedKafka;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.security.auth.login.LoginException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Weir logs in with each mechanism of SASL, by settings from the environment alone. */
@Timeout(300)
class SaslMechanismsTest {
  private static final String HOST = "127.0.0.1";
  private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
  private static final String OAUTH = "org.apache.kafka.common.security.oauthbearer.";
  private static final String PASSWORD = "of-weir-1";

  @TempDir private static Path dir;

  private static EmbeddedKafka kafka;
  private static String bootstrapServers;
  private static Path token;

  @BeforeAll
  static void start() throws Exception {
    RsaJsonWebKey key = RsaJwkGenerator.generateJwk(2048);
    key.setKeyId("k1");
    Path keys =
        Files.writeString(
            dir.resolve("keys.json"),
            new JsonWebKeySet(key).toJson(OutputControlLevel.PUBLIC_ONLY));
    token = Files.writeString(dir.resolve("token"), signed(key));
    System.setProperty(ALLOWED, token.toUri() + "," + keys.toUri());

    int[] ports = {freePort(), freePort(), freePort()};
    String clients = "CLIENTS://" + HOST + ":" + ports[0];
    String sasl = "SASL://" + HOST + ":" + ports[2];
    bootstrapServers = HOST + ":" + ports[2];
    String listener = "listener.name.sasl.";
    String modules = "org.apache.kafka.common.security.";
    Map<String, String> settings =
        Map.ofEntries(
            Map.entry("controller.quorum.voters", "1@" + HOST + ":" + ports[1]),
            Map.entry("listeners", clients + ",CONTROLLER://" + HOST + ":" + ports[1] + "," + sasl),
            Map.entry("advertised.listeners", clients + "," + sasl),
            Map.entry(
                "listener.security.protocol.map",
                "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL:SASL_PLAINTEXT"),
            Map.entry("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER"),
            Map.entry(
                listener + "plain.sasl.jaas.config",
                modules + "plain.PlainLoginModule required user_weir=\"" + PASSWORD + "\";"),
            Map.entry(
                listener + "scram-sha-256.sasl.jaas.config",
                modules + "scram.ScramLoginModule required;"),
            Map.entry(
                listener + "scram-sha-512.sasl.jaas.config",
                modules + "scram.ScramLoginModule required;"),
            Map.entry(
                listener + "oauthbearer.sasl.jaas.config",
                OAUTH + "OAuthBearerLoginModule required;"),
            Map.entry(
                listener + "oauthbearer.sasl.server.callback.handler.class",
                OAUTH + "OAuthBearerValidatorCallbackHandler"),
            Map.entry(
                listener + "oauthbearer.sasl.oauthbearer.jwks.endpoint.url",
                keys.toUri().toString()));
    kafka =
        EmbeddedKafka.start(
            EmbeddedKafka.Options.DEFAULT.withPort(ports[0]).withOverrides(settings));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      for (ScramMechanism mechanism :
          List.of(ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512)) {
        ScramCredentialInfo info = new ScramCredentialInfo(mechanism, 4096);
        admin
            .alterUserScramCredentials(
                List.of(new UserScramCredentialUpsertion("weir", info, PASSWORD)))
            .all()
            .get();
      }
    }
  }

  private static String signed(RsaJsonWebKey key) throws Exception {
    JwtClaims claims = new JwtClaims();
    claims.setSubject("weir");
    claims.setIssuedAtToNow();
    claims.setExpirationTimeMinutesInTheFuture(60);
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(claims.toJson());
    signature.setKey(key.getPrivateKey());
    signature.setKeyIdHeaderValue(key.getKeyId());
    signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
    return signature.getCompactSerialization();
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }

  @AfterAll
  static void stop() {
    System.clearProperty(ALLOWED);
    kafka.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"})
  void login_succeeds(String mechanism) {
    String module =
        switch (mechanism) {
          case "PLAIN" -> "plain.PlainLoginModule";
          case "OAUTHBEARER" -> "oauthbearer.OAuthBearerLoginModule";
          default -> "scram.ScramLoginModule";
        };
    String jaas =
        mechanism.equals("OAUTHBEARER")
            ? " required;"
            : " required username=\"weir\" password=\"" + PASSWORD + "\";";
    try (Admin admin =
        Admin.create(settings(mechanism, "org.apache.kafka.common.security." + module + jaas))) {
      assertThat(new TopicAdmin(admin, TopicNames.DEFAULT).verify()).isNotEmpty();
    }
  }

  /** Java itself has it; there is no key distribution centre here. */
  @Test
  void kerberos_isThere_andSaysWhatItLacks() {
    String jaas =
        "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true keyTab=\"/none\""
            + " storeKey=true principal=\"weir@EXAMPLE.COM\";";
    assertThatThrownBy(() -> Admin.create(settings("GSSAPI", jaas)))
        .hasRootCauseInstanceOf(LoginException.class);
  }

  private static Map<String, Object> settings(String mechanism, String jaas) {
    Map<String, String> environment = new HashMap<>();
    environment.put("WEIR_BOOTSTRAP_SERVERS", bootstrapServers);
    environment.put("KAFKA_SECURITY_PROTOCOL", "SASL_PLAINTEXT");
    environment.put("KAFKA_SASL_MECHANISM", mechanism);
    environment.put("KAFKA_SASL_JAAS_CONFIG", jaas);
    environment.put("KAFKA_SASL_KERBEROS_SERVICE_NAME", "kafka");
    if (mechanism.equals("OAUTHBEARER")) {
      environment.put(
          "KAFKA_SASL_LOGIN_CALLBACK_HANDLER_CLASS", OAUTH + "OAuthBearerLoginCallbackHandler");
      environment.put("KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL", token.toUri().toString());
    }
    return WeirConfig.of(new Properties(), environment, Map.of()).kafka().forAdmin();
  }
}
