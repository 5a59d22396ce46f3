package io.weir.internal.registry;

import io.weir.internal.wire.SchemaKey;
import java.util.List;

/**
 * A schema registry with the operations of Confluent's REST API. Safe for many threads; every
 * method may wait for the network, and throws a {@link RegistryException} whose kind shows whether
 * the registry answered.
 */
public interface SchemaRegistry {
  /**
   * Registers a schema; an existing one keeps its id.
   *
   * @return the schema's id
   */
  int register(String subject, Schema schema);

  /**
   * Looks up the registration of a schema.
   *
   * @throws RegistryException of kind MISSING if it is not registered
   */
  Registered lookUp(String subject, Schema schema);

  /**
   * Returns the newest version of a subject.
   *
   * @throws RegistryException of kind MISSING if there is none
   */
  Registered latest(String subject);

  /**
   * * Returns a schema. * @throws RegistryException of kind MISSING if the registry does not have
   * it
   */
  Schema schema(SchemaKey key);

  /**
   * Returns a version of a subject.
   *
   * @throws RegistryException of kind MISSING if there is none
   */
  Registered version(String subject, int version);

  /** Returns the subjects that this process may read. */
  List<String> subjects();

  /** Removes a subject permanently, if it exists. */
  void delete(String subject);
}
