package io.weir.cli;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.edge.PublisherMetrics;
import io.weir.edge.PublisherSettings;
import io.weir.edge.PublisherStatus;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.app.EdgeKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.Page;
import io.weir.internal.ops.ProcessPages;
import io.weir.internal.ops.Registration;
import io.weir.internal.ops.Reply;
import io.weir.internal.ops.StreamsMetric;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Health and metrics of a gateway, if a port is set for them. It is ready while its publisher
 * delivers readings to the brokers.
 */
final class EdgeWatch implements AutoCloseable {
  private static final double MS_PER_SECOND = 1_000;

  private final ProcessPages pages;
  private volatile Supplier<Reply.Text> ready =
      () -> readiness(new PublisherStatus(PublisherStatus.State.CONNECTING, ""));

  EdgeWatch(WeirConfig config) {
    pages =
        new ProcessPages(config, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), () -> "");
    pages.answer(
        config.http().edgePort(),
        EdgeKeys.EDGE_HTTP_PORT,
        Map.of(
            "/livez",
            request -> Page.yesOrNo(true, "running\n"),
            "/readyz",
            request -> ready.get()));
  }

  /** Starts a publisher whose meters are on the pages. */
  ReadingPublisher start(PublisherSettings settings) {
    ReadingPublisher publisher = ReadingPublisher.start(settings, registry());
    new Registration(registry())
        .milliseconds(StreamsMetric.SUCCESS_AGE, registry(), EdgeWatch::unableMs);
    return publisher;
  }

  /** The publisher's own gauge is of seconds, 0 while batches reach the brokers. */
  private static double unableMs(MeterRegistry registry) {
    Gauge unable = registry.find(PublisherMetrics.UNABLE_SECONDS).gauge();
    return unable == null ? 0 : unable.value() * MS_PER_SECOND;
  }

  /** The publisher whose status {@code /readyz} shows. */
  void show(ReadingPublisher publisher) {
    ready = () -> readiness(publisher.status());
  }

  /**
   * {@code /readyz} shows whether readings are accepted, for a gateway with inputs: its spool is
   * needed most while the brokers do not answer.
   */
  void showInputs(ReadingPublisher publisher) {
    ready = () -> acceptance(publisher.hasRoom(), publisher.status());
  }

  static Reply.Text acceptance(boolean accepts, PublisherStatus status) {
    return Page.yesOrNo(
        accepts, (accepts ? "accepts, " : "suspended, ") + readiness(status).text());
  }

  /** Yes while readings are published; the text is the state and its cause. */
  static Reply.Text readiness(PublisherStatus status) {
    String state = status.state().name().toLowerCase(Locale.ROOT);
    String cause = status.cause().isEmpty() ? "" : ": " + status.cause();
    return Page.yesOrNo(status.isPublishing(), state + cause + "\n");
  }

  /** Where the publisher's meters go. */
  MeterRegistry registry() {
    return pages.registry();
  }

  @Override
  public void close() {
    pages.close();
  }
}
