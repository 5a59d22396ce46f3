package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.lab.EmbeddedKafka;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
@EnabledOnOs(OS.LINUX)
class NetworkThreadTest {
  private static final int DEATHS = 8;

  /** As where memory runs out in Kafka's network thread, again and again. */
  @Test
  void producersWhoseNetworkThreadDied_areSeenToBeDead_andLeaveNoDescriptors() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      KafkaRig.createTopic(kafka.bootstrapServers(), "weir.readings", Map.of());
      PublisherSettings settings =
          PublisherSettings.builder("dying").bootstrapServers(kafka.bootstrapServers()).build();
      die(settings);
      long before = descriptors();
      for (int death = 0; death < DEATHS; death++) {
        die(settings);
      }

      while (descriptors() >= before + DEATHS && !Thread.currentThread().isInterrupted()) {
        // The broker closes its end of each connection in its own time.
        Await.pause();
      }
      assertThat(descriptors()).isLessThan(before + DEATHS);
    }
  }

  private static void die(PublisherSettings settings) throws InterruptedException {
    KafkaBatchSender sender =
        KafkaBatchSender.open(settings, settings.valueFormat(), ReadingBatch.getDefaultInstance());
    Thread network = networkThread();
    assertThat(sender.isAlive()).isTrue();
    sender.send(
        new SequencedBatch(1, 5, 1, 1, new byte[] {1}),
        failure -> {
          throw new OutOfMemoryError("planted");
        });
    network.join();
    assertThat(sender.isAlive()).isFalse();
    sender.close();
  }

  private static Thread networkThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("network-thread | weir-publisher-dying"))
        .filter(Thread::isAlive)
        .findAny()
        .orElseThrow();
  }

  /** Sockets and what waits for them; a broker opens files of its own meanwhile. */
  private static long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(NetworkThreadTest::isOfANetwork).count();
    }
  }

  private static boolean isOfANetwork(Path descriptor) {
    try {
      String opened = Files.readSymbolicLink(descriptor).toString();
      return opened.startsWith("socket:") || opened.startsWith("anon_inode:");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }
}
