package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.event.LiveKey;
import io.weir.internal.event.Timer;
import io.weir.internal.text.Printable;
import io.weir.topic.SensorPartition;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code weir keys show}: the state of a key. */
@Command(
    name = "show",
    description = "Show the state, timers and waiting events of a key.",
    footer = {
      "",
      "Reads the application's changelog, committed records only: what the key was at the last",
      "commit. Prints lines of a name, a tab and a value: key, partition, started, state bytes,",
      "state (text, or base64 if it is no printable text), timer (id, tab, due time), retry",
      "(failures, tab, time of the next attempt) and waiting events.",
      "Exit status: 0 done, 1 the key is not alive, or failed, 2 wrong usage.",
      "",
      "Examples:",
      "  weir keys show posts post_1"
    })
final class KeysShowCommand extends KeysOfApplication {
  @Override
  int run(WeirConfig config) {
    LiveKey found = read(config).orElseThrow(this::notAlive);
    Results out = Results.standard();
    out.line("key\t" + Printable.line(key()));
    out.line("partition\t" + SensorPartition.of(key()));
    out.line("started\t" + (found.isStarted() ? time(found.startedMs()) : "no"));
    byte[] state = found.state() == null ? new byte[0] : found.state();
    out.line("state bytes\t" + state.length);
    if (state.length > 0) {
      out.line("state\t" + text(state));
    }
    List<Timer> timers =
        found.timers().stream().sorted(Comparator.comparingLong(Timer::dueMs)).toList();
    for (Timer timer : timers) {
      out.line(
          timer.isRetry()
              ? "retry\t" + timer.everyMs() + "\t" + time(timer.dueMs())
              : "timer\t" + Printable.line(timer.id()) + "\t" + time(timer.dueMs()));
    }
    out.line("waiting events\t" + found.waitingEvents());
    out.flush();
    return 0;
  }

  private static String time(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  private static String text(byte[] state) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(state)).toString();
      if (text.equals(Printable.line(text))) {
        return text;
      }
    } catch (CharacterCodingException e) {
      // It is no text.
    }
    return Base64.getEncoder().encodeToString(state);
  }
}
