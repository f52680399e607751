/**
 * Finds the printers that announce themselves in the networks of this computer by DNS-SD (RFC 6763): `_ipps._tcp`,
 * `_ipp._tcp` and `_pdl-datastream._tcp`. What they announce is untrusted: only its form is used.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { COMMAND_PRINTERS_MAX } from '@platen/proto/agent-bounds.ts'
import type { FoundPrinterSchema } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import type { Answer } from 'dns-packet'
import createMdns, { type MulticastDNS } from 'multicast-dns'
import { recognizeModel, resolveRaster } from '../raster/raster-printer.ts'
import { getHost, getPrinterPort } from './config.ts'
import { type AllowedNetworks, createGuard, getSearchAddresses } from './local-networks.ts'

export type FoundPrinter = MessageInitShape<typeof FoundPrinterSchema>

/** The best one first, because most printers announce several. */
const SERVICES = [
  { type: '_ipps._tcp.local', scheme: 'ipps', defaultPort: 631 },
  { type: '_ipp._tcp.local', scheme: 'ipp', defaultPort: 631 },
  { type: '_pdl-datastream._tcp.local', scheme: 'socket', defaultPort: 9100 },
] as const

/** Questions are repeated, because multicast packets get lost, and ask for the records that are missing. */
const ROUNDS_MS = [700, 1_000, 1_300]

/** Records of one search, so that a flood of answers stays small. */
const RECORDS_MAX = 2_000

export async function findPrinters(allowed: AllowedNetworks, signal: AbortSignal): Promise<FoundPrinter[]> {
  const records = new Records()
  const sockets = getSearchAddresses(allowed).map((address) => openSocket(address, records))
  try {
    for (const waitMs of ROUNDS_MS) {
      const questions = records.missing()
      for (const socket of sockets) socket.query(questions)
      await sleep(waitMs, undefined, { signal })
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const isUsable = (uri: string) => createGuard(allowed, getPrinterPort(uri)).isAllowed(getHost(uri))
  return records.printers(isUsable).slice(0, COMMAND_PRINTERS_MAX)
}

/** A network that cannot be searched finds nothing. */
function openSocket(address: string, records: Records): MulticastDNS {
  const socket = createMdns({ interface: address, bind: '0.0.0.0' })
  for (const event of ['error', 'warning'] as const) socket.on(event, () => undefined)
  socket.on('response', ({ answers, additionals }) => {
    for (const answer of [...answers, ...additionals]) records.add(answer)
  })
  return socket
}

const toKey = (name: string) => name.toLowerCase()

class Records {
  private count = 0
  /** Names of printers by type of service. */
  private readonly names = new Map<string, Set<string>>(SERVICES.map(({ type }) => [type, new Set()]))
  private readonly targets = new Map<string, { host: string; port: number }>()
  private readonly texts = new Map<string, Map<string, string>>()
  private readonly addresses = new Map<string, Set<string>>()

  add(answer: Answer): void {
    if (++this.count > RECORDS_MAX) return
    if (answer.type === 'PTR') this.names.get(toKey(answer.name))?.add(answer.data)
    else if (answer.type === 'SRV')
      this.targets.set(toKey(answer.name), { host: answer.data.target, port: answer.data.port })
    else if (answer.type === 'TXT') this.texts.set(toKey(answer.name), parseText(answer.data))
    else if (answer.type === 'A') {
      const addresses = this.addresses.get(toKey(answer.name)) ?? new Set()
      this.addresses.set(toKey(answer.name), addresses.add(answer.data))
    }
  }

  /** The next questions. */
  missing() {
    const names = [...this.names.values()].flatMap((found) => [...found])
    const hosts = [...this.targets.values()].map(({ host }) => host)
    return [
      ...SERVICES.map(({ type }) => ({ name: type, type: 'PTR' as const })),
      ...names.filter((name) => !this.targets.has(toKey(name))).map((name) => ({ name, type: 'SRV' as const })),
      ...names.filter((name) => !this.texts.has(toKey(name))).map((name) => ({ name, type: 'TXT' as const })),
      ...hosts.filter((name) => !this.addresses.has(toKey(name))).map((name) => ({ name, type: 'A' as const })),
    ]
  }

  /** One entry for each printer, by name. */
  printers(isUsable: (uri: string) => boolean): FoundPrinter[] {
    const found = new Map<string, FoundPrinter>()
    for (const { type, scheme, defaultPort } of SERVICES)
      for (const instance of this.names.get(type) ?? []) {
        const printer = this.toPrinter(instance, type, scheme, defaultPort, isUsable)
        const name = printer?.name ?? ''
        const better = found.get(name)
        if (printer && (!better || better.supportsPdf === false)) found.set(name, printer)
      }
    return [...found.values()].toSorted((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
  }

  private toPrinter(
    instance: string,
    type: string,
    scheme: (typeof SERVICES)[number]['scheme'],
    defaultPort: number,
    isUsable: (uri: string) => boolean,
  ): FoundPrinter | undefined {
    const target = this.targets.get(toKey(instance))
    // Port 0: the service does not exist, which the printer announces to reserve its name.
    if (!target?.port || !toKey(instance).endsWith(`.${type}`)) return undefined
    const text = this.texts.get(toKey(instance))
    const port = target.port === defaultPort && scheme !== 'socket' ? '' : `:${target.port}`
    const path = scheme === 'socket' ? '' : `/${encodeURI(text?.get('rp') ?? 'ipp/print')}`
    const addresses = [...(this.addresses.get(toKey(target.host)) ?? [])]
    const uri = addresses.map((address) => `${scheme}://${address}${port}${path}`).find(isUsable)
    if (!uri) return undefined
    const model = text?.get('ty') ?? ''
    return {
      name: instance.slice(0, -type.length - 1),
      uri,
      model,
      ...(scheme === 'socket'
        ? {
            raster: resolveRaster(undefined, recognizeModel(model)) ?? recognizeModel(model),
            hasPageLanguage: PAGE_LANGUAGE.test(`${text?.get('pdl')} ${text?.get('usb_cmd')}`),
          }
        : { supportsPdf: text?.get('pdl')?.split(',').includes('application/pdf') }),
    }
  }
}

/** `CPCL` is a language of label printers. */
const PAGE_LANGUAGE = /(?<![a-z])(PCL|PJL|POSTSCRIPT|PDF)/i

/** `key=value`. Keys have no case. */
function parseText(data: string | Buffer | (string | Buffer)[]): Map<string, string> {
  const entries = [data].flat().map((entry) => /^([^=]+)=(.*)$/s.exec(String(entry)))
  return new Map(entries.flatMap((match) => (match ? [[toKey(match[1] ?? ''), match[2] ?? '']] : [])))
}
