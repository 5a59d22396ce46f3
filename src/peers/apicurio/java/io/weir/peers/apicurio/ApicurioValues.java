package io.weir.peers.apicurio;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.apicurio.registry.serde.protobuf.ProtobufKafkaDeserializer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/** Prints the messages that Apicurio's deserializer makes of values. */
public final class ApicurioValues {
  private ApicurioValues() {}

  /**
   * Reads lines of a topic, the class of its messages, and a value in hexadecimal digits from
   * standard input.
   *
   * @param args the URL of the registry
   */
  public static void main(String[] args) throws Exception {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] parts = line.split(" ");
        Message message = read(args[0], parts[0], parts[1], HexFormat.of().parseHex(parts[2]));
        System.out.println(
            message.getDescriptorForType().getFullName()
                + " "
                + TextFormat.printer().emittingSingleLine(true).printToString(message));
      }
    }
  }

  private static Message read(String url, String topic, String type, byte[] value) {
    try (ProtobufKafkaDeserializer<Message> deserializer = new ProtobufKafkaDeserializer<>()) {
      Map<String, Object> settings =
          Map.of(
              "apicurio.registry.url",
              url,
              "apicurio.registry.serde.read-type-ref",
              false,
              "apicurio.registry.serde.read-indexes",
              true,
              "apicurio.registry.deserializer.value.return-class",
              type);
      deserializer.configure(settings, false);
      return deserializer.deserialize(topic, value);
    }
  }
}
