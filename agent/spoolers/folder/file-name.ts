/** Names of the files that a folder printer makes. */
import { truncateText } from '@platen/proto/agent-bounds.ts'
import type { NetworkJob } from '../network/job-store.ts'

export const DEFAULT_FILE_NAME = '{date} {title}'

/** File systems allow 255 bytes, of which a number and the ending need some. */
const NAME_MAX_BYTES = 200

const FIELDS: Record<string, (job: Pick<NetworkJob, 'title' | 'token' | 'printer'>, at: Date) => string> = {
  title: ({ title }) => title,
  job: ({ token }) => token,
  printer: ({ printer }) => printer,
  // Swedish dates are those of ISO 8601, in the time zone of the computer.
  date: (_, at) => at.toLocaleDateString('sv-SE'),
  time: (_, at) => at.toLocaleTimeString('sv-SE'),
}

/** @returns a phrase for a template that is not valid. */
export function findFileNameFault(template: unknown): string | undefined {
  const fields = Object.keys(FIELDS).map((name) => `{${name}}`)
  const expected = `"fileName" must be a name of 1 to 127 characters, in which ${fields.join(', ')} are replaced`
  if (typeof template !== 'string' || template.trim() === '' || template.length > 127) return expected
  return [...template.matchAll(/\{[^}]*\}?/g)].every(([field]) => fields.includes(field)) ? undefined : expected
}

/** Separators of paths, what Windows does not allow, and characters that are not visible. */
const UNSAFE = /[\p{Cc}\p{Cf}<>:"/\\|?*]/gu
const ENDS = /^[.\s]+|[.\s]+$/g
/** Names of devices in Windows, also with an ending. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** @returns a name without ending that is safe in each directory, whatever the title contains. */
export function toFileName(template: string, job: Pick<NetworkJob, 'title' | 'token' | 'printer'>, at: Date): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => FIELDS[name]?.(job, at) ?? '')
  const safe = filled.toWellFormed().replaceAll(UNSAFE, '-').replaceAll(ENDS, '')
  return truncateText(safe, NAME_MAX_BYTES).replaceAll(ENDS, '').replace(RESERVED, '_$1') || job.token
}
