package io.weir.lab.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** {@code weir sink --replay-rejects} in a process of its own. One thread at a time. */
final class RejectsReplay extends SinkApplication {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int NO_MEMBER = 99;

  RejectsReplay(ChaosSettings settings, String bootstrapServers, String jdbcUrl, Path dir) {
    super(NO_MEMBER, settings, bootstrapServers, jdbcUrl, dir);
  }

  @Override
  String instanceId() {
    return "replay";
  }

  @Override
  List<String> command() {
    return List.of(WEIR, "sink", "--replay-rejects");
  }

  /** Runs it; says whether it ended well. */
  boolean run() {
    start();
    boolean ended = awaitEnd(TIMEOUT);
    close();
    return ended;
  }
}
