package io.weir.internal.input.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.input.Client;
import io.weir.internal.input.Clients;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.Outcome;
import io.weir.internal.input.Sensor;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.influx.LineMessages;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextForm;
import io.weir.internal.text.TextFormat;
import io.weir.internal.text.TextLine;
import io.weir.internal.text.Utf8;
import io.weir.internal.text.ValueForm;
import io.weir.reading.Limits;
import io.weir.reading.Quality;
import io.weir.reading.RejectReason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Offers the readings of messages: a number, JSON, CSV with its header, or line protocol. A message
 * without a time of its own has the time of its arrival. For one thread.
 */
final class MessageDecoder {
  private static final Client CLIENT = new Client("mqtt", Set.of(), List.of(), Optional.empty());
  private static final int NANOS = 1_000_000;

  /** Each reading of a message has a copy of it. */
  private static final int MOST_TOPIC = 1_024;

  private static final int HASH_DIGITS = 16;
  private static final String MALFORMED_JSON = "MALFORMED_JSON";
  private static final String MALFORMED_CSV = "MALFORMED_CSV";
  private static final String TYPE = "type";

  /** Of a reading in the form that Weir's files have. */
  private static final String SENSOR_ID = "sensor_id";

  private static final String TIMESTAMP = "timestamp_ms";
  private static final String VALUE = "value";
  private static final String QUALITY = "quality";

  private final MqttSettings.Payload payload;
  private final Optional<SensorTemplate> template;
  private final LineMessages lines;
  private final MappedMessages mapped;
  private final Limits limits;

  MessageDecoder(MqttSettings settings, LineMessages lines, Limits limits) {
    this.payload = settings.payload();
    this.template = settings.sensorId();
    this.mapped = new MappedMessages(settings.mappings(), limits);
    this.lines = lines;
    this.limits = limits;
  }

  /** Offers the readings of a message; what is no reading is counted. */
  MessageTally decode(MqttMessage message, long arrivalNanos, Delivery delivery) {
    return mapped
        .decode(message, arrivalNanos, delivery)
        .orElseGet(() -> new Decoding(message, arrivalNanos, delivery).run());
  }

  private final class Decoding {
    private final MqttMessage message;
    private final byte[] body;
    private final long arrivalNanos;
    private final Delivery delivery;
    private final MessageTally tally = new MessageTally();

    Decoding(MqttMessage message, long arrivalNanos, Delivery delivery) {
      this.message = message;
      this.body = message.payload();
      this.arrivalNanos = arrivalNanos;
      this.delivery = delivery;
    }

    MessageTally run() {
      if (body.length == 0) {
        tally.skip("empty");
        return tally;
      }
      if (message.topic().length() > MOST_TOPIC) {
        tally.refuse(RejectReason.SENSOR_ID_TOO_LONG.name());
        return tally;
      }
      switch (form()) {
        case NUMBER -> number();
        case JSON -> json();
        case CSV -> csv();
        default -> lines();
      }
      return tally;
    }

    private MqttSettings.Payload form() {
      if (payload != MqttSettings.Payload.AUTO) {
        return payload;
      }
      return switch (ValueForm.of(body)) {
        case JSON -> MqttSettings.Payload.JSON;
        case NUMBER -> MqttSettings.Payload.NUMBER;
        case LINE -> MqttSettings.Payload.LINE;
        case CSV -> MqttSettings.Payload.CSV;
      };
    }

    private void number() {
      double value = ValueForm.number(body);
      if (Double.isNaN(value)) {
        tally.refuse("INVALID_VALUE");
      } else {
        offer("", value, null);
      }
    }

    private void json() {
      Object root;
      try {
        root = JsonMessage.read(body);
      } catch (JsonMessage.TooManyException e) {
        tally.refuse("TOO_MANY_VALUES");
        return;
      } catch (IOException e) {
        tally.refuse(MALFORMED_JSON);
        return;
      }
      if (root instanceof List<?> elements) {
        elements.forEach(this::element);
      } else {
        element(root);
      }
    }

    private void element(Object value) {
      if (!(value instanceof Map<?, ?> object)) {
        tally.skip(TYPE);
      } else if (object.containsKey(SENSOR_ID) && object.containsKey(VALUE)) {
        reading(object);
      } else {
        object.forEach(
            (name, field) -> {
              if (!name.equals(TIMESTAMP)) {
                field(object, (String) name, field);
              }
            });
      }
    }

    private void reading(Map<?, ?> object) {
      double value = number(object.get(VALUE));
      Quality quality = object.containsKey(QUALITY) ? quality(object.get(QUALITY)) : Quality.GOOD;
      if (Double.isNaN(value)) {
        tally.refuse("INVALID_VALUE");
      } else if (quality == null) {
        tally.refuse("INVALID_QUALITY");
      } else {
        String id = String.valueOf(object.get(SENSOR_ID));
        offer(Sensor.of(id, id.getBytes(UTF_8), id), value, object, quality);
      }
    }

    private static Quality quality(Object name) {
      return Arrays.stream(Quality.values())
          .filter(quality -> quality.name().equalsIgnoreCase(String.valueOf(name)))
          .findFirst()
          .orElse(null);
    }

    private void field(Map<?, ?> object, String name, Object field) {
      double value = number(field);
      if (Double.isNaN(value)) {
        tally.skip(TYPE);
      } else {
        offer(name, value, object);
      }
    }

    /** NaN if it is none; JSON has no NaN. */
    private static double number(Object value) {
      if (value instanceof Boolean flag) {
        return flag ? 1 : 0;
      }
      return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private void offer(String column, double value, Map<?, ?> object) {
      String id =
          template
              .map(parts -> parts.id((name, argument) -> part(column, object, name, argument)))
              .orElse(column.isEmpty() ? message.topic() : message.topic() + "/" + column);
      if (id.isEmpty()) {
        tally.refuse("MISSING_SENSOR_ID");
        return;
      }
      offer(Sensor.of(id, id.getBytes(UTF_8), series(column)), value, object, Quality.GOOD);
    }

    private String series(String column) {
      return message.topic() + " " + column;
    }

    private String part(String column, Map<?, ?> object, String name, String argument) {
      return switch (name) {
        case "topic" ->
            argument.isEmpty() ? message.topic() : TopicParts.of(message.topic(), argument);
        case "column", "field" -> column;
        case "client" -> CLIENT.name();
        case "hash" -> Clients.hash(series(column)).substring(0, HASH_DIGITS);
        case "path" -> object == null ? null : path(object, argument);
        default -> null;
      };
    }

    private static String path(Map<?, ?> object, String argument) {
      Object at = object;
      for (String step : argument.replaceFirst("^\\$\\.?", "").split("\\.")) {
        at = at instanceof Map<?, ?> map ? map.get(step) : null;
      }
      return at == null || at instanceof Map || at instanceof List ? null : at.toString();
    }

    private void offer(Sensor sensor, double value, Map<?, ?> object, Quality quality) {
      if (Utf8.hasLoneSurrogate(sensor.id())) {
        tally.refuse(Outcome.SENSOR_ID_NOT_TEXT.name());
      } else if (object == null || !object.containsKey(TIMESTAMP)) {
        tally.withArrivalTime++;
        count(
            delivery.offer(
                sensor,
                Math.floorDiv(arrivalNanos, NANOS),
                Math.floorMod(arrivalNanos, NANOS),
                value,
                quality));
      } else if (object.get(TIMESTAMP) instanceof Long timestampMs) {
        count(delivery.offer(sensor, timestampMs, 0, value, quality));
      } else {
        tally.refuse("INVALID_TIMESTAMP");
      }
    }

    private void count(Outcome outcome) {
      outcome.refusal().ifPresent(tally::refuse);
    }

    private void lines() {
      LineMessages.Result result =
          lines.decode(CLIENT, message.topic(), body, arrivalNanos, delivery);
      result
          .refusals()
          .forEach((reason, count) -> tally.refused.merge(reason, count, Integer::sum));
      if (result.skipped() > 0) {
        tally.skipped.merge(TYPE, result.skipped(), Integer::sum);
      }
      tally.withArrivalTime += result.withoutTime();
    }

    private void csv() {
      if (isGzip()) {
        tally.refuse(MALFORMED_CSV);
        return;
      }
      try (ReadingTextReader reader =
          ReadingTextReader.open(
              List.of("-"),
              name -> new ByteArrayInputStream(body),
              TextForm.of(TextFormat.CSV),
              limits)) {
        for (TextLine line = reader.next(); line != null; line = reader.next()) {
          if (line instanceof TextLine.Good good) {
            String id = good.reading().sensorId();
            count(
                delivery.offer(
                    Sensor.of(id, id.getBytes(UTF_8), id),
                    good.reading().timestampMs(),
                    0,
                    good.reading().value(),
                    good.reading().quality()));
          } else if (line instanceof TextLine.Bad bad) {
            tally.refuse(bad.reason().name());
          }
        }
      } catch (IOException e) {
        tally.refuse(MALFORMED_CSV);
      }
    }

    /** A file would be unpacked, and some kilobytes may be gigabytes. */
    private boolean isGzip() {
      return body.length > 1 && body[0] == 0x1f && body[1] == (byte) 0x8b;
    }
  }
}
