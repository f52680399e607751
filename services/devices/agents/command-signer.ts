/**
 * Signs the commands that the replicas of this service send each other, because other services may also be able to
 * publish to their subject. Used by `route-commands.ts`.
 */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { createExpiringMap } from '@platen/runtime/cache.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import { matchesAny } from '@platen/runtime/keyring.ts'

/** Age of a message, and the difference of the clocks of two replicas. */
const AGE_MAX_MS = 60_000
/** More than are sent within twice that time. */
const KNOWN_MAX = 10_000

/** What a signature is for. */
export interface CommandMessage {
  computerId: string
  /** Subject of the answer, which no other message has. */
  reply: string
  /** The command as bytes. */
  payload: Uint8Array
}

export interface CommandSigner {
  /** @returns `<milliseconds since 1970>.<HMAC-SHA-256 as base64url>` */
  sign(message: CommandMessage): string
  /**
   * Whether a replica with the same key has signed this message within the last minute. True only once for each
   * message.
   */
  accept(message: CommandMessage, signature: string): boolean
}

/** @param rpcKey of this service. */
export function createCommandSigner(rpcKey: string, clock: Clock): CommandSigner {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', rpcKey, '', 'platen commands of computers', 32)))
  const accepted = createExpiringMap<true>({ ttlMs: 2 * AGE_MAX_MS, max: KNOWN_MAX, now: clock.monotonicMs })
  const digest = ({ computerId, reply, payload }: CommandMessage, sentAt: number) =>
    createHmac('sha256', key)
      .update(JSON.stringify([computerId, reply, sentAt]))
      .update('\0')
      .update(payload)
      .digest()
  return {
    sign(message) {
      const sentAt = clock.now().getTime()
      return `${sentAt}.${digest(message, sentAt).toString('base64url')}`
    },
    accept(message, signature) {
      const [sentAt = '', mac = ''] = signature.split('.')
      const ageMs = clock.now().getTime() - Number(sentAt)
      const isSigned = matchesAny([digest(message, Number(sentAt))], Buffer.from(mac, 'base64url'))
      if (!isSigned || Math.abs(ageMs) > AGE_MAX_MS || accepted.has(message.reply)) return false
      accepted.set(message.reply, true)
      return true
    },
  }
}
