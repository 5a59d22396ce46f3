package io.weir.lab.chaos;

import io.weir.keyed.KeyContext;
import io.weir.keyed.KeyHandler;
import io.weir.keyed.KeyedApplication;
import io.weir.keyed.Outcome;
import io.weir.lab.oracle.RelayWords;
import io.weir.v1.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A process with two applications on one topic of events: posts, whose calls fail now and then and
 * are repeated, send events to accounts, which count them. Arguments: a planted bug, and settings
 * by their names.
 */
public final class RelayProgram {
  static final String POSTS = "chaos-posts";
  static final String ACCOUNTS = "chaos-accounts";
  private static final Serde<String> STATE = Serdes.String();
  private static final String SERVERS = "--bootstrap.servers=";
  private static final int ACCOUNTS_COUNT = 16;
  private static final long FAILS_FOR_MS = 700;
  private static final long LATER_MS = 2_000;

  private RelayProgram() {}

  /** Runs until the process is ended, or one of the applications ends. */
  public static void main(String... arguments) {
    PlantedBug bug = PlantedBug.valueOf(arguments[0]);
    if (bug == PlantedBug.SEND_OUTSIDE_TRANSACTION) {
      OutsideSends.open(
          Stream.of(arguments)
              .filter(each -> each.startsWith(SERVERS))
              .map(each -> each.substring(SERVERS.length()))
              .findAny()
              .orElseThrow());
    }
    List<KeyedApplication> applications;
    try {
      applications =
          List.of(
              start(POSTS, () -> new Posts(bug), arguments),
              start(ACCOUNTS, Counts::new, arguments));
    } catch (IllegalStateException e) {
      e.printStackTrace();
      System.exit(1); // Or the threads of the first application keep the process alive.
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> applications.forEach(RelayProgram::end)));
    CompletableFuture.anyOf(
            applications.stream().map(KeyedApplication::ended).toArray(CompletableFuture[]::new))
        .join();
    System.exit(1);
  }

  private static void end(KeyedApplication application) {
    application.close();
  }

  private static KeyedApplication start(
      String id, Supplier<? extends KeyHandler> handlers, String... arguments) {
    KeyedApplication.Builder builder =
        KeyedApplication.builder(id, handlers)
            .retry(4, Duration.ofMillis(300), Duration.ofSeconds(1))
            .output(RelayWords.OUT, new StringSerializer(), new StringSerializer());
    for (int i = 1; i < arguments.length; i++) {
      String[] nameAndValue = arguments[i].substring(2).split("=", 2);
      builder.setting(nameAndValue[0], nameAndValue[1]);
    }
    return builder.start();
  }

  /** Counts the events of keys that begin with a word; of others there is no state. */
  private static class Counts implements KeyHandler {
    private final String keys;

    Counts() {
      this(RelayWords.ACCOUNT);
    }

    Counts(String keys) {
      this.keys = keys;
    }

    @Override
    public void start(KeyContext key) {
      // There is a state from the first event on.
    }

    @Override
    public Outcome event(KeyContext key, Event event) {
      if (!key.key().startsWith(keys)) {
        return Outcome.DONE;
      }
      String before = key.state(STATE);
      long count = before == null ? 1 : Long.parseLong(before) + 1;
      key.setState(STATE, Long.toString(count));
      key.emit(RelayWords.OUT, key.key(), event.getSubject() + " " + count);
      return Outcome.CONTINUE;
    }
  }

  private static final class Posts extends Counts {
    private final PlantedBug bug;

    Posts(PlantedBug bug) {
      super(RelayWords.POST);
      this.bug = bug;
    }

    @Override
    public Outcome event(KeyContext key, Event event) {
      if (!key.key().startsWith(RelayWords.POST)) {
        return Outcome.DONE;
      }
      long nowMs = key.now().toEpochMilli();
      boolean fails = fails(event, nowMs);
      if (fails && bug == PlantedBug.RETRY_LOST) {
        return Outcome.CONTINUE;
      }
      if (fails && bug == PlantedBug.RETRY_OVERTAKEN && !isAlways(event)) {
        key.schedule(event.getSubject(), Duration.ofMillis(FAILS_FOR_MS), event);
        return Outcome.CONTINUE;
      }
      Event.Builder sent =
          Event.newBuilder()
              .setKey(
                  RelayWords.ACCOUNT + Math.floorMod(event.getSubject().hashCode(), ACCOUNTS_COUNT))
              .setSubject(event.getSubject());
      if (event.getType().startsWith(RelayWords.LATER)) {
        key.sendAt(sent.setId(event.getSubject()).build(), nowMs + LATER_MS);
      } else if (bug == PlantedBug.SEND_OUTSIDE_TRANSACTION) {
        OutsideSends.send(sent.setTimestampMs(nowMs).build());
      } else {
        key.send(sent.build());
      }
      if (fails) {
        throw new IllegalStateException("as the event asks");
      }
      return super.event(key, event);
    }

    private static boolean fails(Event event, long nowMs) {
      return isAlways(event)
          || event.getType().contains(RelayWords.FAILS_AT_FIRST)
              && nowMs - event.getTimestampMs() < FAILS_FOR_MS;
    }

    private static boolean isAlways(Event event) {
      return event.getType().contains(RelayWords.FAILS_ALWAYS);
    }
  }
}
