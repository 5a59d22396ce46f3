/**
 * Schemas, the registry that keeps them, and values with their schema's id before them. Uses the
 * wire format alone.
 */
package io.weir.registry;
