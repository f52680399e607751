/** Jobs that the dashboard creates from a document. */
import type { Call } from './client.ts'
import type { Job } from './resources.ts'
import type { components } from './schema.ts'

export type NewJob = components['schemas']['NewPrintJob']

/** What is printed, as it was chosen. */
export interface LocalDocument {
  /** Of the file. */
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** As the API limits it. */
export const DOCUMENT_BYTES_MAX = 26_214_400

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

/** @param idempotencyKey one for each intention, so that a repeated request creates one job. */
export function createJobCall(body: NewJob, idempotencyKey: string): Call<Job> {
  return (api) => api.POST('/v1/printjobs', { params: { header: { 'Idempotency-Key': idempotencyKey } }, body })
}

/** Stands for the document in a command that reads it from a file. */
export const FILE_CONTENT = '@file-content@'

/** The command of a call whose `content` is `FILE_CONTENT`. A document can be larger than an argument of a program. */
export function readFromFile(command: string, name: string): string {
  const quoted = `'${name.replaceAll("'", `'\\''`)}'`
  return command.replace(
    /^([\s\S]*) \\\n {2}--data-raw '([\s\S]*)@file-content@([\s\S]*)'$/,
    (_, curl: string, before: string, after: string) =>
      `{ printf %s '${before}'; base64 < ${quoted} | tr -d '\\n'; printf %s '${after}'; } |\n${curl} \\\n  --data-binary @-`,
  )
}
