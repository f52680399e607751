import { GATEWAYS_SUBJECT, gatewayRateSubject } from '@platen/proto/subjects.ts'
import { connectNatsWhenThere } from '@platen/runtime/messaging/nats.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { realWait } from '@platen/test/harness/real-time.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startRateLimiter } from '../../rate-limit/rate-limiter.ts'

test('a gateway that pauses for 1.2 s, or answers after 0.3 s, keeps its organizations', async () => {
  const { servicesUrl: url } = await startTestNats()
  const service = createTestProcess('gateway')
  onTestFinished(() => service.stop())
  const limiter = startRateLimiter(service, {
    limits: { perKey: 20, perOrganization: 200 },
    nats: connectNatsWhenThere(service, parseNatsUrl(url)),
  })
  const busy = await connectNatsWhenThere(service, parseNatsUrl(url))
  if (!busy) throw new Error('NATS does not answer')
  const verdict = { accepted: true, remaining: 7 }
  busy.subscribe(gatewayRateSubject('busy'), {
    callback: (_error, request) =>
      void realWait('a busy gateway answers').then(() => request.respond(JSON.stringify(verdict))),
  })
  const ask = () => Promise.all(Array.from({ length: 20 }, (_, n) => limiter.take(`key ${n}`, `organization ${n}`)))
  // About half of the organizations are its own.
  const decided = async () =>
    (await ask()).filter((answer) => JSON.stringify(answer) === JSON.stringify(verdict)).length
  await waitFor(async () => {
    busy.publish(GATEWAYS_SUBJECT, JSON.stringify({ id: 'busy', leaving: false }))
    expect(await decided()).toBeGreaterThan(0)
  })
  const before = await decided()
  await realWait('a busy gateway is silent')
  expect(await decided()).toBe(before)
})
