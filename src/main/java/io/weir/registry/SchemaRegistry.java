package io.weir.registry;

import io.weir.wire.SchemaKey;

/**
 * A schema registry, as Confluent's REST API has it. Safe for many threads; every method may wait
 * for the network, and throws a {@link RegistryException} that says whether the registry answered.
 */
public interface SchemaRegistry {
  /**
   * Registers a schema; one that is there already keeps its id.
   *
   * @return the schema's id
   */
  int register(String subject, Schema schema);

  /**
   * As what a schema is registered.
   *
   * @throws RegistryException of kind MISSING if it is not
   */
  Registered lookUp(String subject, Schema schema);

  /**
   * The newest version of a subject.
   *
   * @throws RegistryException of kind MISSING if there is none
   */
  Registered latest(String subject);

  /**
   * A schema.
   *
   * @throws RegistryException of kind MISSING if the registry says that it has none
   */
  Schema schema(SchemaKey key);

  /** Removes a subject permanently, if it is there. */
  void delete(String subject);
}
