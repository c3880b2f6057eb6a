package io.tidegate.server.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.rules.Entry;
import io.tidegate.rules.Match;
import io.tidegate.rules.Rule;
import io.tidegate.rules.RuleException;
import io.tidegate.rules.RuleSet;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The cases of the lookup tests of envoyproxy/ratelimit: which limit applies, which requests share
 * a count, and the name of the metric.
 */
class RuleLookupTest {

  private static final String BASIC = """
      domain: shop
      descriptors:
        - key: route
          value: cart
          descriptors:
            - key: user
              rate_limit: {unit: second, requests_per_unit: 5}
            - key: user
              value: admin
              rate_limit: {unit: second, requests_per_unit: 10}
        - key: address
          rate_limit: {unit: minute, requests_per_unit: 20}
        - key: address
          value: 10.0.0.1
          rate_limit: {unit: MINUTE, requests_per_unit: 30}
        - key: address
          value: 10.0.0.2
        - key: export
          rate_limit: {unit: Hour, requests_per_unit: 1}
        - key: report
          rate_limit: {unit: day, requests_per_unit: 1}
        - key: plan
          value: gold
          rate_limit: {unit: week, requests_per_unit: 15}
          descriptors:
            - key: seat
              value: first
              rate_limit: {unit: month, requests_per_unit: 25}
        - key: internal
          rate_limit: {unlimited: true}
        - key: closed
          rate_limit: {unit: year, requests_per_unit: 0}
        - key: code
          value: 404
          rate_limit: {window: 10m, requests_per_unit: 1_000}
      """;

  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = """
      other ; address=1.1.1.1               ; none
      shop  ; ''                            ; none
      shop  ; route=wishlist                ; none
      shop  ; route=cart                    ; none
      shop  ; address=10.0.0.1 user=x       ; none
      shop  ; plan=gold seat=second         ; none
      shop  ; plan=silver                   ; none
      shop  ; route=cart user=anna          ; 5 per 1000    route=cart,user        anna     shop.route_cart.user
      shop  ; route=cart user=admin         ; 10 per 1000   route=cart,user=admin  all      shop.route_cart.user_admin
      shop  ; route=cart user=              ; 5 per 1000    route=cart,user        \\       shop.route_cart.user
      shop  ; route=cart user=anna x=y      ; none
      shop  ; user=anna route=cart          ; none
      shop  ; address=1.1.1.1               ; 20 per 60000  address                1.1.1.1  shop.address
      shop  ; address=10.0.0.1              ; 30 per 60000  address=10.0.0.1       all      shop.address_10.0.0.1
      shop  ; address=10.0.0.2              ; none
      shop  ; export=x                      ; 1 per 3600000  export                x        shop.export
      shop  ; report=x                      ; 1 per 86400000  report               x        shop.report
      shop  ; plan=gold                     ; 15 per 604800000  plan=gold          all      shop.plan_gold
      shop  ; plan=gold seat=first          ; 25 per 2592000000  plan=gold,seat=first  all  shop.plan_gold.seat_first
      shop  ; internal=x                    ; unlimited  internal  x  shop.internal
      shop  ; closed=x                      ; 0 per 31536000000  closed  x  shop.closed
      shop  ; code=404                      ; 1000 per 600000  code=404  all  shop.code_404
      shop  ; code=405                      ; none
      """)
  void exactValueBeforeKeyAloneAndOnlyTheLastEntryCounts(
      String domain, String entries, String expected) throws RuleException {
    check(BASIC, domain, entries, expected);
  }

  private static final String WILDCARDS = """
      domain: shop
      descriptors:
        - {key: path, value: "/api/*", rate_limit: {unit: minute, requests_per_unit: 1}}
        - {key: path, value: "/api/v1/*", rate_limit: {unit: minute, requests_per_unit: 2}}
        - {key: path, value: "/api/status", rate_limit: {unit: minute, requests_per_unit: 3}}
        - {key: exact, value: foo, rate_limit: {unit: minute, requests_per_unit: 4}}
        - {key: middle, value: bar*b, rate_limit: {unit: minute, requests_per_unit: 5}}
        - {key: many, value: a*b*c, rate_limit: {unit: minute, requests_per_unit: 6}}
        - {key: any, value: "*", rate_limit: {unit: minute, requests_per_unit: 7}}
        - {key: any, rate_limit: {unit: minute, requests_per_unit: 8}}
        - {key: end, value: "*.css", rate_limit: {unit: minute, requests_per_unit: 9}}
        - {key: end, rate_limit: {unit: minute, requests_per_unit: 10}}
        - key: outer
          value: one
          descriptors:
            - {key: path, value: "/x*", rate_limit: {unit: minute, requests_per_unit: 11}}
        - key: outer
          value: t*
          descriptors:
            - {key: path, rate_limit: {unit: minute, requests_per_unit: 12}}
      """;

  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = """
      path=/api/a            ; 1 per 60000  path=/api/*  /api/a  shop.path_/api/*
      path=/api/             ; 1 per 60000  path=/api/*  /api/  shop.path_/api/*
      path=/api/v1/a         ; 1 per 60000  path=/api/*  /api/v1/a  shop.path_/api/*
      path=/api/v1/*         ; 2 per 60000  path=/api/v1/*  /api/v1/*  shop.path_/api/v1/*
      path=/api/status       ; 3 per 60000  path=/api/status  all  shop.path_/api/status
      path=/web              ; none
      path=/API/a            ; none
      exact=foo1             ; none
      middle=barab           ; 5 per 60000  middle=bar*b  barab  shop.middle_bar*b
      middle=barb            ; 5 per 60000  middle=bar*b  barb  shop.middle_bar*b
      middle=bara            ; none
      middle=xbarb           ; none
      middle=ba              ; none
      many=a1b2c             ; 6 per 60000  many=a*b*c  a1b2c  shop.many_a*b*c
      many=abc               ; 6 per 60000  many=a*b*c  abc  shop.many_a*b*c
      many=ac                ; none
      many=acb               ; none
      many=bc                ; none
      any=                   ; 7 per 60000  any=*  \\  shop.any_*
      any=x                  ; 7 per 60000  any=*  x  shop.any_*
      end=a.css              ; 9 per 60000  end=*.css  a.css  shop.end_*.css
      end=a.js               ; 10 per 60000  end  a.js  shop.end
      outer=one path=/xy     ; 11 per 60000  outer=one,path=/x*  /xy  shop.outer_one.path_/x*
      outer=one path=/y      ; none
      outer=two path=/y      ; 12 per 60000  outer=t*,path  two|/y  shop.outer_t*.path
      outer=three path=/x    ; 12 per 60000  outer=t*,path  three|/x  shop.outer_t*.path
      """)
  void firstWildcardOfTheFileAfterTheExactValue(String entries, String expected)
      throws RuleException {
    check(WILDCARDS, "shop", entries, expected);
  }

  private static final String SHARED = """
      domain: shop
      descriptors:
        - {key: file, value: one, rate_limit: {unit: minute, requests_per_unit: 1}}
        - {key: file, value: o*, share_threshold: true, rate_limit: {unit: minute, requests_per_unit: 2}}
        - {key: mid, value: a*z, share_threshold: true, value_to_metric: true, rate_limit: {unit: minute, requests_per_unit: 3}}
        - key: dir
          value: d*
          share_threshold: true
          descriptors:
            - {key: file, value: f*, share_threshold: true, rate_limit: {unit: minute, requests_per_unit: 4}}
            - {key: user, detailed_metric: true, rate_limit: {unit: minute, requests_per_unit: 5}}
            - key: part
              value: p*
              descriptors:
                - {key: type, rate_limit: {unit: minute, requests_per_unit: 6}}
      """;

  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = """
      file=one                 ; 1 per 60000  file=one  all  shop.file_one
      file=other               ; 2 per 60000  file=o*  all  shop.file_o*
      file=o                   ; 2 per 60000  file=o*  all  shop.file_o*
      file=o*                  ; 2 per 60000  file=o*  all  shop.file_o*
      mid=a1z                  ; 3 per 60000  mid=a*z  all  shop.mid_a*z
      mid=a1y                  ; none
      dir=d1 file=f1           ; 4 per 60000  dir=d*,file=f*  all  shop.dir_d*.file_f*
      dir=d2 file=f2           ; 4 per 60000  dir=d*,file=f*  all  shop.dir_d*.file_f*
      dir=d1 user=anna         ; 5 per 60000  dir=d*,user  anna  shop.dir_d*.user_anna
      dir=d1 part=p1 type=pdf  ; 6 per 60000  dir=d*,part=p*,type  p1|pdf  shop.dir_d*.part_p*.type
      dir=d2 part=p1 type=pdf  ; 6 per 60000  dir=d*,part=p*,type  p1|pdf  shop.dir_d*.part_p*.type
      """)
  void valuesThatMatchAWildcardCanShareOneCount(String entries, String expected)
      throws RuleException {
    check(SHARED, "shop", entries, expected);
  }

  private static final String METRICS = """
      domain: shop
      descriptors:
        - key: route
          value_to_metric: true
          descriptors:
            - key: method
              value_to_metric: true
              descriptors:
                - {key: user, rate_limit: {unit: minute, requests_per_unit: 1}}
            - key: verb
              value: r*
              value_to_metric: true
              descriptors:
                - {key: user, rate_limit: {unit: minute, requests_per_unit: 2}}
            - {key: all, detailed_metric: true, rate_limit: {unit: minute, requests_per_unit: 3}}
        - key: tenant
          rate_limit: {unit: minute, requests_per_unit: 4}
          detailed_metric: true
          descriptors:
            - key: path
              value: p*
              detailed_metric: true
              rate_limit: {unit: minute, requests_per_unit: 5}
            - {key: user, rate_limit: {unit: minute, requests_per_unit: 6}}
      """;

  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = """
      route=draw method=GET user=1  ; 1 per 60000  route,method,user  draw|GET|1  shop.route_draw.method_GET.user
      route= method=GET user=1      ; 1 per 60000  route,method,user  |GET|1  shop.route.method_GET.user
      route= method= user=1         ; 1 per 60000  route,method,user  ||1  shop.route.method.user
      route=draw verb=read user=1   ; 2 per 60000  route,verb=r*,user  draw|read|1  shop.route_draw.verb_read.user
      route=draw all=x              ; 3 per 60000  route,all  draw|x  shop.route_draw.all_x
      tenant=acme                   ; 4 per 60000  tenant  acme  shop.tenant_acme
      tenant=acme path=p1           ; 5 per 60000  tenant,path=p*  acme|p1  shop.tenant_acme.path_p1
      tenant=acme user=1            ; 6 per 60000  tenant,user  acme|1  shop.tenant.user
      """)
  void metricsContainTheValuesThatTheFileAsksFor(String entries, String expected)
      throws RuleException {
    check(METRICS, "shop", entries, expected);
  }

  private static void check(String file, String domain, String entries, String expected)
      throws RuleException {
    RuleSet rules = RuleSet.of(List.of(RuleYaml.parse("shop.yaml", UTF_8.encode(file))));
    List<Entry> request = entries.isEmpty()
        ? List.of()
        : Arrays.stream(entries.split(" "))
            .map(entry -> entry.split("=", 2))
            .map(entry -> new Entry(entry[0], entry[1]))
            .toList();
    assertThat(describe(rules.find(domain, request)))
        .isEqualTo(expected.replaceAll(" +", " ").strip());
  }

  private static String describe(Match match) {
    if (match == null) {
      return "none";
    }
    Rule rule = match.rule();
    String limit = rule.unlimited() ? "unlimited" : rule.limit() + " per " + rule.windowMillis();
    return String.join(" ", limit, rule.path(), match.identifier(), match.metric());
  }
}
