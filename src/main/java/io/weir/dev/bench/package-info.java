/** The bench: Weir and what it is held against, each in a process of its own, on one broker. */
package io.weir.dev.bench;
