/** Announces printers on the loopback interface, as printers do in a network. */
import { randomUUID } from 'node:crypto'
import type { Answer, StringAnswer } from 'dns-packet'
import createMdns from 'multicast-dns'
import { onTestFinished } from 'vitest'

/** For `allowedNetworks`. */
export const LOOPBACK = ['127.0.0.0/8']

/** Permits the port of a simulated printer as well. */
export const allowPort = (uri: string) => [...LOOPBACK, `${LOOPBACK}:${new URL(uri).port}`]

interface Announced {
  name: string
  /** `_ipp._tcp`. */
  service: string
  port: number
  address?: string
  txt?: string[]
}

/**
 * Answers each question by its own records, so that every record must be asked for. Other tests of the machine get the
 * answers too, so each call has names of its own.
 *
 * @returns the end of the names, before which the given name stands.
 */
export function announcePrinters(printers: Announced[]): string {
  const suffix = ` ${randomUUID()}`
  const mdns = createMdns({ interface: '127.0.0.1', bind: '0.0.0.0' })
  onTestFinished(() => mdns.destroy())
  const records: Answer[] = printers.flatMap(({ name, service, port, address = '127.0.0.1', txt = [] }, n) => {
    const [type, host, instance] = [
      `${service}.local`,
      `${n}-${suffix.trim()}.local`,
      `${name}${suffix}.${service}.local`,
    ]
    return [
      { name: type, type: 'PTR', ttl: 120, data: instance } satisfies StringAnswer,
      { name: instance, type: 'SRV', ttl: 120, data: { target: host, port } },
      { name: instance, type: 'TXT', ttl: 120, data: txt },
      { name: host, type: 'A', ttl: 120, data: address },
    ]
  })
  mdns.on('query', ({ questions }) => {
    const answers = records.filter((record) =>
      questions.some(({ name, type }) => record.name === name && record.type === type),
    )
    if (answers.length > 0) mdns.respond(answers)
  })
  return suffix
}
