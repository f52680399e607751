/**
 * What the server is told of this computer's printers: all of them at each hello, and all again when any has come, gone or changed. A
 * spooler that does not answer says nothing of its printers, so then the server is told nothing, and keeps what it knows.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { ConnectRequestSchema, type ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Agent } from '../agent.ts'

export type PrinterList = MessageInitShape<typeof ReportedPrinterSchema>[]

/** For how long a hello waits for the spooler. */
const ANSWER_TIMEOUT_MS = 5_000

export type PrinterReports = ReturnType<typeof createPrinterReports>

export function createPrinterReports({ spooler, uplink, log }: Pick<Agent, 'spooler' | 'uplink' | 'log'>) {
  let lastReported: PrinterList | undefined
  let isFailing = false
  /** One at a time: a spooler that hangs is not asked by more and more. */
  let asking: Promise<PrinterList | undefined> | undefined
  let isLate = false

  /** @returns undefined when the spooler does not answer. The log says so once, and once when it answers again. */
  async function ask(): Promise<PrinterList | undefined> {
    asking ??= list().finally(() => {
      asking = undefined
      isLate = false
    })
    if (isLate) return undefined
    const over = new AbortController()
    const limit = sleep(ANSWER_TIMEOUT_MS, undefined, { signal: over.signal }).then(late, () => undefined)
    return await Promise.race([asking, limit]).finally(() => over.abort())
  }

  async function list(): Promise<PrinterList | undefined> {
    try {
      const printers = await spooler.printers()
      if (isFailing) log.info('the spooler names its printers again')
      isFailing = false
      return printers
    } catch (error) {
      failed(error)
      return undefined
    }
  }

  function late(): undefined {
    isLate = true
    failed(new Error(`The spooler did not answer within ${ANSWER_TIMEOUT_MS / 1000} s.`))
  }

  function failed(error: unknown): void {
    if (!isFailing) log.warn({ err: error }, 'the spooler does not name its printers: the service keeps what it knows')
    isFailing = true
  }

  return {
    /** For a hello: all printers, or undefined. */
    async forHello(): Promise<PrinterList | undefined> {
      lastReported = await ask()
      return lastReported
    },

    /** Says all printers when they are not what was said last on this stream. What gets lost of it is said by the next hello. */
    async reportChanges(): Promise<void> {
      const printers = await ask()
      if (!printers || isDeepStrictEqual(printers, lastReported)) return
      lastReported = printers
      uplink.notify(create(ConnectRequestSchema, { message: { case: 'printers', value: { printers } } }))
    },
  }
}
