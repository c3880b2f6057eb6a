/** What a host may provide to the limiter. */
package io.tidegate.spi;
