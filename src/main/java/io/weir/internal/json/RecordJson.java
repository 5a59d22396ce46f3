package io.weir.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Message;
import io.weir.summary.Derived;
import io.weir.topic.Topic;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * A record as one line of JSON: its message's fields, headers on topics with original records, then
 * topic, partition and offset. A value that cannot be decoded is in {@code value_base64}; a header
 * that is not UTF-8 is in base64 too, with the suffix {@code _base64}.
 */
public final class RecordJson {
  private static final JsonFactory JSON = new JsonFactory();

  private RecordJson() {}

  public static String line(Topic topic, ConsumerRecord<byte[], byte[]> record) {
    return line(topic, topic, record, Optional.empty(), false);
  }

  /**
   * The same.
   *
   * @param topic topic of the record
   * @param content topic whose message type the record has
   * @param times writes each time also as a text
   * @param derived whether to add values derived from a window's fields
   */
  public static String line(
      Topic topic,
      Topic content,
      ConsumerRecord<byte[], byte[]> record,
      Optional<ReadableTimes> times,
      boolean derived) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      writeValue(content, record.value(), times, derived, json);
      if (topic.holdsOriginals()) {
        writeHeaders(record.headers(), json);
      }
      json.writeStringField("topic", record.topic());
      json.writeNumberField("partition", record.partition());
      json.writeNumberField("offset", record.offset());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // A StringWriter never throws.
    }
    return line.toString();
  }

  private static void writeValue(
      Topic topic, byte[] value, Optional<ReadableTimes> times, boolean derived, JsonGenerator json)
      throws IOException {
    if (value == null) {
      json.writeNullField("value_base64");
      return;
    }
    if (topic.latestOf().isPresent() && SummaryJson.is(value)) {
      SummaryJson.copyMembers(value, json);
      return;
    }
    Optional<Message> message = TopicMessages.read(topic, value);
    if (message.isEmpty()) {
      json.writeBinaryField("value_base64", value);
      return;
    }
    MessageJson.writeFields(message.get(), times, json);
    if (derived && message.get() instanceof WindowSummary window) {
      DerivedJson.write(window, json);
    }
  }

  private static void writeHeaders(Headers headers, JsonGenerator json) throws IOException {
    Map<String, byte[]> lastOfEach = new LinkedHashMap<>();
    for (Header header : headers) {
      lastOfEach.put(header.key(), header.value());
    }
    json.writeObjectFieldStart("headers");
    for (Map.Entry<String, byte[]> header : lastOfEach.entrySet()) {
      writeHeader(header.getKey(), header.getValue(), json);
    }
    json.writeEndObject();
  }

  private static void writeHeader(String name, byte[] value, JsonGenerator json)
      throws IOException {
    if (value == null) {
      json.writeNullField(name);
      return;
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException e) {
      json.writeBinaryField(name + "_base64", value);
      return;
    }
    json.writeStringField(name, text);
  }

  /**
   * Writes those values derived from a summary into the open JSON object that are no fields of it.
   */
  static final class DerivedJson {
    private static final double[] QUANTILES = {0.5, 0.9, 0.95, 0.99};

    private DerivedJson() {}

    public static void write(WindowSummary window, JsonGenerator json) throws IOException {
      if (!window.hasMean()) {
        write("mean", Derived.mean(window), json);
      }
      write("spread", Derived.spread(window), json);
      if (!window.hasStandardDeviation()) {
        write("standard_deviation", Derived.standardDeviation(window), json);
      }
      if (!window.hasTimeWeightedAverage()) {
        write("time_weighted_average", Derived.timeWeightedAverage(window), json);
      }
      for (double q : QUANTILES) {
        write("q" + q, Derived.quantile(window, q), json);
      }
      write("quantile_error", Derived.quantileError(window), json);
    }

    private static void write(String name, OptionalDouble value, JsonGenerator json)
        throws IOException {
      if (value.isPresent()) {
        json.writeFieldName(name);
        MessageJson.writeDouble(value.getAsDouble(), json);
      }
    }
  }
}
