package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.KEY;

import io.weir.keyed.KeyedDriver.Options;
import io.weir.v1.Event;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;

/** A handler in a topology. */
abstract class HandlerFixture {
  KeyedDriver driver;

  @AfterEach
  void close() {
    if (driver != null) {
      driver.close();
    }
  }

  /** A handler that is its event method. */
  record EventOnly(BiFunction<KeyContext, Event, Outcome> body) implements KeyHandler {
    @Override
    public void start(KeyContext key) {}

    @Override
    public Outcome event(KeyContext key, Event event) {
      return body.apply(key, event);
    }
  }

  void open(Options options, BiFunction<KeyContext, Event, Outcome> body) {
    driver = new KeyedDriver(options, () -> new EventOnly(body));
  }

  void open(BiConsumer<KeyContext, Event> body) {
    open(
        Options.DEFAULT,
        (key, event) -> {
          body.accept(key, event);
          return Outcome.CONTINUE;
        });
  }

  Event event(String type) {
    return Event.newBuilder().setKey(KEY).setType(type).setTimestampMs(driver.nowMs()).build();
  }
}
