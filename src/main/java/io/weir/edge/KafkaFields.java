package io.weir.edge;

import java.lang.reflect.Field;

/**
 * Private fields of Kafka's classes, by the names that 4.3.1 has for them. Whoever uses one has a
 * way to go on without it, as a later Kafka, or a later java, may not let it be reached.
 */
final class KafkaFields {
  private KafkaFields() {}

  static Object get(Object owner, String name) throws ReflectiveOperationException {
    return field(owner, name).get(owner);
  }

  /** Sets a field before the object is used by any other thread. */
  static void set(Object owner, String name, Object value) throws ReflectiveOperationException {
    field(owner, name).set(owner, value);
  }

  private static Field field(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
