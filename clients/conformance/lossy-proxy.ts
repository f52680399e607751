/** A proxy that loses answers after the service has processed the requests. */
import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * - `cut`: the connection ends without an answer.
 * - `cut-body`: it ends in the middle of the body.
 * - `html-502`: a page of the proxy instead of the answer.
 * - `gateway-timeout`: a page while the service still receives the request, whose end arrives after the answer to the
 *   next request.
 * - an error instead of the request, which the service would not send in the time of a test.
 */
export type Failure = 'cut' | 'cut-body' | 'html-502' | 'gateway-timeout' | { status: number; code: string }

/** 3 of 10 answers, spread evenly. */
function loseThree(): () => Failure | undefined {
  const failures: Failure[] = ['cut-body', 'cut', 'html-502']
  let answers = 0
  let lost = 0
  return () => ((++answers * 3) % 10 < 3 ? failures[lost++ % failures.length] : undefined)
}

/** @param fail chooses the failure of each request. */
export async function startLossyProxy(
  target: string,
  fail: (request: IncomingMessage) => Failure | undefined = loseThree(),
) {
  let lost = 0
  const statuses: number[] = []
  /** Sends the ends of the requests that the service still receives. */
  let held: (() => void)[] = []

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const failure = fail(request)
    if (failure) lost++
    const { method, headers } = request
    const body = await buffer(request)
    if (typeof failure === 'object') {
      response.writeHead(failure.status, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ error: { code: failure.code, message: 'Failed.', request_id: '1' } }))
    }
    const sent = forward(new URL(request.url ?? '', target), { method, headers })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    if (failure === 'gateway-timeout') {
      answered.then(
        ([answer]) => answer.resume(),
        () => undefined,
      )
      held.push(() => sent.end(body.subarray(-1)))
      // Flushed, so that the service has the request before its repetition.
      await new Promise((resolve) => sent.write(body.subarray(0, -1), resolve))
      return sendPage(response, 504)
    }
    sent.end(body)
    const [answer] = await answered
    const content = await buffer(answer)
    statuses.push(answer.statusCode ?? 0)
    if (failure === 'cut') response.destroy()
    else if (failure === 'html-502') sendPage(response, 502)
    else {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      if (failure === 'cut-body') response.write(content.subarray(0, 10), () => response.destroy())
      else response.end(content)
    }
    for (const finish of held) finish()
    held = []
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: () => lost,
    /** The statuses of the service. */
    statuses: () => statuses,
    stop,
  }
}

function sendPage(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end(`<html><h1>${status}</h1></html>`)
}
