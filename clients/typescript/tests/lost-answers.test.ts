/** Creations through a proxy that loses answers after the service has processed the requests. */
import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { installation, newOrganization, PDF } from '@platen/test/api/installation.ts'
import { expect, onTestFinished, test } from 'vitest'
import { Platen } from '../src/main.ts'

const JOBS = 200
/** A key can make 20 requests a second. */
const KEYS = 20
const LOST_SHARE = 0.3

test('200 creations through a proxy that cuts 30 % of the answers create 200 jobs', async () => {
  const organization = await newOrganization()
  const { printerId } = await organization.connectAgent()
  const proxy = await startProxy(installation.credentials.baseUrl)
  const keys = await Promise.all(Array.from({ length: KEYS }, () => organization.addKey('live', 'print')))
  const created = await Promise.all(
    keys.flatMap(({ api }, client) => {
      const platen = new Platen({ apiKey: api.key, baseUrl: proxy.url, maxRetries: 20 })
      return Array.from({ length: JOBS / KEYS }, (_, job) =>
        platen.printJobs.create({
          printer: printerId,
          title: `Label ${client}.${job}`,
          file: PDF as Uint8Array<ArrayBuffer>,
        }),
      )
    }),
  )
  const reader = new Platen({ apiKey: organization.api.key, baseUrl: installation.credentials.baseUrl })
  const listed: string[] = []
  for await (const { title } of reader.printJobs.list({ printerId, limit: 100 })) listed.push(title)
  expect(proxy.lost()).toBeGreaterThan(JOBS * LOST_SHARE * 0.5)
  expect(listed.toSorted()).toEqual(created.map(({ title }) => title).toSorted())
  expect(new Set(created.map(({ id }) => id)).size).toBe(JOBS)
})

/** Cuts each third answer or so, half of them in the middle of their body. */
async function startProxy(target: string) {
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
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost: () => lost }
}
