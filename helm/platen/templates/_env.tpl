{{/*
The environment of a component, sorted and without a repeated name: Helm 4 applies on the server side, which refuses repeated names
(helm/helm#31529). `extraEnv` comes last, so it replaces any variable. A variable that refers to another one, `$(K8S_POD_NAME)`, must sort after it.
Input: {root, name, component, values}. Output: the list of `env`.
*/}}
{{- define "platen.env" -}}
{{- $root := .root -}}
{{- $v := $root.Values -}}
{{- $full := include "platen.fullname" $root -}}
{{- $env := dict -}}
{{- $secret := dict "secretName" $v.secrets.secretName -}}

{{- /* Pod, log and traces */ -}}
{{- $_ := set $env "K8S_POD_NAME" (dict "fieldPath" "metadata.name") -}}
{{- $_ := set $env "K8S_NODE_NAME" (dict "fieldPath" "spec.nodeName") -}}
{{- $_ := set $env "OTEL_RESOURCE_ATTRIBUTES" (printf "service.version=%s,k8s.namespace.name=%s,k8s.pod.name=$(K8S_POD_NAME),k8s.node.name=$(K8S_NODE_NAME)" $root.Chart.AppVersion $root.Release.Namespace) -}}
{{- $_ := set $env "OTEL_EXPORTER_OTLP_ENDPOINT" $v.telemetry.otlpEndpoint -}}
{{- $_ := set $env "OTEL_TRACES_SAMPLER" $v.telemetry.sampler -}}
{{- $_ := set $env "PLATEN_LOG_LEVEL" $v.telemetry.logLevel -}}

{{- /* What every component has */ -}}
{{- with .component.grace -}}
{{- $_ := set $env "PLATEN_OPS_LISTEN" "*:9464" -}}
{{- $_ := set $env "PLATEN_DRAIN_SECONDS" (sub (sub (include "platen.grace" $ | int) (include "platen.preStop" $ | int)) 2 | toString) -}}
{{- $_ := set $env "PLATEN_OPERATOR_SECRET_SHA256" (merge (dict "key" "operatorSecretSha256") $secret) -}}
{{- end -}}
{{- if .component.operator -}}
{{- $_ := set $env "PLATEN_OPERATOR_SECRET" (merge (dict "key" "operatorSecret") $secret) -}}
{{- $_ := set $env "PLATEN_OPS_URL" (printf "http://%s-*-ops:9464" $full) -}}
{{- end -}}
{{- range $name, $key := .component.key -}}
{{- $_ := set $env $name (merge (dict "key" $key) $secret) -}}
{{- end -}}
{{- if hasKey (.component.ports | default dict) "rpc" -}}
{{- $_ := set $env "PLATEN_RPC_LISTEN" "*:8100" -}}
{{- $_ := set $env "PLATEN_RPC_CALLERS" (merge (dict "key" "rpcCallers") $secret) -}}
{{- end -}}
{{- if .component.calls -}}
{{- $_ := set $env "PLATEN_RPC_KEY" (merge (dict "key" (printf "rpcKey-%s" .name)) $secret) -}}
{{- end -}}
{{- /* gRPC clients balance over the addresses of a headless Service. A mesh balances over those of a ClusterIP Service. */ -}}
{{- range .component.calls -}}
{{- $_ := set $env (printf "PLATEN_%s_URL" (upper .)) (printf "http://%s-%s%s:8100" $full . (ternary "-mesh" "" $v.mesh)) -}}
{{- end -}}

{{- if .component.connections -}}
{{- $secretName := $v.database.secretName -}}
{{- $key := $v.database.key -}}
{{- if and (eq .name "migrate") (contains "*" (print $secretName $key)) -}}
{{- range $name, $component := fromYaml (include "platen.components" $root) -}}
{{- if $component.connections -}}
{{- $_ := set $env (printf "PLATEN_DATABASE_URL_%s" (upper $name)) (dict "secretName" (replace "*" $name $secretName) "key" (replace "*" $name $key)) -}}
{{- end -}}
{{- end -}}
{{- else -}}
{{- $_ := set $env "PLATEN_DATABASE_URL" (dict "secretName" (replace "*" .name $secretName) "key" (replace "*" .name $key)) -}}
{{- end -}}
{{- if $v.database.caSecretName -}}
{{- $_ := set $env "PLATEN_DATABASE_CA_FILE" "/etc/platen/database/ca.crt" -}}
{{- end -}}
{{- with $v.database.connectionsPerReplica -}}
{{- $_ := set $env "PLATEN_DATABASE_CONNECTIONS" (int . | toString) -}}
{{- end -}}
{{- if .component.grace -}}
{{- $_ := set $env "PLATEN_MIGRATIONS" (ternary "run" "wait" (eq $v.migrations.mode "off")) -}}
{{- end -}}
{{- end -}}

{{- if .component.nats -}}
{{- $_ := set $env "PLATEN_NATS_URL" (join "," $v.nats.servers) -}}
{{- $_ := set $env "PLATEN_NATS_REPLICAS" (int $v.nats.replicas | toString) -}}
{{- $nats := dict "secretName" (replace "*" .name $v.nats.secretName) -}}
{{- if eq $v.nats.auth "token" -}}
{{- $_ := set $env "PLATEN_NATS_TOKEN" (merge (dict "key" "token") $nats) -}}
{{- else if eq $v.nats.auth "user" -}}
{{- $_ := set $env "PLATEN_NATS_USER" (merge (dict "key" "user") $nats) -}}
{{- $_ := set $env "PLATEN_NATS_PASSWORD" (merge (dict "key" "password") $nats) -}}
{{- else if eq $v.nats.auth "creds" -}}
{{- $_ := set $env "PLATEN_NATS_CREDENTIALS_FILE" "/etc/platen/nats/nats.creds" -}}
{{- end -}}
{{- if $v.nats.caSecretName -}}
{{- $_ := set $env "PLATEN_NATS_CA_FILE" "/etc/platen/nats-ca/ca.crt" -}}
{{- end -}}
{{- end -}}

{{- if .component.files -}}
{{- $_ := set $env "PLATEN_FILE_STORE_URL" $v.files.url -}}
{{- end -}}
{{- if .component.mail -}}
{{- $_ := set $env "PLATEN_MAIL_FROM" $v.mail.from -}}
{{- if $v.mail.secretName -}}
{{- $_ := set $env "PLATEN_SMTP_URL" (dict "secretName" $v.mail.secretName "key" $v.mail.key) -}}
{{- end -}}
{{- end -}}

{{- /* Single components */ -}}
{{- if eq .name "gateway" -}}
{{- $_ := set $env "PLATEN_PORT" "8080" -}}
{{- $_ := set $env "PLATEN_INSTALLATION" "helm" -}}
{{- $_ := set $env "PLATEN_UPGRADE_URL" ($v.hosts.upgradeUrl | default (printf "https://%s/docs" $v.hosts.api)) -}}
{{- /* Fewer collections while documents are streamed. The first option is that of the image, which this variable replaces. */ -}}
{{- $_ := set $env "NODE_OPTIONS" "--disable-warning=ExperimentalWarning --max-semi-space-size=16" -}}
{{- end -}}
{{- if has .name (list "gateway" "operator") -}}
{{- $_ := set $env "PLATEN_AGENT_PUBLIC_URL" (printf "https://%s" (include "platen.agentsHost" $root)) -}}
{{- end -}}
{{- if has .name (list "gateway" "accounts" "webhooks") -}}
{{- $_ := set $env "PLATEN_PUBLIC_URL" (printf "https://%s" $v.hosts.api) -}}
{{- end -}}
{{- if has .name (list "gateway" "devices") -}}
{{- $_ := set $env "PLATEN_AGENT_PORT" "8090" -}}
{{- end -}}
{{- if and .component.packages $v.agentPackages.volume -}}
{{- $_ := set $env "PLATEN_AGENT_PACKAGES_DIR" "/agents" -}}
{{- end -}}
{{- if eq .name "test-computers" -}}
{{- $_ := set $env "PLATEN_AGENT_URL" (printf "http://%s-agents:8090" $full) -}}
{{- $_ := set $env "PLATEN_TEST_COMPUTERS_DIR" (printf "%s/test-computers" .component.volume) -}}
{{- end -}}
{{- if eq .name "operator" -}}
{{- $_ := set $env "PLATEN_API_URL" (printf "https://%s" $v.hosts.api) -}}
{{- end -}}
{{- if eq .name "selftest" -}}
{{- $_ := set $env "PLATEN_API_URL" (printf "http://%s-gateway:8080" $full) -}}
{{- end -}}

{{- /* settings.json names the components that read a setting. Values files hold large numbers as floating point. */ -}}
{{- $readers := $root.Files.Get "files/settings.json" | fromJson -}}
{{- range $name, $value := $v.settings -}}
{{- if has $.name (get $readers $name) -}}
{{- $_ := set $env $name (ternary $value (printf "%d" (int64 $value)) (kindIs "string" $value)) -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := .values.extraEnv -}}
{{- $_ := set $env $name $value -}}
{{- end -}}

{{- range $name := keys $env | sortAlpha -}}
{{- $value := get $env $name -}}
{{- if kindIs "map" $value }}
- name: {{ $name }}
  valueFrom:
    {{- if $value.fieldPath }}
    fieldRef: {fieldPath: {{ $value.fieldPath }}}
    {{- else }}
    secretKeyRef: {name: {{ quote $value.secretName }}, key: {{ quote $value.key }}}
    {{- end }}
{{- else if ne (toString $value) "" }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end -}}
{{- end -}}
{{- end -}}
