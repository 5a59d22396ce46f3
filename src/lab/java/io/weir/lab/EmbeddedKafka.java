package io.weir.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import kafka.server.KafkaConfig;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/**
 * A whole Kafka in this JVM: one node, broker and controller at once, reachable from this machine
 * alone. Up in about two seconds. Topics are never created by merely naming them.
 *
 * <p>A crash of this JVM takes it along: a broker that is to be killed hard needs a process of its
 * own. What was written before a kill, or a crash, of the process alone is there after it, and
 * transactions that were under way are ended (see {@link StaleRegistration}). Safe for many
 * threads; {@link #close()} may be called twice.
 */
public final class EmbeddedKafka implements AutoCloseable {
  private static final String HOST = "127.0.0.1";

  private final String bootstrapServers;
  private final BrokerStorage storage;
  private final CombinedNode node;
  private boolean closed;

  private EmbeddedKafka(int port, BrokerStorage storage, CombinedNode node) {
    this.bootstrapServers = HOST + ":" + port;
    this.storage = storage;
    this.node = node;
  }

  /**
   * How the broker is to be.
   *
   * @param port where clients find it; 0 for any that is free
   * @param dataDir kept when the broker closes, and taken up again by the next one that is given
   *     it; empty for a temporary one that is deleted
   * @param overrides broker settings by their Kafka names, stronger than those made here
   * @param clusterId what a new directory is formatted for, the same for all nodes of a cluster
   */
  public record Options(
      int port, Optional<Path> dataDir, Map<String, String> overrides, Uuid clusterId) {
    /** Any port, a temporary directory. */
    public static final Options DEFAULT =
        new Options(0, Optional.empty(), Map.of(), Uuid.randomUuid());

    public Options {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("port = " + port + ": 0 to 65535 is allowed");
      }
      Objects.requireNonNull(dataDir);
      overrides = Map.copyOf(overrides);
    }

    public Options withPort(int newPort) {
      return new Options(newPort, dataDir, overrides, clusterId);
    }

    public Options withDataDir(Path newDataDir) {
      return new Options(port, Optional.of(newDataDir), overrides, clusterId);
    }

    public Options withOverrides(Map<String, String> newOverrides) {
      return new Options(port, dataDir, newOverrides, clusterId);
    }

    public Options withClusterId(Uuid newClusterId) {
      return new Options(port, dataDir, overrides, newClusterId);
    }
  }

  /** Starts a broker on a free port with a temporary directory; returns when it takes clients. */
  public static EmbeddedKafka start() {
    return start(Options.DEFAULT);
  }

  /**
   * Starts a broker; returns when it takes clients.
   *
   * @throws UncheckedIOException if the port is taken or the directory cannot be used
   */
  public static EmbeddedKafka start(Options options) {
    return start(options, Time.SYSTEM);
  }

  /**
   * Starts a broker with a clock of its own, which it writes append times by.
   *
   * @throws UncheckedIOException if the port is taken or the directory cannot be used
   */
  public static EmbeddedKafka start(Options options, Time time) {
    try {
      int[] ports = freePorts(options.port());
      BrokerStorage storage =
          options.dataDir().isPresent()
              ? BrokerStorage.of(options.dataDir().get())
              : BrokerStorage.temporary();
      try {
        return new EmbeddedKafka(ports[0], storage, boot(ports, storage, options, time));
      } catch (IOException | RuntimeException | Error e) {
        storage.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Where clients find it, {@code host:port}. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Stops the broker, its logs flushed, and deletes its directory where that was temporary. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    node.stop();
    storage.close();
  }

  private static CombinedNode boot(int[] ports, BrokerStorage storage, Options options, Time time)
      throws IOException {
    Properties properties =
        BrokerProperties.of(HOST, ports[0], ports[1], storage.dir(), options.overrides());
    storage.formatIfNew(properties, options.clusterId());
    CombinedNode node = new CombinedNode(new KafkaConfig(properties, false), time);
    try {
      node.start();
      return node;
    } catch (RuntimeException | Error e) {
      node.stop();
      if (rootOf(e) instanceof BindException taken) {
        throw taken(ports[0], taken); // Since it was looked at.
      }
      throw e;
    }
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static IOException taken(int port, IOException why) {
    return new IOException("port " + port + " on " + HOST + ": " + why.getMessage(), why);
  }

  /**
   * The client port asked for, or a free one, and a free one for the controller. A port that is
   * taken has to be found here: Kafka's answer to it is to end the process.
   */
  private static int[] freePorts(int clientPort) throws IOException {
    InetAddress loopback = InetAddress.getByName(HOST);
    try (ServerSocket clients = new ServerSocket();
        ServerSocket controller = new ServerSocket(0, 1, loopback)) {
      clients.setReuseAddress(true);
      clients.bind(new InetSocketAddress(loopback, clientPort));
      return new int[] {clients.getLocalPort(), controller.getLocalPort()};
    } catch (IOException e) {
      throw taken(clientPort, e);
    }
  }
}
