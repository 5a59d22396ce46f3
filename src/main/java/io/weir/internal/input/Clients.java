package io.weir.internal.input;

import io.weir.internal.yaml.YamlException;
import io.weir.internal.yaml.YamlFile;
import io.weir.internal.yaml.YamlMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients of a file, by the SHA-256 of their tokens; read again when the file changes. A file
 * that cannot be read any more changes nothing and is logged. Thread-safe.
 */
public final class Clients {
  private static final Logger LOG = LoggerFactory.getLogger(Clients.class);
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final String HEX_DIGITS = "64 hexadecimal digits; weir token new prints them";

  private final Optional<Path> file;
  private final Set<String> inputs;
  private final Set<String> templateParts;
  private final String[] fields;
  private volatile Map<String, Client> byHash;
  private String seen;
  private long lookedAtNanos;

  private Clients(Optional<Path> file, Set<String> inputs, Set<String> templateParts) {
    this.file = file;
    this.inputs = inputs;
    this.templateParts = templateParts;
    this.fields =
        inputs.isEmpty()
            ? new String[] {"name", "token-sha256"}
            : new String[] {"name", "token-sha256", "inputs", "sensors", "sensor-id"};
  }

  /**
   * The clients of a file; every client is {@link Client#LOCAL} without one.
   *
   * @param inputs names of the inputs
   * @param templateParts parts that a client's template may have
   * @throws YamlException with one line that names file, place and what is wrong
   */
  public static Clients open(Optional<Path> file, Set<String> inputs, Set<String> templateParts) {
    Clients clients = new Clients(file, inputs, templateParts);
    clients.seen = clients.stamp();
    clients.byHash = file.map(clients::read).orElse(Map.of());
    clients.lookedAtNanos = System.nanoTime();
    return clients;
  }

  /** Whether a request needs a token. */
  public boolean haveTokens() {
    return file.isPresent();
  }

  /** The client with a token; empty if there is none. */
  public Optional<Client> find(Optional<String> token) {
    if (file.isEmpty()) {
      return Optional.of(Client.LOCAL);
    }
    return token.map(presented -> byHash().get(hash(presented)));
  }

  /** All clients by the hash of their token. */
  public Map<String, Client> byHash() {
    readAgain();
    return byHash;
  }

  /** The SHA-256 of a token in hexadecimal digits. */
  public static String hash(String token) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private synchronized void readAgain() {
    if (System.nanoTime() - lookedAtNanos < LOOK_NANOS) {
      return;
    }
    lookedAtNanos = System.nanoTime();
    String now = stamp();
    if (now.equals(seen)) {
      return;
    }
    seen = now;
    try {
      byHash = read(file.get());
      LOG.info("{}: {} clients", file.get(), byHash.size());
    } catch (YamlException e) {
      LOG.error("{}; the clients read before stay", e.getMessage());
    }
  }

  private String stamp() {
    try {
      return file.isEmpty()
          ? ""
          : Files.getLastModifiedTime(file.get()) + " " + Files.size(file.get());
    } catch (IOException e) {
      return e.toString();
    }
  }

  private Map<String, Client> read(Path path) {
    YamlMap root = YamlFile.read(path, "client", "name").root();
    root.allow("clients");
    Map<String, Client> clients = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (YamlMap each : root.maps("clients")) {
      each.allow(fields);
      String name = each.text("name", "the client's name");
      if (!names.add(name)) {
        throw each.wrong("name", "another client has it");
      }
      String hash = each.text("token-sha256", HEX_DIGITS);
      if (!hash.matches("[0-9a-f]{64}")) {
        throw each.wrong("token-sha256", "expected: " + HEX_DIGITS);
      }
      if (clients.put(hash, client(each, name)) != null) {
        throw each.wrong("token-sha256", "another client has it");
      }
    }
    return Map.copyOf(clients);
  }

  private Client client(YamlMap each, String name) {
    List<String> allowed = each.has("inputs") ? each.texts("inputs") : List.of();
    if (!inputs.containsAll(allowed)) {
      throw each.wrong("inputs", "expected: some of " + inputs.stream().sorted().toList());
    }
    List<String> sensors = each.has("sensors") ? each.texts("sensors") : List.of();
    return new Client(name, Set.copyOf(allowed), List.copyOf(sensors), template(each));
  }

  private Optional<SensorTemplate> template(YamlMap each) {
    try {
      return each.find("sensor-id").map(text -> SensorTemplate.parse(text, templateParts));
    } catch (IllegalArgumentException e) {
      throw each.wrong("sensor-id", e.getMessage());
    }
  }
}
