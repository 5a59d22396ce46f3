package io.weir.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.edge.CloseReport;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.app.Publishers;
import io.weir.internal.app.Service;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.Meters;
import io.weir.internal.serve.Serve;
import io.weir.topic.TopicAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;

/**
 * {@code weir run}, {@code weir edge --listen} and {@code weir serve} in this process, on a cluster
 * that is there. One thread starts and closes it.
 */
public final class LocalSite implements AutoCloseable {
  private static final Duration LAST_SENDS = Duration.ofSeconds(30);

  private final PrintWriter err;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private Service run;
  private Serve serve;
  private EdgeInputs inputs;
  private ReadingPublisher publisher;

  private LocalSite(PrintWriter err) {
    this.err = err;
  }

  /**
   * Makes the topics that are missing, and starts all parts.
   *
   * @param err takes messages for people
   * @throws IOException if an address or a directory cannot be used
   * @throws StartRefusedException if a part does not start
   */
  public static LocalSite start(WeirConfig config, PrintWriter err) throws IOException {
    LocalSite site = new LocalSite(err);
    try {
      site.open(config);
      return site;
    } catch (IOException | RuntimeException | Error e) {
      site.close();
      throw e;
    }
  }

  private void open(WeirConfig config) throws IOException {
    config.status().plan();
    config.serve().requireSafe();
    MeterRegistry registry = new SimpleMeterRegistry();
    try (Admin admin = Connections.admin(config.kafka())) {
      new TopicAdmin(admin, config.topics(), config.topicOptions()).createMissing();
    }
    serve = page(config, registry);
    parts.push(serve::close);
    Service application = WeirApplication.start(config, new Meters(registry));
    run = application;
    parts.push(application::close);
    Refusals refusals = new Refusals(err, "weir up", "readings");
    parts.push(refusals::summarize);
    inputs = EdgeInputs.of(config);
    parts.push(inputs);
    try {
      publisher =
          ReadingPublisher.start(
              Publishers.build(inputs.remembering(EdgeCommand.builder(config, err, refusals))),
              registry);
    } catch (UncheckedIOException e) {
      throw new IOException("weir.spool.dir: " + e.getCause().getMessage(), e);
    }
    parts.push(this::closePublisher);
    SparkplugEvents events = SparkplugEvents.start(config, registry);
    parts.push(events::close);
    inputs.start(publisher, config.limits(), registry, events);
    parts.push(inputs::stop);
  }

  /**
   * The page alone, on topics that are there.
   *
   * @throws StartRefusedException if it does not start
   */
  public static Serve page(WeirConfig config, MeterRegistry registry) {
    config.serve().requireSafe();
    return Serve.start(config, registry, () -> ServeCommand.findings(config, List.of()));
  }

  /** The port of the page. */
  public int pagePort() {
    return serve.port();
  }

  /** Sends what is written to it; closed with this. */
  public ReadingPublisher publisher() {
    return publisher;
  }

  /** The MQTT brokers that are read, for a person; empty if there are none. */
  public String inputBrokers() {
    return inputs.brokers();
  }

  /** The port that takes readings. */
  public int inputPort() {
    return inputs.port();
  }

  /**
   * Fails if a part has ended by itself.
   *
   * @throws StartRefusedException with its reason
   */
  public void requireAlive() {
    inputs.requireAlive();
    for (Service part : List.of(run, serve)) {
      if (part.ended().isDone()) {
        throw new StartRefusedException(part.ended().join().orElse("a part has ended"));
      }
    }
  }

  private void closePublisher() {
    CloseReport report = publisher.close(LAST_SENDS);
    if (!report.complete()) {
      err.println(
          "weir up: "
              + report.unsentReadings()
              + " readings are stored and sent at the next start");
    }
  }

  /** Stops the parts in the order of the data: what was accepted is sent. */
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        err.println("weir up: " + e);
      }
    }
  }
}
