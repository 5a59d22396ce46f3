package io.weir.internal.input.influx;

import io.weir.internal.input.Client;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.SensorTemplate;
import java.util.Map;

/** Line protocol that does not come over HTTP. Thread-safe. */
public final class LineMessages {
  private final LineSensors sensors;
  private final boolean takesArrival;
  private final Rejects rejects;
  private final SensorCache cache = new SensorCache();

  /** Parts of sensor ids from the database, which is the topic of a message. */
  @FunctionalInterface
  public interface Parts {
    /** Null if it is missing. */
    String value(String database, String name, String argument);
  }

  public LineMessages(InfluxSettings settings, Rejects rejects) {
    this(settings, settings.template(), (database, name, argument) -> null, rejects);
  }

  /** Lines with a template of their own. */
  public LineMessages(
      InfluxSettings settings, SensorTemplate template, Parts parts, Rejects rejects) {
    this.sensors = new LineSensors(template, parts);
    this.takesArrival = settings.missingTime() == InfluxSettings.MissingTime.ARRIVAL;
    this.rejects = rejects;
  }

  /**
   * What became of the lines of a message.
   *
   * @param refusals number of refused readings by reason
   * @param skipped lines without a number
   * @param withoutTime readings with the time of their arrival
   */
  public record Result(Map<String, Integer> refusals, int skipped, int withoutTime) {}

  /**
   * Offers the readings of a message.
   *
   * @param database the part {db} of sensor ids
   * @param arrivalNanos its arrival, in ns since 1970
   */
  public Result decode(
      Client client, String database, byte[] body, long arrivalNanos, Delivery delivery) {
    LineReport report =
        new LineDecoder(
                sensors,
                cache,
                new LineSource(client, database, ""),
                Precision.NS,
                takesArrival ? arrivalNanos : -1,
                delivery,
                rejects)
            .decode(body, body.length);
    rejects.flush();
    return new Result(report.refusals(), report.skippedLines(), report.readingsWithoutTime());
  }
}
