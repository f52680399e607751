/**
 * A printer that accepts raw bytes on a port (9100). One whose language is known is asked for its state, others report
 * nothing.
 */
import { readFile, stat } from 'node:fs/promises'
import type { RawLanguage } from '@platen/proto/raw-languages.ts'
import type { AddressGuard } from '../../ipp/http.ts'
import { RAW_ONLY, requireRaw } from '../raw-documents.ts'
import { COMPLETION_UNCONFIRMED, DRAWN } from '../spooler.ts'
import { countLabels, LABELS_MAX_BYTES } from '../words/count-labels.ts'
import { type FoundLanguage, findLanguage } from '../words/find-language.ts'
import { type OpenWord, openWord } from '../words/open-word.ts'
import { type Fault, NOT_ANSWERING, type Talk, WORD_TIMINGS, type WordTimings } from '../words/word.ts'
import { getHost, getPrinterPort, type NetworkPrinter } from './config.ts'
import { COMPLETED, type Device, type FinalState, NothingSent } from './device.ts'
import { createTalk, openConnection, type RawAddress, watch } from './raw-connection.ts'
import { createReachability, REACHABILITY_TIMINGS, type ReachabilityTimings } from './reachability.ts'
import { RAW_TIMINGS, type RawTimings, type RawWord, sendRaw } from './send-raw.ts'

const PROBE_TIMEOUT_MS = 2_000
/** Between two questions to a printer that has never answered: each delays a job. */
const ASK_AGAIN_MS = 5 * 60_000
const BUSY = 'The printer has a job. Ask it when the job has ended.'

export interface RawDeviceOptions {
  /** Replaces some of the defaults in tests. */
  timings?: Partial<RawTimings & ReachabilityTimings & WordTimings>
  guard?: AddressGuard | undefined
  /**
   * The language that the owner of the computer or a user has chosen, or undefined: then the printer is never asked.
   */
  getLanguage?: (() => RawLanguage | undefined) | undefined
  /** Stores what the printer has answered. */
  dir?: string | undefined
}

const DEFAULT_TIMINGS = { ...RAW_TIMINGS, ...REACHABILITY_TIMINGS, ...WORD_TIMINGS }

/** @param printer has a `socket:` URI. */
export function createRawDevice(
  printer: NetworkPrinter,
  { timings: replaced, guard, getLanguage, dir }: RawDeviceOptions = {},
): Device {
  const timings = { ...DEFAULT_TIMINGS, ...replaced }
  const address = { ...parseAddress(printer.uri), guard }
  const reachability = createReachability(probeOrAsk, timings)
  let opened: { language: string; word: OpenWord } | undefined
  let fault: Fault | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  /** The questions for the language, during which no job is sent. */
  let finding: Promise<FoundLanguage | undefined> | undefined

  function getWord(): OpenWord | undefined {
    const language = getLanguage?.()
    if (!language) return undefined
    if (opened?.language !== language) opened = { language, word: openWord(language, printer.uri, dir, timings) }
    return opened.word
  }

  /** A printer that has never answered is not asked without a job. */
  async function probeOrAsk(): Promise<void> {
    const open = getWord()
    await withConnection(async (talk) => {
      if (!open?.hasAnswered()) return
      const status = await open.word.ask(talk)
      fault = status ? status.fault : NOT_ANSWERING
    })
  }

  /** For questions without a job. @throws NothingSent if the printer does not answer. */
  async function withConnection<Answer>(use: (talk: Talk) => Promise<Answer>): Promise<Answer> {
    const socket = await openConnection(address, PROBE_TIMEOUT_MS, new AbortController().signal)
    const connection = watch(socket)
    try {
      return await use(createTalk(socket, connection))
    } finally {
      // What was written last arrives.
      socket.end()
      await connection.waitFor('finish', timings.answeredEofMs).catch(() => undefined)
      socket.destroy()
    }
  }

  /** @returns undefined for a printer that is not asked before this job. */
  async function prepareWord(file: string, contentType: string): Promise<RawWord | undefined> {
    const open = getWord()
    if (!open) return undefined
    if (!open.hasAnswered() && performance.now() - askedAtMs < ASK_AGAIN_MS) return undefined
    askedAtMs = performance.now()
    return {
      word: open.word,
      isDrawn: contentType === DRAWN,
      labels: getLanguage?.() === 'zpl' ? await readLabels(file) : undefined,
      hasAnswered: open.hasAnswered,
      answered(status) {
        fault = status.fault
        open.answered()
      },
    }
  }

  return {
    async printer() {
      const { isOnline, detail } = await reachability.state()
      return {
        osName: printer.name,
        name: printer.name,
        description: printer.description ?? '',
        isDefault: false,
        state: isOnline ? 'online' : 'offline',
        stateDetail: isOnline ? (fault?.message ?? '') : detail,
        stateReasons: isOnline ? (fault?.reasons ?? []) : ['connecting-to-device'],
        capabilities: toCapabilities(printer, getLanguage?.()),
      }
    },

    check: probeOrAsk,

    async askWord() {
      const open = getWord()
      if (!open) return undefined
      return await withConnection(async (talk) => {
        const startedAtMs = performance.now()
        const status = await open.word.ask(talk)
        const answeredMs = status && Math.round(performance.now() - startedAtMs)
        return { question: open.word.question, answeredMs, fault: status?.fault }
      })
    },

    async findLanguage() {
      if (reachability.isBusy()) throw new Error(BUSY)
      finding ??= withConnection((talk) => findLanguage(talk, timings)).finally(() => {
        finding = undefined
      })
      const found = await finding
      opened = undefined
      if (found) openWord(found.rawLanguage, printer.uri, dir, timings).answered(found.hasIds)
      return found
    },

    async accept(submission) {
      requireRaw(submission)
      return []
    },

    async print({ qty, contentType }, { file, begin, report, signal }) {
      return await reachability.whileBusy(async () => {
        const beginConnected = async () => {
          reachability.recordSuccess()
          await begin()
        }
        const reportFault: typeof report = (message, reasons, printed) => {
          fault = message && reasons ? { message, reasons } : undefined
          report(message, reasons, printed)
        }
        const job = { file, qty, begin: beginConnected, report: reportFault, signal }
        try {
          await finding?.catch(() => undefined)
          const word = await prepareWord(file, contentType)
          const confirmedBy = await sendRaw(address, job, timings, word)
          fault = undefined
          return confirmedBy === 'nobody' ? NOT_CONFIRMED : { ...COMPLETED, confirmedBy }
        } catch (error) {
          if (error instanceof NothingSent) recordNothingSent(error)
          throw error
        }
      })
    },
  }

  /** A printer that says why it does not print is reachable. */
  function recordNothingSent({ message, reasons, cause }: NothingSent): void {
    const isFault = cause === undefined && !reasons.includes('connecting-to-device')
    fault = isFault ? { message, reasons } : undefined
    if (isFault) reachability.recordSuccess()
    else reachability.recordFailure(message)
  }
}

async function readLabels(file: string): Promise<number | undefined> {
  const { size } = await stat(file)
  return size > LABELS_MAX_BYTES ? undefined : countLabels(await readFile(file))
}

const NOT_CONFIRMED: FinalState = {
  is: 'completed',
  confirmedBy: 'nobody',
  message: 'The printer received the whole document but did not confirm the end.',
  reasons: [COMPLETION_UNCONFIRMED],
}

function parseAddress(uri: string): RawAddress {
  const waitEof = new URL(uri).searchParams.get('waiteof') !== 'false'
  return { host: getHost(uri), port: getPrinterPort(uri).port, waitEof }
}

/** Raw documents contain their own settings, so no options are offered. */
function toCapabilities({ papers = {}, dpis = [] }: NetworkPrinter, language: RawLanguage | undefined) {
  return {
    papers: Object.entries(papers).map(([name, [width, height]]) => ({
      name,
      size: { width, height: height ?? undefined },
    })),
    dpis,
    copies: 1,
    nup: [1],
    formats: RAW_ONLY,
    ...(language && { language }),
  }
}
