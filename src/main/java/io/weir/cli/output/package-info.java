/** Standard output, which reports when it is closed. Uses {@code text}. */
package io.weir.cli.output;
