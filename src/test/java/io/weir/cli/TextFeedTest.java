package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextFormat;
import io.weir.reading.Limits;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class TextFeedTest {
  private static final PublisherSettings NOWHERE =
      PublisherSettings.builder("gateway").bootstrapServers("localhost:1").build();

  @Test
  void stop_whileAPipeHasHalfALine_takesWholeLinesOnly() throws Exception {
    AtomicLong accepted = new AtomicLong();
    AtomicBoolean stopped = new AtomicBoolean();
    PipedOutputStream pipe = new PipedOutputStream();
    BooleanSupplier stopAfterOne =
        () -> {
          stopped.compareAndSet(false, accepted.get() == 1);
          return stopped.get();
        };
    PipedInputStream reading = new PipedInputStream(pipe);
    StoppableInput input = new StoppableInput(() -> reading, stopAfterOne);
    pipe.write("sensor_id,timestamp_ms,value\na,1,1\na,2,12".getBytes(StandardCharsets.UTF_8));
    pipe.flush();

    ReadingPublisher publisher = ReadingPublisher.start(NOWHERE);
    try (pipe;
        ReadingTextReader reader =
            ReadingTextReader.open(
                List.of("-"), Pipes.of(input), TextFormat.DETECT, Limits.DEFAULT)) {
      TextFeed feed = new TextFeed(reader, publisher, Optional.empty());
      feed.run(stopped::get, () -> accepted.set(feed.accepted()));

      assertThat(feed.accepted()).isEqualTo(1);
      assertThat(feed.bad()).isZero();
    } finally {
      publisher.close(Duration.ZERO);
    }
  }
}
