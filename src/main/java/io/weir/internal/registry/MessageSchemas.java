package io.weir.internal.registry;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.registry.Schema.Reference;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.MessageIndexes;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The schemas of generated messages in a registry: each file is a schema. Weir's own files are
 * registered as their text, which every registry and serde reads, unless the newest version of the
 * subject is a text that says the same; other files as their FileDescriptorProto in base64. Imports
 * are registered first, with the import's name as the subject. Files of protobuf and of Confluent's
 * clients are not registered. Safe for many threads.
 */
public final class MessageSchemas {
  private static final List<String> EVERYONES =
      List.of("google/protobuf/", "google/type/", "confluent/");

  private final SchemaRegistry registry;
  private final RegistrySettings settings;

  public MessageSchemas(SchemaRegistry registry, RegistrySettings settings) {
    this.registry = registry;
    this.settings = settings;
  }

  /**
   * The frame head of a message on a topic, by the settings {@code auto.register.schemas} and
   * {@code use.latest.version}.
   *
   * @throws RegistryException if the schema is missing or refused, or the registry does not answer
   */
  public byte[] head(String topic, boolean key, Descriptor message) {
    String subject = settings.subject(topic, key, message.getFullName());
    if (settings.is(RegistrySettings.AUTO_REGISTER)) {
      return Frame.head(register(subject, message.getFile()), MessageIndexes.of(message));
    }
    try {
      return settings.is(RegistrySettings.USE_LATEST)
          ? headOfLatest(subject, message)
          : Frame.head(lookUp(subject, message.getFile()).id(), MessageIndexes.of(message));
    } catch (RegistryException e) {
      throw e.kind() == Kind.MISSING ? unregistered(subject, message, e) : e;
    }
  }

  private static RegistryException unregistered(
      String subject, Descriptor message, RegistryException e) {
    return new RegistryException(
        Kind.MISSING,
        message.getFullName()
            + " is not registered under subject "
            + subject
            + ", and "
            + RegistrySettings.AUTO_REGISTER
            + " is false: "
            + e.getMessage(),
        e);
  }

  private byte[] headOfLatest(String subject, Descriptor message) {
    Registered latest = registry.latest(subject);
    MessageIndexes indexes =
        SchemaOutline.of(latest.schema())
            .find(message.getFullName())
            .orElseThrow(
                () ->
                    new RegistryException(
                        Kind.REFUSED,
                        "version "
                            + latest.version()
                            + " of subject "
                            + subject
                            + " has no message "
                            + message.getFullName()));
    return Frame.head(latest.id(), indexes);
  }

  /** The subject of a message on a topic. */
  public String subject(String topic, Descriptor message) {
    return settings.subject(topic, false, message.getFullName());
  }

  /**
   * Registers the imports of a file, then the file.
   *
   * @return the schema's id
   */
  public int register(String subject, FileDescriptor file) {
    return same(subject, file)
        .map(Registered::id)
        .orElseGet(() -> registry.register(subject, schema(file, this::registerImport)));
  }

  /** The newest version of a subject, if it is a text that says the same as that of a file. */
  private Optional<Registered> same(String subject, FileDescriptor file) {
    Optional<String> text = ProtoText.of(file);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(registry.latest(subject))
          .filter(latest -> latest.schema().type().equals(Schema.PROTOBUF))
          .filter(latest -> ProtoText.areSame(latest.schema().text(), text.get()));
    } catch (RegistryException e) {
      if (e.kind() == Kind.MISSING) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Looks up the registration of a file. */
  public Registered lookUp(String subject, FileDescriptor file) {
    return same(subject, file)
        .orElseGet(() -> registry.lookUp(subject, schema(file, this::lookUp)));
  }

  private Registered registerImport(String subject, FileDescriptor file) {
    Schema schema = schema(file, this::registerImport);
    registry.register(subject, schema);
    return registry.lookUp(subject, schema);
  }

  private static Schema schema(
      FileDescriptor file, BiFunction<String, FileDescriptor, Registered> imports) {
    List<Reference> references = new ArrayList<>();
    for (FileDescriptor imported : file.getDependencies()) {
      String name = imported.getFullName();
      if (EVERYONES.stream().noneMatch(name::startsWith)) {
        references.add(new Reference(name, name, imports.apply(name, imported).version()));
      }
    }
    String text =
        ProtoText.of(file)
            .orElseGet(() -> Base64.getEncoder().encodeToString(file.toProto().toByteArray()));
    return new Schema(Schema.PROTOBUF, text, references);
  }
}
