/** The clients that upload, in a thread of their own: what they compute must not hold up those whose answers are timed. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { makePdf } from '../harness/pdf.ts'

export interface Uploads {
  baseUrl: string
  /** The uploads take turns with them, because a key has at most 10 at once. */
  keys: string[]
  printerId: string
  sizeBytes: number
  /** Else as base64 in JSON. */
  asForm: boolean
  atOnce: number
  rounds: number
}

const { baseUrl, keys, printerId, sizeBytes, asForm, atOnce, rounds } = workerData as Uploads
const BOUNDARY = 'bench'
const pdf = makePdf('Upload', sizeBytes)
const body = asForm ? makeForm() : Buffer.from(makeJson())

function makeJson(): string {
  return JSON.stringify({ printerId, title: 'Upload', contentType: 'pdf_base64', content: pdf.toString('base64') })
}

function makeForm(): Buffer {
  const part = (disposition: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  const fields = Object.entries({ printerId, title: 'Upload' }).map(
    ([name, value]) => `${part(`name=${name}`)}${value}\r\n`,
  )
  const file = part('name=file; filename=upload.pdf')
  return Buffer.concat([Buffer.from(fields.join('') + file), pdf, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
}

/** Without a copy of the body, unlike `fetch`. */
async function upload(nth: number): Promise<void> {
  const headers = {
    authorization: `Bearer ${keys[nth % keys.length]}`,
    'content-type': asForm ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/json',
    'content-length': body.length,
  }
  const request = httpRequest(`${baseUrl}/v1/printjobs`, { method: 'POST', headers, agent: false })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  if (response.statusCode !== 201) throw new Error(`an upload was answered with ${response.statusCode}`)
}

for (let round = 0; round < rounds; round++) {
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: atOnce }, (_, nth) => upload(nth)))
  parentPort?.postMessage(performance.now() - startedAt)
}
