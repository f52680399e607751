/**
 * Queries the attributes of an IPP printer at each report. The last attributes are stored on disk, so that a printer
 * that is off when the agent starts keeps its papers and trays.
 */

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { IppAttributes } from '@platen/ipp/attributes.ts'
import { keyword } from '@platen/ipp/typed.ts'
import type { IppClient } from '../../ipp/client.ts'
import { replaceFile } from '../../replace-file.ts'
import { CAPABILITY_ATTRIBUTES } from '../cups/capabilities.ts'
import { STATE_ATTRIBUTES } from '../cups/printer-state.ts'
import { QUEUE_ATTRIBUTES } from '../cups/queue.ts'
import { explainFailure } from './ipp-job.ts'

const ATTRIBUTES = [
  ...new Set([
    ...CAPABILITY_ATTRIBUTES,
    ...QUEUE_ATTRIBUTES,
    ...STATE_ATTRIBUTES,
    'document-format-supported',
    'job-cancel-after-supported',
    'orientation-requested-supported',
    'page-ranges-supported',
    'printer-info',
  ]),
]

/** A later answer is used by the next report. */
const REPORT_TIMEOUT_MS = 2_000

/** A single failure can be temporary. */
const FAILURES_MIN = 2

/** @param dir stores the last attributes of printers; absent for no storage. */
export function createIppPrinter(client: IppClient, uri: string, dir: string | undefined) {
  const file = dir && join(dir, `${createHash('sha256').update(uri).digest('hex')}.json`)
  let attributes = file ? readAttributes(file) : undefined
  let failures = 0
  let cause: string | undefined
  let hasAnswered = false
  let querying: Promise<unknown> | undefined

  async function query(signal?: AbortSignal): Promise<IppAttributes> {
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
      cause = explainFailure(error)
      throw error
    }
  }

  return {
    query,

    /**
     * @returns the state of the printer; undefined if it does not answer. For a job in progress, so it is no report.
     */
    async queryState(signal: AbortSignal): Promise<IppAttributes | undefined> {
      try {
        const attributes = { 'requested-attributes': STATE_ATTRIBUTES.map(keyword) }
        return (await client.request({ operation: 'Get-Printer-Attributes', attributes, signal })).printers[0]
      } catch {
        return undefined
      }
    },

    /** The last attributes; undefined before the first answer. */
    lastAttributes: () => attributes,

    /** Queries the printer for at most 2 s. @returns the last attributes, and why the last query failed. */
    async report(): Promise<{
      attributes: IppAttributes | undefined
      isReachable: boolean
      cause: string | undefined
    }> {
      querying ??= query()
        .catch(() => undefined)
        .finally(() => {
          querying = undefined
        })
      const end = new AbortController()
      const timeout = sleep(REPORT_TIMEOUT_MS, undefined, { signal: end.signal }).catch(() => undefined)
      await Promise.race([querying, timeout]).finally(() => end.abort())
      return { attributes, isReachable: hasAnswered && failures < FAILURES_MIN, cause }
    },
  }
}

/** A damaged file is ignored. */
function readAttributes(file: string): IppAttributes | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** A cache: errors are ignored, because the attributes are queried again. */
function writeAttributes(file: string, attributes: IppAttributes): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    replaceFile(file, JSON.stringify(attributes))
  } catch {
    return
  }
}
