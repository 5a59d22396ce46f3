{{/* What a component's pods are found by: of (root, component), and labels if it has more. */}}
{{- define "weir.componentSelector" -}}
{{ include "weir.selector" .root }}
app.kubernetes.io/component: {{ .component }}
{{- with .labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "weir.componentLabels" -}}
{{ include "weir.labels" .root }}
app.kubernetes.io/component: {{ .component }}
{{- with .labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "weir.componentName" -}}
{{ .name | default (printf "%s-%s" (include "weir.fullname" .root) .component) }}
{{- end }}

{{/* Pods over zones and nodes: of (root, component). */}}
{{- define "weir.spread" -}}
{{- $spread := .root.Values.topologySpread -}}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- topologyKey: {{ $key }}
  maxSkew: 1
  # A node that is drained does not count: its pods find their place on the others.
  nodeTaintsPolicy: Honor
  whenUnsatisfiable: {{ ternary $spread.nodes $spread.zones (eq $key "kubernetes.io/hostname") }}
  labelSelector:
    matchLabels:
      {{- include "weir.componentSelector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{/*
  A container that runs a command of Weir: of (root, name, args, values, java), and as text env and mounts if it has
  more; with serves it has probes, and ports.
*/}}
{{- define "weir.container" -}}
- name: {{ .name }}
  image: {{ include "weir.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: {{ toJson .args }}
  envFrom:
    - configMapRef:
        name: {{ include "weir.fullname" .root }}
  env:
    {{- with .env | default "" | trim }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- if .serves }}
    {{- include "weir.probePortVariable" .root | nindent 4 }}
    {{- end }}
    {{- include "weir.javaOptions" .java | nindent 4 }}
    {{- with include "weir.secretVariables" .secrets | trim }}
    {{- . | nindent 4 }}
    {{- end }}
  {{- if .serves }}
  {{- include "weir.ports" . | nindent 2 }}
  {{- end }}
  resources:
    {{- toYaml .values.resources | nindent 4 }}
  securityContext:
    {{- include "weir.containerSecurity" .root | nindent 4 }}
  volumeMounts:
    - name: tmp
      mountPath: /tmp
    {{- with .mounts | default "" | trim }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- with include "weir.dumpMount" .java | trim }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- with include "weir.secretMounts" .secrets | trim }}
    {{- . | nindent 4 }}
    {{- end }}
{{- end }}

{{/*
  The workload of a command of its own: of (root, component, values, args, spec), where values are its part of
  values.yaml and spec is text before its selector. If it has them: kind, name, labels, grace and threads; init, the
  arguments of a first run; secrets in place of those of values; ports, a list of (name, port); and as text env, mounts,
  volumes, first (init containers), beside (containers) and claims.
*/}}
{{- define "weir.workload" -}}
{{- $root := .root -}}
{{- $secrets := .secrets | default .values.secrets -}}
{{- $java := dict "key" (print .component ".jvm") "jvm" .values.jvm "resources" .values.resources "threads" (.threads | default 1) -}}
{{- $own := merge (dict "name" .component "java" $java "secrets" $secrets "serves" true) . -}}
apiVersion: apps/v1
kind: {{ .kind | default "Deployment" }}
metadata:
  name: {{ include "weir.componentName" . }}
  labels:
    {{- include "weir.componentLabels" . | nindent 4 }}
  {{- with include "weir.workloadAnnotations" $root | trim }}
  {{- . | nindent 2 }}
  {{- end }}
spec:
  {{- .spec | trim | nindent 2 }}
  selector:
    matchLabels:
      {{- include "weir.componentSelector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "weir.componentLabels" . | nindent 8 }}
        {{- with $root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/config: {{ include "weir.settings" $root | sha256sum }}
        {{- with $root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "weir.serviceAccountName" $root }}
      terminationGracePeriodSeconds: {{ .grace | default 30 | include "weir.text" }}
      {{- include "weir.podSpec" $root | nindent 6 }}
      {{- if .spread }}
      topologySpreadConstraints:
        {{- include "weir.spread" . | trim | nindent 8 }}
      {{- end }}
      {{- if .init }}
      initContainers:
        # Makes the tables that are missing; under a lock, so several pods at once are safe.
        {{- include "weir.container" (merge (dict "name" "init" "args" .init) (omit $own "serves" "env" "mounts")) | nindent 8 }}
      {{- end }}
      {{- with .first | default "" | trim }}
      initContainers:
        {{- . | nindent 8 }}
      {{- end }}
      containers:
        {{- include "weir.container" $own | nindent 8 }}
        {{- with .beside | default "" | trim }}
        {{- . | nindent 8 }}
        {{- end }}
      volumes:
        - name: tmp
          emptyDir:
            sizeLimit: 256Mi
        {{- with .volumes | default "" | trim }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- with include "weir.dumpVolume" $java | trim }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- with include "weir.secretVolumes" $secrets | trim }}
        {{- . | nindent 8 }}
        {{- end }}
  {{- with .claims | default "" | trim }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* A Service that gives each pod its name in DNS, and Prometheus each pod by itself: of (root, component). */}}
{{- define "weir.headless" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "weir.componentName" . }}
  labels:
    {{- include "weir.componentLabels" . | nindent 4 }}
spec:
  clusterIP: None
  # A pod that is not ready is watched too.
  publishNotReadyAddresses: true
  selector:
    {{- include "weir.componentSelector" . | nindent 4 }}
  ports:
    - name: http
      port: {{ include "weir.httpPort" .root }}
      targetPort: http
      protocol: TCP
{{- end }}

{{/* A Service of pods that are ready: of (root, component, name, service, ports), as values.yaml has the service. */}}
{{- define "weir.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  labels:
    {{- include "weir.componentLabels" . | nindent 4 }}
  {{- with .service.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .service.type }}
  selector:
    {{- include "weir.componentSelector" . | nindent 4 }}
  ports:
    {{- range .ports }}
    - name: {{ .name }}
      port: {{ include "weir.text" .port }}
      targetPort: {{ .name }}
      protocol: TCP
    {{- end }}
{{- end }}
