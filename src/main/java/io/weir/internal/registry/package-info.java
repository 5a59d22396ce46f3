/**
 * Schemas, the schema registry, and values with a schema id. Uses {@code time} and {@code wire}.
 */
package io.weir.internal.registry;
