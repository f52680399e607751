{{/*
The pod of every component and command. It satisfies the Pod Security Standard `restricted`.
Input: {root, name, component}. Output: a pod template with metadata and spec.
*/}}
{{- define "platen.pod" -}}
{{- $base := fromYaml (include "platen.basePod" .) -}}
{{- $pod := $base -}}
{{- range list .root.Values.defaults (get .root.Values .name | default dict) -}}
{{- $pod = fromYaml (include "platen.merge" (dict "object" $pod "change" (.podTemplate | default dict))) -}}
{{- end -}}
{{- /* Services and workloads select pods by these labels. */ -}}
{{- $_ := mergeOverwrite $pod.metadata.labels $base.metadata.labels -}}
{{- toYaml $pod -}}
{{- end -}}

{{/*
Merges like a strategic merge patch: objects by key, lists of named objects by name. Other lists and values are replaced.
Input: {object, change}. Output: YAML.
*/}}
{{- define "platen.merge" -}}
{{- $result := deepCopy .object -}}
{{- range $key, $value := .change -}}
{{- $old := get $result $key -}}
{{- if and (kindIs "map" $value) (kindIs "map" $old) -}}
{{- $value = fromYaml (include "platen.merge" (dict "object" $old "change" $value)) -}}
{{- else if and (kindIs "slice" $value) (kindIs "slice" $old) -}}
{{- $isNamed := true -}}
{{- range concat $old $value }}{{ $isNamed = and $isNamed (kindIs "map" .) (hasKey . "name") }}{{ end -}}
{{- if $isNamed -}}
{{- $items := $old -}}
{{- range $change := $value -}}
{{- $merged := list -}}
{{- $isNew := true -}}
{{- range $items -}}
{{- $isSame := eq .name $change.name -}}
{{- if $isSame }}{{ $isNew = false }}{{ end -}}
{{- $merged = append $merged (ternary (fromYaml (include "platen.merge" (dict "object" . "change" $change))) . $isSame) -}}
{{- end -}}
{{- $items = ternary (append $merged $change) $merged $isNew -}}
{{- end -}}
{{- $value = $items -}}
{{- end -}}
{{- end -}}
{{- $_ := set $result $key $value -}}
{{- end -}}
{{- toYaml $result -}}
{{- end -}}

{{/* The pod before `podTemplate`. Input: {root, name, component}. */}}
{{- define "platen.basePod" -}}
{{- $root := .root -}}
{{- $v := $root.Values -}}
{{- $component := .component -}}
{{- $values := fromYaml (include "platen.componentValues" .) -}}
{{- $serves := hasKey $component "grace" -}}
{{- $mounts := dict -}}
{{- if and $component.connections $v.database.caSecretName -}}
{{- $_ := set $mounts "database" (dict "secretName" $v.database.caSecretName "key" $v.database.caKey "file" "ca.crt") -}}
{{- end -}}
{{- if and $component.nats $v.nats.caSecretName -}}
{{- $_ := set $mounts "nats-ca" (dict "secretName" $v.nats.caSecretName "key" $v.nats.caKey "file" "ca.crt") -}}
{{- end -}}
{{- if and $component.nats (eq $v.nats.auth "creds") -}}
{{- $_ := set $mounts "nats" (dict "secretName" (replace "*" .name $v.nats.secretName) "key" "nats.creds" "file" "nats.creds") -}}
{{- end -}}
metadata:
  labels:
    {{- include "platen.selector" . | nindent 4 }}
spec:
  {{- if $serves }}
  serviceAccountName: {{ include "platen.serviceAccount" $root | quote }}
  terminationGracePeriodSeconds: {{ include "platen.grace" . }}
  {{- else if $component.sleeps }}
  terminationGracePeriodSeconds: 1
  {{- else }}
  restartPolicy: Never
  {{- end }}
  automountServiceAccountToken: false
  # The variables of service links would collide with the settings.
  enableServiceLinks: false
  {{- with $v.image.pullSecrets }}
  imagePullSecrets: {{- range . }}
    - name: {{ quote . }}
  {{- end }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: {type: RuntimeDefault}
  # With the default of 5, each lookup of an external name begins with useless ones. With 1, `service.namespace` is first asked as a public
  # name, whose owner would get the connection.
  dnsConfig:
    options: [{name: ndots, value: "2"}]
  {{- if and $serves $values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- $selector := dict "labelSelector" (dict "matchLabels" (fromYaml (include "platen.selector" .))) }}
    {{- /* Of a Deployment only the pods of one revision count: otherwise the last pods of a rollout avoid those that are to go. */}}
    {{- if not $component.volume }}{{ $_ := set $selector "matchLabelKeys" (list "pod-template-hash") }}{{ end }}
    {{- range $values.topologySpreadConstraints }}
    - {{- merge (deepCopy .) $selector | toYaml | nindent 6 }}
    {{- end }}
  {{- end }}
  containers:
    - name: platen
      image: {{ include "platen.image" $root | quote }}
      imagePullPolicy: {{ $v.image.pullPolicy }}
      {{- if $component.sleeps }}
      command: [sleep, infinity]
      {{- else }}
      args: [{{ .name }}]
      {{- end }}
      env:
        {{- include "platen.env" (merge (dict "values" $values) .) | trim | nindent 8 }}
      {{- if and $component.files $v.files.secretName }}
      envFrom:
        - secretRef: {name: {{ quote $v.files.secretName }}}
      {{- end }}
      {{- if $serves }}
      ports:
        {{- range $port, $number := merge (dict "ops" 9464) ($component.ports | default dict) }}
        - {name: {{ $port }}, containerPort: {{ $number }}}
        {{- end }}
      startupProbe:
        httpGet: {path: /livez, port: ops}
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /livez, port: ops}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet: {path: /readyz, port: ops}
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      {{- with include "platen.preStop" . | int }}
      lifecycle:
        preStop: {sleep: {seconds: {{ . }}}}
      {{- end }}
      {{- end }}
      # `kubectl describe` shows a settings error.
      terminationMessagePolicy: FallbackToLogsOnError
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      resources: {{- toYaml $values.resources | nindent 8 }}
      volumeMounts:
        - {name: tmp, mountPath: /tmp}
        {{- range $mount := keys $mounts | sortAlpha }}
        - {name: {{ $mount }}, mountPath: /etc/platen/{{ $mount }}, readOnly: true}
        {{- end }}
        {{- with $component.volume }}
        - {name: data, mountPath: {{ . }}}
        {{- end }}
        {{- if and $component.packages $v.agentPackages.volume }}
        - {name: agents, mountPath: /agents, readOnly: true}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {sizeLimit: 64Mi}
    {{- if and $component.packages $v.agentPackages.volume }}
    - name: agents
      {{- toYaml $v.agentPackages.volume | nindent 6 }}
    {{- end }}
    {{- range $mount, $secret := $mounts }}
    - name: {{ $mount }}
      secret:
        secretName: {{ quote $secret.secretName }}
        items: [{key: {{ quote $secret.key }}, path: {{ $secret.file }}}]
    {{- end }}
{{- end -}}
