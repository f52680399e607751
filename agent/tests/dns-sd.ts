/** Announces printers on the loopback interface, as printers do in a network. */
import type { Answer, StringAnswer } from 'dns-packet'
import createMdns from 'multicast-dns'
import { onTestFinished } from 'vitest'

/** For `allowedNetworks`. */
export const LOOPBACK = ['127.0.0.0/8']

interface Announced {
  name: string
  /** `_ipp._tcp`. */
  service: string
  port: number
  address?: string
  txt?: string[]
}

const HOST = 'printer.local'

/** Answers each question by its own records, so that every record must be asked for. */
export function announcePrinters(printers: Announced[]): void {
  const mdns = createMdns({ interface: '127.0.0.1', bind: '0.0.0.0' })
  onTestFinished(() => mdns.destroy())
  const records: Answer[] = printers.flatMap(({ name, service, port, address = '127.0.0.1', txt = [] }, n) => {
    const [type, host] = [`${service}.local`, `${n}.${HOST}`]
    return [
      { name: type, type: 'PTR', ttl: 120, data: `${name}.${type}` } satisfies StringAnswer,
      { name: `${name}.${type}`, type: 'SRV', ttl: 120, data: { target: host, port } },
      { name: `${name}.${type}`, type: 'TXT', ttl: 120, data: txt },
      { name: host, type: 'A', ttl: 120, data: address },
    ]
  })
  mdns.on('query', ({ questions }) => {
    const answers = records.filter((record) =>
      questions.some(({ name, type }) => record.name === name && record.type === type),
    )
    if (answers.length > 0) mdns.respond(answers)
  })
}
