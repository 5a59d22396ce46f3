package io.weir.internal.app;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.TopicNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class ThreadDeathsTest {
  private static final int THREADS = 12;

  private final AtomicLong nowMs = new AtomicLong();
  private final List<String> ended = new ArrayList<>();
  private final ThreadDeaths deaths =
      new ThreadDeaths(nowMs::get, Acl.ofRun("weir", TopicNames.DEFAULT), THREADS, ended::add);

  @Test
  void death_isReplacedABoundedNumberOfTimes_thenTheProcessEnds() {
    for (int i = 0; i < THREADS * ThreadDeaths.REPLACEMENTS_A_THREAD; i++) {
      assertThat(deaths.handle(new StreamsException("again"))).isEqualTo(REPLACE_THREAD);
      assertThat(deaths.fatal()).isEmpty();
    }

    assertThat(deaths.handle(new StreamsException("once more"))).isEqualTo(SHUTDOWN_CLIENT);
    assertThat(deaths.fatal())
        .hasValueSatisfying(why -> assertThat(why).contains("repeatedly", "once more"));
    assertThat(ended).containsExactly(deaths.fatal().orElseThrow());
  }

  /** Twelve threads that all lose their brokers, again and again, for ten minutes. */
  @Test
  void outageOfTheBrokers_isNoReasonToEnd_howeverManyThreadsItCosts() {
    Throwable noAnswer = new StreamsException(new TimeoutException("no answer in 60000 ms"));
    for (int i = 0; i < 10 * THREADS * ThreadDeaths.REPLACEMENTS_A_THREAD; i++) {
      assertThat(deaths.handle(noAnswer)).isEqualTo(REPLACE_THREAD);
    }
    assertThat(deaths.handle(new StreamsException("a fault"))).isEqualTo(REPLACE_THREAD);
    assertThat(ended).isEmpty();
  }

  @Test
  void deathsLongAgo_areForgotten() {
    for (int i = 0; i < 100; i++) {
      nowMs.addAndGet(ThreadDeaths.WHILE_MS / 4);
      assertThat(deaths.handle(new StreamsException("now and then"))).isEqualTo(REPLACE_THREAD);
    }
  }

  @Test
  void deathThatAnotherThreadWouldDieToo_endsTheProcessAtOnce() {
    Throwable outOfMemory = new StreamsException(new OutOfMemoryError("Java heap space"));

    assertThat(deaths.handle(outOfMemory)).isEqualTo(SHUTDOWN_CLIENT);
    assertThat(deaths.fatal())
        .hasValueSatisfying(why -> assertThat(why).contains("Java heap space"));
  }

  @Test
  void whatIsNotAllowed_endsTheProcessAtOnce_namingWhatToAllow() {
    Throwable refused = new TopicAuthorizationException(Set.of("weir.late"));

    assertThat(deaths.handle(new StreamsException(refused))).isEqualTo(SHUTDOWN_CLIENT);
    assertThat(deaths.fatal())
        .hasValue(
            "Kafka denied access: Not authorized to access topics: [weir.late];"
                + " add WRITE, DESCRIBE_CONFIGS on topic weir.late");
  }
}
