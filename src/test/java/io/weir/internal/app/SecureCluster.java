package io.weir.internal.app;

import io.weir.lab.EmbeddedKafka;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePattern;

/**
 * A broker with TLS, passwords and authorisation on one listener, and another one for the test
 * itself, which may do everything. Certificates are made again each time.
 */
final class SecureCluster implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final String STORE_PASSWORD = "of-the-store-1";
  private static final String SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule";

  private final Path dir;
  private final EmbeddedKafka kafka;
  private final Admin admin;
  private final String bootstrapServers;

  private SecureCluster(Path dir, EmbeddedKafka kafka, String bootstrapServers) {
    this.dir = dir;
    this.kafka = kafka;
    this.admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    this.bootstrapServers = bootstrapServers;
  }

  static SecureCluster start(Path dir) throws IOException, InterruptedException {
    makeKeys(dir);
    int[] ports = freePorts(3);
    String clients = "CLIENTS://" + HOST + ":" + ports[0];
    String controller = "CONTROLLER://" + HOST + ":" + ports[1];
    String secure = "SECURE://" + HOST + ":" + ports[2];
    Map<String, String> settings =
        Map.ofEntries(
            Map.entry("controller.quorum.voters", "1@" + HOST + ":" + ports[1]),
            Map.entry("listeners", clients + "," + controller + "," + secure),
            Map.entry("advertised.listeners", clients + "," + secure),
            Map.entry(
                "listener.security.protocol.map",
                "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL"),
            Map.entry("sasl.enabled.mechanisms", "SCRAM-SHA-512"),
            Map.entry("listener.name.secure.scram-sha-512.sasl.jaas.config", SCRAM + " required;"),
            Map.entry("listener.name.secure.ssl.keystore.location", dir + "/broker.p12"),
            Map.entry("listener.name.secure.ssl.keystore.password", STORE_PASSWORD),
            Map.entry("listener.name.secure.ssl.keystore.type", "PKCS12"),
            Map.entry(
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
            Map.entry("super.users", "User:ANONYMOUS"));
    EmbeddedKafka kafka =
        EmbeddedKafka.start(
            EmbeddedKafka.Options.DEFAULT.withPort(ports[0]).withOverrides(settings));
    return new SecureCluster(dir, kafka, HOST + ":" + ports[2]);
  }

  /** A key for the broker, and a store of those whom clients trust. */
  private static void makeKeys(Path dir) throws IOException, InterruptedException {
    keytool(
        "-genkeypair -alias broker -keyalg EC -dname CN=127.0.0.1 -ext san=ip:127.0.0.1"
            + (" -validity 2 -storetype PKCS12 -keystore " + dir + "/broker.p12"));
    keytool("-exportcert -alias broker -keystore " + dir + "/broker.p12 -file " + dir + "/broker");
    keytool(
        "-importcert -noprompt -alias broker -storetype PKCS12 -keystore "
            + (dir + "/trust.p12 -file " + dir + "/broker"));
  }

  private static void keytool(String arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments.split(" ")));
    command.addAll(List.of("-storepass", STORE_PASSWORD));
    File said = File.createTempFile("weir-keytool-", ".log");
    Process keytool =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said).start();
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool " + arguments + ": " + Files.readString(said.toPath()));
    }
    Files.delete(said.toPath());
  }

  private static int[] freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getByName(HOST)));
      }
      return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** May do everything. */
  Admin admin() {
    return admin;
  }

  /** Where whoever may do everything finds it. */
  String openBootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** Where users find it. */
  String bootstrapServers() {
    return bootstrapServers;
  }

  /** Adds a user. */
  void addUser(String name, String password) throws Exception {
    ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
    admin
        .alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(name, info, password)))
        .all()
        .get();
  }

  void allow(String user, List<Acl> rights) throws Exception {
    admin.createAcls(rights.stream().map(right -> binding(user, right)).toList()).all().get();
  }

  void forbid(String user, Acl right) throws Exception {
    admin.deleteAcls(List.of(binding(user, right).toFilter())).all().get();
  }

  private static AclBinding binding(String user, Acl right) {
    return new AclBinding(
        new ResourcePattern(right.resource(), right.name(), right.pattern()),
        new AccessControlEntry("User:" + user, "*", right.operation(), AclPermissionType.ALLOW));
  }

  /** The environment of a process of that user; its secrets are in files. */
  Map<String, String> environment(String user, String password) throws IOException {
    Path jaas = dir.resolve(user + ".jaas");
    Files.writeString(
        jaas, SCRAM + " required username=\"" + user + "\" password=\"" + password + "\";\n");
    Path storePassword = Files.writeString(dir.resolve("trust.password"), STORE_PASSWORD + "\n");
    return Map.of(
        "WEIR_BOOTSTRAP_SERVERS",
        bootstrapServers,
        "KAFKA_SECURITY_PROTOCOL",
        "SASL_SSL",
        "KAFKA_SASL_MECHANISM",
        "SCRAM-SHA-512",
        "KAFKA_SASL_JAAS_CONFIG_FILE",
        jaas.toString(),
        "KAFKA_SSL_TRUSTSTORE_LOCATION",
        dir.resolve("trust.p12").toString(),
        "KAFKA_SSL_TRUSTSTORE_TYPE",
        "PKCS12",
        "KAFKA_SSL_TRUSTSTORE_PASSWORD_FILE",
        storePassword.toString());
  }

  @Override
  public void close() {
    admin.close();
    kafka.close();
  }
}
