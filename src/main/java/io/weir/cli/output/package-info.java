/** Standard output, which says when it can be written no more. Uses nothing else of Weir. */
package io.weir.cli.output;
