{{/*
The components of Platen. All workloads, Services, PodDisruptionBudgets and NetworkPolicies are loops over this table.
  grace        seconds until a stopping pod is killed, after `preStopSeconds`
  ports        beside ops (9464), which each component has
  requests     of CPU and memory, unless values have others: twice what 20 jobs/s need (docs/operations/capacity.md)
  connections  to PostgreSQL by default; a component without this key gets no database credential
  nats, files  gets the credentials of NATS, of the file store
  calls        the components that it calls
  key          variable and key in the Secret `secrets.secretName`
  mail         sends e-mails
  packages     reads packages of the agent from the volume `agentPackages.volume`
  internet     connects to servers of third parties
  volume       is a StatefulSet of one replica with a volume at this path
*/}}
{{- define "platen.components" -}}
gateway:
  grace: 142
  requests: {cpu: 100m, memory: 192Mi}
  ports: {http: 8080}
  nats: true
  files: true
  packages: true
  calls: [accounts, jobs, devices, usage, webhooks]
  key: {PLATEN_SIGNING_KEY: signingKey}
accounts:
  grace: 37
  requests: {cpu: 50m, memory: 128Mi}
  ports: {rpc: 8100}
  connections: 11
  key: {PLATEN_SIGN_IN_KEY: signInKey}
  mail: true
  internet: true
jobs:
  grace: 37
  requests: {cpu: 150m, memory: 192Mi}
  ports: {rpc: 8100}
  connections: 13
  nats: true
  files: true
  key: {PLATEN_FETCH_KEY: fetchKey}
  internet: true
devices:
  grace: 52
  requests: {cpu: 100m, memory: 192Mi}
  ports: {rpc: 8100, agents: 8090}
  connections: 13
  nats: true
  files: true
  packages: true
  calls: [accounts, jobs]
usage:
  grace: 37
  requests: {cpu: 50m, memory: 128Mi}
  ports: {rpc: 8100}
  connections: 6
  calls: [jobs]
webhooks:
  grace: 37
  requests: {cpu: 100m, memory: 160Mi}
  ports: {rpc: 8100}
  connections: 13
  nats: true
  calls: [accounts, jobs, devices]
  key: {PLATEN_WEBHOOK_KEY: webhookKey}
  mail: true
  internet: true
test-computers:
  grace: 37
  requests: {cpu: 50m, memory: 128Mi}
  nats: true
  calls: [devices]
  volume: /data
{{- end -}}

{{/*
Pods for operators, which serve nothing.
  operator  has the operator's secret, which no component has
  sleeps    runs no command: operators run theirs in it. The others run a command and end
*/}}
{{- define "platen.commands" -}}
migrate:
  requests: {cpu: 50m, memory: 128Mi}
  connections: 13
selftest:
  requests: {cpu: 50m, memory: 128Mi}
  operator: true
operator:
  operator: true
  sleeps: true
{{- end -}}

{{/* The key of the values of a component. Input: its name. */}}
{{- define "platen.valuesKey" -}}
{{ ternary "testMode" . (eq . "test-computers") }}
{{- end -}}

{{/*
The values of a component: its requests, `defaults`, then its own.
Input: {root, name}. Output: YAML.
*/}}
{{- define "platen.componentValues" -}}
{{- $own := get .root.Values (include "platen.valuesKey" .name) | default dict -}}
{{- $table := merge (fromYaml (include "platen.components" .root)) (fromYaml (include "platen.commands" .root)) -}}
{{- $requests := (get $table .name).requests | default dict -}}
{{- mergeOverwrite (dict "resources" (dict "requests" $requests)) (deepCopy .root.Values.defaults) (deepCopy $own) | toYaml -}}
{{- end -}}

{{/* A quantity of memory in MiB, rounded down; -1 if it is none. Input: the quantity. */}}
{{- define "platen.mebibytes" -}}
{{- $units := dict "" 1 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $quantity := toString . -}}
{{- if regexMatch "^[0-9]+(\\.[0-9]+)?([eE][+]?[0-9]+|[kMGT]|[KMGT]i)?$" $quantity -}}
{{- $unit := regexFind "[a-zA-Z]*$" $quantity -}}
{{- divf (mulf (trimSuffix $unit $quantity | float64) (get $units $unit)) 1048576 | floor | int64 -}}
{{- else }}-1{{ end -}}
{{- end -}}

{{/*
Seconds that a stopping pod serves on, until DNS and Endpoints no longer name it. A component without a port of its own has no clients.
Input: {root, name, component}.
*/}}
{{- define "platen.preStop" -}}
{{- if .component.ports }}{{ (fromYaml (include "platen.componentValues" .)).preStopSeconds | int }}{{ else }}0{{ end -}}
{{- end -}}

{{/* Seconds until a stopping pod is killed. Input: {root, name, component}. */}}
{{- define "platen.grace" -}}
{{- $own := (get .root.Values .name | default dict).terminationGracePeriodSeconds -}}
{{- $own | default (add .component.grace (include "platen.preStop" . | int)) | int -}}
{{- end -}}

{{/* The smallest number of pods of a component. Input: its values. */}}
{{- define "platen.minReplicas" -}}
{{- if and .autoscaling .autoscaling.enabled }}{{ .autoscaling.min | int }}{{ else }}{{ .replicas | default 1 | int }}{{ end -}}
{{- end -}}

{{- define "platen.maxReplicas" -}}
{{- if and .autoscaling .autoscaling.enabled }}{{ .autoscaling.max | int }}{{ else }}{{ .replicas | default 1 | int }}{{ end -}}
{{- end -}}

{{/* Connections to PostgreSQL that all components need together while each starts one more pod, with 10 for tools and migrations. */}}
{{- define "platen.maxConnections" -}}
{{- $sum := 10 -}}
{{- range $name, $component := fromYaml (include "platen.components" .) -}}
{{- with $component.connections -}}
{{- $values := fromYaml (include "platen.componentValues" (dict "root" $ "name" $name)) -}}
{{- $sum = add $sum (mul (include "platen.maxReplicas" $values | add1) ($.Values.database.connectionsPerReplica | default . | int)) -}}
{{- end -}}
{{- end -}}
{{- $sum -}}
{{- end -}}

{{/* At most 37 characters, so that the name of the StatefulSet, which is a part of labels, has at most 52. */}}
{{- define "platen.fullname" -}}
{{- if contains "platen" .Release.Name }}{{ .Release.Name | trunc 37 | trimSuffix "-" }}{{ else }}{{ .Release.Name | trunc 30 | trimSuffix "-" }}-platen{{ end -}}
{{- end -}}

{{/* Input: {root, name}. */}}
{{- define "platen.selector" -}}
app.kubernetes.io/name: platen
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* Input: {root, name}. */}}
{{- define "platen.labels" -}}
{{ include "platen.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* All pods of the release. */}}
{{- define "platen.releaseSelector" -}}
app.kubernetes.io/name: platen
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "platen.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end -}}

{{- define "platen.serviceAccount" -}}
{{ if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "platen.fullname" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end -}}

{{/* The host of agents, as `host` or `host:port`. */}}
{{- define "platen.agentsHost" -}}
{{ .Values.hosts.agents | default .Values.hosts.api }}
{{- end -}}
