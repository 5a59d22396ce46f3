package commissioning;

import io.weir.keyed.EndReason;
import io.weir.keyed.KeyContext;
import io.weir.keyed.KeyHandler;
import io.weir.keyed.KeyedApplication;
import io.weir.keyed.Outcome;
import io.weir.keyed.StartOn;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.time.Duration;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The commissioning of sensors. An event with {@code start} begins that of a sensor, whose id is
 * the key; its first readings are events of the type {@code reading}. Five seconds later a check
 * looks whether enough of them came: then the sensor is commissioned, else it is checked again, up
 * to three times.
 *
 * <p>The state is how many readings came and how many checks there were. Results go to the topic
 * {@code commissioned}: key sensor id, value the number of readings, -1 for a sensor that failed.
 */
public final class Commissioning implements KeyHandler {
  private static final String RESULTS = "commissioned";
  private static final Duration CHECK_AFTER = Duration.ofSeconds(5);
  private static final int ENOUGH_READINGS = 3;
  private static final int MOST_CHECKS = 3;
  private static final Serde<String> STATE = Serdes.String();

  private record Progress(long readings, int checks) {
    static Progress of(KeyContext key) {
      String[] parts = key.state(STATE).split(" ");
      return new Progress(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
    }

    void keep(KeyContext key) {
      key.setState(STATE, readings + " " + checks);
    }
  }

  @Override
  public void start(KeyContext key) {
    new Progress(0, 0).keep(key);
    scheduleCheck(key);
  }

  private static void scheduleCheck(KeyContext key) {
    key.schedule("check", CHECK_AFTER, Event.newBuilder().setType("check").build());
  }

  @Override
  public Outcome event(KeyContext key, Event event) {
    return switch (event.getType()) {
      case "reading" -> reading(key, event);
      case "check" -> check(key);
      default -> Outcome.CONTINUE;
    };
  }

  private static Outcome reading(KeyContext key, Event event) {
    Value value = event.getFieldsOrThrow("value");
    if (!value.hasDoubleValue()) {
      // To the dead letters, and nothing of this call is kept.
      throw new IllegalArgumentException("a reading without a number");
    }
    Progress before = Progress.of(key);
    new Progress(before.readings() + 1, before.checks()).keep(key);
    return Outcome.CONTINUE;
  }

  private static Outcome check(KeyContext key) {
    Progress progress = Progress.of(key);
    if (progress.readings() >= ENOUGH_READINGS) {
      key.emit(RESULTS, key.key(), progress.readings());
      return Outcome.DONE;
    }
    if (progress.checks() + 1 == MOST_CHECKS) {
      key.emit(RESULTS, key.key(), -1L);
      return Outcome.DONE;
    }
    new Progress(progress.readings(), progress.checks() + 1).keep(key);
    scheduleCheck(key);
    return Outcome.CONTINUE;
  }

  @Override
  public void end(KeyContext key, EndReason reason) {
    System.err.println(key.key() + " has ended: " + reason);
  }

  /** The application, for {@link #main} and for tests. */
  static KeyedApplication.Builder application() {
    return KeyedApplication.builder("commissioning", Commissioning::new)
        .startOn(StartOn.START_EVENT)
        .retry(1) // A value that is no number will not be one later.
        .output(RESULTS, new StringSerializer(), new LongSerializer());
  }

  /** Settings are variables: WEIR_BOOTSTRAP_SERVERS, WEIR_HTTP_PORT ... */
  public static void main(String[] args) {
    application().run();
  }
}
