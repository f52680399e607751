/**
 * Publishes to JetStream and waits for what it acknowledges. The library's own publication makes a timer, a race and an error object for
 * each message, which were a tenth of what the jobs service computed; here one timer serves all.
 */
import { setInterval } from 'node:timers'
import { createInbox, headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import type { ServiceProcess } from '../process.ts'

const TIMEOUT_MS = 2_000
const LOOK_EVERY_MS = 500

export interface Publication {
  subject: string
  payload: string
  /** Within the stream's duplicate window a message with the same id is taken, and not kept again. */
  messageId: string
  headers: Record<string, string>
}

interface Awaited {
  resolve(): void
  reject(error: Error): void
  until: number
}

export interface Publisher {
  /** @throws Error when no stream took the message, or it is not known within 2 s whether one did. */
  publish(publication: Publication): Promise<void>
}

export function createPublisher(service: ServiceProcess, nats: NatsConnection): Publisher {
  const inbox = createInbox()
  const awaited = new Map<string, Awaited>()
  let count = 0

  const answers = nats.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      const token = message.subject.slice(inbox.length + 1)
      const publication = awaited.get(token)
      awaited.delete(token)
      const refusal = error ?? refusalOf(message)
      if (refusal) publication?.reject(refusal)
      else publication?.resolve()
    },
  })
  const look = setInterval(() => {
    for (const [token, { until, reject }] of awaited) {
      // They were added in the order of their times.
      if (until > performance.now()) return
      awaited.delete(token)
      reject(new Error('JetStream did not acknowledge the message in time'))
    }
  }, LOOK_EVERY_MS).unref()
  service.onStop('publisher', () => {
    clearInterval(look)
    answers.unsubscribe()
  })

  return {
    publish: ({ subject, payload, messageId, headers: own }) =>
      new Promise((resolve, reject) => {
        const token = (count++).toString(36)
        nats.publish(subject, payload, { reply: `${inbox}.${token}`, headers: headersOf(messageId, own) })
        awaited.set(token, { resolve, reject, until: performance.now() + TIMEOUT_MS })
      }),
  }
}

function headersOf(messageId: string, own: Record<string, string>): MsgHdrs {
  const all = headers()
  all.set('Nats-Msg-Id', messageId)
  for (const [name, value] of Object.entries(own)) all.set(name, value)
  return all
}

/** @returns undefined for an acknowledgement. */
function refusalOf(message: Msg): Error | undefined {
  if (message.headers?.code === 503) return new Error('no stream listens to the subject')
  const answer = message.json<{ stream?: string; error?: { description?: string } }>()
  if (answer.error) return new Error(`JetStream refused the message: ${answer.error.description}`)
  return answer.stream ? undefined : new Error('JetStream gave no acknowledgement')
}
