/**
 * The clients that upload, in a thread of their own: what they compute must not hold up those whose answers are timed.
 */
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { encodeMessage } from '@platen/ipp/encode.ts'
import { OPERATIONS } from '@platen/ipp/operations.ts'
import { GROUPS } from '@platen/ipp/tags.ts'
import { uri } from '@platen/ipp/typed.ts'
import { makePdf } from '../harness/pdf.ts'

export interface Uploads {
  baseUrl: string
  /** The uploads take turns with them, because a key has at most 10 at once. */
  keys: string[]
  printerId: string
  sizeBytes: number
  as: UploadFormat
  /** The uploads by IPP take turns with them, because a print access has at most 3 at once. */
  paths: string[]
  /** How long a computer takes to make a document, which it sends meanwhile. */
  ippSeconds: number
  atOnce: number
  rounds: number
}

/** A document as base64 in JSON, in a form, or after the attributes of IPP. */
export type UploadFormat = 'json' | 'form' | 'ipp'

const { baseUrl, keys, printerId, sizeBytes, as, paths, ippSeconds, atOnce, rounds } = workerData as Uploads
const BOUNDARY = 'bench'
const PIECES = 400
const pdf = makePdf('Upload', sizeBytes)
const body = { json: () => Buffer.from(makeJson()), form: makeForm, ipp: makeIpp }[as]()

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

function makeIpp(): Buffer {
  const attributes = {
    'attributes-charset': { syntax: 'charset', value: 'utf-8' },
    'attributes-natural-language': { syntax: 'naturalLanguage', value: 'en' },
    'printer-uri': uri('ipp://localhost/ipp/print/1'),
  } as const
  const groups = [{ tag: GROUPS.operation, attributes }]
  return Buffer.concat([encodeMessage({ version: [2, 0], code: OPERATIONS['Print-Job'], requestId: 1, groups }), pdf])
}

const TYPES = { json: 'application/json', form: `multipart/form-data; boundary=${BOUNDARY}`, ipp: 'application/ipp' }

/** Without a copy of the body, unlike `fetch`. */
async function upload(nth: number): Promise<void> {
  const isIpp = as === 'ipp'
  const headers = {
    ...(!isIpp && { authorization: `Bearer ${keys[nth % keys.length]}` }),
    'content-type': TYPES[as],
    'content-length': body.length,
  }
  const url = baseUrl + (isIpp ? paths[nth % paths.length] : '/v1/printjobs')
  const request = httpRequest(url, { method: 'POST', headers, agent: false })
  const responded = once(request, 'response') as Promise<[IncomingMessage]>
  if (isIpp) await sendSlowly(request)
  request.end(isIpp ? undefined : body)
  const [response] = await responded
  const chunks: Buffer[] = await response.toArray()
  // The third and fourth bytes of an answer of IPP are the status, which is 0 for success.
  const isAccepted = isIpp ? Buffer.concat(chunks).readUInt16BE(2) === 0 : response.statusCode === 201
  if (!isAccepted) throw new Error(`an upload was answered with ${response.statusCode}: ${Buffer.concat(chunks)}`)
}

async function sendSlowly(request: ClientRequest): Promise<void> {
  const length = Math.ceil(body.length / PIECES)
  for (let at = 0; at < body.length; at += length) {
    request.write(body.subarray(at, at + length))
    await sleep((ippSeconds * 1000) / PIECES)
  }
}

for (let round = 0; round < rounds; round++) {
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: atOnce }, (_, nth) => upload(nth)))
  parentPort?.postMessage(performance.now() - startedAt)
}
