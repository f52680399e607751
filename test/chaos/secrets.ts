/** What must not leak out of an organization, and how it is found wherever it went. Used by the load, which plants canaries, and by `leaks.ts`. */
import { createHash } from 'node:crypto'
import type { Tenant } from './system/chaos-system.ts'

export interface Secret {
  kind: 'key' | 'credential' | 'contents' | 'webhook secret'
  organizationId: string
  /** The bytes themselves, and in the encodings in which a program could have written them. */
  forms: Buffer[]
}

/**
 * A text that stands in each document of an organization, in the URL and the password by which some are fetched, and nowhere else in
 * the world. Fit for a URL.
 */
export function canaryOf({ organizationId }: Tenant, seed: number): string {
  return `canary-${createHash('sha256').update(`${seed} ${organizationId}`).digest('hex').slice(0, 32)}`
}

export function secretsOf(tenant: Tenant, seed: number): Secret[] {
  const { organizationId, key, credential, endpoints } = tenant
  const secret = (kind: Secret['kind'], text: string): Secret => ({ kind, organizationId, forms: formsOf(text) })
  return [
    secret('key', key),
    secret('credential', credential),
    secret('contents', canaryOf(tenant, seed)),
    ...endpoints.map((endpoint) => secret('webhook secret', endpoint.secret)),
  ]
}

export function holds(text: Buffer, secret: Secret): boolean {
  return secret.forms.some((form) => text.includes(form))
}

function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  return [bytes, Buffer.from(bytes.toString('hex')), ...base64Forms(bytes)]
}

/** Base64 looks different depending on where in a group of three bytes the text begins; its ends depend on their neighbours and are left out. */
function base64Forms(bytes: Buffer): Buffer[] {
  return [0, 1, 2].map((offset) => {
    const whole = bytes.subarray(offset, offset + Math.floor((bytes.length - offset) / 3) * 3)
    return Buffer.from(whole.toString('base64'))
  })
}
