package io.tidegate.servlet;

import io.tidegate.model.Decision;
import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.ProblemBody;
import io.tidegate.rules.web.WebDecision;
import io.tidegate.rules.web.WebLimiter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the requests of a servlet application. Registered in code:
 *
 * <pre>{@code
 * FilterRegistration.Dynamic filter = context.addFilter("rate-limit", RateLimitFilter.of(limiter));
 * filter.setAsyncSupported(true);
 * filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
 * }</pre>
 *
 * <p>A denied request is answered with status 429, or 403 without a required key, and a problem of
 * RFC 9457. All responses have the headers of the decision. A request is decided on once, however
 * often it is dispatched: asynchronously, for an error page, by a forward or an include.
 *
 * <p>Later filters and servlets find the decision in the attributes {@link #WEB_DECISION} and
 * {@link #DECISION}. An application may have several filters, each with its own limiter; the
 * attributes are those of the last one.
 *
 * <p>The limiter is not closed with the filter.
 */
public final class RateLimitFilter implements Filter {

  /** The attribute with the {@link WebDecision}. */
  public static final String WEB_DECISION = "io.tidegate.servlet.webDecision";

  /**
   * The attribute with the {@link Decision} that the client meets first; absent if no rule applies.
   */
  public static final String DECISION = "io.tidegate.servlet.decision";

  private static final System.Logger LOG = System.getLogger("io.tidegate");
  private static final AtomicLong INSTANCES = new AtomicLong();

  /** How far a request has come. The value of an attribute of each request. */
  private enum Progress {
    /** The decision allows the request; filters behind this one have not seen it yet. */
    RESUMED,
    /** The request was passed on or denied. */
    DONE
  }

  private final WebLimiter limiter;
  private final boolean async;

  /** The name of the attribute with the {@link Progress}; each filter has its own. */
  private final String progress =
      RateLimitFilter.class.getName() + "." + INSTANCES.incrementAndGet();

  private RateLimitFilter(WebLimiter limiter, boolean async) {
    this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
    this.async = async;
  }

  /**
   * Creates a filter whose requests wait on their thread, for up to 300 ms, if the origin must be
   * read first: {@code RateLimitFilter.of(limiter)}. Without an origin, no request waits.
   *
   * @param limiter decides
   * @return the filter
   */
  public static RateLimitFilter of(WebLimiter limiter) {
    return new RateLimitFilter(limiter, false);
  }

  /**
   * Creates a filter whose requests give back their thread while the origin is read:
   * {@code RateLimitFilter.nonBlocking(limiter)}. Map it for {@link DispatcherType#REQUEST} and
   * {@link DispatcherType#ASYNC}.
   *
   * <p><strong>All filters behind this one must be mapped for {@link DispatcherType#ASYNC} too.
   * </strong> Such a request reaches them by an asynchronous dispatch, for which a container skips
   * other filters, also those that authenticate. A request that does not support asynchronous
   * processing waits on its thread.
   *
   * @param limiter decides
   * @return the filter
   */
  public static RateLimitFilter nonBlocking(WebLimiter limiter) {
    return new RateLimitFilter(limiter, true);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer) {
      doFilter(http, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Object before = request.getAttribute(progress);
    if (before == Progress.RESUMED) {
      resume(request, response, chain);
    } else if (before == Progress.DONE || request.getDispatcherType() == DispatcherType.ERROR) {
      chain.doFilter(request, response);
    } else {
      decide(request, response, chain);
    }
  }

  private void decide(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    CompletionStage<WebDecision> stage = limiter.decide(new ServletWebRequest(request));
    CompletableFuture<WebDecision> future = stage.toCompletableFuture();
    if (async && !future.isDone() && request.isAsyncSupported()) {
      AsyncContext context = request.startAsync(request, response);
      context.setTimeout(0); // the limiter bounds the wait
      stage.thenAccept(decision -> continueLater(context, request, response, decision));
      return;
    }
    WebDecision decision = future.join();
    request.setAttribute(progress, Progress.DONE);
    show(decision, request, response);
    if (decision.allowed()) {
      chain.doFilter(request, response);
    } else {
      deny(decision, response);
    }
  }

  /** Runs on the thread that received the answer of the origin, so it must not block. */
  private void continueLater(
      AsyncContext context,
      HttpServletRequest request,
      HttpServletResponse response,
      WebDecision decision) {
    try {
      request.setAttribute(progress, decision.allowed() ? Progress.RESUMED : Progress.DONE);
      show(decision, request, response);
      if (decision.allowed()) {
        context.dispatch();
      } else {
        context.start(() -> denyAndComplete(context, response, decision));
      }
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "A request ended before its decision", e); // the client is gone
    }
  }

  private static void denyAndComplete(
      AsyncContext context, HttpServletResponse response, WebDecision decision) {
    try {
      deny(decision, response);
      context.complete();
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "A request ended before it was denied", e); // the client is gone
    }
  }

  private void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    request.setAttribute(progress, Progress.DONE);
    ResumedRequest resumed = new ResumedRequest(request);
    try {
      chain.doFilter(resumed, response);
    } finally {
      resumed.finish();
    }
  }

  /** Adds to the lists that another filter may have written, and replaces other headers. */
  private static void show(
      WebDecision decision, HttpServletRequest request, HttpServletResponse response) {
    request.setAttribute(WEB_DECISION, decision);
    decision.binding().ifPresent(binding -> request.setAttribute(DECISION, binding.decision()));
    decision.headers().forEach((name, value) -> {
      if (name.equals(DecisionHeaders.POLICY_FIELD) || name.equals(DecisionHeaders.STATE_FIELD)) {
        response.addHeader(name, value);
      } else {
        response.setHeader(name, value);
      }
    });
  }

  private static void deny(WebDecision decision, HttpServletResponse response) throws IOException {
    if (response.isCommitted()) {
      return; // an earlier filter has answered
    }
    response.resetBuffer();
    response.setStatus(decision.status());
    response.setContentType(ProblemBody.CONTENT_TYPE);
    byte[] body = decision.body().getBytes(StandardCharsets.US_ASCII);
    response.setContentLength(body.length);
    try {
      response.getOutputStream().write(body);
    } catch (IllegalStateException e) { // an earlier filter has called getWriter
      response.getWriter().write(decision.body());
    }
  }
}
