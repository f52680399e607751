/** A printer that accepts raw bytes on a port (9100) and reports nothing. */
import type { AddressGuard } from '../../ipp/http.ts'
import { RAW_ONLY, requireRaw } from '../raw-documents.ts'
import { COMPLETION_UNCONFIRMED } from '../spooler.ts'
import { getHost, getPrinterPort, type NetworkPrinter } from './config.ts'
import { COMPLETED, type Device, type FinalState, NothingSent } from './device.ts'
import { createReachability, REACHABILITY_TIMINGS, type ReachabilityTimings } from './reachability.ts'
import { probe, RAW_TIMINGS, type RawAddress, type RawTimings, sendRaw } from './send-raw.ts'

const PROBE_TIMEOUT_MS = 2_000

/** @param printer has a `socket:` URI. */
export function createRawDevice(
  printer: NetworkPrinter,
  timings: RawTimings & ReachabilityTimings = { ...RAW_TIMINGS, ...REACHABILITY_TIMINGS },
  guard?: AddressGuard,
): Device {
  const address = { ...parseAddress(printer.uri), guard }
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

    check: () => probe(address, PROBE_TIMEOUT_MS),

    async accept(submission) {
      requireRaw(submission)
      return []
    },

    async print({ qty }, { file, begin, report, signal }) {
      return await reachability.whileBusy(async () => {
        const beginConnected = async () => {
          reachability.recordSuccess()
          await begin()
        }
        try {
          const isConfirmed = await sendRaw(address, { file, qty, begin: beginConnected, report, signal }, timings)
          return isConfirmed ? COMPLETED : NOT_CONFIRMED
        } catch (error) {
          if (error instanceof NothingSent) reachability.recordFailure(error.message)
          throw error
        }
      })
    },
  }
}

const NOT_CONFIRMED: FinalState = {
  is: 'completed',
  message: 'The printer received the whole document but did not confirm the end.',
  reasons: [COMPLETION_UNCONFIRMED],
}

function parseAddress(uri: string): RawAddress {
  const waitEof = new URL(uri).searchParams.get('waiteof') !== 'false'
  return { host: getHost(uri), port: getPrinterPort(uri).port, waitEof }
}

/** Raw documents contain their own settings, so no options are offered. */
function toCapabilities({ papers = {}, dpis = [] }: NetworkPrinter) {
  return {
    papers: Object.entries(papers).map(([name, [width, height]]) => ({
      name,
      size: { width, height: height ?? undefined },
    })),
    dpis,
    copies: 1,
    nup: [1],
    formats: RAW_ONLY,
  }
}
