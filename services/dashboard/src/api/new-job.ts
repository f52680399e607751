/** Jobs that the dashboard creates from a document. */
import { type Call, quote } from './client.ts'
import type { PrintJobRequest } from './gen/schema.ts'
import type { Job } from './resources.ts'

export type NewJob = PrintJobRequest

/** The file that the user chose. */
export interface LocalDocument {
  /** Name of the file. */
  name: string
  bytes: Uint8Array<ArrayBuffer>
  /** Typed as raw data, whatever it looks like. */
  isRaw?: true
}

/** Does not block the page. */
export async function toBase64(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new FileReader()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  reader.onload = () => resolve(String(reader.result))
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(new Blob([bytes]))
  const url = await promise
  return url.slice(url.indexOf(',') + 1)
}

/** @param idempotencyKey one key per submit; retries reuse it. */
export function createJobCall(body: NewJob, idempotencyKey: string): Call<Job> {
  return (api) => api.POST('/v1/printjobs', { params: { header: { 'Idempotency-Key': idempotencyKey } }, body })
}

/** Stands for the document in a body that is only shown as a command. */
export const FILE_CONTENT = '@file-content@'

/**
 * The command of a creation that sends `body` as a form, with the document from a file. Only raw data need a content
 * type.
 */
export function toFormCommand(command: string, body: NewJob, fileName: string): string {
  const { content: _, contentType, ...rest } = { content: undefined, contentType: undefined, ...body }
  const fields = { ...rest, ...(contentType === 'raw_base64' && { contentType: 'raw' }) }
  const kept = command.split(' \\\n  ').filter((line) => !/^(-H 'content-type|--data-raw)/.test(line))
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `--form-string ${quote(`${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)}`,
    )
  const file = `-F ${quote(`file=@"${fileName.replaceAll(/["\\]/g, '\\$&')}"`)}`
  return [...kept, ...parts, file].join(' \\\n  ')
}
