/** Ways to call the gateway besides `createApi`. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { ApiError, toConnectError } from '@platen/runtime/errors.ts'
import { type Answer, createApi } from '@platen/test/harness/api.ts'
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { getWorld, type World } from '@platen/test/harness/world.ts'
import { expect, onTestFinished } from 'vitest'

export const MEGABYTE = 1024 * 1024
/** The size of the largest inline document. */
export const INLINE_BYTES = 64 * 1024
/** The id of no resource. */
export const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

export const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')
/** The `content` of a PDF of this size. */
export const pdfContent = (sizeBytes: number) => base64(Buffer.alloc(sizeBytes, '%PDF-1.7\n'))

/** The error of a call to an unreachable service. */
export const unavailable = () => toConnectError(new ApiError('service_unavailable', 'a test'))

/** Expects a response with the error envelope and nothing else. */
export function expectError({ status, headers, body }: Answer, expectedStatus: number, code: string, message = /\w/) {
  expect({ status, body }).toEqual({
    status: expectedStatus,
    body: {
      error: {
        code,
        message: expect.stringMatching(message),
        // A path, or an address of the installation with `PLATEN_PUBLIC_URL`.
        doc_url: expect.stringMatching(
          new RegExp(`^(https://[^/]+)?/docs/reference/errors#error\\.${expectedStatus}\\.${code}$`),
        ),
        request_id: headers.get('x-request-id'),
        ...('param' in body.error && { param: expect.stringMatching(/\w/) }),
      },
    },
  })
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
}

/** Another gateway in the world of this worker, until the test ends. */
export async function addGateway(...[config, options]: Parameters<World['addReplica']['gateway']>) {
  const world = await getWorld()
  const { process, url } = await world.addReplica.gateway(config, options)
  onTestFinished(() => process.stop())
  return { process, url, port: Number(new URL(url).port), world }
}

/** The names of the files in the store of the world, also of incomplete ones. */
export async function listFiles({ fileStoreUrl }: World): Promise<string[]> {
  const entries = await readdir(new URL(fileStoreUrl), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** An organization with a printer. @param gatewayUrl of another gateway than the world's own. */
export async function newPrinting(mode: 'live' | 'test' = 'live', gatewayUrl?: string) {
  const organization = await newOrganization()
  const { id, world, liveKey, testKey } = organization
  const key = mode === 'live' ? liveKey : testKey
  const printer = await organization.addPrinter(mode)
  const url = gatewayUrl ?? world.gatewayUrl
  const stored = () => listFiles(world)
  const storedBefore = new Set(await stored())
  return {
    ...organization,
    printer,
    key,
    url,
    port: Number(new URL(url).port),
    api: createApi(url, key),
    /** The body of a creation that is accepted, but for `changes`. */
    job: (changes: Record<string, unknown> = {}) => printJob(printer.id, changes),
    /** Ids of the organization's jobs, the first first. */
    async jobIds(): Promise<string[]> {
      const sql = 'SELECT id FROM jobs.job WHERE organization_id = $1 ORDER BY accepted_order'
      return (await world.query<{ id: string }>(sql, [id])).map((row) => row.id)
    },
    /** Documents that were stored since are those of the organization's jobs, in the end. @returns how many. */
    async expectFilesOfJobs(): Promise<number> {
      return await waitFor(async () => {
        const sql = 'SELECT DISTINCT storage_key FROM jobs.job WHERE organization_id = $1 AND storage_key IS NOT NULL'
        const expected = (await world.query<{ storage_key: string }>(sql, [id])).map((row) => row.storage_key)
        const found = (await stored()).filter((name) => !storedBefore.has(name))
        expect(found.toSorted()).toEqual(expected.toSorted())
        return found.length
      })
    },
  }
}

export const jsonHead = (key: string, contentLength: number, ...headers: string[]) =>
  [
    'POST /v1/printjobs HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${contentLength}`,
    ...headers,
    '\r\n',
  ].join('\r\n')

/**
 * Sends only these bytes, and ends when the answer announces the last one.
 *
 * @returns all that is received until the connection closes.
 */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
    // The gateway waits 2 s for the end of a body that it does not read.
    if (/\r\nConnection: close\r\n/i.test(answer)) socket.end()
  })
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return answer
}

/** Sends the start of a body, and the rest on request. */
export function beginUpload(url: string, apiKey: string, idempotencyKey: string, job: unknown) {
  const body = JSON.stringify(job)
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', expect: '100-continue' }
  const request = httpRequest(`${url}/v1/printjobs`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': idempotencyKey },
    agent: false,
  })
  const isRead = once(request, 'continue')
  isRead.catch(() => undefined)
  request.on('error', () => undefined) // The tests that cut it off mean to.
  // From now on: a refusal may come before the end is sent.
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => undefined)
  request.write(body.slice(0, -5))
  return {
    /** The gateway reads the body. */
    isRead,
    leave: () => request.destroy(),
    async finish() {
      request.end(body.slice(-5))
      const [response] = await answered
      const text = Buffer.concat(await response.toArray()).toString()
      return { status: response.statusCode, body: JSON.parse(text) }
    },
  }
}
