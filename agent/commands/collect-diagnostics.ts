import { DIAGNOSTICS_MAX_BYTES, truncateText } from '@platen/proto/agent-bounds.ts'
import { LOCAL_ONLY } from '../log-file.ts'
import { collect } from '../support/collect.ts'
import type { CommandContext } from './command-context.ts'

/** The whole command has 15 s. */
const COLLECT_TIMEOUT_MS = 8_000
/** The size of each part but the log, which gets what remains. */
const PART_MAX_BYTES = 32 * 1024

/** The support bundle as one text, with the newest lines of the log. */
export async function collectDiagnostics({ dataDir }: CommandContext) {
  const { 'log.jsonl': log = '', ...parts } = await collect(dataDir, new Date(), COLLECT_TIMEOUT_MS)
  const texts = Object.entries(parts).map(([name, text]) => `== ${name} ==\n${truncateText(text, PART_MAX_BYTES)}\n`)
  const before = `${texts.join('')}== log.jsonl ==\n`
  const lines = log.split('\n').filter((line) => !line.includes(`"${LOCAL_ONLY}":true`))
  return { text: before + keepEnd(lines.join('\n'), DIAGNOSTICS_MAX_BYTES - Buffer.byteLength(before)) }
}

/** @returns the last lines that fit. */
function keepEnd(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  const end = bytes.subarray(bytes.length - maxBytes)
  return end.subarray(end.indexOf('\n') + 1).toString()
}
