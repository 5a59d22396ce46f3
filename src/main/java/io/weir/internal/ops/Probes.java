package io.weir.internal.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.app.Dependency;
import io.weir.internal.app.Service;
import io.weir.internal.text.Printable;
import io.weir.internal.time.MonotonicClock;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The pages {@code /livez} and {@code /readyz}: during the start the reason for a wait, then the
 * state of the service. It is live until it fails: then only a new process can continue. Safe for
 * many threads.
 */
public final class Probes {
  private volatile String waitsFor = "the checks of Kafka";
  private volatile Service service;
  private final long openedMs = MonotonicClock.millis();

  /** The application waits with its start. */
  public void waiting(String what) {
    waitsFor = what;
  }

  /** The service was started. */
  public void running(Service started) {
    service = started;
  }

  /** The two pages, by path. */
  public Map<String, Page> pages() {
    return Map.of(
        "/livez", request -> Page.yesOrNo(isLive(), describe()),
        "/readyz", request -> Page.yesOrNo(isReady(), describe()));
  }

  /** Registers whether it is ready, and since when nothing has succeeded. */
  public void bindTo(MeterRegistry registry) {
    Registration meters = new Registration(registry);
    meters.gauge(StreamsMetric.READY, this, probes -> probes.isReady() ? 1 : 0);
    meters.milliseconds(StreamsMetric.SUCCESS_AGE, this, Probes::successAgeMs);
    for (Dependency dependency : Dependency.values()) {
      meters.milliseconds(
          StreamsMetric.WAITING,
          this,
          probes -> probes.waitedMs(dependency),
          "for",
          dependency.name().toLowerCase(Locale.ROOT));
    }
  }

  private long successAgeMs() {
    Service started = service;
    return started == null ? MonotonicClock.millis() - openedMs : started.successAgeMs();
  }

  /** Before the start only Kafka is asked. */
  private long waitedMs(Dependency dependency) {
    Service started = service;
    if (started != null) {
      return started.waits().getOrDefault(dependency, 0L);
    }
    return dependency == Dependency.KAFKA ? successAgeMs() : 0;
  }

  private boolean isLive() {
    return failure().isEmpty();
  }

  private boolean isReady() {
    Service started = service;
    return started != null && !started.ended().isDone() && started.isReady();
  }

  private Optional<String> failure() {
    Service started = service;
    boolean ended = started != null && started.ended().isDone();
    return ended ? started.ended().join() : Optional.empty();
  }

  private String describe() {
    Service started = service;
    String text =
        started == null
            ? "STARTING, waiting for: " + waitsFor
            : started.describe() + failure().map(why -> ": " + why).orElse("");
    return Printable.line(text) + "\n";
  }
}
