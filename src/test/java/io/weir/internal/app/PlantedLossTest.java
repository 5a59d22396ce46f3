package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Mutant;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A state that was lost, and is taken for whole once retention has deleted what it lacks. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class PlantedLossTest {
  private static final String TEST =
      "stateThatEndsBeforeTheOffsets_isRefused_alsoOnceRetentionHasDeletedWhatItLacks";

  @TempDir private Path dir;

  @Test
  void stateThatIsAcceptedAfterRetention_isSeen() {
    Mutant mutant =
        new Mutant()
            .with("io.weir.internal.app.BrokerInputLog", "requireUnread(input, nextOffset);", "");

    assertThatThrownBy(() -> run(mutant)).isInstanceOf(AssertionError.class);
  }

  @Test
  void noBug_isNotSeen() {
    assertThatCode(() -> run(new Mutant())).doesNotThrowAnyException();
  }

  /** As JUnit would run it. */
  private void run(Mutant mutant) throws Throwable {
    Class<?> tests = mutant.load("io.weir.internal.app.LostStateOnKafkaTest");
    Constructor<?> made = accessible(tests.getDeclaredConstructor());
    Object test = made.newInstance();
    Field directory = accessible(tests.getDeclaredField("dir"));
    directory.set(test, dir);
    call(tests, test, "startBroker");
    try {
      call(tests, test, TEST);
    } finally {
      call(tests, test, "stopBroker");
    }
  }

  private static void call(Class<?> tests, Object test, String name) throws Throwable {
    Method method = accessible(tests.getDeclaredMethod(name));
    try {
      method.invoke(test);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T extends AccessibleObject> T accessible(T member) {
    member.setAccessible(true);
    return member;
  }
}
