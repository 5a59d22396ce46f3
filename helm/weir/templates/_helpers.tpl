{{/* Names. */}}
{{- define "weir.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{/* The full name leaves room for what StatefulSets, Jobs and pods add to it. */}}
{{- define "weir.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 45 | trimSuffix "-" -}}
{{- else if eq .Release.Name (include "weir.name" .) -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "weir.name" .) | trunc 45 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "weir.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (ternary (include "weir.fullname" .) "default" .Values.serviceAccount.create) -}}
{{- end }}

{{/* What objects are found by: never changes in a release. */}}
{{- define "weir.selector" -}}
app.kubernetes.io/name: {{ include "weir.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "weir.labels" -}}
{{ include "weir.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: weir
{{- end }}

{{- define "weir.image" -}}
{{- with .Values.image.registry }}{{ . }}/{{ end -}}
{{- .Values.image.repository -}}
{{- if .Values.image.digest -}}
@{{ .Values.image.digest }}
{{- else -}}
:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* A setting's name as the environment has it: "window.size" is WINDOW_SIZE. */}}
{{- define "weir.variable" -}}
{{- . | upper | replace "." "_" | replace "-" "_" -}}
{{- end }}

{{/* A value as text. Helm reads numbers as floating point and would write 1000000 as 1e+06. */}}
{{- define "weir.text" -}}
{{- if kindIs "float64" . -}}
{{- if eq . (floor .) }}{{ printf "%.0f" . }}{{ else }}{{ . }}{{ end -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- end }}

{{/* A duration such as 72h or 30d, in milliseconds. */}}
{{- define "weir.milliseconds" -}}
{{- $units := dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 "d" 86400000 -}}
{{- mul (regexFind "^[0-9]+" . | int64) (index $units (regexFind "[a-z]+$" .)) -}}
{{- end }}

{{/* What stands before the default names on Kafka: the plant and a dot, or nothing. */}}
{{- define "weir.ofPlant" -}}
{{- with index .Values.config "weir.plant" }}{{ . }}.{{ end -}}
{{- end }}

{{/* The application's name on Kafka: two releases must not have the same. */}}
{{- define "weir.applicationId" -}}
{{- $byRelease := ternary (printf "%s-%s" .Release.Namespace .Release.Name) .Release.Name .Values.applicationIdWithNamespace -}}
{{- index .Values.config "weir.application.id" | default (print (include "weir.ofPlant" .) $byRelease) -}}
{{- end }}

{{/* The same of weir events. */}}
{{- define "weir.eventsApplicationId" -}}
{{- index .Values.config "weir.events.application.id" | default (print (include "weir.applicationId" .) "-events") -}}
{{- end }}

{{/* Whether a setting that is true or false is true: of (root, key). */}}
{{- define "weir.isOn" -}}
{{- eq (index .root.Values.config .key | toString) "true" -}}
{{- end }}

{{/* The topics that are switched on, as files/topics.yaml has them, each with its name on the cluster as topic: a list. */}}
{{- define "weir.topics" -}}
{{- $config := .Values.config -}}
{{- $on := list -}}
{{- $prefix := print (include "weir.ofPlant" .) "weir." -}}
{{- $latestOf := splitList "," (index $config "weir.latest.of" | default "windows") -}}
{{- range (.Files.Get "files/topics.yaml" | fromYaml).topics -}}
{{- $switch := index $config (print "weir." .switchedOnBy) | default "none" | toString -}}
{{- if and (or (not .switchedOnBy) (not (has $switch (list "none" "off")))) (or (not .latestOf) (has .latestOf $latestOf)) -}}
{{- $on = append $on (set . "topic" (index $config (print "weir.topic." .name) | default (print $prefix .name))) -}}
{{- end -}}
{{- end -}}
{{- toYaml $on -}}
{{- end }}

{{/* All settings that are no secrets, as variables: lines of name and text. */}}
{{- define "weir.settings" -}}
{{- if not (index .Values.config "weir.application.id") }}
WEIR_APPLICATION_ID: {{ include "weir.applicationId" . | quote }}
{{- end }}
{{- if and .Values.events.enabled (not (index .Values.config "weir.events.application.id")) }}
WEIR_EVENTS_APPLICATION_ID: {{ include "weir.eventsApplicationId" . | quote }}
{{- end }}
{{- range $name, $value := .Values.config }}
{{ include "weir.variable" $name }}: {{ include "weir.text" $value | quote }}
{{- end }}
{{- range $name, $value := .Values.kafka }}
KAFKA_{{ include "weir.variable" $name }}: {{ include "weir.text" $value | quote }}
{{- end }}
{{- end }}

{{/* Settings whose values are in files of the given Secrets, as a list of variables. */}}
{{- define "weir.secretVariables" -}}
{{- range $secret := . }}
{{- range $name, $key := $secret.weir }}
- name: {{ include "weir.variable" $name }}_FILE
  value: /etc/weir/secrets/{{ $secret.name }}/{{ $key }}
{{- end }}
{{- range $name, $key := $secret.kafka }}
- name: KAFKA_{{ include "weir.variable" $name }}_FILE
  value: /etc/weir/secrets/{{ $secret.name }}/{{ $key }}
{{- end }}
{{- end }}
{{- end }}

{{- define "weir.secretMounts" -}}
{{- range . }}
- name: secret-{{ .name | replace "." "-" }}
  mountPath: /etc/weir/secrets/{{ .name }}
  readOnly: true
{{- end }}
{{- end }}

{{- define "weir.secretVolumes" -}}
{{- range . }}
- name: secret-{{ .name | replace "." "-" }}
  secret:
    secretName: {{ .name }}
    optional: {{ .optional | default false }}
    # 0440: the pod's group reads.
    defaultMode: 288
{{- end }}
{{- end }}

{{/* Processors as a quantity, 3500m or 4, rounded up. */}}
{{- define "weir.wholeProcessors" -}}
{{- $text := include "weir.text" . -}}
{{- if hasSuffix "m" $text -}}
{{- div (add (trimSuffix "m" $text | int) 999) 1000 -}}
{{- else -}}
{{- ceil (float64 $text) | int -}}
{{- end -}}
{{- end }}

{{/* Options for java: of (key, jvm, resources, threads). Those of the image come before them. */}}
{{- define "weir.javaOptions" -}}
{{- $processors := .jvm.processors -}}
{{- $limit := dig "limits" "cpu" "" .resources -}}
{{- if and (not $processors) $limit -}}
{{- $processors = include "weir.wholeProcessors" $limit -}}
{{- else if not $processors -}}
{{- $processors = max (add1 .threads) (include "weir.wholeProcessors" (dig "requests" "cpu" "" .resources | default 1)) -}}
{{- end -}}
{{- $options := list (printf "-XX:+Use%sGC" .jvm.collector) (printf "-XX:ActiveProcessorCount=%s" (include "weir.text" $processors)) -}}
{{- if .jvm.heapDump.enabled -}}
{{- $options = concat $options (list "-XX:+HeapDumpOnOutOfMemoryError" "-XX:HeapDumpPath=/dumps/heap.hprof") -}}
{{- end -}}
{{- range .jvm.options -}}
{{- if regexMatch "^-XX:[+-]Use(G1|Parallel|Serial|Shenandoah|Z|Epsilon)GC$" . -}}
{{- fail (printf "%s.options: %s; expected: %s.collector" $.key . $.key) -}}
{{- end -}}
{{- end -}}
- name: JAVA_TOOL_OPTIONS
  value: {{ concat $options .jvm.options | join " " | quote }}
{{- end }}

{{/* Where a heap dump goes: of (jvm, resources). */}}
{{- define "weir.dumpVolume" -}}
{{- if .jvm.heapDump.enabled }}
- name: dumps
  emptyDir:
    sizeLimit: {{ .jvm.heapDump.sizeLimit | default .resources.limits.memory | include "weir.text" }}
{{- end }}
{{- end }}

{{- define "weir.dumpMount" -}}
{{- if .jvm.heapDump.enabled }}
- name: dumps
  mountPath: /dumps
{{- end }}
{{- end }}

{{/* Port of health and metrics: Weir's own setting. */}}
{{- define "weir.httpPort" -}}
{{- index .Values.config "weir.http.port" | default 8080 | include "weir.text" -}}
{{- end }}

{{/* Port of health alone, for the probes: connections to the other cannot keep them out. */}}
{{- define "weir.probePort" -}}
{{- $port := include "weir.text" .Values.probes.port -}}
{{- if eq $port (include "weir.httpPort" .) }}
{{- fail (print "probes.port: " $port " is weir.http.port too") }}
{{- end }}
{{- $port -}}
{{- end }}

{{/* Fails if a port is one of health and metrics: of (root, key, port). */}}
{{- define "weir.requireOtherPort" -}}
{{- $port := include "weir.text" .port -}}
{{- if has $port (list (include "weir.httpPort" .root) (include "weir.probePort" .root)) -}}
{{- fail (printf "%s: %s is weir.http.port or probes.port" .key $port) -}}
{{- end -}}
{{- end }}

{{/* What every pod has in common: the restricted profile, and nothing that it does not need. */}}
{{- define "weir.podSpec" -}}
# Kubernetes' variables for services would have the names of Weir's and Kafka's settings.
enableServiceLinks: false
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- with .Values.runAsUser }}
  runAsUser: {{ include "weir.text" . }}
  runAsGroup: {{ include "weir.text" . }}
  fsGroup: {{ include "weir.text" . }}
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "weir.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "weir.probePortVariable" -}}
- name: WEIR_HTTP_PROBE_PORT
  value: {{ include "weir.probePort" . | quote }}
{{- end }}

{{/* A container's ports, and its probes: of (root), and a list of ports of (name, port) if it has more. */}}
{{- define "weir.ports" -}}
ports:
  - name: http
    containerPort: {{ include "weir.httpPort" .root }}
    protocol: TCP
  - name: probe
    containerPort: {{ include "weir.probePort" .root }}
    protocol: TCP
  {{- range .ports }}
  - name: {{ .name }}
    containerPort: {{ include "weir.text" .port }}
    protocol: TCP
  {{- end }}
startupProbe:
  httpGet:
    path: /livez
    port: probe
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: {{ div (add .root.Values.probes.startupSeconds 1) 2 }}
  terminationGracePeriodSeconds: {{ include "weir.text" .root.Values.probes.terminationGracePeriodSeconds }}
livenessProbe:
  httpGet:
    path: /livez
    port: probe
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: {{ div (add .root.Values.probes.livenessSeconds 9) 10 }}
  # A process that does not answer will not close cleanly either: others take over the sooner.
  terminationGracePeriodSeconds: {{ include "weir.text" .root.Values.probes.terminationGracePeriodSeconds }}
readinessProbe:
  httpGet:
    path: /readyz
    port: probe
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: {{ div (add .root.Values.probes.readinessSeconds 4) 5 }}
{{- end }}

{{/*
  The environment and the mounts of the aggregator's credentials, for containers that run another command of Weir
  with them: of (root, java).
*/}}
{{- define "weir.sameEnvironment" -}}
envFrom:
  - configMapRef:
      name: {{ include "weir.fullname" .root }}
env:
  {{- include "weir.javaOptions" .java | nindent 2 }}
  {{- with include "weir.secretVariables" .root.Values.secrets | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with .root.Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
resources:
  {{- toYaml .root.Values.resources | nindent 2 }}
securityContext:
  {{- include "weir.containerSecurity" .root | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  {{- with include "weir.dumpMount" .java | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with include "weir.secretMounts" .root.Values.secrets | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with .root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Annotations of a workload: of (root). */}}
{{- define "weir.workloadAnnotations" -}}
{{- with .Values.annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Combinations that a schema cannot tell. */}}
{{- define "weir.checks" -}}
{{- $threads := int (index .Values.config "weir.threads" | default 1) -}}
{{- $auto := ne .Values.autoscaling.kind "none" -}}
{{- $key := ternary "autoscaling.maxReplicas" "replicas" $auto -}}
{{- $most := int (ternary .Values.autoscaling.maxReplicas .Values.replicas $auto) -}}
{{- if ge (mul (sub $most 1) $threads) 64 -}}
{{- fail (printf "%s = %d: with weir.threads = %d the last pod would have none of the 64 partitions; expected: up to %d" $key $most $threads (div (add 63 $threads) $threads)) -}}
{{- end -}}
{{- if and $auto (gt (int (.Values.autoscaling.minReplicas | default 0)) $most) -}}
{{- fail (printf "autoscaling.minReplicas = %d; expected: up to autoscaling.maxReplicas = %d" (int .Values.autoscaling.minReplicas) $most) -}}
{{- end -}}
{{- $fewest := int (ternary (.Values.autoscaling.minReplicas | default 1) .Values.replicas $auto) -}}
{{- $standbys := int (index .Values.kafka "num.standby.replicas" | default 0) -}}
{{- if and (gt $standbys 0) (ge $standbys $fewest) -}}
{{- fail (printf "kafka.num.standby.replicas = %d: a copy lives in another pod, and there may be only %d in all" $standbys $fewest) -}}
{{- end -}}
{{- if and $auto (not .Values.autoscaling.minReplicas) -}}
{{- fail "autoscaling.minReplicas: to be set; so many pods must hold the state of all sensors (docs/operate/size.md, Memory)" -}}
{{- end -}}
{{- if gt (int .Values.strimzi.minInsyncReplicas) (int .Values.strimzi.replicas) -}}
{{- fail (printf "strimzi.minInsyncReplicas = %d; expected: up to strimzi.replicas = %d" (int .Values.strimzi.minInsyncReplicas) (int .Values.strimzi.replicas)) -}}
{{- end -}}
{{- $events := include "weir.isOn" (dict "root" . "key" "weir.events") | eq "true" -}}
{{- $status := include "weir.isOn" (dict "root" . "key" "weir.status") | eq "true" -}}
{{- if and .Values.events.enabled (not $events) -}}
{{- fail "events.enabled: config.weir.events is to be true" -}}
{{- end -}}
{{- $tasks := ternary 128 64 (include "weir.isOn" (dict "root" . "key" "weir.fold") | eq "true") -}}
{{- if include "weir.isOn" (dict "root" . "key" "weir.groups") | eq "true" -}}
{{- $tasks = add $tasks 128 -}}
{{- end -}}
{{- if and .Values.events.enabled (ge (mul (sub (int .Values.events.replicas) 1) $threads) $tasks) -}}
{{- fail (printf "events.replicas = %d: with weir.threads = %d the last pod would have none of the %d partitions; expected: up to %d" (int .Values.events.replicas) $threads $tasks (div (sub (add $tasks $threads) 1) $threads)) -}}
{{- end -}}
{{- if .Values.rules -}}
{{- if index .Values.config "weir.rules.file" -}}
{{- fail "rules: config.weir.rules.file is set as well; only one is allowed" -}}
{{- end -}}
{{- if not (or $events $status) -}}
{{- fail "rules: its alarms would not be written; config.weir.status or config.weir.events is to be true" -}}
{{- end -}}
{{- with (fromYaml .Values.rules).Error -}}
{{- fail (printf "rules: not valid YAML: %s" .) -}}
{{- end -}}
{{- end -}}
{{- if .Values.gateways -}}
{{- if index .Values.config "weir.gateways.file" -}}
{{- fail "gateways: config.weir.gateways.file is set as well; only one is allowed" -}}
{{- end -}}
{{- with (fromYaml .Values.gateways).Error -}}
{{- fail (printf "gateways: not valid YAML: %s" .) -}}
{{- end -}}
{{- end -}}
{{- $names := dict -}}
{{- range .Values.secrets -}}
{{- if hasKey $names .name -}}
{{- fail (printf "secrets: %s is listed twice; expected: once, with all of its keys" .name) -}}
{{- end -}}
{{- $_ := set $names .name true -}}
{{- range $name, $key := .kafka -}}
{{- if hasKey $.Values.kafka $name -}}
{{- fail (printf "kafka.%s is set, and a Secret holds it as well: only one is allowed" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}
