package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.BasicConfigurator;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.junit.jupiter.api.Test;

class QuietLogTest {
  private static LoggerContext unconfigured() {
    LoggerContext context = new LoggerContext();
    new BasicConfigurator().configure(context);
    return context;
  }

  @Test
  void withoutConfiguration_kafkaWarns_andNobodyWritesDebug() {
    LoggerContext context = unconfigured();
    assertThat(context.getLogger("org.apache.kafka.clients.Metadata").isDebugEnabled()).isTrue();
    QuietLog.OfLogback.apply(context);
    assertThat(context.getLogger("org.apache.kafka.clients.Metadata").getEffectiveLevel())
        .isEqualTo(Level.WARN);
    assertThat(context.getLogger("io.weir.internal").getEffectiveLevel()).isEqualTo(Level.INFO);
    assertThat(context.getLogger("org.example").isDebugEnabled()).isFalse();
  }

  @Test
  void levelsThatTheProgramHasSet_stay() {
    LoggerContext context = unconfigured();
    context.getLogger("org.apache.kafka").setLevel(Level.DEBUG);
    QuietLog.OfLogback.apply(context);
    assertThat(context.getLogger("org.apache.kafka.clients").isDebugEnabled()).isTrue();
    assertThat(context.getLogger("org.example").isDebugEnabled()).isTrue();
  }
}
