/** Standard output, which reports when it is closed. Uses nothing else of Weir. */
package io.weir.cli.output;
