/**
 * How to read columns, times, numbers and qualities of another program's file. {@link
 * io.weir.internal.text.mapping.MappingOptions} makes a {@link
 * io.weir.internal.text.mapping.Mapping}. Uses {@code reading}.
 */
package io.weir.internal.text.mapping;
