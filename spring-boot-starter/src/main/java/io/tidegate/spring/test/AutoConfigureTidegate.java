package io.tidegate.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives a test the limits of the application and a {@link io.tidegate.testing.VirtualTime}, so that
 * the test decides when a window ends.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureTidegate
 * class LoginTest {
 *   @Autowired VirtualTime time;
 *
 *   @Test void allowsFiveLoginsPerMinute() {
 *     ...
 *     time.advance(Duration.ofMinutes(2)); // the limit is available again
 *   }
 * }
 * }</pre>
 *
 * <p>It also adds the limits to test slices such as {@code @WebMvcTest}, which have none without
 * it. The time starts at the first of January 2030, UTC; a test that defines a {@code VirtualTime}
 * bean keeps its own. Counts stay for as long as Spring caches the context of the test: use
 * different keys in each test, or advance the time by two windows.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTidegate {}
