/**
 * Applications for tests: started by Spring Boot on a free port, and driven over HTTP. Only API
 * that Spring Boot 3.5 and 4.0 share, because the tests run with both.
 */
package io.tidegate.spring.testing;
