import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { printJob } from './start-test-gateway.ts'

/** Sends the beginning of a body, and the rest when it is told to. */
export function beginUpload(baseUrl: string, apiKey: string, key: string, body = JSON.stringify(printJob())) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key }
  const request = httpRequest(`${baseUrl}/v1/printjobs`, { method: 'POST', headers, agent: false })
  request.on('error', () => undefined) // The tests that cut it off mean to.
  // From now on: a refusal may come before the end is sent.
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => undefined)
  request.write(body.slice(0, -5))
  return {
    leave: () => request.destroy(),
    async finish() {
      request.end(body.slice(-5))
      const [response] = await answered
      const text = Buffer.concat(await response.toArray()).toString()
      return { status: response.statusCode, body: JSON.parse(text) }
    },
  }
}
