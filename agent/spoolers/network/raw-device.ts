/** A printer that takes bytes on a port (9100) and says nothing of itself. */
import { SpoolerRefusal } from '../spooler.ts'
import type { NetworkPrinter } from './config.ts'
import { COMPLETED, type Device, NothingSent } from './device.ts'
import { createReachability, REACHABILITY_TIMINGS, type ReachabilityTimings } from './reachability.ts'
import { probe, RAW_TIMINGS, type RawAddress, type RawTimings, sendRaw } from './send-raw.ts'

const DEFAULT_PORT = 9100
const PROBE_TIMEOUT_MS = 2_000

/** @param printer with a `socket:` URI. */
export function createRawDevice(
  printer: NetworkPrinter,
  timings: RawTimings & ReachabilityTimings = { ...RAW_TIMINGS, ...REACHABILITY_TIMINGS },
): Device {
  const address = parseAddress(printer.uri)
  const reachability = createReachability(() => probe(address, PROBE_TIMEOUT_MS), timings)

  return {
    async printer() {
      const { isOnline, detail } = await reachability.state()
      return {
        osName: printer.name,
        name: printer.name,
        description: printer.description ?? '',
        isDefault: false,
        state: isOnline ? 'online' : 'offline',
        stateDetail: detail,
        stateReasons: isOnline ? [] : ['connecting-to-device'],
        capabilities: toCapabilities(printer),
      }
    },

    async accept({ contentType }) {
      if (contentType.startsWith('raw_')) return []
      throw new SpoolerRefusal(
        'This printer is connected as a raw device, which takes raw documents in its own language only. Nothing was printed. Send it raw content, or add the printer to the operating system to print PDFs.',
        ['document-format-not-supported'],
      )
    },

    async print({ qty }, { file, begin, report, signal }) {
      return await reachability.during(async () => {
        const connected = async () => {
          reachability.answered()
          await begin()
        }
        try {
          const isConfirmed = await sendRaw(address, { file, qty, begin: connected, report, signal }, timings)
          return isConfirmed ? COMPLETED : { ...COMPLETED, message: UNANSWERED }
        } catch (error) {
          if (error instanceof NothingSent) reachability.failed(error.message)
          throw error
        }
      })
    },
  }
}

const UNANSWERED = 'The printer was given everything and did not confirm it.'

function parseAddress(uri: string): RawAddress {
  const { hostname, port, searchParams } = new URL(uri)
  return {
    host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || DEFAULT_PORT),
    waitEof: searchParams.get('waiteof') !== 'false',
  }
}

/** One print of what it is given: the bytes themselves say all else. */
function toCapabilities({ papers = {}, dpis = [] }: NetworkPrinter) {
  return {
    papers: Object.entries(papers).map(([name, [width, height]]) => ({
      name,
      size: { width, height: height ?? undefined },
    })),
    dpis,
    copies: 1,
    nup: [1],
  }
}
