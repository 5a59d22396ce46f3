package commissioning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.weir.keyed.KeyedTestDriver;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link Commissioning} without a broker. */
class CommissioningTest {
  private final KeyedTestDriver driver =
      KeyedTestDriver.of(Commissioning.application(), Instant.parse("2026-01-01T00:00:00Z"));

  @AfterEach
  void close() {
    driver.close();
  }

  private Event.Builder reading(Value.Builder value) {
    return Event.newBuilder()
        .setKey("pump-1")
        .setType("reading")
        .setTimestampMs(driver.now().toEpochMilli())
        .putFields("value", value.build());
  }

  private static Value.Builder number(double value) {
    return Value.newBuilder().setDoubleValue(value);
  }

  private List<ProducerRecord<String, Long>> results() {
    return driver.emitted("commissioned", new StringDeserializer(), new LongDeserializer());
  }

  @Test
  void sensorWithEnoughReadings_isCommissionedAtTheFirstCheck() {
    driver.send(reading(number(1.5)).setStart(true).build());
    driver.send(reading(number(1.6)).build(), reading(number(1.7)).build());
    driver.advance(Duration.ofMillis(4_999));
    assertEquals(List.of(), results());
    driver.advance(Duration.ofMillis(1));
    assertEquals(3L, results().get(0).value());
    assertNull(driver.state("pump-1"));
  }

  @Test
  void silentSensor_failsAtTheThirdCheck() {
    driver.send(reading(number(1.5)).setStart(true).build());
    driver.restart(Duration.ofSeconds(1));
    driver.advance(Duration.ofSeconds(20));
    assertEquals(-1L, results().get(0).value());
  }

  @Test
  void readingWithoutANumber_isADeadLetter() {
    driver.send(
        reading(number(1.5)).setStart(true).build(),
        reading(Value.newBuilder().setStringValue("hot")).build());
    assertEquals("HANDLER", driver.deadLetters().get(0).reason());
    assertEquals(Instant.parse("2026-01-01T00:00:05Z"), driver.timers("pump-1").get("check"));
  }
}
