/**
 * What an IPP printer says of itself, asked again at each report, which disturbs no printer. Its last word is kept on disk: a printer that
 * is switched off when the agent starts still has its papers and trays.
 */

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { IppAttributes } from '../../ipp/attributes.ts'
import type { IppClient } from '../../ipp/client.ts'
import { keyword } from '../../ipp/typed.ts'
import { CAPABILITY_ATTRIBUTES } from '../cups/capabilities.ts'
import { STATE_ATTRIBUTES } from '../cups/printer-state.ts'
import { QUEUE_ATTRIBUTES } from '../cups/queue.ts'

const ATTRIBUTES = [
  ...new Set([
    ...CAPABILITY_ATTRIBUTES,
    ...QUEUE_ATTRIBUTES,
    ...STATE_ATTRIBUTES,
    'document-format-supported',
    'orientation-requested-supported',
    'page-ranges-supported',
    'printer-info',
  ]),
]

/** A report waits no longer; the answer then is in the next one. */
const REPORT_TIMEOUT_MS = 2_000

/** One may be an accident. */
const FAILURES_MIN = 2

export type IppPrinter = ReturnType<typeof createIppPrinter>

/** @param dir holds what printers have said; without it nothing is remembered. */
export function createIppPrinter(client: IppClient, uri: string, dir: string | undefined) {
  const file = dir && join(dir, `${createHash('sha256').update(uri).digest('hex')}.json`)
  let attributes = file ? readAttributes(file) : undefined
  let failures = 0
  let hasAnswered = false
  let asking: Promise<unknown> | undefined

  async function ask(signal?: AbortSignal): Promise<IppAttributes> {
    try {
      const { printers } = await client.request({
        operation: 'Get-Printer-Attributes',
        attributes: { 'requested-attributes': ATTRIBUTES.map(keyword) },
        signal,
      })
      const answer = printers[0] ?? {}
      failures = 0
      hasAnswered = true
      if (file && !isDeepStrictEqual(answer, attributes)) writeAttributes(file, answer)
      attributes = answer
      return answer
    } catch (error) {
      failures++
      throw error
    }
  }

  return {
    ask,

    /** What the printer has said last; undefined when it never has. */
    known: () => attributes,

    /** What is known when the printer was asked, or 2 s later. */
    async report(): Promise<{ attributes: IppAttributes | undefined; isReachable: boolean }> {
      asking ??= ask()
        .catch(() => undefined)
        .finally(() => {
          asking = undefined
        })
      const over = new AbortController()
      const limit = sleep(REPORT_TIMEOUT_MS, undefined, { signal: over.signal }).catch(() => undefined)
      await Promise.race([asking, limit]).finally(() => over.abort())
      return { attributes, isReachable: hasAnswered && failures < FAILURES_MIN }
    },
  }
}

/** A file that a crash has spoiled says nothing. */
function readAttributes(file: string): IppAttributes | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Only a memory: what cannot be written is asked again. */
function writeAttributes(file: string, attributes: IppAttributes): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.new`, JSON.stringify(attributes), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch {
    return
  }
}
