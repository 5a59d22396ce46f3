package io.weir.lab.chaos;

import io.weir.keyed.EndReason;
import io.weir.keyed.KeyContext;
import io.weir.keyed.KeyHandler;
import io.weir.keyed.KeyedApplication;
import io.weir.keyed.Outcome;
import io.weir.keyed.StartOn;
import io.weir.lab.oracle.ScriptedHandler;
import io.weir.v1.Event;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A process with handlers that do what events say, some of which throw at some times. Arguments: a
 * planted bug, and settings by their names.
 */
public final class HandlerProgram {
  static final String APPLICATION_ID = "chaos-handlers";
  static final Duration IDLE_END = Duration.ofSeconds(4);

  private HandlerProgram() {}

  /** Runs until the process is ended. */
  public static void main(String... arguments) {
    KeyedApplication.Builder builder =
        KeyedApplication.builder(APPLICATION_ID, handlers(PlantedBug.valueOf(arguments[0])))
            .startOn(StartOn.START_EVENT)
            .idleEnd(IDLE_END)
            .retry(1) // The naive handlers expect a dead letter of each failure.
            .output(ScriptedHandler.OUT, new StringSerializer(), new StringSerializer());
    for (int i = 1; i < arguments.length; i++) {
      String[] nameAndValue = arguments[i].substring(2).split("=", 2);
      builder.setting(nameAndValue[0], nameAndValue[1]);
    }
    builder.run();
  }

  private static Supplier<? extends KeyHandler> handlers(PlantedBug bug) {
    return switch (bug) {
      case FAILED_END_LEAVES_NOTHING -> EndsAllTheSame::new;
      case FAILED_TIMER_IS_CONSUMED -> ForgetsTimers::new;
      default -> ScriptedHandler::new;
    };
  }

  /** Seen from outside, a key that is deleted although its end failed. */
  private static final class EndsAllTheSame extends ScriptedHandler {
    @Override
    public void end(KeyContext key, EndReason reason) {
      if (!failsAt(key.now().toEpochMilli())) {
        super.end(key, reason);
      }
    }
  }

  /** Seen from outside, a timer that is consumed although its call failed. */
  private static final class ForgetsTimers extends ScriptedHandler {
    @Override
    public Outcome event(KeyContext key, Event event) {
      return event.getDueMs() > 0 && failsAt(event, key.now().toEpochMilli())
          ? Outcome.CONTINUE
          : super.event(key, event);
    }
  }
}
