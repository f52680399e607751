{{/*
Refuses values that would install something broken, all problems at once. values.schema.json checks types, bounds and unknown keys before.
Each sentence names the key and the remedy.
*/}}
{{- define "platen.check" -}}
{{- $v := .Values -}}
{{- $problems := list -}}

{{- if not $v.hosts.api -}}
{{- $problems = append $problems "hosts.api is empty: set it to the host name of the REST API, print.example.com for example." -}}
{{- else if not (regexMatch "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$" $v.hosts.api) -}}
{{- $problems = append $problems "hosts.api must be a host name: leave out scheme, port and path." -}}
{{- end -}}
{{- if not (regexMatch "^([a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?)?$" $v.hosts.agents) -}}
{{- $problems = append $problems "hosts.agents must be a host name, if necessary with a port: leave out scheme and path." -}}
{{- end -}}

{{- if not $v.database.secretName -}}
{{- $problems = append $problems "database.secretName is empty: set it to a Secret that holds the URL of PostgreSQL; the chart installs no database." -}}
{{- end -}}

{{- if not $v.nats.servers -}}
{{- $problems = append $problems "nats.servers is empty: list the URLs of your NATS servers, nats://nats:4222 for example; the chart installs none." -}}
{{- end -}}
{{- range $v.nats.servers -}}
{{- if contains "@" . -}}
{{- $problems = append $problems "nats.servers must hold no credentials: put them into the Secret nats.secretName and set nats.auth." -}}
{{- end -}}
{{- end -}}
{{- $tls := or $v.nats.caSecretName (contains "tls://" (join "," $v.nats.servers)) -}}
{{- range $v.nats.servers -}}
{{- if ne (hasPrefix "tls://" .) (hasPrefix "tls://" (first $v.nats.servers)) -}}
{{- $problems = append $problems "nats.servers must all begin with nats:// or all with tls://: change the others." -}}
{{- end -}}
{{- if and $tls (regexMatch "^[a-z]+://([0-9.]+|\\[.*)(:[0-9]+)?$" .) -}}
{{- $problems = append $problems "nats.servers must have host names for TLS, not IP addresses: use the names in the certificates." -}}
{{- end -}}
{{- end -}}
{{- if and (ne $v.nats.auth "none") (not $v.nats.secretName) -}}
{{- $problems = append $problems (printf "nats.secretName is empty: set it to a Secret with the credentials of nats.auth %s, or set nats.auth to none." $v.nats.auth) -}}
{{- end -}}

{{- if not $v.files.url -}}
{{- $problems = append $problems "files.url is empty: set it to the document store, s3://bucket?region=eu-central-1 for example." -}}
{{- else if not (regexMatch "^(s3|nats)://" $v.files.url) -}}
{{- $problems = append $problems "files.url must begin with s3:// or nats://: pods share no directory, so file: is not possible." -}}
{{- else if contains "@" $v.files.url -}}
{{- $problems = append $problems "files.url must hold no credentials: put them into the Secret files.secretName, or use those of nats for nats://." -}}
{{- end -}}

{{- if eq $v.files.secretName $v.secrets.secretName -}}
{{- $problems = append $problems "files.secretName must not be secrets.secretName: each of its keys becomes a variable, put the credentials of the document store into a Secret of their own." -}}
{{- end -}}

{{- if and $v.mail.secretName (not $v.mail.from) -}}
{{- $problems = append $problems "mail.from is empty: set it to the address that e-mails are sent from, or remove mail.secretName." -}}
{{- end -}}
{{- if and $v.mail.from (not $v.mail.secretName) -}}
{{- $problems = append $problems "mail.secretName is empty: set it to a Secret that holds the URL of the SMTP server, or remove mail.from." -}}
{{- end -}}

{{- range $name := keys (fromYaml (include "platen.components" $)) | sortAlpha -}}
{{- with (get $v $name | default dict).autoscaling -}}
{{- if and .enabled (gt (int .min) (int .max)) -}}
{{- $problems = append $problems (printf "%s.autoscaling.min must not be above max: raise %s.autoscaling.max." $name $name) -}}
{{- end -}}
{{- if and .enabled (not .cpu) (not .metrics) -}}
{{- $problems = append $problems (printf "%s.autoscaling.metrics is empty: set cpu or add a metric." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- range $name, $component := fromYaml (include "platen.components" $) -}}
{{- $row := dict "root" $ "name" $name "component" $component -}}
{{- $grace := include "platen.grace" $row | int -}}
{{- $preStop := include "platen.preStop" $row | int -}}
{{- if lt $grace (add $preStop 12 | int) -}}
{{- $problems = append $problems (printf "%s.terminationGracePeriodSeconds is %d: set it to at least %d, 12 s more than preStopSeconds." $name $grace (add $preStop 12)) -}}
{{- end -}}
{{- end -}}

{{- range $name, $processes := $.Files.Get "files/process-memory.json" | fromJson -}}
{{- $values := fromYaml (include "platen.componentValues" (dict "root" $ "name" $name)) -}}
{{- with ($values.resources.limits | default dict).memory -}}
{{- $own := (get (fromYaml (include "platen.components" $)) $name).requests.memory -}}
{{- $needed := add (include "platen.mebibytes" $own) $processes -}}
{{- if lt (include "platen.mebibytes" . | int64) $needed -}}
{{- $problems = append $problems (printf "%s.resources.limits.memory is %v: set it to at least %dMi, %dMi for the processes that handle documents and %s for the service." (include "platen.valuesKey" $name) . $needed (int64 $processes) $own) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- if and $v.networkPolicy.enabled $v.networkPolicy.fromNamespaces (ne $v.expose.agentsService.type "ClusterIP") -}}
{{- $problems = append $problems "networkPolicy.fromNamespaces would lock out the agents, which connect to the Service of expose.agentsService from outside of the cluster: empty it, or use ClusterIP and a route." -}}
{{- end -}}

{{- if and $v.networkPolicy.enabled $v.telemetry.podMonitor.enabled (not $v.networkPolicy.metricsFromNamespaces) -}}
{{- $problems = append $problems "networkPolicy.metricsFromNamespaces is empty: list the namespace of Prometheus, which otherwise cannot read the metrics of telemetry.podMonitor." -}}
{{- end -}}
{{- if and $v.networkPolicy.enabled $v.networkPolicy.egress.enabled -}}
{{- $needed := list "database" "nats" -}}
{{- if hasPrefix "s3:" $v.files.url }}{{ $needed = append $needed "files" }}{{ end -}}
{{- if $v.telemetry.otlpEndpoint }}{{ $needed = append $needed "telemetry" }}{{ end -}}
{{- range $needed -}}
{{- if not (get $v.networkPolicy.egress .) -}}
{{- $problems = append $problems (printf "networkPolicy.egress.%s is empty: permit the connections to this server, or set networkPolicy.egress.enabled to false." .) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- $route := $v.expose.gatewayApi -}}
{{- if and (eq $route.agentsKind "GRPCRoute") (not $route.parentRefs) -}}
{{- $problems = append $problems "expose.gatewayApi.parentRefs is empty: name the Gateway that agentsKind is for." -}}
{{- end -}}
{{- if and (eq $route.agentsKind "GRPCRoute") (eq (include "platen.agentsHost" $) $v.hosts.api) -}}
{{- $problems = append $problems "expose.gatewayApi.agentsKind GRPCRoute needs a host of its own: set hosts.agents to another name than hosts.api." -}}
{{- end -}}

{{- if and (or $v.expose.ingress.enabled $route.parentRefs) (not $v.settings.PLATEN_TRUSTED_PROXIES) -}}
{{- $problems = append $problems "settings.PLATEN_TRUSTED_PROXIES is empty: set it to the addresses of the pods of the Ingress controller or Gateway, 10.244.0.0/16 for example; otherwise all clients share the limits of sign-ins." -}}
{{- end -}}

{{- if and $v.telemetry.podMonitor.enabled (not (.Capabilities.APIVersions.Has "monitoring.coreos.com/v1")) -}}
{{- $problems = append $problems "telemetry.podMonitor.enabled needs the CustomResourceDefinition PodMonitor: install the Prometheus operator, or for `helm template` add --api-versions monitoring.coreos.com/v1." -}}
{{- end -}}

{{- if and $v.telemetry.alerts.enabled (not (.Capabilities.APIVersions.Has "monitoring.coreos.com/v1")) -}}
{{- $problems = append $problems "telemetry.alerts.enabled needs the CustomResourceDefinition PrometheusRule: install the Prometheus operator, or for `helm template` add --api-versions monitoring.coreos.com/v1." -}}
{{- end -}}
{{- if and $v.telemetry.alerts.enabled (not $v.telemetry.podMonitor.enabled) -}}
{{- $problems = append $problems "telemetry.alerts.enabled needs the metrics that the PodMonitor collects: set telemetry.podMonitor.enabled." -}}
{{- end -}}

{{- /* The bounds of each setting alone are in the schema. */ -}}
{{- $jobs := dig "PLATEN_JOB_RETENTION_SECONDS" 31536000 $v.settings | int64 -}}
{{- $kept := max (dig "PLATEN_FILE_RETENTION_SECONDS" 604800 $v.settings | int64) (dig "PLATEN_IDEMPOTENCY_KEY_SECONDS" 86400 $v.settings | int64) -}}
{{- if and $jobs (lt $jobs $kept) -}}
{{- $problems = append $problems "settings.PLATEN_JOB_RETENTION_SECONDS must be 0 or not less than PLATEN_FILE_RETENTION_SECONDS and PLATEN_IDEMPOTENCY_KEY_SECONDS: raise it." -}}
{{- end -}}

{{- if $problems -}}
{{- printf "\n\n- %s\n" (join "\n- " $problems) | fail -}}
{{- end -}}
{{- end -}}
