package io.tidegate.spring.method;

import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.PolicyDecision;
import io.tidegate.rules.ProblemBody;
import io.tidegate.spring.TidegateProperties;
import java.lang.reflect.Method;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers requests whose handler threw a {@link RateLimitedException}, in MVC and in WebFlux:
 * status 429, headers and a problem body, as for requests that a rule denies.
 *
 * <p>A handler of the application for {@code RateLimitedException} wins over this one. A handler
 * for {@code Exception} does not: it would turn a denial into an error of the server.
 */
@ControllerAdvice
public final class RateLimitedExceptionHandler implements Ordered {

  private final TidegateProperties.Headers headers;
  private final InstantSource clock;
  private final ListableBeanFactory beans;

  RateLimitedExceptionHandler(
      TidegateProperties.Headers headers, InstantSource clock, ListableBeanFactory beans) {
    this.headers = headers;
    this.clock = clock;
    this.beans = beans;
  }

  /**
   * Returns the response to a denied call. Called by Spring.
   *
   * @param denial the exception
   * @return the response
   */
  @ExceptionHandler
  public ResponseEntity<String> handle(RateLimitedException denial) {
    List<PolicyDecision> decisions = denial.decisions();
    ResponseEntity.BodyBuilder response = ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS)
        .contentType(MediaType.APPLICATION_PROBLEM_JSON);
    fields(decisions).forEach(response::header);
    return response.body(
        ProblemBody.quotaExceeded(HttpStatus.TOO_MANY_REQUESTS.value(), decisions));
  }

  private Map<String, String> fields(List<PolicyDecision> decisions) {
    return switch (headers) {
      case DRAFT_11 -> DecisionHeaders.DRAFT_11.ofDenial(decisions, clock.millis());
      case DRAFT_06 -> DecisionHeaders.DRAFT_06.ofDenial(decisions, clock.millis());
      case NONE -> retryAfter(decisions);
    };
  }

  private static Map<String, String> retryAfter(List<PolicyDecision> decisions) {
    OptionalLong seconds = DecisionHeaders.retryAfterSeconds(decisions);
    return seconds.isPresent()
        ? Map.of(DecisionHeaders.RETRY_AFTER_FIELD, Long.toString(seconds.getAsLong()))
        : Map.of();
  }

  /**
   * Returns a position before handlers without an order, such as those for all exceptions; but the
   * last position if the application handles {@code RateLimitedException} itself.
   */
  @Override
  public int getOrder() {
    return Arrays.stream(beans.getBeanNamesForAnnotation(ControllerAdvice.class))
            .map(beans::getType)
            .anyMatch(RateLimitedExceptionHandler::handlesDenials)
        ? LOWEST_PRECEDENCE
        : 0;
  }

  private static boolean handlesDenials(@Nullable Class<?> type) {
    return type != null
        && type != RateLimitedExceptionHandler.class
        && Arrays.stream(ReflectionUtils.getAllDeclaredMethods(ClassUtils.getUserClass(type)))
            .anyMatch(RateLimitedExceptionHandler::handlesDenials);
  }

  private static boolean handlesDenials(Method method) {
    ExceptionHandler handler =
        AnnotatedElementUtils.findMergedAnnotation(method, ExceptionHandler.class);
    return handler != null
        && (Arrays.asList(handler.value()).contains(RateLimitedException.class)
            || Arrays.asList(method.getParameterTypes()).contains(RateLimitedException.class));
  }
}
