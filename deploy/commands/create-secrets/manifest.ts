/** The Secrets of a new installation on Kubernetes, in the form that the Helm chart expects. */
import { NATS_SERVICES } from '@platen/proto/nats-permissions.ts'
import { createSecret, type Secrets } from '../../launcher/secrets.ts'
import { SERVICE_SCHEMAS } from '../../launcher/service-roles.ts'
import { toRpcCallers, toSha256 } from '../../launcher/services.ts'
import { NATS_USER } from '../../nats-users.ts'

/** @returns the contents of the Secret `platen-secrets`. */
export function toSecretData({ rpcKeys, ...secrets }: Secrets): Record<string, string> {
  const { signingKey, fetchKey, webhookKey, signInKey, operatorSecret } = secrets
  return {
    ...Object.fromEntries(Object.entries(rpcKeys).map(([name, key]) => [`rpcKey-${name}`, key])),
    rpcCallers: toRpcCallers(rpcKeys),
    ...{ signingKey, fetchKey, webhookKey, signInKey, operatorSecret },
    operatorSecretSha256: toSha256(operatorSecret),
  }
}

/**
 * A Secret for the role of each service in PostgreSQL, with a password of its own, in the form that CloudNativePG
 * expects beside `uri`.
 *
 * @param url with `platen_*` as user and without a password.
 */
export function renderDatabaseSecrets(url: URL): string[] {
  return SERVICE_SCHEMAS.map((service) => {
    const [username, password] = [url.username.replace('*', service), createSecret()]
    const uri = Object.assign(new URL(url), { username, password }).href
    return renderSecret(`platen-database-${service}`, { username, password, uri }, 'kubernetes.io/basic-auth')
  })
}

/** A Secret for the user of each service in NATS, and for that of operators, with a password of its own. */
export function renderNatsSecrets(): string[] {
  return [...NATS_SERVICES, 'operator'].map((name) =>
    renderSecret(`platen-nats-${name}`, { user: NATS_USER.replace('*', name), password: createSecret() }),
  )
}

/** @returns YAML. */
export function renderSecret(name: string, data: Record<string, string>, type = 'Opaque'): string {
  const lines = Object.entries(data).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)
  return [
    'apiVersion: v1',
    'kind: Secret',
    'metadata:',
    `  name: ${name}`,
    `type: ${type}`,
    'stringData:',
    ...lines,
  ].join('\n')
}
