{{/* At most 63 characters, and no hyphen at the end. */}}
{{- define "schema-registrar.cut" -}}
{{- regexReplaceAll "-+$" (trunc 63 .) "" -}}
{{- end -}}

{{/*
What everything is named after: the release and the chart, or the release alone where it says the chart already.
A release may be named 1.2; a Service begins with a letter and has no dots.
*/}}
{{- define "schema-registrar.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := printf "%s-%s" .Release.Name $name -}}
{{- if .Values.fullnameOverride -}}
{{- $full = .Values.fullnameOverride -}}
{{- else if contains $name .Release.Name -}}
{{- $full = .Release.Name -}}
{{- end -}}
{{- if regexMatch "^[0-9]" $full -}}
{{- $full = printf "r%s" $full -}}
{{- end -}}
{{- include "schema-registrar.cut" (replace "." "-" $full) -}}
{{- end -}}

{{/* The name of what has no namespace: two releases of one name in two namespaces must not share it. */}}
{{- define "schema-registrar.clustername" -}}
{{- printf "%s-%s" .Release.Namespace (include "schema-registrar.fullname" .) -}}
{{- end -}}

{{/* What tells the pods of this release from all others. It never changes: a Deployment's selector cannot. */}}
{{- define "schema-registrar.selector" -}}
app.kubernetes.io/name: {{ include "schema-registrar.cut" (default .Chart.Name .Values.nameOverride) | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "schema-registrar.labels" -}}
{{ include "schema-registrar.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ include "schema-registrar.cut" (printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_") | quote }}
{{- end -}}

{{- define "schema-registrar.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}
