package io.weir.edge;

import com.sun.management.OperatingSystemMXBean;
import io.weir.reading.Reading;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A gateway with the publisher's defaults in a process of its own, with as little heap as it is
 * given. Says a line of figures.
 */
final class SmallMachine {
  private static final String ID_START = "x".repeat(248);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private SmallMachine() {}

  /**
   * Runs a command: {@code fill} without brokers until offers are suspended, {@code send} so many
   * readings with distinct ids of 256 bytes, or {@code steady} for so many seconds.
   *
   * @param args what, the bootstrap servers, how many, milliseconds of the flush interval
   */
  public static void main(String[] args) throws InterruptedException {
    PublisherSettings.Builder settings =
        PublisherSettings.builder("small").bootstrapServers(args[1]);
    if (args.length > 3) {
      settings.flushInterval(Duration.ofMillis(Long.parseLong(args[3])));
    }
    ReadingPublisher publisher = ReadingPublisher.start(settings.build());
    switch (args[0]) {
      case "fill" -> fill(publisher);
      case "send" -> send(publisher, Integer.parseInt(args[2]));
      default -> steady(publisher, Integer.parseInt(args[2]));
    }
  }

  private static void fill(ReadingPublisher publisher) {
    int accepted = 0;
    while (publisher.offer(longest(accepted)) == Offer.ACCEPTED) {
      accepted++;
    }
    System.gc();
    long usedBytes = usedHeapBytes();
    CloseReport report = publisher.close(Duration.ZERO);
    long handedOut = report.state().orElseThrow().unacknowledgedReadings();
    System.out.printf(
        "accepted %d handed-out %d heap-MiB %d%n", accepted, handedOut, usedBytes >> 20);
  }

  private static void send(ReadingPublisher publisher, int readings) throws InterruptedException {
    for (int i = 0; i < readings; i++) {
      if (publisher.offer(longest(i), TIMEOUT) != Offer.ACCEPTED) {
        throw new IllegalStateException("suspended for long: " + publisher.status());
      }
    }
    boolean sent = publisher.flush(TIMEOUT);
    CloseReport report = publisher.close(TIMEOUT);
    System.out.printf("sent %d complete %b%n", readings, sent && report.unsentReadings() == 0);
  }

  /** 100 readings a second of 100 sensors; a first minute, of compilation, is not counted. */
  private static void steady(ReadingPublisher publisher, int seconds) {
    long startNanos = System.nanoTime();
    long cpuBefore = 0;
    for (int i = 0; i < 100 * (60 + seconds); i++) {
      if (i == 6_000) {
        cpuBefore = cpuNanos();
      }
      publisher.offer(new Reading("sensor-" + i % 100, System.currentTimeMillis(), i));
      LockSupport.parkNanos(
          startNanos + TimeUnit.MILLISECONDS.toNanos(10L * i) - System.nanoTime());
    }
    double cpuSeconds = (cpuNanos() - cpuBefore) / 1e9;
    publisher.close(TIMEOUT);
    System.out.printf(
        "cpu-percent-of-a-core %.1f heap-MiB %d%n",
        100 * cpuSeconds / seconds, usedHeapBytes() >> 20);
  }

  private static Reading longest(int number) {
    return new Reading(ID_START + String.format("%08d", number), 1_700_000_000_000L + number, 1);
  }

  private static long usedHeapBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
