{{- define "tidegate.name" -}}
{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* At most 50 characters, so that a suffix fits. */}}
{{- define "tidegate.fullname" -}}
{{- $name := include "tidegate.name" . }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "tidegate.selectorLabels" -}}
app.kubernetes.io/name: {{ include "tidegate.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tidegate.labels" -}}
{{ include "tidegate.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The environment variable of a setting. */}}
{{- define "tidegate.variable" -}}
TIDEGATE_{{ . | upper | replace "-" "_" }}
{{- end }}

{{/* The text of a setting. Helm reads numbers as floating point, and would print 1000000 as 1e+06. */}}
{{- define "tidegate.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* "true" if a secret setting is given, here or in an existing Secret. Takes the root and the setting. */}}
{{- define "tidegate.hasSecret" -}}
{{- $root := index . 0 }}
{{- $setting := index . 1 }}
{{- if or (hasKey $root.Values.secrets.values $setting) (hasKey $root.Values.secrets.existing $setting) }}true{{ end }}
{{- end }}

{{- define "tidegate.hasRules" -}}
{{- if or .Values.rules.files .Values.rules.existingConfigMap }}true{{ end }}
{{- end }}

{{/* Stops with a message if values contradict each other. */}}
{{- define "tidegate.validate" -}}
{{- $database := include "tidegate.hasSecret" (list . "jdbc-url") }}
{{- $redis := include "tidegate.hasSecret" (list . "redis-uri") }}
{{- $several := or .Values.autoscaling.enabled (gt (int .Values.replicaCount) 1) }}
{{- $nodes := ternary "autoscaling.enabled is true" (printf "replicaCount is %d" (int .Values.replicaCount)) .Values.autoscaling.enabled }}
{{- $problems := list }}
{{- if and $several (not $database) }}
{{- $problems = append $problems (printf "%s, but without jdbc-url every pod has a catalog of its own, with other keys: set jdbc-url below secrets, or run one node with replicaCount 1" $nodes) }}
{{- end }}
{{- if and $several (not $redis) }}
{{- $problems = append $problems (printf "%s, but without redis-uri every pod counts alone and admits the whole limit: set redis-uri below secrets, or run one node with replicaCount 1" $nodes) }}
{{- end }}
{{- if and $database (not .Values.region) }}
{{- $problems = append $problems "jdbc-url needs region, a name that no other region of the database uses" }}
{{- end }}
{{- if and $database .Values.persistence.enabled }}
{{- $problems = append $problems "persistence has no effect with jdbc-url, which stores the catalog" }}
{{- end }}
{{- range $setting := list "jdbc-user" "jdbc-password" }}
{{- if and (include "tidegate.hasSecret" (list $ $setting)) (not $database) }}
{{- $problems = append $problems (printf "%s needs jdbc-url" $setting) }}
{{- end }}
{{- end }}
{{- range $setting := keys .Values.secrets.values | sortAlpha }}
{{- if hasKey $.Values.secrets.existing $setting }}
{{- $problems = append $problems (printf "%s is in both secrets.values and secrets.existing" $setting) }}
{{- end }}
{{- end }}
{{- if and .Values.rules.files .Values.rules.existingConfigMap }}
{{- $problems = append $problems "rules.files cannot be combined with rules.existingConfigMap" }}
{{- end }}
{{- $secret := include "tidegate.hasSecret" (list . "gateway-secret") }}
{{- with .Values.gateway }}
{{- if .enabled }}
{{- if not (or $secret .clientCaSecret .open) }}
{{- $problems = append $problems "gateway.enabled needs gateway-secret below secrets, gateway.clientCaSecret, or gateway.open to accept every client" }}
{{- end }}
{{- if and .open (or $secret .clientCaSecret) }}
{{- $problems = append $problems "gateway.open cannot be combined with gateway-secret or gateway.clientCaSecret" }}
{{- end }}
{{- if and .clientCaSecret (not $.Values.tls.existingSecret) }}
{{- $problems = append $problems "gateway.clientCaSecret needs tls.existingSecret" }}
{{- end }}
{{- if not (include "tidegate.hasRules" $) }}
{{- $problems = append $problems "gateway.enabled needs rules: calls of gateways would get an error" }}
{{- end }}
{{- else }}
{{- if or .clientCaSecret .open $secret }}
{{- $problems = append $problems "gateway-secret, gateway.clientCaSecret and gateway.open need gateway.enabled" }}
{{- end }}
{{- range $setting := list "gateway-headers" "gateway-metadata" "shadow-mode" }}
{{- if hasKey $.Values.settings $setting }}
{{- $problems = append $problems (printf "%s needs gateway.enabled" $setting) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas) }}
{{- $problems = append $problems (printf "autoscaling.minReplicas is %d, more than maxReplicas, which is %d" (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) }}
{{- end }}
{{- if $problems }}
{{- fail (printf "\n\n- %s\n" (join "\n- " $problems)) }}
{{- end }}
{{- end }}
