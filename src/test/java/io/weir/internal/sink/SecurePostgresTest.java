package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.collect.CollectSchema;
import io.weir.internal.postgres.Database;
import io.weir.internal.postgres.PostgresRefusedException;
import io.weir.internal.postgres.SqlFailures;
import io.weir.lab.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that takes nobody but by TLS and SCRAM, with a certificate that names 127.0.0.1 and not
 * 127.0.0.2; passwords are in files.
 */
@Timeout(300)
class SecurePostgresTest {
  private static final String STORE_PASSWORD = "of-the-store-1";
  private static final String PASSWORD = "correct horse, battery \u00fc";
  private static final Pattern PORT = Pattern.compile(":(\\d+)/");

  @TempDir static Path dir;

  private static EmbeddedPostgres postgres;
  private static String port;

  @BeforeAll
  static void start() throws Exception {
    makeKey("server");
    makeKey("stranger");
    Path rules = dir.resolve("rules");
    Files.writeString(
        rules,
        """
        host    all weir  127.0.0.1/32 trust
        hostssl all plant 127.0.0.0/8  scram-sha-256
        """);
    postgres =
        EmbeddedPostgres.start(
            0,
            Map.of(
                "listen_addresses",
                "127.0.0.1,127.0.0.2",
                "hba_file",
                rules.toString(),
                "password_encryption",
                "scram-sha-256",
                "ssl",
                "on",
                "ssl_cert_file",
                dir.resolve("server.crt").toString(),
                "ssl_key_file",
                dir.resolve("server.key").toString()));
    Matcher found = PORT.matcher(postgres.jdbcUrl());
    assertThat(found.find()).isTrue();
    port = found.group(1);
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create role plant login password '" + PASSWORD + "'");
      statement.execute("create schema plant authorization plant");
    }
  }

  @AfterAll
  static void stop() {
    if (postgres != null) {
      postgres.close();
    }
  }

  @Test
  void sinkAndCollector_connectByTlsAndScram_withPasswordsFromFiles() throws Exception {
    WeirConfig config = config("127.0.0.1", "&sslmode=verify-full", "server", PASSWORD);

    assertThat(SinkSchema.init(config.sink())).isNotEmpty();
    assertThat(CollectSchema.init(config.collect(), true)).isNotEmpty();

    Database database =
        new Database(SinkSchema.address(config.sink()), Database.Limits.of(Duration.ofSeconds(10)));
    try (Connection connection = database.open();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select ssl, current_user from pg_stat_ssl where pid = pg_backend_pid()")) {
      row.next();
      assertThat(row.getBoolean("ssl")).isTrue();
      assertThat(row.getString("current_user")).isEqualTo("plant");
    }
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select rolpassword from pg_authid where rolname = 'plant'")) {
      row.next();
      assertThat(row.getString(1)).startsWith("SCRAM-SHA-256$");
    }
  }

  @Test
  void whatDoesNotFit_isRefusedWithALineThatNamesTheSetting() throws Exception {
    assertRefused(
        config("127.0.0.1", "&sslmode=verify-full", "server", "wrong"), "weir.sink.jdbc.password");
    assertRefused(config("127.0.0.1", "&sslmode=verify-full", "stranger", PASSWORD), "sslrootcert");
    assertRefused(
        config("127.0.0.2", "&sslmode=verify-full", "server", PASSWORD),
        "; check sslrootcert and the host name");
    assertRefused(config("127.0.0.1", "&sslmode=disable", "server", PASSWORD), "no encryption");
  }

  @Test
  void aNameThatDoesNotFit_isNothingThatTimeHeals() throws Exception {
    WeirConfig config = config("127.0.0.2", "&sslmode=verify-full", "server", PASSWORD);
    Database database =
        new Database(SinkSchema.address(config.sink()), Database.Limits.of(Duration.ofSeconds(10)));

    assertThatThrownBy(database::open)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(SqlFailures.of(e)).isEqualTo(SqlFailures.FATAL));
  }

  private static void assertRefused(WeirConfig config, String word) {
    assertThatThrownBy(() -> SinkSchema.init(config.sink()))
        .isInstanceOf(PostgresRefusedException.class)
        .hasMessageContaining(word)
        .hasMessageNotContaining(PASSWORD)
        .hasMessageNotContaining("\n");
  }

  private static WeirConfig config(String host, String mode, String trusted, String password)
      throws IOException {
    Path file = Files.createTempFile(dir, "password", "");
    Files.writeString(file, password + "\n");
    String url =
        "jdbc:postgresql://%s:%s/postgres?currentSchema=plant&sslrootcert=%s%s"
            .formatted(host, port, dir.resolve(trusted + ".crt"), mode);
    return WeirConfig.of(
        new Properties(),
        Map.of(
            "WEIR_SINK_JDBC_PASSWORD_FILE", file.toString(),
            "WEIR_COLLECT_JDBC_PASSWORD_FILE", file.toString()),
        Map.of(
            "sink.jdbc.url",
            url,
            "sink.jdbc.user",
            "plant",
            "collect.jdbc.url",
            url,
            "collect.jdbc.user",
            "plant"));
  }

  /** A key and its certificate as PEM; the key is for its owner alone, or the server refuses it. */
  private static void makeKey(String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = dir.resolve(name + ".p12");
    keytool(
        "-genkeypair -alias a -keyalg RSA -keysize 2048 -dname CN=127.0.0.1 -ext san=ip:127.0.0.1"
            + (" -validity 2 -storetype PKCS12 -keystore " + store));
    KeyStore keys = KeyStore.getInstance(store.toFile(), STORE_PASSWORD.toCharArray());
    Path key = dir.resolve(name + ".key");
    Files.createFile(
        key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(
        key, pem("PRIVATE KEY", keys.getKey("a", STORE_PASSWORD.toCharArray()).getEncoded()));
    Files.writeString(
        dir.resolve(name + ".crt"), pem("CERTIFICATE", keys.getCertificate("a").getEncoded()));
  }

  private static String pem(String what, byte[] bytes) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, lines, what);
  }

  private static void keytool(String arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(
        System.getProperty("java.home") + File.separator + "bin" + File.separator + "keytool");
    command.addAll(List.of(arguments.split(" ")));
    command.addAll(List.of("-storepass", STORE_PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }
}
