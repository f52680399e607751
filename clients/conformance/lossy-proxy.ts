/** A proxy that loses answers. */
import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** Cuts 30 % of the answers after the service has processed the requests, half of them in the middle of their body. */
export async function startLossyProxy(target: string) {
  let answers = 0
  let lost = 0
  const server = createServer(async (request, response) => {
    const sent = forward(new URL(request.url ?? '', target), { method: request.method, headers: request.headers })
    void pipeline(request, sent).catch(() => response.destroy())
    const [answer] = await once(sent, 'response').catch(() => [undefined])
    if (!answer) return void response.destroy()
    // 3 of 10, spread evenly.
    const isLost = (++answers * 3) % 10 < 3
    if (isLost && ++lost % 2 === 0) {
      answer.resume()
      return void response.destroy()
    }
    response.writeHead(answer.statusCode, answer.headers)
    if (!isLost) return void answer.pipe(response)
    const [body] = await once(answer, 'data')
    answer.resume()
    response.write(body.subarray(0, 10), () => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost: () => lost, stop }
}
