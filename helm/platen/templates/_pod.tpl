{{/*
The pod of every component and command. It satisfies the Pod Security Standard `restricted`.
Input: {root, name, component}. Output: a pod template with metadata and spec.
*/}}
{{- define "platen.pod" -}}
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
{{- $_ := set $mounts "nats" (dict "secretName" $v.nats.secretName "key" "nats.creds" "file" "nats.creds") -}}
{{- end -}}
metadata:
  labels:
    {{- merge (fromYaml (include "platen.selector" .)) $values.podLabels | toYaml | nindent 4 }}
  {{- with $values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
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
  {{- with $values.priorityClassName }}
  priorityClassName: {{ quote . }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
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
