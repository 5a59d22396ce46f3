/**
 * How columns, times, numbers and qualities of another program's file are to be read. Uses {@code
 * reading}.
 */
package io.weir.internal.text.mapping;
